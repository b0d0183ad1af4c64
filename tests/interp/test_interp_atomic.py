"""Atomics: every mode, every type, lanes with equal addresses."""

import math

import ml_dtypes
import numpy as np
import pytest

from tests.interp.kernels import DEVICE, RELAXED, Kernel, pointer
from tilewright.dialects.cuda_tile.enums import AtomicRMWMode
from tilewright.dialects.cuda_tile.ops import memory as ops_memory
from tilewright.dialects.cuda_tile.types import tile
from tilewright.ir.builtin_types import bf16, f16, f32, f64, i1, i32, i64

N = 8
START = np.array([5, -5, 0, 7, 1, 2, 3, -128], np.int32)
ARGUMENT = np.array([3, 3, -1, 7, 8, -9, 2, 127], np.int32)
unsigned = lambda v: v & 0xFFFF_FFFF  # noqa: E731

MODES = {
    AtomicRMWMode.AND: lambda a, b: a & b,
    AtomicRMWMode.OR: lambda a, b: a | b,
    AtomicRMWMode.XOR: lambda a, b: a ^ b,
    AtomicRMWMode.ADD: lambda a, b: a + b,
    AtomicRMWMode.MAX: max,
    AtomicRMWMode.MIN: min,
    AtomicRMWMode.UMAX: lambda a, b: max(a, b, key=unsigned),
    AtomicRMWMode.UMIN: lambda a, b: min(a, b, key=unsigned),
    AtomicRMWMode.XCHG: lambda a, b: b,
}


def update(element, mode, offsets=None, mask=None):
    """Parameters: memory, arguments, old values, offsets."""
    kernel = Kernel(pointer(element), pointer(element), pointer(element), pointer(i32))
    memory, arguments, old_values, offset_base = kernel.arguments
    places = kernel.load_all(offset_base, N)
    given = None if mask is None else kernel.constant(mask, tile(N, i1))
    op = kernel.add(
        ops_memory.AtomicRMWTkoOp(
            RELAXED, DEVICE, kernel.pointers(memory, places), mode, kernel.load_all(arguments, N), mask=given
        )
    )
    kernel.store_all(old_values, op.results[0])
    return kernel


@pytest.mark.parametrize("mode", MODES, ids=lambda m: m.name.lower())
@pytest.mark.parametrize(("element", "dtype"), [(i32, np.int32), (i64, np.int64)], ids=["i32", "i64"])
def test_integer_modes(mode, element, dtype):
    memory, old = START.astype(dtype), np.zeros(N, dtype)
    update(element, mode).run(memory, ARGUMENT.astype(dtype), old, np.arange(N, dtype=np.int32))
    assert (old == START).all()
    assert memory.tolist() == [
        MODES[mode](a, b) for a, b in zip(START.tolist(), ARGUMENT.tolist(), strict=True)
    ]


@pytest.mark.parametrize(
    ("element", "dtype"),
    [(f16, np.float16), (bf16, ml_dtypes.bfloat16), (f32, np.float32), (f64, np.float64)],
    ids=str,
)
def test_float_addition_takes_turns(element, dtype):
    """All lanes add to the same element; each sees the sum so far."""
    memory, old = np.array([1], dtype), np.zeros(N, dtype)
    update(element, AtomicRMWMode.ADDF).run(memory, np.full(N, 0.5, dtype), old, np.zeros(N, np.int32))
    assert old.astype(float).tolist() == [1 + 0.5 * lane for lane in range(N)]
    assert float(memory[0]) == 5.0


def test_float_addition_flushes_subnormals():
    memory, old = np.array([1e-40], np.float32), np.zeros(N, np.float32)
    update(f32, AtomicRMWMode.ADDF, mask=[1, 0, 0, 0, 0, 0, 0, 0]).run(
        memory, np.full(N, 1e-40, np.float32), old, np.zeros(N, np.int32)
    )
    assert memory[0] == 0


def test_histogram():
    memory, old = np.zeros(4, np.int32), np.zeros(N, np.int32)
    places = np.array([0, 1, 1, 3, 1, 0, 3, 1], np.int32)
    update(i32, AtomicRMWMode.ADD).run(memory, np.ones(N, np.int32), old, places)
    assert memory.tolist() == np.bincount(places, minlength=4).tolist()
    assert old.tolist() == [0, 0, 1, 0, 2, 1, 1, 3]


def test_masked_lanes_do_nothing():
    memory, old = START.copy(), np.full(N, 9, np.int32)
    update(i32, AtomicRMWMode.ADD, mask=[1, 0] * 4).run(memory, ARGUMENT, old, np.arange(N, dtype=np.int32))
    assert memory.tolist() == [
        a + b * (i % 2 == 0) for i, (a, b) in enumerate(zip(START, ARGUMENT, strict=True))
    ]


def swap(element, mask=None):
    kernel = Kernel(*[pointer(element)] * 4)
    memory, expected, desired, old_values = kernel.arguments
    given = None if mask is None else kernel.constant(mask, tile(N, i1))
    op = kernel.add(
        ops_memory.AtomicCASTkoOp(
            RELAXED,
            DEVICE,
            kernel.pointers(memory, kernel.iota(N)),
            kernel.load_all(expected, N),
            kernel.load_all(desired, N),
            given,
        )
    )
    kernel.store_all(old_values, op.results[0])
    return kernel


def test_compare_and_swap_compares_bits():
    memory = np.array([1, 0.0, -0.0, math.nan, 2, 3, 4, 5], np.float32)
    start = memory.copy()
    expected = np.array([1, -0.0, -0.0, math.nan, 9, 3, 9, 9], np.float32)
    old = np.zeros(N, np.float32)
    swap(f32).run(memory, expected, np.full(N, 7, np.float32), old)
    np.testing.assert_array_equal(memory, np.array([7, 0, 7, 7, 2, 7, 4, 5], np.float32))
    np.testing.assert_array_equal(old, start)


def test_masked_compare_and_swap_answers_what_was_expected():
    memory, old = START.copy(), np.zeros(N, np.int32)
    swap(i32, [0] * 7 + [1]).run(memory, np.full(N, -128, np.int32), np.full(N, 1, np.int32), old)
    assert memory.tolist() == [*START[:7].tolist(), 1]
    assert old.tolist() == [-128] * 8


def test_reduction_into_a_view_skips_what_is_outside():
    kernel = Kernel(pointer(f32))
    view = kernel.partition(kernel.arguments[0], (6,), (4,))
    kernel.add(
        ops_memory.AtomicRedViewTkoOp(
            memory_ordering_semantics=RELAXED,
            memory_scope=DEVICE,
            mode=AtomicRMWMode.ADDF,
            inbounds=(False,),
            view=view,
            index=[kernel.i32(1)],
            value=kernel.constant(2.0, tile(4, f32)),
        )
    )
    out = np.ones(6, np.float32)
    kernel.run(out, grid=(3, 1, 1), memcheck=True)
    assert out.tolist() == [1, 1, 1, 1, 7, 7]
