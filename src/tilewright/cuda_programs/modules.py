"""Modules of a program: their kernels, and how a kernel is launched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tilewright.cuda_programs.device_memory import ProgramMemory
from tilewright.cuda_programs.fat_binary import TILE_IR, EmbeddedImage
from tilewright.gpu_programs.settings import ProgramSettings
from tilewright.ir.support.record import Record


class LaunchExtents(Record, frozen=True):
    """The extents of a launch, and the bytes of dynamic shared memory."""

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    cluster: tuple[int, int, int]
    shared: int
    is_cooperative: bool


class DeviceVariable(Record, frozen=True):
    """A variable of a module, with its size and alignment in bytes."""

    name: str
    size: int
    is_managed: bool = False


class ProgramKernel(Protocol):
    """A kernel of a program.

    ``sizes`` has the size and alignment of each parameter in bytes; the others are static shared memory in bytes and
    the largest number of threads of a block.
    """

    @property
    def name(self) -> str: ...
    @property
    def is_tile(self) -> bool: ...
    @property
    def sizes(self) -> Sequence[tuple[int, int]]: ...
    @property
    def shared(self) -> int: ...
    @property
    def maximum_threads(self) -> int: ...

    def launch(self, shape: LaunchExtents, arguments: bytes) -> list[tuple[int, int, bool]]:
        """Run the kernel; return the ranges of addresses that it accessed, as far as they are known, and whether it
        wrote them.  Raises `DiagnosticError` for an error that ends the kernel.
        """
        ...


class ProgramModule(Protocol):
    """A module of a program."""

    variables: list[DeviceVariable]

    def place(self, addresses: list[int]) -> None:
        """Take the addresses of `variables`."""
        ...

    def kernel(self, symbol: str) -> ProgramKernel:
        """Return a kernel.  Raises `DiagnosticError` if there is none."""
        ...


def loaded(found: Sequence[EmbeddedImage], memory: ProgramMemory, settings: ProgramSettings) -> ProgramModule:
    """Return the module of a fat binary."""
    image = found[0]
    if image.kind == TILE_IR:
        from tilewright.cuda_programs.tile_modules import (
            TileModule,  # each loads much that the other does not need
        )

        return TileModule(image.data, memory, settings)
    from tilewright.cuda_programs.simt_modules import SimtModule

    return SimtModule(image.data.rstrip(b"\0").decode(errors="replace"), memory, settings)
