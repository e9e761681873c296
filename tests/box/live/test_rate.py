"""The token bucket, on a clock of its own."""

from belljar.limits import Bucket


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_burst_passes_then_the_rate_holds() -> None:
    clock = Clock()
    bucket = Bucket(8, 3, clock)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    assert 0 < bucket.seconds_until_next <= 0.125
    clock.now += 0.125
    assert [bucket.take() for _ in range(2)] == [True, False]


def test_rest_fills_it_to_the_burst_and_no_further() -> None:
    clock = Clock()
    bucket = Bucket(8, 3, clock)
    clock.now += 1000
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
