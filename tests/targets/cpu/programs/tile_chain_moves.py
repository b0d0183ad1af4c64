"""Steps of chains that move the elements of a tile."""

from __future__ import annotations

from math import prod
from typing import Any

from tests.targets.cpu.programs.tile_chain_kernels import LARGEST, Chain, Step
from tilewright.dialects.cuda_tile.ops import tile as tiles
from tilewright.dialects.cuda_tile.types import (
    tile,
)


def _transpose(chain: Chain, value: Any) -> Any:
    shape = chain.extents(value)
    return permuted(chain, value, tuple(reversed(range(len(shape))))) if len(shape) > 1 else None


def _rotate(chain: Chain, value: Any) -> Any:
    rank = len(chain.extents(value))
    return permuted(chain, value, (*range(1, rank), 0)) if rank > 2 else None


def permuted(chain: Chain, value: Any, order: tuple[int, ...]) -> Any:
    shape = chain.extents(value)
    kind = tile(*(shape[at] for at in order), chain.kind(value))
    return chain.add(tiles.PermuteOp(value, permutation=order, result_types=[kind]))


def _flatten(chain: Chain, value: Any) -> Any:
    return chain.reshaped(value, (prod(chain.extents(value)),))


def _fold(chain: Chain, value: Any) -> Any:
    """Two dimensions of one, or another pair of extents."""
    count = prod(chain.extents(value))
    return chain.reshaped(value, (2, count // 2)) if count > 1 else chain.reshaped(value, (1, 1))


def _thin(chain: Chain, value: Any) -> Any:
    shape = chain.extents(value)
    return chain.reshaped(value, (*shape, 1)) if len(shape) < 3 else None


def _broadcast(chain: Chain, value: Any) -> Any:
    shape = chain.extents(value)
    if 2 * prod(shape) > LARGEST or len(shape) > 2:
        return None
    thin = chain.reshaped(value, (1, *shape))
    return chain.add(tiles.BroadcastOp(thin, result_types=[tile(2, *shape, chain.kind(value))]))


def _broadcast_columns(chain: Chain, value: Any) -> Any:
    shape = chain.extents(value)
    if 4 * prod(shape) > LARGEST or len(shape) > 2:
        return None
    thin = chain.reshaped(value, (*shape, 1))
    return chain.add(tiles.BroadcastOp(thin, result_types=[tile(*shape, 4, chain.kind(value))]))


def _cat(chain: Chain, value: Any, axis: int = 0) -> Any:
    shape = chain.extents(value)
    if not shape or 2 * prod(shape) > LARGEST:
        return None
    joined = list(shape)
    joined[axis] *= 2
    kind = tile(*joined, chain.kind(value))
    other = chain.increment(value) if chain.is_number(value) else value
    return chain.add(tiles.CatOp(value, other, dim=axis % len(shape), result_types=[kind]))


def _cat_rows(chain: Chain, value: Any) -> Any:
    return _cat(chain, value, -1)


def _extract(chain: Chain, value: Any) -> Any:
    """The last part of half the extents."""
    shape = chain.extents(value)
    part = tuple(max(1, extent // 2) for extent in shape)
    indices = [chain.i32(whole // half - 1) for whole, half in zip(shape, part, strict=True)]
    return chain.add(tiles.ExtractOp(value, indices, result_types=[tile(*part, chain.kind(value))]))


def _extract_some_row(chain: Chain, value: Any) -> Any:
    """A row whose number only the run knows."""
    shape = chain.extents(value)
    if not shape or shape[0] < 2:
        return None
    part = (1, *shape[1:])
    indices = [chain.number, *(chain.i32(0) for _ in shape[1:])]
    return chain.add(tiles.ExtractOp(value, indices, result_types=[tile(*part, chain.kind(value))]))


def _extract_column(chain: Chain, value: Any) -> Any:
    shape = chain.extents(value)
    if not shape or shape[-1] < 2:
        return None
    part = (*shape[:-1], 1)
    indices = [*(chain.i32(0) for _ in shape[1:]), chain.number]
    return chain.add(tiles.ExtractOp(value, indices, result_types=[tile(*part, chain.kind(value))]))


def _extract_element(chain: Chain, value: Any) -> Any:
    shape = chain.extents(value)
    indices = [chain.number if extent > 1 else chain.i32(0) for extent in shape]
    kind = tile(*[1] * len(shape), chain.kind(value))
    return chain.reshaped(chain.add(tiles.ExtractOp(value, indices, result_types=[kind])), ())


def _insert(chain: Chain, value: Any) -> Any:
    """Its first half over its second one."""
    shape = chain.extents(value)
    if not shape or not chain.is_number(value) or shape[0] < 2:
        return None
    part = (shape[0] // 2, *shape[1:])
    first = [chain.i32(0) for _ in shape]
    half = chain.add(tiles.ExtractOp(value, first, result_types=[tile(*part, chain.kind(value))]))
    second = [chain.i32(1), *first[1:]]
    return chain.add(tiles.InsertOp(half, value, second, result_types=[value.type]))


MOVES: tuple[Step, ...] = (
    _transpose,
    _rotate,
    _flatten,
    _fold,
    _thin,
    _broadcast,
    _broadcast_columns,
    _cat,
    _cat_rows,
    _extract,
    _extract_some_row,
    _extract_column,
    _extract_element,
    _insert,
)
