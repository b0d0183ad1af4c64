"""Kernels for the PTX simulator: loading of code by targets such as `sim:sm_80`.

The arguments are the arguments of every target. Their memory is copied to global memory of the simulator,
with other addresses; memory that a kernel has written is copied back.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np

from tilewright.interp.arguments import allocation_of
from tilewright.interp.memory.access_messages import array_words, memory_name, nearest_words, place_words
from tilewright.interp.memory.address_space import LaunchMemory
from tilewright.interp.memory.allocation import Allocation
from tilewright.ir.diagnostic import failure
from tilewright.ir.support.option_spelling import option
from tilewright.ptx import checks as ptx_checks, model
from tilewright.ptxsim import codes as ptxsim_codes, faults, trace as ptxsim_trace
from tilewright.ptxsim.host.regions import KEPT_ALIGNMENT, HostPointer, HostRegion
from tilewright.ptxsim.running import MAXIMUM_STEPS, TIMES, SimulationReport, launch
from tilewright.runtime import codes as runtime_codes, description, elsewhere, image as runtime_image
from tilewright.runtime.arguments import ArgumentPacker, bits_of
from tilewright.runtime.findings import ignores as findings_ignores, record as findings_record
from tilewright.targets.nvptx import codes, launch_shape, simulation_limit, simulation_reports

WORD = np.dtype("<u8")
"""The type of an address in memory."""


class SimulatedImage:
    """The kernels of an image whose code is PTX, by name. The constructor parses and checks the PTX."""

    def __init__(self, image: runtime_image.Image) -> None:
        module = ptx_checks.read(image.object_code.decode())
        self.kernels = {one.name: SimulatedKernel(module, one) for one in image.kernels}


class SimulatedKernel:
    """The kernel `kernel` of the PTX module `module`, which is launched in the simulator."""

    def __init__(self, module: model.Module, kernel: description.KernelImage) -> None:
        self._module = module
        self._kernel = kernel
        self._threads = launch_shape.shape_of(module, kernel.symbol).threads
        self._packer = ArgumentPacker(kernel.title, kernel.parameters, writes_anywhere=kernel.writes_anywhere)

    def launch(
        self,
        grid: tuple[int, int, int],
        arguments: Sequence[Any],
        threads: int | None = None,
        memory: Sequence[Any] = (),
        /,
    ) -> SimulationReport | None:
        """Run all blocks of `grid` with all checks of the simulator, and return its report. `threads` is not
        used; `memory` holds further arrays that the arguments may point to. Return `None` after a reported
        error that does not end the program. Raises `DiagnosticError` for other errors.
        """
        return self.traced(None, grid, arguments, memory)

    def traced(
        self,
        trace: ptxsim_trace.Trace | None,
        grid: tuple[int, int, int],
        arguments: Sequence[Any],
        memory: Sequence[Any] = (),
    ) -> SimulationReport | None:
        """Run all blocks of `grid` with all checks of the simulator, as `launch` does, and return its report.
        Record the execution and waits of each warp in `trace` (None: no record), of a failed launch too.
        Return `None` after a reported error that does not end the program. Raises `DiagnosticError` for other
        errors.
        """
        bound = self._packer.bound(arguments)
        self._packer.check_memory(memory)
        further = [allocation_of(array, memory_name(at)) for at, array in enumerate(memory)]
        known = SimulatedMemory(bound.allocations, further)
        given = [
            self._pointer(at, known, bits) if parameter.is_pointer else bits
            for at, (parameter, bits) in enumerate(
                zip(self._kernel.parameters, bits_of(bound.tiles), strict=True)
            )
        ]
        findings_record.begin_launch(self._kernel.title, self._launched)
        limit = self._kernel.max_instructions or simulation_limit.limit_from_environment() or MAXIMUM_STEPS
        try:
            with elsewhere.stoppable():
                report = launch(
                    self._module,
                    self._kernel.symbol,
                    grid,
                    self._threads,
                    given,
                    shared=self._kernel.shared_bytes,
                    limit=limit,
                    allows=option("max_instructions", limit * TIMES),
                    trace=trace,
                    forgives=partial(simulation_reports.is_forgiven, self._kernel),
                )
        except faults.StoppedError as error:
            found = simulation_reports.stopped(self._kernel, error, grid, known)
        else:
            if self._kernel.checks is not None:
                simulation_reports.warn_of_costs(self._kernel, report)
            return report
        findings_record.report_findings(found)
        return None

    def prepare(
        self,
        grid: tuple[int, int, int],
        arguments: Sequence[Any],
        threads: int | None = None,
        memory: Sequence[Any] = (),
        /,
    ) -> Callable[[], SimulationReport | None]:
        """Return a function without parameters that calls `launch` with these arguments; it may be called
        repeatedly, and returns the report of each launch.
        """
        return partial(self.launch, grid, arguments, threads, memory)

    @cached_property
    def _lines(self) -> findings_ignores.LaunchedLines:
        names = {site.kind for site in self._kernel.sites} if self._kernel.checks is not None else set[str]()
        return findings_ignores.LaunchedLines(
            simulation_reports.source_lines(self._module, self._kernel.symbol),
            runtime_codes.found_by(names) | {str(ptxsim_codes.RACE)} if names else frozenset(),
        )

    def _launched(self) -> findings_ignores.LaunchedLines:
        """Return the source lines of the kernel, and the codes of findings that the simulator can report at
        them.
        """
        return self._lines

    def _pointer(self, at: int, known: SimulatedMemory, address: int) -> HostPointer | int:
        """Return a pointer into the memory of an array, for the address in argument number `at`; `known` has
        the arrays of the launch. Null stays null. Raises `DiagnosticError` for an unknown address.
        """
        found = known.pointer(address) if address else 0
        if found is not None:
            return found
        message = (
            f"argument {at} of kernel '{self._kernel.name}': the address {address:#x} is in no known array"
        )
        hint = "pass the array, or name it as further memory: the simulator uses its own memory"
        raise failure(codes.BAD_ARGUMENT, message, hint=hint)


class SimulatedMemory:
    """The arrays of a launch as regions of the simulator; overlapping arrays are a single region. `arguments`
    are the arrays of the arguments, `further` are other arrays: their addresses in arguments of 64-bit
    integers are recorded as pointers.
    """

    def __init__(self, arguments: Sequence[Allocation], further: Sequence[Allocation]) -> None:
        space = LaunchMemory(complete=True)
        self._empty = {one.base for one in (*arguments, *further) if one.base == one.end}
        passed = {(one.base, one.end) for one in arguments}
        named = (one for one in further if one.is_named or (one.base, one.end) not in passed)
        for allocation in (*arguments, *named):
            space.register(allocation)
        self._allocations = space.allocations
        self._bases = [allocation.base for allocation in self._allocations]
        self._regions = [_region(allocation) for allocation in self._allocations]
        for allocation in arguments if further else ():
            self._find_pointers(allocation, frozenset(one.base for one in further))

    def pointer(self, address: int) -> HostPointer | None:
        """Return the region and offset of an address of this process, or `None` if it is in no known array.
        The address of an empty array gives an empty region.
        """
        at = bisect_right(self._bases, address) - 1
        if at < 0 or address >= self._allocations[at].end:
            return HostPointer(HostRegion(np.zeros(0, np.uint8))) if address in self._empty else None
        return HostPointer(self._regions[at], address - self._bases[at])

    def description(self, address: int, regions: Mapping[HostRegion, int]) -> str:
        """Return a description of an address of the simulator's global memory by the array that contains it,
        or by the nearest array; empty if no array is there. `regions` has the address of each region there.
        """
        known = self._simulated_arrays(regions)
        if not known:
            return ""
        found, base = min(known, key=lambda pair: _apart(address - pair[1], pair[0].end - pair[0].base))
        here = found.base + address - base
        inside = found.base <= here < found.end
        return f"this is {place_words(found, here)}" if inside else nearest_words(here, [found])

    def array(self, address: int, regions: Mapping[HostRegion, int]) -> str:
        """Return the name of the array at an address of the simulator's global memory; "the array" if it is
        not known. `regions` has the address of each region there.
        """
        for found, base in self._simulated_arrays(regions):
            if base <= address < base + found.end - found.base:
                return array_words(found.base + address - base, [found])
        return array_words(0, ())

    def _simulated_arrays(self, regions: Mapping[HostRegion, int]) -> list[tuple[Allocation, int]]:
        """Return the arrays whose regions the simulator has, each with the address of its region in global
        memory of the simulator, which is its value in `regions`.
        """
        places = zip(self._allocations, self._regions, strict=True)
        return [(found, regions[region]) for found, region in places if region in regions]

    def _find_pointers(self, table: Allocation, targets: frozenset[int]) -> None:
        """Record the elements of a table of 64-bit integers that are addresses of further arrays as pointers."""
        array = table.array
        if (
            array.dtype.kind not in "iu"
            or array.dtype.itemsize != WORD.itemsize
            or not array.flags.c_contiguous
        ):
            return
        start = self.pointer(table.base)
        assert start is not None, "the memory of arguments is known"
        pointers = start.region.pointers
        words = array.reshape(-1).view(WORD)
        for at in np.flatnonzero(np.isin(words, np.array(sorted(targets), WORD))):
            found = self.pointer(int(words[at]))
            if found is not None:
                pointers[start.offset + int(at) * WORD.itemsize] = found


def _region(allocation: Allocation) -> HostRegion:
    """Return the region of the simulator for the bytes of an allocation, which are shared, with its offset
    from a multiple of `KEPT_ALIGNMENT`, and whether it is writeable.
    """
    return HostRegion(allocation.aligned_words(1)[1], allocation.base % KEPT_ALIGNMENT, allocation.writeable)


def _apart(offset: int, size: int) -> int:
    """Return how many bytes `offset` is before the first or after the last byte of memory of `size` bytes; 0
    if it is in the memory.
    """
    return max(-offset, offset - size + 1, 0)
