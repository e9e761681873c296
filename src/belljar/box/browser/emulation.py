"""What pages are told about where and on what they run, as commands for each new session."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from belljar.wire.browser.emulation import EmulationFields

Command = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Viewport:
    width: int
    height: int
    # 0 leaves Chromium's own.
    scale: float = 0


@dataclass(frozen=True)
class Emulation:
    locale: str = ""
    timezone: str = ""
    user_agent: str = ""
    geolocation: tuple[float, float, float] | None = None
    color_scheme: str = ""
    extra_headers: Mapping[str, str] = field(default_factory=dict)
    init_scripts: tuple[str, ...] = ()
    permissions: tuple[str, ...] | None = None
    viewport: Viewport | None = None

    def with_fields(self, fields: EmulationFields) -> "Emulation":
        """A copy with what the request gives; what it leaves out stays."""
        given = {name: value for name in EmulationFields.model_fields if (value := getattr(fields, name)) is not None}
        if (place := given.get("geolocation")) is not None:
            given["geolocation"] = (place.latitude, place.longitude, place.accuracy)
        for name in ("init_scripts", "permissions"):
            if name in given:
                given[name] = tuple(given[name])
        return replace(self, **given)

    def commands(self, *, is_main: bool) -> Iterator[Command]:
        """For a new page or frame session."""
        yield from self.changes(is_main=is_main)
        for source in self.init_scripts:
            yield "Page.addScriptToEvaluateOnNewDocument", {"source": source, "runImmediately": False}

    def changes(self, *, is_main: bool) -> Iterator[Command]:
        """What can be set again on a session that lives."""
        if self.locale:
            yield "Emulation.setLocaleOverride", {"locale": self.locale}
        if self.timezone:
            yield "Emulation.setTimezoneOverride", {"timezoneId": self.timezone}
        if self.user_agent or self.locale:
            yield "Emulation.setUserAgentOverride", self._agent()
        if self.geolocation is not None:
            latitude, longitude, accuracy = self.geolocation
            yield (
                "Emulation.setGeolocationOverride",
                {"latitude": latitude, "longitude": longitude, "accuracy": accuracy},
            )
        if self.color_scheme:
            features = [{"name": "prefers-color-scheme", "value": self.color_scheme}]
            yield "Emulation.setEmulatedMedia", {"features": features}
        if self.extra_headers:
            yield "Network.setExtraHTTPHeaders", {"headers": dict(self.extra_headers)}
        if self.viewport is not None and is_main:
            size = self.viewport
            yield (
                "Emulation.setDeviceMetricsOverride",
                {"width": size.width, "height": size.height, "deviceScaleFactor": size.scale, "mobile": False},
            )

    def worker_commands(self) -> Iterator[Command]:
        if self.user_agent or self.locale:
            yield "Network.setUserAgentOverride", self._agent()

    def _agent(self) -> dict[str, Any]:
        language = {"acceptLanguage": self.locale} if self.locale else {}
        return {"userAgent": self.user_agent, **language}
