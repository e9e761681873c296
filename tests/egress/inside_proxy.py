"""Run by `test_inside_a_network.py`: who can be reached through the proxy, as the hosts themselves saw it."""

from collections.abc import Iterator

import anyio
import httpx2 as httpx
import pytest

from tests.egress.running import Victim, running_proxy, victim
from tests.world import AZURE, HOME, METADATA, PRIVATE, PRIVATE6, SECOND, SITE, SITE6, Names, is_inside, name_server

if not is_inside():
    pytest.skip("needs a network of its own", allow_module_level=True)

FORBIDDEN = [
    PRIVATE,
    HOME,
    METADATA,
    AZURE,
    "127.0.0.1",
    "127.0.0.2",
    "127.1",
    "0x7f.1",
    "0177.0.0.1",
    "2130706433",
    "0",
    "0.0.0.0",
    "10.9.8.7.",
    "0x0a090807",
    "168363015",
    "012.011.010.07",
    "10.9.2055",
    f"[{PRIVATE6}]",
    "[::1]",
    "[::]",
    "[::ffff:10.9.8.7]",
    "[::ffff:a09:807]",
    "[::10.9.8.7]",
    "[64:ff9b::10.9.8.7]",
    "[2002:a09:807::1]",
    "localhost",
    "localhost.",
    "sub.localhost",
    "private.test",
    "private.test.",
    "PRIVATE.test",
    "private6.test",
    "loop.test",
    "loop6.test",
    "any.test",
    "meta.test",
    "azure.test",
    "shared.test",
    "mapped.test",
    "nat64.test",
    "sixtofour.test",
    "both.test",
    "both-reversed.test",
    "metadata.google.internal",
]


@pytest.fixture
def host() -> Iterator[Victim]:
    with victim() as seen:
        yield seen


@pytest.fixture(autouse=True)
def names() -> Iterator[Names]:
    with name_server() as running:
        yield running


async def speak(port: int, data: bytes) -> bytes:
    """Send raw bytes to the proxy and take what it says until it ends or answers."""
    with anyio.fail_after(20):
        async with await anyio.connect_tcp("127.0.0.1", port) as stream:
            await stream.send(data)
            answer = b""
            try:
                while b"secret" not in answer:
                    answer += await stream.receive()
            except anyio.EndOfStream:
                pass
            return answer


def socks(host: str, port: int) -> bytes:
    name = host.strip("[]").encode()
    return b"\x05\x01\x00" + b"\x05\x01\x00\x03" + bytes([len(name)]) + name + port.to_bytes(2, "big")


async def test_public_hosts_are_reached_by_every_protocol(host: Victim) -> None:
    async with running_proxy("public") as proxy:
        for target, address in ((SITE, SITE), ("site.test", SITE), ("six.test", SITE6), (f"[{SITE6}]", SITE6)):
            host.reached.clear()
            url = f"http://{target}:{host.port}/"
            get = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            assert address.encode() in await speak(proxy.port, get.replace(b"/", url.encode(), 1))
            assert b"200" in await speak(proxy.port, f"CONNECT {target}:{host.port} HTTP/1.1\r\n\r\n".encode() + get)
            if not target.startswith("["):
                assert b"secret" in await speak(proxy.port, socks(target, host.port) + get)
            assert set(host.reached) == {address}


@pytest.mark.parametrize("target", FORBIDDEN)
async def test_what_is_not_public_is_never_reached(host: Victim, target: str) -> None:
    async with running_proxy("public") as proxy:
        get = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
        plain = await speak(
            proxy.port, f"GET http://{target}:{host.port}/ HTTP/1.1\r\nHost: site.test\r\n\r\n".encode()
        )
        tunnel = await speak(
            proxy.port, f"CONNECT {target}:{host.port} HTTP/1.1\r\nHost: site.test\r\n\r\n".encode() + get
        )
        socked = await speak(proxy.port, socks(target, host.port) + get)
        assert host.reached == []
        assert plain.startswith(b"HTTP/1.1 403") and b"X-Belljar-Egress: denied" in plain
        assert tunnel.startswith(b"HTTP/1.1 403")
        # A name that is an IPv6 address in words is none to SOCKS.
        assert socked[3:4] in (b"\x02", b"\x08")
        denied = [record for record in proxy.egress.log if record.decision == "deny"]
        assert len(denied) >= 2 and all(record.rule for record in denied)


async def test_a_name_that_flips_cannot_slip_through(host: Victim, names: Names) -> None:
    """The answer that was checked is the one that is dialled, however often the name changes."""
    names.flips["flip.test"] = [[SITE] if turn % 2 == 0 else [PRIVATE] for turn in range(200)]
    async with running_proxy("public") as proxy, httpx.AsyncClient(proxy=proxy.url) as client:
        statuses = [(await client.get(f"http://flip.test:{host.port}/")).status_code for _ in range(20)]

        async def tunnelled() -> bytes:
            return await speak(
                proxy.port, f"CONNECT flip.test:{host.port} HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n".encode()
            )

        answers = [await tunnelled() for _ in range(20)]
    assert 200 in statuses
    assert any(b"403" in answer for answer in answers) and any(b"secret" in answer for answer in answers)
    assert set(host.reached) == {SITE}


async def test_every_answer_of_a_name_is_checked_not_just_the_first(host: Victim, names: Names) -> None:
    names.flips["mixed.test"] = [[SITE, SECOND, METADATA]]
    async with running_proxy("public") as proxy, httpx.AsyncClient(proxy=proxy.url) as client:
        assert (await client.get(f"http://mixed.test:{host.port}/")).status_code == 403
    assert host.reached == []


async def test_ranges_and_ports_that_a_rule_names_are_reached(host: Victim) -> None:
    async with running_proxy("public", allow=(f"{PRIVATE}:{host.port}",)) as proxy:
        async with httpx.AsyncClient(proxy=proxy.url) as client:
            assert PRIVATE in (await client.get(f"http://private.test:{host.port}/")).text
            assert (await client.get(f"http://{HOME}:{host.port}/")).status_code == 403
    assert set(host.reached) == {PRIVATE}
