"""The OpenAPI documents, as a generator of clients sees them."""

import copy
import enum
import importlib
import json
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, computed_field

import belljar.box.app
import belljar.plane.app
import belljar.wire
from belljar.server.openapi import SameName, SameOperation, describe
from belljar.server.router import WEBSOCKET, Messages, Route, Router
from belljar.wire import schema_names
from belljar.wire.base import Model
from belljar.wire.live import EVENT_DATA, EventName
from scripts.check_openapi_names import differences, documents

ROOT = Path(__file__).parent.parent.parent
DOCUMENTS = {name: json.loads((ROOT / f"openapi/{name}.json").read_text()) for name in ("box", "control")}

# The methods of spec 1 that ask the server, and those of sandbox-agent 0.4.2 for what we have too.
SPEC_METHODS = """
    startBrowser stopBrowser getBrowserStatus browserNavigate browserBack browserForward browserReload browserWait
    getBrowserTabs createBrowserTab activateBrowserTab closeBrowserTab takeBrowserScreenshot getBrowserPdf
    getBrowserContent getBrowserMarkdown scrapeBrowser getBrowserLinks executeBrowserScript getBrowserSnapshot
    browserClick browserType browserSelect browserHover browserScroll browserUpload browserDialog getBrowserConsole
    getBrowserNetwork crawlBrowser getBrowserContexts createBrowserContext deleteBrowserContext getBrowserCookies
    setBrowserCookies deleteBrowserCookies
""".split()
REFERENCE_METHODS = """
    getHealth startDesktop stopDesktop getDesktopStatus getDesktopDisplayInfo takeDesktopScreenshot
    takeDesktopRegionScreenshot getDesktopMousePosition moveDesktopMouse clickDesktop mouseDownDesktop mouseUpDesktop
    dragDesktopMouse scrollDesktop typeDesktopText pressDesktopKey keyDownDesktop keyUpDesktop listDesktopWindows
    getDesktopFocusedWindow focusDesktopWindow moveDesktopWindow resizeDesktopWindow getDesktopClipboard
    setDesktopClipboard launchDesktopApp openDesktopTarget getDesktopStreamStatus startDesktopRecording
    stopDesktopRecording listDesktopRecordings getDesktopRecording downloadDesktopRecording deleteDesktopRecording
    startDesktopStream stopDesktopStream listFsEntries readFsFile writeFsFile deleteFsEntry mkdirFs moveFs statFs
    uploadFsBatch getProcessConfig setProcessConfig createProcess runProcess listProcesses getProcess stopProcess
    killProcess deleteProcess getProcessLogs sendProcessInput resizeProcessTerminal connectProcessTerminal
    connectDesktopStream
""".split()
SPEC_SCHEMAS = """
    BrowserStartRequest BrowserStatusResponse BrowserTabInfo BrowserTabListResponse BrowserPageInfo
    BrowserNavigateRequest BrowserReloadRequest BrowserWaitRequest BrowserContentResponse BrowserMarkdownResponse
    BrowserScrapeRequest BrowserScrapeResponse BrowserLinksResponse BrowserExecuteRequest BrowserExecuteResponse
    BrowserSnapshotResponse BrowserClickRequest BrowserTypeRequest BrowserSelectRequest BrowserScrollRequest
    BrowserUploadRequest BrowserDialogRequest BrowserConsoleResponse BrowserNetworkResponse BrowserCrawlRequest
    BrowserCrawlResponse BrowserContextListResponse BrowserContextInfo BrowserCookiesResponse BrowserCookie
    DesktopStartRequest DesktopStatusResponse DesktopMouseClickRequest DesktopMousePositionResponse DesktopResolution
    DesktopErrorInfo DesktopProcessInfo DesktopWindowInfo DesktopRecordingInfo DesktopStreamStatusResponse
    ProcessCreateRequest ProcessInfo ProcessLogEntry ProcessRunRequest ProcessRunResponse ProcessState FsMoveRequest
    FsWriteResponse HealthResponse
""".split()
# WebSockets that carry what is not ours to describe.
OTHERS_MESSAGES = {
    "/v1/browser/cdp": "Chromium's protocol",
    "/v1/browser/cdp/devtools/page/{tab_id}": "Chromium's protocol",
    "/v1/desktop/stream/signaling": "Neko's protocol",
    "/v1/desktop/stream/ws": "Neko's protocol",
    "/v1/desktop/stream/relay": "packets, between control plane and box",
    "/api/ws": "Neko's protocol",
    "/ws": "another address of /v1/live",
}


def operations(name: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in DOCUMENTS[name]["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def ids(name: str) -> list[str]:
    return [operation["operationId"] for _, _, operation in operations(name)]


def wire_classes() -> Iterator[type]:
    for module in pkgutil.walk_packages(belljar.wire.__path__, "belljar.wire."):
        for one in vars(importlib.import_module(module.name)).values():
            if isinstance(one, type) and issubclass(one, BaseModel | enum.Enum) and one.__module__ == module.name:
                yield one


@pytest.mark.parametrize("name", DOCUMENTS)
def test_operation_ids_are_names_of_methods_and_each_is_there_once(name: str) -> None:
    assert [one for one in ids(name) if not re.fullmatch(r"[a-z]+([A-Z][a-z]*)*", one)] == []
    assert len(set(ids(name))) == len(ids(name))


def test_the_methods_of_the_spec_and_of_the_reference_client_are_operations_of_the_box() -> None:
    assert sorted({*SPEC_METHODS, *REFERENCE_METHODS} - {*ids("box")}) == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_no_schema_is_named_after_a_module_or_a_direction(name: str) -> None:
    schemas = DOCUMENTS[name]["components"]["schemas"]
    assert [one for one in schemas if not re.fullmatch(r"[A-Z][A-Za-z]*", one)] == []
    assert [
        one for one in schemas if one.endswith(("Input", "Output")) and not one.startswith(("Live", "Process"))
    ] == []
    assert [one for one, schema in schemas.items() if schema.get("title", one) != one] == []


def test_schemas_have_the_names_of_the_spec_and_of_the_reference_client() -> None:
    assert sorted({*SPEC_SCHEMAS} - DOCUMENTS["box"]["components"]["schemas"].keys()) == []


def test_every_name_that_is_given_belongs_to_a_model() -> None:
    classes = {(one.__module__.split(".")[2], one.__name__) for one in wire_classes()}
    given = {(area, name) for area, names in schema_names._NAMES.items() for name in names}
    assert sorted(given - classes) == []
    assert schema_names._PREFIXES.keys() - {area for area, _ in classes} == set()


def test_two_operations_with_one_id_are_refused() -> None:
    router = Router()
    for path in ("/one", "/other"):

        @router.get(path)
        async def same() -> None: ...

    with pytest.raises(SameOperation, match="same"):
        describe("Twice", router.routes)


class Both(Model):
    width: int = 7


class Widened(Both):
    @computed_field
    def twice(self) -> int:
        return 2 * self.width


def test_a_model_that_is_another_in_requests_than_in_answers_is_refused() -> None:
    router = Router()

    @router.post("/both")
    async def both(body: Widened) -> Widened:
        return body

    with pytest.raises(SameName, match="Widened"):
        describe("Both ways", router.routes)


def test_every_websocket_says_what_goes_over_it() -> None:
    routes = [route for router in belljar.box.app.routers() for route in router.routes if WEBSOCKET in route.methods]
    described = {route.path_format for route in routes if route.facts.messages is not None}
    assert described == DOCUMENTS["box"]["x-websockets"].keys()
    assert {route.path_format for route in routes} - described == OTHERS_MESSAGES.keys()


def test_the_live_websocket_describes_both_sides_and_every_event() -> None:
    live = DOCUMENTS["box"]["x-websockets"]["/v1/live"]
    assert live["operationId"] == "connectLive"
    inputs = {"LiveMouseInput", "LiveKeyInput", "LiveCommand", "LivePing", "LiveAck", "LiveResize"}
    assert names_in(live["clientMessages"]) == inputs | {"LiveVideoWish", "LivePeerWish"}
    assert names_in(live["serverMessages"]) == {"LiveFrame", "LiveResult", "LivePong", "LiveEvent"}
    assert live["events"].keys() == EVENT_DATA.keys() == {str(name) for name in EventName}
    assert names_in(live["events"]) <= DOCUMENTS["box"]["components"]["schemas"].keys()


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_event_stream_says_what_its_events_carry(name: str) -> None:
    schemas = DOCUMENTS[name]["components"]["schemas"]
    streams = {
        operation["operationId"]: operation["responses"]["200"]["content"]["text/event-stream"]
        for _, _, operation in operations(name)
        if "text/event-stream" in operation["responses"].get("200", {}).get("content", {})
    }
    followed = [
        operation["operationId"]
        for _, _, operation in operations(name)
        if any(one["name"] == "follow" for one in operation.get("parameters", ()))
        or operation["operationId"].startswith("follow")
    ]
    # The streams of `/mcp` are MCP's.
    assert sorted(followed) == sorted(streams.keys() - {"mcp"})
    assert all(names_in(streams[one]["x-events"]) <= schemas.keys() for one in followed)
    assert all(streams[one]["x-events"] for one in followed)


def test_messages_of_a_websocket_are_schemas_of_the_document() -> None:
    router = Router()

    @router.websocket("/talk", messages=Messages(Both, Both, {"both": Both}))
    async def talk() -> None:
        """Either side says both."""

    described = describe("Talking", [*router.routes, Route("/plain", talk, [WEBSOCKET], include_in_schema=False)])
    reference = {"$ref": "#/components/schemas/Both"}
    assert described["x-websockets"] == {
        "/talk": {
            "operationId": "talk",
            "description": "Either side says both.",
            "clientMessages": reference,
            "serverMessages": reference,
            "events": {"both": reference},
        }
    }


def names_in(value: Any) -> set[str]:
    return set(re.findall(r"#/components/schemas/(\w+)", json.dumps(value)))


def test_the_documents_say_what_they_said_before_their_parts_were_renamed() -> None:
    assert differences(*documents()) == []


def _without_path(box: dict[str, Any]) -> None:
    del box["paths"]["/v1/browser/click"]


def _other_id(box: dict[str, Any]) -> None:
    box["paths"]["/v1/browser/click"]["post"]["operationId"] = "clickBrowser"


def _other_type(box: dict[str, Any]) -> None:
    box["components"]["schemas"]["BrowserTabInfo"]["properties"]["title"]["type"] = "integer"


def _without_property(box: dict[str, Any]) -> None:
    del box["components"]["schemas"]["BrowserTabInfo"]["properties"]["url"]


def _newly_required(box: dict[str, Any]) -> None:
    box["components"]["schemas"]["BrowserTypeRequest"]["required"].append("delay")


def _other_schema(box: dict[str, Any]) -> None:
    answer = box["paths"]["/v1/browser/click"]["post"]["responses"]["200"]
    answer["content"]["application/json"]["schema"]["$ref"] = "#/components/schemas/BrowserTabInfo"


@pytest.mark.parametrize(
    "break_it", [_without_path, _other_id, _other_type, _without_property, _newly_required, _other_schema]
)
def test_what_a_client_would_miss_is_found(break_it: Any) -> None:
    before, now, renamed = documents()
    broken = copy.deepcopy(now)
    break_it(broken["box"])
    assert differences(before, broken, renamed) != []


def test_what_was_added_since_is_no_difference() -> None:
    before, now, renamed = documents()
    more = copy.deepcopy(now)
    more["box"]["paths"]["/v1/new"] = {"get": {"operationId": "getNew"}}
    more["box"]["components"]["schemas"]["BrowserTabInfo"]["properties"]["favicon"] = {"type": "string"}
    assert differences(before, more, renamed) == []
