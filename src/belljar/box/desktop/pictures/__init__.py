"""Pictures of the screen, encoded by a program of their own: the encoders' memory is not the server's."""

from belljar.box.desktop.pictures.painters import PainterLost, Painters
from belljar.wire.desktop import ImageFormat

__all__ = ["MEDIA_TYPES", "PainterLost", "Painters"]

MEDIA_TYPES = {
    ImageFormat.PNG: "image/png",
    ImageFormat.JPEG: "image/jpeg",
    ImageFormat.WEBP: "image/webp",
}
