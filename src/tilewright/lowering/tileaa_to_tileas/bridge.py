"""TileAS form: the operations of `nv_tileaa` that may stay beside the operations of `nv_tileas`.

Some operations of `nv_tileaa` have no counterpart in `nv_tileas`, because layouts and instructions do not
affect them. The conversion of bodies leaves them, and the back ends convert them to LLVM.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tilewright.dialects.common import constant_folding, constraints
from tilewright.dialects.nv_tileaa.constraints import element_of, is_pointer
from tilewright.dialects.nv_tileaa.ops import (
    math as ops_math,
    memory as ops_memory,
    pointer as ops_pointer,
    program as ops_program,
    queue as ops_queue,
    structure as ops_structure,
)
from tilewright.ir.builtin_types import DYNAMIC
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

LEGAL: tuple[type[Operation], ...] = (ops_program.FuncOp, ops_program.ReturnOp, ops_queue.MarkForReuseOp)
"""Operations that stay as they are, whatever the types of their values."""
BRIDGE: Mapping[str, tuple[type[Operation], ...]] = {
    "memory objects and their addresses": (
        ops_structure.MakeMemrefOp,
        ops_structure.GlobalOp,
        ops_structure.GetGlobalOp,
        ops_pointer.AddPtrOp,
        ops_pointer.PtrToIntOp,
        ops_pointer.IntToPtrOp,
    ),
    "tiles of scalars, and scalars of tiles": (
        ops_structure.SplatOp,
        ops_structure.ConstantTensorOp,
        ops_structure.MakeRangeOp,
        ops_structure.ExtractOp,
    ),
    "atomics of single elements": (ops_memory.AtomicRmwOp, ops_memory.AtomicCasOp),
    "memory of a tile block": (ops_memory.AllocateOp,),
    "the order of accesses": (
        ops_memory.CreateMemTokenOp,
        ops_memory.JoinMemTokenOp,
        ops_memory.WaitForGridOp,
        ops_memory.LaunchDependentsOp,
        ops_memory.FenceAliasOp,
    ),
    "the grid": (ops_program.GetProgramIdOp, ops_program.GetNumProgramsOp, ops_program.IsValidProgramIdOp),
    "input and output": (
        ops_program.AssertOp,
        ops_program.CheckOp,
        ops_program.PrintOp,
        ops_program.MessageOp,
        ops_program.InjectIrOp,
    ),
    "calls": (ops_program.CallOp, ops_program.LaunchFuncOp),
    "promises": (ops_pointer.AssumeOp, ops_math.OptimizationBarrierOp),
    "arithmetic that no other dialect has": (
        *(op for op in ops_math.OPERATIONS if issubclass(op, ops_math.ElementOp)),
        ops_math.HistogramOp,
        ops_math.ElementwiseInlineAsmOp,
        ops_math.ExternElementwiseOp,
        ops_math.CallElementwiseIntrinsicOp,
    ),
}
"""Operations that may stay if the types of their values are in TileAS form; the keys are their purposes."""


def known_size(op: ops_structure.GetDimSizeOp) -> int | Value | None:
    """Return the extent that replaces a `get_dim_size`: an int from the type of the memory object, or the
    operand of its `make_memref` if that has the result's type. Return None if there is neither.
    """
    extent = constraints.checked_type(op.source).shape[op.dim]
    if extent != DYNAMIC:
        return extent
    made = constant_folding.defined_by(op.source, ops_structure.MakeMemrefOp)
    size = ops_structure.size_operand(made, op.dim) if made is not None else None
    return size if size is not None and size.type is op.result.type else None


def has_unknown_size(op: Operation) -> bool:
    """Return whether an operation is a `get_dim_size`, and `known_size` returns None for it."""
    return isinstance(op, ops_structure.GetDimSizeOp) and known_size(op) is None


def casts_pointers(op: Operation) -> bool:
    """Return whether the operand of a `bitcast` is a pointer or a tile of pointers."""
    return is_pointer(element_of(op.operand_types[0]))


def is_plain_plugin(op: Operation) -> bool:
    """Return whether an operation is a plugin that requires neither features nor layouts."""
    return isinstance(op, ops_program.PluginOp) and not op.features and not op.layouts


ON_CONDITION: Mapping[type[Operation], Callable[[Operation], bool]] = {
    ops_structure.GetDimSizeOp: has_unknown_size,
    ops_pointer.BitcastOp: casts_pointers,
    ops_program.PluginOp: is_plain_plugin,
}
"""For each operation of `nv_tileaa` that sometimes has a counterpart, a function that returns whether the
operation stays.
"""
ALWAYS = frozenset({*LEGAL, *(op for operations in BRIDGE.values() for op in operations)})
STAYING = ALWAYS | frozenset(ON_CONDITION)
"""The operations of `nv_tileaa` that may be in the input of a back end."""


def may_stay(op: Operation) -> bool:
    """Return whether an operation of `nv_tileaa` is allowed in TileAS form."""
    condition = ON_CONDITION.get(op.__class__)
    return op.__class__ in ALWAYS if condition is None else condition(op)
