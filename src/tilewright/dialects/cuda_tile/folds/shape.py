"""Folds of operations that make, cut and reorder tiles."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Any

from tilewright.dialects.common.constant_folding import defined_by, fold_constant, fold_same_type
from tilewright.dialects.cuda_tile.enums import ComparisonPredicate
from tilewright.dialects.cuda_tile.folds import common as common_folds
from tilewright.dialects.cuda_tile.ops import integer as integer_ops, tile as tile_ops
from tilewright.dialects.cuda_tile.ops.control import AssumeOp
from tilewright.dialects.cuda_tile.ops.memory import JoinTokensOp
from tilewright.dialects.cuda_tile.ops.view import GetTensorShapeOp, MakeTensorViewOp
from tilewright.dialects.cuda_tile.types import TensorViewType, TileType, tile_of
from tilewright.ir import builtin_types, dialect
from tilewright.ir.attribute import Attribute
from tilewright.ir.operation import FoldResult, Operation
from tilewright.ir.value import Value

Shape = Sequence[int]


def fold_iota(op: tile_ops.IotaOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold an `iota` of one element to 0; a longer one takes less space than a constant and stays."""
    return common_folds.splat_of(op.result.type, 0) if tile_of(op.result).element_count == 1 else None


def _splat(op: Operation, constant: Attribute | None) -> common_folds.Folded:
    """Return the constant of the result type with the element of `constant`; None if `constant` is no splat."""
    pattern = common_folds.splat_pattern(constant)
    return None if pattern is None else common_folds.splat_of(op.results[0].type, pattern)


def gathered(
    result: TileType, constant: Attribute | None, offset: int, strides: Shape
) -> common_folds.Folded:
    """Return the constant of type `result` whose element at an index is element ``offset + sum(index *
    strides)`` of `constant`, in row-major order. Return None if `constant` is None or either has more than
    `MAXIMUM_ELEMENTS` elements.
    """
    elements = common_folds.every_pattern(constant)
    if elements is None or result.element_count > common_folds.MAXIMUM_ELEMENTS:
        return None
    places = product(*map(range, result.shape))
    found = [elements[offset + sum(map(int.__mul__, place, strides))] for place in places]
    return common_folds.make_constant(result, found)


def fold_broadcast(op: tile_ops.BroadcastOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold a broadcast to the same type, and constants."""
    found = fold_same_type(op, constants) or _splat(op, constants[0])
    if found is not None or constants[0] is None:
        return found
    source = tile_of(op.source)
    steps = zip(source.shape, common_folds.row_major_strides(source.shape), strict=True)
    return gathered(
        tile_of(op.result), constants[0], 0, [0 if extent == 1 else step for extent, step in steps]
    )


def fold_reshape(op: tile_ops.ReshapeOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold a reshape to the type of its operand to the operand, a reshape of a `reshape` of x back to the
    type of x to x, and constants.
    """
    inner = defined_by(op.source, tile_ops.ReshapeOp)
    if inner is not None and inner.source.type is op.result.type:
        return inner.source
    patterns = common_folds.patterns_of(constants[0])
    return fold_same_type(op, constants) or (
        None if patterns is None else common_folds.make_constant(op.result.type, patterns)
    )


def fold_permute(op: tile_ops.PermuteOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold the identity permutation, and a permutation that undoes another one; fold constants."""
    order: tuple[int, ...] = tuple(op.permutation)
    if order == tuple(range(len(order))):
        return op.source
    inner = defined_by(op.source, tile_ops.PermuteOp)
    if inner is not None and all(inner.permutation[at] == position for position, at in enumerate(order)):
        return inner.source
    if constants[0] is None:
        return None
    strides = common_folds.row_major_strides(tile_of(op.source).shape)
    return _splat(op, constants[0]) or gathered(
        tile_of(op.result), constants[0], 0, [strides[at] for at in order]
    )


def fold_cat(op: tile_ops.CatOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold the concatenation of constants: of equal splats, or with a result of at most `MAXIMUM_ELEMENTS`
    elements.
    """
    left, right = common_folds.splat_pattern(constants[0]), common_folds.splat_pattern(constants[1])
    if left is not None and left == right:
        return common_folds.splat_of(op.result.type, left)
    first, second = common_folds.every_pattern(constants[0]), common_folds.every_pattern(constants[1])
    result = tile_of(op.result)
    if first is None or second is None or result.element_count > common_folds.MAXIMUM_ELEMENTS:
        return None
    rows = [prod(tile_of(part).shape[op.dim :]) for part in (op.lhs, op.rhs)]
    found: list[int] = []
    for number in range(prod(result.shape[: op.dim])):
        found += first[number * rows[0] : (number + 1) * rows[0]]
        found += second[number * rows[1] : (number + 1) * rows[1]]
    return common_folds.make_constant(result, found)


def slice_start(indices: Sequence[Attribute | None], part: Shape, whole: Shape) -> list[int] | None:
    """Return the first element of a slice of shape `part` in a tile of shape `whole`, in each dimension; an
    index counts slices. An index is 0 if the slice has the whole extent. Return None if another index is
    unknown or out of range.
    """
    start: list[int] = []
    for index, size, extent in zip(indices, part, whole, strict=True):
        number = 0 if size == extent else common_folds.splat_pattern(index)
        if number is None or number * size >= extent:
            return None
        start.append(number * size)
    return start


def fold_extract(op: tile_ops.ExtractOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold an extract of the whole tile to the tile, an extract of a tile that was inserted at the same
    indices to that tile, and an extract from a constant.
    """
    found = fold_same_type(op, constants) or _splat(op, constants[0])
    inner = defined_by(op.source, tile_ops.InsertOp)
    if inner is not None and inner.source.type is op.result.type and _same_indices(op, inner):
        return inner.source
    if found is not None:
        return found
    source, result = tile_of(op.source), tile_of(op.result)
    start = slice_start(constants[1:], result.shape, source.shape)
    if start is None:
        return None
    strides = common_folds.row_major_strides(source.shape)
    return gathered(result, constants[0], sum(map(int.__mul__, start, strides)), strides)


def _same_indices(op: tile_ops.ExtractOp | tile_ops.InsertOp, other: Any) -> bool:
    return all(map(common_folds.same_value, op.indices, other.indices))


def fold_insert(op: tile_ops.InsertOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold the insertion of a whole tile to that tile; the insertion of a slice at the indices that it was
    extracted from, or of a splat into the same splat, to the destination; and the insertion of constants.
    """
    if op.source.type is op.result.type:
        return op.source
    inner = defined_by(op.source, tile_ops.ExtractOp)
    if inner is not None and inner.source is op.destination and _same_indices(op, inner):
        return op.destination
    pattern = common_folds.splat_pattern(constants[0])
    if pattern is not None and pattern == common_folds.splat_pattern(constants[1]):
        return op.destination
    return _inserted(op, constants)


def _inserted(op: tile_ops.InsertOp, constants: common_folds.Constants) -> common_folds.Folded:
    part, whole = tile_of(op.source), tile_of(op.result)
    start = slice_start(constants[2:], part.shape, whole.shape)
    piece, elements = common_folds.every_pattern(constants[0]), common_folds.every_pattern(constants[1])
    if start is None or piece is None or elements is None:
        return None
    strides, changed = common_folds.row_major_strides(whole.shape), list(elements)
    for pattern, place in zip(piece, product(*map(range, part.shape)), strict=True):
        changed[sum((at + from_) * step for at, from_, step in zip(place, start, strides, strict=True))] = (
            pattern
        )
    return common_folds.make_constant(whole, changed)


def fold_offset(op: tile_ops.OffsetOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold an offset of zero elements to the pointer."""
    return op.ptr if common_folds.is_zero(constants[1]) else None


def fold_mmai(op: tile_ops.MmaIOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold a product with a zero factor to the accumulator. (Not so for floats: zero times infinity is NaN.)"""
    return op.acc if common_folds.is_zero(constants[0]) or common_folds.is_zero(constants[1]) else None


FOLDS: dialect.FoldTable = {
    tile_ops.ConstantOp: fold_constant,
    tile_ops.IotaOp: fold_iota,
    tile_ops.BroadcastOp: fold_broadcast,
    tile_ops.ReshapeOp: fold_reshape,
    tile_ops.PermuteOp: fold_permute,
    tile_ops.ExtractOp: fold_extract,
    tile_ops.InsertOp: fold_insert,
    **dialect.constant_folds(
        {
            tile_ops.CatOp: fold_cat,
            tile_ops.OffsetOp: fold_offset,
            tile_ops.MmaIOp: fold_mmai,
        }
    ),
}
"""For each class of operations, the function that folds it."""


def fold_assume(op: AssumeOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold to the operand if the operand has the same assumption already, from a chain of `assume`."""
    promised = defined_by(op.value, AssumeOp)
    while promised is not None:
        if promised.predicate == op.predicate:
            return op.value
        promised = defined_by(promised.value, AssumeOp)
    return None


def fold_join_tokens(op: JoinTokensOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold a join of equal tokens to the token."""
    return op.tokens[0] if all(token is op.tokens[0] for token in op.tokens) else None


def fold_get_tensor_shape(op: GetTensorShapeOp, constants: common_folds.Constants) -> FoldResult:
    """Fold every result: to a constant for an extent that the type states, to the operand of
    `make_tensor_view` for a dynamic one. Return None if one extent is unknown, or does not fit the type of
    its result.
    """
    view = op.src.type
    if not isinstance(view, TensorViewType) or not op.extents:
        return None
    made = defined_by(op.src, MakeTensorViewOp)
    dynamic = iter(made.dynamic_shape if made is not None else ())
    found: list[Value | Attribute] = []
    for extent, result in zip(view.shape, op.extents, strict=True):
        known = next(dynamic, None) if extent == builtin_types.DYNAMIC else _extent(extent, result)
        if known is None or (isinstance(known, Value) and known.type is not result.type):
            return None
        found.append(known)
    return found


def _extent(extent: int, result: Value) -> Attribute | None:
    """Return an extent as a constant, read as unsigned; None if it does not fit."""
    fits = extent < 1 << common_folds.type_width(tile_of(result).element_type)
    return common_folds.splat_of(result.type, extent) if fits else None


CONTROL_FOLDS: dialect.FoldTable = {
    AssumeOp: dialect.folds_of(fold_assume, AssumeOp),
    GetTensorShapeOp: fold_get_tensor_shape,
    JoinTokensOp: fold_join_tokens,
}
"""For each class of operations of other chapters, the function that folds it."""


def fold_select(op: tile_ops.SelectOp, constants: common_folds.Constants) -> common_folds.Folded:
    """Fold to an arm if the condition is a constant splat or both arms are the same value, and to the
    condition if the arms are true and false. If the condition compares the arms, fold to the false arm for
    ``equal``, and to the true arm for ``not_equal``. Fold constants element by element.
    """
    condition = common_folds.splat_pattern(constants[0])
    if condition is not None:
        return op.val_if_true if condition else op.val_if_false
    if common_folds.same_value(op.val_if_true, op.val_if_false):
        return op.val_if_true
    if (
        common_folds.width_of(op.result) == 1
        and common_folds.is_all_ones(constants[1])
        and common_folds.is_zero(constants[2])
    ):
        return op.cond
    return _by_comparison(op) or common_folds.compute(op, constants, lambda c, a, b: a if c else b)


def _by_comparison(op: tile_ops.SelectOp) -> Value | None:
    """Return the arm that equals the result in both cases, if the condition compares the arms for equality;
    else None.
    """
    compared = defined_by(op.cond, integer_ops.CmpIOp)
    if compared is None:
        return None
    arms = (op.val_if_true, op.val_if_false)
    if arms not in ((compared.lhs, compared.rhs), (compared.rhs, compared.lhs)):
        return None
    when_equal = {ComparisonPredicate.EQUAL: arms[1], ComparisonPredicate.NOT_EQUAL: arms[0]}
    return when_equal.get(compared.comparison_predicate)


SELECT_FOLDS: dialect.FoldTable = {
    tile_ops.SelectOp: fold_select,
}
"""The function that folds `select`."""
