"""The builtin attributes of MLIR: numbers, strings, containers, symbols, dense data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any, ClassVar, Self

from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_types import FloatType, IndexType, IntegerType, f32, f64, i1, i32, i64
from tilewright.ir.support.strings import utf8
from tilewright.ir.uniquer import InvalidParameters, Key


class UnitAttr(Attribute):
    """``unit``: an attribute without a value, whose presence is its information."""

    name: ClassVar[str] = "builtin.unit"


class IntegerAttr(Attribute):
    """``7 : i32``, a number of an integer type or ``index``. ``value`` is held in the signed range of the
    type (i1: 0 or 1; unsigned types as they are); other values wrap around. Raises `InvalidParameters` for
    another type.
    """

    name: ClassVar[str] = "builtin.integer"
    type: Type
    value: int

    @classmethod
    def canonicalize(cls, *parameters: Any) -> Key:
        kind, value = parameters
        if type(value) is int and value in _RANGES.get(kind, ()):
            return parameters
        return kind, wrap_integer(kind, int(value))

    @property
    def unsigned(self) -> int:
        """The bit pattern as a non-negative number."""
        width = self.type.width if isinstance(self.type, IntegerType) else 64
        return self.value & ((1 << width) - 1)


_RANGES: dict[Type, range] = {}
"""The numbers that attributes of an integer type can hold; filled at the first attribute of a type."""


def wrap_integer(kind: Type, value: int) -> int:
    """Return the low bits of ``value`` as a number in the range of the type ``kind``, as `IntegerAttr` stores
    it. Raises `InvalidParameters` unless ``kind`` is an integer type or ``index``.
    """
    held = _RANGES.get(kind) or _range(kind)
    return value if value in held else (value - held.start) % (held.stop - held.start) + held.start


def _range(kind: Type) -> range:
    if isinstance(kind, IndexType):
        width, signed = 64, True
    elif isinstance(kind, IntegerType):
        width = kind.width
        signed = kind.signedness == "signed" or (kind.signedness == "signless" and width != 1)
    else:
        raise InvalidParameters(f"integer attribute needs an integer or index type, got {kind}")
    low = -(1 << width >> 1) if signed and width else 0
    held = _RANGES[kind] = range(low, low + (1 << width))
    return held


def boolean(value: bool) -> IntegerAttr:
    """Return the i1 attribute ``true`` or ``false``."""
    return IntegerAttr(i1, int(value))


def integer32(value: int) -> IntegerAttr:
    """Return the attribute ``value : i32``."""
    return IntegerAttr(i32, value)


def integer64(value: int) -> IntegerAttr:
    """Return the attribute ``value : i64``."""
    return IntegerAttr(i64, value)


class FloatAttr(Attribute):
    """``1.0 : f32``, held as the bit pattern ``bits``, so that NaN payloads and zero signs survive. Raises
    `InvalidParameters` for a type that is not floating-point, and for bits that do not fit in it.
    """

    name: ClassVar[str] = "builtin.float"
    type: Type
    bits: int

    def verify_parameters(self) -> None:
        if not isinstance(self.type, FloatType):
            raise InvalidParameters(f"float attribute needs a floating-point type, got {self.type}")
        if not 0 <= self.bits < 1 << self.type.width:
            raise InvalidParameters(f"bit pattern {self.bits:#x} does not fit in {self.type}")

    @property
    def value(self) -> float:
        """The number as a Python float."""
        assert isinstance(self.type, FloatType)
        return self.type.format.decode(self.bits)


def float_attribute(value: float, kind: FloatType = f64) -> FloatAttr:
    """Return the float attribute nearest to ``value`` in the type ``kind``, ties to even. Raises `ValueError`
    for NaN in a type without NaN.
    """
    return FloatAttr(kind, kind.format.encode(value))


class StringAttr(Attribute):
    """A string: ``"text"``. ``type`` is None in nearly all uses."""

    name: ClassVar[str] = "builtin.string"
    value: str
    type: Type | None = None


class ArrayAttr(Attribute):
    """An array of attributes: ``[a, b]``."""

    name: ClassVar[str] = "builtin.array"
    elements: tuple[Attribute, ...] = ()

    def __iter__(self) -> Iterator[Attribute]:
        return iter(self.elements)

    def __len__(self) -> int:
        return len(self.elements)

    def __getitem__(self, position: int) -> Attribute:
        return self.elements[position]


class DictionaryAttr(Attribute):
    """``{a = 1, b}``: ``entries`` are pairs of a name and an attribute, sorted by name (byte order). Raises
    `InvalidParameters` for a repeated name.
    """

    name: ClassVar[str] = "builtin.dictionary"
    entries: tuple[tuple[str, Attribute], ...] = ()

    @classmethod
    def canonicalize(cls, *parameters: Any) -> Key:
        (entries,) = parameters
        return (tuple(sorted((tuple(entry) for entry in entries), key=lambda entry: utf8(entry[0]))),)

    def verify_parameters(self) -> None:
        names = [name for name, _ in self.entries]
        for name, following in pairwise(names):
            if name == following:
                raise InvalidParameters(f"duplicate key '{name}' in dictionary attribute")

    @classmethod
    def of(cls, mapping: Mapping[str, Attribute]) -> Self:
        """Return a dictionary attribute with the entries of a Python mapping, sorted by name."""
        return cls(tuple(mapping.items()))

    def get(self, name: str) -> Attribute | None:
        """Return the value of the entry ``name``; None if there is none."""
        for key, value in self.entries:
            if key == name:
                return value
        return None

    def __iter__(self) -> Iterator[tuple[str, Attribute]]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)


class TypeAttr(Attribute):
    """A type used as an attribute."""

    name: ClassVar[str] = "builtin.type"
    type: Type


class SymbolRefAttr(Attribute):
    """A reference to a symbol: ``@root::@nested``."""

    name: ClassVar[str] = "builtin.symbol_ref"
    root: str
    nested: tuple[str, ...] = ()

    @property
    def leaf(self) -> str:
        """The last name of the path."""
        return self.nested[-1] if self.nested else self.root


class OpaqueAttr(Attribute):
    """An attribute of a dialect that is not loaded: the name of the dialect, and the rest of its spelling as
    text.
    """

    name: ClassVar[str] = "builtin.opaque"
    dialect: str
    text: str


class DenseArrayAttr(Attribute):
    """``array<i32: 1, 2>``: numbers of the type ``element_type``. ``values`` are numbers in the range of an
    integer type (i1: 0 or 1), to which others wrap around, or the bit patterns of floats.
    """

    name: ClassVar[str] = "builtin.dense_array"
    element_type: Type
    values: tuple[int, ...] = ()

    @classmethod
    def canonicalize(cls, *parameters: Any) -> Key:
        kind, values = parameters
        if isinstance(kind, FloatType):
            return kind, tuple(values)
        return kind, tuple(wrap_integer(kind, int(value)) for value in values)

    def __iter__(self) -> Iterator[int]:
        return iter(self.values)

    def __len__(self) -> int:
        return len(self.values)


def dense_integers(values: Iterable[int], kind: Type = i32) -> DenseArrayAttr:
    """Return a dense array of integers of the type ``kind``: ``array<i32: ...>``. Numbers out of its range
    wrap around.
    """
    return DenseArrayAttr(kind, tuple(values))


class DenseElementsAttr(Attribute, weak=True):
    """``dense<...> : type``: the elements of a shaped type as raw bytes.

    ``data`` is row-major, little endian, ``ceil(bits / 8)`` bytes an element (i1, i4 and f4E2M1FN take one
    byte, tf32 three). The bytes of exactly one element are a splat. Raises `InvalidParameters` for another
    number of bytes.
    """

    name: ClassVar[str] = "builtin.dense_elements"
    type: Type
    data: bytes

    def verify_parameters(self) -> None:
        if len(self.data) not in (self.element_bytes, self.element_bytes * self.count):
            raise InvalidParameters(
                f"{self.count} elements of {self.element_type} need {self.element_bytes * self.count} bytes "
                f"(or {self.element_bytes} for a splat), got {len(self.data)}"
            )

    @property
    def element_type(self) -> Type:
        """The type of one element."""
        shaped: Any = self.type
        return shaped.element_type

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents of the shaped type."""
        shaped: Any = self.type
        return shaped.shape

    @property
    def count(self) -> int:
        """The number of elements: the product of the shape."""
        count = 1
        for extent in self.shape:
            count *= extent
        return count

    @property
    def element_bytes(self) -> int:
        """The number of bytes of one element in ``data``."""
        return element_bytes(self.element_type)

    @property
    def is_splat(self) -> bool:
        """Whether ``data`` has a single element, to which all elements are equal."""
        return len(self.data) == self.element_bytes

    def patterns(self) -> list[int]:
        """Return the stored bit patterns in row-major order: one for a splat, else one for each element."""
        size = self.element_bytes
        return [int.from_bytes(self.data[at : at + size], "little") for at in range(0, len(self.data), size)]


def element_bytes(element_type: Type) -> int:
    """Return the number of bytes of one element in dense data.

    Raises `InvalidParameters` for a type that is neither an integer, a float nor ``index``.
    """
    if isinstance(element_type, IntegerType | FloatType):
        return max(1, (element_type.width + 7) // 8)
    if isinstance(element_type, IndexType):
        return 8
    raise InvalidParameters(f"dense elements cannot hold {element_type}")


def splat(shaped_type: Type, value: float) -> DenseElementsAttr:
    """Return a dense attribute whose elements are all ``value``, as an element of the type: floats rounded to
    nearest, integers cut to the low bits.
    """
    return dense(shaped_type, [value])


def dense(shaped_type: Type, values: Iterable[float]) -> DenseElementsAttr:
    """Return a dense attribute of Python numbers in row-major order; a single number is a splat. Raises
    `InvalidParameters` for another number of values than the type has elements.
    """
    element: Any = shaped_type
    kind = element.element_type
    return DenseElementsAttr(shaped_type, b"".join(encode_element(kind, value) for value in values))


def encode_element(kind: Type, value: float) -> bytes:
    """Return the bytes of a number as an element of type ``kind`` in dense data: floats rounded to nearest,
    integers cut to the low bits. Raises `InvalidParameters` for a type without dense data, and `ValueError`
    for NaN in a float type without NaN.
    """
    size = element_bytes(kind)
    if isinstance(kind, FloatType):
        return kind.format.encode(float(value)).to_bytes(size, "little")
    width = kind.width if isinstance(kind, IntegerType) else 64
    return (int(value) & ((1 << width) - 1)).to_bytes(size, "little")


UNIT = UnitAttr()

__all__ = [
    "UNIT",
    "ArrayAttr",
    "DenseArrayAttr",
    "DenseElementsAttr",
    "DictionaryAttr",
    "FloatAttr",
    "IntegerAttr",
    "OpaqueAttr",
    "StringAttr",
    "SymbolRefAttr",
    "TypeAttr",
    "UnitAttr",
    "boolean",
    "dense",
    "dense_integers",
    "element_bytes",
    "encode_element",
    "f32",
    "float_attribute",
    "integer32",
    "integer64",
    "splat",
    "wrap_integer",
]
