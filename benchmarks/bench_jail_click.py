"""The price of the jail: a click, with full actionability, in a jailed Chromium against one that is not."""

from benchmarks.harness import run
from benchmarks.jails import side_by_side

PAGE = "data:text/html,<button id=b style='width:200px;height:80px'>Press</button>"
BENCHMARK = side_by_side(
    "jail_click",
    [("/v1/browser/click", {"selector": "#b"})],
    first=[("/v1/browser/start", {"headless": True}), ("/v1/browser/navigate", {"url": PAGE})],
    rounds=500,
)

if __name__ == "__main__":
    run(BENCHMARK)
