"""Tile blocks that wait for others: they get threads, and launches that are stuck end."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tilewright
from tests.interp.kernels import ACQUIRE, DEVICE, RELEASE, Kernel, pointer
from tests.interp.test_interp_control import branch, compare
from tilewright.dialects.cuda_tile.enums import AtomicRMWMode
from tilewright.dialects.cuda_tile.ops import (
    control as ops_control,
    integer as ops_integer,
    memory as ops_memory,
    tile as ops_tile,
)
from tilewright.ir.block import Block
from tilewright.ir.builtin_types import i32
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.value import Value
from tilewright.runtime import codes
from tilewright.runtime.workers import waiting

MODE = {"add": AtomicRMWMode.ADD, "exchange": AtomicRMWMode.XCHG}


def update(kernel: Kernel, order: Any, place: Value, mode: str, value: Value) -> Value:
    return kernel.add(ops_memory.AtomicRMWTkoOp(order, DEVICE, place, MODE[mode], value)).results[0]


def wait_until(kernel: Kernel, place: Value, wanted: Value) -> None:
    """Spin until a number in memory is at least as large."""
    kernel.open(Block())
    seen = update(kernel, ACQUIRE, place, "add", kernel.i32(0))
    branch(
        kernel,
        compare(kernel, "GREATER_THAN_OR_EQUAL", seen, wanted),
        lambda: kernel.add(ops_control.BreakOp(operands_=[])),
    )
    kernel.add(ops_control.ContinueOp(operands_=[]))
    kernel.add(ops_control.LoopOp(init_values=[], body=kernel.close(), result_types=[]))


def barrier() -> Kernel:
    """All tile blocks arrive; each goes on when all have, and counts up."""
    kernel = Kernel(pointer(i32), pointer(i32))
    arrived, out = kernel.arguments
    update(kernel, RELEASE, arrived, "add", kernel.i32(1))
    wait_until(kernel, arrived, kernel.add(ops_control.GetNumTileBlocksOp()).results[0])
    update(kernel, RELEASE, out, "add", kernel.i32(1))
    return kernel


def launch(kernel: Kernel, count: int, **more: Any) -> np.ndarray:
    arrived, out = np.zeros(1, np.int32), np.zeros(1, np.int32)
    tilewright.compile(SimpleNamespace(operation=kernel.module())).launch(
        (count, 1, 1), [arrived, out], **more
    )
    return out


@pytest.mark.parametrize("count", [1, 2, 100])
def test_a_barrier_of_the_grid(count):
    """There are as many threads as it takes."""
    assert launch(barrier(), count) == count


def test_a_barrier_that_not_all_can_reach(monkeypatch):
    monkeypatch.setattr(waiting, "MAXIMUM", 8)
    monkeypatch.setattr(waiting, "PATIENCE", 0.05)
    with pytest.raises(
        DiagnosticError, match="8 tile blocks of kernel 'k' wait for others, and 12 more cannot"
    ) as error:
        launch(barrier(), 20)
    assert error.value.diagnostics[0].code is codes.STUCK


def test_something_that_never_comes(monkeypatch):
    monkeypatch.setattr(waiting, "PATIENCE", 0.05)
    kernel = Kernel(pointer(i32), pointer(i32))
    wait_until(kernel, kernel.arguments[0], kernel.i32(1))
    with pytest.raises(DiagnosticError, match="no running one can end"):
        launch(kernel, 3)


def test_a_failed_assertion_ends_those_who_wait():
    """Tile block 0 fails; the others wait for it."""
    kernel = Kernel(pointer(i32), pointer(i32))
    first = compare(kernel, "GREATER_THAN", kernel.block_id(), kernel.i32(0))
    kernel.add(ops_control.AssertOp(first, message="not the first one"))
    wait_until(kernel, kernel.arguments[0], kernel.i32(1))
    with pytest.raises(DiagnosticError, match="not the first one"):
        launch(kernel, 10)


def test_a_lock():
    """Increments that are not atomic, one tile block at a time."""
    kernel = Kernel(pointer(i32), pointer(i32))
    lock, out = kernel.arguments
    kernel.open(Block())
    taken = update(kernel, ACQUIRE, lock, "exchange", kernel.i32(1))
    branch(
        kernel,
        compare(kernel, "EQUAL", taken, kernel.i32(0)),
        lambda: kernel.add(ops_control.BreakOp(operands_=[])),
    )
    kernel.add(ops_control.ContinueOp(operands_=[]))
    kernel.add(ops_control.LoopOp(init_values=[], body=kernel.close(), result_types=[]))
    loaded = kernel.load(out).results[0]
    token = kernel.store(out, kernel.add(ops_integer.AddIOp(loaded, kernel.i32(1))))
    kernel.add(ops_memory.AtomicRMWTkoOp(RELEASE, DEVICE, lock, MODE["exchange"], kernel.i32(0), token=token))
    assert launch(kernel, 300) == 300


def test_loops_that_work_do_not_wait():
    """Tile blocks take numbers from a counter until there are none: that is no waiting."""
    kernel = Kernel(pointer(i32), pointer(i32))
    kernel.open(Block())
    number = update(kernel, ACQUIRE, kernel.arguments[0], "add", kernel.i32(1))
    branch(
        kernel,
        compare(kernel, "GREATER_THAN_OR_EQUAL", number, kernel.i32(100)),
        lambda: kernel.add(ops_control.BreakOp(operands_=[])),
    )
    kernel.store(kernel.add(ops_tile.OffsetOp(kernel.arguments[1], kernel.i32(0))), kernel.i32(7))
    kernel.add(ops_control.ContinueOp(operands_=[]))
    kernel.add(ops_control.LoopOp(init_values=[], body=kernel.close(), result_types=[]))
    native = tilewright.compile(SimpleNamespace(operation=kernel.module()))
    assert "sched_yield" not in str(native.asm["llvm"])
