"""The jail around everything untrusted that a box starts: one bubblewrap command, and what it is made of.

Own pid, network, IPC, UTS and mount namespaces; a read-only system; a private /tmp, /dev/shm and /run of bounded
size; the box's folders, at the paths they have outside.  The starter is its first process, so whatever the starter
starts is inside, and all of it ends with the starter.
"""

import json
import os
import secrets
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from belljar.box.process.program import User
from belljar.box.sandbox.jail.seccomp import jail_filter
from belljar.state import closed_to_others

MOUNTS = Path(__file__).with_name("mounts.py")


class CannotShow(Exception):
    """Nothing can be laid over the root of the file system; the message says so."""


@dataclass(frozen=True)
class VisibleFolder:
    """A folder that programs are to see at `target`."""

    source: Path
    target: Path
    is_read_only: bool = False
    # Somebody's own, to be used as if it were the box's user's.
    is_shared: bool = False


def order_to_show(
    user: User,
    own: Iterable[Path],
    shared: Iterable[VisibleFolder] = (),
    *,
    covers: Iterable[str] = (),
    starter: str = "",
    home: str = "",
) -> str | None:
    """For `mounts.py`; None where nothing needs it.  `own` folders that are in reach are left as they are.

    Raises `CannotShow`.
    """
    closed = {folder: cover for folder in own if (cover := closed_to_others(folder.parent)) is not None}
    if Path("/") in closed.values():
        raise CannotShow("the root of the file system is closed to other users")
    shown = [VisibleFolder(folder, folder) for folder in closed]
    shown += shared
    # What is shared at its own path may be out of reach as well.
    at_their_paths = {
        cover for one in shared if one.source == one.target and (cover := closed_to_others(one.source.parent))
    }
    if not shown and not starter:
        return None
    order = {
        "uid": user.uid,
        "gid": user.gid,
        "covers": sorted({*map(str, closed.values()), *map(str, at_their_paths), *covers}),
        "folders": [[str(one.source), str(one.target), one.is_read_only, one.is_shared] for one in shown],
        "starter": starter,
        "home": home,
    }
    return json.dumps(order)


HOME = "/home/box"
RUNTIME = "/run/user/1000"
STARTER = "/run/belljar/starter.py"
NAME, UID = "box", 1000
PROXY_PORT = 3128
# The system's: an interpreter from elsewhere would find its libraries nowhere in here.
PYTHON = "/usr/bin/python3"
WORKSPACE = "/workspace"
# Where root shows shared folders to the user of a jail, in a mount namespace of that jail alone.
SHARED = "/run/belljar"
# Where builds of Chromium look for managed settings.
CHROMIUM_POLICIES = tuple(
    f"/etc/{name}/policies/managed/belljar.json" for name in ("chromium", "opt/chrome", "opt/chrome_for_testing")
)
BLOCKED_SCHEMES = ("file", "devtools", "view-source", "chrome-extension", "chrome-untrusted", "filesystem")
# Pages of the browser's own that tell about it and change nothing.
ALLOWED_PAGES = ("chrome://sandbox", "chrome://version", "chrome://gpu", "devtools://devtools/bundled/")

TMP_BYTES = 1 << 30
SHM_BYTES = 512 << 20
RUN_BYTES = 64 << 20

# What programs read of /etc; nothing with a secret in it, nothing about the host's people or network.
_SYSTEM_FILES = (
    *("alternatives", "ca-certificates", "ca-certificates.conf", "chromium.d", "dbus-1", "dconf"),
    *("debian_version", "default/locale", "fonts", "gtk-2.0", "gtk-3.0", "gtk-4.0", "inputrc", "ld.so.cache"),
    *("ld.so.conf", "ld.so.conf.d", "locale.alias", "localtime", "lsb-release", "mailcap", "mime.types", "openal"),
    *("os-release", "pulse", "python3", "python3.11", "python3.12", "python3.13", "ssl/certs", "ssl/openssl.cnf"),
    *("terminfo", "timezone", "X11", "xdg", "pki/tls/certs", "pki/ca-trust", "protocols", "services"),
    *("profile", "bash.bashrc", "vulkan", "glvnd"),
)  # fmt: skip
_FILES = {
    "/etc/passwd": f"root:x:0:0:root:/root:/usr/sbin/nologin\n{NAME}:x:{UID}:{UID}:{NAME}:{HOME}:/bin/bash\n"
    "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n",
    "/etc/group": f"root:x:0:\ntty:x:5:\n{NAME}:x:{UID}:\nnogroup:x:65534:\n",
    "/etc/hosts": f"127.0.0.1 localhost {NAME}\n::1 localhost ip6-localhost ip6-loopback\n",
    "/etc/hostname": f"{NAME}\n",
    "/etc/host.conf": "multi on\n",
    # No name server: names are the proxy's business, and a program that looks one up hears so at once.
    "/etc/resolv.conf": "# Names are resolved by the egress proxy.\n",
    "/etc/nsswitch.conf": "".join(f"{name}: files\n" for name in ("passwd", "group", "hosts", "services", "protocols")),
}


@dataclass(frozen=True)
class Bind:
    """A folder of the caller's that the box is to see."""

    source: Path
    target: str
    is_read_only: bool = False


@dataclass(frozen=True)
class Jail:
    """Everything the command line is made from."""

    # Folders the box may write, at the same path inside; the first is its home too.
    home: Path
    folders: tuple[Path, ...]
    # Those of them that `file:` addresses may show, beside the home and what is shared.
    shown: tuple[Path, ...] = ()
    # Folders that only the server writes.
    given: tuple[Path, ...] = ()
    # Programs outside /usr (a vendor's Chromium).
    programs: tuple[Path, ...] = ()
    # The box's own, at /workspace; None where one of the binds is that.
    workspace: Path | None = None
    binds: tuple[Bind, ...] = ()
    # Whom to become before bubblewrap; None where the server is not root.
    user: User | None = None
    has_network: bool = False
    # Files into which the first process writes itself: the cgroups it is to be in.
    cgroups: tuple[Path, ...] = ()
    most_processes: int | None = None
    most_files: int = 16_384
    # Memory that the server shares with what is in the jail; None where it has its own.
    shared_memory: int | None = None

    def command(self, starter: str, connection: int, data: "Data") -> list[str]:
        """The whole command; `data` collects what has to be handed over as descriptors."""
        limits = [str(self.most_processes or 0), str(self.most_files)]
        inside = ["--", PYTHON, "-I", "-S", STARTER, str(connection), *limits]
        if self.user is None:
            return [*entering(self.cgroups), *self.bubblewrap(data, starter), *inside]
        jail = replace(self, binds=_shown(self.binds))
        return [
            *entering(self.cgroups),
            *self._showing(self.user),
            *_becoming(self.user),
            *jail.bubblewrap(data, starter),
            *inside,
        ]

    def _showing(self, user: User) -> list[str]:
        """Whatever the user could not reach, put where it can; nothing where all is in reach."""
        own = (*self.folders, *self.given, *self.programs, *([] if self.workspace is None else [self.workspace]))
        shared = [
            VisibleFolder(bind.source, bare.source, bind.is_read_only, is_shared=True)
            for bind, bare in zip(self.binds, _shown(self.binds), strict=True)
        ]
        order = order_to_show(user, own, shared, covers=[SHARED] if shared else [])
        return [] if order is None else [PYTHON, "-I", "-S", str(MOUNTS), order]

    def chromium_policy(self) -> dict[str, object]:
        """Managed settings, which hold for every way to an address: pages, CDP clients, windows, frames."""
        own = [WORKSPACE] if self.workspace is not None else []
        shared = [HOME, *map(str, (self.home, *self.shown)), *own, *(bind.target for bind in self.binds)]
        return {
            "URLBlocklist": [f"{scheme}:*" for scheme in BLOCKED_SCHEMES],
            "URLAllowlist": [*(f"file://{path}/" for path in shared), *ALLOWED_PAGES],
            # No bar over pages about --host-resolver-rules, which keeps names of TURN servers from DNS.
            "CommandLineFlagSecurityWarningsEnabled": False,
        }

    def bubblewrap(self, data: "Data", starter: str = "") -> list[str]:
        # Files in memory belong to no program that the kernel could end: they would be the end of the server.
        share = sys.maxsize if self.shared_memory is None else self.shared_memory // 4
        words = [
            find_bubblewrap() or "bwrap",
            *("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
            *([] if self.has_network else ["--unshare-net"]),
            *("--hostname", NAME, "--uid", str(UID), "--gid", str(UID)),
            *("--new-session", "--die-with-parent", "--as-pid-1", "--clearenv"),
            *_pairs("--setenv", {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": HOME, "LC_ALL": "C.UTF-8"}),
            *_system(),
            *("--proc", "/proc", "--dev", "/dev"),
            *_tmpfs("/dev/shm", min(SHM_BYTES, share), "1777"),
            # Bubblewrap gives it no size; terminals and shared memory are mounts of their own, and stay writable.
            *("--remount-ro", "/dev"),
            *_tmpfs("/tmp", min(TMP_BYTES, share), "1777"),
            *("--perms", "1777", "--dir", "/tmp/.X11-unix"),
            *_tmpfs("/run", RUN_BYTES, "0755"),
            *("--perms", "0755", "--dir", "/run/user", "--perms", "0700", "--dir", RUNTIME),
            *("--perms", "1777", "--dir", "/var/tmp"),
            *_tmpfs("/var/lib/xkb", 8 << 20, "0755"),
            *_files(data, {**_FILES, "/etc/machine-id": f"{secrets.token_hex(16)}\n"}),
            *_files(data, dict.fromkeys(CHROMIUM_POLICIES, json.dumps(self.chromium_policy()))),
            *(_files(data, {STARTER: starter}) if starter else []),
        ]
        for folder in self.folders:
            words += ["--bind", str(folder), str(folder)]
        for folder in (*self.given, *self.programs):
            words += ["--ro-bind", str(folder), str(folder)]
        words += ["--bind", str(self.home), HOME]
        if self.workspace is not None:
            words += ["--bind", str(self.workspace), WORKSPACE]
        for bind in self.binds:
            words += ["--ro-bind" if bind.is_read_only else "--bind", str(bind.source), bind.target]
        words += ["--chdir", HOME, "--remount-ro", "/"]
        return [*words, "--seccomp", str(data.add(jail_filter(os.uname().machine)))]


class Data:
    """Contents that travel as descriptors; closed when the command has them."""

    def __init__(self) -> None:
        self.descriptors: list[int] = []

    def add(self, content: bytes) -> int:
        descriptor = os.memfd_create("belljar-jail")
        os.write(descriptor, content)
        os.lseek(descriptor, 0, os.SEEK_SET)
        self.descriptors.append(descriptor)
        return descriptor

    def close(self) -> None:
        for descriptor in self.descriptors:
            os.close(descriptor)
        self.descriptors.clear()


def jail_environment(proxy_port: int | None) -> dict[str, str]:
    """What programs inside start from; with the proxy under the names that pip, npm, git and curl look for."""
    base = {
        "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin",
        "HOME": HOME,
        "USER": NAME,
        "LOGNAME": NAME,
        "SHELL": "/bin/bash",
        "LANG": "C.UTF-8",
        "XDG_RUNTIME_DIR": RUNTIME,
        "TMPDIR": "/tmp",
    }
    return base | (proxy_variables(proxy_port) if proxy_port is not None else {})


def proxy_variables(port: int) -> dict[str, str]:
    url = f"http://127.0.0.1:{port}"
    names = ("http_proxy", "https_proxy", "all_proxy")
    proxies = {variant: url for name in names for variant in (name, name.upper())}
    # A program's own localhost needs no proxy.
    return proxies | {name: "localhost,127.0.0.1,::1" for name in ("no_proxy", "NO_PROXY")}


def find_bubblewrap() -> str | None:
    return shutil.which("bwrap", path="/usr/local/bin:/usr/bin:/bin")


def _becoming(user: User) -> list[str]:
    """Drop to the box's uid first: to `bwrap --uid` alone the host's uid stays 0, and root's files readable."""
    return [
        *("setpriv", f"--reuid={user.uid}", f"--regid={user.gid}", "--clear-groups"),
        *("--bounding-set=-all", "--inh-caps=-all", "--no-new-privs", "--"),
    ]


def _shown(binds: Sequence[Bind]) -> tuple[Bind, ...]:
    return tuple(replace(bind, source=Path(SHARED, str(number))) for number, bind in enumerate(binds))


def entering(cgroups: Sequence[Path]) -> list[str]:
    """Written by the process itself before it becomes anything else, so nothing it starts is outside."""
    if not cgroups:
        return []
    script = 'while [ "$1" != -- ]; do echo $$ > "$1" || exit 125; shift; done; shift; exec "$@"'
    return ["/bin/sh", "-c", script, "sh", *map(str, cgroups), "--"]


def _system() -> list[str]:
    words = ["--ro-bind", "/usr", "/usr"]
    for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32"):
        path = Path("/", name)
        if path.is_symlink():
            words += ["--symlink", os.readlink(path), f"/{name}"]
        elif path.is_dir():
            words += ["--ro-bind", f"/{name}", f"/{name}"]
    for folder in ("/opt/google", "/var/cache/fontconfig"):
        words += ["--ro-bind-try", folder, folder]
    for name in _SYSTEM_FILES:
        words += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    return words


def _tmpfs(path: str, size: int, mode: str) -> list[str]:
    return ["--perms", mode, "--size", str(size), "--tmpfs", path]


def _files(data: Data, files: dict[str, str]) -> list[str]:
    words = []
    for path, content in files.items():
        words += ["--perms", "0444", "--ro-bind-data", str(data.add(content.encode())), path]
    return words


def _pairs(option: str, values: dict[str, str]) -> list[str]:
    return [word for name, value in values.items() for word in (option, name, value)]
