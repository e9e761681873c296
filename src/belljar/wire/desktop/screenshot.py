"""Pictures of the screen."""

from enum import StrEnum


class ImageFormat(StrEnum):
    PNG = "png"
    JPEG = "jpeg"
    WEBP = "webp"
