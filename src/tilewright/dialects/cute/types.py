"""Pointers, tensors and tiled operations of ``cute``; the types that are values are in `layout_types`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

from tilewright.dialects.common.interfaces import PointerTypeInterface, ViewTypeInterface
from tilewright.dialects.common.parametrised import (
    INTEGER,
    TYPE_PARAMETER,
    TYPE_PARAMETERS,
    Codec,
    Parametrised,
)
from tilewright.dialects.cute import layout_types as cute_layout_types
from tilewright.ir.attribute import Type
from tilewright.ir.declaration.enum_attribute import SpelledEnum, parse_case, spelling
from tilewright.ir.uniquer import InvalidParameters
from tilewright.layouts.trees import rank

if TYPE_CHECKING:
    from collections.abc import Callable

    from tilewright.ir.text.parser import AttributeParser
    from tilewright.ir.text.printer import Printer


class MemorySpace(SpelledEnum):
    """The memory that a pointer points into: generic, global, shared, registers, or tensor memory."""

    GENERIC = 0
    GMEM = 1
    SMEM = 3
    RMEM = 5
    TMEM = 6


class _CutePointer(PointerTypeInterface):
    def memory_space(self, type: Type) -> Any:
        assert isinstance(type, PtrType | MemRefType)
        return type.space

    def alignment(self, type: Type) -> int:
        assert isinstance(type, PtrType | MemRefType)
        return type.alignment


def _check_alignment(alignment: int) -> None:
    if alignment < 1 or alignment & (alignment - 1):
        raise InvalidParameters(f"expected an alignment that is a power of two, got {alignment}")


class PtrType(Type):
    """``!cute.ptr<f16, smem, align<128>, S<3,4,3>>``: an address in a memory space, a multiple of `alignment`
    bytes, which is a power of two, 1 by default. A swizzle permutes the bytes that the address points to;
    None stands for no permutation.
    """

    name: ClassVar[str] = "cute.ptr"
    element_type: Type
    space: MemorySpace
    alignment: int = 1
    swizzle: cute_layout_types.SwizzleType | None = None
    concepts: ClassVar[tuple[type[Any], ...]] = (_CutePointer,)

    def verify_parameters(self) -> None:
        _check_alignment(self.alignment)

    def print_parameters(self, printer: Printer) -> None:
        printer.write("<")
        _print_address(printer, self.element_type, self.space, self.alignment)
        printer.write(f", {self.swizzle.text}>" if self.swizzle else ">")

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        parser.expect("<")
        element_type, space, alignment = _parse_address(parser)
        swizzle = _parse_swizzle(parser) if parser.accept(",") else None
        parser.expect(">")
        return cls(element_type, space, alignment, swizzle)


def _print_address(printer: Printer, element_type: Type, space: MemorySpace, alignment: int) -> None:
    printer.print_type(element_type)
    printer.write(f", {spelling(space)}")
    if alignment != 1:
        printer.write(f", align<{alignment}>")


def _parse_address(parser: AttributeParser) -> tuple[Type, MemorySpace, int]:
    element_type = parser.parse_type()
    parser.expect(",")
    space = parse_case(parser, MemorySpace, "a memory space")
    assert isinstance(space, MemorySpace)
    start = parser.position
    if not parser.accept(",") or not parser.accept_keyword("align"):
        parser.move_to(start)
        return element_type, space, 1
    parser.expect("<")
    alignment = parser.parse_integer()
    parser.expect(">")
    return element_type, space, alignment


def _parse_swizzle(parser: AttributeParser) -> cute_layout_types.SwizzleType:
    if not parser.accept_keyword("S"):
        raise parser.unexpected("a swizzle such as S<3,4,3>")
    numbers: list[int] = []
    for punctuation in "<,,":
        parser.expect(punctuation)
        numbers.append(parser.parse_integer())
    parser.expect(">")
    return cute_layout_types.SwizzleType(*numbers)


class _View(ViewTypeInterface):
    def element_type(self, type: Type) -> Type:
        assert isinstance(type, MemRefType)
        return type.element_type

    def memory_space(self, type: Type) -> Any:
        assert isinstance(type, MemRefType)
        return type.space

    def rank(self, type: Type) -> int:
        assert isinstance(type, MemRefType)
        return rank(type.outer.shape)

    def layout(self, type: Type) -> Any:
        assert isinstance(type, MemRefType)
        return type.layout


class MemRefType(Type):
    """``!cute.memref<f16, gmem, align<16>, "(64,?):(?,1)">``: elements at an address, arranged by a layout.
    The address is a multiple of `alignment` bytes, a power of two.
    """

    name: ClassVar[str] = "cute.memref"
    element_type: Type
    space: MemorySpace
    alignment: int
    layout: cute_layout_types.LayoutType | cute_layout_types.ComposedLayoutType
    concepts: ClassVar[tuple[type[Any], ...]] = (_CutePointer, _View)

    def verify_parameters(self) -> None:
        _check_alignment(self.alignment)

    @property
    def outer(self) -> cute_layout_types.LayoutType:
        """The layout without permutation and offset: `layout` itself, or the outer layout of a composed one."""
        return self.layout if isinstance(self.layout, cute_layout_types.LayoutType) else self.layout.outer

    def print_parameters(self, printer: Printer) -> None:
        printer.write("<")
        _print_address(printer, self.element_type, self.space, self.alignment)
        printer.write(", ")
        printer.print_string(self.layout.text)
        printer.write(">")

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        parser.expect("<")
        element_type, space, alignment = _parse_address(parser)
        parser.expect(",")
        layout = cute_layout_types.layout_from_text(parser.parse_string())
        parser.expect(">")
        return cls(element_type, space, alignment, layout)


def _quoted(read: Callable[[str], cute_layout_types.QuotedType]) -> Codec:
    """Return the codec of a type parameter that is written as text in quotes only, without the type's name.
    `read` makes the type from the text.
    """
    return Codec(
        lambda printer, value: printer.print_string(value.text), lambda parser: read(parser.parse_string())
    )


class CoordTensorType(Parametrised, Type):
    """``!cute.coord_tensor<"(0,0)", "(8,8):(1@0,1@1)">``: a tensor whose elements are coordinates: the sum of
    ``origin`` and the value of ``layout`` at the index.
    """

    name: ClassVar[str] = "cute.coord_tensor"
    origin: cute_layout_types.CoordType
    layout: cute_layout_types.LayoutType
    codecs: ClassVar[dict[str, Codec]] = {
        "origin": _quoted(cute_layout_types.CoordType.from_text),
        "layout": _quoted(cute_layout_types.LayoutType.from_text),
    }


class SparseElemType(Parametrised, Type):
    """``!cute.sparse_elem<2, f16>``: one stored element for every ``sparsity`` logical elements, at least
    one.
    """

    name: ClassVar[str] = "cute.sparse_elem"
    sparsity: int
    element_type: Type
    codecs: ClassVar[dict[str, Codec]] = {"sparsity": INTEGER, "element_type": TYPE_PARAMETER}

    def verify_parameters(self) -> None:
        if self.sparsity < 1:
            raise InvalidParameters(f"expected a positive sparsity, got {self.sparsity}")


class TupleType(Parametrised, Type):
    """``!cute.tuple<(!cute.shape<"4">, i32)>``: several values as one."""

    name: ClassVar[str] = "cute.tuple"
    element_types: tuple[Type, ...]
    codecs: ClassVar[dict[str, Codec]] = {"element_types": TYPE_PARAMETERS}


class FastDivmodDivisorType(Parametrised, Type):
    """``!cute.fast_divmod_divisor<32>``: a divisor of ``width`` bits, 32 or 64, with the numbers that make
    division by it a multiplication.
    """

    name: ClassVar[str] = "cute.fast_divmod_divisor"
    width: int
    codecs: ClassVar[dict[str, Codec]] = {"width": INTEGER}

    def verify_parameters(self) -> None:
        if self.width not in (32, 64):
            raise InvalidParameters(f"expected 32 or 64 bits, got {self.width}")


class TiledCopyType(Parametrised, Type):
    """``!cute.tiled_copy<!cute_nvgpu.atom.universal_copy<f32>, "(32,4):(4,1)", "[128:1]">``: a copy atom, the
    layout that maps (thread, value) to positions in a tile, and the tile.
    """

    name: ClassVar[str] = "cute.tiled_copy"
    atom: Type
    layout: cute_layout_types.LayoutType
    tiler: cute_layout_types.TileType
    codecs: ClassVar[dict[str, Codec]] = {
        "atom": TYPE_PARAMETER,
        "layout": _quoted(cute_layout_types.LayoutType.from_text),
        "tiler": _quoted(cute_layout_types.TileType.from_text),
    }


class TiledMmaType(Parametrised, Type):
    """``!cute.tiled_mma<!cute_nvgpu.sm80.mma<16x8x16, f16, f16, f32>, "(2,2,1):(1,2,0)">``.

    A matrix atom, the number of its copies in M, N and K, and optionally a permutation of the tile.
    """

    name: ClassVar[str] = "cute.tiled_mma"
    atom: Type
    atom_layout: cute_layout_types.LayoutType
    permutation: cute_layout_types.TileType | None = None
    codecs: ClassVar[dict[str, Codec]] = {
        "atom": TYPE_PARAMETER,
        "atom_layout": _quoted(cute_layout_types.LayoutType.from_text),
        "permutation": _quoted(cute_layout_types.TileType.from_text),
    }


TYPES: tuple[type[Type], ...] = (
    *cute_layout_types.VALUE_TYPES,
    PtrType,
    MemRefType,
    CoordTensorType,
    SparseElemType,
    TupleType,
    FastDivmodDivisorType,
    TiledCopyType,
    TiledMmaType,
)
