"""The corpus of tests/replay: modules and launches of the tests, chosen by what they execute.  `python -m tools.corpus --help` says more."""
