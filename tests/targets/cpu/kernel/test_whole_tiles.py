"""Tiles put together, cut, generated, counted; constants and globals."""

import ml_dtypes
import numpy as np
import pytest

from tests.targets.cpu.kernel.whole_kernels import ELEMENTS, Kernel, tensor
from tilewright.dialects.arith import ops_integer
from tilewright.dialects.arith.attributes import CmpIPredicate
from tilewright.dialects.arith.ops_conversion import IndexCastOp
from tilewright.dialects.arith.ops_float import AddFOp
from tilewright.dialects.nv_tileaa.attributes import BoundedAttr
from tilewright.dialects.nv_tileaa.ops import (
    math as ops_math,
    pointer as ops_pointer,
    shape as ops_shape,
    structure as ops_structure,
)
from tilewright.dialects.nv_tileaa.types import PtrType
from tilewright.dialects.nv_tileas import ops_tile
from tilewright.ir.builtin_attributes import dense
from tilewright.ir.builtin_types import f32, i32, index


def numbers(shape, dtype=np.float32):
    return np.arange(np.prod(shape)).reshape(shape).astype(dtype)


@pytest.mark.parametrize("dtype", [np.int8, np.float16, np.float32, np.int64])
@pytest.mark.parametrize(
    ("shape", "axis"), [((4, 16), 0), ((4, 16), 1), ((1, 16), 0), ((8, 1), 1), ((32,), 0), ((2, 2, 4), 1)]
)
def test_tiles_side_by_side(dtype, shape, axis):
    left, right = numbers(shape, dtype), numbers(shape, dtype) + dtype(1)
    out = np.zeros(np.concatenate([left, right], axis).shape, dtype)
    kernel = Kernel(left, right, out)
    type = tensor(out.shape, ELEMENTS[out.dtype])
    kernel.store(2, kernel.add(ops_shape.CatOp([kernel.load(0), kernel.load(1)], axis, result_types=[type])))
    kernel.run()
    assert (out == np.concatenate([left, right], axis)).all()


def test_parts_are_cut_out_and_put_in():
    """A part that would lie outside, which is undefined, still is one inside: nothing else is read or written."""
    array, out, changed = numbers((4, 8), np.int32), np.zeros((2, 2), np.int32), np.zeros((4, 8), np.int32)
    for row, column in [(2, 6), (0, 0), (1, 3), (6, 10)]:
        kernel = Kernel(array, out, changed, row, column)
        whole, places = kernel.load(0), kernel.arguments[3:5]
        part = kernel.add(ops_shape.ExtractSliceOp(whole, places, (2, 2), result_types=[tensor((2, 2), i32)]))
        kernel.store(1, part)
        doubled = kernel.add(ops_integer.AddIOp(part, part))
        kernel.store(
            2,
            kernel.add(
                ops_tile.InsertSliceOp(
                    source=doubled, destination=whole, offsets=places, sizes=(2, 2), result_types=[whole.type]
                )
            ),
        )
        kernel.run()
        row, column = row % 4, column % 8
        assert (out == array[row : row + 2, column : column + 2]).all()
        expected = array.copy()
        expected[row : row + 2, column : column + 2] *= 2
        assert (changed == expected).all()


def test_histogram():
    array = np.random.default_rng(0).integers(-2, 20, (4, 32)).astype(np.int32)
    out, masked = np.zeros(16, np.int32), np.zeros(16, np.int32)
    kernel = Kernel(array, out, masked)
    tile = kernel.load(0)
    type = tensor((16,), i32)
    kernel.store(1, kernel.add(ops_math.HistogramOp(tile, result_types=[type])))
    five = kernel.splat(kernel.number(5), 4, 32)
    small = kernel.add(ops_integer.CmpIOp(CmpIPredicate.SLT, tile, five))
    kernel.store(2, kernel.add(ops_math.HistogramOp(tile, small, result_types=[type])))
    kernel.run()
    expected = np.array([(array == at).sum() for at in range(16)])
    assert (out == expected).all()
    assert (masked == np.where(np.arange(16) < 5, expected, 0)).all()


def test_generated_tiles():
    array, out = numbers((4, 32), np.int32), np.zeros((4, 32), np.int32)
    kernel = Kernel(array, out, 1000)
    tile = kernel.load(0)

    def make(row, column, element):
        wide = [kernel.add(IndexCastOp(value, result_types=[i32])) for value in (row, column)]
        there = kernel.add(ops_integer.MulIOp(wide[0], kernel.arguments[2]))
        moved = kernel.add(ops_integer.AddIOp(there, wide[1]))
        return [kernel.add(ops_integer.AddIOp(moved, element))]

    body = kernel.region([index, index, i32], make)
    kernel.store(1, kernel.add(ops_shape.GenerateOp([tile], body=body, result_types=[tile.type])))
    kernel.run()
    assert (out == array + 1000 * np.arange(4)[:, None] + np.arange(32)).all()


@pytest.mark.parametrize(
    "dtype", [np.bool_, np.int8, np.int64, np.float16, ml_dtypes.bfloat16, np.float32, np.float64]
)
def test_constants(dtype):
    array = (numbers((2, 16), np.float64) % 3).astype(dtype)
    out, one = np.zeros((2, 16), dtype), np.zeros((2, 16), dtype)
    kernel = Kernel(out, one)
    element = ELEMENTS[array.dtype]
    value = dense(tensor((2, 16), element), array.ravel().tolist())
    kernel.store(0, kernel.add(ops_structure.ConstantTensorOp(value)))
    kernel.store(1, kernel.constant(np.full((2, 16), 1, dtype)))
    kernel.run()
    assert (out == array).all()
    assert (one == np.full((2, 16), 1, dtype)).all()


def test_globals_live_as_long_as_the_module():
    table = dense(tensor((16,), f32), [float(at) for at in range(16)])
    made = ops_structure.GlobalOp("counts", table, alignment=64)
    out = np.zeros(16, np.float32)
    kernel = Kernel(out, globals_=[made])
    type = PtrType(f32, 1)
    place = kernel.add(ops_structure.GetGlobalOp("counts", result_types=[type]))
    pointers = kernel.add(ops_pointer.AddPtrOp(kernel.splat(place, 16), kernel.range(16)))
    old = kernel.read(pointers)
    kernel.store(0, old)
    kernel.write(pointers, kernel.add(AddFOp(old, old)))
    loaded = kernel.load_module()
    loaded.launch((1, 1, 1), out)
    assert (out == np.arange(16)).all()
    loaded.launch((1, 1, 1), out)
    assert (out == 2 * np.arange(16)).all()


def test_promises_and_extents():
    array, out = numbers((8, 16), np.int32), np.zeros((8, 16), np.int32)
    kernel = Kernel(array, out, 3)
    promised = kernel.add(ops_pointer.AssumeOp(kernel.load(0), [BoundedAttr(0, None)]))
    scalar = kernel.add(ops_pointer.AssumeOp(kernel.arguments[2], [BoundedAttr(0, None)]))
    memory = kernel.view(0).owner.source
    extent = kernel.add(ops_structure.GetDimSizeOp(memory, 1, result_types=[i32]))
    moved = kernel.add(ops_integer.AddIOp(promised, kernel.splat(scalar, 8, 16)))
    kernel.store(1, kernel.add(ops_integer.AddIOp(moved, kernel.splat(extent, 8, 16))))
    kernel.run()
    assert (out == array + 3 + 16).all()
