"""Kernels for GPUs whose code is looked at: cuTile kernels at the tile sizes that are usual there, as bytecode."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import ml_dtypes
import numpy as np

from benchmarks import cpu_kernels, gpu_kernels
from tilewright import cutile

EXTENT = 4096
"""Rows, columns and depth of matrices, and the length of rows."""
RAGGED = 1000
"""An extent that no tile divides, and that lets no row begin at a multiple of 16 bytes."""
HEADS = 8
HALF, FLOAT, INTEGER, BYTE = (np.dtype(type) for type in (np.float16, np.float32, np.int32, np.int8))
BRAIN, TINY = np.dtype(ml_dtypes.bfloat16), np.dtype(ml_dtypes.float8_e4m3fn)


@dataclass(frozen=True)
class Case:
    """A kernel, and what one turn of its hot loop does for a block (the whole kernel, where it has no loop).

    ``multiplies`` are the multiply-adds of a turn; 0 for kernels on rows, whose work is ``elements``, of ``bytes`` each.
    ``twin`` names the kernel of `benchmarks.gpu_triton_kernels` that does the same, with its types, constants and warps.
    """

    bytecode: Callable[[], bytes]
    multiplies: int = 0
    elements: int = 0
    bytes: int = 4
    twin: tuple[str, Mapping[str, str], Mapping[str, Any], int] | None = None


def _empty(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    return np.empty(shape, dtype)


def _code(kernel: Any, shapes: list[tuple[tuple[int, ...], np.dtype[Any]]], *constants: Any) -> bytes:
    arrays = [_empty(shape, dtype) for shape, dtype in shapes]
    return cutile.compile_to_bytecode(kernel, (*arrays, *constants)).bytecode


# --- products

TRITON: Mapping[Any, str] = {
    HALF: "*fp16",
    BRAIN: "*bf16",
    FLOAT: "*fp32",
    BYTE: "*i8",
    TINY: "*fp8e4nv",
    INTEGER: "*i32",
}
"""The types of pointers in Triton."""


def _warps(tm: int, tn: int) -> int:
    """Triton's usual choice for the result of a block."""
    return 8 if tm * tn > 128 * 128 else 4


def _matrices(kernel: Any, types: tuple[Any, Any, Any], extent: int, constants: tuple[Any, ...]) -> bytes:
    size = extent, extent
    return _code(kernel, [(size, dtype) for dtype in types], *constants)


def _product(
    kernel: Any,
    types: tuple[Any, Any, Any],
    tile: tuple[int, int, int],
    *more: Any,
    twin: str = "matmul",
    **constants: Any,
) -> Case:
    tm, tn, tk = tile
    names = dict(zip("abc", (TRITON[type] for type in types), strict=True))
    extents = dict.fromkeys("mnk", "i32")
    meta = {"BM": tm, "BN": tn, "BK": tk, **constants}
    return Case(
        partial(_matrices, kernel, types, EXTENT, (*tile, *more)),
        multiplies=tm * tn * tk,
        twin=(twin, {**names, **extents}, meta, _warps(tm, tn)),
    )


def _floats(dtype: Any, *tile: int) -> Case:
    result = FLOAT if dtype == TINY else dtype
    tm, tn, tk = tile
    return _product(cpu_kernels.matmul, (dtype, dtype, result), (tm, tn, tk), 1, PRECISION="ieee")


def _bytes(*tile: int) -> Case:
    tm, tn, tk = tile
    return _product(gpu_kernels.product_of_bytes, (BYTE, BYTE, INTEGER), (tm, tn, tk), PRECISION="ieee")


def _tf32(*tile: int) -> Case:
    tm, tn, tk = tile
    return _product(gpu_kernels.product_of_tf32, (FLOAT, FLOAT, FLOAT), (tm, tn, tk), PRECISION="tf32")


def _half_product(kernel: Any, twin: str, result: Any = HALF) -> Case:
    return _product(kernel, (HALF, HALF, result), (128, 128, 64), twin=twin)


def _biased() -> Case:
    tile = 128, 128, 64
    size, vector = ((RAGGED, RAGGED), HALF), ((RAGGED,), HALF)
    names = {**dict.fromkeys(("a", "b", "bias", "c"), TRITON[HALF]), **dict.fromkeys("mnk", "i32 ragged")}
    return Case(
        partial(_code, gpu_kernels.biased_silu, [size, size, vector, size], *tile),
        multiplies=128 * 128 * 64,
        twin=("biased_silu", names, {"BM": 128, "BN": 128, "BK": 64}, 4),
    )


def _gated() -> Case:
    size = ((EXTENT, EXTENT), HALF)
    names = {**dict.fromkeys(("a", "b", "gate", "c"), TRITON[HALF]), **dict.fromkeys("mnk", "i32")}
    return Case(
        partial(_code, gpu_kernels.gated_product, [size] * 4, 128, 64, 64),
        multiplies=2 * 128 * 64 * 64,
        twin=("gated", names, {"BM": 128, "BN": 64, "BK": 64}, 4),
    )


def _gathered() -> Case:
    size = ((EXTENT, EXTENT), HALF)
    shapes = [size, ((EXTENT,), INTEGER), size, size]
    names = {"x": "*fp16", "rows": "*i32", "w": "*fp16", "c": "*fp16", **dict.fromkeys("nk", "i32")}
    return Case(
        partial(_code, gpu_kernels.gathered_product, shapes, 64, 128, 64),
        multiplies=64 * 128 * 64,
        twin=("gathered", names, {"BM": 64, "BN": 128, "BK": 64}, 4),
    )


def _convolution() -> Case:
    width, channels = 56, 128
    shapes = [
        ((width * width, channels), HALF),
        ((9 * channels, channels), HALF),
        ((width * width, channels), HALF),
    ]
    names = {**dict.fromkeys("xwc", "*fp16"), "pixels": "i32"}
    meta = {"WIDTH": width, "CHANNELS": channels, "BM": 128, "BN": 64, "BK": 32}
    return Case(
        partial(_code, gpu_kernels.convolution, shapes, width, channels, 128, 64, 32),
        multiplies=128 * 64 * 32,
        twin=("convolution", names, meta, 4),
    )


# --- attention


def _attention(dimension: int, tm: int, tn: int, causal: bool) -> Case:
    shapes = [((HEADS, EXTENT, dimension), HALF)] * 4
    names = {**dict.fromkeys(("q", "k", "v", "out"), "*fp16"), "scale": "fp32", "length": "i32"}
    meta = {"DIM": dimension, "BM": tm, "BN": tn, "CAUSAL": causal}
    return Case(
        partial(_code, gpu_kernels.attention, shapes, 1.0, dimension, tm, tn, causal),
        multiplies=2 * tm * tn * dimension,
        twin=("attention", names, meta, 8 if dimension == 128 else 4),
    )


def _older_attention(dimension: int, *tile: int) -> bytes:
    rows, columns = (((HEADS, *shape), HALF) for shape in ((EXTENT, dimension), (dimension, EXTENT)))
    return _code(cpu_kernels.attention, [rows, columns, rows, rows], 1.0, dimension, *tile)


# --- rows


def _whole_rows(
    kernel: Any, vectors: int, dtype: Any, rows: int, columns: int, twin: str, extent: int = 0
) -> Case:
    matrix, vector = ((EXTENT, extent or columns), dtype), ((extent or columns,), dtype)
    names = {
        "x": TRITON[dtype],
        **dict(zip(("weight", "bias"), [TRITON[dtype]] * vectors, strict=False)),
        "out": TRITON[dtype],
        "columns": "i32 ragged" if extent else "i32",
    }
    return Case(
        partial(_code, kernel, [matrix, *[vector] * vectors, matrix], rows, columns, 1),
        elements=rows * columns,
        bytes=dtype.itemsize,
        twin=(twin, names, {"ROWS": rows, "BLOCK": columns}, 4 if rows * columns <= 4096 else 8),
    )


def _rows_to_vector(kernel: Any, result: Any, twin: str) -> Case:
    shapes = [((EXTENT, 1024), FLOAT), ((EXTENT,), result)]
    names = {"x": "*fp32", "out": TRITON[result], "columns": "i32"}
    return Case(
        partial(_code, kernel, shapes, 4, 1024),
        elements=4096,
        twin=(twin, names, {"ROWS": 4, "BLOCK": 1024}, 4),
    )


def _in_parts(kernel: Any, dtype: Any, vectors: int, block: int, twin: str) -> Case:
    matrix, vector = ((EXTENT, EXTENT), dtype), ((EXTENT,), dtype)
    names = {
        "x": TRITON[dtype],
        **dict(zip(("weight", "bias"), [TRITON[dtype]] * vectors, strict=False)),
        "out": TRITON[dtype],
        "columns": "i32",
    }
    constants = (EXTENT, block) if vectors else (block,)
    return Case(
        partial(_code, kernel, [matrix, *[vector] * vectors, matrix], *constants),
        elements=block,
        bytes=dtype.itemsize,
        twin=(twin, names, {"BLOCK": block}, 4),
    )


def _vectors(kernel: Any, dtype: Any, block: int, twin: str, count: int = 3, *constants: int) -> Case:
    names = {
        **dict(zip(("x", "y"), [TRITON[dtype]] * (count - 1), strict=False)),
        "out": TRITON[dtype],
        "n": "i32",
    }
    return Case(
        partial(_code, kernel, [((1 << 16,), dtype)] * count, block, *constants),
        elements=block,
        bytes=dtype.itemsize,
        twin=(twin, names, {"BLOCK": block}, 4),
    )


def _tiles(dtype: Any, tm: int, tn: int) -> Case:
    shapes = [((EXTENT, EXTENT), dtype)] * 2
    names = {"x": TRITON[dtype], "out": TRITON[dtype], "m": "i32", "n": "i32"}
    return Case(
        partial(_code, cpu_kernels.transpose, shapes, tm, tn, 1),
        elements=tm * tn,
        bytes=dtype.itemsize,
        twin=("transpose", names, {"BM": tm, "BN": tn}, 4),
    )


def _rotated() -> Case:
    shapes = [((EXTENT, 128), HALF), *[((EXTENT, 64), FLOAT)] * 2, ((EXTENT, 128), HALF)]
    names = {"x": "*fp16", "cosine": "*fp32", "sine": "*fp32", "out": "*fp16"}
    return Case(
        partial(_code, gpu_kernels.rotated, shapes, 16, 64),
        elements=16 * 128,
        bytes=2,
        twin=("rotated", names, {"ROWS": 16, "HALF": 64}, 4),
    )


def _rows_by_index() -> Case:
    shapes = [((EXTENT, 256), HALF), ((EXTENT,), INTEGER), ((EXTENT, 256), HALF)]
    names = {"table": "*fp16", "indices": "*i32", "out": "*fp16"}
    return Case(
        partial(_code, gpu_kernels.rows_by_index, shapes, 16, 256),
        elements=16 * 256,
        bytes=2,
        twin=("rows_by_index", names, {"ROWS": 16, "BLOCK": 256}, 4),
    )


CASES: Mapping[str, Case] = {
    "matmul f16 128x128x64": _floats(HALF, 128, 128, 64),
    "matmul f16 128x256x64": _floats(HALF, 128, 256, 64),
    "matmul f16 256x128x64": _floats(HALF, 256, 128, 64),
    "matmul f16 64x64x32": _floats(HALF, 64, 64, 32),
    "matmul bf16 128x128x64": _floats(BRAIN, 128, 128, 64),
    "matmul bf16 128x256x64": _floats(BRAIN, 128, 256, 64),
    "matmul bf16 64x64x32": _floats(BRAIN, 64, 64, 32),
    "matmul tf32 128x128x64": _tf32(128, 128, 64),
    "matmul tf32 64x64x32": _tf32(64, 64, 32),
    "matmul fp8 128x128x64": _floats(TINY, 128, 128, 64),
    "matmul fp8 128x256x64": _floats(TINY, 128, 256, 64),
    "matmul fp8 64x64x64": _floats(TINY, 64, 64, 64),
    "matmul i8 128x128x64": _bytes(128, 128, 64),
    "matmul i8 128x256x64": _bytes(128, 256, 64),
    "matmul i8 64x64x64": _bytes(64, 64, 64),
    "matmul f32 64x64x32": _floats(FLOAT, 64, 64, 32),
    "matmul f32 128x128x64": _floats(FLOAT, 128, 128, 64),
    "matmul f16 transposed B 128x128x64": _half_product(gpu_kernels.product_with_transposed, "transposed"),
    "matmul f16 persistent 128x128x64": _half_product(gpu_kernels.persistent_product, "persistent"),
    "matmul f16 split-K 128x128x64": _half_product(gpu_kernels.split_product, "split", FLOAT),
    "matmul f16 bias silu ragged 128x128x64": _biased(),
    "matmul f16 gated 128x64x64": _gated(),
    "gathered rows matmul f16 64x128x64": _gathered(),
    "convolution 3x3 f16 128x64x32": _convolution(),
    "attention f16 d64 128x64": _attention(64, 128, 64, False),
    "attention f16 d64 128x128": _attention(64, 128, 128, False),
    "attention f16 d64 causal 128x64": _attention(64, 128, 64, True),
    "attention f16 causal d64 128x128": Case(
        partial(_older_attention, 64, 128, 128),
        multiplies=2 * 128 * 128 * 64,
        twin=_attention(64, 128, 128, True).twin,
    ),
    "attention f16 d128 128x64": _attention(128, 128, 64, False),
    "attention f16 causal d128 128x64": Case(
        partial(_older_attention, 128, 128, 64),
        multiplies=2 * 128 * 64 * 128,
        twin=_attention(128, 128, 64, True).twin,
    ),
    "attention f16 d128 causal 128x64": _attention(128, 128, 64, True),
    "attention f16 d128 causal 128x128": _attention(128, 128, 128, True),
    "vector add f32 1024": _vectors(cpu_kernels.add, FLOAT, 1024, "add", 3, 1),
    "vector add f32 4096": _vectors(cpu_kernels.add, FLOAT, 4096, "add", 3, 1),
    "vector add f16 2048": _vectors(cpu_kernels.add, HALF, 2048, "add", 3, 1),
    "gelu f32 1024": _vectors(cpu_kernels.gelu, FLOAT, 1024, "gelu", 2, 1),
    "silu times f16 2048": _vectors(gpu_kernels.silu_times, HALF, 2048, "silu_times"),
    "softmax f16 2048": _whole_rows(cpu_kernels.softmax, 0, HALF, 1, 2048, "softmax"),
    "softmax f16 4096": _whole_rows(cpu_kernels.softmax, 0, HALF, 1, 4096, "softmax"),
    "softmax f32 ragged 1000": _whole_rows(cpu_kernels.softmax, 0, FLOAT, 1, 1024, "softmax", RAGGED),
    "softmax f32 in parts 1024": _in_parts(gpu_kernels.softmax_in_parts, FLOAT, 0, 1024, "softmax_in_parts"),
    "layer norm f16 4096": _whole_rows(cpu_kernels.layernorm, 2, HALF, 1, 4096, "layer_norm"),
    "layer norm f16 in parts 1024": _in_parts(
        gpu_kernels.layer_norm_in_parts, HALF, 2, 1024, "layer_norm_in_parts"
    ),
    "RMS norm bf16 4x2048": _whole_rows(cpu_kernels.rmsnorm, 1, BRAIN, 4, 2048, "rms_norm"),
    "row sums f32 4x1024": _rows_to_vector(cpu_kernels.rowsum, FLOAT, "row_sums"),
    "argmax f32 4x1024": _rows_to_vector(gpu_kernels.largest_places, INTEGER, "largest_places"),
    "rope f16 16x128": _rotated(),
    "rows by index f16 16x256": _rows_by_index(),
    "transpose f16 64x64": _tiles(HALF, 64, 64),
    "transpose f32 32x128": _tiles(FLOAT, 32, 128),
    "cumulative sum f32 4x512": _whole_rows(cpu_kernels.cumsum, 0, FLOAT, 4, 512, "running_sums"),
    "cumulative sum f32 2048": _vectors(gpu_kernels.running_sum, FLOAT, 2048, "running_sum", 2),
    "histogram i32 512 relaxed": _vectors(gpu_kernels.relaxed_histogram, INTEGER, 512, "histogram", 2),
    "histogram i32 1024": _vectors(gpu_kernels.histogram, INTEGER, 1024, "histogram", 2),
}
"""The kernels by their names."""

CHIPS: Mapping[str, str] = {
    "sm_80": "sm_80",
    "sm_89": "sm_89",
    "sm_90a": "sm_90",
    "sm_100a": "sm_100",
    "sm_120a": "sm_120",
}
"""The chips, each with the name by which NVIDIA's compiler knows it."""
