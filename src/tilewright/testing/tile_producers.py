"""Draws tiles computed from other tiles, so that operands in a generated kernel are not only constants and
parameters.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import TYPE_CHECKING

from tilewright.dialects.cuda_tile import enums as cuda_tile_enums, version as cuda_tile_version
from tilewright.dialects.cuda_tile.ops import memory as memory_ops, view as view_ops
from tilewright.dialects.cuda_tile.ops.tile import BroadcastOp, CatOp, ExtractOp, PermuteOp, ReshapeOp
from tilewright.dialects.cuda_tile.types import PartitionViewType, PointerType, TensorViewType, TileType
from tilewright.ir.builtin_types import f4E2M1FN, i4, i32
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.testing.tile_scene import TileScene

Producer = Callable[["TileScene", TileType], Value | None]
"""A function that emits operations which compute a tile of a type; it returns None if it cannot make this
type.
"""


def produced(scene: TileScene, type: TileType) -> Value | None:
    """Return a tile of a type, the result of an operation on other tiles; None if none is drawn, as for
    elements of f4.
    """
    element = type.element_type
    base = element.pointee if isinstance(element, PointerType) else element
    return None if base is f4E2M1FN else scene.choose(PRODUCERS)(scene, type)


def _broadcast(scene: TileScene, type: TileType) -> Value | None:
    """Add a `broadcast` of a tile with some extents of 1, and return its result, of the type `type`; None if
    no extent is drawn to be 1.
    """
    thin = tuple(1 if scene.boolean() else extent for extent in type.shape)
    if thin == type.shape:
        return None
    source = scene.value(TileType(thin, type.element_type))
    return scene.create(BroadcastOp, source, result_types=[type]).result


def _permute(scene: TileScene, type: TileType) -> Value | None:
    rank = len(type.shape)
    if rank < 2:
        return None
    order = tuple(scene.drawing.shuffled(range(rank)))
    shape = [1] * rank
    for extent, dimension in zip(type.shape, order, strict=True):
        shape[dimension] = extent
    source = scene.value(TileType(tuple(shape), type.element_type))
    return scene.create(PermuteOp, source, permutation=order, result_types=[type]).result


def _reshape(scene: TileScene, type: TileType) -> Value | None:
    """Add a `reshape` to `type` of a value with as many elements: a vector, a row, a column, or pairs. Return
    its result.
    """
    count = prod(type.shape)
    shapes = [(count,), (1, count), (count, 1), (2, count // 2), (count // 2, 2)]
    shape = scene.choose(shapes if count > 1 else shapes[:3])
    source = scene.value(TileType(shape, type.element_type))
    return scene.create(ReshapeOp, source, result_types=[type]).result


def _extract(scene: TileScene, type: TileType) -> Value | None:
    """Add an `extract` from a tile up to twice as long in some dimensions, and return its result, of the type
    `type`; None for a scalar, or if that tile is too large for the scene.
    """
    whole = tuple(extent << scene.integer(0, 1) for extent in type.shape)
    if not whole or prod(whole) > scene.largest:
        return None
    indices = [scene.scalar(i32, 0, w // p - 1) for w, p in zip(whole, type.shape, strict=True)]
    source = scene.value(TileType(whole, type.element_type))
    return scene.create(ExtractOp, source, indices, result_types=[type]).result


def _cat(scene: TileScene, type: TileType) -> Value | None:
    even = [at for at, extent in enumerate(type.shape) if extent > 1]
    if not even:
        return None
    along = scene.choose(even)
    half = tuple(extent // 2 if at == along else extent for at, extent in enumerate(type.shape))
    part = TileType(half, type.element_type)
    return scene.create(CatOp, scene.value(part), scene.value(part), dim=along, result_types=[type]).result


def _load(scene: TileScene, type: TileType) -> Value | None:
    """Add a load through a view of a parameter of its own, whole or without the last elements, and return its
    tile, of the type `type`; None for types that cannot be loaded.
    """
    element = type.element_type
    if not type.shape or isinstance(element, PointerType) or element is i4:
        return None
    base = scene.entry_block.add_argument(TileType((), PointerType(element)))
    shape = tuple(max(1, extent - scene.integer(0, 1)) for extent in type.shape)
    strides = tuple(prod(type.shape[at + 1 :]) for at in range(len(shape)))
    tensor = TensorViewType(shape, element, strides)
    whole = scene.create(view_ops.MakeTensorViewOp, base, (), (), result_types=[tensor]).result
    kind = PartitionViewType(type.shape, tensor, tuple(range(len(shape))), cuda_tile_enums.PaddingValue.ZERO)
    view = scene.create(view_ops.MakePartitionViewOp, whole, result_types=[kind]).results[0]
    first = [scene.scalar(i32, 0, 0) for _ in shape]
    checked = {"inbounds": (False,) * len(shape)} if scene.has(cuda_tile_version.V13_4) else {}
    kinds = [type, memory_ops.TOKEN_TYPE.types[0]]
    weak = cuda_tile_enums.MemoryOrderingSemantics.WEAK
    made = scene.create(
        memory_ops.LoadViewTkoOp,
        memory_ordering_semantics=weak,
        view=view,
        index=first,
        result_types=kinds,
        **checked,
    )
    return made.results[0]


PRODUCERS: tuple[Producer, ...] = (_reshape, _broadcast, _permute, _extract, _cat, _load, _load)
"""The functions that compute tiles from other tiles or memory; loads are listed twice, to be more frequent.
"""
