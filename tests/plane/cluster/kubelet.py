"""A kubelet of the tests' own: it binds Pods to itself and really starts their boxes, each in namespaces of its own.

What it does as a real one: secrets and empty folders as volumes, a claim as a folder of this host, variables in
arguments, the Pod's user without any capability, a control group that holds memory and says who was killed for it,
statuses, termination with grace.  What it does not: images, seccomp, AppArmor, user namespaces,
read-only roots, network namespaces and policies, probes, nodes that are lost.  Every Pod has an address of loopback.
"""

import base64
import itertools
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2 as httpx

from belljar.plane import kernel

NODE = "test-node"
_LOOK_SECONDS = 0.05
_GONE_WITHIN = 10.0
_ROOT = Path(__file__).parents[3]
_MEMORY = Path("/sys/fs/cgroup/memory")
# Of /var/lib, what programs need beside the box's own folder.
_NEEDED = ("xkb", "dbus", "fontconfig")

Object = dict[str, Any]


@dataclass
class Container:
    process: "subprocess.Popen[bytes]"
    folder: Path
    ip: str
    log: Path
    group: Path | None
    uid: str
    # When it was told to end (monotonic), and how long it has.
    told_at: float = 0.0
    is_over: bool = False

    @property
    def box(self) -> int:
        """The process that is the container's first."""
        children = [one.pid for one in kernel.tree([self.process.pid]) if one.pid != self.process.pid]
        for pid in children:
            if "box" in kernel.arguments(pid)[3:4]:
                return pid
        return self.process.pid

    def was_oom(self) -> bool:
        if self.group is None:
            return False
        said = (self.group / "memory.oom_control").read_text().split()
        return int(said[said.index("oom_kill") + 1]) > 0 if "oom_kill" in said else False


# No two Pods of this process have one address, whichever kubelet started them.
_numbers = itertools.count(1)


class Kubelet:
    """Starts everything from one thread that lives as long as it: what it starts ends with that thread."""

    def __init__(self, client: httpx.Client, namespace: str, folder: Path, volumes: Mapping[str, Path]) -> None:
        self._client = client
        self._path = f"/api/v1/namespaces/{namespace}"
        self._folder = folder
        self._volumes = volumes
        self.containers: dict[str, Container] = {}
        # Pods that are left alone: as if no node had room.
        self.is_full = False
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="kubelet", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join(30)
        assert not self._thread.is_alive()

    def log_of(self, name: str) -> bytes | None:
        container = self.containers.get(name)
        return None if container is None else container.log.read_bytes()

    def kill(self, name: str) -> None:
        """The container, at once."""
        os.kill(self.containers[name].box, signal.SIGKILL)

    def leave_memory(self, name: str, room: int) -> None:
        group = self.containers[name].group
        assert group is not None
        used = int((group / "memory.usage_in_bytes").read_text())
        (group / "memory.limit_in_bytes").write_text(str(used + room))

    def _run(self) -> None:
        while not self._stopping.wait(_LOOK_SECONDS):
            with suppress(httpx.HTTPError, ValueError, KeyError):
                self._look()
        for name in list(self.containers):
            self._end(self.containers[name])

    def _look(self) -> None:
        answer = self._client.get(f"{self._path}/pods")
        if answer.status_code != 200:
            return
        pods = {pod["metadata"]["name"]: pod for pod in answer.json()["items"] or ()}
        for name, container in list(self.containers.items()):
            if name not in pods or pods[name]["metadata"]["uid"] != container.uid:
                self._end(container)
                del self.containers[name]
        for name, pod in pods.items():
            if name not in self.containers:
                self._begin(name, pod)
            else:
                self._attend(name, pod, self.containers[name])

    def _begin(self, name: str, pod: Object) -> None:
        if pod["metadata"].get("deletionTimestamp"):
            self._delete(name)
            return
        if self.is_full:
            reason = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable"}
            self._tell(name, {"conditions": [{**reason, "message": "0/1 nodes are available: 1 Insufficient memory."}]})
            return
        target = {"apiVersion": "v1", "kind": "Node", "name": NODE}
        if not pod["spec"].get("nodeName"):
            about = {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": name}, "target": target}
            if self._client.post(f"{self._path}/pods/{name}/binding", json=about).status_code >= 300:
                return
        container = self._start(name, pod)
        if container is None:
            return
        self.containers[name] = container
        running = {"running": {"startedAt": "2026-01-01T00:00:00Z"}}
        self._tell(name, {"phase": "Running", "podIP": container.ip, "containerStatuses": [_status(pod, running)]})

    def _attend(self, name: str, pod: Object, container: Container) -> None:
        code = container.process.poll()
        if code is None:
            if pod["metadata"].get("deletionTimestamp"):
                self._ask_to_end(pod, container)
            return
        if not container.is_over:
            container.is_over = True
            was_oom = code in (-9, 137) and container.was_oom()
            ended = {"exitCode": code if code >= 0 else 128 - code, "reason": "OOMKilled" if was_oom else "Error"}
            phase = "Succeeded" if code == 0 else "Failed"
            self._tell(name, {"phase": phase, "containerStatuses": [_status(pod, {"terminated": ended})]})
        if pod["metadata"].get("deletionTimestamp"):
            self._delete(name)

    def _ask_to_end(self, pod: Object, container: Container) -> None:
        if not container.told_at:
            container.told_at = time.monotonic()
            with suppress(ProcessLookupError):
                os.kill(container.box, signal.SIGTERM)
        elif time.monotonic() - container.told_at > pod["metadata"].get("deletionGracePeriodSeconds", 30):
            container.process.kill()

    def _start(self, name: str, pod: Object) -> Container | None:
        folder = self._folder / f"{name}-{pod['metadata']['uid'][:8]}"
        folder.mkdir(mode=0o711, parents=True)
        number = next(_numbers)
        ip = f"127.{os.getpid() // 256 % 128 + 1}.{os.getpid() % 256}.{number % 254 + 1}"
        binds = self._volumes_of(pod, folder)
        if binds is None:
            return None
        about = pod["spec"]["containers"][0]
        environment = {one["name"]: one.get("value", ip) for one in about.get("env", ())}
        words = [_expanded(word, environment) for word in about.get("args", ())]
        assert about["command"][0] == "belljar", "only boxes are known"
        program = [sys.executable, "-m", *about["command"], *words]
        uid = pod["metadata"]["uid"]
        group = _make_group(f"{name}-{uid[:8]}")
        has_whole_proc = about["securityContext"].get("procMount") == "Unmasked"
        log = folder / "log"
        with log.open("wb") as out:
            process = subprocess.Popen(
                _inside(group, binds, pod["spec"]["securityContext"], program, has_whole_proc=has_whole_proc),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                env={"PATH": os.environ["PATH"], **environment},
            )
        return Container(process, folder, ip, log, group, uid)

    def _volumes_of(self, pod: Object, folder: Path) -> dict[str, Path] | None:
        """By where they are mounted; None where one is not there yet."""
        security = pod["spec"]["securityContext"]
        made: dict[str, Path] = {}
        for volume in pod["spec"]["volumes"]:
            if "persistentVolumeClaim" in volume:
                made[volume["name"]] = self._volumes[volume["persistentVolumeClaim"]["claimName"]]
                continue
            path = folder / volume["name"]
            path.mkdir()
            # Whatever our umask: a box that may not write to its /tmp starts no browser.
            path.chmod(0o750 if "secret" in volume else 0o777)
            if "secret" in volume:
                answer = self._client.get(f"{self._path}/secrets/{volume['secret']['secretName']}")
                found = answer.json().get("data", {}) if answer.status_code == 200 else {}
                for name, value in found.items():
                    (path / name).write_bytes(base64.b64decode(value))
                    (path / name).chmod(volume["secret"]["defaultMode"])
                    os.chown(path / name, 0, security["fsGroup"])
            os.chown(path, 0, security["fsGroup"])
            made[volume["name"]] = path
        mounts = pod["spec"]["containers"][0]["volumeMounts"]
        return {one["mountPath"]: made[one["name"]] / one.get("subPath", "") for one in mounts}

    def _end(self, container: Container) -> None:
        # The first of its processes: whoever gave up rights is not told that the one outside has ended.
        with suppress(ProcessLookupError, OSError, ValueError, IndexError):
            os.kill(container.box, signal.SIGKILL)
        if container.process.poll() is None:
            container.process.kill()
        container.process.wait(_GONE_WITHIN)
        if container.group is not None:
            deadline = time.monotonic() + _GONE_WITHIN
            while (container.group / "cgroup.procs").read_text() and time.monotonic() < deadline:
                time.sleep(_LOOK_SECONDS)
            with suppress(OSError):
                container.group.rmdir()

    def _tell(self, name: str, about: Object) -> None:
        headers = {"Content-Type": "application/merge-patch+json"}
        body = json.dumps({"status": about})
        self._client.patch(f"{self._path}/pods/{name}/status", content=body, headers=headers)

    def _delete(self, name: str) -> None:
        self._client.request("DELETE", f"{self._path}/pods/{name}", json={"gracePeriodSeconds": 0})


def _status(pod: Object, state: Object) -> Object:
    about = pod["spec"]["containers"][0]
    known = {"name": about["name"], "image": about["image"], "imageID": "sha256:0", "restartCount": 0, "ready": True}
    return {**known, "state": state, "lastState": {}}


def _expanded(word: str, environment: Mapping[str, str]) -> str:
    """As Kubernetes writes variables in arguments; a doubled dollar is one."""
    for name, value in environment.items():
        word = word.replace(f"$({name})", value)
    return word.replace("$$", "$")


def _inside(
    group: Path | None, binds: Mapping[str, Path], security: Object, program: list[str], *, has_whole_proc: bool
) -> list[str]:
    """The container: its own processes and mounts, the Pod's user, and no capability."""
    words = ["bwrap", "--dev-bind", "/", "/", "--unshare-pid", "--as-pid-1", "--die-with-parent", "--cap-add", "ALL"]
    words += ["--tmpfs", "/run", "--perms", "0755", "--dir", "/run/secrets", "--tmpfs", "/var/lib"]
    for name in _NEEDED:
        words += ["--ro-bind-try", f"/var/lib/{name}", f"/var/lib/{name}"]
    for target, source in binds.items():
        words += ["--bind", str(source), target]
    # Should the tree or its interpreter be below /tmp, or in a folder that is shut to others.
    for path in (_ROOT, Path(sys.prefix), Path(sys.base_prefix)):
        shut = [parent for parent in path.parents if not parent.stat().st_mode & 0o001]
        for parent in shut:
            between = [one for one in reversed(path.parents) if one.is_relative_to(parent) and one != parent]
            words += [
                "--tmpfs",
                str(parent),
                *itertools.chain(*(("--perms", "0755", "--dir", str(one)) for one in between)),
            ]
        words += ["--ro-bind", str(path), str(path)]
    user = ["--reuid", str(security["runAsUser"]), "--regid", str(security["runAsGroup"])]
    drop = ["setpriv", *user, "--groups", str(security["fsGroup"]), "--bounding-set=-all", "--inh-caps=-all"]
    entered = 'echo $$ > "$0/cgroup.procs"; exec "$@"' if group is not None else 'exec "$@"'
    # bubblewrap's own /proc has covered parts, as a container's usually has.
    proc = ["sh", "-c", 'mount -t proc proc /proc && exec "$@"', "sh"]
    if not has_whole_proc:
        words, proc = [*words, "--proc", "/proc"], []
    inner = [*words, *proc, *drop, "--no-new-privs", "--", *program]
    return ["sh", "-c", entered, str(group), *inner]


def _make_group(name: str) -> Path | None:
    group = _MEMORY / f"belljar-kubelet-{os.getpid()}-{name}"
    try:
        group.mkdir()
    except OSError:
        return None
    return group


@contextmanager
def running_kubelet(
    client: httpx.Client, namespace: str, folder: Path, volumes: Mapping[str, Path]
) -> Iterator[Kubelet]:
    kubelet = Kubelet(client, namespace, folder, volumes)
    kubelet.start()
    try:
        yield kubelet
    finally:
        kubelet.stop()
