"""Objects of a cluster as far as a launcher reads them, and what became of a Pod.  Nothing here asks anybody."""

from collections.abc import Mapping

import msgspec

from belljar.plane.boxes.launchers.base import Ending

# The container of a Pod that the box is.
BOX_CONTAINER = "box"
# A Pod's condition that says who ends it, by the reasons that are known.
_DISRUPTED = "DisruptionTarget"
_EVICTED = frozenset(
    {"EvictionByEvictionAPI", "PreemptionByScheduler", "TerminationByKubelet", "Evicted", "Preempting"}
)
_NODE_LOST = frozenset({"DeletionByTaintManager", "DeletionByPodGC", "NodeLost", "NodeShutdown", "Shutdown"})
# How a box ends that was told to, in time or not.
_TOLD_TO_END = frozenset({0, 137, 143})
# Of a container that will not start however long one waits.
_HOPELESS = frozenset(
    {
        "ErrImagePull",
        "ImagePullBackOff",
        "ErrImageNeverPull",
        "InvalidImageName",
        "CreateContainerConfigError",
        "CreateContainerError",
        "RunContainerError",
    }
)


class Metadata(msgspec.Struct, rename="camel"):
    name: str = ""
    uid: str = ""
    resource_version: str = ""
    deletion_timestamp: str | None = None
    labels: dict[str, str] = {}


class _Waiting(msgspec.Struct):
    reason: str = ""
    message: str = ""


class _Terminated(msgspec.Struct, rename="camel"):
    exit_code: int = 0
    reason: str = ""


class _ContainerState(msgspec.Struct):
    waiting: _Waiting | None = None
    terminated: _Terminated | None = None


class _ContainerStatus(msgspec.Struct):
    name: str = ""
    state: _ContainerState = msgspec.field(default_factory=_ContainerState)


class _Condition(msgspec.Struct):
    type: str = ""
    status: str = ""
    reason: str = ""
    message: str = ""


class _PodStatus(msgspec.Struct, rename="camel"):
    phase: str = ""
    reason: str = ""
    message: str = ""
    pod_ip: str = msgspec.field(default="", name="podIP")
    conditions: list[_Condition] = []
    container_statuses: list[_ContainerStatus] = []


class _PodSpec(msgspec.Struct, rename="camel"):
    node_name: str = ""


class Pod(msgspec.Struct):
    metadata: Metadata = msgspec.field(default_factory=Metadata)
    spec: _PodSpec = msgspec.field(default_factory=_PodSpec)
    status: _PodStatus = msgspec.field(default_factory=_PodStatus)


class _ListMetadata(msgspec.Struct, rename="camel"):
    resource_version: str = ""


class PodList(msgspec.Struct):
    metadata: _ListMetadata = msgspec.field(default_factory=_ListMetadata)
    items: list[Pod] | None = None


class Labelled(msgspec.Struct):
    """Anything at all, as far as its labels go: a Secret's content is not read."""

    metadata: Metadata = msgspec.field(default_factory=Metadata)


class LabelledList(msgspec.Struct):
    items: list[Labelled] | None = None


class PodEvent(msgspec.Struct):
    """One line of a watch; of a bookmark only the object's version is meant, an error's object is a Status."""

    type: str
    object: msgspec.Raw


class Status(msgspec.Struct):
    """How the API refuses."""

    code: int = 0
    reason: str = ""
    message: str = ""


def ending_of(pod: Pod) -> Ending | None:
    """How the box in it came to its end; None while it lives.

    One that was told to go counts as ended, though it may take its time: deletion cannot be taken back.
    """
    is_over = pod.status.phase in ("Failed", "Succeeded") or pod.metadata.deletion_timestamp is not None
    why = _disruption(pod)
    if is_over and why.keys() & _EVICTED:
        return Ending(was_evicted=True, detail=_sentence(f"evicted from {_node(pod)}", *why.values()))
    if is_over and why.keys() & _NODE_LOST:
        return Ending(detail=_sentence(f"{_node(pod)} was lost or shut down", *why.values()))
    ended = _box_state(pod).terminated
    if ended is not None and ended.reason == "OOMKilled":
        return Ending(was_oom=True, detail=f"exit {ended.exit_code}")
    if pod.metadata.deletion_timestamp is not None and (ended is None or ended.exit_code in _TOLD_TO_END):
        return Ending(detail="the Pod was deleted by somebody else")
    if ended is not None:
        return Ending(detail=f"exit {ended.exit_code}")
    if is_over:
        return Ending(detail=_sentence(f"the Pod {pod.status.reason or pod.status.phase}", pod.status.message))
    return None


def hopeless_start(pod: Pod) -> str | None:
    """Why the box in it will never start."""
    waiting = _box_state(pod).waiting
    if waiting is None or waiting.reason not in _HOPELESS:
        return None
    return _sentence(waiting.reason, waiting.message)


def why_it_waits(pod: Pod) -> str | None:
    """Why no node has it, where the scheduler said."""
    for condition in pod.status.conditions:
        if condition.type == "PodScheduled" and condition.status == "False":
            return _sentence(condition.reason, condition.message)
    return None


def _disruption(pod: Pod) -> Mapping[str, str]:
    """What it is ended for, by reason: in a condition of newer clusters, and in the status of all."""
    told = {one.reason: one.message for one in pod.status.conditions if one.type == _DISRUPTED and one.status == "True"}
    return {**told, pod.status.reason: pod.status.message}


def _box_state(pod: Pod) -> _ContainerState:
    for container in pod.status.container_statuses:
        if container.name == BOX_CONTAINER:
            return container.state
    return _ContainerState()


def _node(pod: Pod) -> str:
    return f"node {pod.spec.node_name}" if pod.spec.node_name else "its node"


def _sentence(what: str, *why: str) -> str:
    told = [one.strip() for one in why if one.strip()]
    return f"{what}: {told[0]}" if told else what
