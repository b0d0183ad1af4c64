"""The launches of a Python program, and proofs about its kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.cuda_tile.ops.control import EntryOp
from tilewright.driver.repeatable import LaunchedKernel
from tilewright.driver.sources import read_any
from tilewright.gpu_programs.routing import routed
from tilewright.gpu_programs.script import exit_status, run_in_place
from tilewright.gpu_programs.settings import ProgramSettings
from tilewright.interp.codes import OUT_OF_BOUNDS
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.prover.kernels import KernelProver
from tilewright.prover.symbols import ObservedLaunch

MOST_LAUNCHES = 8
"""The maximum number of launches of a kernel whose relations are compared."""
_CHECK = ("memcheck",)
"""Launches run under this check, because a program that is to be proved may be wrong."""


class LaunchCollector:
    """Runs the launches of a program, and keeps the first `MOST_LAUNCHES` of each kernel in ``launches``, by
    the bytecode and the name of the kernel.
    """

    def __init__(self) -> None:
        self.launches: dict[tuple[Any, str], list[ObservedLaunch]] = {}

    def launch(self, launched: LaunchedKernel, target: str, check: Sequence[str] = ()) -> object:
        """Run a kernel under memcheck on `target`, as `tilewright.launch` does, and return its result;
        `check` is ignored. The first `MOST_LAUNCHES` launches of the kernel are recorded. If
        memcheck ends the launch, return None, so that the program goes on: a proof refutes the access, too.
        Other diagnostics are raised.
        """
        known = self.launches.setdefault((launched.bytecode, launched.entry), [])
        if len(known) < MOST_LAUNCHES:
            known.append(ObservedLaunch(launched.grid, list(launched.arguments), launched.memory))
        try:
            return launched.run(target, _CHECK)
        except DiagnosticError as error:
            if any(one.code is not OUT_OF_BOUNDS for one in error.diagnostics):
                raise
            return None


def observe(script: str, arguments: Sequence[str], settings: ProgramSettings) -> tuple[LaunchCollector, int]:
    """Run the Python program in the file `script` in this process with the command-line arguments
    `arguments`, and record its launches. Return the launches and the exit status of the program.
    """
    collector = LaunchCollector()
    with routed(settings) as routing:
        routing.launches.engine = collector.launch
        status = exit_status(lambda: run_in_place(script, arguments, settings))
    return collector, status


def provers(collector: LaunchCollector) -> list[KernelProver]:
    """Return a prover for each kernel that was launched, with its recorded launches."""
    found: list[KernelProver] = []
    for (bytecode, name), launches in collector.launches.items():
        module: Any = read_any(bytecode, name)
        entries = [op for op in module.walk() if isinstance(op, EntryOp)]
        entry = next(op for op in entries if op.sym_name == name)
        found.append(KernelProver(module, entry, launches))
    return found
