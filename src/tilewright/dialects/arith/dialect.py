"""The declaration of the ``arith`` dialect: its operations, types and attributes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.arith import (
    ops_conversion,
    ops_float,
    ops_integer,
)
from tilewright.dialects.arith.attributes import ATTRIBUTES
from tilewright.dialects.ub.dialect import materialize_constant as materialize_poison
from tilewright.ir import builtin_attributes, builtin_types, dialect
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.interfaces.control_flow import InlinerInterface
from tilewright.ir.operation import Operation

HAND_WRITTEN_SYNTAX = ("arith.select",)
"""Operations whose custom syntax is written in Python instead of an assembly format."""


NUMBERS = (builtin_attributes.IntegerAttr, builtin_attributes.FloatAttr, builtin_attributes.DenseElementsAttr)


def materialize_constant(value: Attribute, type: Type, location: Any) -> Operation | None:
    """Return an ``arith.constant`` at `location` for a number or dense elements, or the operation that yields
    a poison value. Return None for any other attribute, for a value of a type other than ``type``, and for an
    integer type with a sign.
    """
    if not isinstance(value, NUMBERS):
        return materialize_poison(value, type, location)
    signed = isinstance(type, builtin_types.IntegerType) and type.signedness != "signless"
    if value.type is not type or signed:
        return None
    attributes: dict[str, Attribute] = {"value": value}
    return Operation.from_parts(ops_integer.ConstantOp.op_kind, (), (type,), attributes, location=location)


def _folds() -> dialect.FoldTable:
    """Return all tables, loaded when the first operation is to be folded."""
    from tilewright.dialects.arith import folds_conversion, folds_float, folds_integer

    return {**folds_integer.FOLDS, **folds_float.FOLDS, **folds_conversion.FOLDS}


def _patterns() -> Sequence[Any]:
    """Return all patterns in order, loaded when the first module is canonicalised."""
    from tilewright.dialects.arith.canonicalization import patterns

    return patterns()


ARITH = dialect.Dialect(
    "arith",
    doc="Arithmetic on integers and floating-point numbers.",
    operations=(*ops_integer.OPERATIONS, *ops_float.OPERATIONS, *ops_conversion.OPERATIONS),
    interfaces=(InlinerInterface(),),
    attributes=ATTRIBUTES,
    folds=_folds,
    materialize_constant=materialize_constant,
    canonicalization_patterns=_patterns,
    depends_on=("ub",),
)
