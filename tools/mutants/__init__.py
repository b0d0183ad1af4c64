"""Mutation testing: small changes of the sources that some test should tell.  `python -m tools.mutants --help` says more."""
