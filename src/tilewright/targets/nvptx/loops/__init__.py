"""Loops of one thread's code: what runs once in front of them, and what they carry instead of computing it."""
