"""Specialisation: every rule once by hand, then random arguments against the vendor's own launcher."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from tests.cutile import vendor_launcher
from tests.cutile.vendor_launcher import GpuArray
from tilewright.cutile import LaunchError
from tilewright.cutile.arrays import ArrayView
from tilewright.cutile.binding import bind
from tilewright.cutile.facts import (
    ArrayFacts,
    ArrayRule,
    array_facts,
    common_facts,
    constant_facts,
    elements_are_disjoint,
)
from tilewright.cutile.frontend import frontend
from tilewright.cutile.parameters import parameters_of
from tilewright.cutile.signature import cutile_name, kernel_signature
from tilewright.host.addresses import BY_NUMPY_NAME

kernels: Any = pytest.importorskip("tests.cutile.kernels", exc_type=ImportError)

TYPESTRS = {
    "bool": "|b1",
    "int8": "|i1",
    "uint16": "<u2",
    "float16": "<f2",
    "bfloat16": "<V2",
    "float32": "<f4",
    "int64": "<i8",
    "float64": "<f8",
}
ADDRESS = 1 << 20


def view(
    shape: Sequence[int], strides: Sequence[int], element: str = "float32", address: int = ADDRESS
) -> ArrayView:
    """A view of no memory: only its numbers are looked at."""
    return ArrayView(np.empty(0), BY_NUMPY_NAME[element], address, tuple(shape), tuple(strides))


def facts(
    shape: Sequence[int], strides: Sequence[int], rule: ArrayRule | None = None, **more: Any
) -> ArrayFacts:
    return array_facts(view(shape, strides, **more), rule or ArrayRule(), "x")


def test_element_type_and_rank_are_facts() -> None:
    found = facts((3, 5), (5, 1), element="float16")
    assert (cutile_name(found.element), found.rank, found.index_bits) == ("float16", 2, 32)


def test_stride_one_is_a_constant() -> None:
    assert facts((3, 5), (5, 1)).stride_constants == (None, 1)


@pytest.mark.parametrize(
    ("element", "elements"), [("int8", 16), ("bfloat16", 8), ("float32", 4), ("int64", 2)]
)
def test_stride_divisor_is_16_bytes(element: str, elements: int) -> None:
    assert facts((9,), (3 * elements,), element=element).stride_divisors == (elements,)
    assert facts((9,), (3 * elements + 1,), element=element).stride_divisors == (1,)


def test_length_divisor_is_16_elements() -> None:
    assert facts((48, 47), (47, 1)).length_divisors == (16, 1)


def test_length_one_is_a_constant() -> None:
    assert facts((1, 7), (7, 1)).length_constants == (1, None)


@pytest.mark.parametrize(("address", "divisor"), [(ADDRESS, 16), (ADDRESS + 8, 1)])
def test_address_divisor(address: int, divisor: int) -> None:
    assert facts((2,), (1,), address=address).address_divisor == divisor


def test_rank_five_is_specialised() -> None:
    found = facts((1, 16, 16, 16, 16), (16**4, 16**3, 16**2, 16, 1))
    assert found.length_constants == (1, None, None, None, None)
    assert found.length_divisors == (1, 16, 16, 16, 16)
    assert found.stride_divisors == (4, 4, 4, 4, 1)
    assert found.stride_constants[-1] == 1


def test_nothing_is_specialised_above_rank_five_but_address_and_aliasing() -> None:
    shape, strides = (1, 16, 16, 16, 16, 16), (16**5, 16**4, 16**3, 16**2, 16, 1)
    found = facts(shape, strides)
    assert set(found.length_constants + found.stride_constants) == {None}
    assert set(found.length_divisors + found.stride_divisors) == {1}
    assert (found.address_divisor, found.may_alias_internally) == (16, False)


@pytest.mark.parametrize(
    ("shape", "strides", "disjoint"),
    [
        ((), (), True),
        ((4, 4), (4, 1), True),
        ((4, 4), (1, 4), True),
        ((4, 4), (0, 1), False),
        ((4, 4), (3, 1), False),
        ((4, 4), (1, 1), False),
        ((1, 1), (1, 1), True),
    ],
)
def test_internal_aliasing(shape: tuple[int, ...], strides: tuple[int, ...], disjoint: bool) -> None:
    assert elements_are_disjoint(shape, strides) is disjoint


def test_static_axes_become_constants_and_end_inference() -> None:
    shape_rule, stride_rule = ArrayRule(static_shape=(-1,)), ArrayRule(static_stride=(0,))
    assert facts((1, 7), (7, 1), shape_rule).length_constants == (None, 7)
    assert facts((1, 7), (7, 1), stride_rule).stride_constants == (7, None)
    assert facts((1, 7), (7, 1), shape_rule).stride_constants == (None, 1)


@pytest.mark.parametrize(
    ("axes", "message"), [((2,), "static_shape_dims contains axis 2"), ((0, -2), "duplicate axis")]
)
def test_bad_static_axes_are_refused(axes: tuple[int, ...], message: str) -> None:
    with pytest.raises(LaunchError, match=message):
        facts((3, 4), (4, 1), ArrayRule(static_shape=axes))


def test_a_list_states_what_every_item_has() -> None:
    items = [facts((16, 1), (1, 1)), facts((32, 1), (1, 32), address=ADDRESS + 4)]
    item = common_facts(items, ArrayRule(), "x").item
    assert item.length_divisors == (16, 1)
    assert item.length_constants == (None, 1)
    assert item.stride_constants == (1, None)
    assert (item.address_divisor, item.may_alias_internally) == (1, False)


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (facts((3,), (1,), element="int8"), "element type int8"),
        (facts((3, 3), (3, 1)), "rank 2"),
        (
            facts((4,), (1,), ArrayRule(static_shape=(0,))),
            r"vary in static shape at axis 0: \(4\) here, \(3\)",
        ),
    ],
)
def test_lists_that_disagree_are_refused(other: ArrayFacts, message: str) -> None:
    rule = ArrayRule(static_shape=(0,))
    with pytest.raises(LaunchError, match=message):
        common_facts([facts((3,), (1,), rule), other], rule, "x")


def test_constants_are_told_apart_by_type_and_bits() -> None:
    values = [1, True, 1.0, 0.0, -0.0, float("nan")]
    assert len({constant_facts(value) for value in values}) == len(values)
    assert constant_facts(float("nan")) == constant_facts(float("nan"))
    assert struct.pack("<d", constant_facts(-0.0).value) == struct.pack("<d", -0.0)


# --- against the vendor's launcher --------------------------------------------------------------------------


def ours(kernel: Any, arguments: Sequence[Any]) -> Any:
    parameters = parameters_of(kernel)
    binding = bind(parameters, arguments)
    return kernel_signature(frontend(), binding.facts, parameters.function_name)


def on_gpu(value: Any) -> Any:
    """The same argument for the vendor's launcher."""
    if isinstance(value, np.ndarray):
        strides = [stride // value.itemsize for stride in value.strides]
        return GpuArray(value.ctypes.data, TYPESTRS[value.dtype.name], value.shape, strides)
    if isinstance(value, list | tuple):
        return type(value)(on_gpu(item) for item in value)
    return value


def assert_same(kernel: Any, arguments: Sequence[Any]) -> None:
    expected = vendor_launcher.signature_of(kernel, [on_gpu(argument) for argument in arguments])
    found = ours(kernel, arguments)
    assert found == expected
    assert found.symbol == expected.symbol


lengths = st.one_of(st.integers(0, 40), st.sampled_from([1, 1, 16, 32, 48, 64]))
strides = st.one_of(st.integers(0, 40), st.sampled_from([0, 1, 1, 2, 4, 8, 16, 32, 64, 256, 1024]))
axes = st.lists(st.tuples(lengths, strides), max_size=7)


@given(axes, st.sampled_from(sorted(TYPESTRS)), st.integers(0, 3), st.sampled_from(["one", "wide"]))
def test_arrays_as_the_vendor(pairs: list[tuple[int, int]], element: str, offset: int, name: str) -> None:
    kernel = getattr(kernels, name)
    shape, steps = [p[0] for p in pairs], [p[1] for p in pairs]
    address = ADDRESS + 8 * offset
    expected = vendor_launcher.signature_of(kernel, [GpuArray(address, TYPESTRS[element], shape, steps)])
    rule = parameters_of(kernel).nodes[0].array
    made = array_facts(view(shape, steps, element, address), rule, "x")
    assert kernel_signature(frontend(), [made], name) == expected


@st.composite
def arrays(draw: st.DrawFn, rank: int | None = None, element: str | None = None) -> Any:
    """A NumPy array, possibly a slice, a transpose or a broadcast of another one."""
    wanted = draw(st.integers(0, 4)) if rank is None else rank
    shape = draw(st.lists(st.sampled_from([1, 2, 3, 16, 32]), min_size=wanted, max_size=wanted))
    names = sorted(set(TYPESTRS) - {"bfloat16"})
    base = np.zeros(shape, element or draw(st.sampled_from(names)))
    change = draw(st.sampled_from(["none", "transpose", "slice", "broadcast"]))
    if change == "transpose":
        return base.T
    if change == "slice" and wanted:
        return base[draw(st.integers(0, 1)) :: draw(st.integers(1, 4))]
    if change == "broadcast" and wanted:
        wide = np.broadcast_to(base[:1], (5, *base.shape[1:]))
        return np.lib.stride_tricks.as_strided(base, wide.shape, wide.strides)
    return base


scalars = st.one_of(st.booleans(), st.integers(-(2**31), 2**31 - 1), st.floats(allow_nan=False))
leaves = st.one_of(scalars, arrays())
tuples = st.recursive(leaves, lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=5)


@given(arrays(), st.integers(-9, 9), st.integers(-(2**63), 2**64 - 1), tuples, st.data())
def test_mixed_arguments_as_the_vendor(x: Any, n: int, c: int, t: Any, data: st.DataObject) -> None:
    item = arrays(rank=data.draw(st.integers(0, 3)), element="int64")
    items = data.draw(st.lists(item, min_size=1, max_size=3))
    assert_same(kernels.mixed, [x, n, c, t, items])


@pytest.mark.parametrize("value", [0, -1, 2**63, True, 1.5, float("inf"), -0.0])
def test_constants_as_the_vendor(value: float) -> None:
    assert_same(kernels.constant, [value])


@settings(max_examples=30)
@given(arrays(rank=2))
def test_static_axes_as_the_vendor(x: Any) -> None:
    assert_same(kernels.static_shape, [x])
    assert_same(kernels.static_stride, [x])


def test_annotated_containers_as_the_vendor() -> None:
    x = np.zeros((1, 16), np.float32)
    for kernel, argument in [
        (kernels.wide_list, [x, x]),
        (kernels.static_list, [x, x[:, ::2]]),
        (kernels.wide_scalar, 1 << 40),
        (kernels.each, (1, 2, 3)),
        (kernels.each, ()),
        (kernels.pair, (1, 1 << 40)),
    ]:
        assert_same(kernel, [argument])
