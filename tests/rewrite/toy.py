"""A dialect for tests of rewriting: numbers that fold, old operations and new ones, regions and branches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.builtin.dialect import BUILTIN
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.builtin_types import i32, i64
from tilewright.ir.context import Context
from tilewright.ir.declaration.attribute_kind import IntegerKind
from tilewright.ir.declaration.constraint import ANY_TYPE
from tilewright.ir.declaration.fields import (
    attr_def,
    operand_def,
    region_def,
    result_def,
    variadic_operand_def,
    variadic_result_def,
    variadic_successor_def,
)
from tilewright.ir.declaration.traits import Commutative, ConstantLike, NoTerminator, Pure, Terminator
from tilewright.ir.dialect import Dialect
from tilewright.ir.interfaces.interface import Interface
from tilewright.ir.operation import FoldResult, Operation
from tilewright.ir.text.hooks import PrintOptions
from tilewright.ir.text.parser import parse_module
from tilewright.ir.value import Value
from tilewright.rewrite.conversion.bridges import cast_materialization
from tilewright.rewrite.conversion.type_converter import TypeConverter


class Countable(Interface):
    """A capability for patterns rooted at interfaces."""


def fold_constant(op: Operation, constants: Sequence[Attribute | None]) -> FoldResult:
    """A constant is its value."""
    return op.held_attributes["value"]


def fold_add(op: Operation, constants: Sequence[Attribute | None]) -> FoldResult:
    """Sums are taken modulo 1000."""
    left, right = constants
    if isinstance(left, IntegerAttr) and isinstance(right, IntegerAttr):
        return IntegerAttr(i32, (left.value + right.value) % 1000)
    return None


class ConstantOp(Operation, name="old.constant"):
    """A number."""

    value: int = attr_def(IntegerKind(i32), "The number.")
    result: Value = result_def(ANY_TYPE, "It.")
    traits = (ConstantLike(), Pure())


class AddOp(Operation, name="old.add"):
    """A sum that folds."""

    lhs: Value = operand_def(ANY_TYPE, "One.")
    rhs: Value = operand_def(ANY_TYPE, "Other.")
    result: Value = result_def(ANY_TYPE, "Sum.")
    traits = (Pure(), Commutative())


class UseOp(Operation, name="old.use"):
    """Has an effect, takes and makes anything."""

    inputs: tuple[Value, ...] = variadic_operand_def(ANY_TYPE, "Anything.")
    outputs: tuple[Value, ...] = variadic_result_def(ANY_TYPE, "Anything.")


class KeepOp(Operation, name="keep.use"):
    """Stays in conversions."""

    inputs: tuple[Value, ...] = variadic_operand_def(ANY_TYPE, "Anything.")
    outputs: tuple[Value, ...] = variadic_result_def(ANY_TYPE, "Anything.")


class LoopOp(Operation, name="old.loop"):
    """Has a body with arguments."""

    inputs: tuple[Value, ...] = variadic_operand_def(ANY_TYPE, "Anything.")
    body: Region = region_def("The body.", single_block=False)
    traits = (NoTerminator(),)


class BranchOp(Operation, name="old.branch"):
    """Goes to other blocks."""

    inputs: tuple[Value, ...] = variadic_operand_def(ANY_TYPE, "Anything.")
    targets: tuple[Block, ...] = variadic_successor_def("Where to.")
    traits = (Terminator(),)


class NewOp(Operation, name="new.op"):
    """What old operations become."""

    inputs: tuple[Value, ...] = variadic_operand_def(ANY_TYPE, "Anything.")
    outputs: tuple[Value, ...] = variadic_result_def(ANY_TYPE, "Anything.")


class NewConstantOp(Operation, name="new.constant"):
    """A new number."""

    value: int = attr_def(IntegerKind(i32), "The number.")
    result: Value = result_def(ANY_TYPE, "It.")
    traits = (ConstantLike(), Pure())


class MiddleOp(Operation, name="middle.op"):
    """Neither old nor new."""

    inputs: tuple[Value, ...] = variadic_operand_def(ANY_TYPE, "Anything.")
    outputs: tuple[Value, ...] = variadic_result_def(ANY_TYPE, "Anything.")


def _constant(value: Attribute, type: Type, location: Any) -> Operation | None:
    return Operation.from_parts(ConstantOp.op_kind, (), [type], {"value": value}, location=location)


OLD = Dialect(
    "old",
    operations=(ConstantOp, AddOp, UseOp, LoopOp, BranchOp),
    materialize_constant=_constant,
    folds={ConstantOp: fold_constant, AddOp: fold_add},
)
NEW = Dialect("new", operations=(NewOp, NewConstantOp))
MIDDLE = Dialect("middle", operations=(MiddleOp,))
KEEP = Dialect("keep", operations=(KeepOp,))


def toy_context() -> Context:
    """A context with these dialects."""
    return Context([BUILTIN, OLD, NEW, MIDDLE, KEEP])


def read(context: Context, text: str) -> Operation:
    """A module of the given body."""
    return parse_module(context, f'"builtin.module"() ({{\n{text}\n}}) : () -> ()')


def text_of(op: Operation) -> str:
    """Generic text."""
    return op.print(PrintOptions(generic=True))


def widening(context: Context, *, bridges: bool = True) -> TypeConverter:
    """i32 becomes i64; everything else stays."""
    converter = TypeConverter()
    converter.add_conversion(Type, lambda type: i64 if type is i32 else type)
    if bridges:
        make = cast_materialization(context)
        converter.add_source_materialization(make)
        converter.add_target_materialization(make)
    return converter


def operand_values(operands: Sequence[Any]) -> list[Value]:
    """All values of an adaptor's operands in one list."""
    values: list[Value] = []
    for operand in operands:
        values += operand if isinstance(operand, tuple) else (operand,)
    return values
