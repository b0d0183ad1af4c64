"""Elementary functions: computed in f32 for f32 and narrower formats, in f64 for f64.

Short functions stand where they are used; longer ones are functions of the module (`math.library`).
"""

from __future__ import annotations

from collections.abc import Callable

from tilewright.dialects.llvm.ops_conversion import SIToFPOp
from tilewright.ir.builtin_types import f64, i32
from tilewright.ir.value import Value
from tilewright.targets.cpu.elementwise_expression import Expression
from tilewright.targets.cpu.elementwise_float import flushed, in_wider, visible, widened
from tilewright.targets.cpu.elementwise_lanes import Lanes, Rule
from tilewright.targets.cpu.elementwise_rounding import CARRIERS, convert
from tilewright.targets.cpu.math import exponential
from tilewright.targets.cpu.math.lanes import by_lanes, called

CALLED: dict[str, str] = {
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
    def body(*operands: Expression) -> Expression:
        call = by_lanes if operands[0].element is f64 else called
        return call(name, *operands)

    return lambda at: in_wider(at, body).value


def _flushing(body: Callable[[Expression], Expression]) -> Rule:
    """A function that may treat subnormal numbers, before and after, as zeros."""

    def inputs_flushed(x: Expression) -> Expression:
        return body(flushed(x))

    def rule(at: Lanes) -> Value:
        if not at.flag("flush_to_zero"):
            return in_wider(at, body).value
        return flushed(in_wider(at, inputs_flushed)).value

    return rule


def _reciprocal_root(x: Expression) -> Expression:
    return 1.0 / x.square_root()


def _integer_power(at: Lanes) -> Value:
    base, exponent = at.expressions()
    power = exponent.extended(i32, signed=True)
    if base.element is f64:
        return visible(at, by_lanes("pow", base, power.cast(SIToFPOp, f64))).value
    result = called("fpowi", widened(base), power)
    return (visible(at, result) if base.element in CARRIERS else convert(result, base.element)).value


MATH_RULES: dict[str, Rule] = {
    **{mnemonic: _function(name) for mnemonic, name in CALLED.items()},
    "exp": lambda at: in_wider(at, exponential.exp).value,
    "exp2": _flushing(exponential.exp2),
    "rsqrt": _flushing(_reciprocal_root),
    "fpowi": _integer_power,
}
"""Rules by the mnemonic of the operation, in whatever dialect."""
