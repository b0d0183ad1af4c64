"""Single elements of tiles, which no kernel of `cuda_tile` takes out: from a register, another lane, or shared memory."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import tilewright
from tests.targets.cpu.kernel.test_tileas_forms import UPDATED
from tests.targets.cpu.kernel.whole_kernels import ELEMENTS, Kernel
from tilewright.dialects.nv_tileaa.ops.structure import ExtractOp
from tilewright.ir.diagnostic import DiagnosticError

SPEC = 'module attributes {nv_tileaa.target_spec = "sm_80"} {'


def taken(shape: tuple[int, ...]) -> str:
    """A kernel that takes the element at a number, the same in each dimension, out of a tile."""
    made = Kernel(np.zeros(shape, np.float32), np.zeros(1, np.float32), np.zeros(1, np.int32))
    tile, place = made.load(0), made.read(made.arguments[2])
    one = made.add(ExtractOp(tile, (place,) * len(shape), result_types=[ELEMENTS[np.dtype(np.float32)]]))
    made.write(made.arguments[1], one)
    return str(made.module()).replace("module {", SPEC, 1)


WAYS = {
    (1,): "",
    (16,): "shfl",
    (32,): "shfl",
    (64,): "shared",
    (256,): "shared",
    (8, 16): "shared",
    (2, 2, 8): "shfl",
}
"""How an element comes to all threads, by the shape of its tile: one warp may hold the whole."""


@pytest.mark.parametrize("shape", WAYS, ids=str)
def test_elements_that_are_taken_out(shape: tuple[int, ...]) -> None:
    made = tilewright.compile(taken(shape), target="sim:sm_80")
    ptx = str(made.asm["ptx"])
    assert [word for word in ("shfl", "shared") if word in ptx] == ([WAYS[shape]] if WAYS[shape] else [])
    x, y = 3 * np.arange(np.prod(shape), dtype=np.float32).reshape(shape), np.zeros(1, np.float32)
    for place in range(min(shape)):
        made.launch((1, 1, 1), [x, y, np.array([place], np.int32)])
        assert y.tolist() == [x[(place,) * x.ndim]]


def test_memory_objects_of_single_elements_are_refused() -> None:
    made = tilewright.compile(UPDATED.replace('"host"', '"sm_80"'), target="sm_80")
    with pytest.raises(
        DiagnosticError, match=r"<string>:6:10: error\[TW0922\]: .* has no form on sm_80"
    ) as caught:
        str(made.asm["ptx"])
    assert "cpu" in caught.value.diagnostics[0].hints[0]
