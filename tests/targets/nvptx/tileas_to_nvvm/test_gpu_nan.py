"""The NaN that GPUs store is the NaN of their instructions; where a kernel reads its bits, they are the interpreter's."""

from __future__ import annotations

import numpy as np
import pytest

from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import compiled, kernel, load, ptx_of, store, view

TILE, BITS = "tile<128xf32>", "tile<128xi32>"
OWN, CANONICAL = 0x7FFFFFFF, 0x7FC00000
OPERATIONS = {
    "a sum": "%s = subf %a, %a rounding<nearest_even> : {0}\n%r = addf %s, %s rounding<nearest_even> : {0}\n",
    "a product": "%z = subf %a, %a rounding<nearest_even> : {0}\n%r = mulf %a, %z rounding<nearest_even> : {0}\n",
    "a wider number": "%h = ftof %a rounding<nearest_even> : {0} -> tile<128xf16>\n"
    "%d = subf %h, %h rounding<nearest_even> : tile<128xf16>\n%r = ftof %d rounding<nearest_even> : tile<128xf16> -> {0}\n",
}
"""Computations that give NaN for an infinity."""


def program(computed: str, *, reads_bits: bool) -> str:
    (x, cut), (y, made) = (
        view("x", (128,), (128,), "f32"),
        view("y", (128,), (128,), "i32" if reads_bits else "f32"),
    )
    body = x + y + load("a", "x", cut, "%zero", TILE) + computed.format(TILE)
    if reads_bits:
        body += f"%b = bitcast %r : {TILE} -> {BITS}\n" + store("b", "y", made, "%zero", BITS)
    else:
        body += store("r", "y", made, "%zero", TILE)
    return kernel(f"%x: tile<ptr<f32>>, %y: tile<ptr<{'i32' if reads_bits else 'f32'}>>", body)


@pytest.mark.parametrize("reads_bits", [False, True])
@pytest.mark.parametrize("name", OPERATIONS)
def test_bits_of_a_computed_nan(name: str, reads_bits: bool) -> None:
    text = program(OPERATIONS[name], reads_bits=reads_bits)
    given, found = np.full(128, np.inf, np.float32), np.zeros(128, np.uint32)
    compiled(text, "sim:sm_80").launch(
        (1,), [given, found.view(np.int32 if reads_bits else np.float32)], entry="k"
    )
    assert set(found.tolist()) == {CANONICAL if reads_bits else OWN}
    assert ("setp.nan.f32" in ptx_of(text)) == reads_bits
