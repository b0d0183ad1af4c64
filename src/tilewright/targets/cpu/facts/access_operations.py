"""The operations that access memory of the program, grouped by their addressing and by their effect.

An access goes to a tile of a memory object (`ViewAccess`), to gathered or scattered rows of a memory object
(`RowAccess`), or to single elements: through pointers, or by indices into a memory object.
"""

from __future__ import annotations

from typing import TypeGuard, get_args

from tilewright.dialects.nv_tileaa.attributes import MemSemantic
from tilewright.dialects.nv_tileaa.ops.memory import AccessOp, AtomicCasOp, AtomicRmwOp
from tilewright.dialects.nv_tileas import ops_memory as tileas_memory
from tilewright.ir.attribute import Type
from tilewright.ir.operation import Operation
from tilewright.targets.elements.element_types import is_tile

Load = tileas_memory.TiledLoadOp | tileas_memory.LoadOp | tileas_memory.GatherLoadOp
Store = tileas_memory.TiledStoreOp | tileas_memory.StoreOp | tileas_memory.ScatterStoreOp
Combination = AtomicRmwOp | tileas_memory.TiledAtomicRmwOp
"""Atomic updates that compute the new element from the old one."""
Update = Combination | AtomicCasOp
AnyAccess = Load | Store | Update
PointerAccess = tileas_memory.LoadOp | tileas_memory.StoreOp
"""Loads and stores of a scalar through a pointer, or of a tile through a tile of pointers."""
ElementAccess = PointerAccess | AtomicRmwOp | AtomicCasOp
"""Accesses to the elements given by ``base``, ``indices`` and ``mask``."""

LOADS = frozenset(get_args(Load))
STORES = frozenset(get_args(Store))
UPDATES = frozenset(get_args(Update))
ACCESSES = LOADS | STORES | UPDATES

HEAVY = 8
"""The minimum latency of a store whose traffic is assumed to exceed the caches."""


def semantic_of(op: Operation) -> MemSemantic:
    """Return the memory semantics of an access: of its fence, if it is a tiled load or store that has one,
    else its own. Other operations are weak.
    """
    if not isinstance(op, AccessOp):
        return MemSemantic.WEAK
    fence = (
        op.fence if type(op) is tileas_memory.TiledLoadOp or type(op) is tileas_memory.TiledStoreOp else None
    )
    return fence or op.mem_semantic


def needs_order(op: Operation) -> bool:
    """Return whether an access is ordered with accesses of other threads, because its semantics are not weak."""
    return semantic_of(op) is not MemSemantic.WEAK


def tile_of(op: AnyAccess) -> Type:
    """Return the type of the tile, or of the scalar, that an access loads, stores or updates."""
    return op.value.type if isinstance(op, Store) else op.result.type


def uses_pointers(op: Operation) -> TypeGuard[PointerAccess]:
    """Return whether an operation is a load or store through a tile of pointers. False for a scalar pointer,
    and for atomic updates.
    """
    return isinstance(op, PointerAccess) and is_tile(op.base.type)


def is_streamed(op: Operation) -> bool:
    """Return whether an operation stores a tile of a memory object and is assumed to write more than the
    caches hold: its ``latency`` (1 to 10) is at least `HEAVY`. False without a ``latency``.
    """
    return isinstance(op, tileas_memory.TiledStoreOp) and op.latency is not None and op.latency >= HEAVY
