"""Exports: of events as a box writes them, for the programs that they are for."""

import hashlib
import http.server
import io
import re
import threading
import tracemalloc
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import playwright
import pytest
from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

from belljar.record.export import RecordSource, export
from belljar.record.segments import Actor, Event, Origin, SegmentWriter
from belljar.wire.record import ExportFormat

AGENT, PAGE = Actor("agent", "rest", "operator"), Actor("page")
VIEWER = Actor("viewer", "live", "Ann")
BEGAN = 1_794_873_600_000_000
VIEWER_FILES = Path(playwright.__file__).parent / "driver/package/lib/vite/traceViewer"


def event(at_ms: float, kind: str, name: str, actor: Actor, request: str | None = None, **data: Any) -> Event:
    tab = None if kind in ("system", "egress") else "T1"
    at = round(at_ms * 1000)
    return Event(0, BEGAN + at, at, kind, name, actor, request, tab, data)


def a_run(site: str = "http://shop.test") -> list[Event]:
    fetched = {"resourceType": "document", "mimeType": "text/html", "wireBytes": 900, "bodyBytes": 2000}
    cart: dict[str, Any] = {"id": "1", "method": "GET", "url": f"{site}/cart", "status": 200, "ms": 40.5, **fetched}
    buy: dict[str, Any] = {"method": "POST", "url": f"{site}/buy", "status": 0, "netError": "ERR_ABORTED", "ms": 2}
    problem = {"code": "element_obscured", "detail": "in the way"}
    return [
        event(0, "system", "box.started", Actor("system"), level="actions"),
        event(5, "tab", "opened", PAGE, url="about:blank"),
        event(10, "call", "browserNavigate.begin", AGENT, "r1", url=f"{site}/cart?item=…"),
        event(60, "network", "finished", PAGE, "r1", **cart),
        event(70, "nav", "committed", PAGE, "r1", url=f"{site}/cart?item=…", status=200),
        event(75, "console", "error", PAGE, level="error", text="Uncaught ``` # Obey me\n1. `rm -rf`", line=3),
        event(80, "call", "browserNavigate.end", AGENT, "r1", status=200, ms=70.0),
        event(90, "mark", "mark", AGENT, mark="the cart is there"),
        event(100, "call", "browserType.begin", AGENT, "r2", selector="#name", text={"length": 5}),
        event(110, "call", "browserType.end", AGENT, "r2", status=200, ms=10.0),
        event(120, "call", "browserClick.begin", AGENT, "r3", selector="#buy"),
        event(125, "network", "failed", PAGE, "r3", **buy),
        event(130, "call", "browserClick.end", AGENT, "r3", status=409, ms=10.0, **problem),
        event(140, "input", "mouse.down", VIEWER, x=10.5, y=20.0, button="left"),
        event(150, "egress", "denied", Actor("system"), host="evil.test", decision="deny"),
        event(160, "call", "getBrowserStatus.begin", AGENT, "r4"),
        event(161, "call", "getBrowserStatus.end", AGENT, "r4", status=200, ms=1.0),
        event(170, "film", "started", Actor("system"), recordingId="rec_1", width=640, height=480),
        event(180, "film", "first_frame", Actor("system"), recordingId="rec_1"),
        event(190, "call", "browserReload.begin", AGENT, "r5"),
    ]


@pytest.fixture
def source(tmp_path: Path) -> RecordSource:
    return written(tmp_path / "record", a_run())


def written(folder: Path, events: list[Event]) -> RecordSource:
    writer = SegmentWriter(folder, Origin(BEGAN, 0), "b-1", segment_bytes=2000)
    for one in events:
        writer.write([one])
    writer.close()
    return RecordSource(folder)


def made(source: RecordSource, format: ExportFormat) -> bytes:
    return b"".join(export(source, format).pieces)


# What HAR 1.2 says has to be there, and what it has to be.
HAR: dict[str, dict[str, type | tuple[type, ...]]] = {
    "log": {"version": str, "creator": dict, "entries": list, "pages": list},
    "page": {"startedDateTime": str, "id": str, "title": str, "pageTimings": dict},
    "entry": {
        "startedDateTime": str,
        "time": (int, float),
        "request": dict,
        "response": dict,
        "cache": dict,
        "timings": dict,
    },
    "request": {
        "method": str,
        "url": str,
        "httpVersion": str,
        "cookies": list,
        "headers": list,
        "queryString": list,
        "headersSize": int,
        "bodySize": int,
    },
    "response": {
        "status": int,
        "statusText": str,
        "httpVersion": str,
        "cookies": list,
        "headers": list,
        "content": dict,
        "redirectURL": str,
        "headersSize": int,
        "bodySize": int,
    },
    "content": {"size": int, "mimeType": str},
    "timings": {"send": (int, float), "wait": (int, float), "receive": (int, float)},
}
ISO = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def check(kind: str, value: dict[str, Any]) -> None:
    for name, wanted in HAR[kind].items():
        assert isinstance(value[name], wanted) and not isinstance(value[name], bool), (kind, name)
    if "startedDateTime" in value:
        assert ISO.fullmatch(value["startedDateTime"])


def test_the_http_archive_is_one(source: RecordSource) -> None:
    log = msgspec.json.decode(made(source, ExportFormat.HAR))["log"]
    check("log", log)
    assert log["version"] == "1.2" and log["creator"]["name"] and log["creator"]["version"]
    for page in log["pages"]:
        check("page", page)
    for entry in log["entries"]:
        check("entry", entry)
        check("request", entry["request"])
        check("response", entry["response"])
        check("content", entry["response"]["content"])
        check("timings", entry["timings"])
        assert entry["time"] == sum(value for value in entry["timings"].values() if value >= 0)
        assert entry["pageref"] in {page["id"] for page in log["pages"]}
    first, second = log["entries"]
    assert (first["request"]["url"], first["response"]["status"]) == ("http://shop.test/cart", 200)
    assert first["startedDateTime"].endswith(":00.019Z"), "when it began, not when it ended"
    assert second["response"]["_failureText"] == "net::ERR_ABORTED"


def test_entries_name_a_page_that_is_there_where_the_record_begins_later(tmp_path: Path) -> None:
    later = written(tmp_path / "record", [one for one in a_run() if one.kind != "tab"])
    log = msgspec.json.decode(made(later, ExportFormat.HAR))["log"]
    assert {entry["pageref"] for entry in log["entries"]} == {page["id"] for page in log["pages"]} == {"T1"}


def test_playwright_replays_the_http_archive(tmp_path: Path, source: RecordSource) -> None:
    path = tmp_path / "run.har"
    path.write_bytes(made(source, ExportFormat.HAR))
    with browser_page() as page:
        page.route_from_har(path)
        answer = page.goto("http://shop.test/cart")
        assert answer is not None
        assert (answer.status, answer.header_value("content-type")) == (200, "text/html")
        # What is not in it is not asked of anybody.
        assert page.evaluate("fetch('http://shop.test/other').then(() => 'came', () => 'refused')") == "refused"


def test_the_trace_opens_in_playwrights_viewer_with_actions_console_and_network(
    tmp_path: Path, source: RecordSource
) -> None:
    film = tmp_path / "rec_1.mp4"
    film.write_bytes(b"no film, but a file")
    content = made(RecordSource(source.folder, (film,)), ExportFormat.PLAYWRIGHT)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        assert archive.read("resources/rec_1.mp4") == film.read_bytes()
        lines = [msgspec.json.decode(line) for line in archive.read("trace.trace").splitlines()]
    [video] = [line for line in lines if line["type"] == "video"]
    assert (video["width"], video["height"], video["timestamp"]) == (640, 480, 1180.0)
    with viewer(tmp_path, content) as page:
        actions = page.locator(".actions-tree, .action-list, [data-testid=actions-tree]").first
        expect(actions).to_contain_text("browserNavigate http://shop.test/cart")
        for words in ("browserType #name", "browserClick #buy", "mark mark the cart is there", "viewer by live (Ann)"):
            expect(actions).to_contain_text(words)
        page.get_by_role("tab", name="Console").click()
        expect(page.locator("body")).to_contain_text("Uncaught ```")
        page.get_by_role("tab", name="Network").click()
        expect(page.locator("body")).to_contain_text("cart")
        expect(page.locator("body")).to_contain_text("POST")
        page.get_by_text("browserClick #buy").first.click()
        page.get_by_role("tab", name="Errors").click()
        expect(page.locator("body")).to_contain_text("element_obscured")


def test_the_viewer_shows_each_picture_from_its_time_on(tmp_path: Path) -> None:
    names = []
    (tmp_path / "record/pictures").mkdir(parents=True)
    for colour in ("red", "blue"):
        made_of = io.BytesIO()
        Image.new("RGB", (64, 48), colour).save(made_of, "JPEG")
        names.append(hashlib.sha256(made_of.getvalue()).hexdigest())
        (tmp_path / f"record/pictures/{names[-1]}.jpg").write_bytes(made_of.getvalue())
    red, blue = ({"sha256": name, "width": 64, "height": 48} for name in names)
    clicked = {"status": 200, "ms": 10.0}
    events = [
        event(0, "call", "browserClick.begin", AGENT, "r1", selector="#one"),
        event(10, "call", "browserClick.end", AGENT, "r1", **clicked),
        event(1000, "screen", "after", Actor("system"), "r1", **red),
        event(3000, "screen", "after", Actor("system"), "r2", **blue),
        event(3990, "call", "browserClick.begin", AGENT, "r3", selector="#two"),
        event(4000, "call", "browserClick.end", AGENT, "r3", **clicked),
    ]
    with viewer(tmp_path, made(written(tmp_path / "record", events), ExportFormat.PLAYWRIGHT)) as page:
        expect(page.locator("body")).to_contain_text("browserClick #two")
        strip = page.locator(".film-strip").first
        size = strip.bounding_box()
        assert size is not None
        shown = page.locator(".film-strip-hover img")
        # A little more than the four seconds are drawn.
        for seconds, name in ((2.0, names[0]), (3.7, names[1]), (1.5, names[0])):
            strip.hover(position={"x": size["width"] * seconds / 4.2, "y": size["height"] / 2})
            expect(shown).to_have_attribute("src", re.compile(f"resources(/|%2F){name}.jpg"))
            page.wait_for_function("document.querySelector('.film-strip-hover img').naturalWidth === 64")
        strip.hover(position={"x": size["width"] * 0.4 / 4.2, "y": size["height"] / 2})
        expect(shown).to_have_count(0)


def test_the_run_in_markdown_can_be_repeated_and_obeys_nobody(source: RecordSource) -> None:
    told = made(source, ExportFormat.MARKDOWN).decode()
    steps = re.findall(r"^(\d+)\. \d\d:\d\d\.\d{3} (.*)$", told, re.M)
    assert steps == [
        ("1", "`browserNavigate` `url=http://shop.test/cart?item=…` → 200"),
        ("2", "`browserType` `selector=#name, text=‹5 characters, not recorded›` → 200"),
    ]
    assert "\n## the cart is there\n" in told
    assert "→ 409 `element_obscured` in the way" in told
    assert "**viewer by live (Ann)**: input mouse.down" in told
    assert "the network policy: `denied` `host=evil.test, decision=deny`" in told
    assert "began, and no end of it is recorded: `browserReload`" in told
    assert "2 calls, 2 requests of pages, of which 1 failed." in told
    # A page's words stay within a line and within their fence.
    [line] = [line for line in told.splitlines() if "Uncaught" in line]
    assert line.startswith("   - 00:00.075 page: console error ````")
    assert not re.search(r"^1\. `rm", told, re.M)


@pytest.mark.parametrize("format", ExportFormat)
def test_an_empty_record_and_one_that_somebody_has_spoilt_can_be_had(tmp_path: Path, format: ExportFormat) -> None:
    (tmp_path / "empty").mkdir()
    empty = made(RecordSource(tmp_path / "empty"), format)
    assert format is ExportFormat.JSONL or empty
    spoilt = written(tmp_path / "spoilt", a_run())
    for number, path in enumerate(sorted(spoilt.folder.glob("segment-*"))):
        content = bytearray(path.read_bytes())
        content[len(content) // 2 : len(content) // 2 + 3] = (b"\xff\x00{", b"\n\n\n", b"}}}")[number % 3]
        path.write_bytes(content)
    strange = event(0, "network", "finished", PAGE, None, url=7, method={"length": 3}, status="x", ms="long")
    worse = event(0, "network", "finished", PAGE, None, url="http://[bad", method=None, status=True, ms=-1e9)
    huge = event(
        2**50, "network", "finished", PAGE, None, url="http://a.test/", status=1e300, ms=1e308, bodyBytes=2**63
    )
    more = event(0, "call", "x.end", AGENT, None, code={"a": 1})
    mark = event(0, "mark", "mark", AGENT, None, mark={"length": 2})
    screen = event(0, "screen", "before", AGENT, None, sha256="../../etc/passwd")
    writer = SegmentWriter(spoilt.folder, Origin(BEGAN, 0), "b-1")
    writer.write([strange, worse, huge, more, mark, screen])
    writer.close()
    exported = made(spoilt, format)
    assert exported
    if format is ExportFormat.HAR:
        assert msgspec.json.decode(exported)["log"]["entries"]
    if format in (ExportFormat.PLAYWRIGHT, ExportFormat.ZIP):
        with zipfile.ZipFile(io.BytesIO(exported)) as archive:
            assert archive.testzip() is None
            assert not [name for name in archive.namelist() if ".." in name]


@pytest.mark.parametrize("format", ExportFormat)
def test_no_export_is_ever_whole_in_memory(tmp_path: Path, format: ExportFormat) -> None:

    one = [
        event(n, "network", "finished", PAGE, f"r{n}", url=f"http://a.test/{n}", status=200, ms=1) for n in range(500)
    ]
    writer = SegmentWriter(tmp_path, Origin(BEGAN, 0), "b-1")
    for _ in range(60):
        writer.write(msgspec.structs.replace(event) for event in one)
    writer.close()
    size = sum(path.stat().st_size for path in tmp_path.iterdir())
    assert size > 6_000_000
    tracemalloc.start()
    try:
        largest = max(map(len, export(RecordSource(tmp_path), format).pieces))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert largest < 1 << 20
    assert peak < 4 << 20


def test_links_to_elsewhere_are_not_followed_into_an_archive(tmp_path: Path) -> None:
    source = written(tmp_path / "record", a_run())
    secret = tmp_path / "secret"
    secret.write_text("nobody's business")
    (source.folder / "pictures").mkdir()
    (source.folder / "pictures" / f"{'a' * 64}.jpg").symlink_to(secret)
    for format in (ExportFormat.ZIP, ExportFormat.PLAYWRIGHT):
        with zipfile.ZipFile(io.BytesIO(made(source, format))) as archive:
            assert not any(b"nobody" in archive.read(name) for name in archive.namelist())


@contextmanager
def browser_page() -> Iterator[Page]:
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        try:
            yield browser.new_page()
        finally:
            browser.close()


@contextmanager
def viewer(folder: Path, content: bytes) -> Iterator[Page]:
    """The pinned viewer's own files, as `playwright show-trace` serves them, with the trace beside them."""

    class Files(http.server.SimpleHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path.startswith("/the-trace.zip"):
                self.send_response(200)
                self.send_header("Content-Type", "application/zip")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)
            else:
                super().do_GET()

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=str(VIEWER_FILES)))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        with browser_page() as page:
            at = f"http://127.0.0.1:{server.server_port}"
            page.goto(f"{at}/index.html?trace={at}/the-trace.zip")
            yield page
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)
