"""Elementary functions, quotients and roots by the approximate instructions of GPUs, which work in f32.

For f16 and bf16 the error of a formula, relative to the result, is below the last place of the format: a
result is within 0.502 units in the last place, where rounding alone takes 0.5. The errors of instructions are
the bounds in the PTX ISA.

- `ex2.approx`: 2**-22. `exp` multiplies by log2(e) first: the exponent is at most 128 (16 where the result is
  an f16 other than zero and infinity), with an f32 error of 2**-18 (2**-21).
- `rsqrt.approx`: 2**-22.9.

For f32 the error is the error of the instruction, relative to the result: 2**-22 of `exp2`, 2**-22.9 of
`rsqrt`. `exp` subtracts an integer from the exponent, so that the f32 error of the rest is 2**-24, and the result
is within 2**-21.5. Operations with the rounding mode `approx` or `full` are the instruction of
that name, and operations that flush subnormal numbers are its flushing form.

`tanh` is a polynomial below 0.55, within 2**-23, and ``1 - 2 / (e**2x + 1)`` from there on. The quotient is less
than the result, and falls faster than the error of the power grows: the result is within 2**-21. The instruction
`tanh.approx`, whose error is 2**-11, needs the rounding mode. `log`, `log2`, `sin` and `cos` need smaller errors
than their instructions have, and use the polynomials of `elements.math`.
"""

from __future__ import annotations

from collections.abc import Mapping

from tilewright.ir.builtin_types import FloatType, bf16, f16, f32
from tilewright.targets.elements.expression import Expression
from tilewright.targets.elements.math.coefficients import TANH
from tilewright.targets.elements.math.exponential import LOG2_E, power_of_two
from tilewright.targets.elements.math.polynomial import Formula, horner
from tilewright.targets.elements.rounding import convert

OF_SEVERAL_TYPES = ("ex2",)
"""Instructions with overloaded LLVM intrinsics; the names of other intrinsics end with `f` for f32."""


def _approximate(name: str, *, flushes: bool) -> Formula:
    """Return the formula of the approximate instruction `name`, such as ``ex2``. With `flushes`, subnormal
    f32 are flushed, which affects no f16 operand or result.
    """

    intrinsic = f"llvm.nvvm.{name}.approx{'.ftz' if flushes else ''}"

    def formula(x: Expression) -> Expression:
        return (
            x.same_type_intrinsic(intrinsic)
            if name in OF_SEVERAL_TYPES
            else x.named_intrinsic(f"{intrinsic}.f")
        )

    return formula


def _exponential(*, flushes: bool) -> Formula:
    power = _approximate("ex2", flushes=flushes)

    def formula(x: Expression) -> Expression:
        return power(x * LOG2_E)

    return formula


LOG2_E_PARTS = 1.44269502162933349609375, LOG2_E - 1.44269502162933349609375
"""log2(e) as an f32, and its residual."""


POWERS = 252
"""The number of steps between the smallest and the largest power of two that a result is scaled by."""
BIASED = 1.5 * 2.0**23 + 1
"""The constant that rounds a number of steps to an integer, with the biased exponent of the power in its low bits."""


def _whole_exponential() -> Formula:
    """Return the formula ``e**x = 2**n * 2**r`` with ``n`` from -126 to 126; the instruction computes the second
    power. ``r`` is from 0 to 1 if ``e**x`` is a normal number.

    A saturating sum, the share of ``x`` in the range of ``n``, bounds ``n``, and is 0 for NaN.
    """
    power = _approximate("ex2", flushes=True)

    def formula(x: Expression) -> Expression:
        constant = x.constant
        share = x.named_intrinsic("llvm.nvvm.fma.rn.sat.f", constant(LOG2_E / POWERS), constant(0.5))
        shifted = share.named_intrinsic("llvm.nvvm.fma.rm.f", constant(POWERS), constant(BIASED))
        rest = (BIASED + POWERS // 2) - shifted
        for part in LOG2_E_PARTS:
            rest = x.fma(part, rest)
        return power(rest) * power_of_two(shifted)

    return formula


SMALLEST_POWER = 0.55
"""The smallest number whose `tanh` is computed from a power."""


def _tanh(x: Expression) -> Expression:
    """Return the hyperbolic tangent of an f32, with the sign of `x`: a polynomial for small numbers,
    otherwise a formula of the approximate power and reciprocal. For large numbers the power is infinite and
    its reciprocal 0, so the result is 1.
    """
    power = _approximate("ex2", flushes=True)(x.magnitude() * (2.0 * LOG2_E))
    reciprocal = (power + 1.0).named_intrinsic("llvm.nvvm.rcp.approx.ftz.f")
    large = reciprocal.fma(-2.0, 1.0)
    square = x * x
    small = (x * square).fma(horner(square, TANH), x)
    return x.magnitude().compare("OLT", SMALLEST_POWER).select(small, large).with_sign_of(x)


def _half_quotient(left: Expression, right: Expression) -> Expression:
    """Return the quotient of two f16, correctly rounded. An approximate f32 quotient is corrected by its
    remainder to within a unit in the last place of f32, and then rounded to f16.

    For a normal result, the quotient of two f16 is never halfway between two f16, and is at least two such
    units away from there (`|2**11 a - m b| >= 1` for a number `m / 2**11` with 12 bits); for a subnormal
    result, a number halfway is itself an f32. A quotient that is exact, infinite or NaN has no remainder
    other than 0, and is not corrected.
    """
    a, b = left.to_float(f32), right.to_float(f32)
    reciprocal = b.named_intrinsic("llvm.nvvm.rcp.approx.ftz.f")
    first = a * reciprocal
    rest = (-b).fma(first, a)
    mended = rest.fma(reciprocal, first)
    return convert(rest.compare("ONE", 0.0).select(mended, first), f16)


def _named(instruction: str) -> Formula:
    """Return the formula of the f32 instruction `instruction`, such as ``div.full.ftz``, for any number of
    operands.
    """

    def formula(first: Expression, *others: Expression) -> Expression:
        return first.named_intrinsic(f"llvm.nvvm.{instruction}.f", *others)

    return formula


SINGLE: Mapping[str, Formula] = {
    "exp": _whole_exponential(),
    "exp2": _approximate("ex2", flushes=False),
    "exp2.ftz": _approximate("ex2", flushes=True),
    "rsqrt": _approximate("rsqrt", flushes=False),
    "rsqrt.ftz": _approximate("rsqrt", flushes=True),
    "tanh": _tanh,
    "exp.approx": _exponential(flushes=False),
    "tanh.approx": _named("tanh.approx"),
    **{
        f"{name}{flush}": _named(f"{name}{flush}")
        for name in ("div.approx", "div.full", "sqrt.approx")
        for flush in ("", ".ftz")
    },
    **{f"{name}.ftz": _named(f"{name}.rn.ftz") for name in ("add", "mul", "fma", "div", "sqrt")},
}
"""The formulas of f32, by operation, with the rounding mode unless it is to nearest, and ``ftz`` if it
flushes.
"""

FUNCTIONS: Mapping[tuple[str, FloatType], Formula] = (
    {
        **{(name, f32): formula for name, formula in SINGLE.items()},
    }
    | {
        (name, type): formula
        for type in (f16, bf16)
        for name, formula in {
            "exp": _exponential(flushes=type is f16),
            "exp2": _approximate("ex2", flushes=type is f16),
            "rsqrt": _approximate("rsqrt", flushes=type is f16),
            "tanh": _tanh,
        }.items()
    }
    | {("div", f16): _half_quotient}
)
"""The formulas by names of functions and formats of results."""
