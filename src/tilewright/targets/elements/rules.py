"""What each operation on single elements becomes on lanes: one table for all dialects."""

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

Operations of one name have one rule, whichever dialect they belong to; the dialects differ in what they say about rounding,
which `Lanes` reads.
"""
