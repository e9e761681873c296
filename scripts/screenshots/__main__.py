"""`python -m scripts.screenshots FOLDER`: every screen of the web app, at three widths, light and dark, in each state.

Of real control planes with real boxes.  `--only WORD …` makes those whose names have one of the words; `--widths 390`
and `--schemes light` make fewer, too.
"""

import argparse
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Literal, NamedTuple

from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect, sync_playwright

from scripts.screenshots.places import ADMIN, LISTED, PANELS, STAGE, Used, running_shop, used_plane
from tests.plane.plane import RunningPlane, running_plane

HEIGHTS = {1440: 900, 1024: 768, 390: 844}
HANG = r"""const own = window.fetch;
const isHeld = (address) => /\/api\/(?!me$)/.test(address);
window.fetch = (...asked) => (isHeld(String(asked[0]?.url ?? asked[0])) ? new Promise(() => 0) : own(...asked));"""
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


class Shot(NamedTuple):
    name: str
    plane: RunningPlane
    path: str
    # What is there when the screen is.
    shows: str
    # Done before the screen is opened, and after.
    before: Callable[[Page], object] = lambda page: None
    after: Callable[[Page], object] = lambda page: None
    is_signed_in: bool = True


def never_answer(page: Page) -> None:
    """What the screen asks for does not come, as over a line that hangs."""
    page.add_init_script(HANG)


def refuse(page: Page) -> None:
    def answer(route: Route) -> None:
        if route.request.url.endswith("/api/me"):
            return route.continue_()
        problem = {"type": "about:blank", "title": "Unavailable", "status": 503}
        body = json.dumps(problem | {"detail": "The database cannot be reached."})
        return route.fulfill(status=503, content_type="application/problem+json", body=body)

    page.route("**/api/**", answer)


def go_offline(page: Page) -> None:
    page.context.set_offline(True)
    expect(page.get_by_text("Offline", exact=True).first).to_be_visible()


def press(*keys: str) -> Callable[[Page], None]:
    def act(page: Page) -> None:
        for key in keys:
            page.keyboard.press(key)

    return act


def open_first(selector: str) -> Callable[[Page], None]:
    return lambda page: page.locator(selector).first.click()


def list_shots(empty: RunningPlane, used: Used) -> Iterator[Shot]:
    plane = used.plane
    yield Shot("sign-in", plane, "", ".sign-in form", is_signed_in=False)
    for name, path, shows in (
        ("sessions", "", LISTED),
        ("profiles", "profiles", ".profiles"),
        ("access", "access", ".screen main, .access-row, .empty"),
    ):
        yield Shot(f"{name}-empty", empty, path, shows)
        yield Shot(f"{name}-full", plane, path, shows)
        yield Shot(
            f"{name}-loading",
            plane,
            path,
            ".top-bar",
            before=never_answer,
            after=lambda page: page.wait_for_timeout(900),
        )
        yield Shot(
            f"{name}-failed", plane, path, ".top-bar", before=refuse, after=lambda page: page.wait_for_timeout(900)
        )
        yield Shot(f"{name}-offline", plane, path, shows, after=go_offline)
    yield Shot("sessions-nothing-found", plane, "?q=nowhere", ".empty, .top-bar")
    yield Shot("sessions-wall", plane, "?view=wall", LISTED, after=lambda page: page.wait_for_timeout(1500))
    yield Shot("sessions-peek", plane, f"?peek={used.asks}", ".peek-panel")
    yield Shot("sessions-peek-failed", plane, f"?peek={used.failed}", ".peek-panel")
    yield Shot("sessions-new", plane, "?new=1", ".sheet", after=open_first("button:has-text('Browser')"))
    yield Shot("sessions-compare", plane, f"?compare={used.asks},{used.again}", ".compare, .sheet")
    yield Shot("sessions-chosen", plane, "", LISTED, after=press("j", "x", "j", "x"))
    yield Shot("sessions-palette", plane, "", LISTED, after=press("Control+k"))
    yield Shot("sessions-keys", plane, "", LISTED, after=press("?"))
    for section in ADMIN:
        name = section.strip("/").replace("?show=", "-").replace("?by=", "-") or "overview"
        yield Shot(f"admin-{name}", plane, f"admin{section}", ".screen main, .admin")
    yield Shot("admin-audit-empty", empty, "admin/audit", ".screen main, .admin")
    yield Shot("admin-usage-empty", empty, "admin/usage", ".screen main, .admin")
    yield Shot(
        "admin-overview-failed",
        plane,
        "admin",
        ".top-bar",
        before=refuse,
        after=lambda page: page.wait_for_timeout(900),
    )
    yield Shot(
        "admin-overview-loading",
        plane,
        "admin",
        ".top-bar",
        before=never_answer,
        after=lambda page: page.wait_for_timeout(900),
    )
    yield from _of_one_session(used)


def _of_one_session(used: Used) -> Iterator[Shot]:
    def at(id: str, more: str) -> str:
        return f"sessions/{id}?panel={more}"

    plane, asks = used.plane, used.asks
    for panel in PANELS:
        yield Shot(f"session-{panel}", plane, at(asks, panel), STAGE)
        yield Shot(f"session-over-{panel}", plane, at(used.failed, panel), STAGE)
    yield Shot("session-alone", plane, at(asks, "none"), STAGE)
    yield Shot(
        "session-act",
        plane,
        at(asks, "activity"),
        ".act-main",
        after=lambda page: failed_act(page).locator(".act-main").click(),
    )
    yield Shot(
        "session-request",
        plane,
        at(asks, "network"),
        ".network-row, .row-place",
        after=lambda page: page.get_by_text("pay").last.click(),
    )
    yield Shot("session-driven", plane, at(used.again, "activity"), STAGE, after=take_and_give)
    yield Shot(
        "session-lanes",
        plane,
        at(asks, "activity"),
        STAGE,
        after=lambda page: page.get_by_role("button", name="lanes").first.click(),
    )
    yield Shot("session-then", plane, at(asks, "activity"), ".act-time", after=look_back)
    yield Shot("session-ended", plane, at(used.ended, "activity"), STAGE)
    yield Shot("session-offline", plane, at(asks, "activity"), STAGE, after=go_offline)
    yield Shot(
        "session-loading",
        plane,
        at(asks, "activity"),
        ".screen",
        before=never_answer,
        after=lambda page: page.wait_for_timeout(900),
    )
    yield Shot(
        "session-failed-to-load",
        plane,
        at(asks, "activity"),
        ".screen",
        before=refuse,
        after=lambda page: page.wait_for_timeout(900),
    )
    yield Shot(
        "session-unknown",
        plane,
        at("no-such-session", "activity"),
        ".screen",
        after=lambda page: page.wait_for_timeout(900),
    )
    yield Shot("screen-unknown", plane, "admin/nothing", ".empty")


def failed_act(page: Page) -> Locator:
    """In a long list on a small screen it is not among those that are drawn."""
    found = page.locator(".act[data-state=failed]").first
    if not found.count():
        page.get_by_role("tab", name="Failed").click()
    return found


def look_back(page: Page) -> None:
    page.get_by_role("button", name="lanes").first.click()
    act = failed_act(page)
    act.locator(".act-main").click()
    act.locator(".act-time").click()
    expect(page.locator(".then-bar")).to_be_visible()


def take_and_give(page: Page) -> None:
    page.get_by_role("button", name="Take control", exact=True).first.click()
    expect(page.get_by_role("button", name="Give back")).to_be_visible()


def photograph(context: BrowserContext, shot: Shot, file: Path) -> str | None:
    """Why it could not be taken, or nothing."""
    page = context.new_page()
    page.set_default_timeout(8000)
    try:
        if shot.is_signed_in:
            page.request.post(
                f"{shot.plane.url}/sign-in", data={"key": shot.plane.key}, headers={"Origin": shot.plane.url}
            )
        shot.before(page)
        page.goto(f"{shot.plane.url}/{shot.path}", wait_until="commit")
        expect(page.locator(shot.shows).first).to_be_visible(timeout=8000)
        # Pictures that come by themselves: nothing says that the last has come.
        page.wait_for_timeout(1200)
        shot.after(page)
        page.wait_for_timeout(350)
    except Exception as error:  # noqa: BLE001 - one that fails must not cost the others
        return str(error).splitlines()[0]
    finally:
        page.screenshot(path=file)
        page.context.set_offline(False)
        give_back(page)
        page.close()
    return None


def give_back(page: Page) -> None:
    button = page.get_by_role("button", name="Give back")
    if button.count():
        button.click()


def take_all(
    browser: Browser, shots: list[Shot], folder: Path, widths: list[int], schemes: list[Literal["light", "dark"]]
) -> None:
    for width in widths:
        for scheme in schemes:
            for shot in shots:
                context = browser.new_context(viewport={"width": width, "height": HEIGHTS[width]}, color_scheme=scheme)
                problem = photograph(context, shot, folder / f"{shot.name}-{width}-{scheme}.png")
                context.close()
                if problem:
                    print(f"{shot.name} {width} {scheme}: {problem}", flush=True)  # noqa: T201


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="+", default=[""])
    parser.add_argument("--widths", type=int, nargs="+", default=list(HEIGHTS))
    parser.add_argument("--schemes", nargs="+", choices=SCHEMES, default=list(SCHEMES))
    wanted = parser.parse_args()
    wanted.folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        empty = stack.enter_context(running_plane())
        used = stack.enter_context(used_plane(stack.enter_context(running_shop())))
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        shots = [shot for shot in list_shots(empty, used) if any(word in shot.name for word in wanted.only)]
        take_all(browser, shots, wanted.folder, wanted.widths, wanted.schemes)
        browser.close()


if __name__ == "__main__":
    main()
