"""The converter: a program of its own that turns HTML into markdown.

Run as `python -I -m belljar.extract.program [uid gid]`, with one end of a socket as descriptor 3, and ends with that.
Each message is four bytes of length and a JSON object: to it {"html", "url", "mode"}, from it {"markdown", "mode"} or
{"error"}.

What it parses comes from strangers, so once its libraries are there it gives up root and bounds its memory.
"""

import json
import os
import resource
import socket
import sys
from dataclasses import asdict

from belljar.extract.markdown import convert

MEMORY_BYTES = 2 << 30


def main() -> None:
    # The libraries read files of their own with the first page, which may lie where only root can read: root's home.
    convert("<title>First</title><p>Words of ours, before there are any of strangers.", "http://localhost/", "article")
    give_up_rights()
    with socket.socket(fileno=3) as channel:
        while (request := receive(channel)) is not None:
            try:
                answer = asdict(convert(request["html"], request["url"], request["mode"]))
            except Exception as error:  # noqa: BLE001  # a page that cannot be converted must not end the converter
                answer = {"error": f"{type(error).__name__}: {error}"[:500]}
            send(channel, answer)


def give_up_rights() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if len(sys.argv) == 3 and os.getuid() == 0:
        uid, gid = map(int, sys.argv[1:])
        os.setgroups([])
        os.setgid(gid)
        os.setuid(uid)


def receive(channel: socket.socket) -> dict[str, str] | None:
    head = read_exactly(channel, 4)
    body = read_exactly(channel, int.from_bytes(head, "big")) if head else b""
    return json.loads(body) if body else None


def read_exactly(channel: socket.socket, size: int) -> bytes:
    """`size` bytes, or none at the end of the stream."""
    data = bytearray()
    while len(data) < size:
        part = channel.recv(min(size - len(data), 1 << 20))
        if not part:
            return b""
        data += part
    return bytes(data)


def send(channel: socket.socket, answer: dict[str, object]) -> None:
    body = json.dumps(answer).encode()
    channel.sendall(len(body).to_bytes(4, "big") + body)


if __name__ == "__main__":
    main()
