"""The table of all rules: the code of each class of operation."""

from __future__ import annotations

from tilewright.ir.operation import Operation
from tilewright.targets.nvptx.nvvm_to_ptx.emitter import Rule
from tilewright.targets.nvptx.nvvm_to_ptx.nvvm_rows import (
    copies,
    matrices,
    mbarriers,
    multimem,
    packed_formats,
    predicated,
    special_registers,
    synchronisation,
)
from tilewright.targets.nvptx.nvvm_to_ptx.rows import (
    aggregates,
    atomics,
    branches,
    calls,
    casts,
    comparisons,
    floats,
    integers,
    intrinsic_calls,
    orders,
    overflow,
    reductions,
)
from tilewright.targets.nvptx.nvvm_to_ptx.rows import memory_rows as memory

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
    **intrinsic_calls.ROWS,
    **special_registers.ROWS,
    **synchronisation.ROWS,
    **mbarriers.ROWS,
    **copies.ROWS,
    **multimem.ROWS,
    **predicated.ROWS,
    **packed_formats.ROWS,
    **matrices.ROWS,
}
"""The rule of each class of operation."""
