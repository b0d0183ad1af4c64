"""The ``arith`` dialect."""

from __future__ import annotations

from typing import Any

from tilewright.dialects.arith import (
    canonicalization,
    folds_conversion,
    folds_float,
    folds_integer,
    ops_conversion,
    ops_float,
    ops_integer,
)
from tilewright.dialects.arith.attributes import ATTRIBUTES
from tilewright.dialects.ub.dialect import materialize_constant as materialize_poison
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import DenseElementsAttr, FloatAttr, IntegerAttr
from tilewright.ir.builtin_types import IntegerType
from tilewright.ir.control_flow import InlinerInterface
from tilewright.ir.dialect import Dialect
from tilewright.ir.operation import Operation

HAND_WRITTEN_SYNTAX = ("arith.select",)
"""Operations whose custom syntax is not written in the declaration."""


NUMBERS = (IntegerAttr, FloatAttr, DenseElementsAttr)


def materialize_constant(value: Attribute, type: Type, location: Any) -> Operation | None:
    """An ``arith.constant`` (or ``ub.poison``) that yields a value of a type; None if there is none."""
    if not isinstance(value, NUMBERS):
        return materialize_poison(value, type, location)
    signed = isinstance(type, IntegerType) and type.signedness != "signless"
    if value.type is not type or signed:
        return None
    attributes: dict[str, Attribute] = {"value": value}
    return Operation.from_parts(ops_integer.ConstantOp.op_kind, (), (type,), attributes, location=location)


ARITH = Dialect(
    "arith",
    doc="Arithmetic on integers and floating-point numbers.",
    operations=(*ops_integer.OPERATIONS, *ops_float.OPERATIONS, *ops_conversion.OPERATIONS),
    interfaces=(InlinerInterface(),),
    attributes=ATTRIBUTES,
    folds={**folds_integer.FOLDS, **folds_float.FOLDS, **folds_conversion.FOLDS},
    materialize_constant=materialize_constant,
    canonicalization_patterns=canonicalization.patterns,
    depends_on=("ub",),
)
