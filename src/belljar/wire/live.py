"""The messages of the live WebSocket, both ways.  The protocol is told in docs/reference/live.md."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from struct import Struct
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Discriminator, Field, Tag

from belljar.wire.base import Model
from belljar.wire.browser.asks import Ask
from belljar.wire.browser.common import DialogInfo
from belljar.wire.control import Control, Holder

# The subprotocols a client may ask for.  With `belljar.binary` frames come as binary messages.
JSON_SUBPROTOCOL = "belljar"
BINARY_SUBPROTOCOL = "belljar.binary"

# Before a binary frame's data: what it is, flags, width and height of what it shows (a page's CSS pixels, a display's
# pixels), device pixel ratio in hundredths, timestamp in milliseconds since 1970; big-endian, 16 bytes.
FRAME_HEADER = Struct(">BBHHHd")
SMALL_FLAG = 1
KEY_FLAG = 2

Coordinate = Annotated[float, Field(ge=-100_000, le=100_000, allow_inf_nan=False)]
Extent = Annotated[float, Field(gt=0, le=100_000, allow_inf_nan=False)]
# CDP's bits: 1 Alt, 2 Control, 4 Meta, 8 Shift.
Modifiers = Annotated[int, Field(ge=0, le=15)]


class MouseAction(StrEnum):
    MOVE = "move"
    DOWN = "down"
    UP = "up"
    WHEEL = "wheel"


class MouseButton(StrEnum):
    NONE = "none"
    LEFT = "left"
    MIDDLE = "middle"
    RIGHT = "right"
    BACK = "back"
    FORWARD = "forward"


class KeyAction(StrEnum):
    DOWN = "keydown"
    UP = "keyup"
    CHAR = "char"  # text without a key: from an input method, the clipboard, a phone's keyboard
    COMPOSE = "compose"  # what an input method would make of the keys so far, to be seen in its place; "" gives it up


class Surface(Model):
    """The size of what the viewer shows the picture on, in the unit of `x` and `y`."""

    w: Extent
    h: Extent


class MouseInput(Model):
    type: Literal["input"]
    device: Literal["mouse"]
    action: MouseAction
    x: Coordinate
    y: Coordinate
    button: MouseButton = MouseButton.NONE
    click_count: int = Field(1, ge=0, le=3)
    delta_x: Coordinate = 0
    delta_y: Coordinate = 0
    delta_mode: Literal[0, 1, 2] = Field(0, description="As in DOM: 0 pixels, 1 lines, 2 pages.")
    modifiers: Modifiers = 0
    surface: Surface | None = Field(None, description="Absent: `x` and `y` are the page's own.")


class KeyInput(Model):
    type: Literal["input"]
    device: Literal["key"]
    action: KeyAction
    key: str = Field("", max_length=64, description="As in DOM's KeyboardEvent.")
    code: str = Field("", max_length=64, description="As in DOM's KeyboardEvent.")
    text: str | None = Field(None, max_length=100_000)
    modifiers: Modifiers = 0
    repeat: bool = False


class Command(Model):
    id: Annotated[int, Field(ge=-(2**53), le=2**53)] | Annotated[str, Field(max_length=128)]
    type: Literal["cmd"]
    method: str = Field(max_length=64)
    params: dict[str, Any] = Field(default_factory=dict)


class Ping(Model):
    type: Literal["ping"]
    t: float | Annotated[str, Field(max_length=128)] | None = None


class VideoWish(Model):
    """Video instead of pictures, in the first of these codecs that the box makes; none of them, pictures again.

    A name that the box does not know is passed over.
    """

    type: Literal["video"]
    codecs: list[Annotated[str, Field(max_length=32)]] = Field(
        max_length=16,
        description="Best first: `h264`, `vp8`; with `webrtc` no frames come here while the peer is connected.",
    )
    crop: Literal["page"] | None = Field(
        None, description="Of a browser's display, what its active page shows alone; absent: all of the display."
    )
    fps: int | None = Field(None, ge=1, le=60, description="Frames a second at most; absent: as it was started with.")
    surface: Surface | None = Field(
        None, description="How large the viewer shows it, in its device pixels: pictures and video have about as many."
    )


class Resize(Model):
    """Give the display this size, or the nearest it can have; the viewer's own, in CSS pixels."""

    type: Literal["resize"]
    w: int = Field(ge=1, le=16384)
    h: int = Field(ge=1, le=16384)


class PeerWish(Model):
    """A WebRTC peer that brings the picture, signalled here: `start` has one offered, `answer` takes the offer."""

    type: Literal["webrtc"]
    action: Literal["start", "answer", "stop"]
    peer: int = Field(0, ge=0, le=2**31, description="The viewer's own number for it, by which it is told of it.")
    codecs: list[Annotated[str, Field(max_length=32)]] = Field(
        [], max_length=16, description="With `start`: what the viewer would have, best first: `h264`, `vp8`."
    )
    crop: Literal["page"] | None = Field(None, description="With `start`, as in `video`.")
    sdp: str = Field("", max_length=30_000, description="With `answer`.")


class Ack(Model):
    """A frame was shown.  A viewer that sends these is never more than a few frames behind."""

    type: Literal["ack"]
    timestamp: float = Field(allow_inf_nan=False)


def _kind(value: Any) -> str:
    """The tag of a message that was sent; what has none matches nothing."""
    if not isinstance(value, dict):
        return ""
    kind = value.get("type")
    return f"{value.get('device')}" if kind == "input" else f"{kind}"


ClientMessage = Annotated[
    Annotated[MouseInput, Tag("mouse")]
    | Annotated[KeyInput, Tag("key")]
    | Annotated[Command, Tag("cmd")]
    | Annotated[Ping, Tag("ping")]
    | Annotated[Ack, Tag("ack")]
    | Annotated[VideoWish, Tag("video")]
    | Annotated[Resize, Tag("resize")]
    | Annotated[PeerWish, Tag("webrtc")],
    Discriminator(_kind),
]


class FrameViewport(Model):
    """What is shown, in the pixels in which input counts; `dpr`: of a frame or a video how many pixels each of these
    has in the picture itself, in `ready` how many device pixels the page has for each."""

    w: int
    h: int
    dpr: float


class Frame(Model):
    type: Literal["frame"] = "frame"
    format: Literal["jpeg"] = "jpeg"
    data: str = Field(description="Base64.")
    viewport: FrameViewport
    timestamp: float = Field(description="Milliseconds since 1970.")


class Result(Model):
    """`error` is the problem that REST would answer with, and `message`; `stack` only for the page's own errors."""

    id: int | str
    type: Literal["result"] = "result"
    ok: bool
    result: Any = None
    error: dict[str, Any] | None = None


class Pong(Model):
    type: Literal["pong"] = "pong"
    t: float | str | None = None


class EventName(StrEnum):
    READY = "ready"
    NAVIGATED = "navigated"
    CONSOLE = "console"
    ERROR = "error"
    TABS = "tabs"
    DIALOG = "dialog"
    ASKS = "asks"
    DOWNLOAD = "download"
    CONTROL = "control"
    STATS = "stats"
    VIDEO = "video"
    WEBRTC = "webrtc"


class Event(Model):
    type: Literal["event"] = "event"
    name: EventName
    data: dict[str, Any]


class LiveMode(StrEnum):
    NONE = "none"  # nothing runs: frames begin when something does
    BROWSER = "browser"
    DESKTOP = "desktop"


class LiveTab(Model):
    id: str
    url: str
    title: str
    active: bool
    loading: bool | None = Field(None, description="True while its document, or what that is made of, comes.")
    error: str | None = Field(None, description="Why its document did not come, as Chromium says: `ERR_…`.")


class Ready(Model):
    """The data of the event `ready`: the first message, and again whenever something else is shown."""

    viewer: str = Field(description="This viewer's id, which others see.")
    key: str = Field(description="Its own secret; give it as `?viewer=` to be the same one after a reconnect.")
    name: str
    role: str
    mode: LiveMode
    box_id: str
    version: str
    tabs: list[LiveTab] = []
    control: Control
    viewport: FrameViewport | None = None
    dialogs: list["DialogChanged"] = Field([], description="Those that are open already.")
    asks: list[Ask] = Field([], description="What pages ask of a person already.")
    downloads: list["DownloadChanged"] = Field([], description="The last ones, oldest first.")


class Stats(Model):
    """The data of the event `stats`, about this viewer's own stream over the last second or so."""

    fps: float
    dropped_frames: int = Field(description="Frames this viewer never got, since it connected.")
    kbps: float
    viewers: int
    rendition: Literal["full", "small"]


class VideoArea(Model):
    """A part of the display, in its pixels."""

    x: int
    y: int
    w: int
    h: int


class VideoChanged(Model):
    """The data of the event `video`: what frames come as from now on, to a viewer that has asked for video."""

    format: Literal["jpeg", "h264", "vp8", "webrtc"] = Field(description="`webrtc`: none come here, but by the peer.")
    codec: str | None = Field(None, description="As WebCodecs names it: `avc1.42e01f`, `vp8`; absent with jpeg.")
    viewport: FrameViewport | None = Field(None, description="How large what is shown is, and in what input counts.")
    crop: VideoArea | None = Field(None, description="The part of the display that is shown; absent: all of it.")
    reason: str | None = Field(None, description="Why it is jpeg, where the viewer would rather have video.")


class IceServer(Model):
    """As WebRTC's `RTCIceServer`."""

    urls: list[str]
    username: str | None = None
    credential: str | None = None


class PeerChanged(Model):
    """The data of the event `webrtc`: how it goes with the peer that the viewer asked for."""

    peer: int = Field(description="As the viewer numbered it.")
    state: Literal["offered", "connected", "gone"]
    sdp: str | None = Field(None, description="The offer, with all of the server's candidates.")
    ice_servers: list[IceServer] | None = None
    reason: str | None = Field(None, description="Why it is gone, or never was.")


class TabsChanged(Model):
    """The data of the event `tabs`."""

    tabs: list[LiveTab]


class Navigated(Model):
    """The data of the event `navigated`; also within a document."""

    tab_id: str
    url: str
    title: str


class ConsoleLine(Model):
    """The data of the event `console`."""

    tab_id: str
    level: str = Field(description="The method of `console` that was called.")
    text: str
    timestamp: float = Field(description="Milliseconds since 1970.")


class DialogChanged(Model):
    """The data of the event `dialog`."""

    tab_id: str
    dialog: DialogInfo | None = Field(description="null once it is answered.")


class AsksChanged(Model):
    """The data of the event `asks`: all that one tab asks of a person now, oldest first."""

    tab_id: str
    asks: list[Ask]


class DownloadChanged(Model):
    """The data of the event `download`: when one begins and when it ends."""

    id: str
    filename: str
    state: Literal["inProgress", "completed", "canceled"]
    bytes: int | None = None


class LiveProblem(Model):
    """The data of the event `error`: a problem, whose further members depend on `code`, and its sentence."""

    model_config = ConfigDict(extra="allow")

    message: str
    type: str
    title: str
    status: int
    detail: str
    code: str


# What the data of an event is, by its name.
EVENT_DATA: Mapping[str, type[Model]] = {
    EventName.READY: Ready,
    EventName.NAVIGATED: Navigated,
    EventName.CONSOLE: ConsoleLine,
    EventName.ERROR: LiveProblem,
    EventName.TABS: TabsChanged,
    EventName.DIALOG: DialogChanged,
    EventName.ASKS: AsksChanged,
    EventName.DOWNLOAD: DownloadChanged,
    EventName.CONTROL: Control,
    EventName.STATS: Stats,
    EventName.VIDEO: VideoChanged,
    EventName.WEBRTC: PeerChanged,
}
ServerMessage = Annotated[Frame | Result | Pong | Event, Field(discriminator="type")]


class LiveHealth(Model):
    """`GET /health`."""

    browser_running: bool
    mode: LiveMode
    last_frame_at: datetime | None = None
    last_command_at: datetime | None = None
    last_activity: datetime
    viewers: int
    fps: float
    dropped_frames: int


class Glance(Model):
    """What a box shows and who drives it, without a picture: for lists of many."""

    mode: LiveMode
    url: str | None = Field(None, description="Of the tab in front.")
    title: str | None = None
    holder: Holder = Field(description="Who holds control.")
    question: str | None = Field(None, description="What an agent asks of a person.")
    dialog: str | None = Field(None, description="What the page in front says and waits for an answer to.")
    viewers: int
    seq: int = Field(description="The newest event of the record: it changes when something happened.")
