import pytest

from belljar.box.process.program import LONGEST_DELAY, Exit, delay_before, should_restart
from belljar.wire.processes import RestartPolicy

WELL, BADLY, KILLED = Exit(code=0), Exit(code=1), Exit(signal=9)


@pytest.mark.parametrize(
    ("policy", "restarted_after"),
    [
        (RestartPolicy.NEVER, []),
        (RestartPolicy.ALWAYS, [WELL, BADLY, KILLED]),
        (RestartPolicy.ON_FAILURE, [BADLY, KILLED]),
    ],
)
def test_who_is_restarted(policy: RestartPolicy, restarted_after: list[Exit]) -> None:
    assert [exit for exit in (WELL, BADLY, KILLED) if should_restart(policy, exit)] == restarted_after


def test_the_pause_doubles_up_to_a_cap() -> None:
    pauses = [delay_before(attempt) for attempt in range(1, 2000)]
    assert pauses[:4] == [0.1, 0.2, 0.4, 0.8]
    assert max(pauses) == pauses[-1] == LONGEST_DELAY
