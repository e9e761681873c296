"""The CLI's small HTTP client of a control plane, with errors as one sentence."""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from pathlib import Path
from typing import Annotated, Any, NoReturn
from urllib.parse import urlencode, urlsplit

import typer

from belljar.cli.box import TOKEN_VARIABLE

Server = Annotated[str, typer.Option(envvar="BELLJAR_URL", help="Where the control plane is.", show_default=True)]
KeyFile = Annotated[Path | None, typer.Option(help=f"File with the API key, instead of the variable {TOKEN_VARIABLE}.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]

DEFAULT_SERVER = "http://127.0.0.1:2468"


class Api:
    """Ends the program with 1 when the server refuses, with 2 when it cannot be asked."""

    def __init__(self, server: str, key_file: Path | None) -> None:
        self._server = urlsplit(server)
        self._key = _key(key_file)

    def call(
        self,
        method: str,
        path: str,
        body: Mapping[str, object] | None = None,
        query: Mapping[str, object] | None = None,
    ) -> Any:
        with self._asked(method, path, None if body is None else json.dumps(body), query) as answer:
            content = answer.read()
            if answer.getheader("content-type", "").startswith("application/json"):
                return json.loads(content)
            return content.decode("utf-8", "replace")

    def stream(self, path: str, query: Mapping[str, object] | None = None) -> AbstractContextManager[HTTPResponse]:
        """An answer that is read while it comes."""
        return self._asked("GET", path, None, query)

    @contextmanager
    def _asked(
        self, method: str, path: str, body: str | None, query: Mapping[str, object] | None
    ) -> Iterator[HTTPResponse]:
        kind = HTTPSConnection if self._server.scheme == "https" else HTTPConnection
        connection = kind(self._server.hostname or "", self._server.port, timeout=120)
        target = self._server.path.rstrip("/") + path
        if query:
            target += "?" + urlencode({k: v for k, v in query.items() if v is not None}, doseq=True)
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
        try:
            try:
                connection.request(method, target, body, headers)
                answer = connection.getresponse()
            except (OSError, HTTPException) as error:
                fail(f"Cannot reach {self._server.geturl()}: {error}. Is `belljar serve` running there?", 2)
            if answer.status >= 400:
                fail(_sentence(answer.status, answer.read()), 1)
            yield answer
        finally:
            connection.close()

    def save(self, path: str, query: Mapping[str, object], to: Path) -> Path:
        """What is answered, into a file, a piece at a time."""
        try:
            with self.stream(path, query) as answer, to.open("wb") as file:
                while piece := answer.read(1 << 18):
                    file.write(piece)
        except (OSError, HTTPException) as error:
            fail(f"Cannot get it from {self._server.geturl()}: {error}.", 2)
        return to


def fail(sentence: str, code: int) -> NoReturn:
    typer.secho(f"belljar: {sentence}", fg="red", err=True)
    raise typer.Exit(code)


def _key(key_file: Path | None) -> str:
    if key_file is not None:
        try:
            return key_file.expanduser().read_text().strip()
        except OSError as error:
            fail(f"Cannot read the key from {key_file}: {error.strerror}.", 2)
    key = os.environ.get(TOKEN_VARIABLE)
    if not key:
        fail(f"Give an API key in the variable {TOKEN_VARIABLE} or with --key-file.", 2)
    return str(key)


def _sentence(status: int, content: bytes) -> str:
    try:
        problem = json.loads(content)
        return f"{problem['detail']} ({problem['code']})"
    except (ValueError, KeyError, TypeError):
        return f"The server answered {status}."
