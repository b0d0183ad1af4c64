"""Sizes that Tile IR leaves open and an execution has to limit: one place for all targets."""

from __future__ import annotations

MAXIMUM_GRID_EXTENT = (1 << 24) - 1
"""Tile blocks along one axis of a grid, as cuTile's own launcher has it."""
MAXIMUM_TILE_BLOCKS = 1 << 62
"""Tile blocks of a launch: they are counted in 64 bits, by threads that all count a little too far."""
MAXIMUM_LOCAL_BYTES = 1 << 30
"""Memory that one `alloca` may take, for each tile block that runs, and the alignment that it may have."""


def alloca_obstacle(size: int) -> str | None:
    """Return the reason why a tile block cannot allocate `size` bytes; None if it can."""
    if size <= MAXIMUM_LOCAL_BYTES:
        return None
    return f"memory of a tile block has at most {MAXIMUM_LOCAL_BYTES} bytes, and {size} are asked for"


SMALLER = "pass an array to the kernel instead, or allocate less"
"""The hint for an alloca that is too large."""
