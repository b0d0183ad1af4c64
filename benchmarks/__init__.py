"""Benchmarks: side by side with peers in one run; what counts are the medians of ratios, never absolute times."""
