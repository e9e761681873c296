"""What every test may use, how long it may take, and which of them are quick."""

import faulthandler
import functools
import gc
import inspect
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
import httpcore2
import httpx2 as httpx
import pytest

from tests.npm_clients import NodeClients, installed_clients
from tests.servers import RunningBox, running_box

# A shell starts what it runs in the background deaf to Ctrl-C, and so would be every server that a test interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Some hosts forbid it; without it every server that a test starts compiles all of Belljar anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Every client would read the certificates of all authorities anew, which takes longer than most tests.
httpcore2.default_ssl_context = functools.cache(httpcore2.default_ssl_context)

# Seconds for the fixtures of a test, to begin and to end.  A worker in which one hangs is ended, and its test named.
_AROUND = 180

# Files with tests that mostly wait.  Begun last they would keep the others waiting at the end.
_FIRST = (
    "plane/test_two_planes",
    "plane/test_kills",
    "plane/test_outages",
    "plane/test_revocation",
    "plane/test_live_view",
    "browser/test_faults",
    "egress/test_inside_a_network",
)


# Seconds for tests of which more than a minute is asked on a busy machine; long runs have as many as they want.
_LONGER = {"soak": 0, "npm": 300, "engines": 300}


# What `make quick` runs: files and folders whose tests need no browser, jail, display, database server or Node.
QUICK = (
    "agent/provider/test_settings",
    "agent/provider/test_types",
    "agent/test_untrusted",
    "agent/tool/test_request",
    "agent/tool/test_text",
    "agent/tool/test_tor_proxy",
    "agent/tool/test_workspace",
    "server/test_openapi",
    "server/test_request_head",
    "server/test_requests",
    "server/test_router",
    "server/test_signed_caller",
    "benchmarks/",
    "box/browser/crawl/test_pure",
    "box/browser/test_cdp",
    "box/desktop/test_keys",
    "box/sandbox/test_disk_watch",
    "box/live/test_mapping",
    "box/live/test_rate",
    "box/process/test_environment",
    "box/process/test_link",
    "box/process/test_logs",
    "box/process/test_restart",
    "box/live/stream/",
    "box/test_lease",
    "box/test_memory",
    "plane/test_births",
    "plane/test_carry",
    "plane/test_ceilings",
    "plane/test_credentials",
    "plane/test_directory",
    "plane/test_gateway_headers",
    "plane/test_registry",
    "plane/test_states",
    "plane/test_upstream",
    "doctor/test_host",
    "egress/test_addresses",
    "egress/test_policy",
    "egress/test_suggest",
    "extract/",
    "install/test_distro",
    "record/test_chain",
    "record/test_redaction",
    "record/test_segments",
    "sdk/test_retries",
    "sdk/test_surface",
    "test_dependencies",
    "test_docs",
    "test_limits",
    "test_quick",
    "test_reference",
    "test_suite",
    "test_tokens",
    "test_trees",
)
# Tests with a target of their own, which CI runs too: files, or how their names begin.  A quick one is in none of them.
PARTS = {
    # Sessions: every test of these starts a control plane of its own or shares one, and boxes below it.
    "plane": (
        "agent/test_sessions",
        "cli/test_sessions",
        "plane/",
    ),
    # What a person sees of a box, and films: video, WebRTC, screens, pictures in step with the record.
    "live": (
        "box/desktop/test_recording",
        "box/live/",
        "box/record/test_screens",
    ),
    # Our own pages, the web app, the viewer and the consent page, looked at in a browser of a person's own.
    "web": (
        "box/live/rtc/test_ipv6",
        "box/live/rtc/test_ladder",
        "box/live/rtc/test_sound_in_viewer",
        "box/live/test_app_of_a_box",
        "box/live/test_holding",
        "box/live/test_viewer_page",
        "box/live/test_webcodecs",
        "plane/test_consent_attacks",
        "plane/test_live_view",
        "plane/test_oauth_in_a_browser",
        "plane/test_taking_over",
        "plane/test_web_",
    ),
    # Something is killed, frozen, full or gone, its time is over, or what is sent is odd: most of these wait, and start
    # servers.
    "faults": (
        "box/browser/test_faults",
        "box/browser/test_recovery",
        "box/live/test_full_film_disk",
        "box/live/test_hostile",
        "box/live/test_session_film",
        "box/routes/test_processes_faults",
        "box/sandbox/test_hostile",
        "egress/test_inside_a_network",
        "plane/test_artifact_store",
        "plane/test_backup",
        "plane/test_crashes",
        "plane/test_endings",
        "plane/test_faults",
        "plane/test_full_disk",
        "plane/test_hostile_store",
        "plane/test_kills",
        "plane/test_odd_input",
        "plane/test_outages",
        "plane/test_revocation",
        "plane/test_session_films",
        "plane/test_two_planes",
        "plane/test_webhooks",
        "server/test_expiry",
        "server/test_otlp_receivers",
    ),
}
# Programs of which a quick test starts none; `belljar` is a server of ours, which may start all of them.
_HEAVY = ("belljar", "bwrap", "chromium", "initdb", "node", "npm", "pg_ctl", "psql", "unshare", "xvfb")
_quick_test: str | None = None


class NotQuick(Exception):
    """A test that `make quick` runs has started a program that it must do without."""


def _watch_programs(event: str, arguments: tuple[object, ...]) -> None:
    if _quick_test is None or event != "subprocess.Popen":
        return
    words = arguments[1] if isinstance(arguments[1], (list, tuple)) else [arguments[1]]
    names = [Path(str(word)).name.lower() for word in (arguments[0], *words[:3])]
    if heavy := [name for name in names if name.startswith(_HEAVY)]:
        raise NotQuick(f"{_quick_test} starts {heavy[0]}: take it from QUICK in tests/conftest.py")


sys.addaudithook(_watch_programs)


@contextmanager
def _watched(item: pytest.Item) -> Iterator[None]:
    global _quick_test
    _quick_test = item.nodeid if item.get_closest_marker("quick") else None
    try:
        yield
    finally:
        _quick_test = None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, object, object]:
    with _watched(item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    # Not what comes after a test: that ends what others have started.
    with _watched(item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    if limit := _limit_of(item):
        faulthandler.dump_traceback_later(limit + _AROUND, exit=True)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()


def _limit_of(item: pytest.Item) -> float:
    """The seconds that a test may take, 0 for as many as it wants: its own mark, or what pyproject.toml says."""
    mark = item.get_closest_marker("timeout")
    return float(mark.args[0] if mark else item.config.getini("timeout"))


def _bounded(test: Callable[..., Awaitable[None]], limit: float) -> Callable[..., Awaitable[None]]:
    """With a limit of its own: uvloop does not let the signal through by which pytest-timeout ends others."""

    @functools.wraps(test)
    async def within(*args: object, **kwargs: object) -> None:
        with anyio.fail_after(limit):
            await test(*args, **kwargs)

    return within


def _is_quick(item: pytest.Item) -> bool:
    # Tests that are run on every kind of database are quick on SQLite.
    name = item.nodeid.removeprefix("tests/")
    return name.startswith(QUICK) and "postgresql" not in name and item.get_closest_marker("soak") is None


# Before xdist's own, which reads the groups.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    def is_first(item: pytest.Item) -> bool:
        return any(name in item.nodeid for name in _FIRST)

    items.sort(key=lambda item: not is_first(item))
    for item in items:
        if _is_quick(item):
            item.add_marker("quick")
        else:
            for part, names in PARTS.items():
                if item.nodeid.removeprefix("tests/").startswith(names):
                    item.add_marker(part)
        if item.get_closest_marker("engines"):
            # One engine for all tests with containers, and beside it one cluster at a time.
            item.add_marker(pytest.mark.xdist_group("cluster" if "kubernetes" in item.nodeid else "engine"))
        longer = [_LONGER[mark.name] for mark in item.iter_markers() if mark.name in _LONGER]
        if longer or is_first(item):
            item.add_marker(pytest.mark.timeout(longer[0] if longer else 180), append=False)
        if isinstance(item, pytest.Function) and inspect.iscoroutinefunction(item.obj) and (limit := _limit_of(item)):
            item.obj = _bounded(item.obj, limit)
            # Only for one that blocks the loop: raised in its midst it would leave the loop as it is.
            item.add_marker(pytest.mark.timeout(limit + 30), append=False)


def pytest_collection_finish() -> None:
    # Thousands of tests and all that was imported stay to the end: no need to look at them in every collection.
    gc.freeze()


@pytest.fixture(scope="session")
def anyio_backend() -> tuple[str, dict[str, bool]]:
    """The loop the server runs on."""
    return "asyncio", {"use_uvloop": True}


@pytest.fixture(scope="module")
def box() -> Iterator[RunningBox]:
    """One real server for the tests of a module."""
    with running_box() as running:
        yield running


@pytest.fixture
def http(box: RunningBox) -> Iterator[httpx.Client]:
    with box.client() as client:
        yield client


@pytest.fixture(scope="session")
def node_clients() -> NodeClients:
    """Published npm clients on Node 24; skips aloud where npm is missing."""
    return installed_clients()
