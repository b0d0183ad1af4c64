"""Evaluation of polynomials, and what the functions share."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.llvm.intrinsics.vector import VectorReduceOrOp
from tilewright.ir.builtin_types import i1
from tilewright.ir.value import Value
from tilewright.targets.elements.expression import Expression

LONG = 12
"""Polynomials of more terms are computed in two chains: each step of a chain waits for the one before."""
INFINITY = float("inf")
Sum = tuple[Expression, Expression]
"""A float and what it misses."""


def horner(x: Expression, coefficients: Sequence[float]) -> Expression:
    """``c0 + c1 x + c2 x**2 + ...``; the first two terms, which round the result, come last."""
    if len(coefficients) <= LONG:
        return chain(x, coefficients)
    square, (constant, slope, *rest) = x * x, coefficients
    tail = chain(square, rest[1::2]).fma(x, chain(square, rest[::2]))
    return tail.fma(x, slope).fma(x, constant)


def chain(x: Expression, coefficients: Sequence[float]) -> Expression:
    """The same, each step with the result of the one before."""
    total = x.constant(coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        total = total.fma(x, coefficient)
    return total


def at_least(x: Expression, bound: float) -> Expression:
    """The larger of a number and a bound; NaN stays."""
    limit = x.constant(bound)
    return limit.compare("OGT", x).select(limit, x)


def at_most(x: Expression, bound: float) -> Expression:
    """The smaller of a number and a bound; NaN stays."""
    limit = x.constant(bound)
    return limit.compare("OLT", x).select(limit, x)


def keeping_zero(x: Expression, result: Expression) -> Expression:
    """An odd function gives zeros back as they are."""
    return x.compare("OEQ", 0.0).select(x, result)


def any_lane(condition: Expression) -> Value:
    """Whether a condition holds on some lane."""
    if condition.lanes == 1:
        return condition.value
    return condition.code(VectorReduceOrOp, condition.value, type=i1)


def fast_sum(larger: Expression, smaller: Expression) -> Sum:
    """The nearest float of a sum, and the rest; the first term is the larger one, or zero."""
    total = larger + smaller
    return total, (larger - total) + smaller


def product(a: Expression, b: Expression | float) -> Sum:
    """The nearest float of a product, and the rest."""
    nearest = a * b
    return nearest, a.fma(b, -nearest)


def quotient_of_sums(above: Sum, below: Sum) -> Expression:
    """A quotient, rounded nearly as if its operands were exact."""
    inverse = 1.0 / below[0]
    near = above[0] * inverse
    rest = (-near).fma(below[0], above[0]) + (-near).fma(below[1], above[1])
    return rest.fma(inverse, near)
