"""The description of a library function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tilewright.ir.operation import Operation
from tilewright.targets.elements.expression import Expression

Formula = Callable[..., Expression]
"""A function of lanes of f32 or f64, written with operations on them."""


@dataclass(frozen=True, slots=True)
class MathFunction:
    """A function, and the operation that computes it elementwise without other parameters, or `None`."""

    formula: Formula
    operation: type[Operation] | None = None
