"""Processes on the wire: what can be asked of them and what is told about them."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, StrictBool, StringConstraints

from belljar.wire.base import Model

Milliseconds = Annotated[int, Field(strict=True, ge=0, le=2**63 - 1)]
Count = Annotated[int, Field(strict=True, ge=0, le=2**63 - 1)]
Cells = Annotated[int, Field(strict=True, ge=0, le=65535)]
Text = Annotated[str, StringConstraints(strict=True)]


class ProcessOwner(StrEnum):
    """Who had a process started."""

    USER = "user"  # a caller, through the API
    DESKTOP = "desktop"  # the display, its window manager, what was launched on it
    SYSTEM = "system"  # the box itself: Chromium, workers


class ProcessStatus(StrEnum):
    RUNNING = "running"
    EXITED = "exited"  # also between an end and the restart that follows it


class RestartPolicy(StrEnum):
    """What happens when a process ends by itself.  Stop and kill end a caller's for good under every policy."""

    NEVER = "never"
    ALWAYS = "always"
    ON_FAILURE = "on-failure"  # a code other than 0, or a signal


class LogStream(StrEnum):
    STDOUT = "stdout"
    STDERR = "stderr"
    COMBINED = "combined"  # stdout and stderr
    PTY = "pty"  # what a terminal shows


class InputEncoding(StrEnum):
    BASE64 = "base64"
    UTF8 = "utf8"
    TEXT = "text"


class CreateProcess(Model):
    command: Text = Field(description="A program in PATH, or a path.", examples=["python3"])
    args: list[Text] = Field(default=[], examples=[["-m", "http.server"]])
    cwd: Text | None = Field(default=None, description="Working directory; the server's own where none is given.")
    env: dict[Text, Text] = Field(default={}, description="Added to a clean base environment (PATH, HOME, LANG, …).")
    tty: StrictBool = Field(default=False, description="Give it a terminal (24 rows, 80 columns) instead of pipes.")
    interactive: StrictBool = Field(default=False, description="A note for clients; input is accepted either way.")
    restart_policy: RestartPolicy | None = Field(default=None, description="`never` where none is given.")


class ProcessInfo(Model):
    id: str = Field(examples=["proc_1"])
    command: str
    args: list[str]
    cwd: str | None = None
    tty: bool
    interactive: bool
    owner: ProcessOwner
    status: ProcessStatus
    pid: int | None = Field(default=None, description="Only while running.")
    exit_code: int | None = Field(default=None, description="Absent when a signal ended it.")
    signal: str | None = Field(default=None, description="The signal that ended it.", examples=["SIGKILL"])
    created_at_ms: int
    exited_at_ms: int | None = None
    restart_policy: RestartPolicy
    restarts: int = Field(description="How often it was started again.")


class ProcessList(Model):
    processes: list[ProcessInfo]


class ProcessInput(Model):
    data: Text
    encoding: Text | None = Field(default=None, description="`base64` (the default), `utf8` or `text`.")


class ProcessInputResult(Model):
    bytes_written: int


class TerminalSize(Model):
    cols: Cells
    rows: Cells


class TerminalInput(Model):
    """Text unless `encoding` says otherwise."""

    type: Literal["input"]
    data: Text
    encoding: Text | None = None


class TerminalResize(Model):
    type: Literal["resize"]
    cols: Cells
    rows: Cells


class TerminalClose(Model):
    """Closes the WebSocket; the process lives on."""

    type: Literal["close"]


# What a client may send over the terminal's WebSocket.
TerminalMessage = Annotated[TerminalInput | TerminalResize | TerminalClose, Field(discriminator="type")]


class TerminalReady(Model):
    """The first message; output follows in binary ones."""

    type: Literal["ready"] = "ready"
    process_id: str


class TerminalExit(Model):
    type: Literal["exit"] = "exit"
    exit_code: int | None = Field(default=None, description="null when a signal ended it.")


class TerminalError(Model):
    """A message that could not be taken, or output that was skipped; the WebSocket stays open."""

    type: Literal["error"] = "error"
    message: str


# What a client is sent as text.
TerminalStatus = Annotated[TerminalReady | TerminalExit | TerminalError, Field(discriminator="type")]


class RunProcess(Model):
    command: Text = Field(examples=["sh"])
    args: list[Text] = Field(default=[], examples=[["-c", "echo hello"]])
    cwd: Text | None = None
    env: dict[Text, Text] | None = None
    timeout_ms: Milliseconds | None = Field(default=None, description="0 or absent: the configured default.")
    max_output_bytes: Count | None = Field(default=None, description="Per stream; capped at the configured value.")


class RunResult(Model):
    exit_code: int | None = Field(description="null when a signal or the timeout ended it.")
    timed_out: bool
    stdout: str
    stderr: str
    stdout_truncated: bool
    stderr_truncated: bool
    duration_ms: int


class LogEntry(Model):
    sequence: int = Field(description="From 1, per process, over restarts.")
    stream: LogStream
    timestamp_ms: int
    data: str
    encoding: Literal["base64"] = "base64"


class ProcessLogs(Model):
    process_id: str
    stream: LogStream
    entries: list[LogEntry]


class ProcessConfig(Model):
    """The limits of the process runtime.  All are required and positive when they are set."""

    max_concurrent_processes: Count = Field(description="Running ones of all owners; run-once apart.", examples=[64])
    default_run_timeout_ms: Milliseconds = Field(examples=[30_000])
    max_run_timeout_ms: Milliseconds = Field(examples=[300_000])
    max_output_bytes: Count = Field(description="Per stream of a run-once.", examples=[1024 * 1024])
    max_log_bytes_per_process: Count = Field(description="The oldest are dropped.", examples=[10 * 1024 * 1024])
    max_input_bytes_per_request: Count = Field(examples=[64 * 1024])
