"""Folds of `nv_tileas`, beside those that it shares with `nv_tileaa` and `arith`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tilewright.dialects.common.constant_folding import defined_by
from tilewright.dialects.nv_tileaa.constraints import shape_of
from tilewright.dialects.nv_tileas.attributes import row_major, view_layout
from tilewright.ir.attribute import Attribute
from tilewright.ir.operation import FoldResult

if TYPE_CHECKING:
    from tilewright.dialects.nv_tileas.ops_tile import ConvertLayoutOp, ExtractSliceOp, ViewOp

Constants = Sequence[Attribute | None]


def fold_extracted_insert(op: ExtractSliceOp, constants: Constants) -> FoldResult:
    """The part that was just inserted, taken out of the same place."""
    inserted = defined_by(op.source, "nv_tileas.insert_slice")
    if inserted is None or inserted.source.type is not op.result.type:
        return None
    same = inserted.offsets == op.offsets and inserted.sizes == op.sizes and inserted.layout is op.layout
    return inserted.source if same else None


def fold_layout_conversion(op: ConvertLayoutOp, constants: Constants) -> FoldResult:
    """A conversion to the layout that a tile has."""
    return op.source if op.source_layout is not None and op.source_layout is op.layout else None


def fold_view(op: ViewOp, constants: Constants) -> FoldResult:
    """A view of the type of its source that leaves every element where it is."""
    if op.result.type is not op.source.type:
        return None
    shape = shape_of(op.source.type)
    in_place = op.layout is None or op.layout is view_layout(shape, row_major(shape))
    return op.source if in_place else None
