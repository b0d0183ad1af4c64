"""Generated constructors make what binding arguments field by field makes, and share the attributes that they may."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.sample_dialect import value
from tilewright.dialects.llvm.enums import PointerWrapFlags
from tilewright.dialects.llvm.ops.aggregate import ExtractElementOp
from tilewright.dialects.llvm.ops.control import BrOp, CallOp, CondBrOp, SwitchOp
from tilewright.dialects.llvm.ops.memory import GEPOp, LoadOp
from tilewright.ir.attribute import SharedAttributes
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import dense_integers
from tilewright.ir.builtin_types import i32
from tilewright.ir.construction import constructor
from tilewright.ir.operation import Operation

A, B, C = (value() for _ in range(3))
X, Y, Z = (op.results[0] for op in (A, B, C))
HERE, THERE = Block(), Block()

CALLS: dict[str, Any] = {
    "single operands": lambda make: make(ExtractElementOp, X, Y, result_types=[i32]),
    "an operation for its result": lambda make: make(ExtractElementOp, A, position=B, result_types=[i32]),
    "no variadic operand": lambda make: make(GEPOp, X, (3,), i32, result_types=[i32]),
    "variadic operands": lambda make: make(GEPOp, X, (3,), i32, [B, Z], result_types=[i32]),
    "a case": lambda make: make(
        GEPOp, X, (3,), i32, (), PointerWrapFlags.INBOUNDS, result_types=[i32], attributes={"more": i32}
    ),
    "numbers and flags": lambda make: make(LoadOp, X, alignment=8, volatile_=True, result_types=[i32]),
    "one block": lambda make: make(BrOp, [X, Y], dest=HERE, result_types=()),
    "segments": lambda make: make(
        CondBrOp, X, [Y], [Y, Z], branch_weights=(1, 2), trueDest=HERE, falseDest=THERE, result_types=()
    ),
    "empty segments": lambda make: make(CondBrOp, X, trueDest=HERE, falseDest=HERE, result_types=()),
    "several blocks": lambda make: make(
        SwitchOp,
        X,
        (1, 0),
        [],
        [Y],
        defaultDestination=HERE,
        caseDestinations=[THERE, HERE],
        result_types=(),
    ),
    "an optional result": lambda make: make(CallOp, (), [X], callee="f", result_types=[]),
}


def generated(op_class: Any, *arguments: Any, **named: Any) -> Operation:
    assert op_class.__init__ is not constructor._construct
    return op_class(*arguments, **named)


def field_by_field(op_class: Any, *arguments: Any, **named: Any) -> Operation:
    made = object.__new__(op_class)
    constructor._construct(made, *arguments, **named)
    return made


def shown(op: Operation) -> tuple[object, ...]:
    types = [result.type for result in op.results]
    uses = [operand.uses[op] for operand in op.operands]
    blocks = [block.predecessor_uses[op] for block in op.successors]
    attributes = list(op.held_attributes.items())  # their order is that of text
    return op.kind, op.operands, uses, attributes, types, op.successors, blocks, op.regions, op.location


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_both_make_the_same(call: Any) -> None:
    made = [call(make) for make in (generated, generated, field_by_field)]  # the second one finds attributes
    assert shown(made[0]) == shown(made[1]) == shown(made[2])
    for op in made:
        op.erase()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: GEPOp(), "misses operand 'base'"),
        (lambda: GEPOp(X), "misses attribute 'rawConstantIndices'"),
        (lambda: GEPOp(X, (0,), i32, [3]), "expected a value or an operation, got 3"),
        (lambda: CondBrOp(X, other=()), "unexpected keyword argument 'other'"),
    ],
)
def test_wrong_calls(call: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call()


def test_attributes_and_sizes_of_segments_are_shared() -> None:
    """Operations that agree in them are verified once; others do not get the sizes of their like."""

    def address(position: int, element: Any = i32) -> Operation:
        return GEPOp(X, dense_integers((position,)), element, result_types=[i32])

    first, again, other = address(3), address(3), address(4)
    assert type(first.held_attributes) is SharedAttributes
    assert first.held_attributes is again.held_attributes
    assert other.held_attributes is not first.held_attributes
    one, same, more = (
        CondBrOp(X, [Y] * count, trueDest=HERE, falseDest=HERE, result_types=()) for count in (1, 1, 2)
    )
    assert one.held_attributes is same.held_attributes
    assert list(more.kind.operand_sizes(more)) == [1, 2, 0]
    assert list(one.kind.operand_sizes(one)) == [1, 1, 0]
