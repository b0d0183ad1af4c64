"""Reading the arguments and the grid of a launch, whatever is launched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.common.grid import Grid, GridError, grid_extents
from tilewright.driver import codes
from tilewright.interp.codes import BAD_ARGUMENT
from tilewright.ir.diagnostic import failure
from tilewright.ir.support.sequences import is_list


def argument_list(arguments: object) -> Sequence[Any]:
    """The flat arguments of a launch as a sequence.  Raises `DiagnosticError` for another kind of object."""
    if is_list(arguments):
        return arguments
    message = f"the arguments of a launch are a list, got an object of type '{type(arguments).__name__}'"
    raise failure(BAD_ARGUMENT, message, hint="pass one value per parameter, such as [array, 1024]")


def normalise_grid(grid: int | Sequence[int]) -> Grid:
    """A grid of one to three extents as three.  Raises `DiagnosticError` for anything else."""
    try:
        return grid_extents(grid)
    except GridError as error:
        raise failure(codes.BAD_GRID, str(error), hint=error.way_out) from error
