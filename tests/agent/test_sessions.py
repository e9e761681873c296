"""The tool and the provider on a session of a real `belljar serve`, through its gateway."""

from collections.abc import Iterator
from pathlib import Path

import httpx2 as httpx
import pytest

from belljar.agent.provider import BrowserConfig, create_provider
from belljar.agent.provider.settings import ProviderSettings
from belljar.agent.tool import BrowserTool
from belljar.sdk.aio.client import AsyncBelljar
from tests.agent.tool.conftest import fields
from tests.plane.plane import RunningPlane, running_plane

PAGE = b"<!doctype html><title>Of the workspace</title><p>hello</p>"


@pytest.fixture(scope="module")
def plane() -> Iterator[RunningPlane]:
    with running_plane() as running:
        yield running


async def test_a_session_serves_the_tool_and_its_files(
    plane: RunningPlane, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BELLJAR_STATE_DIR", str(tmp_path))
    async with (
        AsyncBelljar(plane.url, plane.key) as jar,
        await jar.sessions.create(headless=True) as session,
    ):
        await session.files.write("/workspace/index.html", PAGE)
        tool = BrowserTool(session.info.http_url, session.info.token)
        text = await tool.call_async({"operation": "screenshot", "url": "file:///workspace/index.html"})
        told = fields(text)
        assert told["STATUS"] == "OK", text
        assert told["TITLE"] == "Of the workspace"
        assert told["DOWNLOAD"].startswith(f"/s/{session.id}/api/download/screenshot-")
        async with httpx.AsyncClient(base_url=plane.url) as client:
            assert (await client.get(told["DOWNLOAD"])).status_code == 401
            bearer = {"Authorization": f"Bearer {session.info.token}"}
            assert (await client.get(told["DOWNLOAD"], headers=bearer)).content.startswith(b"\x89PNG")


async def test_the_remote_provider_borrows_sessions_and_gives_them_back(plane: RunningPlane) -> None:
    provider = await create_provider("remote", ProviderSettings(url=plane.url, token=plane.key))
    session = await provider.launch(BrowserConfig())
    async with AsyncBelljar(plane.url, plane.key) as jar:
        assert len((await jar.sessions.list(state=["running"])).sessions) == 1
        assert (await provider.snapshot(session.id)).url == "about:blank"
        await provider.aclose()
        assert (await jar.sessions.list(state=["running"])).sessions == []
