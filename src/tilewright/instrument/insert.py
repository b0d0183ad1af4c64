"""The pass that inserts checks into kernels. The modules of the checks are imported when it runs."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import ClassVar

from tilewright.dialects.nv_tileaa.attributes import MemSemantic
from tilewright.dialects.nv_tileaa.constraints import CHECKS_OF_ACCESSES
from tilewright.dialects.nv_tileaa.ops.memory import AccessOp
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError, Severity
from tilewright.ir.operation import Operation
from tilewright.lowering import codes
from tilewright.passes.pass_ import Pass, PassState

POPULATORS = {
    "memcheck": "tilewright.instrument.tile_indices",
    "initcheck": "tilewright.instrument.undefined",
    "promises": "tilewright.instrument.promises",
    "fpcheck": "tilewright.instrument.floats",
}
"""The module that inserts the operations of each check, in the order of insertion.

Checks that change loops come first. A check that is inserted later is closer to the checked operation.
"""
OF_BACK_ENDS = ("memcheck", "racecheck")
"""Checks of memory accesses, which need addresses: back ends make them, except the check of tile indices."""


@dataclass(frozen=True)
class InsertChecks(Pass):
    """Adds operations to kernels of Tile IR that find mistakes of the program while it runs.

    ``checks`` are the names of checks: `fpcheck` finds the operations where NaN and infinities originate,
    `initcheck` uses of values that a load left unspecified, `promises` assumptions that do not hold and
    undefined behaviour of Tile IR, `memcheck` tiles outside of their views. Other checks of memory accesses,
    such as `racecheck`, are left to back ends. The pass fails for an unknown name.

    A check is a `cuda_tile.assert` with the attribute `nv_tileaa.check`; the lowering makes the operation
    `nv_tileaa.check` from it. The results of kernels do not change. The pass must run before the optimizer,
    which folds and moves the operations that it checks.
    """

    name: ClassVar[str] = "insert-checks"
    anchor: ClassVar[str | None] = "cuda_tile.entry"
    checks: tuple[str, ...] = ()

    def run(self, op: Operation, state: PassState) -> None:
        unknown = [name for name in self.checks if name not in POPULATORS and name not in OF_BACK_ENDS]
        if unknown:
            raise state.fail(_unknown(unknown[0], op))
        populators = [import_module(path) for name, path in POPULATORS.items() if name in self.checks]
        try:
            inserted = sum(populator.insert(op) for populator in populators)
        except DiagnosticError as error:
            raise state.fail(error.diagnostics[0]) from error
        state.count("inserted", inserted)
        if not inserted:
            state.preserve_all()


def _unknown(name: str, op: Operation) -> Diagnostic:
    known = ", ".join(sorted({*POPULATORS, *OF_BACK_ENDS}))
    found = Diagnostic(Severity.ERROR, f"there is no check '{name}'", op.location, codes.CHECK_NOT_COMPILED)
    found.hint(f"checks: {known}")
    return found


@dataclass(frozen=True)
class MarkAccesses(Pass):
    """Marks accesses to memory with the checks that back ends have to make.

    ``checks`` are the names of checks; `memcheck` (is the memory known, may it be written?) and `racecheck`
    (does another tile block access it, without order?) become the field `checks` of the access. If any check
    is named, accesses that are not weak get the field, too, even if it is empty: other tile blocks may wait
    for them, so they end a tile block when a finding has stopped the launch.
    """

    name: ClassVar[str] = "mark-accesses"
    checks: tuple[str, ...] = ()

    def run(self, op: Operation, state: PassState) -> None:
        names = tuple(name for name in CHECKS_OF_ACCESSES if name in self.checks)
        for access in op.walk() if self.checks else ():
            if isinstance(access, AccessOp) and (names or is_ordered(access)):
                access.checks = names
                state.count("marked")


def is_ordered(access: AccessOp) -> bool:
    """Return whether the memory semantic of an access is other than weak: it may be ordered with accesses of
    other tile blocks.
    """
    return access.mem_semantic is not MemSemantic.WEAK


PASSES: tuple[type[Pass], ...] = (MarkAccesses,)
"""The passes of this module that are registered by name."""
