"""Global memory and modules that outlive launches: a program that launches many kernels has both."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tilewright.ptx.model import Initial, Module, PtxVariable, SymbolAddress
from tilewright.ptx.uses import reached
from tilewright.ptxsim import layout as ptxsim_layout, storage as ptxsim_storage
from tilewright.ptxsim.host.heap import Heap

UNIT = 1 << 16
"""The memory in use is rounded up to a multiple of this number of bytes."""


class DeviceMemory(ptxsim_storage.Storage):
    """Global memory at the addresses that another program gave out.

    `data` are the bytes from the address `base` on; its size is a multiple of `UNIT`. Nothing exists until `open_range`
    is called. `allocate` returns the addresses in `prepared`, in their order.
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
        """Let memory exist; with `undefined` it has no defined contents."""
        start = address - self.base
        if start + size + ptxsim_storage.GUARD > len(self.bytes):
            self._resize(start + size)
            self.reserved = ptxsim_storage.Reserved(len(self.bytes))
            if self.poison is not None:
                self._set_poison()
        self.valid[start : start + size] = True
        insort(self.spans, (start, start + size))
        if self.poison is not None:
            self.poison[start : start + size] = undefined

    def close_range(self, address: int, size: int) -> None:
        """Let memory that `open_range` has opened exist no more."""
        start = address - self.base
        self.valid[start : start + size] = False
        self.spans.remove((start, start + size))

    def define(self, address: int, size: int) -> None:
        """Mark bytes as defined: another program has written them."""
        if self.poison is not None:
            self.poison[address - self.base : address - self.base + size] = False

    def allocate(self, size: int, align: int, skew: int = 0) -> int:
        """Return the next prepared address."""
        return self.prepared.pop(0)


@dataclass(frozen=True, slots=True)
class DeviceEntry:
    """The variables of an entry, and the names of the functions that it may call."""

    layout: ptxsim_layout.VariableLayout
    functions: frozenset[str]


def _functions_in(initial: Initial | None) -> Iterator[str]:
    """Yield the names in an initial value: tables of functions have them."""
    if isinstance(initial, tuple):
        for one in initial:
            yield from _functions_in(one)
    elif isinstance(initial, SymbolAddress):
        yield initial.name


class DeviceModule:
    """A module whose variables are in memory of a device; launches keep what the variables hold.

    `addresses` has the address of each variable that `placed_variables` returns, and last the address of the heap if
    `heap_bytes` is not 0.
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
        """Of the last launch with checks: offsets in the memory, half-open, and whether they were written."""
        self.registers: dict[str, int] = {}
        """The values of special registers that the driver sets, such as `envreg1`; others are 0."""
        self._entries: dict[str, DeviceEntry] = {}

    def entry(self, name: str) -> DeviceEntry:
        """Return what the entry `name`, which has a body, uses."""
        if name not in self._entries:
            found = reached(self.module, self.module.functions()[name])
            named = (one for one in self.module.statements if isinstance(one, PtxVariable) and one.initial)
            in_tables = {symbol for one in named for symbol in _functions_in(one.initial)}
            functions = found.functions | in_tables
            self._entries[name] = DeviceEntry(self.layout.with_shared(found.shared), functions)
        return self._entries[name]


def placed_variables(module: Module) -> list[tuple[str, int, int]]:
    """Return the name, size and alignment of each variable in global and constant memory, in their order."""
    return [
        (one.name, ptxsim_layout.size_of(one), ptxsim_layout.alignment_of(one))
        for one in ptxsim_layout.variables(module.statements)
        if one.space in ("global", "const")
    ]
