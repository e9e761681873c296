"""A receiver of webhooks on loopback: it keeps what it was sent and answers as it is told, badly if need be."""

import base64
import hashlib
import hmac
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import msgspec

from tests.plane.plane import until


@dataclass(frozen=True)
class Received:
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def json(self) -> dict[str, Any]:
        found: dict[str, Any] = msgspec.json.decode(self.body)
        return found

    def is_signed_with(self, secret: str) -> bool:
        """As Standard Webhooks has it, written down here a second time."""
        key = base64.b64decode(secret.removeprefix("whsec_"))
        message = f"{self.id}.{self.headers['webhook-timestamp']}.".encode() + self.body
        wanted = base64.b64encode(hmac.new(key, message, hashlib.sha256).digest()).decode()
        is_fresh = abs(time.time() - int(self.headers["webhook-timestamp"])) < 300
        return is_fresh and f"v1,{wanted}" in self.headers["webhook-signature"].split(" ")


Answer = Callable[[BaseHTTPRequestHandler, Received], None]


def with_status(status: int, **headers: str) -> Answer:
    def answer(handler: BaseHTTPRequestHandler, _: Received) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


@dataclass
class Receiver:
    url: str
    answer: Answer = with_status(204)
    received: list[Received] = field(default_factory=list)

    def kinds(self, session_id: str | None = None) -> list[str]:
        bodies = [one.json for one in self.received]
        return [body["type"] for body in bodies if session_id in (None, body["data"].get("sessionId"))]

    def wait_for(self, number: int) -> list[Received]:
        until(lambda: len(self.received) >= number, what=f"a webhook number {number}")
        return list(self.received)


@contextmanager
def running_receiver() -> Iterator[Receiver]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            received = Received(self.path, headers, body)
            receiver.received.append(received)
            self.close_connection = True
            try:
                receiver.answer(self, received)
            except (BrokenPipeError, ConnectionResetError):
                # Whoever sent it had heard enough.
                return

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    receiver = Receiver(f"http://127.0.0.1:{server.server_port}/hook?key=s3cret")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)
