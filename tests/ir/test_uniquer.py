"""The uniquer gateway: one object per class and parameters, immutable, safe under threads."""

from __future__ import annotations

import copy
import gc
import pickle
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar

import pytest
from hypothesis import given, strategies as st

from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_attributes import IntegerAttr, StringAttr, splat
from tilewright.ir.builtin_types import FloatType, FunctionType, IntegerType, RankedTensorType, f32, i32
from tilewright.ir.uniquer import UNIQUER, InvalidParameters, Uniquer


class Pair(Attribute):
    name: ClassVar[str] = "test.pair"
    first: int
    second: int = 7


class OtherPair(Attribute):
    name: ClassVar[str] = "test.other_pair"
    first: int
    second: int = 7


class Triple(Pair):
    name: ClassVar[str] = "test.triple"
    third: tuple[int, ...] = ()


class Even(Attribute):
    """Odd numbers are rounded down to the even one below."""

    name: ClassVar[str] = "test.even"
    number: int

    @classmethod
    def canonicalize(cls, *parameters: Any) -> tuple[Any, ...]:
        return (parameters[0] & ~1,)

    def verify_parameters(self) -> None:
        if self.number < 0:
            raise InvalidParameters("negative")


class Weak(Attribute, weak=True):
    name: ClassVar[str] = "test.weak"
    payload: bytes


@given(st.integers(), st.integers(), st.integers(), st.integers())
def test_equal_parameters_are_one_object(a: int, b: int, c: int, d: int) -> None:
    assert (Pair(a, b) is Pair(c, d)) == ((a, b) == (c, d))


def test_classes_have_tables_of_their_own() -> None:
    one: Any = Pair(1, 2)
    other: Any = OtherPair(1, 2)
    assert one is not other
    assert one != other


def test_ways_to_spell_parameters() -> None:
    assert Pair(1) is Pair(1, 7) is Pair(first=1) is Pair(second=7, first=1)


def test_inherited_parameters_come_first() -> None:
    made = Triple(1, 2, (3,))
    assert Triple.parameters == ("first", "second", "third")
    assert (made.first, made.second, made.third) == (1, 2, (3,))


def test_lists_become_tuples() -> None:
    made = Triple(1, 2, [3, [4]])  # pyright: ignore[reportArgumentType]
    assert made is Triple(1, 2, (3, (4,)))  # pyright: ignore[reportArgumentType]
    assert isinstance(made.third, tuple)


@pytest.mark.parametrize(
    ("arguments", "named", "message"),
    [
        ((), {}, "misses parameter 'first'"),
        ((1, 2, 3), {}, "takes 2 parameters, got 3"),
        ((1,), {"first": 1}, "repeated parameter 'first'"),
        ((1,), {"third": 1}, "unexpected or repeated parameter 'third'"),
    ],
)
def test_wrong_calls(arguments: tuple[int, ...], named: dict[str, int], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        Pair(*arguments, **named)


def test_a_value_that_cannot_be_hashed_is_refused() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        Pair({}, 1)  # pyright: ignore[reportArgumentType]


def test_canonical_parameters_decide() -> None:
    assert Even(5) is Even(4)
    assert Even(5).number == 4


def test_broken_rules_leave_no_instance() -> None:
    for _ in range(2):
        with pytest.raises(InvalidParameters, match="negative"):
            Even(-2)


def test_mutation_is_refused() -> None:
    made: Any = Pair(1, 2)
    for name in ("first", "anything"):
        with pytest.raises(AttributeError, match="immutable"):
            setattr(made, name, 3)
    with pytest.raises(AttributeError, match="immutable"):
        del made.first
    assert made.first == 1


def test_copies_are_the_same_object() -> None:
    made = FunctionType((i32,), (f32,))
    assert copy.copy(made) is made
    assert copy.deepcopy([made])[0] is made
    assert pickle.loads(pickle.dumps(made)) is made


def test_replace_changes_the_named_parameters() -> None:
    assert Pair(1, 2).replace(second=3) is Pair(1, 3)
    with pytest.raises(TypeError, match="unexpected"):
        Pair(1, 2).replace(third=3)


def test_threads_agree_on_the_instance() -> None:
    workers = 8
    barrier = threading.Barrier(workers)

    def make(_: int) -> list[int]:
        barrier.wait()
        return [id(Pair(number, -number)) for number in range(1000, 1500)]

    with ThreadPoolExecutor(workers) as pool:
        assert len({tuple(ids) for ids in pool.map(make, range(workers))}) == 1


@pytest.mark.usefixtures("young_heap")
def test_weak_instances_die() -> None:
    table = UNIQUER.table(Weak)
    made = Weak(b"payload")
    assert Weak(b"payload") is made
    watch = weakref.ref(made)
    del made
    gc.collect()
    assert watch() is None
    assert not len(table)


@pytest.mark.usefixtures("young_heap")
def test_large_constants_are_weak() -> None:
    watch = weakref.ref(splat(RankedTensorType((3, 5), f32), 0.123))
    gc.collect()
    assert watch() is None


def test_a_table_is_made_once() -> None:
    uniquer = Uniquer()
    table = uniquer.table(Pair)
    assert uniquer.table(Pair, weak=True) is table
    first = uniquer.publish(table, (1,), "first")
    assert uniquer.publish(table, (1,), "second") is first
    assert uniquer.sizes() == {"Pair": 1}


def test_parameters_of_other_types_are_told_apart() -> None:
    assert IntegerType(32) is i32
    assert IntegerType(32, "signed") is not i32
    with pytest.raises(InvalidParameters):
        FloatType("f31")


def test_equal_but_different_numbers() -> None:
    """1 == True == 1.0 in Python: the key must not mix them up where the parameters show."""
    assert IntegerAttr(i32, 1).value == 1
    assert StringAttr("1") is not StringAttr("1 ")
