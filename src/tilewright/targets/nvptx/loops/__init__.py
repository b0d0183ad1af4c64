"""Loops of one thread's code: arithmetic that runs once before them, and values that they carry instead of computing them."""
