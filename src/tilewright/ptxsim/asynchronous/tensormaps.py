"""Tensor maps: the layout of a box of a tensor of global memory in shared memory.

NVIDIA does not document the bytes of a tensor map. Here they are the fields of `FIELDS`, which
`tensormap.replace` writes one by one for tiles. A map of zeros has rank 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tilewright.ptxsim import codes, faults
from tilewright.ptxsim.asynchronous import boxes

SIZE = 128
"""The size of a tensor map in bytes."""
FIELDS: dict[str, tuple[int, int]] = {
    "global_address": (0, 8),
    "rank": (8, 4),
    "elemtype": (12, 1),
    "interleave_layout": (13, 1),
    "swizzle_mode": (14, 1),
    "swizzle_atomicity": (15, 1),
    "fill_mode": (16, 1),
    "form": (17, 1),
    "global_dim": (24, 8),
    "global_stride": (64, 8),
    "box_dim": (96, 2),
    "element_stride": (106, 1),
    "lower": (112, 2),
    "upper": (118, 2),
}
"""The offset of each field and its size in bytes; the elements of a field of several dimensions are
consecutive.
"""
USED = 124
"""The number of bytes of a map that are used."""
ELEMENTS = (
    *(("u8", 1), ("u16", 2), ("u32", 4), ("s32", 4), ("u64", 8), ("s64", 8), ("f16", 2), ("f32", 4)),
    *(("f32", 4), ("f64", 8), ("bf16", 2), ("tf32", 4), ("tf32", 4)),
)
"""The element types and their sizes in bytes; the index is the number that `tensormap.replace` uses."""
INTERLEAVES = (0, 16, 32)
"""The size of a slice of channels in bytes; the index is the number of the interleaved layout."""
ATOMICITIES: dict[str, tuple[int, bool]] = {
    "16B": (16, False),
    "32B": (32, False),
    "32B flip 8B": (32, True),
    "64B": (64, False),
}
"""Pieces of 128-byte swizzles, in the order of their numbers: the size in bytes, and whether 8-byte halves
are exchanged.
"""
_DTYPES = {"u1": 0, "u2": 1, "u4": 2, "i4": 3, "u8": 4, "i8": 5, "f2": 6, "f4": 7, "f8": 9, "i1": 0, "i2": 1}


def read(data: bytes) -> boxes.TensorMapTile:
    """Return the tensor map in `data`, its bytes. Raises `Fault` if the ISA does not allow it, or if its
    element type or form is not simulated.
    """

    def field(name: str, at: int = 0, *, signed: bool = False) -> int:
        start, size = FIELDS[name]
        return int.from_bytes(data[start + at * size : start + (at + 1) * size], "little", signed=signed)

    rank = field("rank") + 1
    _has(1 <= rank <= 5, f"a tensor of {rank} dimensions")
    kind, swizzle, interleave = field("elemtype"), field("swizzle_mode"), field("interleave_layout")
    atomicity, form = field("swizzle_atomicity"), field("form")
    if kind >= len(ELEMENTS):
        raise faults.Fault(codes.NOT_SIMULATED, f"a tensor map of element type {kind} is not simulated")
    _has(
        swizzle < len(boxes.SPANS)
        and interleave < len(INTERLEAVES)
        and atomicity < len(ATOMICITIES)
        and form < len(boxes.FORMS),
        f"swizzle {swizzle} with atomicity {atomicity}, interleave {interleave} and form {form}",
    )
    element, width = ELEMENTS[kind]
    piece, flips = list(ATOMICITIES.values())[atomicity]
    moves = {boxes.TILED: 0, boxes.IM2COL: rank - 2}.get(boxes.FORMS[form], 1)
    tile = boxes.TensorMapTile(
        field("global_address"),
        element,
        width,
        INTERLEAVES[interleave],
        tuple(field("global_dim", at) for at in range(rank)),
        (INTERLEAVES[interleave] or width, *(field("global_stride", at) for at in range(rank - 1))),
        tuple(field("box_dim", at) for at in range(2 if form else rank)),
        tuple(field("element_stride", at) for at in range(rank)),
        boxes.SharedMemorySwizzle(boxes.SPANS[swizzle], piece, flips),
        bool(field("fill_mode")),
        boxes.FORMS[form],
        tuple(field("lower", at, signed=True) for at in range(moves)),
        tuple(field("upper", at, signed=True) for at in range(moves)),
    )
    for rule in (_sized, _swizzled, _columned):
        rule(tile)
    return tile


def _has(holds: bool, message: str) -> None:
    boxes.check(holds, f"the tensor map has {message}")


def _sized(tile: boxes.TensorMapTile) -> None:
    """Raise `Fault` for addresses, extents, strides or a box that the ISA does not allow."""
    align = 32 if tile.interleave == 32 else 16
    inner = tile.box[0] * tile.unit
    _has(tile.address % align == 0, f"a tensor at {tile.address:#x}, no multiple of {align}")
    _has(all(0 < extent <= 1 << 32 for extent in tile.extents), f"extents {tile.extents}")
    _has(
        all(stride % align == 0 and 0 <= stride < 1 << 40 for stride in tile.strides[1:]),
        f"strides of {tile.strides[1:]} bytes: they are multiples of {align} below 2^40",
    )
    _has(
        tile.form != boxes.TILED or all(0 < extent <= 256 for extent in tile.box),
        f"a box of {tile.box}: extents go from 1 to 256",
    )
    _has(all(0 < step <= 8 for step in tile.steps), f"element strides {tile.steps}: they go from 1 to 8")
    _has(
        tile.steps[0] == 1 or bool(tile.interleave),
        f"element strides {tile.steps}: the first one is 1 unless the layout is interleaved",
    )
    _has(inner % 16 == 0, f"an inner box of {inner} bytes, no multiple of 16")
    _has(
        not tile.nan or tile.element in boxes.FLOATS,
        f"elements of type {tile.element} and is filled with NaN",
    )


def _swizzled(tile: boxes.TensorMapTile) -> None:
    """Raise `Fault` for a swizzle that does not fit the box or the interleaved layout."""
    swizzle, inner = tile.swizzle, tile.box[0] * tile.unit
    if tile.interleave:
        _has(len(tile.extents) >= 3, f"{len(tile.extents)} dimensions; an interleaved layout has 3 to 5")
        _has(
            tile.interleave != 32 or swizzle.span == 32,
            f"slices of 32 bytes with a swizzle of {swizzle.span} bytes instead of 32",
        )
        _has(swizzle.span != 96, "an interleaved layout with a swizzle of 96 bytes")
    else:
        _has(
            swizzle.span == 16 or inner <= swizzle.span,
            f"an inner box of {inner} bytes with a swizzle of {swizzle.span} bytes",
        )
    _has(
        swizzle.piece == 16 or swizzle.span == 128,
        f"a swizzle of {swizzle.span} bytes in pieces of {swizzle.piece}; only swizzles of 128 bytes have pieces",
    )


def _columned(tile: boxes.TensorMapTile) -> None:
    """Raise `Fault` for a bounding box or a column of `im2col` that the ISA does not allow. Tiled maps have
    none.
    """
    if tile.form == boxes.TILED:
        return
    if tile.interleave:
        raise faults.Fault(codes.NOT_SIMULATED, "im2col of an interleaved tensor is not simulated")
    rank, (channels, pixels) = len(tile.extents), tile.box
    _has(rank >= 3, f"{rank} dimensions; im2col takes 3 to 5")
    _has(0 < channels <= 256, f"{channels} channels per pixel: there are 1 to 256")
    _has(0 < pixels <= 1024, f"{pixels} pixels per column: there are 1 to 1024")
    bits = {3: 16, 4: 8, 5: 5}[rank] if tile.form == boxes.IM2COL else 16
    limit = 1 << (bits - 1)
    _has(
        all(-limit <= one < limit for one in (*tile.lower, *tile.upper)),
        f"corners {tile.lower} and {tile.upper}: they go from {-limit} to {limit - 1} in {rank} dimensions",
    )
    _has(
        all(
            low < extent + high
            for low, high, extent in zip(tile.lower, tile.upper, tile.extents[1:], strict=False)
        ),
        f"corners {tile.lower} and {tile.upper} without a pixel between them",
    )
    if tile.form == boxes.IM2COL:
        return
    _has(
        tile.swizzle.span >= 64 and not tile.swizzle.flips,
        f"a swizzle of {tile.swizzle.span} bytes; {tile.form} needs one of 64 or more, without exchanged halves",
    )
    _has(
        tile.form == boxes.WIDE or tile.swizzle.span != 96,
        f"a swizzle of 96 bytes, which {tile.form} does not take",
    )


Put = Callable[..., None]


@dataclass(frozen=True)
class Im2col:
    """Columns of pixels instead of a box: the bounding box in the order of the array's axes (D, H, W), and
    the number of `channels` and `pixels` of a column.

    `lower` is the first pixel. `upper` is the last pixel, counted from the last pixel of the image; a filter
    of 3 with a padding of one pixel has -1 and -1. `wide` is `w` or `w::128` for columns along W only; both
    corners have a single number then.
    """

    lower: Sequence[int]
    upper: Sequence[int]
    channels: int
    pixels: int = 128
    wide: str = ""

    def put(self, put: Put, rank: int) -> None:
        """Write the fields of a map of rank `rank`: ``put(name, value, index)`` writes one. Raises `Fault`
        for an unknown `wide`, and for corners of a wrong length.
        """
        forms = {"": boxes.IM2COL, "w": boxes.WIDE, "w::128": boxes.WIDE_128}
        _has(self.wide in forms, f"columns '{self.wide}'")
        count = 1 if self.wide else rank - 2
        _has(
            len(self.lower) == len(self.upper) == count,
            f"corners of {len(self.lower)} axes instead of {count}",
        )
        put("form", boxes.FORMS.index(forms[self.wide]))
        put("box_dim", self.channels)
        put("box_dim", self.pixels, 1)
        for name, corner in (("lower", self.lower), ("upper", self.upper)):
            for at, one in enumerate(reversed(corner)):
                put(name, one, at)


@dataclass(frozen=True)
class TensorMap:
    """A tensor map over an array, for a kernel parameter of 128 bytes.

    `box` has an extent for each axis of the array, in their order, or an `Im2col`. `swizzle` is 0, 32, 64, 96
    or 128 bytes; `atomicity` is a key of `ATOMICITIES`, for 128 bytes only. `element` is the PTX type of the
    elements if the dtype of the array does not determine it (`bf16`, `tf32`). Elements outside the array are
    zero, or NaN with `nan`. With `interleave` the last axis of the array is a slice of 16 or 32 bytes of
    channels, which `box` and `element_strides` leave out.
    """

    array: Any
    box: Sequence[int] | Im2col
    swizzle: int = 0
    element: str = ""
    nan: bool = False
    element_strides: Sequence[int] = ()
    interleave: int = 0
    atomicity: str = "16B"

    def encoded(self, address: int) -> bytes:
        """Return the bytes of the map for an array at `address`. Raises `Fault` if the ISA does not allow it."""
        data = bytearray(SIZE)

        def put(name: str, value: int, at: int = 0) -> None:
            start, size = FIELDS[name]
            limit = 1 << (8 * size)
            boxes.check(-limit // 2 <= value < limit, f"{value} does not fit the {name} of a tensor map")
            data[start + at * size : start + (at + 1) * size] = (value % limit).to_bytes(size, "little")

        put("global_address", address)
        self._put_modes(put)
        self._put_axes(put)
        read(bytes(data))
        return bytes(data)

    def _put_modes(self, put: Put) -> None:
        _has(self.swizzle in (0, *boxes.SPANS[1:]), f"a swizzle of {self.swizzle} bytes")
        _has(self.interleave in INTERLEAVES, f"slices of {self.interleave} bytes")
        _has(self.atomicity in ATOMICITIES, f"the atomicity '{self.atomicity}'")
        put("elemtype", self._number())
        put("interleave_layout", INTERLEAVES.index(self.interleave))
        put("swizzle_mode", boxes.SPANS.index(self.swizzle) if self.swizzle else 0)
        put("swizzle_atomicity", list(ATOMICITIES).index(self.atomicity))
        put("fill_mode", int(self.nan))

    def _put_axes(self, put: Put) -> None:
        array = self.array
        axes = tuple(reversed(range(array.ndim)))
        if self.interleave:
            slices = array.shape[-1] * array.itemsize
            _has(slices == self.interleave, f"slices of {self.interleave} bytes of an array with {slices}")
            axes = axes[1:]
        steps = tuple(reversed(self.element_strides)) or (1,) * len(axes)
        _has(0 < len(axes) <= 5, f"a tensor of {len(axes)} dimensions")
        _has(len(steps) == len(axes), f"{len(steps)} element strides for {len(axes)} axes")
        put("rank", len(axes) - 1)
        for at, axis in enumerate(axes):
            put("global_dim", array.shape[axis], at)
            put("element_stride", steps[at], at)
            if at:
                put("global_stride", array.strides[axis], at - 1)
        if isinstance(self.box, Im2col):
            self.box.put(put, len(axes))
            return
        _has(len(self.box) == len(axes), f"{len(self.box)} extents for {len(axes)} axes")
        for at, extent in enumerate(reversed(self.box)):
            put("box_dim", extent, at)

    def _number(self) -> int:
        if self.element:
            names = [name for name, _ in ELEMENTS]
            _has(self.element in names, f"the element type '{self.element}'")
            return names.index(self.element)
        kind = self.array.dtype.str[1:]
        _has(kind in _DTYPES, f"elements of type {self.array.dtype}: name their PTX type")
        return _DTYPES[kind]
