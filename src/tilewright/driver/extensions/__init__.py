"""Dialects, passes, pipelines and targets of other packages."""
