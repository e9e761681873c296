"""Starting Chromium: pipes, process, sandbox, and the first answer."""

import fcntl
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

import anyio
import structlog

from belljar.box.browser.cdp import CdpGone, Connection
from belljar.box.browser.flags import ChromiumOptions, command_line
from belljar.box.process import Process, Processes, ProcessOwner, Program, User
from belljar.wire.processes import LogStream

log = structlog.get_logger(__name__)

# A busy host starts Chromium in seconds; past this it hangs.
START_TIMEOUT = 30.0
# As much as an ordinary user may have in one pipe: large messages take few turns.
PIPE_SIZE = 1 << 20
NO_SANDBOX = ("No usable sandbox", "Running as root without --no-sandbox", "Failed to move to new namespace")


class LaunchError(Exception):
    """Chromium did not come up; the message has its own last words."""


@dataclass(frozen=True)
class Launched:
    """A Chromium that answers."""

    process: Process
    connection: Connection
    # CDP's Browser.getVersion.
    version: Mapping[str, str]
    # Why its own sandbox is off; None where it is on.
    no_sandbox_reason: str | None


async def launch(processes: Processes, options: ChromiumOptions, env: Mapping[str, str], user: User | None) -> Launched:
    """Start Chromium and wait for its first answer.

    The sandbox is on.  Where the host does not let this user have one, Chromium says so and exits at once, and
    only then is it started without: this is the probe, and it costs nothing where the sandbox works.
    """
    try:
        return await _launch_once(processes, options, env, user, None)
    except LaunchError as error:
        reason = next((words for words in NO_SANDBOX if words in str(error)), None)
        if reason is None or not options.has_sandbox:
            raise
        log.warning("browser.no_sandbox", reason=reason)
        return await _launch_once(processes, replace(options, has_sandbox=False), env, user, reason)


async def _launch_once(
    processes: Processes, options: ChromiumOptions, env: Mapping[str, str], user: User | None, no_sandbox: str | None
) -> Launched:
    program = Program(
        command=str(options.executable),
        args=command_line(options),
        env=env,
        cwd=env["HOME"],
        owner=ProcessOwner.DESKTOP,
        user=user,
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
        with anyio.fail_after(START_TIMEOUT):
            version = await _first_answer(process, connection)
    except (CdpGone, TimeoutError) as error:
        await _give_up(process, connection)
        raise LaunchError(f"Chromium did not come up{last_words(process)}") from error
    except BaseException:
        await _give_up(process, connection)
        raise
    return Launched(process, connection, version, no_sandbox)


async def _first_answer(process: Process, connection: Connection) -> dict[str, str]:
    """Its version; `CdpClosed` as soon as it has exited instead."""

    async def close_when_gone() -> None:
        await process.wait()
        connection.close()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(close_when_gone, name="chromium's first breath")
        with suppress(CdpGone):
            version: dict[str, str] = await connection.browser.send("Browser.getVersion")
            tasks.cancel_scope.cancel()
            return version
        tasks.cancel_scope.cancel()
    raise CdpGone("Chromium exited")


async def _give_up(process: Process, connection: Connection) -> None:
    connection.close()
    with anyio.move_on_after(5, shield=True):
        await process.kill()


def last_words(process: Process) -> str:
    """The end of what it wrote, for the log and for a person to see why it would not run."""
    entries = process.logs.read(streams=(LogStream.STDOUT, LogStream.STDERR), tail=40)
    written = b"".join(entry.data for entry in entries).decode("utf-8", "replace").split("\n")
    said = [line.strip() for line in written if line.strip()]
    return f": {' / '.join(said[-8:])}" if said else ""


def _pipe() -> tuple[int, int]:
    read, write = os.pipe()
    with suppress(OSError):
        fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, PIPE_SIZE)
    return read, write
