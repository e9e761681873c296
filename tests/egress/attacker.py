"""A hostile web site, standard library only: it runs as easily inside a jail (`python3 attacker.py PORT`) as outside.

`/?base=http://victim:1234` is a page that tries every way a page has to make a request, each with a path of its own;
`/redirect/307?to=…` redirects; `/chain/3?to=…` does so by way of itself.
"""

import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, quote, unquote, urlsplit

PAGE = Path(__file__).with_name("attack.html").read_text()

SERVICE_WORKER = """self.addEventListener('install', (e) => e.waitUntil(
  fetch(new URL(location).searchParams.get('to'), {mode: 'no-cors'}).catch(() => 0)));"""


_echoes: dict[tuple[str, str], threading.Event] = {}


def _echo(run: str, name: str) -> threading.Event:
    """Set when a page's attack of this name has come to us; see `attack.html`."""
    return _echoes.setdefault((run, name), threading.Event())


class Attacker(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        to = unquote(parse_qs(parts.query).get("to", [""])[0])
        match parts.path.split("/")[1:]:
            case ["redirect", status]:
                self._send(int(status), "", Location=to)
            case ["chain", "0"]:
                self._send(302, "", Location=to)
            case ["chain", left]:
                self._send(302, "", Location=f"/chain/{int(left) - 1}?to={quote(to)}")
            case ["echo", run, name]:
                _echo(run, name).set()
                self._send(200, "here", **{"Content-Type": "text/plain"})
            case ["echoed", run, name]:
                self._send(200 if _echo(run, name).wait(10) else 504, "")
            case ["sw.js"]:
                self._send(200, SERVICE_WORKER, **{"Content-Type": "text/javascript"})
            case [""]:
                self._send(200, PAGE, **{"Content-Type": "text/html"})
            case _:
                self._send(200, "here", **{"Content-Type": "text/plain"})

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.do_GET()

    def _send(self, status: int, text: str, **headers: str) -> None:
        body = text.encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        return


def main(port: int) -> None:
    ThreadingHTTPServer(("127.0.0.1", port), Attacker).serve_forever()


if __name__ == "__main__":
    main(int(sys.argv[1]))
