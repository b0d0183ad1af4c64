"""The memory that an access may touch, through selections, branches, loops and views, at both levels of the path."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.lowering.test_token_analysis import analysed
from tilewright.dialects.nv_tileaa.ops.memory import LoadOp
from tilewright.ir import builtin_types
from tilewright.ir.operation import Operation
from tilewright.lowering.cuda_tile_to_tileaa.memory_patterns import storage_bytes
from tilewright.lowering.memory_order.memory_roots import (
    is_same_tile,
    may_conflict,
    may_overlap,
    parameter_of,
    parameters,
    place,
    reads_only,
    roots,
    written_parameters,
)
from tilewright.lowering.target_facts import functions, is_kernel

FORMS = ("nv_tileaa", "nv_tileas")
ONE = "%s = constant <f32: 1.0> : tile<f32>\n"
P = "tile<ptr<f32>>"


def store(pointer: str, token: str = "t0", name: str = "w") -> str:
    """Return a store of a number through a pointer."""
    return f"%{name} = store_ptr_tko weak %{pointer}, %s token=%{token} : {P}, tile<f32> -> token\n"


def touched(body: str, form: str) -> list[set[int] | None]:
    """Return the numbers of the parameters that each access of a kernel may touch; None for any memory."""
    _, accesses = analysed(ONE + body, form)
    found: list[set[int] | None] = []
    for access in accesses:
        where = place(access)
        assert where is not None
        known = roots(where)
        found.append(None if known is None else set(parameters(known)))
        assert parameter_of(access) == (min(found[-1]) if found[-1] and len(found[-1]) == 1 else None)
    return found


CHOSEN = f"%p = select %c, %a, %b : tile<i1>, {P}\n{store('p')}"
BRANCH = f"%p = if %c -> ({P}) {{\nyield %a : {P}\n}} else {{\nyield %b : {P}\n}}\n{store('p')}"
COUNTED = f"""%p = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%q = %a) -> ({P}) {{
{store("q", name="v")}%r = offset %q, %one : {P}, tile<i32> -> {P}
continue %r : {P}
}}
{store("p")}"""
OTHER = COUNTED.replace("continue %r", "continue %b")
WHILE = f"""%p = loop iter_values(%q = %a) : {P} -> {P} {{
{store("q", name="v")}if %c {{
break %b : {P}
}}
{store("q", name="u")}%r = offset %q, %one : {P}, tile<i32> -> {P}
continue %r : {P}
}}
{store("p")}"""


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (CHOSEN, [{0, 1}]),
        (BRANCH, [{0, 1}]),
        (COUNTED, [{0}, {0}]),
        (OTHER, [{0, 1}, {0, 1}]),
        (WHILE, [{0}, {0}, {1}]),
        (
            f"%g = ptr_to_int %a : {P} -> tile<i64>\n%p = int_to_ptr %g : tile<i64> -> {P}\n{store('p')}",
            [None],
        ),
    ],
    ids=["select", "if", "for", "for with two", "while", "a number"],
)
def test_what_an_access_may_touch(body: str, wanted: Sequence[set[int] | None], form: str) -> None:
    assert touched(body, form) == wanted


def test_what_a_kernel_may_write_to() -> None:
    _, accesses = analysed(ONE + store("b"))
    assert written_parameters(outermost(accesses[0])) == {1}
    _, accesses = analysed(ONE + CHOSEN)
    assert written_parameters(outermost(accesses[0])) == {0, 1}
    _, accesses = analysed(
        f"{ONE}%g = ptr_to_int %a : {P} -> tile<i64>\n%p = int_to_ptr %g : tile<i64> -> {P}\n{store('p')}"
    )
    assert written_parameters(outermost(accesses[0])) is None
    read = f"%l, %tl = load_ptr_tko weak %a token=%t0 : {P} -> tile<f32>, token\n"
    _, accesses = analysed(ONE + read + store("b", "tl"))
    assert written_parameters(outermost(accesses[0])) == {1}
    assert [reads_only(one) for one in accesses] == [True, False]


def outermost(op: Operation) -> Operation:
    """Return the function around an operation."""
    (function,) = [around for around in op.ancestors() if around.name == "nv_tileaa.func"]
    return function


VIEW = "partition_view<tile=(8), tensor_view<{0}xf32, strides=[{1}]>>"
STORE = "%t{0} = store_view_tko weak %x, %vs[%{1}] token=%t0 : tile<8xf32>, {2}, tile<i32> -> token\n"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("extent", "stride", "conflicts"), [("64", "1", False), ("64", "4", False), ("64", "?", True)]
)
def test_tiles_of_a_view_with_known_strides_are_apart(
    extent: str, stride: str, conflicts: bool, form: str
) -> None:
    view = VIEW.format(extent, stride)
    strides = "%n" if stride == "?" else stride
    typed = (
        f" : tile<i32> -> tensor_view<{extent}xf32, strides=[{stride}]>"
        if stride == "?"
        else f" : tensor_view<{extent}xf32, strides=[{stride}]>"
    )
    body = f"%ts = make_tensor_view %a, shape = [{extent}], strides = [{strides}]{typed}\n"
    body += f"%vs = make_partition_view %ts : {view}\n"
    body += STORE.format(1, "zero", view) + STORE.format(2, "one", view) + STORE.format(3, "zero", view)
    _, (first, second, third) = analysed(body, form)
    assert may_conflict(first, second) is conflicts
    assert may_conflict(first, third)
    assert is_same_tile(first, third)
    assert not is_same_tile(first, second)
    a, b = place(first), place(second)
    assert a is not None
    assert b is not None
    assert may_overlap(a, b)


def test_accesses_of_unknown_memory_conflict() -> None:
    _, accesses = analysed(ONE + store("a"))
    (function,) = functions(outermost(accesses[0]).parent_op or accesses[0])
    assert place(function) is None
    assert may_conflict(function, accesses[0])
    assert may_conflict(accesses[0], function)
    assert is_kernel(function)
    assert not is_kernel(None)
    assert not any(isinstance(one, LoadOp) for one in accesses)


@pytest.mark.parametrize(
    ("element", "count", "bytes"),
    [
        (builtin_types.f4E2M1FN, 7, 4),
        (builtin_types.f4E2M1FN, 8, 4),
        (builtin_types.i1, 5, 5),
        (builtin_types.i8, 5, 5),
        (builtin_types.f16, 5, 10),
        (builtin_types.tf32, 5, 20),
        (builtin_types.f64, 5, 40),
    ],
)
def test_bytes_of_elements_in_memory(element: builtin_types.FloatType, count: int, bytes: int) -> None:
    assert storage_bytes(element, count) == bytes
