"""Steps of chains: a tile is made of another one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.interp.kernels import DEVICE, RELAXED, SIGNED
from tests.targets.cpu.programs.tile_chain_kernels import LARGEST, Chain, Step
from tests.targets.cpu.programs.tile_chain_moves import MOVES, permuted
from tilewright.dialects.cuda_tile.enums import (
    AtomicRMWMode,
    ComparisonPredicate,
)
from tilewright.dialects.cuda_tile.ops import (
    control as ops_control,
    conversion as ops_conversion,
    float as ops_float,
    integer as ops_integer,
    memory as ops_memory,
    tile as tiles,
)
from tilewright.dialects.cuda_tile.types import (
    PointerType,
    TileType,
    tile,
)
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import FloatAttr, IntegerAttr
from tilewright.ir.builtin_types import FloatType, IntegerType, f32, i1, i32, i64


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
    turned = permuted(chain, small, (1, 0))
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
    return updated(chain, places, value, mode)


def updated(chain: Chain, places: Any, value: Any, mode: AtomicRMWMode, mask: Any = None) -> Any:
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
        *MOVES,
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
