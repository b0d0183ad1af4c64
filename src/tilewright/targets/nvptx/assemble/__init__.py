"""Assemble PTX to a cubin by an assembler in a process of its own, and convert its messages to diagnostics."""
