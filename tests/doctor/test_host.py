"""The checks of the machine."""

import socket
from pathlib import Path

from belljar.doctor.host import check_memory, check_port, check_shared_memory, check_state_dir
from belljar.doctor.trial import Level


def test_a_taken_port_is_a_warning_with_another_way() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        finding = check_port(port)
        assert (finding.level, finding.fix) == (Level.WARNING, "belljar box --port 0")
    assert check_port(port).is_ok


def test_a_state_directory_that_does_not_exist_can_be_made(tmp_path: Path) -> None:
    finding = check_state_dir(tmp_path / "a/b")
    assert finding.is_ok
    assert "will be made" in finding.detail
    assert list(tmp_path.iterdir()) == []


def test_a_state_directory_that_cannot_be_written_is_missing() -> None:
    assert check_state_dir(Path("/proc/belljar")).level is Level.MISSING


def test_little_memory_is_a_warning(tmp_path: Path) -> None:
    meminfo = tmp_path / "meminfo"
    meminfo.write_text("MemTotal:  2000000 kB\nMemFree:  90000 kB\nMemAvailable:  500000 kB\n")
    assert check_memory(meminfo).level is Level.WARNING
    assert check_memory().detail.endswith("MiB")


def test_shared_memory_that_is_not_there_is_a_warning(tmp_path: Path) -> None:
    assert check_shared_memory(tmp_path / "shm").level is Level.WARNING
