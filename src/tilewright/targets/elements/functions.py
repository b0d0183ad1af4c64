"""Elementary functions: computed in f32 for f32 and narrower formats, in f64 for f64, by functions of the module.

`math.library` adds those functions to the module, and says which of them stand in place of their calls.
"""

from __future__ import annotations

from functools import partial

from tilewright.ir.builtin_types import i32
from tilewright.ir.value import Value
from tilewright.targets.elements.expression import Expression
from tilewright.targets.elements.floats import flushed, in_wider, visible, widened
from tilewright.targets.elements.lanes import Lanes, Rule
from tilewright.targets.elements.math.lanes import called
from tilewright.targets.elements.rounding import CARRIERS, convert

CALLED: dict[str, str] = {
    "exp": "exp",
    "log": "log",
    "log2": "log2",
    "sin": "sin",
    "cos": "cos",
    "tan": "tan",
    "sinh": "sinh",
    "cosh": "cosh",
    "tanh": "tanh",
    "atan2": "atan2",
    "powf": "pow",
}
"""Functions of the module, by the mnemonic of the operation."""


def _function(name: str) -> Rule:
    return lambda at: in_wider(at, partial(called, name)).value


def _flushing(name: str) -> Rule:
    """A function that may treat subnormal numbers, before and after, as zeros."""

    def inputs_flushed(x: Expression) -> Expression:
        return called(name, flushed(x))

    def rule(at: Lanes) -> Value:
        if not at.flag("flush_to_zero"):
            return in_wider(at, partial(called, name)).value
        return flushed(in_wider(at, inputs_flushed)).value

    return rule


def _integer_power(at: Lanes) -> Value:
    base, exponent = at.expressions()
    power = exponent.extended(i32, signed=True)
    result = called("fpowi", widened(base), power)
    return (visible(at, result) if base.element in CARRIERS else convert(result, base.element)).value


MATH_RULES: dict[str, Rule] = {
    **{mnemonic: _function(name) for mnemonic, name in CALLED.items()},
    "exp2": _flushing("exp2"),
    "rsqrt": _flushing("rsqrt"),
    "fpowi": _integer_power,
}
"""Rules by the mnemonic of an operation, for all dialects."""
