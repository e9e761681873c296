"""The starter's word is a stranger's: one that lies is hung up on, and whoever waited for it hears so."""

from pathlib import Path

import anyio
import pytest

from belljar.box.process.link import Child, Link, StarterLost, StartFailed, run_plainly
from belljar.box.process.program import Exit, Program, Terminal

SPEAK = """
import json, os, socket, struct, sys
server = socket.socket(fileno=int(sys.argv[1]))
(length,) = struct.unpack(">I", server.recv(4, socket.MSG_WAITALL))
asked = json.loads(server.recv(length, socket.MSG_WAITALL))

def frame(**message):
    body = json.dumps(message).encode()
    return struct.pack(">I", len(body)) + body

def say(**message):
    server.sendall(frame(**message))

"""

LIES = {
    "hangs up": "server.close()",
    "is not JSON": 'server.sendall(struct.pack(">I", 7) + b"not {json")',
    "is not a message": 'server.sendall(struct.pack(">I", 2) + b"[]")',
    "is too long": 'server.sendall(struct.pack(">I", 2**31))',
    "has the wrong types": 'say(op="started", id="one", pid=[])',
    "answers what nobody asked": 'say(op="started", id=77, pid=1)',
    "knows other words": 'say(op="dance", id=asked["id"])',
    "keeps the terminal": 'say(op="started", id=asked["id"], pid=5)',
    "hands over descriptors": 'socket.send_fds(server, [frame(op="exit", id=77, code=0)], [0, 1, 2])',
    "hands over a hundred": 'socket.send_fds(server, [frame(op="failed", id=asked["id"])], [0] * 100)',
}


async def asked(folder: Path, script: str, program: Program) -> Child:
    """What comes of one start with a starter that does `script`."""
    starter = folder / "starter.py"
    starter.write_text(f"{SPEAK}{script}\nserver.fileno() >= 0 and server.recv(1)\n")
    link = Link(lambda connection: run_plainly(connection, starter))
    try:
        with anyio.fail_after(20):
            return await link.start(program, {}, {})
    finally:
        with anyio.fail_after(20):
            await link.close()
        link.fail()


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES.keys())
async def test_a_starter_that_lies_is_lost(tmp_path: Path, lie: str) -> None:
    with pytest.raises(StarterLost):
        await asked(tmp_path, lie, Program("true", terminal=Terminal()))


async def test_exits_of_strangers_are_ignored(tmp_path: Path) -> None:
    child = await asked(
        tmp_path, 'say(op="exit", id=77, code=0); say(op="started", id=asked["id"], pid=5)', Program("true")
    )
    assert child.pid == 5
    # The link was closed with the child still running.
    assert child.exit == Exit(signal=9)


async def test_an_unknown_reason_for_a_failure_is_passed_on(tmp_path: Path) -> None:
    with pytest.raises(StartFailed) as failure:
        await asked(tmp_path, 'say(op="failed", id=asked["id"], errno=13, what="mood")', Program("true"))
    assert (failure.value.what, failure.value.errno) == ("mood", 13)
