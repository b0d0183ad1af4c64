"""Accesses through pointers and of rows that are picked, on the CPU."""

import numpy as np
import pytest

from tests.targets.cpu.kernel.whole_kernels import ELEMENTS, Kernel, tensor
from tilewright.dialects.arith import ops_conversion, ops_integer
from tilewright.dialects.arith.attributes import CmpIPredicate
from tilewright.dialects.builtin.dialect import UnrealizedConversionCastOp
from tilewright.dialects.llvm.ops.aggregate import ConstantOp
from tilewright.dialects.llvm.ops.memory import AllocaOp
from tilewright.dialects.llvm.types import LLVMPointerType
from tilewright.dialects.nv_tileaa.attributes import MemScope, MemSemantic, PaddingValue
from tilewright.dialects.nv_tileaa.ops import (
    memory as ops_memory,
    pointer as ops_pointer,
    shape as ops_shape,
    structure as ops_structure,
)
from tilewright.dialects.nv_tileaa.ops.program import GetProgramIdOp
from tilewright.dialects.nv_tileaa.types import MEM_TOKEN, PtrType, TileMemRefType
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.builtin_types import DYNAMIC, f32, i8, i32, i64

ORDERED = {"mem_scope": MemScope.GPU}


def numbers(shape, dtype=np.float32):
    return np.arange(np.prod(shape)).reshape(shape).astype(dtype)


def plus(kernel, left, right):
    return kernel.add(ops_integer.AddIOp(left, right))


def times(kernel, left, right):
    return kernel.add(ops_integer.MulIOp(left, right))


def below(kernel, tile, limit):
    return kernel.add(ops_integer.CmpIOp(CmpIPredicate.SLT, tile, kernel.splat(limit, *tile.type.shape)))


def line(kernel, count, start):
    """``start`` and the numbers behind it."""
    return plus(kernel, kernel.splat(start, count), kernel.range(count, start.type))


@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.float16, np.float32, np.float64])
def test_rows_of_elements_become_vectors(dtype):
    """A masked copy of 100 elements by tile blocks of 64; what lies behind stays as it is."""
    array = (numbers(128) % 5).astype(dtype)
    out = np.zeros(128, dtype)
    kernel = Kernel(array, out, 64, 100)
    start = times(kernel, kernel.add(GetProgramIdOp(0)), kernel.arguments[2])
    offsets = line(kernel, 64, start)
    mask = below(kernel, offsets, kernel.arguments[3])
    kernel.write(kernel.pointers(1, offsets), kernel.read(kernel.pointers(0, offsets), mask), mask)
    loaded = kernel.load_module()
    assert "masked.load" in loaded.text
    loaded.launch((2, 1, 1), *kernel.arrays)
    assert (out[:100] == array[:100]).all()
    assert not out[100:].any()


def test_wide_offsets_need_no_care():
    """Nothing of 64 bits wraps around."""
    array, out = numbers(64, np.int32), np.zeros(16, np.int32)
    kernel = Kernel(array, out, (1 << 31) - 4)
    start = kernel.add(ops_conversion.ExtSIOp(kernel.arguments[2], result_types=[i64]))
    span = kernel.splat(kernel.number((1 << 31) - 20, i64), 16)
    there = kernel.add(ops_integer.SubIOp(line(kernel, 16, start), span))
    kernel.write(kernel.pointers(1, kernel.range(16)), kernel.read(kernel.pointers(0, there)))
    loaded = kernel.load_module()
    assert "masked" not in loaded.text
    loaded.launch((1, 1, 1), *kernel.arrays)
    assert (out == array[16:32]).all()


@pytest.mark.parametrize("start", [0, 3, (1 << 31) - 5])
def test_narrow_offsets_have_a_plain_and_a_careful_form(start):
    """The pointer is set back by as much as the offsets are ahead; wrapped lanes go to the other array."""
    room = np.zeros(64, np.int8)
    array, out = numbers(16, np.int8), np.full(16, -1, np.int8)
    kernel = Kernel(array, out, room, start)
    base = kernel.add(ops_pointer.PtrToIntOp(kernel.arguments[0], result_types=[i64]))
    back = kernel.add(ops_conversion.ExtSIOp(kernel.arguments[3], result_types=[i64]))
    moved = kernel.add(ops_integer.SubIOp(base, back))
    place = kernel.add(ops_pointer.IntToPtrOp(moved, result_types=[kernel.arguments[0].type]))
    offsets = line(kernel, 16, kernel.arguments[3])
    mask = kernel.add(ops_integer.CmpIOp(CmpIPredicate.SGE, offsets, kernel.splat(kernel.number(0), 16)))
    pointers = kernel.add(ops_pointer.AddPtrOp(kernel.splat(place, 16), offsets))
    other = kernel.splat(kernel.number(77, ELEMENTS[np.dtype(np.int8)]), 16)
    kernel.write(kernel.pointers(1, kernel.range(16)), kernel.read(pointers, mask, other))
    loaded = kernel.load_module()
    assert "masked.gather" in loaded.text
    assert "masked.load" in loaded.text
    loaded.launch((1, 1, 1), *kernel.arrays)
    stays = np.arange(16) < (1 << 31) - start
    assert (out == np.where(stays, array, 77)).all()


def test_rectangles_through_pointers():
    """Offsets of rows by a number known at run time: two dimensions, four corners."""
    array, out = numbers((8, 48)), np.zeros((8, 32), np.float32)
    kernel = Kernel(array, out, 48, 5)
    rows = kernel.add(ops_shape.ExpandDimsOp(kernel.range(8), 1, result_types=[tensor((8, 1), i32)]))
    columns = kernel.add(
        ops_shape.ExpandDimsOp(line(kernel, 32, kernel.arguments[3]), 0, result_types=[tensor((1, 32), i32)])
    )
    down = times(kernel, rows, kernel.splat(kernel.arguments[2], 8, 1))
    both = [
        kernel.add(ops_shape.BroadcastOp(value, result_types=[tensor((8, 32), i32)]))
        for value in (down, columns)
    ]
    kernel.store(1, kernel.read(kernel.pointers(0, plus(kernel, *both))))
    loaded = kernel.load_module()
    assert "load <16 x float>" in loaded.text
    loaded.launch((1, 1, 1), *kernel.arrays)
    assert (out == array[:, 5:37]).all()


def test_scalars_go_through_pointers():
    array, out = numbers(4, np.int32), np.zeros(4, np.int32)
    kernel = Kernel(array, out, 2)
    type = kernel.arguments[0].type
    source = kernel.add(ops_pointer.AddPtrOp(kernel.arguments[0], kernel.arguments[2], result_types=[type]))
    kernel.write(kernel.arguments[1], plus(kernel, kernel.read(source), kernel.arguments[2]))
    kernel.run()
    assert out.tolist() == [4, 0, 0, 0]


@pytest.mark.parametrize("semantic", [MemSemantic.RELAXED, MemSemantic.ACQUIRE])
@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.float16, np.float32, np.int64])
def test_ordered_accesses_are_atomic(semantic, dtype):
    array, out = (numbers(16) % 3).astype(dtype), np.zeros(16, dtype)
    kernel = Kernel(array, out, 11)
    places = kernel.range(16)
    mask = below(kernel, places, kernel.arguments[2])
    tile = kernel.read(kernel.pointers(0, places), mask, mem_semantic=semantic, **ORDERED)
    store = MemSemantic.RELEASE if semantic is MemSemantic.ACQUIRE else semantic
    kernel.write(kernel.pointers(1, places), tile, mask, mem_semantic=store, **ORDERED)
    loaded = kernel.load_module()
    assert "load atomic" in loaded.text
    assert ("fence acquire" in loaded.text) == (semantic is MemSemantic.ACQUIRE)
    loaded.launch((1, 1, 1), *kernel.arrays)
    assert (out == np.where(np.arange(16) < 11, array, 0)).all()


def memory(kernel, at, shape, sizes):
    """A memory object whose extents are arguments."""
    array = kernel.arrays[at]
    strides = tuple(int(step) // array.itemsize for step in array.strides)
    type = TileMemRefType(shape, ELEMENTS[array.dtype], strides)
    return kernel.add(ops_structure.MakeMemrefOp(kernel.arguments[at], sizes=sizes, result_types=[type]))


@pytest.mark.parametrize("width", [1, 2, 32])
@pytest.mark.parametrize("padding", [PaddingValue.ZERO, PaddingValue.NEG_INF])
def test_rows_are_gathered(width, padding):
    """Rows and columns that do not exist are padding."""
    array = numbers((10, 40)) + 1
    rows = np.array([3, 9, 10, -1, 0, 3, 7, 1 << 30], np.int32)
    out = np.zeros((8, width), np.float32)
    kernel = Kernel(array, rows, out, 10, 20, 5)
    count, columns, start = kernel.arguments[3:6]
    source = memory(kernel, 0, (DYNAMIC, DYNAMIC), [count, columns])
    op = ops_memory.GatherLoadOp(
        source,
        kernel.load(1),
        [start],
        token=kernel.token,
        padding_value=padding,
        result_types=[tensor((8, width), f32), MEM_TOKEN],
    )
    kernel.store(2, kernel.add(op).results[0])
    kernel.run()
    filler = 0 if padding is PaddingValue.ZERO else -np.inf
    expected = np.full((8, width), filler, np.float32)
    for at, row in enumerate(rows):
        for column in range(width):
            if 0 <= row < 10 and 5 + column < 20:
                expected[at, column] = array[row, 5 + column]
    assert (out == expected).all()


@pytest.mark.parametrize("width", [1, 4, 32])
def test_rows_are_scattered(width):
    tile = numbers((8, width)) + 1
    rows = np.array([3, 9, 10, -1, 0, 4, 7, 1 << 30], np.int32)
    out = np.zeros((10, 40), np.float32)
    kernel = Kernel(tile, rows, out, 10, 20, 5)
    count, columns, start = kernel.arguments[3:6]
    target = memory(kernel, 2, (DYNAMIC, DYNAMIC), [count, columns])
    op = ops_memory.ScatterStoreOp(
        target, kernel.load(0), kernel.load(1), [start], token=kernel.token, result_types=[MEM_TOKEN]
    )
    kernel.add(op)
    kernel.run()
    expected = np.zeros((10, 40), np.float32)
    for at, row in enumerate(rows):
        if 0 <= row < 10:
            expected[row, 5 : min(20, 5 + width)] = tile[at, : min(15, width)]
    assert (out == expected).all()


def test_elements_are_gathered_from_a_line():
    array, rows = numbers(100), np.array([99, 0, 100, -5, 50, 3, 3, 98] * 4, np.int32)
    out, back = np.zeros(32, np.float32), np.zeros(100, np.float32)
    kernel = Kernel(array, rows, out, back, 100)
    source = memory(kernel, 0, (DYNAMIC,), [kernel.arguments[4]])
    target = memory(kernel, 3, (DYNAMIC,), [kernel.arguments[4]])
    places = kernel.load(1)
    op = ops_memory.GatherLoadOp(
        source,
        places,
        (),
        token=kernel.token,
        padding_value=PaddingValue.ZERO,
        result_types=[tensor((32,), f32), MEM_TOKEN],
    )
    tile = kernel.add(op).results[0]
    kernel.store(2, tile)
    kernel.add(
        ops_memory.ScatterStoreOp(target, tile, places, (), token=kernel.token, result_types=[MEM_TOKEN])
    )
    kernel.run()
    exists = (rows >= 0) & (rows < 100)
    assert (out == np.where(exists, array[rows % 100], 0)).all()
    expected = np.zeros(100, np.float32)
    expected[rows[exists]] = array[rows[exists]]
    assert (back == expected).all()


def test_memory_of_a_tile_block():
    array, out = numbers(32), np.zeros(32, np.float32)
    kernel = Kernel(array, out)
    count = kernel.add(ConstantOp(IntegerAttr(i64, 128), result_types=[i64]))
    place = kernel.add(AllocaOp(count, i8, alignment=4, result_types=[LLVMPointerType()]))
    base = kernel.add(UnrealizedConversionCastOp([place], result_types=[PtrType(f32, 1)]))
    pointers = kernel.add(ops_pointer.AddPtrOp(kernel.splat(base, 32), kernel.range(32)))
    backwards = kernel.add(ops_integer.SubIOp(kernel.splat(kernel.number(31), 32), kernel.range(32)))
    kernel.write(pointers, kernel.load(0))
    turned = kernel.add(ops_pointer.AddPtrOp(kernel.splat(base, 32), backwards))
    kernel.store(1, kernel.read(turned))
    kernel.run()
    assert (out == array[::-1]).all()


@pytest.mark.parametrize("width", [1, 2, 32])
@pytest.mark.parametrize("extents", ["constant", "arguments"])
@pytest.mark.parametrize("shape", ["rows", "elements"])
def test_rows_are_gathered_where_a_mask_is_true(shape, extents, width):
    """A row, or an element of it, that the mask leaves out is padding, as is one that does not exist."""
    array = numbers((10, 40)) + 1
    rows = np.array([3, 9, 10, -1, 0, 3, 7, 1 << 30], np.int32)
    out = np.zeros((8, width), np.float32)
    kept = np.arange(8 * width).reshape(8, width) % 3 != 1 if shape == "elements" else np.arange(8) % 3 != 1
    kernel = Kernel(array, rows, out, 10, 40, 5, kept)
    count, columns, start = kernel.arguments[3:6]
    sizes = ((DYNAMIC, DYNAMIC), [count, columns]) if extents == "arguments" else ((10, 40), [])
    source = memory(kernel, 0, *sizes)
    op = ops_memory.GatherLoadOp(
        source,
        kernel.load(1),
        [start],
        mask=kernel.load(6),
        token=kernel.token,
        padding_value=PaddingValue.ZERO,
        result_types=[tensor((8, width), f32), MEM_TOKEN],
    )
    kernel.store(2, kernel.add(op).results[0])
    kernel.run()
    wanted = np.zeros((8, width), np.float32)
    for at, row in enumerate(rows):
        if 0 <= row < 10:
            wanted[at] = np.where(kept[at], array[row, 5 : 5 + width], 0)
    assert (out == wanted).all()
