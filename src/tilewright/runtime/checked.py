"""Launches of kernels that were compiled with checks: known memory, cells of racecheck, findings."""

from __future__ import annotations

import struct
from collections import deque
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from tilewright.interp.arguments import allocation_of
from tilewright.interp.memory import access_messages, address_space, allocation as memory_allocation
from tilewright.ir.diagnostic import failure
from tilewright.ir.support.option_spelling import option
from tilewright.runtime import codes, context as runtime_context, description, engine
from tilewright.runtime.arguments import bits_of
from tilewright.runtime.findings.ignores import LaunchedLines
from tilewright.runtime.findings.observer import Observer
from tilewright.runtime.findings.record import begin_launch, report_findings
from tilewright.runtime.kernel import GridSize, LaunchFrame, LoadedKernel, PreparedLaunch
from tilewright.runtime.scratch import SCRATCH, Scratch

MAXIMUM_STORES = 1 << 31
"""The number of stores with distinct numbers; after that, all cells are cleared and numbers begin again."""
MAXIMUM_CLOCKS = 1 << 13
"""The maximum number of tile blocks in a launch whose order by release and acquire is tracked: each has a clock of
this length.
"""
ORIGIN_ALIGNMENT = 16
"""The alignment in bytes of the address of the first cell of an allocation.

Cells therefore begin at multiples of their size in memory, as elements do.
"""
LINE = 64

_ADDRESS = struct.Struct("<Q")
_COUNT = struct.Struct("<q")


class KnownMemory:
    """The table of the memory that a launch may access, as a checked kernel reads it, and the cells of
    racecheck.
    """

    def __init__(self, checks: runtime_context.CheckRequirements, space: address_space.LaunchMemory) -> None:
        self._checks = checks
        self._allocations = space.allocations
        self._table: Any = np.zeros(
            (max(1, len(self._allocations)), runtime_context.KnownMemoryOffset.BYTES // 8), np.uint64
        )
        self._cells: list[Any] = []
        self.first_number = 0
        for row, allocation in zip(self._table, self._allocations, strict=False):
            row[runtime_context.KnownMemoryOffset.START // 8] = allocation.base
            row[runtime_context.KnownMemoryOffset.END // 8] = allocation.end
            row[runtime_context.KnownMemoryOffset.WRITEABLE // 8] = allocation.writeable
            row[runtime_context.KnownMemoryOffset.ORIGIN // 8] = (
                allocation.base // ORIGIN_ALIGNMENT * ORIGIN_ALIGNMENT
            )

    @property
    def address(self) -> int:
        """Return the address of the table."""
        return self._table.ctypes.data

    @property
    def count(self) -> int:
        """Return the number of rows of the table."""
        return len(self._allocations)

    def begin(self, numbers: int, stores: int) -> int:
        """Begin a launch that needs `numbers` tile block numbers, after `stores` numbered stores.

        Return the number of stores to continue from: `stores`, or 0 with new, empty cells for the first
        launch and when the numbers of tile blocks or of stores are used up.
        """
        last = 1 << (32 - self._checks.site_bits)
        if not self.first_number or self.first_number + numbers > last or stores > MAXIMUM_STORES:
            self.first_number = 1
            self._make_cells()
            return 0
        return stores

    def end(self, numbers: int) -> None:
        """Advance the next tile block number by `numbers` after a launch, so that the next launch has other
        numbers.
        """
        self.first_number += numbers

    def _make_cells(self) -> None:
        """Make empty cells: no access has happened. Without racecheck there are none. Pages that no access
        touches are never allocated.
        """
        self._cells.clear()
        if not self._checks.granule:
            return
        for row, allocation in zip(self._table, self._allocations, strict=False):
            plane = self._plane_bytes(allocation, int(row[runtime_context.KnownMemoryOffset.ORIGIN // 8]))
            cells = np.zeros(runtime_context.PLANES * plane + LINE, np.uint8)
            row[runtime_context.KnownMemoryOffset.SHADOW // 8] = -(-cells.ctypes.data // LINE) * LINE
            row[runtime_context.KnownMemoryOffset.PLANE // 8] = plane
            self._cells.append(cells)

    def _plane_bytes(self, allocation: memory_allocation.Allocation, origin: int) -> int:
        """Return the size in bytes of the cells for one kind of access to `allocation`; the first cell is for
        `origin`.
        """
        count = (allocation.end - origin) // self._checks.granule + 1
        return -(-count * self._checks.cell_bytes // LINE) * LINE


class CheckedFrame(LaunchFrame):
    """The memory of one launch of a checked kernel: also the known memory, and the observer of its findings.
    ``slots`` is the number of argument slots.
    """

    __slots__ = ("memory", "numbers", "observer", "owners")

    def __init__(
        self, slots: int, memory: KnownMemory, numbers: int, observer: Observer, owners: object
    ) -> None:
        super().__init__(slots)
        self.numbers = numbers
        """The number of tile block numbers that the launch needs."""
        self.memory = memory
        self.observer = observer
        self.owners = owners
        """The arrays whose memory the kernel accesses; the frame keeps them alive."""

    def begin(self) -> None:
        """Begin a launch: store the addresses of all memory, and the first number of its tile blocks, in the
        context. Findings of an earlier launch with the frame are removed.
        """
        (stores,) = _COUNT.unpack_from(self.buffer, self.offset + runtime_context.STORE_NUMBER)
        stores = self.memory.begin(self.numbers, stores)
        _COUNT.pack_into(self.buffer, self.offset + runtime_context.STORE_NUMBER, stores)
        self.observer.begin(self.memory.first_number)
        _COUNT.pack_into(self.buffer, self.offset + runtime_context.FIRST_NUMBER, self.memory.first_number)
        _ADDRESS.pack_into(self.buffer, self.offset + runtime_context.ALLOCATIONS, self.memory.address)
        _COUNT.pack_into(self.buffer, self.offset + runtime_context.ALLOCATION_COUNT, self.memory.count)
        _ADDRESS.pack_into(self.buffer, self.offset + runtime_context.OBSERVER, self.observer.address)


class CheckedKernel(LoadedKernel):
    """A kernel that was compiled with checks, in this process."""

    def __init__(
        self,
        library: engine.Library,
        image: description.KernelImage,
        checks: runtime_context.CheckRequirements,
    ) -> None:
        super().__init__(library, image)
        self._frames = deque(maxlen=0)
        self.checks = checks
        self._globals = [
            memory_allocation.Allocation(
                library.addresses[known.symbol],
                known.bytes,
                f"global @{known.name}",
                writeable=not known.is_constant,
            )
            for known in checks.globals
        ]

    @cached_property
    def _lines(self) -> LaunchedLines:
        sources = (site.location.source for site in self.image.sites)
        names: set[str] = {site.kind for site in self.image.sites}
        if self.checks.granule:
            names.add("racecheck")
        return LaunchedLines(frozenset(one[:2] for one in sources if one), codes.found_by(names))

    def _launched(self) -> LaunchedLines:
        """Return the source lines of the kernel, and the codes that its checks report."""
        return self._lines

    def filled(self, grid: GridSize, arguments: Sequence[Any], memory: Sequence[Any]) -> CheckedFrame:
        """Return a frame for one launch, which begins: it has the grid, the arguments, the table of the
        memory that the kernel may touch, with the arrays ``memory``, and an observer of findings. Raises
        `DiagnosticError` for arguments that do not fit, and for more tile blocks than racecheck can order.
        """
        frame = self._frame(grid, arguments, memory)
        frame.begin()
        return frame

    def prepare(
        self,
        grid: GridSize,
        arguments: Sequence[Any],
        threads: int | None = None,
        memory: Sequence[Any] = (),
    ) -> PreparedLaunch:
        """Return a launch that can be called repeatedly with the same grid and arguments, on ``threads``
        threads (None: `thread_count`); nothing runs yet. ``memory`` has further arrays that the kernel may
        access. Raises `DiagnosticError` for arguments that do not fit, and for more tile blocks than
        racecheck can order.
        """
        return _PreparedChecks(self, self._frame(grid, arguments, memory), grid, arguments, threads)

    def _frame(self, grid: GridSize, arguments: Sequence[Any], memory: Sequence[Any]) -> CheckedFrame:
        self._check_grid(grid)
        bound = self.packer.bound(arguments)
        self.packer.check_memory(memory)
        space = address_space.LaunchMemory(complete=True)
        known = [allocation_of(array, access_messages.memory_name(at)) for at, array in enumerate(memory)]
        for allocation in (*bound.allocations, *known, *self._globals):
            space.register(allocation)
        observer = Observer(self.image, self.checks, grid, space)
        table, numbers = KnownMemory(self.checks, space), self.checks.numbers(observer.count)
        frame = CheckedFrame(len(self.image.parameters), table, numbers, observer, known)
        self.fill_slowly(frame, grid, bits_of(bound.tiles))
        return frame

    def _check_grid(self, grid: GridSize) -> None:
        count = grid[0] * grid[1] * grid[2]
        if self.checks.clocks and count > MAXIMUM_CLOCKS:
            message = (
                f"racecheck keeps the order of {MAXIMUM_CLOCKS} tile blocks that release and acquire, "
                f"and kernel '{self.image.title}' was launched with {count}"
            )
            raise failure(
                codes.TOO_MANY_CLOCKS,
                message,
                hint=f"the interpreter has no limit: {option('target', 'interp')}",
            )

    def run(self, frame: LaunchFrame, grid: GridSize, threads: int | None) -> None:
        """Count a launch of the kernel, and run all tile blocks with a frame that has been filled, on at most
        `threads` threads (None: `thread_count`). A finding is raised or recorded (`look_at_report`).
        """
        begin_launch(self.image.title, self._launched)
        super().run(frame, grid, threads)

    def call(self, frame: LaunchFrame, count: int, memory: Scratch = SCRATCH) -> None:
        """Run tile blocks of a launch of `count` tile blocks on this thread until none is left; the thread's
        clock precedes its scratch memory.
        """
        front = -(-count * 4 // LINE) * LINE if self.checks.clocks else 0
        scratch = memory.at_least(self.image.scratch_bytes + front + LINE) + front
        self.function(frame.arguments, frame.grid, frame.context, count, scratch)

    def look_at_report(self, frame: LaunchFrame) -> None:
        """Raise or record the finding or failed assertion of the tile block with the lowest number, if there
        is one. Raises the exception of the observer, if it failed.
        """
        assert isinstance(frame, CheckedFrame)
        frame.observer.raise_failure()
        asserted = self.reported_block(frame)
        found = frame.observer.finding()
        if found is not None and (asserted is None or found.block <= asserted):
            report_findings(frame.observer.diagnosis(found))
        else:
            super().look_at_report(frame)


class _PreparedChecks(PreparedLaunch):
    """A launch of a checked kernel with fixed grid and arguments, to be called repeatedly."""

    __slots__ = ()

    def __call__(self) -> None:
        """Run the kernel with its checks, and return when all tile blocks have ended. A finding or a failed
        assertion is raised or recorded.
        """
        frame = self.frame
        assert isinstance(frame, CheckedFrame)
        frame.begin()
        try:
            super().__call__()
        finally:
            frame.memory.end(frame.numbers)
