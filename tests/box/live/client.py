"""A plain client of the live WebSocket, as a test needs it: send, and wait for what is expected."""

import base64
import json
import struct
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from PIL import Image
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from belljar.wire.live import EVENT_DATA
from tests.servers import RunningBox

PATIENCE = 15.0
Params = dict[str, Any]


@dataclass(frozen=True)
class Frame:
    jpeg: bytes
    w: int
    h: int
    dpr: float
    timestamp: float

    @property
    def image(self) -> Image.Image:
        return Image.open(BytesIO(self.jpeg))

    @property
    def picture_width(self) -> int:
        """In the pixels that were decoded."""
        return self.image.width

    def colour(self, x: float, y: float) -> tuple[int, int, int]:
        """The colour at a point given in the page's own pixels."""
        image = self.image.convert("RGB")
        pixel = image.getpixel((int(x * image.width / self.w), int(y * image.height / self.h)))
        assert isinstance(pixel, tuple)
        return pixel[0], pixel[1], pixel[2]

    def is_near(self, x: float, y: float, colour: tuple[int, int, int]) -> bool:
        return all(abs(a - b) < 40 for a, b in zip(self.colour(x, y), colour, strict=True))


class LiveClient:
    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self._number = 0
        # What came and nobody has waited for yet.
        self._messages: deque[Params] = deque(maxlen=10_000)
        # The newest frame, until it has been looked at.
        self._frame: Frame | None = None

    def send(self, message: Params) -> None:
        self.socket.send(json.dumps(message))

    def mouse(self, action: str, x: float, y: float, **more: Any) -> None:
        self.send({"type": "input", "device": "mouse", "action": action, "x": x, "y": y, **more})

    def key(self, action: str, key: str = "", code: str = "", **more: Any) -> None:
        self.send({"type": "input", "device": "key", "action": action, "key": key, "code": code, **more})

    def ask(self, method: str, **params: Any) -> int:
        """Send a command; its id."""
        self._number += 1
        self.send({"id": self._number, "type": "cmd", "method": method, "params": params})
        return self._number

    def answer(self, id: int | str) -> Params:
        return self.wait(lambda message: message["type"] == "result" and message["id"] == id)

    def call(self, method: str, **params: Any) -> Any:
        answer = self.answer(self.ask(method, **params))
        assert answer["ok"], answer
        return answer.get("result")

    def refused(self, method: str, **params: Any) -> Params:
        answer = self.answer(self.ask(method, **params))
        assert not answer["ok"], answer
        error: Params = answer["error"]
        return error

    def value(self, expression: str) -> Any:
        return self.call("evaluate", expression=expression)["result"]

    def until_value(self, expression: str, is_right: Callable[[Any], bool]) -> Any:
        """Ask the page again until what it says is right."""
        end = time.monotonic() + PATIENCE
        while not is_right(value := self.value(expression)):
            assert time.monotonic() < end, f"{expression} stayed {value!r}"
        return value

    def event(self, name: str, is_right: Callable[[Params], bool] = lambda data: True) -> Params:
        message = self.wait(lambda m: m["type"] == "event" and m["name"] == name and is_right(m["data"]))
        data: Params = message["data"]
        return data

    def frame(self, is_right: Callable[[Frame], bool] = lambda frame: True) -> Frame:
        last, self._frame = self._frame, None
        if last is not None and is_right(last):
            return last
        message = self.wait(lambda m: m["type"] == "frame" and is_right(m["frame"]))
        frame: Frame = message["frame"]
        self._frame = None
        return frame

    def wait(self, is_right: Callable[[Params], bool]) -> Params:
        end = time.monotonic() + PATIENCE
        for message in list(self._messages):
            if is_right(message):
                self._messages.remove(message)
                return message
        while True:
            message = self.read(end - time.monotonic())
            if is_right(message):
                return message
            if message["type"] != "frame":
                self._messages.append(message)

    def read(self, timeout: float = PATIENCE) -> Params:
        """The next message, whatever it is."""
        data = self.socket.recv(timeout)
        message = _decoded(data)
        if message["type"] == "frame":
            self._frame = message["frame"]
            self.send({"type": "ack", "timestamp": message["frame"].timestamp})
        elif message["type"] == "event":
            _check_described(message["name"], message["data"])
        return message

    def kept(self, name: str, is_right: Callable[[Params], bool]) -> Params | None:
        """Such an event, where it has been read already."""
        for message in self._messages:
            if message["type"] == "event" and message["name"] == name and is_right(message["data"]):
                self._messages.remove(message)
                data: Params = message["data"]
                return data
        return None

    @property
    def has_frame(self) -> bool:
        return self._frame is not None

    def take(self, data: str | bytes) -> None:
        """Keep a message that somebody else has read, for whoever waits for it."""
        message = _decoded(data)
        if message["type"] == "frame":
            self._frame = message["frame"]
        else:
            self._messages.append(message)

    def until_closed(self) -> int | None:
        """Read on to the end; the close code."""
        end = time.monotonic() + PATIENCE
        try:
            while True:
                assert time.monotonic() < end, "the connection stays open"
                self._messages.append(self.read())
        except ConnectionClosed as closed:
            return None if closed.rcvd is None else closed.rcvd.code


def _check_described(name: str, data: Params) -> None:
    """An event carries what the OpenAPI document says, and nothing else."""
    model = EVENT_DATA[name]
    model.model_validate(data)
    if model.model_config["extra"] != "allow":
        assert data.keys() <= {field.alias for field in model.model_fields.values()}, (name, data)


def _decoded(data: str | bytes) -> Params:
    if isinstance(data, bytes):
        kind, _, w, h, dpr, timestamp = struct.unpack(">BBHHHd", data[:16])
        if kind in (2, 3):
            # Video, which comes whenever something moves: `VideoClient` decodes it.
            return {"type": "video"}
        assert kind == 1
        return {"type": "frame", "frame": Frame(data[16:], w, h, dpr / 100, timestamp)}
    message: Params = json.loads(data)
    if message["type"] == "frame":
        view = message["viewport"]
        jpeg = base64.b64decode(message["data"])
        message["frame"] = Frame(jpeg, view["w"], view["h"], view["dpr"], message["timestamp"])
    return message


@contextmanager
def watching(
    box: RunningBox, *, token: str | None = None, is_binary: bool = True, viewer: str = "", path: str = "/v1/live"
) -> Iterator[LiveClient]:
    with connect(
        f"{box.url.replace('http', 'ws')}{path}?viewer={viewer}",
        additional_headers={"Authorization": f"Bearer {token or box.token}"},
        subprotocols=["belljar.binary"] if is_binary else ["belljar"],  # type: ignore[list-item]  # plain strings
        max_size=None,
        open_timeout=PATIENCE,
        close_timeout=PATIENCE,
    ) as socket:
        yield LiveClient(socket)


def token_for(box: RunningBox, role: str, **fields: Any) -> str:
    with box.client() as client:
        minted = client.post("/v1/tokens", json={"role": role, **fields})
        token: str = minted.json()["token"]
        return token
