"""The declarative form of a byte layout, and the code derived from it.

A `Struct` lists its fields once: offset, form (width), meaning, source.  Encoder, decoder, NumPy type, C declaration
and documentation all come from that list.  A `AbiLayout` holds the structs of one subject in several profiles:

* `Profile.TILEIRAS`: ``tileiras-13.1``, as published notes on that program state it, offsets included;
* `Profile.UPSTREAM`: ``mlir-upstream``, as the MLIR of LLVM 22 lays objects out on 64-bit Itanium machines.

All integers are little-endian and all pointers are 8 bytes wide.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy

Buffer = bytes | bytearray | memoryview
Values = Mapping[str, Any]
"""Maps field names to values: an int, a tuple of ints, bytes, or the values of an embedded struct (or a tuple
of them).
"""

POINTER_SIZE = 8


class LayoutError(ValueError):
    """A value does not fit its field, a buffer is too short, a field or profile does not exist, or a
    declaration contradicts itself.
    """


class Profile(StrEnum):
    """The program whose memory layout is described: the vendor's compiler `tileiras` of CUDA 13.1, or MLIR of
    LLVM 22.
    """

    TILEIRAS = "tileiras-13.1"
    UPSTREAM = "mlir-upstream"


@dataclass(frozen=True, slots=True)
class IntegerLayout:
    """The form of a little-endian integer of ``size`` bytes. ``target`` is the type that a pointer points to,
    and is empty for numbers.
    """

    size: int
    signed: bool = False
    target: str = ""

    @property
    def alignment(self) -> int:
        """The natural alignment in bytes."""
        return self.size

    @property
    def spelling(self) -> str:
        """The form as documentation shows it: `i32`, `u8`, `Value *`."""
        if self.target:
            return f"{self.target} *"
        return f"{'i' if self.signed else 'u'}{8 * self.size}"

    @property
    def zero(self) -> int:
        """The value that zero bytes stand for."""
        return 0

    def store(self, buffer: bytearray, at: int, value: Any) -> None:
        """Write the integer `value` at offset `at`. Raises `LayoutError` unless it is an integer between the
        limits.
        """
        low, high = self.limits
        if not isinstance(value, int) or not low <= value <= high:
            raise LayoutError(f"{value!r} does not fit {self.spelling}")
        buffer[at : at + self.size] = value.to_bytes(self.size, "little", signed=self.signed)

    def load(self, buffer: Buffer, at: int) -> int:
        """Return the integer at offset `at` of a buffer, which must have all of its bytes: this is not
        checked.
        """
        return int.from_bytes(buffer[at : at + self.size], "little", signed=self.signed)

    @property
    def limits(self) -> tuple[int, int]:
        """The smallest and the largest value of the integer."""
        bits = 8 * self.size
        return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if self.signed else (0, (1 << bits) - 1)


@dataclass(frozen=True, slots=True)
class RawBytes:
    """The form of raw bytes: reserved space, inline characters, opaque state."""

    size: int

    @property
    def alignment(self) -> int:
        """The alignment in bytes: 1, since bytes may be anywhere."""
        return 1

    @property
    def spelling(self) -> str:
        """The form as documentation shows it: `byte[4]`."""
        return f"byte[{self.size}]"

    @property
    def zero(self) -> bytes:
        """The value that zero bytes stand for."""
        return bytes(self.size)

    def store(self, buffer: bytearray, at: int, value: Any) -> None:
        """Write exactly ``size`` bytes. Raises `LayoutError` for another number of bytes."""
        if not isinstance(value, bytes | bytearray) or len(value) != self.size:
            raise LayoutError(f"{value!r} is not {self.size} bytes")
        buffer[at : at + self.size] = value

    def load(self, buffer: Buffer, at: int) -> bytes:
        """Return the ``size`` bytes at offset `at` of a buffer; fewer bytes if the buffer ends before."""
        return bytes(buffer[at : at + self.size])


@dataclass(frozen=True, slots=True)
class ArrayLayout:
    """The form of ``count`` consecutive elements."""

    element: Form
    count: int

    @property
    def size(self) -> int:
        """The size of all elements together, in bytes."""
        return self.element.size * self.count

    @property
    def alignment(self) -> int:
        """The alignment of an element, in bytes."""
        return self.element.alignment

    @property
    def spelling(self) -> str:
        """The form as documentation shows it: `u32[4]`."""
        return f"{self.element.spelling}[{self.count}]"

    @property
    def zero(self) -> tuple[Any, ...]:
        """The value that zero bytes stand for."""
        return (self.element.zero,) * self.count

    def store(self, buffer: bytearray, at: int, value: Any) -> None:
        """Write ``count`` values from offset `at`. Raises `LayoutError` for another number of values, or a
        value that does not fit.
        """
        if not isinstance(value, Sequence) or len(value) != self.count:  # pyright: ignore[reportUnknownArgumentType]
            raise LayoutError(f"{value!r} does not have {self.count} elements")
        for position in range(self.count):
            self.element.store(buffer, at + position * self.element.size, value[position])

    def load(self, buffer: Buffer, at: int) -> tuple[Any, ...]:
        """Return ``count`` values from offset `at`."""
        size = self.element.size
        return tuple([self.element.load(buffer, at + position * size) for position in range(self.count)])


@dataclass(frozen=True, slots=True)
class Embedded:
    """The form of a struct that is a field of another struct."""

    struct: Struct

    @property
    def size(self) -> int:
        """The size of the struct, in bytes."""
        return self.struct.size

    @property
    def alignment(self) -> int:
        """The alignment of the struct, in bytes."""
        return self.struct.alignment

    @property
    def spelling(self) -> str:
        """The form as documentation shows it: the name of the struct."""
        return self.struct.name

    @property
    def zero(self) -> dict[str, Any]:
        """The value that zero bytes stand for."""
        return self.struct.zero()

    def store(self, buffer: bytearray, at: int, value: Any) -> None:
        """Write the values of the struct's fields; missing fields keep their bytes. Raises `LayoutError`
        unless the value is a mapping of fields to values that fit.
        """
        if not isinstance(value, Mapping):
            raise LayoutError(f"{value!r} is not a mapping of the fields of {self.struct.name}")
        self.struct.encode_into(buffer, at, value)  # pyright: ignore[reportUnknownArgumentType]

    def load(self, buffer: Buffer, at: int) -> dict[str, Any]:
        """Return the values of the struct's fields at offset `at`, by name. Raises `LayoutError` if the
        buffer is too short.
        """
        return self.struct.decode(buffer, at)


Form = IntegerLayout | RawBytes | ArrayLayout | Embedded

U8, U16, U32, U64 = IntegerLayout(1), IntegerLayout(2), IntegerLayout(4), IntegerLayout(8)
I8, I32, I64 = IntegerLayout(1, True), IntegerLayout(4, True), IntegerLayout(8, True)


def pointer(target: str = "void") -> IntegerLayout:
    """Return the form of a pointer of 8 bytes. ``target`` is the name of the C++ type that it points to."""
    return IntegerLayout(POINTER_SIZE, target=target)


POINTER = pointer()


@dataclass(frozen=True, slots=True)
class Bits:
    """The bits of a bit field within its integer: ``shift`` is the number of its lowest bit, ``width`` the
    number of bits.
    """

    shift: int
    width: int

    @property
    def mask(self) -> int:
        """The mask of the field's bits, before they are shifted to their position."""
        return (1 << self.width) - 1


@dataclass(frozen=True, slots=True)
class LayoutField:
    """One field: ``form`` is its width and interpretation, ``source`` the document that describes it. A field
    with ``bits`` shares its integer with others at the same offset. A ``view`` is another interpretation of
    bytes that belong to other fields: it is decoded and documented, but not encoded.
    """

    name: str
    offset: int
    form: Form
    meaning: str
    source: str = ""
    bits: Bits | None = None
    view: bool = False

    @property
    def end(self) -> int:
        """The offset after the last byte of the field."""
        return self.offset + self.form.size

    @property
    def width(self) -> str:
        """The form and the bits as documentation shows them, such as ``u32 bits 0..26``."""
        if self.bits is None:
            return self.form.spelling
        first, last = self.bits.shift, self.bits.shift + self.bits.width - 1
        return f"{self.form.spelling} {f'bit {first}' if first == last else f'bits {first}..{last}'}"

    @property
    def zero(self) -> Any:
        """The value that zero bytes stand for."""
        return self.form.zero

    @property
    def shift_and_mask(self) -> tuple[int, int]:
        """The shift and the mask that extract the field from its integer: the integer is first shifted to the
        right. Without ``bits`` the whole integer is kept.
        """
        return (0, (1 << 8 * self.form.size) - 1) if self.bits is None else (self.bits.shift, self.bits.mask)

    def load(self, buffer: Buffer, at: int) -> Any:
        """Return the value of the field in the struct that starts at offset ``at`` of a buffer, which must
        have all of its bytes. The value of a bit field is shifted to bit 0.
        """
        value = self.form.load(buffer, at + self.offset)
        if self.bits is not None:
            assert isinstance(value, int)
            return value >> self.bits.shift & self.bits.mask
        return value

    def store(self, buffer: bytearray, at: int, value: Any) -> None:
        """Write the field of a struct that starts at offset ``at`` of a buffer, which must have all of its
        bytes; other bits of a bit field's integer stay. Raises `LayoutError` for a value that does not fit.
        """
        try:
            if self.bits is None:
                self.form.store(buffer, at + self.offset, value)
            else:
                self._store_bits(buffer, at + self.offset, self.bits, value)
        except LayoutError as error:
            raise LayoutError(f"field '{self.name}': {error}") from None

    def _store_bits(self, buffer: bytearray, at: int, bits: Bits, value: Any) -> None:
        if not isinstance(value, int) or not 0 <= value <= bits.mask:
            raise LayoutError(f"{value!r} does not fit {bits.width} bits")
        old = self.form.load(buffer, at)
        assert isinstance(old, int)
        self.form.store(buffer, at, old & ~(bits.mask << bits.shift) | value << bits.shift)


@dataclass(frozen=True)
class Struct:
    """A structure of ``size`` bytes with documentation (``doc``, ``notes``). ``trailing`` describes the data
    after the structure in the allocation, with a formula. Construction raises `LayoutError` if two fields
    have the same name, or if fields that are not views overlap or end after ``size``.
    """

    name: str
    size: int
    fields: tuple[LayoutField, ...]
    doc: str
    trailing: str = ""
    notes: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        names = [f.name for f in self.fields]
        if len(set(names)) != len(names):
            raise LayoutError(f"{self.name} declares a field twice")
        taken = 0
        for f in self.stored:
            if f.end > self.size:
                raise LayoutError(
                    f"{self.name}.{f.name} ends at {f.end}, after the struct's {self.size} bytes"
                )
            mask = self._occupied(f)
            if taken & mask:
                raise LayoutError(f"{self.name}.{f.name} overlaps the fields before it")
            taken |= mask

    @staticmethod
    def _occupied(f: LayoutField) -> int:
        """Return a bit mask, over the whole struct, of the bits that a field occupies."""
        run = f.bits.mask << f.bits.shift if f.bits else (1 << (8 * f.form.size)) - 1
        return run << (8 * f.offset)

    @cached_property
    def stored(self) -> tuple[LayoutField, ...]:
        """The fields that are encoded: all except views."""
        return tuple(f for f in self.fields if not f.view)

    @cached_property
    def by_name(self) -> dict[str, LayoutField]:
        """The fields, views included, by name."""
        return {f.name: f for f in self.fields}

    @cached_property
    def places(self) -> dict[str, tuple[int, int, int, int]]:
        """For each field, (offset, size in bytes, shift, mask): its bytes, and how its value is extracted
        from the integer in them.
        """
        return {f.name: (f.offset, f.form.size, *f.shift_and_mask) for f in self.fields}

    @property
    def alignment(self) -> int:
        """The largest natural alignment of a field, in bytes."""
        return max((f.form.alignment for f in self.stored), default=1)

    def offset(self, name: str) -> int:
        """Return the offset of the field ``name``, in bytes. Raises `LayoutError` for an unknown field."""
        return self[name].offset

    def __getitem__(self, name: str) -> LayoutField:
        found = self.by_name.get(name)
        if found is None:
            raise LayoutError(f"{self.name} has no field '{name}'; its fields: {', '.join(self.by_name)}")
        return found

    def zero(self) -> dict[str, Any]:
        """Return the values that zero bytes stand for, by field name."""
        return {f.name: f.zero for f in self.fields}

    def encode(self, values: Values | None = None, **named: Any) -> bytes:
        """Return the bytes of a struct with these values; all other fields, and the padding, are zero. Values
        of views are ignored. Raises `LayoutError` for an unknown field, or a value that does not fit.
        """
        buffer = bytearray(self.size)
        self.encode_into(buffer, 0, {**(values or {}), **named})
        return bytes(buffer)

    def encode_into(self, buffer: bytearray, at: int, values: Values) -> None:
        """Write values into the struct at offset `at` of a buffer; other fields keep their bytes, and values
        of views are ignored. Raises `LayoutError` for an unknown field, a value that does not fit, or a
        buffer that is too short.
        """
        self._need(len(buffer), at)
        for name, value in values.items():
            f = self[name]
            if not f.view:
                f.store(buffer, at, value)

    def decode(self, buffer: Buffer, at: int = 0) -> dict[str, Any]:
        """Return the values of all fields, by name, of the struct at offset ``at`` of a buffer, views
        included. Raises `LayoutError` if the buffer is too short.
        """
        self._need(len(buffer), at)
        return {f.name: f.load(buffer, at) for f in self.fields}

    def _need(self, length: int, at: int) -> None:
        if at < 0 or at + self.size > length:
            raise LayoutError(f"{self.name} needs {self.size} bytes at {at}; the buffer has {length}")

    def encoded_fields(self) -> Iterator[LayoutField]:
        """Yield the encoded fields by offset. Of bit fields that share an integer, only the first is
        yielded.
        """
        seen: set[int] = set()
        for f in sorted(self.stored, key=lambda f: (f.offset, f.bits.shift if f.bits else 0)):
            if f.offset not in seen:
                seen.add(f.offset)
                yield f

    def gaps(self) -> list[tuple[int, int]]:
        """Return the ranges of bytes (start, end exclusive) that belong to no field."""
        found: list[tuple[int, int]] = []
        reached = 0
        for f in self.encoded_fields():
            if f.offset > reached:
                found.append((reached, f.offset))
            reached = max(reached, f.end)
        return [*found, (reached, self.size)] if reached < self.size else found

    def dtype(self) -> numpy.dtype[Any]:
        """Return the NumPy structured type of the struct. It has one member for each field by offset; bit
        fields in one integer share a member, whose name is `word_name`. Raises `LayoutError` on a big-endian
        machine.
        """
        if sys.byteorder != "little":
            raise LayoutError("arrays over little-endian images need a little-endian machine")
        return _dtype(self)


def _dtype(struct: Struct) -> numpy.dtype[Any]:
    import numpy as np

    names: list[str] = []
    formats: list[Any] = []
    offsets: list[int] = []
    for f in struct.encoded_fields():
        names.append(word_name(struct, f))
        formats.append(_numpy_format(f.form))
        offsets.append(f.offset)
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": struct.size})


def word_name(struct: Struct, f: LayoutField) -> str:
    """Return the name of the integer that contains a field: the names of all bit fields in it, joined by
    ``_and_``, or the name of a field that is no bit field.
    """
    sharing = [other for other in struct.stored if other.offset == f.offset and other.bits is not None]
    return "_and_".join(other.name for other in sharing) if sharing else f.name


def _numpy_format(form: Form) -> Any:
    if isinstance(form, IntegerLayout):
        return f"<{'i' if form.signed else 'u'}{form.size}"
    if isinstance(form, RawBytes):
        return ("u1", (form.size,))
    if isinstance(form, ArrayLayout):
        return (_numpy_format(form.element), (form.count,))
    return _dtype(form.struct)


@dataclass(frozen=True)
class AbiLayout:
    """The layout of one struct, in every profile that has it; ``structs`` maps these profiles to the structs.
    Layouts of one ``family`` share a page of the documentation.
    """

    name: str
    family: str
    structs: Mapping[Profile, Struct]

    def struct(self, profile: Profile) -> Struct:
        """Return the struct of a profile.  Raises `LayoutError` when the profile has none."""
        found = self.structs.get(profile)
        if found is None:
            raise LayoutError(f"'{self.name}' does not exist in profile {profile}")
        return found


def both(name: str, family: str, struct: Struct) -> AbiLayout:
    """Return a layout whose struct is the same in both profiles."""
    return AbiLayout(name, family, dict.fromkeys(Profile, struct))


def bit_field(
    name: str, offset: int, form: IntegerLayout, shift: int, width: int, meaning: str, source: str = ""
) -> LayoutField:
    """Return a field of ``width`` bits of the integer ``form`` at byte ``offset``; its lowest bit is bit
    ``shift`` of the integer.
    """
    return LayoutField(name, offset, form, meaning, source, Bits(shift, width))


def view(
    name: str, offset: int, form: Form, meaning: str, source: str = "", bits: Bits | None = None
) -> LayoutField:
    """Return a field that is another interpretation of bytes that belong to other fields
    (`LayoutField.view`).
    """
    return LayoutField(name, offset, form, meaning, source, bits, view=True)
