"""Traces: `traceparent` in and out, the record's events in them, and spans at a real receiver of OTLP."""

from pathlib import Path

import httpx2 as httpx
import pytest

from belljar.server.telemetry.spans import session_trace, span_for
from tests.otlp import running_collector
from tests.plane.plane import PATIENCE, running_plane, until
from tests.plane.receiver import running_receiver
from tests.servers import running_box

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
TRACED = {"traceparent": f"00-{TRACE}-{PARENT}-01"}


def test_a_boxs_calls_are_spans_of_their_callers_trace_and_so_are_their_events(tmp_path: Path) -> None:
    secrets = tmp_path / "headers"
    secrets.write_text("Authorization: Bearer for-the-collector\n\nX-Tenant: seven\n")
    with running_collector() as collector:
        flags = ("--otlp-endpoint", collector.url, "--otlp-headers-file", str(secrets), "--jail", "off")
        with running_box(*flags) as box, box.client() as http:
            ran = http.post("/v1/processes/run", json={"command": "true"}, headers=TRACED)
            http.post("/v1/processes/run", json={"command": "true"})
            until(lambda: len(collector.named("POST /v1/processes/run")) == 2, what="both spans")
            events = http.get("/v1/events", params={"kinds": "call,process"}).json()["events"]
            assert "for-the-collector" not in box.log.read_text()
            first, second = collector.named("POST /v1/processes/run")
            assert (first["traceId"], first["parentSpanId"], first["kind"]) == (TRACE, PARENT, 2)
            assert first["about"]["belljar.request_id"] == ran.headers["x-request-id"]
            assert first["about"]["http.response.status_code"] == "200" and first["status"] == {}
            assert first["resource"]["service.name"] == "belljar-box"
            assert second["traceId"] != TRACE and "parentSpanId" not in second
            by_request = {one["requestId"]: one["traceId"] for one in events}
            assert by_request == {span["about"]["belljar.request_id"]: span["traceId"] for span in (first, second)}
            assert len(events) == 6, "what the calls started is in their traces too"
            assert {one["X-Tenant"] for one in collector.headers} == {"seven"}
            # A receiver that is away costs spans and nothing else.
            collector.status = 500
            assert http.post("/v1/processes/run", json={"command": "true"}).status_code == 200
            until(lambda: "telemetry.not_taken" in box.log.read_text(), what="its being away")
            collector.status = 200
            assert http.post("/v1/processes/run", json={"command": "true"}).status_code == 200
            until(lambda: len(collector.named("POST /v1/processes/run")) == 3, what="spans again")


def test_without_a_receiver_what_was_brought_is_in_the_record_and_passed_on() -> None:
    with running_plane() as plane, plane.client() as client:
        session = plane.create()
        mine = {"Authorization": f"Bearer {session['token']}"}
        with httpx.Client(base_url=session["httpUrl"], headers=mine, timeout=PATIENCE) as box:
            box.post("/v1/processes/run", json={"command": "true"}, headers=TRACED).raise_for_status()
            box.post("/v1/processes/run", json={"command": "true"}).raise_for_status()
        events = client.get(f"/api/sessions/{session['id']}/record", params={"kinds": "call"}).json()["events"]
        assert [one.get("traceId") for one in events] == [TRACE, TRACE, None, None]


def test_a_session_is_a_span_with_its_calls_below_it_and_webhooks_say_its_trace(tmp_path: Path) -> None:
    secrets = tmp_path / "headers"
    secrets.write_text("X-Tenant: seven\n")
    with running_collector() as collector, running_receiver() as receiver:
        spans = ("--otlp-endpoint", collector.url, "--otlp-headers-file", str(secrets))
        with running_plane(*spans, "--webhook-network", "127.0.0.0/8") as plane, plane.client() as client:
            client.post("/api/webhooks", json={"url": receiver.url}).raise_for_status()
            # It is the control plane that sends what its boxes hold: they know neither receiver nor headers.
            secrets.unlink()
            session = plane.create()
            mine = {"Authorization": f"Bearer {session['token']}"}
            with httpx.Client(base_url=session["httpUrl"], headers=mine, timeout=PATIENCE) as box:
                box.post("/v1/processes/run", json={"command": "true"}).raise_for_status()
                box.post("/v1/events/marks", json={"text": "here"}, headers=TRACED).raise_for_status()
            client.delete(f"/api/sessions/{session['id']}").raise_for_status()
            until(lambda: collector.named("session"), what="the session's span")
            until(
                lambda: {"session.mark", "session.stopped"} <= {one.json["type"] for one in receiver.received},
                what="webhooks",
            )
        assert {one["X-Tenant"] for one in collector.headers} == {"seven"}
        trace, span = session_trace(session["id"])
        [whole] = collector.named("session")
        assert (whole["traceId"], whole["spanId"], whole["about"]["belljar.session"]) == (trace, span, session["id"])
        [gateway] = [one for one in collector.named("POST /s/{id}/{path}") if one["traceId"] == trace]
        assert gateway["parentSpanId"] == span
        [call] = collector.named("POST /v1/processes/run")
        assert (call["traceId"], call["parentSpanId"]) == (trace, gateway["spanId"])
        [linked] = [one for one in collector.named("POST /s/{id}/{path}") if one["traceId"] == TRACE]
        assert linked["parentSpanId"] == PARENT and linked["links"] == [{"traceId": trace, "spanId": span}]
        told = {one.json["type"]: one.headers["traceparent"] for one in receiver.received}
        assert told["session.stopped"] == f"00-{trace}-{span}-01"
        assert told["session.mark"].split("-")[1] == TRACE


@pytest.mark.parametrize(
    "odd",
    [
        "",
        "00",
        f"ff-{TRACE}-{PARENT}-01",
        f"00-{'0' * 32}-{PARENT}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{TRACE.upper()}-{PARENT}-01",
        f"00-{TRACE}-{PARENT}",
        f"00-{TRACE}{TRACE}-{PARENT}-01",
        "00-" + "-" * 100_000,
        f"00-{TRACE}-{PARENT}-01\r\nx: y",
    ],
)
def test_what_is_no_trace_begins_one_only_where_spans_are_sent(odd: str) -> None:
    assert span_for(odd, is_exported=False) is None
    begun = span_for(odd, is_exported=True)
    assert begun is not None and begun.trace_id != TRACE and begun.parent_id is None


def test_a_callers_wish_not_to_be_sampled_is_kept() -> None:
    span = span_for(f"00-{TRACE}-{PARENT}-00", is_exported=True)
    assert span is not None and not span.is_sampled and span.header.endswith("-00")
    later = span_for(f"cc-{TRACE}-{PARENT}-01-what-will-come", is_exported=False)
    assert later is not None and later.header == f"00-{TRACE}-{PARENT}-01"
