"""The types of ``nv_tileaa``: typed pointers, memory objects, views cut into tiles, queues and tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

from tilewright.dialects.common import interfaces, parametrised
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_types import DYNAMIC, FloatType, IntegerType, ShapedType
from tilewright.ir.uniquer import InvalidParameters

if TYPE_CHECKING:
    from tilewright.ir.text import parser as text_parser, printer as text_printer

GENERIC_SPACE, GLOBAL_SPACE, SHARED_SPACE = 0, 1, 3
"""Address spaces, numbered as in PTX."""


class _TileAAPointer(interfaces.PointerTypeInterface):
    def memory_space(self, type: Type) -> Any:
        assert isinstance(type, PtrType)
        return type.address_space

    def alignment(self, type: Type) -> int:
        assert isinstance(type, PtrType)
        pointee = type.pointee
        bits = pointee.width if isinstance(pointee, IntegerType | FloatType) else 8
        return max(bits // 8, 1)


class PtrType(parametrised.Parametrised, Type):
    """``!nv_tileaa.ptr<f32, 1>``: the address of a pointee in an address space, a number from 0 to 2^32 - 1."""

    name: ClassVar[str] = "nv_tileaa.ptr"
    pointee: Type
    address_space: int
    codecs: ClassVar[dict[str, parametrised.Codec]] = {
        "pointee": parametrised.TYPE_PARAMETER,
        "address_space": parametrised.INTEGER,
    }
    concepts: ClassVar[tuple[type[Any], ...]] = (_TileAAPointer,)

    def verify_parameters(self) -> None:
        if not 0 <= self.address_space < 1 << 32:
            raise InvalidParameters(f"invalid address space {self.address_space}")


class ProgramIdType(Type):
    """``!nv_tileaa.program_id``: the tile block that `cancel_next_program_id` cancelled, or none."""

    name: ClassVar[str] = "nv_tileaa.program_id"


class MemTokenType(Type):
    """``!nv_tileaa.mem_token``: orders memory operations; exists at compile time only."""

    name: ClassVar[str] = "nv_tileaa.mem_token"


class QueueType(parametrised.Parametrised, Type):
    """``!nv_tileaa.queue<(tensor<8xf32>, i32), isolated = true>``: passes tuples of these types between
    regions that run concurrently. The two ends of an isolated queue share no other memory.
    """

    name: ClassVar[str] = "nv_tileaa.queue"
    element_types: tuple[Type, ...]
    isolated: bool = False
    codecs: ClassVar[dict[str, parametrised.Codec]] = {
        "element_types": parametrised.TYPE_PARAMETERS,
        "isolated": parametrised.BOOLEAN,
    }


class _MemRefView(interfaces.ViewTypeInterface):
    def element_type(self, type: Type) -> Type:
        assert isinstance(type, TileMemRefType)
        return type.element_type

    def memory_space(self, type: Type) -> Any:
        assert isinstance(type, TileMemRefType)
        return type.address_space

    def rank(self, type: Type) -> int:
        assert isinstance(type, TileMemRefType)
        return len(type.shape)

    def layout(self, type: Type) -> Any:
        assert isinstance(type, TileMemRefType)
        return type.strides


class TileMemRefType(ShapedType):
    """``!nv_tileaa.memref<?x32xf32, strides = [?, 1], space = 3, alias_scope = 2>``: a strided memory object,
    with a stride for each dimension. Extents and strides count elements; ``?`` is `DYNAMIC`. Objects of
    different alias scopes do not overlap; without one nothing is known.
    """

    name: ClassVar[str] = "nv_tileaa.memref"
    shape: tuple[int, ...]
    element_type: Type
    strides: tuple[int, ...] = ()
    address_space: int = GLOBAL_SPACE
    alias_scope: int | None = None
    concepts: ClassVar[tuple[type[Any], ...]] = (_MemRefView,)

    def verify_parameters(self) -> None:
        if len(self.strides) != len(self.shape):
            raise InvalidParameters(f"expected {len(self.shape)} strides, got {len(self.strides)}")
        if any(extent < 0 and extent != DYNAMIC for extent in self.shape):
            raise InvalidParameters("expected non-negative or dynamic extents")
        if self.alias_scope is not None and not 0 <= self.alias_scope < 1 << 32:
            raise InvalidParameters(f"expected an alias scope of 32 bits, got {self.alias_scope}")

    def print_parameters(self, printer: text_printer.Printer) -> None:
        printer.write("<")
        printer.print_dimension_list(self.shape)
        printer.print_type(self.element_type)
        if self.strides:
            printer.write(", strides = ")
            parametrised.EXTENTS.print(printer, self.strides)
        if self.address_space != GLOBAL_SPACE:
            printer.write(f", space = {self.address_space}")
        if self.alias_scope is not None:
            printer.write(f", alias_scope = {self.alias_scope}")
        printer.write(">")

    @classmethod
    def parse_parameters(cls, parser: text_parser.AttributeParser) -> Self:
        parser.expect("<")
        shape = tuple(parser.parse_dimension_list())
        element_type = parser.parse_type()
        strides: tuple[int, ...] = ()
        space, alias_scope = GLOBAL_SPACE, None
        while parser.accept(","):
            word = parser.expect_keyword("'strides', 'space' or 'alias_scope'")
            parser.expect("=")
            match word:
                case "strides":
                    strides = parametrised.EXTENTS.parse(parser)
                case "space":
                    space = parser.parse_integer()
                case "alias_scope":
                    alias_scope = parser.parse_integer()
                case _:
                    raise parser.error(f"expected 'strides', 'space' or 'alias_scope', got '{word}'")
        parser.expect(">")
        return cls(shape, element_type, strides, space, alias_scope)


class TiledViewType(parametrised.Parametrised, Type):
    """``!nv_tileaa.tiled_view<!nv_tileaa.memref<f32>, [64, 32]>``: a memory object seen as a grid of tiles;
    `shape` is the positive extents of one tile, of at least one dimension. The attribute `layout` is
    optional.
    """

    name: ClassVar[str] = "nv_tileaa.tiled_view"
    source: Type
    shape: tuple[int, ...]
    layout: Attribute | None = None
    codecs: ClassVar[dict[str, parametrised.Codec]] = {
        "source": parametrised.TYPE_PARAMETER,
        "shape": parametrised.EXTENTS,
        "layout": parametrised.ATTRIBUTE,
    }

    def verify_parameters(self) -> None:
        if not self.shape:
            raise InvalidParameters("expects non-empty tileSizes")
        if any(extent <= 0 for extent in self.shape):
            raise InvalidParameters("expects all tile size bigger than zero")


TYPES: tuple[type[Type], ...] = (
    PtrType,
    ProgramIdType,
    MemTokenType,
    QueueType,
    TileMemRefType,
    TiledViewType,
)
MEM_TOKEN = MemTokenType()
