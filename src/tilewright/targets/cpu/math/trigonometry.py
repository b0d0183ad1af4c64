"""Sine, cosine, tangent and the angle of a point (f32).

Arguments of up to `LARGEST` are reduced by multiples of a quarter turn in three fused steps, which are as exact as the
result needs; larger ones, and infinities, go to the C library lane by lane.
"""

from __future__ import annotations

from math import pi

from tilewright.dialects.llvm.intrinsics_vector import VectorReduceOrOp
from tilewright.ir.builtin_types import f32, i1
from tilewright.ir.value import Value
from tilewright.targets.cpu.elementwise_exact import two_sum
from tilewright.targets.cpu.elementwise_expression import Expression
from tilewright.targets.cpu.math import coefficients as tables
from tilewright.targets.cpu.math.lanes import by_lanes
from tilewright.targets.cpu.math.polynomial import horner, keeping_zero

LARGEST = 48000.0
MAGIC = 1.5 * 2.0**23
SIGN_PLACE = 30
"""From bit 1 of the quadrant to the sign."""
PI_HIGH, PI_LOW = 2 * tables.HALF_PI[0], 2 * tables.HALF_PI[1]


def _turns(x: Expression) -> tuple[Expression, Expression, Expression]:
    """Quarter turns, as a number and as bits, and what remains without the leading part of each, which is exact."""
    shifted = x.fma(2.0 / pi, MAGIC)
    turns = shifted - MAGIC
    return turns, shifted.bits(), turns.fma(-tables.HALF_PI[0], x)


def _reduced(x: Expression) -> tuple[Expression, Expression]:
    """The rest, at most an eighth of a turn, and how many quarter turns there were."""
    turns, quadrant, near = _turns(x)
    _, second, third = tables.HALF_PI
    return turns.fma(-third, turns.fma(-second, near)), quadrant


def _reduced_exactly(x: Expression) -> tuple[Expression, Expression, Expression]:
    """The same, and what the rest misses."""
    turns, quadrant, near = _turns(x)
    _, second, third = tables.HALF_PI
    product = turns * -second
    rest, lost = two_sum(near, product)
    lost = lost + turns.fma(-second, -product)
    return rest, turns.fma(-third, lost), quadrant


def _sine_and_cosine(rest: Expression) -> tuple[Expression, Expression]:
    square = rest * rest
    sine = (rest * square).fma(horner(square, tables.SIN), rest)
    return sine, horner(square, (1.0, -0.5, *tables.COS))


def _with_large(name: str, x: Expression, result: Expression) -> Expression:
    """Large arguments by the C library, if there are any."""
    large = x.magnitude().compare("UGE", LARGEST)
    code = x.code
    some = code(VectorReduceOrOp, large.value, type=i1) if x.lanes > 1 else large.value

    def exact() -> list[Value]:
        return [large.select(by_lanes(name, x), result).value]

    (value,) = code.either(some, exact, lambda: [result.value], (x.type,))
    return x.of(value)


def _turned(rest: Expression, quadrant: Expression) -> Expression:
    """The sine of the rest plus quarter turns."""
    sine, cosine = _sine_and_cosine(rest)
    chosen = (quadrant & 1).compare("NE", 0).select(cosine, sine)
    return (chosen.bits() ^ ((quadrant & 2) << SIGN_PLACE)).as_type(f32)


def sin(x: Expression) -> Expression:
    """Sine."""
    rest, quadrant = _reduced(x)
    return _with_large("sin", x, keeping_zero(x, _turned(rest, quadrant)))


def cos(x: Expression) -> Expression:
    """Cosine: a sine a quarter turn on."""
    rest, quadrant = _reduced(x)
    return _with_large("cos", x, _turned(rest, quadrant + 1))


def tan(x: Expression) -> Expression:
    """Tangent: upside down in odd quadrants."""
    rest, lost, quadrant = _reduced_exactly(x)
    square = rest * rest
    tangent = rest + (rest * square).fma(horner(square, tables.TAN), square.fma(lost, lost))
    result = (quadrant & 1).compare("NE", 0).select(-1.0 / tangent, tangent)
    return _with_large("tan", x, keeping_zero(x, result))


def atan2(y: Expression, x: Expression) -> Expression:
    """The angle of a point: that of the smaller coordinate over the larger, put into its octant."""
    height, width = y.magnitude(), x.magnitude()
    steep = height.compare("OGT", width)
    small, large = steep.select(width, height), steep.select(height, width)
    same = small.compare("OEQ", large)
    degenerate = same & (small.compare("OEQ", 0.0) | small.compare("OEQ", float("inf")))
    ratio = degenerate.select(small.compare("OEQ", 0.0).select(small, 1.0), small / large)
    square = ratio * ratio
    angle = (ratio * square).fma(horner(square, tables.ATAN), ratio)
    angle = steep.select(tables.HALF_PI[0] - (angle - tables.HALF_PI[1]), angle)
    angle = x.bits().compare("SLT", 0).select(PI_HIGH - (angle - PI_LOW), angle)
    is_nan = x.compare("UNO", y)
    return is_nan.select(x + y, angle.with_sign_of(y))
