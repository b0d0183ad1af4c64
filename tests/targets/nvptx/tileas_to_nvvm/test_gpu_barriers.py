"""Barriers of kernels: those that are left separate something, and together they separate all that they must.

Two judges are asked about code with a fault in it: the static checker, and the simulator, which runs it.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import nullcontext
from functools import cache
from typing import Any

import numpy as np
import pytest

import tilewright
from tests.targets.nvptx.tileas_to_nvvm.gpu_kernels import KERNELS
from tilewright import Module, PassManager, ptxsim
from tilewright.dialects.llvm.ops.aggregate import AddressOfOp
from tilewright.dialects.llvm.ops.memory import GEPOp, LoadOp, StoreOp
from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.dialects.nvvm.ops.barrier import Barrier0Op
from tilewright.dialects.nvvm.ops.copy import CpAsyncWaitGroupOp
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.lowering.capability import parse_capability
from tilewright.targets.nvptx import codes
from tilewright.targets.nvptx.nvvm_to_ptx import translate
from tilewright.targets.nvptx.shared_memory.addresses import Threads
from tilewright.targets.nvptx.shared_memory.barriers import access_bits, needless
from tilewright.targets.nvptx.shared_memory.model import (
    EXCHANGE,
    GLOBAL,
    WRITE,
    KernelBlocks,
    MemoryEvent,
    SharedBuffer,
    is_shared,
)

CHIP = "sm_80"
EXCHANGING = [name for name in KERNELS if name != "addition"]
CHECK = PassManager.parse("builtin.module(nvvm-check-shared-memory)")


@cache
def compiled(name: str) -> Any:
    return Module.parse(str(tilewright.compile(KERNELS[name][0], target=CHIP).asm["llvm"]))


def code_of(name: str) -> Any:
    """A kernel in `llvm` and `nvvm`, as a module of its own."""
    return Module(compiled(name).operation.clone())


@cache
def wanted(name: str) -> list[Any]:
    """What a kernel does to its arrays."""
    text, grid, arrays = KERNELS[name]
    found = [np.array(array) for array in arrays]
    tilewright.launch(text, "k", grid, found, target="interp")
    return found


def is_refused_by_the_checker(module: Any) -> bool:
    try:
        CHECK.run(module)
    except DiagnosticError as error:
        return {found.code for found in error.diagnostics} == {codes.SHARED_HAZARD}
    return False


def is_refused_by_the_simulator(module: Any, name: str) -> bool:
    """Whether running the code fails, or does something else than the kernel."""
    _, grid, arrays = KERNELS[name]
    given = [np.array(array) for array in arrays]
    gpu = parse_capability(CHIP).gpu
    assert gpu is not None
    try:
        ptxsim.launch(translate(module.operation, gpu), "k", (*grid, 1, 1)[:3], (128, 1, 1), given)
    except DiagnosticError:
        return True
    return any(one.tobytes() != other.tobytes() for one, other in zip(wanted(name), given, strict=True))


def barriers(module: Any) -> list[Operation]:
    return [op for op in module.operation.walk() if isinstance(op, Barrier0Op)]


def buffers(module: Any) -> list[GEPOp]:
    """The addresses of the buffers of a kernel."""
    return [
        op
        for op in module.operation.walk()
        if isinstance(op, GEPOp) and isinstance(op.base.owner, AddressOfOp)
        if is_shared(op.base)
    ]


@pytest.mark.parametrize("name", EXCHANGING)
def test_both_judges_accept_the_code_as_it_is(name: str) -> None:
    module = code_of(name)
    assert barriers(module)
    assert not is_refused_by_the_checker(module)
    assert not is_refused_by_the_simulator(module, name)


def hands_over(barrier: Operation) -> bool:
    """Whether a barrier hands over slots of a ring, which only the simulator judges (`test_gpu_pipelines`)."""
    assert barrier.parent is not None
    ops = list(barrier.parent)
    return isinstance(ops[ops.index(barrier) - 1], CpAsyncWaitGroupOp)


@pytest.mark.parametrize("name", EXCHANGING)
def test_each_barrier_is_missed_by_the_checker(name: str) -> None:
    for number, barrier in enumerate(barriers(code_of(name))):
        if hands_over(barrier):
            continue
        module = code_of(name)
        barriers(module)[number].erase()
        assert is_refused_by_the_checker(module), number


@pytest.mark.parametrize("name", EXCHANGING)
def test_a_missing_barrier_is_found_by_the_simulator(name: str) -> None:
    kept = [at for at, one in enumerate(barriers(code_of(name))) if not hands_over(one)]
    for number in {kept[0], kept[-1]}:
        module = code_of(name)
        barriers(module)[number].erase()
        assert is_refused_by_the_simulator(module, name), number


def test_buffers_that_overlap_are_found_by_both() -> None:
    module = code_of("product of f16")
    moved = [op for op in buffers(module) if op.rawConstantIndices != (0,)]
    assert moved, "some buffers lie apart from the first one"
    for op in moved:
        op.rawConstantIndices = (16,)
    assert is_refused_by_the_checker(module)
    assert is_refused_by_the_simulator(module, "product of f16")


TURNS = """
llvm.mlir.global internal @s() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<128 x i8>
llvm.func @k(%x: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
  %s = llvm.mlir.addressof @s : !llvm.ptr<3>
  %a = llvm.getelementptr %s[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %0 = llvm.mlir.constant(0 : i32) : i32
  %1 = llvm.mlir.constant(1 : i32) : i32
  %2 = llvm.mlir.constant(2 : i32) : i32
  %5 = llvm.mlir.constant(5 : i32) : i32
  %31 = llvm.mlir.constant(31 : i32) : i32
  %lane = llvm.and %t, %31 : i32
  %warp = llvm.lshr %t, %5 : i32
  %given = llvm.load %x : !llvm.ptr<1> -> i32
  %own = llvm.getelementptr %a[%lane] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.br ^head(%0 : i32)
^head(%turn: i32):
  %again = llvm.icmp "ult" %turn, %2 : i32
  llvm.cond_br %again, ^body, ^end
^body:
  nvvm.barrier0
  %mine = llvm.icmp "eq" %warp, %turn : i32
  llvm.cond_br %mine, ^write, ^rest
^write:
  llvm.store %t, %own : i32, !llvm.ptr<3>
  llvm.br ^rest
^rest:
  %next = llvm.add %turn, %1 : i32
  llvm.br ^head(%next : i32)
^end:
  llvm.return
}
"""
"""Warps write to the same bytes, one in each iteration of a loop in which all meet."""
NO_TURNS = {
    "nobody meets": ("  nvvm.barrier0\n", ""),
    "not all have the same count": ("%next = llvm.add %turn, %1", "%next = llvm.add %turn, %given"),
    "all begin elsewhere": ("^head(%0 : i32)", "^head(%warp : i32)"),
    "two in a turn": ("%warp = llvm.lshr %t, %5", "%warp = llvm.lshr %lane, %5"),
    "two lanes at one place": ("getelementptr %a[%lane]", "getelementptr %a[%warp]"),
    "all but one": ('"eq" %warp', '"ne" %warp'),
}
"""Faults, each by a word and what stands in its place."""


def test_threads_that_take_turns_are_not_in_each_others_way() -> None:
    assert not is_refused_by_the_checker(Module.parse(TURNS))


@pytest.mark.parametrize("fault", NO_TURNS)
def test_turns_that_are_none_are_found_by_the_checker(fault: str) -> None:
    word, other = NO_TURNS[fault]
    assert TURNS.count(word) == 1
    assert is_refused_by_the_checker(Module.parse(TURNS.replace(word, other)))


OVERWRITTEN = """
llvm.mlir.global internal @s() {addr_space = 3 : i32, alignment = 16 : i64, tilewright.buffers = array<i64: 0, 128, %d, 128>}
    : !llvm.array<256 x i8>
llvm.func @k(%%out: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
  %%s = llvm.mlir.addressof @s : !llvm.ptr<3>
  %%a = llvm.getelementptr %%s[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %%b = llvm.getelementptr %%s[%d] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %%t = nvvm.read.ptx.sreg.tid.x : i32
  %%31 = llvm.mlir.constant(31 : i32) : i32
  %%other = llvm.xor %%t, %%31 : i32
  %%own_a = llvm.getelementptr %%a[%%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %%own_b = llvm.getelementptr %%b[%%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  %%their_a = llvm.getelementptr %%a[%%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.store %%t, %%own_a : i32, !llvm.ptr<3>
  nvvm.barrier0
  llvm.store %%other, %%own_b : i32, !llvm.ptr<3>
  nvvm.barrier0
  %%found = llvm.load %%their_a : !llvm.ptr<3> -> i32
  %%place = llvm.getelementptr %%out[%%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %%found, %%place : i32, !llvm.ptr<1>
  llvm.return
}
"""


@pytest.mark.parametrize("offset", [0, 64, 128])
def test_a_buffer_that_is_overwritten_in_use_is_found_by_both(offset: int) -> None:
    """Barriers separate all accesses; the second buffer lies on the first one, wholly, in part, or not at all."""
    module: Any = Module.parse(OVERWRITTEN % (offset, offset))
    gpu, out = parse_capability(CHIP).gpu, np.zeros(32, np.int32)
    assert gpu is not None
    ptxsim.launch(translate(module.operation, gpu), "k", (1, 1, 1), (32, 1, 1), [out])
    is_right = bool((out == np.arange(32)[::-1]).all())
    assert is_refused_by_the_checker(module) == (not is_right) == (offset < 128)


def test_an_exchange_costs_one_barrier() -> None:
    """The parts that all warps have made are exchanged once; each thread reads four of one row, and the sums stay there."""
    module = code_of("sums across warps")
    writes = [op for op in module.operation.walk() if isinstance(op, StoreOp) and is_shared(op.addr)]
    reads = [op for op in module.operation.walk() if isinstance(op, LoadOp) and is_shared(op.addr)]
    assert (len(barriers(module)), len(reads), len(writes)) == (1, 4, 1)


# --- which barriers are needless: against a search through all ways


class Op:
    """Stands for an operation, of which the analysis reads the attributes only."""

    def __init__(self, kind: str) -> None:
        self.attributes: dict[str, Any] = {EXCHANGE: True} if kind == "exchange" else {}


def happening(kind: str, touches: int = 0) -> MemoryEvent:
    stand_in: Any = Op(kind)
    return MemoryEvent(stand_in, touches, is_barrier=kind != "access")


def kernel_with(events: list[list[MemoryEvent]], following: list[list[int]]) -> KernelBlocks:
    """A kernel of such events, with two buffers."""
    nothing: Any = None
    buffers = [SharedBuffer(nothing, number, 16, 16) for number in range(2)]
    return KernelBlocks(nothing, buffers, [nothing] * len(events), events, following)


BITS = (1, 2, 4, 8, 16, 32)
"""Reading and writing global memory and two buffers."""


def graph(chance: random.Random) -> KernelBlocks:
    """A few blocks with accesses to two buffers and to global memory, and barriers of both kinds."""
    kinds = ["exchange", "exchange", "order", "access", "access"]
    count = chance.randrange(1, 5)
    chosen = [[chance.choice(kinds) for _ in range(chance.randrange(5))] for _ in range(count)]
    events = [
        [happening(kind, chance.choice(BITS) if kind == "access" else 0) for kind in row] for row in chosen
    ]
    following = [[chance.randrange(count) for _ in range(chance.randrange(3))] for _ in range(count)]
    return kernel_with(events, following)


def conflict(one: MemoryEvent, other: MemoryEvent) -> bool:
    """Whether two accesses are to the same memory, and one of them writes."""
    for shift in range(0, 6, 2):
        first, second = one.touches >> shift & 3, other.touches >> shift & 3
        if first and second and (first | second) & WRITE:
            return True
    return False


def unseparated(kernel: KernelBlocks, separates: Callable[[MemoryEvent], bool]) -> set[tuple[int, int]]:
    """The pairs of accesses with a way from the one to the other on which nothing separates them."""
    at = [(block, place) for block, held in enumerate(kernel.events) for place in range(len(held))]
    numbers = {where: number for number, where in enumerate(at)}
    found: set[tuple[int, int]] = set()

    def after(block: int, place: int, seen: set[int]) -> list[tuple[int, int]]:
        if place + 1 < len(kernel.events[block]):
            return [(block, place + 1)]
        result: list[tuple[int, int]] = []
        for other in kernel.following[block]:
            if kernel.events[other]:
                result.append((other, 0))
            elif other not in seen:
                seen.add(other)
                result += after(other, 0, seen)
        return result

    for where in at:
        pending, seen = after(*where, set()), set[tuple[int, int]]()
        while pending:
            one = pending.pop()
            event = kernel.events[one[0]][one[1]]
            if one in seen or (event.is_barrier and separates(event)):
                continue
            seen.add(one)
            found.add((numbers[where], numbers[one]))
            pending += after(*one, set())
    return found


@pytest.mark.parametrize("seed", range(200))
def test_barriers_are_dropped_only_where_nothing_needs_them(seed: int) -> None:
    kernel = graph(random.Random(seed))
    events = [event for held in kernel.events for event in held]
    dropped = needless(kernel, access_bits(kernel.buffers))
    now_free = unseparated(kernel, lambda event: event not in dropped)
    fresh = now_free - unseparated(kernel, lambda event: True)
    assert not any(
        conflict(events[one], events[other]) and (events[one].touches | events[other].touches) & ~GLOBAL
        for one, other in fresh
        if events[one].touches & ~GLOBAL and events[other].touches & ~GLOBAL
    )
    ordering = unseparated(kernel, lambda event: EXCHANGE not in event.op.attributes)
    for one, other in now_free - ordering:
        assert not (events[one].touches & GLOBAL and events[other].touches & GLOBAL), (one, other)


def test_a_row_of_exchanges_keeps_one_barrier_each() -> None:
    """Three exchanges through two buffers, all accesses between barriers: the barriers in front of writes go."""
    touches = (8, 4, 32, 16, 8, 4)
    events = [one for bits in touches for one in (happening("exchange"), happening("access", bits))]
    kernel = kernel_with([events], [[]])
    dropped = needless(kernel, access_bits(kernel.buffers))
    kept = [at // 2 for at, event in enumerate(events) if event.is_barrier and event not in dropped]
    assert kept == [1, 3, 5]


SHIFTED = """
llvm.mlir.global internal @s() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<256 x i8>
llvm.func @k(%out: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
  %s = llvm.mlir.addressof @s : !llvm.ptr<3>
  %a = llvm.getelementptr %s[32] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %5 = llvm.mlir.constant(5 : i32) : i32
  %before = llvm.sub %t, %5 : i32
  %place = llvm.getelementptr %a[%before] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
  llvm.store %t, %place : i32, !llvm.ptr<3>
  llvm.return
}
"""


def test_offsets_that_are_negative_in_some_threads() -> None:
    """An unsigned `tid - 5` is -5 in thread 0 and lies in front of the buffer; from thread 5 on it is not negative."""
    module = Module.parse(SHIFTED)
    (function,) = (op for op in module.operation.walk() if isinstance(op, LLVMFuncOp))
    (store,) = (op for op in function.walk() if isinstance(op, StoreOp))
    place = Threads(function, 32).address_of(store.addr)
    assert place is not None
    assert place.offset == tuple(32 + 4 * (thread - 5) for thread in range(32))


def accesses(stored: tuple[int, str], loaded: tuple[int, str], between: str) -> str:
    """A kernel whose threads store a number and load one: each by its bits and the computation of its place ``%r``."""
    lines = ""
    for name, (bits, place) in (("to", stored), ("from", loaded)):
        lines += place.replace("%r", f"%{name}_at").replace("%w", f"%{name}_w") + "\n"
        lines += f"%{name} = llvm.getelementptr %s[%{name}_at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8\n"
        if name == "to":
            lines += f"%given = llvm.trunc %wide : i64 to i{bits}\nllvm.store %given, %to : i{bits}, !llvm.ptr<3>\n{between}\n"
    bits = loaded[0]
    return f"""
llvm.mlir.global internal @s() {{addr_space = 3 : i32, alignment = 16 : i64}} : !llvm.array<1024 x i8>
llvm.func @k(%out: !llvm.ptr<1>) attributes {{nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>}} {{
  %base = llvm.mlir.addressof @s : !llvm.ptr<3>
  %s = llvm.getelementptr %base[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %1 = llvm.mlir.constant(1 : i32) : i32
  %3 = llvm.mlir.constant(3 : i32) : i32
  %4 = llvm.mlir.constant(4 : i32) : i32
  %6 = llvm.mlir.constant(6 : i32) : i32
  %8 = llvm.mlir.constant(8 : i32) : i32
  %15 = llvm.mlir.constant(15 : i32) : i32
  %31 = llvm.mlir.constant(31 : i32) : i32
  %wide = llvm.zext %t : i32 to i64
  {lines}
  %found = llvm.load %from : !llvm.ptr<3> -> i{bits}
  %place = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i{bits}
  llvm.store %found, %place : i{bits}, !llvm.ptr<1>
  llvm.return
}}
"""


OWN, OTHER = "%r = llvm.mul %t, %4 : i32", "%w = llvm.xor %t, %31 : i32\n%r = llvm.mul %w, %4 : i32"
BARRIER = "nvvm.barrier0"
SMALL = {
    "own words": ((32, OWN), (32, OWN), "", True),
    "words of others": ((32, OWN), (32, OTHER), "", False),
    "words of others behind a barrier": ((32, OWN), (32, OTHER), BARRIER, True),
    "halves of own words": ((32, OWN), (16, OWN), "", True),
    "bytes at odd places": ((8, "%r = llvm.mul %t, %3 : i32"), (8, "%r = llvm.mul %t, %3 : i32"), "", True),
    "bytes beside others": (
        (8, "%r = llvm.mul %t, %3 : i32"),
        (8, "%w = llvm.mul %t, %3 : i32\n%r = llvm.add %w, %3 : i32"),
        "",
        False,
    ),
    "halves apart": ((16, "%r = llvm.mul %t, %6 : i32"), (16, "%r = llvm.mul %t, %6 : i32"), "", True),
    "long words": ((64, "%r = llvm.mul %t, %8 : i32"), (64, "%r = llvm.mul %t, %8 : i32"), "", True),
    "halves of long words": ((64, "%r = llvm.mul %t, %8 : i32"), (32, OWN), "", False),
    "halves of long words behind a barrier": ((64, "%r = llvm.mul %t, %8 : i32"), (32, OWN), BARRIER, True),
    "one place for two": (
        (32, "%w = llvm.and %t, %15 : i32\n%r = llvm.mul %w, %4 : i32"),
        (32, OWN),
        BARRIER,
        False,
    ),
    "places that overlap": ((64, OWN.replace("%4", "%8")), (64, OWN.replace("%4", "%8")), "", True),
}
"""Stores and loads, each by its bits and place, what is between them, and whether that is right."""


@pytest.mark.parametrize("name", SMALL)
def test_small_accesses_are_judged_alike(name: str) -> None:
    stored, loaded, between, is_right = SMALL[name]
    module: Any = Module.parse(accesses(stored, loaded, between))
    assert is_refused_by_the_checker(module) == (not is_right)
    gpu, out = parse_capability(CHIP).gpu, np.zeros(32, np.int64)
    assert gpu is not None
    text = translate(module.operation, gpu)
    with nullcontext() if is_right else pytest.raises(DiagnosticError):
        ptxsim.launch(text, "k", (1, 1, 1), (32, 1, 1), [out])


ANY = "%any = llvm.load %out : !llvm.ptr<1> -> !llvm.ptr<3>\n"


@pytest.mark.parametrize(
    ("access", "between", "is_right"),
    [
        ("llvm.store %given, %to", "", False),
        ("llvm.store %given, %to", BARRIER, True),
        ("%found = llvm.load %from", "", False),
        ("%found = llvm.load %from", BARRIER, True),
    ],
)
def test_a_place_that_is_not_known_may_be_any(access: str, between: str, is_right: bool) -> None:
    text = accesses((32, OWN), (32, OWN), between)
    assert text.count(access) == 1
    word = access.rpartition("%")[0]
    found = is_refused_by_the_checker(Module.parse(text.replace(access, f"{ANY}{word}%any")))
    assert found == (not is_right)
