"""Starting a process: `POST /v1/processes` against the standard library's asyncio.

Each starts `/bin/true` with three pipes and stops the clock when it knows the pid.  The end of the child is awaited off
the clock, so that no contender runs while another's child still does.  The request goes over a kept connection and a
plain socket: an HTTP client's own milliseconds are not the server's.  asyncio's child is in no jail, so the box that is
compared with it has none either; what the jail adds stands beside it.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import anyio
from anyio.abc import ByteStream

from belljar.box.process import Program, open_processes
from belljar.logs import set_up_logs
from benchmarks.harness import Action, Benchmark, Contender, Took, run
from tests.servers import RunningBox, running_box

COMMAND = "/bin/true"


@asynccontextmanager
async def asyncio_spawn() -> AsyncIterator[Action]:
    pipe = asyncio.subprocess.PIPE

    async def action() -> Took:
        began = time.perf_counter()
        child = await asyncio.create_subprocess_exec(COMMAND, stdin=pipe, stdout=pipe, stderr=pipe)  # noqa: TID251
        took = time.perf_counter() - began
        await child.communicate()
        return Took(took)

    yield action


@asynccontextmanager
async def in_process() -> AsyncIterator[Action]:
    """The runtime without HTTP: what the browser and the desktop pay."""
    set_up_logs("console", "warning")
    async with open_processes(may_be_root=True) as processes:

        async def action() -> Took:
            began = time.perf_counter()
            process = await processes.start(Program(COMMAND, takes_input=True))
            took = time.perf_counter() - began
            await process.wait()
            return Took(took)

        yield action


@asynccontextmanager
async def over_http(jail: str) -> AsyncIterator[Action]:
    with running_box("--log-level", "warning", "--jail", jail) as box:
        async with await anyio.connect_tcp("127.0.0.1", box.port) as stream:

            async def action() -> Took:
                began = time.perf_counter()
                started = await ask(stream, box, "POST /v1/processes", {"command": COMMAND})
                took = time.perf_counter() - began
                while (await ask(stream, box, f"GET /v1/processes/{started['id']}"))["status"] == "running":
                    pass
                return Took(took)

            yield action


async def ask(stream: ByteStream, box: RunningBox, what: str, body: object = None) -> Any:
    content = b"" if body is None else json.dumps(body).encode()
    head = (
        f"{what} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {box.token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    await stream.send(head.encode() + content)
    answer = b""
    while not answer.endswith(b"}"):
        answer += await stream.receive()
    assert answer.startswith(b"HTTP/1.1 200"), answer
    return json.loads(answer.partition(b"\r\n\r\n")[2])


BENCHMARK = Benchmark(
    "process_start",
    baseline="asyncio",
    contenders=[
        Contender("asyncio", asyncio_spawn),
        Contender("belljar, in-process", in_process),
        Contender("POST /v1/processes", partial(over_http, "off")),
        Contender("POST, jailed", partial(over_http, "auto")),
    ],
    rounds=500,
)

if __name__ == "__main__":
    run(BENCHMARK)
