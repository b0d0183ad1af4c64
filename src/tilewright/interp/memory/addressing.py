"""Where the elements of one tile of a view lie in the tensor.

Indices count tiles of a partition view and steps of a strided view, but elements of a gather/scatter view, along the
dense dimensions too.  The public description of that view speaks of tiles there; the only public producer, cuTile
Python, passes the start of ``ct.Slice`` as it is, and its published tests read and write from that element on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tilewright.dialects.cuda_tile import types as cuda_tile_types
from tilewright.dialects.cuda_tile.enums import PaddingValue
from tilewright.interp.numerics import integers as numerics_integers, rounding as numerics_rounding
from tilewright.interp.numerics.element import BoolArray, ElementFormat, NumpyArray
from tilewright.interp.values import TileView, tile_format, unsigned_value, wrapped_address


@dataclass(slots=True)
class TileRegion:
    """The part of a tile that lies inside the tensor.

    ``shape`` is the shape of the tile. ``lanes[i]`` lists the positions along tile dimension i that are
    inside; ``offsets`` (one element for each combination of lanes) counts elements from the start of the
    tensor.
    """

    shape: tuple[int, ...]
    lanes: tuple[NumpyArray, ...]
    offsets: NumpyArray

    @property
    def complete(self) -> bool:
        """Return whether the whole tile is inside the tensor."""
        return self.offsets.shape == self.shape

    def lane(self, position: int) -> tuple[int, ...]:
        """Return the index in the tile of the element at `position` of the flattened ``offsets``."""
        index = np.unravel_index(position, self.offsets.shape)
        return tuple(int(lanes[i]) for lanes, i in zip(self.lanes, index, strict=True))

    def take(self, tile: NumpyArray) -> NumpyArray:
        """Return the elements of `tile` that lie inside the tensor, in the shape of ``offsets``."""
        return tile if self.complete else tile[np.ix_(*self.lanes)]

    def put(self, inside: NumpyArray, outside: NumpyArray) -> NumpyArray:
        """Return a tile with the elements `inside`, of the shape of ``offsets``, and ``outside`` (one
        element) everywhere else.
        """
        if self.complete:
            return inside
        tile = np.full(self.shape, outside, dtype=inside.dtype)
        tile[np.ix_(*self.lanes)] = inside
        return tile

    def outside(self) -> BoolArray:
        """Return a mask of the elements of the tile that are outside the tensor."""
        mask = np.ones(self.shape, np.bool_)
        mask[np.ix_(*self.lanes)] = False
        return mask


def index_space(view: TileView) -> tuple[int, ...]:
    """Return the number of indices for each dimension of the tile: the extent of the tensor divided by the
    step, rounded up.
    """
    extents = [view.tensor.shape[d] for d in view.type.dimension_map]
    return tuple(-(-extent // step) for extent, step in zip(extents, view.type.index_steps, strict=True))


def tile_region(view: TileView, index: Sequence[NumpyArray]) -> TileRegion:
    """Return the part of the tile at ``index`` that is inside the tensor; nothing is inside for an index
    outside the index space. An index is a scalar, or of rank 1 for a gather/scatter view; both are unsigned.
    """
    shape = view.type.tile_shape
    lanes: list[NumpyArray] = []
    offsets: Any = np.zeros((), np.int64)
    for dimension, (mapped, step) in enumerate(
        zip(view.type.dimension_map, view.type.index_steps, strict=True)
    ):
        inside, positions = _along(index[dimension], step, shape[dimension], view.tensor.shape[mapped])
        lanes.append(inside)
        stride = np.int64(wrapped_address(view.tensor.strides[mapped]))
        offsets = offsets[..., None] + positions * stride
    return TileRegion(shape, tuple(lanes), offsets)


def _along(index: NumpyArray, step: int, size: int, extent: int) -> tuple[NumpyArray, NumpyArray]:
    """Return, for one dimension, the positions in the tile that are inside the tensor, and their positions in
    the tensor.

    ``index`` is the index of the tile, in steps of ``step`` elements; a rank-1 ``index`` has a position in
    the tensor for each row. ``size`` and ``extent`` are the extents of tile and tensor.
    """
    if index.ndim:
        positions = numerics_integers.unsigned_view(index)
        inside = np.flatnonzero(positions < np.uint64(min(extent, (1 << 64) - 1)))
        return inside, positions[inside].astype(np.int64)
    start = unsigned_value(index) * step
    inside = np.arange(max(0, min(size, extent - start)))
    return inside, inside + np.int64(wrapped_address(start))


_PADDING: dict[PaddingValue, float] = {
    PaddingValue.ZERO: 0.0,
    PaddingValue.NEG_ZERO: -0.0,
    PaddingValue.NAN: float("nan"),
    PaddingValue.POS_INF: float("inf"),
    PaddingValue.NEG_INF: float("-inf"),
}


def padding_element(view_type: cuda_tile_types.TileViewType) -> NumpyArray:
    """Return the element that a load gives outside the tensor, rounded to its format; zero if the view leaves
    it unspecified.
    """
    format = tile_format(view_type.tensor)
    return constant_element(_PADDING[view_type.padding or PaddingValue.ZERO], format)


def constant_element(value: float, format: ElementFormat) -> NumpyArray:
    """Return a scalar tile of `value`, rounded to a float format, or truncated to an integer for other
    formats.
    """
    if format.kind == "float":
        return numerics_rounding.round_to_format(np.array(value, dtype=np.float64), format)
    return np.array(int(value), dtype=format.array_dtype)
