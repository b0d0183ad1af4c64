"""Exact functions of libdevice that work on the bits of numbers: next float, exponent, bytes, rounding of 64-bit integers."""

from __future__ import annotations

from typing import Any

from tilewright.dialects.cuda_tile.enums import ComparisonPredicate, RoundingMode, Signedness
from tilewright.dialects.cuda_tile.ops import conversion as casts, float as floats, integer as integers
from tilewright.dialects.cuda_tile.rules.rounding import RANGES
from tilewright.dialects.cuda_tile.types import tile_of
from tilewright.ir.builtin_types import f32, f64, i32, i64
from tilewright.ir.value import Value
from tilewright.lowering.triton_to_cuda_tile.elementwise import formulas
from tilewright.lowering.triton_to_cuda_tile.emit import NEAREST, CudaTileEmitter
from tilewright.lowering.triton_to_cuda_tile.pattern import Formula

F64 = RANGES["f64"]
INTEGERS_OF_F64 = 1 << F64.precision
"""Integers of smaller magnitude are exact in f64."""
STICKY = 64 - F64.precision
"""The number of bits of a 64-bit integer beyond the precision of f64."""


def neighbour(emit: CudaTileEmitter, x: Value, y: Value) -> Value:
    """Return the float next to ``x`` on the side of ``y``: the bits of ``x`` as an integer, plus or minus
    one; for zero the smallest number with the sign of ``y``. Equal operands give ``y``, and NaN gives NaN.
    """
    kind, element = formulas.integer_type(x), tile_of(x).element_type
    bits, zero = emit.same_bits(x, kind), emit.like(0, x)
    grows = emit(integers.XOrIOp, emit.ordered(formulas.LESS, x, y), emit.ordered(formulas.LESS, x, zero))
    step = emit.choose(grows, emit.like(1, bits), emit.like(-1, bits))
    moved = emit.same_bits(emit.add(bits, step), element)
    least = emit.same_bits(emit.like(1, bits), element)
    moved = emit.choose(emit.ordered(formulas.EQUAL, x, zero), formulas.copy_sign(emit, least, y), moved)
    moved = emit.choose(emit.ordered(formulas.EQUAL, x, y), y, moved)
    unordered = emit.either(emit.is_nan(x), emit.is_nan(y))
    return emit.choose(unordered, emit.plus(x, y), moved)


def _exponent(emit: CudaTileEmitter, x: Value) -> Value:
    """Return the exponents of finite floats other than zero, the floors of the binary logarithms of their
    magnitudes, as integers with as many bits as the floats.
    """
    element: Any = tile_of(x).element_type
    range = RANGES[element.spelling]
    mantissa, size = range.precision - 1, formulas.magnitude(emit, x)
    tiny = emit.ordered(formulas.LESS, size, emit.like(2.0**range.smallest, x))
    scaled = emit.choose(tiny, emit.times(size, emit.like(2.0**range.precision, x)), size)
    held = emit.shifted_right(emit.same_bits(scaled, formulas.integer_type(x)), mantissa)
    offset = emit.choose(
        tiny, emit.like(range.largest + range.precision, held), emit.like(range.largest, held)
    )
    return emit.subtract(held, offset)


def exponent_as_float(emit: CudaTileEmitter, x: Value) -> Value:
    """Return the exponent of each float, the floor of the binary logarithm of its magnitude, as a float;
    negative infinity for zero, infinity for infinities, NaN for NaN.
    """
    size = formulas.magnitude(emit, x)
    found = emit(casts.IToFOp, _exponent(emit, x), Signedness.SIGNED, NEAREST, type=x.type)
    found = emit.choose(
        emit.ordered(formulas.EQUAL, size, emit.like(0, x)), emit.like(-formulas.INFINITY, x), found
    )
    return emit.choose(emit.ordered(formulas.LESS, size, emit.like(formulas.INFINITY, x)), found, size)


def exponent_as_integer(emit: CudaTileEmitter, x: Value) -> Value:
    """Return the exponent of each float, the floor of the binary logarithm of its magnitude, as an i32; the
    smallest i32 for zero and NaN, the largest for infinities.
    """
    size, found = formulas.magnitude(emit, x), emit.resized(_exponent(emit, x), i32)
    infinite = emit.ordered(formulas.EQUAL, size, emit.like(formulas.INFINITY, x))
    found = emit.choose(infinite, emit.like((1 << 31) - 1, found), found)
    none = emit.either(emit.is_nan(x), emit.ordered(formulas.EQUAL, size, emit.like(0, x)))
    return emit.choose(none, emit.like(-(1 << 31), found), found)


def chosen_bytes(emit: CudaTileEmitter, x: Value, y: Value, selector: Value) -> Value:
    """Return four bytes selected from the eight bytes of ``x`` (numbers 0 to 3) and ``y`` (4 to 7).

    For each byte of the result, the lowest first, the selector has four bits: the lower three are the number
    of the source byte.
    """
    pair = emit.either(emit.shifted_left(emit.resized(y, i64), 32), emit.resized(x, i64, signed=False))
    made = emit.like(0, x)
    for at in range(4):
        number = emit.both(emit.shifted_right(selector, 4 * at), emit.like(7, x))
        place = emit.resized(emit.shifted_left(number, 3), i64)
        byte = emit.both(emit.shifted_right(pair, place), emit.like(0xFF, pair))
        made = emit.either(made, emit.shifted_left(emit.resized(byte, i32), 8 * at))
    return made


def high_reciprocal(emit: CudaTileEmitter, x: Value) -> Value:
    """Return ``1 / x`` for f64, computed from the upper 32 bits of ``x``, with the lower 32 bits of the
    result cleared. Subnormal numbers count as zero.
    """
    return _upper(emit, emit.over(emit.like(1, x), _upper(emit, x)))


def _upper(emit: CudaTileEmitter, x: Value) -> Value:
    bits = emit.same_bits(x, i64)
    kept = emit.same_bits(emit.both(bits, emit.like(-(1 << 32), bits)), f64)
    tiny = emit.ordered(formulas.LESS, formulas.magnitude(emit, x), emit.like(2.0**F64.smallest, x))
    return emit.choose(tiny, formulas.copy_sign(emit, emit.like(0, x), x), kept)


def wide_to_double(sign: Signedness, mode: RoundingMode) -> Formula:
    """Return the formula that converts 64-bit integers, signed or not by `sign`, to f64: both 32-bit halves
    are exact, and their sum is rounded once by `mode`.
    """

    def formula(emit: CudaTileEmitter, x: Value) -> Value:
        type = tile_of(x).with_element_type(f64)
        words = (
            emit.shifted_right(x, 32, signed=sign is Signedness.SIGNED),
            emit.both(x, emit.like((1 << 32) - 1, x)),
        )
        high, low = (emit(casts.IToFOp, word, sign, NEAREST, type=type) for word in words)
        return emit(floats.AddFOp, emit.times(high, emit.like(2.0**32, high)), low, mode)

    return formula


def wide_to_single(sign: Signedness, mode: RoundingMode) -> Formula:
    """Return the formula that converts 64-bit integers, signed or not by `sign`, to f32, rounded by `mode`,
    by way of f64.

    Large integers lose the bits that f64 cannot represent; the lowest remaining bit is set if any of the lost
    bits was, so that the number stays on the same side of every f32.
    """

    def formula(emit: CudaTileEmitter, x: Value) -> Value:
        below = emit.like((1 << STICKY) - 1, x)
        lost = emit.choose(emit.is_set(emit.both(x, below)), emit.like(1 << STICKY, x), emit.like(0, x))
        large = emit.either(emit.both(x, emit.inverted_bits(below)), lost)
        exact = emit.choose(_is_exact(emit, x, sign), x, large)
        wide = emit(casts.IToFOp, exact, sign, NEAREST, type=tile_of(x).with_element_type(f64))
        return emit.converted(wide, f32, mode)

    return formula


def _is_exact(emit: CudaTileEmitter, x: Value, sign: Signedness) -> Value:
    """Return an i1 that is true for 64-bit integers, signed or not by `sign`, whose magnitude is below 2**53,
    so that f64 represents them exactly; it is true for -2**53, too.
    """
    signed = sign is Signedness.SIGNED
    moved = emit.add(x, emit.like(INTEGERS_OF_F64, x)) if signed else x
    limit = emit.like(INTEGERS_OF_F64 << 1 if signed else INTEGERS_OF_F64, x)
    return emit.compared(ComparisonPredicate.LESS_THAN, moved, limit, signed=False)
