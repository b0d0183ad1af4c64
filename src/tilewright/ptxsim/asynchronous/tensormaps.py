"""Tensor maps: how a box of a tensor in global memory lies in shared memory.

NVIDIA does not document the bytes of a tensor map.  Here they are the fields of `FIELDS`, which `tensormap.replace`
writes one by one; a map of zeros has no rank but one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tilewright.ptxsim import codes
from tilewright.ptxsim.faults import Fault
from tilewright.ptxsim.values import Array

SIZE = 128
"""Bytes of a tensor map."""
FIELDS: dict[str, tuple[int, int]] = {
    "global_address": (0, 8),
    "rank": (8, 4),
    "elemtype": (12, 1),
    "interleave_layout": (13, 1),
    "swizzle_mode": (14, 1),
    "swizzle_atomicity": (15, 1),
    "fill_mode": (16, 1),
    "global_dim": (24, 8),
    "global_stride": (64, 8),
    "box_dim": (96, 2),
    "element_stride": (106, 1),
}
"""Where a field begins, and its bytes; those of several dimensions follow each other."""
USED = 111
"""Bytes of a map that have a meaning."""
ELEMENTS = (
    *(("u8", 1), ("u16", 2), ("u32", 4), ("s32", 4), ("u64", 8), ("s64", 8), ("f16", 2), ("f32", 4)),
    *(("f32", 4), ("f64", 8), ("bf16", 2), ("tf32", 4), ("tf32", 4)),
)
"""Element types by the numbers that `tensormap.replace` has for them, and their bytes."""
SPANS = (16, 32, 64, 128)
"""Bytes that the swizzle modes 0 to 3 exchange 16-byte pieces in."""
_DTYPES = {"u1": 0, "u2": 1, "u4": 2, "i4": 3, "u8": 4, "i8": 5, "f2": 6, "f4": 7, "f8": 9, "i1": 0, "i2": 1}
_NANS = {"f16": 0x7FFF, "bf16": 0x7FFF, "f32": 0x7FFFFFFF, "tf32": 0x7FFFFFFF, "f64": 0x7FFFFFFFFFFFFFFF}


@dataclass(frozen=True, slots=True)
class Tile:
    """A tensor map that an instruction uses; the innermost dimension comes first."""

    address: int
    element: str
    width: int
    """Bytes of an element."""
    extents: tuple[int, ...]
    strides: tuple[int, ...]
    """In bytes."""
    box: tuple[int, ...]
    steps: tuple[int, ...]
    swizzle: int
    nan: bool

    @property
    def counts(self) -> tuple[int, ...]:
        """Elements of the box in each dimension: those that the steps meet."""
        return tuple(-(-extent // step) for extent, step in zip(self.box, self.steps, strict=True))

    @property
    def bytes(self) -> int:
        """Bytes of the box in shared memory."""
        return int(np.prod(self.counts)) * self.width

    def elements(self, corner: Sequence[int]) -> tuple[Array, Array]:
        """The addresses of the elements of the box at a corner, and which of them are inside of the tensor."""
        lines: list[Any] = [
            at + np.arange(count, dtype=np.int64) * step
            for at, count, step in zip(corner, self.counts, self.steps, strict=True)
        ]
        return self._spread(lines)

    def gathered(self, corner: Sequence[int]) -> tuple[Array, Array]:
        """The same of four rows of a tensor of two dimensions: the first column, and the four rows."""
        columns: Any = corner[0] + np.arange(self.counts[0], dtype=np.int64)
        return self._spread([columns, np.array(corner[1:], np.int64)])

    def _spread(self, lines: list[Any]) -> tuple[Array, Array]:
        addresses: Any = np.zeros((), np.int64) + self.address
        inside: Any = np.ones((), np.bool_)
        for line, stride, extent in zip(lines, self.strides, self.extents, strict=True):
            shape = (len(line), *(1,) * addresses.ndim)
            addresses = line.reshape(shape) * stride + addresses
            inside = ((line >= 0) & (line < extent)).reshape(shape) & inside
        return addresses.ravel(), inside.ravel()

    def places(self, start: int, count: int) -> Array:
        """Where so many elements lie in shared memory, from a place on: swizzled by the bits of their addresses."""
        linear: Any = start + np.arange(count, dtype=np.int64) * self.width
        pieces = SPANS[self.swizzle] // 16 - 1
        return linear ^ (linear >> 7 & pieces) << 4

    def filled(self, count: int) -> Array:
        """Elements for what lies outside of the tensor, as bytes."""
        value = _NANS.get(self.element, 0) if self.nan else 0
        row = np.frombuffer(value.to_bytes(8, "little")[: self.width], np.uint8)
        return np.tile(row, (count, 1))


def read(data: bytes) -> Tile:
    """The map that bytes are.  Raises `Fault` if the ISA has none such."""

    def field(name: str, at: int = 0) -> int:
        start, size = FIELDS[name]
        return int.from_bytes(data[start + at * size : start + (at + 1) * size], "little")

    rank = field("rank") + 1
    kind, swizzle = field("elemtype"), field("swizzle_mode")
    _check(1 <= rank <= 5, f"a tensor of {rank} dimensions")
    if (
        kind >= len(ELEMENTS)
        or swizzle >= len(SPANS)
        or field("swizzle_atomicity")
        or field("interleave_layout")
    ):
        raise Fault(
            codes.NOT_SIMULATED,
            f"a tensor map of element type {kind}, swizzle {swizzle} with atomicity {field('swizzle_atomicity')} and "
            f"interleave {field('interleave_layout')} is not simulated",
        )
    element, width = ELEMENTS[kind]
    tile = Tile(
        field("global_address"),
        element,
        width,
        tuple(field("global_dim", at) for at in range(rank)),
        (width, *(field("global_stride", at) for at in range(rank - 1))),
        tuple(field("box_dim", at) for at in range(rank)),
        tuple(field("element_stride", at) for at in range(rank)),
        swizzle,
        bool(field("fill_mode")),
    )
    _checked(tile)
    return tile


def _checked(tile: Tile) -> None:
    inner = tile.box[0] * tile.width
    span = SPANS[tile.swizzle]
    _check(tile.address % 16 == 0, f"the tensor begins at {tile.address:#x}, no multiple of 16")
    _check(all(extent > 0 for extent in tile.extents), f"extents {tile.extents}")
    _check(all(0 < extent <= 256 for extent in tile.box), f"a box of {tile.box}: extents go from 1 to 256")
    _check(all(0 < step <= 8 for step in tile.steps), f"element strides {tile.steps}: they go from 1 to 8")
    _check(inner % 16 == 0, f"an inner box of {inner} bytes, no multiple of 16")
    _check(
        all(stride % 16 == 0 and 0 <= stride < 1 << 40 for stride in tile.strides[1:]),
        f"strides of {tile.strides[1:]} bytes: they are multiples of 16 below 2^40",
    )
    _check(
        tile.swizzle == 0 or inner <= span, f"an inner box of {inner} bytes with a swizzle of {span} bytes"
    )


def _check(holds: bool, message: str) -> None:
    if not holds:
        raise Fault(codes.BAD_COPY, f"the tensor map has {message}")


@dataclass(frozen=True)
class TensorMap:
    """A tensor map over an array, for a kernel's parameter of 128 bytes.

    ``box`` has an extent for each axis of the array, in their order.  ``swizzle`` is 0, 32, 64 or 128 bytes.
    ``element`` is the PTX type of the elements where the array's does not say it (``bf16``, ``tf32``); elements
    outside of the array are zero, or NaN.
    """

    array: Any
    box: Sequence[int]
    swizzle: int = 0
    element: str = ""
    nan: bool = False
    element_strides: Sequence[int] = ()

    def encoded(self, address: int) -> bytes:
        """The bytes of the map for an array at an address.  Raises `Fault` if the ISA has none such."""
        array = self.array
        axes = tuple(reversed(range(array.ndim)))
        steps = tuple(reversed(self.element_strides)) or (1,) * array.ndim
        _check(len(self.box) == array.ndim == len(steps), f"{len(self.box)} extents for {array.ndim} axes")
        _check(self.swizzle in (0, *SPANS[1:]), f"a swizzle of {self.swizzle} bytes")
        data = bytearray(SIZE)

        def put(name: str, value: int, at: int = 0) -> None:
            start, size = FIELDS[name]
            data[start + at * size : start + (at + 1) * size] = value.to_bytes(size, "little")

        put("global_address", address)
        put("rank", array.ndim - 1)
        put("elemtype", self._number())
        put("swizzle_mode", SPANS.index(self.swizzle) if self.swizzle else 0)
        put("fill_mode", int(self.nan))
        for at, axis in enumerate(axes):
            put("global_dim", array.shape[axis], at)
            put("box_dim", self.box[axis], at)
            put("element_stride", steps[at], at)
            if at:
                put("global_stride", array.strides[axis], at - 1)
        read(bytes(data))
        return bytes(data)

    def _number(self) -> int:
        if self.element:
            names = [name for name, _ in ELEMENTS]
            _check(self.element in names, f"the element type '{self.element}'")
            return names.index(self.element)
        kind = self.array.dtype.str[1:]
        _check(kind in _DTYPES, f"elements of type {self.array.dtype}: name their PTX type")
        return _DTYPES[kind]
