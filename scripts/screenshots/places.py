"""What is photographed: a control plane with nothing in it, one that is in use, and the screens of both."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.plane.plane import RunningPlane, box_process, running_plane, until

LONG = "Compare the delivery times of every shop in town that sells reading lamps, and say which of them is open today"
ADMIN = (
    "",
    "/people",
    "/people?show=keys",
    "/limits",
    "/usage",
    "/usage?by=session",
    "/audit",
    "/hosts",
    "/settings",
    "/health",
)
PANELS = ("activity", "page", "console", "network", "policy", "files", "desktop", "processes", "try", "about")
# What is shown once a screen is there; or, where there is nothing to show, what stands in its place.
LISTED = ".session-row:not(.ghost), .wall li, .empty, .first-run"
STAGE = ".picture, .ended, .starting, .start-form, .then"


class _Shop(SimpleHTTPRequestHandler):
    def do_POST(self) -> None:
        self.send_error(502, "The bank does not answer")

    def log_message(self, *_: object) -> None:
        """Its requests are in the sessions' records."""


@contextmanager
def running_shop() -> Iterator[str]:
    """The address of a small shop whose payments fail."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Shop, directory=str(Path(__file__).parent)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/shop.html"
    server.shutdown()
    server.server_close()


@dataclass(frozen=True)
class Used:
    """A control plane in use, and which of its sessions shows what."""

    plane: RunningPlane
    asks: str
    again: str
    ended: str
    failed: str


@contextmanager
def used_plane(shop: str) -> Iterator[Used]:
    flags = ("--egress", "open", "--record", "content", "--max-sessions-per-user", "40", "--admin-egress", "any")
    with running_plane(*flags) as plane:
        asks = _buy(plane, shop, name="Buy the reading lamp", run="41", film="on")
        again = _buy(plane, shop, name="Buy the reading lamp, again", run="42")
        with plane.client() as client:
            question = "Which colour does Ann want? The lamp comes in brass, black and white."
            client.post(f"/s/{asks}/v1/control", json={"action": "ask", "question": question}).raise_for_status()
            client.post(f"/s/{again}/v1/browser/fill", json={"selector": "#name", "value": "Bo"})
        plane.create(
            mode="browser",
            headless=True,
            url=shop,
            tags={"name": LONG, "team": "shop", "priority": "a very long value of a tag"},
        )
        plane.create(mode="desktop", tags={"name": "Quarterly figures", "team": "office"})
        ended = plane.create(tags={"name": "Unpack the archive", "team": "office"})["id"]
        with plane.client() as client:
            client.delete(f"/api/sessions/{ended}")
        failed = _failed(plane, shop)
        plane.new_key("ann", name="laptop")
        with plane.client() as client:
            for name in ("Ann at the shop", LONG):
                client.post("/api/profiles", json={"name": name}).raise_for_status()
        yield Used(plane, asks, again, ended, failed)


def _buy(plane: RunningPlane, shop: str, name: str, run: str, **wanted: Any) -> str:
    """A session in which an agent fills in a form, misses a button, and pays without success."""
    made = plane.create(
        mode="browser", headless=True, url=shop, tags={"name": name, "team": "shop", "run": run}, **wanted
    )
    id = str(made["id"])
    with plane.client() as client:
        for path, body in (
            ("browser/fill", {"selector": "#name", "value": "Ann Weaver"}),
            ("browser/fill", {"selector": "#street", "value": "Mill Lane 4"}),
            ("browser/click", {"selector": "#pay", "timeout": 300}),
            ("events/marks", {"text": "The button is not where it was"}),
            ("browser/click", {"selector": "#pay-now"}),
            ("browser/markdown", None),
        ):
            if body is None:
                client.get(f"/s/{id}/v1/{path}")
            else:
                client.post(f"/s/{id}/v1/{path}", json=body)
    return id


def _failed(plane: RunningPlane, shop: str) -> str:
    """One whose box was killed."""
    id = _buy(plane, shop, name="Nightly crawl", run="7")
    os.kill(box_process(plane.get(id)["sandboxId"]), signal.SIGKILL)
    until(lambda: plane.get(id)["state"] == "failed", what="its failure")
    return id
