"""CDP clients and control: what a person would notice waits for it, all else passes."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.box.live.client import PATIENCE, LiveClient, watching
from tests.servers import RunningBox, running_box
from tests.site import Site

Params = dict[str, Any]


class CdpClient:
    """As a library for CDP would: numbers its commands and waits for theirs."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._number = 0
        self._answers: dict[int, Params] = {}
        target = next(info for info in self.call("Target.getTargets")["targetInfos"] if info["type"] == "page")
        self._session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]

    def send(self, method: str, **params: Any) -> int:
        self._number += 1
        session = getattr(self, "_session", None)
        message = {"id": self._number, "method": method, "params": params}
        self._socket.send(json.dumps(message if session is None else {**message, "sessionId": session}))
        return self._number

    def answer(self, id: int) -> Params:
        end = time.monotonic() + PATIENCE
        while id not in self._answers:
            assert time.monotonic() < end, f"no answer to {id}"
            message: Params = json.loads(self._socket.recv(PATIENCE))
            if "id" in message:
                self._answers[message["id"]] = message
        return self._answers.pop(id)

    def call(self, method: str, **params: Any) -> Params:
        result: Params = self.answer(self.send(method, **params))["result"]
        return result

    def value(self, expression: str) -> Any:
        return self.call("Runtime.evaluate", expression=expression)["result"].get("value")


@contextmanager
def cdp_client(box: RunningBox) -> Iterator[CdpClient]:
    address = box.url.replace("http", "ws") + "/v1/browser/cdp"
    with connect(address, additional_headers=box.headers, max_size=None, open_timeout=PATIENCE) as socket:
        yield CdpClient(socket)


def key(client: CdpClient, text: str) -> int:
    return client.send("Input.dispatchKeyEvent", type="keyDown", text=text, key=text)


def test_acting_commands_wait_in_order_and_reading_passes(box: RunningBox, live: LiveClient) -> None:
    with cdp_client(box) as client:
        client.value("document.body.innerHTML = '<input id=i autofocus>'; i.focus()")
        live.call("control.take")
        keys = [key(client, letter) for letter in "abc"]
        assert client.value("1 + 1") == 2
        assert client.value("i.value") == ""
        live.call("control.release")
        assert all("error" not in client.answer(id) for id in keys)
        assert client.value("i.value") == "abc"


def test_what_waits_too_long_fails_with_the_reason() -> None:
    with running_box("--control-wait", "0.2") as box, box.client() as api:
        api.post("/v1/browser/start", json={"headless": True}).raise_for_status()
        with watching(box) as live, cdp_client(box) as client:
            live.call("control.take")
            for method, params in (
                ("Page.navigate", {"url": "about:blank#elsewhere"}),
                ("Page.reload", {}),
                ("Input.insertText", {"text": "x"}),
            ):
                error = client.answer(client.send(method, **params))["error"]
                assert error["message"].startswith("control_held")
            assert client.value("location.href") == "about:blank"


def test_a_crashed_tab_is_shown_again_when_it_is_back(box: RunningBox, live: LiveClient, site: Site) -> None:
    live.call("navigate", url=site.url("live/events.html"))
    live.frame(lambda frame: frame.is_near(600, 400, (0, 128, 0)))
    live.value("document.body.style.background = 'red'")
    live.frame(lambda frame: frame.is_near(600, 400, (255, 0, 0)))
    with cdp_client(box) as client:
        client.send("Page.crash")
        # The browser loads it again: green, as it was at first.
        live.frame(lambda frame: frame.is_near(600, 400, (0, 128, 0)))
