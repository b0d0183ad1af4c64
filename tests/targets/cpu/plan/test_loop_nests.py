"""Passes that share a nest, read memory again, scan on their way to a store, and go through parts of complex numbers."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

import tilewright
from tests.lowering.cuda_tile_to_tileaa.lowered import kernel, lowered
from tests.lowering.cuda_tile_to_tileaa.test_end_to_end import both
from tilewright.dialects.nv_tileaa.ops.program import FuncOp
from tilewright.targets.cpu.machine.costs import costs_of
from tilewright.targets.cpu.machine.target import CpuTarget
from tilewright.targets.cpu.plan.model import NestStep
from tilewright.targets.cpu.planning.planner import make_plan

Array = NDArray[Any]
SHAPE = (4, 64)
ELEMENTS = {"i32": np.int32, "i64": np.int64, "i16": np.int16, "f32": np.float32, "f64": np.float64}
TILE, VIEW = "tile<4x64xi32>", "partition_view<tile=(4x64), tensor_view<4x64xi32, strides=[64,1]>>"
ADD = "(%l: tile<i32>, %r: tile<i32>) { %lr = addi %l, %r : tile<i32> yield %lr : tile<i32> }"


def _views(*names: str) -> str:
    """A view of one tile at each of some pointers; ``%x`` has the name ``%x_view``."""
    made = "%zero = constant <i32: 0> : tile<i32>\n"
    for name in names:
        whole = "tensor_view<4x64xi32, strides=[64,1]>"
        made += f"%{name}_all = make_tensor_view %{name}, shape = [4, 64], strides = [64, 1] : {whole}\n"
        made += f"%{name}_view = make_partition_view %{name}_all : {VIEW}\n"
    return made


def _load(result: str, name: str) -> str:
    return f"%{result}, %{result}_read = load_view_tko weak %{name}_view[%zero, %zero] : {VIEW}, tile<i32> -> {TILE}, token\n"


def _store(value: str, name: str, token: str = "") -> str:
    after = f" token = %{token}" if token else ""
    return (
        f"%{name}_{value}_done = store_view_tko weak %{value}, %{name}_view[%zero, %zero]{after}"
        f" : {TILE}, {VIEW}, tile<i32> -> token\n"
    )


def _scan(result: str, source: str, dimension: int, *, reverse: bool = False) -> str:
    flag = "true" if reverse else "false"
    return (
        f"%{result} = scan %{source} dim={dimension} reverse={flag} identities=[0 : i32]"
        f" : {TILE} -> {TILE} {ADD}\n"
    )


def _numbers(seed: int = 0) -> Array:
    return np.random.default_rng(seed).integers(-1000, 1000, SHAPE).astype(np.int32)


def _run(body: str, *arrays: Array) -> list[Array]:
    return [np.asarray(found) for found in both(_text(body, len(arrays)), list(arrays))]


def _text(body: str, count: int) -> str:
    """A kernel with some pointers, and views of what they point to."""
    names = "xyz"[:count]
    parameters = ", ".join(f"%{name}: tile<ptr<i32>>" for name in names)
    return kernel(_views(*names) + body, parameters)


def _passes(body: str, count: int) -> list[list[str]]:
    """What is done in each pass of a kernel."""
    module = tilewright.compile(tilewright.Module(lowered(_text(body, count)))).module("tileas")
    (function,) = [op for op in module.walk() if isinstance(op, FuncOp)]
    steps = [step for block in make_plan(function, costs_of(CpuTarget())).blocks for step in block.steps]
    return [[root.kind for root in step.roots] for step in steps if isinstance(step, NestStep)]


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("dimension", [0, 1])
def test_a_scan_that_is_stored(dimension: int, reverse: bool) -> None:
    x = _numbers()
    body = _load("a", "x") + _scan("s", "a", dimension, reverse=reverse) + _store("s", "y")
    assert _passes(body, 2) == [["scan", "write"]]
    found = _run(body, x, np.zeros_like(x))[1]
    step = -1 if reverse else 1
    turned = np.flip(x, dimension) if reverse else x
    wanted = np.cumsum(turned, axis=dimension, dtype=np.int32)
    np.testing.assert_array_equal(found, np.flip(wanted, dimension) if step < 0 else wanted)


def test_a_scan_in_place() -> None:
    x = _numbers()
    body = _load("a", "x") + _scan("s", "a", 1) + _store("s", "x", "a_read")
    np.testing.assert_array_equal(_run(body, x)[0], np.cumsum(x, axis=1, dtype=np.int32))


def test_a_scan_that_is_used_twice() -> None:
    """In its own pass, and by another one that needs elements of it elsewhere."""
    x = _numbers()
    body = _load("a", "x") + _scan("s", "a", 1) + "%t = addi %s, %a : " + TILE + "\n" + _store("t", "y")
    body += _scan("u", "s", 0) + _store("u", "z")
    _, y, z = _run(body, x, np.zeros_like(x), np.zeros_like(x))
    sums = np.cumsum(x, axis=1, dtype=np.int32)
    np.testing.assert_array_equal(y, sums + x)
    np.testing.assert_array_equal(z, np.cumsum(sums, axis=0, dtype=np.int32))


def test_rows_that_are_read_again_are_those_before_a_write() -> None:
    """``a`` is loaded before the store that ``b`` is stored by; what needs it later does not see that."""
    x, y = _numbers(1), _numbers(2)
    body = _load("a", "x") + _load("b", "y") + _scan("s", "a", 0) + _store("b", "x", "a_read")
    body += "%c = addi %a, %s : " + TILE + "\n" + _store("c", "z")
    found = _run(body, x, y, np.zeros_like(x))
    np.testing.assert_array_equal(found[0], y)
    np.testing.assert_array_equal(found[2], x + np.cumsum(x, axis=0, dtype=np.int32))


def test_reductions_share_a_pass_in_front_of_what_one_of_them_needs() -> None:
    """The mean is put into memory between two reductions of the same tile, as in a layer normalisation."""
    x = _numbers()
    column, wide = "tile<4x1xi32>", "tile<4xi32>"
    reduce = f"dim=1 identities=[0 : i32] : {TILE} -> {wide} {ADD}"
    body = (
        _load("a", "x")
        + f"""
      %sum = reduce %a {reduce}
      %mean = reshape %sum : {wide} -> {column}
      %double = muli %mean, %mean : {column}
      %square = muli %a, %a : {TILE}
      %squares = reduce %square {reduce}
      %rest = reshape %squares : {wide} -> {column}
      %moment = subi %rest, %double : {column}
      %all = broadcast %moment : {column} -> {TILE}
      %less = broadcast %double : {column} -> {TILE}
      %p = muli %a, %all : {TILE}
      %q = addi %p, %less : {TILE}
    """
    )
    body += _store("q", "y")
    assert _passes(body, 2)[0] == ["reduce", "reduce"]
    found = _run(body, x, np.zeros_like(x))[1]
    total = x.sum(axis=1, keepdims=True, dtype=np.int32)
    squares = (x * x).sum(axis=1, keepdims=True, dtype=np.int32)
    np.testing.assert_array_equal(found, x * (squares - total * total) + total * total)


# --- elements that are some distance apart


def _planes(element: str, columns: int, distance: str) -> str:
    """Copies a plane of some rows, whose elements are ``%n`` apart, into another one, plus one."""
    whole = "tensor_view<4x?x" + element + f", strides=[?,{distance}]>"
    view = f"partition_view<tile=(4x{columns}), padding_value = zero, {whole}>"
    tile, one = f"tile<4x{columns}x{element}>", "1.0" if element.startswith("f") else "1"
    add = f"addf %a, %one rounding<nearest_even> : {tile}" if one == "1.0" else f"addi %a, %one : {tile}"
    strides = "[%row, %n]" if distance == "?" else f"[%row, {distance}]"
    make = f"shape = [4, %m], strides = {strides} : tile<i64> -> {whole}"
    body = f"""
      %zero = constant <i32: 0> : tile<i32>
      %one = constant <{element}: {one}> : {tile}
      %x_all = make_tensor_view %x, {make}
      %x_view = make_partition_view %x_all : {view}
      %y_all = make_tensor_view %y, {make}
      %y_view = make_partition_view %y_all : {view}
      %a, %read = load_view_tko weak %x_view[%zero, %zero] : {view}, tile<i32> -> {tile}, token
      %b = {add}
      %done = store_view_tko weak %b, %y_view[%zero, %zero] : {tile}, {view}, tile<i32> -> token
    """
    pointer = f"tile<ptr<{element}>>"
    return kernel(body, f"%x: {pointer}, %y: {pointer}, %m: tile<i64>, %row: tile<i64>, %n: tile<i64>")


@pytest.mark.parametrize("distance", ["?", "2"])
@pytest.mark.parametrize("element", list(ELEMENTS))
def test_every_other_element(element: str, distance: str) -> None:
    """Only these are read and written: the arrays end with the last of them."""
    columns = 64
    text = _planes(element, columns, distance)
    for step, extent in ((2, columns), (2, 37), (3, columns), (1, columns)):
        if distance != "?" and step != 2:
            continue
        row = columns * step
        x = np.arange(3 * row + (extent - 1) * step + 1).astype(ELEMENTS[element])
        found = both(text, [x, np.zeros_like(x)], extent, row, step)[1]
        wanted = np.zeros_like(x)
        for at in range(4):
            place = slice(at * row, at * row + extent * step, step)
            wanted[place] = x[place] + 1
        np.testing.assert_array_equal(found, wanted)


# --- sums of many numbers


@pytest.mark.parametrize(("rows", "columns", "dimension"), [(1024, 16, 0), (2, 8192, 1)])
def test_sums_of_many_narrow_numbers_do_not_stop_growing(rows: int, columns: int, dimension: int) -> None:
    """256 + 1 is 256 in bf16: one number after the other would get no further."""
    left = columns if dimension == 0 else rows
    whole = f"tensor_view<{left}xbf16, strides=[1]>"
    body = f"""
      %zero = constant <i32: 0> : tile<i32>
      %ones = constant <bf16: 1.0> : tile<{rows}x{columns}xbf16>
      %sum = reduce %ones dim={dimension} identities=[0.0 : bf16] : tile<{rows}x{columns}xbf16> -> tile<{left}xbf16>
        (%l: tile<bf16>, %r: tile<bf16>) {{
          %lr = addf %l, %r rounding<nearest_even> : tile<bf16> yield %lr : tile<bf16>
        }}
      %all = make_tensor_view %p, shape = [{left}], strides = [1] : {whole}
      %view = make_partition_view %all : partition_view<tile=({left}), {whole}>
      %done = store_view_tko weak %sum, %view[%zero] : tile<{left}xbf16>, partition_view<tile=({left}), {whole}>, tile<i32> -> token
    """
    text = kernel(body, "%p: tile<ptr<bf16>>")
    (found,) = both(text, [np.zeros(left, ml_dtypes.bfloat16)])
    assert set(found.astype(int)) == {(rows, columns)[dimension]}
