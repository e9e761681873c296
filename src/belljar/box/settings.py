"""Every setting of a box, read once by `belljar box`."""

from pathlib import Path

from pydantic import Field, field_validator

from belljar.limits import MAX_DOWNLOAD_BYTES, MAX_UPLOAD_BYTES
from belljar.settings import ServerSettings, Several, read_bytes
from belljar.wire.isolation import CdpRelay, Evaluate, JailMode
from belljar.wire.record import FilmMode, RecordLevel, check_kinds


class BoxSettings(ServerSettings):
    """What `belljar box` can be told."""

    socket: str | None = Field(None, description="fd:N or unix:/path: a socket to listen on, instead of host and port.")
    lifeline: str | None = Field(
        None, pattern=r"^fd:\d+$", description="fd:N: a process descriptor or pipe; the box ends when it does."
    )
    ephemeral: bool = Field(False, description="Remove the state folder at the end.")
    token_file: str | None = Field(
        None, description="File that holds the operator's token, or fd:N for an inherited descriptor."
    )
    caller_key_file: str | None = Field(
        None,
        description="File, or fd:N, with a control plane's key, which signs who calls; no token opens the box then.",
    )
    no_token: bool = Field(False, description="Ask for no token. Only on a loopback address.")
    max_upload: int = Field(MAX_UPLOAD_BYTES, gt=0, description="Largest file sent to the box, in bytes.")

    navigation_timeout: int = Field(30_000, gt=0, description="Milliseconds a navigation may take by default.")
    action_timeout: int = Field(10_000, gt=0, description="Milliseconds any other browser call may take by default.")
    start_timeout: float = Field(15, gt=0, description="Seconds the browser and its display may take to come up.")
    max_download: int = Field(MAX_DOWNLOAD_BYTES, gt=0, description="Largest download in bytes.")

    box_id: str = Field("box", description="This box's name, in its own answers and in its control plane's.")
    installation: str = Field("", description="Which control plane's box this is.")
    expires_in: float | None = Field(None, gt=0, description="Seconds until the box ends itself, unless claimed.")
    idle_timeout: float = Field(0, ge=0, description="Seconds without activity until the box ends itself; 0 for never.")

    hold_spans: bool = Field(
        False, description="Hold spans of calls for the control plane, which takes and sends them."
    )

    control_ttl: float = Field(60, gt=0, description="Seconds that whoever holds control may be silent.")
    control_wait: float = Field(30, ge=0, description="Seconds a CDP client's input waits while a person has control.")
    max_viewers: int = Field(32, gt=0, description="Live viewers at once.")
    live_input_rate: float = Field(300, gt=0, description="Input messages a second from one viewer.")
    live_command_rate: float = Field(30, gt=0, description="Commands a second from one viewer.")
    live_max_message: int = Field(1024 * 1024, gt=0, description="Largest message from a viewer, in bytes.")
    live_idle_timeout: float = Field(
        90, gt=0, description="Seconds without a message, pings included, until a viewer is taken for dead."
    )

    live_resize: str = Field(
        "",
        pattern=r"^(|[1-9][0-9]{2,3}x[1-9][0-9]{2,3})$",
        description="Largest size, as 1920x1080, that viewers may give the display; empty: they may not change it.",
    )

    mcp_idle: float = Field(
        1800, ge=0, description="Seconds unused until a browser that MCP started is closed; 0 for never."
    )

    record: RecordLevel = Field(
        RecordLevel.ACTIONS, description="none, actions or content: what is written down of what happens."
    )
    record_size: str = Field("256M", description="How much of the record is kept; 0 for no limit.")
    record_days: float = Field(0, ge=0, description="Days that the record and its films are kept; 0 for no limit.")
    record_kinds: Several = Field((), description="Kinds of events to write, such as call or nav; empty for all.")
    film: FilmMode = Field(FilmMode.OFF, description="off, on_failure or on: what is filmed without being asked for.")
    film_minutes: float = Field(2.0, gt=0, le=30, description="Minutes that on_failure keeps.")

    jail: JailMode = Field(JailMode.AUTO, description="auto, require or off: whether programs run in a jail.")
    egress: str = Field("public", description="Where programs may connect to: public, open, none, learn, or a file.")
    egress_socket: Path | None = Field(
        None, description="Where an egress process listens (belljar egress): the box then starts none of its own."
    )
    allow: Several = Field((), description="Hosts and ports allowed beside that.")
    bind: Several = Field((), description="Folders programs share: DIR:/workspace[:ro].")
    evaluate: Evaluate = Field(Evaluate.ON, description="on, isolated or off: where callers' scripts may run.")
    cdp: CdpRelay = Field(CdpRelay.ON, description="on or off: whether CDP clients may connect.")
    max_memory: str = Field("", description="Memory of all programs together, such as 4G; empty for no limit.")
    max_disk: str = Field("4G", description="Disk of all programs together, such as 10G; 0 for no limit.")
    disk_reserve: str = Field("256M", description="Free space of the host's disk that programs must leave.")
    max_processes: int = Field(1024, ge=64, description="Processes and threads of all programs together.")
    max_cpus: float = Field(0, ge=0, description="Processors that all programs together may use; 0 for no limit.")

    log_file: Path | None = Field(
        None, description="A file that lines of the log go to as well, at its end; else standard error has them alone."
    )
    container_limits: bool = Field(
        False, description="The container around the box holds its memory, processors and processes."
    )

    @field_validator("record_size")
    @classmethod
    def _is_size(cls, value: str) -> str:
        if read_bytes(value) is None:
            raise ValueError("a size is a number with K, M, G or T, such as 256M")
        return value

    @field_validator("record_kinds")
    @classmethod
    def _are_kinds(cls, names: Several) -> Several:
        return check_kinds(names)
