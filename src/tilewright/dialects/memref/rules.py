"""Rules of buffers beyond the types of single operands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from tilewright.dialects.common import base, constraints, functions, traits as common_traits
from tilewright.ir import builtin_attributes, builtin_types, walker
from tilewright.ir.arithmetic import affine, strided_layout
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.operation import Operation

if TYPE_CHECKING:
    from tilewright.dialects.memref import ops_buffer as memref_buffer


class MemRefGlobalRole(base.StandardOp):
    """The base class of `memref.global`, by which rules recognise it."""


def check_allocation(op: memref_buffer.AllocOp | memref_buffer.AllocaOp) -> None:
    """Raise `VerifyError` unless an allocation has one size per dynamic extent, and one operand per symbol of
    an affine layout, or per dynamic stride and offset of a strided one.
    """
    memref: builtin_types.MemRefType = constraints.checked_type(op.results[0])
    check_dynamic_sizes(op.dynamicSizes, memref)
    symbols = memref.layout.map.symbol_count if isinstance(memref.layout, affine.AffineMapAttr) else 0
    if isinstance(memref.layout, strided_layout.StridedLayoutAttr):
        symbols = [*memref.layout.strides, memref.layout.offset].count(builtin_types.DYNAMIC)
    if len(op.symbolOperands) != symbols:
        raise VerifyError(
            "symbol operand count does not equal memref symbol count: "
            f"expected {symbols}, got {len(op.symbolOperands)}"
        )


def _frees(op: Operation) -> bool:
    """Return whether an operation frees the stack allocations inside it (trait `AutomaticAllocationScope`)."""
    return op.has_trait(common_traits.AutomaticAllocationScope)


def check_stack_allocation(op: memref_buffer.AllocaOp) -> None:
    """Raise `VerifyError` unless `check_allocation` accepts a stack allocation, and an operation around it
    has the trait `AutomaticAllocationScope`.
    """
    check_allocation(op)
    if walker.innermost_ancestor(op, _frees) is None:
        raise VerifyError("requires an ancestor op with AutomaticAllocationScope trait")


def check_distinct(op: memref_buffer.DistinctObjectsOp) -> None:
    """Raise `VerifyError` unless there is an operand, and a result of the type of each operand."""
    if not op.operands:
        raise VerifyError("expected at least one operand")
    if list(op.operand_types) != list(op.result_types):
        raise VerifyError("operand types and result types must match")


def check_alignment(op: memref_buffer.AssumeAlignmentOp) -> None:
    """Raise `VerifyError` unless an assumed alignment, a positive number, is a power of two."""
    if op.alignment & (op.alignment - 1):
        raise VerifyError("alignment must be power of 2")


def check_global(op: memref_buffer.GlobalOp) -> None:
    """Raise `VerifyError` unless a global buffer has a static shape and, if it has initial elements, dense
    ones of that shape and element type.
    """
    memref: builtin_types.MemRefType = op.type
    if not memref.has_static_shape:
        raise VerifyError(f"type should be static shaped memref, but got '{memref}'")
    value = op.initial_value
    if value is None or isinstance(value, builtin_attributes.UnitAttr):
        return
    if not isinstance(value, builtin_attributes.DenseElementsAttr):
        raise VerifyError(f"initial value should be a unit or elements attribute, but got {value}")
    if value.element_type is not memref.element_type:
        raise VerifyError(
            f"initial value element expected to be of type '{memref.element_type}', "
            f"but was of type '{value.element_type}'"
        )
    if value.shape != memref.shape:
        raise VerifyError(f"initial value shape expected to be {memref.shape} but was {value.shape}")


def check_get_global(op: memref_buffer.GetGlobalOp, symbols: functions.Symbols) -> None:
    """Raise `VerifyError` unless ``get_global`` names a global buffer of its result type."""
    target: Any = symbols.get(op.name_)
    if not isinstance(target, MemRefGlobalRole):
        raise VerifyError(f"'{op.name_}' does not reference a valid global memref")
    type = cast("memref_buffer.GlobalOp", target).type
    if type is not op.result.type:
        raise VerifyError(
            f"result type '{op.result.type}' does not match type '{type}' of the global memref @{op.name_}"
        )


def check_reallocation(op: memref_buffer.ReallocOp) -> None:
    """Raise `VerifyError` unless source and result of ``realloc`` have the same memory space and element
    type, and there is a size operand exactly if the result has a dynamic extent.
    """
    source, result = constraints.checked_type(op.source), constraints.checked_type(op.result)
    if source.memory_space is not result.memory_space:
        raise VerifyError(
            f"different memory spaces specified for source memref type {source} "
            f"and result memref type {result}",
            prefix=False,
        )
    if source.element_type is not result.element_type:
        raise VerifyError(
            f"different element types specified for source memref type {source} "
            f"and result memref type {result}",
            prefix=False,
        )
    unknown = result.shape[0] == builtin_types.DYNAMIC
    if unknown and op.dynamicResultSize is None:
        raise VerifyError(f"missing dimension operand for result type '{result}'", prefix=False)
    if not unknown and op.dynamicResultSize is not None:
        raise VerifyError(f"unnecessary dimension operand for result type '{result}'", prefix=False)


def check_dynamic_sizes(sizes: Sequence[Any], memref: builtin_types.MemRefType) -> None:
    """Raise `VerifyError` unless there is one size per dynamic extent of ``memref``."""
    wanted = memref.shape.count(builtin_types.DYNAMIC)
    if len(sizes) != wanted:
        raise VerifyError(f"incorrect number of dynamic sizes, has {len(sizes)}, expected {wanted}")
