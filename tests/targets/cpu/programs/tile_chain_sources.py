"""Where the tiles of chains come from."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from tests.targets.cpu.programs.tile_chain_kernels import Chain
from tilewright.dialects.cuda_tile.ops import (
    conversion as ops_conversion,
    integer as ops_integer,
    tile as tiles,
    view as ops_view,
)
from tilewright.dialects.cuda_tile.types import (
    GatherScatterViewType,
    PointerType,
    tile,
)
from tilewright.ir.builtin_types import FloatType, i32, i64


def _shaped_by_pointers(chain: Chain, shape: Sequence[int]) -> Any:
    return chain.load(chain.places(chain.source, shape)).results[0]


def _shaped_by_view(chain: Chain, shape: Sequence[int]) -> Any:
    if not shape:
        return None
    view = chain.partition(chain.source, shape, shape)
    return chain.load_view(view, *[chain.i32(0) for _ in shape]).results[0]


def _shaped_by_padded_view(chain: Chain, shape: Sequence[int]) -> Any:
    if not shape or prod(shape) == 1:
        return None
    view = chain.partition(chain.source, [max(1, extent - 1) for extent in shape], shape)
    return chain.load_view(view, *[chain.i32(0) for _ in shape]).results[0]


def _spread_row(chain: Chain, shape: Sequence[int]) -> Any:
    """A row of a view, repeated."""
    if len(shape) < 2:
        return None
    row = (*[1] * (len(shape) - 1), shape[-1])
    view = chain.partition(chain.source, row, row)
    loaded = chain.load_view(view, *[chain.i32(0) for _ in row]).results[0]
    return chain.add(tiles.BroadcastOp(loaded, result_types=[tile(*shape, chain.element)]))


def _spread_scalar(chain: Chain, shape: Sequence[int]) -> Any:
    return chain.everywhere(chain.load(chain.source).results[0], shape)


def _splat(chain: Chain, shape: Sequence[int]) -> Any:
    value = 3.0 if isinstance(chain.element, FloatType) else 1
    return chain.constant(value, tile(*shape, chain.element))


def _listed(chain: Chain, shape: Sequence[int]) -> Any:
    numbers: list[Any] = [number % 2 for number in range(prod(shape))]
    if isinstance(chain.element, FloatType):
        numbers = [float(number) for number in numbers]
    return chain.constant(numbers, tile(*shape, chain.element))


def _gathered(chain: Chain, shape: Sequence[int]) -> Any:
    if len(shape) != 2:
        return None
    whole = (2 * shape[0], shape[1])
    view = chain.view(
        chain.source,
        whole,
        lambda tensor: GatherScatterViewType(tuple(shape), tensor, 0, None),
        ops_view.MakeGatherScatterViewOp,
    )
    rows = chain.add(ops_integer.AddIOp(chain.iota(shape[0]), chain.iota(shape[0])))
    return chain.load_view(view, rows, chain.i32(0)).results[0]


def _pointers(chain: Chain, shape: Sequence[int]) -> Any:
    return chain.places(chain.source, shape)


def _scattered_pointers(chain: Chain, shape: Sequence[int]) -> Any:
    """Pointers that were numbers, from the last element to the first one."""
    numbers = chain.add(
        ops_conversion.PtrToIntOp(chain.places(chain.source, shape), result_types=[tile(*shape, i64)])
    )
    back = chain.add(
        ops_conversion.IntToPtrOp(numbers, result_types=[tile(*shape, PointerType(chain.element))])
    )
    last = chain.constant(prod(shape) - 1, tile(*shape, i32))
    turned = chain.add(ops_integer.SubIOp(last, chain.counted(shape)))
    return chain.plus(chain.plus(back, turned), chain.add(ops_integer.SubIOp(turned, last)))


SOURCES = {
    make.__name__: make
    for make in (
        _shaped_by_pointers,
        _shaped_by_view,
        _shaped_by_padded_view,
        _spread_row,
        _spread_scalar,
        _splat,
        _listed,
        _gathered,
        _pointers,
        _scattered_pointers,
    )
}
"""What chains begin with."""
