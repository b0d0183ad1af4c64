"""Long chains of operations on tiles become code without a Python stack of their length."""

from __future__ import annotations

import numpy as np
import pytest

from tests.lowering.cuda_tile_to_tileaa.lowered import kernel
from tilewright.driver.compile import compile

pytest.importorskip("llvmlite")

LENGTH = 400
"""Operations; recursion took four calls of Python for each, of which there are a thousand."""


def chain() -> str:
    """A kernel that adds a tile or takes the exclusive or with it, in turns."""
    text = """
      %i = iota : tile<8xi32>
      %x1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
      %x2 = broadcast %x1 : tile<1xptr<i32>> -> tile<8xptr<i32>>
      %at = offset %x2, %i : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>
      %v0, %t = load_ptr_tko weak %at : tile<8xptr<i32>> -> tile<8xi32>, token
    """
    for number in range(LENGTH):
        op = "xori" if number % 2 else "addi"
        text += f"%v{number + 1} = {op} %v{number}, %i : tile<8xi32>\n"
    text += f"%d = store_ptr_tko weak %at, %v{LENGTH} token=%t : tile<8xptr<i32>>, tile<8xi32> -> token\n"
    return kernel(text, "%x: tile<ptr<i32>>")


def test_a_long_chain_of_tiles() -> None:
    given = np.arange(8, dtype=np.int32) * 1000
    wanted, steps = given.copy(), np.arange(8, dtype=np.int32)
    for number in range(LENGTH):
        wanted = wanted ^ steps if number % 2 else wanted + steps
    compile(chain(), target="cpu").launch((1, 1, 1), [given])
    assert given.tolist() == wanted.tolist()
