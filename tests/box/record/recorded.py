"""What a box has recorded since a moment, for tests that do something and look for it there."""

import time
from collections.abc import Callable
from typing import Any

import httpx2 as httpx

from tests.servers import PATIENCE

Event = dict[str, Any]


class Recorded:
    """Events from now on."""

    def __init__(self, http: httpx.Client) -> None:
        self._http = http
        self.since = int(http.get("/v1/events").json()["newest"])

    def events(self, kinds: str | None = None, **query: Any) -> list[Event]:
        """All of them, page by page."""
        found: list[Event] = []
        since, more = self.since, True
        asked = {**query, **({} if kinds is None else {"kinds": kinds})}
        while more:
            answer = self._http.get("/v1/events", params={**asked, "since": since, "limit": 1000})
            assert answer.status_code == 200, answer.text
            page = answer.json()
            found += page["events"]
            since, more = page["cursor"], page["more"]
        return found

    def names(self, kinds: str, **query: Any) -> list[str]:
        return [event["name"] for event in self.events(kinds, **query)]

    def until(self, kinds: str, is_right: Callable[[list[Event]], bool]) -> list[Event]:
        """Events of these kinds, as soon as they are right."""
        end = time.monotonic() + PATIENCE
        while not is_right(found := self.events(kinds)):
            assert time.monotonic() < end, [(one["name"], one["data"]) for one in found]
            time.sleep(0.02)
        return found

    def one(self, kinds: str, name: str) -> Event:
        """The only event of this name, waiting for it."""
        found = self.until(kinds, lambda events: any(event["name"] == name for event in events))
        [event] = [event for event in found if event["name"] == name]
        return event
