"""An S3-speaking server on loopback (moto's), and a gate before it that can refuse, hold up or drop what comes."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx2 as httpx
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

BUCKET = "sessions"
KEY_ID, SECRET = "AKIATESTTESTTEST", "a-secret-that-nobody-may-see"
ENVIRONMENT = {"AWS_ACCESS_KEY_ID": KEY_ID, "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_REGION": "us-east-1"}
_SIGNED = f"AWS4-HMAC-SHA256 Credential={KEY_ID}/20261118/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0"
# However long a test holds something up.
_MOST_SECONDS = 60.0


class RunningStore:
    def __init__(self) -> None:
        self._moto = DomainDispatcherApplication(create_backend_app)
        # What every request is answered with; 0 for what the store itself says.
        self.status = 0
        self.seconds = 0.0
        # What is sent, whatever a GET asks for.
        self.lie: Callable[[], Iterable[bytes]] | None = None
        self.lie_length = 0
        # Requests with a body of more than this wait for `open`.
        self.held_above = 1 << 60
        self.open = threading.Event()
        self.held = threading.Event()
        self.seen: list[str] = []
        self.url = ""

    @property
    def flags(self) -> tuple[str, ...]:
        return ("--artifacts", f"s3://{BUCKET}/left", "--artifacts-endpoint", self.url)

    def make_bucket(self) -> None:
        answer = httpx.put(f"{self.url}/{BUCKET}", headers={"Authorization": _SIGNED})
        assert answer.status_code == 200, answer.text

    def paths(self) -> list[str]:
        answer = httpx.get(f"{self.url}/{BUCKET}?list-type=2", headers={"Authorization": _SIGNED})
        assert answer.status_code == 200, answer.text
        return [part.partition("</Key>")[0] for part in answer.text.split("<Key>")[1:]]

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        self.seen.append(f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']}")
        time.sleep(self.seconds)
        if int(environ.get("CONTENT_LENGTH") or 0) > self.held_above:
            self.held.set()
            self.open.wait(_MOST_SECONDS)
        if self.status:
            body = b"<Error><Code>%b</Code></Error>" % (b"AccessDenied" if self.status == 403 else b"InternalError")
            environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
            start_response(f"{self.status} Refused", [("Content-Length", str(len(body)))])
            return [body]
        if self.lie is not None and environ["REQUEST_METHOD"] == "GET":
            ranged = (
                [("Content-Range", f"{environ['HTTP_RANGE'].replace('=', ' ')}/{1 << 40}")]
                if "HTTP_RANGE" in environ
                else []
            )
            about = [("ETag", '"lie"'), ("Last-Modified", "Wed, 18 Nov 2026 10:00:00 GMT")]
            length = [("Content-Length", str(self.lie_length))]
            start_response("206 Partial Content" if ranged else "200 OK", [*about, *ranged, *length])
            return self.lie()
        found: Iterable[bytes] = self._moto(environ, start_response)
        return found


@contextmanager
def running_store(*, has_bucket: bool = True) -> Iterator[RunningStore]:
    store = RunningStore()
    server = make_server("127.0.0.1", 0, store, threaded=True)
    store.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, name="object store", daemon=True)
    thread.start()
    try:
        httpx.post(f"{store.url}/moto-api/reset")
        if has_bucket:
            store.make_bucket()
        yield store
    finally:
        store.open.set()
        server.shutdown()
        thread.join(10)
