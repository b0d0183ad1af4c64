"""Notebooks: what ``%load_ext tilewright`` brings.  It needs the extra ``notebook``."""
