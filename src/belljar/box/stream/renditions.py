"""The smaller rendition, made from the full one when somebody needs it."""

from dataclasses import replace
from io import BytesIO

import anyio

from belljar.box.stream.picture import Picture

_SMALL_QUALITY = 50
_LONGEST_SIDE = 640


class Shrinker:
    """Makes a picture's smaller rendition once, in a thread; who wants the same one waits for it."""

    def __init__(self) -> None:
        self._turn = anyio.Lock()
        self._limiter = anyio.CapacityLimiter(1)
        self._of: Picture | None = None
        self._made: Picture | None = None

    async def small(self, picture: Picture) -> Picture:
        async with self._turn:
            if self._of is not picture or self._made is None:
                raw = await anyio.to_thread.run_sync(_shrunk, picture.jpeg, limiter=self._limiter)
                self._of, self._made = picture, replace(picture, encoded=None, raw=raw, is_small=True)
            return self._made


def _shrunk(jpeg: bytes) -> bytes:
    # Imported here: most boxes never have a slow viewer.
    from PIL import Image

    image = Image.open(BytesIO(jpeg))
    scale = min(1.0, _LONGEST_SIDE / max(image.size))
    wanted = (max(1, round(image.width * scale)), max(1, round(image.height * scale)))
    # Decodes at a half or a quarter right away where that is still large enough.
    image.draft("RGB", wanted)
    file = BytesIO()
    image.resize(wanted, Image.Resampling.BILINEAR, reducing_gap=1.0).save(file, "JPEG", quality=_SMALL_QUALITY)
    return file.getvalue()
