"""Starting Chromium: pipes, process, sandbox, the first answer, and how long each step took."""

import fcntl
import os
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace

import anyio

from belljar.box.browser.cdp import CdpGone, Connection
from belljar.box.browser.cdp.replies import Version
from belljar.box.browser.chromium.flags import ChromiumOptions, command_line
from belljar.box.process import Process, Processes, ProcessOwner, Program
from belljar.logs import log
from belljar.wire.processes import LogStream


class Timings:
    def __init__(self) -> None:
        self.steps: dict[str, float] = {}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        began = time.perf_counter()
        try:
            yield
        finally:
            self.steps[name] = round((time.perf_counter() - began) * 1000, 1)


# As much as an ordinary user may have in one pipe: large messages take few turns.
PIPE_SIZE = 1 << 20
NO_SANDBOX = ("No usable sandbox", "Running as root without --no-sandbox", "Failed to move to new namespace")


# Lines of what Chromium wrote that a failed start is told with.
MOST_LINES = 8
# In those: folders of this host, passwords in addresses, and whatever is long and random enough to be a secret.
_PRIVATE = (
    (re.compile(r"(?<![\w:])(?:/[\w.+@~-]+)+/([\w.+@~-]+)"), r"…/\1"),
    (re.compile(r"://[^/\s@]+@"), "://…@"),
    (re.compile(r"\b[A-Za-z0-9_-]{24,}\b"), "…"),
)


class LaunchError(Exception):
    """Chromium did not come up.  The message says how; `lines` are its own last words, fit to be shown to a caller."""

    def __init__(self, how: str, said: Sequence[str]) -> None:
        super().__init__(how)
        # As it wrote them: for the log, and to find out what it lacked.
        self.said = tuple(said)

    @property
    def lines(self) -> list[str]:
        return [redacted(line) for line in self.said]


@dataclass(frozen=True)
class Launched:
    """A Chromium that answers."""

    process: Process
    connection: Connection
    # CDP's Browser.getVersion.
    version: Version
    # Why its own sandbox is off; None where it is on.
    no_sandbox_reason: str | None


async def launch(processes: Processes, options: ChromiumOptions, env: Mapping[str, str], timeout: float) -> Launched:
    """Start Chromium and wait for its first answer, for `timeout` seconds at most.

    The sandbox is on.  Where the host does not let this user have one, Chromium says so and exits at once, and
    only then is it started without: this is the probe, and it costs nothing where the sandbox works.
    """
    try:
        return await _launch_once(processes, options, env, None, timeout)
    except LaunchError as error:
        reason = next((words for words in NO_SANDBOX if any(words in line for line in error.said)), None)
        if reason is None or not options.has_sandbox:
            raise
        log.warning("browser.no_sandbox", reason=reason)
        return await _launch_once(processes, replace(options, has_sandbox=False), env, reason, timeout)


async def _launch_once(
    processes: Processes, options: ChromiumOptions, env: Mapping[str, str], no_sandbox: str | None, timeout: float
) -> Launched:
    program = Program(
        command=str(options.executable),
        args=command_line(options),
        env=env,
        cwd=env["HOME"],
        owner=ProcessOwner.DESKTOP,
    )
    their_read, our_write = _pipe()
    our_read, their_write = _pipe()
    try:
        process = await processes.start(program, descriptors={3: their_read, 4: their_write})
    except BaseException:
        os.close(our_read)
        os.close(our_write)
        raise
    finally:
        os.close(their_read)
        os.close(their_write)
    connection = Connection(our_read, our_write)
    try:
        with anyio.fail_after(timeout):
            version = await _first_answer(process, connection)
    except TimeoutError as error:
        await _give_up(process, connection)
        raise LaunchError(f"Chromium did not answer within {timeout:g} s", last_lines(process)) from error
    except CdpGone as error:
        await _give_up(process, connection)
        raise LaunchError(
            f"Chromium ended as soon as it had been started{_how(process)}", last_lines(process)
        ) from error
    except BaseException:
        await _give_up(process, connection)
        raise
    return Launched(process, connection, version, no_sandbox)


async def _first_answer(process: Process, connection: Connection) -> Version:
    """Its version; `CdpClosed` as soon as it has exited instead."""

    async def close_when_gone() -> None:
        await process.wait()
        connection.close()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(close_when_gone, name="chromium's first breath")
        with suppress(CdpGone):
            version = await connection.browser.send_as(Version, "Browser.getVersion")
            tasks.cancel_scope.cancel()
            return version
        tasks.cancel_scope.cancel()
    raise CdpGone("Chromium exited")


async def _give_up(process: Process, connection: Connection) -> None:
    connection.close()
    with anyio.move_on_after(5, shield=True):
        await process.kill()


def last_lines(process: Process) -> list[str]:
    """The end of what it wrote."""
    entries = process.logs.read(streams=(LogStream.STDOUT, LogStream.STDERR), tail=40)
    written = b"".join(entry.data for entry in entries).decode("utf-8", "replace").split("\n")
    return [line.strip()[:500] for line in written if line.strip()][-MOST_LINES:]


def redacted(line: str) -> str:
    """The line without what is this host's own business."""
    for pattern, instead in _PRIVATE:
        line = pattern.sub(instead, line)
    return line


def _how(process: Process) -> str:
    exit = process.exit
    if exit is None:
        return ""
    return f" (exit code {exit.code})" if exit.code is not None else f" ({exit.signal_name})"


def _pipe() -> tuple[int, int]:
    read, write = os.pipe()
    with suppress(OSError):
        fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, PIPE_SIZE)
    return read, write
