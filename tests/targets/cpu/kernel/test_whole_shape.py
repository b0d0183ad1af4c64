"""Whole tiles on the CPU: turning, cutting, joining, folding."""

import numpy as np
import pytest

from tests.targets.cpu.kernel.whole_kernels import ELEMENTS, Kernel, tensor
from tilewright.dialects.arith import ops_float, ops_integer
from tilewright.dialects.arith.attributes import CmpIPredicate
from tilewright.dialects.nv_tileaa.ops import shape as ops_shape

DTYPES = [np.bool_, np.int8, np.float16, np.float32, np.int64]


def numbers(shape, dtype=np.float32):
    return np.arange(np.prod(shape)).reshape(shape).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    ("shape", "permutation"),
    [
        ((64, 32), (1, 0)),
        ((4, 16), (1, 0)),
        ((2, 1, 8, 4), (3, 1, 2, 0)),
        ((16, 4, 16), (2, 0, 1)),
        ((1, 8), (1, 0)),
    ],
)
def test_permutations(dtype, shape, permutation):
    array = (
        numbers(shape, np.int64).astype(dtype) if dtype is not np.bool_ else numbers(shape, np.int64) % 3 == 0
    )
    out = np.zeros(array.transpose(permutation).shape, dtype)
    kernel = Kernel(array, out)
    type = tensor(out.shape, ELEMENTS[array.dtype])
    kernel.store(1, kernel.add(ops_shape.PermuteOp(kernel.load(0), permutation, result_types=[type])))
    kernel.run()
    assert (out == array.transpose(permutation)).all()


def without(shape, axis):
    return (*shape[:axis], *shape[axis + 1 :])


def fold(kernel, op_class, inputs, axis, make, **more):
    elements = [value.type.element_type for value in inputs]
    body = kernel.region([*elements, *elements], make)
    rest = without(inputs[0].type.shape, axis)
    types = [tensor(rest, element) if rest else element for element in elements]
    if op_class is ops_shape.ScanOp:
        types = [value.type for value in inputs]
    return kernel.add(op_class(list(inputs), axis, body=body, result_types=types, **more))


def added(kernel):
    return lambda a, b: [kernel.add(ops_integer.AddIOp(a, b))]


def later(kernel):
    return lambda a, b: [b]


def scanned(array, axis, reverse):
    return (
        np.flip(np.cumsum(np.flip(array, axis), axis, dtype=array.dtype), axis)
        if reverse
        else np.cumsum(array, axis, dtype=array.dtype)
    )


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(
    ("shape", "axis"),
    [((4, 64), 1), ((64, 4), 0), ((8, 2, 16), 1), ((32,), 0), ((16, 1), 0), ((4, 1), 1), ((2, 2), 1)],
)
def test_scans(shape, axis, reverse):
    array = numbers(shape, np.int32) % 7
    out, behind, last = np.zeros_like(array), np.zeros_like(array), np.zeros_like(array)
    kernel = Kernel(array, out, behind, last)
    for at, (inclusive, make) in enumerate([(True, added), (False, added), (True, later)]):
        result = fold(kernel, ops_shape.ScanOp, [kernel.load(0)], axis, make(kernel), inclusive=inclusive)
        if reverse:
            result.owner.reverse = True
        kernel.store(1 + at, result)
    kernel.run()
    expected = scanned(array, axis, reverse)
    assert (out == expected).all()
    assert (behind == expected - array).all()
    assert (last == array).all()


SHAPES = [((4, 64), 1), ((64, 4), 0), ((8, 2, 16), 1), ((32,), 0), ((16, 1), 0), ((16, 1), 1), ((2, 128), 1)]


@pytest.mark.parametrize(("shape", "axis"), SHAPES)
def test_reductions_keep_the_order_of_elements(shape, axis):
    """The last element, the first one, and where the greatest is first."""
    array = (numbers(shape, np.int32) * 37) % 19
    places = np.broadcast_to(
        np.expand_dims(np.arange(shape[axis]), [d for d in range(len(shape)) if d != axis]), shape
    )
    rest = without(shape, axis) or (1,)
    outs = [np.zeros(rest, np.int32) for _ in range(4)]
    kernel = Kernel(array, np.ascontiguousarray(places, dtype=np.int32), *outs)

    def greatest(a, at_a, b, at_b):
        better = kernel.add(ops_integer.CmpIOp(CmpIPredicate.SGT, b, a))
        return [kernel.add(ops_integer.SelectOp(better, x, y)) for x, y in ((b, a), (at_b, at_a))]

    last = fold(kernel, ops_shape.ReduceOp, [kernel.load(0)], axis, lambda a, b: [b])
    first = fold(kernel, ops_shape.ReduceOp, [kernel.load(0)], axis, lambda a, b: [a])
    most = fold(
        kernel,
        ops_shape.ReduceOp,
        [kernel.load(0), kernel.load(1)],
        axis,
        lambda a, i, b, j: greatest(a, i, b, j),
    )
    for at, value in enumerate([last, first, *most.results]):
        kernel.store(2 + at, value if len(shape) > 1 else kernel.splat(value, 1))
    kernel.run()
    assert (outs[0] == array.take(-1, axis)).all()
    assert (outs[1] == array.take(0, axis)).all()
    assert (outs[2] == array.max(axis)).all()
    assert (outs[3] == array.argmax(axis)).all()


@pytest.mark.parametrize(("shape", "axis"), SHAPES)
def test_sums_of_two_tiles_at_once(shape, axis):
    array = numbers(shape)
    rest = without(shape, axis) or (1,)
    outs = [np.zeros(rest, np.float32), np.zeros(rest, np.float32)]
    kernel = Kernel(array, *outs)
    tile = kernel.load(0)

    def body(a, b, c, d):
        return [kernel.add(ops_float.AddFOp(a, c)), kernel.add(ops_float.MaximumFOp(b, d))]

    made = fold(kernel, ops_shape.ReduceOp, [tile, tile], axis, body)
    for at, value in enumerate(made.results):
        kernel.store(1 + at, value if len(shape) > 1 else kernel.splat(value, 1))
    kernel.run()
    assert (outs[0] == array.sum(axis)).all()
    assert (outs[1] == array.max(axis)).all()
