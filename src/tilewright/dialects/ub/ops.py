"""Operations and attributes of the ``ub`` dialect."""

from __future__ import annotations

from typing import ClassVar

from tilewright.dialects.common.base import StandardOp
from tilewright.ir.attribute import Attribute
from tilewright.ir.declaration.attribute_kind import InstanceKind
from tilewright.ir.declaration.constraint import ANY_TYPE
from tilewright.ir.declaration.fields import attr_def, result_def
from tilewright.ir.declaration.traits import ConstantLike, Pure, Terminator
from tilewright.ir.value import Value


class PoisonAttr(Attribute):
    """``#ub.poison``: the value is poison altogether."""

    name: ClassVar[str] = "ub.poison"


class PoisonOp(StandardOp, name="ub.poison"):
    """A value that may be anything; what depends on it is poison, too."""

    value: PoisonAttr = attr_def(
        InstanceKind(PoisonAttr, "PoisonAttrInterface instance"),
        "How much of the value is poison.",
        default=PoisonAttr(),
    )
    result: Value = result_def(ANY_TYPE, "The value.")
    assembly_format = "attr-dict (`<` $value^ `>`)? `:` type($result)"
    traits = (ConstantLike(), Pure())


class UnreachableOp(StandardOp, name="ub.unreachable"):
    """Marks code that control never reaches; reaching it is undefined behaviour."""

    assembly_format = "attr-dict"
    traits = (Terminator(),)


OPERATIONS = (PoisonOp, UnreachableOp)
ATTRIBUTES = (PoisonAttr,)
