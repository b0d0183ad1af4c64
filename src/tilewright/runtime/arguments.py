"""Arguments of a launch as slots of eight bytes.

Common arguments — numbers, arrays of the right element type, addresses, scalars of `ctypes` — are packed by one call
of `struct`. All others are converted by the interpreter's code, which handles every format and every error: so both
accept the same values, and refuse others with the same messages.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tilewright.host.addresses import array_address
from tilewright.interp.numerics.element import FORMATS
from tilewright.ir import builtin_types, location as ir_location
from tilewright.ir.attribute import Location, Type
from tilewright.ir.support.record import Record
from tilewright.runtime.description import Parameter

if TYPE_CHECKING:
    from tilewright.dialects.cuda_tile.types import TileType
    from tilewright.interp.arguments import BoundArguments
    from tilewright.interp.memory.writes import Writes

_SLOTS = {
    "i1": "B7x",
    "i8": "b7x",
    "i16": "h6x",
    "i32": "i4x",
    "i64": "q",
    "f16": "e6x",
    "f32": "f4x",
    "f64": "d",
}
"""The format characters of `struct` for a slot, by the element type of a number.

Numbers of other types are converted by `slow_values`.
"""

_POINTER = _ANY = "Q"

_ELEMENTS: dict[str, Type] = {
    found.spelling: found
    for found in vars(builtin_types).values()
    if isinstance(found, builtin_types.IntegerType | builtin_types.FloatType)
}

_NUMBERS: frozenset[type] = frozenset({int, float})
_TAKEN = dict.fromkeys(_SLOTS, _NUMBERS) | {"i1": frozenset({bool})}
"""The Python types that `struct` writes unchanged, by the element type of the parameter; `struct` refuses a
number out of range.
"""
_SCALARS = (ctypes.c_bool, ctypes.c_int32, ctypes.c_int64, ctypes.c_float, ctypes.c_double)


class _SlowError(Exception):
    """Raised for a value that `struct` cannot write; `slow_values` then converts the arguments."""


class ArgumentPacker:
    """Converts the arguments of one kernel to values for ``struct.pack``. ``format`` describes all argument
    slots in the notation of `struct`; ``slow_format`` describes them as integers. ``writes_anywhere`` says
    whether the kernel may write memory that no parameter leads to.
    """

    def __init__(self, kernel: str, parameters: Sequence[Parameter], *, writes_anywhere: bool = True) -> None:
        self.kernel = kernel
        self.writes_anywhere = writes_anywhere
        self.parameters = tuple(parameters)
        self.format = "".join(_slot(parameter) for parameter in parameters)
        self.slow_format = _ANY * len(parameters)
        self.has_plain_slots = all(p.is_pointer or p.element in _SLOTS for p in parameters)
        """Whether `struct` writes every slot by ``format`` from an address or a number, or refuses it."""
        self._taken = [_taken(parameter) for parameter in parameters]
        self._converters = [_converter(parameter) for parameter in parameters]

    def values(self, arguments: Sequence[Any]) -> list[Any] | None:
        """Return the values that `struct` packs by ``format``. None if their number is wrong, or if one of
        them needs `slow_values`, which converts or refuses it.
        """
        if len(arguments) != len(self._converters):
            return None
        try:
            return [
                value if type(value) in taken else convert(value)
                for taken, convert, value in zip(self._taken, self._converters, arguments, strict=True)
            ]
        except _SlowError:
            return None

    def slow_values(self, arguments: Sequence[Any]) -> list[int]:
        """Return the bit patterns of all arguments, to be packed by ``slow_format``. It accepts every
        supported value.

        Raises `DiagnosticError` for arguments that do not fit.
        """
        return bits_of(self.bound(arguments).tiles)

    def bound(self, arguments: Sequence[Any]) -> BoundArguments:
        """Return arguments as the interpreter takes them, with the memory that they refer to.

        Raises `DiagnosticError` for arguments that do not fit, or that are read-only although the kernel
        writes them.
        """
        from tilewright.interp.arguments import (
            BoundArguments,
        )  # takes longer to load than many kernels to run

        found = BoundArguments(self._entry, arguments)
        found.refuse_written(self._writes)
        return found

    def check_memory(self, memory: Sequence[Any]) -> None:
        """Check further arrays that the kernel may touch. Raises `DiagnosticError` if one of them is
        read-only and the kernel may write memory that no parameter leads to (``writes_anywhere``).
        """
        if memory and self.writes_anywhere:
            from tilewright.interp.arguments import refuse_written_memory  # as above

            refuse_written_memory(self._writes, self.kernel, memory)

    def _writes(self) -> Writes:
        """Return the memory that the kernel may change."""
        from tilewright.interp.memory.writes import Writes

        written = (at for at, parameter in enumerate(self.parameters) if parameter.is_written)
        return Writes(frozenset(written), self.writes_anywhere)

    @cached_property
    def _entry(self) -> _Entry:
        return _Entry(self.kernel, _EntryBody(_Block([_Argument(_tile(p)) for p in self.parameters])))


def bits_of(tiles: Sequence[Any]) -> list[int]:
    """Return the bits of each tile of `tiles` as an unsigned integer; the tiles are arguments of rank 0."""
    return [int.from_bytes(np.asarray(tile).tobytes(), "little") for tile in tiles]


def _slot(parameter: Parameter) -> str:
    return _POINTER if parameter.is_pointer else _SLOTS.get(parameter.element, _ANY)


def _taken(parameter: Parameter) -> frozenset[type]:
    return _NUMBERS if parameter.is_pointer else _TAKEN.get(parameter.element, frozenset())


def _converter(parameter: Parameter) -> Callable[[Any], Any]:
    if parameter.is_pointer:
        return _pointer_converter(FORMATS[parameter.element].array_dtype, parameter.is_written)
    return _CONVERTERS.get(parameter.element, _unusual)


def _pointer_converter(dtype: np.dtype[Any], is_written: bool) -> Callable[[Any], int]:
    def convert(value: Any) -> int:
        if type(value) is not np.ndarray or value.dtype != dtype:
            return _address(value)
        address, is_read_only = array_address(value)
        if is_read_only and is_written:
            raise _SlowError
        return address

    return convert


def _address(value: Any) -> int:
    if isinstance(value, ctypes.c_void_p):
        return value.value or 0
    raise _SlowError


def _number(value: Any) -> Any:
    if type(value) in _SCALARS:
        return value.value
    raise _SlowError


def _truth(value: Any) -> bool:
    if type(value) is ctypes.c_bool:
        return value.value
    raise _SlowError


def _unusual(value: Any) -> Any:
    raise _SlowError


_CONVERTERS: dict[str, Callable[[Any], Any]] = dict.fromkeys(_SLOTS, _number) | {"i1": _truth}


def _tile(parameter: Parameter) -> TileType:
    from tilewright.dialects.cuda_tile.types import PointerType, TileType

    element: Any = _ELEMENTS[parameter.element]
    return TileType((), PointerType(element) if parameter.is_pointer else element)


class _Argument(Record, frozen=True):
    type: TileType


class _Block(Record, frozen=True):
    arguments: list[_Argument]


class _EntryBody(Record, frozen=True):
    block: _Block


class _Entry(Record, frozen=True):
    """The parts of an entry operation that the interpreter reads when it converts arguments."""

    sym_name: str
    body: _EntryBody
    location: Location = ir_location.UNKNOWN
