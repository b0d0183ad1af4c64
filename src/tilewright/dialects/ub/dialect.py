"""The declaration of the ``ub`` dialect: its operations, types and attributes."""

from __future__ import annotations

from typing import Any

from tilewright.dialects.ub import ops
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.dialect import Dialect, FoldTable
from tilewright.ir.interfaces.control_flow import InlinerInterface
from tilewright.ir.operation import Operation

HAND_WRITTEN_SYNTAX: tuple[str, ...] = ()
"""Operations whose custom syntax is not written in the declaration."""


def materialize_constant(value: Attribute, type: Type, location: Any) -> Operation | None:
    """Return a ``ub.poison`` for a poison attribute; None for everything else."""
    if not isinstance(value, ops.PoisonAttr):
        return None
    attributes: dict[str, Attribute] = {"value": value}
    return Operation.from_parts(ops.PoisonOp.op_kind, (), [type], attributes, location=location)


def _folds() -> FoldTable:
    """Return the table, loaded when the first operation is to be folded."""
    from tilewright.dialects.ub.folds import FOLDS

    return FOLDS


UB = Dialect(
    "ub",
    doc="Undefined behaviour.",
    operations=ops.OPERATIONS,
    interfaces=(InlinerInterface(),),
    attributes=ops.ATTRIBUTES,
    folds=_folds,
    materialize_constant=materialize_constant,
)
