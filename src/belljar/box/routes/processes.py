"""`/v1/processes`: start programs, talk to them, read what they wrote, end them."""

import base64
import binascii
from collections.abc import AsyncIterator
from typing import Annotated, Literal

import msgspec
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from belljar.box.parts import TheBox
from belljar.box.process import Entry, LogRing, Process, ProcessOwner, Program, RestartPolicy, Terminal
from belljar.limits import MAX_WAIT_MS, whole_number
from belljar.problems import (
    BodyTooLarge,
    Conflict,
    InvalidRequest,
    MethodNotAllowed,
    NotFound,
    StreamError,
    WebSocketRequired,
)
from belljar.server.answers import until_gone
from belljar.server.openapi import problems
from belljar.server.router import Kind, Router
from belljar.server.signature import Header, Query
from belljar.wire.processes import (
    CreateProcess,
    InputEncoding,
    LogEntry,
    LogStream,
    ProcessConfig,
    ProcessInfo,
    ProcessInput,
    ProcessInputResult,
    ProcessList,
    ProcessLogs,
    RunProcess,
    RunResult,
    TerminalSize,
)

router = Router(prefix="/v1/processes", tags=["processes"], acts=False)

# A comment this often keeps proxies from closing a quiet stream, and tells us of clients that vanished.
COMMENT_SECONDS = 15.0

# In a query every number is text.
Natural = Annotated[int, Field(ge=0, le=2**63 - 1)]
Wait = Annotated[Natural, Query(alias="waitMs", description="How long to wait for the end, at most 10 minutes.")]

STREAMS = {
    LogStream.STDOUT: (LogStream.STDOUT,),
    LogStream.STDERR: (LogStream.STDERR,),
    LogStream.COMBINED: (LogStream.STDOUT, LogStream.STDERR),
    LogStream.PTY: (LogStream.PTY,),
}


@router.post("", response_model_exclude_none=True, responses=problems(Conflict, StreamError))
async def create_process(body: CreateProcess, box: TheBox) -> ProcessInfo:
    """Start a program that goes on running."""
    program = Program(
        command=body.command,
        args=tuple(body.args),
        env=body.env,
        cwd=body.cwd,
        owner=ProcessOwner.USER,
        restart=body.restart_policy or RestartPolicy.NEVER,
        terminal=Terminal() if body.tty else None,
        takes_input=True,
        is_interactive=body.interactive,
    )
    return (await box.processes.start(program)).info()


@router.get("", tells=Kind.PROGRAMS, response_model_exclude_none=True)
async def list_processes(box: TheBox, owner: ProcessOwner | None = None) -> ProcessList:
    """Running and ended processes, in the order they were started."""
    return ProcessList(processes=[process.info() for process in box.processes.list(owner)])


@router.post("/run", responses=problems(Conflict, StreamError))
async def run_process(body: RunProcess, box: TheBox, request: Request) -> RunResult:
    """Run a program to its end and answer with its output.  A client that hangs up ends it."""
    config = box.processes.config
    timeout_ms = min(body.timeout_ms or config.default_run_timeout_ms, config.max_run_timeout_ms)
    limit = config.max_output_bytes
    program = Program(command=body.command, args=tuple(body.args), env=body.env, cwd=body.cwd, owner=ProcessOwner.USER)
    async with until_gone(request):
        outcome = await box.processes.run(
            program,
            timeout=timeout_ms / 1000,
            max_output=limit if body.max_output_bytes is None else min(body.max_output_bytes, limit),
        )
    return RunResult(
        exit_code=outcome.exit and outcome.exit.code,
        timed_out=outcome.timed_out,
        stdout=outcome.stdout.text(),
        stderr=outcome.stderr.text(),
        stdout_truncated=outcome.stdout.is_truncated,
        stderr_truncated=outcome.stderr.is_truncated,
        duration_ms=round(outcome.seconds * 1000),
    )


@router.route("/run", "GET", "PUT", "PATCH", "DELETE", include_in_schema=False)
async def run_takes_post() -> None:
    """`run` is not an id."""
    raise MethodNotAllowed("This endpoint does not take this method; it takes POST.", headers={"Allow": "POST"})


@router.route("/config", "PUT", "PATCH", "DELETE", include_in_schema=False)
async def config_takes_get_and_post() -> None:
    """`config` is not an id."""
    raise MethodNotAllowed("This endpoint takes GET and POST.", headers={"Allow": "GET, POST"})


@router.get("/config", operation_id="getProcessConfig", tells=Kind.PROGRAMS)
async def get_config(box: TheBox) -> ProcessConfig:
    """The limits of the process runtime."""
    return box.processes.config


@router.post("/config", operation_id="setProcessConfig")
async def set_config(body: ProcessConfig, box: TheBox) -> ProcessConfig:
    """Set all limits at once.  `defaultRunTimeoutMs` is lowered to `maxRunTimeoutMs` where it is above."""
    return box.processes.configure(body)


@router.get("/{id}", tells=Kind.PROGRAMS, response_model_exclude_none=True, responses=problems(NotFound))
async def get_process(id: str, box: TheBox) -> ProcessInfo:
    """One process."""
    return box.processes.get(id).info()


@router.delete("/{id}", status_code=204, responses=problems(NotFound, Conflict))
async def delete_process(id: str, box: TheBox) -> None:
    """Forget a process that has ended, with its log.  Streams that follow it end."""
    box.processes.delete(id)


@router.post("/{id}/stop", response_model_exclude_none=True, responses=problems(NotFound))
async def stop_process(id: str, box: TheBox, wait_ms: Wait = 2000) -> ProcessInfo:
    """Ask a process and its group to end (SIGTERM).  The answer says whether it has; otherwise there is `kill`."""
    process = box.processes.get(id)
    await process.stop(min(wait_ms, MAX_WAIT_MS) / 1000, for_good=not process.program.is_kept)
    return process.info()


@router.post("/{id}/kill", response_model_exclude_none=True, responses=problems(NotFound))
async def kill_process(id: str, box: TheBox, wait_ms: Wait = 2000) -> ProcessInfo:
    """Kill a process with everything it started (SIGKILL)."""
    process = box.processes.get(id)
    await process.kill(min(wait_ms, MAX_WAIT_MS) / 1000, for_good=not process.program.is_kept)
    return process.info()


@router.post("/{id}/input", operation_id="sendProcessInput", typed=("data",), responses=problems(NotFound, Conflict))
async def send_input(id: str, body: ProcessInput, box: TheBox) -> ProcessInputResult:
    """Write to the standard input or terminal of a process.  One that leaves it unread for 5 s is a conflict."""
    process = box.processes.get(id)
    data = decoded(body.data, body.encoding or InputEncoding.BASE64)
    check_size(data, box.processes.config.max_input_bytes_per_request)
    return ProcessInputResult(bytes_written=await process.write(data))


@router.post("/{id}/terminal/resize", operation_id="resizeProcessTerminal", responses=problems(NotFound, Conflict))
async def resize_terminal(id: str, body: TerminalSize, box: TheBox) -> TerminalSize:
    """Resize the terminal of a process."""
    box.processes.get(id).resize(body.cols, body.rows)
    return body


@router.get(
    "/{id}/logs",
    operation_id="getProcessLogs",
    tells=Kind.PROGRAMS,
    events={"log": LogEntry},
    response_model=ProcessLogs,
    responses=problems(NotFound),
)
async def read_logs(
    id: str,
    box: TheBox,
    stream: LogStream | None = None,
    tail: Annotated[Natural | None, Query(description="Only the last so many entries.")] = None,
    since: Annotated[Natural | None, Query(description="Only entries after this sequence.")] = None,
    follow: Annotated[Literal["true", "false"], Query(description="Answer with an event stream.")] = "false",
    last_event_id: Annotated[str | None, Header()] = None,
) -> Response:
    """What a process wrote, as far as it is kept: at once, or as server-sent events that go on until it is deleted."""
    process = box.processes.get(id)
    stream = stream or (LogStream.PTY if process.has_terminal else LogStream.COMBINED)
    if follow == "true":
        after = max(since or 0, _sequence(last_event_id))
        events = _events(process.logs, stream, after, tail)
        return StreamingResponse(events, media_type="text/event-stream", headers={"Cache-Control": "no-cache"})
    entries = process.logs.read(streams=STREAMS[stream], since=since or 0, tail=tail)
    answer = {"processId": process.id, "stream": stream, "entries": [_entry(entry) for entry in entries]}
    return Response(msgspec.json.encode(answer), media_type="application/json")


@router.get(
    "/{id}/terminal/ws",
    operation_id="connectProcessTerminal",
    tells=Kind.PROGRAMS,
    responses=problems(WebSocketRequired),
)
async def terminal_needs_a_websocket(id: str) -> None:
    """A WebSocket: the terminal of a process (see the guide).  A plain request is refused."""
    raise WebSocketRequired("Open this address as a WebSocket.")


def decoded(data: str, encoding: str) -> bytes:
    """Input as bytes.  Raises `InvalidRequest` for an unknown encoding and for what is not base64."""
    try:
        if encoding == InputEncoding.BASE64:
            return base64.b64decode(data, validate=True)
        if encoding in (InputEncoding.UTF8, InputEncoding.TEXT):
            return data.encode()
    except (binascii.Error, ValueError) as error:
        raise InvalidRequest(f"data is not {encoding}") from error
    raise InvalidRequest("encoding must be base64, utf8 or text")


def check_size(data: bytes, limit: int) -> None:
    if len(data) > limit:
        raise BodyTooLarge(f"input is over the limit of {limit} bytes", max_input_bytes=limit)


def check_terminal(process: Process) -> None:
    if not process.has_terminal:
        raise Conflict(f"process {process.id} has no terminal")


async def _events(logs: LogRing, stream: LogStream, since: int, tail: int | None) -> AsyncIterator[bytes]:
    async for batch in logs.follow(streams=STREAMS[stream], since=since, tail=tail, idle=COMMENT_SECONDS):
        yield b"".join(_event(entry) for entry in batch) or b":\n\n"


def _event(entry: Entry) -> bytes:
    return b"event: log\nid: %d\ndata: %b\n\n" % (entry.sequence, msgspec.json.encode(_entry(entry)))


def _entry(entry: Entry) -> dict[str, object]:
    """As `wire.processes.LogEntry`, made without a model: a log has thousands."""
    return {
        "sequence": entry.sequence,
        "stream": entry.stream,
        "timestampMs": entry.timestamp_ms,
        "data": base64.b64encode(entry.data).decode(),
        "encoding": "base64",
    }


def _sequence(last_event_id: str | None) -> int:
    """Anything that is not a sequence of ours starts from the beginning."""
    return whole_number(last_event_id) or 0
