# Made from aio/connection.py by scripts/make_sync_sdk.py: change it there.
"""The way to one server: safe retries, problems as exceptions, and a box of our own where no address is given."""

import json
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any
from urllib.parse import urlencode

from httpx2 import Limits, Response, Timeout, TimeoutException, TransportError
from websockets.exceptions import InvalidHandshake, InvalidStatus

from belljar.limits import MAX_WEBSOCKET_MESSAGE_BYTES
from belljar.sdk.embedded import Address, Bridge, EmbeddedBox
from belljar.sdk.encoding import spelled
from belljar.sdk.errors import CannotStart, NoAnswer, Unreachable, explained, rebuilt
from belljar.sdk.retries import ATTEMPTS, is_repeatable, may_repeat, pause_before, told_pause
from belljar.sdk.sync.http import Download, Http, M, strange, where
from belljar.sdk.sync.io import (
    HttpClient,
    HttpTransport,
    Lock,
    Socket,
    Transport,
    blocking,
    connect,
    sleep,
    unix_connect,
)

CONNECT_SECONDS = 10.0
# An embedded box takes connections from the first moment on, and answers once it is up.
_START_SECONDS = 60.0
# What the answer may take beyond the deadline that the server was given.
_LEEWAY_SECONDS = 10.0
# Less than the five seconds after which a server closes a connection that nobody uses.
_KEEP_SECONDS = 3.0


class Connection(Http):
    """One server, or something behind it, and what was opened on the way there."""

    def __init__(
        self,
        address: Address | None,
        *,
        timeout: float,
        headers: Mapping[str, str],
        control_wait: float = 0,
        transport: Transport | None = None,
        start: Callable[[], EmbeddedBox] | None = None,
    ) -> None:
        self._address = address
        self._timeout = timeout
        self._headers = dict(headers)
        # What an action may wait for a person, before its own time begins.
        self._control_wait = control_wait
        if control_wait:
            self._headers["Belljar-Control-Wait"] = str(round(control_wait * 1000))
        self._transport = transport
        self._start = start
        self._box: EmbeddedBox | None = None
        self._client: HttpClient | None = None
        self._bridge: Bridge | None = None
        self._opening = Lock()

    def address(self) -> Address:
        """Where the server is; an embedded box is started now, if it was not yet."""
        self._opened()
        assert self._address is not None
        return self._address

    def within(self, path: str, token: str | None) -> "Connection":
        """The same server's `path`, with another token: a session of a control plane."""
        address = (self.address()).within(path, token)
        return Connection(
            address,
            timeout=self._timeout,
            headers=self._headers,
            control_wait=self._control_wait,
            transport=self._transport,
        )

    def url_for_ports(self) -> str:
        """An address for programs that know ports only; a loopback port of our own leads to a Unix socket."""
        if self.is_in_process():
            raise Unreachable("An application in this process has no socket to connect to.")
        address = self.address()
        if address.socket is None:
            return address.url
        with self._opening:
            if self._bridge is None:
                self._bridge = Bridge(address.socket)
            return f"http://127.0.0.1:{self._bridge.port}"

    def is_in_process(self) -> bool:
        """Whether requests go to an application in this process, which no socket leads to."""
        return self._transport is not None

    def close(self) -> None:
        """Drop the connections, and end the box where it is ours."""
        if self._bridge is not None:
            self._bridge.close()
            self._bridge = None
        if self._client is not None:
            self._client.close()
            self._client = None
        if self._box is not None:
            blocking(self._box.close)
            self._box = None
            self._address = None

    def request(
        self,
        method: str,
        path: str,
        *,
        body: Mapping[str, object] | None = None,
        query: Mapping[str, object] | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
        content: Any = None,
        files: Any = None,
        data: Mapping[str, object] | None = None,
    ) -> Response:
        """The answer, read whole; problems are raised.  `content` and `files` are sent once, whatever happens."""
        options = {"json": body, "params": spelled(query), "headers": headers, "content": content}
        options |= {"files": files, "data": data, "timeout": self._deadline(timeout)}
        given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
        can_resend = content is None and files is None
        can_repeat = is_repeatable(method, headers)
        attempt = 0
        while True:
            client = self._opened()
            is_last = attempt + 1 >= ATTEMPTS
            try:
                response = client.request(method, path, **given)
            except TransportError as error:
                if is_last or not may_repeat(error, can_resend=can_resend, is_repeatable=can_repeat):
                    raise self._failed(error) from error
                pause = pause_before(attempt)
            else:
                told = told_pause(response.status_code, response.headers) if can_resend and not is_last else None
                if told is None:
                    return _checked(response)
                pause = told
            attempt += 1
            sleep(pause)

    @contextmanager
    def stream(
        self, path: str, query: Mapping[str, object] | None = None, *, headers: Mapping[str, str] | None = None
    ) -> Iterator[Download]:
        """A long answer, taken piece by piece; the connection is given back with the end of the block."""
        client = self._opened()
        try:
            with client.stream(
                "GET", path, params=spelled(query), headers=headers, timeout=self._deadline(None)
            ) as response:
                if response.status_code >= 400:
                    response.read()
                yield Download(_checked(response))
        except TransportError as error:
            raise self._failed(error) from error

    @contextmanager
    def websocket(
        self, path: str, query: Mapping[str, object] | None = None, *, subprotocol: str | None = None
    ) -> Iterator[Socket]:
        """A WebSocket for the length of a block.  A refusal is raised as the problem it is."""
        if self.is_in_process():
            raise Unreachable("An application in this process has no socket to connect to.")
        address = self.address()
        url = address.websocket_url + path + (f"?{urlencode(spelled(query) or {})}" if query else "")
        options: dict[str, Any] = {
            "additional_headers": self._headers | address.headers,
            "subprotocols": [subprotocol] if subprotocol else None,
            "compression": None,
            "max_size": MAX_WEBSOCKET_MESSAGE_BYTES,
            "open_timeout": CONNECT_SECONDS,
            "proxy": None,
        }
        with ExitStack() as stack:
            try:
                opening = unix_connect(address.socket, url, **options) if address.socket else connect(url, **options)
                socket = stack.enter_context(opening)
            except InvalidStatus as error:
                raise _refusal(error) from error
            except (OSError, InvalidHandshake) as error:
                raise Unreachable(f"Cannot reach {address.url}: {error}") from error
            yield socket

    def events(
        self, path: str, answer: type[M], query: Mapping[str, object] | None = None, *, name: str | None = None
    ) -> Generator[M, None, None]:
        """Server-sent events for as long as the server has some; `name` alone, where given.

        A connection that breaks is opened again where the last event came from, as often as a request would be.
        """
        seen: str | None = None
        failures = 0
        while True:
            try:
                client = self._opened()
                headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": seen} if seen else {})
                # Quiet for long is normal: a server says something every 15 seconds, if only a comment.
                deadline = Timeout(60.0, connect=CONNECT_SECONDS)
                with client.stream("GET", path, params=spelled(query), headers=headers, timeout=deadline) as response:
                    if response.status_code >= 400:
                        response.read()
                    _checked(response)
                    for kind, id, data in _events(response):
                        seen, failures = id or seen, 0
                        if name is None or kind == name:
                            yield answer.model_validate_json(data)
                return
            except TransportError as error:
                failures += 1
                if failures >= ATTEMPTS:
                    raise self._failed(error) from error
            sleep(pause_before(failures))

    def _opened(self) -> HttpClient:
        if self._client is not None:
            return self._client
        with self._opening:
            if self._client is None:
                if self._address is None:
                    self._start_box()
                self._client = self._new_client()
            return self._client

    def _start_box(self) -> None:
        assert self._start is not None
        self._box = blocking(self._start)
        self._address = self._box.address
        try:
            with self._new_client() as client:
                client.get("/readyz", timeout=Timeout(_START_SECONDS))
        except TransportError as error:
            failure = self._failed(error)
            self.close()
            raise failure from error

    def _new_client(self) -> HttpClient:
        assert self._address is not None
        # Proxies of the environment are for the internet, not for a box next door.
        transport = self._transport or HttpTransport(
            uds=self._address.socket,
            verify=self._address.trusted(),
            limits=Limits(max_connections=None, keepalive_expiry=_KEEP_SECONDS),
        )
        return HttpClient(
            base_url=self._address.url,
            headers=self._headers | self._address.headers,
            transport=transport,
            trust_env=False,
        )

    def _deadline(self, timeout: float | None) -> Timeout:
        longest = self._timeout if timeout is None else max(self._timeout, timeout + _LEEWAY_SECONDS)
        return Timeout(longest + self._control_wait, connect=CONNECT_SECONDS)

    def _failed(self, error: TransportError) -> Exception:
        if self._box is not None and blocking(self._box.has_ended):
            return CannotStart(f"The embedded box has ended {self._box.last_words()}")
        where = self._address.url if self._address else "the server"
        if isinstance(error, TimeoutException):
            return NoAnswer(f"No answer from {where} in time.")
        return Unreachable(f"Cannot reach {where}: {str(error) or type(error).__name__}")


def _checked(response: Response) -> Response:
    if response.status_code < 400:
        return response
    try:
        told = response.json()
    except ValueError:
        told = None
    if not isinstance(told, dict) or "code" not in told:
        told = {"detail": strange(response)}
    problem = rebuilt(response.status_code, told, response.headers)
    has_token = "authorization" in response.request.headers
    raise explained(problem, where(response), has_token=has_token, sent=_sent(response))


def _sent(response: Response) -> dict[str, object]:
    """The parameters of the request that this answers."""
    asked = response.request
    sent: dict[str, object] = dict(asked.url.params)
    if asked.headers.get("content-type") == "application/json":
        body = json.loads(asked.content)
        sent |= body if isinstance(body, dict) else {}
    return sent


def _refusal(error: InvalidStatus) -> Exception:
    """What the server said instead of opening a WebSocket."""
    try:
        told = json.loads(error.response.body or b"")
    except ValueError:
        told = None
    return rebuilt(error.response.status_code, told, dict(error.response.headers.raw_items()))


def _events(response: Response) -> Iterator[tuple[str, str, str]]:
    """Name, id and data of each event."""
    name, id, data = "message", "", list[str]()
    for line in response.iter_lines():
        if not line:
            if data:
                yield name, id, "\n".join(data)
            name, data = "message", []
            continue
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            name = value
        elif field == "id":
            id = value
        elif field == "data":
            data.append(value)
