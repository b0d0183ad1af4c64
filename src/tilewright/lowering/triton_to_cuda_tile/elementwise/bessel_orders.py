"""The Bessel functions of any order from 0 on, one for each element, by recurrence in f64.

Both kinds fulfil ``f(k + 1) = 2 * k / x * f(k) - f(k - 1)``. Upwards from the orders 0 and 1 it keeps its digits for
the second kind (Y), and for the first kind (J) up to the order ``x``. J of orders beyond that is found by Miller's
method: downwards from an order so high that it does not matter where one began, and scaled to J of order 0 or 1. A
loop runs for the element that needs most steps; finished elements do not change.

Orders beyond `LIMIT` and beyond three times the argument need no steps: J is below the smallest number there, and Y beyond
the largest.  So the number of steps is at most three times the argument or `LIMIT`, whichever is larger.

Errors of f64, the largest of some thousand arguments on the CPU against `mpmath`: up to the order 1100 ``8 + order /
4`` units in the last place or, at arguments beyond the order, where there are zeros, 4e-16. Errors of f32 are 0.51
units.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tilewright.dialects.cuda_tile.enums import ComparisonPredicate, RoundingMode, Signedness
from tilewright.dialects.cuda_tile.ops import control, conversion as casts, float as floats, tile as tiles
from tilewright.dialects.cuda_tile.types import TileType, tile_of
from tilewright.ir.block import Region
from tilewright.ir.builtin_attributes import float_attribute
from tilewright.ir.builtin_types import f64, i64
from tilewright.ir.value import Value
from tilewright.lowering.triton_to_cuda_tile.elementwise import bessel, formulas
from tilewright.lowering.triton_to_cuda_tile.elementwise.formulas import EQUAL, INFINITY, LESS
from tilewright.lowering.triton_to_cuda_tile.emit import NEAREST, CudaTileEmitter
from tilewright.lowering.triton_to_cuda_tile.pattern import Formula

AT_MOST = ComparisonPredicate.LESS_THAN_OR_EQUAL
LIMIT = 1100
"""Orders beyond it and beyond three times the argument have results outside of the range of f64."""
SMALLEST = 2.0**-540
"""For smaller arguments, J of an order from 2 on is 0 in f64."""
HUGE, SCALE = 2.0**400, 2.0**-560
"""If the numbers of Miller's method exceed `HUGE`, they are multiplied by `SCALE`: a step for an argument of
`SMALLEST` stays in range.
"""


def _zero(emit: CudaTileEmitter, like: Value) -> Value:
    return emit.like(0, like)


def _numbers(emit: CudaTileEmitter, counter: Value, shape: Sequence[int]) -> Value:
    """Return a tile of the given shape whose elements are all the integer `counter`, as f64."""
    number = emit(casts.IToFOp, counter, Signedness.SIGNED, NEAREST, type=TileType((), f64))
    return emit.spread(number, shape)


def _largest(emit: CudaTileEmitter, values: Value) -> Value:
    """Return the largest element of a tile of floats, or 0 if all are negative, as an i64 of rank 0, rounded
    towards zero.
    """
    flat = emit.reshaped(values, (tile_of(values).element_count,))
    made = emit.insert(tiles.ReduceOp, [flat], 0, identities=[float_attribute(0, f64)], body=Region())
    with emit.rewriter.at(emit.rewriter.point):
        block = emit.rewriter.create_block(made.body, [TileType((), f64)] * 2)
        emit.insert(control.YieldOp, [emit(floats.MaxFOp, *block.arguments)])
    whole = RoundingMode.NEAREST_INT_TO_ZERO
    return emit(casts.FToIOp, made.results[0], Signedness.SIGNED, whole, type=TileType((), i64))


def _loop(
    emit: CudaTileEmitter,
    bounds: tuple[Value, Value],
    start: Sequence[Value],
    step: Callable[..., list[Value]],
) -> Sequence[Value]:
    """Emit a loop over the integers from the first of `bounds` up to the second, which is not included;
    ``step`` returns the carried values of the next iteration, given the counter and the present values.
    Return the last values.
    """
    carried = [value.type for value in start]
    one = emit.scalar(1, i64)
    made: Any = emit.insert(control.ForOp, *bounds, one, start, body=Region(), result_types=carried)
    with emit.rewriter.at(emit.rewriter.point):
        block = emit.rewriter.create_block(made.body, [TileType((), i64), *carried])
        emit.insert(control.ContinueOp, step(*block.arguments))
    return made.results


def _neighbour(emit: CudaTileEmitter, number: Value, x: Value, here: Value, behind: Value) -> Value:
    """Return ``2 * number / x * here - behind``. If `behind` and `here` are the function of two consecutive
    orders, and `number` is the order of `here`, this is the function of the next order in the same direction.
    """
    factor = emit.over(emit.plus(number, number), x)
    return emit.fused(factor, here, emit(floats.NegFOp, behind))


def _upwards(emit: CudaTileEmitter, x: Value, until: Value, pair: Sequence[Value]) -> Value:
    """Return, for each element, the function of the order ``until``, by recurrence from `pair`, the functions
    of the orders 0 and 1. For a smaller ``until`` it is the function of order 1. An infinite value stays
    infinite.
    """

    def step(counter: Value, behind: Value, here: Value) -> list[Value]:
        number = _numbers(emit, counter, tile_of(x).shape)
        finite = emit.ordered(LESS, emit.like(-INFINITY, x), here)
        active = emit.both(emit.ordered(LESS, number, until), finite)
        ahead = _neighbour(emit, number, x, here, behind)
        return [emit.choose(active, here, behind), emit.choose(active, ahead, here)]

    return _loop(emit, (emit.scalar(1, i64), _largest(emit, until)), pair, step)[1]


def _downwards(emit: CudaTileEmitter, x: Value, order: Value, active: Value, pair: Sequence[Value]) -> Value:
    """Return the magnitude of J of the order ``order``, larger than the argument, where ``active``, else 0.
    `pair` has J of the orders 0 and 1.

    The recurrence goes downwards from an order so large that ``J / Y`` is smaller by ``2**-60`` or more, also
    for arguments next to the order.
    """
    margin = emit.fused(emit.like(9, x), formulas.cube_root(emit, order), emit.like(20, x))
    start = emit(floats.FloorOp, emit.plus(order, margin))
    start = emit.choose(active, start, _zero(emit, x))
    bounded = emit(floats.MaxFOp, x, emit.like(SMALLEST, x), propagate_nan=True)
    last = _largest(emit, start)
    wanted = emit.plus(order, emit.like(1, x))

    def step(counter: Value, above: Value, here: Value, found: Value) -> list[Value]:
        number = _numbers(emit, emit.subtract(last, counter), tile_of(x).shape)
        below = _neighbour(emit, number, bounded, here, above)
        moves = emit.ordered(AT_MOST, number, start)
        found = emit.choose(emit.both(moves, emit.ordered(EQUAL, number, wanted)), below, found)
        above, here = emit.choose(moves, here, above), emit.choose(moves, below, here)
        large = emit.ordered(LESS, emit.like(HUGE, x), formulas.magnitude(emit, here))
        scale = emit.choose(large, emit.like(SCALE, x), emit.like(1, x))
        return [emit.times(value, scale) for value in (above, here, found)]

    one = emit.like(1, x)
    bounds = (emit.scalar(0, i64), last)
    first, zeroth, found = _loop(emit, bounds, [one, one, _zero(emit, x)], step)
    smaller = emit.ordered(LESS, formulas.magnitude(emit, pair[0]), formulas.magnitude(emit, pair[1]))
    scale = emit.choose(smaller, emit.over(pair[1], first), emit.over(pair[0], zeroth))
    return formulas.magnitude(emit, emit.times(found, scale))


def _beyond(emit: CudaTileEmitter, order: Value, size: Value) -> Value:
    """Return an i1 that is true where the order is so large that the function at the argument ``size``, a
    magnitude, is certainly outside of the range of f64.
    """
    limit = emit(floats.MaxFOp, emit.like(LIMIT, size), emit.times(emit.like(3, size), size))
    return emit.ordered(LESS, limit, order)


def _ordered(function: Formula) -> Formula:
    """Return the formula for an integer order and a floating-point argument, from `function`, a formula whose
    order is a float, too. Negative orders give NaN.
    """

    def formula(emit: CudaTileEmitter, n: Value, x: Value) -> Value:
        order = emit(casts.IToFOp, n, Signedness.SIGNED, NEAREST, type=x.type)
        value = function(emit, order, x)
        return emit.choose(emit.ordered(LESS, order, _zero(emit, x)), emit.like(float("nan"), x), value)

    return formula


def _first_kind(emit: CudaTileEmitter, order: Value, x: Value) -> Value:
    """Return J of the order `order` at `x`, both f64: an even or odd function as its order, 0 at infinities
    and, except for order 0, at 0.
    """
    size = formulas.magnitude(emit, x)
    pair = [function(emit, size) for function in bessel.FIRST_KIND]
    reach = emit(floats.MaxFOp, size, emit.like(1, x), propagate_nan=True)
    direct = emit.ordered(AT_MOST, order, reach)
    finite = emit.ordered(LESS, size, emit.like(INFINITY, x))
    until = emit.choose(emit.both(direct, finite), order, _zero(emit, x))
    low = emit.choose(emit.ordered(EQUAL, order, _zero(emit, x)), pair[0], _upwards(emit, size, until, pair))
    high_orders = emit.both(emit.ordered(LESS, reach, order), emit.inverted(_beyond(emit, order, size)))
    value = emit.choose(direct, low, _downwards(emit, size, order, high_orders, pair))
    turned = emit.times(value, formulas.copy_sign(emit, emit.like(1, x), x))
    even = emit.ordered(EQUAL, emit(floats.RemFOp, order, emit.like(2, x)), _zero(emit, x))
    return emit.choose(even, value, turned)


def _second_kind(emit: CudaTileEmitter, order: Value, x: Value) -> Value:
    """Return Y of the order `order` at `x`, both f64: NaN for negative arguments, negative infinity at 0, and
    0 at infinity.
    """
    pair = [function(emit, x) for function in bessel.SECOND_KIND]
    positive = emit.ordered(LESS, _zero(emit, x), x)
    finite = emit.ordered(LESS, x, emit.like(INFINITY, x))
    regular = emit.both(positive, finite)
    beyond = emit.both(regular, _beyond(emit, order, x))
    until = emit.choose(emit.both(regular, emit.inverted(beyond)), order, _zero(emit, x))
    value = emit.choose(beyond, emit.like(-INFINITY, x), _upwards(emit, x, until, pair))
    return emit.choose(emit.ordered(EQUAL, order, _zero(emit, x)), pair[0], value)


ORDERS: dict[str, Formula] = {
    "jn": formulas.in_double(_ordered(_first_kind)),
    "yn": formulas.in_double(_ordered(_second_kind)),
}
"""The formula of each function of an integer order, by the name of the function for f64; the first operand is
the order.
"""
