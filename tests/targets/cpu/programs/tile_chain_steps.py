"""What chains of tile operations begin with, are made of, and end with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from tests.interp.kernels import ACQUIRE, DEVICE, RELAXED, RELEASE, SIGNED
from tests.targets.cpu.programs.tile_chain_kernels import LARGEST, Chain, Step
from tilewright.dialects.cuda_tile.enums import (
    AtomicRMWMode,
    ComparisonPredicate,
)
from tilewright.dialects.cuda_tile.ops import control as ops_control
from tilewright.dialects.cuda_tile.ops import conversion as ops_conversion
from tilewright.dialects.cuda_tile.ops import float as ops_float
from tilewright.dialects.cuda_tile.ops import integer as ops_integer
from tilewright.dialects.cuda_tile.ops import memory as ops_memory
from tilewright.dialects.cuda_tile.ops import tile as tiles
from tilewright.dialects.cuda_tile.types import (
    GatherScatterViewType,
    PointerType,
    StridedViewType,
    TileType,
    tile,
)
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import FloatAttr, IntegerAttr
from tilewright.ir.builtin_types import FloatType, IntegerType, f32, i1, i32, i64

# --- where tiles come from


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
        ops_memory.MakeGatherScatterViewOp,
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


# --- what is made of them


def _transpose(chain: Chain, value: Any) -> Any:
    shape = chain.extents(value)
    return _permuted(chain, value, tuple(reversed(range(len(shape))))) if len(shape) > 1 else None


def _rotate(chain: Chain, value: Any) -> Any:
    rank = len(chain.extents(value))
    return _permuted(chain, value, (*range(1, rank), 0)) if rank > 2 else None


def _permuted(chain: Chain, value: Any, order: tuple[int, ...]) -> Any:
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


def _add(chain: Chain, value: Any) -> Any:
    return chain.increment(value)


def _add_itself(chain: Chain, value: Any) -> Any:
    return chain.plus(value, chain.increment(value)) if chain.is_number(value) else None


def _select(chain: Chain, value: Any) -> Any:
    odd = chain.is_odd(chain.extents(value))
    return chain.add(tiles.SelectOp(odd, value, chain.increment(value)))


def _through_numbers(chain: Chain, value: Any) -> Any:
    """Pointers as numbers and back; numbers as floats or integers and back."""
    shape, element = chain.extents(value), chain.kind(value)
    if isinstance(element, PointerType):
        numbers = chain.add(ops_conversion.PtrToIntOp(value, result_types=[tile(*shape, i64)]))
        return chain.add(ops_conversion.IntToPtrOp(numbers, result_types=[value.type]))
    if element is f32:
        bits = chain.add(ops_conversion.BitcastOp(value, result_types=[tile(*shape, i32)]))
        return chain.add(ops_conversion.BitcastOp(bits, result_types=[value.type]))
    return None


def _reduce(chain: Chain, value: Any, axis: int = 0) -> Any:
    shape = chain.extents(value)
    if not shape or not chain.is_number(value):
        return None
    kept = list(shape)
    del kept[axis]
    return _aggregated(chain, tiles.ReduceOp, value, axis % len(shape), tile(*kept, chain.kind(value)))


def _reduce_rows(chain: Chain, value: Any) -> Any:
    return _reduce(chain, value, -1)


def _scan(chain: Chain, value: Any) -> Any:
    if not chain.extents(value) or not chain.is_number(value):
        return None
    return _aggregated(chain, tiles.ScanOp, value, 0, value.type, reverse=False)


def _scan_rows(chain: Chain, value: Any) -> Any:
    if not chain.extents(value) or not chain.is_number(value):
        return None
    axis = len(chain.extents(value)) - 1
    return _aggregated(chain, tiles.ScanOp, value, axis, value.type, reverse=True)


def _aggregated(chain: Chain, op: Any, value: Any, axis: int, kind: TileType, **more: Any) -> Any:
    """The largest, or the sum of integers."""
    element: Any = chain.kind(value)
    body = chain.open(Block([tile(element), tile(element)]))
    first, second = body.arguments
    if isinstance(element, FloatType):
        made = chain.add(ops_float.MaxFOp(first, second))
        identity: Any = FloatAttr(element, element.format.encode(float("-inf")))
    else:
        made = chain.plus(first, second)
        identity = IntegerAttr(element, 0)
    chain.add(ops_control.YieldOp(operands_=(made,)))
    region = chain.close()
    return chain.add(
        op(operands_=(value,), dim=axis, identities=(identity,), body=region, result_types=[kind], **more)
    )


def _multiply(chain: Chain, value: Any) -> Any:
    """The product of a matrix and its transpose, small enough to stay exact."""
    shape = chain.extents(value)
    if len(shape) != 2 or chain.kind(value) is not f32 or shape[0] * shape[0] > LARGEST:
        return None
    small = _clamped(chain, value)
    turned = _permuted(chain, small, (1, 0))
    sums = chain.constant(0.0, tile(shape[0], shape[0], f32))
    return chain.add(tiles.MmaFOp(small, turned, sums))


def _clamped(chain: Chain, value: Any) -> Any:
    least, most = (chain.constant(number, value.type) for number in (-8.0, 8.0))
    return chain.add(ops_float.MaxFOp(chain.add(ops_float.MinFOp(value, most)), least))


def _carry(chain: Chain, value: Any) -> Any:
    """Changed in each round of a loop."""
    header = chain.for_loop(chain.i32(0), chain.i32(3), chain.i32(1), value)
    pending = chain.pending
    return chain.end_for(pending, chain.increment(header.arguments[1])).results[0]


def _swap(chain: Chain, value: Any) -> Any:
    """Two tiles that change places in each round."""
    chain.for_loop(chain.i32(0), chain.number, chain.i32(1), value, chain.increment(value))
    pending = chain.pending
    _, first, second = chain.blocks[-1].arguments
    return chain.end_for(
        pending, second, chain.increment(first) if chain.is_number(first) else first
    ).results[0]


def _branch(chain: Chain, value: Any) -> Any:
    condition = chain.is_positive()
    regions: list[Any] = []
    for make in (chain.increment, lambda given: given):
        chain.open(Block())
        made = make(value)
        chain.add(ops_control.YieldOp(operands_=(made,)))
        regions.append(chain.close())
    then, other = regions
    return chain.add(
        ops_control.IfOp(condition, then_region=then, else_region=other, result_types=[value.type])
    )


def _repeat(chain: Chain, value: Any) -> Any:
    """A loop that is left in the middle of a round, with what the round made."""
    body = chain.open(Block([tile(i32), value.type]))
    count, carried = body.arguments
    following = chain.add(ops_integer.AddIOp(count, chain.i32(1)))
    changed = chain.increment(carried)
    is_last = chain.add(
        ops_integer.CmpIOp(
            ComparisonPredicate.GREATER_THAN, following, chain.number, SIGNED, result_types=[tile(i1)]
        )
    )
    chain.open(Block())
    chain.add(ops_control.BreakOp(operands_=(changed,)))
    then = chain.close()
    chain.open(Block())
    chain.add(ops_control.YieldOp(operands_=()))
    other = chain.close()
    chain.add(ops_control.IfOp(is_last, then_region=then, else_region=other, result_types=[]))
    chain.add(ops_control.ContinueOp(operands_=(following, changed)))
    region = chain.close()
    return chain.add(ops_control.LoopOp((chain.i32(0), value), body=region, result_types=[value.type]))


def _use_in_loop(chain: Chain, value: Any) -> Any:
    """Needed in each round, but not carried."""
    if not chain.is_number(value):
        return None
    chain.for_loop(chain.i32(0), chain.i32(2), chain.i32(1), chain.splatted(0, value))
    pending, carried = chain.pending, chain.blocks[-1].arguments[1]
    return chain.end_for(pending, chain.plus(carried, value)).results[0]


def _through_memory(chain: Chain, value: Any) -> Any:
    if not chain.is_number(value):
        return None
    places = chain.places(chain.room, chain.extents(value))
    token = chain.store(places, value)
    return chain.load(places, token=token).results[0]


def _old_values(chain: Chain, value: Any) -> Any:
    if not chain.is_number(value) or chain.kind(value) is i1:
        return None
    mode = AtomicRMWMode.ADDF if isinstance(chain.kind(value), FloatType) else AtomicRMWMode.ADD
    places = chain.places(chain.room, chain.extents(value))
    return _rmw(chain, places, value, mode)


def _rmw(chain: Chain, places: Any, value: Any, mode: AtomicRMWMode, mask: Any = None) -> Any:
    kinds = [value.type, ops_memory.TOKEN_TYPE.types[0]]
    made = ops_memory.AtomicRMWTkoOp(
        memory_ordering_semantics=RELAXED,
        memory_scope=DEVICE,
        pointers=places,
        mode=mode,
        arg=value,
        mask=mask,
        result_types=kinds,
    )
    return chain.add(made).results[0]


def _load_pointees(chain: Chain, value: Any) -> Any:
    return None if chain.is_number(value) else chain.load(value).results[0]


def _walk(chain: Chain, value: Any) -> Any:
    """The sum of what pointers point at that a loop moves."""
    return _walked(chain, value, lambda first, second: (chain.increment(first, 2), chain.increment(second)))


def _alternate(chain: Chain, value: Any) -> Any:
    """The same of pointers that change places in each round."""
    return _walked(chain, value, lambda first, second: (second, chain.increment(first)))


def _walked(chain: Chain, value: Any, move: Callable[[Any, Any], tuple[Any, Any]]) -> Any:
    if chain.is_number(value):
        return None
    nothing = chain.constant(0.0 if chain.element is f32 else 0, tile(*chain.extents(value), chain.element))
    chain.for_loop(chain.i32(0), chain.i32(4), chain.i32(1), value, chain.increment(value), nothing)
    pending = chain.pending
    _, first, second, total = chain.blocks[-1].arguments
    loaded = chain.plus(chain.load(first).results[0], chain.load(second).results[0])
    return chain.end_for(pending, *move(first, second), chain.plus(total, loaded)).results[2]


def _as_places(chain: Chain, value: Any) -> Any:
    """Loads from where numbers say."""
    if not isinstance(chain.kind(value), IntegerType) or chain.kind(value) is i1:
        return None
    least, most = (chain.splatted(number, value) for number in (0, 63))
    inside = chain.add(ops_integer.MaxIOp(chain.add(ops_integer.MinIOp(value, most, SIGNED)), least, SIGNED))
    base = chain.everywhere(chain.source, chain.extents(value))
    return chain.load(chain.add(tiles.OffsetOp(base, inside))).results[0]


def _masked(chain: Chain, value: Any) -> Any:
    """Loads where the tile says."""
    if chain.kind(value) is f32 or not chain.is_number(value):
        return None
    mask = value if chain.kind(value) is i1 else chain.compared(value, chain.splatted(1, value))
    places = chain.places(chain.source, chain.extents(value))
    return chain.load(places, mask=mask, padding=chain.splatted(0, value)).results[0]


STEPS: dict[str, Step] = {
    make.__name__: make
    for make in (
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
        _add,
        _add_itself,
        _select,
        _through_numbers,
        _reduce,
        _reduce_rows,
        _scan,
        _scan_rows,
        _multiply,
        _carry,
        _swap,
        _branch,
        _repeat,
        _use_in_loop,
        _through_memory,
        _old_values,
        _load_pointees,
        _walk,
        _alternate,
        _as_places,
        _masked,
    )
}
"""What makes a tile of another one."""


# --- what takes them


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
        ops_memory.MakeStridedViewOp,
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
        ops_memory.MakeGatherScatterViewOp,
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
        return _store_places(chain, _rmw(chain, value, one, mode, odd))
    return _store_places(chain, _rmw(chain, chain.places(chain.target, shape), value, mode, odd))


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
