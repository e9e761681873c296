"""Our own calls to a box: claim it, start what a session wants, ask how it is."""

from collections.abc import Awaitable, Callable
from datetime import datetime

import anyio
import msgspec

from belljar.egress.policy.file import restricted
from belljar.plane.access.secrets import MasterKey
from belljar.plane.boxes.launchers.base import Address
from belljar.plane.boxes.upstream import Answer, Upstream, UpstreamError
from belljar.server.signed_caller import CALLER_HEADER, CallerSigner
from belljar.server.telemetry.spans import NOT_SAMPLED, TRACE_HEADER
from belljar.tokens import CONTROL_PLANE, Role
from belljar.wire.access import Claim
from belljar.wire.sessions import CreateSession, SessionMode, SessionPolicy


class BoxRefused(Exception):
    """A box answered, but not with success; `detail` is its own sentence, fit for the caller."""

    def __init__(self, status: int, detail: str, code: str = "", errors: object = None) -> None:
        super().__init__(f"{status}: {detail}")
        self.status = status
        self.detail = detail
        self.code = code
        # Fields of a request that it refused, where its problem lists them.
        self.errors = errors


class BoxHealth(msgspec.Struct, rename="camel"):
    """What we want to know of a box's health."""

    last_activity: datetime
    open_streams: int = 0
    egress_bytes: int = 0
    egress_sent: int = 0
    egress_received: int = 0

    @property
    def egress(self) -> dict[str, int]:
        """As a session's row has it."""
        return {
            "egress_bytes": self.egress_bytes,
            "egress_sent": self.egress_sent,
            "egress_received": self.egress_received,
        }


# As `Launcher.hold_egress`.
HoldEgress = Callable[[str, Callable[[str], str]], Awaitable[None]]


class BoxCalls:
    def __init__(self, upstream: Upstream, master: MasterKey) -> None:
        self._upstream = upstream
        self._master = master

    async def claim(self, address: Address, box_id: str, claim: Claim) -> dict[str, object]:
        """What keeps the box's programs in, as a session tells it."""
        body = claim.model_dump_json(by_alias=True, exclude_none=True).encode()
        answer = await self.call(address, box_id, "POST", "/v1/claim", body, within=10)
        found: dict[str, object] = msgspec.json.decode(answer.body)["isolation"]
        return found

    async def start(
        self, address: Address, box_id: str, wanted: CreateSession, within: float, hold: HoldEgress
    ) -> None:
        """Start the browser or the desktop that the session asked for, confined to where it may connect."""
        await self.confine(address, box_id, wanted, within, hold)
        await self.start_mode(address, box_id, wanted, within)

    async def close_way_out(self, address: Address, box_id: str) -> None:
        """Nothing gets out any more; what was open is over, and counted, when this returns."""
        body = msgspec.json.encode({"policy": "none", "allow": []})
        await self.call(address, box_id, "PUT", "/v1/egress/policy", body, within=5)

    async def confine(
        self, address: Address, box_id: str, wanted: CreateSession, within: float, hold: HoldEgress
    ) -> None:
        """Send everything by the session's proxy, and keep it from what its policy denies: open connections too."""
        if wanted.proxy is not None:
            proxy, policy = wanted.proxy, wanted.policy or SessionPolicy()
            await hold(box_id, lambda known: through(known, proxy, policy))
            await self._send_through(address, box_id, wanted.proxy, wanted.policy, within)
        elif wanted.policy is not None:
            await self._tighten(address, box_id, wanted.policy, within)

    async def start_anew(self, address: Address, box_id: str, wanted: CreateSession, within: float) -> None:
        """End the browser that runs in a warm box, and start the one that the session asked for."""
        await self.call(address, box_id, "POST", "/v1/browser/stop", within=within)
        await self.start_mode(address, box_id, wanted, within)

    async def start_mode(self, address: Address, box_id: str, wanted: CreateSession, within: float) -> None:
        size = {"width": wanted.viewport.width, "height": wanted.viewport.height}
        if wanted.mode is SessionMode.BROWSER:
            # Headless the window is the page's; on a display the browser's bars take room beside it.
            body: dict[str, object] = {"headless": True, **size} if wanted.headless else {"viewport": size}
            if wanted.url:
                body["url"] = wanted.url
            if wanted.profile_id:
                body["contextId"] = wanted.profile_id
            await self.call(address, box_id, "POST", "/v1/browser/start", msgspec.json.encode(body), within=within)
        elif wanted.mode is SessionMode.DESKTOP:
            await self.call(address, box_id, "POST", "/v1/desktop/start", msgspec.json.encode(size), within=within)

    async def _tighten(self, address: Address, box_id: str, policy: SessionPolicy, within: float) -> None:
        """Narrow where the box may connect to.  We ask as somebody who drives it, who may not widen anything."""
        if policy.egress == "none":
            body = msgspec.json.encode({"policy": "none", "allow": []})
            await self.call(address, box_id, "PUT", "/v1/egress/policy", body, within=within, role=Role.DRIVE)
        elif policy.deny or policy.only:
            body = msgspec.json.encode({"deny": policy.deny, "only": policy.only})
            await self.call(address, box_id, "POST", "/v1/egress/restrict", body, within=within, role=Role.DRIVE)

    async def _send_through(
        self, address: Address, box_id: str, proxy: str, policy: SessionPolicy | None, within: float
    ) -> None:
        """Let everything that the box may reach leave through an upstream proxy, and nothing beside it."""
        answer = await self.call(address, box_id, "GET", "/v1/egress/policy", within=within)
        known: str = msgspec.json.decode(answer.body)["policy"]
        body = msgspec.json.encode({"policy": through(known, proxy, policy or SessionPolicy()), "allow": []})
        await self.call(address, box_id, "PUT", "/v1/egress/policy", body, within=within)

    async def navigate(self, address: Address, box_id: str, url: str) -> None:
        await self.call(address, box_id, "POST", "/v1/browser/navigate", msgspec.json.encode({"url": url}), within=30)

    async def health(self, address: Address, box_id: str) -> BoxHealth:
        """Raises `BoxRefused`, `UpstreamError` or `TimeoutError`."""
        answer = await self.call(address, box_id, "GET", "/v1/health", within=5)
        try:
            return msgspec.json.decode(answer.body, type=BoxHealth)
        except msgspec.DecodeError as error:
            raise BoxRefused(answer.status, f"the box does not say how it is: {error}") from error

    def forget(self, address: Address) -> None:
        """Nobody asks there any more: connections that were kept open go."""
        self._upstream.forget(address)

    async def call(
        self,
        address: Address,
        box_id: str,
        method: str,
        path: str,
        body: bytes | None = None,
        *,
        within: float,
        role: Role = Role.OPERATOR,
        is_traced: bool = True,
    ) -> Answer:
        """Raises `BoxRefused`, `UpstreamError` or `TimeoutError`."""
        signer = CallerSigner(self._master.box_key(box_id))
        headers = [(CALLER_HEADER.encode(), signer.sign(method, path.encode(), role, CONTROL_PLANE))]
        if not is_traced:
            headers.append((TRACE_HEADER, NOT_SAMPLED))
        with anyio.fail_after(within):
            answer = await self._upstream.request(address, method, path, json=body, headers=headers)
        if answer.status >= 400:
            raise _refusal(answer)
        return answer


def through(known: str, proxy: str, policy: SessionPolicy) -> str:
    """Everything by `proxy`, but for what the policy `known` or the session denies by name."""
    if policy.egress == "none" or known.strip() == "none":
        return "none"
    denied = [line for line in known.splitlines() if line.split()[:1] == ["deny"]]
    rest = "\n".join([*denied, f"upstream session {proxy}", "allow * via session"])
    return restricted(rest, (), deny=policy.deny, only=policy.only)


def _refusal(answer: Answer) -> BoxRefused:
    try:
        problem = msgspec.json.decode(answer.body)
        return BoxRefused(answer.status, str(problem["detail"]), str(problem.get("code")), problem.get("errors"))
    except (msgspec.DecodeError, KeyError, TypeError, AttributeError):
        return BoxRefused(answer.status, f"the box answered {answer.status}")


__all__ = ["BoxCalls", "BoxRefused", "UpstreamError"]
