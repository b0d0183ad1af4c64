"""Kernels that the interpreter runs: how the target `interp` loads a module."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

from tilewright.dialects.cuda_tile.attributes import function_name
from tilewright.dialects.cuda_tile.ops.control import EntryOp, ModuleOp, PrintTkoOp
from tilewright.driver import debugging, options as driver_options, target as driver_target
from tilewright.interp.codes import UNDEFINED_VALUE
from tilewright.interp.launch import LaunchReport, LoadedModule
from tilewright.interp.memory.writes import Writes
from tilewright.interp.values import InterpretOptions
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.ir.support.ignores import ignoring
from tilewright.optimizer.analysis.writes import written_parameters
from tilewright.runtime import codes as runtime_codes, elsewhere
from tilewright.runtime.findings.ignores import LaunchedLines
from tilewright.runtime.findings.record import begin_launch, report_findings


class InterpretedKernels:
    """The kernels of a module for the interpreter, with the run-time checks `checks`; ``kernels`` maps their
    names to them.

    Globals keep their values as long as this object lives.
    """

    def __init__(self, module: Operation, checks: Sequence[str]) -> None:
        inner = _tile_module(module)
        loaded, options = LoadedModule(inner), _with_checks(checks)
        entries = [op for op in inner.regions[0].block if isinstance(op, EntryOp)]
        self.kernels = {entry.sym_name: InterpretedKernel(loaded, entry, options) for entry in entries}


def _with_checks(checks: Sequence[str]) -> InterpretOptions:
    enabled: dict[str, Any] = dict.fromkeys(checks, True)
    return InterpretOptions(**enabled)


def _tile_module(module: Operation) -> Operation:
    """Return the Tile IR module with the kernels: `module` itself or, if `module` contains only a Tile IR
    module, as `tilewright opt` prints it, that module.
    """
    inside = list(module.regions[0].block)
    return inside[0] if len(inside) == 1 and isinstance(inside[0], ModuleOp) else module


class InterpretedKernel(driver_target.LaunchableKernel):
    """The kernel `entry` of a loaded module, run by the interpreter with the options `options`, which say
    which run-time checks are made.
    """

    def __init__(self, module: LoadedModule, entry: EntryOp, options: InterpretOptions) -> None:
        self._module = module
        self._name = entry.sym_name
        self._title = function_name(entry.location, entry.sym_name)
        self._options = options
        self._writes = cache(partial(_writes, entry))
        self._launched = cache(partial(_launched, entry, options))
        self._entry = entry
        self._has_breakpoint = cache(partial(_has_breakpoint, entry))

    def launch(
        self,
        grid: tuple[int, int, int],
        arguments: Sequence[Any],
        threads: int | None = None,
        memory: Sequence[Any] = (),
        /,
    ) -> LaunchReport | None:
        """Run all tile blocks of a grid on the calling thread and return the report; `threads` is ignored.
        Return None if a check ended the launch and its findings are only recorded; otherwise the
        `DiagnosticError` is raised.
        """
        debugger = debugging.debugger_for(self._has_breakpoint)
        told = debugging.take_arguments()
        options, observer, ignored = self._options, None, ()
        if debugger is not None:  # it shows undefined elements, which are findings only if they are asked for
            observer = debugger.follow(self._entry, told)
            ignored = () if options.initcheck else (str(UNDEFINED_VALUE),)
            options = replace(options, initcheck=True)
        launch = self._module.begin(
            self._name,
            grid,
            arguments,
            options,
            known_memory=memory,
            writes=self._writes,
            observer=observer,
        )
        begin_launch(self._title, self._launched)
        try:
            with elsewhere.stoppable(), ignoring(ignored):
                return launch.run()
        except DiagnosticError as error:
            report_findings(error)
        return None


def _launched(entry: EntryOp, options: InterpretOptions) -> LaunchedLines:
    """Return the source lines of a kernel's operations, and the codes that its checks can report."""
    sources = (op.location.source for op in entry.walk())
    names = [name for name in driver_options.CHECKS if getattr(options, name)]
    return LaunchedLines(frozenset(one[:2] for one in sources if one), runtime_codes.found_by(names))


def _has_breakpoint(entry: EntryOp) -> bool:
    return any(isinstance(op, PrintTkoOp) and op.is_breakpoint for op in entry.walk())


def _writes(entry: EntryOp) -> Writes:
    """Return the memory that a kernel may change: the parameters that it writes through, or any memory if
    these are not known.
    """
    found = written_parameters(entry)
    return Writes(anywhere=True) if found is None else Writes(found)
