"""Rules of types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.dialects.cuda_tile.scratch import SCALARS, type_of
from tests.dialects.cuda_tile.views import KINDS, tensor, view
from tilewright.dialects.cuda_tile.attributes import OptimizationHintsAttr
from tilewright.dialects.cuda_tile.types import (
    TOKEN,
    PartitionViewType,
    PointerType,
    TensorViewType,
    TileType,
)
from tilewright.ir.builtin_attributes import DictionaryAttr, integer32
from tilewright.ir.builtin_types import DYNAMIC, f32, i4, i32, index
from tilewright.ir.uniquer import InvalidParameters

Make = Callable[[], Any]
POINTEES = (
    "f16 or bf16 or f32 or tf32 or f64 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN or fnv8E5M3FNU or i1 or i8 or i16"
    " or i32 or i64"
)
ODD = "F4E2M1FN tiles must have an even number of elements"

TILES: dict[str, tuple[str, Make]] = {
    "zero": ("all dimensions must be positive constants, got 0, 4", lambda: type_of("0x4xi32")),
    "negative": ("all dimensions must be positive constants, got -4", lambda: type_of("-4xi32")),
    "three": ("all dimensions must be powers of two, got 3", lambda: type_of("3xi32")),
    "three-first": ("all dimensions must be powers of two, got 3, 0", lambda: type_of("3x0xi32")),
    "large": ("tile would exceed the maximum of 16777216 elements", lambda: type_of("4096x8192xi8")),
    "f4-scalar": (ODD, lambda: type_of("f4E2M1FN")),
    "f4-one": (ODD, lambda: type_of("1xf4E2M1FN")),
    "index": (
        f"failed to verify 'elementType': {POINTEES} or Pointer type or i4",
        lambda: TileType((4,), index),
    ),
    "token": (
        f"failed to verify 'elementType': {POINTEES} or Pointer type or i4",
        lambda: TileType((4,), TOKEN),
    ),
    "pointer-i4": (f"failed to verify 'pointeeType': {POINTEES}", lambda: PointerType(i4)),
    "pointer-pointer": (f"failed to verify 'pointeeType': {POINTEES}", lambda: PointerType(PointerType(f32))),
}
SIZES = "dimensions must have strictly positive constant sizes but got "
STRIDES = "dimensions must have strictly positive constant strides but got "
TENSORS: dict[str, tuple[str, Make]] = {
    "ranks": (
        "expected shape and stride to be of same rank but got shape of rank 2 and stride of rank 1",
        lambda: tensor(shape=(8, 4), strides=(1,)),
    ),
    "size-zero": (SIZES + "[0]", lambda: tensor(shape=(0,), strides=(1,))),
    "size-dynamic": (SIZES + "[?, -3]", lambda: tensor(shape=(DYNAMIC, -3))),
    "stride-negative": (STRIDES + "[-1]", lambda: tensor(shape=(8,), strides=(-1,))),
    "stride-zero": (STRIDES + "[0, ?]", lambda: tensor(shape=(8, 8), strides=(0, DYNAMIC))),
    "tensor-i4": (f"failed to verify 'elementType': {POINTEES}", lambda: TensorViewType((8,), i4, (1,))),
}
FLAT = tensor(shape=(8, 4), strides=(4, 1))
INTEGERS = tensor("i32", (8, 4), (4, 1))
VIEWS: dict[str, tuple[str, Make]] = {}


def add(kind: str, name: str, message: str, **given: Any) -> None:
    """Enter a broken view type into the table."""
    VIEWS[f"{kind}-{name}"] = (message, lambda: view(kind, **given))


def _every_view() -> None:
    for kind in KINDS:
        add(
            kind,
            "rank0",
            "0-dimension tile shape is not supported",
            tile=(),
            over=tensor(shape=(), strides=()),
        )
        add(
            kind,
            "ranks",
            "expected tensor_view rank and tile rank to match, got tensor_view of rank 2 and tiles of rank 1",
            tile=(8,),
            over=FLAT,
        )
        add(
            kind,
            "zero",
            "tile shape dimensions must have positive length but got [0, 4]",
            tile=(0, 4),
            over=FLAT,
        )
        add(
            kind,
            "three",
            "tile shape dimensions must have power of two length but got [3, 4]",
            tile=(3, 4),
            over=FLAT,
        )
        add(kind, "large", "tile would exceed the maximum of 16777216 elements", tile=(8192, 4096), over=FLAT)
        add(kind, "f4", ODD, tile=(1, 1), over=tensor("f4E2M1FN", (8, 4), (4, 1)))
        add(
            kind,
            "padding",
            "padding_value nan can only be used with floating point element types, got 'i32'",
            over=INTEGERS,
            padding="nan",
        )


def _some_views() -> None:
    for kind in ("partition", "strided"):
        add(
            kind,
            "map-length",
            "expected dim_map to map exactly all 2 dimensions of the tile, got 1 mappings",
            over=FLAT,
            dim_map=(0,),
        )
        add(kind, "map-negative", "target dimension must not be negative, got -1", over=FLAT, dim_map=(0, -1))
        add(
            kind,
            "map-range",
            "target dimension is outside of tensor view dimensions, expected strictly less than 2, got 2",
            over=FLAT,
            dim_map=(0, 2),
        )
        add(
            kind,
            "map-twice",
            "target dimension 0 mapped at least twice (for tile dimensions 0 and 1)",
            over=FLAT,
            dim_map=(0, 0),
        )
    add("strided", "steps-length", "expected 2 traversal strides, got 1", over=FLAT, steps=(1,))
    add(
        "strided",
        "steps-zero",
        "traversal strides must be strictly positive but got [0, 4]",
        over=FLAT,
        steps=(0, 4),
    )
    add(
        "gather_scatter",
        "sparse",
        "gather dimension is outside of tensor view dimensions, expected strictly less than 2, got 2",
        over=FLAT,
        sparse_dim=2,
    )


_every_view()
_some_views()


HINT = OptimizationHintsAttr
OTHERS: dict[str, tuple[str, Make]] = {
    "partition-of-tile": (
        "expected 'tensor_view' type, but got !cuda_tile.tile<4xf32>",
        lambda: PartitionViewType((4,), type_of("4xf32"), (0,)),
    ),
    "hint": (
        "expected dictionary attribute for optimization_hints entry `sm_90` got value=3 : i32",
        lambda: HINT(DictionaryAttr((("sm_90", integer32(3)),))),
    ),
}
BROKEN = {**TILES, **TENSORS, **VIEWS, **OTHERS}


@pytest.mark.parametrize("name", BROKEN)
def test_broken(name: str) -> None:
    message, make = BROKEN[name]
    with pytest.raises(InvalidParameters) as raised:
        make()
    assert str(raised.value) == message


@pytest.mark.parametrize("element", SCALARS)
def test_every_element_makes_tiles(element: str) -> None:
    made: Any = type_of(f"2x4x{element}")
    assert made.shape == (2, 4)
    assert made.element_type is SCALARS[element]


@pytest.mark.parametrize("kind", KINDS)
def test_views_answer_their_tile(kind: str) -> None:
    made = view(kind, padding="zero", over=INTEGERS)
    assert made.tile_type is TileType((8, 4), i32)
    assert made.index_rank == 2
