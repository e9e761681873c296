"""Start, stop and status of the desktop."""

from enum import StrEnum

from pydantic import Field

from belljar.wire.base import Model
from belljar.wire.desktop.numbers import I32, U32
from belljar.wire.desktop.windows import WindowInfo


class DisplayMode(StrEnum):
    """What the one display of a box is used for; the other mode has to wait until it is stopped."""

    BROWSER = "browser"
    DESKTOP = "desktop"


class DesktopState(StrEnum):
    INACTIVE = "inactive"  # nothing runs
    INSTALL_REQUIRED = "install_required"  # nothing runs, and nothing can: programs are missing
    STARTING = "starting"
    ACTIVE = "active"
    STOPPING = "stopping"
    FAILED = "failed"  # the last start did not come up, or the display died and does not come back


class StartDesktop(Model):
    width: U32 = Field(default=1440, description="Pixels.", examples=[1280])
    height: U32 = Field(default=900, description="Pixels.", examples=[720])
    dpi: U32 = 96
    display_num: I32 = Field(default=99, description="The display number to try first; taken ones are skipped upwards.")
    recording_fps: U32 = Field(default=30, description="Frames a second of recordings that do not say, 1 to 60.")
    stream_video_codec: str | None = Field(default=None, description="Kept for streaming.")
    stream_audio_codec: str | None = Field(default=None, description="Kept for streaming.")
    stream_frame_rate: U32 | None = Field(default=None, description="Kept for streaming.")
    webrtc_port_range: str | None = Field(default=None, description="Kept for streaming.")
    state_dir: str | None = Field(default=None, description="Accepted and not used, as in the reference.")


class Resolution(Model):
    width: int
    height: int
    dpi: int


class LastError(Model):
    code: str
    message: str


class DesktopProcess(Model):
    name: str = Field(examples=["Xvfb"])
    pid: int | None = None
    running: bool
    process_id: str | None = Field(default=None, description="Its id under /v1/processes.")


class DesktopStatus(Model):
    state: DesktopState
    mode: DisplayMode | None = Field(default=None, description="What the display is used for, while there is one.")
    display: str | None = Field(default=None, examples=[":99"])
    resolution: Resolution | None = None
    started_at: str | None = Field(default=None, description="RFC 3339.")
    last_error: LastError | None = None
    missing_dependencies: list[str] = []
    install_command: str | None = None
    processes: list[DesktopProcess] = []
    runtime_log_path: str
    windows: list[WindowInfo] | None = None


class DisplayInfo(Model):
    display: str = Field(examples=[":99"])
    resolution: Resolution
    mode: DisplayMode
    max_width: int = Field(description="The widest the screen can get without a restart.")
    max_height: int


class ResizeDisplay(Model):
    width: U32
    height: U32
    dpi: U32 | None = None
