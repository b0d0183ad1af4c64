"""The note that a kernel keeps on the stack of its thread while it runs, for the report of a crash.

It says which launch the kernel works for and which tile block it computes.  Whoever looks at the stack of a thread that
has crashed, from the innermost frame outwards, finds the note by its tag, which depends on where the note is: copies and
other numbers do not look like it.
"""

from __future__ import annotations

WORD = 8
TAG_BITS = int.from_bytes(b"running.", "little")
"""The first word of a note is its own address, exclusive-or these bits."""
CONTEXT, GRID, NUMBER = 8, 16, 24
"""Offsets in a note of the addresses of the launch context and of the grid, and of the number of the tile block."""
NOTE_WORDS = 4
