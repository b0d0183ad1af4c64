"""All rows together: what is written for each class of operation."""

from __future__ import annotations

from tilewright.ir.operation import Operation
from tilewright.targets.nvptx.emission.emitter import Rule
from tilewright.targets.nvptx.emission.rows import (
    aggregates,
    atomics,
    branches,
    calls,
    casts,
    comparisons,
    floats,
    integers,
    memory,
    orders,
    overflow,
    reductions,
    special_registers,
)

ROWS: dict[type[Operation], Rule] = {
    **integers.ROWS,
    **overflow.ROWS,
    **floats.ROWS,
    **comparisons.ROWS,
    **casts.ROWS,
    **aggregates.ROWS,
    **reductions.ROWS,
    **memory.ROWS,
    **orders.ROWS,
    **atomics.ROWS,
    **branches.ROWS,
    **calls.ROWS,
    **special_registers.ROWS,
}
"""The rule of each operation."""
