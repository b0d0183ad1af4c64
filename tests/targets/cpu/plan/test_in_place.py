"""Writes that tokens put after a load of the same memory wait until all of it is read; edges of repeated columns."""

from __future__ import annotations

import numpy as np
import pytest

from tests.lowering.cuda_tile_to_tileaa.lowered import kernel
from tests.lowering.cuda_tile_to_tileaa.test_end_to_end import both


def _view(name: str, pointer: str, shape: tuple[int, ...]) -> tuple[str, str]:
    """A view ``name`` of one tile of ``shape``, the operations that make it, and its type."""
    strides = [int(np.prod(shape[at + 1 :])) for at in range(len(shape))]
    extents = "x".join(map(str, shape))
    whole = f"tensor_view<{extents}xi32, strides={strides}>".replace(" ", "")
    view = f"partition_view<tile=({extents}), {whole}>"
    text = f"""
      %{name}_all = make_tensor_view %{pointer}, shape = {list(shape)}, strides = {strides} : {whole}
      %{name} = make_partition_view %{name}_all : {view}
      %zero = constant <i32: 0> : tile<i32>
    """
    return text, view


@pytest.mark.parametrize("extent", [64, 1024])
def test_reversed_in_place(extent: int) -> None:
    made, view = _view("w", "p", (extent,))
    tile, pointers = f"tile<{extent}xi32>", f"tile<{extent}xptr<i32>>"
    body = f"""{made}
      %i = iota : {tile}
      %last = constant <i32: {extent - 1}> : {tile}
      %back = subi %last, %i : {tile}
      %q = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
      %first = broadcast %q : tile<1xptr<i32>> -> {pointers}
      %at = offset %first, %back : {pointers}, {tile} -> {pointers}
      %x, %read = load_ptr_tko weak %at : {pointers} -> {tile}, token
      %done = store_view_tko weak %x, %w[%zero] token = %read : {tile}, {view}, tile<i32> -> token
    """
    (found,) = both(kernel(body, "%p: tile<ptr<i32>>"), [np.arange(extent, dtype=np.int32)])
    np.testing.assert_array_equal(found, np.arange(extent)[::-1])


def test_dimensions_exchanged_in_place() -> None:
    """Load and store are at the same place of the view, but an element is not written where it was read."""
    shape = (4, 4, 64)
    made, view = _view("w", "p", shape)
    tile, at = "tile<4x4x64xi32>", "[%zero, %zero, %zero]"
    body = f"""{made}
      %x, %read = load_view_tko weak %w{at} : {view}, tile<i32> -> {tile}, token
      %y = permute %x [1, 0, 2] : {tile} -> {tile}
      %one = constant <i32: 1> : {tile}
      %z = addi %y, %one : {tile}
      %done = store_view_tko weak %z, %w{at} token = %read : {tile}, {view}, tile<i32> -> token
    """
    before = np.arange(1024, dtype=np.int32).reshape(shape)
    (found,) = both(kernel(body, "%p: tile<ptr<i32>>"), [before])
    np.testing.assert_array_equal(found, before.transpose(1, 0, 2) + 1)


def test_a_repeated_column_that_reaches_over_the_edge() -> None:
    """All lanes are at one place in memory, and only some of them exist."""
    made, view = _view("u", "q", (4, 16))
    whole = "tensor_view<4x?xi32, strides=[1,?]>"
    edge = f"partition_view<tile=(4x16), padding_value = zero, {whole}>"
    body = f"""{made}
      %v = make_tensor_view %p, shape = [4, %n], strides = [1, %zero] : tile<i32> -> {whole}
      %w = make_partition_view %v : {edge}
      %x, %read = load_view_tko weak %w[%zero, %zero] : {edge}, tile<i32> -> tile<4x16xi32>, token
      %done = store_view_tko weak %x, %u[%zero, %zero] : tile<4x16xi32>, {view}, tile<i32> -> token
    """
    text = kernel(body, "%p: tile<ptr<i32>>, %q: tile<ptr<i32>>, %n: tile<i32>")
    arrays = [np.arange(1, 5, dtype=np.int32), np.zeros((4, 16), np.int32)]
    for extent in (16, 11, 1):
        found = both(text, arrays, extent)[1]
        wanted = np.repeat(arrays[0][:, None], extent, axis=1)
        np.testing.assert_array_equal(found, np.pad(wanted, ((0, 0), (0, 16 - extent))))
