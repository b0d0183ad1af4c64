"""The lowering of each elementwise operation to lanes: a table for all dialects."""

from __future__ import annotations

from functools import partial

from tilewright.dialects.math.dialect import FPowIOp
from tilewright.dialects.nv_tileas.ops_arith import also_on_tiles
from tilewright.ir.builtin_types import i32
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.targets.elements import convert as elements_convert, expression, integers
from tilewright.targets.elements.floats import FLOAT_RULES, flushed, in_wider, widened, with_canonical_nan
from tilewright.targets.elements.lanes import Lanes, Rule
from tilewright.targets.elements.math import polynomial, table
from tilewright.targets.elements.rounding import CARRIERS, convert


def _function(name: str) -> Rule:
    """Return the rule of the elementary function `name`: the target's own formula if it has one, else a call
    of the library function. Subnormal operands and results are flushed if the operation has
    ``flush_to_zero``.
    """

    def of_flushed(x: expression.Expression) -> expression.Expression:
        return polynomial.called(name, flushed(x))

    def rule(at: Lanes) -> Value:
        own = at.native_formula(name) or (None if at.flag("flush_to_zero") else at.narrow_function(name))
        if own is not None or not at.flag("flush_to_zero"):
            return in_wider(at, own or partial(polynomial.called, name)).value
        return flushed(in_wider(at, of_flushed)).value

    return rule


def _integer_power(at: Lanes) -> Value:
    base, exponent = at.expressions()
    power = exponent.extended(i32, signed=True)
    result = polynomial.called("fpowi", widened(base), power)
    return (
        with_canonical_nan(at, result) if base.element in CARRIERS else convert(result, base.element)
    ).value


MATH_RULES: dict[type[Operation], Rule] = {
    **{
        function.operation: _function(name)
        for name, function in table.FUNCTIONS.items()
        if function.operation is not None
    },
    FPowIOp: _integer_power,
}
"""Rules by operation class; operations of `nv_tileas` share the rules of the operations with their names."""


RULES: dict[type[Operation], Rule] = also_on_tiles(
    {**integers.INTEGER_RULES, **FLOAT_RULES, **elements_convert.CONVERSION_RULES, **MATH_RULES}
)
"""Rules by the class of the operation.

Operations with equal names have a common rule in all dialects; the dialects differ in the attributes of
rounding, which `Lanes` reads.
"""
