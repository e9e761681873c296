"""Which control planes may share a database: those that do the same with it, and who of the others may live still."""

import json
import os
import time
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, inspect, text

from belljar.plane import kernel
from belljar.plane.kernel import ProcessId

# What control planes on one database must agree on beside its schema: raised with every change of who may do what.
PROTOCOL = 2
# A control plane that says nothing for this long, and whose process cannot be looked at, is taken for dead.
SILENT_SECONDS = 15.0


class OtherProtocol(Exception):
    """A control plane of another version runs on the database; the message is a sentence for people."""


class HostNameTaken(Exception):
    """A control plane that cannot be seen from here has our host's name; the message is a sentence for people."""


def pid_namespace() -> str:
    """Which table of processes ours is in, on which machine and since which start of it."""
    return f"{kernel.boot_id()} {os.readlink('/proc/self/ns/pid')}"


def is_process_seen(process: Mapping[str, object]) -> bool:
    """Whether its process could be looked at from here: one that is not found in our own namespace is gone."""
    return bool(process.get("pidNamespace") == pid_namespace())


def is_process(process: Mapping[str, Any]) -> bool:
    """Whether it is among the processes here.  A row of an older version says no namespace, but pid and start time."""
    is_here = process.get("pidNamespace") in (None, pid_namespace()) and process["bootId"] == kernel.boot_id()
    return is_here and kernel.is_alive(ProcessId(process["pid"], process["startTime"]))


def may_live(process: Mapping[str, Any], seen_at: float) -> bool:
    """Unless its process is known to be gone, who said something lately may live."""
    return is_process(process) or (not is_process_seen(process) and time.time() - seen_at < SILENT_SECONDS)


def check_none_older(connection: Connection) -> None:
    """Before the schema is changed.  Raises `OtherProtocol` where a control plane runs that knows the old one only."""
    if not inspect(connection).has_table("planes"):
        return
    for id, host, process, seen_at in connection.execute(text("select id, host, process, seen_at from planes")):
        about = json.loads(process) if isinstance(process, str) else process
        if may_live(about, seen_at):
            raise OtherProtocol(refusal(id, host))


def name_taken(id: str, host: str) -> HostNameTaken:
    return HostNameTaken(
        f"Another control plane on this database ({id}) calls its host {host} too, and its processes cannot be seen "
        "from here: each would take the other's boxes for its own. Give one of them another --host-name; if that one "
        f"has been killed already, wait {SILENT_SECONDS:g} seconds."
    )


def refusal(id: str, host: str) -> str:
    return (
        f"A control plane of another version of Belljar runs on this database ({id} on {host}). Stop it first; if it "
        f"has been killed already, wait {SILENT_SECONDS:g} seconds."
    )
