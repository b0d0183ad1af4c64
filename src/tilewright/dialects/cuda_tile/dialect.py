"""The ``cuda_tile`` dialect: everything that a context loads to know Tile IR."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.cuda_tile import attributes as cuda_tile_attributes, enums as cuda_tile_enums
from tilewright.dialects.cuda_tile.folds.constants import materialize_constant
from tilewright.dialects.cuda_tile.ops import (
    control as ops_control,
    conversion as ops_conversion,
    float as ops_float,
    integer as ops_integer,
    memory as ops_memory,
    preview as ops_preview,
    tile as ops_tile,
    view as ops_view,
)
from tilewright.dialects.cuda_tile.types import TYPES
from tilewright.ir.declaration import attribute_kind, discardable
from tilewright.ir.dialect import Dialect, FoldTable

LOOP_SPLIT = "cuda_tile.loop_split"
"""The attribute of `if`, `for` and `entry` with the threshold of `loop-split` for the operations inside; the
innermost one counts.
"""
DISCARDABLE_ATTRIBUTES = (
    discardable.DiscardableAttribute(
        LOOP_SPLIT,
        attribute_kind.AttributeKind(),  # the pass ignores values that are no integers, with a warning
        "The threshold for splitting loops.",
        ("cuda_tile.if", "cuda_tile.for", "cuda_tile.entry"),
    ),
)


OPERATIONS = (
    *ops_control.OPERATIONS,
    *ops_tile.OPERATIONS,
    *ops_float.OPERATIONS,
    *ops_integer.OPERATIONS,
    *ops_conversion.OPERATIONS,
    *ops_view.OPERATIONS,
    *ops_memory.OPERATIONS,
)
"""The operations of Tile IR."""

PREVIEW_OPERATIONS = ops_preview.OPERATIONS
"""Operations that no release has yet."""


def _folds() -> FoldTable:
    """Return the dialect's table of folds, which is imported on first use."""
    from tilewright.dialects.cuda_tile.folds import (
        conversion as folds_conversion,
        float as folds_float,
        integer as folds_integer,
        shape as folds_control,
        shape as folds_select,
        shape as folds_shape,
    )

    return {
        **folds_control.CONTROL_FOLDS,
        **folds_conversion.FOLDS,
        **folds_float.FOLDS,
        **folds_integer.FOLDS,
        **folds_select.SELECT_FOLDS,
        **folds_shape.FOLDS,
    }


def _patterns() -> Sequence[Any]:
    """Return the dialect's canonicalization patterns in order; they are imported on first use."""
    from tilewright.dialects.cuda_tile.canonicalization.pattern_set import patterns

    return patterns()


CUDA_TILE = Dialect(
    "cuda_tile",
    doc="CUDA Tile IR: programs over tiles.",
    operations=(*OPERATIONS, *PREVIEW_OPERATIONS),
    types=TYPES,
    attributes=(*cuda_tile_enums.ENUM_ATTRIBUTES, *cuda_tile_attributes.STRUCTURED_ATTRIBUTES),
    folds=_folds,
    materialize_constant=materialize_constant,
    canonicalization_patterns=_patterns,
    discardable_attributes=DISCARDABLE_ATTRIBUTES,
)
