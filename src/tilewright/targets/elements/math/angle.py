"""Argument reduction of large angles by multiples of a quarter turn, with all significant bits of 2 / pi
(Payne and Hanek).

An angle is ``m * 2**e`` with an integer ``m`` of 53 bits. Only ``m * 2**e * 2 / pi`` modulo four quarter
turns is needed, so bits of 2 / pi from ``2**(2 - e)`` up have no effect: a window of 192 bits is taken from
the constant, and the low 192 bits of its product with ``m`` begin with the quadrant. The distance of an angle
to a multiple of a quarter turn cancels at most 61 bits, which leaves more than 64.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from tilewright.dialects.llvm import enums as llvm_enums, types as llvm_types
from tilewright.dialects.llvm.intrinsics.integer import FshrOp
from tilewright.dialects.llvm.ops import aggregate as llvm_aggregate, conversion as casts
from tilewright.dialects.llvm.ops.symbol import GlobalOp
from tilewright.ir import block as ir_block, builtin_attributes
from tilewright.ir.builtin_types import IntegerType, RankedTensorType, f64, i64
from tilewright.targets.elements.expression import Expression, as_signed
from tilewright.targets.elements.math import coefficients as tables
from tilewright.targets.elements.math.polynomial import ALIGNMENT, MathFunction, fast_sum, product
from tilewright.targets.llvm.code import POINTER, LoopBody

SYMBOL = "tilewright.two_over_pi"
WORD = 64
WORDS = -(-tables.TURN_BITS // WORD)
WINDOW = 3
"""The number of 64-bit words of 2 / pi that are multiplied with the significand."""
LAST_SHIFT = (WORDS - WINDOW) * WORD - 1
WIDE = IntegerType(2 * WORD)
PLACES = f64.format.mantissa_bits
LARGEST_FIELD = 2 * f64.format.bias
EXACT = 53
SPARE = WORD - EXACT
"""The number of bits of a word that an f64 cannot represent."""


def constant() -> GlobalOp:
    """Return a global with the bits of 2 / pi, the lowest word first."""
    words = [tables.TWO_OVER_PI >> (WORD * at) & ((1 << WORD) - 1) for at in range(WORDS)]
    type = RankedTensorType((WORDS,), i64)
    return GlobalOp(
        global_type=llvm_types.LLVMArrayType(i64, WORDS),
        sym_name=SYMBOL,
        linkage=llvm_enums.Linkage.INTERNAL,
        constant=True,
        value=builtin_attributes.dense(type, [as_signed(word, WORD) for word in words]),
        initializer=ir_block.Region(),
    )


def angle(x: Expression, place: Expression) -> Expression:
    """Return the quarter turns of angles (f64), modulo 4, as i64. The rest, at most an eighth of a turn in
    radians, is written to `place`, an address of ``2 * lanes`` numbers of f64: first the nearest numbers,
    then their residuals.
    """
    code, lanes = x.code, x.lanes
    source, quadrants = code.stack(lanes, f64, ALIGNMENT), code.stack(lanes, i64, ALIGNMENT)
    code.store(x.value, source, ALIGNMENT)

    def lane(loop: LoopBody) -> tuple[()]:
        one = Expression(code, code.load(code.address(source, loop.index, f64), f64, 8))
        quadrant, high, low = _reduced(one)
        code.store(high.value, code.address(place.value, loop.index, f64), 8)
        code.store(low.value, code.address(place.value, code.add(loop.index, lanes), f64), 8)
        code.store(quadrant.value, code.address(quadrants, loop.index, i64), 8)
        return ()

    code.loop(0, lanes, 1, (), lane)
    return Expression(code, code.load(quadrants, x.like(i64), ALIGNMENT))


def _reduced(x: Expression) -> tuple[Expression, Expression, Expression]:
    """Return the quarter turns of an angle modulo 4, the rest in radians, which is NaN for an infinite angle,
    and its residual.
    """
    bits = x.bits()
    field = (bits >> PLACES) & LARGEST_FIELD + 1
    mantissa = (bits & ((1 << PLACES) - 1)) | (1 << PLACES)
    shift = (x.constant(LARGEST_FIELD, i64) - field).maximum(0).minimum(LAST_SHIFT)
    high, low = _product(_window(shift), mantissa)
    turns = (high + (1 << (WORD - 3))) >> (WORD - 2)
    first = (high << 2) | (low >> (WORD - 2))
    near, rest = _fraction(first, low << 2)
    negative = bits.compare("SLT", 0)
    near = near + x * 0.0  # NaN for an infinite angle
    near, rest = negative.select(-near, near), negative.select(-rest, rest)
    return negative.select(-turns, turns) & 3, near, rest


def _window(shift: Expression) -> Sequence[Expression]:
    """Return `WINDOW` words of 64 bits of the constant 2 / pi, from bit `shift` on, the lowest word first."""
    code = shift.code
    table = code(llvm_aggregate.AddressOfOp, SYMBOL, type=POINTER)
    begin = (shift >> 6).value
    words = [
        Expression(code, code.load(code.address(table, code.add(begin, at), i64), i64, 8))
        for at in range(WINDOW + 1)
    ]
    return [high.apply(FshrOp, low, shift & (WORD - 1)) for low, high in pairwise(words)]


def _product(words: Sequence[Expression], factor: Expression) -> tuple[Expression, Expression]:
    """Return the two highest words of ``words * factor``, modulo the length of `words`: the higher word
    first.
    """
    wide = factor.extended(WIDE, signed=False)
    terms = [word.extended(WIDE, signed=False) * wide for word in words]
    total = below = terms[0]
    for term in terms[1:]:
        below, total = total, term + (total >> WORD)
    return total.cast(casts.TruncOp, i64), below.cast(casts.TruncOp, i64)


def _fraction(high: Expression, low: Expression) -> tuple[Expression, Expression]:
    """Return an angle in radians and its residual, for a signed fraction of a quarter turn of 128 bits."""
    kept = high & -(1 << SPARE)
    following = ((high & ((1 << SPARE) - 1)) << EXACT) | (low >> SPARE)
    larger = kept.cast(casts.SIToFPOp, f64) * 2.0**-WORD
    smaller = following.cast(casts.UIToFPOp, f64) * 2.0 ** -(WORD + EXACT)
    turn, missing = fast_sum(larger, smaller)
    near, rest = product(turn, tables.HALF_PI_DOUBLE[0])
    return fast_sum(near, turn.fma(tables.HALF_PI_DOUBLE[1], missing.fma(tables.HALF_PI_DOUBLE[0], rest)))


FUNCTIONS: Mapping[str, MathFunction] = {
    "angle": MathFunction(angle),
}
"""The functions of this file, by the name of their symbol."""
