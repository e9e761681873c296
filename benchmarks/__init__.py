"""What Belljar costs beside what it is compared with. `make bench` runs every `bench_*.py` here."""
