"""The loop over tile blocks is a natural loop: LLVM moves constants out of such loops only."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import tilewright
from tilewright.dialects.llvm.ops.conversion import PtrToIntOp
from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.driver.stages import CompileOptions
from tilewright.ir.block import Block
from tilewright.ir.dominance import Dominance
from tilewright.ir.operation import Operation
from tilewright.runtime.context import BACK, COUNTER, FROM_BACK, FROM_FRONT, FRONT
from tilewright.runtime.kernel import PreparedLaunch

KERNEL = """
cuda_tile.module @m {{
  entry @k(%x: tile<ptr<f32>>) {{
    %one = reshape %x : tile<ptr<f32>> -> tile<1xptr<f32>>
    %many = broadcast %one : tile<1xptr<f32>> -> tile<64xptr<f32>>
    %numbers = iota : tile<64xi32>
    %places = offset %many, %numbers : tile<64xptr<f32>>, tile<64xi32> -> tile<64xptr<f32>>
    %tile, %t = load_ptr_tko weak %places : tile<64xptr<f32>> -> tile<64xf32>, token
{body}
    %made = exp %tile : tile<64xf32>
    %u = store_ptr_tko weak %places, %made : tile<64xptr<f32>>, tile<64xf32> -> token
    return
  }}
}}
"""
ASSERTION = """
    %zero = constant <i32: 0> : tile<64xi32>
    %holds = cmpi greater_than_or_equal %numbers, %zero, signed : tile<64xi32> -> tile<64xi1>
    assert %holds, "negative" : tile<64xi1>
"""
EARLY = """
    %a, %b, %c = get_tile_block_id : tile<i32>
    %limit = constant <i32: 3> : tile<i32>
    %late = cmpi greater_than %a, %limit, signed : tile<i32> -> tile<i1>
    if %late {
      return
    }
"""
BODIES = {"plain": "", "assert": ASSERTION, "early return": EARLY}


VIEWS = """
cuda_tile.module @m {
  entry @k(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %i, %j, %k = get_tile_block_id : tile<i32>
    %a = make_tensor_view %x, shape = [4096], strides = [1] : tensor_view<4096xf32, strides=[1]>
    %b = make_tensor_view %y, shape = [4096], strides = [1] : tensor_view<4096xf32, strides=[1]>
    %p = make_partition_view %a : partition_view<tile=(64), tensor_view<4096xf32, strides=[1]>>
    %q = make_partition_view %b : partition_view<tile=(64), tensor_view<4096xf32, strides=[1]>>
    %l, %t = load_view_tko weak %p[%i]
        : partition_view<tile=(64), tensor_view<4096xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %r = addf %l, %l rounding<nearest_even> : tile<64xf32>
    %u = store_view_tko weak %r, %q[%i]
        : tile<64xf32>, partition_view<tile=(64), tensor_view<4096xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
"""


def function(body: str, check: str = "") -> LLVMFuncOp:
    """A kernel as LLVM sees it."""
    return compiled(KERNEL.format(body=body), check)


def compiled(text: str, check: str = "") -> LLVMFuncOp:
    """The kernel of a module as LLVM sees it."""
    module = tilewright.compile(text, options=CompileOptions(checks=check)).module("llvm")
    return next(op for op in module.walk() if isinstance(op, LLVMFuncOp) and "kernel" in op.sym_name)


def retreating_edges(op: Operation) -> Iterator[tuple[Block, Block]]:
    """Edges to blocks from which a walk in depth has not come back yet."""
    entry = op.regions[0].blocks[0]
    open_blocks, seen = {entry}, {entry}
    stack = [(entry, iter(successors(entry)))]
    while stack:
        block, rest = stack[-1]
        target = next(rest, None)
        if target is None:
            open_blocks.discard(block)
            stack.pop()
        elif target in open_blocks:
            yield block, target
        elif target not in seen:
            seen.add(target)
            open_blocks.add(target)
            stack.append((target, iter(successors(target))))


def successors(block: Block) -> tuple[Block, ...]:
    """Where control may go at the end of a block."""
    last = block.last
    return tuple(last.successors) if last is not None else ()


@pytest.mark.parametrize("check", ["", "memcheck", "racecheck"])
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_every_loop_is_entered_at_its_header_only(body: str, check: str) -> None:
    found = function(body, check)
    dominance = Dominance()
    edges = list(retreating_edges(found))
    assert edges
    assert all(dominance.block_dominates(header, latch) for latch, header in edges)


def entering_block(found: LLVMFuncOp) -> Block:
    """The only block from which the loop over tile blocks is entered."""
    dominance = Dominance()
    header = next(header for _, header in retreating_edges(found) if len(header.arguments) == 2)
    blocks = [block for block in found.regions[0].blocks if header in successors(block)]
    (entering,) = (block for block in blocks if not dominance.block_dominates(header, block))
    return entering


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_the_loop_over_tile_blocks_is_entered_by_one_jump(body: str) -> None:
    assert len(successors(entering_block(function(body)))) == 1


def test_arrays_are_told_apart_in_front_of_the_loop() -> None:
    """The addresses of their ends do not change from tile block to tile block."""
    ends = [op for op in entering_block(compiled(VIEWS)) if isinstance(op, PtrToIntOp)]
    assert len(ends) == 2


def doubling(threads: int = 1) -> tuple[PreparedLaunch, np.ndarray]:
    """A launch of 64 tile blocks, each of which doubles as many numbers, and where it does."""
    x, y = np.ones(4096, np.float32), np.zeros(4096, np.float32)
    return tilewright.compile(VIEWS).prepare((64, 1, 1), [x, y], threads=threads), y


@pytest.mark.parametrize(
    ("end", "first", "second"),
    [
        (0, [60, 61, 62, 63], [60, 61, 62, 63]),
        (FRONT, [0, 1, 2, 3], [4, 5, 6, 7]),
        (BACK, [60, 61, 62, 63], [56, 57, 58, 59]),
    ],
)
def test_a_call_takes_tile_blocks_from_its_end(end: int, first: list[int], second: list[int]) -> None:
    """There are four left in each call."""
    launch, out = doubling()
    kernel, frame = launch._kernel, launch.frame  # pyright: ignore[reportPrivateUsage]
    for expected in first, second:
        out[:] = 0
        frame.words[COUNTER // 8] = 60
        kernel.call(frame, 64 + end)
        assert np.flatnonzero(out.reshape(64, 64).all(1)).tolist() == expected
        assert np.count_nonzero(out) == 4 * 64


def test_threads_take_tile_blocks_from_both_ends() -> None:
    """Each of its own, so that they meet their data again: a new kernel runs on several threads."""
    launch, out = doubling(threads=2)
    launch()
    assert (out == 2).all()
    assert launch.frame.words[FROM_FRONT // 8] + launch.frame.words[FROM_BACK // 8] == 64
