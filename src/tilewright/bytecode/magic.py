"""How files of bytecode begin."""

from __future__ import annotations

MAGIC = b"\x7fTileIR\x00"
"""The first bytes of every file."""
