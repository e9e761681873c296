"""The scores by which extractors are compared."""

import gzip
import json
from pathlib import Path

import pytest

from benchmarks.extraction import lines_alike, plain_text, precision_and_recall, read_folder, score


@pytest.mark.parametrize(
    ("found", "true", "expected"),
    [
        ("a b c d e", "a b c d e", (1.0, 1.0)),
        ("a b c d e f", "a b c d e", (2 / 3, 1.0)),
        ("a b c d", "a b c d e", (1.0, 0.5)),
        ("w x y z", "a b c d", (0.0, 0.0)),
        ("", "a b c d", (None, 0.0)),
        ("a b c d", "", (0.0, None)),
        ("a b", "a b", (1.0, 1.0)),
        # Said twice, right once.
        ("a b c d a b c d", "a b c d", (1 / 5, 1.0)),
    ],
)
def test_shingles_are_counted_with_their_repetitions(
    found: str, true: str, expected: tuple[float | None, float | None]
) -> None:
    assert precision_and_recall(found, true) == expected


def test_f1_is_that_of_the_means() -> None:
    whole = score([("a b c d e", "a b c d e"), ("w x y z", "a b c d")])
    assert (whole.precision, whole.recall, whole.f1) == (0.5, 0.5, 0.5)


def test_markdown_is_judged_by_what_it_says() -> None:
    text = plain_text(
        "# Bells \\*\n\n[one](http://x/y) `two` ![no](http://z 'no')\n\n```py\nthree\n```\n\n| four |\n| --- |\n"
    )
    assert text.split() == ["Bells", "*", "one", "two", "three", "four"]


def test_lines_are_compared_in_order() -> None:
    assert lines_alike("a\n\nb\nc", "a\nb\n\nc\n") == 1.0
    assert lines_alike("a\nx", "a\nb\nc") == pytest.approx(0.4)


def test_a_folder_in_the_public_layout_is_read(tmp_path: Path) -> None:
    (tmp_path / "html").mkdir()
    (tmp_path / "html" / "abc.html.gz").write_bytes(gzip.compress("<p>Glocken läuten".encode()))
    truth = {"abc": {"url": "http://x/", "articleBody": "Glocken läuten"}}
    (tmp_path / "ground-truth.json").write_text(json.dumps(truth))
    (page,) = read_folder(tmp_path)
    assert (page.id, page.html, page.text, page.url) == ("abc", "<p>Glocken läuten", "Glocken läuten", "http://x/")
