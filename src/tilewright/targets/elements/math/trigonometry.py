"""Sine, cosine, tangent and the angle of a point, of f32 and f64.

Ordinary angles are reduced by multiples of a quarter turn in three fused steps, which are as exact as the
result needs. Larger angles are reduced by `angle`, if there are any.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import pi

from tilewright.dialects.math import dialect as operations
from tilewright.ir.builtin_types import FloatType, IntegerType, f32, f64, i64
from tilewright.ir.value import Value
from tilewright.targets.elements.exact import two_sum
from tilewright.targets.elements.expression import Expression
from tilewright.targets.elements.math import coefficients as tables, exponential, polynomial


@dataclass(frozen=True, slots=True)
class TrigonometricConstants:
    """The constants for one float format.

    - ``large``: the magnitude from which on angles are reduced by all bits of 2 / pi.
    - ``quarter``: pi / 2 as a sum of floats, largest first; the others are coefficients of polynomials.
    - ``precise``: whether sines use the residual of the reduced angle, which reduces the error by a quarter
      of a unit in the last place and costs a sixth of the time.
    """

    large: float
    quarter: Sequence[float]
    sine: Sequence[float]
    cosine: Sequence[float]
    arc_tangent: Sequence[float]
    precise: bool


ANGLES: Mapping[FloatType, TrigonometricConstants] = {
    f32: TrigonometricConstants(48000.0, tables.HALF_PI, tables.SIN, tables.COS, tables.ATAN, precise=False),
    f64: TrigonometricConstants(
        2.0**28, tables.HALF_PI_DOUBLE, tables.SIN_DOUBLE, tables.COS_DOUBLE, tables.ATAN_DOUBLE, precise=True
    ),
}


@dataclass(frozen=True, slots=True)
class ReducedAngle:
    """An angle as ``quadrant`` quarter turns (modulo 4) plus ``rest``, of at most an eighth of a turn.

    ``lost`` is the residual of ``rest``; None: it was not computed.
    """

    quadrant: Expression
    rest: Expression
    lost: Expression | None = None

    def values(self) -> list[Value]:
        """Return the values of the parts: quadrant, rest, and residual if it is known."""
        return [part.value for part in (self.quadrant, self.rest, self.lost) if part is not None]


def _by_steps(x: Expression, *, precise: bool) -> ReducedAngle:
    """Return the reduced angle of `x`, with a rest of at most an eighth of a turn, within a unit in the last
    place; with its residual if `precise`. The magnitude of `x` must be less than ``large`` of its format;
    other lanes get a wrong angle.
    """
    first, second, third = ANGLES[x.element].quarter
    magic = exponential.ONE_AND_A_HALF * 2.0**x.element.format.mantissa_bits
    shifted = x.fma(2.0 / pi, magic)
    turns = shifted - magic
    near = turns.fma(-first, x)  # exact
    if not precise:
        return ReducedAngle(shifted.bits(), turns.fma(-third, turns.fma(-second, near)))
    product = turns * -second
    rest, lost = two_sum(near, product)
    lost = lost + turns.fma(-second, -product)
    return ReducedAngle(shifted.bits(), rest, turns.fma(-third, lost))


def _by_all_bits(x: Expression, *, precise: bool) -> ReducedAngle:
    """Return the reduced angle, by all bits of 2 / pi, for an angle of any size; with its residual if
    `precise`.
    """
    code, wide = x.code, x.to_float(f64)
    place = Expression(code, code.stack(2 * x.lanes, f64, polynomial.ALIGNMENT))
    quadrant = polynomial.called("angle", wide, place, type=x.like(i64))
    turns = quadrant.extended(IntegerType(x.element.width), signed=False)
    high = x.of(code.load(place.value, wide.type, polynomial.ALIGNMENT))
    rest = high.to_float(x.element)
    if not precise:
        return ReducedAngle(turns, rest)
    low = x.of(code.load(code.address(place.value, x.lanes, f64), wide.type, f64.width // 8))
    lost = (high - rest.to_float(f64)) + low
    return ReducedAngle(turns, rest, lost.to_float(x.element))


def _reduced(x: Expression, *, precise: bool) -> ReducedAngle:
    """Return the reduced angles, with their residuals if `precise`.

    If a lane has a large angle, such lanes are reduced by all bits of 2 / pi.
    """
    near = _by_steps(x, precise=precise)
    large = x.magnitude().compare("UGE", ANGLES[x.element].large)

    def exact() -> list[Value]:
        far = _by_all_bits(x, precise=precise)
        return [
            large.select(x.of(one), x.of(other)).value
            for one, other in zip(far.values(), near.values(), strict=True)
        ]

    types = [value.type for value in near.values()]
    found = x.code.either(polynomial.any_lane(large), exact, near.values, types)
    return ReducedAngle(*map(x.of, found))


def _turned(angle: ReducedAngle, further: int) -> Expression:
    """Return the sine of a reduced angle plus `further` quarter turns."""
    rest = angle.rest
    data = ANGLES[rest.element]
    quadrant = angle.quadrant + further if further else angle.quadrant
    square = rest * rest
    bend, cosine = polynomial.horner(square, data.sine), polynomial.horner(square, (1.0, -0.5, *data.cosine))
    if angle.lost is None:
        sine = (rest * square).fma(bend, rest)
    else:
        sine = rest + (rest * square).fma(bend, angle.lost)
        cosine = cosine - rest * angle.lost
    chosen = (quadrant & 1).compare("NE", 0).select(cosine, sine)
    return (chosen.bits() ^ ((quadrant & 2) << (rest.element.width - 2))).as_type(rest.element)


def sin(x: Expression) -> Expression:
    """Return the sine of angles in radians; NaN for infinities."""
    return polynomial.keeping_zero(x, _turned(_reduced(x, precise=ANGLES[x.element].precise), 0))


def cos(x: Expression) -> Expression:
    """Return the cosine of angles in radians, as the sine of a quarter turn more; NaN for infinities."""
    return _turned(_reduced(x, precise=ANGLES[x.element].precise), 1)


def tan(x: Expression) -> Expression:
    """Return the tangent of angles in radians; in odd quadrants it is the negative reciprocal for the reduced
    angle.
    """
    found = _reduced(x, precise=True)
    assert found.lost is not None
    return polynomial.keeping_zero(x, TANGENTS[x.element](found.quadrant, found.rest, found.lost))


def _tangent(quadrant: Expression, rest: Expression, lost: Expression) -> Expression:
    """Return the tangent of a reduced angle, given by its fields (see `ReducedAngle`), by a polynomial, for
    f32.
    """
    square = rest * rest
    tangent = rest + (rest * square).fma(polynomial.horner(square, tables.TAN), square.fma(lost, lost))
    return (quadrant & 1).compare("NE", 0).select(-1.0 / tangent, tangent)


def _tangent_of_two(quadrant: Expression, rest: Expression, lost: Expression) -> Expression:
    """Return the tangent of a reduced angle, given by its fields (see `ReducedAngle`), as a quotient of sine
    and cosine, for f64.
    """
    data = ANGLES[rest.element]
    square = rest * rest
    bend = (rest * square).fma(polynomial.horner(square, data.sine), lost)
    sine, sine_low = polynomial.fast_sum(rest, bend)
    most = square.fma(-0.5, 1.0)
    missing = (1.0 - most) - square * 0.5
    fourth = (square * square) * polynomial.horner(square, data.cosine)
    cosine, cosine_low = polynomial.fast_sum(most, fourth + (missing - rest * lost))
    odd = (quadrant & 1).compare("NE", 0)
    above = odd.select(cosine, sine), odd.select(cosine_low, sine_low)
    below = odd.select(-sine, cosine), odd.select(-sine_low, cosine_low)
    return polynomial.quotient_of_sums(above, below)


TANGENTS: Mapping[FloatType, Callable[[Expression, Expression, Expression], Expression]] = {
    f32: _tangent,
    f64: _tangent_of_two,
}


def atan2(y: Expression, x: Expression) -> Expression:
    """Return the angle of the point ``(x, y)`` in radians, from -pi to pi: the arc tangent of the smaller
    coordinate over the larger, moved to the octant. The angle has the sign of `y`; it is NaN if a coordinate
    is NaN.
    """
    height, width = y.magnitude(), x.magnitude()
    steep, left = height.compare("OGT", width), x.bits().compare("SLT", 0)
    ratio = _ratio(steep.select(width, height), steep.select(height, width))
    bend = (ratio * ratio) * ratio * polynomial.horner(ratio * ratio, ANGLES[x.element].arc_tangent)
    back = steep ^ left
    ratio, bend = back.select(-ratio, ratio), back.select(-bend, bend)
    high, low = (
        steep.select(x.constant(part), left.select(x.constant(2.0 * part), 0.0))
        for part in ANGLES[x.element].quarter[:2]
    )
    near, rest = polynomial.fast_sum(high, ratio)
    angle = near + (rest + (bend + low))
    return x.compare("UNO", y).select(x + y, angle.with_sign_of(y))


def _ratio(small: Expression, large: Expression) -> Expression:
    """Return ``small / large`` for a pair of coordinates that are not negative; 0 for two zeros, 1 for two
    infinities.
    """
    same = small.compare("OEQ", large)
    is_zero, is_infinite = small.compare("OEQ", 0.0), small.compare("OEQ", polynomial.INFINITY)
    return (same & (is_zero | is_infinite)).select(is_zero.select(small, 1.0), small / large)


FUNCTIONS: Mapping[str, polynomial.MathFunction] = {
    "sin": polynomial.MathFunction(sin, operations.SinOp),
    "cos": polynomial.MathFunction(cos, operations.CosOp),
    "tan": polynomial.MathFunction(tan, operations.TanOp),
    "atan2": polynomial.MathFunction(atan2, operations.Atan2Op),
}
"""The functions of this file, by name."""
