"""The runtime from the inside, as the browser and the desktop use it."""

import gc
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from belljar.box.process import Exit, Process, Processes, Program, RestartPolicy, State, Terminal, User, open_processes
from belljar.problems import Conflict, InvalidRequest, NotFound, StreamError
from tests.processes import eventually, is_zombie, marked, new_mark, open_descriptors, pids, processes_as


@pytest.fixture
async def processes() -> AsyncIterator[Processes]:
    async with open_processes(may_be_root=True) as opened:
        yield opened


async def ended(process: Process) -> Exit:
    with anyio.fail_after(20):
        return await process.wait()


async def until(process: Process, text: str) -> None:
    """Wait for `text` in the log."""
    with anyio.fail_after(20):
        while text not in process.logs.text():
            await process.logs.changed()


def shell(script: str, **options: object) -> Program:
    return Program("sh", ("-c", script), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("script", "exit"),
    [
        ("exit 0", Exit(code=0)),
        ("exit 7", Exit(code=7)),
        ("exit 255", Exit(code=255)),
        ("kill -9 $$", Exit(signal=9)),
        ("kill -TERM $$", Exit(signal=15)),
    ],
)
async def test_the_end_is_told_truly(processes: Processes, script: str, exit: Exit) -> None:
    assert await ended(await processes.start(shell(script))) == exit


async def test_the_last_words_are_there_when_the_end_is_told(processes: Processes) -> None:
    for _ in range(20):
        process = await processes.start(shell("echo out; echo err >&2"))
        await ended(process)
        assert sorted(process.logs.text().split()) == ["err", "out"]


async def test_environment_working_directory_and_arguments(processes: Processes, tmp_path: Path) -> None:
    program = shell('pwd; echo "$A|$1"', env={"A": "ä b"}, cwd=str(tmp_path))
    process = await processes.start(Program(**{**vars(program), "args": (*program.args, "name", "x\ny")}))
    await ended(process)
    assert process.logs.text() == f"{tmp_path}\nä b|x\ny\n"


async def test_the_childs_own_path_finds_the_command(processes: Processes, tmp_path: Path) -> None:
    script = tmp_path / "only-here"
    script.write_text("#!/bin/sh\necho found\n")
    script.chmod(0o755)
    process = await processes.start(Program("only-here", env={"PATH": str(tmp_path)}))
    await ended(process)
    assert process.logs.text() == "found\n"


@pytest.mark.parametrize(
    ("program", "said"),
    [
        (Program("no-such-program"), "failed to spawn process: No such file or directory (os error 2)"),
        (Program("/etc/passwd"), "Permission denied"),
        (Program("true", cwd="/no/such/folder"), "working directory: No such file"),
        (Program("true", cwd="/etc/passwd"), "working directory: Not a directory"),
        (Program("true", args=("x" * 200_000,)), "Argument list too long"),
    ],
)
async def test_a_start_that_fails_says_why(processes: Processes, program: Program, said: str) -> None:
    with pytest.raises(StreamError, match="failed to spawn process") as failure:
        await processes.start(program)
    assert said in failure.value.detail
    assert processes.list() == []


@pytest.mark.parametrize(
    "program",
    [
        Program(" "),
        Program("a\0b"),
        Program("true", args=("\ud800",)),
        Program("true", env={"": "x"}),
        Program("true", env={"A=B": "x"}),
        Program("true", args=("x" * 100_000,) * 30),
    ],
)
async def test_what_no_program_can_be_started_with_is_refused(processes: Processes, program: Program) -> None:
    with pytest.raises(InvalidRequest):
        await processes.start(program)


async def test_descriptors_arrive_under_their_numbers_and_nothing_else_does(processes: Processes) -> None:
    null = os.open("/dev/null", os.O_RDONLY)
    readable, writable = os.pipe()
    try:
        process = await processes.start(shell("ls /proc/self/fd | tr '\\n' ' '; echo hi >&4"), {4: writable, 3: null})
        await ended(process)
        # One more is `ls` reading the folder.
        assert process.logs.text() == "0 1 2 3 4 5 "
        assert os.read(readable, 10) == b"hi\n"
    finally:
        for descriptor in (null, readable, writable):
            os.close(descriptor)


async def test_signals_are_as_a_fresh_program_expects_them(processes: Processes) -> None:
    process = await processes.start(Program("cat", ("/proc/self/status",)))
    await ended(process)
    masks = dict(line.split(":\t") for line in process.logs.text().splitlines() if line.startswith("Sig"))
    # 32 and 33 are the C library's own.
    assert [int(masks[name], 16) & ~(0b11 << 31) for name in ("SigBlk", "SigIgn", "SigCgt")] == [0, 0, 0]


async def test_each_has_a_session_of_its_own(processes: Processes) -> None:
    process = await processes.start(Program("sleep", ("600",)))
    assert process.pid is not None
    assert os.getsid(process.pid) == os.getpgid(process.pid) == process.pid


async def test_a_terminal_is_the_controlling_one(processes: Processes) -> None:
    process = await processes.start(
        shell("tty; stty size; echo $TERM; echo to-tty > /dev/tty; tty <&1; tty <&2", terminal=Terminal(100, 40))
    )
    await ended(process)
    lines = process.logs.text().split()
    assert lines[0].startswith("/dev/pts/")
    assert lines[1:] == ["40", "100", "xterm-256color", "to-tty", lines[0], lines[0]]


async def test_input_reaches_it(processes: Processes) -> None:
    process = await processes.start(Program("cat", takes_input=True))
    assert await process.write("grüße".encode()) == 7
    await until(process, "grüße")


async def test_input_to_one_that_does_not_read_is_refused_after_a_while(processes: Processes) -> None:
    process = await processes.start(Program("sleep", ("600",), takes_input=True))
    with pytest.raises(Conflict, match="does not read its input") as refused:
        await process.write(b"x" * 200_000, timeout=0.1)
    assert refused.value.members["bytes_written"] == 65536


async def test_input_to_one_that_ends_meanwhile_is_refused(processes: Processes) -> None:
    process = await processes.start(Program("sleep", ("600",), takes_input=True))
    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(process.kill)
            with pytest.raises(Conflict):
                await process.write(b"x" * 200_000, timeout=15)


async def test_input_to_one_without_is_refused(processes: Processes) -> None:
    with pytest.raises(Conflict, match="takes no input"):
        await (await processes.start(Program("sleep", ("600",)))).write(b"x")


@pytest.mark.skipif(os.getuid() != 0, reason="only root can start a program as another user")
async def test_another_user_has_no_rights_and_gets_none_back() -> None:
    status = "grep -E '^(Cap|NoNewPrivs)' /proc/self/status"
    async with processes_as(User(65534, 65534)) as processes:
        process = await processes.start(shell(f"id -u; id -g; id -G; {status}"))
        await ended(process)
        said = process.logs.text().split()
        assert said[:3] == ["65534"] * 3
        assert dict(zip(said[3::2], said[4::2], strict=True)) == {
            **{f"Cap{name}:": "0" * 16 for name in ("Inh", "Prm", "Eff", "Bnd", "Amb")},
            "NoNewPrivs:": "1",
        }
        on_terminal = await processes.start(shell("id -u; tty; echo x > /dev/tty", terminal=Terminal()))
        assert await ended(on_terminal) == Exit(code=0)
        assert on_terminal.logs.text().split()[::2] == ["65534", "x"]
        run = await processes.run(shell("id -u"), timeout=20, max_output=100)
        assert run.stdout.text() == "65534\n"


@pytest.mark.skipif(os.getuid() != 0, reason="about root")
async def test_nothing_is_ever_started_as_root() -> None:
    """Neither by accident: whoever forgets to set programs apart gets none."""
    async with open_processes() as processes:
        with pytest.raises(RuntimeError, match="never started as root"):
            await processes.start(Program("true"))
        with pytest.raises(RuntimeError, match="never started as root"):
            await processes.run(Program("true"), timeout=5, max_output=100)


async def test_a_restart_keeps_the_id_and_passes_the_descriptors_again(processes: Processes) -> None:
    readable, writable = os.pipe()
    process = await processes.start(shell("echo $$ >&3; exit 1", restart=RestartPolicy.ON_FAILURE), {3: writable})
    os.close(writable)
    told: list[bytes] = []
    with anyio.fail_after(20):
        while len(told) < 3:
            await anyio.wait_readable(readable)
            told += os.read(readable, 100).split()
    assert len(set(told)) == 3
    with anyio.fail_after(20):
        while process.restarts < 2:
            await process.logs.changed()
    assert [one.id for one in processes.list()] == [process.id]
    await process.stop()
    assert process.state is State.ENDED
    os.close(readable)


async def test_one_that_ends_well_is_not_restarted_on_failure(processes: Processes) -> None:
    process = await processes.start(shell("exit 0", restart=RestartPolicy.ON_FAILURE))
    assert await ended(process) == Exit(code=0)
    assert process.restarts == 0


async def test_what_a_restarted_process_left_behind_is_killed(processes: Processes) -> None:
    mark = new_mark()
    process = await processes.start(
        shell("sleep 600 & echo started; exit 1", env=mark, restart=RestartPolicy.ON_FAILURE)
    )
    with anyio.fail_after(20):
        while process.restarts < 3:
            await process.logs.changed()
    await process.kill()
    eventually(lambda: not marked(mark), "the end of all")


async def test_stop_and_kill_end_a_restarting_process_for_good(processes: Processes) -> None:
    for end in (Process.stop, Process.kill):
        process = await processes.start(Program("sleep", ("600",), restart=RestartPolicy.ALWAYS))
        await end(process)
        assert process.state is State.ENDED


async def test_stop_reaches_one_that_is_suspended(processes: Processes) -> None:
    process = await processes.start(Program("sleep", ("600",)))
    assert process.pid is not None
    os.kill(process.pid, signal.SIGSTOP)
    await process.stop(20)
    assert process.exit == Exit(signal=signal.SIGTERM)


async def test_kill_reaches_grandchildren_also_those_that_left_the_group(processes: Processes) -> None:
    mark = new_mark()
    process = await processes.start(
        shell("trap '' TERM; sleep 600 & setsid sleep 600 & echo ready; while :; do sleep 0.1; done", env=mark)
    )
    await until(process, "ready")
    await process.stop(0.2)
    assert process.is_running
    await process.kill(20)
    assert process.exit == Exit(signal=signal.SIGKILL)
    eventually(lambda: not marked(mark), "the end of all")


async def test_kill_reaches_what_an_ended_process_left_behind(processes: Processes) -> None:
    mark = new_mark()
    process = await processes.start(shell("sleep 600 & exit 0", env=mark))
    assert await ended(process) == Exit(code=0)
    # While it turns into `sleep` it has no environment.
    eventually(lambda: marked(mark), "what was left behind")
    await process.kill()
    eventually(lambda: not marked(mark), "the end of all")


async def test_an_unknown_id_is_not_found(processes: Processes) -> None:
    with pytest.raises(NotFound):
        processes.get("proc_1/../proc_2")


async def test_a_run_answers_in_time_although_a_grandchild_holds_the_pipe(processes: Processes) -> None:
    mark = new_mark()
    with anyio.fail_after(20):
        outcome = await processes.run(
            shell("echo first; setsid sleep 600 & sleep 600", env=mark), timeout=0.5, max_output=1000
        )
    assert (outcome.exit, outcome.timed_out, outcome.stdout.text()) == (None, True, "first\n")
    eventually(lambda: not marked(mark), "the end of all")


async def test_a_cancelled_run_leaves_nothing(processes: Processes) -> None:
    mark = new_mark()
    with anyio.move_on_after(0.3):
        await processes.run(shell("sleep 600 & sleep 600", env=mark), timeout=60, max_output=1000)
    eventually(lambda: not marked(mark), "the end of all")


async def test_a_run_cut_in_a_character_leaves_it_out(processes: Processes) -> None:
    outcome = await processes.run(shell("printf 'aé'"), timeout=20, max_output=2)
    assert (outcome.stdout.text(), outcome.stdout.is_truncated) == ("a", True)


async def test_leaving_ends_everything_and_gives_back_every_descriptor() -> None:
    mark = new_mark()
    async with open_processes(may_be_root=True):
        pass
    before = open_descriptors(os.getpid())
    async with open_processes(may_be_root=True) as processes:
        await processes.start(shell("trap '' TERM; sleep 600", env=mark))
        await processes.start(shell("(setsid setsid sleep 600 &); exit 0", env=mark))
        await processes.start(shell("cat", env=mark, terminal=Terminal()))
        await processes.start(shell("sleep 600", env=mark, takes_input=True), {5: 0})
        eventually(lambda: len(marked(mark)) >= 4, "all of them")
    assert marked(mark) == set()
    assert open_descriptors(os.getpid()) == before


async def test_a_start_into_a_starter_that_has_just_died_works(processes: Processes) -> None:
    """Not a word of it has come yet: the loop was kept from hearing."""
    dead = processes.keeper.starter_pid
    os.kill(dead, signal.SIGKILL)
    eventually(lambda: is_zombie(dead), "its death")
    process = await processes.start(Program("true"))
    assert await ended(process) == Exit(code=0)
    # An answer that nobody awaited complains when it is collected, which fails this test.
    gc.collect()


async def test_after_the_starter_was_killed_everything_is_ended_and_the_next_start_works(
    processes: Processes,
) -> None:
    mark = new_mark()
    process = await processes.start(shell("(setsid sleep 600 &); sleep 600", env=mark))
    kept = await processes.start(shell("sleep 600", env=mark, restart=RestartPolicy.ALWAYS))
    eventually(lambda: len(marked(mark)) >= 4, "all of them")
    first = marked(mark)
    os.kill(processes.keeper.starter_pid, signal.SIGKILL)
    assert await ended(process) == Exit(signal=signal.SIGKILL)
    assert not first & marked(mark)
    again = await processes.start(Program("echo", ("again",)))
    assert await ended(again) == Exit(code=0)
    with anyio.fail_after(20):
        while not (kept.restarts and kept.is_running):
            await kept.logs.changed()
    assert not [pid for pid in pids() if pid in first and is_zombie(pid)]


async def test_the_end_of_one_runtimes_starter_leaves_anothers_alone(processes: Processes) -> None:
    """As two boxes in one process, or a suite whose tests share a browser."""
    async with open_processes(may_be_root=True) as others:
        staying = await others.start(shell("echo up; sleep 600"))
        await until(staying, "up")
        starter = others.keeper.starter_pid
        os.kill(processes.keeper.starter_pid, signal.SIGKILL)
        assert await ended(await processes.start(Program("true"))) == Exit(code=0)
        assert others.keeper.starter_pid == starter and staying.is_running
    # Orphans are ours to end as long as one of them is there.
    process = await processes.start(shell("(setsid sleep 600 &); sleep 600", env=(mark := new_mark())))
    eventually(lambda: len(marked(mark)) >= 3, "all of them")
    os.kill(processes.keeper.starter_pid, signal.SIGKILL)
    assert await ended(process) == Exit(signal=signal.SIGKILL)
    assert not marked(mark)


async def test_logs_of_ended_processes_are_bounded_together(processes: Processes) -> None:
    started = []
    for _ in range(9):
        started.append(await processes.start(Program("head", ("-c", "10000000", "/dev/zero"))))
        await ended(started[-1])
    assert [process.logs.size > 0 for process in started] == [False] * 3 + [True] * 6
    assert len(processes.list()) == 9
