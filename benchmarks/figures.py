"""The arithmetic of a benchmark: percentiles, ratios, and whose turn it is."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Figures:
    """One contender's samples in seconds, boiled down; the ratios are against the baseline's p50 and p95."""

    name: str
    samples: int
    p50: float
    p95: float
    best: float
    ratio_p50: float
    ratio_p95: float


def percentile(samples: Sequence[float], share: float) -> float:
    """The value below which `share` (0 to 1) of the samples lie, between two samples by their distance."""
    if not samples:
        raise ValueError("no samples")
    ordered = sorted(samples)
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def compare(samples: Mapping[str, Sequence[float]], baseline: str) -> list[Figures]:
    """Every contender beside `baseline`, in the order given."""
    base_p50, base_p95 = (percentile(samples[baseline], share) for share in (0.5, 0.95))
    rows = []
    for name, taken in samples.items():
        p50, p95 = percentile(taken, 0.5), percentile(taken, 0.95)
        rows.append(Figures(name, len(taken), p50, p95, min(taken), p50 / base_p50, p95 / base_p95))
    return rows


def turns(contenders: Sequence[str], rounds: int) -> Iterator[list[str]]:
    """Each round everyone once, in another order: what a neighbour leaves running (a page that still paints) would
    otherwise always count against the same one.  The orders are the same in every run."""
    shuffled = random.Random(rounds)
    for _ in range(rounds):
        order = list(contenders)
        shuffled.shuffle(order)
        yield order
