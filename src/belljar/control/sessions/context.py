"""`Context`: the parts around the sessions' machine, which each of its own parts is given."""

from dataclasses import dataclass

from belljar.control.boxes import BoxCalls
from belljar.control.launchers.base import Launcher
from belljar.control.metrics import ControlMetrics
from belljar.control.peers import Peers
from belljar.control.registry import Registry
from belljar.control.sessions.directory import Directory
from belljar.control.settings import ControlSettings


@dataclass(frozen=True)
class Context:
    settings: ControlSettings
    registry: Registry
    launcher: Launcher
    directory: Directory
    calls: BoxCalls
    peers: Peers
    metrics: ControlMetrics

    @property
    def plane_id(self) -> str:
        """Which control plane this is."""
        return self.peers.id
