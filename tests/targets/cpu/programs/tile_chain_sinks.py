"""What takes the last tile of a chain."""

from __future__ import annotations

from math import prod
from typing import Any

from tests.interp.kernels import ACQUIRE, DEVICE, RELAXED, RELEASE
from tests.targets.cpu.programs.tile_chain_kernels import Chain, Step
from tests.targets.cpu.programs.tile_chain_steps import updated
from tilewright.dialects.cuda_tile.enums import (
    AtomicRMWMode,
)
from tilewright.dialects.cuda_tile.ops import integer as ops_integer, memory as ops_memory, view as ops_view
from tilewright.dialects.cuda_tile.types import (
    GatherScatterViewType,
    StridedViewType,
    tile,
)
from tilewright.ir.builtin_types import FloatType, f32, i1


def _store_places(chain: Chain, value: Any) -> Any:
    if not chain.is_number(value):  # what is written there is 7
        seven = chain.constant(
            1 if chain.element is not f32 else 7.0, tile(*chain.extents(value), chain.element)
        )
        chain.store(value, seven)
        return True
    chain.store(chain.places(chain.target, chain.extents(value)), value)
    return True


def _view_of_target(chain: Chain, value: Any) -> Any:
    shape = chain.extents(value)
    return chain.partition(chain.target, shape, shape), [chain.i32(0) for _ in shape]


def _is_plain(chain: Chain, value: Any) -> bool:
    return bool(chain.extents(value)) and chain.is_number(value)


def _store_view(chain: Chain, value: Any) -> Any:
    if not _is_plain(chain, value):
        return None
    view, index = _view_of_target(chain, value)
    return chain.store_view(view, value, *index)


def _store_edge(chain: Chain, value: Any) -> Any:
    """To a view that ends in the tile."""
    shape = chain.extents(value)
    if not _is_plain(chain, value) or prod(shape) == 1:
        return None
    view = chain.partition(chain.target, [max(1, extent - 1) for extent in shape], shape)
    return chain.store_view(view, value, *[chain.i32(0) for _ in shape])


def _store_strided(chain: Chain, value: Any) -> Any:
    shape = chain.extents(value)
    if not _is_plain(chain, value):
        return None
    view = chain.view(
        chain.target,
        shape,
        lambda tensor: StridedViewType(shape, shape, tensor, tuple(range(len(shape))), None),
        ops_view.MakeStridedViewOp,
    )
    return chain.store_view(view, value, *[chain.i32(0) for _ in shape])


def _scatter(chain: Chain, value: Any) -> Any:
    shape = chain.extents(value)
    if len(shape) != 2 or not chain.is_number(value):
        return None
    view = chain.view(
        chain.target,
        (2 * shape[0], shape[1]),
        lambda tensor: GatherScatterViewType(shape, tensor, 0, None),
        ops_view.MakeGatherScatterViewOp,
    )
    rows = chain.add(ops_integer.AddIOp(chain.iota(shape[0]), chain.iota(shape[0])))
    return chain.store_view(view, value, rows, chain.i32(0))


def _store_released(chain: Chain, value: Any) -> Any:
    if not _is_plain(chain, value):
        return None
    order = {"memory_ordering_semantics": RELEASE, "memory_scope": DEVICE}
    view, index = _view_of_target(chain, value)
    return chain.store_view(view, value, *index, **order)


def _store_relaxed(chain: Chain, value: Any) -> Any:
    if not chain.is_number(value):
        return chain.load(value, memory_ordering_semantics=ACQUIRE, memory_scope=DEVICE)
    order = {"memory_ordering_semantics": RELAXED, "memory_scope": DEVICE}
    return chain.store(chain.places(chain.target, chain.extents(value)), value, **order)


def _add_to_view(chain: Chain, value: Any) -> Any:
    if not _is_plain(chain, value) or chain.kind(value) is i1:
        return None
    view, index = _view_of_target(chain, value)
    mode = AtomicRMWMode.ADDF if isinstance(chain.kind(value), FloatType) else AtomicRMWMode.ADD
    return chain.add(
        ops_memory.AtomicRedViewTkoOp(
            memory_ordering_semantics=RELAXED,
            memory_scope=DEVICE,
            mode=mode,
            inbounds=(False,) * len(index),
            view=view,
            index=index,
            value=value,
            result_types=[ops_memory.TOKEN_TYPE.types[0]],
        )
    )


def _update(chain: Chain, value: Any) -> Any:
    """Where every other element is, or where pointers say."""
    shape = chain.extents(value)
    mode = AtomicRMWMode.ADDF if chain.element is f32 else AtomicRMWMode.ADD
    if chain.element is i1:
        return None
    odd = chain.is_odd(shape)
    if not chain.is_number(value):
        one = chain.constant(1 if chain.element is not f32 else 1.0, tile(*shape, chain.element))
        return _store_places(chain, updated(chain, value, one, mode, odd))
    return _store_places(chain, updated(chain, chain.places(chain.target, shape), value, mode, odd))


def _compare_and_swap(chain: Chain, value: Any) -> Any:
    if not chain.is_number(value) or chain.kind(value) is i1:
        return None
    kinds = [value.type, ops_memory.TOKEN_TYPE.types[0]]
    made = ops_memory.AtomicCASTkoOp(
        memory_ordering_semantics=RELAXED,
        memory_scope=DEVICE,
        pointers=chain.places(chain.room, chain.extents(value)),
        cmp=value,
        val=chain.increment(value),
        result_types=kinds,
    )
    return _store_places(chain, chain.add(made).results[0])


def _store_twice(chain: Chain, value: Any) -> Any:
    if not _is_plain(chain, value) or chain.kind(value) is not chain.element:
        return None
    _store_view(chain, value)
    return chain.store(chain.places(chain.room, chain.extents(value)), chain.increment(value))


SINKS: dict[str, Step] = {
    make.__name__: make
    for make in (
        _store_places,
        _store_view,
        _store_edge,
        _store_strided,
        _scatter,
        _store_released,
        _store_relaxed,
        _add_to_view,
        _update,
        _compare_and_swap,
        _store_twice,
    )
}
"""What chains end with."""
