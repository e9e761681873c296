"""The settings that both servers have, and how every setting is read."""

import os
import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    PrivateAttr,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic.fields import FieldInfo

from belljar.ice import TurnServers, is_reachable, is_turn_url
from belljar.limits import BODY_SECONDS, HEAD_SECONDS, MAX_BODY_BYTES, MAX_CONNECTIONS_PER_ADDRESS
from belljar.state import default_state_dir
from belljar.wire.desktop import Webrtc

LogFormat = Literal["auto", "json", "console"]
LogLevel = Literal["debug", "info", "warning", "error"]

# Given several times on the command line, separated by commas in a variable.
Several = tuple[str, ...]

PREFIX = "BELLJAR_"

# Lower case, no path, no port that the scheme has anyway.
_ORIGIN = re.compile(r"(?!http://[^/]*:80$|https://[^/]*:443$)https?://(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::[0-9]{1,5})?")

_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def read_bytes(text: str) -> int | None:
    """How many `4G` or `512M` are; None for what is no size."""
    match = re.fullmatch(r"([0-9]{1,12})([kmgt]?)b?", text.strip().lower())
    return int(match[1]) * _UNITS[match[2]] if match else None


def read_headers(text: str) -> dict[str, str]:
    """A header a line, `name: value`.  Raises `ValueError`."""
    headers: dict[str, str] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        name, colon, value = line.partition(":")
        if not colon or not name.strip() or not line.isprintable():
            raise ValueError("a header is a line such as `Authorization: Bearer …`")
        headers[name.strip()] = value.strip()
    return headers


def flag_of(name: str, field: FieldInfo) -> str:
    """`cors_origins` is given as `--cors-origin`, once for each."""
    if field.annotation == Several:
        if name.endswith("ies"):
            name = name.removesuffix("ies") + "y"
        else:
            name = name.removesuffix("es" if name.endswith("sses") else "s")
    return f"--{name.replace('_', '-')}"


class Settings(BaseModel):
    """What is given counts; what is not is read from the variable `BELLJAR_<NAME>`, where there is one."""

    model_config = ConfigDict(frozen=True, extra="ignore", validate_default=True)

    # Variables that are read where ours is not there, by setting.
    other_variables: ClassVar[Mapping[str, str]] = {}

    _sources: dict[str, Literal["flag", "variable"]] = PrivateAttr(default_factory=dict)

    @property
    def sources(self) -> Mapping[str, Literal["flag", "variable"]]:
        """Where each setting comes from that was given."""
        return self._sources

    @model_validator(mode="wrap")
    @classmethod
    def _read_environment(cls, given: Mapping[str, Any], handler: ModelWrapValidatorHandler[Self]) -> Self:
        said = {name.upper(): value for name, value in os.environ.items()}
        variables = {cls.other_variables.get(name, ""): name for name in cls.model_fields}
        variables |= {PREFIX + name.upper(): name for name in cls.model_fields}
        read = {name: said[variable] for variable, name in variables.items() if variable in said}
        settings = handler(read | dict(given))
        for name in read:
            settings._sources[name] = "variable"
        for name in given:
            settings._sources[name] = "flag"
        return settings

    @field_validator("*", mode="before")
    @classmethod
    def _split(cls, value: object, info: ValidationInfo) -> object:
        if isinstance(value, str) and cls.model_fields[info.field_name or ""].annotation == Several:
            return tuple(part.strip() for part in value.split(",") if part.strip())
        return value


class ServerSettings(Settings):
    """A flag of the command that starts the server, or its variable; the flag wins."""

    host: str = Field("127.0.0.1", description="Address to listen on.")
    port: int = Field(2468, ge=0, le=65535, description="Port to listen on; 0 takes a free one.")
    state_dir: Path = Field(default_factory=default_state_dir, description="Folder for what outlives the process.")
    log_format: LogFormat = Field("auto", description="json, console, or auto: console on a terminal.")
    log_level: LogLevel = Field("info", description="debug, info, warning or error.")
    allowed_hosts: Several = Field((), description="Names, beside loopback's, that a loopback server answers for.")
    cors_origins: Several = Field((), description="Web origins whose pages may call this server.")
    embed_origins: Several = Field(
        (), description="Web origins whose pages may show the viewer page or the app in a frame."
    )
    head_timeout: float = Field(HEAD_SECONDS, gt=0, description="Seconds until a request's head must have come.")
    body_timeout: float = Field(BODY_SECONDS, gt=0, description="Seconds without a byte of a request's body.")
    max_connections_per_address: int = Field(
        MAX_CONNECTIONS_PER_ADDRESS, ge=0, description="Connections that one address may have open; 0 for no limit."
    )
    max_body: int = Field(MAX_BODY_BYTES, gt=0, description="Largest request body in bytes.")
    otlp_endpoint: str | None = Field(
        None,
        pattern=r"^https?://[^/\s@?#]+(/[^\s?#]*)?$",
        description="Where spans of calls and sessions are sent, such as http://127.0.0.1:4318.",
    )
    otlp_headers_file: Path | None = Field(
        None, description="File with headers for that address, a line each, such as a key."
    )

    webrtc: Webrtc = Field(
        Webrtc.LOOPBACK, description="off, loopback or public: who may watch by WebRTC, which needs a port."
    )
    webrtc_addresses: Several = Field(
        (), description="IPv4 and IPv6 addresses under which viewers reach that port; needed with public."
    )
    webrtc_port: int = Field(
        0, ge=0, le=65535, description="UDP port, and TCP port, for all viewers by WebRTC; 0 takes a free one."
    )
    no_webrtc_tcp: bool = Field(False, description="Open the UDP port alone.")
    turn_urls: Several = Field((), description="TURN servers for viewers, such as turn:turn.example.com:3478.")
    turn_secret_file: Path | None = Field(
        None, description="File with the secret that those servers share, which signs credentials."
    )
    turn_ttl: int = Field(3600, ge=60, le=86_400, description="Seconds that a viewer's TURN credentials are good.")

    @cached_property
    def turn(self) -> TurnServers:
        secret = "" if self.turn_secret_file is None else self.turn_secret_file.read_text().strip()
        return TurnServers(self.turn_urls, secret, self.turn_ttl)

    @cached_property
    def otlp_headers(self) -> dict[str, str]:
        return {} if self.otlp_headers_file is None else read_headers(self.otlp_headers_file.read_text())

    @model_validator(mode="after")
    def _has_otlp_headers(self) -> Self:
        if self.otlp_endpoint is not None:
            try:
                self.otlp_headers  # noqa: B018
            except (OSError, ValueError) as error:
                raise ValueError(f"the file of --otlp-headers-file cannot be used: {error}") from None
        return self

    @field_validator("webrtc_addresses")
    @classmethod
    def _are_addresses(cls, value: Several) -> Several:
        for address in value:
            if not is_reachable(address):
                raise ValueError(f"{address} is no address of a host, IPv4 or IPv6")
        return value

    @field_validator("turn_urls")
    @classmethod
    def _are_turn_urls(cls, value: Several) -> Several:
        for url in value:
            if not is_turn_url(url):
                raise ValueError(f"{url} is no address such as turn:turn.example.com:3478?transport=tcp")
        return value

    @model_validator(mode="after")
    def _has_turn_secret(self) -> Self:
        if self.turn_urls:
            try:
                secret = self.turn.secret
            except (OSError, UnicodeDecodeError) as error:
                raise ValueError(f"the file of --turn-secret-file cannot be read: {error}") from None
            if not secret:
                raise ValueError("--turn-url needs the secret that the server shares, in --turn-secret-file")
        return self

    @field_validator("state_dir")
    @classmethod
    def _make_absolute(cls, value: Path) -> Path:
        """A box that a control plane starts has another working folder than it has."""
        return value.absolute()

    @field_validator("embed_origins")
    @classmethod
    def _check_origins(cls, value: Several) -> Several:
        """As browsers write them: they are compared letter by letter, and become part of a header and of a page."""
        for origin in value:
            if not _ORIGIN.fullmatch(origin):
                raise ValueError(f"{origin} is no origin such as https://example.com or http://127.0.0.1:3000")
        return value
