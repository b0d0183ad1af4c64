"""Flat arguments of a launch: one Python value per entry parameter to one rank-0 tile each.

Pointers take a NumPy array (the address of its first element; its extent becomes known memory), anything with
``__array_interface__``, DLPack or the buffer protocol, an address as int or ``ctypes.c_void_p``, or None for the null
pointer.  Numbers take Python, NumPy and ctypes scalars; formats that C lacks (f16, bf16, ...) also take a ctypes
unsigned integer of their width as the bit pattern.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

import numpy as np

from tilewright.dialects.cuda_tile import attributes as cuda_tile_attributes, types as cuda_tile_types
from tilewright.host import addresses, arrays as host_arrays
from tilewright.interp.codes import BAD_ARGUMENT
from tilewright.interp.memory.access_messages import NamedArray, argument_name
from tilewright.interp.memory.allocation import Allocation
from tilewright.interp.memory.writes import Writes, refuse_memory, refuse_parameter
from tilewright.interp.numerics.element import ElementFormat, NumpyArray, from_bits
from tilewright.interp.numerics.rounding import round_to_format
from tilewright.interp.values import element_format, integer_scalar, wrapped_address
from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.ir.operation import Operation

_C_FLOATS = (ctypes.c_float, ctypes.c_double)
_C_INTEGERS = (
    ctypes.c_bool,
    ctypes.c_int8,
    ctypes.c_int16,
    ctypes.c_int32,
    ctypes.c_int64,
    ctypes.c_uint8,
    ctypes.c_uint16,
    ctypes.c_uint32,
    ctypes.c_uint64,
    ctypes.c_size_t,
    ctypes.c_ssize_t,
)
_UNSIGNED = (ctypes.c_uint8, ctypes.c_uint16, ctypes.c_uint32)


class BoundArguments:
    """The arguments `flat_args` of a launch as rank-0 tiles, and the memory that they refer to.

    ``tiles`` has one array for each parameter of ``entry``, ``allocations`` the memory of the pointers that
    were given as arrays. ``complete`` is true if every pointer was given as an array or is null, so that its
    extent is known. ``read_only`` lists the numbers of the parameters with a read-only array. Raises
    `DiagnosticError` for a wrong number of arguments, and for an argument that does not fit its parameter.
    """

    def __init__(self, entry: Any, flat_args: Sequence[object]) -> None:
        self.tiles: list[NumpyArray] = []
        self.allocations: list[Allocation] = []
        self.complete = True
        self.read_only: list[int] = []
        self.kernel = _title(entry)
        parameters = entry.body.block.arguments
        if len(flat_args) != len(parameters):
            raise self._wrong_count(entry, len(parameters), len(flat_args))
        for index, (parameter, value) in enumerate(zip(parameters, flat_args, strict=True)):
            self.tiles.append(self._bind(entry, index, parameter.type, value))

    def refuse_written(self, writes: Callable[[], Writes]) -> None:
        """Raise `ReadOnlyError` if an argument is read-only and the kernel may write to its memory.

        ``writes`` is called only if an argument is read-only.
        """
        for parameter in self.read_only:
            if writes().may_change(parameter):
                raise refuse_parameter(writes(), self.kernel, parameter)

    @staticmethod
    def _wrong_count(entry: Any, expected: int, given: int) -> DiagnosticError:
        parameters = enumerate(entry.body.block.arguments)
        listed = ", ".join(f"{argument_name(at)}: {_wanted(one.type)}" for at, one in parameters) or "none"
        message = f"entry '{_title(entry)}' takes {expected} arguments, {given} were given"
        return failure(BAD_ARGUMENT, message, entry.location, hint=f"parameters in order: {listed}")

    def _bind(self, entry: Any, index: int, parameter: Any, value: object) -> NumpyArray:
        assert isinstance(parameter, cuda_tile_types.TileType)
        try:
            if isinstance(parameter.element_type, cuda_tile_types.PointerType):
                return self._pointer(index, parameter.element_type, value)
            return _number(element_format(parameter.element_type), value)
        except _Unfit as reason:
            given = _describe(value)
            message = (
                f"{argument_name(index)} of entry '{_title(entry)}' is {parameter}, but {given} was given"
            )
            raise failure(BAD_ARGUMENT, f"{message}: {reason}", entry.location, hint=reason.hint) from None

    def _pointer(self, index: int, pointer: cuda_tile_types.PointerType, value: object) -> NumpyArray:
        if value is None:
            return np.array(0, dtype=np.int64)
        if isinstance(value, ctypes.c_void_p):
            return self._address(value.value or 0)
        address = _integer_value(value)
        if address is not None and type(value).__name__ != "bool":
            return self._address(address)
        if isinstance(value, ctypes.c_uint64 | ctypes.c_int64):
            return self._address(int(value.value))
        array = _as_array(value)
        _check_element_type(array, element_format(pointer.pointee))
        allocation = allocation_of(array, argument_name(index))
        allocation.parameter = index
        self.allocations.append(allocation)
        if not array.flags.writeable:
            self.read_only.append(index)
        return np.array(wrapped_address(array.ctypes.data), dtype=np.int64)

    def _address(self, address: int) -> NumpyArray:
        self.complete = self.complete and address == 0
        if not -(1 << 63) <= address < 1 << 64:
            raise _Unfit("an address has 64 bits", "pass the array itself")
        return np.array(wrapped_address(address), dtype=np.int64)


def _title(entry: Any) -> str:
    """Return the name of a kernel for messages: its name in the debug information, else its symbol."""
    return cuda_tile_attributes.function_name(entry.location, entry.sym_name)


def _wanted(parameter: Any) -> str:
    """Return a description of the values that a parameter takes: "address of f32" for a pointer, else its
    element type.
    """
    element = parameter.element_type
    if isinstance(element, cuda_tile_types.PointerType):
        return f"address of {element.pointee}"
    return str(element)


def refuse_written_memory(writes: Callable[[], Writes], kernel: str, memory: Iterable[object]) -> None:
    """Raise `ReadOnlyError` if an array of `memory` is read-only and the kernel called `kernel` may write
    through a pointer of unknown origin. Raises `TypeError` for objects without memory.

    A kernel reaches these arrays without a parameter. ``writes`` is called only if an array is read-only.
    """
    for number, array in enumerate(memory):
        if not allocation_of(array, "").writeable and writes().anywhere:
            raise refuse_memory(kernel, number)


class _Unfit(Exception):
    """Raised for a value that does not fit a parameter; its text is the reason, and ``hint`` a way to mend
    it.
    """

    def __init__(self, reason: str, hint: str) -> None:
        super().__init__(reason)
        self.hint = hint


def allocation_of(value: object, name: str) -> Allocation:
    """Return the memory of an array, or of any object with memory, as an allocation called `name`. Raises
    `TypeError` for objects without memory.

    A `NamedArray` brings a name of its own, which is used instead.
    """
    is_named = isinstance(value, NamedArray)
    if isinstance(value, NamedArray):
        name, value = value.name, value.array
    try:
        array = _as_array(value)
    except _Unfit as reason:
        raise TypeError(f"{_describe(value)}: {reason}") from None
    low, high = _extent(array)
    found = Allocation(low, high - low, name, writeable=bool(array.flags.writeable), owner=array)
    found.array, found.is_named = array, is_named
    return found


def _describe(value: object) -> str:
    if isinstance(value, np.ndarray):
        array = cast(NumpyArray, value)
        return f"an array of {array.dtype} with shape {array.shape}"
    shown = repr(value)
    return f"{shown if len(shown) <= 60 else shown[:57] + '...'} ({type(value).__name__})"


def _as_array(value: object) -> NumpyArray:
    """Return the memory of a value as an array, never a copy. Raises `_Unfit` for a number, a text, a list or
    tuple, and an object without usable memory.
    """
    if type(value) is np.ndarray:
        return value
    hint = "pass a NumPy array or an address"
    if isinstance(value, bool | float | str | list | tuple | np.generic) or ctypes_number(value) is not None:
        raise _Unfit("it has no memory to point to", hint)
    try:
        return host_arrays.host_array(value)
    except addresses.UnusableMemoryError as error:
        raise _Unfit(error.reason, error.hint or hint) from None


def _check_element_type(array: NumpyArray, format: ElementFormat) -> None:
    """Raise `_Unfit` for an array whose elements cannot be of `format`.

    Arrays of bytes or of void, and of integers or booleans with the storage size of the format in the byte
    order of this machine, are accepted as bit patterns.
    """
    dtype = array.dtype
    if dtype == format.array_dtype or dtype.str in ("|u1", "|i1") or dtype.type is np.void:
        return
    if not dtype.isnative:
        hint = "pass a copy in the order of this machine: array.astype(array.dtype.newbyteorder('='))"
        raise _Unfit(f"the bytes of its elements ({dtype}) are in the order of another machine", hint)
    if dtype.itemsize == format.storage_bytes and dtype.kind in "iub":
        return
    hint = f"convert it to {format.array_dtype}, or reinterpret its memory: array.view('u{format.storage_bytes}')"
    raise _Unfit(f"its elements are {dtype}, not {format.name}", hint)


def _extent(array: NumpyArray) -> tuple[int, int]:
    """Return the first address and the end address (exclusive) of the elements of an array, whatever the
    signs of its strides are. An array without elements has an empty range.
    """
    low = high = array.ctypes.data
    if array.size == 0:
        return low, high
    for extent, stride in zip(array.shape, array.strides, strict=True):
        reach = (extent - 1) * stride
        low, high = (low + reach, high) if reach < 0 else (low, high + reach)
    return low, high + array.itemsize


def ctypes_number(value: object) -> int | float | None:
    """Return the number in a ctypes integer, boolean or float; None for any other value."""
    return value.value if isinstance(value, (*_C_FLOATS, *_C_INTEGERS)) else None


def _number(format: ElementFormat, value: object) -> NumpyArray:
    return _float(format, value) if format.kind == "float" else _integer(format, value)


def _integer_value(value: object) -> int | None:
    """Return the value of a Python or NumPy integer or truth value; None for any other value."""
    scalar: Any = value
    return int(scalar) if isinstance(value, int | np.integer | np.bool_) else None


def _host_float(scalar: Any) -> float | None:
    return None if np.iscomplexobj(scalar) else float(scalar)


def _integer(format: ElementFormat, value: object) -> NumpyArray:
    number = _integer_value(ctypes_number(value) if isinstance(value, _C_INTEGERS) else value)
    if number is None:
        raise _Unfit("it is not an integer", "convert it with int()")
    if not -(1 << (format.bits - 1)) <= number < 1 << format.bits:
        raise _Unfit(f"it does not fit in {format.bits} bits", "use a wider parameter type in the kernel")
    return integer_scalar(number, format)


def _float(format: ElementFormat, value: object) -> NumpyArray:
    if isinstance(value, _UNSIGNED) and format.name not in ("f32", "f64", "tf32"):
        if ctypes.sizeof(value) != format.storage_bytes:
            raise _Unfit(f"its bit pattern has {format.bits} bits", "pass a number")
        return from_bits(np.array(value.value), format)
    number: Any = ctypes_number(value)
    if number is None:
        number = value
    if type(number).__module__.partition(".")[0] in ("numpy", "ml_dtypes") and np.ndim(number) == 0:
        number = _host_float(number)
    if not isinstance(number, int | float):
        raise _Unfit("it is not a number", "convert it with float()")
    return round_to_format(np.array(number, dtype=np.float64), format)


def makes_pointers_from_integers(entry: Operation) -> bool:
    """Return whether an entry has an `int_to_ptr`, so that it can reach memory that no pointer parameter
    names.
    """
    return any(op.kind.mnemonic == "int_to_ptr" for op in entry.walk())
