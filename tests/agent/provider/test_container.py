"""A provider with a box of its own for each session, kept to its domains by the egress policy."""

import os

import pytest

from belljar.agent.provider import BrowserConfig, DomainNotAllowed, Viewport, create_provider
from belljar.agent.provider.settings import ProviderSettings
from tests.agent.conftest import made_up
from tests.site import Site


async def test_strict_keeps_everything_to_the_domains(site: Site) -> None:
    before = _boxes()
    settings = ProviderSettings(browser_allowed_domains=("127.0.0.1",), browser_allowed_domains_strict=True)
    provider = await create_provider("container", settings)
    try:
        session = (await provider.launch(BrowserConfig(viewport=Viewport(640, 480)))).id
        picture = site.url("picture.png?fetched-elsewhere", host=1)
        own = site.url("picture.png?fetched-here")
        script = (
            f"const done = () => document.title = 'done', elsewhere = () => fetch('{picture}', {{mode: 'no-cors'}});"
            f"fetch('{own}').then(elsewhere).then(done, done)"
        )
        await provider.navigate(session, made_up(site, f"<script>{script}</script>"))
        for _ in range(100):
            if (await provider.snapshot(session)).title == "done":
                break
        asked = [path for _, path, _ in site.requests]
        assert [path for path in asked if "fetched-here" in path]
        assert not [path for path in asked if "fetched-elsewhere" in path and "picture" in path and "html" not in path]
        with pytest.raises(DomainNotAllowed):
            await provider.navigate(session, site.url(host=1))
        assert (await provider.screenshot(session)).startswith(b"\x89PNG")
    finally:
        await provider.aclose()
    assert _boxes() == before


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
