"""From a viewer's surface to the page."""

import pytest

from belljar.box.live.input import Point, Size, to_picture, to_pixels

HD = Size(1280, 720)


@pytest.mark.parametrize(
    ("point", "surface", "expected"),
    [
        ((100, 50), HD, Point(100, 50, True)),
        ((50, 25), Size(640, 360), Point(100, 50, True)),
        ((200, 100), Size(2560, 1440), Point(100, 50, True)),
        # Bars above and below: 1280x720 in 1280x920 leaves 100 at each side.
        ((0, 100), Size(1280, 920), Point(0, 0, True)),
        ((640, 460), Size(1280, 920), Point(640, 360, True)),
        ((640, 50), Size(1280, 920), Point(640, 0, False)),
        # Bars left and right, scaled down by half.
        ((180, 180), Size(1000, 360), Point(0, 360, True)),
        ((500, 180), Size(1000, 360), Point(640, 360, True)),
        ((999, 180), Size(1000, 360), Point(1279, 360, False)),
        ((-5, -5), HD, Point(0, 0, False)),
        ((1280, 720), HD, Point(1279, 719, False)),
    ],
)
def test_a_point_of_the_surface_lies_where_it_is_seen(
    point: tuple[float, float], surface: Size, expected: Point
) -> None:
    assert to_picture(*point, surface, HD) == expected


@pytest.mark.parametrize(("delta", "mode", "pixels"), [(7, 0, 7), (3, 1, 100), (-1, 2, -720)])
def test_a_wheel_counts_in_pixels_lines_or_pages(delta: float, mode: int, pixels: float) -> None:
    assert to_pixels(delta, mode, 720) == pytest.approx(pixels)
