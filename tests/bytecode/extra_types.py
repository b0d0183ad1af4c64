"""More broken type tables: every parameter of every type cut short or out of range."""

from __future__ import annotations

from collections.abc import Iterator

from tests.support.invalid.malformed_container import BASE
from tests.support.invalid.malformed_tables import typed
from tests.support.synthetic.assembler import Module, integers, varint, varints

Case = tuple[str, bytes | Module]
TENSOR = b"\x0e\x00\x01" + integers([8], 8) + integers([1], 8)
OLD_TENSOR = b"\x0e\x01" + integers([8], 8) + integers([1], 8)
F32, I32, TOKEN = b"\x07", b"\x03", b"\x11"


def f32(*types: bytes, version: tuple[int, int] = (13, 4)) -> Module:
    """A type table that starts with the signature and f32; the entry takes the last type."""
    return typed(F32, *types, version=version)


def partition(flags: int, tile: list[int], tensor: int, dim_map: list[int], *padding: int) -> bytes:
    """A partition view from 13.3 on."""
    fields = b"\x0f" + varint(flags) + integers(tile, 4) + varint(tensor)
    return fields + integers(dim_map, 4) + varints(*padding)


def strided(tile: list[int], strides: list[int], tensor: int, dim_map: list[int]) -> bytes:
    """A strided view without padding."""
    return b"\x15\x00" + integers(tile, 4) + integers(strides, 4) + varint(tensor) + integers(dim_map, 4)


def tensor(shape: list[int], strides: list[int], flags: int = 0, element: int = 1) -> bytes:
    """A tensor view from 13.4 on."""
    return b"\x0e" + varints(flags, element) + integers(shape, 8) + integers(strides, 8)


def _tensor_views() -> Iterator[Case]:
    yield "shape-cut", f32(b"\x0e\x00\x01\x01")
    yield "strides-cut", f32(b"\x0e\x00\x01" + integers([8], 8) + b"\x01")
    yield "attribute-cut", f32(tensor([8], [1], flags=1))
    yield "ranks", f32(tensor([8], [1, 1]))
    yield "zero-extent", f32(tensor([0], [1]))
    yield "negative-stride", f32(tensor([1], [-1]))
    yield "of-pointer", f32(b"\x0c\x00\x01", tensor([1], [1], element=2))
    yield "unknown-flag", f32(tensor([8], [1], flags=2))
    yield "huge-rank", f32(b"\x0e\x00\x01" + varint(2**62))
    yield "trailing", f32(tensor([8], [1]) + b"zz")


def _partition_views() -> Iterator[Case]:
    head = b"\x0f\x00" + integers([4], 4)
    yield "no-tensor", f32(TENSOR, head)
    yield "of-f32", f32(TENSOR, partition(0, [4], 1, [0]))
    yield "tensor-index", f32(TENSOR, partition(0, [4], 99, [0]))
    yield "dim-map-cut", f32(TENSOR, head + b"\x02")
    yield "padding-cut", f32(TENSOR, partition(1, [4], 2, [0]))
    yield "unknown-flag", f32(TENSOR, partition(2, [4], 2, [0]))
    yield "unknown-flag-padded", f32(TENSOR, partition(3, [4], 2, [0], 0))
    yield "argument", f32(TENSOR, partition(0, [4], 2, [0]))
    yield "rank", f32(TENSOR, partition(0, [4, 4], 2, [0, 1]))
    yield "dim-map-range", f32(TENSOR, partition(0, [4], 2, [1]))
    yield "dim-map-negative", f32(TENSOR, partition(0, [4], 2, [-1]))
    yield "not-power-of-two", f32(TENSOR, partition(0, [3], 2, [0]))
    yield "rank-0", f32(TENSOR, partition(0, [], 2, []))
    yield "two-faults", f32(TENSOR, partition(0, [3], 2, [1]))
    yield "integer-padding", typed(I32, TENSOR, partition(1, [4], 2, [0], 2))
    old = b"\x0f" + integers([4], 4) + b"\x02" + integers([0], 4)
    yield "old-presence-cut", f32(OLD_TENSOR, old, version=(13, 2))
    yield "old-padding-cut", f32(OLD_TENSOR, old + b"\x01", version=(13, 2))


def _other_views() -> Iterator[Case]:
    strided_head = b"\x15\x00" + integers([4], 4)
    yield "strided-flags-cut", f32(TENSOR, b"\x15")
    yield "strided-tile-cut", f32(TENSOR, b"\x15\x00\x09")
    yield "strided-strides-cut", f32(TENSOR, strided_head + b"\x03")
    yield "strided-tensor-cut", f32(TENSOR, strided_head + integers([4], 4))
    yield "strided-dim-map-cut", f32(TENSOR, strided_head + integers([4], 4) + b"\x02\x05")
    yield "strided-zero-stride", f32(TENSOR, strided([4], [0], 2, [0]))
    yield "strided-stride-count", f32(TENSOR, strided([4], [1, 1], 2, [0]))
    gather = b"\x14\x00" + integers([4], 4)
    yield "gather-tile-cut", f32(TENSOR, b"\x14\x00\x09")
    yield "gather-tensor-cut", f32(TENSOR, gather)
    yield "gather-dim-cut", f32(TENSOR, gather + b"\x02")
    for value in (1, 2**31, 2**32):
        yield f"gather-dim-{value}", f32(TENSOR, gather + b"\x02" + varint(value))


def _functions() -> Iterator[Case]:
    yield "result-index", BASE.with_(types=(b"\x10\x00\x01\x09",))
    yield "result-count-cut", BASE.with_(types=(b"\x10\x00",))
    yield "parameter-count-cut", BASE.with_(types=(b"\x10",))
    yield "parameter-count-huge", BASE.with_(types=(b"\x10" + varint(2**40),))
    yield "results", BASE.with_(types=(b"\x10\x00\x01\x01", b"\x0d\x02\x00", F32))
    yield "of-function", BASE.with_(types=(b"\x10\x01\x01\x00", b"\x10\x00\x00"))


def _tiles_and_pointers() -> Iterator[Case]:
    for dims in ([3], [0, 4], [-4, 3], [2**24, 2], [2**62, 2**62], [4]):
        yield "x".join(map(str, dims)), f32(b"\x0d\x01" + integers(dims, 8))
    yield "of-tile", typed(b"\x0d\x02\x00", b"\x0d\x01\x00")
    yield "scalar-f4", typed(b"\x13", b"\x0d\x01\x00")
    yield "pointer-to-pointer", f32(b"\x0c\x00\x01", b"\x0c\x00\x02")
    yield "pointer-to-i4", typed(b"\x16", b"\x0c\x00\x01")
    yield "pointer-cut", f32(b"\x0c\x00")
    yield "pointer-attribute-cut", f32(b"\x0c\x01\x01")
    yield "argument-f32", typed(F32)
    yield "argument-token", typed(TOKEN)
    yield "argument-token-13.1", typed(TOKEN, version=(13, 1))
    yield "tile-trailing", f32(b"\x0d\x01\x00z")
    yield "pointer-trailing", f32(b"\x0c\x00\x01z", b"\x0d\x02\x00")
    yield "scalar-trailing", typed(F32 + b"z", b"\x0d\x01\x00")
    yield "tag-modulo-256", typed(varint(256 + 3), b"\x0d\x01\x00")
    yield "tag-of-eleven-bytes", typed(b"\xff" * 11)


def type_cases() -> Iterator[Case]:
    """Name and module of every case."""
    families = {
        "tensor_view": _tensor_views,
        "partition_view": _partition_views,
        "view": _other_views,
        "function_type": _functions,
        "tile": _tiles_and_pointers,
    }
    for family, cases in families.items():
        for name, module in cases():
            yield f"{family}/{name}", module
