"""What a definition answers, and where definitions are found."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Near:
    """A result that may be so far from a number, in its own size or absolutely."""

    value: float
    relative: float = 0.0
    absolute: float = 0.0

    def __contains__(self, found: float) -> bool:
        if math.isnan(self.value) or math.isinf(self.value):
            return found == self.value or (math.isnan(self.value) and math.isnan(found))
        return abs(found - self.value) <= self.absolute + self.relative * abs(self.value)


Codes = int | tuple[int, ...]
"""The bits of a result, or several that are allowed."""
Answer = Codes | Near | None
"""A result, a bound, or None where the ISA leaves it open."""
Compute = Callable[..., Answer]
Define = Callable[[Mapping[str, str]], Compute]
"""From the modifiers of an instruction to what it computes of the bits of one element of each operand."""
Whole = Callable[[int], int] | Callable[[int, int], int] | Callable[[int, int, int], int]
DEFINITIONS: dict[str, Define] = {}
"""By the names of instructions."""


def define(*names: str) -> Callable[[Define], Define]:
    """Registers a definition."""

    def register(function: Define) -> Define:
        for name in names:
            assert name not in DEFINITIONS, name
            DEFINITIONS[name] = function
        return function

    return register
