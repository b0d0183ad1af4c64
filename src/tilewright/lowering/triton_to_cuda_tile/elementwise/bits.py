"""Functions that are exact, by the bits of numbers: neighbours, exponents, bytes, and roundings of wide integers."""

from __future__ import annotations

from typing import Any

from tilewright.dialects.cuda_tile.enums import ComparisonPredicate, RoundingMode, Signedness
from tilewright.dialects.cuda_tile.ops import conversion as casts
from tilewright.dialects.cuda_tile.ops import float as floats
from tilewright.dialects.cuda_tile.ops import integer as integers
from tilewright.dialects.cuda_tile.rules.rounding import RANGES
from tilewright.dialects.cuda_tile.types import tile_of
from tilewright.ir.builtin_types import f32, f64, i32, i64
from tilewright.ir.value import Value
from tilewright.lowering.triton_to_cuda_tile.elementwise.formulas import (
    EQUAL,
    INFINITY,
    LESS,
    copy_sign,
    integer_type,
    magnitude,
)
from tilewright.lowering.triton_to_cuda_tile.emit import Emitter
from tilewright.lowering.triton_to_cuda_tile.pattern import Formula

NEAREST = RoundingMode.NEAREST_EVEN
INTEGERS_OF_F64 = 1 << 53
"""Integers of smaller magnitude are exact in f64."""
STICKY = 11
"""So many bits of 64 are below the 53 of f64."""
SMALLEST_OF_F64 = 2.0**-1022
"""The smallest normal number."""


def shifted_right(
    emit: Emitter, x: Value, count: int | Value, sign: Signedness = Signedness.UNSIGNED
) -> Value:
    """The bits of integers, moved down."""
    amount = emit.like(count, x) if isinstance(count, int) else count
    return emit(integers.ShRIOp, x, amount, sign)


def shifted_left(emit: Emitter, x: Value, count: int) -> Value:
    """The bits of integers, moved up."""
    return emit(integers.ShLIOp, x, emit.like(count, x))


def neighbour(emit: Emitter, x: Value, y: Value) -> Value:
    """The next number after ``x`` on the way to ``y``: the bits of a magnitude, plus or minus one."""
    kind, element = integer_type(x), tile_of(x).element_type
    bits, zero = emit.same_bits(x, kind), emit.like(0, x)
    grows = emit(integers.XOrIOp, emit.ordered(LESS, x, y), emit.ordered(LESS, x, zero))
    step = emit.choose(grows, emit.like(1, bits), emit.like(-1, bits))
    moved = emit.same_bits(emit.add(bits, step), element)
    least = emit.same_bits(emit.like(1, bits), element)
    moved = emit.choose(emit.ordered(EQUAL, x, zero), copy_sign(emit, least, y), moved)
    moved = emit.choose(emit.ordered(EQUAL, x, y), y, moved)
    unordered = emit.either(emit.is_nan(x), emit.is_nan(y))
    return emit.choose(unordered, emit.plus(x, y), moved)


def _exponent(emit: Emitter, x: Value) -> Value:
    """The exponent of finite numbers that are not zero, as integers of their width."""
    element: Any = tile_of(x).element_type
    range = RANGES[element.spelling]
    mantissa, size = range.precision - 1, magnitude(emit, x)
    tiny = emit.ordered(LESS, size, emit.like(2.0**range.smallest, x))
    scaled = emit.choose(tiny, emit.times(size, emit.like(2.0**range.precision, x)), size)
    held = shifted_right(emit, emit.same_bits(scaled, integer_type(x)), mantissa)
    offset = emit.choose(
        tiny, emit.like(range.largest + range.precision, held), emit.like(range.largest, held)
    )
    return emit.subtract(held, offset)


def exponent_as_float(emit: Emitter, x: Value) -> Value:
    """The exponent of a number; that of zero is negative infinity."""
    size = magnitude(emit, x)
    found = emit(casts.IToFOp, _exponent(emit, x), Signedness.SIGNED, NEAREST, type=x.type)
    found = emit.choose(emit.ordered(EQUAL, size, emit.like(0, x)), emit.like(-INFINITY, x), found)
    return emit.choose(emit.ordered(LESS, size, emit.like(INFINITY, x)), found, size)


def exponent_as_integer(emit: Emitter, x: Value) -> Value:
    """The exponent of a number in 32 bits; the least integer for zero and NaN, the greatest for infinities."""
    size, found = magnitude(emit, x), emit.resized(_exponent(emit, x), i32)
    infinite = emit.ordered(EQUAL, size, emit.like(INFINITY, x))
    found = emit.choose(infinite, emit.like((1 << 31) - 1, found), found)
    none = emit.either(emit.is_nan(x), emit.ordered(EQUAL, size, emit.like(0, x)))
    return emit.choose(none, emit.like(-(1 << 31), found), found)


def chosen_bytes(emit: Emitter, x: Value, y: Value, selector: Value) -> Value:
    """Four bytes of the eight of two words, the lower ones in ``x``; each by three bits of the selector, four apart."""
    pair = emit.either(shifted_left(emit, emit.resized(y, i64), 32), emit.resized(x, i64, signed=False))
    made = emit.like(0, x)
    for at in range(4):
        number = emit.both(shifted_right(emit, selector, 4 * at), emit.like(7, x))
        place = emit.resized(shifted_left(emit, number, 3), i64)
        byte = emit.both(shifted_right(emit, pair, place), emit.like(0xFF, pair))
        made = emit.either(made, shifted_left(emit, emit.resized(byte, i32), 8 * at))
    return made


def high_reciprocal(emit: Emitter, x: Value) -> Value:
    """The reciprocal of a number without its lower word, without a lower word; numbers below the normal ones are zero."""
    return _upper(emit, emit.over(emit.like(1, x), _upper(emit, x)))


def _upper(emit: Emitter, x: Value) -> Value:
    bits = emit.same_bits(x, i64)
    kept = emit.same_bits(emit.both(bits, emit.like(-(1 << 32), bits)), f64)
    tiny = emit.ordered(LESS, magnitude(emit, x), emit.like(SMALLEST_OF_F64, x))
    return emit.choose(tiny, copy_sign(emit, emit.like(0, x), x), kept)


def wide_to_double(sign: Signedness, mode: RoundingMode) -> Formula:
    """Integers of 64 bits as f64: the sum of both words, which are exact, is rounded once."""

    def formula(emit: Emitter, x: Value) -> Value:
        type = tile_of(x).with_element_type(f64)
        words = shifted_right(emit, x, 32, sign), emit.both(x, emit.like((1 << 32) - 1, x))
        high, low = (emit(casts.IToFOp, word, sign, NEAREST, type=type) for word in words)
        return emit(floats.AddFOp, emit.times(high, emit.like(2.0**32, high)), low, mode)

    return formula


def wide_to_single(sign: Signedness, mode: RoundingMode) -> Formula:
    """Integers of 64 bits as f32, by way of f64.

    Large ones lose the bits that f64 has no place for; the lowest bit that is left says whether there were any, so that
    the number is on the same side of every f32.
    """

    def formula(emit: Emitter, x: Value) -> Value:
        below = emit.like((1 << STICKY) - 1, x)
        lost = emit.choose(emit.is_set(emit.both(x, below)), emit.like(1 << STICKY, x), emit.like(0, x))
        large = emit.either(emit.both(x, emit.inverted_bits(below)), lost)
        exact = emit.choose(_is_exact(emit, x, sign), x, large)
        wide = emit(casts.IToFOp, exact, sign, NEAREST, type=tile_of(x).with_element_type(f64))
        return emit.converted(wide, f32, mode)

    return formula


def _is_exact(emit: Emitter, x: Value, sign: Signedness) -> Value:
    """Whether integers are of less than 54 bits: moved up from zero, if they may be negative."""
    signed = sign is Signedness.SIGNED
    moved = emit.add(x, emit.like(INTEGERS_OF_F64, x)) if signed else x
    limit = emit.like(INTEGERS_OF_F64 << 1 if signed else INTEGERS_OF_F64, x)
    return emit.compared(ComparisonPredicate.LESS_THAN, moved, limit, signed=False)
