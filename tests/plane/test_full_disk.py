"""A disk that a session filled: the control plane goes on, and the session that filled it can be ended."""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from tests.plane.plane import RunningPlane, running_plane, until

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small disk to fill")

MIB = 1 << 20


@contextmanager
def small_disk(kind: str, size: int = 160 * MIB) -> Iterator[Path]:
    """A real file system of a size that a test can fill."""
    with tempfile.TemporaryDirectory(prefix="belljar-test-", ignore_cleanup_errors=True) as top:
        os.chmod(top, 0o711)
        place, image = Path(top, "disk"), Path(top, "image")
        place.mkdir()
        if kind == "tmpfs":
            mount = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0711", "tmpfs", str(place)]
        else:
            image.touch()
            os.truncate(image, size)
            subprocess.run(["mkfs.ext4", "-q", "-F", str(image)], check=True, capture_output=True)
            mount = ["mount", "-o", "loop", str(image), str(place)]
        subprocess.run(mount, check=True, capture_output=True)
        place.chmod(0o711)
        try:
            yield place
        finally:
            # Lazily: a box that is just being ended may still be there.
            subprocess.run(["umount", "--lazy", str(place)], check=True, capture_output=True)


def start_in(session: dict[str, Any], script: str) -> str:
    answer = _post(session, "/v1/processes", {"command": "bash", "args": ["-c", script]})
    return str(answer["id"])


def _post(session: dict[str, Any], path: str, body: dict[str, Any]) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {session['token']}"}
    answer = httpx.post(session["httpUrl"] + path, json=body, headers=headers, timeout=30)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def process_of(session: dict[str, Any], id: str) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {session['token']}"}
    found: dict[str, Any] = httpx.get(f"{session['httpUrl']}/v1/processes/{id}", headers=headers, timeout=30).json()
    return found


def free(place: Path) -> int:
    about = os.statvfs(place)
    return about.f_bfree * about.f_frsize


def fill_up(place: Path) -> None:
    """To the last byte, from outside: what a session alone may not."""
    with place.joinpath("filler").open("ab", buffering=0) as file:
        for size in (MIB, 4096, 512, 1):
            try:
                while True:
                    os.write(file.fileno(), bytes(size))
            except OSError:
                continue


@pytest.mark.parametrize("kind", ["ext4", pytest.param("tmpfs", marks=pytest.mark.soak)])
def test_a_full_disk_neither_stops_the_plane_nor_the_end_of_the_session_that_filled_it(kind: str) -> None:
    with small_disk(kind) as disk, running_plane("--disk-reserve", "0", state_dir=disk) as plane:
        culprit, other = plane.create(), plane.create()
        start_in(culprit, "while :; do head -c 16M /dev/zero >> ~/fill || sleep 0.1; done")
        until(lambda: free(disk) < 4 * MIB, what="a disk that is nearly full")
        fill_up(disk)
        assert httpx.get(f"{plane.url}/readyz").status_code == 200
        # The registry takes what it is given, though nothing else is taken.
        with plane.client() as client:
            for number in range(20):
                assert client.post("/api/keys", json={"user": f"user-{number}"}).status_code == 201
            assert client.patch(f"/api/sessions/{other['id']}", json={"tags": {"a": "b"}}).status_code == 200
            assert client.delete(f"/api/sessions/{other['id']}").json()["state"] == "stopped"
            ended = client.delete(f"/api/sessions/{culprit['id']}")
            assert (ended.status_code, ended.json()["state"]) == (200, "stopped")
        assert plane.get(culprit["id"])["state"] == "stopped"
        assert not list((disk / "boxes").iterdir())
        (disk / "filler").unlink()
        until(lambda: free(disk) > 100 * MIB, what="what the session had taken")
        assert plane.create()["state"] == "running"


def test_whoever_writes_into_the_reserve_is_stopped_and_nobody_else() -> None:
    flags = ("--disk-reserve", "160", "--queue-wait", "1")
    with small_disk("ext4", 400 * MIB) as disk, running_plane(*flags, state_dir=disk) as plane:
        culprit, other = plane.create(), plane.create()
        quiet = start_in(other, "exec 3> ~/open; while :; do echo line >&3; sleep 0.2; done")
        greedy = start_in(culprit, "while :; do head -c 2M /dev/zero; sleep 0.02; done > ~/fill")
        until(lambda: process_of(culprit, greedy).get("signal") == "SIGKILL", what="the end of the writer")
        assert free(disk) > 16 * MIB
        assert process_of(other, quiet)["status"] == "running"
        with plane.client() as client:
            health = client.get(f"/s/{culprit['id']}/v1/health").json()
            assert health["isolation"]["diskStops"] >= 1
            # No session is begun on what is left.
            with (disk / "filler").open("wb") as filler:
                os.posix_fallocate(filler.fileno(), 0, max(1, free(disk) - 100 * MIB))
            refused = client.post("/api/sessions", json={"mode": "none"})
            assert (refused.status_code, refused.json()["code"]) == (429, "no_room")
            (disk / "filler").unlink()
            assert client.delete(f"/api/sessions/{culprit['id']}").json()["state"] == "stopped"
        until(lambda: free(disk) > 200 * MIB, what="what the session had taken")
        assert plane.create()["state"] == "running"


def test_every_session_has_a_limit_and_says_who_holds_it(plane: RunningPlane) -> None:
    session = plane.create()
    assert session["isolation"]["disk"] == {"limitBytes": 4 << 30, "enforcedBy": "image"}
    headers = {"Authorization": f"Bearer {session['token']}"}
    health = httpx.get(f"{session['httpUrl']}/v1/health", headers=headers).json()
    assert health["isolation"]["disk"] == session["isolation"]["disk"]
    size = _post(session, "/v1/processes/run", {"command": "df", "args": ["--output=size", "-B1M", "."]})
    assert 3900 < int(size["stdout"].split()[1]) < 4100


@pytest.fixture(scope="module")
def plane() -> Iterator[RunningPlane]:
    with running_plane() as running:
        yield running
