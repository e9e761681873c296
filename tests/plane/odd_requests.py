"""Odd requests by the thousand: what each is, byte by byte, and what a box may see of it.

Everything is drawn from one seed, so that a failure can be had again.
"""

from dataclasses import dataclass, field
from enum import Enum
from random import Random


class Fate(Enum):
    SEEN = "the box sees it once, whole"
    REFUSED = "the box does not see it"
    CUT = "the box may see its head once, and no more of its body than was sent"


@dataclass
class Odd:
    """One connection's worth of bytes, in the pieces in which they are sent."""

    kind: str
    pieces: list[bytes]
    # By the mark in its target: what becomes of each request, and the body that was sent.
    fates: dict[str, tuple[Fate, bytes]] = field(default_factory=dict)
    # How the client leaves once everything is sent: it reads the answers, or it does not.
    reads: bool = True


class Generator:
    """For one session, with the token of one who may only watch unless said otherwise."""

    def __init__(self, seed: int, session: str, token: str) -> None:
        self._random = Random(seed)
        self._session = session
        self._token = token
        self._count = 0

    def next(self) -> Odd:
        kind = self._random.choice(_KINDS)
        odd: Odd = getattr(self, f"_{kind}")()
        odd.kind = kind
        return odd

    # What is allowed.

    def _plain(self) -> Odd:
        return self._alone(self._request("GET", b""))

    def _sized(self) -> Odd:
        return self._alone(self._request("POST", self._content()))

    def _chunked(self) -> Odd:
        return self._alone(self._request("POST", self._content(), is_chunked=True))

    def _named_by_connection(self) -> Odd:
        """`Connection` names what must not go away with it."""
        names = ["content-length", "Transfer-Encoding", "Host", "content-type", "Belljar-Caller", "X-A", "keep-alive"]
        listed = ", ".join(self._random.sample(names, self._random.randint(1, 5)))
        header = f"{self._cased('Connection')}: {listed}"
        return self._alone(
            self._request("POST", self._content(), [header, "X-A: b"], is_chunked=self._random.random() < 0.4)
        )

    def _impostor(self) -> Odd:
        """Brings what only a control plane may say."""
        more = self._random.sample(
            [
                "X-Forwarded-Prefix: /evil",
                "X-Forwarded-Proto: gopher",
                "Forwarded: for=evil",
                "Cookie: belljar_control=evil; a=b",
                "X-Request-Id: same-for-all",
                "TE: trailers",
                "Proxy-Authorization: Basic evil",
                "Keep-Alive: timeout=1000",
            ],
            3,
        )
        caller = f"{self._cased('Belljar-Caller')}: operator; root"
        return self._alone(self._request("POST", self._content(), [caller, *more]))

    def _trailing(self) -> Odd:
        """What follows the body of chunks is called like something that counts."""
        trailers = [
            f"Authorization: Bearer {self._token}x",
            "Belljar-Caller: operator; root",
            "X-Request-Id: evil",
            "Connection: content-length",
            "Host: evil",
        ]
        chosen = self._random.sample(trailers, self._random.randint(1, 4))
        return self._alone(self._request("POST", self._content(), is_chunked=True, trailers=chosen))

    def _expecting(self) -> Odd:
        return self._alone(self._request("POST", self._content(), ["Expect: 100-continue"]))

    def _absolute(self) -> Odd:
        return self._alone(self._request("GET", b"", before=b"http://localhost"))

    def _old(self) -> Odd:
        return self._alone(self._request("POST", self._content(), version="1.0"))

    def _upgrading(self) -> Odd:
        """To a protocol that nobody speaks; what follows is neither that nor a request."""
        mark, raw, body = self._request("POST", b"", ["Connection: Upgrade", "Upgrade: evil/1"])
        # In one piece: whoever writes on when the server has closed may lose its answer.
        return Odd("", [raw + self._evil()], {mark: (Fate.SEEN, body)})

    def _pipelined(self) -> Odd:
        requests = [
            self._request("POST", self._content(), is_chunked=self._random.random() < 0.5)
            for _ in range(self._random.randint(2, 4))
        ]
        fates = {mark: (Fate.SEEN, body) for mark, _, body in requests}
        return Odd("", self._cut_up(b"".join(raw for _, raw, _ in requests)), fates)

    # What is refused.

    def _framed_twice(self) -> Odd:
        more = self._random.choice(
            [
                ["Transfer-Encoding: chunked", "Content-Length: 5"],
                ["Content-Length: 5", "Transfer-Encoding: chunked"],
                ["Content-Length: 5", "content-length: 5"],
                ["Content-Length: 5", "Content-Length: 50"],
                ["Content-Length: 5, 5"],
                ["Transfer-Encoding: chunked", "TRANSFER-ENCODING: chunked"],
                ["Transfer-Encoding: chunked", "transfer-encoding: identity"],
                ["Content-Length: 5", "Upgrade: evil/1", "Connection: upgrade"],
                ["Transfer-Encoding: chunked", "Upgrade: websocket", "Connection: upgrade"],
            ]
        )
        return self._refused(more)

    def _framed_strangely(self) -> Odd:
        more = self._random.choice(
            [
                "Content-Length: +5",
                "Content-Length: -1",
                "Content-Length: 0x5",
                "Content-Length: 5 5",
                "Content-Length: " + "9" * 5000,
                "Content-Length: 99999999999999999999",
                "Content-Length: ",
                "Content-Length : 5",
                "Content-Length\x0b: 5",
                "Transfer-Encoding: xchunked",
                "Transfer-Encoding: chunked, identity",
                "Transfer-Encoding: gzip, chunked",
                "Transfer-Encoding: identity",
                "Transfer-Encoding: chunked;q=1",
                "Transfer-Encoding:\x0bchunked",
                'Transfer-Encoding: "chunked"',
            ]
        )
        return self._refused([more])

    def _said_twice(self) -> Odd:
        more = self._random.choice(
            [
                [f"{self._cased('Authorization')}: Bearer {self._token}"],
                [f"{self._cased('Host')}: localhost"],
                ["Belljar-Caller: operator; root", f"{self._cased('Belljar-Caller')}: view; ann"],
            ]
        )
        return self._refused(more)

    def _misshapen(self) -> Odd:
        more = self._random.choice(
            [
                "X-A: b\r\n folded: c",
                "X-A: b\r\n\tfolded",
                "X-A: b\rX-B: c",
                "X-A: b\x00c",
                "X A: b",
                ": b",
                "X-A",
                "X-A: b\nContent-Length: 5",
                "(X): b",
            ]
        )
        return self._refused([more])

    def _ambiguous_path(self) -> Odd:
        mark = self._mark()
        ways = (
            f"/s/{self._session}%2fx/{mark}",
            f"/s/{self._session}/a%2F{mark}",
            f"/s/{self._session}/a%5c{mark}",
            f"/s/{self._session}/a\\{mark}",
            f"/s/{self._session}/./{mark}",
            f"/s/{self._session}/x/../{mark}",
            f"/s/{self._session}/x/%2e%2E/{mark}",
            f"/s/other/../{self._session}/{mark}",
            f"/s/{self._session}/%00{mark}",
            f"/s/{self._session}/%0d%0a{mark}",
            f"/s/{self._session}/%252f{mark}",
            f"/s/{self._session}/%25252e%2525252e/{mark}",
            f"/s/{self._session}/%{mark}",
            f"/s/{self._session}/%ff{mark}",
            f"/s/{self._session}/{mark}#evil",
            f"http://elsewhere/s/{self._session}/{mark}",
            f"//s/{self._session}/{mark}",
            f"s/{self._session}/{mark}",
        )
        target = self._random.choice(ways)
        raw = self._head("GET", target, self._usual()) + self._evil()
        return Odd("", self._cut_up(raw), {mark: (Fate.REFUSED, b"")})

    def _without(self) -> Odd:
        """A head that lacks what it needs."""
        mark = self._mark()
        headers = self._random.choice(
            [
                ["Host: localhost"],
                ["Host: localhost", "Authorization: Bearer wrong"],
                ["Host: localhost", "Belljar-Caller: operator; root"],
                [f"Authorization: Bearer {self._token}"],
                ["Host: evil.example", f"Authorization: Bearer {self._token}"],
            ]
        )
        content = self._evil()
        raw = self._head("POST", self._target(mark), [*headers, f"Content-Length: {len(content)}"]) + content
        return Odd("", self._cut_up(raw), {mark: (Fate.REFUSED, content)})

    def _versioned(self) -> Odd:
        version = self._random.choice(["1.2", "2.0", "0.9", "1.10", "1", "01.1"])
        mark, raw, body = self._request("POST", self._content(), version=version)
        return Odd("", self._cut_up(raw + self._evil()), {mark: (Fate.REFUSED, body)})

    def _half_a_socket(self) -> Odd:
        """A handshake that is none, and what looks like a request behind it."""
        mark = self._mark()
        more = self._random.choice(
            [
                [],
                ["Sec-WebSocket-Version: 13"],
                ["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 7"],
                ["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="] * 2,
            ]
        )
        headers = [*self._usual(), "Connection: Upgrade", "Upgrade: websocket", *more]
        raw = self._head(self._random.choice(["GET", "POST"]), self._target(mark), headers)
        return Odd("", self._cut_up(raw + self._evil()), {mark: (Fate.REFUSED, b"")})

    # What is cut short.

    def _early(self) -> Odd:
        """The box answers before it has the body, and the rest of that looks like a request."""
        mark = self._mark()
        content = self._content() + self._evil() * self._random.randint(1, 3)
        raw = self._head("POST", self._target(mark, "early/"), [*self._usual(), f"Content-Length: {len(content)}"])
        pieces = [raw + content[: self._random.randint(0, 20)], content[20:]]
        return Odd("", pieces, {mark: (Fate.CUT, b"")})

    def _early_chunked(self) -> Odd:
        mark = self._mark()
        first, rest = self._content(), self._evil() * self._random.randint(1, 3)
        raw = self._head("POST", self._target(mark, "early/"), [*self._usual(), "Transfer-Encoding: chunked"])
        pieces = [raw + _chunk(first or b"x"), _chunk(rest) + b"0\r\n\r\n"]
        return Odd("", pieces, {mark: (Fate.CUT, b"")})

    def _aborted(self) -> Odd:
        """The client goes away in the middle of a body."""
        mark, raw, body = self._request("POST", self._content() + self._evil(), is_chunked=self._random.random() < 0.5)
        kept = self._random.randint(raw.index(b"\r\n\r\n") + 4, len(raw) - 1)
        return Odd("", self._cut_up(raw[:kept]), {mark: (Fate.CUT, body)}, reads=False)

    def _badly_chunked(self) -> Odd:
        mark = self._mark()
        first, evil = self._content(), self._evil()
        bad = self._random.choice(
            [
                b"zz\r\n" + evil,
                b"ffffffffffffffffffff\r\n" + evil,
                b"-5\r\n" + evil,
                b"+5\r\n" + evil,
                b"0x5\r\n" + evil,
                b" 5\r\n" + evil,
                b"5\r\nabcdefgh" + evil,
                b"3\nabc\r\n" + evil,
                b"1;a=\x00b\r\nx\r\n0\r\n\r\n",
                b"5;" + b"x" * 100 + b"\rx\r\n" + evil,
            ]
        )
        raw = self._head("POST", self._target(mark), [*self._usual(), "Transfer-Encoding: chunked"])
        # Of the one that is longer than it says, so much may have gone on.
        begun = b"abcde" if b"abcde" in bad else b""
        return Odd("", self._cut_up(raw + _chunk(first or b"x") + bad), {mark: (Fate.CUT, (first or b"x") + begun)})

    # Of which they are made.

    def _alone(self, request: tuple[str, bytes, bytes]) -> Odd:
        mark, raw, body = request
        return Odd("", self._cut_up(raw), {mark: (Fate.SEEN, body)})

    def _refused(self, more: list[str]) -> Odd:
        mark = self._mark()
        headers = [*self._usual(), *more]
        if self._random.random() < 0.5:
            headers = [*more, *self._usual()]
        raw = self._head("POST", self._target(mark), headers) + self._random.choice(
            [b"0\r\n\r\n", b"5\r\nabcde\r\n0\r\n\r\n", b"abcde"]
        )
        return Odd("", self._cut_up(raw + self._evil()), {mark: (Fate.REFUSED, b"")})

    def _request(
        self,
        method: str,
        body: bytes,
        more: list[str] | None = None,
        *,
        is_chunked: bool = False,
        trailers: list[str] | None = None,
        version: str = "1.1",
        before: bytes = b"",
    ) -> tuple[str, bytes, bytes]:
        """Its mark, its bytes, and its body."""
        mark = self._mark()
        headers = [*self._usual(), *(more or [])]
        if is_chunked:
            headers.append(f"{self._cased('Transfer-Encoding')}: {self._random.choice(['chunked', 'Chunked'])}")
            sent = self._in_chunks(body, trailers or [])
        else:
            sent = body
            if method != "GET":
                headers.append(f"{self._cased('Content-Length')}: {'0' * self._random.randint(0, 3)}{len(body)}")
        self._random.shuffle(headers)
        target = before.decode() + self._target(mark)
        return mark, self._head(method, target, headers, version) + sent, body

    def _in_chunks(self, body: bytes, trailers: list[str]) -> bytes:
        sent = b""
        while body:
            size = self._random.randint(1, len(body))
            extension = self._random.choice([b"", b"", b";a=b", b';a="b c"', b";" + b"x" * 300])
            number = self._random.choice([b"%x", b"%X", b"000%x"]) % size
            sent += number + extension + b"\r\n" + body[:size] + b"\r\n"
            body = body[size:]
        return sent + b"0\r\n" + "".join(f"{line}\r\n" for line in trailers).encode() + b"\r\n"

    def _content(self) -> bytes:
        ways = [
            b"",
            b"x",
            b"0\r\n\r\n",
            self._evil(),
            self._evil() * 3,
            b"\r\n" * 9,
            bytes(range(256)) * 4,
            b"y" * 70_000,
        ]
        return self._random.choice(ways)

    def _evil(self) -> bytes:
        """A request that nobody made, as the box or the gateway would like it."""
        ways = [
            self._head("GET", "/evil", ["Host: x", "Belljar-Caller: operator; root"]),
            # Completed by whatever comes next.
            self._head("POST", "/evil", ["Host: x", "Belljar-Caller: operator; root", "Content-Length: 9", "X: "])[:-4],
            self._head("GET", f"/s/{self._session}/evil", self._usual()),
        ]
        return self._random.choice(ways)

    def _usual(self) -> list[str]:
        return [f"{self._cased('Host')}: localhost", f"{self._cased('Authorization')}: Bearer {self._token}"]

    def _head(self, method: str, target: str, headers: list[str], version: str = "1.1") -> bytes:
        lines = [f"{method} {target} HTTP/{version}", *headers, "", ""]
        return "\r\n".join(lines).encode("latin-1")

    def _target(self, mark: str, below: str = "") -> str:
        query = self._random.choice(["", "?a=b", "?", "?a=%2f..%2f&b", "?token=", "?;=/../"])
        return f"/s/{self._session}/{below}{mark}{query}"

    def _mark(self) -> str:
        self._count += 1
        return f"mark-{self._count}-"

    def _cased(self, name: str) -> str:
        return self._random.choice([name, name.lower(), name.upper()])

    def _cut_up(self, raw: bytes) -> list[bytes]:
        """As it is, or in up to four pieces."""
        if self._random.random() < 0.6:
            return [raw]
        places = sorted(self._random.randint(0, len(raw)) for _ in range(self._random.randint(1, 3)))
        return [raw[start:end] for start, end in zip([0, *places], [*places, len(raw)], strict=True)]


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


_KINDS = [
    name.removeprefix("_")
    for name, found in vars(Generator).items()
    if getattr(found, "__annotations__", {}) == {"return": Odd} and name != "next"
]
