"""Memory accesses with checks: a field of each tells back ends, which know its addresses, to check it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tilewright.dialects.nv_tileaa.attributes import MemSemantic
from tilewright.dialects.nv_tileaa.constraints import CHECKS_OF_ACCESSES
from tilewright.dialects.nv_tileaa.ops.memory import AccessOp
from tilewright.ir.operation import Operation
from tilewright.passes.pass_ import Pass, PassState


@dataclass(frozen=True)
class MarkAccesses(Pass):
    """Marks accesses to memory with the checks that back ends have to make.

    ``checks`` are the names of checks; `memcheck` (is the memory known, may it be written?) and `racecheck`
    (does another tile block access it, without order?) become the field `checks` of the access. Accesses that
    other tile blocks may wait for get the field with any checks: they end a tile block when a finding has
    stopped the launch.
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
    """Return whether an access is ordered with accesses of other tile blocks: every access except a weak one
    is.
    """
    return access.mem_semantic is not MemSemantic.WEAK


PASSES: tuple[type[Pass], ...] = (MarkAccesses,)
"""Passes of this module."""
