"""What the library knows of each of its functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tilewright.ir.operation import Operation
from tilewright.targets.elements.expression import Expression

Formula = Callable[..., Expression]
"""A function of lanes of f32 or f64, written with operations on them."""


@dataclass(frozen=True, slots=True)
class Function:
    """A function, and the operation that is this function of each element, if one is and needs nothing beside it."""

    formula: Formula
    operation: type[Operation] | None = None
