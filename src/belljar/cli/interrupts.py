"""Ctrl-C while a command is being imported: it ends at once and says nothing, as SIGTERM has it anyway.

Python would raise KeyboardInterrupt in the middle of some library's import and print forty lines about it.  Nothing has
been started by then that would need an end of its own.
"""

import signal


def interrupts_end() -> None:
    _set(signal.default_int_handler, signal.SIG_DFL)


def interrupts_raise() -> None:
    """For what has blocks to leave: from here on KeyboardInterrupt comes as usual."""
    _set(signal.SIG_DFL, signal.default_int_handler)


def _set(expected: object, handler: "signal._HANDLER") -> None:
    """Only where nobody else said otherwise: a shell has its jobs in the background ignore the signal."""
    if signal.getsignal(signal.SIGINT) == expected:
        signal.signal(signal.SIGINT, handler)
