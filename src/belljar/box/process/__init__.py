"""Children: everything the box starts, it starts here.  Knows nothing of the rest of the box."""

from belljar.box.process.logs import Entry, LogRing
from belljar.box.process.process import Process, State
from belljar.box.process.processes import Processes, open_processes
from belljar.box.process.program import Exit, Program, Terminal, User
from belljar.wire.processes import ProcessOwner, RestartPolicy

__all__ = [
    "Entry",
    "Exit",
    "LogRing",
    "Process",
    "ProcessOwner",
    "Processes",
    "Program",
    "RestartPolicy",
    "State",
    "Terminal",
    "User",
    "open_processes",
]
