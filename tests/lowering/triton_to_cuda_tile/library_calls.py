"""Calls of the library for GPUs, one function at a time: a kernel of Triton that applies it to arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from tests.lowering.triton_to_cuda_tile.test_triton_kernels import converted, kernel
from tilewright.driver.launch import launch
from tilewright.ir.operation import Operation

ELEMENTS = {"f32": "f32", "f64": "f64", "i32": "i32", "i64": "i64", "u64": "i64"}
"""The types of Triton's IR, which has no unsigned ones."""
ARRAYS = {"f32": np.float32, "f64": np.float64, "i32": np.int32, "i64": np.int64, "u64": np.uint64}

SUFFIX = {"f32": "f", "f64": ""}
"""What the name of a function ends in, for each type of floats."""


def applied(name: str, result: str, kinds: Sequence[str], *operands: Any, target: str = "cpu") -> Any:
    """The results of the function ``__nv_`` with this name, one for each element of the operands of these ``kinds``."""
    arrays = [np.asarray(values, ARRAYS[kind]) for values, kind in zip(operands, kinds, strict=True)]
    count = len(arrays[0])
    size = 1 << (count - 1).bit_length()
    padded = [np.concatenate([array, np.repeat(array[-1:], size - count)]) for array in arrays]
    out = np.zeros(size, ARRAYS[result])
    called = _kernel(name, ELEMENTS[result], tuple(ELEMENTS[kind] for kind in kinds), size)
    launch(called, "k", (1,), [*padded, out], target=target)
    return out[:count]


@cache
def _kernel(name: str, result: str, kinds: tuple[str, ...], size: int) -> Operation:
    text = f"%at = tt.make_range {{end = {size} : i32, start = 0 : i32}} : tensor<{size}xi32>\n"
    for number, kind in enumerate([*kinds, result]):
        text += f"""%b{number} = tt.splat %x{number} : !tt.ptr<{kind}> -> tensor<{size}x!tt.ptr<{kind}>>
        %p{number} = tt.addptr %b{number}, %at : tensor<{size}x!tt.ptr<{kind}>>, tensor<{size}xi32>
        """
    for number, kind in enumerate(kinds):
        text += f"%v{number} = tt.load %p{number} : tensor<{size}x!tt.ptr<{kind}>>\n"
    values = ", ".join(f"%v{number}" for number in range(len(kinds)))
    types = ", ".join(f"tensor<{size}x{kind}>" for kind in kinds)
    text += f"""%r = tt.extern_elementwise {values}
        {{libname = "", libpath = "", pure = true, symbol = "__nv_{name}"}} : ({types}) -> tensor<{size}x{result}>
        tt.store %p{len(kinds)}, %r : tensor<{size}x!tt.ptr<{result}>>
        """
    parameters = ", ".join(f"%x{number}: !tt.ptr<{kind}>" for number, kind in enumerate([*kinds, result]))
    return converted(kernel(text, parameters))


def error(found: Any, exact: Fraction) -> float:
    """The distance in units of the last place of the type of what was found; what is too large is infinite there."""
    format = np.finfo(found.dtype)
    limit = Fraction(2) ** int(format.maxexp) * (1 - Fraction(1, 2 ** (format.nmant + 2)))
    if abs(exact) >= limit:
        return 0.0 if found == math.copysign(math.inf, exact) else math.inf
    if not np.isfinite(found):
        return math.inf
    unit = Fraction(float(np.spacing(np.abs(found.dtype.type(float(exact))))))
    return float(abs(Fraction(float(found)) - exact) / unit)
