"""A receiver of OTLP over HTTP on loopback, which takes spans and refuses what is none."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Collector:
    """Takes what an OTLP receiver takes, and refuses what is not."""

    url: str = ""
    spans: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    status: int = 200

    def named(self, name: str) -> list[dict[str, Any]]:
        return [span for span in self.spans if span["name"] == name]


@contextmanager
def running_collector() -> Iterator[Collector]:
    collector = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            assert self.path == "/otlp/v1/traces" and self.headers["content-type"] == "application/json"
            if collector.status == 200:
                collector.headers.append(dict(self.headers.items()))
                for resource in body["resourceSpans"]:
                    about = attributes(resource["resource"])
                    for scope in resource["scopeSpans"]:
                        for span in scope["spans"]:
                            assert len(bytes.fromhex(span["traceId"])) == 16 and len(bytes.fromhex(span["spanId"])) == 8
                            assert 0 <= int(span["endTimeUnixNano"]) - int(span["startTimeUnixNano"]) < 10**12
                            collector.spans.append({**span, "resource": about, "about": attributes(span)})
            self.send_response(collector.status)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, format: str, *args: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    collector.url = f"http://127.0.0.1:{server.server_address[1]}/otlp"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield collector
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def attributes(of: dict[str, Any]) -> dict[str, str]:
    return {one["key"]: next(iter(one["value"].values())) for one in of["attributes"]}
