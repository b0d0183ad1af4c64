"""Operations by name, and what ``with`` blocks enter: MLIR's way to build IR."""

from __future__ import annotations

import inspect
import threading

import pytest

import tilewright as tw
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import IntegerAttr, StringAttr
from tilewright.ir.builtin_types import i32, i64
from tilewright.ir.location import UNKNOWN, FileLineColLocation

HERE = FileLineColLocation("here.py", 3, 1)


def constant(value: int, **named: object) -> tw.Operation:
    attributes = {"value": IntegerAttr(i32, value)}
    return tw.Operation.create("arith.constant", results=[i32], attributes=attributes, **named)


def test_the_signature_is_mlirs() -> None:
    names = "name results operands attributes successors regions loc ip infer_type"
    assert list(inspect.signature(tw.Operation.create).parameters) == names.split()


def test_everything_that_is_entered_is_used() -> None:
    block = Block()
    with tw.Context(), HERE, tw.InsertionPoint(block):
        one = constant(1)
        total = tw.Operation.create("arith.addi", [i32], [one, one.results[0]])
    assert list(block.operations) == [one, total]
    assert [op.location for op in block.operations] == [HERE, HERE]
    assert [operand.owner for operand in total.operands] == [one, one]


def test_what_is_given_comes_before_what_is_entered() -> None:
    block, other = Block(), Block()
    with tw.Context(), HERE, tw.InsertionPoint(block):
        elsewhere = constant(1, loc=UNKNOWN, ip=tw.InsertionPoint(other))
        detached = constant(2, ip=False)
    assert list(block.operations) == []
    assert elsewhere.parent is other
    assert detached.parent is None
    assert (elsewhere.location, detached.location) == (UNKNOWN, HERE)


def test_blocks_nest_and_end() -> None:
    outer, inner = tw.InsertionPoint(Block()), tw.InsertionPoint(Block())
    with outer:
        with inner:
            assert tw.InsertionPoint.current is inner
        assert tw.InsertionPoint.current is outer
    with pytest.raises(ZeroDivisionError), outer:
        _ = 1 // 0
    assert tw.InsertionPoint.current is None
    with tw.Location.unknown():
        assert tw.Location.current is UNKNOWN
    assert tw.Location.current is None


def test_threads_do_not_see_what_others_entered() -> None:
    seen: list[object] = []
    with tw.Context(), tw.InsertionPoint(Block()):
        thread = threading.Thread(target=lambda: seen.append(tw.InsertionPoint.current))
        thread.start()
        thread.join()
    assert seen == [None]


def test_result_types_are_inferred_when_asked_for() -> None:
    with tw.Context():
        one = constant(1)
        assert tw.Operation.create("arith.addi", operands=[one, one], infer_type=True).result_types == (i32,)
        assert tw.Operation.create("func.return").results == ()
        with pytest.raises(ValueError, match="not both"):
            tw.Operation.create("arith.addi", [i32], [one, one], infer_type=True)
        with pytest.raises(ValueError, match="cannot infer its result types"):
            tw.Operation.create("arith.extsi", operands=[one], infer_type=True)


def test_regions_and_successors() -> None:
    target = Block()
    with tw.Context():
        module = tw.Operation.create("builtin.module", regions=1)
        branch = tw.Operation.create("cf.br", successors=[target])
    assert [len(region.blocks) for region in module.regions] == [0]
    assert branch.successors == (target,)


def test_names_that_there_are_not() -> None:
    with pytest.raises(ValueError, match=r"enter one, `with tilewright.Context\(\):`"):
        tw.Operation.create("arith.addi")
    with (
        tw.Context(),
        pytest.raises(ValueError, match=r"no operation 'arith.subii'; did you mean 'arith.subi'\?"),
    ):
        tw.Operation.create("arith.subii")
    with tw.Context(allow_unregistered=True):
        unknown = tw.Operation.create("my.op", [i64], attributes={"note": StringAttr("x")})
    assert str(unknown) == '%0 = "my.op"() {note = "x"} : () -> i64'


def test_modules_are_where_they_are_made() -> None:
    with tw.Context(), HERE:
        assert tw.Module.create().operation.location is HERE
    assert tw.Module.create().operation.location is UNKNOWN
