"""Which of two qualities a line carries, as it is reported."""

from belljar.box.live.rtc.quality import LineQuality
from belljar.box.live.stream.pace import Rendition

FULL, SMALL = Rendition.FULL, Rendition.SMALL


def test_a_line_that_loses_much_or_is_long_gets_the_smaller_and_later_the_full_again() -> None:
    now = 0.0
    line = LineQuality(lambda: now)
    for lost, seconds in ((0.05, 0.2), (0.5, 0.1), (0.0, None), (0.0, 2.0), (0.02, 0.1)):
        line.report(lost, seconds)
        assert line.rendition is FULL, "one bad report is chance"
    for _ in range(2):
        line.report(0.2, 0.1)
    assert line.rendition is SMALL
    now = 9.0
    line.report(0.0, 0.1)
    assert line.rendition is SMALL
    now = 10.0
    line.report(0.05, 0.1)
    assert line.rendition is SMALL, "it is not good yet"
    line.report(0.0, 0.1)
    assert line.rendition is FULL
    for _ in range(2):
        line.report(0.0, 1.0)
    now = 29.0
    line.report(0.0, 0.1)
    assert line.rendition is SMALL, "the second try is later"
    now = 30.0
    line.report(0.0, 0.1)
    assert line.rendition is FULL
