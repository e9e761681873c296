"""Reads what the operator asked for: the policy's text, shared folders, limits.  Nothing is half applied."""

import re
from pathlib import Path
from typing import Protocol

from belljar.box.sandbox.cgroups import Limits
from belljar.box.sandbox.isolation import IsolationOptions
from belljar.box.sandbox.jail.bubblewrap import WORKSPACE, Bind
from belljar.egress.policy.file import PRESETS, BadPolicy, parse_policy
from belljar.settings import read_bytes
from belljar.wire.isolation import JailMode

# Less than this and Chromium cannot live.
LEAST_MEMORY = 256 << 20
# A profile of Chromium's takes some tens of megabytes.
LEAST_DISK = 64 << 20


class BadOption(ValueError):
    """A setting that cannot be understood; the message names it and says why."""


class IsolationSettings(Protocol):
    """The settings that matter here."""

    @property
    def jail(self) -> JailMode: ...
    @property
    def egress(self) -> str: ...
    @property
    def egress_socket(self) -> Path | None: ...
    @property
    def allow(self) -> tuple[str, ...]: ...
    @property
    def bind(self) -> tuple[str, ...]: ...
    @property
    def max_memory(self) -> str: ...
    @property
    def max_disk(self) -> str: ...
    @property
    def disk_reserve(self) -> str: ...
    @property
    def max_processes(self) -> int: ...
    @property
    def max_cpus(self) -> float: ...
    @property
    def container_limits(self) -> bool: ...
    @property
    def box_id(self) -> str: ...


def read_options(asked: IsolationSettings) -> IsolationOptions:
    """Raises `BadOption`."""
    return IsolationOptions(
        mode=asked.jail,
        egress=_policy(asked.egress, asked.allow),
        allow=asked.allow,
        binds=tuple(read_bind(text) for text in asked.bind),
        limits=Limits(
            memory_bytes=read_size(asked.max_memory) if asked.max_memory else None,
            disk_bytes=_disk_limit(asked.max_disk),
            processes=asked.max_processes,
            cpus=asked.max_cpus or None,
        ),
        disk_reserve=read_size(asked.disk_reserve, "--disk-reserve", 0),
        name=re.sub(r"[^A-Za-z0-9_-]", "-", asked.box_id)[:64] or "box",
        egress_socket=asked.egress_socket,
        has_container_limits=asked.container_limits,
    )


def _policy(egress: str, allow: tuple[str, ...]) -> str:
    """A preset's name, or the text of the file."""
    text = egress
    if egress not in PRESETS:
        try:
            text = Path(egress).expanduser().read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            names = ", ".join(PRESETS)
            reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
            raise BadOption(f"--egress is {names} or a policy file; {egress} cannot be read: {reason}.") from error
    try:
        parse_policy("", allow)
    except BadPolicy as error:
        raise BadOption(f"--allow: {error}.") from error
    try:
        parse_policy(text, allow)
    except BadPolicy as error:
        raise BadOption(f"The policy {egress} is refused. {str(error)[:1].upper()}{str(error)[1:]}.") from error
    return text


def read_bind(text: str) -> Bind:
    """`DIR:/workspace` or `DIR:/workspace/name`, each with an optional `:ro`; raises `BadOption`."""
    source, _, rest = text.partition(":")
    target, _, mode = rest.partition(":")
    target = target or WORKSPACE
    if mode not in ("", "ro", "rw"):
        raise BadOption(f"--bind {text}: after the second colon comes ro or rw.")
    if not re.fullmatch(rf"{WORKSPACE}(/[A-Za-z0-9._-]*[A-Za-z0-9_-])*", target):
        raise BadOption(f"--bind {text}: folders are shared at {WORKSPACE} or below it.")
    folder = Path(source).expanduser().resolve()
    if not folder.is_dir():
        raise BadOption(f"--bind {text}: {source} is not a folder.")
    return Bind(folder, target, is_read_only=mode == "ro")


def _disk_limit(text: str) -> int | None:
    return None if text.strip() in ("", "0") else read_size(text, "--max-disk", LEAST_DISK)


def read_size(text: str, option: str = "--max-memory", least: int = LEAST_MEMORY) -> int:
    size = read_bytes(text)
    if size is None:
        size = -1
    if size < least:
        raise BadOption(f"{option} is a size such as 2G, and at least {least >> 20}M; not {text!r}.")
    return size
