"""Our own calls to a box: claim it, start what a session wants, ask how it is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import anyio
import msgspec

from belljar.control.launchers.base import Address
from belljar.control.secrets import MasterKey
from belljar.control.upstream import Answer, Upstream, UpstreamError
from belljar.wire.claims import Claim
from belljar.wire.sessions import CreateSession, SessionMode


class BoxRefused(Exception):
    """A box answered, but not with success; `detail` is its own sentence, fit for the caller."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(f"{status}: {detail}")
        self.status = status
        self.detail = detail


@dataclass(frozen=True)
class BoxHealth:
    last_activity: str
    open_streams: int


class BoxCalls:
    def __init__(self, upstream: Upstream, master: MasterKey) -> None:
        self._upstream = upstream
        self._master = master

    async def claim(self, address: Address, box_id: str, claim: Claim) -> None:
        body = claim.model_dump_json(by_alias=True, exclude_none=True).encode()
        await self.call(address, box_id, "POST", "/v1/claim", body, within=10)

    async def start(self, address: Address, box_id: str, wanted: CreateSession, within: float) -> None:
        """Start the browser or the desktop that the session asked for."""
        size = {"width": wanted.viewport.width, "height": wanted.viewport.height}
        if wanted.mode is SessionMode.BROWSER:
            body: dict[str, Any] = {"headless": wanted.headless, **size}
            if wanted.url:
                body["url"] = wanted.url
            if wanted.profile_id:
                body["contextId"] = wanted.profile_id
            await self.call(address, box_id, "POST", "/v1/browser/start", msgspec.json.encode(body), within=within)
        elif wanted.mode is SessionMode.DESKTOP:
            await self.call(address, box_id, "POST", "/v1/desktop/start", msgspec.json.encode(size), within=within)

    async def navigate(self, address: Address, box_id: str, url: str) -> None:
        await self.call(address, box_id, "POST", "/v1/browser/navigate", msgspec.json.encode({"url": url}), within=30)

    async def health(self, address: Address, box_id: str) -> Mapping[str, Any]:
        answer = await self.call(address, box_id, "GET", "/v1/health", within=5)
        found: Mapping[str, Any] = msgspec.json.decode(answer.body)
        return found

    async def call(
        self, address: Address, box_id: str, method: str, path: str, body: bytes | None = None, *, within: float
    ) -> Answer:
        """Raises `BoxRefused`, `UpstreamError` or `TimeoutError`."""
        with anyio.fail_after(within):
            answer = await self._upstream.request(
                address, method, path, token=self._master.box_token(box_id), json=body
            )
        if answer.status >= 400:
            raise BoxRefused(answer.status, _detail(answer))
        return answer


def _detail(answer: Answer) -> str:
    try:
        return str(msgspec.json.decode(answer.body)["detail"])
    except (msgspec.DecodeError, KeyError, TypeError):
        return f"the box answered {answer.status}"


__all__ = ["BoxCalls", "BoxRefused", "UpstreamError"]
