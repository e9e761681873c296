"""Checks of this host and of what runs on it, in words, each with the one line that mends it."""

import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import anyio

from belljar import __version__
from belljar.doctor import host, programs
from belljar.doctor.checks import Check as Trial
from belljar.doctor.checks import browser_checks, desktop_extras, isolation_checks
from belljar.doctor.trial import Finding
from belljar.plane.boxes.artifacts.artifacts import Uploads
from belljar.plane.registry import Database, Registry, SessionRow
from belljar.plane.settings import PlaneSettings
from belljar.plane.supervision import Supervisor
from belljar.plane.views import time_at
from belljar.server.guard import is_loopback
from belljar.wire.administration import Check, CheckLevel, CheckReport
from belljar.wire.isolation import JailMode, SessionIsolation

# Trying what a box needs costs seconds of processor time.
_GOOD_SECONDS = 300.0
# However many ask at once, and however fresh they want it.
_LEAST_SECONDS = 5.0


class HostChecks:
    """What `belljar doctor` would find, tried at most now and then; and what only a running control plane knows."""

    def __init__(
        self, settings: PlaneSettings, registry: Registry, supervisor: Supervisor, uploads: Uploads | None = None
    ) -> None:
        self._settings = settings
        self._registry = registry
        self._supervisor = supervisor
        self._uploads = uploads
        self._turn = anyio.Lock()
        self._found: Sequence[Finding] = ()
        self._found_at = float("-inf")
        self._checked_at = 0.0

    async def look(self, *, fresh: bool = False) -> CheckReport:
        async with self._turn:
            age = time.monotonic() - self._found_at
            if age > (_LEAST_SECONDS if fresh else _GOOD_SECONDS):
                self._found = await anyio.to_thread.run_sync(
                    try_host, self._settings.launcher, self._settings.state_dir
                )
                self._found_at, self._checked_at = time.monotonic(), time.time()
        live = await self._registry.sessions.live()
        checks = [
            *isolation_in_words(self._settings.jail, live),
            *running(self._supervisor.dead, self._registry.database),
            *reached(self._settings),
            *uploading(self._uploads),
            *map(_check, self._found),
        ]
        return CheckReport(
            version=__version__,
            host=self._settings.host_name,
            checked_at=time_at(self._checked_at),
            ok=not any(check.level is CheckLevel.MISSING for check in checks),
            checks=checks,
        )


def try_host(launcher: str, state_dir: Path) -> Sequence[Finding]:
    """What boxes need here: programs and isolation where they are processes, an engine where they are containers.

    Blocks for about two seconds.
    """
    checks: list[Trial] = [host.check_shared_memory, host.check_memory, partial(host.check_state_dir, state_dir)]
    if launcher == "local":
        checks = [
            *isolation_checks(state_dir),
            *browser_checks(state_dir),
            programs.check_openbox,
            *desktop_extras(),
            *checks,
        ]
    elif launcher == "docker":
        checks = [programs.check_docker, *checks]
    return [check() for check in checks]


def isolation_in_words(jail: JailMode, live: Sequence[SessionRow]) -> Iterator[Check]:
    """In red when weaker than asked, and when nobody asked for any."""
    if jail is JailMode.OFF:
        yield Check(
            id="jail-off",
            title="Isolation",
            level=CheckLevel.MISSING,
            detail="off: programs of sessions are not kept in, as --jail off says",
            fix="belljar serve --jail require",
        )
        return
    open_ones = [row for row in live if row.isolation and not SessionIsolation.model_validate(row.isolation).jail]
    if open_ones:
        reason = SessionIsolation.model_validate(open_ones[0].isolation).reason or "no reason was given"
        yield Check(
            id="jail-weaker",
            title="Isolation",
            level=CheckLevel.MISSING,
            detail=f"{len(open_ones)} running without the jail that was asked for, such as {open_ones[0].id}: {reason}",
            fix="belljar doctor",
        )
    else:
        yield Check(
            id="jail-on", title="Isolation", level=CheckLevel.OK, detail="every session's programs are in a jail"
        )


def running(dead: Sequence[str], database: Database) -> Iterator[Check]:
    if dead:
        detail = f"not running: {', '.join(dead)}"
        yield Check(id="tasks", title="Control plane", level=CheckLevel.MISSING, detail=detail, fix="start it again")
    else:
        yield Check(id="tasks", title="Control plane", level=CheckLevel.OK, detail="all of its tasks run")
    detail = "SQLite: for one host; several share a PostgreSQL" if database.is_sqlite else "PostgreSQL"
    if database.is_away:
        detail = "what was last written to it was not taken"
    level = CheckLevel.WARNING if database.is_away else CheckLevel.OK
    yield Check(id="database", title="Database", level=level, detail=detail)


def reached(settings: PlaneSettings) -> Iterator[Check]:
    """Keys and cookies that go over a network want encryption, which is a proxy's business."""
    is_open = not is_loopback(settings.host) or bool(settings.trusted_proxies)
    if is_open and not (settings.public_url or "").startswith("https://"):
        yield Check(
            id="tls",
            title="Encryption",
            level=CheckLevel.WARNING,
            detail=f"it listens on {settings.host}, and its public address does not begin with https://",
            fix="belljar serve --public-url https://… behind a proxy with TLS",
        )


def uploading(uploads: Uploads | None) -> Iterator[Check]:
    if uploads is None:
        return
    detail = f"{uploads.waiting} ended sessions wait for the store" if uploads.waiting else "the store has everything"
    if uploads.trouble:
        detail += f": {uploads.trouble}"
    level = CheckLevel.WARNING if uploads.trouble else CheckLevel.OK
    fix = (
        "see that --artifacts, its endpoint and AWS_… are right, and that the store is up" if uploads.trouble else None
    )
    yield Check(id="artifacts", title="Artifacts", level=level, detail=detail, fix=fix)


def _check(finding: Finding) -> Check:
    return Check(
        id=finding.id,
        title=finding.title,
        level=CheckLevel(finding.level),
        detail=finding.detail,
        fix=finding.fix,
    )
