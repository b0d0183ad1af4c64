"""Sums and products of narrow floats: partial results in f32, rounded once."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.lowering.cuda_tile_to_tileaa.lowered import kernel
from tilewright.driver.compile import compile

Array = NDArray[Any]
NARROW: dict[str, Any] = {"bf16": ml_dtypes.bfloat16, "f16": np.float16}
SHAPES = [((4, 512), 1), ((512, 32), 0), ((2, 32768), 1), ((32768, 4), 0), ((8, 4, 64), 1), ((512,), 0)]
UNITS = 0.6
"""Half a unit in the last place for the rounding, and what f32 misses."""


def _tile(shape: tuple[int, ...], element: str) -> str:
    return f"tile<{'x'.join(map(str, shape))}{'x' if shape else ''}{element}>"


def _view(name: str, shape: tuple[int, ...], element: str) -> tuple[str, str]:
    """What makes a view of one tile at a pointer, and its type."""
    extents = "x".join(map(str, shape))
    strides = [int(np.prod(shape[at + 1 :])) for at in range(len(shape))]
    whole = f"tensor_view<{extents}x{element}, strides={strides}>"
    view = f"partition_view<tile=({extents}), {whole}>"
    made = f"%{name}_all = make_tensor_view %{name}, shape = {list(shape)}, strides = {strides} : {whole}\n"
    return made + f"%{name}_view = make_partition_view %{name}_all : {view}\n", view


def _store(value: str, name: str, shape: tuple[int, ...], element: str) -> str:
    """Stores a tile; one of no dimension as one of an element."""
    made, view = _view(name, shape or (1,), element)
    if not shape:
        made += f"%{value}_1 = reshape %{value} : {_tile((), element)} -> {_tile((1,), element)}\n"
        value, shape = f"{value}_1", (1,)
    zeros = ", ".join(["%zero"] * len(shape))
    types = f"{_tile(shape, element)}, {view}, tile<i32> -> token"
    return made + f"%{name}_done = store_view_tko weak %{value}, %{name}_view[{zeros}] : {types}\n"


def _text(element: str, shape: tuple[int, ...], combined: str, left: tuple[int, ...]) -> str:
    """Combines the elements of an array, and writes ``%r`` of some shape."""
    made, view = _view("x", shape, element)
    zeros = ", ".join(["%zero"] * len(shape))
    body = f"""
      %zero = constant <i32: 0> : tile<i32>
      {made}
      %a, %read = load_view_tko weak %x_view[{zeros}] : {view}, tile<i32> -> {_tile(shape, element)}, token
      {combined}
    """
    pointer = f"tile<ptr<{element}>>"
    return kernel(body + _store("r", "y", left, element), f"%x: {pointer}, %y: {pointer}")


def _run(x: Array, element: str, combined: str, left: tuple[int, ...]) -> Array:
    y = np.zeros(left, x.dtype)
    compile(_text(element, x.shape, combined, left), target="cpu").launch((1, 1, 1), [x, y])
    return y


def _body(operation: str, element: str, rounding: str = " rounding<nearest_even>") -> str:
    scalar = f"tile<{element}>"
    return f"(%l: {scalar}, %s: {scalar}) {{ %ls = {operation} %l, %s{rounding} : {scalar} yield %ls : {scalar} }}"


def _reduce(
    x: Array, axis: int, element: str, operation: str, rounding: str = " rounding<nearest_even>"
) -> Array:
    left = x.shape[:axis] + x.shape[axis + 1 :]
    identity = 0.0 if operation == "addf" else 1.0
    types = f"{_tile(x.shape, element)} -> {_tile(left, element)}"
    text = f"%r = reduce %a dim={axis} identities=[{identity} : {element}] : {types}"
    return _run(x, element, text + _body(operation, element, rounding), left)


def _is_near(found: Array, wanted: Array) -> bool:
    unit = np.abs(np.spacing(wanted.astype(found.dtype)).astype(float))
    return bool(np.all(np.abs(found.astype(float) - wanted) <= UNITS * unit))


@pytest.mark.parametrize("element", NARROW)
@pytest.mark.parametrize(("shape", "axis"), SHAPES)
def test_sums_are_rounded_once(shape: tuple[int, ...], axis: int, element: str) -> None:
    x = np.random.default_rng(0).random(shape).astype(NARROW[element])
    assert _is_near(_reduce(x, axis, element, "addf"), x.astype(float).sum(axis))


@pytest.mark.parametrize("element", NARROW)
@pytest.mark.parametrize(("shape", "axis"), [((4, 512), 1), ((512, 32), 0)])
def test_products_are_rounded_once(shape: tuple[int, ...], axis: int, element: str) -> None:
    x = np.random.default_rng(1).uniform(0.9, 1.1, shape).astype(NARROW[element])
    assert _is_near(_reduce(x, axis, element, "mulf"), x.astype(float).prod(axis))


def test_a_sum_may_leave_the_range_on_its_way() -> None:
    """Partial sums of f16 are not infinite; a sum that is too large is."""
    x = np.array([[6, 6, -6, -6], [6, -6, 6, -6], [6, 6, 0, 0], [0, -6, 0, -6]]) * 10_000
    found = _reduce(x.astype(np.float16), 1, "f16", "addf")
    assert found.tolist() == [0.0, 0.0, np.inf, -np.inf]


@pytest.mark.parametrize("element", NARROW)
def test_nan_is_canonical(element: str) -> None:
    x = np.ones((4, 64), NARROW[element])
    x.view(np.uint16)[1, 7] = 0xFFFF
    found = _reduce(x, 1, element, "addf")
    assert found[0] == 64
    assert found.view(np.uint16)[1] == {"bf16": 0x7FC0, "f16": 0x7E00}[element]


@pytest.mark.parametrize("axis", [0, 1])
def test_a_sum_that_rounds_toward_zero_does_so_at_each_step(axis: int) -> None:
    """256 + 1.5 is 256 then; the sum at once is 260, and no order of the steps gets there."""
    x = np.array([[256, 1.5, 1.5, 1.5]] * 4, NARROW["bf16"])
    x = x.T.copy() if axis == 0 else x
    found = _reduce(x, axis, "bf16", "addf", " rounding<zero>")
    assert set(found.astype(float)) <= {256.0, 258.0}


@pytest.mark.parametrize("axis", [0, 1])
def test_a_sum_beside_a_maximum(axis: int) -> None:
    """Only the sum is kept in f32; the difference of both is stored."""
    x = np.random.default_rng(2).random((256, 256)).astype(NARROW["bf16"])
    one, rest = "tile<bf16>", "tile<256xbf16>"
    text = f"""
      %sum, %most = reduce %a, %a dim={axis} identities=[0.0 : bf16, 0.0 : bf16]
        : tile<256x256xbf16>, tile<256x256xbf16> -> {rest}, {rest}
        (%l: {one}, %s: {one}, %m: {one}, %n: {one}) {{
          %ls = addf %l, %s rounding<nearest_even> : {one}
          %mn = maxf %m, %n : {one}
          yield %ls, %mn : {one}, {one}
        }}
      %r = subf %sum, %most rounding<nearest_even> : {rest}
    """
    found = _run(x, "bf16", text, (256,))
    total = x.astype(float).sum(axis).astype(x.dtype)
    np.testing.assert_array_equal(found, total - x.max(axis))


@pytest.mark.parametrize("element", NARROW)
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(("shape", "axis"), [((4, 512), 1), ((512, 32), 0), ((8, 4, 64), 1)])
def test_each_sum_of_a_scan_is_rounded_once(
    shape: tuple[int, ...], axis: int, reverse: bool, element: str
) -> None:
    x = np.random.default_rng(3).random(shape).astype(NARROW[element])
    tile, flag = _tile(shape, element), str(reverse).lower()
    text = f"%r = scan %a dim={axis} reverse={flag} identities=[0.0 : {element}] : {tile} -> {tile}"
    found = _run(x, element, text + _body("addf", element), shape)
    turned = np.flip(x, axis) if reverse else x
    wanted = turned.astype(float).cumsum(axis)
    assert _is_near(found, np.flip(wanted, axis) if reverse else wanted)
