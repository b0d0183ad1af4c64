"""Start positions of parts of tiles."""

from __future__ import annotations

from tilewright.dialects.llvm.intrinsics.integer import UMinOp
from tilewright.dialects.llvm.ops.aggregate import ConstantOp
from tilewright.dialects.llvm.ops.arithmetic import AndOp
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.value import Value
from tilewright.targets.llvm.code import Index, LlvmBuilder


def slice_start(code: LlvmBuilder, offset: Value, size: int, extent: int) -> Index:
    """Return the start of a part of a tile. A start outside the tile, which is undefined, is moved inside."""
    start = known_index(code, offset)
    if size == extent:
        return 0
    if isinstance(start, int):
        return min(start & (extent - 1), extent - size)
    wrapped = code(AndOp, start, code.integer(extent - 1))
    return code(UMinOp, wrapped, code.integer(extent - size))


def known_index(code: LlvmBuilder, value: Value) -> Index:
    """Return a scalar as an index; a Python number if it is a constant."""
    owner = value.owner
    if isinstance(owner, ConstantOp) and isinstance(owner.value, IntegerAttr):
        return owner.value.value
    return code.index(value)
