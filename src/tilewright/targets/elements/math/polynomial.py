"""Evaluation of polynomials, and helpers of several functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tilewright.dialects.llvm.intrinsics.vector import VectorReduceOrOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import i1
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.targets.elements.expression import Expression, type_suffix

LONG = 12
"""Polynomials with more terms are computed in two chains, since each step of a chain depends on the step
before.
"""
INFINITY = float("inf")
Sum = tuple[Expression, Expression]
"""A float and its residual."""


def horner(x: Expression, coefficients: Sequence[float]) -> Expression:
    """Return ``c0 + c1 x + c2 x**2 + ...`` with the `coefficients` from power 0 on. The first two terms,
    which round the result, are added last.
    """
    if len(coefficients) <= LONG:
        return chain(x, coefficients)
    square, (constant, slope, *rest) = x * x, coefficients
    tail = chain(square, rest[1::2]).fma(x, chain(square, rest[::2]))
    return tail.fma(x, slope).fma(x, constant)


def chain(x: Expression, coefficients: Sequence[float]) -> Expression:
    """Return the polynomial with the `coefficients` from power 0 on, at least one, by a single chain of fused
    multiply-adds.
    """
    total = x.constant(coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        total = total.fma(x, coefficient)
    return total


def at_least(x: Expression, bound: float) -> Expression:
    """Return ``max(x, bound)``; NaN stays NaN."""
    limit = x.constant(bound)
    return limit.compare("OGT", x).select(limit, x)


def at_most(x: Expression, bound: float) -> Expression:
    """Return ``min(x, bound)``; NaN stays NaN."""
    limit = x.constant(bound)
    return limit.compare("OLT", x).select(limit, x)


def keeping_zero(x: Expression, result: Expression) -> Expression:
    """Return `result`, or `x` where `x` is zero: odd functions keep the sign of zero."""
    return x.compare("OEQ", 0.0).select(x, result)


def any_lane(condition: Expression) -> Value:
    """Emit code that computes whether `condition` is true on any lane, and return this i1 value."""
    if condition.lanes == 1:
        return condition.value
    return condition.code(VectorReduceOrOp, condition.value, type=i1)


def fast_sum(larger: Expression, smaller: Expression) -> Sum:
    """Return the nearest float of a sum, and the residual; `larger` has the larger magnitude, or is zero."""
    total = larger + smaller
    return total, (larger - total) + smaller


def product(a: Expression, b: Expression | float) -> Sum:
    """Return the nearest float of a product, and the residual."""
    nearest = a * b
    return nearest, a.fma(b, -nearest)


def quotient_of_sums(above: Sum, below: Sum) -> Expression:
    """Return ``above / below``, both of them sums of a float and its residual, rounded to one float."""
    inverse = 1.0 / below[0]
    near = above[0] * inverse
    rest = (-near).fma(below[0], above[0]) + (-near).fma(below[1], above[1])
    return rest.fma(inverse, near)


Formula = Callable[..., Expression]
"""A function of lanes of f32 or f64, written with operations on them."""


@dataclass(frozen=True, slots=True)
class MathFunction:
    """A function of the library: its formula, and the operation that only applies this formula to its
    operands.

    ``operation`` is None if there is no such operation, or if it has attributes that its rule has to read.
    """

    formula: Formula
    operation: type[Operation] | None = None


ALIGNMENT = 64
"""The alignment of tables, and of memory for vectors, in bytes."""
PREFIX = "tilewright.math."


def called(name: str, *operands: Expression, type: Type | None = None) -> Expression:
    """Emit a call of the library function `name` for the type of the first operand, and return its result,
    which has this type, or `type`. `library.link` adds the function to the module.
    """
    first = operands[0]
    return first.call(f"{PREFIX}{name}.{type_suffix(first.type)}", *operands[1:], type=type)
