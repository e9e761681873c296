"""Isolation, tried by doing it: user namespaces, and Chromium with its own sandbox on."""

from collections.abc import Sequence
from pathlib import Path

from belljar.dependencies import INSTALL_BROWSER, find_chromium
from belljar.doctor.finding import Finding, Level
from belljar.doctor.trial import attempt, scratch

# Switches of the kernel and of distributions, the value that forbids, and the command that allows.
SWITCHES = (
    ("/proc/sys/kernel/unprivileged_userns_clone", "0", "sysctl -w kernel.unprivileged_userns_clone=1"),
    ("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1",
     "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"),
    ("/proc/sys/user/max_user_namespaces", "0", "sysctl -w user.max_user_namespaces=10000"),
)  # fmt: skip
CONTAINER_FIX = "in a container, let its seccomp profile allow clone and unshare with namespace flags; not in a chroot"

# Nothing may leave the host for a check: no updates, no look-ups, and a proxy where nobody listens.
QUIET = (
    "--headless",
    "--disable-gpu",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=127.0.0.1:9",
)


def check_user_namespaces(*, inside: Sequence[str] = ()) -> Finding:
    """Whether an unprivileged user gets namespaces that are of use: mapped, with a network of their own.

    Only making one tells: Ubuntu's AppArmor lets the namespace be made and then denies what it is for.
    `inside` is a command to run the trial in, such as a jail's.
    """
    outcome = attempt([*inside, "unshare", "--user", "--map-root-user", "--net", "--pid", "--fork", "true"])
    if outcome.succeeded:
        return Finding("user-namespaces", "user namespaces", Level.OK, "an unprivileged user can make them")
    detail = f"an unprivileged user cannot make them ({outcome.complaint}): no jail, no Chromium sandbox"
    return Finding("user-namespaces", "user namespaces", Level.WARNING, detail, namespace_fix())


def check_chromium_sandbox(state_dir: Path, *, inside: Sequence[str] = ()) -> Finding:
    """Chromium loads a blank page without `--no-sandbox`; where it cannot sandbox its renderers it refuses to."""
    program = find_chromium(state_dir)
    if program is None:
        return Finding(
            "chromium-sandbox", "Chromium's sandbox", Level.WARNING, "not tried: there is no Chromium", INSTALL_BROWSER
        )
    with scratch() as profile:
        command: list[str | Path] = [program, *QUIET, f"--user-data-dir={profile}", "--dump-dom", "about:blank"]
        outcome = attempt([*inside, *command], timeout=30.0)
    if outcome.succeeded and "<html>" in outcome.output:
        return Finding("chromium-sandbox", "Chromium's sandbox", Level.OK, "can stay on for an unprivileged user")
    reason = "no usable sandbox" if "No usable sandbox" in outcome.errors else outcome.complaint
    detail = f"must be off: Chromium would not start with it ({reason})"
    return Finding("chromium-sandbox", "Chromium's sandbox", Level.WARNING, detail, namespace_fix())


def namespace_fix() -> str:
    for switch, forbids, command in SWITCHES:
        path = Path(switch)
        if path.exists() and path.read_text().strip() == forbids:
            return command
    return CONTAINER_FIX
