"""Modules of PTX in C++ programs: the simulator runs their kernels."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from tilewright.cuda_programs import codes, device_memory
from tilewright.cuda_programs.modules import DeviceVariable, LaunchExtents, ProgramKernel
from tilewright.gpu_programs.settings import ProgramSettings
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError, Severity, failure
from tilewright.ir.location import UNKNOWN
from tilewright.ir.support.demangling import source_name
from tilewright.ptx import checks as ptx_checks, model
from tilewright.ptx.rules import declarations
from tilewright.ptxsim import codes as ptxsim_codes, faults, layout as ptxsim_layout, running
from tilewright.ptxsim.host.device import DeviceModule, placed_variables
from tilewright.ptxsim.host.heap import ALLOCATION
from tilewright.runtime.findings.ignores import LaunchedLines
from tilewright.runtime.findings.record import begin_launch, report_findings

HEAP_BYTES = 8 << 20
"""The size in bytes of the heap on which kernels call `malloc`: CUDA's default."""
HEAP = "the heap of kernels"
WORKSPACE = "the barrier of cooperative grids"
_WORKSPACE_BYTES, _WORKSPACE_REGISTER = 16, "%envreg"
_LIMIT = 2_000_000_000
"""The maximum number of instructions of a launch in the simulator."""
_THREADS = 1024
NOTED_INSTRUCTIONS = 50_000_000
"""The instructions times threads of a program after which a note tells of the speed of the simulator."""


class SimtModule:
    """A module of PTX, whose kernels run in the simulator. Construction raises `DiagnosticError` if the PTX
    ``text`` has errors. ``variables`` are the module's own, and memory that its kernels need for cooperative
    grids and `malloc`; `place` must give them their addresses before kernels are used.
    """

    def __init__(self, text: str, memory: device_memory.ProgramMemory, settings: ProgramSettings) -> None:
        self.memory, self.settings = memory, settings
        self.ptx: model.Module = ptx_checks.read(text)
        managed = {one.name for one in ptxsim_layout.variables(self.ptx.statements) if _is_managed(one)}
        self.variables = [
            DeviceVariable(name, size, name in managed) for name, size, _ in placed_variables(self.ptx)
        ]
        self._has_heap = ALLOCATION in self.ptx.functions()
        self._has_grids = _WORKSPACE_REGISTER in text
        if self._has_grids:
            self.variables.append(DeviceVariable(WORKSPACE, _WORKSPACE_BYTES))
        if self._has_heap:
            self.variables.append(DeviceVariable(HEAP, HEAP_BYTES))
        self.device: DeviceModule | None = None
        self._workspace = 0

    def place(self, addresses: list[int]) -> None:
        """Set the addresses of the variables, in the order of `variables`, and write their initial values to
        memory. The list `addresses` may be changed.
        """
        heap = HEAP_BYTES if self._has_heap else 0
        if self._has_grids:
            self._workspace = addresses.pop(-2 if heap else -1)
        self.device = DeviceModule(self.ptx, self.memory.simulated, addresses, heap)

    @property
    def symbols(self) -> list[str]:
        """The mangled names of the kernels."""
        return [name for name, one in self.ptx.functions().items() if one.entry and one.body is not None]

    def begin_grid(self, *, is_cooperative: bool) -> None:
        """Prepare the next launch. For a cooperative grid, clear its barrier in memory, and set the registers
        `%envreg1` and `%envreg2` to the address of the barrier.
        """
        assert self.device is not None
        self.device.registers = {}
        if is_cooperative and self._has_grids:
            self.memory.simulated.write(self._workspace, bytes(_WORKSPACE_BYTES))
            high, low = divmod(self._workspace, 1 << 32)
            self.device.registers = {"envreg1": high, "envreg2": low}

    def kernel(self, symbol: str) -> ProgramKernel:
        """Return the kernel with the mangled name `symbol`. Raises `DiagnosticError` if there is none.
        `place` must have been called before.
        """
        function = self.ptx.functions().get(symbol)
        if function is None or function.body is None:
            message = f"the module has no kernel '{source_name(symbol)}'"
            raise failure(codes.NO_DEVICE_CODE, message)
        return SimtKernel(self, function)


class _SimulatedWork:
    """The work of the simulator for a program: instructions times threads."""

    def __init__(self) -> None:
        self.instructions, self.is_told = 0, False

    def add(self, kernel: str, instructions: int) -> None:
        """Add the `instructions` of a launch of `kernel`, counted for each thread. When the sum reaches
        `NOTED_INSTRUCTIONS`, print a note to stderr, once: a GPU would take no time for it.
        """
        self.instructions += instructions
        if self.is_told or self.instructions < NOTED_INSTRUCTIONS:
            return
        self.is_told = True
        sys.stderr.write(
            f"note: SIMT kernels such as '{kernel}' run in the simulator of PTX, some ten million instructions of "
            f"threads a second; {self.instructions / 1e6:.0f} million so far: use small sizes\n"
        )
        sys.stderr.flush()


_WORK = _SimulatedWork()


def _is_managed(variable: Any) -> bool:
    return any("managed" in str(one) for one in getattr(variable, "attributes", ()))


@dataclass
class SimtKernel:
    """A kernel of a PTX module, which `launch` runs in the simulator. The addresses of the module's variables
    must be set before the object is made.
    """

    module: SimtModule
    function: model.PtxFunction

    def __post_init__(self) -> None:
        self.name = source_name(self.function.name)
        self.is_tile = False
        self.sizes = [
            (ptxsim_layout.size_of(one), declarations.alignment_of(one)) for one in self.function.parameters
        ]
        device = self.module.device
        assert device is not None, "the variables are placed before kernels are asked for"
        self.shared = device.entry(self.function.name).layout.shared_bytes - 1024
        limit = self.function.directive("maxntid") or self.function.directive("reqntid")
        self.maximum_threads = int(np.prod(limit)) if limit else _THREADS

    def launch(self, shape: LaunchExtents, arguments: bytes) -> list[tuple[int, int, bool]]:
        """Run the blocks of the grid in the simulator; `arguments` has the bytes of the parameters, as in
        memory. Return the ranges of addresses that the kernel accessed: begin, end (exclusive), and whether
        it wrote them. Raises `DiagnosticError` for a fault that ends the kernel; a race is only reported.
        """
        device = self.module.device
        assert device is not None
        required = self.function.directive("reqnctapercluster")
        cluster = shape.cluster if shape.cluster[0] else tuple(required or (1, 1, 1))
        self.module.begin_grid(is_cooperative=shape.is_cooperative)
        begin_launch(self.name, lambda: LaunchedLines(frozenset(), frozenset()))
        try:
            report = running.launch(
                self.module.ptx,
                self.function.name,
                shape.grid,
                shape.block,
                self._values(arguments),
                shared=shape.shared,
                cluster=cluster,
                limit=_LIMIT,
                forgives=self._is_forgiven,
                device=device,
            )
        except faults.StoppedError as error:
            raise self._stopped(error) from None
        _WORK.add(self.name, report.thread_instructions)
        base = self.module.memory.simulated.base
        return [(base + begin, base + end, is_write) for begin, end, is_write in device.accesses]

    def _values(self, arguments: bytes) -> list[bytes]:
        values, at = list[bytes](), 0
        for size, align in self.sizes:
            at = -(-at // align) * align
            values.append(arguments[at : at + size])
            at += size
        return values

    def _is_forgiven(self, fault: faults.Fault, source: Any, other: Any) -> bool:
        """Return whether the kernel continues after a fault: only after a race, which is reported. `source`
        and `other` are the source lines of the two accesses.
        """
        if fault.code is not ptxsim_codes.RACE:
            return False
        report_findings(self._error(fault, source, other, ""))
        return True

    def _stopped(self, error: faults.StoppedError) -> DiagnosticError:
        fault = error.fault
        if fault is None:
            return error
        where = "" if error.block is None else f" in block {error.block}"
        return self._error(fault, error.source, error.other, where)

    def _error(self, fault: faults.Fault, source: Any, other: Any, where: str) -> DiagnosticError:
        text = f"kernel '{self.name}'{where}: {fault.message}"
        found = Diagnostic(Severity.ERROR, text, source or UNKNOWN, fault.code)
        if other is not None:
            found.note("the other access is here", other)
        if fault.address is not None and not isinstance(fault, faults.Assertion):
            words, notes = self.module.memory.describe(fault.address)
            found.message += f"; {words}" if words else ""
            for note in notes:
                found.note(*note)
        if fault.hint:
            found.hint(fault.hint)
        return DiagnosticError([found])
