"""aiortc as its examples use it, for a contender: `python -m benchmarks.stock_aiortc :99` says its port and serves.

Each viewer that connects by WebSocket and sends an offer gets a grabber and an encoder of its own.
"""

import asyncio
import ctypes
import sys

import aioice.ice
from aiortc import RTCConfiguration, RTCPeerConnection, RTCSessionDescription
from aiortc.contrib.media import MediaPlayer
from websockets.asyncio.server import ServerConnection, serve

# aioice passes over loopback, and here there is nothing else to use.
aioice.ice.get_host_addresses = lambda **_: ["127.0.0.1"]


class Mouse:
    """XTEST by libX11: python-xlib does not find a secret that is good under any host name."""

    def __init__(self, display: str) -> None:
        self._x11, self._xtst = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXtst.so.6")
        self._x11.XOpenDisplay.restype = ctypes.c_void_p
        self._display = ctypes.c_void_p(self._x11.XOpenDisplay(display.encode()))
        if not self._display:
            raise SystemExit("the display does not let us in")

    def press(self, x: int, y: int) -> None:
        self._xtst.XTestFakeMotionEvent(self._display, -1, x, y, ctypes.c_ulong(0))
        for is_down in (1, 0):
            self._xtst.XTestFakeButtonEvent(self._display, 1, is_down, ctypes.c_ulong(0))
        self._x11.XFlush(self._display)


async def answer(display: str, mouse: Mouse, socket: ServerConnection) -> None:
    peer = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    options = {"video_size": "1280x720", "framerate": "30", "draw_mouse": "1"}
    player = MediaPlayer(display, format="x11grab", options=options)

    def press(message: str) -> None:
        x, y = (int(float(part)) for part in message.split())
        mouse.press(x, y)

    peer.on("datachannel", lambda channel: channel.on("message", press))
    peer.addTrack(player.video)
    await peer.setRemoteDescription(RTCSessionDescription(str(await socket.recv()), "offer"))
    await peer.setLocalDescription(await peer.createAnswer())
    await socket.send(peer.localDescription.sdp)
    await socket.wait_closed()
    player.video.stop()
    await peer.close()


async def main(display: str) -> None:
    mouse = Mouse(display)
    async with serve(lambda socket: answer(display, mouse, socket), "127.0.0.1", 0) as server:
        print(next(iter(server.sockets)).getsockname()[1], flush=True)
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
