"""The types of Tile IR: tiles, pointers, tensor views, views over them, tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from tilewright.dialects.cuda_tile.enums import PaddingValue, PtrAttr, PtrAttrAttr
from tilewright.ir import builtin_types
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import element_count
from tilewright.ir.uniquer import InvalidParameters

if TYPE_CHECKING:
    from tilewright.ir.text.parser import AttributeParser
    from tilewright.ir.text.printer import Printer
    from tilewright.ir.value import Value

MAXIMUM_TILE_ELEMENTS = 1 << 24

INTEGERS = (builtin_types.i1, builtin_types.i8, builtin_types.i16, builtin_types.i32, builtin_types.i64)
"""Integer element types of ordinary operations (i4 is for conversions only)."""
BASE_FLOATS = (builtin_types.f16, builtin_types.bf16, builtin_types.f32, builtin_types.f64)
"""The float types that arithmetic takes."""
FLOATS = (
    builtin_types.f16,
    builtin_types.bf16,
    builtin_types.f32,
    builtin_types.f64,
    builtin_types.tf32,
    builtin_types.f8E4M3FN,
    builtin_types.f8E5M2,
    builtin_types.f8E8M0FNU,
    builtin_types.f4E2M1FN,
    builtin_types.fnv8E5M3FNU,
)
"""Every float type of Tile IR, in the order in which diagnostics list them."""
POINTEES = (*INTEGERS, *FLOATS)
_POINTEE_NAMES = (
    "f16 or bf16 or f32 or tf32 or f64 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN or fnv8E5M3FNU "
    "or i1 or i8 or i16 or i32 or i64"
)
ELEMENTS = (*POINTEES, builtin_types.i4)
"""Every scalar element type of a tile."""


def is_power_of_two(value: int) -> bool:
    """Return whether an integer is a power of two; False for 0 and below."""
    return value > 0 and value & (value - 1) == 0


class PointerType(Type):
    """``ptr<f32>``: the address of a pointee in global memory, an integer of 1, 8, 16, 32 or 64 bits or a
    float. ``attribute`` says how the memory is mapped (since 13.4); None states nothing.
    """

    name: ClassVar[str] = "cuda_tile.ptr"
    pointee: Type
    attribute: PtrAttr | None = None

    def verify_parameters(self) -> None:
        if self.pointee not in POINTEES:
            raise InvalidParameters(f"failed to verify 'pointeeType': {_POINTEE_NAMES}")

    def print_parameters(self, printer: Printer) -> None:
        printer.write("<")
        printer.print_type_short(self.pointee, "cuda_tile")
        if self.attribute is not None:
            printer.write(f", <{self.attribute.name.lower()}>")
        printer.write(">")

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        parser.expect("<")
        pointee = parser.parse_type_short("cuda_tile")
        attribute = _parse_enum(parser, PtrAttr, "ptr_attr") if parser.accept(",") else None
        parser.expect(">")
        return cls(pointee, attribute)


class TileType(builtin_types.ShapedType):
    """``tile<4x8xf32>``: numbers or pointers in dimensions whose extents are powers of two, at most 2^24
    elements. Rank 0 is a scalar, and the only rank for ``ptr<f4E2M1FN>`` elements. Raises `InvalidParameters`
    for other shapes and element types, and for a single element of type f4E2M1FN.
    """

    name: ClassVar[str] = "cuda_tile.tile"
    shape: tuple[int, ...]
    element_type: Type

    def verify_parameters(self) -> None:
        if self.element_type not in ELEMENTS and not isinstance(self.element_type, PointerType):
            raise InvalidParameters(f"failed to verify 'elementType': {_POINTEE_NAMES} or Pointer type or i4")
        if self.shape and is_pointer_to_halves(self.element_type):
            raise InvalidParameters(
                "tiles of ptr<f4E2M1FN> must have rank 0; use an f4 tile view for memory accesses"
            )
        check_tile_shape(self.shape, self.element_type)

    @property
    def element_count(self) -> int:
        """The number of elements of the tile."""
        return element_count(self.shape)

    def with_element_type(self, element_type: Type) -> TileType:
        """Return the tile type of the same shape over another element type."""
        return TileType(self.shape, element_type)

    def print_parameters(self, printer: Printer) -> None:
        printer.write("<" + "".join(f"{extent}x" for extent in self.shape))
        printer.print_type_short(self.element_type, "cuda_tile")
        printer.write(">")

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        parser.expect("<")
        start = parser.position
        shape = parser.parse_dimension_list()
        if builtin_types.DYNAMIC in shape:
            raise parser.error("expected static shape", start)
        element_type = parser.parse_type_short("cuda_tile")
        parser.expect(">")
        return cls(tuple(shape), element_type)


def is_pointer_to_halves(type: Type) -> bool:
    """Return whether a type is a pointer to f4E2M1FN; each byte holds two such elements."""
    return isinstance(type, PointerType) and type.pointee is builtin_types.f4E2M1FN


def check_tile_shape(shape: Sequence[int], element_type: Type) -> None:
    """Raise `InvalidParameters` unless all extents are powers of two, and their product, the number of
    elements, is at most `MAXIMUM_TILE_ELEMENTS`, and for f4E2M1FN elements even.
    """
    if element_type is builtin_types.f4E2M1FN and all(extent % 2 for extent in shape):
        raise InvalidParameters("F4E2M1FN tiles must have an even number of elements")
    count = 1
    dimensions = ", ".join(map(str, shape))
    for extent in shape:
        if extent <= 0:
            raise InvalidParameters(f"all dimensions must be positive constants, got {dimensions}")
        if not is_power_of_two(extent):
            raise InvalidParameters(f"all dimensions must be powers of two, got {dimensions}")
        count *= extent
        if count > MAXIMUM_TILE_ELEMENTS:
            raise InvalidParameters(f"tile would exceed the maximum of {MAXIMUM_TILE_ELEMENTS} elements")


def tile_of(value: Value) -> TileType:
    """Return the type of ``value``, which must be a tile."""
    assert isinstance(value.type, TileType)
    return value.type


def tile(*shape_and_element: Any) -> TileType:
    """Return the tile type of extents and, as the last argument, the element type, as in ``tile(4, 8, f32)``."""
    return TileType(tuple(shape_and_element[:-1]), shape_and_element[-1])


class TokenType(Type):
    """``token``: orders memory operations; exists at compile time only."""

    name: ClassVar[str] = "cuda_tile.token"


def _dimensions(extents: Sequence[int]) -> list[str]:
    return ["?" if extent == builtin_types.DYNAMIC else str(extent) for extent in extents]


class TensorViewType(builtin_types.ShapedType):
    """``tensor_view<?x32xf32, strides=[?,1]>``: a strided tensor in global memory, with a stride for each
    dimension. Strides count elements; an extent or stride is positive, or ``?``, which is known at run time
    only. ``attribute`` says how the memory is mapped, or is None.
    """

    name: ClassVar[str] = "cuda_tile.tensor_view"
    shape: tuple[int, ...]
    element_type: Type
    strides: tuple[int, ...] = ()
    attribute: PtrAttr | None = None

    def verify_parameters(self) -> None:
        if self.element_type not in POINTEES:
            raise InvalidParameters(f"failed to verify 'elementType': {_POINTEE_NAMES}")
        if len(self.shape) != len(self.strides):
            raise InvalidParameters(
                "expected shape and stride to be of same rank but got shape of rank "
                f"{len(self.shape)} and stride of rank {len(self.strides)}"
            )
        for extents, word in ((self.shape, "sizes"), (self.strides, "strides")):
            if any(extent <= 0 and extent != builtin_types.DYNAMIC for extent in extents):
                listed = ", ".join(_dimensions(extents))
                raise InvalidParameters(
                    f"dimensions must have strictly positive constant {word} but got [{listed}]"
                )

    def print_parameters(self, printer: Printer) -> None:
        printer.write("<" + "".join(f"{extent}x" for extent in _dimensions(self.shape)))
        printer.print_type_short(self.element_type, "cuda_tile")
        if self.strides:
            printer.write(f", strides=[{','.join(_dimensions(self.strides))}]")
        if self.attribute is not None:
            printer.write(", ")
            printer.print_attribute(PtrAttrAttr(self.attribute))
        printer.write(">")

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        parser.expect("<")
        shape = tuple(parser.parse_dimension_list())
        element_type = parser.parse_type_short("cuda_tile")
        strides: tuple[int, ...] = ()
        attribute: PtrAttr | None = None
        while parser.accept(","):
            if parser.accept_keyword("strides"):
                if not shape:
                    raise parser.error("strides must not be provided for 0-d tiles")
                parser.expect("=")
                strides = _parse_extents(parser)
            elif shape or parser.at("#"):
                attribute = _parse_ptr_attribute(parser)
            else:
                raise parser.error("unexpected token after element type in 0-d tensor_view")
        if shape and not strides:
            raise parser.error("expected 'strides'")
        parser.expect(">")
        return cls(shape, element_type, strides, attribute)


def _parse_ptr_attribute(parser: AttributeParser) -> PtrAttr:
    attribute = parser.parse_attribute()
    if not isinstance(attribute, PtrAttrAttr):
        raise parser.error(f"expected 'strides', got {attribute}")
    assert isinstance(attribute.value, PtrAttr)
    return attribute.value


def _parse_extents(parser: AttributeParser) -> tuple[int, ...]:
    parser.expect("[")
    extents: list[int] = []
    while not parser.accept("]"):
        if extents:
            parser.expect(",")
        extents.append(builtin_types.DYNAMIC if parser.accept("?") else _parse_positive(parser))
    return tuple(extents)


def _parse_positive(parser: AttributeParser) -> int:
    value = parser.optional_integer()
    if value is None:
        raise parser.error("expected either 64-bit integer or question mark")
    if value <= 0:
        raise parser.error(f"expected strictly positive integer, got {value}")
    return value


def _parse_enum(parser: AttributeParser, enumeration: Any, word: str) -> Any:
    parser.expect("<")
    text = parser.expect_keyword()
    case = enumeration.__members__.get(text.upper())
    if case is None:
        raise parser.error(f"unknown {word} '{text}'")
    parser.expect(">")
    return case


class TileViewType(Type):
    """The base of the views that cut a tensor view into tiles. Subclasses declare the fields ``tile``,
    ``tensor_view`` and ``padding_value``. A padding other than zero needs float elements.
    """

    @property
    def tile_shape(self) -> tuple[int, ...]:
        """The extents of one tile."""
        view: Any = self
        return view.tile

    @property
    def tensor(self) -> TensorViewType:
        """The type of the tensor view that this view cuts into tiles."""
        view: Any = self
        return view.tensor_view

    @property
    def padding(self) -> PaddingValue | None:
        """The value of loaded elements outside the tensor; None leaves them unspecified."""
        view: Any = self
        return view.padding_value

    @property
    def tile_type(self) -> TileType:
        """The type of the tile that a load yields."""
        return TileType(self.tile_shape, self.tensor.element_type)

    @property
    def dimension_map(self) -> tuple[int, ...]:
        """For each dimension of the tile, the dimension of the tensor that it runs along."""
        return tuple(range(len(self.tile_shape)))

    @property
    def index_steps(self) -> tuple[int, ...]:
        """For each dimension of the tile, the number of elements between the tiles of consecutive indices."""
        return self.tile_shape

    @property
    def index_rank(self) -> int:
        """The number of index operands that an access takes: the rank of the tile."""
        return len(self.tile_shape)

    def _verify_ranks(self) -> None:
        below: Any = self.tensor
        if not isinstance(below, TensorViewType):
            raise InvalidParameters(f"expected 'tensor_view' type, but got {below}")
        if not self.tile_shape:
            raise InvalidParameters("0-dimension tile shape is not supported")
        if self.tensor.rank != len(self.tile_shape):
            raise InvalidParameters(
                "expected tensor_view rank and tile rank to match, got tensor_view of rank "
                f"{self.tensor.rank} and tiles of rank {len(self.tile_shape)}"
            )

    def _verify_extents(self) -> None:
        listed = ", ".join(map(str, self.tile_shape))
        if any(extent <= 0 for extent in self.tile_shape):
            raise InvalidParameters(f"tile shape dimensions must have positive length but got [{listed}]")
        if not all(map(is_power_of_two, self.tile_shape)):
            raise InvalidParameters(f"tile shape dimensions must have power of two length but got [{listed}]")

    def _verify_grid(self, dim_map: Sequence[int]) -> None:
        """Raise `InvalidParameters` unless the tile has the rank of the tensor and extents that are powers of
        two, ``dim_map`` has a different dimension of the tensor for each dimension of the tile, and the
        padding is valid for the elements.
        """
        self._verify_ranks()
        if len(dim_map) != len(self.tile_shape):
            raise InvalidParameters(
                f"expected dim_map to map exactly all {len(self.tile_shape)} dimensions of the tile, "
                f"got {len(dim_map)} mappings"
            )
        self._verify_extents()
        self._verify_dim_map(dim_map)
        self._verify_loaded_tile()

    def _verify_dim_map(self, dim_map: Sequence[int]) -> None:
        rank = self.tensor.rank
        seen: dict[int, int] = {}
        for position, target in enumerate(dim_map):
            if target < 0:
                raise InvalidParameters(f"target dimension must not be negative, got {target}")
            if target >= rank:
                raise InvalidParameters(
                    "target dimension is outside of tensor view dimensions, expected strictly less than "
                    f"{rank}, got {target}"
                )
            if target in seen:
                raise InvalidParameters(
                    f"target dimension {target} mapped at least twice "
                    f"(for tile dimensions {seen[target]} and {position})"
                )
            seen[target] = position

    def _verify_loaded_tile(self) -> None:
        """Raise `InvalidParameters` for an illegal tile, and for a padding other than zero of integers."""
        check_tile_shape(self.tile_shape, self.tensor.element_type)
        element = self.tensor.element_type
        if self.padding not in (None, PaddingValue.ZERO) and isinstance(element, builtin_types.IntegerType):
            assert self.padding is not None
            raise InvalidParameters(
                f"padding_value {self.padding.name.lower()} can only be used with floating point element types, "
                f"got '{element}'"
            )

    def _print_head(self, printer: Printer, strides: Sequence[int] | None = None) -> None:
        printer.write(f"<tile=({'x'.join(map(str, self.tile_shape))}), ")
        if strides is not None:
            printer.write(f"traversal_strides=[{','.join(map(str, strides))}], ")
        if self.padding is not None:
            printer.write(f"padding_value = {self.padding.name.lower()}, ")
        printer.print_type_short(self.tensor, "cuda_tile")


def _print_dim_map(printer: Printer, dim_map: Sequence[int]) -> None:
    if tuple(dim_map) != tuple(range(len(dim_map))):
        printer.write(f", dim_map=[{', '.join(map(str, dim_map))}]")


class _ViewFields:
    """Parses the parameters of a view type, which may follow the tile in any order."""

    def __init__(self, parser: AttributeParser) -> None:
        self.parser = parser
        self.tile: tuple[int, ...] = ()
        self.traversal_strides: tuple[int, ...] = ()
        self.padding_value: PaddingValue | None = None
        self.tensor_view: TensorViewType | None = None
        self.dim_map: tuple[int, ...] | None = None
        self.sparse_dim: int = 0

    def parse(self) -> Self:
        self.parser.expect("<")
        self._parse_field()
        while self.parser.accept(","):
            self._parse_field()
        self.parser.expect(">")
        if self.tensor_view is None:
            raise self.parser.error("expected 'tensor_view' type")
        return self

    def _parse_field(self) -> None:
        parser = self.parser
        for word in ("tile", "traversal_strides", "padding_value", "dim_map", "sparse_dim"):
            if parser.accept_keyword(word):
                parser.expect("=")
                getattr(self, f"_parse_{word}")()
                return
        parsed = parser.parse_type_short("cuda_tile")
        if not isinstance(parsed, TensorViewType):
            raise parser.error(f"expected 'tensor_view' type, but got '{parsed}'")
        self.tensor_view = parsed

    def _parse_tile(self) -> None:
        self.parser.expect("(")
        extents = self.parser.parse_dimension_list()
        if extents or not self.parser.at(")"):
            extents.append(self.parser.parse_integer())
        self.tile = tuple(extents)
        self.parser.expect(")")
        for position, extent in enumerate(self.tile):
            if not 0 < extent <= 0x7FFFFFFF:
                raise self.parser.error(
                    f"tile dimension {position} exceeds i32 limitations (got {extent}, expected strictly positive "
                    "and less than or equal to 2147483647)"
                )

    def _parse_traversal_strides(self) -> None:
        self.traversal_strides = self._integers()

    def _parse_dim_map(self) -> None:
        self.dim_map = self._integers()

    def _parse_sparse_dim(self) -> None:
        self.sparse_dim = self.parser.parse_integer()

    def _parse_padding_value(self) -> None:
        text = self.parser.expect_keyword()
        case = PaddingValue.__members__.get(text.upper())
        if case is None:
            raise self.parser.error(f"unknown padding_value '{text}'")
        self.padding_value = case

    def _integers(self) -> tuple[int, ...]:
        self.parser.expect("[")
        values: list[int] = []
        while not self.parser.accept("]"):
            if values:
                self.parser.expect(",")
            values.append(self.parser.parse_integer())
        return tuple(values)

    @property
    def dim_map_or_identity(self) -> tuple[int, ...]:
        return tuple(range(len(self.tile))) if self.dim_map is None else self.dim_map


class PartitionViewType(TileViewType):
    """``partition_view<tile=(8x4), tensor_view<...>>``: the tensor cut into a grid of tiles without gaps. The
    tile has the rank of the tensor, and extents that are powers of two. ``dim_map[i]`` is the tensor
    dimension that tile dimension i walks, a different one for each i.
    """

    name: ClassVar[str] = "cuda_tile.partition_view"
    tile: tuple[int, ...]
    tensor_view: TensorViewType
    dim_map: tuple[int, ...]
    padding_value: PaddingValue | None = None

    @property
    def dimension_map(self) -> tuple[int, ...]:
        return self.dim_map

    def verify_parameters(self) -> None:
        self._verify_grid(self.dim_map)

    def print_parameters(self, printer: Printer) -> None:
        self._print_head(printer)
        _print_dim_map(printer, self.dim_map)
        printer.write(">")

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        fields = _ViewFields(parser).parse()
        assert fields.tensor_view is not None
        return cls(fields.tile, fields.tensor_view, fields.dim_map_or_identity, fields.padding_value)


class StridedViewType(TileViewType):
    """``strided_view<tile=(8x4), traversal_strides=[4,5], ...>``: tiles at multiples of the traversal
    strides, which are positive and count elements; tiles may overlap or leave gaps. The tile has the rank of
    the tensor, and extents that are powers of two. ``dim_map[i]`` is the tensor dimension that tile dimension
    i walks, a different one for each i.
    """

    name: ClassVar[str] = "cuda_tile.strided_view"
    tile: tuple[int, ...]
    traversal_strides: tuple[int, ...]
    tensor_view: TensorViewType
    dim_map: tuple[int, ...]
    padding_value: PaddingValue | None = None

    @property
    def dimension_map(self) -> tuple[int, ...]:
        return self.dim_map

    @property
    def index_steps(self) -> tuple[int, ...]:
        return self.traversal_strides

    def verify_parameters(self) -> None:
        self._verify_grid(self.dim_map)
        if len(self.traversal_strides) != len(self.tile):
            raise InvalidParameters(
                f"expected {len(self.tile)} traversal strides, got {len(self.traversal_strides)}"
            )
        if any(stride <= 0 for stride in self.traversal_strides):
            listed = ", ".join(map(str, self.traversal_strides))
            raise InvalidParameters(f"traversal strides must be strictly positive but got [{listed}]")

    def print_parameters(self, printer: Printer) -> None:
        self._print_head(printer, self.traversal_strides)
        _print_dim_map(printer, self.dim_map)
        printer.write(">")

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        fields = _ViewFields(parser).parse()
        assert fields.tensor_view is not None
        return cls(
            fields.tile,
            fields.traversal_strides,
            fields.tensor_view,
            fields.dim_map_or_identity,
            fields.padding_value,
        )


class GatherScatterViewType(TileViewType):
    """``gather_scatter_view<tile=(8x4), ..., sparse_dim=0>``: tiles whose rows along ``sparse_dim``, a
    dimension of the tensor, are indexed one by one. The tile has the rank of the tensor, and extents that are
    powers of two.
    """

    name: ClassVar[str] = "cuda_tile.gather_scatter_view"
    tile: tuple[int, ...]
    tensor_view: TensorViewType
    sparse_dim: int
    padding_value: PaddingValue | None = None

    @property
    def index_steps(self) -> tuple[int, ...]:
        return (1,) * len(self.tile)

    def verify_parameters(self) -> None:
        self._verify_ranks()
        self._verify_extents()
        if self.sparse_dim < 0 or self.sparse_dim >= self.tensor.rank:
            raise InvalidParameters(
                "gather dimension is outside of tensor view dimensions, expected strictly less than "
                f"{self.tensor.rank}, got {self.sparse_dim}"
            )
        self._verify_loaded_tile()

    def print_parameters(self, printer: Printer) -> None:
        self._print_head(printer)
        printer.write(f", sparse_dim={self.sparse_dim}>")

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        fields = _ViewFields(parser).parse()
        assert fields.tensor_view is not None
        return cls(fields.tile, fields.tensor_view, fields.sparse_dim, fields.padding_value)


TOKEN = TokenType()

TYPES: tuple[type[Type], ...] = (
    TileType,
    PointerType,
    TokenType,
    TensorViewType,
    PartitionViewType,
    StridedViewType,
    GatherScatterViewType,
)


def is_float(type: Type) -> bool:
    """Return whether an element type is a floating-point type."""
    return isinstance(type, builtin_types.FloatType)
