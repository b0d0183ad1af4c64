"""Shapes, matrix multiplication, reductions and scans."""

import numpy as np
import pytest

from tests.interp.kernels import EVEN, SIGNED, UNSIGNED, Kernel, pointer
from tilewright.dialects.cuda_tile.enums import ComparisonPredicate
from tilewright.dialects.cuda_tile.ops import (
    control as ops_control,
    float as ops_float,
    integer as ops_integer,
    tile as ops_tile,
)
from tilewright.dialects.cuda_tile.types import tile
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_attributes import FloatAttr, IntegerAttr, dense
from tilewright.ir.builtin_types import f8E4M3FN, f8E8M0FNU, f16, f32, i1, i8, i16, i32


def store_flat(kernel, base, value):
    """Store a tile of any shape in row-major order."""
    count = int(np.prod(value.type.shape, dtype=int))
    flat = kernel.add(ops_tile.ReshapeOp(value, result_types=[tile(count, value.type.element_type)]))
    kernel.store_all(base, flat)


def shaped(kernel, base, *shape):
    count = int(np.prod(shape))
    flat = kernel.load_all(base, count)
    return kernel.add(ops_tile.ReshapeOp(flat, result_types=[tile(*shape, flat.type.element_type)]))


def run_on(make, array, result_shape, dtype=None):
    kernel = Kernel(pointer(i32), pointer(i32))
    store_flat(kernel, kernel.arguments[1], make(kernel, shaped(kernel, kernel.arguments[0], *array.shape)))
    out = np.zeros(result_shape, np.int32)
    kernel.run(array, out)
    return out


X = np.arange(32, dtype=np.int32).reshape(4, 8)


def test_shapes():
    permuted = run_on(
        lambda k, t: k.add(ops_tile.PermuteOp(t, permutation=(1, 0), result_types=[tile(8, 4, i32)])),
        X,
        (8, 4),
    )
    assert (permuted == X.T).all()
    joined = run_on(
        lambda k, t: k.add(ops_tile.CatOp(t, t, dim=1, result_types=[tile(4, 16, i32)])), X, (4, 16)
    )
    assert (joined == np.concatenate([X, X], 1)).all()
    stretched = run_on(
        lambda k, t: k.add(ops_tile.BroadcastOp(t, result_types=[tile(4, 8, i32)])), X[:, :1].copy(), (4, 8)
    )
    assert (stretched == X[:, :1]).all()


def test_extract_and_insert_count_slices():
    cut = run_on(
        lambda k, t: k.add(
            ops_tile.ExtractOp(t, indices=[k.i32(1), k.i32(3)], result_types=[tile(2, 2, i32)])
        ),
        X,
        (2, 2),
    )
    assert (cut == X[2:4, 6:8]).all()

    def put(kernel, whole):
        part = kernel.splat(kernel.i32(-1), 2, 4)
        return kernel.add(
            ops_tile.InsertOp(part, whole, indices=[kernel.i32(1), kernel.i32(0)], result_types=[whole.type])
        )

    changed = run_on(put, X, (4, 8))
    expected = X.copy()
    expected[2:, :4] = -1
    assert (changed == expected).all()


@pytest.mark.parametrize("element", [i1, i8, i16, i32], ids=str)
def test_constants(element):
    kernel = Kernel(pointer(element), pointer(element))
    values = [1, 0, 1, 1] if element is i1 else [1, -1, 5, 100]
    kernel.store_all(kernel.arguments[0], kernel.constant(values, tile(4, element)))
    kernel.store_all(kernel.arguments[1], kernel.constant(values[0], tile(4, element)))
    dtype = {i1: np.bool_, i8: np.int8, i16: np.int16, i32: np.int32}[element]
    a, b = np.zeros(4, dtype), np.zeros(4, dtype)
    kernel.run(a, b)
    assert a.tolist() == values
    assert b.tolist() == [values[0]] * 4


def test_iota_of_i8_wraps():
    kernel = Kernel(pointer(i8))
    numbers = kernel.add(ops_tile.IotaOp(result_types=[tile(256, i8)]))
    kernel.store_all(kernel.arguments[0], numbers)
    out = np.zeros(256, np.int8)
    kernel.run(out)
    assert (out.view(np.uint8) == np.arange(256)).all()


def test_matrix_multiplication():
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((2, 4, 8), np.float32), rng.standard_normal((2, 8, 4), np.float32)
    kernel = Kernel(pointer(f32), pointer(f32), pointer(f32))
    left, right = shaped(kernel, kernel.arguments[0], 2, 4, 8), shaped(kernel, kernel.arguments[1], 2, 8, 4)
    acc = kernel.constant(1.0, tile(2, 4, 4, f32))
    store_flat(kernel, kernel.arguments[2], kernel.add(ops_tile.MmaFOp(left, right, acc)))
    out = np.zeros((2, 4, 4), np.float32)
    kernel.run(a, b, out)
    np.testing.assert_allclose(out, a.astype(float) @ b.astype(float) + 1, rtol=1e-6)


def test_integer_matrix_multiplication_reads_each_side_by_its_own_sign():
    a = np.arange(-16, 16, dtype=np.int8).reshape(4, 8)
    b = np.arange(-20, 12, dtype=np.int8).reshape(8, 4)
    kernel = Kernel(pointer(i8), pointer(i8), pointer(i32))
    left, right = shaped(kernel, kernel.arguments[0], 4, 8), shaped(kernel, kernel.arguments[1], 8, 4)
    acc = kernel.constant(0, tile(4, 4, i32))
    product = kernel.add(ops_tile.MmaIOp(left, right, acc, signedness_lhs=SIGNED, signedness_rhs=UNSIGNED))
    store_flat(kernel, kernel.arguments[2], product)
    out = np.zeros((4, 4), np.int32)
    kernel.run(a, b, out)
    assert (out == a.astype(int) @ b.view(np.uint8).astype(int)).all()


def test_scaled_matrix_multiplication():
    kernel = Kernel(pointer(f32))
    left = kernel.constant(2.0, tile(4, 32, f8E4M3FN))
    right = kernel.constant(1.0, tile(32, 4, f8E4M3FN))
    left_scale = kernel.constant(4.0, tile(4, 1, f8E8M0FNU))
    right_scale = kernel.constant(0.5, tile(1, 4, f8E8M0FNU))
    acc = kernel.constant(1.0, tile(4, 4, f32))
    store_flat(
        kernel,
        kernel.arguments[0],
        kernel.add(ops_tile.MmaFScaledOp(left, right, acc, left_scale, right_scale)),
    )
    out = np.zeros((4, 4), np.float32)
    kernel.run(out)
    assert (out == 2 * 32 * 4 * 0.5 + 1).all()


def body(elements, make):
    """A body region: arguments are (element, accumulator) pairs."""
    block = Block([tile(e) for e in elements for _ in range(2)])
    results = make(block, *block.arguments)
    block.append(ops_control.YieldOp(operands_=results))
    return Region([block])


def binary(op_class, **given):
    def make(block, element, accumulator):
        return [block.append(op_class(accumulator, element, **given)).results[0]]

    return make


ZERO32, ZERO_INT = FloatAttr(f32, 0), IntegerAttr(i32, 0)


@pytest.mark.parametrize("axis", [0, 1])
def test_reduce(axis):
    def total(kernel, t):
        return kernel.add(
            ops_tile.ReduceOp(
                operands_=[t],
                dim=axis,
                identities=(ZERO_INT,),
                body=body([i32], binary(ops_integer.AddIOp)),
                result_types=[tile(*np.delete(X.shape, axis).tolist(), i32)],
            )
        )

    assert (run_on(total, X, np.delete(X.shape, axis)) == X.sum(axis)).all()


def test_reduce_keeps_order_for_functions_that_do_not_commute():
    def last(kernel, t):
        """The function 'take the later one' is associative but not commutative."""
        return kernel.add(
            ops_tile.ReduceOp(
                operands_=[t],
                dim=1,
                identities=(ZERO_INT,),
                body=body([i32], lambda b, e, a: [e]),
                result_types=[tile(4, i32)],
            )
        )

    assert (run_on(last, X, (4,)) == X[:, -1]).all()


def test_reduce_of_two_operands_finds_the_position_of_the_maximum():
    def make(block, value, best, index, best_index):
        better = block.append(
            ops_integer.CmpIOp(
                ComparisonPredicate.GREATER_THAN, value, best, signedness=SIGNED, result_types=[tile(i1)]
            )
        ).results[0]
        first = block.append(ops_tile.SelectOp(better, value, best)).results[0]
        second = block.append(ops_tile.SelectOp(better, index, best_index)).results[0]
        return [first, second]

    values = np.array([[3, 9, 2, 9], [7, 1, 0, 6]], np.int32)
    kernel = Kernel(pointer(i32), pointer(i32), pointer(i32))
    t = shaped(kernel, kernel.arguments[0], 2, 4)
    row = kernel.add(ops_tile.ReshapeOp(kernel.iota(4), result_types=[tile(1, 4, i32)]))
    numbers = kernel.add(ops_tile.BroadcastOp(row, result_types=[tile(2, 4, i32)]))
    op = kernel.add(
        ops_tile.ReduceOp(
            operands_=[t, numbers],
            dim=1,
            identities=(ZERO_INT, ZERO_INT),
            body=body([i32, i32], make),
            result_types=[tile(2, i32), tile(2, i32)],
        )
    )
    for base, value in zip(kernel.arguments[1:], op.results, strict=True):
        kernel.store_all(base, value)
    best, where = np.zeros(2, np.int32), np.zeros(2, np.int32)
    kernel.run(values, best, where)
    assert best.tolist() == [9, 7]
    assert where.tolist() == [1, 0]


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("axis", [0, 1])
def test_scan(axis, reverse):
    def prefix(kernel, t):
        return kernel.add(
            ops_tile.ScanOp(
                operands_=[t],
                dim=axis,
                reverse=reverse,
                identities=(ZERO_INT,),
                body=body([i32], binary(ops_integer.AddIOp)),
                result_types=[t.type],
            )
        )

    out = run_on(prefix, X, X.shape)
    expected = np.flip(np.cumsum(np.flip(X, axis), axis), axis) if reverse else np.cumsum(X, axis)
    assert (out == expected).all()


def test_body_with_control_flow_is_evaluated_for_each_element():
    """Saturating addition with an `if` in the body."""

    def make(block, element, accumulator):
        total = block.append(ops_integer.AddIOp(element, accumulator)).results[0]
        limit = block.append(
            ops_tile.ConstantOp(value=dense(tile(i32), [20]), result_types=[tile(i32)])
        ).results[0]
        above = block.append(
            ops_integer.CmpIOp(
                ComparisonPredicate.GREATER_THAN, total, limit, signedness=SIGNED, result_types=[tile(i1)]
            )
        ).results[0]
        branches = []
        for value in (limit, total):
            branch = Block()
            branch.append(ops_control.YieldOp(operands_=[value]))
            branches.append(Region([branch]))
        choice = ops_control.IfOp(
            above, then_region=branches[0], else_region=branches[1], result_types=[tile(i32)]
        )
        return [block.append(choice).results[0]]

    def saturating(kernel, t):
        return kernel.add(
            ops_tile.ReduceOp(
                operands_=[t],
                dim=1,
                identities=(ZERO_INT,),
                body=body([i32], make),
                result_types=[tile(4, i32)],
            )
        )

    assert run_on(saturating, X // 4, (4,)).tolist() == [4, 20, 20, 20]


def test_float_reduction_in_half_precision():
    kernel = Kernel(pointer(f16), pointer(f16))
    t = kernel.load_all(kernel.arguments[0], 16)
    total = kernel.add(
        ops_tile.ReduceOp(
            operands_=[t],
            dim=0,
            identities=(FloatAttr(f16, 0),),
            body=body([f16], binary(ops_float.AddFOp, rounding_mode=EVEN)),
            result_types=[tile(f16)],
        )
    )
    kernel.store(kernel.arguments[1], total)
    x, out = np.arange(16, dtype=np.float16) / 8, np.zeros(1, np.float16)
    kernel.run(x, out)
    assert out[0] == x.sum()
