"""Memory in the body conversion: loads and stores keep their operands, their order and their assumptions.

The ordering of a tiled access of `nv_tileas` is at most relaxed, as the copy engine orders nothing: an access
that acquires or releases becomes relaxed, with the ordering in its attribute `fence`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.nv_tileaa.attributes import MemSemantic, MemSemanticAttr
from tilewright.dialects.nv_tileaa.ops import memory as aa
from tilewright.dialects.nv_tileaa.rules.memory import UNORDERED
from tilewright.dialects.nv_tileas import ops_memory as memory
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.declaration.kind import OPERAND_SEGMENTS, RESULT_SEGMENTS
from tilewright.ir.operation import Operation
from tilewright.lowering.pattern import ConversionInserter, LoweringResult
from tilewright.lowering.tileaa_to_tileas import patterns as tileaa_to_tileas_patterns, type_conversion
from tilewright.rewrite.conversion.pattern import Adaptor

RELAXED = MemSemanticAttr(MemSemantic.RELAXED)
TARGETS: dict[type[Operation], type[Operation]] = {
    aa.LoadOp: memory.LoadOp,
    aa.StoreOp: memory.StoreOp,
    aa.TiledLoadOp: memory.TiledLoadOp,
    aa.TiledStoreOp: memory.TiledStoreOp,
    aa.TiledAtomicRmwOp: memory.TiledAtomicRmwOp,
    aa.GatherLoadOp: memory.GatherLoadOp,
    aa.ScatterStoreOp: memory.ScatterStoreOp,
}
"""For each access of `nv_tileaa`, the operation of `nv_tileas` with the same operands."""
SEGMENTS = (OPERAND_SEGMENTS, RESULT_SEGMENTS)


class AccessPattern(tileaa_to_tileas_patterns.TileAAPattern[Operation]):
    """Converts a load, store or atomic update to the operation of `nv_tileas` with the same operands and
    attributes. A tiled load or store that acquires or releases becomes relaxed, with its ordering as the
    attribute `fence`.
    """

    def __init__(
        self, converter: type_conversion.TileASTypeConverter, source: type[Operation], target: type[Operation]
    ) -> None:
        super().__init__(converter, root=source)
        self.target = target

    def lower(
        self, op: Operation, at: Adaptor, types: Sequence[Type], emit: ConversionInserter
    ) -> LoweringResult:
        operands = {name: getattr(at, name) for name in (field.python_name for field in op.kind.operands)}
        made: Operation = emit.insert(self.target, **operands, result_types=types, **self._required(op))
        made.attributes.update(self._attributes(op))
        return made

    def _required(self, op: Operation) -> dict[str, Any]:
        """Return the attributes of the new operation that have no default: ``rmw_mode`` for an atomic update,
        none for other accesses.
        """
        return {"rmw_mode": op.rmw_mode} if isinstance(op, aa.TiledAtomicRmwOp) else {}

    def _attributes(self, op: Operation) -> dict[str, Attribute]:
        """Return the attributes of `op` for the new operation, without the segment sizes. If `op` is a tiled
        load or store that acquires or releases, its ordering becomes the attribute `fence`, and the ordering
        is relaxed.
        """
        found = {name: value for name, value in op.held_attributes.items() if name not in SEGMENTS}
        if isinstance(op, aa.TiledLoadOp | aa.TiledStoreOp) and op.mem_semantic not in UNORDERED:
            found["fence"] = found["mem_semantic"]
            found["mem_semantic"] = RELAXED
        return found


def access_patterns(converter: type_conversion.TileASTypeConverter) -> list[AccessPattern]:
    """Return the patterns for accesses, in the order of `TARGETS`."""
    return [AccessPattern(converter, source, target) for source, target in TARGETS.items()]
