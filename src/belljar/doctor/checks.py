"""All checks, in the order of the table."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from belljar.doctor import host, isolation, programs
from belljar.doctor.trial import Finding

Check = Callable[[], Finding]


def examine(state_dir: Path, port: int) -> Iterator[Finding]:
    """Try everything, one after the other: about two seconds, most of them Chromium's."""
    for check in all_checks(state_dir, port):
        yield check()


def all_checks(state_dir: Path, port: int) -> list[Check]:
    return [
        *browser_checks(state_dir),
        programs.check_openbox,
        *desktop_extras(),
        *isolation_checks(state_dir),
        host.check_shared_memory,
        host.check_memory,
        partial(host.check_port, port),
        partial(host.check_state_dir, state_dir),
        programs.check_node,
        programs.check_npm,
        programs.check_docker,
    ]


def isolation_checks(state_dir: Path) -> list[Check]:
    return [
        partial(isolation.check_jail, state_dir),
        isolation.check_disk_limit,
        isolation.check_user_namespaces,
        partial(isolation.check_chromium_sandbox, state_dir),
    ]


def browser_checks(state_dir: Path) -> list[Check]:
    """What `belljar install browser` brings."""
    return [partial(programs.check_chromium, state_dir), *display_checks()]


def desktop_checks() -> list[Check]:
    """What `belljar install desktop` brings."""
    return [*display_checks(), programs.check_openbox, *desktop_extras()]


def display_checks() -> list[Check]:
    return [
        programs.check_xvfb,
        programs.check_bubblewrap,
        *(partial(programs.check_fonts, script) for script in programs.SCRIPTS),
    ]


def desktop_extras() -> list[Check]:
    return [
        programs.check_dbus,
        programs.check_at_spi,
        programs.check_xdg_utils,
        programs.check_sound,
        programs.check_terminal,
    ]
