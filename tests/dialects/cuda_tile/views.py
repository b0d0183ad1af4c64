"""View types for tests."""

from __future__ import annotations

from collections.abc import Sequence

from tests.dialects.cuda_tile.scratch import SCALARS
from tilewright.dialects.cuda_tile.enums import PaddingValue, PtrAttr
from tilewright.dialects.cuda_tile.types import (
    GatherScatterViewType,
    PartitionViewType,
    StridedViewType,
    TensorViewType,
    TileViewType,
)
from tilewright.ir.builtin_types import DYNAMIC


def tensor(
    element: str = "f32",
    shape: Sequence[int] = (DYNAMIC, 32),
    strides: Sequence[int] = (32, 1),
    attribute: str | None = None,
) -> TensorViewType:
    """A tensor view type."""
    mapping = PtrAttr[attribute.upper()] if attribute else None
    return TensorViewType(tuple(shape), SCALARS[element], tuple(strides), mapping)


def view(
    kind: str = "partition",
    element: str = "f32",
    tile: Sequence[int] = (8, 4),
    attribute: str | None = None,
    padding: str | None = None,
    over: TensorViewType | None = None,
    dim_map: Sequence[int] | None = None,
    steps: Sequence[int] | None = None,
    sparse_dim: int = 0,
) -> TileViewType:
    """A ``partition``, ``strided`` or ``gather_scatter`` view type."""
    below = over or tensor(element, attribute=attribute)
    value = PaddingValue[padding.upper()] if padding else None
    dims = tuple(range(len(tile)) if dim_map is None else dim_map)
    if kind == "partition":
        return PartitionViewType(tuple(tile), below, dims, value)
    if kind == "strided":
        return StridedViewType(
            tuple(tile), tuple([3] * len(tile) if steps is None else steps), below, dims, value
        )
    return GatherScatterViewType(tuple(tile), below, sparse_dim, value)


KINDS = ("partition", "strided", "gather_scatter")
