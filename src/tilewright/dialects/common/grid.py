"""The grid of tile blocks of a launch, and the one check of its extents."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any, TypeAlias, cast

MAXIMUM_GRID_EXTENT = (1 << 24) - 1
"""The maximum number of tile blocks along one axis of a grid; cuTile's launcher has the same limit."""
MAXIMUM_TILE_BLOCKS = 1 << 62
"""The maximum number of tile blocks of a launch. A 64-bit counter counts them; threads may increment it a
little past the end.
"""
MAXIMUM_LOCAL_BYTES = 1 << 30
"""The maximum size and alignment of one `alloca` in bytes, for each running tile block."""


def alloca_obstacle(size: int) -> str | None:
    """Return the reason why a tile block cannot allocate `size` bytes; None if it can."""
    if size <= MAXIMUM_LOCAL_BYTES:
        return None
    return f"memory of a tile block has at most {MAXIMUM_LOCAL_BYTES} bytes, and {size} are asked for"


SMALLER = "pass an array to the kernel instead, or allocate less"
"""The hint for an alloca that is too large."""


GridSize: TypeAlias = tuple[int, int, int]
"""Numbers of tile blocks along x, y and z."""


class GridError(ValueError):
    """A grid that is not valid.

    If an extent is out of range, ``axis`` is the number of its axis and ``extent`` its value. ``is_empty`` is
    true if an extent is below one; ``is_shaped`` is true if the grid consists of one to three integers.
    """

    def __init__(
        self, reason: str, axis: int | None = None, extent: int = 0, *, is_shaped: bool = True
    ) -> None:
        super().__init__(reason)
        self.axis = axis
        self.extent = extent
        self.is_shaped = is_shaped

    @property
    def is_empty(self) -> bool:
        """Whether the error is about an extent below one."""
        return self.axis is not None and self.extent < 1

    @property
    def way_out(self) -> str:
        """Return a hint for the caller: how to choose a valid grid."""
        if not self.is_shaped:
            return "pass a tuple of one to three integers"
        return "skip an empty launch" if self.is_empty else "launch several times for more tile blocks"


def grid_extents(grid: Any) -> GridSize:
    """Return a grid, which is an integer or one to three integers, as three extents, with 1 for missing ones.
    Raises `GridError` for any other object, an extent out of range, or too many tile blocks.
    """
    if type(grid) is tuple:
        given = cast("tuple[Any, ...]", grid)
        if 0 < len(given) <= 3:
            x, y, z = given if len(given) == 3 else (*given, 1, 1)[:3]
            if type(x) is type(y) is type(z) is int and _fits(x, y, z):  # the usual form of a grid
                return x, y, z
    extents = _integers(grid)
    if not 1 <= len(extents) <= 3:
        raise GridError(f"a grid has one to three extents, got {len(extents)}", is_shaped=False)
    for axis, extent in enumerate(extents):
        if not 1 <= extent <= MAXIMUM_GRID_EXTENT:
            reason = f"grid extent {'xyz'[axis]} must be from 1 to {MAXIMUM_GRID_EXTENT}, got {extent}"
            raise GridError(reason, axis, extent)
    x, y, z = (*extents, 1, 1)[:3]
    if not _fits(x, y, z):
        raise GridError(f"a launch has at most 2^62 tile blocks, got {x * y * z}")
    return x, y, z


def _fits(x: int, y: int, z: int) -> bool:
    """Return whether three extents are in range: each is positive and at most `MAXIMUM_GRID_EXTENT`, and
    their product is at most `MAXIMUM_TILE_BLOCKS`.
    """
    most = MAXIMUM_GRID_EXTENT
    return 0 < x <= most and 0 < y <= most and 0 < z <= most and x * y * z <= MAXIMUM_TILE_BLOCKS


def _integers(grid: Any) -> tuple[int, ...]:
    """Return the extents of a grid as integers, from a sequence, an array or a single integer. Raises
    `GridError` for anything else.
    """
    given: Iterable[Any] = grid if _has_items(grid) else (grid,)
    try:
        return tuple(operator.index(extent) for extent in given)
    except TypeError as error:
        raise GridError(f"a grid is one to three integers, got {grid!r}", is_shaped=False) from error


def _has_items(grid: Any) -> bool:
    """Return whether a grid is a sequence or array, and not a single number."""
    return isinstance(grid, Iterable) and bool(getattr(cast("Any", grid), "shape", True))
