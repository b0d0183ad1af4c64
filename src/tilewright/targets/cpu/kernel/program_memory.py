"""Memory that a program declares: globals, and allocations of a tile block."""

from __future__ import annotations

from typing import Any

from tilewright.dialects.builtin.dialect import UnrealizedConversionCastOp
from tilewright.dialects.llvm.ops.aggregate import AddressOfOp, ConstantOp as HeldConstant, ZeroOp
from tilewright.dialects.llvm.ops.conversion import TruncOp
from tilewright.dialects.llvm.ops.memory import AllocaOp
from tilewright.dialects.nv_tileaa.ops import pointer as tileaa_pointer, structure as tileaa_structure
from tilewright.dialects.nv_tileaa.types import PtrType
from tilewright.dialects.nv_tileas.ops_tile import PragmaOp
from tilewright.dialects.ub.dialect import PoisonOp
from tilewright.ir.builtin_types import FloatType, IndexType, IntegerType
from tilewright.ir.operation import Operation
from tilewright.targets.cpu.nest.block_code import BlockCode
from tilewright.targets.cpu.plan.model import Temporaries
from tilewright.targets.elements.element_types import register_type
from tilewright.targets.llvm.code import POINTER

GLOBAL = "global."
"""The prefix of global symbols. Without it, a global with the name of a function would replace the function.
"""


def _get_global(emit: BlockCode, op: tileaa_structure.GetGlobalOp) -> None:
    emit.scalars[op.result] = emit.code(AddressOfOp, GLOBAL + op.global_name, type=POINTER)


def _allocate(emit: BlockCode, op: AllocaOp, plan: Temporaries) -> None:
    """Bind the result of an `alloca` to the address of its slot in memory that lives as long as the tile
    block; a loop gets the same bytes in each iteration. Checks get to know the memory.
    """
    (slot,) = plan.slots
    address = emit.scalars[op.results[0]] = emit.address_of(slot)
    if emit.checks is not None:
        emit.checks.add_local(op, address, slot.bytes)


def _held_constant(emit: BlockCode, op: HeldConstant) -> None:
    emit.scalars[op.results[0]] = emit.code.constant(op.value, op.results[0].type)


def _same(
    emit: BlockCode,
    op: UnrealizedConversionCastOp | tileaa_pointer.AssumeOp | PragmaOp,
) -> None:
    """Forward scalars from operands to results; views and tokens have no code."""
    for result, operand in zip(op.results, op.operands, strict=True):
        if operand in emit.scalars:
            emit.scalars[result] = emit.scalars[operand]


def _poison(emit: BlockCode, op: PoisonOp) -> None:
    """Emit zero for a poison value; tokens and views have no value."""
    type = op.results[0].type
    if isinstance(type, IntegerType | FloatType | IndexType | PtrType):
        emit.scalars[op.results[0]] = emit.code(ZeroOp, type=register_type(type))


def _extent(emit: BlockCode, op: tileaa_structure.GetDimSizeOp) -> None:
    """Emit the extent of a dimension as a number of the result type."""
    memory = emit.memory_object(op)
    extent = emit.code.value(memory.sizes[int(op.dim)])
    held = register_type(op.result.type)
    emit.scalars[op.result] = extent if extent.type is held else emit.code(TruncOp, extent, type=held)


RULES: dict[type[Operation], Any] = {
    tileaa_structure.GetGlobalOp: _get_global,
    tileaa_structure.GetDimSizeOp: _extent,
    tileaa_pointer.AssumeOp: _same,
    PragmaOp: _same,
    AllocaOp: _allocate,
    HeldConstant: _held_constant,
    PoisonOp: _poison,
    UnrealizedConversionCastOp: _same,
}
