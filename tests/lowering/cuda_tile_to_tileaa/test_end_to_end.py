"""Kernels through the whole cascade: what the processor computes is what the interpreter computes from Tile IR."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest

from tests.lowering.cuda_tile_to_tileaa.exit_programs import program
from tests.lowering.cuda_tile_to_tileaa.lowered import CONTEXT, kernel, lowered
from tilewright.driver.compile import compile
from tilewright.interp.launch import interpret
from tilewright.interp.values import InterpretOptions
from tilewright.ir.text.parser import parse_module

pytest.importorskip("llvmlite")


@cache
def without_poison() -> list[int]:
    """Seeds of programs whose exits are all taken: poison, which stands for values of others, has no form on the CPU yet."""
    return [seed for seed in range(24) if "ub.poison" not in str(lowered(program(seed, 2 + seed % 2)))]


def both(
    text: str, arrays: Sequence[Any], *scalars: Any, grid: tuple[int, int, int] = (1, 1, 1)
) -> list[Any]:
    """The arrays after a launch on the processor, which are those after one in the interpreter."""
    wanted, found = ([array.copy() for array in arrays] for _ in range(2))
    options = InterpretOptions(max_steps=1_000_000)
    interpret(parse_module(CONTEXT, text), "k", grid, [*wanted, *scalars], options)
    compile(text, target="cpu").launch(grid, [*found, *scalars])
    for one, other in zip(wanted, found, strict=True):
        np.testing.assert_array_equal(one, other)
    return found


@pytest.mark.parametrize("number", range(10))
def test_branches_loops_and_exits(number: int) -> None:
    seed = without_poison()[number]
    both(program(seed, 2 + seed % 2), [np.array([7], np.int32)])


def test_a_counter_of_eight_bits_does_not_wrap_around() -> None:
    body = """
      %a = constant <i8: 100> : tile<i8>
      %b = constant <i8: 250> : tile<i8>
      %s = constant <i8: 50> : tile<i8>
      %zero = constant <i32: 0> : tile<i32>
      %r = for unsigned %i in (%a to %b, step %s) : tile<i8> iter_values(%n = %zero) -> (tile<i32>) {
        %w = exti %i unsigned : tile<i8> -> tile<i32>
        %m = addi %n, %w : tile<i32>
        continue %m : tile<i32>
      }
      %t = store_ptr_tko weak %p, %r : tile<ptr<i32>>, tile<i32> -> token
    """
    (found,) = both(kernel(body, "%p: tile<ptr<i32>>"), [np.zeros(1, np.int32)])
    assert found[0] == 100 + 150 + 200


def test_a_counter_that_steps_over_the_end_of_its_type() -> None:
    body = """
      %a = constant <i32: 2147483640> : tile<i32>
      %b = constant <i32: 2147483647> : tile<i32>
      %s = constant <i32: 5> : tile<i32>
      %one = constant <i32: 1> : tile<i32>
      %zero = constant <i32: 0> : tile<i32>
      %r = for %i in (%a to %b, step %s) : tile<i32> iter_values(%n = %zero) -> (tile<i32>) {
        %m = addi %n, %one : tile<i32>
        continue %m : tile<i32>
      }
      %t = store_ptr_tko weak %p, %r : tile<ptr<i32>>, tile<i32> -> token
    """
    (found,) = both(kernel(body, "%p: tile<ptr<i32>>"), [np.zeros(1, np.int32)])
    assert found[0] == 2


TENSOR = "tensor_view<?x24xf32, strides=[24,1]>"


def viewed(view: str, indices: str, types: str, tile: str) -> str:
    """A kernel that moves a tile from one tensor to another through a view, and negates it."""
    return kernel(
        f"""
      %n = assume bounded<0, ?>, %m : tile<i32>
      %ta = make_tensor_view %a, shape = [%n], strides = [] : tile<i32> -> {TENSOR}
      %tb = make_tensor_view %b, shape = [%n], strides = [] : tile<i32> -> {TENSOR}
      %va = make_{view.partition("<")[0]} %ta : {view}
      %vb = make_{view.partition("<")[0]} %tb : {view}
      %x, %y, %z = get_tile_block_id : tile<i32>
      {indices}
      %t, %k = load_view_tko weak %va[%i, %j] : {view}, {types} -> {tile}, token
      %u = negf %t : {tile}
      %l = store_view_tko weak %u, %vb[%i, %j] : {tile}, {view}, {types} -> token
    """.replace("strides = []", "strides = [24, 1]").replace("shape = [%n]", "shape = [%n, 24]"),
        "%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %m: tile<i32>",
    )


ARRAYS = [np.arange(10 * 24, dtype=np.float32), np.zeros(10 * 24, np.float32)]


@pytest.mark.parametrize(
    "view",
    [
        f"partition_view<tile=(4x16), padding_value = nan, {TENSOR}>",
        f"partition_view<tile=(16x4), padding_value = zero, {TENSOR}, dim_map=[1, 0]>",
        f"strided_view<tile=(4x16), traversal_strides=[5,16], {TENSOR}>",
    ],
)
def test_views_with_tiles_that_stick_out(view: str) -> None:
    tile = "tile<16x4xf32>" if "16x4" in view else "tile<4x16xf32>"
    text = viewed(view, "%i = addi %x, %z : tile<i32>\n%j = addi %y, %z : tile<i32>", "tile<i32>", tile)
    both(text, ARRAYS, 10, grid=(6, 6, 1))


@pytest.mark.parametrize("sparse", [0, 1])
def test_rows_picked_one_by_one(sparse: int) -> None:
    view = f"gather_scatter_view<tile=(4x4), padding_value = zero, {TENSOR}, sparse_dim={sparse}>"
    picked = "constant <i32: [7, 30, 2, 9]> : tile<4xi32>"
    indices = f"%i = {picked}\n%j = addi %x, %x : tile<i32>"
    types = "tile<4xi32>, tile<i32>"
    if sparse:
        indices, types = f"%j = {picked}\n%i = addi %x, %x : tile<i32>", "tile<i32>, tile<4xi32>"
    both(viewed(view, indices, types, "tile<4x4xf32>"), ARRAYS, 10)


def moved(body: str, source: str, result: str) -> str:
    """A kernel that reads 64 numbers of a type, does something to them, and writes as many of another."""
    before, after = source.split("x"), result.split("x")
    return kernel(
        f"""
      %ta = make_tensor_view %a, shape = [{before[0]}], strides = [1] : tensor_view<{source}, strides=[1]>
      %tb = make_tensor_view %b, shape = [{after[0]}], strides = [1] : tensor_view<{result}, strides=[1]>
      %va = make_partition_view %ta : partition_view<tile=({before[0]}), tensor_view<{source}, strides=[1]>>
      %vb = make_partition_view %tb : partition_view<tile=({after[0]}), tensor_view<{result}, strides=[1]>>
      %o = constant <i32: 0> : tile<i32>
      %t, %k = load_view_tko weak %va[%o] : partition_view<tile=({before[0]}), tensor_view<{source}, strides=[1]>>, tile<i32> -> tile<{source}>, token
      {body}
      %l = store_view_tko weak %r, %vb[%o] : tile<{result}>, partition_view<tile=({after[0]}), tensor_view<{result}, strides=[1]>>, tile<i32> -> token
    """,
        f"%a: tile<ptr<{before[1]}>>, %b: tile<ptr<{after[1]}>>",
    )


NUMBERS = np.random.default_rng(0).integers(-(2**31), 2**31, 64).astype(np.int32)


def test_bytes_of_elements() -> None:
    text = moved("%r = pack %t : tile<64xi32> -> tile<256xi8>", "64xi32", "256xi8")
    _, found = both(text, [NUMBERS, np.zeros(256, np.int8)])
    assert found.tobytes() == NUMBERS.tobytes()


def test_elements_of_bytes() -> None:
    text = moved("%r = unpack %t : tile<256xi8> -> tile<64xi32>", "256xi8", "64xi32")
    _, found = both(text, [NUMBERS.view(np.int8), np.zeros(64, np.int32)])
    assert found.tobytes() == NUMBERS.tobytes()


def test_a_slice_takes_the_place_of_another() -> None:
    body = """
      %w = reshape %t : tile<64xi32> -> tile<8x8xi32>
      %one = constant <i32: 1> : tile<i32>
      %s = extract %w[%o, %one] : tile<8x8xi32> -> tile<2x4xi32>
      %three = constant <i32: 3> : tile<i32>
      %i = insert %s, %w[%three, %o] : tile<2x4xi32>, tile<8x8xi32>
      %r = reshape %i : tile<8x8xi32> -> tile<64xi32>
    """
    _, found = both(moved(body, "64xi32", "64xi32"), [NUMBERS, np.zeros(64, np.int32)])
    wanted = NUMBERS.reshape(8, 8).copy()
    wanted[6:8, 0:4] = wanted[0:2, 4:8]
    np.testing.assert_array_equal(found.reshape(8, 8), wanted)


def test_bodies_get_what_was_combined_first() -> None:
    """The last of two elements is kept: the order of the arguments of a body matters."""
    body = """
      %w = reshape %t : tile<64xi32> -> tile<8x8xi32>
      %f = reduce %w dim=1 identities=[0 : i32] : tile<8x8xi32> -> tile<8xi32> (%e: tile<i32>, %c: tile<i32>) {
        yield %e : tile<i32>
      }
      %g = reshape %f : tile<8xi32> -> tile<8x1xi32>
      %h = broadcast %g : tile<8x1xi32> -> tile<8x8xi32>
      %r = reshape %h : tile<8x8xi32> -> tile<64xi32>
    """
    _, found = both(moved(body, "64xi32", "64xi32"), [NUMBERS, np.zeros(64, np.int32)])
    np.testing.assert_array_equal(found.reshape(8, 8)[:, 0], NUMBERS.reshape(8, 8)[:, -1])


def test_how_many_tiles_there_are() -> None:
    body = f"""
      %t = make_tensor_view %p, shape = [%n, 24], strides = [24, 1] : tile<i32> -> {TENSOR}
      %v = make_partition_view %t : partition_view<tile=(4x16), {TENSOR}>
      %a, %b = get_index_space_shape %v : partition_view<tile=(4x16), {TENSOR}> -> tile<i32>
      %c, %d = get_tensor_shape %t : {TENSOR} -> tile<i32>
      %e = muli %a, %b : tile<i32>
      %f = muli %c, %d : tile<i32>
      %g = addi %e, %f : tile<i32>
      %h = store_ptr_tko weak %o, %g : tile<ptr<i32>>, tile<i32> -> token
    """
    text = kernel(body, "%p: tile<ptr<f32>>, %o: tile<ptr<i32>>, %n: tile<i32>")
    _, found = both(text, [np.zeros(240, np.float32), np.zeros(1, np.int32)], 10)
    assert found[0] == 3 * 2 + 10 * 24
