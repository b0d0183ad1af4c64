"""Atomic updates on the CPU: every mode and type, equal places, masks, many threads."""

import threading
from dataclasses import replace

import ml_dtypes
import numpy as np
import pytest

from tests.targets.cpu.kernel.whole_kernels import ELEMENTS, Kernel, tensor
from tilewright.dialects.arith import ops_integer
from tilewright.dialects.arith.attributes import CmpIPredicate
from tilewright.dialects.nv_tileaa.attributes import MemScope, MemSemantic, RmwMode
from tilewright.dialects.nv_tileaa.ops import memory as ops_memory
from tilewright.dialects.nv_tileaa.types import MEM_TOKEN
from tilewright.ir.builtin_types import i32
from tilewright.targets.cpu.machine.instructions import instructions_of
from tilewright.targets.cpu.nest import block_code

N = 8
START = np.array([5, -5, 0, 7, 1, 2, 3, -128], np.int32)
ARGUMENT = np.array([3, 3, -1, 7, 8, -9, 2, 127], np.int32)


def unsigned(value):
    return value & (1 << 64) - 1


INTEGER_MODES = {
    RmwMode.AND: lambda a, b: a & b,
    RmwMode.OR: lambda a, b: a | b,
    RmwMode.XOR: lambda a, b: a ^ b,
    RmwMode.ADD: lambda a, b: a + b,
    RmwMode.MAX: max,
    RmwMode.MIN: min,
    RmwMode.UMAX: lambda a, b: max(a, b, key=unsigned),
    RmwMode.UMIN: lambda a, b: min(a, b, key=unsigned),
    RmwMode.XCHG: lambda a, b: b,
}


def update(memory, argument, old, places, mode, limit=N, **order):
    """A kernel that updates memory at places and keeps what was there before."""
    kernel = Kernel(memory, argument, old, places)
    given = {"mem_semantic": MemSemantic.RELAXED, "mem_scope": MemScope.GPU, **order}
    offsets = kernel.load(3)
    small = kernel.splat(kernel.number(limit), N)
    mask = kernel.add(ops_integer.CmpIOp(CmpIPredicate.SLT, kernel.range(N), small))
    value = kernel.load(1)
    op = ops_memory.AtomicRmwOp(
        kernel.pointers(0, offsets),
        value,
        (),
        mask if limit < N else None,
        kernel.token,
        mode,
        result_types=[value.type, MEM_TOKEN],
        **given,
    )
    kernel.store(2, kernel.add(op).results[0])
    return kernel


@pytest.mark.parametrize("mode", INTEGER_MODES, ids=lambda mode: mode.name.lower())
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_modes_of_integers(mode, dtype):
    memory, old = START.astype(dtype), np.full(N, 9, dtype)
    update(memory, ARGUMENT.astype(dtype), old, np.arange(N, dtype=np.int32), mode, limit=6).run()
    new = [INTEGER_MODES[mode](a, b) for a, b in zip(START.tolist(), ARGUMENT.tolist(), strict=True)]
    assert memory.tolist() == [*new[:6], *START[6:]]
    assert old.tolist() == [*START[:6], 0, 0]


@pytest.fixture
def no_instructions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processors update nothing by one instruction."""
    monkeypatch.setattr(
        block_code, "instructions_of", lambda target: replace(instructions_of(target), updates={})
    )


@pytest.mark.parametrize("mode", INTEGER_MODES, ids=lambda mode: mode.name.lower())
@pytest.mark.usefixtures("no_instructions")
def test_updates_without_instructions_compare_and_exchange(mode):
    memory, old = START.copy(), np.full(N, 9, np.int32)
    kernel = update(memory, ARGUMENT, old, np.arange(N, dtype=np.int32), mode)
    loaded = kernel.load_module()
    assert " cmpxchg " in loaded.text
    loaded.launch((1, 1, 1), *kernel.arrays)
    assert memory.tolist() == [
        INTEGER_MODES[mode](a, b) for a, b in zip(START.tolist(), ARGUMENT.tolist(), strict=True)
    ]
    assert old.tolist() == START.tolist()


FLOATS = [np.float16, ml_dtypes.bfloat16, np.float32, np.float64]


@pytest.mark.parametrize("dtype", FLOATS)
def test_elements_of_one_place_take_turns(dtype):
    memory, old = np.array([1] * N, dtype), np.zeros(N, dtype)
    update(memory, np.full(N, 0.5, dtype), old, np.zeros(N, np.int32), RmwMode.ADDF).run()
    assert old.astype(float).tolist() == [1 + 0.5 * lane for lane in range(N)]
    assert float(memory[0]) == 5.0


@pytest.mark.parametrize("dtype", FLOATS)
def test_floats_change_places(dtype):
    memory, old = np.arange(N).astype(dtype), np.zeros(N, dtype)
    update(memory, -np.arange(N).astype(dtype), old, np.arange(N, dtype=np.int32), RmwMode.XCHG).run()
    assert (memory == -np.arange(N).astype(dtype)).all()
    assert (old == np.arange(N).astype(dtype)).all()


def test_additions_of_f32_flush_subnormal_numbers():
    memory, old = np.array([1e-40, 1] + [0] * 6, np.float32), np.zeros(N, np.float32)
    argument = np.array([1e-40, 1e-40] + [0] * 6, np.float32)
    update(memory, argument, old, np.arange(N, dtype=np.int32), RmwMode.ADDF).run()
    assert memory[:2].tolist() == [0, 1]
    assert old[0] == np.float32(1e-40)


ORDERS = {
    MemSemantic.RELAXED: "monotonic",
    MemSemantic.ACQUIRE: "acquire",
    MemSemantic.RELEASE: "release",
    MemSemantic.ACQ_REL: "acq_rel",
}


@pytest.mark.parametrize("semantic", ORDERS, ids=lambda semantic: semantic.name.lower())
@pytest.mark.parametrize("mode", [RmwMode.ADD, RmwMode.ADDF])
def test_orders_are_those_of_llvm(semantic, mode):
    dtype = np.int32 if mode is RmwMode.ADD else np.float32
    memory, old = np.zeros(N, dtype), np.zeros(N, dtype)
    kernel = update(memory, np.ones(N, dtype), old, np.arange(N, dtype=np.int32), mode, mem_semantic=semantic)
    text = kernel.load_module().text
    lines = [line for line in text.splitlines() if "atomicrmw" in line or "cmpxchg" in line]
    assert any(f" {ORDERS[semantic]}" in line for line in lines[1:]), lines


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("limit", [N, 5])
def test_compare_and_swap_compares_bits(dtype, limit):
    memory = (
        np.array([1, 0, -0.0, np.nan, 2, 3, 4, 5]).astype(dtype)
        if dtype in (np.float32, np.float64)
        else START.astype(dtype)
    )
    start = memory.copy()
    expected = memory.copy()
    expected[1] = -0.0 if dtype in (np.float32, np.float64) else 77
    expected[4] = 99
    old = np.zeros(N, dtype)
    kernel = Kernel(memory, expected, np.full(N, 7, dtype), old)
    small = kernel.splat(kernel.number(limit), N)
    mask = kernel.add(ops_integer.CmpIOp(CmpIPredicate.SLT, kernel.range(N), small))
    op = ops_memory.AtomicCasOp(
        kernel.pointers(0, kernel.range(N)),
        kernel.load(1),
        kernel.load(2),
        (),
        mask if limit < N else None,
        kernel.token,
        mem_semantic=MemSemantic.ACQ_REL,
        mem_scope=MemScope.GPU,
        result_types=[tensor((N,), ELEMENTS[np.dtype(dtype)]), MEM_TOKEN],
    )
    kernel.store(3, kernel.add(op).results[0])
    kernel.run()
    hit = (np.arange(N) != 1) & (np.arange(N) != 4) & (np.arange(N) < limit)
    np.testing.assert_array_equal(memory, np.where(hit, 7, start).astype(dtype))
    np.testing.assert_array_equal(old, np.where(np.arange(N) < limit, start, expected))


@pytest.mark.parametrize(
    ("dtype", "mode"),
    [(np.int32, RmwMode.ADD), (np.int32, RmwMode.MAX), (np.float32, RmwMode.ADD), (np.float16, RmwMode.MAX)],
)
def test_tiles_of_a_view_are_updated(dtype, mode):
    """What lies outside of the memory object is left alone; old values are there for those who ask."""
    memory, argument = (np.arange(20) % 7).astype(dtype), np.full(16, 3, dtype)
    old = np.zeros(16, dtype)
    start = memory.copy()
    kernel = Kernel(memory, argument, old)
    op = ops_memory.TiledAtomicRmwOp(
        kernel.view(0, (16,)),
        kernel.load(1),
        [kernel.number(1)],
        kernel.token,
        mode,
        mem_semantic=MemSemantic.RELAXED,
        mem_scope=MemScope.GPU,
        result_types=[tensor((16,), ELEMENTS[np.dtype(dtype)]), MEM_TOKEN],
    )
    kernel.store(2, kernel.add(op).results[0])
    kernel.run()
    expected = start.copy()
    expected[16:] = expected[16:] + dtype(3) if mode is RmwMode.ADD else np.maximum(expected[16:], dtype(3))
    assert (memory == expected).all()
    assert old.tolist() == [*start[16:].tolist(), *[0] * 12]


@pytest.mark.parametrize("dtype", [np.int32, np.float32, np.float16])
def test_threads_do_not_lose_updates(dtype):
    """Four threads, each with many tile blocks, add ones to few places."""
    memory = np.zeros(8, dtype)
    argument = np.ones(8, dtype)
    places = np.array([0, 1, 0, 2, 0, 3, 0, 0], np.int32)
    mode = RmwMode.ADD if dtype is np.int32 else RmwMode.ADDF
    kernel = update(memory, argument, np.zeros(8, dtype), places, mode)
    loaded = kernel.load_module()
    count = 100
    threads = [
        threading.Thread(target=lambda: loaded.launch((count, 1, 1), *kernel.arrays)) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    once = np.bincount(places, minlength=8)
    assert (
        memory.astype(np.int64) == np.minimum(once * count * 4, 2048 if dtype is np.float16 else 1 << 24)
    ).all()


def test_scalars_are_updated():
    memory, old = np.array([5], np.int32), np.zeros(1, np.int32)
    kernel = Kernel(memory, old, 3)
    op = ops_memory.AtomicRmwOp(
        kernel.arguments[0],
        kernel.arguments[2],
        (),
        None,
        kernel.token,
        RmwMode.ADD,
        mem_semantic=MemSemantic.RELAXED,
        mem_scope=MemScope.GPU,
        result_types=[i32, MEM_TOKEN],
    )
    kernel.write(kernel.arguments[1], kernel.add(op).results[0])
    kernel.run((4, 1, 1))
    assert memory[0] == 17
    assert old[0] == 14
