"""The short way for launches like one before: same kernel, and arguments about which the same is known.

Looking at arguments the long way takes fifty times as long as a small kernel.  What the long way made is kept under what
it can depend on: of arrays the element type, shape, strides, alignment and whether they are read-only, of constants
the value, of other numbers the type.  Anything else (lists, tuples, tensors of other libraries) always goes the long way.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

from tilewright.cutile.binding import Binding
from tilewright.cutile.facts import DIVISOR
from tilewright.cutile.parameters import LeafNode, Parameters
from tilewright.ir.locks import reentrant_lock

MAXIMUM_LAUNCHES = 256
"""So many kinds of arguments are kept for a kernel; then it begins anew."""

_from_buffer: Callable[[Any], ctypes.c_char] = ctypes.c_char.from_buffer
_address_of = ctypes.addressof
_NO_BUFFER = (TypeError, ValueError, BufferError)


class Kernel(Protocol):
    """A compiled kernel."""

    def launch(self, grid: tuple[int, int, int], arguments: Sequence[Any], /) -> None:
        """Run all tile blocks of a grid."""
        ...


@dataclass(frozen=True, slots=True)
class Launch:
    """What is kept: the kernel, its flat arguments, and at which places among them something varies."""

    kernel: Kernel
    template: list[Any]
    places: tuple[int, ...]
    keeps: Any
    """Something whose identity is part of the key."""

    def __call__(self, grid: tuple[int, int, int], varying: Sequence[Any]) -> None:
        """Launch with these addresses and numbers."""
        arguments = self.template.copy()
        for place, value in zip(self.places, varying, strict=True):
            arguments[place] = value
        self.kernel.launch(grid, arguments)


class _Known:
    """The launches of one kernel."""

    __slots__ = ("constant", "launches", "limits", "owner")

    def __init__(self, kernel: Any, nodes: Sequence[Any], forget: Callable[[Any], None]) -> None:
        self.owner = weakref.ref(kernel, forget)
        self.constant: list[bool] = [node.constant for node in nodes]
        self.limits: list[int] = [1 << (node.scalar_bits - 1) for node in nodes]
        self.launches: dict[Hashable, Launch] = {}


_known: dict[int, _Known] = {}
_lock = reentrant_lock()


def find(kernel: Any, arguments: Sequence[object]) -> tuple[Launch, list[Any]] | None:
    """The launch for such arguments, if there was one before, and what varies in them."""
    known = _known.get(id(kernel))
    if known is None or known.owner() is not kernel:
        return None
    looked = _look(known, arguments)
    if looked is None:
        return None
    key, varying = looked
    found = known.launches.get((id(kernel._compiler_options), *key))
    return None if found is None else (found, varying)


def remember(
    kernel: Any, parameters: Parameters, arguments: Sequence[object], binding: Binding, compiled: Kernel
) -> None:
    """Keep a launch, if its arguments are of the simple kinds."""
    if not all(isinstance(node, LeafNode) for node in parameters.nodes):
        return
    number = id(kernel)
    with _lock:
        known = _known.get(number)
        if known is None or known.owner() is not kernel:
            known = _known[number] = _Known(kernel, parameters.nodes, lambda _: _forget(number))
        looked = _look(known, arguments)
        if looked is None:
            return
        if len(known.launches) >= MAXIMUM_LAUNCHES:
            known.launches.clear()
        options = kernel._compiler_options
        launch = _launch(compiled, parameters, arguments, binding, options)
        known.launches[id(options), *looked[0]] = launch


def _forget(number: int) -> None:
    _known.pop(number, None)


def forget_all() -> None:
    """Forget every launch."""
    _known.clear()


def _launch(
    compiled: Kernel, parameters: Parameters, arguments: Sequence[object], binding: Binding, options: Any
) -> Launch:
    template: list[Any] = [getattr(value, "value", None) for value in binding.flat]
    places: list[int] = []
    at = 0
    for node, argument in zip(parameters.nodes, arguments, strict=True):
        if getattr(node, "constant", False):
            continue
        places.append(at)
        at += 1 + 2 * getattr(argument, "ndim", 0)
    return Launch(compiled, template, tuple(places), options)


def _look(known: _Known, arguments: Sequence[Any]) -> tuple[list[Hashable], list[Any]] | None:
    """What a launch depends on, and what varies; None for arguments that go the long way."""
    key: list[Hashable] = []
    varying: list[Any] = []
    if len(arguments) != len(known.constant):
        return None
    for value, constant, limit in zip(arguments, known.constant, known.limits, strict=True):
        kind = cast("type[Any]", type(value))
        if constant:
            if kind is not int and kind is not bool and kind is not str:
                return None
            key += (kind, value)
        elif (kind is int and -limit <= value < limit) or kind is float:
            key.append(kind)
            varying.append(value)
        elif kind.__name__ == "ndarray":
            try:
                address = _address_of(_from_buffer(value))
            except _NO_BUFFER:  # read-only, strided, empty, or of a type without buffers
                address, is_read_only = value.__array_interface__["data"]
                key.append(is_read_only)
            key += (value.dtype, value.shape, value.strides, address % DIVISOR == 0)
            varying.append(address)
        else:
            return None
    return key, varying
