"""The run-time objects behind handles, and how the parts of an operation are found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import DenseElementsAttr, FloatAttr, IntegerAttr, StringAttr
from tilewright.ir.builtin_types import none
from tilewright.ir.declaration import fields, kind as declaration_kind
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.pdl.dialects.pdl import types as pdl_types

CLASSES: dict[type[Type], type[Any]] = {
    pdl_types.AttributeType: Attribute,
    pdl_types.OperationType: Operation,
    pdl_types.TypeType: Type,
    pdl_types.ValueType: Value,
}
"""The Python class of the objects that handles of each PDL type refer to."""


def fits(value: Any, type: Type) -> bool:
    """True if a native function may return ``value`` for a handle of a PDL type. Null (None) is allowed for a
    single handle and for elements of a range; a range itself must be a tuple.
    """
    if isinstance(type, pdl_types.RangeType):
        if not isinstance(value, tuple):
            return False
        return all(fits(element, type.element_type) for element in cast(tuple[Any, ...], value))
    return value is None or isinstance(value, CLASSES[type.__class__])


def attribute(op: Operation, name: str) -> Attribute | None:
    """Return the attribute ``name`` of an operation, or the default that its declaration gives; null if there
    is neither.
    """
    found = op.held_attributes.get(name)
    if found is None:
        field = op.kind.attributes_by_ir_name.get(name)
        return field.default if field is not None and field.default is not fields.MISSING else None
    return found


def attribute_type(attribute: Attribute | None) -> Type | None:
    """Return the type of an attribute that has a type: a number, a string (``none`` if it has no type of its
    own) or dense data; null for others.
    """
    if isinstance(attribute, IntegerAttr | FloatAttr | DenseElementsAttr):
        return attribute.type
    return (attribute.type or none) if isinstance(attribute, StringAttr) else None


def type_of(held: Any) -> Any:
    """Return the type of a value or attribute, or a tuple of the types of several values; null for an
    attribute without a type.
    """
    if isinstance(held, tuple):
        return tuple([value.type for value in cast(tuple[Value, ...], held)])
    return held.type if isinstance(held, Value) else attribute_type(held)


def defining_op(value: Value | Sequence[Value] | None) -> Operation | None:
    """Return the operation that defines a value, or the first of a tuple of values; null for a block
    argument, for null, and for no values.
    """
    if isinstance(value, tuple):
        value = value[0] if value else None
    return value.owner if type(value) is OpResult else None


def users(values: Iterable[Value]) -> tuple[Operation, ...]:
    """Return the operations that use values, each once."""
    found: dict[Operation, None] = {}
    for value in values:
        found.update(dict.fromkeys(value.uses))
    return tuple(found)


def operand_group(op: Operation, index: int | None) -> tuple[Value, ...] | None:
    """Return group number ``index`` of the operands, or all operands if it is None; null if there is no such
    group. Without declared groups, a group has the operands from ``index`` on.
    """
    if index is None:
        return op.operands
    return _group(op, op.operands, index, op.kind.segmented_operands, declaration_kind.OPERAND_SEGMENTS)


def result_group(op: Operation, index: int | None) -> tuple[Value, ...] | None:
    """Return group number ``index`` of the results, or all results if it is None; null if there is no such
    group. Without declared groups, a group has the results from ``index`` on.
    """
    if index is None:
        return op.results
    return _group(op, op.results, index, op.kind.segmented_results, declaration_kind.RESULT_SEGMENTS)


def _group(
    op: Operation, values: tuple[Value, ...], index: int, segmented: bool, name: str
) -> tuple[Value, ...] | None:
    """Return group number ``index`` of the values by the segment sizes in the attribute ``name``, if the
    operation is ``segmented``; else the values from ``index`` on. None if there is no such group.
    """
    if not segmented:
        return values[index:] if index <= len(values) else None
    sizes: Any = op.held_attributes.get(name)
    if sizes is None or index >= len(sizes.values):
        return None
    start = sum(sizes.values[:index])
    return values[start : start + sizes.values[index]]


def flat(parts: Iterable[Any]) -> list[Any]:
    """Return `parts` as one list, in which the elements of a tuple (a range) replace the tuple. Null handles
    stay.
    """
    found: list[Any] = []
    for part in parts:
        if isinstance(part, tuple):
            found.extend(cast(tuple[Any, ...], part))
        else:
            found.append(part)
    return found
