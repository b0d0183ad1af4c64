"""Samplers of memory operations: views, loads, stores, atomics, tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.cuda_tile import enums as cuda_tile_enums, types as cuda_tile_types
from tilewright.dialects.cuda_tile.attributes import OptimizationHintsAttr
from tilewright.dialects.cuda_tile.ops import control as control_ops, memory, view as view_ops
from tilewright.ir import builtin_types
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import DictionaryAttr, boolean, dense, integer32, integer64
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.testing import tile_types
from tilewright.testing.samplers.arithmetic import Sampler
from tilewright.testing.tile_scene import VIEW_MAKERS, TileScene, extents

Ordering = cuda_tile_enums.MemoryOrderingSemantics
Mode = cuda_tile_enums.AtomicRMWMode
Reduction = cuda_tile_enums.MultimemReductionKind

LOADS = (Ordering.WEAK, Ordering.RELAXED, Ordering.ACQUIRE)
STORES = (Ordering.WEAK, Ordering.RELAXED, Ordering.RELEASE)
ATOMICS = (Ordering.RELAXED, Ordering.ACQUIRE, Ordering.RELEASE, Ordering.ACQ_REL)
WHOLE = (builtin_types.i32, builtin_types.i64)
ATOMIC_ELEMENTS: dict[cuda_tile_enums.AtomicRMWMode, tuple[Type, ...]] = {
    **dict.fromkeys((Mode.AND, Mode.OR, Mode.XOR, Mode.ADD, Mode.MAX, Mode.MIN, Mode.UMAX, Mode.UMIN), WHOLE),
    Mode.ADDF: (builtin_types.f16, builtin_types.bf16, builtin_types.f32, builtin_types.f64),
    Mode.XCHG: (builtin_types.i32, builtin_types.i64, builtin_types.f32, builtin_types.f64),
}
"""The element types of an atomic operation by its mode."""
MULTIMEM_ELEMENTS = (
    builtin_types.f32,
    builtin_types.f16,
    builtin_types.bf16,
    builtin_types.f64,
    builtin_types.i32,
    builtin_types.i64,
)
MULTIMEM_LOADS: dict[cuda_tile_enums.MultimemReductionKind, tuple[Type, ...]] = {
    Reduction.ADD: MULTIMEM_ELEMENTS,
    **dict.fromkeys((Reduction.MIN, Reduction.MAX), (builtin_types.f16, builtin_types.bf16, *WHOLE)),
    **dict.fromkeys((Reduction.AND, Reduction.OR, Reduction.XOR, Reduction.UMIN, Reduction.UMAX), WHOLE),
}
"""Element types of a multimem load by its reduction."""
MULTIMEM_REDUCTIONS: dict[cuda_tile_enums.MultimemReductionKind, tuple[Type, ...]] = {
    kind: MULTIMEM_ELEMENTS if kind is Reduction.ADD else WHOLE for kind in MULTIMEM_LOADS
}
"""Element types of a multimem reduction."""
TARGETS = ("default", "sm_80", "sm_90", "sm_100", "sm_120")


def ordering(scene: TileScene, options: Sequence[cuda_tile_enums.MemoryOrderingSemantics]) -> dict[str, Any]:
    """Draw the memory ordering and scope attributes of an access, by name, with one of the orderings
    `options`: weak accesses have no scope, all others have one.
    """
    chosen = scene.choose(options)
    scope = None if chosen is Ordering.WEAK else scene.choose(tuple(cuda_tile_enums.MemoryScope))
    return {"memory_ordering_semantics": chosen, "memory_scope": scope}


def access_hints(scene: TileScene, *, view: bool) -> OptimizationHintsAttr | None:
    """Draw the hints of a load or store; None stands for no hints. With `view`, the operation accesses a
    view, and the hints may have ``allow_tma``.
    """
    values: list[tuple[str, Attribute]] = [("latency", integer64(scene.integer(1, 10)))]
    if view:
        values.append(("allow_tma", boolean(scene.boolean())))
    return hints(scene, values)


def hints(scene: TileScene, values: Sequence[tuple[str, Attribute]]) -> OptimizationHintsAttr | None:
    """Draw hints with some of the values for some targets, or None."""
    if scene.boolean():
        return None
    targets = [(target, DictionaryAttr(tuple(scene.drawing.subset(values)))) for target in _targets(scene)]
    return OptimizationHintsAttr(DictionaryAttr(tuple(targets)))


def _targets(scene: TileScene) -> list[str]:
    return scene.drawing.subset(TARGETS) if scene.boolean() else [scene.choose(TARGETS)]


ENTRY_HINTS: tuple[tuple[str, Attribute], ...] = (
    ("num_cta_in_cga", integer32(1)),
    ("occupancy", integer64(2)),
    ("num_worker_warps_per_cta", integer32(8)),
)


# views ------------------------------------------------------------------------------------------------------------


def make_tensor_view(scene: TileScene) -> Operation:
    """Add a tensor view with static and dynamic extents and strides, over every kind of pointer, and return
    its operation.
    """
    value = scene.tensor_view(tile_types.draw_tensor_view(scene))
    assert isinstance(value.owner, Operation)
    return value.owner


def _make_view(view_class: type[Type]) -> Sampler:
    op_class = VIEW_MAKERS[view_class]

    def sample(scene: TileScene) -> Operation:
        view: Any = tile_types.draw_view(scene, view_class)
        return scene.build(op_class, {"tensor_view": view.tensor, "result": view})

    return sample


def tensor_shape(scene: TileScene) -> Operation:
    """Add a `get_tensor_shape`, and return it: one result per dimension, all of one type (which may be too
    narrow for the extents).
    """
    view = tile_types.draw_tensor_view(scene)
    result = cuda_tile_types.TileType((), scene.choose(cuda_tile_types.INTEGERS))
    return scene.build(view_ops.GetTensorShapeOp, {"src": view, "extents": [result] * view.rank})


def index_space_shape(scene: TileScene) -> Operation:
    """Add a `get_index_space_shape` of a view, and return it: one result per tile dimension."""
    view: Any = tile_types.draw_view(scene)
    result = cuda_tile_types.TileType((), scene.choose(cuda_tile_types.INTEGERS))
    return scene.build(view_ops.GetIndexSpaceShapeOp, {"src": view, "extents": [result] * view.index_rank})


def index_space(view: Value) -> tuple[int, ...]:
    """Return the number of valid indices along each dimension of a view's tiles: the number of steps, rounded
    up, that cover the tensor, or for a gather and scatter view the extents of the tensor.
    """
    type: Any = view.type
    shape, tile = extents(view), type.tile_shape
    if isinstance(type, cuda_tile_types.GatherScatterViewType):
        return tuple(shape)
    steps = type.traversal_strides if isinstance(type, cuda_tile_types.StridedViewType) else tile
    return tuple(-(-shape[target] // step) for target, step in zip(type.dim_map, steps, strict=True))


def indices(scene: TileScene, view: Value) -> list[Value]:
    """Return the indices of a tile inside the index space: a number for each dimension, or a list of numbers
    along a sparse dimension. A scene past edges has indices of all sizes, and the tile block's index in the
    grid.
    """
    element = scene.choose(cuda_tile_types.INTEGERS)
    largest = (1 << getattr(element, "width", 64) - 1) - 1 or 1
    sparse = view.type.sparse_dim if isinstance(view.type, cuda_tile_types.GatherScatterViewType) else None
    result: list[Value] = []
    for dimension, positions in enumerate(index_space(view)):
        shape = (_tile_type(view).shape[dimension],) if dimension == sparse else ()
        type = cuda_tile_types.TileType(shape, element)
        if not scene.past_edges or scene.drawing.chance(3):
            result.append(scene.bounded(type, 0, min(positions - 1, largest)))
        elif element is builtin_types.i32 and not shape:
            result.append(scene.choose(scene.create(control_ops.GetTileBlockIdOp).results))
        else:
            result.append(_anywhere(scene, type, positions))
    return result


def _anywhere(scene: TileScene, type: cuda_tile_types.TileType, positions: int) -> Value:
    """Draw a constant of `type` whose indices are near the end of a dimension of `positions` tiles, or far
    past it: powers of two from 2**31 on, as far as the type has them.
    """
    width = getattr(type.element_type, "width", 64)
    far = [1 << power for power in (31, 32, 60, 61, 62, 63) if power < width]
    near = [positions - 1, positions, positions + 1, positions + scene.integer(2, 9)]
    count = type.element_count if scene.boolean() else 1
    drawn = [scene.choose((near, near, far or near)) for _ in range(count)]
    numbers = [scene.choose(options) + scene.integer(0, 1) for options in drawn]
    return scene.constant(type, dense(type, [_signed(number, width) for number in numbers]))


def _signed(number: int, width: int) -> int:
    """Return the low `width` bits of a number, read as signed."""
    low = number & ((1 << width) - 1)
    return low - (1 << width) if width > 1 and low >> (width - 1) else low


def _tile_type(view: Value) -> cuda_tile_types.TileType:
    assert isinstance(view.type, cuda_tile_types.TileViewType)
    return view.type.tile_type


def _inbounds(scene: TileScene, op_class: type[Operation], rank: int) -> tuple[bool, ...] | None:
    """Draw the `inbounds` attribute of an access of `rank` dimensions: None for no attribute, always in
    versions without it, otherwise true or false for each dimension, even where the tile crosses the edge.
    """
    since = op_class.op_kind.attributes_by_ir_name["inbounds"].since
    if not scene.has(since) or scene.boolean():
        return None
    return tuple(scene.boolean() for _ in range(rank))


def _view_access(
    op_class: type[Operation], tile_field: str, orders: Sequence[cuda_tile_enums.MemoryOrderingSemantics]
) -> Sampler:
    """Return the sampler of a load or store of one tile through a view of any class. ``tile_field`` is the
    field of the tile, and ``orders`` are the memory orderings to choose from.
    """

    def sample(scene: TileScene) -> Operation:
        view = scene.value(tile_types.draw_view(scene))
        tile = _tile_type(view)
        attributes = {
            **ordering(scene, orders),
            "optimization_hints": access_hints(scene, view=True),
            "inbounds": _inbounds(scene, op_class, len(tile.shape)),
        }
        return scene.build(
            op_class, {tile_field: tile}, {"view": view, "index": indices(scene, view)}, attributes
        )

    return sample


# pointers ---------------------------------------------------------------------------------------------------------


def _pointers(
    scene: TileScene, elements: Sequence[Type] = tile_types.TILED_POINTEES
) -> tuple[cuda_tile_types.TileType, cuda_tile_types.TileType]:
    """Draw a shape, and a pointer type to one of `elements` that plain memory operations take. Return the
    type of a tile of these pointers, and of a tile of their pointees.
    """
    pointer = tile_types.draw_pointer(scene, elements)
    shape = tile_types.draw_shape(scene)
    return cuda_tile_types.TileType(shape, pointer), cuda_tile_types.TileType(shape, pointer.pointee)


def load_pointers(scene: TileScene) -> Operation:
    """Add a load by pointers, and return it.

    Padding requires a mask and is drawn nearly always, because without it elements are undefined.
    """
    pointers, tile = _pointers(scene)
    mask, padding = _mask(scene, tile.shape), None
    if mask is not None and not scene.drawing.chance(8):
        padding = scene.value(tile)
    attributes = {**ordering(scene, LOADS), "optimization_hints": access_hints(scene, view=False)}
    values = {"mask": mask, "padding_value": padding}
    return scene.build(memory.LoadPtrTkoOp, {"source": pointers, "result": tile}, values, attributes)


def store_pointers(scene: TileScene) -> Operation:
    """Add a store by pointers, with or without a mask, and return it."""
    pointers, tile = _pointers(scene)
    attributes = {**ordering(scene, STORES), "optimization_hints": access_hints(scene, view=False)}
    types = {"destination": pointers, "value": tile}
    return scene.build(memory.StorePtrTkoOp, types, {"mask": _mask(scene, tile.shape)}, attributes)


def _mask(scene: TileScene, shape: tuple[int, ...]) -> Value | None:
    return scene.value(cuda_tile_types.TileType(shape, builtin_types.i1)) if scene.boolean() else None


def allocate(scene: TileScene) -> Operation:
    """Add an allocation with natural alignment or more, and return it."""
    pointer = tile_types.draw_pointer(scene)
    size = (
        4 if getattr(pointer.pointee, "width", 8) == 19 else max(1, getattr(pointer.pointee, "width", 8) // 8)
    )
    attributes = {"num_elem": scene.choose((1, 3, 64)), "alignment": size << scene.integer(0, 5)}
    return scene.build(
        memory.AllocaOp, {"result": cuda_tile_types.TileType((), pointer)}, attributes=attributes
    )


# atomics ----------------------------------------------------------------------------------------------------------


def compare_and_swap(scene: TileScene) -> Operation:
    """Add a compare-and-swap of elements of 32 or 64 bits, and return it."""
    pointers, tile = _pointers(scene, ATOMIC_ELEMENTS[Mode.XCHG])
    types = {"pointers": pointers, "result": tile}
    return scene.build(
        memory.AtomicCASTkoOp, types, {"mask": _mask(scene, tile.shape)}, ordering(scene, ATOMICS)
    )


def read_modify_write(scene: TileScene) -> Operation:
    """Add an atomic read-modify-write through pointers, and return it: any mode, with an element type that
    the mode supports.
    """
    mode = scene.choose(tuple(ATOMIC_ELEMENTS))
    pointers, tile = _pointers(scene, ATOMIC_ELEMENTS[mode])
    types = {"pointers": pointers, "result": tile}
    attributes = {**ordering(scene, ATOMICS), "mode": mode}
    return scene.build(memory.AtomicRMWTkoOp, types, {"mask": _mask(scene, tile.shape)}, attributes)


def reduce_into_view(scene: TileScene) -> Operation:
    """Add an atomic reduction into a partition or strided view without padding, and return it. The ordering
    is relaxed, and the scope is the tile block or the device.
    """
    mode = scene.choose([mode for mode in ATOMIC_ELEMENTS if mode is not Mode.XCHG])
    pointer = tile_types.draw_pointer(scene, ATOMIC_ELEMENTS[mode])
    tensor = tile_types.draw_tensor_view(scene, scene.integer(1, 3), pointer)
    view_type: Any = tile_types.draw_view(
        scene, scene.choose((cuda_tile_types.PartitionViewType, cuda_tile_types.StridedViewType)), tensor
    )
    view = scene.value(view_type.replace(padding_value=None))
    attributes = {
        "memory_ordering_semantics": Ordering.RELAXED,
        "memory_scope": scene.choose(
            (cuda_tile_enums.MemoryScope.TL_BLK, cuda_tile_enums.MemoryScope.DEVICE)
        ),
        "mode": mode,
        "inbounds": _inbounds(scene, memory.AtomicRedViewTkoOp, tensor.rank),
    }
    values = {"view": view, "index": indices(scene, view)}
    return scene.build(memory.AtomicRedViewTkoOp, {"value": _tile_type(view)}, values, attributes)


# multimem ---------------------------------------------------------------------------------------------------------


def _multicast_view(scene: TileScene, elements: Sequence[Type]) -> Value:
    pointer = cuda_tile_types.PointerType(scene.choose(elements), cuda_tile_enums.PtrAttr.MULTICAST)
    tensor = tile_types.draw_tensor_view(scene, scene.integer(1, 3), pointer)
    if pointer.pointee in (builtin_types.f16, builtin_types.bf16):
        tensor = _with_one_unit_stride(scene, tensor)
    view: Any = tile_types.draw_view(scene, cuda_tile_types.PartitionViewType, tensor)
    if (
        pointer.pointee in (builtin_types.f16, builtin_types.bf16)
        and builtin_types.element_count(view.tile) == 1
    ):
        view = view.replace(tile=(*view.tile[:-1], 2))
    return scene.value(view.replace(padding_value=None))


def _with_one_unit_stride(
    scene: TileScene, tensor: cuda_tile_types.TensorViewType
) -> cuda_tile_types.TensorViewType:
    """Return a tensor view type with stride 1 in exactly one dimension, as `multimem` accesses to 16-bit
    floats require.
    """
    strides = [tile_types.MAXIMUM_STRIDE if stride == 1 else stride for stride in tensor.strides]
    strides[scene.integer(0, tensor.rank - 1)] = 1
    return tensor.replace(strides=tuple(strides))


def _multimem(
    op_class: type[Operation],
    tile_field: str,
    orders: Sequence[cuda_tile_enums.MemoryOrderingSemantics],
    reductions: dict[cuda_tile_enums.MultimemReductionKind, tuple[Type, ...]] | None,
) -> Sampler:
    def sample(scene: TileScene) -> Operation:
        attributes = ordering(scene, orders)
        elements = MULTIMEM_ELEMENTS
        if reductions is not None:
            attributes["reduction"] = kind = scene.choose(tuple(reductions))
            elements = reductions[kind]
        view = _multicast_view(scene, elements)
        tile = _tile_type(view)
        attributes["inbounds"] = _inbounds(scene, op_class, len(tile.shape))
        return scene.build(
            op_class, {tile_field: tile}, {"view": view, "index": indices(scene, view)}, attributes
        )

    return sample


def join_tokens(scene: TileScene) -> Operation:
    """Add a join of two to five tokens, and return it."""
    return scene.build(memory.JoinTokensOp, {"tokens": [cuda_tile_types.TOKEN] * scene.integer(2, 5)})


SAMPLERS: dict[type[Operation], Sampler] = {
    view_ops.MakeTensorViewOp: make_tensor_view,
    **{op_class: _make_view(view_class) for view_class, op_class in VIEW_MAKERS.items()},
    view_ops.GetTensorShapeOp: tensor_shape,
    view_ops.GetIndexSpaceShapeOp: index_space_shape,
    memory.LoadPtrTkoOp: load_pointers,
    memory.StorePtrTkoOp: store_pointers,
    memory.LoadViewTkoOp: _view_access(memory.LoadViewTkoOp, "tile", LOADS),
    memory.StoreViewTkoOp: _view_access(memory.StoreViewTkoOp, "tile", STORES),
    memory.AllocaOp: allocate,
    memory.AtomicCASTkoOp: compare_and_swap,
    memory.AtomicRMWTkoOp: read_modify_write,
    memory.AtomicRedViewTkoOp: reduce_into_view,
    memory.JoinTokensOp: join_tokens,
    memory.MultimemLoadReduceViewTkoOp: _multimem(
        memory.MultimemLoadReduceViewTkoOp, "reduced_values", LOADS, MULTIMEM_LOADS
    ),
    memory.MultimemReduceViewTkoOp: _multimem(
        memory.MultimemReduceViewTkoOp, "tile", (Ordering.RELAXED, Ordering.RELEASE), MULTIMEM_REDUCTIONS
    ),
    memory.MultimemStoreViewTkoOp: _multimem(memory.MultimemStoreViewTkoOp, "tile", STORES, None),
}
"""The samplers of operations with rules that are not in their declarations."""
