"""Emulation: what pages are told about where and on what they run, as commands for each session."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from belljar.wire.browser.lifecycle import EmulationFields

Command = tuple[str, Mapping[str, object]]

# Chromium asks us for credentials only for requests that are intercepted: each costs a message while any are set.
_ALL_REQUESTS = [{"urlPattern": "*"}]


@dataclass(frozen=True)
class Viewport:
    width: int
    height: int
    # 0 leaves Chromium's own.
    scale: float = 0


@dataclass(frozen=True)
class Credentials:
    """For servers that ask for HTTP authentication; of one origin, or any."""

    username: str
    password: str
    origin: str | None = None


@dataclass(frozen=True)
class Emulation:
    """Empty is Chromium's own."""

    locale: str = ""
    timezone: str = ""
    user_agent: str = ""
    geolocation: tuple[float, float, float] | None = None
    color_scheme: str = ""
    extra_headers: Mapping[str, str] = field(default_factory=dict)
    init_scripts: tuple[str, ...] = ()
    permissions: tuple[str, ...] = ()
    credentials: Credentials | None = None
    viewport: Viewport | None = None

    def with_fields(self, fields: EmulationFields) -> "Emulation":
        """A copy with what the request gives; null gives Chromium's own back, and what is left out stays.

        Init scripts are added to those there are.
        """
        given: dict[str, Any] = {}
        for name in fields.model_fields_set & EmulationFields.model_fields.keys():
            value = getattr(fields, name)
            own = "credentials" if name == "http_credentials" else name
            given[own] = self._taken(own, value) if value is not None else getattr(_CHROMIUMS_OWN, own)
        return replace(self, **given)

    def _taken(self, name: str, value: Any) -> Any:
        """A value of the request as it is kept here."""
        match name:
            case "geolocation":
                return value.latitude, value.longitude, value.accuracy
            case "init_scripts":
                return self.init_scripts + tuple(value)
            case "permissions":
                return tuple(value)
            case "credentials":
                return Credentials(value.username, value.password, value.origin)
            case _:
                return value

    def with_viewport(self, size: Viewport) -> "Emulation":
        return replace(self, viewport=size)

    def commands(self, before: "Emulation | None" = None, *, is_main: bool) -> Iterator[Command]:
        """What brings a session of a page or frame from `before` (nothing, for a new one) to this."""
        old = before or Emulation()
        if self.locale != old.locale:
            yield "Emulation.setLocaleOverride", {"locale": self.locale}
        if self.timezone != old.timezone:
            yield "Emulation.setTimezoneOverride", {"timezoneId": self.timezone}
        if (self.user_agent, self.locale) != (old.user_agent, old.locale):
            yield "Emulation.setUserAgentOverride", self._agent()
        if self.color_scheme != old.color_scheme:
            features = [{"name": "prefers-color-scheme", "value": self.color_scheme}] if self.color_scheme else []
            yield "Emulation.setEmulatedMedia", {"features": features}
        if self.extra_headers != old.extra_headers:
            yield "Network.setExtraHTTPHeaders", {"headers": dict(self.extra_headers)}
        if self.credentials is not None and old.credentials is None:
            yield "Fetch.enable", {"patterns": _ALL_REQUESTS, "handleAuthRequests": True}
        if self.credentials is None and old.credentials is not None:
            yield "Fetch.disable", {}
        if is_main:
            yield from self._of_main_frame(old)

    def worker_commands(self) -> Iterator[Command]:
        if self.user_agent or self.locale:
            yield "Network.setUserAgentOverride", self._agent()

    def _of_main_frame(self, old: "Emulation") -> Iterator[Command]:
        if self.geolocation is None and old.geolocation is not None:
            yield "Emulation.clearGeolocationOverride", {}
        if self.geolocation is not None and self.geolocation != old.geolocation:
            latitude, longitude, accuracy = self.geolocation
            place = {"latitude": latitude, "longitude": longitude, "accuracy": accuracy}
            yield "Emulation.setGeolocationOverride", place
        if self.viewport is not None and self.viewport != old.viewport:
            size = {"width": self.viewport.width, "height": self.viewport.height}
            yield (
                "Emulation.setDeviceMetricsOverride",
                {**size, "deviceScaleFactor": self.viewport.scale, "mobile": False},
            )

    def _agent(self) -> dict[str, object]:
        language = {"acceptLanguage": self.locale} if self.locale else {}
        return {"userAgent": self.user_agent, **language}


_CHROMIUMS_OWN = Emulation()
