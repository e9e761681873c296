"""A strict allowlist: not a picture, not a script comes from elsewhere, whoever runs the box."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from belljar.agent.provider import BrowserConfig, BrowserProvider, DomainNotAllowed, ProviderError, create_provider
from belljar.agent.provider.settings import ProviderSettings
from tests.agent.conftest import made_up
from tests.plane.plane import USUAL, running_plane
from tests.servers import RunningBox, running_box
from tests.site import Site

STRICT = {"browser_allowed_domains": ("127.0.0.1",), "browser_allowed_domains_strict": True}
JAILED = tuple(flag for flag in USUAL if flag not in ("--jail", "off"))


@asynccontextmanager
async def opened(name: str, **settings: object) -> AsyncIterator[BrowserProvider]:
    provider = await create_provider(name, ProviderSettings(**settings))
    try:
        yield provider
    finally:
        await provider.aclose()


async def fetched(provider: BrowserProvider, session: str, site: Site, mark: str) -> tuple[bool, bool]:
    """Whether a page on the first host got pictures from its own host, and from the second."""
    own, elsewhere = (site.url(f"picture.png?{mark}-{host}", host=host) for host in (0, 1))
    script = (
        f"const fetched = url => fetch(url, {{mode: 'no-cors'}}).catch(() => 0);"
        f"fetched('{own}').then(() => fetched('{elsewhere}')).then(() => document.title = 'done')"
    )
    await provider.navigate(session, made_up(site, f"<script>{script}</script>"))
    for _ in range(200):
        if (await provider.snapshot(session)).title == "done":
            break
    asked = {path for _, path, _ in site.requests}
    return f"/picture.png?{mark}-0" in asked, f"/picture.png?{mark}-1" in asked


async def test_a_container_reaches_nothing_else(site: Site) -> None:
    before = _boxes()
    async with opened("container", **STRICT) as provider:
        session = (await provider.launch(BrowserConfig())).id
        assert await fetched(provider, session, site, "container") == (True, False)
        with pytest.raises(DomainNotAllowed):
            await provider.navigate(session, site.url(host=1))
        assert (await provider.screenshot(session)).startswith(b"\x89PNG")
    assert _boxes() == before


async def test_a_box_of_ones_own_is_narrowed(site: Site) -> None:
    with running_box() as box, box.client() as client:
        where = {"url": box.url, "token": box.token}
        async with opened("remote", **STRICT, **where, browser_own_box=True) as provider:
            for mark in ("first", "second"):
                session = (await provider.launch(BrowserConfig())).id
                assert await fetched(provider, session, site, mark) == (True, False)
        assert client.get("/v1/egress/policy").json()["policy"] == "deny * except 127.0.0.1\nuse open"


async def test_a_box_of_others_is_not(site: Site, agent_box: RunningBox) -> None:
    where = {"url": agent_box.url, "token": agent_box.token}
    async with opened("remote", **STRICT, **where) as provider:
        with pytest.raises(ProviderError, match="BELLJAR_BROWSER_OWN_BOX=1"):
            await provider.launch(BrowserConfig())
    async with opened("remote", **(STRICT | {"browser_allowed_domains_strict": False}), **where) as provider:
        session = (await provider.launch(BrowserConfig())).id
        assert await fetched(provider, session, site, "others") == (True, True)


async def test_a_box_without_a_jail_cannot_be_strict() -> None:
    with running_box("--jail", "off") as box:
        async with opened("remote", **STRICT, url=box.url, token=box.token, browser_own_box=True) as provider:
            with pytest.raises(ProviderError, match="jail"):
                await provider.launch(BrowserConfig())


async def test_a_control_plane_lends_a_session_that_reaches_nothing_else(site: Site) -> None:
    with running_plane("--egress", "open", usual=JAILED) as plane:
        where = {"url": plane.url, "token": plane.key}
        async with opened("remote", **STRICT, **where) as provider:
            session = (await provider.launch(BrowserConfig())).id
            assert await fetched(provider, session, site, "lent") == (True, False)
        with plane.client() as client:
            assert {one["state"] for one in client.get("/api/sessions").json()["sessions"]} == {"stopped"}


def _boxes() -> set[str]:
    """Boxes that this process started, and that still run."""
    return {name for name in os.listdir("/proc") if name.isdigit() and _is_ours(name)}


def _is_ours(pid: str) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            parent = file.read().rpartition(")")[2].split()[1]
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return int(parent) == os.getpid() and b"belljar\0box" in file.read()
    except (OSError, IndexError):
        return False
