"""Pictures and prints of a page."""

from enum import StrEnum

from pydantic import Field

from belljar.wire.browser.common import OnFrame, OnTab


class ImageFormat(StrEnum):
    PNG = "png"
    JPEG = "jpeg"
    WEBP = "webp"


class ScreenshotQuery(OnFrame):
    format: ImageFormat = ImageFormat.PNG
    quality: int | None = Field(None, ge=0, le=100, description="For jpeg and webp; 80 where absent.")
    full_page: bool = Field(False, description="The whole page, as far as it scrolls.")
    selector: str | None = Field(None, max_length=10_000, description="Only this element, scrolled to.")


class PaperFormat(StrEnum):
    A4 = "a4"
    LETTER = "letter"
    LEGAL = "legal"


class PdfQuery(OnTab):
    format: PaperFormat = PaperFormat.LETTER
    landscape: bool = False
    print_background: bool = False
    scale: float = Field(1.0, ge=0.1, le=2.0)
