"""Slots of values in the frames of split functions: sizes, places, and slots that are used again."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tilewright.driver.startup import context
from tilewright.ir.block import Block
from tilewright.ir.builtin_types import VectorType, f16, f64, i1, i8, i32, i64
from tilewright.ir.text.parser import parse_module
from tilewright.targets.llvm.frame import LiveRange, StackFrame, aligned, layout, slot_bytes
from tilewright.targets.llvm.pieces import LlvmInstructionCounts, cut_blocks

SIZES = {
    "i1": 1,
    "i8": 1,
    "i9": 2,
    "i24": 4,
    "i64": 8,
    "i65": 16,
    "f16": 2,
    "f64": 8,
    "!llvm.ptr": 8,
    "!llvm.ptr<3>": 8,
    "vector<4xf32>": 16,
    "vector<3xi32>": 16,
    "vector<8xi1>": 8,
    "vector<5xi24>": 32,
    "vector<[4]xf32>": None,
    "!llvm.array<4 x i32>": 16,
    "!llvm.array<3 x i16>": 8,
    "!llvm.array<0 x i64>": 1,
    "!llvm.array<2 x array<3 x i8>>": 8,
    "!llvm.struct<(i8, i64)>": 16,
    "!llvm.struct<(i8, i8, i16)>": 8,
    "!llvm.struct<()>": 1,
    "!llvm.struct<(i8, vector<[2]xf32>)>": None,
    '!llvm.struct<"unknown", opaque>': None,
    "!llvm.array<2 x vector<[4]xf32>>": None,
}


@pytest.mark.parametrize("type", SIZES)
def test_sizes(type: str) -> None:
    module = parse_module(context(), f'%0 = "llvm.mlir.undef"() : () -> {type}', implicit_module=True)
    (op,) = module.regions[0].block.ops
    assert slot_bytes(op.results[0].type) == SIZES[type]


def test_places() -> None:
    """A slot is aligned by its size, at most by a cache line."""
    assert layout([i8, i64, f16, VectorType((4,), f64), i1]) == ([0, 8, 16, 32, 64], 65)
    assert [aligned(offset, size) for offset, size in ((0, 4), (1, 4), (4, 4), (5, 256), (64, 256))] == [
        0,
        4,
        4,
        64,
        64,
    ]
    assert layout([]) == ([], 0)


def test_slots_are_used_again() -> None:
    """Behind the last part that uses a value, another one of its size has its slot; values of many blocks keep theirs."""
    values = Block([i64, i64, i64, i32, i64]).arguments
    lives = [
        LiveRange(values[0], 0, 1, 5),
        LiveRange(values[1], 1, 3, 5),
        LiveRange(values[2], 2, 3, 5),
        LiveRange(values[3], 2, 3, 5),
        LiveRange(values[4], 0, 3, None),
    ]
    frame = StackFrame.of(lives, [[i8], [i64, i64], [i32]])
    assert [frame.slots[value] for value in values] == [16, 24, 16, 32, 40]
    assert frame.bytes == 48
    assert StackFrame.of([], [[i8], [i64, i8]]).bytes == 9
    assert StackFrame.of([], []).bytes == 0


INLINED = """
llvm.func @long(%x: i64) -> i64 attributes {always_inline} {
  SUMS
  llvm.return %s19 : i64
}
llvm.func @f(%x: i64) -> i64 {
  HEAD
  %r = llvm.call @long(%h5) : (i64) -> i64
  llvm.return %r : i64
}
"""


@pytest.mark.parametrize(
    ("maximum", "lengths"),
    [(100, [28]), (28, [28]), (27, [0, 27, 1]), (12, [0, 6, 21, 1]), (6, [0, 5, 22, 1])],
)
def test_blocks_that_end_with_a_long_call(maximum: int, lengths: list[int]) -> None:
    """A call of an inlined function counts as long as that, and is not cut."""

    def chain(letter: str, count: int, start: str) -> str:
        names = [start, *(f"%{letter}{at}" for at in range(count))]
        return "\n".join(f"{new} = llvm.add {old}, %x : i64" for old, new in pairwise(names))

    text = INLINED.replace("SUMS", chain("s", 20, "%x")).replace("HEAD", chain("h", 6, "%x"))
    module = parse_module(context(), text, implicit_module=True)
    functions = list(module.regions[0].block.ops)
    known = LlvmInstructionCounts(functions)
    function = functions[1]
    assert known.of_block(function.body.blocks[0]) == 28
    origins = cut_blocks(function, maximum, known)
    blocks = list(function.body.blocks)
    assert set(origins.values()) == {blocks[0]}
    assert [known.of_block(block) - (block is not blocks[-1]) for block in blocks] == lengths
