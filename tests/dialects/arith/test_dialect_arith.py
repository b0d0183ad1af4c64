"""What is special about ``arith``: inferred types, names of results, constants made from attributes."""

from __future__ import annotations

import pytest

from tests.support.dialect_checks import function, parse_valid, standard_context
from tilewright.dialects.arith.attributes import (
    CmpIPredicate,
    FastMathFlags,
    FastMathFlagsAttr,
    IntegerOverflowFlags,
    IntegerOverflowFlagsAttr,
)
from tilewright.dialects.arith.dialect import ARITH
from tilewright.dialects.arith.ops_float import AddFOp
from tilewright.dialects.arith.ops_integer import AddIOp, AddUIExtendedOp, CmpIOp, ConstantOp, SelectOp
from tilewright.dialects.ub.dialect import PoisonAttr
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import IntegerAttr, StringAttr, boolean, integer32
from tilewright.ir.builtin_types import IntegerType, VectorType, f32, i1, i32, index
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.location import UNKNOWN
from tilewright.ir.text.parser import parse_attribute

VECTOR = VectorType((4,), i32)


def test_builders_infer_result_types_and_fill_in_defaults() -> None:
    lhs, rhs = Block([VECTOR, VECTOR]).arguments
    added = AddIOp(lhs, rhs)
    assert added.result.type is VECTOR
    assert added.attributes == {"overflowFlags": IntegerOverflowFlagsAttr(IntegerOverflowFlags.NONE)}
    assert CmpIOp(CmpIPredicate.SLT, lhs, rhs).result.type is VectorType((4,), i1)
    assert AddUIExtendedOp(lhs, rhs).result_types == (VECTOR, VectorType((4,), i1))
    condition = CmpIOp(CmpIPredicate.EQ, lhs, rhs).result
    assert SelectOp(condition, lhs, rhs).result.type is VECTOR
    assert ConstantOp(integer32(7)).result.type is i32


def test_flags_read_and_write_as_python_flags() -> None:
    lhs, rhs = Block([f32, f32]).arguments
    op = AddFOp(lhs, rhs, FastMathFlags.NNAN | FastMathFlags.NINF)
    assert op.fastmath == FastMathFlags.NNAN | FastMathFlags.NINF
    assert op.attributes["fastmath"] is FastMathFlagsAttr(FastMathFlags.NINF | FastMathFlags.NNAN)
    assert str(op.attributes["fastmath"]) == "#arith.fastmath<nnan,ninf>"


@pytest.mark.parametrize("value", range(128))
def test_every_set_of_flags_round_trips(value: int) -> None:
    attribute = FastMathFlagsAttr(FastMathFlags(value))
    assert parse_attribute(standard_context(), str(attribute)) is attribute


def test_unknown_flags_are_refused_with_the_known_ones() -> None:
    with pytest.raises(
        DiagnosticError, match=r"expected one of none, nsw, nuw for #arith.overflow, got 'fast'"
    ):
        parse_attribute(standard_context(), "#arith.overflow<fast>")


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (integer32(7), "c7_i32"),
        (boolean(True), "true"),
        (boolean(False), "false"),
        (IntegerAttr(index, -1), "c-1"),
    ],
)
def test_constants_are_named_after_their_value(value: IntegerAttr, name: str) -> None:
    assert ConstantOp(value).result_name_hints() == (name,)


def test_attributes_become_constants() -> None:
    materialize = ARITH.materialize_constant
    assert materialize is not None
    made = materialize(integer32(7), i32, UNKNOWN)
    assert isinstance(made, ConstantOp)
    assert made.value is integer32(7)
    assert materialize(integer32(7), index, UNKNOWN) is None
    signed = IntegerType(8, "signed")
    assert materialize(IntegerAttr(signed, 1), signed, UNKNOWN) is None
    assert materialize(StringAttr("x"), i32, UNKNOWN) is None
    poison = materialize(PoisonAttr(), f32, UNKNOWN)
    assert poison is not None
    assert poison.name == "ub.poison"


def test_predicates_show_as_python_enum() -> None:
    module = parse_valid(
        function('%0 = "arith.cmpi"(%a, %a) <{predicate = 2 : i64}> : (i32, i32) -> i1', a="i32")
    )
    comparison = next(op for op in module.walk() if isinstance(op, CmpIOp))
    assert comparison.predicate is CmpIPredicate.SLT
