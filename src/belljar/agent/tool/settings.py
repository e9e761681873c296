"""What the tool reads from the environment: which box to use, or how to start one."""

from pathlib import Path

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from belljar.settings import Several
from belljar.state import default_state_dir
from belljar.wire.isolation import JailMode


class ToolSettings(BaseSettings):
    """The variables `BELLJAR_<NAME>`."""

    model_config = SettingsConfigDict(env_prefix="BELLJAR_", frozen=True, extra="ignore")

    url: str | None = Field(None, description="A running box, or a session; without it each call starts a box.")
    token: str | None = Field(None, repr=False, description="The token of that box.")
    state_dir: Path = Field(default_factory=default_state_dir, description="Where profiles are kept.")
    jail: JailMode = Field(JailMode.AUTO, description="Of a box that a call starts.")
    egress: str = Field("public", description="The network policy of a box that a call starts.")
    allow: Several = Field((), description="What is allowed beside it.")

    @field_validator("allow", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return tuple(filter(None, map(str.strip, value.split(",")))) if isinstance(value, str) else value
