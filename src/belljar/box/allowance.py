"""Allowance: what callers may do, use and open here; tightened for a session, never widened again."""

import posixpath
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

import anyio

from belljar.box.browser.page.frames import World
from belljar.box.browser.page.navigation import Arrival
from belljar.box.live import Live
from belljar.box.live.session_film import SessionFilm
from belljar.box.record import Record
from belljar.box.sandbox import CannotTighten, Isolation
from belljar.box.sandbox.cgroups import Limits
from belljar.box.sandbox.jail.bubblewrap import ALLOWED_PAGES, BLOCKED_SCHEMES
from belljar.egress.policy.addresses import BadHost, parse_host
from belljar.egress.proxy.gate import Record as Connection
from belljar.egress.proxy.gate import Ring
from belljar.problems import InvalidRequest
from belljar.problems.box import AddressDenied, EgressDenied
from belljar.problems.browser import CdpDisabled, EvaluateDisabled, NavigationFailed
from belljar.problems.plane import BoxNotTightened, NotHonoured
from belljar.wire import isolation as wire
from belljar.wire.isolation import CdpRelay, Evaluate, LimitHolder
from belljar.wire.sessions import Allowance

# From what allows least to what allows most.
_EVALUATE = (Evaluate.OFF, Evaluate.ISOLATED, Evaluate.ON)
# The limits that the host has to enforce, as callers know them and as the report of the isolation does.
_HELD_BY_THE_HOST = {
    "memory_mb": ("limits.memoryMb", "memory_limit"),
    "cpus": ("limits.cpus", "cpu_limit"),
    "disk_mb": ("limits.diskMb", "disk_limit"),
    "processes": ("limits.processes", "process_limit"),
}


class Permissions:
    """Where a caller's JavaScript may run, and whether CDP clients may connect: one rule for every surface."""

    def __init__(self, evaluate: Evaluate = Evaluate.ON, cdp: CdpRelay = CdpRelay.ON) -> None:
        self.evaluate = evaluate
        self._cdp = cdp

    def tighten(self, evaluate: Evaluate, cdp: CdpRelay) -> None:
        self.evaluate = min(self.evaluate, evaluate, key=_EVALUATE.index)
        if cdp is CdpRelay.OFF:
            self._cdp = cdp

    @property
    def world(self) -> World:
        """Raises `EvaluateDisabled`."""
        if self.evaluate is Evaluate.OFF:
            raise EvaluateDisabled
        return World.ISOLATED if self.evaluate is Evaluate.ISOLATED else World.MAIN

    @property
    def allows_cdp(self) -> bool:
        return self._cdp is not CdpRelay.OFF

    def check_cdp(self) -> None:
        """Raises `CdpDisabled`."""
        if not self.allows_cdp:
            raise CdpDisabled


async def tighten(
    allowance: Allowance,
    asked: tuple[str, ...],
    permissions: Permissions,
    isolation: Isolation,
    live: Live,
    record: Record,
    film: SessionFilm,
) -> None:
    """Hold the box to `allowance` from now on.  What is there already stays, and what would widen it is no change.

    What is filmed is no permission: a warm box films nothing before it is somebody's.

    Raises `NotHonoured` for a limit that was asked for and that nobody enforces here, and `BoxNotTightened` where a
    box that runs cannot be given one any more.
    """
    check_enforced(asked, isolation.report)
    limits = Limits(
        memory_bytes=None if allowance.memory_mb is None else allowance.memory_mb << 20,
        processes=allowance.processes,
        cpus=allowance.cpus,
        disk_bytes=None if allowance.disk_mb is None else allowance.disk_mb << 20,
    )
    try:
        await isolation.tighten(limits)
    except CannotTighten as error:
        raise BoxNotTightened(f"This box runs already and cannot be held to less: {error}.") from error
    live.tighten(allowance.viewers, allowance.input_rate, allowance.command_rate)
    permissions.tighten(allowance.evaluate, allowance.cdp)
    record.tighten(allowance.record, allowance.record_kinds)
    film.set_mode(allowance.film)


def check_enforced(asked: tuple[str, ...], report: wire.Isolation) -> None:
    """Raises `NotHonoured` for limits of the caller's that nobody holds on this host."""
    unheld = [
        field
        for name, (field, holder) in _HELD_BY_THE_HOST.items()
        if name in asked and getattr(report, holder) is LimitHolder.NONE
    ]
    if unheld:
        raise NotHonoured(
            f"This host cannot enforce {' and '.join(unheld)}; the session's isolation says why.",
            errors=[
                {"in": "body", "field": field, "message": "not enforced on this host", "type": "not_honoured"}
                for field in unheld
            ],
        )


# The proxy's word of a refusal may come a moment after Chromium's.
RECORD_WAIT = 0.5
# What Chromium says when the proxy refuses a tunnel, or a managed setting an address.
_NO_TUNNEL, _BLOCKED = "ERR_TUNNEL_CONNECTION_FAILED", "ERR_BLOCKED_BY_ADMINISTRATOR"
# Kinds of addresses that Chromium has pages for.  Others it hands to programs of the host, which are not there, and
# stays where it is: whoever asked for one would be told it had arrived.
_WEB = ("http", "https", "about", "blob", "data", "javascript")
# What a caller writes itself, scripts and all: in the address, or as a file in the box's folders.
_OF_CALLERS = frozenset({"data", "file"})
_DEFAULT_PORTS = {"http": 80, "ws": 80, "https": 443, "wss": 443}


@dataclass
class Visit:
    """Where it led; None where a dialog kept it from arriving."""

    arrival: Arrival | None = None


class Addresses:
    def __init__(self, isolation: Isolation, shared: tuple[str, ...], permissions: Permissions | None = None) -> None:
        self._isolation = isolation
        self._permissions = permissions or Permissions()
        # Folders that `file:` may show.
        self._shared = shared

    def check(self, url: str) -> None:
        """Raise `AddressDenied` for what no page may be, `InvalidRequest` for what none can be.

        A host is the proxy's to judge.
        """
        cleaned = "".join(character for character in url if character > " ")
        scheme = cleaned.partition(":")[0].lower()
        if scheme in _OF_CALLERS and self._permissions.evaluate is Evaluate.OFF:
            raise AddressDenied(f"{scheme}:", "documents of callers, and the scripts in them, do not run here")
        elif scheme == "file":
            if not self._is_shared(cleaned):
                raise AddressDenied("file:", "only files of the box's own folders may be opened")
        elif scheme == "javascript" and self._permissions.evaluate is not Evaluate.ON:
            raise AddressDenied("javascript:", "scripts of callers do not run in pages here; see --evaluate")
        elif scheme in (*BLOCKED_SCHEMES, "chrome") and not cleaned.lower().rstrip("/").startswith(ALLOWED_PAGES):
            raise AddressDenied(f"{scheme}:", "pages of the browser itself may not be opened")
        elif ":" in cleaned and scheme not in (*_WEB, *BLOCKED_SCHEMES, "chrome"):
            # Not the scheme itself where it may be a host and a port, or a password.
            raise InvalidRequest(
                "The browser has no pages for addresses of this kind; it must be one of http: or https:, written in"
                " full (https://example.com/)."
            )

    @asynccontextmanager
    async def visit(self, url: str) -> AsyncIterator[Visit]:
        """Open `url` in the block.  Raises `AddressDenied` or `EgressDenied` where a policy is what kept it away."""
        self.check(url)
        began = time.time()
        visit = Visit()
        try:
            yield visit
        except NavigationFailed as error:
            raise await self._explained(error, url, began) from error
        if visit.arrival is not None:
            await self._check_arrival(visit.arrival.url, visit.arrival.status, began)

    async def _explained(self, error: NavigationFailed, url: str, since: float) -> Exception:
        """A refusal by the policy where that is what a failed navigation was; otherwise the failure itself."""
        reason = str(error.members.get("net_error", ""))
        if reason == _BLOCKED:
            return AddressDenied(f"{urlsplit(url).scheme}:", "the box's settings do not allow it")
        if reason == _NO_TUNNEL:
            record = await self._denial(url, since, scheme="tunnel")
            if record is not None:
                return EgressDenied(record.host, record.port, record.rule, record.reason)
        return error

    async def _check_arrival(self, url: str, status: int, since: float) -> None:
        """Raise `EgressDenied` where the page that came is the proxy's own refusal."""
        if status == 403 and url.startswith("http:"):
            record = await self._denial(url, since, scheme="http")
            if record is not None:
                raise EgressDenied(record.host, record.port, record.rule, record.reason)

    async def _denial(self, url: str, since: float, scheme: str) -> Connection | None:
        log = self._isolation.way_out.log
        found = _find(log, url, since, scheme)
        with anyio.move_on_after(RECORD_WAIT), log.watch() as records:
            while found is None:
                found = _find(log, url, since, scheme)
                if found is None:
                    await records.receive()
        return found

    def _is_shared(self, url: str) -> bool:
        parts = urlsplit(url)
        path = posixpath.normpath(unquote(parts.path))
        return parts.netloc in ("", "localhost") and any(
            path == folder or path.startswith(f"{folder}/") for folder in self._shared
        )


def _find(log: Ring, url: str, since: float, scheme: str) -> Connection | None:
    """The refusal of this very host; behind a redirect, the newest of its kind."""
    parts = urlsplit(url)
    try:
        host = str(parse_host(f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname or ""))
        port = parts.port or _DEFAULT_PORTS.get(parts.scheme, 0)
    except (BadHost, ValueError):
        host, port = "", 0
    exact = log.last_denial(host, port, since)
    if exact is not None or scheme == "http":
        return exact
    later = (record for record in log.newest_first() if record.time >= since)
    return next((record for record in later if record.decision == "deny" and record.scheme == scheme), None)
