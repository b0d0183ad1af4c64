"""A record for each kernel: its parameters, its bytecode and its launches. It lives as long as the kernel."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from tilewright.cutile.parameters import Parameters, parameters_of
from tilewright.ir.support.locks import reentrant_lock
from tilewright.ir.support.record import Record
from tilewright.runtime.keyed_cache import KeyedCache

if TYPE_CHECKING:
    from tilewright.cutile.signature import FlatParameter

MAXIMUM_KEPT = 256
"""The maximum number of entries in each cache of a kernel's record: of bytecode, and of launches."""

FRONTEND = reentrant_lock()
"""The lock that a thread holds while it runs cuTile's compiler, for any kernel."""


@dataclass(frozen=True, slots=True)
class CompiledKernel:
    """Tile IR bytecode of one kernel for one signature.

    ``symbol`` is the entry in ``bytecode``, ``signature`` the ``cuda.tile.compilation.KernelSignature`` and
    ``parameters`` the entry's parameters in order.
    """

    bytecode: bytes = field(repr=False)
    symbol: str
    signature: Any
    parameters: tuple[FlatParameter, ...]
    version: str


class CutileKernel(Protocol):
    """A compiled kernel that `launch_numbers` launches."""

    def launch_numbers(self, grid: tuple[int, int, int], numbers: Sequence[Any], /) -> object:
        """Run all tile blocks of a grid, with an address or a number for each parameter, and return when all
        have ended.
        """
        ...


class RepeatedLaunch(Record, frozen=True):
    """A launch that can be repeated with other values.

    ``template`` are the flat arguments; the values at the positions ``places`` are replaced at each launch.
    ``keeps`` is kept alive, because its identity is part of the key of the launch.
    """

    kernel: CutileKernel
    template: list[Any]
    places: tuple[int, ...]
    keeps: Any
    """An object that is kept alive, because its identity is part of the key."""

    def __call__(self, grid: tuple[int, int, int], varying: Sequence[Any]) -> None:
        """Launch the kernel with the addresses and numbers `varying`, in order, at the positions ``places``
        of the arguments, and the values of ``template`` at the others.
        """
        arguments = self.template.copy()
        for place, value in zip(self.places, varying, strict=True):
            arguments[place] = value
        self.kernel.launch_numbers(grid, arguments)


class KernelRecord:
    """The record of one ``cuda.tile.kernel``: its parameters, its compiled forms (``bytecode``), and its
    launches that can be repeated. For each parameter ``constant`` says whether it is a constant, and
    ``limits`` has the smallest positive integer that does not fit. ``forget`` is called when the kernel is
    deleted.
    """

    __slots__ = ("bytecode", "constant", "launches", "limits", "owner", "parameters")

    def __init__(self, kernel: Any, forget: Callable[[Any], None]) -> None:
        self.owner = weakref.ref(kernel, forget)
        self.parameters: Parameters = parameters_of(kernel)
        nodes = self.parameters.nodes
        self.constant: list[bool] = [getattr(node, "constant", False) for node in nodes]
        """For each parameter whether it is a constant."""
        self.limits: list[int] = [1 << (getattr(node, "scalar_bits", 32) - 1) for node in nodes]
        """For each parameter the first integer that does not fit."""
        self.bytecode: KeyedCache[Hashable, CompiledKernel] = KeyedCache(MAXIMUM_KEPT, FRONTEND)
        """The compiled forms of the kernel, by facts about arguments, options of the kernel, version and
        architecture.
        """
        self.launches: KeyedCache[Hashable, RepeatedLaunch] = KeyedCache(MAXIMUM_KEPT)
        """The launches that can be repeated, by options of the kernel, and everything else that a launch can
        depend on.
        """


_kernels: dict[int, KernelRecord] = {}
"""The records by the identity of the kernel; equal kernels may be different kernels."""


def find(kernel: Any) -> KernelRecord | None:
    """Return the record of a kernel, or None if it was never launched or compiled."""
    known = _kernels.get(id(kernel))
    return known if known is not None and known.owner() is kernel else None


def known(kernel: Any) -> KernelRecord:
    """Return the record of a kernel; make and store a record without launches if there is none."""
    found = find(kernel)
    if found is None:
        number = id(kernel)
        found = KernelRecord(kernel, lambda _: _forget(number))
        if _kernels.setdefault(number, found).owner() is not kernel:
            _kernels[number] = found
        found = _kernels[number]  # another thread may have been first
    return found


def _forget(number: int) -> None:
    _kernels.pop(number, None)


def clear_cache() -> None:
    """Remove all compiled kernels from the cache, for example after a change of a global that a kernel reads."""
    _kernels.clear()
