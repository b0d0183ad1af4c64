"""Calls of the library for GPUs, one function at a time: a kernel of Triton that applies it to arrays."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from tests.lowering.triton_to_cuda_tile.test_triton_kernels import converted, kernel
from tilewright.driver.launch import launch
from tilewright.ir.operation import Operation

ELEMENTS = {"f16": "f16", "f32": "f32", "f64": "f64", "i32": "i32", "i64": "i64", "u64": "i64"}
"""The types of Triton's IR, which has no unsigned ones."""
ARRAYS = {
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
    "i32": np.int32,
    "i64": np.int64,
    "u64": np.uint64,
}

SUFFIX = {"f32": "f", "f64": ""}
"""What the name of a function ends in, for each type of floats."""


def applied(name: str, result: str, kinds: Sequence[str], *operands: Any, target: str = "cpu") -> Any:
    """The results of the function ``__nv_`` with this name, one for each element of the operands of these ``kinds``."""
    return each_applied({name: result}, kinds, *operands, target=target)[name]


def each_applied(
    results: Mapping[str, str], kinds: Sequence[str], *operands: Any, target: str = "interp"
) -> dict[str, Any]:
    """The results of several functions by name, applied to the same operands in one kernel; ``results`` has their types."""
    calls = {
        name: (result, f'{{libname = "", libpath = "", pure = true, symbol = "__nv_{name}"}}')
        for name, result in results.items()
    }
    lines = {
        name: (result, f"tt.extern_elementwise VALUES {call} : (TYPES) -> TILE[{ELEMENTS[result]}]")
        for name, (result, call) in calls.items()
    }
    return computed(lines, kinds, *operands, target=target)


def computed(
    lines: Mapping[str, tuple[str, str]], kinds: Sequence[str], *operands: Any, target: str = "interp"
) -> dict[str, Any]:
    """The results of several operations by name: each is a type and a line, which is computed for each element.

    In a line ``VALUES`` stands for all operands ``%v0``, ``%v1`` and so on, ``TYPES`` for their types, ``TYPE`` for the
    type of the first and ``TILE[f32]`` for another one.
    """
    arrays = [np.asarray(values, ARRAYS[kind]) for values, kind in zip(operands, kinds, strict=True)]
    count = len(arrays[0])
    size = 1 << (count - 1).bit_length()
    padded = [np.concatenate([array, np.repeat(array[-1:], size - count)]) for array in arrays]
    out = {name: np.zeros(size, ARRAYS[result]) for name, (result, _) in lines.items()}
    made = tuple((ELEMENTS[result], line) for result, line in lines.values())
    called = _kernel(made, tuple(ELEMENTS[kind] for kind in kinds), size)
    launch(called, "k", (1,), [*padded, *out.values()], target=target)
    return {name: found[:count] for name, found in out.items()}


@cache
def _kernel(lines: Sequence[tuple[str, str]], kinds: tuple[str, ...], size: int) -> Operation:
    text = f"%at = tt.make_range {{end = {size} : i32, start = 0 : i32}} : tensor<{size}xi32>\n"
    arrays = [*kinds, *(result for result, _ in lines)]
    for number, kind in enumerate(arrays):
        text += f"""%b{number} = tt.splat %x{number} : !tt.ptr<{kind}> -> tensor<{size}x!tt.ptr<{kind}>>
        %p{number} = tt.addptr %b{number}, %at : tensor<{size}x!tt.ptr<{kind}>>, tensor<{size}xi32>
        """
    for number, kind in enumerate(kinds):
        text += f"%v{number} = tt.load %p{number} : tensor<{size}x!tt.ptr<{kind}>>\n"
    values = ", ".join(f"%v{number}" for number in range(len(kinds)))
    types = ", ".join(f"tensor<{size}x{kind}>" for kind in kinds)
    for number, (result, line) in enumerate(lines):
        line = (
            line.replace("VALUES", values)
            .replace("TYPES", types)
            .replace("TYPE", f"tensor<{size}x{kinds[0]}>")
        )
        line = re.sub(r"TILE\[(\w+)\]", rf"tensor<{size}x\1>", line).replace("%r", f"%t{number}")
        *before, last = line.split("\n")
        text += "\n".join([*before, f"%r{number} = {last}"])
        text += f"\ntt.store %p{len(kinds) + number}, %r{number} : tensor<{size}x!tt.ptr<{result}>>\n"
    parameters = ", ".join(f"%x{number}: !tt.ptr<{kind}>" for number, kind in enumerate(arrays))
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
