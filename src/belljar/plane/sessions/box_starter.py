"""Makes a box with its row, and removes it: for the pool, and for a session that finds none warm."""

import secrets
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import anyio

from belljar.egress.policy.file import PRESETS
from belljar.logs import log
from belljar.plane.access.secrets import MasterKey
from belljar.plane.boxes.launchers.base import BoxSpec, Handle, LaunchError
from belljar.plane.registry import BoxRow, BoxState
from belljar.plane.sessions.context import Context
from belljar.plane.settings import PlaneSettings
from belljar.tasks import Signal
from belljar.wire.desktop import Webrtc
from belljar.wire.sessions import CreateSession


def new_box_id() -> str:
    return f"b-{secrets.token_hex(8)}"


def kind_of(wanted: CreateSession) -> str:
    """What a box must have running to serve `wanted`; everything else can be given to it when it is claimed."""
    return f"{wanted.mode}/{'headless' if wanted.headless else 'headful'}"


class BoxStarter:
    """Makes one box, with its row: what the pool and a session without a warm box both do."""

    def __init__(self, context: Context, master: MasterKey) -> None:
        self._context = context
        self._master = master
        settings = context.settings
        self.flags = _box_flags(settings)
        # All at once would all be slow, and a crowd of them too slow: in turn the first are there early.
        self._turns = anyio.CapacityLimiter(settings.starts_at_once or context.launcher.starts_at_once)
        # What there is of ours to remove, should the database not be there to say so.
        self._own: dict[str, Handle | None] = {}
        # Fired whenever there are others.
        self.changed = Signal()

    async def start(
        self,
        wanted: CreateSession,
        *,
        box_id: str,
        expires_in: float,
        session_id: str | None,
        flags: Sequence[str] = (),
        kind: str = "",
    ) -> Handle:
        """A box with what `wanted` asks for running in it.  Whatever happens, its row says what must be removed.

        Raises `LaunchError`, `BoxRefused`, `UpstreamError` or `TimeoutError`.
        """
        async with self._turns:
            return await self._start(wanted, box_id, expires_in, session_id, flags, kind or kind_of(wanted))

    async def _start(
        self,
        wanted: CreateSession,
        box_id: str,
        expires_in: float,
        session_id: str | None,
        flags: Sequence[str],
        kind: str,
    ) -> Handle:
        await self._context.registry.boxes.add(
            box_id,
            host=self._context.settings.host_name,
            place=self._context.launcher.place,
            plane_id=self._context.plane_id,
            state=BoxState.STARTING if session_id is None else BoxState.LENT,
            kind=kind,
            session_id=session_id,
        )

        async def keep(handle: Handle) -> None:
            self._own[box_id] = handle
            self.changed.fire()
            await self._context.registry.boxes.keep(box_id, handle)

        profile = None if wanted.profile_id is None else (wanted.profile_id, wanted.read_only)
        egress = egress_policy(self._context.settings)
        spec = BoxSpec(box_id, self._master.box_key(box_id), expires_in, (*self.flags, *flags), egress, profile)
        timeout = self._context.settings.start_timeout
        with anyio.fail_after(timeout):
            handle = await self._context.launcher.launch(spec, keep)
            address, hold = self._context.launcher.address(handle), self._context.launcher.hold_egress
            await self._context.calls.start(address, box_id, wanted, within=timeout, hold=hold)
        return handle

    async def remove(self, box: BoxRow) -> None:
        """Destroy a box and forget it."""
        await self._context.launcher.destroy(box.id, box.handle)
        self._own.pop(box.id, None)
        self.changed.fire()
        await self._context.registry.boxes.remove(box.id)

    @property
    def own(self) -> Mapping[str, Handle | None]:
        """The boxes of this control plane, some of which may have been removed by another."""
        return self._own

    def adopt(self, box: BoxRow) -> None:
        """One whose control plane is gone."""
        self._own[box.id] = box.handle
        self.changed.fire()

    def forget(self, box_ids: Collection[str]) -> None:
        for id in box_ids:
            self._own.pop(id, None)
        self.changed.fire()

    async def destroy_own(self) -> None:
        """Without the database, which learns of it at the next start."""

        async def destroy(box_id: str, handle: Handle | None) -> None:
            try:
                await self._context.launcher.destroy(box_id, handle)
                self._own.pop(box_id, None)
                self.changed.fire()
            except Exception:  # one box's trouble is not the others'
                log.exception("box.destroy_failed", box_id=box_id)

        async with anyio.create_task_group() as tasks:
            for box_id, handle in list(self._own.items()):
                tasks.start_soon(destroy, box_id, handle)


def _box_flags(settings: PlaneSettings) -> tuple[str, ...]:
    """How every box is started, beside what its launcher adds."""
    allowed = [part for target in settings.allow for part in ("--allow", target)]
    kept_in = ["--jail", settings.jail, "--disk-reserve", f"{settings.disk_reserve}M"]
    embedders = [part for origin in settings.embed_origins for part in ("--embed-origin", origin)]
    stream = ["--webrtc", "off" if settings.webrtc is Webrtc.OFF else "relay"]
    film = ["--film-minutes", f"{settings.film_minutes:g}"]
    spans = [] if settings.otlp_endpoint is None else ["--hold-spans"]
    return ("--log-level", settings.log_level, *kept_in, *allowed, *embedders, *stream, *film, *spans)


def egress_policy(settings: PlaneSettings) -> str:
    """A preset's name, or the policy in the operator's file, as it is now: boxes need not be where that is.

    Raises `LaunchError`.
    """
    if settings.egress in PRESETS:
        return settings.egress
    try:
        return Path(settings.egress).expanduser().read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise LaunchError(f"the policy {settings.egress} cannot be read: {error}") from error
