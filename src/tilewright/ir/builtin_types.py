"""The builtin types of MLIR that Tile IR and the lowering cascade share."""

from __future__ import annotations

from typing import Any, ClassVar

from tilewright.ir.arithmetic.float_format import FLOAT_FORMATS, FloatFormat
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.uniquer import InvalidParameters, Key

DYNAMIC = -(2**63)
"""Stands for ``?`` in shapes, strides and offsets (the smallest 64-bit integer, as in MLIR)."""

_PREFIXES = {"signless": "i", "signed": "si", "unsigned": "ui"}


class IntegerType(Type):
    """``i32``, ``si8``, ``ui16``: an integer of ``width`` bits, less than 2^24; ``signedness`` is "signless",
    "signed" or "unsigned". Raises `InvalidParameters` for other parameters.
    """

    name: ClassVar[str] = "builtin.integer"
    width: int
    signedness: str = "signless"

    def verify_parameters(self) -> None:
        if not 0 <= self.width < 1 << 24:
            raise InvalidParameters(f"integer bitwidth is limited to 16777215 bits, got {self.width}")
        if self.signedness not in _PREFIXES:
            raise InvalidParameters(f"unknown signedness '{self.signedness}'")

    @property
    def spelling(self) -> str:
        """The keyword of the type in text: `i32`, `si8`, `ui16`."""
        return f"{_PREFIXES[self.signedness]}{self.width}"


class IndexType(Type):
    """``index``: the integer type of sizes and subscripts."""

    name: ClassVar[str] = "builtin.index"


class FloatType(Type):
    """A floating-point type; ``spelling`` is the name of its format
    (`tilewright.ir.arithmetic.float_format`), such as ``bf16``. Raises `InvalidParameters` for an unknown
    name.
    """

    name: ClassVar[str] = "builtin.float"
    spelling: str

    def verify_parameters(self) -> None:
        if self.spelling not in FLOAT_FORMATS:
            raise InvalidParameters(f"unknown floating-point type '{self.spelling}'")

    @property
    def format(self) -> FloatFormat:
        """The widths of the type's bit fields, and its special values."""
        return FLOAT_FORMATS[self.spelling]

    @property
    def width(self) -> int:
        """The number of bits of a value of this type."""
        return FLOAT_FORMATS[self.spelling].bits


class FunctionType(Type):
    """A function type: ``(inputs) -> results``."""

    name: ClassVar[str] = "builtin.function"
    inputs: tuple[Type, ...] = ()
    results: tuple[Type, ...] = ()


class NoneType(Type):
    """``none``: the type with a single value, which carries no information."""

    name: ClassVar[str] = "builtin.none"


class TupleType(Type):
    """A tuple type: ``tuple<a, b>``."""

    name: ClassVar[str] = "builtin.tuple"
    elements: tuple[Type, ...] = ()


class ComplexType(Type):
    """A complex type, such as ``complex<f32>``."""

    name: ClassVar[str] = "builtin.complex"
    element_type: Type


class OpaqueType(Type):
    """``!dialect<"text">`` or ``!dialect.name<...>`` of a dialect that is not loaded: its name, and the rest
    as text.
    """

    name: ClassVar[str] = "builtin.opaque"
    dialect: str
    text: str


class ShapedType(Type):
    """Base of types with a shape and an element type; `DYNAMIC` marks an unknown extent. Only types with
    `has_rank` have a parameter ``shape`` and a `rank`.
    """

    @property
    def has_rank(self) -> bool:
        """Whether the number of dimensions is known."""
        return True

    @property
    def rank(self) -> int:
        """The number of dimensions. Raises AttributeError for a type without `has_rank`."""
        return len(shape_of(self))

    @property
    def has_static_shape(self) -> bool:
        """Whether the number of dimensions and every extent are known."""
        return self.has_rank and DYNAMIC not in shape_of(self)


def shape_of(shaped: Any) -> tuple[int, ...]:
    """Return the shape of a shaped type: its parameter ``shape``."""
    return shaped.shape


def element_count(shape: tuple[int, ...]) -> int:
    """Return the product of the extents; 1 for rank 0. No extent may be `DYNAMIC`."""
    count = 1
    for extent in shape:
        count *= extent
    return count


class VectorType(ShapedType):
    """``vector<4x[8]xf32>``; ``scalable`` has True for the bracketed extents, and is empty if there are none.
    Raises `InvalidParameters` unless all extents are positive.
    """

    name: ClassVar[str] = "builtin.vector"
    shape: tuple[int, ...]
    element_type: Type
    scalable: tuple[bool, ...] = ()

    @classmethod
    def canonicalize(cls, *parameters: Any) -> Key:
        shape, element_type, scalable = parameters
        return tuple(shape), element_type, tuple(scalable) if any(scalable) else ()

    def verify_parameters(self) -> None:
        if any(extent <= 0 for extent in self.shape):
            raise InvalidParameters("vector types must have positive constant sizes")


class TensorEncoding(Attribute):
    """Base of encodings of tensors that restrict the shapes of the tensors; subclasses define `check_tensor`."""

    def check_tensor(self, shape: tuple[int, ...]) -> None:
        """Raise `InvalidParameters` unless tensors of these extents can have the encoding."""
        raise NotImplementedError


class RankedTensorType(ShapedType):
    """``tensor<4x?xf32, encoding>``: the encoding is an attribute of a dialect that says where the elements are.

    In the tile dialects it is a layout; one thread owns the whole of a tile whose type has none.
    """

    name: ClassVar[str] = "builtin.tensor"
    shape: tuple[int, ...]
    element_type: Type
    encoding: Attribute | None = None

    def verify_parameters(self) -> None:
        if isinstance(self.encoding, TensorEncoding):
            self.encoding.check_tensor(self.shape)


class UnrankedTensorType(ShapedType):
    """A tensor of unknown rank: ``tensor<*xf32>``. It has no ``shape``: `rank` raises AttributeError, and
    `has_static_shape` is False.
    """

    name: ClassVar[str] = "builtin.unranked_tensor"
    element_type: Type

    @property
    def has_rank(self) -> bool:
        return False


class MemRefLayout(Attribute):
    """Base of attributes for the placement of a memref's elements in memory. Subclasses define `spelling`,
    the text of the layout, and `layout_rank`; `identity_rank` is None by default. A layout prints itself, so
    that text without layouts need not load layout classes.
    """

    @property
    def spelling(self) -> str:
        """The text of the layout."""
        raise NotImplementedError

    @property
    def layout_rank(self) -> int:
        """The number of dimensions of a memref that has this layout."""
        raise NotImplementedError

    @property
    def identity_rank(self) -> int | None:
        """The number of dimensions if the layout is row-major in all of them, as without a layout; else None."""
        return None


class MemRefType(ShapedType):
    """``memref<4x?xf32, layout, space>``: a buffer. Without a layout it is row-major (identity), without a
    memory space in space 0; an identity layout and the space 0 are replaced by None. Raises
    `InvalidParameters` for a layout of another rank.
    """

    name: ClassVar[str] = "builtin.memref"
    shape: tuple[int, ...]
    element_type: Type
    layout: Attribute | None = None
    memory_space: Attribute | None = None

    @classmethod
    def canonicalize(cls, *parameters: Any) -> Key:
        shape, element_type, layout, space = parameters
        if isinstance(layout, MemRefLayout) and layout.identity_rank == len(shape):
            layout = None
        return tuple(shape), element_type, layout, _memory_space(space)

    def verify_parameters(self) -> None:
        layout = self.layout
        if isinstance(layout, MemRefLayout) and layout.layout_rank != len(self.shape):
            raise InvalidParameters(
                f"memref layout mismatch between rank and affine map: {len(self.shape)} != {layout.layout_rank}"
            )


class UnrankedMemRefType(ShapedType):
    """A buffer of unknown rank: ``memref<*xf32, space>``."""

    name: ClassVar[str] = "builtin.unranked_memref"
    element_type: Type
    memory_space: Attribute | None = None

    @property
    def has_rank(self) -> bool:
        return False

    @classmethod
    def canonicalize(cls, *parameters: Any) -> Key:
        element_type, space = parameters
        return element_type, _memory_space(space)


def _memory_space(space: Attribute | None) -> Attribute | None:
    """Return `space` in canonical form: None, the default memory space, for the number 0."""
    from tilewright.ir.builtin_attributes import IntegerAttr

    return None if isinstance(space, IntegerAttr) and space.value == 0 else space


i1 = IntegerType(1)
i4 = IntegerType(4)
i8 = IntegerType(8)
i16 = IntegerType(16)
i32 = IntegerType(32)
i64 = IntegerType(64)
index = IndexType()
f16 = FloatType("f16")
bf16 = FloatType("bf16")
f32 = FloatType("f32")
tf32 = FloatType("tf32")
f64 = FloatType("f64")
f8E4M3FN = FloatType("f8E4M3FN")
f8E5M2 = FloatType("f8E5M2")
f8E8M0FNU = FloatType("f8E8M0FNU")
f4E2M1FN = FloatType("f4E2M1FN")
fnv8E5M3FNU = FloatType("fnv8E5M3FNU")
none = NoneType()
