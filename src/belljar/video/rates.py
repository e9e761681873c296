"""How many bits a second a stream may take: the same wherever it is encoded.  Loads no FFmpeg."""

# Up to this many pixels; larger pictures may take more in proportion.
_PIXELS = 1280 * 720
_FULL_BITS = 6_000_000
SMALL_BITS = 1_000_000


def full_bits(width: int, height: int) -> int:
    return max(_FULL_BITS, _FULL_BITS * width * height // _PIXELS)
