"""The lowering of each elementwise operation to lanes: a table for all dialects."""

from __future__ import annotations

from tilewright.dialects.nv_tileas.ops_arith import also_on_tiles
from tilewright.ir.operation import Operation
from tilewright.targets.elements.convert import CONVERSION_RULES
from tilewright.targets.elements.floats import FLOAT_RULES
from tilewright.targets.elements.functions import MATH_RULES
from tilewright.targets.elements.integers import INTEGER_RULES
from tilewright.targets.elements.lanes import Rule

RULES: dict[type[Operation], Rule] = also_on_tiles(
    {**INTEGER_RULES, **FLOAT_RULES, **CONVERSION_RULES, **MATH_RULES}
)
"""Rules by the class of the operation.

Operations with equal names have a common rule in all dialects; the dialects differ in the attributes of
rounding, which `Lanes` reads.
"""
