"""Whatever goes through the gateway: a box sees exactly the requests that were allowed, each for its own caller."""

import asyncio
import socket
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2 as httpx
import pytest

from belljar.server.signed_caller import CallerSigner
from belljar.tokens import Role
from tests.plane.odd_requests import Fate, Generator, Odd
from tests.plane.plane import RunningPlane, running_plane, state_folder
from tests.plane.recorded_box import RecordedPlane, recorded_plane

_PATIENCE = 30.0
_AT_ONCE = 24


async def send_odd(plane: RecordedPlane, odd: Odd) -> list[bytes]:
    """What is answered, to a client that sends without asking whether it may."""
    answers: list[bytes] = []
    reader, writer = await asyncio.open_connection("127.0.0.1", plane.port)
    try:
        for piece in odd.pieces:
            writer.write(piece)
            # Each piece in a packet of its own, mostly.
            await asyncio.sleep(0)
            await writer.drain()
        if not odd.reads:
            writer.transport.abort()
            return []
        wanted = sum(fate is Fate.SEEN for fate, _ in odd.fates.values()) or 1
        for _ in range(wanted):
            answers.append(await read_answer(reader))
        return answers
    except (ConnectionError, asyncio.IncompleteReadError):
        return answers
    finally:
        writer.close()


async def read_answer(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    if head.startswith(b"HTTP/1.1 100"):
        head = await reader.readuntil(b"\r\n\r\n")
    lengths = [line.split(b":")[1] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    return head + await reader.readexactly(int(lengths[0]))


async def ask_honestly(client: httpx.AsyncClient, session: str, number: int) -> None:
    """In between, over connections that the gateway has used before: each gets its own answer."""
    answer = await client.post(f"/s/{session}/honest-{number}", content=b"h" * (number % 7))
    assert answer.json() == {"target": f"/honest-{number}", "size": number % 7}, answer.text


async def through(plane: RecordedPlane, session: str, viewer: str, owner: str, seed: int, count: int) -> list[Odd]:
    generator = Generator(seed, session, viewer)
    odds = [generator.next() for _ in range(count)]
    numbers = iter(range(count))

    async def work() -> None:
        # A connection for each: one that was kept may be closed by the server just when it is used again.
        headers = {"Authorization": f"Bearer {owner}", "Connection": "close"}
        async with httpx.AsyncClient(base_url=plane.url, headers=headers, timeout=_PATIENCE) as client:
            for number in numbers:
                odd = odds[number]
                async with asyncio.timeout(_PATIENCE):
                    answers = await send_odd(plane, odd)
                check_answers(odd, answers)
                if number % 3 == 0:
                    await ask_honestly(client, session, number)

    async with asyncio.TaskGroup() as tasks:
        for _ in range(_AT_ONCE):
            tasks.create_task(work())
    return odds


def check_answers(odd: Odd, answers: list[bytes]) -> None:
    """Each in its turn, and none that tells of another's request."""
    for (mark, (fate, _)), answer in zip(odd.fates.items(), answers, strict=False):
        if fate is Fate.SEEN:
            assert answer.startswith(b"HTTP/1.1 200") and mark.encode() in answer, (odd, answer)
        elif fate is Fate.REFUSED:
            assert answer.startswith(b"HTTP/1.1 4"), (odd, answer)
    if any(fate is Fate.SEEN for fate, _ in odd.fates.values()):
        assert len(answers) == len(odd.fates), (odd, answers)


def check_record(plane: RecordedPlane, odds: list[Odd]) -> None:
    heads, requests = plane.seen()
    fates = {mark: fate for odd in odds for mark, fate in odd.fates.items()}
    seen = Counter(mark_of(head["target"]) for head in heads)
    strange = [head for head in heads if mark_of(head["target"]) not in fates and not is_honest(head["target"])]
    assert not strange, strange
    for mark, (fate, _) in fates.items():
        assert seen[mark] <= 1, f"{mark} was seen {seen[mark]} times"
        if fate is Fate.SEEN:
            assert seen[mark] == 1, f"{mark} was not seen"
        elif fate is Fate.REFUSED:
            assert seen[mark] == 0, f"{mark} was seen"
    for request in requests:
        mark = mark_of(request["target"])
        if mark in fates:
            check_request(request, *fates[mark])


def check_request(request: dict[str, object], fate: Fate, body: bytes) -> None:
    sent = str(request["body"]).encode("latin-1")
    names = Counter(name for name, _ in request["headers"])  # type: ignore[attr-defined]
    assert request["role"] == "view"
    assert sent == body if fate is Fate.SEEN else body.startswith(sent)
    assert names["belljar-caller"] == names["host"] == 1
    assert names["content-length"] + names["transfer-encoding"] <= 1
    assert not {"authorization", "connection", "expect", "upgrade", "te", "trailer", "x-forwarded-prefix"} & {*names}


def mark_of(target: str) -> str:
    return next((f"mark-{part}-" for part in target.split("mark-")[1:2] for part in [part.partition("-")[0]]), target)


def is_honest(target: str) -> bool:
    return target.startswith("/honest-") or target in ("/readyz", "/v1/claim", "/v1/health")


# Thousands of requests through three processes: most of a minute where the machine is shared by many.
@pytest.mark.timeout(180)
@pytest.mark.parametrize(
    ("seed", "count"), [(13, 1_500), *[pytest.param(seed, 6_000, marks=pytest.mark.soak) for seed in (1, 2, 3)]]
)
def test_a_box_sees_exactly_what_was_allowed(seed: int, count: int) -> None:
    with state_folder() as folder, recorded_plane(folder) as plane:
        headers = {"Authorization": f"Bearer {plane.key}"}
        with httpx.Client(base_url=plane.url, headers=headers, timeout=_PATIENCE) as client:
            made = client.post("/api/sessions", json={"mode": "none"}).json()
            watching = client.post(f"/api/sessions/{made['id']}/tokens", json={"role": "view", "ttl": 3600}).json()
        odds = asyncio.run(through(plane, made["id"], watching["token"], made["token"], seed, count))
        check_record(plane, odds)
        kinds = Counter(odd.kind for odd in odds)
        print(f"\n{sum(len(odd.fates) for odd in odds)} odd requests, seed {seed}: {dict(kinds)}")  # noqa: T201
        assert "Traceback" not in (folder / "log").read_text()


@pytest.fixture(scope="module")
def plane() -> Iterator[RunningPlane]:
    with running_plane() as running:
        yield running


@pytest.fixture
def session(plane: RunningPlane) -> Iterator[dict[str, Any]]:
    made = plane.create()
    yield made
    with plane.client() as client:
        client.delete(f"/api/sessions/{made['id']}")


def view_token(plane: RunningPlane, session: dict[str, Any]) -> str:
    with plane.client() as client:
        made = client.post(f"/api/sessions/{session['id']}/tokens", json={"role": "view", "ttl": 60}).json()
    return str(made["token"])


def processes(plane: RunningPlane, session: dict[str, Any]) -> list[Any]:
    """What runs in the box, by many requests: one of them at least goes over each connection there is to it."""
    with plane.client(session["token"]) as owner, ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(owner.get, f"/s/{session['id']}/v1/processes") for _ in range(32)]
        answers = [one.result() for one in asked]
    assert all(answer.is_success for answer in answers), [answer.text for answer in answers]
    found: list[Any] = answers[-1].json()["processes"]
    return found


def exchange(plane: RunningPlane, *pieces: bytes) -> bytes:
    """What is answered first to bytes sent as they are."""
    with socket.create_connection(("127.0.0.1", int(plane.url.rpartition(":")[2])), timeout=_PATIENCE) as connection:
        for piece in pieces:
            connection.sendall(piece)
        answer = b""
        while not answer.endswith(b"}") and (chunk := connection.recv(65536)):
            answer += chunk
    return answer


RUN = b'{"command": "sleep", "args": ["60"]}'
# A head for the box that the gateway's next request would complete, and that request's body be its body.
HEAD_FOR_THE_BOX = (
    b"POST /v1/processes HTTP/1.1\r\nHost: x\r\nBelljar-Caller: operator; root\r\n"
    b"Content-Type: application/json\r\nContent-Length: %d\r\nX: " % len(RUN)
)


@pytest.mark.parametrize("who", ["a viewer", "nobody"])
def test_a_length_that_connection_names_makes_no_request_of_a_body(
    plane: RunningPlane, session: dict[str, Any], who: str
) -> None:
    token = f"Authorization: Bearer {view_token(plane, session)}\r\n" if who == "a viewer" else ""
    head = f"POST /s/{session['id']}/view HTTP/1.1\r\nHost: localhost\r\n{token}"
    smuggled = f"{head}Connection: content-length\r\nContent-Length: {len(HEAD_FOR_THE_BOX)}\r\n\r\n".encode()
    completing = f"{head}Content-Type: application/json\r\nContent-Length: {len(RUN)}\r\n\r\n".encode()
    for _ in range(5):
        assert exchange(plane, smuggled + HEAD_FOR_THE_BOX).startswith(b"HTTP/1.1 405")
        assert exchange(plane, completing + RUN).startswith(b"HTTP/1.1 405")
    assert processes(plane, session) == []


def test_a_connection_whose_request_was_answered_early_is_not_used_again(
    plane: RunningPlane, session: dict[str, Any]
) -> None:
    """The box waits for the rest of a body; what comes next over that connection would be taken for it."""
    token = view_token(plane, session)
    head = f"POST /s/{session['id']}/view HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
    for length in (10, 100, 300, 500, 1_000):
        assert exchange(plane, f"{head}Content-Length: {length}\r\n\r\nx".encode()).startswith(b"HTTP/1.1 405")
        assert processes(plane, session) == []


def test_an_assertion_of_ones_own_is_nobodys_word(plane: RunningPlane, session: dict[str, Any]) -> None:
    own = CallerSigner(b"x" * 32).sign("POST", b"/v1/processes", Role.OPERATOR, "root").decode()
    with plane.client(view_token(plane, session)) as viewer:
        for caller in ("operator; root", own):
            headers = {"Belljar-Caller": caller}
            answer = viewer.post(f"/s/{session['id']}/v1/processes", json={"command": "true"}, headers=headers)
            assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")


@pytest.mark.parametrize(
    "path", ["/s/{id}%2fx/v1/health", "/s/{id}/v1%2Fhealth", "/s/{id}/v1/%2e%2e/v1/health", "/s/{id}/v1\\health"]
)
def test_a_path_that_can_be_read_in_two_ways_is_refused(
    plane: RunningPlane, session: dict[str, Any], path: str
) -> None:
    head = f"GET {path.format(id=session['id'])} HTTP/1.1\r\nHost: localhost\r\n"
    for more in ("", "Connection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"):
        answer = exchange(plane, f"{head}{more}Authorization: Bearer {session['token']}\r\n\r\n".encode())
        assert answer.startswith(b"HTTP/1.1 400") and b"can be read in two ways" in answer
