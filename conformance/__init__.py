"""Runs the test suites and samples of other projects against tilewright; none of their files are kept here."""
