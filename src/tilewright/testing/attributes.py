"""Drawing inherent attributes by their kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from tilewright.dialects.common.kinds import FlagsKind, IntegerElementsKind, IntegerEnumKind, TypedKind
from tilewright.ir import builtin_attributes, builtin_types
from tilewright.ir.attribute import Attribute, EnumAttribute, Type
from tilewright.ir.declaration import attribute_kind
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
"""Strings that every text and binary format has to preserve."""
SYMBOLS = ("main", "f$1", "a.b", "needs quotes", "ünï", "0digit", 'a"b')
"""Symbol names that every text and binary format has to preserve."""
_SCALARS: tuple[Type, ...] = (builtin_types.i32, builtin_types.i64, builtin_types.f32, builtin_types.i8)
_SMALL = (0, 1, -1, 7)


def draw_attribute(scene: Scene, kind: attribute_kind.AttributeKind) -> Attribute:
    """Draw an attribute that `kind` accepts. Raises `Unsupported` for a kind without known attributes."""
    for kind_class in type(kind).__mro__:
        sampler = _SAMPLERS.get(kind_class)
        if sampler is not None:
            return sampler(scene, kind)
    raise Unsupported(f"no attributes are known for the kind {type(kind).__name__}")


def enum_cases(scene: Scene, attribute_class: type[EnumAttribute]) -> list[Any]:
    """Return the cases of the enumeration of `attribute_class` that exist in the scene's version, in the
    order of their declaration.
    """
    since: Mapping[Any, Any] = getattr(attribute_class, "case_since", {})
    return [case for case in attribute_class.enumeration if scene.has(since.get(case))]


def draw_integer(scene: Scene, width: int, minimum: int | None = None) -> int:
    """Draw the value of a `width`-bit integer, not below `minimum`: often small, or at the end of the range."""
    low, high = -(1 << (width - 1)), (1 << (width - 1)) - 1
    low = low if minimum is None else minimum
    if scene.boolean():
        return scene.integer(low, high)
    return scene.choose([value for value in (*_SMALL, low, high) if low <= value <= high])


def draw_pattern(scene: Scene, type: Any) -> int:
    """Draw the bit pattern of a scalar type: random bits, or an edge value such as zero, infinity or NaN."""
    if isinstance(type, builtin_types.IntegerType | builtin_types.FloatType) and scene.boolean():
        return scene.choose(edges(type))
    size = builtin_attributes.element_bytes(type)
    width = getattr(type, "width", 64)
    return int.from_bytes(scene.drawing.data(size), "little") & ((1 << width) - 1)


def draw_elements(
    scene: Scene, shaped: Any, *, full: bool | None = None
) -> builtin_attributes.DenseElementsAttr:
    """Draw dense data of a shaped type: one pattern per element if ``full``, a splat if it is false, and
    either if it is None. Edge values are common.
    """
    element = shaped.element_type
    size, count = builtin_attributes.element_bytes(element), builtin_types.element_count(shaped.shape)
    stored = count if full or (full is None and scene.boolean()) else 1
    if isinstance(element, builtin_types.IntegerType | builtin_types.FloatType) and scene.drawing.chance(3):
        common = edges(element)
        patterns = [common[drawn % len(common)] for drawn in scene.drawing.data(stored)]
    else:
        mask = (1 << getattr(element, "width", 64)) - 1
        data = scene.drawing.data(size * stored)
        patterns = [int.from_bytes(data[at : at + size], "little") & mask for at in range(0, len(data), size)]
    return builtin_attributes.DenseElementsAttr(
        shaped, b"".join(pattern.to_bytes(size, "little") for pattern in patterns)
    )


def _enum(scene: Scene, kind: attribute_kind.EnumKind) -> Attribute:
    return kind.to_attribute(scene.choose(enum_cases(scene, kind.attribute_class)))


def _integer(scene: Scene, kind: attribute_kind.IntegerKind) -> Attribute:
    return builtin_attributes.IntegerAttr(
        kind.type, draw_integer(scene, getattr(kind.type, "width", 64), kind.minimum)
    )


def _float(scene: Scene, kind: attribute_kind.FloatKind) -> Attribute:
    return builtin_attributes.FloatAttr(kind.type, draw_pattern(scene, kind.type))


def _string(scene: Scene, kind: attribute_kind.StringKind) -> Attribute:
    return builtin_attributes.StringAttr(scene.choose(STRINGS))


def _symbol_name(scene: Scene, kind: attribute_kind.SymbolNameKind) -> Attribute:
    return builtin_attributes.StringAttr(scene.choose(SYMBOLS))


def _symbol_ref(scene: Scene, kind: attribute_kind.SymbolRefKind) -> Attribute:
    nested = () if kind.flat else tuple(scene.drawing.subset(SYMBOLS[:2]))
    return builtin_attributes.SymbolRefAttr(scene.choose(SYMBOLS), nested)


def _type(scene: Scene, kind: attribute_kind.TypeKind) -> Attribute:
    if (
        issubclass(builtin_types.FunctionType, kind.type_class) and scene.boolean()
    ) or kind.type_class is builtin_types.FunctionType:
        inputs, results = scene.drawing.subset(_SCALARS), scene.drawing.subset(_SCALARS)
        return builtin_attributes.TypeAttr(builtin_types.FunctionType(tuple(inputs), tuple(results)))
    known = [
        builtin_attributes.TypeAttr(type)
        for type in _SCALARS
        if kind.accepts(builtin_attributes.TypeAttr(type))
    ]
    if not known:
        raise Unsupported(f"no types are known for the class {kind.type_class.__name__}")
    return scene.choose(known)


def _dense_array(scene: Scene, kind: attribute_kind.DenseArrayKind) -> Attribute:
    count = scene.integer(0, 3)
    return builtin_attributes.DenseArrayAttr(
        kind.element_type, tuple(draw_pattern(scene, kind.element_type) for _ in range(count))
    )


def _elements(scene: Scene, kind: attribute_kind.ElementsKind) -> Attribute:
    shape = tuple(scene.integer(1, 3) for _ in range(scene.integer(0, 2)))
    return draw_elements(scene, builtin_types.RankedTensorType(shape, scene.choose(_SCALARS)))


def _array(scene: Scene, kind: attribute_kind.ArrayKind) -> Attribute:
    if isinstance(kind.element, attribute_kind.InstanceKind) and kind.element.classes == ():
        return builtin_attributes.ArrayAttr()  # there is nothing that it may hold
    return builtin_attributes.ArrayAttr(
        tuple(draw_attribute(scene, kind.element) for _ in range(scene.integer(0, 2)))
    )


def _dictionary(scene: Scene, kind: attribute_kind.DictionaryKind) -> Attribute:
    names = scene.drawing.subset(("alpha", "b.c", "_d"))
    return builtin_attributes.DictionaryAttr(tuple((name, _any(scene, kind)) for name in names))


def _instance(scene: Scene, kind: attribute_kind.InstanceKind) -> Attribute:
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


def _any(scene: Scene, kind: attribute_kind.AttributeKind) -> Attribute:
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
        return draw_elements(
            scene, scene.choose((builtin_types.RankedTensorType, builtin_types.VectorType))(shape, element)
        )
    if isinstance(element, builtin_types.FloatType):
        return builtin_attributes.FloatAttr(element, draw_pattern(scene, element))
    return builtin_attributes.IntegerAttr(element, draw_integer(scene, getattr(element, "width", 64)))


def _integer_elements(scene: Scene, kind: IntegerElementsKind) -> Attribute:
    shape = (scene.integer(1, 3),)
    return draw_elements(
        scene,
        builtin_types.RankedTensorType(
            shape, kind.element_type or scene.choose((builtin_types.i8, builtin_types.i32, builtin_types.i64))
        ),
    )


_TYPED: tuple[Type, ...] = (
    builtin_types.i32,
    builtin_types.i1,
    builtin_types.i8,
    builtin_types.i64,
    builtin_types.IndexType(),
    builtin_types.f32,
    builtin_types.f16,
    builtin_types.FloatType("f64"),
)
_ANY: tuple[Attribute, ...] = (
    builtin_attributes.UNIT,
    builtin_attributes.boolean(True),
    builtin_attributes.IntegerAttr(builtin_types.i64, -3),
    builtin_attributes.IntegerAttr(builtin_types.IntegerType(7), 5),
    builtin_attributes.FloatAttr(builtin_types.f32, 0x7FC00001),
    builtin_attributes.FloatAttr(builtin_types.FloatType("f64"), 0x3FF8000000000000),
    *map(builtin_attributes.StringAttr, STRINGS[:4]),
    builtin_attributes.ArrayAttr(
        (builtin_attributes.IntegerAttr(builtin_types.i32, 1), builtin_attributes.StringAttr("x"))
    ),
    builtin_attributes.DictionaryAttr((("k", builtin_attributes.UNIT),)),
    builtin_attributes.TypeAttr(
        builtin_types.RankedTensorType((2, builtin_types.DYNAMIC), builtin_types.f32)
    ),
    builtin_attributes.DenseArrayAttr(builtin_types.i8, (1, -2)),
    builtin_attributes.SymbolRefAttr("root", ("leaf",)),
)

_SAMPLERS: dict[type[attribute_kind.AttributeKind], Callable[[Scene, Any], Attribute]] = {
    attribute_kind.AttributeKind: _any,
    attribute_kind.EnumKind: _enum,
    attribute_kind.IntegerKind: _integer,
    attribute_kind.FloatKind: _float,
    attribute_kind.BoolKind: lambda scene, kind: builtin_attributes.boolean(scene.boolean()),
    attribute_kind.UnitKind: lambda scene, kind: builtin_attributes.UNIT,
    attribute_kind.StringKind: _string,
    attribute_kind.SymbolNameKind: _symbol_name,
    attribute_kind.SymbolRefKind: _symbol_ref,
    attribute_kind.TypeKind: _type,
    attribute_kind.DenseArrayKind: _dense_array,
    attribute_kind.ElementsKind: _elements,
    attribute_kind.ArrayKind: _array,
    attribute_kind.DictionaryKind: _dictionary,
    attribute_kind.InstanceKind: _instance,
    IntegerEnumKind: _integer_enum,
    FlagsKind: _flags,
    TypedKind: _typed,
    IntegerElementsKind: _integer_elements,
}
