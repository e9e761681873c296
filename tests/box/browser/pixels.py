"""Looking into pictures."""

import io

from PIL import Image


def opened(data: bytes) -> Image.Image:
    Image.MAX_IMAGE_PIXELS = None
    return Image.open(io.BytesIO(data)).convert("RGB")


def is_near(picture: Image.Image, at: tuple[int, int], colour: tuple[int, int, int], within: int = 6) -> bool:
    """Whether a pixel has this colour, as far as a lossy format can tell."""
    seen = picture.getpixel(at)
    assert isinstance(seen, tuple)
    return all(abs(one - other) <= within for one, other in zip(seen, colour, strict=True))
