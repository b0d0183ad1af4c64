"""Divisions by constants: no processor traps, and every quotient and remainder is the interpreter's."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import kernel, load, store, view

COUNT = 128
WIDTHS = (8, 16, 32, 64)
DIVISORS = ("least", "-3", "-1", "0", "1", "2", "7", "most")


def program(operation: str, width: int, divisor: str) -> str:
    type = f"i{width}"
    tile = f"tile<{COUNT}x{type}>"
    number = {"least": -(1 << width - 1), "most": (1 << width - 1) - 1}.get(divisor, divisor)
    (x, read), (y, written) = (view(name, (COUNT,), (COUNT,), type) for name in "xy")
    body = x + y + load("a", "x", read, "%zero", tile)
    body += f"%c = constant <{type}: {number}> : {tile}\n%r = {operation.format('%a, %c')} : {tile}\n"
    body += store("r", "y", written, "%zero", tile)
    return kernel(f"%x: tile<ptr<{type}>>, %y: tile<ptr<{type}>>", body)


@pytest.mark.parametrize("divisor", DIVISORS)
@pytest.mark.parametrize("width", WIDTHS)
def test_quotients_and_remainders(width: int, divisor: str) -> None:
    info = np.iinfo(f"i{width // 8}")
    edges = np.array([info.min, info.min + 1, info.max, -3, -2, -1, 0, 1, 2, 3, 7], info.dtype)
    numbers = np.random.default_rng(width).integers(info.min, info.max, COUNT, info.dtype, endpoint=True)
    numbers[: len(edges)] = edges
    for sign in ("signed", "unsigned"):
        for operation in (f"divi {{}} {sign}", f"remi {{}} {sign}"):
            text = program(operation, width, divisor)
            results = [np.zeros(COUNT, info.dtype) for _ in range(2)]
            for target, result in zip(("interp", "cpu"), results, strict=True):
                tilewright.launch(text, "k", (1,), [numbers.copy(), result], target=target)
            assert results[0].tolist() == results[1].tolist(), operation
