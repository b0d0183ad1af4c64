"""The declaration of the ``ub`` dialect: its operations, types and attributes."""

from __future__ import annotations

from typing import Any, ClassVar

from tilewright.dialects.common.base import StandardOp
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.declaration import attribute_kind, constraint as declaration_constraint, fields
from tilewright.ir.declaration.traits import ConstantLike, Pure, Terminator
from tilewright.ir.dialect import Dialect, FoldTable
from tilewright.ir.interfaces.control_flow import InlinerInterface
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


class PoisonAttr(Attribute):
    """A constant that is poison as a whole: ``#ub.poison``."""

    name: ClassVar[str] = "ub.poison"


class PoisonOp(StandardOp, name="ub.poison"):
    """Returns a poison value: results computed from it are poison, too."""

    value: PoisonAttr = fields.attr_def(
        attribute_kind.InstanceKind(PoisonAttr, "PoisonAttrInterface instance"),
        "How much of the value is poison.",
        default=PoisonAttr(),
    )
    result: Value = fields.result_def(declaration_constraint.ANY_TYPE, "The value.")
    assembly_format = "attr-dict (`<` $value^ `>`)? `:` type($result)"
    traits = (ConstantLike(), Pure())


class UnreachableOp(StandardOp, name="ub.unreachable"):
    """Marks code that control never reaches; reaching it is undefined behaviour."""

    assembly_format = "attr-dict"
    traits = (Terminator(),)


OPERATIONS = (PoisonOp, UnreachableOp)
ATTRIBUTES = (PoisonAttr,)


HAND_WRITTEN_SYNTAX: tuple[str, ...] = ()
"""Operations whose custom syntax is not written in the declaration."""


def materialize_constant(value: Attribute, type: Type, location: Any) -> Operation | None:
    """Return a ``ub.poison`` for a poison attribute; None for everything else."""
    if not isinstance(value, PoisonAttr):
        return None
    attributes: dict[str, Attribute] = {"value": value}
    return Operation.from_parts(PoisonOp.op_kind, (), [type], attributes, location=location)


def _folds() -> FoldTable:
    """Return the dialect's table of folds, which is imported on first use."""
    from tilewright.dialects.ub.folds import FOLDS

    return FOLDS


UB = Dialect(
    "ub",
    doc="Undefined behaviour.",
    operations=OPERATIONS,
    interfaces=(InlinerInterface(),),
    attributes=ATTRIBUTES,
    folds=_folds,
    materialize_constant=materialize_constant,
)
