"""Drawing inherent attributes by their kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from tilewright.dialects.common.kinds import FlagsKind, IntegerElementsKind, IntegerEnumKind, TypedKind
from tilewright.ir.attribute import Attribute, EnumAttribute, Type
from tilewright.ir.builtin_attributes import (
    UNIT,
    ArrayAttr,
    DenseArrayAttr,
    DenseElementsAttr,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
    boolean,
    element_bytes,
)
from tilewright.ir.builtin_types import (
    DYNAMIC,
    FloatType,
    FunctionType,
    IndexType,
    IntegerType,
    RankedTensorType,
    VectorType,
    element_count,
    f16,
    f32,
    i1,
    i8,
    i32,
    i64,
)
from tilewright.ir.declaration.attribute_kind import (
    ArrayKind,
    AttributeKind,
    BoolKind,
    DenseArrayKind,
    DictionaryKind,
    ElementsKind,
    EnumKind,
    FloatKind,
    InstanceKind,
    IntegerKind,
    StringKind,
    SymbolNameKind,
    SymbolRefKind,
    TypeKind,
    UnitKind,
)
from tilewright.testing.drawing import Unsupported, edges

if TYPE_CHECKING:
    from tilewright.testing.scene import Scene

STRINGS = (
    "",
    "a",
    "two words",
    'a "quoted" \\ backslash',
    "line\nbreak\ttab",
    "naïve ☃ 𝄞",
    "\x00\x7f",
    "%d%%",
)
"""Strings that have to survive every format."""
SYMBOLS = ("main", "f$1", "a.b", "needs quotes", "ünï", "0digit", 'a"b')
"""Names that have to survive every format."""
_SCALARS: tuple[Type, ...] = (i32, i64, f32, i8)
_SMALL = (0, 1, -1, 7)


def draw_attribute(scene: Scene, kind: AttributeKind) -> Attribute:
    """Draw an attribute that a kind accepts. Raises `Unsupported` for an unknown kind."""
    for kind_class in type(kind).__mro__:
        sampler = _SAMPLERS.get(kind_class)
        if sampler is not None:
            return sampler(scene, kind)
    raise Unsupported(f"no attributes are known for the kind {type(kind).__name__}")


def enum_cases(scene: Scene, attribute_class: type[EnumAttribute]) -> list[Any]:
    """Return the cases of an enum that exist in the scene's version."""
    since: Mapping[Any, Any] = getattr(attribute_class, "case_since", {})
    return [case for case in attribute_class.enumeration if scene.has(since.get(case))]


def draw_integer(scene: Scene, width: int, minimum: int | None = None) -> int:
    """Draw an integer of a width: often a small one or a bound, else any."""
    low, high = -(1 << (width - 1)), (1 << (width - 1)) - 1
    low = low if minimum is None else minimum
    if scene.boolean():
        return scene.integer(low, high)
    return scene.choose([value for value in (*_SMALL, low, high) if low <= value <= high])


def draw_pattern(scene: Scene, type: Any) -> int:
    """Draw a bit pattern of a scalar type: any, or an edge value."""
    if isinstance(type, IntegerType | FloatType) and scene.boolean():
        return scene.choose(edges(type))
    size = element_bytes(type)
    width = getattr(type, "width", 64)
    return int.from_bytes(scene.drawing.data(size), "little") & ((1 << width) - 1)


def draw_elements(scene: Scene, shaped: Any, *, full: bool | None = None) -> DenseElementsAttr:
    """Draw dense data of a shaped type: a splat, or one pattern per element (``full`` decides); edge values
    are common.
    """
    element = shaped.element_type
    size, count = element_bytes(element), element_count(shaped.shape)
    stored = count if full or (full is None and scene.boolean()) else 1
    if isinstance(element, IntegerType | FloatType) and scene.drawing.chance(3):
        common = edges(element)
        patterns = [common[drawn % len(common)] for drawn in scene.drawing.data(stored)]
    else:
        mask = (1 << getattr(element, "width", 64)) - 1
        data = scene.drawing.data(size * stored)
        patterns = [int.from_bytes(data[at : at + size], "little") & mask for at in range(0, len(data), size)]
    return DenseElementsAttr(shaped, b"".join(pattern.to_bytes(size, "little") for pattern in patterns))


def _enum(scene: Scene, kind: EnumKind) -> Attribute:
    return kind.to_attribute(scene.choose(enum_cases(scene, kind.attribute_class)))


def _integer(scene: Scene, kind: IntegerKind) -> Attribute:
    return IntegerAttr(kind.type, draw_integer(scene, getattr(kind.type, "width", 64), kind.minimum))


def _float(scene: Scene, kind: FloatKind) -> Attribute:
    return FloatAttr(kind.type, draw_pattern(scene, kind.type))


def _string(scene: Scene, kind: StringKind) -> Attribute:
    return StringAttr(scene.choose(STRINGS))


def _symbol_name(scene: Scene, kind: SymbolNameKind) -> Attribute:
    return StringAttr(scene.choose(SYMBOLS))


def _symbol_ref(scene: Scene, kind: SymbolRefKind) -> Attribute:
    nested = () if kind.flat else tuple(scene.drawing.subset(SYMBOLS[:2]))
    return SymbolRefAttr(scene.choose(SYMBOLS), nested)


def _type(scene: Scene, kind: TypeKind) -> Attribute:
    if (issubclass(FunctionType, kind.type_class) and scene.boolean()) or kind.type_class is FunctionType:
        inputs, results = scene.drawing.subset(_SCALARS), scene.drawing.subset(_SCALARS)
        return TypeAttr(FunctionType(tuple(inputs), tuple(results)))
    known = [TypeAttr(type) for type in _SCALARS if kind.accepts(TypeAttr(type))]
    if not known:
        raise Unsupported(f"no types are known for the class {kind.type_class.__name__}")
    return scene.choose(known)


def _dense_array(scene: Scene, kind: DenseArrayKind) -> Attribute:
    count = scene.integer(0, 3)
    return DenseArrayAttr(
        kind.element_type, tuple(draw_pattern(scene, kind.element_type) for _ in range(count))
    )


def _elements(scene: Scene, kind: ElementsKind) -> Attribute:
    shape = tuple(scene.integer(1, 3) for _ in range(scene.integer(0, 2)))
    return draw_elements(scene, RankedTensorType(shape, scene.choose(_SCALARS)))


def _array(scene: Scene, kind: ArrayKind) -> Attribute:
    if isinstance(kind.element, InstanceKind) and kind.element.classes == ():
        return ArrayAttr()  # there is nothing that it may hold
    return ArrayAttr(tuple(draw_attribute(scene, kind.element) for _ in range(scene.integer(0, 2))))


def _dictionary(scene: Scene, kind: DictionaryKind) -> Attribute:
    names = scene.drawing.subset(("alpha", "b.c", "_d"))
    return DictionaryAttr(tuple((name, _any(scene, kind)) for name in names))


def _instance(scene: Scene, kind: InstanceKind) -> Attribute:
    classes = kind.classes if isinstance(kind.classes, tuple) else (kind.classes,)
    enums = [c for c in classes if issubclass(c, EnumAttribute)]
    if enums:
        chosen = scene.choose(enums)
        return chosen(scene.choose(enum_cases(scene, chosen)))
    plain = [value for value in _ANY if isinstance(value, classes)]
    plain = plain or [c() for c in classes if not c.parameters]
    if not plain:
        names = ", ".join(c.__name__ for c in classes)
        raise Unsupported(f"no instances are known for the attribute classes {names}")
    return scene.choose(plain)


def _any(scene: Scene, kind: AttributeKind) -> Attribute:
    accepted = [attribute for attribute in _ANY if kind.accepts(attribute)]
    if not accepted:
        raise Unsupported(f"no attributes are known for the kind {type(kind).__name__}")
    return scene.choose(accepted)


def _integer_enum(scene: Scene, kind: IntegerEnumKind) -> Attribute:
    return kind.to_attribute(scene.choose(list(kind.enumeration)))


def _flags(scene: Scene, kind: FlagsKind) -> Attribute:
    enumeration = kind.attribute_class.enumeration
    return kind.to_attribute(enumeration(sum(flag.value for flag in scene.drawing.subset(list(enumeration)))))


def _typed(scene: Scene, kind: TypedKind) -> Attribute:
    element = scene.choose(_TYPED)
    if scene.boolean():
        shape = tuple(scene.integer(1, 3) for _ in range(scene.integer(0, 2)))
        return draw_elements(scene, scene.choose((RankedTensorType, VectorType))(shape, element))
    if isinstance(element, FloatType):
        return FloatAttr(element, draw_pattern(scene, element))
    return IntegerAttr(element, draw_integer(scene, getattr(element, "width", 64)))


def _integer_elements(scene: Scene, kind: IntegerElementsKind) -> Attribute:
    shape = (scene.integer(1, 3),)
    return draw_elements(scene, RankedTensorType(shape, kind.element_type or scene.choose((i8, i32, i64))))


_TYPED: tuple[Type, ...] = (i32, i1, i8, i64, IndexType(), f32, f16, FloatType("f64"))
_ANY: tuple[Attribute, ...] = (
    UNIT,
    boolean(True),
    IntegerAttr(i64, -3),
    IntegerAttr(IntegerType(7), 5),
    FloatAttr(f32, 0x7FC00001),
    FloatAttr(FloatType("f64"), 0x3FF8000000000000),
    *map(StringAttr, STRINGS[:4]),
    ArrayAttr((IntegerAttr(i32, 1), StringAttr("x"))),
    DictionaryAttr((("k", UNIT),)),
    TypeAttr(RankedTensorType((2, DYNAMIC), f32)),
    DenseArrayAttr(i8, (1, -2)),
    SymbolRefAttr("root", ("leaf",)),
)

_SAMPLERS: dict[type[AttributeKind], Callable[[Scene, Any], Attribute]] = {
    AttributeKind: _any,
    EnumKind: _enum,
    IntegerKind: _integer,
    FloatKind: _float,
    BoolKind: lambda scene, kind: boolean(scene.boolean()),
    UnitKind: lambda scene, kind: UNIT,
    StringKind: _string,
    SymbolNameKind: _symbol_name,
    SymbolRefKind: _symbol_ref,
    TypeKind: _type,
    DenseArrayKind: _dense_array,
    ElementsKind: _elements,
    ArrayKind: _array,
    DictionaryKind: _dictionary,
    InstanceKind: _instance,
    IntegerEnumKind: _integer_enum,
    FlagsKind: _flags,
    TypedKind: _typed,
    IntegerElementsKind: _integer_elements,
}
