"""Integers of all threads of a block, computed from the code: those that the simulator computes, or unknown."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("numpy")

from tests.targets.nvptx.kernels import parsed, printed
from tilewright.dialects.llvm.ops.memory import StoreOp
from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.ptxsim import launch
from tilewright.targets.nvptx.shared_memory.addresses import Threads

THREADS = 48
BEFORE = """
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %zero = llvm.mlir.zero : i32
  %three = llvm.mlir.constant(3 : i32) : i32
  %five = llvm.mlir.constant(5 : i32) : i32
  %minus = llvm.mlir.constant(-7 : i32) : i32
  %low = llvm.sub %t, %five : i32
  %bits = llvm.mul %t, %minus : i32
"""
VALUES = {
    "the number": "%r = llvm.add %t, %zero : i32",
    "a constant": "%r = llvm.add %three, %minus : i32",
    "a sum": "%r = llvm.add %low, %bits : i32",
    "a difference": "%r = llvm.sub %bits, %low : i32",
    "bits": "%a = llvm.and %bits, %low : i32\n%o = llvm.or %a, %five : i32\n%r = llvm.xor %o, %minus : i32",
    "shifts": "%a = llvm.shl %bits, %three : i32\n%b = llvm.lshr %a, %five : i32\n%r = llvm.add %b, %t : i32",
    "a shift by too much": "%a = llvm.mlir.constant(-1 : i32) : i32\n%b = llvm.shl %t, %a : i32\n%r = llvm.and %b, %zero : i32",
    "narrow numbers": "%a = llvm.trunc %bits : i32 to i8\n%r = llvm.zext %a : i8 to i32",
    "signed narrow numbers": "%a = llvm.trunc %bits : i32 to i8\n%r = llvm.sext %a : i8 to i32",
    "a narrow sum": "%a = llvm.trunc %bits : i32 to i8\n%b = llvm.add %a, %a : i8\n%r = llvm.sext %b : i8 to i32",
    "wide numbers": "%a = llvm.sext %low : i32 to i64\n%b = llvm.add %a, %a : i64\n%r = llvm.trunc %b : i64 to i32",
    "chosen for all": '%c = llvm.icmp "slt" %minus, %three : i32\n%r = llvm.select %c, %low, %bits : i1, i32',
    "not chosen for all": '%c = llvm.icmp "ult" %minus, %three : i32\n%r = llvm.select %c, %low, %bits : i1, i32',
    "chosen for each": '%c = llvm.icmp "sgt" %low, %three : i32\n%r = llvm.select %c, %three, %bits : i1, i32',
    **{
        f"order {order}": f'%c = llvm.icmp "{order}" %low, %three : i32\n%r = llvm.zext %c : i1 to i32'
        for order in ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
    },
    **{
        f"narrow order {order}": f'%q = llvm.trunc %bits : i32 to i8\n%m = llvm.trunc %low : i32 to i8\n%c = llvm.icmp "{order}" %q, %m : i8\n%r = llvm.zext %c : i1 to i32'
        for order in ("slt", "sge", "ult")
    },
}


def module(body: str) -> str:
    return (
        f"llvm.func @k(%n: i32, %out: !llvm.ptr<1>) attributes {{nvvm.kernel}} {{{BEFORE}{body}\n"
        "%to = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32\n"
        "llvm.store %r, %to : i32, !llvm.ptr<1>\nllvm.return\n}"
    )


def known(body: str) -> object:
    """The numbers that the code's ``%r`` has in the threads."""
    made = parsed(module(body))
    (function,) = (op for op in made.walk() if isinstance(op, LLVMFuncOp))
    (store,) = (op for op in function.walk() if isinstance(op, StoreOp))
    return Threads(function, THREADS).numbers(store.value)


@pytest.mark.parametrize("name", VALUES)
def test_numbers_are_those_of_the_simulator(name: str) -> None:
    found = known(VALUES[name])
    out = np.zeros(THREADS, np.uint32)
    launch(printed(module(VALUES[name])), "k", (1,), (THREADS,), [9, out])
    assert isinstance(found, int | tuple)
    numbers = found if isinstance(found, tuple) else (found,) * THREADS
    assert [int(number) for number in numbers] == out.tolist()


def test_numbers_that_are_equal_in_all_threads() -> None:
    assert known(VALUES["a constant"]) == (1 << 32) - 4


@pytest.mark.parametrize(
    "body",
    [
        "%r = llvm.add %n, %t : i32",
        '%c = llvm.icmp "slt" %t, %n : i32\n%r = llvm.select %c, %t, %three : i1, i32',
        "%r = llvm.udiv %t, %three : i32",
        "%r = llvm.ashr %t, %three : i32",
        "%r = nvvm.read.ptx.sreg.ntid.x : i32",
        "%r = llvm.mlir.undef : i32",
    ],
)
def test_numbers_that_are_unknown(body: str) -> None:
    assert known(body) is None
