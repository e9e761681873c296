"""How many sessions may run: decisions, without the I/O that acts on them."""

import sys
from dataclasses import dataclass

from belljar.plane.settings import PlaneSettings


@dataclass(frozen=True)
class Limits:
    """Memory and disk are in bytes."""

    total: int
    per_user: int
    waiting: int
    memory_per_session: int
    memory_reserve: int
    disk_reserve: int = 0


def limits_of(settings: PlaneSettings) -> Limits:
    return Limits(
        settings.max_sessions,
        settings.max_sessions_per_user,
        settings.queue_length,
        settings.memory_per_session * 1024 * 1024,
        settings.memory_reserve * 1024 * 1024,
        settings.disk_reserve * 1024 * 1024,
    )


@dataclass(frozen=True)
class Load:
    """How things stand when somebody wants one more session."""

    mine: int  # of the user, whatever their state
    owning: int  # of all, with a box or about to have one
    waiting: int  # of all, in the queue
    starting: int  # whose memory is not used yet but will be
    available_memory: int
    free_disk: int = sys.maxsize
    takes_more: bool = True  # whether a box could be started at all


def user_may_add(load: Load, limits: Limits, own_limit: int | None) -> bool:
    """A user's own limit is answered at once: waiting helps only if they themselves end something."""
    return load.mine < (limits.per_user if own_limit is None else own_limit)


def may_queue(load: Load, limits: Limits) -> bool:
    return load.waiting < limits.waiting


def has_room(load: Load, limits: Limits, *, is_warm: bool = False) -> bool:
    """Whether one more box can start now without doing harm to those that run; one that is warm has its memory."""
    if load.owning >= limits.total or load.free_disk < limits.disk_reserve:
        return False
    if not (is_warm or load.takes_more):
        return False
    return has_memory(load.available_memory, limits, boxes=load.starting + (0 if is_warm else 1))


def has_memory(available: int, limits: Limits, *, boxes: int = 1) -> bool:
    """Whether so many boxes more leave the reserve alone."""
    per_box = limits.memory_per_session
    return per_box == 0 or available - per_box * boxes >= limits.memory_reserve
