"""Folds of `nv_tileas`, beside those that it shares with `nv_tileaa` and `arith`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import wraps

from tilewright.dialects.arith import folds_conversion, folds_float, folds_integer
from tilewright.dialects.common import constant_folding, interfaces
from tilewright.dialects.math import folds as math_folds
from tilewright.dialects.nv_tileaa import constraints as tileaa_constraints, folds as tileaa_folds
from tilewright.dialects.nv_tileas import ops_tile as tileas_tile, rules as tileas_rules
from tilewright.dialects.nv_tileas.attributes import row_major, view_layout
from tilewright.dialects.nv_tileas.ops_arith import BY_SOURCE, ways_of
from tilewright.ir.attribute import Attribute
from tilewright.ir.declaration.fields import AttributeField
from tilewright.ir.dialect import Fold, FoldTable, OperandFold, folds_of
from tilewright.ir.operation import FoldResult, Operation

Constants = Sequence[Attribute | None]
FARTHEST = 64
"""The maximum distance, counted in operations of a block, between two operations that are matched; neighbours
have distance 1.
"""


def crosses_memory_order(earlier: Operation, later: Operation) -> bool:
    """Return whether an operation between `earlier` and `later` takes part in the order of memory accesses,
    so that the two may not be matched. Also True if they are in different blocks, `later` does not follow
    `earlier`, or their distance exceeds `FARTHEST`.
    """
    op = earlier.next if earlier.parent is later.parent else None
    for _ in range(FARTHEST):
        if op is None or op is later:
            return op is None
        if interfaces.concept(op, interfaces.MemoryConsistencyOpInterface) is not None:
            return True
        op = op.next
    return True


def fold_extracted_insert(op: tileas_tile.ExtractSliceOp, constants: Constants) -> FoldResult:
    """Fold an `extract_slice` of the result of an `insert_slice` to the inserted part, if offsets, sizes,
    layout and type are the same.

    Return None otherwise, and if an operation between the two takes part in the order of memory accesses: it
    may have reused the memory.
    """
    inserted = constant_folding.defined_by(op.source, tileas_tile.InsertSliceOp)
    if inserted is None or inserted.source.type is not op.result.type:
        return None
    same = inserted.offsets == op.offsets and inserted.sizes == op.sizes and inserted.layout is op.layout
    return inserted.source if same and not crosses_memory_order(inserted, op) else None


def fold_layout_conversion(op: tileas_tile.ConvertLayoutOp, constants: Constants) -> FoldResult:
    """Fold a conversion to its source if the layout does not change. The layouts are the encodings of the
    types or, without encodings, the attributes `source_layout` and `layout`.
    """
    source, result = op.source.type, op.result.type
    if tileas_rules.encoding_of(result) is not None:
        return op.source if source is result else None
    return op.source if op.source_layout is not None and op.source_layout is op.layout else None


def fold_view(op: tileas_tile.ViewOp, constants: Constants) -> FoldResult:
    """Fold a view to its source if both have the same type, and the view has no layout or the row-major
    layout, so that no element moves.
    """
    if op.result.type is not op.source.type:
        return None
    shape = tileaa_constraints.shape_of(op.source.type)
    in_place = op.layout is None or op.layout is view_layout(shape, row_major(shape))
    return op.source if in_place else None


def fold_if_plain(fold: Fold, ways: Sequence[AttributeField]) -> Fold:
    """Return `fold` restricted to operations whose attributes `ways` all have their defaults; other
    operations are not folded.
    """
    defaults = {field.ir_name: field.default for field in ways}

    @wraps(fold)
    def plain(op: Operation, constants: Sequence[Attribute | None]) -> FoldResult:
        held = op.held_attributes
        says_nothing = all(held.get(name, default) is default for name, default in defaults.items())
        return fold(op, constants) if says_nothing else None

    return plain


def fold_as(source: type[Operation]) -> Fold:
    """Return the fold for the operation of `nv_tileas` with the name of `source`, an operation of `arith` or
    `math`: the fold of `source`, restricted to operations whose additional attributes (`ways_of`) have their
    defaults.
    """
    fold, ways = SOURCES[source], ways_of(source)
    if not ways:
        return fold
    if isinstance(fold, OperandFold):
        return folds_of(fold_if_plain(fold.rule, ways), *fold.definers)
    return fold_if_plain(fold, ways)


SOURCES: FoldTable = {
    **folds_integer.FOLDS,
    **folds_float.FOLDS,
    **folds_conversion.FOLDS,
    **math_folds.FOLDS,
}
"""The folds of `arith` and `math` for operations that have one of the same name in `nv_tileas`."""
FOLDS: FoldTable = {
    tileas_tile.ConvertLayoutOp: fold_layout_conversion,
    tileas_tile.ViewOp: fold_view,
    tileas_tile.ExtractSliceOp: folds_of(fold_extracted_insert, tileas_tile.InsertSliceOp),
    tileas_tile.ReinterpretOp: constant_folding.fold_same_type,
    tileas_tile.DotOp: tileaa_folds.fold_dot,
    **{op: fold_as(source) for source, op in BY_SOURCE.items() if source in SOURCES},
}
"""For each class of operations, the function that folds it; arithmetic folds as in `arith` and `math`."""
