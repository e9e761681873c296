"""Memory of sessions: PSS of each box's whole tree, headless and headful, from the first to the tenth."""

import argparse
import json

from belljar.plane import kernel
from benchmarks.harness import RESULTS, console
from tests.plane.plane import boxes_of, running_plane


def measure(count: int, *, headless: bool) -> list[float]:
    """Megabytes of all boxes together after each further session."""
    grown = []
    flags = ("--max-sessions-per-user", str(count), "--idle-timeout", "0")
    with running_plane(*flags) as plane:
        for _ in range(count):
            plane.create(mode="browser", headless=headless)
            memory, _cpu = kernel.memory_and_cpu(kernel.tree(boxes_of(plane.state_dir)))
            grown.append(round(memory / 1e6, 1))
    return grown


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="three sessions instead of ten")
    parser.add_argument("--rounds", type=int, help="so many sessions")
    options = parser.parse_args()
    count = options.rounds or (3 if options.quick else 10)
    found = {kind: measure(count, headless=kind == "headless") for kind in ("headless", "headful")}
    for kind, grown in found.items():
        each = (grown[-1] - grown[0]) / max(1, count - 1)
        console.print(
            f"{kind}: first {grown[0]:.0f} MB, {count} together {grown[-1]:.0f} MB, each further {each:.0f} MB"
        )
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "session_memory.json").write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
