"""`Context`: the parts around the sessions' machine, which each of its own parts is given."""

from dataclasses import dataclass

from belljar.plane.boxes.calls import BoxCalls
from belljar.plane.boxes.launchers.base import Launcher
from belljar.plane.peers import Peers
from belljar.plane.records import SessionRecords
from belljar.plane.registry import Registry
from belljar.plane.sessions.directory import Directory
from belljar.plane.settings import PlaneSettings
from belljar.plane.supervision import ControlMetrics
from belljar.server.telemetry.export import Telemetry


@dataclass(frozen=True)
class Context:
    settings: PlaneSettings
    registry: Registry
    launcher: Launcher
    directory: Directory
    calls: BoxCalls
    peers: Peers
    metrics: ControlMetrics
    records: SessionRecords
    # None where no spans are sent.
    telemetry: Telemetry | None = None

    @property
    def plane_id(self) -> str:
        """Which control plane this is."""
        return self.peers.id
