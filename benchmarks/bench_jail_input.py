"""The price of the jail: the mouse moved and a key pressed on a desktop whose X server is jailed or not."""

from benchmarks.harness import run
from benchmarks.jails import side_by_side

BENCHMARK = side_by_side(
    "jail_input",
    [
        ("/v1/desktop/mouse/move", {"x": 100, "y": 100}),
        ("/v1/desktop/keyboard/press", {"key": "a"}),
        ("/v1/desktop/mouse/move", {"x": 300, "y": 200}),
    ],
    first=[("/v1/desktop/start", {"width": 1280, "height": 720})],
)

if __name__ == "__main__":
    run(BENCHMARK)
