"""No check accuses a right kernel because of a stride that is never used."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tilewright
from tests.checks_corpus.cases import TARGETS
from tilewright import cutile

pytest.importorskip("cuda.tile")

from tests.checks_corpus import shapes

CASES = [
    *((shapes.rows, shape) for shape in ((1, 1), (3, 1), (1, 3))),
    *((shapes.gathered, shape) for shape in ((1, 1), (3, 1), (1, 3))),
    *((shapes.line, (extent,)) for extent in (1, 2)),
]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("kernel", "shape"), CASES, ids=[f"{k._annotated_function.pyfunc.__name__}-{s}" for k, s in CASES]
)
def test_no_alarm(kernel: Any, shape: tuple[int, ...], target: str) -> None:
    x, out = np.ones(shape, np.float32), np.zeros(shape, np.float32)
    cutile.launch(shape[0] if kernel is shapes.rows else 1, kernel, (x, out), check="all", target=target)
    assert (out == 2).all()


STRIDES = """
cuda_tile.module @m {
  entry @k(%x: tile<ptr<i32>>, %rows: tile<i32>, %stride: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %promised = assume div_by<4>, %stride : tile<i32>
    %view = make_tensor_view %x, shape = [%rows, 4], strides = [%promised, 1] : tile<i32> -> tensor_view<?x4xi32, strides=[?,1]>
    %tiles = make_partition_view %view : partition_view<tile=(1x4), tensor_view<?x4xi32, strides=[?,1]>>
    %tile, %token = load_view_tko weak %tiles[%zero, %zero] : partition_view<tile=(1x4), tensor_view<?x4xi32, strides=[?,1]>>, tile<i32> -> tile<1x4xi32>, token
    print_tko "%i", %tile : tile<1x4xi32> -> token
    return
  }
}
"""


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("rows", "stride", "kept"), [(1, 5, True), (2, 5, False), (2, 8, True), (1, 0, True)]
)
def test_a_stride_matters_from_two_elements_on(rows: int, stride: int, kept: bool, target: str) -> None:
    arguments = [np.zeros(16, np.int32), rows, stride]
    if kept:
        tilewright.launch(STRIDES, "k", 1, arguments, check="promises", target=target)
        return
    with pytest.raises(tilewright.DiagnosticError) as caught:
        tilewright.launch(STRIDES, "k", 1, arguments, check="promises", target=target)
    (found,) = caught.value.diagnostics
    assert str(found.code) == "TW0408"
    assert found.location.source == ("<string>", 5, 17)


BOTH = """
cuda_tile.module @m {
  entry @k(%x: tile<ptr<i32>>, %n: tile<i32>) {
    %promised = assume div_by<4>, %n : tile<i32>
    %far = offset %x, %promised : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %token = store_ptr_tko weak %far, %promised : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
"""


def test_the_interpreter_goes_on_behind_a_broken_promise() -> None:
    with pytest.raises(tilewright.DiagnosticError) as caught:
        tilewright.launch(BOTH, "k", 1, [np.zeros(4, np.int32), 1 << 27 | 1], check="all", target="interp")
    assert [str(found.code) for found in caught.value.diagnostics] == ["TW0408", "TW0402"]
