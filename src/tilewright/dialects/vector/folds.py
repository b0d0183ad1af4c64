"""Folds of operations on the shape of vectors."""

from __future__ import annotations

from tilewright.dialects.common import constant_folding
from tilewright.dialects.vector import ops_shape as vector_shape
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_attributes import DenseElementsAttr
from tilewright.ir.builtin_types import VectorType
from tilewright.ir.dialect import FoldTable, folds_of
from tilewright.ir.operation import FoldResult, Operation
from tilewright.ir.value import Value

Folded = Value | Attribute | None


def _same_splat(op: Operation, constant: Attribute | None) -> Attribute | None:
    pattern = constant_folding.splat_pattern(constant)
    return None if pattern is None else constant_folding.splat_of(op.results[0].type, pattern)


def fold_shape_cast(op: Operation, constants: constant_folding.Constants) -> Folded:
    """Fold a cast to the same type to its operand, a cast that undoes another cast to the operand of the
    latter, and a cast of a constant to a constant. Return None otherwise.
    """
    source, target = op.operands[0], op.results[0].type
    if source.type is target:
        return source
    inner = constant_folding.defined_by(source, vector_shape.ShapeCastOp)
    if inner is not None and inner.source.type is target:
        return inner.source
    constant = constants[0]
    patterns = constant_folding.scalar_patterns(constant) if isinstance(constant, DenseElementsAttr) else None
    return None if patterns is None else constant_folding.make_constant(target, patterns)


def fold_broadcast(op: Operation, constants: constant_folding.Constants) -> Folded:
    """Fold a broadcast to the same type to its operand, and a broadcast of a constant number or splat to a
    splat. Return None otherwise.
    """
    source = op.operands[0]
    return source if source.type is op.results[0].type else _same_splat(op, constants[0])


def fold_transpose(op: vector_shape.TransposeOp, constants: constant_folding.Constants) -> Folded:
    """Fold a transposition by the identity to its operand, and a transposition of a splat to a splat. Return
    None otherwise.
    """
    if op.permutation == tuple(range(len(op.permutation))) and op.vector.type is op.result.type:
        return op.vector
    return _same_splat(op, constants[0])


def fold_extract(op: vector_shape.ExtractOp, constants: constant_folding.Constants) -> Folded:
    """Fold an extract without a position to its operand, a scalar extracted from the broadcast of a scalar to
    that scalar, and an extract from a constant to a constant. Return None otherwise.
    """
    if not op.static_position:
        return op.source
    inner = constant_folding.defined_by(op.source, vector_shape.BroadcastOp)
    if (
        inner is not None
        and inner.source.type is op.result.type
        and not isinstance(op.result.type, VectorType)
    ):
        return inner.source
    splat = _same_splat(op, constants[0])
    return splat if splat is not None else _extracted(op, constants[0])


def _extracted(op: vector_shape.ExtractOp, constant: Attribute | None) -> Attribute | None:
    """Return the elements of ``constant`` at the position of ``op``; None for a dynamic position or one out
    of range, and for other attributes.
    """
    if op.dynamic_position or not isinstance(constant, DenseElementsAttr):
        return None
    offset, rest = 0, constant.count
    for position, extent in zip(op.static_position, constant.shape, strict=False):
        if not 0 <= position < extent:
            return None  # poison
        rest //= extent
        offset += position * rest
    patterns = constant_folding.scalar_patterns(constant)
    return (
        None
        if patterns is None
        else constant_folding.make_constant(op.result.type, patterns[offset : offset + rest])
    )


def fold_from_elements(op: Operation, constants: constant_folding.Constants) -> Folded:
    """Fold a `from_elements` whose operands are all constant numbers to a constant vector. Return None
    otherwise.
    """
    if not constants or not all(constant_folding.is_number(constant) for constant in constants):
        return None
    patterns = [constant_folding.splat_pattern(constant) for constant in constants]
    known = [pattern for pattern in patterns if pattern is not None]
    return constant_folding.make_constant(op.results[0].type, known) if len(known) == len(patterns) else None


def fold_to_elements(op: Operation, constants: constant_folding.Constants) -> FoldResult:
    """Fold a `to_elements` to the operands of the `from_elements` that defines the vector, or to the elements
    of a constant vector. Return None otherwise.
    """
    inner = constant_folding.defined_by(op.operands[0], vector_shape.FromElementsOp)
    if inner is not None:
        return inner.operands
    constant = constants[0]
    patterns = constant_folding.scalar_patterns(constant) if isinstance(constant, DenseElementsAttr) else None
    if patterns is None or not constant_folding.bit_width(op.operands[0].type):
        return None
    spread = list(patterns) * len(op.results) if len(patterns) == 1 else patterns
    found = [constant_folding.make_constant(r.type, (p,)) for r, p in zip(op.results, spread, strict=True)]
    return [entry for entry in found if entry is not None] if None not in found else None


FOLDS: FoldTable = {
    vector_shape.BroadcastOp: fold_broadcast,
    vector_shape.ExtractOp: fold_extract,
    vector_shape.ShapeCastOp: fold_shape_cast,
    vector_shape.TransposeOp: fold_transpose,
    vector_shape.ToElementsOp: folds_of(fold_to_elements, vector_shape.FromElementsOp),
    vector_shape.FromElementsOp: folds_of(fold_from_elements),
}
"""Operation class -> its fold."""
