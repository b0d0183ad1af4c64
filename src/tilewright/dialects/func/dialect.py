"""The declaration of the ``func`` dialect: its operations, types and attributes."""

from __future__ import annotations

from typing import Any

from tilewright.dialects.func import canonicalization, ops
from tilewright.dialects.func.inlining import FuncInliner
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import SymbolRefAttr
from tilewright.ir.builtin_types import FunctionType
from tilewright.ir.dialect import Dialect
from tilewright.ir.operation import Operation

HAND_WRITTEN_SYNTAX = ("func.func",)
"""Operations whose custom syntax is not written in the declaration."""


def materialize_constant(value: Attribute, type: Type, location: Any) -> Operation | None:
    """Return a ``func.constant`` for the name of a function; None for everything else."""
    if not isinstance(value, SymbolRefAttr) or value.nested or not isinstance(type, FunctionType):
        return None
    attributes: dict[str, Attribute] = {"value": value}
    return Operation.from_parts(ops.ConstantOp.op_kind, (), [type], attributes, location=location)


FUNC = Dialect(
    "func",
    doc="Functions and calls.",
    operations=ops.OPERATIONS,
    interfaces=(FuncInliner(),),
    materialize_constant=materialize_constant,
    canonicalization_patterns=canonicalization.patterns,
)
