"""Samplers of tile operations: shape manipulation, constants, matrix multiplication."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.cuda_tile.constraints import ANY_TILE
from tilewright.dialects.cuda_tile.ops import tile as tiles
from tilewright.dialects.cuda_tile.syntax.value_names import compressed
from tilewright.dialects.cuda_tile.types import (
    ELEMENTS,
    FLOATS,
    INTEGERS,
    POINTEES,
    TileType,
)
from tilewright.dialects.cuda_tile.version import V13_4
from tilewright.ir import builtin_types
from tilewright.ir.attribute import Type
from tilewright.ir.operation import Operation
from tilewright.testing import attributes as testing_attributes, scene as testing_scene, tile_types
from tilewright.testing.samplers.arithmetic import Sampler
from tilewright.testing.tile_scene import TileScene

MMA_ACCUMULATORS: dict[Type, tuple[Type, ...]] = {
    builtin_types.f32: (builtin_types.f32,),
    builtin_types.f16: (builtin_types.f16, builtin_types.f32),
    builtin_types.bf16: (builtin_types.f32,),
    builtin_types.f64: (builtin_types.f64,),
    builtin_types.tf32: (builtin_types.f32,),
    builtin_types.f8E4M3FN: (builtin_types.f16, builtin_types.f32),
    builtin_types.f8E5M2: (builtin_types.f16, builtin_types.f32),
}
"""Accumulator types of `mmaf` by input type."""
SCALED: tuple[tuple[Type, Type, int], ...] = (
    (builtin_types.f8E4M3FN, builtin_types.f8E8M0FNU, 32),
    (builtin_types.f8E5M2, builtin_types.f8E8M0FNU, 32),
    (builtin_types.f4E2M1FN, builtin_types.f8E8M0FNU, 16),
    (builtin_types.f4E2M1FN, builtin_types.f8E8M0FNU, 32),
    (builtin_types.f4E2M1FN, builtin_types.f8E4M3FN, 16),
    (builtin_types.f4E2M1FN, builtin_types.fnv8E5M3FNU, 16),
)
"""Input type, scale type and block size that `mmaf_scaled` takes."""


def constant(scene: TileScene) -> Operation:
    """Add a constant tile of any numbers except i4, as a splat or with all elements spelt out, and return its
    operation.
    """
    tile = tile_types.draw_tile(scene, (*INTEGERS, *FLOATS))
    elements = compressed(testing_attributes.draw_elements(scene, tile))
    return scene.build(tiles.ConstantOp, {"result": tile}, attributes={"value": elements})


def iota(scene: TileScene) -> Operation:
    """Add an `iota` with at most as many elements as the element type has numbers, and return it."""
    element = scene.choose(INTEGERS)
    longest = 2 if element is builtin_types.i1 else tile_types.MAXIMUM_ELEMENTS
    counts = [1 << power for power in range(longest.bit_length())]
    return scene.build(tiles.IotaOp, {"result": TileType((scene.choose(counts),), element)})


def _element(scene: TileScene) -> Type:
    """Return an element type that any tile may have; f4 needs an even number of elements."""
    if scene.drawing.chance(6):
        return tile_types.draw_pointer(scene)
    return scene.choose(tile_types.available(ELEMENTS, scene.version))


def _source(scene: TileScene, ranks: Sequence[int]) -> tuple[testing_scene.Shape, Type]:
    """Return the shape and element type of an operand: of an existing tile with one of the ranks, or random."""
    known = scene.known_types(ANY_TILE)
    fitting = [type for type in known if isinstance(type, TileType) and len(type.shape) in ranks]
    if fitting and scene.boolean():
        found = scene.choose(fitting)
        return found.shape, found.element_type
    element = _element(scene)
    return tile_types.draw_shape(scene, scene.choose(ranks), even=element is builtin_types.f4E2M1FN), element


def broadcast(scene: TileScene) -> Operation:
    """Add a `broadcast`, and return it; some extents of the source are 1."""
    element = _element(scene)
    even = element is builtin_types.f4E2M1FN
    shape = tile_types.draw_shape(scene, even=even)
    source = tuple(1 if scene.boolean() else extent for extent in shape)
    if even and builtin_types.element_count(source) % 2:
        source = shape
    return scene.build(
        tiles.BroadcastOp, {"source": TileType(source, element), "result": TileType(shape, element)}
    )


def reshape(scene: TileScene) -> Operation:
    """Add a `reshape` of a tile to a shape with as many elements, and return it."""
    source = tile_types.draw_any_tile(scene)
    return scene.build(
        tiles.ReshapeOp,
        {"source": source, "result": TileType(_refactored(scene, source.shape), source.element_type)},
    )


def _refactored(scene: TileScene, shape: testing_scene.Shape) -> testing_scene.Shape:
    rest = builtin_types.element_count(shape)
    result: list[int] = []
    for _ in range(scene.integer(0, 3)):
        extent = 1 << scene.integer(0, rest.bit_length() - 1)
        result.append(extent)
        rest //= extent
    return tuple(result) if rest == 1 else (*result, rest)


def permute(scene: TileScene) -> Operation:
    """Add a `permute` of a tile of rank 2 or more, and return it."""
    shape, element = _source(scene, (2, 3, 4))
    permutation = tuple(scene.drawing.shuffled(range(len(shape))))
    types = {
        "source": TileType(shape, element),
        "result": TileType(tuple(shape[dimension] for dimension in permutation), element),
    }
    return scene.build(tiles.PermuteOp, types, attributes={"permutation": permutation})


def concatenate(scene: TileScene) -> Operation:
    """Add a `cat` of two tiles of the same shape, and return it: other extents do not add up to a power of
    two.
    """
    shape, element = _source(scene, (1, 2, 3))
    dimension = scene.integer(0, len(shape) - 1)
    joined = tuple(extent * 2 if place == dimension else extent for place, extent in enumerate(shape))
    part = TileType(shape, element)
    types = {"lhs": part, "rhs": part, "result": TileType(joined, element)}
    return scene.build(tiles.CatOp, types, attributes={"dim": dimension})


def _slicing(op_class: type[Operation], slice_field: str, whole_field: str) -> Sampler:
    """Return the sampler of `op_class`, `extract` or `insert`. The shape of the slice, in the field
    `slice_field`, divides the shape of the whole tile, in `whole_field`; the indices are constants that
    number one slice.
    """

    def sample(scene: TileScene) -> Operation:
        whole, element = _source(scene, (1, 2, 3))
        even = element is builtin_types.f4E2M1FN
        part = tuple(extent >> scene.integer(0, extent.bit_length() - 1) for extent in whole)
        if even and builtin_types.element_count(part) % 2:
            part = whole
        indices = [scene.scalar(builtin_types.i32, 0, w // p - 1) for w, p in zip(whole, part, strict=True)]
        types = {slice_field: TileType(part, element), whole_field: TileType(whole, element)}
        if op_class is tiles.InsertOp:
            types["result"] = types[whole_field]
        return scene.build(op_class, types, {"indices": indices})

    return sample


def select(scene: TileScene) -> Operation:
    """Add a `select` between two tiles of any element type of a byte or more, of i1, or of pointers, and
    return it.
    """
    elements = tuple(element for element in POINTEES if element is not builtin_types.f4E2M1FN)
    tile = tile_types.draw_tile(scene, elements)
    if scene.drawing.chance(6):
        tile = tile.with_element_type(tile_types.draw_pointer(scene))
    return scene.build(tiles.SelectOp, {"result": tile})


def offset(scene: TileScene) -> Operation:
    """Add an `offset` with offsets in elements, small enough to stay inside a buffer, and return it."""
    shape = tile_types.draw_shape(scene)
    offsets = TileType(shape, scene.choose(INTEGERS))
    pointers = TileType(shape, tile_types.draw_pointer(scene))
    moved = {"offset": scene.offsets(offsets, pointers.element_type)}
    return scene.build(tiles.OffsetOp, {"result": pointers}, moved)


def _extents(scene: TileScene) -> tuple[tuple[int, ...], int, int, int]:
    """Draw the extents of a small product: the batch extent as a tuple, empty without a batch, and M, N and
    K.
    """
    batch = (scene.choose((1, 2)),) if scene.boolean() else ()
    return (batch, *(scene.choose((1, 2, 4, 8)) for _ in range(3)))


def multiply_floats(scene: TileScene) -> Operation:
    """Add an `mmaf` with any legal pair of input and accumulator types, and return it."""
    element = scene.choose(tuple(MMA_ACCUMULATORS))
    batch, m, n, k = _extents(scene)
    types = {
        "lhs": TileType((*batch, m, k), element),
        "rhs": TileType((*batch, k, n), element),
        "acc": TileType((*batch, m, n), scene.choose(MMA_ACCUMULATORS[element])),
    }
    return scene.build(tiles.MmaFOp, types)


def multiply_integers(scene: TileScene) -> Operation:
    """Add an `mmai` of 8-bit inputs with 32-bit sums, and return it."""
    batch, m, n, k = _extents(scene)
    types = {
        "lhs": TileType((*batch, m, k), builtin_types.i8),
        "rhs": TileType((*batch, k, n), builtin_types.i8),
        "acc": TileType((*batch, m, n), builtin_types.i32),
    }
    return scene.build(tiles.MmaIOp, types)


def multiply_scaled(scene: TileScene) -> Operation:
    """Add an `mmaf_scaled` with any legal combination of input type, scale type and block size, and return
    it.
    """
    options = [row for row in SCALED if row[1] is not builtin_types.fnv8E5M3FNU or scene.has(V13_4)]
    element, scale, block = scene.choose(options)
    batch, m, n, blocks = _extents(scene)
    m, n, blocks = min(m, 4), min(n, 4), min(blocks, 2)
    types = {
        "lhs": TileType((*batch, m, blocks * block), element),
        "rhs": TileType((*batch, blocks * block, n), element),
        "acc": TileType((*batch, m, n), builtin_types.f32),
        "lhs_scale": TileType((*batch, m, blocks), scale),
        "rhs_scale": TileType((*batch, blocks, n), scale),
    }
    return scene.build(tiles.MmaFScaledOp, types)


SAMPLERS: dict[type[Operation], Sampler] = {
    tiles.ConstantOp: constant,
    tiles.IotaOp: iota,
    tiles.BroadcastOp: broadcast,
    tiles.ReshapeOp: reshape,
    tiles.PermuteOp: permute,
    tiles.CatOp: concatenate,
    tiles.ExtractOp: _slicing(tiles.ExtractOp, "result", "source"),
    tiles.InsertOp: _slicing(tiles.InsertOp, "source", "destination"),
    tiles.SelectOp: select,
    tiles.OffsetOp: offset,
    tiles.MmaFOp: multiply_floats,
    tiles.MmaIOp: multiply_integers,
    tiles.MmaFScaledOp: multiply_scaled,
}
"""The samplers of operations with rules that are not in their declarations."""
