"""Folders that somebody hostile has filled: counted, copied and removed without being led away."""

import errno
import os
from pathlib import Path

import pytest

from belljar.safe_files import (
    NotRegular,
    TooDeep,
    copy_tree,
    open_beneath,
    open_regular,
    opened_folder,
    remove_folder,
    size_of_tree,
)


def make_deep(top: Path, depth: int) -> None:
    """Deeper than a path can say: step by step."""
    here = os.open(top, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)


@pytest.mark.parametrize(
    ("path", "number"),
    [("link", errno.ELOOP), ("way/file", errno.ELOOP), ("../outside", errno.EXDEV), ("/etc/passwd", errno.EXDEV)],
)
def test_nothing_is_opened_by_way_of_a_link_or_outside(tmp_path: Path, path: str, number: int) -> None:
    top = tmp_path / "top"
    top.mkdir()
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/file").write_text("secret")
    (top / "link").symlink_to(tmp_path / "outside/file")
    (top / "way").symlink_to(tmp_path / "outside")
    with opened_folder(top) as descriptor, pytest.raises(OSError) as refused:
        open_beneath(descriptor, path, os.O_RDONLY)
    assert refused.value.errno == number


def test_only_a_regular_file_is_read_and_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with opened_folder(tmp_path) as top:
        for name in ("pipe", "."):
            with pytest.raises(NotRegular):
                open_regular(top, name)


def test_a_copy_has_files_and_links_and_nothing_that_links_lead_to(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for folder in (old, new, old / "a", old / "a/Cache", old / "b"):
        folder.mkdir()
    (old / "a/file").write_text("content")
    (old / "a/file").chmod(0o755)
    (old / "a/Cache/big").write_text("left out")
    (old / "b/link").symlink_to("/etc/passwd")
    os.mkfifo(old / "b/pipe")
    with opened_folder(old) as source, opened_folder(new) as target:
        copy_tree(source, target, skip=("*Cache",))
    assert sorted(str(path.relative_to(new)) for path in new.rglob("*")) == ["a", "a/file", "b", "b/link"]
    assert (new / "a/file").read_text() == "content" and (new / "a/file").stat().st_mode & 0o777 == 0o755
    assert os.readlink(new / "b/link") == "/etc/passwd"


def test_what_is_below_is_counted_to_a_depth_and_removed_beyond_it(tmp_path: Path) -> None:
    top = tmp_path / "top"
    top.mkdir()
    make_deep(top, 100)
    (top / "file").write_bytes(bytes(1 << 20))
    with opened_folder(top) as descriptor:
        assert size_of_tree(descriptor) >= 1 << 20
    other = tmp_path / "other"
    other.mkdir()
    make_deep(other, 3000)
    with opened_folder(other) as descriptor, pytest.raises(TooDeep):
        size_of_tree(descriptor)
    for folder in (top, other):
        remove_folder(folder)
        assert not folder.exists()
