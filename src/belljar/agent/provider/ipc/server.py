"""The host's side: commands in, answers out.  Who may connect is the socket's file mode; who may command, the token."""

import fcntl
import hmac
import os
import secrets
from base64 import b64encode
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import anyio
from anyio.abc import SocketStream

from belljar.agent.provider.ipc.lines import MAX_REQUEST_BYTES, Lines, LineTooLong, NotJson, tainted, to_wire
from belljar.agent.provider.types import (
    BadArgument,
    BrowserConfig,
    BrowserProvider,
    ProviderError,
    Unauthorized,
    UnknownSession,
    Viewport,
)
from belljar.agent.untrusted import one_line
from belljar.logs import log
from belljar.tasks import background

MOST_CONNECTIONS = 32
# How long a new connection may take to show its token.
GREETING_SECONDS = 10.0
TOKEN_FILE = "token"
SOCKET_FILE = "browser.sock"


@asynccontextmanager
async def serve_provider(provider: BrowserProvider, folder: Path) -> AsyncIterator[str]:
    """Serve on `folder`/browser.sock; yields the token, which also stands in `folder`/token.

    The folder is made, 0700, and must be nobody else's.  Sessions belong to the connection that launched them and end
    with it.  Leaving the block ends everything, the provider too.
    """
    try:
        with _taken(folder):
            token = _new_token(folder)
            places = anyio.Semaphore(MOST_CONNECTIONS)
            answer = partial(_serve, provider, token, places)
            async with (
                await anyio.create_unix_listener(folder / SOCKET_FILE, mode=0o600) as listener,
                background(partial(listener.serve, answer), name="ipc"),
            ):
                yield token
    finally:
        with anyio.CancelScope(shield=True):
            await provider.aclose()


@contextmanager
def _taken(folder: Path) -> Iterator[None]:
    """A folder that is ours alone, and left without what was put there.  Raises `BadArgument`."""
    folder.mkdir(mode=0o700, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        about = os.fstat(descriptor)
        if about.st_uid != os.geteuid() or about.st_mode & 0o077:
            raise BadArgument(f"{folder} must belong to us and be closed to everyone else (mode 0700).")
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadArgument(f"Another provider serves in {folder} already.") from None
        _clear(folder)
        try:
            yield
        finally:
            _clear(folder)
    finally:
        os.close(descriptor)


def _new_token(folder: Path) -> str:
    token = secrets.token_urlsafe(32)
    descriptor = os.open(folder / TOKEN_FILE, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(token)
    return token


def _clear(folder: Path) -> None:
    for name in (SOCKET_FILE, TOKEN_FILE):
        (folder / name).unlink(missing_ok=True)


async def _serve(provider: BrowserProvider, token: str, places: anyio.Semaphore, stream: SocketStream) -> None:
    async with stream:
        try:
            places.acquire_nowait()
        except anyio.WouldBlock:
            return
        conversation = Conversation(provider, Lines(stream, MAX_REQUEST_BYTES), token)
        try:
            await conversation.run()
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            # The agent is gone: its sessions go too.
            return
        except Exception:  # whatever it was, it must not end the conversations of others
            log.exception("provider.conversation_failed")
        finally:
            places.release()
            with anyio.move_on_after(30, shield=True):
                await conversation.end()


@dataclass
class Conversation:
    """One connection: its commands one after the other, and the sessions it launched."""

    provider: BrowserProvider
    lines: Lines
    token: str
    sessions: set[str] = field(default_factory=set)
    # Where each session was last seen to be, for what has no address of its own.
    urls: dict[str, str] = field(default_factory=dict)

    async def run(self) -> None:
        try:
            with anyio.fail_after(GREETING_SECONDS):
                greeting = await self.lines.receive() or {}
            if not _is_same(greeting.get("token"), self.token):
                raise Unauthorized("The token is missing or wrong.")
            await self.lines.send({"id": greeting.get("id"), "result": None})
            while (request := await self.lines.receive()) is not None:
                await self.lines.send(await self._answer(request))
        except TimeoutError:
            return
        except LineTooLong:
            await self.lines.send(_error(None, BadArgument(f"A line may have {MAX_REQUEST_BYTES} bytes.")))
        except NotJson:
            await self.lines.send(_error(None, BadArgument("A line must be one JSON object.")))
        except Unauthorized as error:
            await self.lines.send(_error(None, error))

    async def end(self) -> None:
        for session in tuple(self.sessions):
            with suppress(ProviderError):
                await self.provider.close(session)

    async def _answer(self, request: dict[str, object]) -> dict[str, object]:
        id, params = request.get("id"), request.get("params", {})
        commands: dict[str, Callable[[dict[str, object]], Awaitable[object]]] = {
            "launch": self._launch,
            "navigate": self._navigate,
            "snapshot": self._snapshot,
            "click": self._click,
            "type": self._type,
            "screenshot": self._screenshot,
            "close": self._close,
        }
        command = commands.get(str(request.get("method")))
        try:
            if command is None or not isinstance(params, dict):
                raise BadArgument(f"The method must be one of {', '.join(commands)}, with params as an object.")
            return {"id": id, "result": await command(params)}
        except ProviderError as error:
            return _error(id, error)
        except Exception:  # whatever it was, it must not end the conversations of others
            log.exception("provider.failed", method=request.get("method"))
            return _error(id, ProviderError("Something went wrong in the host; its log says what."))

    async def _launch(self, params: dict[str, object]) -> object:
        config = _argument(params, "config", dict, {})
        size = _argument(config, "viewport", dict, {})
        viewport = Viewport(_argument(size, "width", int, 1280), _argument(size, "height", int, 720))
        session = await self.provider.launch(BrowserConfig(_argument(config, "headless", bool, True), viewport))
        self.sessions.add(session.id)
        return {"id": session.id}

    async def _navigate(self, params: dict[str, object]) -> None:
        session, url = self._session(params), _argument(params, "url", str)
        await self.provider.navigate(session, url)
        self.urls[session] = url

    async def _snapshot(self, params: dict[str, object]) -> object:
        session = self._session(params)
        snapshot = await self.provider.snapshot(session)
        self.urls[session] = snapshot.url
        return to_wire(tainted(asdict(snapshot), snapshot.url))

    async def _click(self, params: dict[str, object]) -> None:
        await self.provider.click(self._session(params), _argument(params, "ref", int))

    async def _type(self, params: dict[str, object]) -> None:
        ref, text = _argument(params, "ref", int), _argument(params, "text", str)
        await self.provider.type(self._session(params), ref, text)

    async def _screenshot(self, params: dict[str, object]) -> object:
        session = self._session(params)
        picture = await self.provider.screenshot(session)
        return to_wire(tainted({"png": b64encode(picture).decode()}, self.urls.get(session, "about:blank")))

    async def _close(self, params: dict[str, object]) -> None:
        session = self._session(params)
        self.sessions.discard(session)
        self.urls.pop(session, None)
        await self.provider.close(session)

    def _session(self, params: dict[str, object]) -> str:
        session: str = _argument(params, "session", str)
        if session not in self.sessions:
            raise UnknownSession("There is no such session. Launch one.")
        return session


def _is_same(shown: object, token: str) -> bool:
    # JSON may hold halves of characters, which nothing else takes.
    return isinstance(shown, str) and hmac.compare_digest(shown.encode(errors="surrogatepass"), token.encode())


_REQUIRED: object = object()


def _argument(params: dict[str, Any], name: str, kind: type, default: Any = _REQUIRED) -> Any:
    value = params.get(name, default)
    if value is _REQUIRED or not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise BadArgument(f"`{name}` must be given, as {kind.__name__}.")
    return value


def _error(id: object, error: ProviderError) -> dict[str, object]:
    return {"id": id, "error": {"code": error.code, "message": one_line(str(error), 1000)}}
