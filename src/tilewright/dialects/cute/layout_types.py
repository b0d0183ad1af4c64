"""Types that contain a value: integer tuples of several roles, swizzles, layouts, tilers. The value is text
in quotes: ``!cute.layout<"(4,8):(1,4)">``.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Self

from tilewright.dialects.common.interfaces import LayoutTypeInterface, MaybeStaticTypeInterface
from tilewright.dialects.common.parametrised import checked
from tilewright.ir.attribute import Type
from tilewright.ir.uniquer import InvalidParameters
from tilewright.layouts import parser as layouts_parser, trees
from tilewright.layouts.trees import cosize, is_static, offset

if TYPE_CHECKING:
    from tilewright.ir.text import parser as text_parser, printer as text_printer


class _MaybeStatic(MaybeStaticTypeInterface):
    def is_static(self, type: Type) -> bool:
        assert isinstance(type, QuotedType)
        return type.is_static


class QuotedType(Type):
    """The base of types with a value that is printed as text in quotes. Subclasses define `text`, `is_static`
    and `from_text`.
    """

    concepts: ClassVar[tuple[type[Any], ...]] = (_MaybeStatic,)

    @property
    def text(self) -> str:
        """The text between the quotes."""
        raise NotImplementedError

    @property
    def is_static(self) -> bool:
        """Whether the type alone determines the value: it has no ``?``."""
        raise NotImplementedError

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Parse the text between the quotes. Raises `InvalidParameters`, which names the error."""
        raise NotImplementedError

    def print_parameters(self, printer: text_printer.Printer) -> None:
        printer.write("<")
        printer.print_string(self.text)
        printer.write(">")

    @classmethod
    def parse_parameters(cls, parser: text_parser.AttributeParser) -> Self:
        parser.expect("<")
        text = parser.parse_string()
        parser.expect(">")
        return cls.from_text(text)


class IntTupleType(QuotedType):
    """``!cute.int_tuple<"(4,(8,?))">``: numbers in a tree: integers, fractions and multiples of basis
    vectors. ``?`` is a number that is not in the type, but in the value.
    """

    name: ClassVar[str] = "cute.int_tuple"
    tree: trees.Tree
    allowed: ClassVar[tuple[type[Any], ...]] = (int, Fraction, trees.Basis, trees.Unknown)

    def verify_parameters(self) -> None:
        for leaf in trees.leaves(self.tree):
            if not isinstance(leaf, self.allowed):
                raise InvalidParameters(f"{trees.tree_text(leaf)} cannot be part of a !{self.name}")
            self.check_leaf(leaf)

    def check_leaf(self, leaf: trees.Leaf) -> None:
        """Raise `InvalidParameters` unless a leaf, whose class is in `allowed`, has a value that the type
        allows. The base allows every value.
        """

    @property
    def text(self) -> str:
        return trees.tree_text(self.tree)

    @property
    def is_static(self) -> bool:
        return is_static(self.tree)

    @classmethod
    def from_text(cls, text: str) -> Self:
        return cls(checked(layouts_parser.parse_tree, text))


class ShapeType(IntTupleType):
    """A tree of extents: ``!cute.shape<"(4,8)">``. Extents are integers that are not negative, or ``?``."""

    name: ClassVar[str] = "cute.shape"
    allowed: ClassVar[tuple[type[Any], ...]] = (int, trees.Unknown)

    def check_leaf(self, leaf: trees.Leaf) -> None:
        if isinstance(leaf, int) and leaf < 0:
            raise InvalidParameters(f"expected non-negative extents, got {leaf}")


class StrideType(IntTupleType):
    """``!cute.stride<"(1,4)">``: distances between neighbours, mode by mode."""

    name: ClassVar[str] = "cute.stride"


class CoordType(IntTupleType):
    """``!cute.coord<"(1,_)">``: coordinates in a shape; ``_`` selects the whole mode."""

    name: ClassVar[str] = "cute.coord"
    allowed: ClassVar[tuple[type[Any], ...]] = (int, Fraction, trees.Basis, trees.Unknown, trees.Wildcard)


class SwizzleType(QuotedType):
    """``!cute.swizzle<"S<3,4,3>">``: a permutation of offsets. It xors the ``bits`` bits from ``base +
    shift`` on into the ``bits`` bits from ``base`` on; with a negative shift, the bits from ``base`` on into
    the bits from ``base - shift`` on. The two groups of bits must be disjoint and among the bits 0 to 63.
    """

    name: ClassVar[str] = "cute.swizzle"
    bits: int
    base: int
    shift: int

    def verify_parameters(self) -> None:
        checked(trees.Swizzle, self.bits, self.base, self.shift)

    @property
    def swizzle(self) -> trees.Swizzle:
        """The swizzle as a function of offsets."""
        return trees.Swizzle(self.bits, self.base, self.shift)

    @property
    def text(self) -> str:
        return str(self.swizzle)

    @property
    def is_static(self) -> bool:
        return True

    @classmethod
    def from_text(cls, text: str) -> Self:
        return cls(*checked(layouts_parser.parse_swizzle, text))


class _Layout(LayoutTypeInterface):
    def shape(self, type: Type) -> Any:
        assert isinstance(type, LayoutType)
        return type.shape

    def body(self, type: Type) -> Any:
        assert isinstance(type, LayoutType)
        return type.stride

    def is_static(self, type: Type) -> bool:
        assert isinstance(type, LayoutType)
        return type.is_static

    def size(self, type: Type) -> int | None:
        assert isinstance(type, LayoutType)
        return trees.product(type.shape)

    def cosize(self, type: Type) -> int | None:
        assert isinstance(type, LayoutType)
        return cosize(type.shape, type.stride)

    def offset(self, type: Type, coordinate: Any) -> int | None:
        assert isinstance(type, LayoutType)
        return offset(coordinate, type.shape, type.stride)


class LayoutType(QuotedType):
    """``!cute.layout<"(4,(8,2)):(1,(4,32))">``: a shape, and a stride for each of its leaves."""

    name: ClassVar[str] = "cute.layout"
    shape: trees.Tree
    stride: trees.Tree
    concepts: ClassVar[tuple[type[Any], ...]] = (_Layout,)

    def verify_parameters(self) -> None:
        ShapeType(self.shape)
        StrideType(self.stride)
        if not trees.congruent(self.shape, self.stride):
            raise InvalidParameters(f"expected a stride for each extent, got {self.text}")

    @property
    def text(self) -> str:
        return f"{trees.tree_text(self.shape)}:{trees.tree_text(self.stride)}"

    @property
    def is_static(self) -> bool:
        return is_static(self.shape) and is_static(self.stride)

    @classmethod
    def from_text(cls, text: str) -> Self:
        return cls(*checked(layouts_parser.parse_shape_and_stride, text))


class ComposedLayoutType(QuotedType):
    """``!cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">``: applies the layout `outer`, adds the offset
    `middle`, then applies `inner`, a swizzle or a layout.
    """

    name: ClassVar[str] = "cute.composed_layout"
    inner: SwizzleType | LayoutType
    middle: trees.Tree
    outer: LayoutType

    @property
    def text(self) -> str:
        return f"{self.inner.text} o {trees.tree_text(self.middle)} o {self.outer.text}"

    @property
    def is_static(self) -> bool:
        return self.inner.is_static and is_static(self.middle) and self.outer.is_static

    @classmethod
    def from_text(cls, text: str) -> Self:
        parts = text.split(" o ")
        if len(parts) != 3:
            raise InvalidParameters(f"expected INNER o OFFSET o LAYOUT, got '{text}'")
        inner = parts[0].strip()
        found = SwizzleType.from_text(inner) if inner.startswith("S") else LayoutType.from_text(inner)
        return cls(found, checked(layouts_parser.parse_tree, parts[1]), LayoutType.from_text(parts[2]))


class TileType(QuotedType):
    """``!cute.tile<"[128:1;(8,4):(4,1);_]">``: one tiler per mode; ``_`` keeps the mode."""

    name: ClassVar[str] = "cute.tile"
    modes: tuple[LayoutType | trees.Wildcard, ...]

    @property
    def text(self) -> str:
        return f"[{';'.join('_' if isinstance(mode, trees.Wildcard) else mode.text for mode in self.modes)}]"

    @property
    def is_static(self) -> bool:
        return all(isinstance(mode, trees.Wildcard) or mode.is_static for mode in self.modes)

    @classmethod
    def from_text(cls, text: str) -> Self:
        text = text.strip()
        if not (text.startswith("[") and text.endswith("]")):
            raise InvalidParameters(f"expected layouts in square brackets, got '{text}'")
        inside = text[1:-1].strip()
        return cls(tuple(map(_tile_mode, inside.split(";"))) if inside else ())


def _tile_mode(text: str) -> LayoutType | trees.Wildcard:
    return trees.Wildcard.ANY if text.strip() == "_" else LayoutType.from_text(text)


def layout_from_text(text: str) -> LayoutType | ComposedLayoutType:
    """Return the composed layout of a text with `` o ``, else the layout that the text spells. Raises
    `InvalidParameters` for other text.
    """
    return ComposedLayoutType.from_text(text) if " o " in text else LayoutType.from_text(text)


VALUE_TYPES: tuple[type[QuotedType], ...] = (
    ComposedLayoutType,
    LayoutType,
    SwizzleType,
    TileType,
    ShapeType,
    StrideType,
    CoordType,
    IntTupleType,
)
"""All types of this module."""
