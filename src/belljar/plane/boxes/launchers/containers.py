"""Containers of a box as an engine is asked for them: what they may do, see and use.  Nothing here asks anybody."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from belljar.plane.boxes.launchers.base import BoxSpec
from belljar.settings import read_bytes

# By which the containers of an installation and place are found, and whose they are.
LABEL = "belljar.installation"
BOX_LABEL = "belljar.box"
# Of the server beside its programs, and of the egress process.
SERVER_MEMORY, _SERVER_PROCESSES = 512 << 20, 128
_EGRESS_MEMORY, _EGRESS_PROCESSES = 256 << 20, 64
_TEMPORARY = 1 << 30
_SECCOMP = Path(__file__).with_name("seccomp.json")
# Our words to the log's file, which outlives the container: an engine's own log does not.
_LOGGED = 'exec "$@" >>/run/belljar-log 2>&1'
_POLICY = "/run/belljar/egress-policy"
# The folder with the policy that the egress container is held to, which the box does not see.
CEILING = "ceiling"
# The list of system calls, in a box's folder, for an engine that takes no text.
SECCOMP_FILE = "seccomp.json"


@dataclass(frozen=True)
class ContainerSettings:
    """What the operator said of containers."""

    image: str
    runtime: str | None = None
    apparmor: str | None = None
    network: str = "bridge"


@dataclass(frozen=True)
class BoxPlace:
    """Where a box's folder is on the engine's host, whose it is, and as whom it runs."""

    folder: Path
    mark: str
    owner: tuple[int, int]
    is_podman: bool = False


def box_name(box_id: str) -> str:
    return f"belljar-{box_id}"


def egress_name(box_id: str) -> str:
    return f"belljar-{box_id}-egress"


def containers_of(
    spec: BoxSpec, place: BoxPlace, settings: ContainerSettings, egress: str
) -> Mapping[str, Mapping[str, object]]:
    """By name.  `egress` is a preset's name; else the policy is in a file."""
    return {
        egress_name(spec.box_id): _egress_container(spec.box_id, place, settings),
        box_name(spec.box_id): _box_container(spec, place, settings, egress),
    }


def _egress_container(box_id: str, place: BoxPlace, settings: ContainerSettings) -> dict[str, object]:
    """The process that carries out what the box's policy allows: the only one with a network."""
    host = _host(
        place, {"out": "/run/egress", CEILING: "/run/ceiling:ro"}, processes=_EGRESS_PROCESSES, temporary=1 << 20
    )
    host |= {
        "NetworkMode": settings.network,
        "SecurityOpt": ["no-new-privileges"],
        "RestartPolicy": {"Name": "on-failure"},
        **_memory(_EGRESS_MEMORY),
    }
    command = ["python3", "-m", "belljar.egress", "/run/egress/egress.sock", "/run/ceiling/policy"]
    return _container(box_id, place, settings, command, host)


def _box_container(spec: BoxSpec, place: BoxPlace, settings: ContainerSettings, egress: str) -> dict[str, object]:
    seen = {"run": "/run/belljar", "out": "/run/egress", "state": "/var/lib/belljar", "log": "/run/belljar-log"}
    limits = limits_in(spec.flags)
    # It is memory, as are the jail's own (a quarter of the limit each): all of them full, the server still has room.
    temporary = min(_TEMPORARY, max(_TEMPORARY // 2, limits.memory // 2)) if limits.memory else _TEMPORARY
    host = _host(place, seen, processes=limits.processes + _SERVER_PROCESSES, temporary=temporary)
    # The calls with which a box makes its jail, and Chromium its sandbox, beside the engine's own list.
    security = ["no-new-privileges", f"seccomp={place.folder / SECCOMP_FILE if place.is_podman else seccomp()}"]
    if place.is_podman:
        # As the empty lists below say, which it does not read.
        security.append("unmask=ALL")
    host |= {
        "NetworkMode": "none",
        "SecurityOpt": security if settings.apparmor is None else [*security, f"apparmor={settings.apparmor}"],
        "RestartPolicy": {"Name": "no"},
        # Covered, a jail within could have no /proc of its own.
        "MaskedPaths": [],
        "ReadonlyPaths": [],
    }
    if limits.memory:
        host |= _memory(limits.memory + SERVER_MEMORY)
    if limits.cpus:
        host["NanoCpus"] = int(limits.cpus * 1e9)
    if settings.runtime is not None:
        host["Runtime"] = settings.runtime
    command = ["sh", "-c", _LOGGED, "sh", "belljar", "box", "--log-format", "json", *_flags(spec, place, egress)]
    return _container(spec.box_id, place, settings, command, host)


def _flags(spec: BoxSpec, place: BoxPlace, egress: str) -> list[str]:
    return [
        *("--socket", "unix:/run/belljar/box.sock", "--caller-key-file", "/run/belljar/key"),
        *("--state-dir", "/var/lib/belljar", "--container-limits", "--egress-socket", "/run/egress/egress.sock"),
        *("--egress", _POLICY if egress.startswith("/") else egress),
        *("--box-id", spec.box_id, "--installation", place.mark, "--expires-in", str(spec.expires_in)),
        *spec.flags,
    ]


def _host(place: BoxPlace, seen: Mapping[str, str], *, processes: int, temporary: int) -> dict[str, object]:
    return {
        "Binds": [f"{place.folder / name}:{target}" for name, target in seen.items()],
        "CapDrop": ["ALL"],
        "ReadonlyRootfs": True,
        "Tmpfs": {"/tmp": f"rw,exec,nosuid,nodev,mode=1777,size={temporary}"},
        "PidsLimit": processes,
        "LogConfig": {"Type": "none", "Config": {}},
    }


def _memory(most: int) -> dict[str, object]:
    """As much with swap as without: none."""
    return {"Memory": most, "MemorySwap": most}


def _container(
    box_id: str, place: BoxPlace, settings: ContainerSettings, command: Sequence[str], host: Mapping[str, object]
) -> dict[str, object]:
    return {
        "Image": settings.image,
        "Entrypoint": list(command[:1]),
        "Cmd": list(command[1:]),
        "User": "{}:{}".format(*place.owner),
        "Hostname": "box",
        "WorkingDir": "/",
        "Env": ["HOME=/tmp", "TMPDIR=/tmp"],
        "Labels": {LABEL: place.mark, BOX_LABEL: box_id},
        "Healthcheck": {"Test": ["NONE"]},
        "HostConfig": dict(host),
    }


@dataclass(frozen=True)
class BoxLimits:
    """What a box's flags say of limits, which its container holds; 0 is none."""

    memory: int
    processes: int
    cpus: float
    disk: int


def limits_in(flags: Sequence[str]) -> BoxLimits:
    values = dict(zip(flags[:-1], flags[1:], strict=True))
    return BoxLimits(
        memory=read_bytes(values.get("--max-memory", "0")) or 0,
        processes=int(values.get("--max-processes", 1024)),
        cpus=float(values.get("--max-cpus", 0)),
        disk=read_bytes(values.get("--max-disk", "0")) or 0,
    )


@cache
def seccomp() -> str:
    return _SECCOMP.read_text()
