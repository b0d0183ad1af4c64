"""Drawing the types of Tile IR, as far as a scene's bytecode version has them.

Sizes are small: tiles of at most 64 elements unless the scene asks for larger ones, tensors that fit into `BUFFER_ELEMENTS` from any base that
`tilewright.testing.tile_scene` hands out, so that generated programs may be executed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from tilewright.dialects.cuda_tile import types as cuda_tile_types
from tilewright.dialects.cuda_tile.availability import POINTER_ATTRIBUTE_SINCE, type_since
from tilewright.dialects.cuda_tile.enums import PaddingValue, PtrAttr, PtrAttrAttr
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import DYNAMIC, IntegerType, element_count, f4E2M1FN, i4
from tilewright.testing.scene import Shape

if TYPE_CHECKING:
    from tilewright.dialects.cuda_tile.constraints import PointerTile, TileOf
    from tilewright.ir.declaration.constraint import Constraint, IsClass, OneOf
    from tilewright.testing.tile_scene import TileScene

MAXIMUM_ELEMENTS = 64
MAXIMUM_EXTENT = 16
MAXIMUM_STRIDE = 64
BUFFER_ELEMENTS = 4096
"""The minimum number of elements at every pointer parameter of a generated kernel."""
_RANKS = (1, 0, 2, 1, 2, 3, 4)
_PLAIN_ATTRIBUTES = (None, None, PtrAttr.NONE, PtrAttr.UNICAST)


@cache
def available(elements: tuple[Type, ...], version: Any) -> tuple[Type, ...]:
    """Return the types among `elements` that exist in a version; all of them if it is None."""
    return tuple(element for element in elements if version is None or type_since(element) <= version)


@cache
def _shapes(rank: int, longest: int) -> tuple[Shape, ...]:
    """Return the shapes of a rank whose extents are powers of two, of at most ``longest`` elements, small
    ones first.
    """
    if rank == 0:
        return ((),)
    extents = [1 << power for power in range(longest.bit_length())]
    shapes = [(extent, *rest) for rest in _shapes(rank - 1, longest) for extent in extents]
    return tuple(
        sorted((s for s in shapes if element_count(s) <= longest), key=lambda s: (element_count(s), s))
    )


TILED_POINTEES = tuple(element for element in cuda_tile_types.POINTEES if element is not f4E2M1FN)
"""The pointee types of pointers in tiles of any rank."""


def draw_shape(scene: TileScene, rank: int | None = None, *, even: bool = False) -> Shape:
    """Draw a tile shape of the rank `rank`, or of any rank up to 4; ``even`` asks for an even number of
    elements, and so for a rank of at least 1.
    """
    chosen: int = scene.choose(_RANKS) if rank is None else rank
    options = _shapes(max(chosen, 1) if even else chosen, scene.largest)
    return scene.choose(options[1:] if even else options)


def draw_tile(
    scene: TileScene, elements: Sequence[Type], shape: Shape | None = None, rank: int | None = None
) -> cuda_tile_types.TileType:
    """Draw a tile type over one of the given element types that the scene's version has; there must be one.
    `shape` or `rank` fixes its shape, but a tile of f4E2M1FN has an even number of elements and a rank of at
    least 1.
    """
    options = available(tuple(elements), scene.version)
    if shape is not None and element_count(shape) % 2:
        options = tuple(element for element in options if element is not f4E2M1FN)
    element = scene.choose(options)
    if shape is None:
        shape = draw_shape(scene, rank, even=element is f4E2M1FN)
    return cuda_tile_types.TileType(shape, element)


def draw_pointer(scene: TileScene, pointees: Sequence[Type] = TILED_POINTEES) -> cuda_tile_types.PointerType:
    """Draw a pointer type to one of `pointees` that exist in the scene's version, such as plain memory
    operations take: without the multicast attribute.
    """
    pointee = scene.choose(available(tuple(pointees), scene.version))
    return cuda_tile_types.PointerType(pointee, draw_pointer_attribute(scene))


def draw_pointer_attribute(scene: TileScene) -> PtrAttr | None:
    """Draw an attribute of a pointer type that exists in the scene's version, other than multicast; None for
    no attribute.
    """
    if not scene.has(POINTER_ATTRIBUTE_SINCE):
        return None
    attribute = scene.choose(_PLAIN_ATTRIBUTES)
    return attribute if attribute is None or scene.has(PtrAttrAttr.case_since.get(attribute)) else None


def draw_any_tile(
    scene: TileScene, shape: Shape | None = None, element: Type | None = None
) -> cuda_tile_types.TileType:
    """Draw a type of tiles of numbers or pointers, sometimes of i4; `shape` and `element` fix its shape and
    element type.
    """
    if element is not None:
        even = element is f4E2M1FN
        return cuda_tile_types.TileType(shape if shape is not None else draw_shape(scene, even=even), element)
    if scene.drawing.chance(6):
        return cuda_tile_types.TileType(
            shape if shape is not None else draw_shape(scene), draw_pointer(scene)
        )
    return draw_tile(
        scene, cuda_tile_types.ELEMENTS if scene.drawing.chance(4) else cuda_tile_types.POINTEES, shape
    )


def draw_carried(scene: TileScene) -> Type:
    """Return a type that loops may carry and branches may yield: no views, no i4 (which has no constants)."""
    if scene.drawing.chance(5):
        return cuda_tile_types.TOKEN
    drawn = draw_any_tile(scene)
    return drawn if drawn.element_type is not i4 else draw_tile(scene, cuda_tile_types.POINTEES)


def draw_tensor_view(
    scene: TileScene, rank: int | None = None, pointer: cuda_tile_types.PointerType | None = None
) -> cuda_tile_types.TensorViewType:
    """Draw a tensor view type over plain memory, or over memory of the type `pointer`; of rank `rank`, or of
    any rank up to 3.
    """
    pointer = pointer or draw_pointer(scene, cuda_tile_types.POINTEES)
    dimensions = range(scene.choose((1, 2, 3, 0)) if rank is None else rank)
    shape = [_extent(scene, MAXIMUM_EXTENT) for _ in dimensions]
    strides = [_extent(scene, MAXIMUM_STRIDE) for _ in dimensions]
    if pointer.pointee is f4E2M1FN and shape:
        shape[-1], strides[-1] = scene.choose((2, 8, 16)), 1
    return cuda_tile_types.TensorViewType(tuple(shape), pointer.pointee, tuple(strides), pointer.attribute)


def _extent(scene: TileScene, limit: int) -> int:
    return DYNAMIC if scene.boolean() else scene.integer(1, limit)


def draw_view(
    scene: TileScene,
    view_class: type[Type] | None = None,
    tensor: cuda_tile_types.TensorViewType | None = None,
) -> Type:
    """Draw a type of views of tiles over a tensor view, by default a drawn one. ``view_class`` is the class;
    None and `TileViewType` stand for any class.
    """
    classes = [
        cuda_tile_types.PartitionViewType,
        cuda_tile_types.StridedViewType,
        cuda_tile_types.GatherScatterViewType,
    ]
    known = [c for c in classes if scene.supports_class(c)]
    chosen = view_class if view_class in classes else scene.choose(known)
    tensor = tensor or draw_tensor_view(scene, scene.integer(1, 3))
    rank = len(tensor.shape)
    shape = draw_shape(scene, rank, even=tensor.element_type is f4E2M1FN)
    padding = draw_padding(scene, tensor.element_type)
    if chosen is cuda_tile_types.GatherScatterViewType:
        return cuda_tile_types.GatherScatterViewType(shape, tensor, scene.integer(0, rank - 1), padding)
    dim_map = tuple(scene.drawing.shuffled(range(rank)))
    if chosen is cuda_tile_types.PartitionViewType:
        return cuda_tile_types.PartitionViewType(shape, tensor, dim_map, padding)
    steps = tuple(scene.integer(1, 8) for _ in shape)
    return cuda_tile_types.StridedViewType(shape, steps, tensor, dim_map, padding)


def draw_padding(scene: TileScene, element: Type) -> PaddingValue | None:
    """Draw a padding value that is valid for an element type, or None."""
    if scene.boolean():
        return None
    return PaddingValue.ZERO if isinstance(element, IntegerType) else scene.choose(tuple(PaddingValue))


# samplers by constraint -------------------------------------------------------------------------------------------


def sample_tile_of(scene: TileScene, constraint: TileOf, shape: Shape | None, element: Type | None) -> Type:
    """Return a tile type that satisfies a `TileOf`: of the given shape, and of the given element type if the
    constraint allows it.
    """
    if constraint.rank is not None and shape is None:
        shape = draw_shape(scene, constraint.rank)
    if element is not None and element in constraint.elements:
        return draw_tile(scene, (element,), shape)
    known = scene.known_types(constraint, shape)
    return scene.choose(known) if known and scene.boolean() else draw_tile(scene, constraint.elements, shape)


def sample_pointer_tile(
    scene: TileScene, constraint: PointerTile, shape: Shape | None, element: Type | None
) -> Type:
    """Return a type of tiles of pointers that satisfies `constraint`, of the shape `shape`, or a drawn one if
    None, and with pointers of the type `element` if that is a pointer type, else of a drawn type.
    """
    if constraint.rank is not None and shape is None:
        shape = draw_shape(scene, constraint.rank)
    shape = draw_shape(scene) if shape is None else shape
    return cuda_tile_types.TileType(
        shape, element if isinstance(element, cuda_tile_types.PointerType) else draw_pointer(scene)
    )


def sample_one_of(scene: TileScene, constraint: OneOf, shape: Shape | None, element: Type | None) -> Type:
    """Draw one of the types that `constraint` allows; the shape and element type are not used."""
    return scene.choose(constraint.types)


def sample_class(scene: TileScene, constraint: IsClass, shape: Shape | None, element: Type | None) -> Type:
    """Return a type for an `IsClass`: a tensor view or a view of tiles if it asks for one, otherwise a tile
    of the given shape and element type.
    """
    if constraint.classes is cuda_tile_types.TensorViewType:
        return draw_tensor_view(scene)
    if constraint.classes is cuda_tile_types.TileViewType:
        return draw_view(scene)
    known = scene.known_types(constraint, shape) if element is None else []
    return scene.choose(known) if known and scene.boolean() else draw_any_tile(scene, shape, element)


def sample_any(scene: TileScene, constraint: Constraint, shape: Shape | None, element: Type | None) -> Type:
    """Return a type that loops may carry, for a field that takes all types; the shape and element type are
    not used.
    """
    return draw_carried(scene)
