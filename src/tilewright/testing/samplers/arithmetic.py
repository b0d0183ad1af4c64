"""Samplers of float, integer and conversion operations: the rules that their constraints cannot state, as tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tilewright.dialects.cuda_tile.enums import IntegerOverflow, RoundingMode, Signedness
from tilewright.dialects.cuda_tile.ops import conversion, float as floats, integer as integers
from tilewright.dialects.cuda_tile.types import FLOATS, INTEGERS, PointerType, TileType
from tilewright.dialects.cuda_tile.version import V13_3, V13_4
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_attributes import splat
from tilewright.ir.builtin_types import (
    bf16,
    f4E2M1FN,
    f8E4M3FN,
    f8E5M2,
    f8E8M0FNU,
    f16,
    f32,
    f64,
    fnv8E5M3FNU,
    i1,
    i4,
    i8,
    i16,
    i32,
    i64,
    tf32,
)
from tilewright.ir.operation import Operation
from tilewright.testing.scene import Unsupported
from tilewright.testing.tile_scene import TileScene
from tilewright.testing.tile_types import (
    MAXIMUM_ELEMENTS,
    TILED_POINTEES,
    available,
    draw_pointer_attribute,
    draw_shape,
    draw_tile,
)

Sampler = Callable[[TileScene], Operation]
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
"""Rounding modes for all base floats, and those for f32 only.  Flush-to-zero is for f32 only, too."""


def _modal(op_class: type[Operation]) -> Sampler:
    modes, single_modes = ROUNDING[op_class]
    names = {field.name: field for field in op_class.op_kind.attributes}

    def sample(scene: TileScene) -> Operation:
        tile = scene.type_for(op_class.op_kind.results[0].constraint)
        single = isinstance(tile, TileType) and tile.element_type is f32
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


def _divisor(scene: TileScene, tile: TileType, signed: bool) -> Any:
    """Return a divisor that is neither 0 nor -1."""
    width = getattr(tile.element_type, "width", 64)
    low, high = (2, 7) if signed and width > 1 else (1, 1 if width == 1 else 7)
    return scene.bounded(tile, low, high)


def _division(op_class: type[Operation]) -> Sampler:
    def sample(scene: TileScene) -> Operation:
        signedness = scene.choose(tuple(Signedness))
        modes = [Rounding.ZERO, Rounding.POSITIVE_INF, Rounding.NEGATIVE_INF]
        if signedness is Signedness.UNSIGNED:
            modes.remove(Rounding.NEGATIVE_INF)
        attributes: dict[str, Any] = {"signedness": signedness}
        if op_class is integers.DivIOp:
            attributes["rounding"] = scene.choose(modes)
        tile = draw_tile(scene, INTEGERS)
        divisor = _divisor(scene, tile, signedness is Signedness.SIGNED)
        return scene.build(op_class, {"result": tile}, {"rhs": divisor}, attributes)

    return sample


def _shift(op_class: type[Operation]) -> Sampler:
    def sample(scene: TileScene) -> Operation:
        tile = draw_tile(scene, INTEGERS)
        width = getattr(tile.element_type, "width", 64)
        return scene.build(op_class, {"result": tile}, {"rhs": scene.bounded(tile, 0, width - 1)})

    return sample


def negation(scene: TileScene) -> Operation:
    """Draw a negation; `negi` has no unsigned promise of its own."""
    promises = (IntegerOverflow.NONE, IntegerOverflow.NO_SIGNED_WRAP, IntegerOverflow.NO_WRAP)
    since = integers.NegIOp.op_kind.attributes_by_ir_name["overflow"].since
    overflow = scene.choose(promises) if scene.has(since) else None
    return scene.build(integers.NegIOp, attributes={"overflow": overflow})


# conversions ------------------------------------------------------------------------------------------------------

SAME_WIDTH: tuple[tuple[Type, ...], ...] = (
    (i32, f32),
    (i8, f8E4M3FN, f8E5M2, f8E8M0FNU, fnv8E5M3FNU),
    (i16, f16, bf16),
    (i64, f64),
    (i1,),
    (tf32,),
    (f4E2M1FN,),
)
"""Element types that `bitcast` may turn into each other."""
PACKED_BITS: dict[Type, int] = {
    i32: 32, i1: 1, i4: 4, i16: 16, i64: 64, f16: 16, bf16: 16, f32: 32, tf32: 32, f64: 64, f4E2M1FN: 4
}  # fmt: skip
"""Bits that an element takes in `pack`; types as wide as i8 are refused."""
LOW_PRECISION = (f8E4M3FN, f8E5M2, f4E2M1FN, fnv8E5M3FNU)
WIDENING = (*IEEE, Rounding.NEAREST_AWAY)
TO_SCALE = (Rounding.ZERO, Rounding.POSITIVE_INF)
SPECIAL_CONVERSIONS: dict[tuple[Type, Type], Sequence[RoundingMode]] = {
    (f32, tf32): (Rounding.NEAREST_EVEN, Rounding.ZERO, Rounding.NEAREST_AWAY),
    (f64, f32): IEEE,
    (tf32, f32): WIDENING,
}


def rounding_modes(source: Type, target: Type) -> Sequence[RoundingMode]:
    """Return the rounding modes of `ftof` between two different float types that every reading of the rules allows."""
    if target is f8E8M0FNU:
        return TO_SCALE
    if target in LOW_PRECISION:
        return (Rounding.NEAREST_EVEN,)
    if (source, target) in SPECIAL_CONVERSIONS:
        return SPECIAL_CONVERSIONS[source, target]
    narrow = (Rounding.NEAREST_EVEN, Rounding.ZERO)
    return narrow if _width(source) >= _width(target) or source in (f8E8M0FNU, fnv8E5M3FNU) else WIDENING


def _width(element: Type) -> int:
    return 32 if element is tf32 else getattr(element, "width", 0)


def _between(
    scene: TileScene, op_class: type[Operation], source: Type, target: Type, **attributes: Any
) -> Operation:
    first, second = [field.name for field in (*op_class.op_kind.operands, *op_class.op_kind.results)]
    shape = draw_shape(scene, even=f4E2M1FN in (source, target))
    types = {first: TileType(shape, source), second: TileType(shape, target)}
    return scene.build(op_class, types, attributes=attributes)


def bitcast(scene: TileScene) -> Operation:
    """Draw a bitcast between types of equal width."""
    groups = [group for group in (available(g, scene.version) for g in SAME_WIDTH) if group]
    group = scene.choose(groups)
    return _between(scene, conversion.BitcastOp, scene.choose(group), scene.choose(group))


def _widths(op_class: type[Operation], widen: bool) -> Sampler:
    def sample(scene: TileScene) -> Operation:
        ordered = [
            element
            for element in (i1, i4, i8, i16, i32, i64)
            if element in available((element,), scene.version)
        ]
        narrow = scene.integer(0, len(ordered) - 2)
        wide = scene.integer(narrow + 1, len(ordered) - 1)
        pair = (ordered[narrow], ordered[wide]) if widen else (ordered[wide], ordered[narrow])
        return _between(scene, op_class, *pair)

    return sample


def integer_to_float(scene: TileScene) -> Operation:
    """Draw an `itof` from any integer type to any float type but `f8E8M0FNU`, rounded to nearest even."""
    targets = tuple(element for element in FLOATS if element is not f8E8M0FNU)
    target = scene.choose(available(targets, scene.version))
    mode = Rounding.NEAREST_EVEN
    return _between(scene, conversion.IToFOp, scene.choose(INTEGERS), target, rounding_mode=mode)


def float_to_integer(scene: TileScene) -> Operation:
    """Draw a conversion from float to integer, toward zero only.

    Without `saturating` the operand is 1, which every integer type can represent.
    """
    tile = draw_tile(scene, FLOATS)
    result = tile.with_element_type(scene.choose(INTEGERS))
    saturating = scene.has(V13_4) and scene.boolean()
    values = {} if saturating else {"from": scene.constant(tile, splat(tile, 1.0))}
    attributes = {"rounding_mode": Rounding.NEAREST_INT_TO_ZERO, "saturating": saturating}
    return scene.build(conversion.FToIOp, {"from": tile, "to": result}, values, attributes)


def float_to_float(scene: TileScene) -> Operation:
    """Draw a conversion between different float types, with a mode that the pair supports in the scene's
    version.
    """
    known = available(FLOATS, scene.version)
    source = scene.choose(known)
    target = scene.choose([element for element in known if element is not source])
    modes = rounding_modes(source, target)
    if not scene.has(V13_4):
        modes = [mode for mode in modes if mode is not Rounding.NEAREST_AWAY]
    return _between(scene, conversion.FToFOp, source, target, rounding_mode=scene.choose(modes))


def pointer_to_pointer(scene: TileScene) -> Operation:
    """Draw a cast to another pointee with the same kind of mapping."""
    attribute = draw_pointer_attribute(scene)
    known = available(TILED_POINTEES, scene.version)
    source, target = (PointerType(scene.choose(known), attribute) for _ in range(2))
    return _between(scene, conversion.PtrToPtrOp, source, target)


def _packing(op_class: type[Operation], packs: bool) -> Sampler:
    def sample(scene: TileScene) -> Operation:
        if not scene.has(V13_3):
            raise Unsupported(f"'{op_class.op_kind.name}' does not exist in this version")
        element = scene.choose(available(tuple(PACKED_BITS), scene.version))
        bits = PACKED_BITS[element]
        counts = [1 << power for power in range(MAXIMUM_ELEMENTS.bit_length()) if (bits << power) % 8 == 0]
        count = scene.choose([count for count in counts if count * bits // 8 <= MAXIMUM_ELEMENTS])
        packed = TileType((count * bits // 8,), i8)
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
"""Samplers of operations whose rules go beyond the declaration."""
