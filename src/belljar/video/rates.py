"""How many bits a second a stream may take: the same wherever it is encoded.  Loads no FFmpeg."""

# Up to this many pixels; larger pictures may take more in proportion.
_PIXELS = 1280 * 720
_FULL_BITS = 6_000_000
# Of the smaller rendition, which has half the width and height.
_SMALL_BITS = 1_000_000


def full_bits(width: int, height: int) -> int:
    return max(_FULL_BITS, _FULL_BITS * width * height // _PIXELS)


def small_bits(width: int, height: int) -> int:
    """`width` and `height` are those of what it shows, not of what is coded."""
    return max(_SMALL_BITS, _SMALL_BITS * width * height // _PIXELS)
