"""Folds of assumptions, tokens and queries about tensors."""

from __future__ import annotations

from tilewright.dialects.common.constant_folding import defined_by
from tilewright.dialects.cuda_tile.folds.common import Constants, Folded, splat_of, type_width
from tilewright.dialects.cuda_tile.ops.control import AssumeOp
from tilewright.dialects.cuda_tile.ops.memory import GetTensorShapeOp, JoinTokensOp, MakeTensorViewOp
from tilewright.dialects.cuda_tile.types import TensorViewType, tile_of
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_types import DYNAMIC
from tilewright.ir.dialect import FoldTable, folds_of
from tilewright.ir.operation import FoldResult
from tilewright.ir.value import Value


def fold_assume(op: AssumeOp, constants: Constants) -> Folded:
    """Drop an assumption that was made about the value before."""
    promised = defined_by(op.value, AssumeOp)
    while promised is not None:
        if promised.predicate == op.predicate:
            return op.value
        promised = defined_by(promised.value, AssumeOp)
    return None


def fold_join_tokens(op: JoinTokensOp, constants: Constants) -> Folded:
    """Fold a join of equal tokens to the token."""
    return op.tokens[0] if all(token is op.tokens[0] for token in op.tokens) else None


def fold_get_tensor_shape(op: GetTensorShapeOp, constants: Constants) -> FoldResult:
    """Fold to the extents that the type states, and to operands of `make_tensor_view`, if all are known and
    fit.
    """
    view = op.src.type
    if not isinstance(view, TensorViewType) or not op.extents:
        return None
    made = defined_by(op.src, MakeTensorViewOp)
    dynamic = iter(made.dynamic_shape if made is not None else ())
    found: list[Value | Attribute] = []
    for extent, result in zip(view.shape, op.extents, strict=True):
        known = next(dynamic, None) if extent == DYNAMIC else _extent(extent, result)
        if known is None or (isinstance(known, Value) and known.type is not result.type):
            return None
        found.append(known)
    return found


def _extent(extent: int, result: Value) -> Attribute | None:
    """Return an extent as a constant, read as unsigned; None if it does not fit."""
    fits = extent < 1 << type_width(tile_of(result).element_type)
    return splat_of(result.type, extent) if fits else None


FOLDS: FoldTable = {
    AssumeOp: folds_of(fold_assume, AssumeOp),
    GetTensorShapeOp: fold_get_tensor_shape,
    JoinTokensOp: fold_join_tokens,
}
"""By the class of an operation, how it folds."""
