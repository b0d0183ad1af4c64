"""What operations store compactly or work out late shows the same as if it were stored plainly."""

from __future__ import annotations

import gc
import itertools
import json
import subprocess
import sys
from functools import cache
from typing import Any

import pytest

from tests.house.tree import ROOT
from tests.support.sample_dialect import value
from tilewright.dialects.arith.attributes import CmpIPredicate, IntegerOverflowFlags
from tilewright.dialects.arith.ops_integer import AddIOp, CmpIOp, ConstantOp
from tilewright.dialects.builtin.dialect import BUILTIN
from tilewright.dialects.llvm.ops.memory import LoadOp
from tilewright.dialects.llvm.types import LLVMPointerType
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.builtin_types import i32
from tilewright.ir.context import Context
from tilewright.ir.declaration.fields import flag_def
from tilewright.ir.location import FileLineColLocation
from tilewright.ir.support.collection import paused_collection
from tilewright.ir.text.parser import parse_module
from tilewright.ir.value import Value


def test_a_use_list_grows_and_shrinks_through_all_its_forms() -> None:
    used, users = value(), []
    assert not used.results[0].has_uses
    for count in range(1, 4):
        users.append(value(used, used) if count == 2 else value(used))
        assert used.results[0].uses == {user: len(user.operands) for user in users}
        assert used.results[0].has_one_use is (count == 1)
    for user in list(users):
        user.set_operands(())
        users.remove(user)
        assert used.results[0].uses == {user: len(user.operands) for user in users}
    assert used.results[0].compact_uses is None


def test_order_numbers_come_on_demand_and_hold_after_every_change() -> None:
    block = Block()
    ops = [block.append(value()) for _ in range(3)]
    for _ in range(30):
        ops.insert(1, block.insert_before(ops[1], value()))
        ops.append(block.append(value()))
        assert ops[0].is_before_in_block(ops[-1])
    for first, second in itertools.pairwise(ops):
        assert first.is_before_in_block(second)
        assert not second.is_before_in_block(first)


def test_inserting_before_an_operation_without_a_number_keeps_the_order() -> None:
    block = Block()
    last = block.append(value())
    first = block.insert_before(last, value())
    assert first.is_before_in_block(last)


def test_locations_of_parsed_operations_are_worked_out_on_request() -> None:
    module = parse_module(Context([BUILTIN]), '\n  "builtin.module"() ({\n  }) : () -> ()\n', "place.mlir")
    copy = module.clone()
    assert module.location is FileLineColLocation("place.mlir", 2, 3)
    assert copy.location is module.location


def test_constructors_bind_positional_arguments_and_defaults() -> None:
    one = ConstantOp(IntegerAttr(i32, 1))
    total = AddIOp(one.results[0], one)
    assert total.operands == (one.results[0], one.results[0])
    assert total.attributes == AddIOp(lhs=one.results[0], rhs=one.results[0]).attributes
    with pytest.raises(TypeError, match="misses"):
        AddIOp(one.results[0])
    with pytest.raises(TypeError, match="misses"):
        CmpIOp(one.results[0], one.results[0])


def test_walking_backwards_visits_the_same_operations() -> None:
    module = parse_module(
        Context([BUILTIN]), '"builtin.module"() ({\n"builtin.module"() ({}) : () -> ()\n}) : () -> ()'
    )
    assert next(module.walk()) is next(module.walk(reverse=True)) is module
    assert set(module.walk()) == set(module.walk(reverse=True))


def constant(number: int = 1) -> Value:
    return ConstantOp(IntegerAttr(i32, number)).results[0]


def addition() -> AddIOp:
    return AddIOp(constant(), constant())


def test_operations_share_attributes_until_they_are_asked_for() -> None:
    first, second = addition(), addition()
    assert first.held_attributes is second.held_attributes
    copy = first.clone()
    assert copy.held_attributes is first.held_attributes
    first.attributes["note"] = IntegerAttr(i32, 2)
    assert "note" in first.held_attributes
    assert "note" not in second.attributes
    assert "note" not in copy.attributes
    assert "note" in first.clone().attributes
    assert first.attributes is first.attributes


def test_operations_share_attributes_that_are_given_as_cases() -> None:
    one = constant()
    first, second, third = (
        CmpIOp(predicate, one, one) for predicate in (CmpIPredicate.EQ, CmpIPredicate.EQ, CmpIPredicate.NE)
    )
    assert first.held_attributes is second.held_attributes
    assert third.predicate is CmpIPredicate.NE
    second.predicate = CmpIPredicate.SLT
    assert first.predicate is CmpIPredicate.EQ


def test_operations_share_attributes_that_are_given_as_numbers() -> None:
    base = Block([LLVMPointerType(0)]).arguments[0]
    first, second, third = (LoadOp(base, alignment=number, result_types=[i32]) for number in (4, 4, 8))
    assert first.held_attributes is second.held_attributes
    assert (first.alignment, third.alignment) == (4, 8)
    one, true = (LoadOp(base, volatile_=flag, alignment=1, result_types=[i32]) for flag in (False, True))
    assert (one.volatile_, true.volatile_) == (False, True)


def test_an_attribute_set_through_its_field_stays_with_the_operation() -> None:
    first, second = addition(), addition()
    first.overflowFlags = IntegerOverflowFlags.NSW
    assert second.overflowFlags is IntegerOverflowFlags.NONE
    third = AddIOp(first.result, first.result, IntegerOverflowFlags.NSW)
    assert third.overflowFlags is IntegerOverflowFlags.NSW


def test_constructors_tell_operands_apart_from_everything_else() -> None:
    one = constant()
    wrong: Any = 1
    with pytest.raises(TypeError, match="expected a value"):
        AddIOp(one, wrong)
    with pytest.raises(ValueError, match="needs an attribute that has a type"):
        ConstantOp(wrong)
    assert one.uses == {}


def test_a_class_derived_from_an_operation_has_a_constructor_of_its_own() -> None:
    addition()

    class WideAddIOp(AddIOp, name="test.wide_addi"):
        """An addition with one more field."""

        isFast: bool = flag_def("Makes the constructor another one.")

    one = constant()
    assert WideAddIOp(one, one, isFast=True).kind.name == "test.wide_addi"
    assert AddIOp(one, one).kind.name == "arith.addi"


def test_the_collector_is_as_before_after_a_pause() -> None:
    def fail_in_a_pause() -> None:
        with paused_collection():
            with paused_collection():
                assert not gc.isenabled()
            assert not gc.isenabled()
            raise KeyError

    assert gc.isenabled()
    with pytest.raises(KeyError):
        fail_in_a_pause()
    assert gc.isenabled()
    gc.disable()
    try:
        with paused_collection():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


COLLECTIONS = """
import gc, json
from tests.support.sample_dialect import nest, value
from tilewright.ir.block import Block
from tilewright.ir.support import collection

def full():
    return gc.get_stats()[2]["collections"]

def build(count):  # a block with a chain of sums, built operation by operation
    block = Block()
    last = value().results[0]
    for _ in range(count):
        last = block.append(value(last, last)).results[0]
    return block

def full_collections_of(count):
    before = full()
    kept = build(count)
    return full() - before

seen = {}
module = nest([value() for _ in range(2000)])
before = full()
for _ in range(1 + 600_000 // 2000 // 2):
    module.clone()
seen["clones"] = full() - before

gc.set_threshold(1000, 2, 2)  # a full collection could follow every few thousand objects
gc.collect()
seen["grown"] = full_collections_of(30_000)
collection._UNSEEN._limit = 20_000
seen["grown beyond the limit"] = full_collections_of(30_000)
collection._UNSEEN._limit = collection._LEAST
get_freeze_count = gc.get_freeze_count
gc.get_freeze_count = lambda: 375  # as Python 3.12 has it in an empty program
seen["grown with frozen objects of Python"] = full_collections_of(30_000)
gc.get_freeze_count = get_freeze_count

moves = []
collection._UNSEEN.move_grown = lambda: moves.append(None)
collection.spare_growing_ir(False)
build(5000)
seen["moves unless spared"] = len(moves)
collection.spare_growing_ir()
gc.freeze()
build(5000)
seen["moves when frozen"] = len(moves)
gc.unfreeze()
build(5000)
seen["moves"] = len(moves)
print(json.dumps(seen))
"""


@cache
def collections() -> dict[str, int]:
    """How often the collector looks at everything while modules are copied and blocks grow, and objects are moved.

    In a process of its own: a thread that another test left would let the collector rest, too, and what tests
    left alive would be looked at in each collection.
    """
    done = subprocess.run(
        [sys.executable, "-c", COLLECTIONS], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_garbage_made_while_the_collector_rests_does_not_pile_up() -> None:
    assert collections()["clones"] > 0


def test_the_collector_passes_over_a_module_that_grows() -> None:
    assert collections()["grown"] == 0
    assert collections()["grown beyond the limit"] > 0  # garbage does not pile up without a bound


def test_objects_that_python_freezes_when_it_starts_change_nothing() -> None:
    assert collections()["grown with frozen objects of Python"] == 0


def test_whoever_wants_the_collector_as_it_is_has_it_so() -> None:
    assert collections()["moves unless spared"] == 0
    assert collections()["moves when frozen"] == 0
    assert collections()["moves"] > 0
