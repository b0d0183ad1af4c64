"""The rules of `nv_tileas`: residencies, tensor memory descriptors, matrix instructions, pipelines, agents."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any

from tilewright.dialects.common.constraints import is_float
from tilewright.dialects.nv_tileaa.constraints import element_of, shape_of
from tilewright.dialects.nv_tileaa.rules import dot as dot_rules, shape as shape_rules
from tilewright.dialects.nv_tileaa.types import TiledViewType as SourceViewType, TileMemRefType
from tilewright.dialects.nv_tileas import attributes as tileas_attributes, base as tileas_base
from tilewright.dialects.nv_tileas.types import (
    PipelineIteratorType,
    PipelineType,
    Residency,
    TiledViewType,
    TmaDescType,
)
from tilewright.ir import block as ir_block, builtin_attributes, builtin_types, walker
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.layouts.trees import integers, tree_text

if TYPE_CHECKING:
    from tilewright.dialects.nv_tileaa.ops.math import DotOp as SourceDotOp
    from tilewright.dialects.nv_tileas import ops_tile as tileas_tile

INHERIT = -1
"""The number of warps of an agent that runs on all warps of the block."""
MAXIMUM_WARPS = 32
"""The maximum number of warps of a block, which has at most 1024 threads."""
WARPS = "nv_tileas.num_warps"
PIPELINE_YIELD = "nv_tileas.async.pipeline.yield"

_BOTH_WAYS = (
    (Residency.GLOBAL, Residency.REGISTER),
    (Residency.GLOBAL, Residency.SHARED),
    (Residency.REGISTER, Residency.SHARED),
    (Residency.REGISTER, Residency.TENSOR),
)
COPIES = frozenset(
    {*_BOTH_WAYS, *((to, come) for come, to in _BOTH_WAYS), (Residency.SHARED, Residency.TENSOR)}
)
"""The pairs of source and destination residency between which one instruction can copy."""

UNIVERSAL = "universal_"
"""The prefix of the names of atoms that every chip has."""
BLOCK_SCALES = {
    (32, 32): (8, (builtin_types.f8E8M0FNU,)),
    (64, 16): (4, (builtin_types.f8E8M0FNU, builtin_types.f8E4M3FN)),
    (64, 32): (4, (builtin_types.f8E8M0FNU,)),
}
"""(K of the instruction, factors per scale): bits of a factor, and what the scales may be."""


# --- views


def residency(type: Type) -> Residency:
    """Return the memory that holds the elements of a value of type `type`: the residency of a tiled view,
    global memory for memory objects and views of them, and registers for any other type.
    """
    match type:
        case TiledViewType():
            return type.residency
        case SourceViewType() | TileMemRefType():
            return Residency.GLOBAL
        case _:
            return Residency.REGISTER


def check_copy(source: Type, destination: Type) -> None:
    """Raise `VerifyError` unless `COPIES` has the pair of memories (`residency`) of the source and the
    destination: an instruction copies between them.
    """
    pair = residency(source), residency(destination)
    if pair not in COPIES:
        raise VerifyError(f"expects no copy from {pair[0].name.lower()} to {pair[1].name.lower()} memory")


def check_view(source: Type, result: Type) -> None:
    """Raise `VerifyError` unless `source` and `result` have the same element type and the same residency.
    Shapes are not checked.
    """
    if residency(source) is not residency(result):
        raise VerifyError(f"expects a view with the residency of '{source}', got '{result}'")
    if _elements(source) is not _elements(result):
        raise VerifyError(f"expects a view of {_elements(source)}, got '{result}'")


def check_groups(source: Type, result: Type, groups: Sequence[Sequence[int]] | None) -> None:
    """Raise `VerifyError` unless `groups`, the attribute ``dim_groups``, is None, or the source is a memory
    object, the result a tiled view, and `groups` assigns the dimensions of the object to the dimensions of a
    tile.
    """
    if groups is None:
        return
    if not isinstance(source, TileMemRefType) or not isinstance(result, TiledViewType):
        raise VerifyError(
            f"expects dimGroups for a view of a memory object only, got '{source}' and '{result}'"
        )
    shape_rules.check_tiling(result.shape, groups, len(source.shape))


def check_layout_view(source: Type, result: Type, layout: tileas_attributes.LayoutAttr) -> None:
    """Raise `VerifyError` unless `layout` maps every element of the result to an element of the source, and
    both have the same element type.

    The layout must have the shape of the result and no swizzle; its strides count elements of the source in
    row-major order.
    """
    shape_rules.check_same_element(source, result)
    if layout.swizzle is not None:
        raise VerifyError("expects a layout without a swizzle: elements of tiles have no addresses")
    if layout.shape != shape_of(result):
        raise VerifyError(f"expects a layout of the shape of '{result}', got {tree_text(layout.shape)}")
    pairs = zip(integers(layout.shape), integers(layout.stride), strict=True)
    reached = sum((extent - 1) * step for extent, step in pairs) + 1
    count = prod(shape_of(source))
    if reached > count:
        raise VerifyError(f"expects a layout that stays in the {count} elements of '{source}', got {reached}")


def encoding_of(type: Type) -> Attribute | None:
    """Return the layout in the type of a tile. None if it has none, in which case one thread owns the whole
    tile, and for other types.
    """
    return type.encoding if isinstance(type, builtin_types.RankedTensorType) else None


def check_conversion(source: Type, result: Type) -> None:
    """Raise `VerifyError` unless both types have an encoding, or neither has one."""
    if (encoding_of(source) is None) != (encoding_of(result) is None):
        raise VerifyError(f"expects encodings on both sides or on none, got '{source}' and '{result}'")


def _elements(type: Type) -> Type:
    if isinstance(type, SourceViewType):
        return _elements(type.source)
    return type.element_type if isinstance(type, TiledViewType | TileMemRefType) else element_of(type)


# --- tensor memory descriptors


def check_atom(atom: tileas_attributes.AtomAttr | None, word: str) -> None:
    """Raise `VerifyError` unless the name of `atom` contains ``tma_`` and `word`, which is ``load``,
    ``store`` or ``reduce``. None is refused as well.
    """
    if atom is None or f"tma_{word}" not in atom.instruction:
        raise VerifyError(f"expected a TMA {word} atom")


def check_box(descriptor: Type, view: Type) -> None:
    """Raise `VerifyError` unless the boxes of the type `descriptor` have the shape of the tiles of `view`,
    and `view` is in shared memory with a `LayoutAttr` or without a layout.
    """
    assert isinstance(descriptor, TmaDescType), "the operand constraint holds"
    assert isinstance(view, TiledViewType), "the operand constraint holds"
    if descriptor.box != view.shape:
        raise VerifyError("TMA box dimensions do not match atom box dimensions")
    fits = view.layout is None or isinstance(view.layout, tileas_attributes.LayoutAttr)
    if view.residency is not Residency.SHARED or not fits:
        raise VerifyError("shared-memory layout is not TMA-compatible")


def check_descriptor(descriptor: Type, view: Type, extents: Sequence[Value]) -> None:
    """Raise `VerifyError` unless `view` is in global memory with a unit innermost stride and the element type
    of `descriptor`, and `extents` has as many values as the box of `descriptor` has dimensions. Constant
    extents must equal the extents of the box; other extents are not checked.
    """
    assert isinstance(descriptor, TmaDescType), "the result constraint holds"
    if residency(view) is not Residency.GLOBAL:
        raise VerifyError(f"expects a view of global memory, got '{view}'")
    strides = _strides(view)
    if strides and strides[-1] != 1:
        raise VerifyError("TMA descriptors require unit element stride")
    if len(extents) != len(descriptor.box) or not _known_boxes_fit(extents, descriptor.box):
        raise VerifyError("TMA box dimensions do not match atom box dimensions")
    if descriptor.element_type is not _elements(view):
        raise VerifyError(f"expects a descriptor of {_elements(view)}, got '{descriptor}'")


def _strides(view: Type) -> tuple[int, ...]:
    source = view.source if isinstance(view, SourceViewType) else view
    return source.strides if isinstance(source, TileMemRefType) else ()


def _known_boxes_fit(extents: Sequence[Any], box: Sequence[int]) -> bool:
    """Return whether all extents that are constants equal the extents of the box; other extents are not
    compared. `box` must have as many items as `extents`.
    """
    for value, extent in zip(extents, box, strict=True):
        owner = value.owner
        constant = owner.held_attributes.get("value") if isinstance(owner, Operation) else None
        if isinstance(constant, builtin_attributes.IntegerAttr) and constant.value != extent:
            return False
    return True


# --- matrix instructions


def check_dot(op: tileas_tile.DotOp) -> None:
    """Raise `VerifyError` unless the element types and shapes of the factors and the accumulator fit each
    other. Without a universal atom, factors of fp4 must have scales, and a matrix instruction must support
    the scales.
    """
    dot_rules.check_dot_elements(op)
    dot_rules.check_dot_shapes(op.a.type, op.b.type, op.c.type, op.result.type)
    if is_universal(op.atom):
        return
    scales = (op.sfa, op.sfb)
    if element_of(op.a.type) is builtin_types.f4E2M1FN and None in scales:
        raise VerifyError("fp4 mma should expect scaling factors")
    if op.sfa is not None and op.sfb is not None:
        check_block_scale(op)


def is_universal(atom: tileas_attributes.AtomAttr | None) -> bool:
    """Return whether `atom` is not a matrix instruction: threads multiply and add elements of any type
    themselves. False for None.
    """
    return atom is not None and atom.instruction.startswith(UNIVERSAL)


def check_block_scale(op: tileas_tile.DotOp) -> None:
    """Raise `VerifyError` unless a matrix instruction supports the scales of the product: the element type of
    both scales, the number of factors along K that share a scale, and the width of a factor must be an entry
    of `BLOCK_SCALES`, and the accumulator f32. A product without both scales is valid.
    """
    problem = block_scale_problem(op)
    if problem is not None:
        raise VerifyError(problem)


def block_scale_problem(op: tileas_tile.DotOp | SourceDotOp) -> str | None:
    """Return why no matrix instruction supports the scales of a product of `nv_tileaa` or `nv_tileas`. Return
    None if an instruction supports the scales, and if one of the two scales is missing.
    """
    first, second = op.sfa, op.sfb
    if first is None or second is None:
        return None
    scale = element_of(first.type)
    if scale is not element_of(second.type):
        return "sfa and sfb element type mismatch"
    if element_of(op.c.type) is not builtin_types.f32:
        return "expects c type to be Float32"
    left, right = (_vector(op.a.type, first.type, -1), _vector(op.b.type, second.type, -2))
    if left != right:
        return f"Scale factor vector size mismatch: {left} {right}"
    factor = element_of(op.a.type)
    bits = factor.width if is_float(factor) and isinstance(factor, builtin_types.FloatType) else 0
    is_known = any(
        vector == left and bits == width and scale in scales
        for (_, vector), (width, scales) in BLOCK_SCALES.items()
    )
    return None if is_known else "unsupported block-scaled mma configuration"


def _vector(factors: Type, scales: Type, axis: int) -> int:
    """Return the number of factors along `axis` that share a scale; 0 if there are no scales, or the ranks
    differ.
    """
    few, many = shape_of(scales), shape_of(factors)
    return many[axis] // few[axis] if len(few) == len(many) and few[axis] else 0


# --- pipelines and agents


def element_of_iterator(type: Type) -> Type:
    """Return the element type of an iterator type; any other type is returned unchanged."""
    return type.element_type if isinstance(type, PipelineIteratorType) else type


def check_pipeline_region(region: ir_block.Region, outputs: Sequence[Value], wanted: Sequence[Type]) -> None:
    """Raise `VerifyError` unless the region takes arguments of the types `wanted`, where an iterator counts
    as its element type, and ends with a pipeline yield of values of the types of `outputs`.
    """
    block = region.blocks[0]
    found = [element_of_iterator(argument.type) for argument in block.arguments]
    if found != list(wanted):
        raise VerifyError(
            f"expects region arguement types to match with producer types [{_listed(wanted)}], "
            f"but got: [{_listed(found)}]"
        )
    last = block.last
    if not isinstance(last, tileas_base.PipelineYieldRole):
        raise VerifyError(f"pipeline regions must end with '{PIPELINE_YIELD}'")
    yielded, results = list(last.operand_types), [value.type for value in outputs]
    if yielded != results:
        raise VerifyError(
            f"expects region result types to be match with operation result types [{_listed(results)}], "
            f"but got: [{_listed(yielded)}]"
        )


def _listed(types: Sequence[Type]) -> str:
    return ", ".join(map(str, types))


def check_consumer(pipeline: Type, number: int) -> None:
    """Raise `VerifyError` unless `number` is at least 0 and less than the number of consumers of the type
    `pipeline`.
    """
    assert isinstance(pipeline, PipelineType), "the operand constraint holds"
    if not 0 <= number < pipeline.consumers:
        raise VerifyError("consumer_idx out of range for consumer group")


def check_agents(op: Operation, num_warps: Sequence[int] | None) -> None:
    """Raise `VerifyError` unless `num_warps` has a number for each region of `op`, all equal apart from
    `INHERIT`, whose sum does not exceed `warp_budget(op)`. None and an empty sequence are accepted.
    """
    warps = num_warps or ()
    if warps and len(warps) != len(op.regions):
        raise VerifyError("agent regions disagree on warp count")
    counted = [count for count in warps if count != INHERIT]
    if len(set(counted)) > 1:
        raise VerifyError("agent regions disagree on warp count")
    if sum(counted) > warp_budget(op):
        raise VerifyError("agent warp count exceeds module budget")


def warp_budget(op: Operation) -> int:
    """Return the number of warps of a block: the attribute `WARPS` of `op` or of the nearest enclosing
    operation that has it, or else `MAXIMUM_WARPS`.
    """
    around = op if _states_warps(op) else walker.innermost_ancestor(op, _states_warps)
    stated = around.held_attributes[WARPS] if around is not None else None
    return stated.value if isinstance(stated, builtin_attributes.IntegerAttr) else MAXIMUM_WARPS


def _states_warps(op: Operation) -> bool:
    return isinstance(op.held_attributes.get(WARPS), builtin_attributes.IntegerAttr)
