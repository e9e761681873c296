"""What callers may do and use here: as the box was started, and tighter once it is a session's; never wider again."""

from belljar.box.browser.frames import World
from belljar.box.isolation import CannotTighten, Isolation
from belljar.box.isolation.cgroups import Limits
from belljar.box.live import Live
from belljar.problems.control import BoxNotTightened, NotHonoured
from belljar.problems.evaluate import CdpDisabled, EvaluateDisabled
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
    allowance: Allowance, asked: tuple[str, ...], permissions: Permissions, isolation: Isolation, live: Live
) -> None:
    """Hold the box to `allowance` from now on.  What is there already stays, and what would widen it is no change.

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
