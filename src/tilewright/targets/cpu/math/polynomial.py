"""Evaluation of polynomials, and what the functions share."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.targets.cpu.elementwise_expression import Expression


def horner(x: Expression, coefficients: Sequence[float]) -> Expression:
    """``c0 + c1 x + c2 x**2 + ...``"""
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
