"""The Pod and the Secret of a box, as a cluster is asked for them.  Nothing here asks anybody."""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from belljar.egress.policy.file import PRESETS
from belljar.plane.boxes.launchers.base import BoxSpec
from belljar.plane.boxes.launchers.containers import SERVER_MEMORY, limits_in
from belljar.plane.boxes.launchers.kubernetes.objects import BOX_CONTAINER

# By which what belongs to an installation is found, and whose it is; and for policies and people.
LABEL = "belljar.installation"
BOX_LABEL = "belljar.box"
NAME_LABEL = "app.kubernetes.io/name"
COMPONENT_LABEL = "app.kubernetes.io/component"
PORT = 2468
# How long a box may take to close its browser and finish its films.
GRACE_SECONDS = 15
_UID = 1000
_SECRETS = "/run/secrets/belljar"
_STATE = "/var/lib/belljar"
_LOG = "/run/belljar-log"
# What programs may write to /tmp, and all of a session's files together where no limit was given.
_TEMPORARY, _STATE_SIZE = 1 << 30, 4 << 30
# How long a node may be silent before what runs there is given up; a cluster's own habit is five minutes.
_LOST_SECONDS = 60


@dataclass(frozen=True)
class Toleration:
    key: str
    value: str | None = None
    effect: str | None = None


@dataclass(frozen=True)
class PodSettings:
    """What the operator said of Pods."""

    image: str
    pull_policy: str = "IfNotPresent"
    pull_secrets: Sequence[str] = ()
    service_account: str | None = None
    runtime_class: str | None = None
    priority_class: str | None = None
    node_selector: Mapping[str, str] | None = None
    tolerations: Sequence[Toleration] = ()
    requests: Mapping[str, str] | None = None
    # RuntimeDefault, Unconfined, or the path of a profile below the kubelet's own folder.
    seccomp: str = "belljar.json"
    # Likewise, or the name of a profile that the nodes have loaded; None leaves it to the cluster.
    apparmor: str | None = None
    user_namespace: bool = True
    # A claim that the control planes have at their state folder.
    volume: str | None = None


def secret_of(spec: BoxSpec, mark: str) -> dict[str, object]:
    """All that nobody else should read: its key, and a policy with passwords."""
    content = {"key": spec.key.hex()}
    if spec.egress not in PRESETS:
        content["egress-policy"] = spec.egress
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": _metadata(spec.box_id, mark),
        "type": "Opaque",
        "immutable": True,
        "data": {name: base64.b64encode(value.encode()).decode() for name, value in content.items()},
    }


def pod_of(spec: BoxSpec, mark: str, settings: PodSettings) -> dict[str, object]:
    pod: dict[str, object] = {
        # Nothing brings it back: who lost a box is told so, and another would be another.
        "restartPolicy": "Never",
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        "terminationGracePeriodSeconds": GRACE_SECONDS,
        "securityContext": _pod_security(settings),
        "containers": [_container(spec, mark, settings)],
        "volumes": _volumes(spec, settings),
        "tolerations": _tolerations(settings),
    }
    if settings.user_namespace:
        pod["hostUsers"] = False
    chosen: Mapping[str, object] = {
        "serviceAccountName": settings.service_account,
        "runtimeClassName": settings.runtime_class,
        "priorityClassName": settings.priority_class,
        "nodeSelector": dict(settings.node_selector or {}),
        "imagePullSecrets": [{"name": name} for name in settings.pull_secrets],
    }
    pod |= {name: value for name, value in chosen.items() if value}
    # A session cannot be moved, so a node with one is not emptied to save money.
    stays = {"annotations": {"cluster-autoscaler.kubernetes.io/safe-to-evict": "false"}}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": _metadata(spec.box_id, mark) | stays, "spec": pod}


def _metadata(box_id: str, mark: str) -> dict[str, object]:
    labels = {LABEL: mark, BOX_LABEL: box_id, NAME_LABEL: "belljar", COMPONENT_LABEL: "box"}
    return {"name": box_id, "labels": labels}


def _pod_security(settings: PodSettings) -> dict[str, object]:
    security: dict[str, object] = {
        "runAsNonRoot": True,
        "runAsUser": _UID,
        "runAsGroup": _UID,
        "fsGroup": _UID,
        # What a volume shared by all boxes holds is theirs already.
        "fsGroupChangePolicy": "OnRootMismatch",
        "seccompProfile": _profile(settings.seccomp),
    }
    if settings.apparmor is not None:
        security["appArmorProfile"] = _profile(settings.apparmor)
    return security


def _profile(name: str) -> dict[str, str]:
    if name in ("RuntimeDefault", "Unconfined"):
        return {"type": name}
    return {"type": "Localhost", "localhostProfile": name}


def _container(spec: BoxSpec, mark: str, settings: PodSettings) -> dict[str, object]:
    security: dict[str, object] = {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    if settings.user_namespace:
        # Covered, a jail within could have no /proc of its own; a cluster allows it to Pods with a user namespace only.
        security["procMount"] = "Unmasked"
    probe = {"httpGet": {"path": "/readyz", "port": PORT}, "periodSeconds": 5, "timeoutSeconds": 5}
    return {
        "name": BOX_CONTAINER,
        "image": settings.image,
        "imagePullPolicy": settings.pull_policy,
        "command": ["belljar", "box", "--log-format", "json"],
        "args": _flags(spec, mark, settings),
        "env": [
            {"name": "POD_IP", "valueFrom": {"fieldRef": {"fieldPath": "status.podIP"}}},
            {"name": "HOME", "value": "/tmp"},
            {"name": "TMPDIR", "value": "/tmp"},
        ],
        "ports": [{"name": "box", "containerPort": PORT}],
        "resources": _resources(spec, settings),
        "securityContext": security,
        # For people who look: the control plane asks the box itself.
        "readinessProbe": probe,
        "volumeMounts": _mounts(spec, settings),
    }


def _flags(spec: BoxSpec, mark: str, settings: PodSettings) -> list[str]:
    flags = ["--host", "$(POD_IP)", "--port", str(PORT), "--caller-key-file", f"{_SECRETS}/key"]
    flags += ["--state-dir", _STATE, "--container-limits"]
    if settings.volume is not None:
        # Where the control planes read it without asking the cluster.
        flags += ["--log-file", _LOG]
    flags += ["--egress", spec.egress if spec.egress in PRESETS else f"{_SECRETS}/egress-policy"]
    flags += ["--box-id", spec.box_id, "--installation", mark, "--expires-in", str(spec.expires_in)]
    # A dollar would be taken for the beginning of a variable.
    return [*flags, *(flag.replace("$", "$$") for flag in spec.flags)]


def _resources(spec: BoxSpec, settings: PodSettings) -> dict[str, object]:
    limits = limits_in(spec.flags)
    held: dict[str, str] = {}
    if limits.memory:
        held["memory"] = str(limits.memory + SERVER_MEMORY)
    if limits.cpus:
        held["cpu"] = f"{round(limits.cpus * 1000)}m"
    resources: dict[str, object] = {"limits": held} if held else {}
    if settings.requests:
        resources["requests"] = dict(settings.requests)
    return resources


def _volumes(spec: BoxSpec, settings: PodSettings) -> list[dict[str, object]]:
    secret = {"secretName": spec.box_id, "defaultMode": 0o440, "optional": True}
    state: dict[str, object] = {"emptyDir": {"sizeLimit": str(limits_in(spec.flags).disk or _STATE_SIZE)}}
    if settings.volume is not None:
        state = {"persistentVolumeClaim": {"claimName": settings.volume}}
    return [
        # It is removed from the cluster once the box has read it.
        {"name": "secrets", "secret": secret},
        {"name": "tmp", "emptyDir": {"sizeLimit": str(_TEMPORARY)}},
        {"name": "state", **state},
    ]


def _mounts(spec: BoxSpec, settings: PodSettings) -> list[dict[str, object]]:
    mounts: list[dict[str, object]] = [
        {"name": "secrets", "mountPath": _SECRETS, "readOnly": True},
        {"name": "tmp", "mountPath": "/tmp"},
    ]
    if settings.volume is None:
        return [*mounts, {"name": "state", "mountPath": _STATE}]
    # Of a volume that all boxes share, each sees what is its own.
    for name, at in (("log", _LOG), ("state", _STATE)):
        mounts.append({"name": "state", "mountPath": at, "subPath": f"boxes/{spec.box_id}/{name}"})
    return mounts


def _tolerations(settings: PodSettings) -> list[dict[str, object]]:
    """The operator's, and how long a node may be silent."""
    lost: list[dict[str, object]] = [
        {"key": f"node.kubernetes.io/{what}", "operator": "Exists", "effect": "NoExecute"}
        | {"tolerationSeconds": _LOST_SECONDS}
        for what in ("not-ready", "unreachable")
    ]
    return [*map(_toleration, settings.tolerations), *lost]


def _toleration(one: Toleration) -> dict[str, object]:
    how = {"operator": "Exists"} if one.value is None else {"operator": "Equal", "value": one.value}
    return {"key": one.key, **how, **({} if one.effect is None else {"effect": one.effect})}
