"""The declaration of the ``nv_tileas`` dialect: its operations, types and attributes."""

from __future__ import annotations

from tilewright.dialects.nv_tileaa.dialect import materialize_constant
from tilewright.dialects.nv_tileas import ops_arith, ops_async, ops_memory, ops_pipeline, ops_tile
from tilewright.dialects.nv_tileas.attributes import ATTRIBUTES
from tilewright.dialects.nv_tileas.rules import WARPS
from tilewright.dialects.nv_tileas.types import TYPES
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.declaration.attribute_kind import InstanceKind
from tilewright.ir.declaration.discardable import DiscardableAttribute
from tilewright.ir.dialect import Dialect, FoldTable
from tilewright.ir.operation import Operation

OPERATIONS: tuple[type[Operation], ...] = (
    *ops_tile.OPERATIONS,
    *ops_memory.OPERATIONS,
    *ops_async.OPERATIONS,
    *ops_pipeline.OPERATIONS,
    *ops_arith.OPERATIONS,
)


def _folds() -> FoldTable:
    """Return the dialect's table of folds, which is imported on first use."""
    from tilewright.dialects.nv_tileas.folds import FOLDS

    return FOLDS


NV_TILEAS = Dialect(
    "nv_tileas",
    doc="Tile programs scheduled into asynchronous pipelines of agents.",
    operations=OPERATIONS,
    types=TYPES,
    attributes=ATTRIBUTES,
    folds=_folds,
    materialize_constant=materialize_constant,
    discardable_attributes=(
        DiscardableAttribute(WARPS, InstanceKind(IntegerAttr, "integer"), "How many warps a block has."),
    ),
    depends_on=("nv_tileaa",),
)
