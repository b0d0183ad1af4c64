"""The remainder of the truncated quotient, which is exact: long division, with 51 bits of the quotient in a round."""

from __future__ import annotations

from collections.abc import Mapping

from tilewright.dialects.llvm.intrinsics.float import RoundEvenOp
from tilewright.ir.builtin_types import f64
from tilewright.targets.elements.expression import Expression
from tilewright.targets.elements.math.function import Function
from tilewright.targets.elements.math.polynomial import INFINITY, any_lane

ROUND_BITS = 51
LEAST_NORMAL = 2.0**-1022
LIFT = 54
"""Binades by which subnormal numbers are lifted to be normal."""
PLACES = f64.format.mantissa_bits
BIAS = f64.format.bias


def _field(x: Expression) -> Expression:
    """The exponent of a positive number, biased."""
    return x.bits() >> PLACES


def _power(exponent: Expression) -> Expression:
    return ((exponent + BIAS) << PLACES).as_type(f64)


def _true_field(x: Expression) -> Expression:
    """The same, below 1 for subnormal numbers."""
    return x.compare("OLT", LEAST_NORMAL).select(_field(x * 2.0**LIFT) - LIFT, _field(x))


def _rounded(rest: Expression, divisor: Expression, field: Expression) -> Expression:
    """What one round leaves of a number that is no less than the divisor, whose exponent is given.

    The quotient by the divisor, moved up so far that it has few enough bits, is rounded to an integer; the fused
    product takes it away without error, and what is left is at most half of the moved divisor.
    """
    distance = (_field(rest) - field - ROUND_BITS).maximum(0)
    half = distance >> 1
    moved = divisor * _power(half) * _power(distance - half)
    quotient = (rest / moved).apply(RoundEvenOp)
    left = (-quotient).fma(moved, rest)
    return left.compare("OLT", 0.0).select(left + moved, left)


def _divided(size: Expression, divisor: Expression) -> Expression:
    """The rest of a finite number from 0 up; other numbers as they are."""
    code = size.code
    head, done = code.new_block([size.type]), code.new_block([size.type])
    possible = size.compare("OLT", INFINITY) & divisor.compare("OGT", 0.0)
    field = _true_field(divisor)
    code.jump(head, [size.value])
    code.enter(head)
    rest = size.of(head.arguments[0])
    active = possible & rest.compare("OGE", divisor)
    left = active.select(_rounded(rest, divisor, field), rest)
    again = any_lane(possible & left.compare("OGE", divisor))
    code.fork(again, head, done, [left.value], [left.value])
    code.enter(done)
    return size.of(done.arguments[0])


def fmod(x: Expression, y: Expression) -> Expression:
    """The remainder, with the sign of the dividend; computed in f64, which holds quotients of f32 numbers."""
    wide, divisor = x.to_float(f64), y.to_float(f64).magnitude()
    size = wide.magnitude()
    rest = _divided(size, divisor).with_sign_of(wide)
    undefined = ~(size.compare("OLT", INFINITY) & divisor.compare("OGT", 0.0))
    return undefined.select(float("nan"), rest).to_float(x.element)


FUNCTIONS: Mapping[str, Function] = {
    "fmod": Function(fmod),
}
"""The functions of this file, by name."""
