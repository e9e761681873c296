"""The plan of a life of Chromium: flags, profile and window, worked out before it begins."""

import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from belljar.box.browser.cdp.replies import WindowForTarget
from belljar.box.browser.chromium.contexts import Contexts
from belljar.box.browser.chromium.flags import ChromiumOptions
from belljar.box.browser.chromium.profile import prepare_profile
from belljar.box.browser.page.emulation import Emulation, Viewport
from belljar.box.browser.page.page import Page, Watching
from belljar.box.browser.reading.downloads import Downloads
from belljar.box.sandbox.folders import Folders
from belljar.dependencies import find_chromium
from belljar.logs import log
from belljar.problems.browser import BrowserInstallRequired
from belljar.safe_files import remove_folder
from belljar.wire.browser.lifecycle import StartRequest

# The window may be about to take its size.
_BECOMES = """new Promise(done => {{
  const fits = () => innerWidth === {width} && innerHeight === {height};
  if (fits()) return done(true);
  addEventListener("resize", () => fits() && done(true));
  setTimeout(() => done(fits()), 500);
}})"""


def first_viewport(request: StartRequest) -> Viewport | None:
    """The size that pages are told, where it is not simply what the window leaves them."""
    if request.viewport is not None:
        size = request.viewport
        return Viewport(size.width, size.height, size.device_scale_factor or 0)
    if request.kiosk and not request.headless:
        # Its window is one pixel larger than the screen: see flags.py.
        return Viewport(*request.screen)
    return None


async def leaves_room(page: Page, request: StartRequest) -> bool:
    """Whether the window leaves its page just what was asked for, so that the page need not be told another size."""
    wanted = request.viewport
    if request.headless or request.kiosk or wanted is None:
        return False
    if wanted.device_scale_factor not in (None, request.scale):
        return False
    return bool(await page.main.evaluate(_BECOMES.format(width=wanted.width, height=wanted.height)))


async def fit_window(page: Page, request: StartRequest) -> None:
    """A headless window's bars are nobody's to see: its page gets the whole size asked for."""
    if request.headless and request.viewport is None:
        window = await page.session.send_as(WindowForTarget, "Browser.getWindowForTarget")
        size = {"width": request.width, "height": request.height}
        await page.session.send("Browser.setContentsSize", windowId=window.window_id, **size)


# As `belljar doctor` wants it.
SHM_WANTED = 256 << 20


@dataclass(frozen=True)
class LaunchContext:
    """What every start of this box's browser has in common."""

    state_dir: Path
    folders: Folders
    contexts: Contexts
    downloads: Downloads
    watching: Watching
    proxy_port: int | None
    # Whether programs run in a jail, which has a /dev/shm of its own.
    is_jailed: bool = False


@dataclass(frozen=True)
class Plan:
    """One start; and the start after that, when Chromium died."""

    options: ChromiumOptions
    env: Mapping[str, str]
    emulation: Emulation
    watching: Watching
    downloads: Downloads
    context_id: str | None


def make_plan(grounds: LaunchContext, request: StartRequest, display: Mapping[str, str]) -> Plan:
    """Find Chromium and make its profile ready.  Blocks.  Raises `ContextNotFound`, `BrowserInstallRequired`."""
    executable = find_chromium(grounds.state_dir)
    if executable is None:
        raise BrowserInstallRequired(["chromium"])
    folders = grounds.folders
    options = ChromiumOptions(
        executable=executable,
        profile=_profile(grounds, request.context_id),
        width=request.screen[0],
        height=request.screen[1],
        scale=request.scale,
        is_headless=request.headless,
        is_kiosk=request.kiosk,
        has_webgl=request.webgl,
        has_sound=request.stream_audio_codec != "none" and not request.headless,
        proxy_port=grounds.proxy_port,
        has_little_shm=not grounds.is_jailed and _has_little_shm(),
        is_managed=grounds.is_jailed,
    )
    return Plan(
        options=options,
        # No bus of the host's session: Chromium would wait for it, and talk to it.
        env={"HOME": str(folders.home), "DBUS_SESSION_BUS_ADDRESS": "disabled:", **display},
        emulation=replace(Emulation().with_fields(request), viewport=first_viewport(request)),
        watching=grounds.watching,
        downloads=grounds.downloads,
        context_id=request.context_id,
    )


def _has_little_shm(path: str = "/dev/shm") -> bool:
    """Chromium does not look by itself: a page that needs more crashes.  Docker gives 64 MiB unless told."""
    try:
        free = shutil.disk_usage(path).free
    except OSError:
        free = 0
    if free < SHM_WANTED:
        log.warning("browser.little_shared_memory", free_mib=free >> 20)
    return free < SHM_WANTED


def remove_profile(plan: Plan) -> None:
    """A profile that was made for one start goes with it."""
    remove_folder(plan.options.profile)


def _profile(grounds: LaunchContext, context_id: str | None) -> Path:
    if context_id is not None:
        profile = grounds.contexts.get(context_id).profile
    else:
        profile = grounds.folders.profiles / f"run-{time.time_ns():x}"
        profile.mkdir(mode=0o700)
    prepare_profile(profile)
    # Also a saved one: an earlier box may have had another uid.
    grounds.folders.give_all(profile)
    return profile
