"""The arithmetic of benchmarks, by cases."""

import pytest

from benchmarks.figures import compare, percentile, turns


@pytest.mark.parametrize(
    ("samples", "share", "expected"),
    [
        ([7.0], 0.5, 7.0),
        ([7.0], 0.95, 7.0),
        ([3.0, 1.0, 2.0], 0.5, 2.0),
        ([1.0, 2.0], 0.5, 1.5),
        ([1.0, 2.0, 3.0, 4.0, 5.0], 0.0, 1.0),
        ([1.0, 2.0, 3.0, 4.0, 5.0], 1.0, 5.0),
        ([float(n) for n in range(101)], 0.95, 95.0),
    ],
)
def test_percentile(samples: list[float], share: float, expected: float) -> None:
    assert percentile(samples, share) == pytest.approx(expected)


def test_percentile_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="no samples"):
        percentile([], 0.5)


def test_ratios_are_against_the_baseline() -> None:
    plain, ours = compare({"plain": [1.0, 1.0, 3.0], "ours": [2.0, 2.0, 2.0]}, "plain")
    assert (plain.ratio_p50, plain.ratio_p95) == (1.0, 1.0)
    assert ours.ratio_p50 == 2.0
    assert ours.ratio_p95 == pytest.approx(2.0 / 2.8)
    assert (ours.samples, plain.best) == (3, 1.0)


def test_everyone_has_one_turn_a_round_and_follows_everyone() -> None:
    rounds = list(turns(["a", "b", "c"], 30))
    assert all(sorted(order) == ["a", "b", "c"] for order in rounds)
    assert {order[0] for order in rounds} == {"a", "b", "c"}
    neighbours = {pair for order in rounds for pair in zip(order, order[1:], strict=False)}
    assert len(neighbours) == 6
    assert rounds == list(turns(["a", "b", "c"], 30))
