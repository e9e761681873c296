"""The only website tests visit: the files of `tests/pages`, and answers that no file can give, on several origins."""

import gzip
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from tests.corpus import entries
from tests.corpus.templates import render

PAGES = Path(__file__).parent / "pages"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript",
    ".css": "text/css",
    ".txt": "text/plain; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".pdf": "application/pdf",
    ".svg": "image/svg+xml",
}
# Different addresses are different sites to Chromium: frames between them live in processes of their own.
HOSTS = ("127.0.0.1", "127.0.0.2", "127.0.0.3")


class Site:
    """`url("a.html")` on the first origin, `url("a.html", host=1)` on the second; `requests` is what was asked."""

    def __init__(self, servers: "list[Server]") -> None:
        self._servers = servers

    def url(self, path: str = "", host: int = 0) -> str:
        return f"{self.origin(host)}/{path.lstrip('/')}"

    def origin(self, host: int = 0) -> str:
        address, port = self._servers[host].server_address[:2]
        return f"http://{address!s}:{port}"

    @property
    def requests(self) -> list[tuple[str, str, dict[str, str]]]:
        """Method, path and headers of every request so far, of all origins."""
        return [request for server in self._servers for request in server.requests]


class Server(ThreadingHTTPServer):
    daemon_threads = True
    requests: list[tuple[str, str, dict[str, str]]]

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that goes away in the middle of an answer is nothing to report."""


@contextmanager
def running_site() -> Iterator[Site]:
    with ExitStack() as stack:
        servers = []
        for host in HOSTS:
            server = Server((host, 0), Handler)
            server.requests = []
            stack.callback(server.server_close)
            thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
            thread.start()
            stack.callback(thread.join, 5)
            stack.callback(server.shutdown)
            servers.append(server)
        site = Site(servers)
        for server in servers:
            server.RequestHandlerClass = type("SiteHandler", (Handler,), {"site": site})
        yield site


class Handler(BaseHTTPRequestHandler):
    """Paths below `/_/` are answers made up on the spot: see `SPECIAL`."""

    protocol_version = "HTTP/1.1"
    # Headers and body are two writes: the second would wait 40 ms for the first to be acknowledged.
    disable_nagle_algorithm = True
    site: Site
    server: Server

    def do_GET(self) -> None:
        self.server.requests.append((self.command, self.path, dict(self.headers)))
        url = urlsplit(self.path)
        name, _, rest = url.path.removeprefix("/_/").partition("/")
        if url.path.startswith("/_/") and name in SPECIAL:
            SPECIAL[name](self, rest, {key: values[-1] for key, values in parse_qs(url.query).items()})
            return
        self.send_page(url.path.lstrip("/") or "index.html")

    def do_POST(self) -> None:
        self.server.requests.append((self.command, self.path, dict(self.headers)))
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        self.answer(200, body, {"Content-Type": "text/plain"})

    do_HEAD = do_GET

    def send_page(self, path: str) -> None:
        if path == "favicon.ico":
            self.answer(404)
            return
        file = (PAGES / path).resolve()
        if not file.is_relative_to(PAGES) or not file.is_file():
            self.answer(404, b"<title>404</title>nothing here", {"Content-Type": "text/html"})
            return
        body = file.read_bytes()
        if file.suffix == ".html":
            for index in range(len(HOSTS)):
                body = body.replace(b"{origin%d}" % index, self.site.origin(index).encode())
        self.answer(200, body, {"Content-Type": TYPES.get(file.suffix, "application/octet-stream")})

    def answer(self, status: int, body: bytes = b"", headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        if status not in (204, 304):
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


HTML = {"Content-Type": "text/html; charset=utf-8"}
Special = Callable[[Handler, str, dict[str, str]], None]


def _html(handler: Handler, rest: str, query: dict[str, str]) -> None:
    """`/_/html?body=…`: a page with this body."""
    handler.answer(200, f"<!doctype html><title>made up</title>{query.get('body', '')}".encode(), HTML)


def _status(handler: Handler, rest: str, query: dict[str, str]) -> None:
    """`/_/status/404`: an answer of this status; `?empty=1` without a body."""
    body = b"" if "empty" in query else f"<title>{rest}</title>status {rest}".encode()
    handler.answer(int(rest), body, HTML)


def _redirect(handler: Handler, rest: str, query: dict[str, str]) -> None:
    """`/_/redirect?to=…`."""
    handler.answer(302, b"", {"Location": query["to"]})


def _slow(handler: Handler, rest: str, query: dict[str, str]) -> None:
    """`/_/slow/2`: answers after this many seconds."""
    time.sleep(float(rest))
    handler.answer(200, b"<title>slow</title>at last", HTML)


def _halting(handler: Handler, rest: str, query: dict[str, str]) -> None:
    """`/_/halting/20?body=…`: a page whose head and body come, and whose end only after this many seconds."""
    body = f"<!doctype html>{query.get('body', '')}".encode()
    handler.send_response(200)
    handler.send_header("Content-Type", "text/html; charset=utf-8")
    handler.send_header("Content-Length", str(len(body) + 1))
    handler.end_headers()
    handler.wfile.write(body)
    handler.wfile.flush()
    time.sleep(float(rest))
    with suppress(ConnectionError):
        handler.wfile.write(b" ")


def _once(handler: Handler, rest: str, query: dict[str, str]) -> None:
    """`/_/once?then=/_/status/204`: a page the first time that it is asked for; later what `then` leads to."""
    if sum(path == handler.path for _, path, _ in handler.server.requests) == 1:
        handler.answer(200, b"<title>once</title>only once", {**HTML, "Cache-Control": "no-store"})
    else:
        handler.answer(302, b"", {"Location": query["then"]})


def _download(handler: Handler, rest: str, query: dict[str, str]) -> None:
    """`/_/download/name.txt?size=…`: a file to save."""
    body = (b"belljar " * (int(query.get("size", "64")) // 8 + 1))[: int(query.get("size", "64"))]
    headers = {"Content-Type": "application/octet-stream", "Content-Disposition": f'attachment; filename="{rest}"'}
    handler.answer(200, body, headers)


def _auth(handler: Handler, rest: str, query: dict[str, str]) -> None:
    """`/_/auth`: asks for HTTP credentials; `user:secret` are right."""
    if handler.headers.get("Authorization") == "Basic dXNlcjpzZWNyZXQ=":
        handler.answer(200, b"<title>inside</title>welcome", HTML)
    else:
        handler.answer(401, b"<title>401</title>who are you?", {**HTML, "WWW-Authenticate": 'Basic realm="tests"'})


def _echo(handler: Handler, rest: str, query: dict[str, str]) -> None:
    """`/_/echo`: the request's headers as text."""
    text = "".join(f"{name}: {value}\n" for name, value in handler.headers.items())
    handler.answer(200, text.encode(), {"Content-Type": "text/plain"})


def _headers(handler: Handler, rest: str, query: dict[str, str]) -> None:
    """`/_/headers?X-Name=value`: an answer with these headers, of which `Set-Cookie` comes twice."""
    handler.send_response(200)
    for name, value in {"Content-Type": "text/plain", "Content-Length": "2", **query}.items():
        for _ in range(2 if name == "Set-Cookie" else 1):
            handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(b"ok")


def _gzip(handler: Handler, rest: str, query: dict[str, str]) -> None:
    """`/_/gzip?size=…`: so many bytes of text, compressed on the way."""
    body = gzip.compress(b"x" * int(query.get("size", "1000")))
    handler.answer(200, body, {"Content-Type": "text/plain", "Content-Encoding": "gzip"})


def _corpus(handler: Handler, rest: str, query: dict[str, str]) -> None:
    """`/_/corpus/bread-oven`: a page of `tests/corpus`."""
    found = next((entry for entry in entries() if entry.id == rest), None)
    if found is None:
        handler.answer(404, b"no such page", HTML)
    else:
        handler.answer(200, render(found, handler.site.origin()).encode(), HTML)


SPECIAL: dict[str, Special] = {
    "corpus": _corpus,
    "gzip": _gzip,
    "headers": _headers,
    "html": _html,
    "status": _status,
    "redirect": _redirect,
    "slow": _slow,
    "halting": _halting,
    "once": _once,
    "download": _download,
    "auth": _auth,
    "echo": _echo,
}
