# Made from aio/client.py by scripts/make_sync_sdk.py: change it there.
"""`Belljar`: a box of one's own, a box somewhere, or a control plane."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from belljar.sdk.address import Address
from belljar.sdk.embedded import EmbeddedBox
from belljar.sdk.sync.box import Box
from belljar.sdk.sync.connection import Connection
from belljar.sdk.sync.io import Transport
from belljar.sdk.sync.plane import Keys, Profiles, Records
from belljar.sdk.sync.sessions import Sessions

URL_VARIABLE = "BELLJAR_URL"
TOKEN_VARIABLE = "BELLJAR_TOKEN"


class Belljar(Box):
    """A client.  `with Belljar() as jar:` closes it, and ends the box where it is ours.

    `url` and `token` (else `BELLJAR_URL` and `BELLJAR_TOKEN`) name a box or a control plane.  Without an address an
    embedded box is started with the first request; it ends with `close`, or with this process however that ends.

    `timeout` is the seconds an answer may take; calls that are given a longer deadline of their own wait for that.
    `control_wait` is the seconds an action waits, instead of failing, while a person holds control.  `box` are flags
    for an embedded box, as `belljar box` takes them; with them, or with `state_dir`, the box is embedded whatever the
    environment says.  `transport` is an httpx2 transport, to talk to an application in this process.
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        timeout: float = 60.0,
        control_wait: float = 0,
        headers: Mapping[str, str] | None = None,
        box: Sequence[str] | None = None,
        state_dir: str | os.PathLike[str] | None = None,
        transport: Transport | None = None,
    ) -> None:
        is_embedded = box is not None or state_dir is not None
        if is_embedded and url is not None:
            raise ValueError("Flags and a state folder are for an embedded box: leave the address out.")
        if url is None and not is_embedded:
            url = os.environ.get(URL_VARIABLE) or None
            token = token or os.environ.get(TOKEN_VARIABLE) or None
        kept = Path(state_dir).absolute() if state_dir is not None else None
        http = Connection(
            Address.of(url, token) if url else None,
            timeout=timeout,
            headers=headers or {},
            control_wait=control_wait,
            transport=transport,
            start=lambda: EmbeddedBox(box or (), kept),
        )
        super().__init__(http)
        self.sessions = Sessions(http)
        self.profiles = Profiles(http)
        self.keys = Keys(http)
        self.records = Records(http)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
