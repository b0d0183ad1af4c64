"""Products of matrices on the CPU: every element type, shapes that do not fill a vector, factors that are turned."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import tilewright
from tests.targets.cpu.kernel.whole_kernels import ELEMENTS, Kernel, row_major, tensor
from tilewright.dialects.arith.attributes import CmpIPredicate
from tilewright.dialects.arith.ops_float import MulFOp
from tilewright.dialects.arith.ops_integer import CmpIOp
from tilewright.dialects.nv_tileaa.attributes import PaddingValue, Signedness
from tilewright.dialects.nv_tileaa.ops import (
    math as ops_math,
    memory as ops_memory,
    pointer as ops_pointer,
    shape as ops_shape,
    structure as ops_structure,
)
from tilewright.dialects.nv_tileaa.types import MEM_TOKEN, TiledViewType, TileMemRefType
from tilewright.dialects.nv_tileas import ops_tile
from tilewright.interp.numerics import matmul
from tilewright.interp.numerics.element import FORMATS
from tilewright.ir.builtin_types import f8E4M3FN, f8E5M2, f8E8M0FNU, tf32
from tilewright.targets.cpu.machine.host import obstacle, processor

SHAPES = [
    (1, 1, 1),
    (1, 16, 64),
    (64, 16, 1),
    (2, 4, 8),
    (1, 64, 1),
    (4, 2, 32),
    (16, 1, 16),
    (8, 32, 128),
    (64, 64, 32),
    (32, 32, 2),
]
"""Rows, depth, columns."""
SIGNS = {True: Signedness.SIGNED, False: Signedness.UNSIGNED}


def numbers(shape: Sequence[int], dtype: Any, seed: int = 0) -> np.ndarray:
    """Small numbers with few bits: sums of products of them are exact in f32."""
    random = np.random.default_rng((seed, *shape))
    return (random.integers(-8, 9, shape) / 4).astype(dtype)


def product(kernel: Kernel, a: Any, b: Any, c: Any, *scales: Any, **more: Any) -> Any:
    return kernel.add(ops_math.DotOp(a, b, c, *scales, result_types=[c.type], **more))


def turned(kernel: Kernel, tile: Any) -> Any:
    """A tile with its last two dimensions in the other order."""
    shape = tile.type.shape
    permutation = (*range(len(shape) - 2), len(shape) - 1, len(shape) - 2)
    type = tensor([shape[at] for at in permutation], tile.type.element_type)
    return kernel.add(ops_shape.PermuteOp(tile, permutation, result_types=[type]))


def load_turned(kernel: Kernel, at: int, tile: Sequence[int]) -> Any:
    """A tile of an array of three dimensions, whose last two walk the array's in the other order."""
    array: Any = kernel.arrays[at]
    element, sizes = ELEMENTS[array.dtype], tuple(tile)
    memory = TileMemRefType(array.shape, element, row_major(array.shape))
    made = kernel.add(ops_structure.MakeMemrefOp(kernel.arguments[at], result_types=[memory]))
    view = ops_structure.BlockTileOp(
        made, sizes, ((0,), (2,), (1,)), result_types=[TiledViewType(memory, sizes)]
    )
    op = ops_memory.TiledLoadOp(
        kernel.add(view),
        [kernel.number(0)] * 3,
        kernel.token,
        in_bounds=(False,) * 3,
        padding_value=PaddingValue.ZERO,
        result_types=[tensor(sizes, element), MEM_TOKEN],
    )
    return kernel.add(op).results[0]


def reshaped(kernel: Kernel, tile: Any, *shape: int) -> Any:
    return kernel.add(ops_shape.ViewOp(tile, result_types=[tensor(shape, tile.type.element_type)]))


def bitcast(kernel: Kernel, tile: Any, element: Any) -> Any:
    return kernel.add(ops_pointer.BitcastOp(tile, result_types=[tensor(tile.type.shape, element)]))


def expected(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    exact = a.astype(np.float64) @ b.astype(np.float64) + c.astype(np.float64)
    return exact.astype(c.dtype)


def run_products(
    factors: Sequence[tuple[np.ndarray, np.ndarray, np.ndarray]], **more: Any
) -> list[np.ndarray]:
    """All products in one kernel."""
    target = processor(more.pop("target", "host"))
    sums = [np.zeros_like(c) for _, _, c in factors]
    kernel = Kernel(*(array for factor in factors for array in factor), *sums)
    for at in range(len(factors)):
        a, b, c = (kernel.load(3 * at + each) for each in range(3))
        kernel.store(3 * len(factors) + at, product(kernel, a, b, c, **more))
    kernel.run(target=target)
    return sums


@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16])
def test_shapes_of_floats(dtype: Any) -> None:
    factors = [
        (numbers((m, k), dtype, 1), numbers((k, n), dtype, 2), numbers((m, n), np.float32, 3))
        for m, k, n in SHAPES
    ]
    for factor, found in zip(factors, run_products(factors), strict=True):
        assert (found == expected(*factor)).all(), [array.shape for array in factor]


@pytest.mark.parametrize("target", ["host", "x86-64-v3", "x86-64"])
def test_rows_that_do_not_fill_blocks(target: str) -> None:
    """Many rows are computed six at a time: four are left over of 256."""
    if obstacle(processor(target)):
        pytest.skip(obstacle(processor(target)))
    a, b = numbers((256, 32), np.float32, 1), numbers((32, 64), np.float32, 2)
    c = numbers((256, 64), np.float32, 3)
    (sums,) = run_products([(a, b, c)], target=target)
    assert (sums == expected(a, b, c)).all()


def test_sums_are_rounded_before_they_are_added() -> None:
    """To a large number one product is nothing, and many are something."""
    ones, halves = np.ones((16, 64), np.float32), np.full((64, 32), 0.5, np.float32)
    (sums,) = run_products([(ones, halves, np.full((16, 32), 2.0**24, np.float32))])
    assert (sums == 2.0**24 + 32).all()


@pytest.mark.parametrize("signs", [(True, True), (True, False), (False, True), (False, False)])
def test_shapes_of_integers(signs: tuple[bool, bool]) -> None:
    random = np.random.default_rng(0)
    factors = [
        (
            random.integers(-128, 128, (m, k)).astype(np.int8),
            random.integers(-128, 128, (k, n)).astype(np.int8),
            random.integers(-(2**31), 2**31, (m, n)).astype(np.int32),
        )
        for m, k, n in SHAPES
    ]
    found = run_products(factors, signedness_a=SIGNS[signs[0]], signedness_b=SIGNS[signs[1]])
    for (a, b, c), sums in zip(factors, found, strict=True):
        assert (sums == matmul.mmai(a, b, c, *signs)).all(), (a.shape, b.shape)


@pytest.mark.parametrize("dtype", [np.float32, ml_dtypes.bfloat16])
@pytest.mark.parametrize(("m", "k", "n"), [(16, 64, 64), (64, 16, 32), (4, 4, 16), (32, 64, 2)])
def test_turned_factors(dtype: Any, m: int, k: int, n: int) -> None:
    a, b, c = numbers((k, m), dtype, 1), numbers((n, k), dtype, 2), numbers((m, n), np.float32, 3)
    sums = np.zeros_like(c)
    kernel = Kernel(a, b, c, sums)
    left, right = turned(kernel, kernel.load(0)), turned(kernel, kernel.load(1))
    kernel.store(3, product(kernel, left, right, kernel.load(2)))
    kernel.run(target=processor())
    assert (sums == expected(a.T, b.T, c)).all()


@pytest.mark.parametrize("dtype", [np.float32, ml_dtypes.bfloat16])
@pytest.mark.parametrize(("k", "n"), [(32, 64), (23, 64), (32, 50), (23, 50)])
def test_turned_factors_that_are_reshaped(dtype: Any, k: int, n: int) -> None:
    """As attention loads its keys: the first of some matrices, turned; at edges, too."""
    a, b = numbers((2, 16, k), dtype, 1), numbers((2, n, k), dtype, 2)
    sums = np.zeros((16, 64), np.float32)
    kernel = Kernel(a, b, sums)
    left = reshaped(kernel, kernel.load(0, (1, 16, 32)), 16, 32)
    right = reshaped(kernel, load_turned(kernel, 1, (1, 32, 64)), 32, 64)
    kernel.store(2, product(kernel, left, right, kernel.constant(np.zeros((16, 64), np.float32))))
    kernel.run(target=processor())
    assert (sums[:, :n] == expected(a[0], b[0].T, np.zeros((16, n), np.float32))).all()
    assert not sums[:, n:].any()


@pytest.mark.parametrize("shape", [(4, 1, 8, 32), (1, 4, 8, 32)])
def test_batches_that_are_reshaped(shape: tuple[int, ...]) -> None:
    """Matrices of a batch need not be along the first dimension of what is loaded."""
    a, b = numbers(shape, np.float32, 1), numbers((4, 32, 64), np.float32, 2)
    c = np.zeros((4, 8, 64), np.float32)
    sums = np.zeros_like(c)
    kernel = Kernel(a, b, sums)
    left = reshaped(kernel, kernel.load(0), 4, 8, 32)
    kernel.store(2, product(kernel, left, kernel.load(1), kernel.constant(c)))
    kernel.run(target=processor())
    assert (sums == expected(a.reshape(4, 8, 32), b, c)).all()


@pytest.mark.parametrize("dtype", [np.float32, ml_dtypes.bfloat16, np.int8])
def test_batches(dtype: Any) -> None:
    a, b = (numbers((4, *shape), np.float32, 1) for shape in ((8, 32), (32, 64)))
    signs = {"signedness_a": SIGNS[True], "signedness_b": SIGNS[True]} if dtype is np.int8 else {}
    a, b = (np.round(array * 4).astype(dtype) for array in (a, b))
    c = np.ones((4, 8, 64), np.int32 if signs else np.float32)
    (sums,) = run_products([(a, b, c)], **signs)
    assert (sums == expected(a, b, c)).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize(("rows", "depth", "columns"), [(20, 50, 40), (16, 16, 32), (3, 7, 5)])
def test_tiles_that_reach_over_the_edge(dtype: Any, rows: int, depth: int, columns: int) -> None:
    """What is outside counts as zero, and nothing there is written."""
    a, b = numbers((rows, depth), dtype, 1), numbers((depth, columns), dtype, 2)
    out = np.zeros((32, 64), np.float32)
    kernel = Kernel(a, b, out)
    zero = kernel.constant(np.zeros((32, 64), np.float32))
    left, right = kernel.load(0, (32, 64)), kernel.load(1, (64, 64))
    kernel.store(2, product(kernel, left, right, zero))
    kernel.run(target=processor())
    assert (out[:rows, :columns] == expected(a, b, np.zeros((rows, columns), np.float32))).all()
    assert not out[rows:].any()
    assert not out[:, columns:].any()


def test_a_factor_that_is_computed_and_one_used_twice() -> None:
    """A product of a product, of a tile that is also stored, and of one that is scaled on its way."""
    a, b = numbers((16, 16), np.float32, 1), numbers((16, 16), np.float32, 2)
    sums, copy = np.zeros_like(a), np.zeros_like(a)
    kernel = Kernel(a, b, sums, copy)
    zero = kernel.constant(np.zeros((16, 16), np.float32))
    left, right = kernel.load(0), kernel.load(1)
    doubled = kernel.add(MulFOp(right, kernel.constant(np.full((16, 16), 2, np.float32))))
    first = product(kernel, left, doubled, zero)
    kernel.store(2, product(kernel, first, left, first))
    kernel.store(3, left)
    kernel.run(target=processor())
    assert (copy == a).all()
    assert (sums == (a @ (2 * b)) @ a + a @ (2 * b)).all()


def test_a_load_before_a_store_to_the_same_place() -> None:
    """The factor is what was there before the store, though it is packed after it."""
    a, b = numbers((16, 16), np.float32, 1), numbers((16, 16), np.float32, 2)
    kept, sums = b.copy(), np.zeros_like(a)
    kernel = Kernel(a, b, sums)
    left, right = kernel.load(0), kernel.load(1)
    kernel.store(1, kernel.constant(np.ones((16, 16), np.float32)))
    zero = kernel.constant(np.zeros((16, 16), np.float32))
    kernel.store(2, product(kernel, left, right, zero))
    kernel.run(target=processor())
    assert (b == 1).all()
    assert (sums == a @ kept).all()


@pytest.mark.parametrize("element", [f8E4M3FN, f8E5M2], ids=lambda element: element.spelling)
def test_narrow_floats(element: Any) -> None:
    """Every number of a format, infinite and NaN included."""
    form = FORMATS[element.spelling]
    bits = np.arange(256, dtype=np.uint8).view(np.int8).reshape(16, 16)
    one = np.eye(16).astype(form.array_dtype).view(np.int8)
    finite = np.where(np.isfinite(bits.view(form.array_dtype).astype(np.float64)), bits, 0).astype(np.int8)
    sums = np.zeros((16, 16), np.float32)
    kernel = Kernel(finite, one, sums)
    left, right = (bitcast(kernel, kernel.load(at), element) for at in range(2))
    kernel.store(2, product(kernel, left, right, kernel.constant(np.zeros((16, 16), np.float32))))
    kernel.run(target=processor())
    assert (sums == finite.view(form.array_dtype).astype(np.float32)).all()


def test_scaled_blocks() -> None:
    """Each block along the depth has a scale; large scales of A and small ones of B cancel beyond the range of f32."""
    form, scale = FORMATS["f8E4M3FN"], FORMATS["f8E8M0FNU"]
    random = np.random.default_rng(0)
    a, b = (numbers(shape, form.array_dtype, seed) for seed, shape in enumerate([(16, 64), (64, 32)]))
    sa = random.integers(127 - 4, 127 + 4, (16, 2)).astype(np.uint8)
    sb = random.integers(127 - 4, 127 + 4, (2, 32)).astype(np.uint8)
    sa[0], sb[:, 0] = 253, 1
    c, sums = numbers((16, 32), np.float32, 3), np.zeros((16, 32), np.float32)
    kernel = Kernel(*(array.view(np.int8) for array in (a, b, sa, sb)), c, sums)
    tiles = [bitcast(kernel, kernel.load(at), f8E4M3FN if at < 2 else f8E8M0FNU) for at in range(4)]
    kernel.store(5, product(kernel, tiles[0], tiles[1], kernel.load(4), tiles[2], tiles[3]))
    kernel.run(target=processor())
    scales = [array.view(scale.array_dtype) for array in (sa, sb)]
    reference = matmul.mmaf_scaled(a, b, c, *scales, form, scale)
    assert np.allclose(sums, reference, rtol=1e-6, atol=0, equal_nan=True)


def test_tf32_keeps_all_its_bits() -> None:
    a, b = numbers((16, 16), np.float32, 1), numbers((16, 32), np.float32, 2)
    sums = np.zeros((16, 32), np.float32)
    kernel = Kernel(a, b, sums)
    left, right = (
        kernel.add(ops_math.FpToFpOp(kernel.load(at), result_types=[tensor((a, b)[at].shape, tf32)]))
        for at in range(2)
    )
    zero = kernel.constant(np.zeros((16, 32), np.float32))
    kernel.store(2, product(kernel, left, right, zero, input_precision="tf32"))
    kernel.run(target=processor())
    assert (sums == a @ b).all()


@pytest.mark.parametrize("flag", [0, 1])
def test_what_is_added_to_may_be_left_out(flag: int) -> None:
    """Without it nothing of it is seen, NaN included."""
    a, b = numbers((16, 16), np.float32, 1), numbers((16, 16), np.float32, 2)
    c, sums = np.full((16, 16), np.nan if not flag else 1, np.float32), np.zeros((16, 16), np.float32)
    kernel = Kernel(a, b, c, sums, flag)
    wanted = kernel.add(CmpIOp(CmpIPredicate.EQ, kernel.arguments[4], kernel.number(1)))
    tiles = [kernel.load(at) for at in range(3)]
    made = kernel.add(
        ops_tile.DotOp(a=tiles[0], b=tiles[1], c=tiles[2], accumulate=wanted, result_types=[tiles[2].type])
    )
    kernel.store(3, made)
    kernel.run(target=processor())
    assert (sums == a @ b + flag).all()


# --- instructions of other processors


FLUSHING = re.compile("v(cvtne2?ps2bf16|dpbf16ps)|bfdot|bfmmla")
"""Instructions that take subnormal numbers for zero."""
INSTRUCTIONS = [
    ("sapphirerapids", ml_dtypes.bfloat16, "vfmadd231ps"),
    ("neoverse-v1", ml_dtypes.bfloat16, "fmla"),
    ("icelake-server", np.int8, "vpdpwssd"),
    ("x86-64-v4", np.int8, "vpmaddwd"),
    ("x86-64-v3", np.int8, "vpmaddwd"),
    ("x86-64", np.int8, "pmaddwd"),
    ("x86-64-v3", np.float32, "vfmadd231ps"),
    ("aarch64", np.float32, "fmla"),
]


@pytest.mark.parametrize(("name", "dtype", "instruction"), INSTRUCTIONS)
def test_instructions(name: str, dtype: Any, instruction: str) -> None:
    a, b = np.zeros((16, 32), dtype), np.zeros((32, 32), dtype)
    c = np.zeros((16, 32), np.int32 if dtype is np.int8 else np.float32)
    signs = {"signedness_a": SIGNS[True], "signedness_b": SIGNS[True]} if dtype is np.int8 else {}
    kernel = Kernel(a, b, c)
    kernel.store(2, product(kernel, *(kernel.load(at) for at in range(3)), **signs))
    options = tilewright.CompileOptions(cpu=name)
    text = str(tilewright.compile(tilewright.Module(kernel.module()), options=options).asm["asm"])
    assert instruction in text
    assert not FLUSHING.search(text)


def test_products_of_subnormal_factors() -> None:
    """The instructions of AVX512-BF16 take them for zero."""
    a, b = (
        np.full(shape, 2.0**power, ml_dtypes.bfloat16) for shape, power in (((16, 32), -130), ((32, 32), 60))
    )
    c, sums = np.zeros((16, 32), np.float32), np.zeros((16, 32), np.float32)
    kernel = Kernel(a, b, c, sums)
    kernel.store(3, product(kernel, *(kernel.load(at) for at in range(3))))
    kernel.run(target=processor())
    assert (sums == 32 * 2.0**-70).all()
