"""Long chains of operations become code in proportion to their length, and without a Python stack of that length."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from tests.lowering.cuda_tile_to_tileaa.lowered import kernel
from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.driver.compile import compile
from tilewright.targets.llvm import split
from tilewright.targets.llvm.pieces import LlvmInstructionCounts

pytest.importorskip("llvmlite")

LENGTH = 600
"""Operations; recursion takes a few calls of Python for each, of which there are a thousand."""
TILE = "tile<8xi32>"
POINTERS = "tile<8xptr<i32>>"
HEAD = f"""
  %i = iota : {TILE}
  %one = constant <i32: 1> : {TILE}
  %none = constant <i32: -1> : {TILE}
  %x1 = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
  %x2 = broadcast %x1 : tile<1xptr<i32>> -> {POINTERS}
  %at = offset %x2, %i : {POINTERS}, {TILE} -> {POINTERS}
  %first, %t = load_ptr_tko weak %at : {POINTERS} -> {TILE}, token
  %v0 = addi %first, %i : {TILE}
"""


def text(lines: Iterator[str], value: str, place: str = "at") -> str:
    """A kernel that stores a tile after some lines."""
    store = f"%d = store_ptr_tko weak %{place}, %{value} token=%t : {POINTERS}, {TILE} -> token\n"
    return kernel(HEAD + "\n".join(lines) + "\n" + store, "%x: tile<ptr<i32>>")


def elementwise() -> str:
    ops = (f"%v{n + 1} = {'xori' if n % 2 else 'addi'} %v{n}, %i : {TILE}" for n in range(LENGTH))
    return text(ops, f"v{LENGTH}")


def doubled() -> str:
    """Each operation takes its operand twice: without a note of what was seen, each doubles the work."""
    return text((f"%v{n + 1} = addi %v{n}, %v{n} : {TILE}" for n in range(LENGTH)), f"v{LENGTH}")


def reshaped() -> str:
    """Extents of 1 come and go."""

    def ops() -> Iterator[str]:
        for n in range(LENGTH // 3):
            yield f"%r{n} = reshape %v{n} : {TILE} -> tile<1x8xi32>"
            yield f"%s{n} = addi %r{n}, %r{n} : tile<1x8xi32>"
            yield f"%v{n + 1} = reshape %s{n} : tile<1x8xi32> -> {TILE}"

    return text(ops(), f"v{LENGTH // 3}")


def transposed() -> str:
    def ops() -> Iterator[str]:
        yield f"%m0 = reshape %v0 : {TILE} -> tile<2x4xi32>"
        for n in range(LENGTH // 3):
            yield f"%r{n} = permute %m{n} [1, 0] : tile<2x4xi32> -> tile<4x2xi32>"
            yield f"%s{n} = subi %r{n}, %r{n} : tile<4x2xi32>"
            yield f"%q{n} = addi %r{n}, %s{n} : tile<4x2xi32>"
            yield f"%m{n + 1} = permute %q{n} [1, 0] : tile<4x2xi32> -> tile<2x4xi32>"
        yield f"%last = reshape %m{LENGTH // 3} : tile<2x4xi32> -> {TILE}"

    return text(ops(), "last")


def moved() -> str:
    """Pointers that go to and fro, and end one element further on."""

    def ops() -> Iterator[str]:
        yield f"%p0 = offset %at, %one : {POINTERS}, {TILE} -> {POINTERS}"
        for n in range(LENGTH):
            step = "none" if n % 2 else "one"
            yield f"%p{n + 1} = offset %p{n}, %{step} : {POINTERS}, {TILE} -> {POINTERS}"

    return text(ops(), "v0", f"p{LENGTH}")


def computed() -> str:
    """Offsets that are long sums with a number that only the run knows."""

    def ops() -> Iterator[str]:
        yield "%k, %l = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token"
        yield "%k1 = reshape %k : tile<i32> -> tile<1xi32>"
        yield f"%k2 = broadcast %k1 : tile<1xi32> -> {TILE}"
        yield f"%o0 = addi %i, %one : {TILE}"
        for n in range(LENGTH):
            yield f"%o{n + 1} = {'subi' if n % 2 else 'addi'} %o{n}, %k2 : {TILE}"
        yield f"%there = offset %x2, %o{LENGTH} : {POINTERS}, {TILE} -> {POINTERS}"

    return text(ops(), "v0", "there")


SHAPES = [elementwise, doubled, reshaped, transposed, moved, computed]


def result(source: str, target: str) -> list[int]:
    given = np.arange(3, 19, dtype=np.int32)
    compile(source, target=target).launch((1, 1, 1), [given])
    return given.tolist()


@pytest.mark.parametrize("make", SHAPES)
def test_long_chains_of_tiles(make: Callable[[], str]) -> None:
    source = make()
    assert result(source, "cpu") == result(source, "interp")


def scalars(length: int) -> str:
    """A kernel of straight code: each number is computed from the last two."""
    lines = [
        "%v0, %t = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token",
        "%v1 = addi %v0, %v0 : tile<i32>",
    ]
    for n in range(length):
        lines.append(f"%v{n + 2} = {('addi', 'xori', 'muli')[n % 3]} %v{n + 1}, %v{n} : tile<i32>")
    lines.append(f"%d = store_ptr_tko weak %x, %v{length + 1} token=%t : tile<ptr<i32>>, tile<i32> -> token")
    return kernel("\n".join(lines), "%x: tile<ptr<i32>>")


def pieces(source: str) -> list[int]:
    """How long the functions are that LLVM gets."""
    module = compile(source, target="cpu").module("llvm")
    functions = [op for op in module.regions[0].block if isinstance(op, LLVMFuncOp)]
    return list(map(LlvmInstructionCounts(functions).of_function, functions))


def test_llvm_gets_no_long_function(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces_of = split.split_long_functions
    monkeypatch.setattr(split, "split_long_functions", lambda module, _: pieces_of(module, 200))
    for length in (400, 800, 1600):
        found = pieces(scalars(length))
        assert max(found) <= 220  # with what goes through the frame
        assert length // 200 < len(found) <= length // 200 + 4
    source = scalars(400)
    assert result(source, "cpu") == result(source, "interp")


def test_kernels_of_usual_length_are_one_function() -> None:
    assert len(pieces(scalars(400))) == 1
