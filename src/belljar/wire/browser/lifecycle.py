"""The browser as a whole: started and stopped, its status, events, emulation, tabs and partitions."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from belljar.wire.base import Model
from belljar.wire.browser.common import DialogInfo, Milliseconds
from belljar.wire.desktop import DisplayMode


class CdpTarget(Model):
    """A tab, in the names of a debugging port."""

    id: str
    type: str = "page"
    title: str
    url: str
    web_socket_debugger_url: str = Field(alias="webSocketDebuggerUrl")


class CdpVersion(Model):
    """Chromium's own names, which clients look for."""

    browser: str = Field(alias="Browser")
    protocol_version: str = Field(alias="Protocol-Version")
    user_agent: str = Field(alias="User-Agent")
    v8_version: str = Field(alias="V8-Version")
    web_socket_debugger_url: str = Field(alias="webSocketDebuggerUrl")


class EventKind(StrEnum):
    STATE = "state"  # the browser moved to another state
    TAB_OPENED = "tab_opened"
    TAB_CLOSED = "tab_closed"
    TAB_CRASHED = "tab_crashed"
    DIALOG_OPENED = "dialog_opened"
    DOWNLOAD = "download"  # began, or ended


class BrowserEvent(Model):
    kind: EventKind
    timestamp: str
    state: str | None = Field(None, description="Of the browser, or of the download.")
    tab_id: str | None = None
    download_id: str | None = None
    reason: str | None = Field(None, description="The code of the error that led to a state.")


class BrowserEvents(Model):
    events: list[BrowserEvent]
    cursor: int = Field(description="Pass it as `since` to get only what came after.")


class ColorScheme(StrEnum):
    LIGHT = "light"
    DARK = "dark"
    NO_PREFERENCE = "no-preference"


class Geolocation(Model):
    latitude: float = Field(ge=-90, le=90)
    longitude: float = Field(ge=-180, le=180)
    accuracy: float = Field(default=10, ge=0)


class HttpCredentials(Model):
    username: str = Field(max_length=1000)
    password: str = Field(max_length=1000)
    origin: str | None = Field(default=None, description="Whom they are given to; every server that asks where absent.")


class EmulationFields(Model):
    """Absent leaves a setting as it is."""

    locale: str | None = Field(None, max_length=64, pattern=r"^[A-Za-z0-9_-]*$", examples=["de-DE"])
    timezone: str | None = Field(None, max_length=64, pattern=r"^[A-Za-z0-9_+/-]*$", examples=["Europe/Berlin"])
    user_agent: str | None = Field(None, max_length=1000)
    geolocation: Geolocation | None = None
    color_scheme: ColorScheme | None = None
    extra_headers: dict[str, str] | None = Field(None, description="Sent with every request of every page.")
    init_scripts: list[Annotated[str, Field(max_length=1_000_000)]] | None = Field(
        None, max_length=100, description="Run in every document before its own scripts."
    )
    permissions: list[str] | None = Field(
        None, max_length=50, description="Granted to every origin, by the Permissions API's names; others are denied."
    )
    http_credentials: HttpCredentials | None = Field(None, description="For servers that ask for HTTP authentication.")


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
    stream_audio_codec: Literal["none", "opus", "g722"] = Field(
        "none", description="How sound is coded for viewers by WebRTC; with none of it pages are muted."
    )
    stream_frame_rate: int = Field(30, ge=1, le=60)
    webrtc_port_range: str = Field("59050-59070", pattern=r"^\d{1,5}-\d{1,5}$")
    recording_fps: int = Field(30, ge=1, le=60)

    @property
    def scale(self) -> float:
        """Pixels that Chromium itself draws for each of a page's: as many as the page is told of, where they have room.

        A display whose size was given has that one, and pages with a ratio of their own are drawn smaller on it.
        """
        ratio = None if self.viewport is None else self.viewport.device_scale_factor
        if self.viewport is None or ratio is None or ratio <= 1:
            return 1
        if not self.headless and self.model_fields_set & {"width", "height"}:
            return 1
        sizes = (self.viewport.width, self.viewport.height + (0 if self.headless or self.kiosk else BARS_HEIGHT))
        return ratio if all(size * ratio <= most for size, most in zip(sizes, MAX_SCREEN, strict=True)) else 1

    @property
    def screen(self) -> tuple[int, int]:
        """Width and height of the display: those given, otherwise what a page of `viewport` needs."""
        if self.headless or self.viewport is None:
            return self.width, self.height
        bars = 0 if self.kiosk else BARS_HEIGHT
        wanted = (round(self.viewport.width * self.scale), round((self.viewport.height + bars) * self.scale))
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


PARTITION_NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"
PartitionName = Annotated[str, StringConstraints(pattern=PARTITION_NAME)]
Domain = Annotated[str, StringConstraints(min_length=1, max_length=253)]


class PutPartition(Model):
    allowed_domains: list[Domain] | None = Field(
        None,
        max_length=1000,
        description="Hosts, each with those below it, whose documents frames may show; all where absent.",
    )
    viewport: ViewportSize | None = Field(None, description="The size of its pages; otherwise that of the others.")
    spare_tab: bool = Field(
        False,
        description="Whether a blank tab is kept ready when one is closed, so that the next one opens at once.",
    )


class PartitionInfo(Model):
    name: str
    allowed_domains: list[str] | None = None
    viewport: ViewportSize | None = None
    spare_tab: bool = False
    tabs: list[str] = Field(description="Ids of its tabs, without the spare one.")


class PartitionList(Model):
    partitions: list[PartitionInfo]


class TabInfo(Model):
    id: str
    url: str
    title: str
    active: bool = Field(description="Whether it receives what names no tab.")
    partition: str | None = Field(None, description="The partition it is in, when it is in one.")
    opener_id: str | None = Field(None, description="The tab that opened it.")
    dialog: DialogInfo | None = Field(None, description="A dialog open in it.")
    crashed: bool | None = None


class TabList(Model):
    tabs: list[TabInfo]


class CreateTab(Model):
    url: str | None = Field(None, description="about:blank where absent.")
    timeout: Milliseconds | None = None
    partition: PartitionName | None = Field(None, description="A tab of this partition; never active, nor listed.")
    dismiss_dialogs: bool = Field(
        False, description="Whether its dialogs are cancelled as they open, and those of tabs it opens."
    )


class CloseResult(Model):
    ok: bool = True
    dialog: DialogInfo | None = Field(None, description="A beforeunload dialog that keeps the tab open.")
