"""Where the elements of a tile lie, against the definition spelt out element by element."""

import itertools

import numpy as np
from hypothesis import given, settings, strategies as st

from tests.support.samples import samples
from tilewright.dialects.cuda_tile.enums import PaddingValue
from tilewright.dialects.cuda_tile.types import (
    GatherScatterViewType,
    PartitionViewType,
    StridedViewType,
    TensorViewType,
)
from tilewright.interp.memory.addressing import index_space, tile_region
from tilewright.interp.values import TensorView, TileView
from tilewright.ir.builtin_types import DYNAMIC, i32


@st.composite
def views(draw):
    """A view with an index: partition, strided or gather."""
    rank = draw(st.integers(1, 3))
    tile = tuple(draw(st.sampled_from((1, 2, 4))) for _ in range(rank))
    shape = tuple(draw(st.integers(1, 9)) for _ in range(rank))
    strides = tuple(draw(st.integers(1, 50)) for _ in range(rank))
    tensor_type = TensorViewType((DYNAMIC,) * rank, i32, (DYNAMIC,) * rank)
    dim_map = tuple(draw(st.permutations(range(rank))))
    kind = draw(st.sampled_from(("partition", "strided", "gather")))
    index = [np.array(draw(st.integers(0, 4)), np.int32) for _ in range(rank)]
    if kind == "partition":
        view_type = PartitionViewType(tile, tensor_type, dim_map, PaddingValue.ZERO)
    elif kind == "strided":
        steps = tuple(draw(st.integers(1, 5)) for _ in range(rank))
        view_type = StridedViewType(tile, steps, tensor_type, dim_map)
    else:
        sparse = draw(st.integers(0, rank - 1))
        view_type = GatherScatterViewType(tile, tensor_type, sparse)
        rows = draw(st.lists(st.integers(-1, 12), min_size=tile[sparse], max_size=tile[sparse]))
        index[sparse] = np.array(rows, np.int32)
    return TileView(TensorView(0, shape, strides, tensor_type), view_type), index


def position(view, index, element):
    """The tensor coordinates of one tile element, one per tensor dimension."""
    coordinates = [0] * len(element)
    kind = view.type
    for dimension, offset in enumerate(element):
        if isinstance(kind, GatherScatterViewType):
            sparse = dimension == kind.sparse_dim
            coordinates[dimension] = (
                int(index[dimension][offset]) % (1 << 32) if sparse else int(index[dimension]) + offset
            )
            continue
        step = (
            kind.traversal_strides[dimension] if isinstance(kind, StridedViewType) else kind.tile[dimension]
        )
        coordinates[kind.dim_map[dimension]] = int(index[dimension]) * step + offset
    return coordinates


@settings(max_examples=samples(80, of=200), deadline=None)
@given(views())
def test_regions_follow_the_definition(case):
    view, index = case
    region = tile_region(view, index)
    lanes = {region.lane(i): int(offset) for i, offset in enumerate(region.offsets.reshape(-1))}
    outside = region.outside()
    for element in itertools.product(*map(range, view.type.tile_shape)):
        coordinates = position(view, index, element)
        inside = all(c < extent for c, extent in zip(coordinates, view.tensor.shape, strict=True))
        assert (element in lanes) == inside
        assert bool(outside[element]) != inside
        if inside:
            strides = view.tensor.strides
            assert lanes[element] == sum(c * s for c, s in zip(coordinates, strides, strict=True))


@settings(max_examples=samples(40, of=100), deadline=None)
@given(views())
def test_every_tile_of_the_index_space_touches_the_tensor(case):
    view, index = case
    sparse = view.type.sparse_dim if isinstance(view.type, GatherScatterViewType) else None
    extents = index_space(view)
    last = [
        index[d] * 0 if d == sparse else np.array(extent - 1, np.int64) for d, extent in enumerate(extents)
    ]
    assert tile_region(view, last).offsets.size > 0


def test_indices_are_unsigned_and_may_be_huge():
    tensor = TensorView(0, (10,), (1,), TensorViewType((10,), i32, (1,)))
    view = TileView(tensor, PartitionViewType((4,), tensor.type, (0,)))
    for index in (np.array(-1, np.int32), np.array(-1, np.int64), np.array(-(1 << 63), np.int64)):
        assert tile_region(view, [index]).offsets.size == 0
    endless = TileView(TensorView(0, ((1 << 64) - 1,), (1 << 63,), tensor.type), view.type)
    assert tile_region(endless, [np.array(1 << 61, np.int64)]).offsets.shape == (4,)
