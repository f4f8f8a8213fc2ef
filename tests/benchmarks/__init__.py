"""Speed, as ratios measured in one run on the same files. `./test benchmarks` runs them all.

A benchmark is a module here with a function `run(report)`. No test asserts a time.
"""
