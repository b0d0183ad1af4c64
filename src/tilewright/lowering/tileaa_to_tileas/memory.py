"""Memory in the body conversion: loads and stores keep their operands, their order and what they were promised.

What an operation of `nv_tileas` has no attribute for goes along in a discardable one: where the access is cached
(`nv_tileaa.cache_modifier`, `nv_tileaa.eviction_policy`), and the order of a tiled access that acquires or releases
(`nv_tileaa.mem_semantic`): tiled accesses of `nv_tileas` are relaxed at most, and a fence next to them does the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.nv_tileaa import ops_memory as aa
from tilewright.dialects.nv_tileaa.attributes import (
    CacheModifier,
    CacheModifierAttr,
    EvictionPolicy,
    EvictionPolicyAttr,
    MemSemantic,
    MemSemanticAttr,
)
from tilewright.dialects.nv_tileaa.rules_memory import UNORDERED
from tilewright.dialects.nv_tileas import ops_memory as memory
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.operation import Operation
from tilewright.lowering.tileaa_to_tileas.patterns import TileAAPattern
from tilewright.lowering.tileaa_to_tileas.shape import discardable
from tilewright.lowering.tileaa_to_tileas.types import TileASTypeConverter
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.conversion.rewriter import ConversionRewriter
from tilewright.rewrite.pattern import NoMatch

SEMANTIC = "nv_tileaa.mem_semantic"
"""On a tiled access: the order that it really has."""
RELAXED = MemSemanticAttr(MemSemantic.RELAXED)
DEFAULTS: dict[str, Attribute] = {
    "cache_modifier": CacheModifierAttr(CacheModifier.NONE),
    "eviction_policy": EvictionPolicyAttr(EvictionPolicy.NONE),
}
"""What need not be said."""
TARGETS: dict[type[Operation], type[Operation]] = {
    aa.LoadOp: memory.LoadOp,
    aa.StoreOp: memory.StoreOp,
    aa.TiledLoadOp: memory.TiledLoadOp,
    aa.TiledStoreOp: memory.TiledStoreOp,
    aa.TiledAtomicRmwOp: memory.TiledAtomicRmwOp,
    aa.GatherLoadOp: memory.GatherLoadOp,
    aa.ScatterStoreOp: memory.ScatterStoreOp,
}
"""Accesses, and those of `nv_tileas` with the same operands."""
RENAMED = {"base": {memory.GatherLoadOp: "view", memory.ScatterStoreOp: "view"}}
"""Operands that have another name there."""
UNORDERED_ACCESSES = (memory.TiledLoadOp, memory.TiledStoreOp)


class AccessPattern(TileAAPattern[Operation]):
    """A load, store or atomic: the same operands under their names."""

    def __init__(
        self, converter: TileASTypeConverter, source: type[Operation], target: type[Operation]
    ) -> None:
        super().__init__(converter, root=source)
        self.target: Any = target

    def converted(
        self, op: Operation, adaptor: Adaptor, types: Sequence[Type], rewriter: ConversionRewriter
    ) -> NoMatch | None:
        names = [field.python_name for field in op.kind.operands]
        operands = {self._name(name): getattr(adaptor, name) for name in names}
        made: Any = self.target(
            **operands, result_types=list(types), location=op.lazy_location, **self._required(op)
        )
        made.attributes.update(self._attributes(op))
        rewriter.replace(op, rewriter.insert(made))
        return None

    def _name(self, operand: str) -> str:
        return RENAMED.get(operand, {}).get(self.target, operand)

    def _required(self, op: Any) -> dict[str, Any]:
        """Attributes without a default."""
        return {"rmw_mode": op.rmw_mode} if self.target is memory.TiledAtomicRmwOp else {}

    def _attributes(self, op: Any) -> dict[str, Attribute]:
        """What both declare, and notes of what only the source does."""
        declared = {field.ir_name for field in self.target.op_kind.attributes}
        found = discardable(op)
        for field in op.kind.attributes:
            name, value = field.ir_name, op.held_attributes.get(field.ir_name)
            if value is not None and value is not DEFAULTS.get(name):
                found[name if name in declared else f"nv_tileaa.{name}"] = value
        if self.target in UNORDERED_ACCESSES and op.mem_semantic not in UNORDERED:
            found[SEMANTIC] = found["mem_semantic"]
            found["mem_semantic"] = RELAXED
        return found


def access_patterns(converter: TileASTypeConverter) -> list[AccessPattern]:
    """The patterns of accesses, in the order of the table."""
    return [AccessPattern(converter, source, target) for source, target in TARGETS.items()]
