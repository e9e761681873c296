"""Spans of boxes without a network: held, taken by their control plane over their own socket, and sent by it."""

import json
import os
import signal
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, cast

import anyio
import httpx2 as httpx
import pytest

from belljar.plane.access.secrets import MasterKey
from belljar.plane.boxes.calls import BoxCalls, BoxRefused
from belljar.plane.boxes.launchers.base import Address, Handle, Launcher
from belljar.plane.boxes.spans import BoxSpans
from belljar.plane.boxes.upstream import Upstream
from belljar.server.telemetry.export import Telemetry, exporting
from belljar.server.telemetry.spans import BATCH, Span, read_spans, write_spans
from belljar.tasks import Signal, background
from tests.otlp import Collector, running_collector
from tests.plane.plane import PATIENCE, running_plane, until
from tests.servers import RunningBox, running_box

pytestmark = pytest.mark.anyio

MASTER = MasterKey(b"m" * 32)
BOX_ID = "b-alone"
RUN = "/v1/processes/run"
NO_NETWORK = ("unshare", "--net")


class OneBox:
    """A launcher that knows where one box listens, and no more."""

    def __init__(self, path: Path) -> None:
        self._address = Address(path=str(path))

    def address(self, handle: Handle) -> Address:
        return self._address


@contextmanager
def box_without_network(folder: Path, *flags: str) -> Iterator[RunningBox]:
    with tempfile.TemporaryFile() as key:
        key.write(MASTER.box_key(BOX_ID).hex().encode())
        key.seek(0)
        asked = ("--socket", f"unix:{folder}/box.sock", "--caller-key-file", f"fd:{key.fileno()}", "--box-id", BOX_ID)
        with running_box(*asked, *flags, "--jail", "off", pass_fds=(key.fileno(),), inside=NO_NETWORK) as box:
            yield box


@asynccontextmanager
async def taking(folder: Path, collector: Collector, boxes: dict[str, Handle | None]) -> AsyncIterator[BoxCalls]:
    telemetry = Telemetry(collector.url, {}, "belljar", {})
    async with exporting(telemetry), Upstream() as upstream:
        calls = BoxCalls(upstream, MASTER)
        launcher = cast(Launcher, OneBox(folder / "box.sock"))
        spans = BoxSpans(lambda: boxes, Signal(), launcher, calls, telemetry)
        async with background(spans.keep_taking, name="spans"):
            yield calls


def interfaces(box: RunningBox) -> set[str]:
    lines = Path(f"/proc/{box.process.pid}/net/dev").read_text().splitlines()
    return {line.split(":")[0].strip() for line in lines[2:]}


async def run(calls: BoxCalls, folder: Path, command: str = "true") -> None:
    body = json.dumps({"command": command}).encode()
    await calls.call(Address(path=f"{folder}/box.sock"), BOX_ID, "POST", RUN, body, within=PATIENCE)


async def until_sent(collector: Collector, count: int) -> list[dict[str, Any]]:
    def sent() -> list[dict[str, Any]]:
        found = collector.named(f"POST {RUN}")
        return found if len(found) >= count else []

    found: list[dict[str, Any]] = await anyio.to_thread.run_sync(lambda: until(sent, what=f"{count} spans"))
    return found


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may take a network away: NOT tested")
async def test_spans_of_a_box_without_a_network_arrive_by_its_socket(tmp_path: Path) -> None:
    with running_collector() as collector, box_without_network(tmp_path, "--hold-spans") as box:
        assert interfaces(box) == {"lo"}
        async with taking(tmp_path, collector, {BOX_ID: Handle({})}) as calls:
            await run(calls, tmp_path)
            await run(calls, tmp_path)
            spans = await until_sent(collector, 2)
            assert {one["resource"]["belljar.box"] for one in spans} == {BOX_ID}
            assert {one["resource"]["service.name"] for one in spans} == {"belljar-box"}
            # What is done last is sent too, though the box is ending already.
            await run(calls, tmp_path)
            box.process.send_signal(signal.SIGTERM)
            await until_sent(collector, 3)
        assert box.process.wait(PATIENCE) == 0
        assert not collector.named("POST /v1/spans"), "taking spans is no span"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may take a network away: NOT tested")
async def test_a_box_that_is_killed_and_one_that_holds_none_end_nothing(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    with running_collector() as collector:
        with box_without_network(first, "--hold-spans") as box:
            async with taking(first, collector, {BOX_ID: Handle({})}) as calls:
                await run(calls, first)
                await until_sent(collector, 1)
                box.process.kill()
                box.process.wait(PATIENCE)
        with box_without_network(second):
            async with taking(second, collector, {BOX_ID: Handle({})}) as calls:
                await run(calls, second)
                with pytest.raises(BoxRefused) as refused:
                    await calls.call(Address(path=f"{second}/box.sock"), BOX_ID, "POST", "/v1/spans", within=PATIENCE)
                assert refused.value.status == 404
        assert len(collector.named(f"POST {RUN}")) == 1


def test_a_sessions_box_knows_neither_receiver_nor_headers(tmp_path: Path) -> None:
    secrets = tmp_path / "headers"
    secrets.write_text("X-Tenant: seven-and-secret\n")
    with running_collector() as collector:
        with running_plane("--otlp-endpoint", collector.url, "--otlp-headers-file", str(secrets)) as plane:
            session = plane.create()
            mine = {"Authorization": f"Bearer {session['token']}"}
            with httpx.Client(base_url=session["httpUrl"], headers=mine, timeout=PATIENCE) as box:
                box.post(RUN, json={"command": "true"}).raise_for_status()
                # Neither a session's own token nor an administrator's key takes spans, by whatever name.
                refusals = {"v1/spans": 403, "%76%31/spans": 403, "v1//spans": 404, "v1/spans/": 404}
                assert {path: box.post(path).status_code for path in refusals} == refusals
                with plane.client() as admin:
                    assert admin.post(f"/s/{session['id']}/v1/spans").status_code == 403
            [span] = until(lambda: collector.named(f"POST {RUN}"), what="its span")
            box_id = span["resource"]["belljar.box"]
            arguments = [words for words in map(words_of, Path("/proc").glob("[0-9]*/cmdline")) if box_id in words]
            assert any("--hold-spans" in words for words in arguments)
            assert not any(collector.url in words or "seven-and-secret" in words for words in arguments)
        assert {one["X-Tenant"] for one in collector.headers} == {"seven-and-secret"}


def words_of(cmdline: Path) -> str:
    try:
        return cmdline.read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def test_a_box_of_its_own_gives_its_spans_to_nobody() -> None:
    with running_box("--hold-spans", "--jail", "off") as box, box.client() as http:
        refused = http.post("/v1/spans")
        assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")


GOOD = Span("a" * 32, "b" * 16, "c" * 16, name="GET /v1/health", began=1, ended=2, attributes={"http.route": "/v1"})


def test_what_a_box_says_is_read_as_spans_and_as_nothing_else() -> None:
    good = json.loads(write_spans([GOOD]))[0]
    odd: list[object] = [
        None,
        7,
        "span",
        {},
        {**good, "trace_id": "A" * 32},
        {**good, "trace_id": "a" * 31},
        {**good, "span_id": None},
        {**good, "parent_id": "x"},
        {**good, "name": "x" * 201},
        {**good, "name": "a\nb"},
        {**good, "name": "\u001b[31m"},
        {**good, "kind": 9},
        {**good, "began": -1},
        {**good, "ended": 2**63},
        {**good, "began": 1.5},
        {**good, "attributes": {"Service.Name": "x"}},
        {**good, "attributes": {"a": "x" * 201}},
        {**good, "attributes": {"a": [1]}},
        {**good, "attributes": {f"a{'b' * n}": 1 for n in range(13)}},
        {**good, "attributes": {"a" * 65: 1}},
        {**good, "link": ["a" * 32]},
    ]
    spans, lost = read_spans(json.dumps([*odd, good]).encode())
    assert spans == [GOOD] and lost == len(odd)
    deep = b"[" * 100_000 + b"]" * 100_000
    for content in (b"", b"{}", b"null", b"\xff", deep, b" " * (2 << 20), b'[{"trace_id":"\xff"}'):
        assert read_spans(content)[0] == []
    many, lost = read_spans(write_spans([GOOD] * (BATCH + 5)))
    assert (len(many), lost) == (BATCH, 5)


def test_a_box_cannot_speak_for_another() -> None:
    """Whatever it writes there."""
    spans, _ = read_spans(json.dumps([{**json.loads(write_spans([GOOD]))[0], "box_id": "b-other"}]).encode())
    telemetry = Telemetry("http://127.0.0.1:9", {}, "belljar", {})
    telemetry.add_of_box("b-mine", spans[0])
    assert [one.box_id for one in telemetry.take()] == ["b-mine"]
