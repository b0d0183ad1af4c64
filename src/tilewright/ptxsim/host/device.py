"""Global memory and modules that several launches share, for a program that launches many kernels."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tilewright.ptx.model import Initial, Module, PtxVariable, SymbolAddress
from tilewright.ptx.rules import declarations
from tilewright.ptx.uses import reached
from tilewright.ptxsim import layout as ptxsim_layout, storage as ptxsim_storage
from tilewright.ptxsim.host.heap import Heap

UNIT = 1 << 16
"""The granularity in bytes in which `DeviceMemory` grows."""


class DeviceMemory(ptxsim_storage.Storage):
    """Global memory whose addresses the caller assigns, such as the driver of another program. `data` are the
    bytes from the address `base` on; its size is a multiple of `UNIT`. An access is a fault outside of the
    ranges that `open_range` has made valid. With `poison`, undefined bytes are known. `allocate` returns the
    addresses in the list `prepared` one after the other.
    """

    def __init__(self, base: int, data: Any, *, poison: bool = False) -> None:
        self._data = data
        self._valid: Any = np.zeros(len(data), np.bool_)  # the system provides pages when they are first used
        self._poison: Any = np.zeros(len(data), np.bool_) if poison else None
        self.prepared: list[int] = []
        super().__init__("global", base, UNIT, poison=poison)

    def _resize(self, size: int) -> None:
        size = min(-(-(size + ptxsim_storage.GUARD) // UNIT) * UNIT, len(self._data))
        self.bytes, self.valid = self._data[:size], self._valid[:size]
        self._set_views(self.bytes)

    def _set_poison(self, *, undefined: bool = True) -> None:
        if self._poison is None:
            self._poison = np.zeros(len(self._data), np.bool_)
        self.poison = self._poison[: len(self.bytes)]
        self._set_poison_views(self.poison)

    def open_range(self, address: int, size: int, *, undefined: bool = False) -> None:
        """Make `size` bytes from `address` on valid for accesses. With `undefined` their contents are
        undefined.
        """
        start = address - self.base
        if start + size + ptxsim_storage.GUARD > len(self.bytes):
            self._resize(start + size)
            self.reserved.grow(len(self.bytes))
            if self.poison is not None:
                self._set_poison()
        self.valid[start : start + size] = True
        insort(self.spans, (start, start + size))
        if self.poison is not None:
            self.poison[start : start + size] = undefined

    def close_range(self, address: int, size: int) -> None:
        """Make the `size` bytes from `address` on invalid again, which one call of `open_range` made valid."""
        start = address - self.base
        self.valid[start : start + size] = False
        self.spans.remove((start, start + size))

    def define(self, address: int, size: int) -> None:
        """Mark `size` bytes from `address` on as defined, after the host has written them."""
        if self.poison is not None:
            self.poison[address - self.base : address - self.base + size] = False

    def allocate(self, size: int, align: int, skew: int = 0) -> int:
        """Return the first address of `prepared`, and remove it from the list; `size`, `align` and `skew` are
        not used.
        """
        return self.prepared.pop(0)


@dataclass(frozen=True, slots=True)
class DeviceEntry:
    """The addresses of the variables that a kernel uses (`layout`), and the names of the functions that it
    may call.
    """

    layout: ptxsim_layout.VariableLayout
    functions: frozenset[str]


def _functions_in(initial: Initial | None) -> Iterator[str]:
    """Yield the names of variables and functions whose addresses an initial value contains; tables of
    functions do.
    """
    if isinstance(initial, tuple):
        for one in initial:
            yield from _functions_in(one)
    elif isinstance(initial, SymbolAddress):
        yield initial.name


class DeviceModule:
    """A module whose variables are in a `DeviceMemory`, and keep their values between launches.

    `addresses` has the address of each variable in the order of `placed_variables`. The address of the heap
    follows if `heap_bytes`, its size, is not 0.
    """

    def __init__(
        self, module: Module, memory: DeviceMemory, addresses: list[int], heap_bytes: int = 0
    ) -> None:
        self.module = module
        self.memory = memory
        memory.prepared = [*addresses, *(() if heap_bytes else (memory.base,))]
        self.layout = ptxsim_layout.VariableLayout(module, memory)
        self.heap = Heap(memory, heap_bytes)
        self.accesses: list[tuple[int, int, bool]] = []
        """The ranges that the last launch with race detection accessed: begin and end (exclusive) as offsets
        in the memory, and whether the range was written.
        """
        self.registers: dict[str, int] = {}
        """The values of special registers that the driver sets, such as `envreg1`; others are 0."""
        self._entries: dict[str, DeviceEntry] = {}

    def entry(self, name: str) -> DeviceEntry:
        """Return the variables and the callable functions of the kernel `name`, which must have a body. A
        function whose address is in the initial value of a variable is callable.
        """
        if name not in self._entries:
            found = reached(self.module, self.module.functions()[name])
            named = (one for one in self.module.statements if isinstance(one, PtxVariable) and one.initial)
            in_tables = {symbol for one in named for symbol in _functions_in(one.initial)}
            functions = found.functions | in_tables
            self._entries[name] = DeviceEntry(self.layout.with_shared(found.shared), functions)
        return self._entries[name]


def placed_variables(module: Module) -> list[tuple[str, int, int]]:
    """Return the name, the size and the alignment in bytes of each variable in global and constant memory, in
    the order of the module.
    """
    return [
        (one.name, ptxsim_layout.size_of(one), declarations.alignment_of(one))
        for one in ptxsim_layout.variables(module.statements)
        if one.space in ("global", "const")
    ]
