"""Every setting of the control plane, read once by `belljar serve`."""

import socket
from pathlib import Path
from typing import Literal

from pydantic import Field

from belljar.settings import ServerSettings, Several
from belljar.wire.isolation import JailMode


class ControlSettings(ServerSettings):
    """What `belljar serve` can be told."""

    public_url: str | None = Field(None, description="Where callers reach this server, for the addresses in answers.")
    trusted_proxies: Several = Field((), description="Addresses of proxies whose X-Forwarded-* headers are believed.")
    database_url: str | None = Field(None, description="postgresql://… or sqlite:///…; SQLite in the state folder.")
    master_key_file: Path | None = Field(None, description="The master key; control.key in the state folder.")
    host_name: str = Field(
        default_factory=socket.gethostname, description="This host's name among control planes on one database."
    )
    peer_url: str | None = Field(
        None, pattern=r"^https?://[^/\s]+", description="Where control planes on other hosts reach this one."
    )
    ttl: int = Field(3600, ge=1, description="Seconds a session lives when its caller does not say.")
    max_ttl: int = Field(86_400, ge=1, description="Largest ttl in seconds.")
    idle_timeout: int = Field(600, ge=0, description="Seconds without activity until a session ends; 0 for never.")
    watching_counts: bool = Field(False, description="Whether an open stream alone is activity.")
    max_sessions: int = Field(100, ge=0, description="Most sessions on all control planes of the database.")
    max_sessions_per_user: int = Field(5, ge=0, description="Most sessions of one user.")
    queue_wait: float = Field(30.0, ge=0, description="Seconds a new session waits for room.")
    queue_length: int = Field(100, ge=0, description="Most sessions that wait for room.")
    memory_per_session: int = Field(350, ge=0, description="Megabytes that must be free for one more session.")
    memory_reserve: int = Field(300, ge=0, description="Megabytes that stay free for everything else.")
    evict_below: int = Field(
        0, ge=0, description="Megabytes free below which the session unused for longest is ended; 0 for never."
    )
    start_timeout: float = Field(60.0, gt=0, description="Seconds a box may take to come up.")
    starts_at_once: int = Field(
        0, ge=0, description="Most boxes that are being started at a time; 0 for two on each processor."
    )
    pool_size: int = Field(0, ge=0, description="Boxes started ahead of need.")
    pool_mode: Literal["browser", "none"] = Field("browser", description="What warm boxes have running.")
    headless: bool = Field(False, description="Whether warm boxes are headless.")
    width: int = Field(1280, ge=100, description="Width of warm boxes' viewport.")
    height: int = Field(720, ge=100, description="Height of warm boxes' viewport.")
    jail: JailMode = Field(JailMode.AUTO, description="auto, require or off: whether boxes run programs in a jail.")
    egress: str = Field("public", description="Where boxes may connect to: public, open, none, learn, or a file.")
    allow: Several = Field((), description="Hosts and ports that boxes may connect to beside that.")
    gateway_timeout: float = Field(300.0, gt=0, description="Seconds a box may take to begin an answer.")
    retain: float = Field(7.0, ge=0, description="Days that ended sessions, their logs and recordings are kept.")
    drain: float = Field(30.0, ge=0, description="Seconds open requests may take once told to stop.")
    keep_sessions: bool = Field(False, description="Leave the boxes running at the end, for the next start to adopt.")

    @property
    def database(self) -> str:
        return self.database_url or f"sqlite:///{self.state_dir / 'control.db'}"

    @property
    def master_key(self) -> Path:
        return self.master_key_file or self.state_dir / "control.key"
