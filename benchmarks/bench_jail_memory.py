"""What jail and proxy add to the memory of a box: PSS of its processes, with a page open, by what they are."""

from pathlib import Path

from benchmarks.bench_desktop_recording import processes_below
from benchmarks.harness import console
from tests.servers import running_box

KINDS = {"belljar.egress": "egress proxy", "bwrap": "jail", "starter.py": "starter", "-m belljar": "server"}


def pss(pid: int) -> float:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1000


def main() -> None:
    for mode in ("off", "require"):
        with running_box("--log-level", "warning", "--jail", mode) as box, box.client() as http:
            http.post("/v1/browser/start", json={"headless": False}).raise_for_status()
            found: dict[str, float] = {}
            for pid, line in [*processes_below(box.process.pid)]:
                kind = next((name for word, name in KINDS.items() if word in line), "programs")
                found[kind] = found.get(kind, 0) + pss(pid)
        parts = ", ".join(f"{kind} {size:.0f}" for kind, size in sorted(found.items()))
        console.print(f"--jail {mode}: {sum(found.values()):.0f} MB ({parts})")


if __name__ == "__main__":
    main()
