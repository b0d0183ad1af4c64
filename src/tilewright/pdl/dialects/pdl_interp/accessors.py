"""Steps from one handle to another: the parts of an operation, the types of values, elements of ranges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.common.traits import PredicateTrait
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.builtin_types import i32
from tilewright.ir.declaration import attribute_kind, traits as ir_traits
from tilewright.ir.declaration.fields import attr_def, operand_def, optional_attr_def, result_def
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.pdl.dialects.pdl import types as pdl_types

NUMBER = attribute_kind.IntegerKind(i32, minimum=0)
HANDLE = "The operation."
POSITION = "The number of the value."
GROUP = "The number of the group; all values if it is not given."
PURE = (ir_traits.Pure(),)


def _is_element(op: Operation) -> bool:
    range_type = op.operands[0].type
    return isinstance(range_type, pdl_types.RangeType) and range_type.element_type is op.results[0].type


class ExtractOp(StandardOp, name="pdl_interp.extract"):
    """Gets the element of a range at an index; null if there is none. Index 0 is the first element."""

    range: Value = operand_def(pdl_types.ANY_RANGE, "The range.")
    index: int = attr_def(NUMBER, "The number of the element.")
    result: Value = result_def(pdl_types.ANY, "The element.")
    assembly_format = "$index `of` $range `:` type($result) attr-dict"
    traits = (
        ir_traits.Pure(),
        PredicateTrait("`range` is a PDL range whose element type matches type of `result`", _is_element),
    )

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        range_type = operands[0].type
        if not isinstance(range_type, pdl_types.RangeType):
            raise ValueError(f"'pdl_interp.extract' takes an element of a range, got {range_type}")
        return [range_type.element_type]

    @classmethod
    def infer_operand_types(cls, parsing: Any, known: Mapping[str, Sequence[Type]]) -> dict[str, list[Type]]:
        return {"range": [pdl_types.RangeType(known["result"][0])]}


class GetAttributeOp(StandardOp, name="pdl_interp.get_attribute"):
    """Gets the attribute of an operation with a given name; null if there is none."""

    inputOp: Value = operand_def(pdl_types.OPERATION, HANDLE)
    name_: str = attr_def(attribute_kind.StringKind(), "The name.")
    attribute: Value = result_def(pdl_types.ATTRIBUTE, "The attribute.")
    assembly_format = "$name `of` $inputOp attr-dict"
    traits = PURE


class GetAttributeTypeOp(StandardOp, name="pdl_interp.get_attribute_type"):
    """Gets the type of an attribute: of a number, a string (``none`` if it has no type of its own) or dense
    data. Null for other attributes.
    """

    value: Value = operand_def(pdl_types.ATTRIBUTE, "The attribute.")
    result: Value = result_def(pdl_types.TYPE, "The type.")
    assembly_format = "`of` $value attr-dict"
    traits = PURE


class GetDefiningOpOp(StandardOp, name="pdl_interp.get_defining_op"):
    """Gets the operation that defines a value (or the first value of a range); null for block arguments and
    for an empty range.
    """

    value: Value = operand_def(pdl_types.VALUE_OR_RANGE, "The value.")
    inputOp: Value = result_def(pdl_types.OPERATION, HANDLE)
    assembly_format = "`of` $value `:` type($value) attr-dict"
    traits = PURE


class GetOperandOp(StandardOp, name="pdl_interp.get_operand"):
    """Gets the operand of an operation at an index; null if there is none."""

    inputOp: Value = operand_def(pdl_types.OPERATION, HANDLE)
    index: int = attr_def(NUMBER, POSITION)
    value: Value = result_def(pdl_types.VALUE, "The operand.")
    assembly_format = "$index `of` $inputOp attr-dict"
    traits = PURE


class GetOperandsOp(StandardOp, name="pdl_interp.get_operands"):
    """Gets all operands of an operation, or one group of them; null if there is no such group. If the
    operation declares no groups, the group has the operands from the index on. If the result is a single
    value, a group of another size than 1 gives null.
    """

    inputOp: Value = operand_def(pdl_types.OPERATION, HANDLE)
    index: int | None = optional_attr_def(NUMBER, GROUP)
    value: Value = result_def(pdl_types.VALUE_OR_RANGE, "The operands.")
    assembly_format = "($index^)? `of` $inputOp `:` type($value) attr-dict"
    traits = PURE


class GetResultOp(StandardOp, name="pdl_interp.get_result"):
    """Gets the result of an operation at an index; null if there is none."""

    inputOp: Value = operand_def(pdl_types.OPERATION, HANDLE)
    index: int = attr_def(NUMBER, POSITION)
    value: Value = result_def(pdl_types.VALUE, "The result.")
    assembly_format = "$index `of` $inputOp attr-dict"
    traits = PURE


class GetResultsOp(StandardOp, name="pdl_interp.get_results"):
    """Gets all results of an operation, or one group of them; null if there is no such group. If the
    operation declares no groups, the group has the results from the index on. If the result is a single
    value, a group of another size than 1 gives null.
    """

    inputOp: Value = operand_def(pdl_types.OPERATION, HANDLE)
    index: int | None = optional_attr_def(NUMBER, GROUP)
    value: Value = result_def(pdl_types.VALUE_OR_RANGE, "The results.")
    assembly_format = "($index^)? `of` $inputOp `:` type($value) attr-dict"
    traits = PURE


class GetUsersOp(StandardOp, name="pdl_interp.get_users"):
    """Gets the operations that use a value, or any value of a range, each once. Null has no users."""

    value: Value = operand_def(pdl_types.VALUE_OR_RANGE, "The value.")
    operations: Value = result_def(pdl_types.OPERATIONS, "The operations.")
    assembly_format = "`of` $value `:` type($value) attr-dict"
    traits = PURE


def types_of(values: Type) -> Type:
    """Return the PDL type for the type of a value of the PDL type `values`: ``!pdl.type``. For a range of
    values it is a range of types.
    """
    return (
        pdl_types.RangeType(pdl_types.TypeType())
        if isinstance(values, pdl_types.RangeType)
        else pdl_types.TypeType()
    )


def values_of(types: Type) -> Type:
    """Return the PDL type for a value whose type has the PDL type `types`: ``!pdl.value``. For a range of
    types it is a range of values.
    """
    return (
        pdl_types.RangeType(pdl_types.ValueType())
        if isinstance(types, pdl_types.RangeType)
        else pdl_types.ValueType()
    )


def _has_same_arity(op: Operation) -> bool:
    return op.operands[0].type is values_of(op.results[0].type)


class GetValueTypeOp(StandardOp, name="pdl_interp.get_value_type"):
    """Gets the type of a value, or the types of a range of values; null for null."""

    value: Value = operand_def(pdl_types.VALUE_OR_RANGE, "The value.")
    result: Value = result_def(pdl_types.TYPE_OR_RANGE, "The type.")
    assembly_format = "`of` $value `:` type($result) attr-dict"
    traits = (ir_traits.Pure(), PredicateTrait("`value` type matches arity of `result`", _has_same_arity))

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return [types_of(operands[0].type)]

    @classmethod
    def infer_operand_types(cls, parsing: Any, known: Mapping[str, Sequence[Type]]) -> dict[str, list[Type]]:
        return {"value": [values_of(known["result"][0])]}


OPERATIONS = (
    ExtractOp,
    GetAttributeOp,
    GetAttributeTypeOp,
    GetDefiningOpOp,
    GetOperandOp,
    GetOperandsOp,
    GetResultOp,
    GetResultsOp,
    GetUsersOp,
    GetValueTypeOp,
)
