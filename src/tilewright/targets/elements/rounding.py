"""Rounds floats on lanes to any element format, in any mode, with integer arithmetic that the format's data drives.

A value is split into sign, significand and exponent; the significand is shifted to the unit in the last place of the
target, and the bits that fall off decide.  The same code serves subnormal numbers, overflow to infinity, to NaN and to
the largest finite number, and formats without sign, zero or infinity.  The meaning is that of
`tilewright.interp.numerics`, bit for bit; NaN results are canonical.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tilewright.ir.arithmetic.float_format import FloatFormat, Specials
from tilewright.ir.builtin_types import (
    FloatType,
    IntegerType,
    bf16,
    f8E5M2,
    f8E8M0FNU,
    f16,
    f32,
    f64,
    fnv8E5M3FNU,
    i32,
    i64,
)
from tilewright.targets.elements.expression import Expression
from tilewright.targets.elements.types import is_native, register_type

NEAREST_EVEN = "nearest_even"
NARROW_BITS = 8
"""Conversions to formats of so many bits or fewer saturate."""
CARRIERS: dict[FloatType, IntegerType] = {f32: i32, f64: i64}
"""Formats that are taken apart, and the integers that their bits are."""
EXTRA_BITS = 3
"""Bits below the last place that keep track of an inexact significand."""
LIKE_F32 = 8
"""Exponent bits of the formats that are f32 with fewer significant bits."""


@dataclass(frozen=True, slots=True)
class Parts:
    """A magnitude ``significand * 2**(exponent - top)``; the highest bit of a normal number is bit ``top``."""

    negative: Expression
    significand: Expression
    exponent: Expression
    top: int


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a magnitude lies between two neighbours: the lower one, the rest, half their distance, and the sign."""

    lower: Expression
    rest: Expression
    half: Expression
    negative: Expression


@dataclass(frozen=True, slots=True)
class Mode:
    """A rounding mode: whether the magnitude goes up, and whether a finite overflow leaves the finite range."""

    rounds_up: Callable[[Any], Expression | None]
    overflows: Callable[[Expression], Expression | bool]


MODES: dict[str, Mode] = {
    NEAREST_EVEN: Mode(lambda at: (at.rest + (at.lower & 1)).compare("UGT", at.half), lambda negative: True),
    "nearest_away": Mode(lambda at: at.rest.compare("UGE", at.half), lambda negative: True),
    "zero": Mode(lambda at: None, lambda negative: False),
    "negative_inf": Mode(lambda at: at.rest.compare("NE", 0) & at.negative, lambda negative: negative),
    "positive_inf": Mode(lambda at: at.rest.compare("NE", 0) & ~at.negative, lambda negative: ~negative),
}
"""Modes that round once, by the names of Tile IR."""


def largest_code(form: FloatFormat) -> int:
    """The bits of the largest finite number."""
    everything = form.exponent_mask | form.mantissa_mask
    match form.specials:
        case Specials.IEEE:
            return form.exponent_mask - 1
        case Specials.FINITE_NAN:
            return everything - 1
        case _:
            return everything


def least_exponent(form: FloatFormat) -> int:
    """The exponent of the smallest normal number."""
    return (1 if form.has_zero else 0) - form.bias


def nan_code(form: FloatFormat) -> int:
    """The canonical NaN; the largest number where there is none."""
    pattern = form.nan_pattern
    return largest_code(form) if pattern is None else pattern


def overflow_code(form: FloatFormat, *, saturate: bool) -> int:
    """What is written for magnitudes beyond the largest number."""
    if saturate or form.specials is Specials.FINITE:
        return largest_code(form)
    return form.exponent_mask if form.specials is Specials.IEEE else nan_code(form)


# --- taking apart


def split(x: Expression) -> Parts:
    """The parts of an f32 or f64; infinities have the exponent that follows the largest."""
    form: FloatFormat = x.element.format
    bits = x.bits()
    magnitude = bits & (form.sign_mask - 1)
    field = magnitude >> form.mantissa_bits
    is_normal = field.compare("NE", 0)
    fraction = magnitude & form.mantissa_mask
    significand = is_normal.select(fraction | (1 << form.mantissa_bits), fraction)
    return Parts(bits.compare("SLT", 0), significand, field.maximum(1) - form.bias, form.mantissa_bits)


def sticky_parts(value: Expression, residual: Expression, scale: Expression | None) -> Parts:
    """The parts of ``(value + residual * tiny) * 2**scale`` for a normal f64 (or zero)."""
    parts = split(value)
    outward = (residual.bits() ^ value.bits()).compare("SGE", 0)
    nudge = residual.compare("ONE", 0.0).select(outward.select(parts.significand.constant(1), -1), 0)
    significand = (parts.significand << EXTRA_BITS) + nudge
    top = parts.top + EXTRA_BITS
    exponent = parts.exponent if scale is None else parts.exponent + scale
    is_below = significand.compare("ULT", 1 << top) & significand.compare("NE", 0)
    significand = is_below.select(significand << 1, significand)
    exponent = significand.compare("EQ", 0).select(least_exponent(f64.format), exponent)
    return Parts(parts.negative, significand, is_below.select(exponent - 1, exponent), top)


# --- putting together


def pack(parts: Parts, form: FloatFormat, mode: str, infinite: Expression, *, saturate: bool) -> Expression:
    """The bits of a format without the sign, rounded once; ``infinite`` says which magnitudes are beyond all numbers."""
    rule = MODES[mode]
    emin = least_exponent(form)
    exponent = parts.exponent.minimum(form.bias + 2)
    leading = exponent.maximum(emin)
    distance = leading - exponent + (parts.top - form.mantissa_bits)
    distance = distance.minimum(parts.top + 2)
    one = distance.constant(1) << distance
    lower = parts.significand >> distance
    place = _Place(lower, parts.significand & (one - 1), one >> 1, parts.negative)
    up = rule.rounds_up(place)
    code = (
        ((leading - emin) << form.mantissa_bits) + lower if form.mantissa_bits else (leading - emin) + lower
    )
    if up is not None:
        code = code + up.extended(code.element, signed=False)
    if not form.has_zero:
        code = code.maximum(1) - 1
    return _limit(code, parts.negative, infinite, form, rule, overflow_code(form, saturate=saturate))


def _limit(
    code: Expression, negative: Expression, infinite: Expression, form: FloatFormat, rule: Mode, beyond: int
) -> Expression:
    largest = largest_code(form)
    leaves = rule.overflows(negative)
    if beyond == largest:
        limited = code.least_unsigned(largest)
    elif isinstance(leaves, Expression):
        outside = leaves.select(code.constant(beyond), largest)
        limited = code.compare("UGT", largest).select(outside, code)
    else:
        limited = code.compare("UGT", largest).select(beyond if leaves else largest, code)
    return infinite.select(beyond, limited)


def finish(code: Expression, parts: Parts, nan: Expression, form: FloatFormat) -> Expression:
    """Bits with the sign, and NaN where the source is one."""
    if form.specials is Specials.FINITE_NAN:
        nan = nan | code.compare("EQ", nan_code(form))
    if form.signed:
        sign = parts.negative.select(code.constant(form.sign_mask), 0)
        code = code | sign
    elif form is fnv8E5M3FNU.format:
        nan = nan | (parts.negative & parts.significand.compare("NE", 0))
    return nan.select(nan_code(form), code)


def _infinite(x: Expression) -> Expression:
    return x.magnitude().compare("OEQ", float("inf"))


def in_register(code: Expression, target: FloatType) -> Expression:
    """Bits of a format, held in an integer, as registers hold the format."""
    held: Any = register_type(target)
    if held is f32 and target is not f32:
        code = code << (f32.width - target.width)
    bits = code.extended(IntegerType(held.width), signed=False)
    return bits.as_type(held if isinstance(held, FloatType) else target)


def round_by_parts(x: Expression, target: FloatType, mode: str, *, saturate: bool) -> Expression:
    """An f32 or f64 in a format of fewer significant bits, by the way that serves all."""
    form = target.format
    parts = split(x)
    magnitude = Parts(parts.negative & False, parts.significand, parts.exponent, parts.top)
    is_directed_magnitude = not form.signed and form is f8E8M0FNU.format
    code = pack(magnitude if is_directed_magnitude else parts, form, mode, _infinite(x), saturate=saturate)
    return in_register(finish(code, parts, x.is_nan(), form), target)


def round_to_odd(x: Expression) -> Expression:
    """An f64 as an f32 whose last bit is set if it is inexact: rounding that again is as good as rounding once.

    See Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums"; it holds for up to 22 significant bits.
    """
    near = x.to_float(f32)
    back = near.to_float(f64)
    outward = back.magnitude().compare("OGT", x.magnitude())
    toward_zero = near.bits() - outward.extended(i32, signed=False)
    inexact = back.compare("ONE", x).extended(i32, signed=False)
    return (toward_zero | inexact).as_type(f32)


def fold_residual(value: Expression, residual: Expression) -> Expression:
    """The neighbour with an odd significand where ``value`` is even and misses ``residual`` (only its sign counts)."""
    bits = value.bits()
    outward = (bits ^ residual.bits()).compare("SGE", 0)
    step = outward.select(bits.constant(1), -1)
    moves = residual.compare("ONE", 0.0) & (bits & 1).compare("EQ", 0)
    return moves.select(bits + step, bits).as_type(value.element)


def _drop_bits(x: Expression, target: FloatType) -> Expression:
    """An f32 rounded to nearest even in a format with the same exponents: a carry into the exponent is right.

    NaN is made canonical before, so that nothing is chosen among numbers of the narrow format: LLVM would do that one
    by one.
    """
    dropped = f32.width - target.width
    bits = canonical_root(x).bits()
    odd = (bits >> dropped) & 1
    return in_register((bits + ((1 << (dropped - 1)) - 1) + odd) >> dropped, target)


def convert(
    x: Expression, target: FloatType, mode: str = NEAREST_EVEN, *, saturate: bool = False
) -> Expression:
    """An f32 or f64 register in another format, as registers hold it; NaN becomes the canonical one."""
    if target is x.element or target is f64:
        return canonical(x.to_float(target))
    if target is f32:
        return (
            canonical(x.to_float(f32))
            if mode == NEAREST_EVEN
            else round_by_parts(x, f32, mode, saturate=saturate)
        )
    if target is f8E8M0FNU:
        return round_by_parts(x.to_float(f64), target, mode, saturate=saturate)
    narrow = round_to_odd(x) if x.element is f64 else x
    if mode == NEAREST_EVEN and target in x.code.one_nan:
        return narrow.to_float(target).as_held()
    if mode == NEAREST_EVEN and target is f16:
        return canonical(narrow).to_float(f16)
    if mode == NEAREST_EVEN and target.format.exponent_bits == LIKE_F32:
        return _drop_bits(narrow, target)
    return round_by_parts(narrow, target, mode, saturate=saturate)


def canonical(x: Expression) -> Expression:
    """A float of LLVM with every NaN replaced by the canonical one."""
    return x.is_nan().select(x.bits_constant(nan_code(x.element.format)), x)


def canonical_root(x: Expression) -> Expression:
    """The same for square roots, of which LLVM knows when they are NaN and that they need not be replaced then."""
    form: FloatFormat = x.element.format
    bits = x.bits()
    is_nan = (bits & (form.sign_mask - 1)).compare("UGT", form.exponent_mask)
    return is_nan.select(nan_code(form), bits).as_type(x.element)


# --- narrow formats as f32


def _from_half_bits(x: Expression) -> Expression:
    """f8E5M2 is the upper half of f16."""
    return (x.extended(IntegerType(16), signed=False) << NARROW_BITS).as_type(f16).to_float(f32)


def _from_upper_half(x: Expression) -> Expression:
    """bf16 is the upper half of f32."""
    return (x.extended(i32, signed=False) << 16).as_type(f32)


def _from_exponent(x: Expression) -> Expression:
    """f8E8M0FNU: the exponent field of an f32; the smallest number is a subnormal f32."""
    field = x.extended(i32, signed=False)
    bits = field.compare("EQ", 0).select(
        1 << (f32.format.mantissa_bits - 1), field << f32.format.mantissa_bits
    )
    return (
        field.compare("EQ", f8E8M0FNU.format.nan_pattern or 0).select(nan_code(f32.format), bits).as_type(f32)
    )


def scaled(x: Expression, form: FloatFormat) -> Expression:
    """Exponent and mantissa put where f32 has them; a multiplication mends the bias, also of subnormal numbers."""
    wide = x.extended(i32, signed=False)
    magnitude = wide & (form.exponent_mask | form.mantissa_mask)
    distance = f32.format.mantissa_bits - form.mantissa_bits
    value = (magnitude << distance).as_type(f32) * 2.0 ** (f32.format.bias - form.bias)
    if form.signed:
        sign = (wide & form.sign_mask) << (f32.width - form.bits)
        value = (value.bits() | sign).as_type(f32)
    if form.nan_pattern is None:
        return value
    return magnitude.compare("EQ", form.nan_pattern).select(value.bits_constant(nan_code(f32.format)), value)


WIDENINGS: dict[FloatType, Callable[[Expression], Expression]] = {
    f8E5M2: _from_half_bits,
    f8E8M0FNU: _from_exponent,
    bf16: _from_upper_half,
}
"""How formats that are held as bits become f32, where the rule for all (`scaled`) does not serve."""


def widen(x: Expression, source: FloatType) -> Expression:
    """A float of any format as f32 (f64 stays f64), without error."""
    if x.element in CARRIERS:
        return x
    if is_native(x.element):
        return x.to_float(f32)
    rule = WIDENINGS.get(source)
    return rule(x.bits()) if rule is not None else scaled(x.bits(), source.format)
