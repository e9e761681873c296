"""When an ended process is started again, and after how long: plain decisions."""

from belljar.box.process.program import Exit
from belljar.wire.processes import RestartPolicy

FIRST_DELAY = 0.1
LONGEST_DELAY = 30.0
# Who ran this long is well: its next end starts counting afresh.
RAN_WELL = 10.0


def should_restart(policy: RestartPolicy, exit: Exit) -> bool:
    if policy is RestartPolicy.ON_FAILURE:
        return exit.is_failure
    return policy is RestartPolicy.ALWAYS


def delay_before(attempt: int) -> float:
    """Seconds before the `attempt`-th restart in a row, from 1: doubling, up to a cap."""
    return min(LONGEST_DELAY, FIRST_DELAY * 2.0 ** min(attempt - 1, 30))
