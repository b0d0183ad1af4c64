"""Elementary functions of f16 and bf16 by the approximate instructions of GPUs, which work in f32.

The error of a formula, relative to the result, is behind the last place of the format: a result is within 0.502 units in the
last place, where rounding alone takes 0.5.  What an instruction may miss is what PTX says.

- `ex2.approx`: 2**-22.  `exp` multiplies by log2(e) first: the exponent is at most 128 (16 where the result is an f16 other than
  zero and infinity), of which f32 misses 2**-18 (2**-21).
- `rsqrt.approx`: 2**-22.9.

f32 itself has no places to spare, and keeps the polynomials of `elements.math`.
"""

from __future__ import annotations

from collections.abc import Mapping

from tilewright.ir.builtin_types import FloatType, bf16, f16
from tilewright.targets.elements.expression import Expression
from tilewright.targets.elements.math.exponential import LOG2_E
from tilewright.targets.elements.math.function import Formula

OF_SEVERAL_TYPES = ("ex2",)
"""Instructions whose intrinsic in LLVM takes several types; any other is named for f32, by an `f`."""


def _approximate(name: str, *, flushes: bool) -> Formula:
    """An instruction; one that flushes takes subnormal f32 for zero, which no f16 is, nor becomes one."""

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


FUNCTIONS: Mapping[tuple[str, FloatType], Formula] = {
    (name, type): formula
    for type in (f16, bf16)
    for name, formula in {
        "exp": _exponential(flushes=type is f16),
        "exp2": _approximate("ex2", flushes=type is f16),
        "rsqrt": _approximate("rsqrt", flushes=type is f16),
    }.items()
}
"""The formulas by the names of functions and the formats of results."""
