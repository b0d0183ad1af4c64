"""The CPU back end: compiles functions of tiles to machine code for this machine or for another processor."""
