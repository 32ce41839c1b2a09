"""How fast, as ratios inside one run, so that the machine cancels out: `python -m benchmarks`."""
