"""Where logs go, when it takes no more, and how long it may get."""

import json
import subprocess
import sys
from pathlib import Path

from belljar.logs import KEPT_BYTES, MOST_BYTES

LOGGING = """
import logging, sys
from belljar.logs import log, set_up_logs

set_up_logs("json", "info", is_bounded=True)
for number in range(int(sys.argv[1])):
    log.info("line", number=number, filling="x" * int(sys.argv[2]))
    logging.getLogger("library").warning("of a library")
print("went on")
"""


def log_to(path: Path, lines: int, length: int) -> str:
    with path.open("ab") as errors:
        done = subprocess.run(
            [sys.executable, "-c", LOGGING, str(lines), str(length)],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            timeout=60,
            check=True,
        )
    return done.stdout


def test_a_disk_that_takes_no_more_ends_nothing() -> None:
    assert log_to(Path("/dev/full"), lines=100, length=1000) == "went on\n"


def test_a_log_that_nobody_rotates_keeps_its_end(tmp_path: Path) -> None:
    file = tmp_path / "log"
    assert log_to(file, lines=40, length=1 << 20) == "went on\n"
    size = file.stat().st_size
    assert KEPT_BYTES <= size < MOST_BYTES
    lines = file.read_text().splitlines()
    assert lines[0].startswith("{") and '"number": 39' in "".join(lines[-2:])


def test_one_that_is_short_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "log"
    log_to(file, lines=10, length=1 << 20)
    assert '"number": 0' in file.read_text().splitlines()[0]


def test_a_line_is_json_that_a_terminal_takes_for_no_command() -> None:
    """Whichever encoder writes it: one is quick and takes plain values alone."""
    program = """
from belljar.logs import log, set_up_logs

set_up_logs("json", "info")
log.info("plain", path="/a b", number=1, none=None)
log.info("odd", text="\\x1b[2J \\x9b2J caf\\u00e9", thing=object, huge=10**30)
"""
    words = [sys.executable, "-c", program]
    done = subprocess.run(words, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, timeout=60, check=True)
    assert done.stderr.isascii() and b"\x1b" not in done.stderr
    plain, odd = (json.loads(line) for line in done.stderr.splitlines())
    assert (plain["event"], plain["path"], plain["number"], plain["none"]) == ("plain", "/a b", 1, None)
    assert (odd["text"], odd["huge"]) == ("\x1b[2J \x9b2J caf\u00e9", 10**30) and "object" in odd["thing"]
