"""Replies of Chromium's, as far as they are read: what else is in them is skipped by the decoder.

Optional members are what CDP says may be missing.  CDP's `integer` is `int` here and its `number` is `float`.
"""

import msgspec

from belljar.box.browser.cdp.messages import ABSENT, UnexpectedReply


class Part(msgspec.Struct, gc=False, rename="camel"):
    """An object in a reply or an event; alone, one of which nothing is read."""


class PropertyPreview(Part):
    name: str
    type: str
    value: str | None = None
    subtype: str | None = None


class ObjectPreview(Part):
    type: str
    subtype: str | None = None
    description: str | None = None
    overflow: bool = False
    properties: list[PropertyPreview] = []


class RemoteObject(Part):
    """A value in a page: itself where it is JSON, `unserializableValue` for NaN and the like, else by its id."""

    type: str
    subtype: str | None = None
    class_name: str | None = None
    value: msgspec.Raw = ABSENT
    unserializable_value: str | None = None
    description: str | None = None
    object_id: str | None = None
    preview: ObjectPreview | None = None


class CallFrame(Part):
    url: str
    line_number: int
    column_number: int


class StackTrace(Part):
    call_frames: list[CallFrame] = []


class ExceptionDetails(Part):
    text: str = ""
    line_number: int | None = None
    column_number: int | None = None
    url: str | None = None
    stack_trace: StackTrace | None = None
    exception: RemoteObject | None = None


class Evaluation(Part):
    """Of `Runtime.evaluate`, `Runtime.callFunctionOn` and `Runtime.awaitPromise`."""

    result: RemoteObject
    exception_details: ExceptionDetails | None = None


class TargetInfo(Part):
    target_id: str
    type: str
    title: str = ""
    url: str = ""
    opener_id: str | None = None
    parent_frame_id: str | None = None
    browser_context_id: str | None = None


class Targets(Part):
    target_infos: list[TargetInfo]


class TargetCreated(Part):
    target_id: str


class SessionMade(Part):
    session_id: str


class ContextMade(Part):
    browser_context_id: str


class FrameInfo(Part):
    id: str
    loader_id: str
    url: str
    url_fragment: str = ""
    parent_id: str | None = None
    name: str = ""
    security_origin: str = ""
    unreachable_url: str = ""


class FrameTreeNode(Part):
    frame: FrameInfo
    child_frames: list["FrameTreeNode"] = []


class FrameTreeReply(Part):
    frame_tree: FrameTreeNode


class HistoryEntry(Part):
    id: int
    url: str
    title: str


class NavigationHistory(Part):
    current_index: int
    entries: list[HistoryEntry]

    @property
    def current(self) -> HistoryEntry:
        if not 0 <= self.current_index < len(self.entries):
            raise UnexpectedReply("Page.getNavigationHistory", "it has no entry for the page itself")
        return self.entries[self.current_index]


class NavigateReply(Part):
    frame_id: str
    loader_id: str | None = None
    error_text: str = ""
    is_download: bool = False


class ScriptAdded(Part):
    identifier: str


class ContentSize(Part):
    width: float
    height: float


class VisualViewport(Part):
    client_width: float
    client_height: float


class LayoutMetrics(Part):
    css_content_size: ContentSize
    css_visual_viewport: VisualViewport


class Picture(Part):
    data: bytes


class EncodedPicture(Part):
    """In base64, for those who pass it on so."""

    data: str


class Node(Part):
    frame_id: str | None = None
    # A name, its value, the next name, …
    attributes: list[str] = []


class NodeDescription(Part):
    node: Node


class FrameOwner(Part):
    backend_node_id: int


class ResolvedObject(Part):
    object_id: str


class ResolvedNode(Part):
    object: ResolvedObject


class ResponseBody(Part):
    body: str
    base64_encoded: bool


class CookiePartitionKey(Part):
    top_level_site: str
    has_cross_site_ancestor: bool


class CdpCookie(Part):
    name: str
    value: str
    domain: str
    path: str
    expires: float
    http_only: bool
    secure: bool
    same_site: str | None = None
    # An object; of older Chromiums a text.
    partition_key: CookiePartitionKey | str | None = None


class CookieParam(Part, omit_defaults=True):
    """A cookie to set: what Chromium is given, not told."""

    name: str
    value: str
    url: str | None = None
    domain: str | None = None
    path: str | None = None
    secure: bool | None = None
    http_only: bool | None = None
    same_site: str | None = None
    expires: float | None = None
    partition_key: CookiePartitionKey | None = None


class Cookies(Part):
    cookies: list[CdpCookie]


class WindowForTarget(Part):
    window_id: int


class Version(Part):
    product: str
    protocol_version: str
    user_agent: str
    js_version: str
