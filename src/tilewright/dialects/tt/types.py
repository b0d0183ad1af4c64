"""The types of ``tt``: pointers and tensor descriptors."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, ClassVar, Self

from tilewright.dialects.tt.enums import PtrAddrSpace
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_types import FloatType, IntegerType, RankedTensorType, ShapedType, i1
from tilewright.ir.declaration.enum_attribute import spelling
from tilewright.ir.uniquer import InvalidParameters

if TYPE_CHECKING:
    from tilewright.ir.text import parser as text_parser, printer as text_printer

ADDRESS_SPACES = {spelling(space): space for space in PtrAddrSpace}


class PtrType(Type):
    """A pointer to a scalar, in global memory by default: ``!tt.ptr<f32>``, ``!tt.ptr<f32, "constant">``."""

    name: ClassVar[str] = "tt.ptr"
    pointee: Type
    address_space: PtrAddrSpace = PtrAddrSpace.GLOBAL

    def verify_parameters(self) -> None:
        if not isinstance(self.pointee, IntegerType | FloatType):
            raise InvalidParameters("pointer types must point to integer or floating-point types")

    def print_parameters(self, printer: text_printer.Printer) -> None:
        printer.write("<")
        printer.print_type(self.pointee)
        if self.address_space is not PtrAddrSpace.GLOBAL:
            printer.write(f', "{spelling(self.address_space)}"')
        printer.write(">")

    @classmethod
    def parse_parameters(cls, parser: text_parser.AttributeParser) -> Self:
        parser.expect("<")
        pointee = parser.parse_type()
        space = PtrAddrSpace.GLOBAL
        if parser.accept(","):
            start = parser.position
            word = parser.parse_string()
            if word not in ADDRESS_SPACES:
                raise parser.error(f"invalid pointer address space '{word}'", start)
            space = ADDRESS_SPACES[word]
        parser.expect(">")
        return cls(pointee, space)


class TensorDescType(ShapedType):
    """``!tt.tensordesc<16x32xf16>``: a tensor in memory that is read and written in blocks of the shape
    ``shape``. The element type is no tensor type.

    ``layout`` is the layout of a block in shared memory; None, as front ends leave it, states none.
    """

    name: ClassVar[str] = "tt.tensordesc"
    shape: tuple[int, ...]
    element_type: Type
    layout: Attribute | None = None

    def verify_parameters(self) -> None:
        if isinstance(self.element_type, RankedTensorType):
            raise InvalidParameters(
                "tensor descriptors must not wrap tensor types; use "
                "!tt.tensordesc<shape x element-type[, layout]> instead"
            )

    def print_parameters(self, printer: text_printer.Printer) -> None:
        printer.write("<")
        printer.print_dimension_list(self.shape)
        printer.print_type(self.element_type)
        if self.layout is not None:
            printer.write(", ")
            printer.print_attribute(self.layout)
        printer.write(">")

    @classmethod
    def parse_parameters(cls, parser: text_parser.AttributeParser) -> Self:
        parser.expect("<")
        start = parser.position
        shape = tuple(parser.parse_dimension_list())
        if any(extent < 0 for extent in shape):
            raise parser.error("expected static shape", start)
        element_type = parser.parse_type()
        layout = parser.parse_attribute() if parser.accept(",") else None
        parser.expect(">")
        return cls(shape, element_type, layout)


TYPES: tuple[type[Type], ...] = (PtrType, TensorDescType)


def element_type_of(type: Type) -> Type:
    """Return the element type of a tensor; any other type is returned unchanged."""
    return type.element_type if isinstance(type, RankedTensorType) else type


def like(type: Type, element: Type) -> Type:
    """Return the tensor type with the shape and encoding of `type` and the element type `element`; `element`
    itself if `type` is no tensor.
    """
    if isinstance(type, RankedTensorType):
        return RankedTensorType(type.shape, element, type.encoding)
    return element


def pointee_of(type: Type) -> Type:
    """Return the pointee type of a pointer or a tensor of pointers; another type unchanged."""
    element = element_type_of(type)
    return like(type, element.pointee) if isinstance(element, PtrType) else type


def mask_of(type: Type) -> Type:
    """Return the type of a mask for values of a type: i1, or a tensor of i1 with the shape and encoding of a
    tensor.
    """
    return like(type, i1)


def pointer_to(type: Type) -> Type:
    """Return the type of a pointer in global memory to a scalar, or of a tensor of pointers to the elements
    of a tensor. A type whose elements are no integers or floats is returned unchanged.
    """
    element = element_type_of(type)
    return like(type, PtrType(element)) if isinstance(element, IntegerType | FloatType) else type


def element_count(type: Type) -> int:
    """Return the number of elements of a tensor; 1 for other types."""
    return prod(type.shape) if isinstance(type, RankedTensorType) else 1


def bit_width(type: Type) -> int:
    """Return the bits of a scalar integer or float; zero for other types."""
    return type.width if isinstance(type, IntegerType | FloatType) else 0
