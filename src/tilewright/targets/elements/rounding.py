"""Rounding of floats on lanes to any element format, in any mode, by integer arithmetic and the data of the
format.

A value is split into sign, significand and exponent. The significand is shifted to the unit in the last place
of the target, and the bits shifted out determine the rounding. This code handles subnormal numbers, overflow
to infinity, to NaN and to the largest finite number, and formats without sign, zero or infinity. The results
are bit for bit equal to `tilewright.interp.numerics`; NaN results are canonical.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tilewright.dialects.arith.ops_float import AddFOp, MulFOp
from tilewright.dialects.llvm.ops.arithmetic import FAddOp, FMulOp
from tilewright.dialects.nv_tileas.ops_arith import also_on_tiles
from tilewright.ir import builtin_types
from tilewright.ir.arithmetic.float_format import FloatFormat, Specials
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.targets.elements.element_types import element_of, is_native, register_type
from tilewright.targets.elements.expression import Expression
from tilewright.targets.elements.lanes import has_flag, rounding_mode
from tilewright.targets.llvm.code import LlvmBuilder

NEAREST_EVEN = "nearest_even"
NARROW_BITS = 8
"""Conversions to formats of at most this number of bits saturate."""
CARRIERS: dict[builtin_types.FloatType, builtin_types.IntegerType] = {
    builtin_types.f32: builtin_types.i32,
    builtin_types.f64: builtin_types.i64,
}
"""Formats that can be split, with the integer types of their bits."""
EXTRA_BITS = 3
"""The number of bits below the last place that record an inexact significand."""
LIKE_F32 = 8
"""The number of exponent bits of formats that are f32 with fewer significant bits."""


@dataclass(frozen=True, slots=True)
class MagnitudeParts:
    """A number as integers: its sign, `negative`, of type i1, and its magnitude ``significand * 2**(exponent
    - top)``. The highest bit of a normal number is bit ``top``.
    """

    negative: Expression
    significand: Expression
    exponent: Expression
    top: int


@dataclass(frozen=True, slots=True)
class _NeighbourDistance:
    """The position of a magnitude between two neighbours in the target format: the bits of the `lower`
    neighbour, the `rest` above it and `half` the distance of the neighbours, in units of the significand, and
    the sign.
    """

    lower: Expression
    rest: Expression
    half: Expression
    negative: Expression


@dataclass(frozen=True, slots=True)
class RoundingDecision:
    """A rounding mode, as functions that emit its decisions. ``rounds_up`` gets a `_NeighbourDistance`, and
    returns whether the magnitude is rounded up (None: never). ``overflows`` gets the sign, and returns
    whether a magnitude beyond the finite range becomes infinite.
    """

    rounds_up: Callable[[Any], Expression | None]
    overflows: Callable[[Expression], Expression | bool]


MODES: dict[str, RoundingDecision] = {
    NEAREST_EVEN: RoundingDecision(
        lambda at: (at.rest + (at.lower & 1)).compare("UGT", at.half), lambda negative: True
    ),
    "nearest_away": RoundingDecision(lambda at: at.rest.compare("UGE", at.half), lambda negative: True),
    "zero": RoundingDecision(lambda at: None, lambda negative: False),
    "negative_inf": RoundingDecision(
        lambda at: at.rest.compare("NE", 0) & at.negative, lambda negative: negative
    ),
    "positive_inf": RoundingDecision(
        lambda at: at.rest.compare("NE", 0) & ~at.negative, lambda negative: ~negative
    ),
}
"""The rounding modes that round once, by their names in Tile IR."""


def largest_code(form: FloatFormat) -> int:
    """Return the bits of the largest finite number of the format `form`."""
    everything = form.exponent_mask | form.mantissa_mask
    match form.specials:
        case Specials.IEEE:
            return form.exponent_mask - 1
        case Specials.FINITE_NAN:
            return everything - 1
        case _:
            return everything


def least_exponent(form: FloatFormat) -> int:
    """Return the unbiased exponent of the smallest normal number of the format `form`."""
    return (1 if form.has_zero else 0) - form.bias


def nan_code(form: FloatFormat) -> int:
    """Return the bits of the canonical NaN, or of the largest number in a format without NaN."""
    pattern = form.nan_pattern
    return largest_code(form) if pattern is None else pattern


def overflow_code(form: FloatFormat, *, saturate: bool) -> int:
    """Return the bits, without the sign, for magnitudes beyond the largest number: the largest number if
    `saturate` or if the format has neither infinity nor NaN, otherwise infinity, or NaN in a format without
    infinity.
    """
    if saturate or form.specials is Specials.FINITE:
        return largest_code(form)
    return form.exponent_mask if form.specials is Specials.IEEE else nan_code(form)


# --- taking apart


def split(x: Expression) -> MagnitudeParts:
    """Return the parts of the f32 or f64 `x`; infinities and NaN have the exponent after the largest."""
    form: FloatFormat = x.element.format
    bits = x.bits()
    magnitude = bits & (form.sign_mask - 1)
    field = magnitude >> form.mantissa_bits
    is_normal = field.compare("NE", 0)
    fraction = magnitude & form.mantissa_mask
    significand = is_normal.select(fraction | (1 << form.mantissa_bits), fraction)
    return MagnitudeParts(
        bits.compare("SLT", 0), significand, field.maximum(1) - form.bias, form.mantissa_bits
    )


def sticky_parts(value: Expression, residual: Expression, scale: Expression | None) -> MagnitudeParts:
    """Return the parts of ``(value + residual * tiny) * 2**scale`` for a normal f64 `value` or zero. Only the
    sign of `residual` matters, or that it is 0; without `scale` nothing is scaled.
    """
    parts = split(value)
    outward = (residual.bits() ^ value.bits()).compare("SGE", 0)
    nudge = residual.compare("ONE", 0.0).select(outward.select(parts.significand.constant(1), -1), 0)
    significand = (parts.significand << EXTRA_BITS) + nudge
    top = parts.top + EXTRA_BITS
    exponent = parts.exponent if scale is None else parts.exponent + scale
    is_below = significand.compare("ULT", 1 << top) & significand.compare("NE", 0)
    significand = is_below.select(significand << 1, significand)
    exponent = significand.compare("EQ", 0).select(least_exponent(builtin_types.f64.format), exponent)
    return MagnitudeParts(parts.negative, significand, is_below.select(exponent - 1, exponent), top)


# --- putting together


def pack(
    parts: MagnitudeParts, form: FloatFormat, mode: str, infinite: Expression, *, saturate: bool
) -> Expression:
    """Return the bits of a magnitude in the format `form`, rounded once by `mode`, a name in `MODES`, without
    the sign.

    ``infinite`` is true for lanes that are infinite. ``saturate``: magnitudes beyond the range become the
    largest finite number.
    """
    rule = MODES[mode]
    emin = least_exponent(form)
    exponent = parts.exponent.minimum(form.bias + 2)
    leading = exponent.maximum(emin)
    distance = leading - exponent + (parts.top - form.mantissa_bits)
    distance = distance.minimum(parts.top + 2)
    one = distance.constant(1) << distance
    lower = parts.significand >> distance
    place = _NeighbourDistance(lower, parts.significand & (one - 1), one >> 1, parts.negative)
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
    code: Expression,
    negative: Expression,
    infinite: Expression,
    form: FloatFormat,
    rule: RoundingDecision,
    beyond: int,
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


def finish(code: Expression, parts: MagnitudeParts, nan: Expression, form: FloatFormat) -> Expression:
    """Return the bits `code` of magnitudes with the sign of `parts`, and with NaN in the lanes of `nan`. In a
    format without signs a sign is dropped, but in fnv8E5M3FNU numbers below 0 become NaN.
    """
    if form.specials is Specials.FINITE_NAN:
        nan = nan | code.compare("EQ", nan_code(form))
    if form.signed:
        sign = parts.negative.select(code.constant(form.sign_mask), 0)
        code = code | sign
    elif form is builtin_types.fnv8E5M3FNU.format:
        nan = nan | (parts.negative & parts.significand.compare("NE", 0))
    return nan.select(nan_code(form), code)


def _infinite(x: Expression) -> Expression:
    return x.magnitude().compare("OEQ", float("inf"))


def in_register(code: Expression, target: builtin_types.FloatType) -> Expression:
    """Return the bits `code` of a number of the format `target`, an integer of any width, in the format's
    register representation: a float of LLVM, or bits.
    """
    held: Any = register_type(target)
    if held is builtin_types.f32 and target is not builtin_types.f32:
        code = code << (builtin_types.f32.width - target.width)
    bits = code.extended(builtin_types.IntegerType(held.width), signed=False)
    return bits.as_type(held if isinstance(held, builtin_types.FloatType) else target)


def round_by_parts(
    x: Expression, target: builtin_types.FloatType, mode: str, *, saturate: bool
) -> Expression:
    """Round an f32 or f64 to a format with fewer significant bits by `mode`, a name in `MODES`, with the
    general algorithm, and return it in the register representation of `target`. NaN becomes canonical.
    ``saturate``: magnitudes beyond the range become the largest finite number.
    """
    form = target.format
    parts = split(x)
    magnitude = MagnitudeParts(parts.negative & False, parts.significand, parts.exponent, parts.top)
    is_directed_magnitude = not form.signed and form is builtin_types.f8E8M0FNU.format
    code = pack(magnitude if is_directed_magnitude else parts, form, mode, _infinite(x), saturate=saturate)
    return in_register(finish(code, parts, x.is_nan(), form), target)


def round_to_odd(x: Expression) -> Expression:
    """Round an f64 to an f32 whose last bit is set if it is inexact; rounding it again is equal to rounding
    once.

    See Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums"; it is valid for up to 22
    significant bits.
    """
    near = x.to_float(builtin_types.f32)
    back = near.to_float(builtin_types.f64)
    outward = back.magnitude().compare("OGT", x.magnitude())
    toward_zero = near.bits() - outward.extended(builtin_types.i32, signed=False)
    inexact = back.compare("ONE", x).extended(builtin_types.i32, signed=False)
    return (toward_zero | inexact).as_type(builtin_types.f32)


def fold_residual(value: Expression, residual: Expression) -> Expression:
    """Return `value`, or, if its significand is even and `residual` is not 0, the neighbour of `value` in the
    direction of `residual`, whose significand is odd. Only the sign of `residual` matters.
    """
    bits = value.bits()
    outward = (bits ^ residual.bits()).compare("SGE", 0)
    step = outward.select(bits.constant(1), -1)
    moves = residual.compare("ONE", 0.0) & (bits & 1).compare("EQ", 0)
    return moves.select(bits + step, bits).as_type(value.element)


def _drop_bits(x: Expression, target: builtin_types.FloatType) -> Expression:
    """Round an f32 to nearest even in a format with equal exponents: a carry into the exponent is correct.

    NaN is made canonical before, so that no selection among numbers of the narrow format is needed, which
    LLVM would compile to scalar code.
    """
    dropped = builtin_types.f32.width - target.width
    bits = canonical_root(x).bits()
    odd = (bits >> dropped) & 1
    return in_register((bits + ((1 << (dropped - 1)) - 1) + odd) >> dropped, target)


def convert(
    x: Expression,
    target: builtin_types.FloatType,
    mode: str = NEAREST_EVEN,
    *,
    saturate: bool = False,
    shown: bool = True,
) -> Expression:
    """Convert an f32 or f64 register to another format in its register representation, rounded by `mode`, a
    name in `MODES`. With `saturate`, which is only for formats of at most `NARROW_BITS` bits, magnitudes
    beyond the range become the largest finite number. NaN becomes canonical, with two exceptions: to f32 to
    nearest, to f64, and to the same format its bits are kept unless `shown`; and a conversion to nearest to a
    shorter format in the builder's ``one_nan`` is an instruction with a NaN of its own.
    """
    if (
        target is x.element
        or target is builtin_types.f64
        or (target is builtin_types.f32 and mode == NEAREST_EVEN)
    ):
        converted = x.to_float(target)
        return canonical(converted) if shown else converted
    if target is builtin_types.f32:
        return round_by_parts(x, builtin_types.f32, mode, saturate=saturate)
    if target is builtin_types.f8E8M0FNU:
        return round_by_parts(x.to_float(builtin_types.f64), target, mode, saturate=saturate)
    narrow = round_to_odd(x) if x.element is builtin_types.f64 else x
    if mode == NEAREST_EVEN and target in x.code.one_nan:
        return narrow.to_float(target).as_register()
    if mode == NEAREST_EVEN and target is builtin_types.f16:
        return canonical(narrow).to_float(builtin_types.f16)
    if mode == NEAREST_EVEN and target.format.exponent_bits == LIKE_F32:
        return _drop_bits(narrow, target)
    return round_by_parts(narrow, target, mode, saturate=saturate)


def canonical(x: Expression) -> Expression:
    """Replace every NaN of an LLVM float with the canonical NaN."""
    return x.is_nan().select(x.bits_constant(nan_code(x.element.format)), x)


def canonical_root(x: Expression) -> Expression:
    """Replace every NaN of an LLVM float with the canonical NaN, by operations on its bits, for square roots:
    LLVM would remove a float comparison where it assumes that no NaN occurs.
    """
    form: FloatFormat = x.element.format
    bits = x.bits()
    is_nan = (bits & (form.sign_mask - 1)).compare("UGT", form.exponent_mask)
    return is_nan.select(nan_code(form), bits).as_type(x.element)


# --- narrow formats as f32


def _from_half_bits(x: Expression) -> Expression:
    """Convert f8E5M2, which is the upper half of f16, to f32."""
    return (
        (x.extended(builtin_types.IntegerType(16), signed=False) << NARROW_BITS)
        .as_type(builtin_types.f16)
        .to_float(builtin_types.f32)
    )


def _from_upper_half(x: Expression) -> Expression:
    """Convert bf16, which is the upper half of f32, to f32."""
    return (x.extended(builtin_types.i32, signed=False) << 16).as_type(builtin_types.f32)


def _from_exponent(x: Expression) -> Expression:
    """Convert f8E8M0FNU, which is the exponent field of an f32, to f32; the smallest number is a subnormal
    f32.
    """
    field = x.extended(builtin_types.i32, signed=False)
    bits = field.compare("EQ", 0).select(
        1 << (builtin_types.f32.format.mantissa_bits - 1), field << builtin_types.f32.format.mantissa_bits
    )
    return (
        field.compare("EQ", builtin_types.f8E8M0FNU.format.nan_pattern or 0)
        .select(nan_code(builtin_types.f32.format), bits)
        .as_type(builtin_types.f32)
    )


def scaled(x: Expression, form: FloatFormat) -> Expression:
    """Convert the bits `x` of a number of the format `form` to f32. Exponent and mantissa are moved to their
    positions in f32, and a multiplication corrects the bias, of subnormal numbers too. Of infinities and NaN,
    only the canonical NaN is converted correctly.
    """
    wide = x.extended(builtin_types.i32, signed=False)
    magnitude = wide & (form.exponent_mask | form.mantissa_mask)
    distance = builtin_types.f32.format.mantissa_bits - form.mantissa_bits
    value = (magnitude << distance).as_type(builtin_types.f32) * 2.0 ** (
        builtin_types.f32.format.bias - form.bias
    )
    if form.signed:
        sign = (wide & form.sign_mask) << (builtin_types.f32.width - form.bits)
        value = (value.bits() | sign).as_type(builtin_types.f32)
    if form.nan_pattern is None:
        return value
    return magnitude.compare("EQ", form.nan_pattern).select(
        value.bits_constant(nan_code(builtin_types.f32.format)), value
    )


WIDENINGS: dict[builtin_types.FloatType, Callable[[Expression], Expression]] = {
    builtin_types.f8E5M2: _from_half_bits,
    builtin_types.f8E8M0FNU: _from_exponent,
    builtin_types.bf16: _from_upper_half,
}
"""Conversions to f32 of formats held as bits, where the general conversion `scaled` does not apply."""


def widen(x: Expression, source: builtin_types.FloatType) -> Expression:
    """Convert `x`, a number of the format `source` in its register representation, to f32 without error; f32
    and f64 registers are returned unchanged.
    """
    if x.element in CARRIERS:
        return x
    if is_native(x.element):
        return x.to_float(builtin_types.f32)
    rule = WIDENINGS.get(source)
    return rule(x.bits()) if rule is not None else scaled(x.bits(), source.format)


KEPT_IN: dict[builtin_types.FloatType, builtin_types.FloatType] = {
    builtin_types.bf16: builtin_types.f32,
    builtin_types.f16: builtin_types.f32,
}
"""For each format of elements, the wider format in which sums and products keep their partial results."""
STEPS: dict[type[Operation], type[Operation]] = also_on_tiles({AddFOp: FAddOp, MulFOp: FMulOp})
"""Operations with wider partial results, and the operation that combines these."""

NarrowFormats = tuple[builtin_types.FloatType | None, ...]
"""For each input the format to which its results are rounded at the end; `None` if partial results have this
format.
"""


def narrow_format(op: Operation) -> builtin_types.FloatType | None:
    """Return the format, f16 or bf16, to which the addition or multiplication `op` rounds, if the rounding of
    partial results may be deferred. Return `None` for other operations and formats, for other modes than to
    nearest, and with `flush_to_zero`.
    """
    element = element_of(op.results[0].type)
    if (
        not isinstance(element, builtin_types.FloatType)
        or element not in KEPT_IN
        or op.__class__ not in STEPS
    ):
        return None
    return None if rounding_mode(op) != NEAREST_EVEN or has_flag(op, "flush_to_zero") else element


def step(code: LlvmBuilder, op: Operation, left: Value, right: Value) -> Value:
    """Emit the addition or multiplication `op` on the two partial results `left` and `right` in their wider
    format, and return the result.
    """
    return code(STEPS[op.__class__], left, right, type=left.type)


def begun(code: LlvmBuilder, elements: Sequence[Value], narrow: NarrowFormats) -> list[Value]:
    """Convert elements, one value for each input, to the format of partial results. An input with `None` in
    `narrow` is unchanged.
    """
    pairs = zip(elements, narrow, strict=True)
    return [value if to is None else widen(Expression(code, value), to).value for value, to in pairs]


def finished(code: LlvmBuilder, results: Sequence[Value], narrow: NarrowFormats) -> list[Value]:
    """Round the partial results of each input to its format in `narrow`; `None`: they are unchanged."""
    pairs = zip(results, narrow, strict=True)
    return [value if to is None else convert(Expression(code, value), to).value for value, to in pairs]
