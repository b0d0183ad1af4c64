"""Memory accesses with checks: an attribute on each tells back ends, which know its addresses, to check it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tilewright.dialects.nv_tileaa import ops_memory as aa
from tilewright.dialects.nv_tileaa.attributes import MemSemantic, MemSemanticAttr
from tilewright.ir.builtin_attributes import ArrayAttr, StringAttr
from tilewright.ir.operation import Operation
from tilewright.passes.pass_ import Pass, PassState

CHECKS = "nv_tileaa.checks"
"""On an access: the names of its checks.  With none, an ordered access still tests whether the launch was stopped."""
OF_ACCESSES = ("memcheck", "racecheck")
"""Checks of memory accesses, which back ends compile."""
ACCESSES: tuple[type[Operation], ...] = (
    aa.LoadOp,
    aa.StoreOp,
    aa.TiledLoadOp,
    aa.TiledStoreOp,
    aa.TiledAtomicRmwOp,
    aa.AtomicRmwOp,
    aa.AtomicCasOp,
    aa.GatherLoadOp,
    aa.ScatterStoreOp,
)


@dataclass(frozen=True)
class MarkAccesses(Pass):
    """Notes on accesses to memory which checks they are subject to.

    ``checks`` are the names of checks; `memcheck` (is the memory known, may it be written?) and `racecheck` (does
    another tile block access it, without order?) become the note `nv_tileaa.checks`.  Accesses that other tile blocks
    may wait for get the attribute with any checks: they end a tile block when a finding has stopped the launch.
    """

    name: ClassVar[str] = "mark-accesses"
    checks: tuple[str, ...] = ()

    def run(self, op: Operation, state: PassState) -> None:
        names = tuple(StringAttr(name) for name in OF_ACCESSES if name in self.checks)
        for access in op.walk() if self.checks else ():
            if isinstance(access, ACCESSES) and (names or is_ordered(access)):
                access.attributes[CHECKS] = ArrayAttr(names)
                state.count("marked")


def is_ordered(access: Any) -> bool:
    """Whether an access has an order among those of other tile blocks."""
    noted = access.attributes.get("nv_tileaa.mem_semantic")
    if isinstance(noted, MemSemanticAttr):
        return noted.value is not MemSemantic.WEAK
    return getattr(access, "mem_semantic", MemSemantic.WEAK) is not MemSemantic.WEAK


PASSES: tuple[type[Pass], ...] = (MarkAccesses,)
"""Passes of this module."""
