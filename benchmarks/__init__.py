"""Speed and memory against other tools: ``python -m benchmarks`` prints two tables."""
