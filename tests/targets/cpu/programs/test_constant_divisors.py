"""Divisions by constants: no processor traps, and every quotient and remainder is the interpreter's."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import tilewright
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import kernel, load, store, view

COUNT = 128
WIDTHS = (8, 16, 32, 64)
DIVISORS = ("least", "-3", "-1", "0", "1", "2", "7", "most")
OPERATIONS = tuple(f"{name} {{}} {sign}" for sign in ("signed", "unsigned") for name in ("divi", "remi"))
ROWS = len(DIVISORS) * len(OPERATIONS)


def program(width: int) -> str:
    """A kernel that divides numbers by every divisor in every way; each result is a row."""
    type = f"i{width}"
    tile = f"tile<{COUNT}x{type}>"
    (x, read), (y, written) = (
        view(*row, (COUNT,), type) for row in (("x", (COUNT,)), ("y", (ROWS * COUNT,)))
    )
    body = x + y + load("a", "x", read, "%zero", tile)
    for at, divisor in enumerate(DIVISORS):
        number = {"least": -(1 << width - 1), "most": (1 << width - 1) - 1}.get(divisor, divisor)
        body += f"%c{at} = constant <{type}: {number}> : {tile}\n"
        for row, operation in enumerate(OPERATIONS, at * len(OPERATIONS)):
            body += f"%r{row} = {operation.format(f'%a, %c{at}')} : {tile}\n"
            body += f"%at{row} = constant <i32: {row}> : tile<i32>\n"
            body += store(f"r{row}", "y", written, f"%at{row}", tile)
    return kernel(f"%x: tile<ptr<{type}>>, %y: tile<ptr<{type}>>", body)


@cache
def results(width: int, target: str) -> Any:
    """The results on a target, by divisor and operation."""
    info = np.iinfo(f"i{width // 8}")
    edges = np.array([info.min, info.min + 1, info.max, -3, -2, -1, 0, 1, 2, 3, 7], info.dtype)
    numbers = np.random.default_rng(width).integers(info.min, info.max, COUNT, info.dtype, endpoint=True)
    numbers[: len(edges)] = edges
    found = np.zeros((len(DIVISORS), len(OPERATIONS), COUNT), info.dtype)
    tilewright.launch(program(width), "k", (1,), [numbers, found], target=target)
    return found


@pytest.mark.parametrize("divisor", DIVISORS)
@pytest.mark.parametrize("width", WIDTHS)
def test_quotients_and_remainders(width: int, divisor: str) -> None:
    wanted, found = (results(width, target)[DIVISORS.index(divisor)] for target in ("interp", "cpu"))
    for operation, one, other in zip(OPERATIONS, wanted, found, strict=True):
        assert one.tolist() == other.tolist(), operation
