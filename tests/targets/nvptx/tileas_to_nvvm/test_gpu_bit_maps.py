"""Code of bit maps: numbers of threads and elements become offsets by few instructions."""

from __future__ import annotations

from operator import add, and_, lshift, mul, rshift, xor
from random import Random
from typing import Any

import pytest

from tilewright.dialects.llvm.ops import arithmetic as llvm
from tilewright.ir.builtin_types import i32
from tilewright.layouts.bits import BitMatrix
from tilewright.targets.nvptx.tileas_to_nvvm.code import PatternCode

COMPUTED: dict[Any, Any] = {
    llvm.AddOp: add,
    llvm.AndOp: and_,
    llvm.LShrOp: rshift,
    llvm.MulOp: mul,
    llvm.ShlOp: lshift,
    llvm.XOrOp: xor,
}


class Number(int):
    """A value that is known."""

    type = i32


class Computing(PatternCode):
    """Computes what code would, and counts its instructions."""

    def __init__(self) -> None:
        self.instructions = 0

    def __call__(self, op: Any, left: Any, right: Any) -> Any:
        self.instructions += 1
        return Number(COMPUTED[op](left, right))

    def integer(self, value: int, type: Any = None) -> Any:
        return Number(value)


def image(matrix: BitMatrix, number: int) -> tuple[int, int]:
    """The image of a number, and the instructions that compute it."""
    code: Any = Computing()
    return int(code.mapped(matrix, Number(number))), code.instructions


@pytest.mark.parametrize("seed", range(40))
def test_any_map_is_computed(seed: int) -> None:
    chance = Random(seed)
    columns = [chance.choice([0, chance.randrange(256), 1 << chance.randrange(8)]) for _ in range(6)]
    for at in range(1, 6):  # some fields go on, also where their multiples would carry
        if chance.random() < 0.5:
            columns[at] = columns[at - 1] * 2 % 256
    matrix = BitMatrix(tuple(columns), 8)
    assert [image(matrix, number)[0] for number in range(64)] == [matrix(number) for number in range(64)]


@pytest.mark.parametrize(
    ("columns", "instructions"),
    [
        ((1, 2, 4, 8), 1),  # and
        ((4, 8, 16), 2),  # and, mul
        ((0, 0, 1, 2), 2),  # shr, and
        ((0, 0, 8, 16), 3),  # shr, and, mul
        ((5, 10), 2),
        ((3, 6), 6),  # (x & 1) * 3 ^ (x >> 1 & 1) * 6: the multiples of 3 would carry
        ((1, 2, 8, 16), 5),  # two fields
        ((2, 1), 5),
        ((1, 0, 2), 5),  # the bit between has no image
    ],
)
def test_bits_that_keep_their_distance_are_one_field(columns: tuple[int, ...], instructions: int) -> None:
    matrix = BitMatrix(columns, 8)
    for number in range(1 << len(columns)):
        assert image(matrix, number) == (matrix(number), instructions)
