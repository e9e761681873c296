"""The price of the jail: filming a page that moves all the time, on a display that is jailed or not.

The processor time of the server and its encoder, as parts of one core, and the frames that arrived in the film.
"""

from benchmarks.bench_desktop_recording import film
from benchmarks.harness import console
from tests.servers import running_box


def main() -> None:
    for mode in ("off", "require"):
        with running_box("--log-level", "warning", "--jail", mode) as box:
            used, fps = film(box.port, box.process.pid, "encoder.py")
        console.print(f"--jail {mode}: {used:.0%} of one core, {fps:.1f} frames a second")


if __name__ == "__main__":
    main()
