"""What the instructions of AMX do, in NumPy, for processors without them: calls in LLVM IR are led here.

The meaning is that of Intel's "Architecture Instruction Set Extensions Programming Reference" (TDPBF16PS, TDPFP16PS,
TDPBSSD and their kin): even and odd products of floats are summed apart, by fused multiply-adds of f32 that take subnormal
numbers for zero, then added to each other, and to the sum.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from tilewright.interp.numerics import arithmetic

Array = np.ndarray[Any, Any]
INTRINSIC = re.compile(r"@llvm\.x86\.(td\w+|tile\w+|ldtilecfg)\b")
DECLARED = re.compile(r"^declare void @model\.(\w+)\((.*)\).*$", re.MULTILINE)
SIGNS = {"tdpbssd": (1, 1), "tdpbsud": (1, 0), "tdpbusd": (0, 1), "tdpbuud": (0, 0)}
TYPES = {"i8": ctypes.c_ubyte, "ptr": ctypes.c_void_p, "i64": ctypes.c_int64}


class MatrixTiles:
    """Eight tiles and their configuration; ``counts`` says how often each instruction was met."""

    def __init__(self) -> None:
        self.data = np.zeros((8, 16, 64), np.uint8)
        self.shapes: list[tuple[int, int]] = []
        self.counts: dict[str, int] = {}
        self.errors: list[Exception] = []
        self._kept: list[Any] = []

    def led_here(self, text: str) -> str:
        """LLVM IR whose calls of AMX's intrinsics are calls of this object."""
        text = INTRINSIC.sub(r"@model.\1", text)
        return DECLARED.sub(lambda found: self._trampoline(found[1], found[2].split(", ")), text)

    def _trampoline(self, name: str, types: list[str]) -> str:
        types = [one for one in types if one]
        made = ctypes.CFUNCTYPE(None, *(TYPES[one] for one in types))(self._counted(name))
        self._kept.append(made)
        address = ctypes.cast(made, ctypes.c_void_p).value
        values = ", ".join(f"{one} %{at}" for at, one in enumerate(types))
        return (
            f"define internal void @model.{name}({values}) noinline {{\n"
            f"  call void inttoptr (i64 {address} to ptr)({values})\n  ret void\n}}"
        )

    def _counted(self, name: str) -> Callable[..., None]:
        def called(*arguments: int) -> None:
            self.counts[name] = self.counts.get(name, 0) + 1
            try:
                if name.startswith("tdp"):
                    self._product(name, *arguments)
                else:
                    getattr(self, name)(*arguments)
            except Exception as error:  # which a callback of C cannot raise
                self.errors.append(error)

        return called

    # --- configuration and memory

    def ldtilecfg(self, place: int) -> None:
        data = ctypes.string_at(place, 64)
        assert data[0] == 1, "the palette"
        sizes = np.frombuffer(data, np.uint16, 8, 16).tolist()
        self.shapes = list(zip(data[48:56], sizes, strict=True))
        assert all(rows <= 16 and size <= 64 for rows, size in self.shapes)
        self.data[:] = 0

    def tilerelease(self) -> None:
        self.shapes = []

    def tilezero(self, tile: int) -> None:
        self.data[tile] = 0

    def tileloadd64(self, tile: int, place: int, stride: int) -> None:
        rows, size = self.shapes[tile]
        self.data[tile] = 0
        for row in range(rows):
            line = ctypes.string_at(place + row * stride, size)
            self.data[tile, row, :size] = np.frombuffer(line, np.uint8)

    def tilestored64(self, tile: int, place: int, stride: int) -> None:
        rows, size = self.shapes[tile]
        for row in range(rows):
            ctypes.memmove(place + row * stride, self.data[tile, row, :size].tobytes(), size)

    # --- products

    def _product(self, name: str, sums: int, left: int, right: int) -> None:
        rows, size = self.shapes[sums]
        words, columns = self.shapes[left][1] // 4, size // 4
        assert (self.shapes[left][0], self.shapes[right]) == (rows, (words, size)), "shapes that do not fit"
        a, b = self.data[left, :rows, : 4 * words], self.data[right, :words, :size]
        total = self.data[sums, :rows, :size]
        if name in SIGNS:
            first, second = (np.int8 if sign else np.uint8 for sign in SIGNS[name])
            factors = a.view(first).astype(np.int64).reshape(rows, words, 4), b.view(second).astype(np.int64)
            found = np.einsum("rwg,wcg->rc", factors[0], factors[1].reshape(words, columns, 4))
            total[:] = (total.view(np.int32) + found).astype(np.int32).view(np.uint8)
            return
        wide = {"tdpbf16ps": of_bf16, "tdpfp16ps": of_f16}[name]
        pairs = wide(a).reshape(rows, words, 2), wide(b).reshape(words, columns, 2)
        apart = [np.zeros((rows, columns), np.float32) for _ in range(2)]
        for word in range(words):
            for odd in range(2):
                x, y = np.broadcast_arrays(pairs[0][:, word, None, odd], pairs[1][None, word, :, odd])
                apart[odd] = arithmetic.flush(arithmetic.fma(x, y, apart[odd]))
        both = arithmetic.flush(apart[0] + apart[1])
        total[:] = arithmetic.flush(arithmetic.flush(total.view(np.float32)) + both).view(np.uint8)


def of_bf16(data: Array) -> Array:
    """Numbers of bf16, subnormal ones as zero."""
    return arithmetic.flush((data.copy().view(np.uint16).astype(np.uint32) << 16).view(np.float32))


def of_f16(data: Array) -> Array:
    """Numbers of f16: subnormal ones are numbers of f32 like others."""
    return data.copy().view(np.float16).astype(np.float32)
