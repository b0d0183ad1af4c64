"""Runs ``pdl_interp``: each function becomes Python closures when it is first called."""
