"""Boxes in Pods of a cluster, one each, reached at the Pod's address; every control plane may act on every one.

A box's key comes by a Secret, which is there only until the box has read it.  What happens to Pods is told by one
watch; whether one is gone is asked.
"""

import os
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

import anyio
import msgspec

from belljar.logs import log
from belljar.plane.boxes.launchers.base import (
    Address,
    BoxSpec,
    Ending,
    Found,
    Handle,
    Keep,
    LaunchError,
    Room,
    Stats,
)
from belljar.plane.boxes.launchers.box_folders import BoxFolders
from belljar.plane.boxes.launchers.folder_launcher import FolderLauncher
from belljar.plane.boxes.launchers.kubernetes.api import Api, ApiAway, ApiRefused
from belljar.plane.boxes.launchers.kubernetes.objects import (
    BOX_CONTAINER,
    Pod,
    ending_of,
    hopeless_start,
    why_it_waits,
)
from belljar.plane.boxes.launchers.kubernetes.pods import (
    BOX_LABEL,
    GRACE_SECONDS,
    LABEL,
    PORT,
    PodSettings,
    pod_of,
    secret_of,
)
from belljar.plane.boxes.launchers.kubernetes.watch import PodWatch
from belljar.plane.boxes.upstream import Upstream, UpstreamError
from belljar.server.signed_caller import CALLER_HEADER, CallerSigner
from belljar.state import write_private
from belljar.tasks import background
from belljar.tokens import CONTROL_PLANE, Role

# Looked at again after so long without news; and how long a Pod may take to go, once its time is up and once forced.
_LOOK_SECONDS = 2.0
_GONE_WITHIN, _FORCED_WITHIN = GRACE_SECONDS + 15.0, 15.0
# A quota that was full, and an API that did not answer, are tried again after this: the watch has noticed by then.
_FULL_SECONDS, _SILENT_SECONDS = 10.0, 2.0
_STATS_SECONDS = 5.0
# For a log to begin, and for its end once its Pod is gone.
_LAST_WORDS_SECONDS = 2.0
_MOST_WORDS = 500
# Connecting to an address where nobody listens.
_NOWHERE = Address(host="127.0.0.1", port=0)
# Beside sessions that wait, boxes for those to come.
_STARTS, _WARM_STARTS = 32, 8


@dataclass(frozen=True)
class ClusterPlace:
    """Whose boxes these are, and what their cluster is called among several."""

    installation: str
    cluster: str
    state_dir: Path


class KubernetesLauncher(FolderLauncher):
    """Opened by `open_kubernetes`.  `key_of` gives a box's key, with which it is asked what it uses."""

    starts_at_once = _STARTS
    warm_starts_at_once = _WARM_STARTS

    def __init__(self, api: Api, settings: PodSettings, place: ClusterPlace, key_of: Callable[[str], bytes]) -> None:
        self._api = api
        self._settings = settings
        self._key_of = key_of
        self._mark = place.installation
        self.place = f"{place.cluster}/{api.namespace}"
        self._selector = f"{LABEL}={self._mark}"
        self.watch = PodWatch(api, self._selector)
        super().__init__(BoxFolders(place.state_dir, f"{self._mark}@{self.place}"))
        self._upstream = Upstream()
        # Until when the namespace's quota is taken for full, and when the API last did not answer (monotonic).
        self._full_until = 0.0
        self._silent_at = -_SILENT_SECONDS

    async def room(self) -> Room:
        """How much there is nobody says beforehand: a quota that was full, or an API that is away."""
        now = time.monotonic()
        is_silent = now < self._silent_at + _SILENT_SECONDS and self.watch.listed_at < self._silent_at
        return Room(takes_more=self.watch.is_live and not is_silent and now >= self._full_until)

    async def launch(self, spec: BoxSpec, keep: Keep) -> Handle:
        known: dict[str, object] = {"namespace": self._api.namespace, "pod": spec.box_id}

        async def keep_known(**more: object) -> Handle:
            known.update(more)
            handle = Handle(dict(known))
            await keep(handle)
            return handle

        await keep_known()
        await self._prepare(spec)
        pod = await self._create(spec)
        await keep_known(uid=pod.metadata.uid)
        handle = await keep_known(ip=await self._until_placed(spec.box_id, pod.metadata.uid))
        await self._until_ready(handle)
        try:
            # It has read it; nobody else need.
            await self._api.delete_secret(spec.box_id)
        except (ApiAway, ApiRefused) as error:
            # It goes with the box, or is found without one.
            log.warning("kubernetes.secret_left", box_id=spec.box_id, error=str(error))
            return handle
        return await keep_known(hasSecret=False)

    async def lend_profile(self, handle: Handle, id: str, *, read_only: bool) -> None:
        self._check_profiles()
        folder = self._folders.of(_read(handle)["pod"])
        await anyio.to_thread.run_sync(self._folders.profiles.lend, folder, id, read_only)

    async def hold_egress(self, box_id: str, change: Callable[[str], str]) -> None:
        """The box carries it out itself."""

    def address(self, handle: Handle) -> Address:
        ip = _read(handle).get("ip")
        return Address(host=str(ip), port=PORT) if ip else _NOWHERE

    async def is_alive(self, handle: Handle) -> bool:
        """From what we were told; that one is not there is asked, and who is not answered does not know."""
        name, uid = _read(handle)["pod"], _read(handle).get("uid")
        pod = self.watch.get(name)
        if pod is None or not self._is(pod, uid):
            try:
                pod = await self._api.pod(name)
            except (ApiAway, ApiRefused) as error:
                log.warning("kubernetes.not_answered", box_id=name, error=str(error))
                return True
            if pod is not None and self._is(pod, uid):
                self.watch.put(pod)
        return pod is not None and self._is(pod, uid) and ending_of(pod) is None

    async def wait_ended(self, handle: Handle) -> Ending:
        while True:
            told = self.watch.told
            if not await self.is_alive(handle):
                return self._ending(handle)
            await self.watch.wait(told, GRACE_SECONDS)

    async def destroy(self, box_id: str, handle: Handle | None) -> None:
        known = {} if handle is None else _read(handle)
        try:
            pod = await self._own_pod(box_id, known.get("uid"))
            if pod is not None and self._has_whole_log(pod):
                await self._remove(pod)
            elif pod is not None:
                async with self._keeping_log(box_id):
                    await self._remove(pod)
            if known.get("hasSecret", True):
                await self._api.delete_secret(box_id)
        except (ApiAway, ApiRefused) as error:
            raise LaunchError(f"the cluster did not remove {box_id}: {error}") from error
        if ip := known.get("ip"):
            self._upstream.forget(Address(host=str(ip), port=PORT))
        await anyio.to_thread.run_sync(self._clear, box_id, abandon_on_cancel=False)

    async def find_all(self) -> Sequence[Found]:
        try:
            pods = self.watch.pods if self.watch.is_live else (await self._api.pods(self._selector)).items or []
            secrets = (await self._api.secrets(self._selector)).items or []
        except (ApiAway, ApiRefused) as error:
            raise LaunchError(f"the cluster does not say what there is: {error}") from error
        handles = {one.metadata.labels.get(BOX_LABEL, ""): self._handle(one.metadata.name) for one in secrets}
        for pod in pods:
            more = {"ip": pod.status.pod_ip} if pod.status.pod_ip else {}
            handles[pod.metadata.labels.get(BOX_LABEL, "")] = self._handle(
                pod.metadata.name, uid=pod.metadata.uid, **more
            )
        for id in await anyio.to_thread.run_sync(self._folders.find_all):
            handles.setdefault(id, self._handle(id))
        return [Found(id, handle) for id, handle in sorted(handles.items()) if id]

    async def stats(self, handle: Handle) -> Stats:
        """As the box says: what a node counts is late, and says nothing of processes."""
        name, path = _read(handle)["pod"], "/v1/health"
        signed = CallerSigner(self._key_of(name)).sign("GET", path.encode(), Role.OPERATOR, CONTROL_PLANE)
        try:
            with anyio.fail_after(_STATS_SECONDS):
                answer = await self._upstream.request(
                    self.address(handle), "GET", path, headers=[(CALLER_HEADER.encode(), signed)]
                )
            usage = msgspec.json.decode(answer.body, type=_Health).usage
        except (UpstreamError, TimeoutError, msgspec.MsgspecError):
            return Stats()
        return Stats(usage.memory, usage.cpu_seconds, usage.processes)

    async def log(self, box_id: str) -> AsyncIterator[bytes]:
        said: bytes | None = None
        if self._settings.volume is None:
            with suppress(ApiAway, ApiRefused):
                said = await self._api.log(box_id, BOX_CONTAINER)
        if said is not None:
            yield said
            return
        async for piece in self._artifacts.log(box_id):
            yield piece

    async def check(self) -> None:
        """Raises `LaunchError` where the API cannot be reached, or lets us do nothing."""
        try:
            await self._api.pods(self._selector)
            await self._api.secrets(self._selector)
        except ApiAway as error:
            raise LaunchError(f"the cluster's API does not answer ({error})") from error
        except ApiRefused as error:
            raise LaunchError(f"the cluster's API refuses what sessions need ({error})") from error

    async def _prepare(self, spec: BoxSpec) -> None:
        if spec.profile is not None:
            self._check_profiles()
        if self._settings.volume is not None:
            await anyio.to_thread.run_sync(self._make_folder, spec)

    def _make_folder(self, spec: BoxSpec) -> None:
        """On the volume that the box will see its own part of, and nothing else."""
        self._folders.make(spec)
        folder = self._folders.of(spec.box_id)
        (folder / "state").mkdir(mode=0o700, exist_ok=True)
        (folder / "log").touch(mode=0o600)
        if os.geteuid() == 0:
            for name in ("state", "log"):
                os.chown(folder / name, 1000, 1000, follow_symlinks=False)

    def _check_profiles(self) -> None:
        if self._settings.volume is None:
            raise LaunchError("profiles need a volume that control planes and boxes share (--kubernetes-volume)")

    async def _create(self, spec: BoxSpec) -> Pod:
        """The Secret first: a Pod without it would be tried again ever more rarely."""
        try:
            await self._api.create_secret(secret_of(spec, self._mark))
            return await self._api.create_pod(pod_of(spec, self._mark, self._settings))
        except (ApiAway, ApiRefused) as error:
            if isinstance(error, ApiAway):
                self._silent_at = time.monotonic()
            elif error.is_quota:
                self._full_until = time.monotonic() + _FULL_SECONDS
            raise LaunchError(f"the cluster made no Pod: {error}") from error

    async def _until_placed(self, name: str, uid: str) -> str:
        """The Pod's address, once it has one."""
        said: str | None = None
        while True:
            told = self.watch.told
            pod = self.watch.get(name)
            if pod is not None and self._is(pod, uid):
                if why := hopeless_start(pod):
                    raise LaunchError(f"the Pod does not start: {why}")
                if ending := ending_of(pod):
                    raise LaunchError(f"the Pod ended before it was ready: {ending.detail}")
                if pod.status.pod_ip:
                    return pod.status.pod_ip
                if (waits := why_it_waits(pod)) and waits != said:
                    said = waits
                    log.warning("kubernetes.pod_waits", box_id=name, reason=waits)
            elif (gone := self.watch.last_seen(name)) is not None and self._is(gone, uid):
                raise LaunchError("the Pod was deleted before it was ready")
            await self.watch.wait(told, _LOOK_SECONDS)

    async def _why_it_ended(self, handle: Handle, ending: Ending) -> str:
        return f"{ending.detail}; {await self._last_line(_read(handle)['pod'])}"

    async def _last_line(self, box_id: str) -> str:
        """What a box said last: which lock keeps it from making a jail, for one."""
        try:
            said = await self._api.log(box_id, BOX_CONTAINER)
        except (ApiAway, ApiRefused):
            said = None
        lines = (said or b"").decode(errors="replace").strip().splitlines()
        return lines[-1][:_MOST_WORDS] if lines else "it said nothing"

    def _ending(self, handle: Handle) -> Ending:
        name, uid = _read(handle)["pod"], _read(handle).get("uid")
        for pod in (self.watch.get(name), self.watch.last_seen(name)):
            if pod is not None and self._is(pod, uid):
                return ending_of(pod) or Ending(detail="the Pod was deleted by somebody else")
        return Ending(detail="the Pod is gone")

    async def _own_pod(self, name: str, uid: object) -> Pod | None:
        """As the cluster has it now; one of the same name that is not ours is none of our business."""
        pod = self.watch.get(name)
        if pod is not None and self._is(pod, uid):
            return pod
        pod = await self._api.pod(name)
        return pod if pod is not None and self._is(pod, uid) else None

    async def _remove(self, pod: Pod) -> None:
        """In order, if it still can; by force from a node that does not answer, where it may live until its own end."""
        name, uid = pod.metadata.name, pod.metadata.uid
        await self._api.delete_pod(name, uid, grace=GRACE_SECONDS)
        if await self._is_gone(name, uid, within=_GONE_WITHIN):
            return
        log.warning("kubernetes.forced", box_id=name, node=pod.spec.node_name)
        await self._api.delete_pod(name, uid, grace=0)
        if not await self._is_gone(name, uid, within=_FORCED_WITHIN):
            raise LaunchError(f"the Pod {name} does not go")

    async def _is_gone(self, name: str, uid: str, *, within: float) -> bool:
        """Told, or asked now and then: another control plane may have been first, and may not be done."""
        deadline = time.monotonic() + within
        asks_at = time.monotonic() + _LOOK_SECONDS
        while (now := time.monotonic()) < deadline:
            told = self.watch.told
            gone = self.watch.last_seen(name)
            has_left = gone is not None and gone.metadata.uid == uid
            if has_left and gone is not None and gone.metadata.deletion_timestamp is not None:
                return True
            # One that left without having been told to go may only have lost its label.
            if has_left or now >= asks_at:
                asks_at = now + _LOOK_SECONDS
                pod = await self._api.pod(name)
                if pod is None or not self._is(pod, uid):
                    self.watch.forget(name, uid)
                    return True
            await self.watch.wait(told, _LOOK_SECONDS)
        return False

    def _has_whole_log(self, pod: Pod) -> bool:
        """Of a box that lives, what the volume has is all; what one said that died, the cluster alone may know."""
        return self._settings.volume is not None and ending_of(pod) is None

    @asynccontextmanager
    async def _keeping_log(self, box_id: str) -> AsyncIterator[None]:
        """For after the Pod, with which the cluster forgets it: its last words too."""
        words = _LastWords()
        async with background(partial(self._follow_log, box_id, words), name="box log"):
            with anyio.move_on_after(_LAST_WORDS_SECONDS):
                await words.begun.wait()
            yield
            with anyio.move_on_after(_LAST_WORDS_SECONDS):
                await words.over.wait()
        if words.said:
            await anyio.to_thread.run_sync(self._write_log, box_id, bytes(words.said))

    async def _follow_log(self, box_id: str, words: "_LastWords") -> None:
        try:
            async with self._api.following_log(box_id, BOX_CONTAINER) as pieces:
                words.begun.set()
                async for piece in pieces:
                    words.said += piece
        except (ApiAway, ApiRefused) as error:
            # The end of a session matters more than what is remembered of it.
            log.info("box.log_cut", box_id=box_id, error=str(error))
        words.begun.set()
        words.over.set()

    def _write_log(self, box_id: str, said: bytes) -> None:
        folder = self._folders.of(box_id)
        folder.mkdir(mode=0o711, parents=True, exist_ok=True)
        write_private(folder / "log", said.decode(errors="replace"))

    def _clear(self, box_id: str) -> None:
        with self._folders.removing(self._folders.of(box_id)):
            pass

    def _is(self, pod: Pod, uid: object) -> bool:
        """Whether it is that very one; for a handle from before there was one, whether it is ours."""
        return pod.metadata.labels.get(LABEL) == self._mark if uid is None else pod.metadata.uid == uid

    def _handle(self, name: str, **more: object) -> Handle:
        return Handle({"namespace": self._api.namespace, "pod": name, **more})


class _LastWords:
    """A log that is being read to its end."""

    def __init__(self) -> None:
        self.said = bytearray()
        self.begun = anyio.Event()
        self.over = anyio.Event()


class _Usage(msgspec.Struct, rename="camel"):
    memory: int = 0
    cpu_seconds: float = 0.0
    processes: int = 0


class _Health(msgspec.Struct):
    usage: _Usage = msgspec.field(default_factory=_Usage)


def _read(handle: Handle) -> dict[str, Any]:
    return cast(dict[str, Any], handle)


@asynccontextmanager
async def running_launcher(
    api: Api, settings: PodSettings, place: ClusterPlace, key_of: Callable[[str], bytes]
) -> AsyncIterator[KubernetesLauncher]:
    launcher = KubernetesLauncher(api, settings, place, key_of)
    async with launcher._upstream, background(launcher.watch.run, name="kubernetes watch"):
        yield launcher
