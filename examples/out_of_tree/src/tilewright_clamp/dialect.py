"""The dialect `clamp`: one operation on tiles of integers."""

from __future__ import annotations

from tilewright.dialects.cuda_tile.constraints import INTEGER_TILE
from tilewright.dialects.cuda_tile.enums import Signedness, SignednessAttr
from tilewright.ir.declaration.attribute_kind import EnumKind
from tilewright.ir.declaration.constraint import TypeVariable
from tilewright.ir.declaration.fields import attr_def, operand_def, result_def
from tilewright.ir.declaration.traits import Elementwise, Pure
from tilewright.ir.dialect import Dialect
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

T = TypeVariable("T", INTEGER_TILE)


class ClampIOp(Operation, name="clamp.clampi"):
    """Clamps each element to the range from `low` to `high`: `min(max(value, low), high)`."""

    value: Value = operand_def(T, "The elements to be clamped.")
    low: Value = operand_def(T, "The smallest result.")
    high: Value = operand_def(T, "The largest result.")
    signedness: Signedness = attr_def(EnumKind(SignednessAttr), "How the operands are read.")
    result: Value = result_def(T, "The clamped elements.")
    traits = (Pure(), Elementwise())


CLAMP = Dialect("clamp", doc="Clamping, as an example.", operations=(ClampIOp,), depends_on=("cuda_tile",))
