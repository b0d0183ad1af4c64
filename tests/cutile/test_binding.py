"""Flat launch values of every kind of argument, and the words of refusals."""

from __future__ import annotations

import ctypes
from collections import namedtuple
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from tilewright.cutile import LaunchError
from tilewright.cutile.binding import bind
from tilewright.cutile.facts import ArrayRule, ConstantFacts, DataclassFacts, ScalarFacts, TupleFacts
from tilewright.cutile.parameters import EachNode, ItemsNode, LeafNode, Node, Parameters

CONSTANT = LeafNode(constant=True)
PLAIN = LeafNode()
Point = namedtuple("Point", "x y")


@dataclass(frozen=True)
class State:
    weight: Any
    steps: int


def bound(*pairs: tuple[Any, Node], **options: Any) -> Any:
    names = tuple("xyzw"[: len(pairs)])
    parameters = Parameters("k", names, tuple(node for _, node in pairs))
    return bind(parameters, [value for value, _ in pairs], **options)


def spelled(binding: Any) -> list[Any]:
    """Flat values as (ctypes type, value) pairs; arrays as themselves."""
    return [v if isinstance(v, np.ndarray) else (type(v), v.value) for v in binding.flat]


def refusal(value: Any, node: Node = PLAIN, **options: Any) -> str:
    with pytest.raises(LaunchError) as caught:
        bound((value, node), **options)
    return str(caught.value)


def test_an_array_is_address_lengths_strides() -> None:
    x = np.zeros((3, 4), np.float16)
    array, *rest = spelled(bound((x, PLAIN)))
    assert array is x
    assert rest == [(ctypes.c_int32, number) for number in (3, 4, 4, 1)]


def test_wide_indices() -> None:
    x = np.zeros((3,))
    assert spelled(bound((x, LeafNode(array=ArrayRule(64)))))[1:] == [
        (ctypes.c_int64, 3),
        (ctypes.c_int64, 1),
    ]
    huge = np.lib.stride_tricks.as_strided(np.zeros(1, np.int8), (1 << 31,), (0,))
    assert "cuda.tile.IndexedWithInt64" in refusal(huge)
    assert spelled(bound((huge, LeafNode(array=ArrayRule(64)))))[1] == (ctypes.c_int64, 1 << 31)


@pytest.mark.parametrize(
    ("value", "node", "flat", "fact"),
    [
        (True, PLAIN, (ctypes.c_bool, True), "bool_"),
        (-5, PLAIN, (ctypes.c_int32, -5), "int32"),
        (1 << 40, LeafNode(scalar_bits=64), (ctypes.c_int64, 1 << 40), "int64"),
        (1.5, PLAIN, (ctypes.c_float, 1.5), "float32"),
        (1e300, PLAIN, (ctypes.c_float, float("inf")), "float32"),
        (np.float64(0.5), PLAIN, (ctypes.c_float, 0.5), "float32"),
    ],
)
def test_scalars(value: Any, node: Node, flat: Any, fact: str) -> None:
    binding = bound((value, node))
    assert spelled(binding) == [flat]
    assert binding.facts == (ScalarFacts(fact),)


def test_constants_take_no_parameter() -> None:
    binding = bound((5, CONSTANT), (2.5, CONSTANT), (7, PLAIN))
    assert spelled(binding) == [(ctypes.c_int32, 7)]
    assert [fact.value for fact in binding.facts[:2]] == [5, 2.5]


def test_a_list_is_a_table_and_a_count() -> None:
    x, y = np.zeros((2, 3), np.float32), np.zeros((4, 5), np.float32)
    binding = bound(([x, y], PLAIN))
    table, count = spelled(binding)
    assert count == (ctypes.c_int32, 2)
    assert table.dtype == np.int64
    assert table.tolist() == [[x.ctypes.data, 2, 3, 3, 1], [y.ctypes.data, 4, 5, 5, 1]]
    assert [view.array is a for view, a in zip(binding.memory, (x, y), strict=True)] == [True, True]


def test_tuples_are_flattened_in_order() -> None:
    x = np.zeros(2)
    binding = bound(((1, (x, 2.0)), PLAIN))
    assert spelled(binding)[0] == (ctypes.c_int32, 1)
    assert spelled(binding)[1] is x
    assert spelled(binding)[-1] == (ctypes.c_float, 2.0)
    (outer,) = binding.facts
    assert isinstance(outer, TupleFacts)
    assert isinstance(outer.items[1], TupleFacts)


def test_annotations_of_tuples() -> None:
    kinds = [type(item) for item in bound(((1, 2), EachNode(CONSTANT))).facts[0].items]
    assert kinds == [ConstantFacts, ConstantFacts]
    kinds = [type(item) for item in bound(((1, 2), ItemsNode((PLAIN, CONSTANT)))).facts[0].items]
    assert kinds == [ScalarFacts, ConstantFacts]
    kinds = [type(item) for item in bound(((1, 2), CONSTANT)).facts[0].items]
    assert kinds == [ConstantFacts, ConstantFacts]


def test_dataclasses_need_convention_3() -> None:
    state = State(np.zeros(2), 4)
    assert "pass its fields as a tuple" in refusal(state)
    binding = bound((state, PLAIN), convention_3=True)
    assert isinstance(binding.facts[0], DataclassFacts)
    assert spelled(binding)[0] is state.weight
    assert spelled(binding)[-1] == (ctypes.c_int32, 4)


@pytest.mark.parametrize(
    ("value", "node", "message"),
    [
        (1 << 31, PLAIN, "annotate the parameter with cuda.tile.ScalarInt64"),
        (1 << 63, LeafNode(scalar_bits=64), "signed 64-bit"),
        (1 << 64, CONSTANT, "does not fit in 64 bits"),
        ("text", CONSTANT, "Could not interpret object of type"),
        (np.zeros(2), CONSTANT, "Could not interpret object of type"),
        ("text", PLAIN, "objects of type str are not supported"),
        (None, PLAIN, "NoneType"),
        (np.int32(3), PLAIN, "x.item()"),
        (np.bool_(True), PLAIN, "x.item()"),
        (Point(1, 2), PLAIN, "Invalid kernel argument #0: 'Point' is a subclass of 'tuple'. Only plain"),
        ([], PLAIN, "the list is empty"),
        ([1.0], PLAIN, "Invalid item #0 of kernel argument #0"),
        ([np.zeros(2), np.zeros((2, 2))], PLAIN, "rank 2 differs"),
        ((1, "text"), PLAIN, "Invalid item #1 of kernel argument #0"),
        (
            (1, 2, 3),
            ItemsNode((PLAIN, PLAIN)),
            "tuple of length 3 for a parameter annotated as a tuple of length 2",
        ),
        (5, EachNode(PLAIN), "annotated as a tuple"),
    ],
)
def test_refusals_name_the_argument(value: Any, node: Node, message: str) -> None:
    text = refusal(value, node)
    assert message in text
    assert "argument 'x'" in text


def test_the_number_of_arguments_is_checked() -> None:
    with pytest.raises(LaunchError, match=r"Kernel expects 2 arguments but 1 was given\n(.*\n)*.*\(x, y\)"):
        bind(Parameters("k", ("x", "y"), (PLAIN, PLAIN)), [1])


def test_refusals_are_what_the_vendor_raises() -> None:
    for value, kind in (("text", TypeError), ("text", ValueError), (1 << 31, OverflowError)):
        with pytest.raises(kind):
            bound((value, PLAIN))


def test_facts_are_a_cache_key() -> None:
    x, y = np.zeros(16, np.float32), np.ones(32, np.float32)
    assert hash(bound((x, PLAIN)).facts) == hash(bound((y, PLAIN)).facts)
    assert bound((x, PLAIN)).facts == bound((y, PLAIN)).facts
    assert bound((x, PLAIN)).facts != bound((x[:15], PLAIN)).facts
