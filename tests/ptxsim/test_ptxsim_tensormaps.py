"""Modes of tensor copies against brute force: columns of `im2col`, interleaved layouts, rows, swizzles; wrong maps."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptxsim import Im2col, TensorMap, launch

MARK = 0xCCCCCCCC
LOAD = """.version 8.8
.target sm_100a
.address_size 64
.entry k(.param .align 64 .b8 map[128], .param .u64 dst) {
    .reg .b32 %t, %s, %r, %w; .reg .b64 %out, %map, %x; .reg .pred %p, %q, %one;
    .shared .align 8 .b64 bar; .shared .align 1024 .b8 tile[BYTES];
    mov.u32 %t, %tid.x; setp.eq.u32 %one, %t, 0; mov.u32 %s, tile; ld.param.u64 %out, [dst];
    mov.u64 %map, map; cvta.param.u64 %map, %map; @%one mbarrier.init.shared::cta.b64 [bar], 1; mov.u32 %w, %t;
fill: setp.ge.u32 %p, %w, WORDS; @%p bra filled; mad.lo.u32 %r, %w, 4, %s; st.shared.b32 [%r], 0xCCCCCCCC;
    add.u32 %w, %w, 32; bra fill;
filled: fence.proxy.async.shared::cta; bar.sync 0;
    @%one mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], MOVED;
    @%one cp.async.bulk.tensor.RANKd.shared::cta.global.MODE.mbarrier::complete_tx::bytes
        [%s], [%map, {CORNER}], [bar]OFFSETS;
wait: mbarrier.try_wait.parity.shared::cta.b64 %q, [bar], 0; @!%q bra wait; mov.u32 %w, %t;
dump: setp.ge.u32 %p, %w, WORDS; @%p bra done; mad.lo.u32 %r, %w, 4, %s; ld.shared.b32 %r, [%r];
    mad.wide.u32 %x, %w, 4, %out; st.global.b32 [%x], %r; add.u32 %w, %w, 32; bra dump;
done: ret; }
"""
STORE = """.version 8.8
.target sm_100a
.address_size 64
.entry k(.param .align 64 .b8 map[128], .param .u64 src) {
    .reg .b32 %t, %s, %r, %w; .reg .b64 %in, %map, %x; .reg .pred %p, %one; .shared .align 1024 .b8 tile[BYTES];
    mov.u32 %t, %tid.x; setp.eq.u32 %one, %t, 0; mov.u32 %s, tile; ld.param.u64 %in, [src];
    mov.u64 %map, map; cvta.param.u64 %map, %map; mov.u32 %w, %t;
fill: setp.ge.u32 %p, %w, WORDS; @%p bra filled; mad.wide.u32 %x, %w, 4, %in; ld.global.b32 %r, [%x];
    mad.lo.u32 %t, %w, 4, %s; st.shared.b32 [%t], %r; add.u32 %w, %w, 32; bra fill;
filled: fence.proxy.async.shared::cta; bar.sync 0;
    @%one NAME.RANKd.global.shared::cta.MODE.bulk_group [%map, {CORNER}], [%s];
    @%one cp.async.bulk.commit_group; @%one cp.async.bulk.wait_group 0; ret; }
"""


def text(template: str, size: int, mode: str, corner: tuple[int, ...], **pieces: Any) -> str:
    """The kernel; ``corner`` as the instruction has it, the innermost coordinate first."""
    rank = 2 if "4" in mode else len(corner)
    words = {"BYTES": size, "WORDS": size // 4, "RANK": rank, "MODE": mode, **pieces}
    words["CORNER"] = ", ".join(map(str, corner))
    for name, value in words.items():
        template = template.replace(name, str(value))
    return template


def loaded(
    one: TensorMap, mode: str, corner: tuple[int, ...], info: tuple[int, ...], size: int, moved: int
) -> Any:
    """The bytes of shared memory behind a load, of which those that it leaves alone are marked."""
    out = np.zeros(size // 4, np.uint32)
    offsets = f", {{{', '.join(map(str, info))}}}" if info else ""
    launch(text(LOAD, size, mode, corner, MOVED=moved, OFFSETS=offsets), "k", (1,), (32,), [one, out])
    return out.view(np.uint8)


def exchanged(place: int, span: int, piece: int = 16, flips: bool = False) -> int:
    """Where a byte of a swizzled line lies, from the tables of the ISA: lines of 128 bytes, pieces in them."""
    line, column = divmod(place, 128)
    count = {16: 1, 96: 2}.get(span, span // piece)
    if flips and line % 2:
        column ^= 8
    number, rest = divmod(column, piece)
    return line * 128 + (number ^ line % count) * piece + rest


def laid(rows: list[Any], size: int, pitch: int, *swizzle: Any) -> Any:
    """Rows of bytes as they lie in shared memory."""
    found = np.full(size // 4, MARK, np.uint32).view(np.uint8)
    for at, row in enumerate(rows):
        for byte, value in enumerate(np.ascontiguousarray(row).view(np.uint8).ravel()):
            found[exchanged(at * pitch + byte, *swizzle)] = value
    return found


def element(array: Any, place: tuple[int, ...]) -> Any:
    """An element of an array, zero outside of it."""
    inside = all(0 <= at < extent for at, extent in zip(place, array.shape, strict=True))
    return array[place] if inside else array.dtype.type(0)


# --- swizzles


@pytest.mark.parametrize(
    ("span", "atomicity", "piece", "flips"),
    [
        (32, "16B", 16, False),
        (64, "16B", 16, False),
        (96, "16B", 16, False),
        (128, "16B", 16, False),
        (128, "32B", 32, False),
        (128, "32B flip 8B", 32, True),
        (128, "64B", 64, False),
    ],
)
@pytest.mark.parametrize("part", [1, 2])
def test_swizzles(span: int, atomicity: str, piece: int, flips: bool, part: int) -> None:
    """Rows of whole spans, and of halves, which take a whole span each."""
    columns = span // part // 2 // 8 * 8
    array = np.arange(16 * columns, dtype=np.int16).reshape(16, columns)
    one = TensorMap(array, array.shape, swizzle=span, atomicity=atomicity)
    found = loaded(one, "tile", (0, 0), (), 16 * span, array.nbytes)
    assert (found == laid(list(array), 16 * span, span, span, piece, flips)).all()


def test_a_swizzled_box_goes_back() -> None:
    data = np.arange(8 * 48, dtype=np.int16).reshape(8, 48)
    array = np.zeros_like(data)
    source = laid(list(data), 768, 96, 96)
    launch(
        text(STORE, 768, "tile", (0, 0), NAME="cp.async.bulk.tensor"),
        "k",
        (1,),
        (32,),
        [TensorMap(array, array.shape, swizzle=96), source.view(np.uint32)],
    )
    assert (array == data).all()


# --- four rows


def test_four_rows_are_gathered() -> None:
    array = np.arange(1, 12 * 32 + 1, dtype=np.int16).reshape(12, 32)
    found = loaded(TensorMap(array, (1, 16)), "tile::gather4", (24, 5, 0, 13, 9), (), 128, 128)
    rows = [[element(array, (row, 24 + at)) for at in range(16)] for row in (5, 0, 13, 9)]
    assert (found.view(np.int16) == np.ravel(rows)).all()


def test_four_rows_are_scattered() -> None:
    data = np.arange(1, 65, dtype=np.int16).reshape(4, 16)
    array = np.zeros((12, 32), np.int16)
    body = text(STORE, 128, "tile::scatter4", (8, 5, 0, 12, 9), NAME="cp.async.bulk.tensor")
    launch(body, "k", (1,), (32,), [TensorMap(array, (1, 16)), data.view(np.uint32)])
    expected = np.zeros_like(array)
    for at, row in enumerate((5, 0, 12, 9)):
        if row < 12:
            expected[row, 8:24] = data[at]
    assert (array == expected).all()


# --- columns


def column(
    array: Any, box: Im2col, corner: tuple[int, ...], offsets: tuple[int, ...], steps: tuple[int, ...]
) -> list[Any]:
    """Rows of a column: pixels within the corners one after the other; all arguments in the order of the axes."""
    images, *extents, _ = array.shape
    ranges = [
        range(low, extent + high, step)
        for low, high, extent, step in zip(box.lower, box.upper, extents, steps, strict=True)
    ]
    pixels: list[tuple[int, ...]] = [(n, *place) for n in range(images + 9) for place in product(*ranges)]
    start = pixels.index(corner[:-1])
    rows: list[Any] = []
    for pixel in pixels[start : start + box.pixels]:
        place = [pixel[0], *(a + b for a, b in zip(pixel[1:], offsets, strict=True))]
        rows.append([element(array, (*place, corner[-1] + at)) for at in range(box.channels)])
    return [np.array(row, array.dtype) for row in rows]


@pytest.mark.parametrize(
    ("shape", "box", "corner", "offsets", "steps"),
    [
        ((2, 5, 16), Im2col((-1,), (-1,), 8, 9), (0, 1, 0), (2,), (1,)),
        ((3, 5, 6, 16), Im2col((-1, -1), (-1, -1), 16, 64), (1, 2, 3, 0), (0, 0), (1, 1)),
        ((3, 5, 6, 16), Im2col((0, 0), (-2, -2), 8, 20), (0, 1, 2, 8), (2, 1), (1, 1)),
        ((3, 8, 9, 16), Im2col((-1, -1), (-1, -1), 16, 32), (1, 3, 5, 0), (1, 1), (2, 2)),
        ((2, 3, 4, 5, 8), Im2col((-1, 0, -2), (-1, -1, 0), 8, 70), (0, 0, 1, 1, 0), (1, 0, 2), (1, 1, 1)),
        ((2, 3, 4, 5, 8), Im2col((0, 0, 0), (0, 0, 0), 16, 130), (0, 2, 3, 4, 0), (0, 0, 0), (2, 1, 2)),
    ],
)
def test_columns(shape: Any, box: Im2col, corner: Any, offsets: Any, steps: Any) -> None:
    array = np.arange(1, int(np.prod(shape)) + 1, dtype=np.int16).reshape(shape)
    size = 2 * box.channels * box.pixels
    one = TensorMap(array, box, element_strides=(1, *steps, 1))
    found = loaded(one, "im2col", corner[::-1], offsets[::-1], size, size)
    assert (found.view(np.int16) == np.ravel(column(array, box, corner, offsets, steps))).all()


@pytest.mark.parametrize(
    ("mode", "halo", "offset", "corner", "lower", "upper", "step"),
    [
        ("w", 0, 0, 0, 0, 0, 1),
        ("w", 2, 0, 3, 0, 0, 1),
        ("w", 1, 0, -1, -1, 0, 2),
        ("w", 0, 1, -1, -1, 0, 2),
        ("w", 0, 2, -1, -1, -1, 3),
        ("w", 3, 1, -2, -1, -1, 1),
        ("w::128", 0, 1, -1, -1, 0, 1),
    ],
)
def test_wide_columns(
    mode: str, halo: int, offset: int, corner: int, lower: int, upper: int, step: int
) -> None:
    """Pixels of one line of each image in turn, then those of the halo."""
    array = np.arange(1, 9 * 3 * 7 * 32 + 1, dtype=np.int16).reshape(9, 3, 7, 32)
    box = Im2col((lower,), (upper,), 32, 20, mode)
    count = 128 if mode == "w::128" else 20
    size = 64 * (count + halo)
    found = loaded(
        TensorMap(array, box, swizzle=64, element_strides=(1, 1, step, 1)),
        f"im2col::{mode}",
        (0, corner, 2, 1),
        (halo, offset),
        size,
        size,
    )
    pixels = [(1, at) for at in range(corner, 7 + upper, step)]
    pixels += [(n, at) for n in range(2, 40) for at in range(lower, 7 + upper, step)]
    rows = [
        np.array([element(array, (n, 2, at + offset, channel)) for channel in range(32)])
        for n, at in pixels[: count + halo]
    ]
    assert (found == laid(rows, size, 64, 64)).all()


@pytest.mark.parametrize("name", ["cp.async.bulk.tensor", "cp.reduce.async.bulk.tensor"])
def test_columns_go_back(name: str) -> None:
    array = np.arange(2 * 4 * 5 * 8, dtype=np.int32).reshape(2, 4, 5, 8)
    before, data = array.copy(), np.arange(1, 30 * 8 + 1, dtype=np.int32).reshape(30, 8)
    box = Im2col((1, 0), (0, -1), 8, 30)
    body = text(STORE, data.nbytes, "im2col_no_offs", (0, 1, 2, 0), NAME=name)
    body = body.replace("shared::cta.im2col", "shared::cta.add.im2col") if "reduce" in name else body
    launch(body, "k", (1,), (32,), [TensorMap(array, box), data.view(np.uint32)])
    pixels = [(n, h, w) for n in range(9) for h in range(1, 4) for w in range(4)]
    pixels = pixels[pixels.index((0, 2, 1)) :]
    for pixel, row in zip(pixels, data, strict=False):
        if pixel[0] < 2:
            before[pixel] = before[pixel] + row if "reduce" in name else row
    assert (array == before).all()


# --- interleaved layouts


@pytest.mark.parametrize(("slices", "swizzle"), [(16, 0), (16, 64), (32, 32)])
def test_interleaved_boxes(slices: int, swizzle: int) -> None:
    """Slices of channels, which the innermost dimension counts, with steps over them."""
    array = np.arange(1, 2 * 3 * 6 * 8 * slices // 4 + 1, dtype=np.int32).reshape(2, 3, 6, 8, -1)
    box, corner, steps = (1, 2, 4, 6), (1, 1, -1, 3), (1, 1, 2, 2)
    one = TensorMap(array, box, swizzle=swizzle, interleave=slices, element_strides=steps)
    ranges = [range(at, at + extent, step) for at, extent, step in zip(corner, box, steps, strict=True)]
    rows = [
        np.array(
            [[element(array, (*place, at, lane)) for lane in range(array.shape[-1])] for at in ranges[-1]]
        )
        for place in product(*ranges[:-1])
    ]
    size = sum(row.nbytes for row in (one.astype(np.int32) for one in rows))
    found = loaded(one, "tile", corner[::-1], (), size, size)
    expected = laid([row.astype(np.int32) for row in rows], size, 3 * slices, swizzle or 16)
    assert (found == expected).all()


def test_reductions_of_interleaved_boxes() -> None:
    array = np.arange(2 * 3 * 4 * 4, dtype=np.float32).reshape(2, 3, 4, 4)
    before, data = array.copy(), np.ones((1, 2, 4, 4), np.float32)
    body = text(STORE, data.nbytes, "tile", (0, 1, 1), NAME="cp.reduce.async.bulk.tensor")
    body = body.replace("shared::cta.tile", "shared::cta.add.tile")
    launch(body, "k", (1,), (32,), [TensorMap(array, (1, 2, 4), interleave=16), data.view(np.uint32)])
    before[1:, 1:] += 1
    assert (array == before).all()


# --- what is told


IMAGE = np.zeros((2, 4, 5, 32), np.float16)
BOX = Im2col((0, 0), (0, 0), 8, 16)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"box": Im2col((0,), (0,), 8, 16)}, "corners of 1 axes instead of 2"),
        ({"box": Im2col((0, 0), (0, 0), 8, 2000)}, "2000 pixels per column"),
        ({"box": Im2col((0, 0), (0, 0), 304, 16)}, "304 channels per pixel"),
        ({"box": Im2col((0, 0), (0, 0), 4, 16)}, "an inner box of 8 bytes"),
        ({"box": Im2col((0, -129), (0, 0), 8, 16)}, "they go from -128 to 127 in 4 dimensions"),
        ({"box": Im2col((0, 3), (0, -2), 8, 16)}, "without a pixel between them"),
        ({"box": Im2col((0, 0), (0, 0), 8, 16, "x")}, "columns 'x'"),
        ({"box": Im2col((0,), (0,), 8, 16, "w")}, "a swizzle of 16 bytes; im2col::w needs one of 64"),
        (
            {"box": Im2col((0,), (0,), 32, 16, "w"), "swizzle": 128, "atomicity": "32B flip 8B"},
            "without exchanged halves",
        ),
        (
            {"box": Im2col((0,), (0,), 32, 16, "w::128"), "swizzle": 96},
            "a swizzle of 96 bytes, which im2col::w::128",
        ),
        ({"box": Im2col((), (), 8, 16), "array": IMAGE[0, 0]}, "2 dimensions; im2col takes 3 to 5"),
        ({"box": (1, 1, 1, 32), "element_strides": (1, 1, 1, 2)}, "the first one is 1 unless"),
        ({"box": (1, 1, 1, 64), "swizzle": 96}, "an inner box of 128 bytes with a swizzle of 96"),
        ({"box": (1, 1, 1, 16), "swizzle": 64, "atomicity": "32B"}, "in pieces of 32"),
        ({"box": (1, 1, 1, 16), "atomicity": "8B"}, "the atomicity '8B'"),
        ({"box": (1, 1, 1), "interleave": 16}, "slices of 16 bytes of an array with 64"),
        ({"box": (1, 1, 1), "interleave": 24}, "slices of 24 bytes"),
        ({"array": np.zeros((2, 4, 5, 16), np.float16), "box": (1, 1, 1), "interleave": 32}, "instead of 32"),
        (
            {"array": np.zeros((4, 5, 8), np.float16), "box": (1, 1), "interleave": 16},
            "2 dimensions; an interleaved layout has 3 to 5",
        ),
        (
            {"array": np.zeros((2, 4, 5, 8), np.float16), "box": (1, 1, 1), "interleave": 16, "swizzle": 96},
            "an interleaved layout with a swizzle of 96 bytes",
        ),
        ({"array": np.zeros((8, 16), np.int32), "box": (4, 16), "nan": True}, "is filled with NaN"),
    ],
)
def test_maps_that_are_not_possible(words: dict[str, Any], message: str) -> None:
    with pytest.raises(DiagnosticError, match="TW1263") as error:
        loaded(TensorMap(**{"array": IMAGE, **words}), "tile", (0, 0, 0, 0), (), 128, 128)
    assert message in str(error.value)


WIDE = Im2col((0,), (0,), 32, 16, "w")


@pytest.mark.parametrize(
    ("one", "mode", "corner", "info", "message"),
    [
        (TensorMap(IMAGE, BOX), "tile", (0, 0, 0, 0), (), "in mode tile with a map of mode im2col"),
        (TensorMap(IMAGE, (1, 1, 1, 8)), "im2col", (0, 0, 0, 0), (0, 0), "with a map of mode tile"),
        (TensorMap(IMAGE, WIDE, swizzle=64), "im2col::w::128", (0, 0, 0, 0), (0, 0), "mode im2col::w"),
        (TensorMap(IMAGE, BOX), "im2col", (0, 5, 0, 0), (0, 0), "outside of its bounding box"),
        (TensorMap(IMAGE, BOX), "im2col", (0, -1, 0, 0), (0, 0), "outside of its bounding box"),
        (TensorMap(IMAGE, BOX), "im2col", (0, 0, 0, 0), (256, 0), "they are below (256, 256)"),
        (TensorMap(IMAGE, BOX), "im2col", (0, 0, 0, 0), (0,), "takes 2 offsets, not 1"),
        (TensorMap(IMAGE, WIDE, swizzle=64), "im2col::w", (0, 5, 0, 0), (0, 0), "outside of its bounding"),
        (TensorMap(IMAGE, WIDE, swizzle=64), "im2col::w", (0, 0, 0, 0), (0, 32), "they are below (512, 32)"),
        (
            TensorMap(IMAGE, Im2col((0,), (0,), 32, 16, "w::128"), swizzle=64),
            "im2col::w::128",
            (0, 0, 0, 0),
            (1, 0),
            "TW1252",
        ),
        (TensorMap(IMAGE[0, 0], (2, 8)), "tile::gather4", (0, 0, 1, 2, 3), (), "four rows of a tensor map"),
        (
            TensorMap(np.zeros((2, 3, 4, 8), np.float16), Im2col((0,), (0,), 8, 16), interleave=16),
            "im2col",
            (0, 0, 0),
            (0,),
            "TW1252",
        ),
    ],
)
def test_copies_that_are_not_possible(
    one: TensorMap, mode: str, corner: Any, info: Any, message: str
) -> None:
    with pytest.raises(DiagnosticError) as error:
        loaded(one, mode, corner, info, 4096, 256)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("one", "mode", "message"),
    [
        (TensorMap(IMAGE, Im2col((-1, 0), (0, 0), 8, 16)), "im2col_no_offs", "leaves the tensor"),
        (
            TensorMap(IMAGE, (1, 1, 2, 32), swizzle=128, atomicity="32B flip 8B"),
            "tile",
            "a swizzle with exchanged halves",
        ),
    ],
)
def test_stores_that_are_not_possible(one: TensorMap, mode: str, message: str) -> None:
    body = text(STORE, 256, mode, (0, 0, 0, 0), NAME="cp.async.bulk.tensor")
    with pytest.raises(DiagnosticError, match=message):
        launch(body, "k", (1,), (32,), [one, np.zeros(64, np.uint32)])
