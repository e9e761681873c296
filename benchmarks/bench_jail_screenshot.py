"""The price of the jail: a picture of the desktop, whose X server is jailed or not."""

from benchmarks.harness import run
from benchmarks.jails import side_by_side

BENCHMARK = side_by_side(
    "jail_screenshot",
    [("/v1/desktop/screenshot", None)],
    first=[("/v1/desktop/start", {"width": 1280, "height": 720})],
)

if __name__ == "__main__":
    run(BENCHMARK)
