"""Tasks that run as long as the control plane: after a fault they carry on, and a probe learns of one that does not."""

from collections.abc import Awaitable, Callable

import anyio

from belljar.logs import log
from belljar.problems.control import DatabaseUnavailable

# Between a fault and the next try: doubled with each that follows at once.
_LEAST_PAUSE = 1.0
_MOST_PAUSE = 30.0
# A round of a loop that takes longer hangs: it is given up, and the next one may do better.
ROUND_SECONDS = 120.0


class Supervisor:
    def __init__(self) -> None:
        self._dead: dict[str, str] = {}

    @property
    def dead(self) -> list[str]:
        """The names of tasks that should run and do not."""
        return sorted(self._dead)

    async def keep_running(self, name: str, run: Callable[[], Awaitable[None]]) -> None:
        """`run`, and again whenever it ends: it is meant not to."""
        pause = _LEAST_PAUSE
        while True:
            self._dead.pop(name, None)
            began = anyio.current_time()
            try:
                await run()
                self._dead[name] = "it ended"
                log.error("task.ended", task=name)
            except Exception as error:  # the top of a supervised loop
                self._dead[name] = type(error).__name__
                log.exception("task.failed", task=name)
            finally:
                # Whatever else ends it: nobody restarts it then.
                self._dead.setdefault(name, "it was cancelled")
            pause = min(pause * 2, _MOST_PAUSE) if anyio.current_time() - began < _MOST_PAUSE else _LEAST_PAUSE
            await anyio.sleep(pause)


async def repeat(name: str, look: Callable[[], Awaitable[None]], *, every: float) -> None:
    """One round after another.  One that fails is logged, and the next does it again; an outage has been logged by
    whoever noticed it, and would be with each round.
    """
    failures = 0
    while True:
        try:
            with anyio.fail_after(ROUND_SECONDS):
                await look()
            failures = 0
        except DatabaseUnavailable:
            failures = 0
        except Exception:  # the top of a supervised loop
            failures += 1
            log.exception(f"{name}.failed")
        await anyio.sleep(min(every * 2**failures, max(every, _MOST_PAUSE)))
