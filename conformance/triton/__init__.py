"""Triton's own suites on the CPU, from a checkout of its sources: see `conformance.triton.__main__`."""
