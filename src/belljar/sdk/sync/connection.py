# Made from aio/connection.py by scripts/make_sync_sdk.py: change it there.
"""The way to one server: an address, or a box of our own that is started when it is first needed."""

from collections.abc import Callable, Mapping

from httpx2 import Limits, Timeout, TimeoutException, TransportError

from belljar.sdk.address import Address
from belljar.sdk.bridge import Bridge
from belljar.sdk.embedded import EmbeddedBox
from belljar.sdk.errors import CannotStart, NoAnswer, Unreachable
from belljar.sdk.sync.io import HttpClient, HttpTransport, Lock, Transport, blocking

CONNECT_SECONDS = 10.0
# An embedded box takes connections from the first moment on, and answers once it is up.
_START_SECONDS = 60.0
# What the answer may take beyond the deadline that the server was given.
_LEEWAY_SECONDS = 10.0
# Less than the five seconds after which a server closes a connection that nobody uses.
_KEEP_SECONDS = 3.0


class Connection:
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
