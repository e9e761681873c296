"""Paths: rewritten to what the box knows, and kept inside the workspace."""

import os
from pathlib import Path

import anyio
import pytest

from belljar.agent.tool.failure import ToolFailure
from belljar.agent.tool.request import read_request
from belljar.agent.tool.workspace import HostShelf, Workspace

HOST = Path("/srv/project")


@pytest.mark.parametrize(
    ("given", "known"),
    [
        ("file:///srv/project/app/index.html", "file:///workspace/app/index.html"),
        ("file:///workspace/app/index.html", "file:///workspace/app/index.html"),
        ("file://localhost/srv/project/a%20b.html?x=1#y", "file:///workspace/a%20b.html?x=1#y"),
        ("/srv/project/index.html", "file:///workspace/index.html"),
        ("/workspace/index.html", "file:///workspace/index.html"),
        ("https://example.com/srv/project", "https://example.com/srv/project"),
        ("about:blank", "about:blank"),
    ],
)
def test_addresses_are_rewritten(given: str, known: str) -> None:
    assert Workspace(HOST).url(given) == known


@pytest.mark.parametrize(
    ("given", "inside"),
    [
        ("shot.png", "shot.png"),
        ("a/./b/../shot.png", "a/shot.png"),
        ("/workspace/a/shot.png", "a/shot.png"),
        ("/srv/project/a/shot.png", "a/shot.png"),
    ],
)
def test_paths_are_relative_to_the_workspace(given: str, inside: str) -> None:
    assert Workspace(HOST).path(given) == inside


@pytest.mark.parametrize(
    "path",
    [
        "../shot.png",
        "/etc/passwd",
        "a/../../shot.png",
        "/workspace/../etc/x",
        "/srv/project2/x",
        "x\0y",
        "x\ny",
        "",
        "a/",
        ".",
    ],
)
def test_no_path_leads_out(path: str) -> None:
    with pytest.raises(ToolFailure):
        Workspace(HOST).path(path)


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "file:///workspace/../etc/passwd", "file:///srv/project/%2e%2e/x", "file://nas/x"]
)
def test_no_file_address_leads_out(url: str) -> None:
    with pytest.raises(ToolFailure):
        Workspace(HOST).url(url)


def test_a_running_box_knows_no_path_of_ours() -> None:
    assert Workspace().path("/workspace/x.png") == "x.png"
    with pytest.raises(ToolFailure):
        Workspace().path("/srv/project/x.png")


def test_every_sub_action_is_rewritten() -> None:
    request = read_request(
        {
            "operation": "interact",
            "url": "file:///srv/project/index.html",
            "actions": [
                {"action": "goto", "url": "file:///srv/project/b.html"},
                {"action": "screenshot", "out_path": "/srv/project/shots/b.png"},
            ],
        }
    )
    dumped = Workspace(HOST).rewritten(request).model_dump()
    assert dumped["url"] == "file:///workspace/index.html"
    assert dumped["actions"][0]["url"] == "file:///workspace/b.html"
    assert dumped["actions"][1]["out_path"] == "shots/b.png"


async def test_files_are_written_below_the_folder_and_over_no_link(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    folder = tmp_path / "workspace"
    folder.mkdir()
    saved = await HostShelf(folder).save("a/b/shot.png", b"picture")
    assert await anyio.Path(saved.download).read_bytes() == b"picture"
    assert saved.path == "/workspace/a/b/shot.png"
    os.symlink(outside, folder / "link")
    with pytest.raises(ToolFailure):
        await HostShelf(folder).save("link/shot.png", b"picture")
    os.symlink(outside / "victim", folder / "file.png")
    await HostShelf(folder).save("file.png", b"picture")
    assert await anyio.Path(folder / "file.png").read_bytes() == b"picture"
    assert not await anyio.Path(outside / "victim").exists()


async def test_where_nothing_can_be_written_the_name_is_not_blamed() -> None:
    with pytest.raises(ToolFailure, match="cannot be written") as failed:
        await HostShelf(Path("/proc")).save("shot.png", b"picture")
    assert failed.value.hint == "Give another out_path, or leave it out."
    with pytest.raises(ToolFailure, match="cannot be written") as failed:
        await HostShelf(Path("/sys")).save("shot.png", b"picture")
    assert "room" in failed.value.hint


async def test_names_that_are_chosen_are_free(tmp_path: Path) -> None:
    shelf = HostShelf(tmp_path)
    names = {(await shelf.save(None, b"x")).path for _ in range(5)}
    assert len(names) == 5
