"""Folds of `nv_tileaa`: an operation is replaced by an existing value or a constant, without new operations.

Each gets the operation and the constants of its operands, as `Operation.fold` does.
"""

from __future__ import annotations

from typing import Protocol

from tilewright.dialects.common import constant_folding, constraints
from tilewright.dialects.nv_tileaa.constraints import element_of, shape_of
from tilewright.dialects.nv_tileaa.ops import memory as tileaa_memory, structure as tileaa_structure
from tilewright.dialects.nv_tileaa.ops.math import DotOp, FpToFpOp
from tilewright.dialects.nv_tileaa.ops.pointer import AddPtrOp, BitcastOp
from tilewright.dialects.nv_tileaa.ops.program import WithOperandsOp
from tilewright.dialects.nv_tileaa.ops.shape import BroadcastOp, PermuteOp, ViewOp
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import FloatAttr, IntegerAttr
from tilewright.ir.builtin_types import DYNAMIC, IntegerType, tf32
from tilewright.ir.declaration.traits import ConstantLike
from tilewright.ir.dialect import FoldTable, folds_of
from tilewright.ir.operation import FoldResult, Operation
from tilewright.ir.value import OpResult, Value


class Permute(Protocol):
    """The fields of a permutation that its fold reads: `source`, and `permutation`, the dimension of the
    source for each dimension of the result.
    """

    permutation: tuple[int, ...]
    source: Value


class DotFields(Protocol):
    """The fields of a matrix product that its fold reads: the factors `a` and `b`, and the addend `c`."""

    a: Value
    b: Value
    c: Value


def tile_constant(value: Value) -> Attribute | None:
    """Return the constant attribute of a value that a constant operation or a splat of a number defines; None
    for other values.
    """
    if not isinstance(value, OpResult):
        return None
    op = value.owner
    if isinstance(op, tileaa_structure.SplatOp):
        return splat_of_constant(op.value, op.result.type) if op.value is not None else None
    return op.held_attributes.get("value") if op.has_trait(ConstantLike) else None


def fold_dimension(op: tileaa_structure.GetDimSizeOp, constants: constant_folding.Constants) -> FoldResult:
    """Fold the query of an extent that the type of the memory object states to a constant."""
    shape = constraints.checked_type(op.source).shape
    extent = shape[op.dim] if op.dim < len(shape) else DYNAMIC
    return None if extent == DYNAMIC else IntegerAttr(op.result.type, extent)


def splat_of_constant(value: Attribute, type: Type) -> Attribute | None:
    """Return a dense constant of the tile type `type` whose elements all are `value`; None if `value` is no
    number, or not of the element type.
    """
    if not isinstance(value, IntegerAttr | FloatAttr) or value.type is not element_of(type):
        return None
    patterns = constant_folding.scalar_patterns(value)
    return None if patterns is None else constant_folding.make_constant(type, patterns)


def fold_extract(op: tileaa_structure.ExtractOp, constants: constant_folding.Constants) -> FoldResult:
    """Fold an extract from a splat to the element of the splat, and an extract from a scalar to the scalar."""
    splat = constant_folding.defined_by(op.source, tileaa_structure.SplatOp)
    if splat is None or splat.source is None:
        return op.source if not shape_of(op.source.type) and op.source.type is op.result.type else None
    return splat.source if splat.source.type is op.result.type else None


def fold_bitcast(op: BitcastOp, constants: constant_folding.Constants) -> FoldResult:
    """Fold a cast to the same type to its operand, and a cast of a cast of x, back to the type of x, to x;
    not if the type between is tf32, which drops bits.
    """
    source, target = op.source, op.result.type
    if source.type is target:
        return source
    inner = constant_folding.defined_by(source, BitcastOp)
    if inner is None or inner.source.type is not target or element_of(source.type) is tf32:
        return None
    return inner.source


def fold_addptr(op: AddPtrOp, constants: constant_folding.Constants) -> FoldResult:
    """Fold an offset of zero to the pointer."""
    return op.base if constant_folding.is_zero(tile_constant(op.offset)) else None


def fold_permutation(op: Permute, constants: constant_folding.Constants) -> FoldResult:
    """Fold the identity permutation."""
    return op.source if tuple(op.permutation) == tuple(range(len(op.permutation))) else None


def fold_dot(op: DotFields, constants: constant_folding.Constants) -> FoldResult:
    """Fold an integer product with a factor of zero to the accumulator. Float products are not folded,
    because zero times infinity is NaN.
    """
    if not isinstance(element_of(op.a.type), IntegerType):
        return None
    return (
        op.c
        if constant_folding.is_zero(tile_constant(op.a)) or constant_folding.is_zero(tile_constant(op.b))
        else None
    )


def fold_join(op: Operation, constants: constant_folding.Constants) -> FoldResult:
    """Fold a join of one or more equal tokens to the token. Return None for different tokens, and without
    operands.
    """
    first = op.operands[0] if op.operands else None
    return first if first is not None and all(token is first for token in op.operands) else None


def fold_with_operands(op: WithOperandsOp, constants: constant_folding.Constants) -> FoldResult:
    """Return the condition if it is constant, else None. The check of a constant condition is erased, or
    fails without a message about operands.
    """
    return None if constants[0] is None else op.condition


FOLDS: FoldTable = {
    FpToFpOp: constant_folding.fold_same_type,
    DotOp: folds_of(fold_dot, tileaa_structure.SplatOp),
    tileaa_memory.JoinMemTokenOp: fold_join,
    AddPtrOp: folds_of(fold_addptr, tileaa_structure.SplatOp),
    BitcastOp: fold_bitcast,
    BroadcastOp: constant_folding.fold_same_type,
    PermuteOp: fold_permutation,
    ViewOp: constant_folding.fold_same_type,
    tileaa_structure.GetDimSizeOp: fold_dimension,
    tileaa_structure.ConstantTensorOp: constant_folding.fold_constant,
    tileaa_structure.ExtractOp: fold_extract,
    WithOperandsOp: fold_with_operands,
}
"""For each class of operations, the function that folds it."""
