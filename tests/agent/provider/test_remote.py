"""A provider on a running box: the seven methods, refs that go stale, domains that hold, and the IPC boundary."""

import json
import os
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import anyio
import pytest

from belljar.agent.provider import (
    MAX_REFS,
    MAX_TEXT_CHARS,
    BrowserConfig,
    BrowserProvider,
    DomainNotAllowed,
    ProviderError,
    StaleRefs,
    UnknownSession,
    Viewport,
    create_provider,
)
from belljar.agent.provider.ipc import connect, serve_provider
from belljar.agent.provider.ipc.lines import MAX_REQUEST_BYTES
from belljar.agent.provider.settings import ProviderSettings
from belljar.agent.provider.types import BadArgument, Unauthorized
from tests.agent.conftest import made_up
from tests.servers import RunningBox
from tests.site import Site


@pytest.fixture
async def provider(agent_box: RunningBox) -> AsyncIterator[BrowserProvider]:
    """Kept to the first host of the test site."""
    settings = ProviderSettings(url=agent_box.url, token=agent_box.token, browser_allowed_domains=("127.0.0.1",))
    provider = await create_provider("remote", settings)
    yield provider
    await provider.aclose()


@pytest.fixture
async def session(provider: BrowserProvider) -> str:
    return (await provider.launch(BrowserConfig(viewport=Viewport(800, 600)))).id


@pytest.fixture
def folder() -> Iterator[Path]:
    """Short: a socket's path has few characters."""
    with tempfile.TemporaryDirectory(prefix="bj-") as folder:
        yield Path(folder, "ipc")


async def test_a_page_is_read_and_acted_on(provider: BrowserProvider, session: str, site: Site) -> None:
    await provider.navigate(session, site.url("agent/desktop.html?open"))
    seen = await provider.snapshot(session)
    assert (seen.title, seen.url) == ("A desktop", site.url("agent/desktop.html?open"))
    assert "Calculator" in seen.text
    assert [ref.ref for ref in seen.refs] == list(range(len(seen.refs)))
    field = next(ref for ref in seen.refs if ref.tag == "input")
    await provider.type(session, field.ref, "Ada")
    seen = await provider.snapshot(session)
    assert "Hello Ada" in seen.text
    start = next(ref for ref in seen.refs if (ref.tag, ref.text) == ("button", "Start"))
    await provider.click(session, start.ref)
    assert "started" in (await provider.snapshot(session)).text
    assert (await provider.screenshot(session)).startswith(b"\x89PNG")


async def test_refs_are_invalidated_by_whatever_changes_the_page(
    provider: BrowserProvider, session: str, site: Site
) -> None:
    url = site.url("agent/desktop.html?open")
    with pytest.raises(StaleRefs):
        await provider.click(session, 0)
    await provider.navigate(session, url)
    refs = (await provider.snapshot(session)).refs
    start = next(ref.ref for ref in refs if ref.text == "Start")
    field = next(ref.ref for ref in refs if ref.tag == "input")
    await provider.click(session, start)
    with pytest.raises(StaleRefs):
        await provider.click(session, start)
    await provider.snapshot(session)
    await provider.type(session, field, "x")
    with pytest.raises(StaleRefs):
        await provider.type(session, field, "y")
    await provider.snapshot(session)
    await provider.navigate(session, url)
    with pytest.raises(StaleRefs):
        await provider.click(session, start)


async def test_an_element_that_the_page_replaced_is_stale(provider: BrowserProvider, session: str, site: Site) -> None:
    script = "onpointerup = () => 0; setInterval(() => { b.outerHTML = b.outerHTML }, 20)"
    await provider.navigate(session, made_up(site, f"<button id=b>B</button><script>{script}</script>"))
    await provider.snapshot(session)
    with pytest.raises(StaleRefs):
        # It lives for 20 ms; one click in many may still meet it alive.
        for _ in range(20):
            await provider.click(session, 0)
            await provider.snapshot(session)


async def test_a_ref_that_was_never_given_is_told_from_a_stale_one(
    provider: BrowserProvider, session: str, site: Site
) -> None:
    await provider.navigate(session, site.url("index.html"))
    await provider.snapshot(session)
    with pytest.raises(BadArgument, match="from 0 to 2"):
        await provider.click(session, 3)
    await provider.click(session, 2)


async def test_snapshots_are_bounded(provider: BrowserProvider, session: str, site: Site) -> None:
    script = "document.body.innerHTML = '<button>press me</button>'.repeat(300) + 'x'.repeat(100000)"
    await provider.navigate(session, made_up(site, f"<script>onload=()=>{{{script}}}</script>"))
    seen = await provider.snapshot(session)
    assert len(seen.text) <= MAX_TEXT_CHARS
    assert len(seen.refs) == MAX_REFS


async def test_the_allowlist_holds_beyond_the_call(provider: BrowserProvider, session: str, site: Site) -> None:
    elsewhere = site.url("second.html?not-allowed", host=1)
    with pytest.raises(DomainNotAllowed):
        await provider.navigate(session, elsewhere)
    with pytest.raises(DomainNotAllowed):
        await provider.navigate(session, site.url(f"_/redirect?to={elsewhere}"))
    await provider.navigate(session, made_up(site, f"<a href={elsewhere}>go</a><iframe src={elsewhere}></iframe>"))
    await provider.snapshot(session)
    await provider.click(session, 0)
    await provider.snapshot(session)
    assert not [path for _, path, _ in site.requests if "not-allowed" in path and path.startswith("/second")]


async def test_sessions_are_random_apart_and_gone_when_closed(
    provider: BrowserProvider, session: str, site: Site
) -> None:
    other = (await provider.launch(BrowserConfig())).id
    assert len(session) == 32
    assert session != other
    await provider.navigate(session, made_up(site, "<script>document.cookie='who=first'</script>"))
    read = made_up(site, "<p id=p></p><script>p.textContent='cookie '+document.cookie</script>")
    await provider.navigate(other, read)
    assert "who=first" not in (await provider.snapshot(other)).text
    await provider.close(other)
    await provider.close(other)
    with pytest.raises(UnknownSession):
        await provider.snapshot(other)
    with pytest.raises(UnknownSession):
        await provider.navigate("never-there", site.url())


async def test_over_ipc_what_pages_say_is_tainted(provider: BrowserProvider, site: Site, folder: Path) -> None:
    async with serve_provider(provider, folder), connect(folder) as client:
        session = (await client.launch()).id
        await client.navigate(session, site.url("index.html"))
        seen = await client.snapshot(session)
        assert seen.external is True
        assert (seen.url, seen.origin) == (site.url("index.html"), site.origin())
        assert seen.time.startswith("20")
        assert seen.content.title == "The test site"
        await client.click(session, 2)
        with pytest.raises(StaleRefs):
            await client.click(session, 2)
        picture = await client.screenshot(session)
        assert picture.external is True
        assert picture.origin == site.origin()
        assert picture.content.startswith(b"\x89PNG")
        with pytest.raises(DomainNotAllowed):
            await client.navigate(session, site.url(host=1))
        await client.close(session)
        with pytest.raises(UnknownSession):
            await client.snapshot(session)


async def test_over_ipc_sessions_belong_to_their_connection(
    provider: BrowserProvider, site: Site, folder: Path, agent_box: RunningBox
) -> None:
    async with serve_provider(provider, folder):
        async with connect(folder) as one, connect(folder) as other:
            session = (await one.launch()).id
            with pytest.raises(UnknownSession):
                await other.navigate(session, site.url())
        with agent_box.client() as client, anyio.fail_after(10):
            # The connection's end is what closes it; that takes a moment.
            while session in client.get("/v1/browser/partitions").text:
                await anyio.lowlevel.checkpoint()


async def test_the_socket_is_closed_to_others(folder: Path) -> None:
    none = await create_provider("none")
    async with serve_provider(none, folder) as token:
        assert os.stat(folder).st_mode & 0o777 == 0o700
        assert os.stat(folder / "browser.sock").st_mode & 0o777 == 0o600
        assert os.stat(folder / "token").st_mode & 0o777 == 0o600
        for wrong in ("", "x", token[:-1], token + "x"):
            with pytest.raises(Unauthorized):
                async with connect(folder, wrong):
                    raise AssertionError("let in")
        async with connect(folder) as client:
            with pytest.raises(ProviderError, match="There is no browser here"):
                await client.launch()
    with pytest.raises(ProviderError, match="No provider serves in"):
        async with connect(folder):
            raise AssertionError("nobody is there")
    os.chmod(folder, 0o755)
    with pytest.raises(BadArgument, match="0700"):
        async with serve_provider(none, folder):
            raise AssertionError("served in the open")


@pytest.mark.parametrize(
    "greeting", ['{"token": "\\ud800"}', '{"token": null}', '{"token": ["x"]}', "{}", "[]", "\\ud800"]
)
async def test_whoever_greets_strangely_is_refused_and_harms_nobody(folder: Path, greeting: str) -> None:
    async with serve_provider(await create_provider("none"), folder):
        async with connect(folder) as client:
            async with await anyio.connect_unix(folder / "browser.sock") as stream:
                await stream.send(greeting.encode() + b"\n")
                assert json.loads(await stream.receive())["error"]["code"] in ("unauthorized", "bad_argument")
            with pytest.raises(ProviderError, match="There is no browser here"):
                await client.launch()


@pytest.mark.parametrize(
    "line",
    [
        b"not json\n",
        b"[1, 2]\n",
        b"[" * 100_000 + b"\n",
        b'{"method": "evaluate", "params": {}}\n',
        b'{"method": "click", "params": {"session": "x", "ref": "0"}}\n',
        b'{"method": "launch", "params": {"config": {"viewport": {"width": true}}}}\n',
        b"x" * (MAX_REQUEST_BYTES + 70_000),
    ],
    ids=["no json", "no object", "deep", "no such method", "wrong type", "bool for int", "too long"],
)
async def test_hostile_lines_are_answered_and_harm_nobody(folder: Path, line: bytes) -> None:
    async with serve_provider(await create_provider("none"), folder) as token:
        async with await anyio.connect_unix(folder / "browser.sock") as stream:
            await stream.send(json.dumps({"token": token}).encode() + b"\n")
            assert json.loads(await stream.receive()) == {"id": None, "result": None}
            try:
                await stream.send(line)
                answer = json.loads(await stream.receive())
                assert answer["error"]["code"] in ("bad_argument", "unknown_session")
            except (anyio.BrokenResourceError, anyio.EndOfStream):
                # Hung up on, in the middle of too long a line.
                assert len(line) > MAX_REQUEST_BYTES
        async with connect(folder) as client:
            with pytest.raises(ProviderError, match="There is no browser here"):
                await client.launch()
