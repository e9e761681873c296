"""Events of Chromium's, as far as they are read; `method` is CDP's name of each."""

from typing import ClassVar

import msgspec

from belljar.box.browser.cdp.replies import (
    CallFrame,
    ExceptionDetails,
    FrameInfo,
    Part,
    RemoteObject,
    StackTrace,
    TargetInfo,
)
from belljar.wire.browser.common import DialogType


class Event(Part):
    method: ClassVar[str]


class AttachedToTarget(Event):
    method: ClassVar[str] = "Target.attachedToTarget"
    session_id: str
    target_info: TargetInfo


class DetachedFromTarget(Event):
    method: ClassVar[str] = "Target.detachedFromTarget"
    session_id: str


class TargetInfoChanged(Event):
    method: ClassVar[str] = "Target.targetInfoChanged"
    target_info: TargetInfo


class RendererCrashed(Event):
    method: ClassVar[str] = "Inspector.targetCrashed"


class FrameAttached(Event):
    method: ClassVar[str] = "Page.frameAttached"
    frame_id: str
    parent_frame_id: str


class FrameDetached(Event):
    method: ClassVar[str] = "Page.frameDetached"
    frame_id: str
    reason: str | None = None


class FrameNavigated(Event):
    method: ClassVar[str] = "Page.frameNavigated"
    frame: FrameInfo


class NavigatedWithinDocument(Event):
    method: ClassVar[str] = "Page.navigatedWithinDocument"
    frame_id: str
    url: str


class LifecycleEvent(Event):
    method: ClassVar[str] = "Page.lifecycleEvent"
    frame_id: str
    loader_id: str
    name: str


class FrameRequestedNavigation(Event):
    method: ClassVar[str] = "Page.frameRequestedNavigation"
    frame_id: str
    disposition: str = "currentTab"
    reason: str = ""


class FrameStartedNavigating(Event):
    method: ClassVar[str] = "Page.frameStartedNavigating"
    frame_id: str
    navigation_type: str = ""


class FrameStartedLoading(Event):
    method: ClassVar[str] = "Page.frameStartedLoading"
    frame_id: str


class FrameStoppedLoading(Event):
    method: ClassVar[str] = "Page.frameStoppedLoading"
    frame_id: str


class FrameResized(Event):
    method: ClassVar[str] = "Page.frameResized"


class DialogOpening(Event):
    method: ClassVar[str] = "Page.javascriptDialogOpening"
    type: DialogType
    message: str
    default_prompt: str | None = None


class DialogClosed(Event):
    method: ClassVar[str] = "Page.javascriptDialogClosed"
    # Whether it was accepted.
    result: bool = False


class FileChooserOpened(Event):
    method: ClassVar[str] = "Page.fileChooserOpened"
    mode: str
    frame_id: str = ""
    backend_node_id: int | None = None


class ScreencastMetadata(Part):
    device_width: float
    device_height: float
    timestamp: float = 0.0


class ScreencastFrame(Event):
    method: ClassVar[str] = "Page.screencastFrame"
    # In base64: it is sent on so, or undone by whoever shows it.
    data: str
    metadata: ScreencastMetadata
    session_id: int


class DownloadEvent(Event):
    """Chromium tells of it twice, once for the page and once for the browser."""

    frame_id: str
    guid: str
    url: str
    suggested_filename: str = ""


class PageDownloadWillBegin(DownloadEvent):
    method: ClassVar[str] = "Page.downloadWillBegin"


class DownloadWillBegin(DownloadEvent):
    method: ClassVar[str] = "Browser.downloadWillBegin"


class DownloadProgress(Event):
    method: ClassVar[str] = "Browser.downloadProgress"
    guid: str
    total_bytes: float
    received_bytes: float
    state: str


class ContextData(Part):
    frame_id: str | None = None
    is_default: bool = False


class ContextDescription(Part):
    id: int
    unique_id: str
    name: str
    origin: str = ""
    aux_data: ContextData = msgspec.field(default_factory=ContextData)


class ContextCreated(Event):
    method: ClassVar[str] = "Runtime.executionContextCreated"
    context: ContextDescription


class ContextDestroyed(Event):
    method: ClassVar[str] = "Runtime.executionContextDestroyed"
    execution_context_unique_id: str


class ContextsCleared(Event):
    method: ClassVar[str] = "Runtime.executionContextsCleared"


class BindingCalled(Event):
    method: ClassVar[str] = "Runtime.bindingCalled"
    name: str
    payload: str
    execution_context_id: int


class ConsoleCalled(Event):
    method: ClassVar[str] = "Runtime.consoleAPICalled"
    type: str
    args: list[RemoteObject]
    # Milliseconds since 1970.
    timestamp: float
    stack_trace: StackTrace | None = None


class ExceptionThrown(Event):
    method: ClassVar[str] = "Runtime.exceptionThrown"
    timestamp: float
    exception_details: ExceptionDetails


class LogEntry(Part):
    source: str
    level: str
    text: str
    timestamp: float
    url: str = ""
    line_number: int | None = None
    worker_id: str | None = None


class LogEntryAdded(Event):
    method: ClassVar[str] = "Log.entryAdded"
    entry: LogEntry


class Request(Part):
    url: str
    method: str
    url_fragment: str = ""
    headers: dict[str, str] = {}


class InitiatorFrame(CallFrame):
    function_name: str


class InitiatorStack(Part):
    call_frames: list[InitiatorFrame] = []
    parent: "InitiatorStack | None" = None


class Initiator(Part):
    type: str = "other"
    url: str = ""
    line_number: float | None = None
    request_id: str = ""
    stack: InitiatorStack | None = None


class ResourceTiming(Part):
    """Milliseconds from `request_time`, which is in seconds on Chromium's clock; -1 for what there was not."""

    request_time: float
    dns_start: float
    dns_end: float
    connect_start: float
    connect_end: float
    ssl_start: float
    ssl_end: float
    send_start: float
    send_end: float
    receive_headers_end: float


class ResponseHead(Part):
    """What an answer to a request and one to a socket's handshake have in common."""

    status: int
    status_text: str = ""
    headers: dict[str, str] = {}
    protocol: str = ""
    connection_reused: bool | None = None
    timing: ResourceTiming | None = None


class Response(ResponseHead, kw_only=True):
    url: str
    mime_type: str
    encoded_data_length: float = 0.0
    from_disk_cache: bool = False
    from_prefetch_cache: bool = False


class RequestWillBeSent(Event):
    method: ClassVar[str] = "Network.requestWillBeSent"
    request_id: str
    loader_id: str
    request: Request
    # Seconds on Chromium's own clock, and since 1970.
    timestamp: float
    wall_time: float
    type: str = "Other"
    frame_id: str = ""
    redirect_response: Response | None = None
    redirect_has_extra_info: bool | None = None
    initiator: Initiator = msgspec.field(default_factory=Initiator)


class RequestExtraInfo(Event):
    method: ClassVar[str] = "Network.requestWillBeSentExtraInfo"
    request_id: str
    headers: dict[str, str]


class RequestServedFromCache(Event):
    method: ClassVar[str] = "Network.requestServedFromCache"
    request_id: str


class ResponseReceived(Event):
    method: ClassVar[str] = "Network.responseReceived"
    request_id: str
    loader_id: str
    response: Response
    type: str = ""
    frame_id: str = ""
    has_extra_info: bool | None = None


class ResponseExtraInfo(Event):
    method: ClassVar[str] = "Network.responseReceivedExtraInfo"
    request_id: str
    headers: dict[str, str]


class DataReceived(Event):
    method: ClassVar[str] = "Network.dataReceived"
    request_id: str
    data_length: int


class LoadingFinished(Event):
    method: ClassVar[str] = "Network.loadingFinished"
    request_id: str
    timestamp: float
    encoded_data_length: float


class CorsErrorStatus(Part):
    cors_error: str


class LoadingFailed(Event):
    method: ClassVar[str] = "Network.loadingFailed"
    request_id: str
    timestamp: float
    error_text: str
    type: str = ""
    blocked_reason: str | None = None
    cors_error_status: CorsErrorStatus | None = None


class WebSocketCreated(Event):
    method: ClassVar[str] = "Network.webSocketCreated"
    request_id: str
    url: str
    initiator: Initiator = msgspec.field(default_factory=Initiator)


class WebSocketHandshake(Part):
    headers: dict[str, str] = {}


class WebSocketAsked(Event):
    method: ClassVar[str] = "Network.webSocketWillSendHandshakeRequest"
    request_id: str
    request: WebSocketHandshake


class WebSocketOpened(Event):
    method: ClassVar[str] = "Network.webSocketHandshakeResponseReceived"
    request_id: str
    timestamp: float
    response: ResponseHead


class WebSocketFrameSent(Event):
    method: ClassVar[str] = "Network.webSocketFrameSent"


class WebSocketFrameError(Event):
    method: ClassVar[str] = "Network.webSocketFrameError"
    request_id: str
    error_message: str


class WebSocketClosed(Event):
    method: ClassVar[str] = "Network.webSocketClosed"
    request_id: str
    timestamp: float


class AuthChallenge(Part):
    origin: str
    realm: str = ""


class AuthRequired(Event):
    method: ClassVar[str] = "Fetch.authRequired"
    request_id: str
    auth_challenge: AuthChallenge


class RequestPaused(Event):
    method: ClassVar[str] = "Fetch.requestPaused"
    request_id: str
    request: Request


class DragIntercepted(Event):
    method: ClassVar[str] = "Input.dragIntercepted"
    # As it came: it is given back to Chromium.
    data: msgspec.Raw
