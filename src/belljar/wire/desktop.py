"""`/v1/desktop/*` on the wire: lifecycle, mouse, keyboard, windows, clipboard, pictures, films, programs."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field, StrictBool, model_validator
from pydantic_core import PydanticCustomError

from belljar.wire.base import Model

I32 = Annotated[int, Field(strict=True, ge=-(2**31), le=2**31 - 1)]
U32 = Annotated[int, Field(strict=True, ge=0, le=2**32 - 1)]


class WindowInfo(Model):
    """`x`, `y`, `width` and `height` are those of the client area, without the window manager's frame."""

    id: str = Field(description="The X window id, in decimal.", examples=["6291457"])
    title: str
    x: int
    y: int
    width: int
    height: int
    is_active: bool
    pid: int | None = None
    class_name: str | None = Field(default=None, description="The class part of WM_CLASS.", examples=["XTerm"])
    desktop: int | None = Field(default=None, description="Virtual desktop; -1 where it is on all of them.")
    is_minimized: bool = False
    is_maximized: bool = False


class WindowList(Model):
    windows: list[WindowInfo] = Field(description="From the bottom to the top.")


class MoveWindow(Model):
    """Where the upper left corner of the window's frame goes."""

    x: I32
    y: I32


class ResizeWindow(Model):
    """The size of the client area."""

    width: U32
    height: U32


class ClosedWindow(Model):
    id: str
    closed: bool = Field(description="False where the program keeps it open, to ask a question for instance.")


class DisplayMode(StrEnum):
    """What the one display of a box is used for; the other mode has to wait until it is stopped."""

    BROWSER = "browser"
    DESKTOP = "desktop"


class DesktopState(StrEnum):
    INACTIVE = "inactive"  # nothing runs
    INSTALL_REQUIRED = "install_required"  # nothing runs, and nothing can: programs are missing
    STARTING = "starting"
    ACTIVE = "active"
    STOPPING = "stopping"
    FAILED = "failed"  # the last start did not come up, or the display died and does not come back


class StartDesktop(Model):
    width: U32 = Field(default=1440, description="Pixels.", examples=[1280])
    height: U32 = Field(default=900, description="Pixels.", examples=[720])
    dpi: U32 = 96
    display_num: I32 = Field(default=99, description="The display number to try first; taken ones are skipped upwards.")
    recording_fps: U32 = Field(default=30, description="Frames a second of recordings that do not say, 1 to 60.")
    stream_video_codec: str | None = Field(default=None, description="Of the stream: `vp8` (default) or `h264`.")
    stream_audio_codec: str | None = Field(
        default=None, description="Sound for viewers by WebRTC: `opus`, `g722` or `none` (default)."
    )
    stream_frame_rate: U32 | None = Field(default=None, description="The most frames a second, 1 to 60; 30.")
    webrtc_port_range: str | None = Field(
        default=None, description="Of the one UDP port that the stream takes; 59050-59070."
    )
    state_dir: str | None = Field(default=None, description="Accepted and not used, as in the reference.")


class Resolution(Model):
    width: int
    height: int
    dpi: int


class LastError(Model):
    code: str
    message: str


class DesktopProcess(Model):
    name: str = Field(examples=["Xvfb"])
    pid: int | None = None
    running: bool
    process_id: str | None = Field(default=None, description="Its id under /v1/processes.")


class DesktopStatus(Model):
    state: DesktopState
    mode: DisplayMode | None = Field(default=None, description="What the display is used for, while there is one.")
    display: str | None = Field(default=None, examples=[":99"])
    resolution: Resolution | None = None
    started_at: str | None = Field(default=None, description="RFC 3339.")
    last_error: LastError | None = None
    missing_dependencies: list[str] = []
    install_command: str | None = None
    processes: list[DesktopProcess] = []
    runtime_log_path: str
    windows: list[WindowInfo] | None = None


class DisplayInfo(Model):
    display: str = Field(examples=[":99"])
    resolution: Resolution
    mode: DisplayMode
    max_width: int = Field(description="The widest the screen can get without a restart.")
    max_height: int


class ResizeDisplay(Model):
    width: U32
    height: U32
    dpi: U32 | None = None


Notches = Annotated[float, Field(strict=True, allow_inf_nan=False)]


class MouseButton(StrEnum):
    LEFT = "left"
    MIDDLE = "middle"
    RIGHT = "right"


class MousePosition(Model):
    x: int
    y: int
    screen: int = 0
    window: str = Field(description="The window under the pointer, the root window where there is no other.")


class MoveMouse(Model):
    x: I32
    y: I32


class ClickMouse(Model):
    x: I32
    y: I32
    button: MouseButton | None = None
    click_count: U32 | None = Field(default=None, description="1 where none is given; 2 is a double click.")


class MouseButtonAction(Model):
    """`x` and `y` come together or not at all; where given, the pointer moves first."""

    x: I32 | None = None
    y: I32 | None = None
    button: MouseButton | None = None


class DragMouse(Model):
    start_x: I32
    start_y: I32
    end_x: I32
    end_y: I32
    button: MouseButton | None = None


class ScrollMouse(Model):
    """Deltas count wheel notches; a fraction is kept until it adds up to one."""

    x: I32
    y: I32
    delta_x: Notches | None = Field(default=None, description="To the right; negative to the left.")
    delta_y: Notches | None = Field(default=None, description="Down; negative up.", examples=[3])


KEY = "An X keysym name, a web key name or a character; `+` joins a combination."


class TypeText(Model):
    text: str = Field(description="Any Unicode text; a newline presses Return, a tab Tab.")
    delay_ms: U32 | None = Field(default=None, description="Between two keys; 10 where none is given.")


class KeyModifiers(Model):
    ctrl: StrictBool | None = None
    shift: StrictBool | None = None
    alt: StrictBool | None = None
    cmd: StrictBool | None = Field(default=None, description="The super key.")


class PressKey(Model):
    key: str = Field(description=KEY, examples=["Enter", "ctrl+shift+a"])
    modifiers: KeyModifiers | None = None


class HoldKey(Model):
    key: str = Field(description=KEY, examples=["shift"])


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


class ImageFormat(StrEnum):
    PNG = "png"
    JPEG = "jpeg"
    WEBP = "webp"


class RecordingStatus(StrEnum):
    RECORDING = "recording"
    COMPLETED = "completed"
    FAILED = "failed"  # ended by an error; what was written up to then is kept


class RecordingSource(StrEnum):
    DISPLAY = "display"  # the whole screen
    TAB = "tab"  # a browser's tab as Chromium draws it, with or without a screen


class StartRecording(Model):
    fps: U32 | None = Field(default=None, description="Frames a second, 1 to 60; of a tab 1 to 8.")
    source: RecordingSource | None = Field(
        default=None, description="What to film; where absent the display, and in a headless browser the active tab."
    )
    tab_id: str | None = Field(
        default=None,
        max_length=128,
        description="Film only this tab, while it is in front and until it is closed; means `source: tab`.",
    )


class FilmMoment(Model):
    """A time as the record has it: the film shows what happened at `t` when `t` minus the first frame's has passed."""

    t: int = Field(description="Microseconds since 1970.")
    mono: int = Field(description="Microseconds since the box began, by its monotonic clock.")


class RecordingGap(Model):
    """While nothing could be filmed; the picture before it stands still."""

    reason: str = Field(examples=["the display was restarted"])
    from_: FilmMoment = Field(alias="from")
    to: FilmMoment | None = Field(default=None, description="Of the first frame after it; absent while it lasts.")


class Recording(Model):
    id: str = Field(examples=["rec_1"])
    status: RecordingStatus
    process_id: str | None = Field(
        default=None, description="The encoder's. It is the box's own: the process API does not list it."
    )
    file_name: str = Field(examples=["rec_1.mp4"])
    bytes: int
    started_at: str = Field(description="RFC 3339: when it was asked for.")
    ended_at: str | None = None
    first_frame: FilmMoment | None = Field(default=None, description="When the film's first frame was taken.")
    gaps: list[RecordingGap] | None = Field(default=None, description="When nothing could be filmed, if ever.")
    duration_ms: int | None = Field(default=None, description="How long the film runs.")
    width: int | None = None
    height: int | None = None
    fps: int | None = Field(default=None, description="At most, of a tab.")
    source: RecordingSource = RecordingSource.DISPLAY
    tab_id: str | None = Field(default=None, description="Of a film of one tab.")
    error: str | None = Field(default=None, description="Why it failed.")


class RecordingList(Model):
    recordings: list[Recording]


class LaunchApp(Model):
    app: str = Field(description="A program in PATH, or a path.", examples=["xterm"])
    args: list[str] | None = None
    wait: StrictBool | None = Field(default=None, description="Answer when its window is there, or after 5 s.")


class LaunchedApp(Model):
    process_id: str
    pid: int
    window_id: str | None = Field(default=None, description="Where `wait` was given and a window came.")


class OpenTarget(Model):
    target: str = Field(description="A file or an address for the desktop's preferred application.")


class OpenedTarget(Model):
    process_id: str
    pid: int


class Bounds(Model):
    """On the screen, in pixels."""

    x: int
    y: int
    width: int
    height: int


class AccessibleNode(Model):
    role: str = Field(examples=["push button"])
    name: str
    description: str | None = None
    states: list[str] = Field(default=[], examples=[["enabled", "focusable", "showing", "visible"]])
    bounds: Bounds | None = None
    value: float | None = None
    text: str | None = None
    children: list["AccessibleNode"] = []


class AccessibilityTree(Model):
    available: bool = Field(description="Whether the desktop's accessibility bus is there.")
    reason: str | None = Field(default=None, description="Why it is not.")
    applications: list[AccessibleNode] = []
    truncated: bool = Field(default=False, description="Whether the tree was cut at the node limit.")


# Where a control plane opens the socket over which it relays WebRTC's packets to a box.
STREAM_RELAY = "/v1/desktop/stream/relay"


class Webrtc(StrEnum):
    """Who may watch by WebRTC, which needs a UDP port."""

    OFF = "off"
    LOOPBACK = "loopback"  # viewers on the same host
    PUBLIC = "public"  # whoever has a token and reaches the port
    RELAY = "relay"  # as the control plane has it, whose port it is


class StreamStatus(Model):
    active: bool
    process_id: str | None = None
    window_id: str | None = None
    reason: str | None = Field(default=None, description="Why there is no stream.")
