"""Launch programs on the desktop, and open files and addresses."""

from pydantic import Field, StrictBool

from belljar.wire.base import Model


class LaunchApp(Model):
    app: str = Field(description="A program in PATH, or a path.", examples=["xterm"])
    args: list[str] | None = None
    wait: StrictBool | None = Field(default=None, description="Answer when its window is there, or after 5 s.")


class LaunchedApp(Model):
    process_id: str
    pid: int
    window_id: str | None = Field(default=None, description="Where `wait` was given and a window came.")


class OpenTarget(Model):
    target: str = Field(description="A file or an address for the desktop's preferred application.")


class OpenedTarget(Model):
    process_id: str
    pid: int
