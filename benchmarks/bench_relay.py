"""A CDP round trip of an outside client: our relay against a second Chromium's own debugging port."""

import json
import os
import re
import subprocess
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
from websockets.asyncio.client import ClientConnection, connect

from belljar.box.browser.chromium.flags import ChromiumOptions, command_line
from belljar.box.process import User
from belljar.box.sandbox.folders import claim_user
from belljar.dependencies import find_chromium
from benchmarks.harness import Action, Benchmark, Contender, Unavailable, run
from tests.servers import running_box


class Client:
    """The least that a CDP client does: one message out, read until its answer."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._last = 0
        self._session: str | None = None

    async def attach(self) -> None:
        target = (await self.ask("Target.createTarget", url="about:blank"))["targetId"]
        self._session = (await self.ask("Target.attachToTarget", targetId=target, flatten=True))["sessionId"]

    async def evaluate(self) -> None:
        await self.ask("Runtime.evaluate", expression="1 + 1", returnByValue=True)

    async def ask(self, method: str, **params: object) -> dict[str, str]:
        self._last += 1
        message = {"id": self._last, "method": method, "params": params}
        if self._session is not None:
            message["sessionId"] = self._session
        await self._socket.send(json.dumps(message))
        while (answer := json.loads(await self._socket.recv())).get("id") != self._last:
            pass
        result: dict[str, str] = answer["result"]
        return result


@asynccontextmanager
async def measured(url: str) -> AsyncIterator[Action]:
    async with connect(url, max_size=None, compression=None) as socket:
        client = Client(socket)
        await client.attach()
        yield client.evaluate


@asynccontextmanager
async def our_relay() -> AsyncIterator[Action]:
    with running_box("--log-level", "warning") as box, box.client() as client:
        client.post("/v1/browser/start", json={"headless": True}).raise_for_status()
        url = client.get("/v1/browser/cdp/json/version").json()["webSocketDebuggerUrl"]
        async with measured(url) as action:
            yield action


@asynccontextmanager
async def own_port() -> AsyncIterator[Action]:
    """The same Chromium with the same flags, except that it listens on loopback."""
    executable = find_chromium()
    if executable is None:
        raise Unavailable("Chromium is not installed")
    with claim_user() as user, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        if user is not None:
            os.chown(folder, user.uid, user.gid)
        options = ChromiumOptions(executable, Path(folder), 1280, 720, is_headless=True)
        flags = [flag for flag in command_line(options) if flag != "--remote-debugging-pipe"]
        process = _spawn([str(executable), "--remote-debugging-port=0", *flags], folder, user)
        try:
            assert process.stderr is not None
            for line in process.stderr:
                if found := re.search(r"DevTools listening on (ws://\S+)", line):
                    break
            else:
                raise Unavailable("Chromium did not come up")
            await anyio.lowlevel.checkpoint()
            async with measured(found[1]) as action:
                yield action
        finally:
            process.kill()
            process.wait()


def _spawn(command: list[str], home: str, user: User | None) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        env={"HOME": home, "PATH": os.environ["PATH"]},
        user=user.uid if user else None,
        group=user.gid if user else None,
        extra_groups=[] if user else None,
    )


BENCHMARK = Benchmark(
    "relay",
    baseline="Chromium's own port",
    contenders=[Contender("Chromium's own port", own_port), Contender("/v1/browser/cdp", our_relay)],
    rounds=1000,
    quick_rounds=200,
    warm_up=50,
)

if __name__ == "__main__":
    run(BENCHMARK)
