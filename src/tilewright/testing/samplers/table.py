"""The sampler of each operation: from a table for operations with rules of their own, else from the declaration."""

from __future__ import annotations

from functools import cache

from tilewright.dialects.cuda_tile.dialect import OPERATIONS
from tilewright.dialects.cuda_tile.ops import control as control_ops, tile as tile_ops
from tilewright.dialects.cuda_tile.version import Version
from tilewright.ir.declaration.traits import NoMemoryEffect, Pure, Terminator
from tilewright.ir.operation import Operation
from tilewright.testing.samplers import arithmetic, control, fold, memory, tile
from tilewright.testing.tile_scene import TileScene

SAMPLERS: dict[type[Operation], arithmetic.Sampler] = {
    **arithmetic.SAMPLERS,
    **control.SAMPLERS,
    **fold.SAMPLERS,
    **memory.SAMPLERS,
    **tile.SAMPLERS,
}
"""The samplers of all operations with rules that are not in their declarations."""
STRUCTURE = (control_ops.ModuleOp, control_ops.EntryOp, control_ops.GlobalOp)


def sample(scene: TileScene, op_class: type[Operation]) -> Operation:
    """Add one valid instance of an operation class to the end of the scene's block, and return it."""
    sampler = SAMPLERS.get(op_class)
    return scene.build(op_class) if sampler is None else sampler(scene)


def body_operations(scene: TileScene) -> tuple[type[Operation], ...]:
    """Return the operation classes that are valid at the end of the scene's block, except terminators; at the
    maximum depth also except operations with regions.
    """
    return _body_operations(scene.version, scene.pure, scene.depth >= control.MAXIMUM_DEPTH)


@cache
def _body_operations(version: Version, pure: bool, flat: bool) -> tuple[type[Operation], ...]:
    return tuple(op_class for op_class in OPERATIONS if _fits(op_class, version, pure, flat))


def _fits(op_class: type[Operation], version: Version, pure: bool, flat: bool) -> bool:
    kind = op_class.op_kind
    since: Version = getattr(op_class, "since", version)
    if op_class in STRUCTURE or kind.has_trait(Terminator) or since > version:
        return False
    if flat and kind.regions:
        return False
    harmless = kind.has_trait(Pure) or kind.has_trait(NoMemoryEffect)
    return not pure or (harmless and op_class not in (tile_ops.ReduceOp, tile_ops.ScanOp))
