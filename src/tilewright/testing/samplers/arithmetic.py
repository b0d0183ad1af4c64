"""Samplers of float, integer and conversion operations, with tables of the rules that constraints cannot
express.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tilewright.dialects.cuda_tile.enums import IntegerOverflow, RoundingMode, Signedness
from tilewright.dialects.cuda_tile.ops import conversion, float as floats, integer as integers
from tilewright.dialects.cuda_tile.types import FLOATS, INTEGERS, PointerType, TileType
from tilewright.dialects.cuda_tile.version import V13_3, V13_4
from tilewright.ir import builtin_attributes, builtin_types
from tilewright.ir.attribute import Type
from tilewright.ir.operation import Operation
from tilewright.testing import scene as testing_scene, tile_scene, tile_types

Sampler = Callable[[tile_scene.TileScene], Operation]
Rounding = RoundingMode

IEEE = (Rounding.NEAREST_EVEN, Rounding.ZERO, Rounding.NEGATIVE_INF, Rounding.POSITIVE_INF)
ROUNDING: dict[type[Operation], tuple[Sequence[RoundingMode], Sequence[RoundingMode]]] = {
    floats.AddFOp: (IEEE, ()),
    floats.SubFOp: (IEEE, ()),
    floats.MulFOp: (IEEE, ()),
    floats.FmaOp: (IEEE, ()),
    floats.DivFOp: (IEEE, (Rounding.APPROX, Rounding.FULL)),
    floats.SqrtOp: (IEEE, (Rounding.APPROX,)),
    floats.RsqrtOp: ((), ()),
    floats.Exp2Op: ((), ()),
    floats.MaxFOp: ((), ()),
    floats.MinFOp: ((), ()),
    floats.ExpOp: ((Rounding.FULL,), (Rounding.APPROX,)),
    floats.TanHOp: ((Rounding.FULL,), (Rounding.APPROX,)),
}
"""For each operation, the rounding modes that all floats have, and those that only f32 has. Flush-to-zero is
for f32 only, too.
"""


def _modal(op_class: type[Operation]) -> Sampler:
    modes, single_modes = ROUNDING[op_class]
    names = {field.name: field for field in op_class.op_kind.attributes}

    def sample(scene: tile_scene.TileScene) -> Operation:
        tile = scene.type_for(op_class.op_kind.results[0].constraint)
        single = isinstance(tile, TileType) and tile.element_type is builtin_types.f32
        attributes: dict[str, Any] = {}
        if "flush_to_zero" in names:
            attributes["flush_to_zero"] = single and scene.boolean()
        rounding = names.get("rounding_mode")
        if rounding is not None and scene.has(rounding.since):
            attributes["rounding_mode"] = scene.choose((*modes, *single_modes) if single else modes)
        elif rounding is not None:
            attributes["rounding_mode"] = None
        return scene.build(op_class, {"result": tile}, attributes=attributes)

    return sample


# integers ---------------------------------------------------------------------------------------------------------


def _divisor(scene: tile_scene.TileScene, tile: TileType, signed: bool) -> Any:
    """Return a constant divisor: from 2 to 7 if `signed`, otherwise from 1 to 7. It is the bit 1 for i1, which
    is -1 if `signed`.
    """
    width = getattr(tile.element_type, "width", 64)
    low, high = (2, 7) if signed and width > 1 else (1, 1 if width == 1 else 7)
    return scene.bounded(tile, low, high)


def _division(op_class: type[Operation]) -> Sampler:
    def sample(scene: tile_scene.TileScene) -> Operation:
        signedness = scene.choose(tuple(Signedness))
        modes = [Rounding.ZERO, Rounding.POSITIVE_INF, Rounding.NEGATIVE_INF]
        if signedness is Signedness.UNSIGNED:
            modes.remove(Rounding.NEGATIVE_INF)
        attributes: dict[str, Any] = {"signedness": signedness}
        if op_class is integers.DivIOp:
            attributes["rounding"] = scene.choose(modes)
        tile = tile_types.draw_tile(scene, INTEGERS)
        divisor = _divisor(scene, tile, signedness is Signedness.SIGNED)
        return scene.build(op_class, {"result": tile}, {"rhs": divisor}, attributes)

    return sample


def _shift(op_class: type[Operation]) -> Sampler:
    def sample(scene: tile_scene.TileScene) -> Operation:
        tile = tile_types.draw_tile(scene, INTEGERS)
        width = getattr(tile.element_type, "width", 64)
        return scene.build(op_class, {"result": tile}, {"rhs": scene.bounded(tile, 0, width - 1)})

    return sample


def negation(scene: tile_scene.TileScene) -> Operation:
    """Add a `negi`, and return it; its overflow flag, if the version has one, is never the unsigned flag
    alone.
    """
    promises = (IntegerOverflow.NONE, IntegerOverflow.NO_SIGNED_WRAP, IntegerOverflow.NO_WRAP)
    since = integers.NegIOp.op_kind.attributes_by_ir_name["overflow"].since
    overflow = scene.choose(promises) if scene.has(since) else None
    return scene.build(integers.NegIOp, attributes={"overflow": overflow})


# conversions ------------------------------------------------------------------------------------------------------

SAME_WIDTH: tuple[tuple[Type, ...], ...] = (
    (builtin_types.i32, builtin_types.f32),
    (
        builtin_types.i8,
        builtin_types.f8E4M3FN,
        builtin_types.f8E5M2,
        builtin_types.f8E8M0FNU,
        builtin_types.fnv8E5M3FNU,
    ),
    (builtin_types.i16, builtin_types.f16, builtin_types.bf16),
    (builtin_types.i64, builtin_types.f64),
    (builtin_types.i1,),
    (builtin_types.tf32,),
    (builtin_types.f4E2M1FN,),
)
"""Groups of element types of equal width, between which `bitcast` converts."""
PACKED_BITS: dict[Type, int] = {
    builtin_types.i32: 32, builtin_types.i1: 1, builtin_types.i4: 4, builtin_types.i16: 16, builtin_types.i64: 64, builtin_types.f16: 16, builtin_types.bf16: 16, builtin_types.f32: 32, builtin_types.tf32: 32, builtin_types.f64: 64, builtin_types.f4E2M1FN: 4
}  # fmt: skip
"""Bits that an element takes in `pack`; types as wide as i8 are refused."""
LOW_PRECISION = (
    builtin_types.f8E4M3FN,
    builtin_types.f8E5M2,
    builtin_types.f4E2M1FN,
    builtin_types.fnv8E5M3FNU,
)
WIDENING = (*IEEE, Rounding.NEAREST_AWAY)
TO_SCALE = (Rounding.ZERO, Rounding.POSITIVE_INF)
SPECIAL_CONVERSIONS: dict[tuple[Type, Type], Sequence[RoundingMode]] = {
    (builtin_types.f32, builtin_types.tf32): (Rounding.NEAREST_EVEN, Rounding.ZERO, Rounding.NEAREST_AWAY),
    (builtin_types.f64, builtin_types.f32): IEEE,
    (builtin_types.tf32, builtin_types.f32): WIDENING,
}


def rounding_modes(source: Type, target: Type) -> Sequence[RoundingMode]:
    """Return the rounding modes of `ftof` from the float type `source` to another float type `target` that
    every reading of the rules allows.
    """
    if target is builtin_types.f8E8M0FNU:
        return TO_SCALE
    if target in LOW_PRECISION:
        return (Rounding.NEAREST_EVEN,)
    if (source, target) in SPECIAL_CONVERSIONS:
        return SPECIAL_CONVERSIONS[source, target]
    narrow = (Rounding.NEAREST_EVEN, Rounding.ZERO)
    return (
        narrow
        if _width(source) >= _width(target) or source in (builtin_types.f8E8M0FNU, builtin_types.fnv8E5M3FNU)
        else WIDENING
    )


def _width(element: Type) -> int:
    return 32 if element is builtin_types.tf32 else getattr(element, "width", 0)


def _between(
    scene: tile_scene.TileScene, op_class: type[Operation], source: Type, target: Type, **attributes: Any
) -> Operation:
    first, second = [field.name for field in (*op_class.op_kind.operands, *op_class.op_kind.results)]
    shape = tile_types.draw_shape(scene, even=builtin_types.f4E2M1FN in (source, target))
    types = {first: TileType(shape, source), second: TileType(shape, target)}
    return scene.build(op_class, types, attributes=attributes)


def bitcast(scene: tile_scene.TileScene) -> Operation:
    """Add a `bitcast` between types of equal width, and return it."""
    groups = [group for group in (tile_types.available(g, scene.version) for g in SAME_WIDTH) if group]
    group = scene.choose(groups)
    return _between(scene, conversion.BitcastOp, scene.choose(group), scene.choose(group))


def _widths(op_class: type[Operation], widen: bool) -> Sampler:
    def sample(scene: tile_scene.TileScene) -> Operation:
        ordered = [
            element
            for element in (
                builtin_types.i1,
                builtin_types.i4,
                builtin_types.i8,
                builtin_types.i16,
                builtin_types.i32,
                builtin_types.i64,
            )
            if element in tile_types.available((element,), scene.version)
        ]
        narrow = scene.integer(0, len(ordered) - 2)
        wide = scene.integer(narrow + 1, len(ordered) - 1)
        pair = (ordered[narrow], ordered[wide]) if widen else (ordered[wide], ordered[narrow])
        return _between(scene, op_class, *pair)

    return sample


def integer_to_float(scene: tile_scene.TileScene) -> Operation:
    """Add an `itof` from any integer type to any float type but `f8E8M0FNU`, rounded to nearest even, and
    return it.
    """
    targets = tuple(element for element in FLOATS if element is not builtin_types.f8E8M0FNU)
    target = scene.choose(tile_types.available(targets, scene.version))
    mode = Rounding.NEAREST_EVEN
    return _between(scene, conversion.IToFOp, scene.choose(INTEGERS), target, rounding_mode=mode)


def float_to_integer(scene: tile_scene.TileScene) -> Operation:
    """Add an `ftoi`, toward zero only, and return it.

    Without `saturating` the operand is 1, which every integer type can represent.
    """
    tile = tile_types.draw_tile(scene, FLOATS)
    result = tile.with_element_type(scene.choose(INTEGERS))
    saturating = scene.has(V13_4) and scene.boolean()
    values = {} if saturating else {"from": scene.constant(tile, builtin_attributes.splat(tile, 1.0))}
    attributes = {"rounding_mode": Rounding.NEAREST_INT_TO_ZERO, "saturating": saturating}
    return scene.build(conversion.FToIOp, {"from": tile, "to": result}, values, attributes)


def float_to_float(scene: tile_scene.TileScene) -> Operation:
    """Add an `ftof` between different float types, with a mode that the pair supports in the scene's version,
    and return it.
    """
    known = tile_types.available(FLOATS, scene.version)
    source = scene.choose(known)
    target = scene.choose([element for element in known if element is not source])
    modes = rounding_modes(source, target)
    if not scene.has(V13_4):
        modes = [mode for mode in modes if mode is not Rounding.NEAREST_AWAY]
    return _between(scene, conversion.FToFOp, source, target, rounding_mode=scene.choose(modes))


def pointer_to_pointer(scene: tile_scene.TileScene) -> Operation:
    """Add a `ptr_to_ptr` to any pointee, with the same kind of mapping, and return it."""
    attribute = tile_types.draw_pointer_attribute(scene)
    known = tile_types.available(tile_types.TILED_POINTEES, scene.version)
    source, target = (PointerType(scene.choose(known), attribute) for _ in range(2))
    return _between(scene, conversion.PtrToPtrOp, source, target)


def _packing(op_class: type[Operation], packs: bool) -> Sampler:
    def sample(scene: tile_scene.TileScene) -> Operation:
        if not scene.has(V13_3):
            raise testing_scene.Unsupported(f"'{op_class.op_kind.name}' does not exist in this version")
        element = scene.choose(tile_types.available(tuple(PACKED_BITS), scene.version))
        bits = PACKED_BITS[element]
        counts = [
            1 << power
            for power in range(tile_types.MAXIMUM_ELEMENTS.bit_length())
            if (bits << power) % 8 == 0
        ]
        count = scene.choose([count for count in counts if count * bits // 8 <= tile_types.MAXIMUM_ELEMENTS])
        packed = TileType((count * bits // 8,), builtin_types.i8)
        pair = (TileType((count,), element), packed)
        source, result = pair if packs else (packed, pair[0])
        return scene.build(op_class, {"source": source, "result": result})

    return sample


SAMPLERS: dict[type[Operation], Sampler] = {
    **{op_class: _modal(op_class) for op_class in ROUNDING},
    integers.DivIOp: _division(integers.DivIOp),
    integers.RemIOp: _division(integers.RemIOp),
    integers.ShLIOp: _shift(integers.ShLIOp),
    integers.ShRIOp: _shift(integers.ShRIOp),
    integers.NegIOp: negation,
    conversion.BitcastOp: bitcast,
    conversion.ExtIOp: _widths(conversion.ExtIOp, widen=True),
    conversion.TruncIOp: _widths(conversion.TruncIOp, widen=False),
    conversion.IToFOp: integer_to_float,
    conversion.FToIOp: float_to_integer,
    conversion.FToFOp: float_to_float,
    conversion.PtrToPtrOp: pointer_to_pointer,
    conversion.PackOp: _packing(conversion.PackOp, packs=True),
    conversion.UnpackOp: _packing(conversion.UnpackOp, packs=False),
}
"""The samplers of operations with rules that are not in their declarations."""
