"""What a page is told about where and on what it runs."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from belljar.wire.base import Model


class ColorScheme(StrEnum):
    LIGHT = "light"
    DARK = "dark"
    NO_PREFERENCE = "no-preference"


class Geolocation(Model):
    latitude: float = Field(ge=-90, le=90)
    longitude: float = Field(ge=-180, le=180)
    accuracy: float = Field(default=10, ge=0)


class HttpCredentials(Model):
    username: str = Field(max_length=1000)
    password: str = Field(max_length=1000)
    origin: str | None = Field(default=None, description="Whom they are given to; every server that asks where absent.")


class EmulationFields(Model):
    """Absent leaves a setting as it is."""

    locale: str | None = Field(None, max_length=64, pattern=r"^[A-Za-z0-9_-]*$", examples=["de-DE"])
    timezone: str | None = Field(None, max_length=64, pattern=r"^[A-Za-z0-9_+/-]*$", examples=["Europe/Berlin"])
    user_agent: str | None = Field(None, max_length=1000)
    geolocation: Geolocation | None = None
    color_scheme: ColorScheme | None = None
    extra_headers: dict[str, str] | None = Field(None, description="Sent with every request of every page.")
    init_scripts: list[Annotated[str, Field(max_length=1_000_000)]] | None = Field(
        None, max_length=100, description="Run in every document before its own scripts."
    )
    permissions: list[str] | None = Field(
        None, max_length=50, description="Granted to every origin, by the Permissions API's names; others are denied."
    )
    http_credentials: HttpCredentials | None = Field(None, description="For servers that ask for HTTP authentication.")
