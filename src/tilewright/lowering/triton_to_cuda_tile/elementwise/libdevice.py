"""The functions of libdevice that kernels call by name, as far as Tile IR can express them.

A name in the table is the function for f64; with the suffix `f` it is the function for f32.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tilewright.dialects.cuda_tile.enums import ComparisonPredicate, RoundingMode, Signedness
from tilewright.dialects.cuda_tile.ops import conversion as casts, float as floats, integer as integers
from tilewright.dialects.cuda_tile.types import tile_of
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import IntegerType, f32, f64, i32, i64
from tilewright.ir.value import Value
from tilewright.lowering.triton_to_cuda_tile.elementwise import bessel_orders, bits, formulas, special
from tilewright.lowering.triton_to_cuda_tile.elementwise.bessel import BESSEL
from tilewright.lowering.triton_to_cuda_tile.emit import CudaTileEmitter
from tilewright.lowering.triton_to_cuda_tile.pattern import Formula

Function = Callable[..., Value]
"""A function ``(emit, type of the result, *operands) -> value`` that emits a call's replacement."""
PREFIX = "__nv_"
LOG10_2 = float.fromhex("0x1.34413509f79ffp-2")
SIGNED, UNSIGNED = Signedness.SIGNED, Signedness.UNSIGNED
ROUNDINGS = {
    "rn": RoundingMode.NEAREST_EVEN,
    "rz": RoundingMode.ZERO,
    "rd": RoundingMode.NEGATIVE_INF,
    "ru": RoundingMode.POSITIVE_INF,
}


def _operation(target: Any, *attributes: Any) -> Formula:
    def formula(emit: CudaTileEmitter, *operands: Value) -> Value:
        return emit(target, *operands, *attributes)

    return formula


TO_INTEGER: dict[str, Formula] = {
    "rn": formulas.rounded_even,
    "rz": formulas.truncated,
    "rd": _operation(floats.FloorOp),
    "ru": _operation(floats.CeilOp),
}


def _answer(formula: Formula) -> Function:
    """Return a function that converts the i1 result of `formula` to the integer type of the call, as
    libdevice's predicates return 0 or 1.
    """

    def function(emit: CudaTileEmitter, type: Any, *operands: Value) -> Value:
        return emit.resized(formula(emit, *operands), type.element_type, signed=False)

    return function


def _is_nan(emit: CudaTileEmitter, x: Value) -> Value:
    return emit.is_nan(x)


def _is_infinite(emit: CudaTileEmitter, x: Value) -> Value:
    return emit.ordered(ComparisonPredicate.EQUAL, formulas.magnitude(emit, x), emit.like(math.inf, x))


def _is_finite(emit: CudaTileEmitter, x: Value) -> Value:
    return emit.ordered(ComparisonPredicate.LESS_THAN, formulas.magnitude(emit, x), emit.like(math.inf, x))


def _sign_bit(emit: CudaTileEmitter, x: Value) -> Value:
    number = emit.same_bits(x, formulas.integer_type(x))
    return emit.compared(ComparisonPredicate.LESS_THAN, number, emit.like(0, number))


def _difference(emit: CudaTileEmitter, x: Value, y: Value) -> Value:
    no = emit.ordered(ComparisonPredicate.LESS_THAN_OR_EQUAL, x, y)
    return emit.choose(no, emit.like(0, x), emit.minus(x, y))


def _saturate(emit: CudaTileEmitter, x: Value) -> Value:
    return emit(floats.MinFOp, emit(floats.MaxFOp, x, emit.like(0, x)), emit.like(1, x))


def _scaled(factor: float, target: Any) -> Formula:
    def formula(emit: CudaTileEmitter, x: Value) -> Value:
        return emit.times(emit(target, x), emit.like(factor, x))

    return formula


def _power_of_ten(emit: CudaTileEmitter, x: Value) -> Value:
    return emit(floats.PowOp, emit.like(10, x), x)


def _inverse(function: Formula) -> Formula:
    def formula(emit: CudaTileEmitter, *operands: Value) -> Value:
        return emit.over(emit.like(1, operands[0]), function(emit, *operands))

    return formula


def _normal(emit: CudaTileEmitter, x: Value) -> Value:
    tail = formulas.erfc(emit, emit.times(x, emit.like(-math.sqrt(0.5), x)))
    return emit.times(emit.like(0.5, x), tail)


def _norm(emit: CudaTileEmitter, *operands: Value) -> Value:
    first, *rest = operands
    for operand in rest:
        first = formulas.hypotenuse(emit, first, operand)
    return first


def _load_exponent(emit: CudaTileEmitter, x: Value, exponent: Value) -> Value:
    """Return ``x * 2**exponent``, multiplied in four steps by powers that are in the range of the type."""
    kind = formulas.integer_type(x)
    mantissa = 23 if kind is i32 else 52
    bias, most = (127, 280) if kind is i32 else (1023, 2200)
    count = emit.resized(exponent, kind)
    count = emit(integers.MaxIOp, count, emit.like(-most, count), SIGNED)
    count = emit(integers.MinIOp, count, emit.like(most, count), SIGNED)
    quarter = emit.shifted_right(count, 2, signed=True)
    last = emit.subtract(count, emit.multiply(quarter, emit.like(3, count)))
    for part in (quarter, quarter, quarter, last):
        shifted = emit.shifted_left(emit.add(part, emit.like(bias, part)), mantissa)
        x = emit.times(x, emit.same_bits(shifted, tile_of(x).element_type))
    return x


FLOATS: dict[str, Formula] = {
    "fabs": formulas.magnitude,
    "acos": formulas.arc_cosine,
    "acosh": formulas.area_cosine,
    "asin": formulas.arc_sine,
    "asinh": formulas.area_sine,
    "atan": formulas.arc_tangent,
    "atan2": _operation(floats.Atan2Op),
    "atanh": formulas.area_tangent,
    "cbrt": formulas.cube_root,
    "ceil": _operation(floats.CeilOp),
    "copysign": formulas.copy_sign,
    "cos": _operation(floats.CosOp),
    "cosh": _operation(floats.CosHOp),
    "cospi": formulas.of_pi_times(floats.CosOp),
    "erf": formulas.erf,
    "erfc": formulas.erfc,
    "erfcinv": special.erfcinv,
    "erfcx": special.erfcx,
    "erfinv": special.erfinv,
    "exp": formulas.exponential,
    "exp10": _power_of_ten,
    "exp2": _operation(floats.Exp2Op),
    "expm1": formulas.expm1,
    "fdim": _difference,
    "floor": _operation(floats.FloorOp),
    "fma": _operation(floats.FmaOp, RoundingMode.NEAREST_EVEN),
    "fmod": _operation(floats.RemFOp),
    "hypot": formulas.hypotenuse,
    "ilogb": bits.exponent_as_integer,
    "ldexp": _load_exponent,
    "lgamma": special.lgamma,
    "log": formulas.logarithm,
    "log10": _scaled(LOG10_2, floats.Log2Op),
    "log1p": formulas.log1p,
    "log2": _operation(floats.Log2Op),
    "logb": bits.exponent_as_float,
    "nearbyint": formulas.rounded_even,
    "nextafter": bits.neighbour,
    "norm3d": _norm,
    "norm4d": _norm,
    "normcdf": _normal,
    "normcdfinv": special.normcdfinv,
    "pow": _operation(floats.PowOp),
    "powi": _operation(floats.FPowIOp),
    "rcbrt": _inverse(formulas.cube_root),
    "remainder": formulas.nearest_remainder,
    "rhypot": _inverse(formulas.hypotenuse),
    "rint": formulas.rounded_even,
    "rnorm3d": _inverse(_norm),
    "rnorm4d": _inverse(_norm),
    "round": formulas.rounded_away,
    "rsqrt": _operation(floats.RsqrtOp),
    "saturate": _saturate,
    "scalbn": _load_exponent,
    "sin": _operation(floats.SinOp),
    "sinh": _operation(floats.SinHOp),
    "sinpi": formulas.of_pi_times(floats.SinOp),
    "sqrt": formulas.square_root,
    "tan": _operation(floats.TanOp),
    "tanh": _operation(floats.TanHOp, RoundingMode.FULL),
    "tgamma": special.tgamma,
    "trunc": formulas.truncated,
    **BESSEL,
    **bessel_orders.ORDERS,
}
FAST: dict[str, Formula] = {
    "fast_cosf": _operation(floats.CosOp),
    "fast_exp10f": _power_of_ten,
    "fast_expf": formulas.exponential,
    "fast_fdividef": _operation(floats.DivFOp, RoundingMode.NEAREST_EVEN),
    "fast_log10f": _scaled(LOG10_2, floats.Log2Op),
    "fast_log2f": _operation(floats.Log2Op),
    "fast_logf": formulas.logarithm,
    "fast_powf": _operation(floats.PowOp),
    "fast_sinf": _operation(floats.SinOp),
    "fast_tanf": _operation(floats.TanOp),
    "fast_tanhf": _operation(floats.TanHOp, RoundingMode.FULL),
}
"""Functions that are approximate on a GPU; here they are as precise as the other functions."""
ANSWERS: dict[str, Formula] = {
    "isnand": _is_nan,
    "isnanf": _is_nan,
    "isinfd": _is_infinite,
    "isinff": _is_infinite,
    "isfinited": _is_finite,
    "finitef": _is_finite,
    "signbitd": _sign_bit,
    "signbitf": _sign_bit,
}


# --- integers


def _ones(emit: CudaTileEmitter, x: Value) -> Value:
    """Return the number of set bits of each element of a tile of integers, with the type of `x`."""
    width = _width(x)
    for step in (1, 2, 4, 8, 16, 32):
        if step >= width:
            break
        pattern = sum(((1 << step) - 1) << at for at in range(0, width, 2 * step))
        mask = emit.like(pattern, x)
        x = emit.add(emit.both(x, mask), emit.both(emit.shifted_right(x, step), mask))
    return x


def _width(x: Value) -> int:
    element = tile_of(x).element_type
    assert isinstance(element, IntegerType), "the library says so"
    return element.width


def _leading_zeros(emit: CudaTileEmitter, x: Value) -> Value:
    step = 1
    while step < _width(x):
        x = emit.either(x, emit.shifted_right(x, step))
        step *= 2
    return emit.subtract(emit.like(_width(x), x), _ones(emit, x))


def _first_set(emit: CudaTileEmitter, x: Value) -> Value:
    """Return the position of the lowest set bit, counted from 1; 0 if no bit is set."""
    one = emit.like(1, x)
    below = emit.both(emit.subtract(x, one), emit.inverted_bits(x))
    place = emit.add(_ones(emit, below), one)
    return emit.choose(emit.is_set(x), place, emit.like(0, x))


def _reversed(emit: CudaTileEmitter, x: Value) -> Value:
    width = _width(x)
    step = 1
    while step < width:
        pattern = sum(((1 << step) - 1) << at for at in range(0, width, 2 * step))
        mask = emit.like(pattern, x)
        high = emit.shifted_left(emit.both(x, mask), step)
        x = emit.either(high, emit.both(emit.shifted_right(x, step), mask))
        step *= 2
    return x


def _high_product(emit: CudaTileEmitter, x: Value, y: Value) -> Value:
    """Return the upper half of the signed product of two integers: the upper half of the unsigned product,
    corrected for the signs.
    """
    zero = emit.like(0, x)
    product = emit(integers.MulhiIOp, x, y)
    for sign, other in ((x, y), (y, x)):
        negative = emit.compared(ComparisonPredicate.LESS_THAN, sign, zero)
        product = emit.subtract(product, emit.choose(negative, other, zero))
    return product


def _halved(rounding_up: bool, sign: Signedness) -> Formula:
    """Return the formula for the mean of two integers, signed or unsigned by ``sign``, without overflow; it
    is rounded up with `rounding_up`, else down.
    """

    def formula(emit: CudaTileEmitter, x: Value, y: Value) -> Value:
        differing = emit.shifted_right(emit(integers.XOrIOp, x, y), 1, signed=sign is SIGNED)
        if rounding_up:
            return emit.subtract(emit.either(x, y), differing)
        return emit.add(emit.both(x, y), differing)

    return formula


def _low_24(sign: Signedness) -> Formula:
    """Return the formula for the product of the lower 24 bits of two integers, which are read as signed or
    unsigned by ``sign``.
    """

    def formula(emit: CudaTileEmitter, x: Value, y: Value) -> Value:
        signed = sign is SIGNED
        parts = [emit.shifted_right(emit.shifted_left(v, 8), 8, signed=signed) for v in (x, y)]
        return emit.multiply(*parts)

    return formula


def _distance(sign: Signedness) -> Formula:
    """Return the formula ``abs(x - y) + z`` of three integers, which are read as signed or unsigned by
    ``sign``; the difference does not overflow.
    """

    def formula(emit: CudaTileEmitter, x: Value, y: Value, z: Value) -> Value:
        high, low = emit(integers.MaxIOp, x, y, sign), emit(integers.MinIOp, x, y, sign)
        return emit.add(emit.subtract(high, low), z)

    return formula


def _sized(formula: Formula) -> Function:
    """Return a function that sign-extends or truncates the integer result of `formula` to the type of the
    call's result.
    """

    def function(emit: CudaTileEmitter, type: Any, *operands: Value) -> Value:
        return emit.resized(formula(emit, *operands), type.element_type)

    return function


INTEGERS: dict[str, Formula] = {
    "abs": _operation(integers.AbsIOp),
    "llabs": _operation(integers.AbsIOp),
    "popc": _ones,
    "popcll": _ones,
    "clz": _leading_zeros,
    "clzll": _leading_zeros,
    "ffs": _first_set,
    "ffsll": _first_set,
    "brev": _reversed,
    "brevll": _reversed,
    "mulhi": _high_product,
    "mul64hi": _high_product,
    "umulhi": _operation(integers.MulhiIOp),
    "umul64hi": _operation(integers.MulhiIOp),
    "mul24": _low_24(SIGNED),
    "umul24": _low_24(UNSIGNED),
    "hadd": _halved(False, SIGNED),
    "uhadd": _halved(False, UNSIGNED),
    "rhadd": _halved(True, SIGNED),
    "urhadd": _halved(True, UNSIGNED),
    "sad": _distance(SIGNED),
    "usad": _distance(UNSIGNED),
    "byte_perm": bits.chosen_bytes,
}


# --- roundings and conversions


def _rounded_arithmetic() -> dict[str, Function]:
    """Return the functions for sums, products, quotients and roots with an explicit rounding, by name without
    the prefix, such as ``fadd_rn``.
    """
    operations = {"add": floats.AddFOp, "sub": floats.SubFOp, "mul": floats.MulFOp, "div": floats.DivFOp}
    found: dict[str, Formula] = {"frsqrt_rn": _inverse(formulas.square_root)}
    for suffix, mode in ROUNDINGS.items():
        for letter in "fd":
            for name, target in operations.items():
                found[f"{letter}{name}_{suffix}"] = _operation(target, mode)
            found[f"{letter}sqrt_{suffix}"] = _operation(floats.SqrtOp, mode)
            found[f"{letter}rcp_{suffix}"] = _reciprocal(mode)
        found[f"fma_{suffix}"] = found[f"fmaf_{suffix}"] = _operation(floats.FmaOp, mode)
    return {name: _plain(formula) for name, formula in found.items()}


def _reciprocal(mode: RoundingMode) -> Formula:
    def formula(emit: CudaTileEmitter, x: Value) -> Value:
        return emit(floats.DivFOp, emit.like(1, x), x, mode)

    return formula


def _plain(formula: Formula) -> Function:
    def function(emit: CudaTileEmitter, type: Any, *operands: Value) -> Value:
        return formula(emit, *operands)

    return function


def _to_integer(rounding: Formula, sign: Signedness) -> Function:
    def function(emit: CudaTileEmitter, type: Type, x: Value) -> Value:
        mode = RoundingMode.NEAREST_INT_TO_ZERO
        return emit(casts.FToIOp, rounding(emit, x), sign, mode, saturating=True, type=type)

    return function


def _to_float(sign: Signedness, mode: RoundingMode) -> Function:
    """Return the function for a conversion of integers, signed or not by ``sign``, to floats, rounded by
    ``mode``. A result of f64 is rounded to nearest in any case.

    A rounding to f32 other than to nearest goes through f64, which represents 32 bits exactly.
    """

    def function(emit: CudaTileEmitter, type: Any, x: Value) -> Value:
        nearest = RoundingMode.NEAREST_EVEN
        if mode is nearest or type.element_type is f64:
            return emit(casts.IToFOp, x, sign, nearest, type=type)
        wide = emit(casts.IToFOp, x, sign, nearest, type=type.with_element_type(f64))
        return emit.converted(wide, f32, mode)

    return function


def _conversions() -> dict[str, Function]:
    """Return the functions for conversions between numbers with an explicit rounding, by name without the
    prefix, such as ``float2int_rn``.
    """
    found: dict[str, Function] = {}
    for suffix, mode in ROUNDINGS.items():
        for source in ("float", "double"):
            for target, sign in (("int", SIGNED), ("uint", UNSIGNED), ("ll", SIGNED), ("ull", UNSIGNED)):
                found[f"{source}2{target}_{suffix}"] = _to_integer(TO_INTEGER[suffix], sign)
        for source, sign in (("int", SIGNED), ("uint", UNSIGNED)):
            found[f"{source}2float_{suffix}"] = _to_float(sign, mode)
        found[f"double2float_{suffix}"] = _plain(_to_single(mode))
        for source, sign in (("ll", SIGNED), ("ull", UNSIGNED)):
            found[f"{source}2float_{suffix}"] = _plain(bits.wide_to_single(sign, mode))
            found[f"{source}2double_{suffix}"] = _plain(bits.wide_to_double(sign, mode))
    for source, sign in (("int", SIGNED), ("uint", UNSIGNED)):
        found[f"{source}2double_rn"] = _to_float(sign, RoundingMode.NEAREST_EVEN)
    for name, rounding in (("rint", formulas.rounded_even), ("round", formulas.rounded_away)):
        found[f"ll{name}"] = found[f"ll{name}f"] = _to_integer(rounding, SIGNED)
    return found


def _to_single(mode: RoundingMode) -> Formula:
    def formula(emit: CudaTileEmitter, x: Value) -> Value:
        return emit.converted(x, f32, mode)

    return formula


def _same_bits(emit: CudaTileEmitter, type: Any, x: Value) -> Value:
    return emit.same_bits(x, type.element_type)


def _high_word(emit: CudaTileEmitter, x: Value) -> Value:
    return emit.resized(emit.shifted_right(emit.same_bits(x, i64), 32), i32)


def _low_word(emit: CudaTileEmitter, x: Value) -> Value:
    return emit.resized(emit.same_bits(x, i64), i32)


def _of_words(emit: CudaTileEmitter, high: Value, low: Value) -> Value:
    upper = emit.shifted_left(emit.resized(high, i64), 32)
    return emit.same_bits(emit.either(upper, emit.resized(low, i64, signed=False)), f64)


BITS = (
    "double_as_longlong",
    "float_as_int",
    "float_as_uint",
    "int_as_float",
    "longlong_as_double",
    "uint_as_float",
)
WORDS: dict[str, Formula] = {
    "double2hiint": _high_word,
    "double2loint": _low_word,
    "hiloint2double": _of_words,
    "rcp64h": bits.high_reciprocal,
}


def _table() -> dict[str, Function]:
    found: dict[str, Function] = {**_rounded_arithmetic(), **_conversions()}
    for name, formula in FLOATS.items():
        found[name] = found[f"{name}f"] = _plain(formula)
    found |= {name: _plain(formula) for name, formula in (FAST | WORDS).items()}
    found |= {name: _answer(formula) for name, formula in ANSWERS.items()}
    found |= {name: _sized(formula) for name, formula in INTEGERS.items()}
    found |= dict.fromkeys(BITS, _same_bits)
    return {PREFIX + name: function for name, function in found.items()}


FUNCTIONS = _table()
"""The functions of libdevice, by name."""
