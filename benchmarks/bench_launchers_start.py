"""A session whose box is started for it, its browser up, over each launcher."""

from benchmarks.harness import Benchmark, run
from benchmarks.launchers import creating_sessions, over_each_launcher

BENCHMARK = Benchmark(
    "launchers_start",
    baseline="local",
    contenders=over_each_launcher(creating_sessions),
    rounds=20,
    quick_rounds=7,
    warm_up=1,
    limit=600,
    action_limit=120,
)

if __name__ == "__main__":
    run(BENCHMARK)
