"""Constants, selection and integer arithmetic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from tilewright.dialects.arith import attributes as arith_attributes
from tilewright.dialects.common import base, kinds, traits as common_traits
from tilewright.dialects.common.constraints import (
    BOOL_LIKE,
    COMPARISON_WORDS,
    SIGNLESS_INTEGER_LIKE,
    i1_of_same_shape,
    is_comparison,
)
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Region
from tilewright.ir.builtin_attributes import DenseElementsAttr, FloatAttr, IntegerAttr
from tilewright.ir.builtin_types import IntegerType, VectorType, i1
from tilewright.ir.declaration import constraint as declaration_constraint, traits as ir_traits
from tilewright.ir.declaration.fields import attr_def, flag_def, operand_def, result_def
from tilewright.ir.operation import Operation
from tilewright.ir.text import hooks
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.text import parser as text_parser, printer as text_printer

LEFT = "The left-hand operand."
RIGHT = "The right-hand operand."
PURE = (ir_traits.Pure(), common_traits.ElementwiseSameType())
DIVISION = (ir_traits.NoMemoryEffect(), common_traits.ElementwiseSameType())
COMMUTATIVE = (ir_traits.Commutative(), *PURE)


class ConstantOp(base.StandardOp, name="arith.constant"):
    """A constant: a number, or a vector or tensor of numbers."""

    value: Attribute = attr_def(kinds.TypedKind(), "The value.")
    result: Value = result_def(declaration_constraint.ANY_TYPE, "The value, of the type of the attribute.")
    assembly_format = "attr-dict $value"
    traits = (ir_traits.ConstantLike(), ir_traits.Pure())
    verifies_locally = True

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        type = kinds.attribute_type(attributes["value"])
        if type is None:
            raise ValueError(
                f"'arith.constant' needs an attribute that has a type, got {attributes['value']}"
            )
        return [type]

    def verify_(self) -> None:
        type = self.result.type
        if kinds.attribute_type(self.value) is not type:
            raise ir_traits.VerifyError("failed to verify that all of {value, result} have same type")
        if isinstance(type, IntegerType) and type.signedness != "signless":
            raise ir_traits.VerifyError("integer return type must be signless")
        if not isinstance(self.value, IntegerAttr | FloatAttr | DenseElementsAttr):
            raise ir_traits.VerifyError("value must be an integer, float, or elements attribute")
        if isinstance(type, VectorType) and any(type.scalable) and not is_splat(self.value):
            raise ir_traits.VerifyError(
                "intializing scalable vectors with elements attribute is not supported "
                "unless it's a vector splat"
            )

    @hooks.hints_follow_from("attributes")
    def result_name_hints(self) -> Sequence[str | None]:
        """Return the name of the result: ``true`` or ``false`` for i1, ``c7_i32`` or ``c0`` (index) for
        integers, else ``cst``.
        """
        value = self.value
        if not isinstance(value, IntegerAttr):
            return ("cst",)
        if value.type is i1:
            return ("true" if value.value else "false",)
        suffix = f"_{value.type.spelling}" if isinstance(value.type, IntegerType) else ""
        return (f"c{value.value}{suffix}",)


def is_splat(value: Any) -> bool:
    """Return whether one stored element represents all elements."""
    return isinstance(value, DenseElementsAttr) and value.is_splat


class IntegerBinaryOp(base.SameTypeOp):
    """The base of integer operations on two values, or on each pair of elements."""

    lhs: Value = operand_def(SIGNLESS_INTEGER_LIKE, LEFT)
    rhs: Value = operand_def(SIGNLESS_INTEGER_LIKE, RIGHT)
    result: Value = result_def(SIGNLESS_INTEGER_LIKE, "The result.")
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($result)"
    traits = PURE


class OverflowBinaryOp(IntegerBinaryOp):
    """The base of integer operations with an optional assumption that they do not overflow; if one does, its
    result is poison.
    """

    overflowFlags: arith_attributes.IntegerOverflowFlags = attr_def(
        arith_attributes.OVERFLOW,
        "The overflows that are assumed not to happen.",
        default=arith_attributes.IntegerOverflowFlags.NONE,
    )
    assembly_format = "$lhs `,` $rhs (`overflow` `` $overflowFlags^)? attr-dict `:` type($result)"


class ExactBinaryOp(IntegerBinaryOp):
    """The base of integer operations with an optional assumption that no bits are lost; if it is false, the
    result is poison.
    """

    isExact: bool = flag_def("No bits but zeros are dropped.")
    assembly_format = "$lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($result)"


class AddIOp(OverflowBinaryOp, name="arith.addi"):
    """Integer addition, modulo 2 to the width."""

    traits = COMMUTATIVE


class SubIOp(OverflowBinaryOp, name="arith.subi"):
    """Integer subtraction, modulo 2 to the width."""


class MulIOp(OverflowBinaryOp, name="arith.muli"):
    """Integer multiplication: the low half of the product."""

    traits = COMMUTATIVE


class ShLIOp(OverflowBinaryOp, name="arith.shli"):
    """Shift left; poison if the amount is the width or more."""


class DivUIOp(ExactBinaryOp, name="arith.divui"):
    """Unsigned division, rounding towards zero. A zero divisor is undefined behaviour."""

    traits = DIVISION


class DivSIOp(ExactBinaryOp, name="arith.divsi"):
    """Signed division, rounding towards zero. A zero divisor, or a quotient that overflows, is undefined
    behaviour.
    """

    traits = DIVISION


class CeilDivUIOp(IntegerBinaryOp, name="arith.ceildivui"):
    """Unsigned division, rounding up. A zero divisor is undefined behaviour."""

    traits = DIVISION


class CeilDivSIOp(IntegerBinaryOp, name="arith.ceildivsi"):
    """Signed division, rounding up. A zero divisor, or a quotient that overflows, is undefined behaviour."""

    traits = DIVISION


class FloorDivSIOp(IntegerBinaryOp, name="arith.floordivsi"):
    """Signed division, rounding down. A zero divisor, or a quotient that overflows, is undefined behaviour."""


class RemUIOp(IntegerBinaryOp, name="arith.remui"):
    """The remainder of unsigned division. A zero divisor is undefined behaviour."""


class RemSIOp(IntegerBinaryOp, name="arith.remsi"):
    """The remainder of signed division; it has the sign of the left-hand operand. A zero divisor is undefined
    behaviour.
    """


class ShRUIOp(ExactBinaryOp, name="arith.shrui"):
    """Shift right, filling with zeros; poison if the amount is the width or more."""


class ShRSIOp(ExactBinaryOp, name="arith.shrsi"):
    """Shift right, filling with copies of the sign bit; poison if the amount is the width or more."""


class AndIOp(IntegerBinaryOp, name="arith.andi"):
    """Computes the bitwise and of two integers."""

    traits = (ir_traits.Idempotent(), *COMMUTATIVE)


class OrIOp(IntegerBinaryOp, name="arith.ori"):
    """Computes the bitwise or of two integers."""

    traits = (ir_traits.Idempotent(), *COMMUTATIVE)


class XOrIOp(IntegerBinaryOp, name="arith.xori"):
    """Computes the bitwise exclusive or of two integers."""

    traits = COMMUTATIVE


class MaxSIOp(IntegerBinaryOp, name="arith.maxsi"):
    """The larger of two signed integers."""

    traits = COMMUTATIVE


class MaxUIOp(IntegerBinaryOp, name="arith.maxui"):
    """The larger of two unsigned integers."""

    traits = COMMUTATIVE


class MinSIOp(IntegerBinaryOp, name="arith.minsi"):
    """The smaller of two signed integers."""

    traits = COMMUTATIVE


class MinUIOp(IntegerBinaryOp, name="arith.minui"):
    """The smaller of two unsigned integers."""

    traits = COMMUTATIVE


class AddUIExtendedOp(base.StandardOp, name="arith.addui_extended"):
    """Unsigned integer addition with the carry as a second result."""

    lhs: Value = operand_def(SIGNLESS_INTEGER_LIKE, LEFT)
    rhs: Value = operand_def(SIGNLESS_INTEGER_LIKE, RIGHT)
    sum: Value = result_def(SIGNLESS_INTEGER_LIKE, "The sum, modulo 2 to the width.")
    overflow: Value = result_def(BOOL_LIKE, "Whether the unsigned sum does not fit.")
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($sum) `,` type($overflow)"
    traits = (
        ir_traits.Pure(),
        ir_traits.Commutative(),
        common_traits.same_type("lhs", "rhs", "sum"),
        common_traits.ElementwiseMappable(),
    )

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        type = operands[0].type
        return [type, i1_of_same_shape(type)]


class ExtendedMultiplicationOp(base.SameTypeOp):
    """The base of integer multiplications with the product in two halves."""

    lhs: Value = operand_def(SIGNLESS_INTEGER_LIKE, LEFT)
    rhs: Value = operand_def(SIGNLESS_INTEGER_LIKE, RIGHT)
    low: Value = result_def(SIGNLESS_INTEGER_LIKE, "The low half of the product.")
    high: Value = result_def(SIGNLESS_INTEGER_LIKE, "The high half of the product.")
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($lhs)"
    traits = (
        ir_traits.Pure(),
        ir_traits.Commutative(),
        common_traits.same_type("lhs", "rhs", "low", "high"),
        common_traits.ElementwiseMappable(),
    )


class MulSIExtendedOp(ExtendedMultiplicationOp, name="arith.mulsi_extended"):
    """Signed multiplication with the product in two halves."""


class MulUIExtendedOp(ExtendedMultiplicationOp, name="arith.mului_extended"):
    """Unsigned multiplication with the product in two halves."""


class CmpIOp(base.StandardOp, name="arith.cmpi"):
    """Compares two integers, or each pair of elements, by a predicate. The result is i1, or has i1 elements
    in the shape of the operands.
    """

    predicate: arith_attributes.CmpIPredicate = attr_def(arith_attributes.CMPI_PREDICATE, "The relation.")
    lhs: Value = operand_def(SIGNLESS_INTEGER_LIKE, LEFT)
    rhs: Value = operand_def(SIGNLESS_INTEGER_LIKE, RIGHT)
    result: Value = result_def(BOOL_LIKE, "Whether the relation holds.")
    assembly_format = "$predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs)"
    traits = (
        ir_traits.Pure(),
        common_traits.PredicateTrait(COMPARISON_WORDS, is_comparison),
        common_traits.SameTypeOperands(),
        common_traits.ElementwiseMappable(),
    )

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return [i1_of_same_shape(operands[0].type)]


def _condition_fits(op: Operation) -> bool:
    condition = op.operands[0].type
    return condition is i1 or common_traits.shape(condition) == common_traits.shape(op.results[0].type)


class SelectOp(base.StandardOp, name="arith.select"):
    """Chooses between two values by a condition; a condition with elements chooses element by element."""

    condition: Value = operand_def(BOOL_LIKE, "Chooses the first value where it is true.")
    true_value: Value = operand_def(declaration_constraint.ANY_TYPE, "The first value.")
    false_value: Value = operand_def(declaration_constraint.ANY_TYPE, "The second value.")
    result: Value = result_def(declaration_constraint.ANY_TYPE, "The chosen value.")
    text_stands_alone: ClassVar[bool] = True
    traits = (
        ir_traits.Pure(),
        common_traits.same_type("true_value", "false_value", "result"),
        common_traits.PredicateTrait("condition is signless i1 or has matching shape", _condition_fits),
        common_traits.ElementwiseMappable(),
    )

    @classmethod
    def infer_result_types(
        cls, operands: Sequence[Value], attributes: Mapping[str, Attribute], regions: Sequence[Region]
    ) -> Sequence[Type]:
        return [operands[1].type]

    def print_custom(self, printer: text_printer.Printer) -> None:
        """Print `` %c, %a, %b : type``; the type of the condition comes first unless it is i1."""
        printer.write(" ")
        printer.print_operands(self.operands)
        printer.print_attribute_dictionary(self.attributes)
        printer.write(" : ")
        if self.condition.type is not i1:
            printer.print_type(self.condition.type)
            printer.write(", ")
        printer.print_type(self.result.type)

    @classmethod
    def parse_custom(cls, parser: text_parser.Parser) -> Operation:
        """Parse `` %c, %a, %b : type``, where the type of the condition and a comma precede the type of the
        values unless the condition is an i1; return the operation.
        """
        start = parser.position
        uses = parser.parse_operands()
        attributes = parser.optional_attribute_dictionary()
        parser.expect(":")
        first = parser.parse_type()
        condition, type = (first, parser.parse_type()) if parser.accept(",") else (i1, first)
        operands = parser.resolve_all(uses, [condition, type, type], start)
        return Operation.from_parts(cls.op_kind, operands, [type], attributes)


OPERATIONS = (
    ConstantOp,
    AddIOp,
    SubIOp,
    MulIOp,
    ShLIOp,
    DivUIOp,
    DivSIOp,
    CeilDivUIOp,
    CeilDivSIOp,
    FloorDivSIOp,
    RemUIOp,
    RemSIOp,
    ShRUIOp,
    ShRSIOp,
    AndIOp,
    OrIOp,
    XOrIOp,
    MaxSIOp,
    MaxUIOp,
    MinSIOp,
    MinUIOp,
    AddUIExtendedOp,
    MulSIExtendedOp,
    MulUIExtendedOp,
    CmpIOp,
    SelectOp,
)
