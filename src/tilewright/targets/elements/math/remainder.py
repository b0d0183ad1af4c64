"""The remainder of the truncated quotient, which is exact: long division, with 51 bits of the quotient per
iteration.
"""

from __future__ import annotations

from collections.abc import Mapping

from tilewright.dialects.llvm.intrinsics.float import RoundEvenOp
from tilewright.ir.builtin_types import f64
from tilewright.targets.elements.expression import Expression
from tilewright.targets.elements.math.polynomial import INFINITY, MathFunction, any_lane

ROUND_BITS = 51
LEAST_NORMAL = 2.0**-1022
LIFT = 54
"""The number of binades by which subnormal numbers are scaled up to be normal."""
PLACES = f64.format.mantissa_bits
BIAS = f64.format.bias


def _field(x: Expression) -> Expression:
    """Return the biased exponent of a positive number as an integer; 0 for subnormal numbers."""
    return x.bits() >> PLACES


def _power(exponent: Expression) -> Expression:
    return ((exponent + BIAS) << PLACES).as_type(f64)


def _true_field(x: Expression) -> Expression:
    """Return the biased exponent of a positive number after normalisation: it is below 1 for subnormal
    numbers.
    """
    return x.compare("OLT", LEAST_NORMAL).select(_field(x * 2.0**LIFT) - LIFT, _field(x))


def _rounded(rest: Expression, divisor: Expression, field: Expression) -> Expression:
    """Return `rest` minus a multiple of `divisor`, not negative: the remainder after one iteration. `rest` is
    at least `divisor`, and `field` is the biased exponent of `divisor`.

    The divisor is scaled up so that the quotient has few enough bits. The quotient is rounded to an integer,
    and the fused product subtracts it without error.
    """
    distance = (_field(rest) - field - ROUND_BITS).maximum(0)
    half = distance >> 1
    moved = divisor * _power(half) * _power(distance - half)
    quotient = (rest / moved).apply(RoundEvenOp)
    left = (-quotient).fma(moved, rest)
    return left.compare("OLT", 0.0).select(left + moved, left)


def _divided(size: Expression, divisor: Expression) -> Expression:
    """Return the remainder of the division of `size`, which is at least 0, by `divisor`. A lane is returned
    unchanged if `size` is infinite or NaN, or if `divisor` is not greater than 0.
    """
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
    """Return the remainder of ``x / y`` with the quotient truncated; it has the sign of `x`. The result is
    NaN if `x` is infinite, `y` is 0, or one of them is NaN. f32 numbers are computed in f64.
    """
    wide, divisor = x.to_float(f64), y.to_float(f64).magnitude()
    size = wide.magnitude()
    rest = _divided(size, divisor).with_sign_of(wide)
    undefined = ~(size.compare("OLT", INFINITY) & divisor.compare("OGT", 0.0))
    return undefined.select(float("nan"), rest).to_float(x.element)


FUNCTIONS: Mapping[str, MathFunction] = {
    "fmod": MathFunction(fmod),
}
"""The functions of this file, by name."""
