"""Assembling: PTX to a cubin, by an assembler in a process of its own, with its messages as diagnostics."""
