"""A box's record is signed as it is written, and whoever has its folder can tell."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx2 as httpx
import msgspec
import pytest

from belljar.record.chain import open_files, verify
from belljar.record.segments import Reader, segments
from tests.servers import PATIENCE, running_box


@pytest.fixture
def state() -> Iterator[Path]:
    """Where a box's programs, which run as another user, can pass."""
    with tempfile.TemporaryDirectory(prefix="belljar-test-", ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o711)
        yield Path(folder)


def belljar(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "belljar", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)


def do_something(http: httpx.Client, times: int = 3) -> None:
    for _ in range(times):
        assert http.post("/v1/processes/run", json={"command": "true"}).status_code == 200


def test_a_box_that_ended_by_itself_has_all_of_its_record_signed(state: Path) -> None:
    with running_box("--jail", "off", "--state-dir", str(state)) as box, box.client() as http:
        do_something(http)
        proof = http.get("/v1/events/proof").json()
        assert proof["head"]["seq"] == http.get("/v1/events").json()["newest"]
        # What signs is in the interpreter already: another OpenSSL would be an eighth of an idle box.
        assert "cryptography" not in Path(f"/proc/{box.process.pid}/maps").read_text()
    assert (state / "record.key").stat().st_mode & 0o777 == 0o600
    key = belljar("events", "key", "--state-dir", state)
    assert msgspec.json.decode(key.stdout)["publicKey"] == proof["key"]["publicKey"]
    (state / "box.pub").write_text(key.stdout)
    found = belljar("events", "verify", state, "--key", state / "box.pub", "--json")
    verdict = msgspec.json.decode(found.stdout)
    assert (found.returncode, verdict["isWhole"], verdict["unsignedFrom"], verdict["isKeyTrusted"]) == (
        0,
        True,
        None,
        True,
    )
    assert verdict["last"] == verdict["signed"] > proof["head"]["seq"]


def test_one_flipped_bit_and_a_foreign_key_end_with_1(state: Path) -> None:
    with running_box("--jail", "off", "--state-dir", str(state)) as box, box.client() as http:
        do_something(http)
    other = belljar("events", "verify", state, "--key", "A" * 43 + "=")
    assert other.returncode == 1
    assert "neither one that is trusted" in other.stdout
    path = segments(state / "record")[-1].path
    content = bytearray(path.read_bytes())
    content[content.index(b'"runProcess') + 3] ^= 1
    path.write_bytes(content)
    found = belljar("events", "verify", state)
    assert found.returncode == 1
    assert "changed" in found.stdout
    assert "does not fit" in found.stdout


def test_of_a_killed_box_verify_says_from_where_on_nothing_is_signed(state: Path) -> None:
    with running_box("--jail", "off", "--state-dir", str(state)) as box, box.client() as http:
        do_something(http)
        signed = http.get("/v1/events/proof").json()["head"]["seq"]
        os.kill(box.process.pid, signal.SIGKILL)
        box.process.wait(PATIENCE)
    # As if it had been killed between writing events and signing them.
    heads = state / "record/heads.jsonl"
    kept = [line for line in heads.read_bytes().splitlines(keepends=True) if msgspec.json.decode(line)["seq"] < signed]
    heads.write_bytes(b"".join(kept))
    last = len(list(Reader(state / "record").lines()))
    found = belljar("events", "verify", state)
    at = msgspec.json.decode(kept[-1])["seq"] + 1 if kept else 1
    assert found.returncode == 3, found.stdout
    assert f"From event {at} on nothing is signed" in found.stdout
    assert last >= at
    # The next box with this folder goes on, and vouches for what it found.
    with running_box("--jail", "off", "--state-dir", str(state)) as box, box.client() as http:
        do_something(http, 1)
    with open_files(state) as files:
        verdict = verify(files)
    assert (verdict.faults, verdict.unsigned_from) == ([], None)


@pytest.mark.parametrize("target", ["none", "empty"])
def test_what_is_no_record_ends_with_2(state: Path, target: str) -> None:
    (state / "empty").mkdir()
    found = belljar("events", "verify", state / target)
    assert found.returncode == 2
    assert found.stderr.startswith("belljar: There is no ")
    assert belljar("events", "key", "--state-dir", state / target).returncode == 2
    assert belljar("events", "verify", state, "--key", "no key").returncode == 2


def test_a_viewer_may_have_the_proof_and_nobody_without_a_token(state: Path) -> None:
    with running_box("--jail", "off", "--state-dir", str(state)) as box:
        with box.client() as http:
            view = http.post("/v1/tokens", json={"role": "view"})
            assert view.status_code == 200, view.text
        bearer = {"Authorization": f"Bearer {view.json()['token']}"}
        with httpx.Client(base_url=box.url, headers=bearer, timeout=PATIENCE) as viewer:
            assert viewer.get("/v1/events/proof").status_code == 200
        assert httpx.get(f"{box.url}/v1/events/proof", timeout=PATIENCE).status_code == 401


def test_a_folder_where_no_key_can_be_kept_stops_no_box(state: Path) -> None:
    (state / "record.key").mkdir()
    with running_box("--jail", "off", "--state-dir", str(state)) as box, box.client() as http:
        do_something(http, 1)
        assert http.get("/v1/events/proof").status_code == 404
