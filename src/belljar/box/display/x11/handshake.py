"""Open a connection: by a display's socket, or on a descriptor that somebody else connected."""

import asyncio
import socket
import struct
import sys

import anyio

from belljar.box.display.x11.connection import ANSWER_TIMEOUT, Connection
from belljar.box.display.x11.protocol import ConnectionSetupRequest, XClosed, XTimeout, pack, parse_setup

COOKIE_KIND = b"MIT-MAGIC-COOKIE-1"


async def connect(number: int, cookie: bytes) -> Connection:
    """Connect to display `number` of this host."""
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    sock.setblocking(False)
    try:
        with anyio.fail_after(ANSWER_TIMEOUT):
            await asyncio.get_running_loop().sock_connect(sock, f"/tmp/.X11-unix/X{number}")
    except TimeoutError:
        sock.close()
        raise XTimeout(f"display :{number} does not accept connections") from None
    except OSError as error:
        sock.close()
        raise XClosed(f"display :{number} cannot be reached ({error.strerror})") from error
    except BaseException:
        sock.close()
        raise
    return await open_on(sock, cookie)


async def open_on(sock: socket.socket, cookie: bytes) -> Connection:
    """Introduce ourselves on a connected socket, which belongs to the connection from here on."""
    sock.setblocking(False)
    try:
        with anyio.fail_after(ANSWER_TIMEOUT):
            setup = await _introduce(sock, cookie)
    except TimeoutError:
        sock.close()
        raise XTimeout(f"the X server did not answer within {ANSWER_TIMEOUT:g} s") from None
    except OSError as error:
        sock.close()
        raise XClosed(f"the X server is gone ({error.strerror})") from error
    except BaseException:
        sock.close()
        raise
    return Connection(sock, setup)


async def _introduce(sock: socket.socket, cookie: bytes) -> object:
    loop = asyncio.get_running_loop()
    await loop.sock_sendall(
        sock,
        pack(
            ConnectionSetupRequest,
            {
                "byte_order": 0x6C if sys.byteorder == "little" else 0x42,
                "protocol_major": 11,
                "protocol_minor": 0,
                "auth_prot_name": COOKIE_KIND,
                "auth_prot_data": cookie,
            },
        ),
    )
    head = await _read_exactly(sock, 8)
    status, reason_length, _, _, words = struct.unpack("=BBHHH", head)
    body = await _read_exactly(sock, 4 * words)
    if status != 1:
        reason = body[:reason_length].decode("latin-1").strip()
        raise XClosed(f"the X server refused us: {reason}")
    return parse_setup(body)


async def _read_exactly(sock: socket.socket, size: int) -> bytes:
    loop = asyncio.get_running_loop()
    data = b""
    while len(data) < size:
        more = await loop.sock_recv(sock, size - len(data))
        if not more:
            raise XClosed("the X server hung up while we introduced ourselves")
        data += more
    return data
