"""Instances from the declaration alone, for any dialect."""

from __future__ import annotations

import pytest
from hypothesis import find, given, settings, strategies as st

from tilewright.dialects.cuda_tile.ops.control import BreakOp, IfOp
from tilewright.ir.block import Region
from tilewright.ir.builtin_types import FunctionType, IntegerType, f32, i1, i32, i64
from tilewright.ir.context import Context
from tilewright.ir.declaration.attribute_kind import (
    ArrayKind,
    AttributeKind,
    BoolKind,
    DenseArrayKind,
    DictionaryKind,
    ElementsKind,
    FloatKind,
    IntegerKind,
    StringKind,
    SymbolNameKind,
    SymbolRefKind,
    TypeKind,
)
from tilewright.ir.declaration.constraint import ANY_TYPE, IsClass, OneOf, Satisfies, TypeVariable
from tilewright.ir.declaration.fields import (
    attr_def,
    flag_def,
    operand_def,
    optional_attr_def,
    optional_operand_def,
    region_def,
    result_def,
    variadic_operand_def,
    variadic_result_def,
)
from tilewright.ir.declaration.traits import (
    ImplicitTerminator,
    NoTerminator,
    SingleBlock,
    Terminator,
    same_shape,
)
from tilewright.ir.dialect import Dialect
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import PrintOptions
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import verify
from tilewright.testing import Unsupported, operations_of, operations_of_dialect
from tilewright.testing.generic import unsupported_reason

T = TypeVariable("T", IsClass(IntegerType, "integer") | OneOf((f32,), "f32"))
VECTOR = Satisfies(lambda type: getattr(type, "shape", None) == (4,), "4 elements")


class AddOp(Operation, name="toy.add"):
    """Two of a type give one of the type."""

    lhs = operand_def(T)
    rhs = operand_def(T)
    result = result_def(T)


class EverythingOp(Operation, name="toy.everything"):
    """Every kind of attribute."""

    anything = attr_def(AttributeKind())
    flag = flag_def()
    number = attr_def(IntegerKind(i64, minimum=3))
    truth = attr_def(BoolKind())
    real = optional_attr_def(FloatKind(f32))
    text = attr_def(StringKind())
    label = attr_def(SymbolNameKind())
    path = attr_def(SymbolRefKind(flat=False))
    function = attr_def(TypeKind(FunctionType))
    list_ = attr_def(DenseArrayKind(i1))
    data = attr_def(ElementsKind())
    array = attr_def(ArrayKind(StringKind()))
    table = optional_attr_def(DictionaryKind())


class GroupsOp(Operation, name="toy.groups"):
    """Segments of operands and results."""

    first = variadic_operand_def(OneOf((i32,), "i32"))
    second = optional_operand_def(ANY_TYPE)
    third = variadic_operand_def(VECTOR)
    many = variadic_result_def(VECTOR)
    more = variadic_result_def(OneOf((i1,), "i1"))


class ShapedOp(Operation, name="toy.shaped"):
    """Related by a trait."""

    condition = operand_def(VECTOR)
    value = operand_def(ANY_TYPE)
    traits = (same_shape("condition", "value"),)


class EndOp(Operation, name="toy.end"):
    """Ends a block."""

    traits = (Terminator(),)


class ScopeOp(Operation, name="toy.scope"):
    """Has a region."""

    body: Region = region_def()
    traits = (SingleBlock(), ImplicitTerminator("toy.end"))


class GraphOp(Operation, name="toy.graph"):
    """Has a region without terminator."""

    body: Region = region_def()
    traits = (SingleBlock(), NoTerminator())


class OddOp(Operation, name="toy.odd"):
    """Nothing satisfies its constraint."""

    operand = operand_def(Satisfies(lambda type: False, "nothing"))


TOY = Dialect("toy", operations=(AddOp, EverythingOp, GroupsOp, ShapedOp, EndOp, ScopeOp, GraphOp))
CONTEXT = Context([TOY], allow_unregistered=True)


@pytest.mark.parametrize("op_class", TOY.operations, ids=lambda c: c.op_kind.name)
@settings(max_examples=25)
@given(data=st.data())
def test_instances_are_valid_and_survive_the_text(op_class: type[Operation], data: st.DataObject) -> None:
    op = data.draw(operations_of(op_class.op_kind, context=CONTEXT))
    wrapper = op.parent_op
    assert wrapper is not None
    assert verify(wrapper) == []
    text = wrapper.print(PrintOptions(generic=True))
    assert parse_module(CONTEXT, text).print(PrintOptions(generic=True)) == text


def test_all_operations_of_a_dialect_are_reached() -> None:
    strategy = operations_of_dialect(TOY, context=CONTEXT)
    for op_class in TOY.operations:
        assert find(strategy, lambda op, wanted=op_class: type(op) is wanted) is not None


def test_optional_and_variadic_fields_vary() -> None:
    strategy = operations_of(GroupsOp.op_kind, context=CONTEXT)
    assert find(strategy, lambda op: op.second is not None and len(op.third) > 1 and len(op.more) > 1)
    assert find(strategy, lambda op: op.second is None and not op.first and not op.many)


def test_what_cannot_be_made_is_said() -> None:
    with pytest.raises(Unsupported, match="stands inside particular operations only"):
        operations_of(BreakOp.op_kind)
    with pytest.raises(Unsupported, match="needs a context with its terminator"):
        find(operations_of(IfOp.op_kind), lambda op: True)
    with pytest.raises(Unsupported, match="no candidate type satisfies the constraint 'nothing'"):
        find(operations_of(OddOp.op_kind), lambda op: True)
    assert unsupported_reason(AddOp.op_kind) is None
