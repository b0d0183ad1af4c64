"""Boxes of tensors: the elements that a tensor copy moves, and their addresses in shared memory.

A box is a list of rows of consecutive units. A unit is an element; in an interleaved tensor it is a slice of
16 or 32 bytes of channels, and the innermost dimension counts slices. Tiled boxes keep the shape of the
tensor; boxes of `im2col` are columns of pixels, which advance along W, then H, D and N within the corners.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tilewright.ptxsim import codes, faults
from tilewright.ptxsim.values import Array

SPANS = (16, 32, 64, 128, 96)
"""The span of the swizzle modes 0 to 4, in bytes; mode 0 exchanges nothing."""
TILED, IM2COL, WIDE, WIDE_128 = "tile", "im2col", "im2col::w", "im2col::w::128"
FORMS = (TILED, IM2COL, WIDE, WIDE_128)
"""Kinds of boxes; the index is the number in a tensor map."""
_NANS = {"f16": 0x7FFF, "bf16": 0x7FFF, "f32": 0x7FFFFFFF, "tf32": 0x7FFFFFFF, "f64": 0x7FFFFFFFFFFFFFFF}
FLOATS = frozenset(_NANS)


def check(holds: bool, message: str) -> None:
    """Raise `Fault` with the message unless `holds`, a rule of tensor copies, is true."""
    if not holds:
        raise faults.Fault(codes.BAD_COPY, message)


@dataclass(frozen=True, slots=True)
class SharedMemorySwizzle:
    """A permutation of pieces of ``piece`` bytes in shared memory, which depends on the index of their
    128-byte line. ``span`` is the size in bytes of the range in which pieces are exchanged, 16 if none are.
    With ``flips`` the 8-byte halves of each 16-byte piece are exchanged in every second line.
    """

    span: int
    """The maximum size of a row in bytes; 16 if nothing is exchanged."""
    piece: int = 16
    flips: bool = False
    """True if the 8-byte halves of each 16-byte piece are exchanged in every second line."""

    def moved(self, places: Array) -> Array:
        """Return the swizzled byte offsets of the linear byte offsets `places`."""
        lines = places >> 7
        count = 2 if self.span == 96 else self.span // self.piece
        if self.flips:
            places = places ^ (lines & 1) << 3
        return places ^ (lines & (count - 1)) * self.piece


@dataclass(frozen=True, slots=True)
class TensorMapTile:
    """The fields of the tensor map that an instruction uses: the address of the tensor, the type and the size
    (``width``) of an element, the extents, the strides, the box, its element strides (``steps``) and the
    swizzle. Sizes and strides are in bytes; in each tuple the innermost dimension is the first.

    ``interleave`` is the size of a slice of channels, 0 without interleave. Elements outside of the tensor
    are zero, or NaN with ``nan``. In the im2col forms (``form``), ``lower`` and ``upper`` are the corners of
    the bounding box of pixels.
    """

    address: int
    element: str
    width: int
    """The size of an element in bytes."""
    interleave: int
    """The size of a slice of channels in bytes; 0 without interleave."""
    extents: tuple[int, ...]
    strides: tuple[int, ...]
    """The stride of each dimension in bytes."""
    box: tuple[int, ...]
    """The extents of a tile, or the channels and pixels of a column."""
    steps: tuple[int, ...]
    swizzle: SharedMemorySwizzle
    nan: bool
    form: str = TILED
    lower: tuple[int, ...] = ()
    upper: tuple[int, ...] = ()
    """The last pixel of the bounding box, counted from the last pixel of the image; `lower` is its first
    pixel.
    """

    @property
    def unit(self) -> int:
        """Return the size of a unit in bytes: of a slice of channels in an interleaved tensor, otherwise of
        an element.
        """
        return self.interleave or self.width

    @property
    def inner(self) -> int:
        """Return the number of units (elements, or slices of channels) of a row of the box."""
        return self.box[0] if self.form != TILED else -(-self.box[0] // self.steps[0])

    @property
    def pitch(self) -> int:
        """Return the distance of two rows in shared memory in bytes: the size of a row, or the span of the
        swizzle if this is larger and the tensor is not interleaved.
        """
        row = self.inner * self.unit
        return row if self.interleave or self.swizzle.span == 16 else max(row, self.swizzle.span)

    # --- the elements of a box

    def elements(self, corner: Sequence[int]) -> tuple[Array, Array]:
        """Return the addresses of the units of the box whose first unit has the coordinates `corner`, and a
        mask of the units inside the tensor. Both are flat; the innermost dimension varies fastest.
        """
        lines: list[Any] = [
            at + np.arange(-(-extent // step), dtype=np.int64) * step
            for at, extent, step in zip(corner, self.box, self.steps, strict=True)
        ]
        return self._spread(lines)

    def gathered(self, corner: Sequence[int]) -> tuple[Array, Array]:
        """Return the addresses of the units of four rows of a two-dimensional tensor, and a mask of the units
        inside the tensor; both are flat, one row after the other. `corner` is the first column and the four
        row indices. Raises `Fault` unless the box is one row.
        """
        check(len(self.box) == 2 and self.box[1] == 1, f"four rows of a tensor map whose box is {self.box}")
        columns: Any = corner[0] + np.arange(self.box[0], dtype=np.int64)
        return self._spread([columns, np.array(corner[1:], np.int64)])

    def _spread(self, lines: list[Any]) -> tuple[Array, Array]:
        addresses: Any = np.zeros((), np.int64) + self.address
        inside: Any = np.ones((), np.bool_)
        for line, stride, extent in zip(lines, self.strides, self.extents, strict=True):
            shape = (len(line), *(1,) * addresses.ndim)
            addresses = line.reshape(shape) * stride + addresses
            inside = ((line >= 0) & (line < extent)).reshape(shape) & inside
        return addresses.ravel(), inside.ravel()

    def column(self, corner: Sequence[int], info: Sequence[int]) -> tuple[Array, Array]:
        """Return the addresses of the elements of an `im2col` column from the pixel `corner` on, and a mask
        of the elements inside the tensor; both are flat, with the channels of a pixel together. `info` has
        the offsets of a filter, or the halo and the offset of `im2col::w`. Raises `Fault` for a pixel outside
        of the bounding box.
        """
        channels: Any = corner[0] + np.arange(self.box[0], dtype=np.int64)
        pixels: Any = np.array(list(self._pixels(corner, info)), np.int64)
        addresses: Any = self.address + channels * self.width + (pixels @ np.array(self.strides[1:]))[:, None]
        inside: Any = (pixels >= 0) & (pixels < np.array(self.extents[1:]))
        channelled: Any = (channels >= 0) & (channels < self.extents[0])
        return addresses.ravel(), (channelled & inside.all(1)[:, None]).ravel()

    def _pixels(self, corner: Sequence[int], info: Sequence[int]) -> Iterator[list[int]]:
        """Yield the coordinates of each pixel of a column, without the channel. Raises `Fault` if the first
        one is outside of the bounding box.
        """
        wide = self.form != IM2COL
        moves = 1 if wide else len(self.extents) - 2
        shift, count = (info[1], info[0]) if wide else (0, 0)
        first = [self.lower[at] + shift for at in range(moves)]
        last = [self.extents[at + 1] - 1 + self.upper[at] + shift for at in range(moves)]
        place = list(corner[1:])
        place[0] += shift
        for at in range(moves):
            check(
                place[at] <= last[at] and (wide or place[at] >= first[at]),
                f"the coordinates {tuple(corner)} of a column lie outside of its bounding box",
            )
        pixels = 128 if self.form == WIDE_128 else self.box[1]
        for _ in range(pixels + count):
            yield [one + (0 if wide or at >= moves else info[at]) for at, one in enumerate(place)]
            place = self._next(place, first, last)

    def _next(self, place: list[int], first: list[int], last: list[int]) -> list[int]:
        """Return the pixel after `place`. The dimensions of the bounding box advance by their element strides
        from `first` to `last`, the innermost fastest; after the last pixel comes the next image.
        """
        found = list(place)
        for at, (least, most) in enumerate(zip(first, last, strict=True)):
            found[at] += self.steps[at + 1]
            if found[at] <= most:
                return found
            found[at] = least
        found[-1] += 1
        return found

    # --- shared memory

    def places(self, start: int, count: int) -> Array:
        """Return the swizzled byte offsets of `count` units from the offset `start` of shared memory: (units,
        bytes of a unit).
        """
        units: Any = np.arange(count, dtype=np.int64)
        linear = start + units // self.inner * self.pitch + units % self.inner * self.unit
        return self.swizzle.moved(linear[:, None] + np.arange(self.unit))

    def filled(self, count: int) -> Array:
        """Return the bytes of `count` units outside the tensor: zeros or NaN, shape (`count`, bytes of a
        unit).
        """
        value = _NANS[self.element] if self.nan else 0
        row = np.frombuffer(value.to_bytes(8, "little")[: self.width], np.uint8)
        return np.tile(row, (count, self.unit // self.width))
