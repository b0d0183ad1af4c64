"""Tiles that lie outside of their array altogether: `memcheck` tells them, unless a load pads on purpose."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("cuda.tile")

import cuda.tile as ct

import tilewright
from tests.interp.kernels import Kernel, pointer
from tilewright import cutile
from tilewright.dialects.cuda_tile.types import tile
from tilewright.ir.builtin_types import f32
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError

TARGETS = ("cpu", "interp", "sim:sm_80")


@ct.kernel
def shifted(x, out, by: int):
    ct.store(out, (ct.bid(0) + by,), ct.load(x, (ct.bid(0),), shape=(16,)))


@ct.kernel
def loaded(x, out, at: int):
    ct.store(out, (0,), ct.load(x, (at,), shape=(16,)))


@ct.kernel
def padded(x, out, at: int):
    ct.store(out, (0,), ct.load(x, (at,), shape=(16,), padding_mode=ct.PaddingMode.ZERO))


@ct.kernel
def wide(out, column: int):
    ct.store(out, (0, column), ct.full((2, 8), 1.0, ct.float32))


def found(
    kernel: Any, arguments: tuple[Any, ...], target: str, check: str, grid: int = 1
) -> list[Diagnostic]:
    try:
        cutile.launch((grid,), kernel, arguments, target=target, check=check)
    except DiagnosticError as error:
        return error.diagnostics
    return []


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("check", "code"), [("memcheck", "TW0402"), ("promises", "TW0408")])
def test_a_store_to_a_tile_that_is_not_there(target: str, check: str, code: str) -> None:
    x, out = np.ones(60, np.float32), np.zeros(60, np.float32)
    (one,) = found(shifted, (x, out, 1), target, check, grid=4)
    words = "tile index 4 of dimension 0 lies outside out, which has 4 tiles of 16 elements"
    assert str(one.code) == code
    assert one.message == f"kernel 'shifted' in tile block (3, 0, 0): {words}"
    assert one.location.source is not None
    assert (one.location.source[0], one.hints != []) == (__file__, True)
    (one,) = found(shifted, (x, out, -1), target, check, grid=4)
    assert words.replace("index 4", "index -1") in one.message
    assert not found(shifted, (x, out, 0), target, check, grid=4), "the last tile sticks out, which is legal"


@pytest.mark.parametrize("target", TARGETS)
def test_loads_are_told_unless_they_pad_on_purpose(target: str) -> None:
    x, out = np.ones(60, np.float32), np.ones(16, np.float32)
    (one,) = found(loaded, (x, out, 4), target, "memcheck")
    words = "tile index 4 of dimension 0 lies outside x, which has 4 tiles of 16 elements"
    assert words in one.message
    assert not found(padded, (x, out, 4), target, "memcheck")
    assert out.tolist() == [0] * 16
    assert [str(one.code) for one in found(padded, (x, out, 4), target, "promises")] == ["TW0408"]


@pytest.mark.filterwarnings("ignore::tilewright.targets.nvptx.simulation_reports.CostWarning")
@pytest.mark.parametrize("target", TARGETS)
def test_each_dimension_has_its_limit(target: str) -> None:
    out = np.zeros((4, 20), np.float32)
    (one,) = found(wide, (out, 3), target, "memcheck")
    words = "tile index 3 of dimension 1 lies outside out, which has 3 tiles of 8 elements"
    assert words in one.message
    assert not found(wide, (out, 2), target, "memcheck")
    (one,) = found(wide, (out[:, 4:], 2), target, "memcheck")
    assert "lies outside out, which has 2 tiles" in one.message


@pytest.mark.parametrize("target", TARGETS)
def test_modules_without_a_frontend(target: str) -> None:
    kernel = Kernel(pointer(f32))
    view = kernel.partition(kernel.arguments[0], (30,), (8,))
    kernel.store_view(view, kernel.constant(1.0, tile(8, f32)), kernel.i32(4))
    module = kernel.module()
    with pytest.raises(DiagnosticError) as caught:
        tilewright.launch(str(module), "k", 1, [np.zeros(30, np.float32)], target=target, check="memcheck")
    words = "tile index 4 of dimension 0 lies outside argument 0, which has 4 tiles of 8 elements"
    assert words in caught.value.diagnostics[0].message


def test_a_read_only_array_is_refused_in_one_exception() -> None:
    out = np.zeros(64, np.float32)
    out.flags.writeable = False
    with pytest.raises(cutile.LaunchError, match="argument 'out'") as caught:
        cutile.launch((1,), shifted, (np.ones(64, np.float32), out, 0))
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__
