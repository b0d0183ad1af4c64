"""The facts about a module that checks of memory accesses need: its checked accesses, their sizes and their order."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TypeGuard

from tilewright.dialects.nv_tileaa.attributes import MemScope, MemSemantic
from tilewright.dialects.nv_tileaa.ops.memory import AccessOp
from tilewright.ir.attribute import Type
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.access_facts.views import RowAccess
from tilewright.lowering.llvm_types.element_forms import is_packed
from tilewright.targets.cpu.facts import access_operations
from tilewright.targets.elements.atomics import ACQUIRES, RELEASES
from tilewright.targets.elements.element_types import element_of, size_of

MEMCHECK, RACECHECK = "memcheck", "racecheck"
LEAST_SITES = 1


class CheckedAccessKind(IntEnum):
    """A kind of access: a read or a write, weak or strong (with a memory order). Two accesses race if one of
    them writes and not both are strong. Racecheck keeps a plane of cells for each kind, with the last tile
    block that made such an access.
    """

    WEAK_WRITE = 0
    WEAK_READ = 1
    STRONG_WRITE = 2
    STRONG_READ = 3


STAMPS = 4
"""The plane after the planes of `CheckedAccessKind`: the number of the last store, which shows whether a store writes an
address twice.
"""
CONFLICTS: dict[CheckedAccessKind, tuple[CheckedAccessKind, ...]] = {
    CheckedAccessKind.WEAK_WRITE: (
        CheckedAccessKind.WEAK_WRITE,
        CheckedAccessKind.WEAK_READ,
        CheckedAccessKind.STRONG_WRITE,
        CheckedAccessKind.STRONG_READ,
    ),
    CheckedAccessKind.WEAK_READ: (CheckedAccessKind.WEAK_WRITE, CheckedAccessKind.STRONG_WRITE),
    CheckedAccessKind.STRONG_WRITE: (CheckedAccessKind.WEAK_WRITE, CheckedAccessKind.WEAK_READ),
    CheckedAccessKind.STRONG_READ: (CheckedAccessKind.WEAK_WRITE,),
}
"""For each kind, the kinds of accesses of other tile blocks that race with it.

Two accesses race if at least one of them writes and not both are atomic.
"""


@dataclass(frozen=True, slots=True)
class AccessSummary:
    """The checked accesses of a module: the checks (`memcheck`, `racecheck`), the kinds of accesses, the size
    in bytes of the smallest element (``granule``, the memory of a cell), the number of bits for the number of
    a site, and whether accesses acquire or release under racecheck, so that tile blocks have clocks.
    """

    memcheck: bool
    racecheck: bool
    kinds: frozenset[CheckedAccessKind]
    granule: int
    site_bits: int
    clocks: bool

    @property
    def looks_at_memory(self) -> bool:
        """Return whether memory accesses are checked. If not, accesses only test whether the launch was
        stopped.
        """
        return self.memcheck or self.racecheck

    @property
    def cell_bytes(self) -> int:
        """Return the size of a cell in bytes: 4 for tile block and site, 8 with an epoch."""
        return 8 if self.clocks else 4

    def conflicts(self, kind: CheckedAccessKind) -> tuple[CheckedAccessKind, ...]:
        """Return the kinds of accesses in this module that race with `kind`."""
        return tuple(other for other in CONFLICTS[kind] if other in self.kinds)


def facts_of(module: Operation) -> AccessSummary | None:
    """Return the facts about the checked accesses of a module; None if no access is checked."""
    accesses = [op for op in module.walk() if is_checked(op)]
    if not accesses:
        return None
    names = {name for op in accesses for name in checks_of(op)}
    sites = len(accesses) + LEAST_SITES
    return AccessSummary(
        memcheck=MEMCHECK in names,
        racecheck=RACECHECK in names,
        kinds=frozenset(map(kind_of, accesses)),
        granule=min(size_of(accessed(op)) for op in accesses),
        site_bits=sites.bit_length(),
        clocks=RACECHECK in names
        and any(access_operations.semantic_of(op) in ACQUIRES | RELEASES for op in accesses),
    )


def is_checked(op: Operation) -> TypeGuard[access_operations.AnyAccess]:
    """Return whether an operation is an access with checks."""
    return op.__class__ in access_operations.ACCESSES and isinstance(op, AccessOp) and op.checks is not None


def checks_of(op: Operation) -> tuple[str, ...]:
    """Return the names of the checks of an access, such as ``memcheck``; empty without checks."""
    return (op.checks or ()) if isinstance(op, AccessOp) else ()


def accessed(op: access_operations.AnyAccess) -> Type:
    """Return the type of one element that an access loads, stores or updates."""
    return element_of(access_operations.tile_of(op))


def writes(op: Operation) -> bool:
    """Return whether an access writes: it is not a load."""
    return op.__class__ not in access_operations.LOADS


def kind_of(op: access_operations.AnyAccess) -> CheckedAccessKind:
    """Return the kind of an access. An access that is atomic only within its tile block is weak for other
    tile blocks.
    """
    is_strong = (
        access_operations.semantic_of(op) is not MemSemantic.WEAK and op.mem_scope is not MemScope.TL_BLK
    )
    if is_strong:
        return CheckedAccessKind.STRONG_WRITE if writes(op) else CheckedAccessKind.STRONG_READ
    return CheckedAccessKind.WEAK_WRITE if writes(op) else CheckedAccessKind.WEAK_READ


def checks_by_vectors(op: access_operations.AnyAccess) -> bool:
    """Return whether an access is checked by several elements of a tile of pointers in each iteration: it has
    checks, is a load or store through a tile of pointers, is not ordered, and its elements are not packed.
    """
    is_plain = bool(checks_of(op)) and not access_operations.needs_order(op) and not is_packed(accessed(op))
    return is_plain and access_operations.uses_pointers(op)


def acquires(op: Operation) -> TypeGuard[access_operations.AnyAccess]:
    """Return whether a checked access acquires: releases of other tile blocks happen before whatever follows
    it.
    """
    return is_checked(op) and RACECHECK in checks_of(op) and access_operations.semantic_of(op) in ACQUIRES


def verb_of(op: Operation) -> str:
    """Return the verb of an access for messages: 'load', 'store' or 'atomic update'."""
    if op.__class__ in access_operations.UPDATES:
        return "atomic update"
    return "store" if writes(op) else "load"


def operands_of(op: Operation) -> list[Value]:
    """Return the operands, tiles or scalars, that determine the addresses of the elements: the rows or
    pointers, and the mask if there is one. Empty for accesses to a tile of a memory object.
    """
    if isinstance(op, RowAccess):
        found = (op.rows, op.mask)
    elif isinstance(op, access_operations.ElementAccess):
        found = (op.base, op.mask)
    else:
        return []
    return [value for value in found if value is not None]
