"""The clipboard and the primary selection."""

from enum import StrEnum

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from belljar.wire.base import Model


class ClipboardFormat(StrEnum):
    TEXT = "text"
    PNG = "png"


class Clipboard(Model):
    text: str
    selection: str = Field(examples=["clipboard"])
    formats: list[str] = Field(default=[], description="The types the owner offers, as it names them.")
    image: str | None = Field(default=None, description="A PNG in base64, where asked for and on offer.")


class SetClipboard(Model):
    """Text, or an image, or both."""

    text: str | None = None
    image: str | None = Field(default=None, description="A PNG in base64.")
    selection: str | None = Field(default=None, description="`clipboard` or `primary`.")

    @model_validator(mode="after")
    def _has_content(self) -> "SetClipboard":
        if self.text is None and self.image is None:
            raise PydanticCustomError("missing", "Field required: text, or an image, or both")
        return self
