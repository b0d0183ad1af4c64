"""The attributes of ``tt`` and the kinds of attribute that its operations have."""

from __future__ import annotations

import enum
from typing import ClassVar

from tilewright.dialects.common import kinds, struct_attribute
from tilewright.dialects.tt import enums as tt_enums
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_types import i32
from tilewright.ir.declaration.attribute_kind import AttributeKind, IntegerKind


class CachePolicyAttr(struct_attribute.StructAttribute):
    """Cache hints of an access: ``#tt.cache_policy<cache_modifier = cg, eviction_policy = evict_first>``."""

    name: ClassVar[str] = "tt.cache_policy"
    cache_modifier: tt_enums.CacheModifier
    eviction_policy: tt_enums.EvictionPolicy
    codecs: ClassVar[dict[str, struct_attribute.Codec]] = {
        "cache_modifier": struct_attribute.word(tt_enums.CacheModifier),
        "eviction_policy": struct_attribute.word(tt_enums.EvictionPolicy),
    }


ATTRIBUTES: tuple[type[Attribute], ...] = (CachePolicyAttr,)

CACHE_POLICY = AttributeKind()
"""Any attribute in Triton; the rule of the operation restricts it."""


def _enum(enumeration: type[enum.Enum]) -> kinds.IntegerEnumKind:
    return kinds.IntegerEnumKind(enumeration, i32)


ATOMIC_RMW = _enum(tt_enums.RMWOp)
DESCRIPTOR_REDUCE_KIND = _enum(tt_enums.DescriptorReduceKind)
INPUT_PRECISION = _enum(tt_enums.InputPrecision)
MEM_SEMANTIC = _enum(tt_enums.MemSemantic)
MEM_SYNC_SCOPE = _enum(tt_enums.MemSyncScope)
PADDING_OPTION = _enum(tt_enums.PaddingOption)
PROGRAM_DIM = _enum(tt_enums.ProgramIDDim)
PROPAGATE_NAN = _enum(tt_enums.PropagateNan)
ROUNDING_MODE = _enum(tt_enums.RoundingMode)
SCALE_ELEMENT = _enum(tt_enums.ScaleDotElemType)
INT32 = IntegerKind(i32)
