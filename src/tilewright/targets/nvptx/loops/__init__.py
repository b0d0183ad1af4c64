"""Loops of one thread's code: invariant code before them, and carried values instead of recomputed values."""
