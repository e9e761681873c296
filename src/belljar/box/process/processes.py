"""The process runtime: starts programs, knows them by id, starts them again, ends them all."""

import os
import socket
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from errno import ECONNREFUSED, EIO
from signal import SIGKILL

import anyio
from anyio.abc import TaskGroup

from belljar.box.process.keeper import Keeper, OnLink, open_keeper
from belljar.box.process.life import Life, Outcome, begin, run_once
from belljar.box.process.link import RunStarter, StarterLost, StartFailed
from belljar.box.process.logs import LogRing
from belljar.box.process.process import Process, State
from belljar.box.process.program import RAN_WELL, Exit, Program, clean_environment, delay_before, should_restart
from belljar.box.record.bus import SYSTEM, Bus, whoever_acts
from belljar.limits import MAX_ENDED_LOG_BYTES, MAX_ENDED_PROCESSES, MAX_PROGRAM_BYTES, MAX_RUNS
from belljar.logs import log
from belljar.problems import Conflict, InvalidRequest, NotFound, StreamError
from belljar.tasks import background, the_only_one
from belljar.wire.processes import ProcessConfig, ProcessOwner
from belljar.wire.record import EventKind

# Logs of ended processes are weighed together after every so many bytes.
WEIGH_EVERY = 1024 * 1024
# How long everything together may take to end by itself when the server stops.
GRACE = 2.0


DEFAULT_CONFIG = ProcessConfig(
    max_concurrent_processes=64,
    default_run_timeout_ms=30_000,
    max_run_timeout_ms=300_000,
    max_output_bytes=1024 * 1024,
    max_log_bytes_per_process=10 * 1024 * 1024,
    max_input_bytes_per_request=64 * 1024,
)


class Processes:
    """Every process of the box, of all owners.  Opened by `open_processes`."""

    def __init__(
        self,
        keeper: Keeper,
        tasks: TaskGroup,
        environment: Mapping[str, str],
        bus: Bus,
        *,
        may_be_root: bool = False,
    ) -> None:
        self._bus = bus
        self.config = DEFAULT_CONFIG
        self.environment = environment
        self.keeper = keeper
        # Whoever starts everything but our own code, once there is one: in a jail, or as a user without our rights.
        self._apart: Keeper | None = None
        self._apart_environment: Mapping[str, str] = {}
        self.is_jailed = False
        # Nothing untrusted ever runs as root, unless a test says so.
        self._may_be_root = may_be_root
        # Running programs of our own, which no caller sees and no limit counts.
        self._own: set[Process] = set()
        self._tasks = tasks
        self._by_id: dict[str, Process] = {}
        self._last_number = 0
        # Those that have ended for good, the oldest first, and what they wrote since their logs were last weighed.
        self._ended: dict[str, Process] = {}
        self._unweighed = 0
        self._starting = 0
        self._runs: set[anyio.CancelScope] = set()
        self._is_closing = False

    def configure(self, config: ProcessConfig) -> ProcessConfig:
        """Set the limits; those of logs hold for processes started from now on."""
        if any(value == 0 for value in config.model_dump().values()):
            raise InvalidRequest("every limit must be greater than 0")
        longest = min(config.default_run_timeout_ms, config.max_run_timeout_ms)
        self.config = config.model_copy(update={"default_run_timeout_ms": longest})
        return self.config

    async def start(self, program: Program, descriptors: Mapping[int, int] | None = None) -> Process:
        """Start `program`, with copies of our `descriptors` under its own numbers.

        Raises `StreamError` when it cannot be started, `Conflict` when as many run as may.
        """
        check(program)
        if self._is_closing:
            raise Conflict("the server is stopping")
        limit = self.config.max_concurrent_processes
        self._own = {process for process in self._own if process.state is not State.ENDED}
        if self._starting + len(self._by_id) - len(self._ended) - len(self._own) >= limit and not program.is_trusted:
            raise Conflict(f"max concurrent process limit reached ({limit})")
        self._last_number += not program.is_trusted
        id = f"own_{time.monotonic_ns()}" if program.is_trusted else f"proc_{self._last_number}"
        logs = LogRing(self.config.max_log_bytes_per_process)
        process = Process(id, program, logs, descriptors or {}, self._has_ended)
        self._starting += 1
        try:
            life = await self.begin(program, process)
        except BaseException:
            process.release()
            raise
        finally:
            self._starting -= 1
        self._by_id[id] = process
        if program.is_trusted:
            self._own.add(process)
        else:
            self._tell(process, "started", command=program.command, args=program.args, owner=program.owner.value)
        self._watch(process, life, attempt=0)
        return process

    async def run(self, program: Program, *, timeout: float, max_output: int) -> Outcome:
        """Run `program` to its end, or to the `timeout`; cancelling this kills it.  It leaves no record."""
        check(program)
        if self._is_closing:
            raise Conflict("the server is stopping")
        if len(self._runs) >= MAX_RUNS:
            raise Conflict(f"{MAX_RUNS} commands run already")
        with anyio.CancelScope() as scope:
            self._runs.add(scope)
            try:
                environment = self.environment_of(program)
                keeper = self._keeper_of(program)
                outcome = await run_once(keeper, program, environment, timeout=timeout, max_output=max_output)
                self._tell_run(program, outcome)
                return outcome
            except (StartFailed, StarterLost, OSError) as error:
                raise stream_error(error) from error
            finally:
                self._runs.discard(scope)
        raise Conflict("the server is stopping")

    def _tell(self, process: Process, name: str, **data: object) -> None:
        actor = whoever_acts() if name == "started" else SYSTEM
        self._bus.tell(EventKind.PROCESS, name, actor=actor, data={"processId": process.id, **data})

    def _tell_run(self, program: Program, outcome: Outcome) -> None:
        if not program.is_trusted:
            data = {"command": program.command, "args": program.args, "owner": program.owner.value, **_end_of(outcome)}
            self._bus.tell(EventKind.PROCESS, "ran", actor=whoever_acts(), data=data)

    def get(self, id: str) -> Process:
        process = self._by_id.get(id)
        # Our own programs are no business of callers.
        if process is None or process.program.is_trusted:
            raise NotFound("process", id)
        return process

    def list(self, owner: ProcessOwner | None = None) -> list[Process]:
        """In the order they were started."""
        known = [process for process in self._by_id.values() if not process.program.is_trusted]
        return [process for process in known if owner in (None, process.program.owner)]

    def delete(self, id: str) -> None:
        """Forget a process that has ended; one that waits for a restart is ended by this."""
        process = self.get(id)
        if process.is_running or (process.program.is_kept and process.state is State.WAITING):
            raise Conflict(f"process {id} is running")
        process.end_for_good()
        self._forget(process)

    async def begin(self, program: Program, process: Process) -> Life:
        try:
            environment = self.environment_of(program)
            return await begin(self._keeper_of(program), program, environment, process.descriptors, process.take)
        except (StartFailed, StarterLost, OSError) as error:
            raise stream_error(error) from error

    def environment_of(self, program: Program) -> dict[str, str]:
        terminal = {} if program.terminal is None else {"TERM": "xterm-256color"}
        is_apart = self._apart is not None and not program.is_trusted
        return {**(self._apart_environment if is_apart else self.environment), **terminal, **(program.env or {})}

    @property
    def runtime_folder(self) -> str | None:
        """Where programs keep their sockets, in a jail."""
        return self._apart_environment.get("XDG_RUNTIME_DIR") if self.is_jailed else None

    @property
    def starter_pid(self) -> int:
        """The ancestor of everything untrusted, as we see it."""
        return (self._apart or self.keeper).starter_pid

    async def connect_unix(self, path: str) -> socket.socket:
        """Connect to a socket at `path` as the programs see it.  Raises OSError."""
        return await self._open("unix", path=path)

    async def connect_loopback(self, port: int) -> socket.socket:
        """Connect to a port of the programs' own loopback, by either protocol.  Raises OSError."""
        try:
            return await self._open("tcp", port=port)
        except ConnectionRefusedError:
            return await self._open("tcp", port=port, is_v6=True)

    async def descends(self, pid: int | None, ancestor: int | None) -> bool:
        """Whether `pid` is the process `ancestor` or was started by it, perhaps by way of scripts."""
        if pid is None or ancestor is None:
            return False
        try:
            return ancestor in await (self._apart or self.keeper).look(pid=pid)
        except StarterLost:
            return False

    async def has_file(self, path: str) -> bool:
        """Whether programs find something at `path`."""
        try:
            return bool(await (self._apart or self.keeper).look(path=path))
        except StarterLost:
            return False

    async def _open(self, kind: str, **where: object) -> socket.socket:
        try:
            return await (self._apart or self.keeper).open_socket(kind, **where)
        except StarterLost as error:
            raise OSError(ECONNREFUSED, os.strerror(ECONNREFUSED)) from error

    def _keeper_of(self, program: Program) -> Keeper:
        """Who starts it.  Whose programs are not ours to vouch for is never our own starter, where that is root."""
        if program.is_trusted:
            return self.keeper
        if self._apart is not None:
            return self._apart
        if os.geteuid() == 0 and not self._may_be_root:
            raise RuntimeError("programs are never started as root")
        return self.keeper

    @asynccontextmanager
    async def apart(
        self,
        run_starter: RunStarter,
        environment: Mapping[str, str],
        on_link: OnLink | None = None,
        *,
        is_jail: bool = False,
    ) -> AsyncIterator[None]:
        """Inside this block programs are started by the starter that `run_starter` makes; leaving it ends them all.

        Raises `StarterLost` or OSError when it cannot be made.
        """
        async with open_keeper(run_starter, on_link) as keeper:
            self._apart, self._apart_environment, self.is_jailed = keeper, environment, is_jail
            try:
                yield
            finally:
                await self.close()

    def _watch(self, process: Process, life: Life, attempt: int) -> None:
        """`attempt` counts the restarts in a row that led to this life."""
        began = time.monotonic()
        process.lives(life)

        def ended(exit: Exit) -> None:
            wanted = not process.is_unwanted and not self._is_closing
            if wanted and should_restart(process.program.restart, exit):
                process.ends(exit, State.WAITING)
                after = 1 if time.monotonic() - began >= RAN_WELL else attempt + 1
                self._tasks.start_soon(self._restart, process, after, name=f"restart of {process.id}")
            else:
                process.ends(exit, State.ENDED)
            if not process.program.is_trusted:
                self._tell(process, "exited", exitCode=exit.code, signal=exit.signal_name, state=process.state.value)
            log.debug("process.exited", id=process.id, code=exit.code, signal=exit.signal, state=str(process.state))

        life.watch(ended)

    async def _restart(self, process: Process, attempt: int) -> None:
        """Bring a process back to life, trying again for as long as nobody ends it."""
        process.kill_leftovers()
        while not await process.until_unwanted(delay_before(attempt)):
            try:
                life = await self.begin(process.program, process)
            except StreamError as error:
                log.warning("process.restart_failed", id=process.id, reason=error.detail)
                attempt += 1
                continue
            if process.is_unwanted:
                end_unwanted(life)
                return
            process.restarts += 1
            process.move(State.RUNNING)
            if not process.program.is_trusted:
                self._tell(process, "restarted", command=process.program.command, restarts=process.restarts)
            self._watch(process, life, attempt)
            return

    def _has_ended(self, process: Process) -> None:
        """Thousands of short processes must not fill the memory: the oldest ended ones go, their logs even before."""
        self._ended[process.id] = process
        if len(self._ended) > MAX_ENDED_PROCESSES:
            self._forget(next(iter(self._ended.values())))
        self._unweighed += process.logs.size
        if self._unweighed > WEIGH_EVERY:
            self._unweighed = 0
            self._empty_old_logs()

    def _empty_old_logs(self) -> None:
        kept = sum(process.logs.size for process in self._ended.values())
        for process in self._ended.values():
            if kept <= MAX_ENDED_LOG_BYTES:
                break
            kept -= process.logs.size
            process.logs.clear()

    def _forget(self, process: Process) -> None:
        self._by_id.pop(process.id, None)
        self._ended.pop(process.id, None)
        process.release()

    @asynccontextmanager
    async def ending_streams_on(self, stopping: anyio.Event) -> AsyncIterator[None]:
        """Inside this block `stopping` ends whoever follows a log, watches a terminal or waits for a run."""

        async def watch() -> None:
            await stopping.wait()
            self._is_closing = True
            self._end_streams()
            await anyio.sleep_forever()

        async with background(watch, name="stop of log streams"):
            yield

    def _end_streams(self) -> None:
        for process in self._by_id.values():
            process.logs.close()
        for scope in self._runs:
            scope.cancel()

    async def close(self) -> None:
        """Ask everything to end, within a bound; what stays is killed with the starter."""
        self._is_closing = True
        self._end_streams()
        is_apart = self._apart is not None
        # Our own programs end last, with our own starter: the others may need them until then.
        ending = [process for process in self._by_id.values() if not (is_apart and process.program.is_trusted)]
        for process in ending:
            process.end_for_good()
        running = [process for process in ending if process.is_running]
        with anyio.move_on_after(GRACE, shield=True):
            async with anyio.create_task_group() as tasks:
                for process in running:
                    tasks.start_soon(process.stop, GRACE)

    def release(self) -> None:
        """After the starter's end: give back every descriptor."""
        for process in list(self._by_id.values()):
            self._forget(process)


@asynccontextmanager
async def open_processes(
    environ: Mapping[str, str] | None = None, *, may_be_root: bool = False, bus: Bus | None = None
) -> AsyncIterator[Processes]:
    """The process runtime for as long as the block.  Leaving it ends every process, within `GRACE` and a little.

    `environ` is what the clean environment of children is taken from; the server's own where none is given.  Root has
    to set programs `apart` before it can start any, unless `may_be_root`, which is for tests.
    """
    environment = clean_environment(os.environ if environ is None else environ)
    processes: Processes | None = None
    try:
        async with open_keeper() as keeper, anyio.create_task_group() as tasks:
            processes = Processes(keeper, tasks, environment, bus or Bus(), may_be_root=may_be_root)
            try:
                yield processes
            finally:
                await processes.close()
                tasks.cancel_scope.cancel()
    except BaseExceptionGroup as group:
        raise the_only_one(group) from None
    finally:
        if processes is not None:
            processes.release()


def check(program: Program) -> None:
    """Refuse what no program can be started with."""
    if not program.command.strip():
        raise InvalidRequest("command must not be empty")
    environment = program.env or {}
    words = "".join([program.command, *program.args, *environment, *environment.values(), program.cwd or ""])
    try:
        size = len(words.encode())
    except UnicodeEncodeError:
        raise InvalidRequest("command, args, cwd and env must be text that UTF-8 can express") from None
    if "\0" in words:
        raise InvalidRequest("command, args, cwd and env must not contain NUL")
    if any(not name or "=" in name for name in environment):
        raise InvalidRequest("a name in env must not be empty or contain '='")
    if size > MAX_PROGRAM_BYTES:
        raise InvalidRequest(f"command, args and env are over {MAX_PROGRAM_BYTES} bytes together")


def _end_of(outcome: Outcome) -> dict[str, object]:
    exit = outcome.exit
    ended = {"exitCode": exit and exit.code, "signal": exit and exit.signal_name}
    return {**ended, "timedOut": outcome.timed_out, "ms": round(outcome.seconds * 1000)}


def stream_error(error: StartFailed | StarterLost | OSError) -> StreamError:
    """What a caller is told: which part of the request was wrong, and the system's words for it."""
    if isinstance(error, StarterLost):
        return StreamError("failed to spawn process: the starter was lost; try again")
    subjects = {"cwd": "working directory: ", "terminal": "terminal: "}
    subject = subjects.get(error.what, "") if isinstance(error, StartFailed) else ""
    number = error.errno or EIO
    return StreamError(f"failed to spawn process: {subject}{os.strerror(number)} (os error {number})")


def end_unwanted(life: Life) -> None:
    """A life that began just as somebody ended the process."""
    life.signal(SIGKILL, tree=True)
    life.watch(lambda exit: life.close())
