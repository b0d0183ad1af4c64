"""Descriptions of addresses by the elements of the arrays that a launch was given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.interp.memory.allocation import Allocation
from tilewright.ir.support.record import Record

NULL_PAGE = 4096
OUTSIDE_HINT = "check the mask, the lengths and strides passed for the array, and the index"


class NamedArray(Record, frozen=True):
    """An array with its name in diagnostics, which is a name of the user's program, such as ``x`` or
    ``pair[1]``.
    """

    name: str
    array: Any


def argument_name(number: int) -> str:
    """Return the name in diagnostics of parameter number `number`, from 0, if the program gives it none:
    ``argument 0``.
    """
    return f"argument {number}"


def memory_name(number: int) -> str:
    """Return the name in diagnostics of array number `number`, from 0, of those that a kernel reaches beside
    its parameters: ``memory[0]``.
    """
    return f"memory[{number}]"


def place_words(allocation: Allocation, address: int) -> str:
    """Return a description of an address in `allocation`: an element, such as ``x[3, 4]``, or ``byte 8 of x
    (64 bytes)`` if no element of an array is there.
    """
    for part in allocation.parts:
        index = _index(part.array, address)
        if index is not None:
            return _element(part, index)
    part = next((part for part in allocation.parts if part.base <= address < part.end), allocation)
    return f"byte {address - part.base} of {part}"


def outside_words(
    verb: str, size: int, lane: str, address: int, allocations: Sequence[Allocation], source: int | None
) -> str:
    """Return the message for an access of `size` bytes outside known memory. ``verb`` is the kind of the
    access, ``lane`` a phrase for the element of the tile.

    ``source`` is the number of the parameter from which the address comes; None if it is not known.
    """
    shown = f"{verb} of {size} bytes at {address & ((1 << 64) - 1):#x} by {lane}"
    if 0 <= address < NULL_PAGE:
        return f"{shown} is through a null pointer; {nearest_words(address, allocations)}"
    part = _of_parameter(allocations, source)
    if part is None:
        return f"{shown} is outside every known buffer; {nearest_words(address, allocations)}"
    number = _row_number(part.array, address)
    if number is None or number < 0:
        return f"{shown} is outside of {_described(part)}; {_distance(address, part)}"
    return f"{verb} of {_element(part, (number,))} by {lane} is outside of {_described(part)}"


def _of_parameter(allocations: Sequence[Allocation], source: int | None) -> Allocation | None:
    parts = (part for allocation in allocations for part in allocation.parts)
    return next((part for part in parts if source is not None and part.parameter == source), None)


def array_words(address: int, allocations: Sequence[Allocation]) -> str:
    """Return the name of the array that begins at an address, or "a part of" the name of the array that
    contains it; "the array" if neither is known.
    """
    parts = [part for allocation in allocations for part in allocation.parts]
    begin = next((part for part in parts if part.base == address), None)
    if begin is not None:
        return begin.name
    around = next((part for part in parts if part.base < address < part.end), None)
    return "the array" if around is None else f"a part of {around.name}"


def nearest_words(address: int, allocations: Sequence[Allocation]) -> str:
    """Return a phrase with the allocation nearest to an address outside of all, and its distance, such as
    ``it lies 8 bytes past the end of x (64 bytes)``; or that no buffer is known.
    """
    if not allocations:
        return "no buffer is known"
    nearest = min(allocations, key=lambda a: max(a.base - address, address - a.end + 1))
    return _distance(address, nearest)


def _distance(address: int, allocation: Allocation) -> str:
    if address >= allocation.end:
        return f"it lies {address - allocation.end} bytes past the end of {allocation}"
    if address < allocation.base:
        return f"it lies {allocation.base - address} bytes before {allocation}"
    return f"it sticks out of the end of {allocation}"


def _described(part: Allocation) -> str:
    """Return the name of an array with its number of elements, or with its shape unless it has one dimension:
    ``x, which has 16 elements`` or ``x, whose shape is (4, 4)``.
    """
    array = part.array
    if array.ndim == 1:
        return f"{part.name}, which has {array.size} element{'' if array.size == 1 else 's'}"
    return f"{part.name}, whose shape is {array.shape}"


def _element(part: Allocation, index: Sequence[int]) -> str:
    listed = f"[{', '.join(map(str, index))}]"
    if not index:
        return part.name
    return f"{part.name}{listed}" if part.is_named else f"element {listed} of {part.name}"


def _index(array: Any, address: int) -> tuple[int, ...] | None:
    """Return the index of the element of `array` that contains the byte at an address; None if no element
    does, and if `array` is None.
    """
    if array is None:
        return None
    index, rest = [0] * array.ndim, address - array.ctypes.data
    axes = sorted(range(array.ndim), key=lambda axis: -abs(array.strides[axis]))
    for axis in axes:
        stride = array.strides[axis]
        if stride and array.shape[axis] > 1:
            index[axis] = min(max(rest // stride, 0), array.shape[axis] - 1)
            rest -= index[axis] * stride
    return tuple(index) if 0 <= rest < array.itemsize else None


def _row_number(array: Any, address: int) -> int | None:
    """Return the index of the element that begins at an address, in a one-dimensional array continued beyond
    its ends: it is negative before the array. Return None between elements, and for other arrays or a stride
    that is not positive.
    """
    if array is None or array.ndim != 1 or array.strides[0] <= 0:
        return None
    number, rest = divmod(address - array.ctypes.data, array.strides[0])
    return number if rest == 0 else None
