"""What runs of generated programs have found: machine code did something else than the interpreter."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tilewright
from tests.interp.kernels import RELAXED, Kernel, pointer
from tilewright.dialects.cuda_tile.enums import MemoryScope, PaddingValue
from tilewright.dialects.cuda_tile.ops import conversion as ops_conversion
from tilewright.dialects.cuda_tile.types import FLOATS, tile
from tilewright.ir.builtin_types import f4E2M1FN, f32, tf32

ORDERS: list[dict[str, Any]] = [
    {},
    {"memory_ordering_semantics": RELAXED, "memory_scope": MemoryScope.DEVICE},
]


def same(make: Any, *arrays: np.ndarray, opt_level: int = 3) -> list[np.ndarray]:
    """Interpret and run: the same bits."""
    wanted, given = ([array.copy() for array in arrays] for _ in range(2))
    make().run(*wanted)
    options = tilewright.CompileOptions(opt_level=opt_level)
    tilewright.compile(SimpleNamespace(operation=make().module()), options=options).launch((1, 1, 1), given)
    for expected, found in zip(wanted, given, strict=True):
        assert found.tobytes() == expected.tobytes()
    return given


@pytest.mark.parametrize("order", ORDERS, ids=["weak", "relaxed"])
def test_a_nan_stays_one_in_tf32(order):
    """Its bits may all be among those that tf32 does not have; what is left would be an infinity."""
    bits = [0x7F800001, 0xFF801FFF, 0x7F800000, 0x7F802000, 0xFFC00001, 0x3F801FFF, 0x80000001, 0x7FFFFFFF]

    def make() -> Kernel:
        kernel = Kernel(pointer(tf32), pointer(tf32))
        places = kernel.pointers(kernel.arguments[0], kernel.iota(len(bits)))
        kernel.store_all(kernel.arguments[1], kernel.load(places, **order).results[0])
        return kernel

    _, found = same(make, np.array(bits, np.uint32), np.zeros(len(bits), np.uint32))
    assert found[:3].tolist() == [0x7FC00000, 0xFFC00000, 0x7F800000]


def test_bits_that_become_a_tf32_are_cut_as_a_load_cuts_them():
    """Of an f32, through bytes; and a NaN stays one."""
    bits = [0x7F800001, 0xFF801FFF, 0x3F801FFF, 0x80000001]

    def make() -> Kernel:
        kernel = Kernel(pointer(f32), pointer(tf32))
        packed = kernel.add(ops_conversion.PackOp(kernel.load_all(kernel.arguments[0], len(bits))))
        short = ops_conversion.UnpackOp(packed, result_types=[tile(len(bits), tf32)])
        kernel.store_all(kernel.arguments[1], kernel.add(short))
        return kernel

    _, found = same(make, np.array(bits, np.uint32), np.zeros(len(bits), np.uint32))
    assert found.tolist() == [0x7FC00000, 0xFFC00000, 0x3F800000, 0x80000000]


@pytest.mark.parametrize("padding", PaddingValue)
@pytest.mark.parametrize("element", FLOATS, ids=str)
def test_padding_of_formats_without_infinities(element, padding):
    """A NaN has no sign then; what has no NaN has its largest number."""
    columns = 4 if element is f4E2M1FN else 3

    def make() -> Kernel:
        kernel = Kernel(pointer(element), pointer(element))
        source = kernel.partition(kernel.arguments[0], (columns,), (8,), padding=padding)
        loaded = kernel.load_view(source, kernel.i32(0)).results[0]
        kernel.store_view(kernel.partition(kernel.arguments[1], (8,), (8,)), loaded, kernel.i32(0))
        return kernel

    same(make, np.zeros(64, np.uint8), np.zeros(64, np.uint8))


@pytest.mark.parametrize("element", FLOATS, ids=str)
def test_the_bits_of_a_type_as_that_type(element):
    """The optimizer leaves no such cast behind."""

    def make() -> Kernel:
        kernel = Kernel(pointer(element))
        numbers = kernel.constant([1.0, 0.5, 2.0, 4.0], tile(4, element))
        cast = kernel.add(ops_conversion.BitcastOp(numbers, result_types=[numbers.type]))
        kernel.store_view(kernel.partition(kernel.arguments[0], (4,), (4,)), cast, kernel.i32(0))
        return kernel

    same(make, np.zeros(32, np.uint8), opt_level=0)
