"""Interfaces of the modules of a C++ program, with their variables and kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tilewright.cuda_programs import linking
from tilewright.cuda_programs.device_memory import ProgramMemory
from tilewright.cuda_programs.fat_binary import TILE_IR, EmbeddedImage
from tilewright.gpu_programs.settings import ProgramSettings
from tilewright.ir.support.record import Record


class LaunchExtents(Record, frozen=True):
    """The extents of a launch in x, y and z (blocks, threads of a block, blocks of a cluster), the bytes of
    dynamic shared memory, and whether the grid is cooperative. If the first extent of ``cluster`` is 0, the
    kernel's own requirement holds.
    """

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    cluster: tuple[int, int, int]
    shared: int
    is_cooperative: bool


class DeviceVariable(Record, frozen=True):
    """A variable of a module: its name, its size in bytes, and whether it is in managed memory."""

    name: str
    size: int
    is_managed: bool = False


class ProgramKernel(Protocol):
    """A kernel of a program that `launch` runs. ``name`` is its name in the source, and ``is_tile`` tells
    whether it is a tile kernel. ``sizes`` has the size and the alignment of each parameter in bytes,
    ``shared`` is the static shared memory in bytes, and ``maximum_threads`` the maximum number of threads of
    a block.
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
        """Run the kernel; `arguments` has the bytes of its parameters, as in memory. Return the ranges of
        addresses that it accessed, as far as they are known: begin, end (exclusive), and whether it wrote
        them. Raises `DiagnosticError` for an error that ends the kernel.
        """
        ...


class ProgramModule(Protocol):
    """A module of a program, loaded from a fat binary. `place` gives its ``variables`` their addresses,
    before the first call of `kernel`. ``symbols`` are the mangled names of its kernels.
    """

    variables: list[DeviceVariable]

    @property
    def symbols(self) -> Sequence[str]: ...

    def place(self, addresses: list[int]) -> None:
        """Set the addresses of the module's variables, in the order of `variables`."""
        ...

    def kernel(self, symbol: str) -> ProgramKernel:
        """Return the kernel with the mangled name `symbol`. Raises `DiagnosticError` if there is none, or it
        does not compile.
        """
        ...


def loaded(found: Sequence[EmbeddedImage], memory: ProgramMemory, settings: ProgramSettings) -> ProgramModule:
    """Return the module for the first of `found`, the entries of a fat binary, which must not be empty: the
    kernels of Tile IR are compiled when they are first returned, PTX is simulated. Raises `DiagnosticError`
    for PTX with errors.
    """
    image = found[0]
    if image.kind == TILE_IR:
        from tilewright.cuda_programs.tile_modules import (
            TileModule,  # each loads much that the other does not need
        )

        return TileModule(image.data, memory, settings)
    from tilewright.cuda_programs.simt_modules import SimtModule

    text = linking.joined(image.data.rstrip(b"\0").decode(errors="replace"))
    return SimtModule(text, memory, settings)
