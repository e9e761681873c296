"""Starting and stopping the browser, and what it reports of itself."""

from enum import StrEnum
from typing import Literal

from pydantic import Field

from belljar.wire.base import Model
from belljar.wire.browser.emulation import EmulationFields
from belljar.wire.desktop import DisplayMode

# What Chromium's tabs and address bar take of a display's height, and the largest display there is.
BARS_HEIGHT = 87
MAX_SCREEN = (7680, 4320)
MIN_SCREEN = 200


class BrowserState(StrEnum):
    INACTIVE = "inactive"  # nothing runs
    STARTING = "starting"  # the display or Chromium is coming up, for the first time or again
    ACTIVE = "active"  # calls are taken
    STOPPING = "stopping"  # being ended
    FAILED = "failed"  # it died and could not be brought back; `lastError` says why
    INSTALL_REQUIRED = "install_required"  # not started, and cannot be: `missingDependencies` says why


class ViewportSize(Model):
    width: int = Field(ge=1, le=16384)
    height: int = Field(ge=1, le=16384)
    device_scale_factor: float | None = Field(default=None, gt=0, le=10)


class StartRequest(EmulationFields):
    width: int = Field(
        1280,
        ge=MIN_SCREEN,
        le=MAX_SCREEN[0],
        description="Of the display, or of the headless window. Left out, a display has room for `viewport`.",
    )
    height: int = Field(720, ge=MIN_SCREEN, le=MAX_SCREEN[1])
    dpi: int = Field(96, ge=48, le=480)
    url: str | None = Field(None, description="Opened first; about:blank where absent.")
    headless: bool = Field(False, description="Run without a display. The live view still works.")
    context_id: str | None = Field(None, description="A saved context whose profile to use.")
    viewport: ViewportSize | None = Field(None, description="The page's size; otherwise what the window leaves.")
    kiosk: bool = Field(False, description="Without the browser's own bars.")
    webgl: bool = Field(False, description="Software WebGL. It costs the GPU process its sandbox.")
    stream_video_codec: Literal["vp8", "vp9", "h264"] = "vp8"
    stream_audio_codec: Literal["opus", "g722"] = "opus"
    stream_frame_rate: int = Field(30, ge=1, le=60)
    webrtc_port_range: str = Field("59050-59070", pattern=r"^\d{1,5}-\d{1,5}$")
    recording_fps: int = Field(30, ge=1, le=60)

    @property
    def screen(self) -> tuple[int, int]:
        """Width and height of the display: those given, otherwise what a page of `viewport` needs."""
        if self.headless or self.viewport is None:
            return self.width, self.height
        bars = 0 if self.kiosk else BARS_HEIGHT
        wanted = (self.viewport.width, self.viewport.height + bars)
        given = [name in self.model_fields_set for name in ("width", "height")]
        fitting = [max(MIN_SCREEN, min(size, most)) for size, most in zip(wanted, MAX_SCREEN, strict=True)]
        return (self.width if given[0] else fitting[0], self.height if given[1] else fitting[1])


class Resolution(Model):
    width: int
    height: int
    dpi: int | None = None


class Viewport(Model):
    """What is left of the window for the page, in CSS pixels."""

    w: int
    h: int
    dpr: float


class ProcessState(Model):
    name: str
    pid: int | None = None
    running: bool


class LastError(Model):
    code: str
    message: str
    stderr: list[str] | None = Field(
        None, description="The last lines a Chromium wrote that did not come up, without this host's paths and secrets."
    )


class Sandbox(Model):
    """Chromium's own sandbox."""

    enabled: bool
    reason: str | None = Field(None, description="Why it is off.")


class Directories(Model):
    """Where files for `upload` may come from, and where downloads go."""

    home: str
    uploads: str
    downloads: str


class BrowserStatus(Model):
    state: BrowserState
    mode: DisplayMode | None = Field(None, description="What the box's display is used for, while there is one.")
    display: str | None = Field(None, examples=[":99"])
    resolution: Resolution | None = None
    viewport: Viewport | None = None
    headless: bool | None = None
    started_at: str | None = None
    cdp_url: str | None = Field(
        None, description="The WebSocket for Playwright and Puppeteer: this server's own. Not with `--cdp off`."
    )
    url: str | None = None
    title: str | None = None
    tab_id: str | None = Field(None, description="The active tab.")
    version: str | None = Field(None, examples=["Chrome/156.0.8078.79"])
    context_id: str | None = None
    sandbox: Sandbox | None = None
    directories: Directories | None = None
    missing_dependencies: list[str] = []
    install_command: str | None = None
    processes: list[ProcessState] = []
    restarts: int | None = Field(None, description="How often Chromium was brought back since start.")
    start_timings: dict[str, float] | None = Field(None, description="Milliseconds each step of the start took.")
    last_error: LastError | None = None


class StopResult(Model):
    state: BrowserState = BrowserState.INACTIVE
