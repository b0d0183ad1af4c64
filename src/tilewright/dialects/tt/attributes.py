"""The attributes of ``tt`` and the kinds of attribute that its operations have."""

from __future__ import annotations

import enum
from typing import ClassVar

from tilewright.dialects.common.kinds import IntegerEnumKind
from tilewright.dialects.common.struct_attribute import Codec, StructAttribute, word
from tilewright.dialects.tt.enums import (
    CacheModifier,
    DescriptorReduceKind,
    EvictionPolicy,
    InputPrecision,
    MemSemantic,
    MemSyncScope,
    PaddingOption,
    ProgramIDDim,
    PropagateNan,
    RMWOp,
    RoundingMode,
    ScaleDotElemType,
)
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_types import i32
from tilewright.ir.declaration.attribute_kind import AttributeKind, IntegerKind


class CachePolicyAttr(StructAttribute):
    """``#tt.cache_policy<cache_modifier = cg, eviction_policy = evict_first>``: hints for the caches."""

    name: ClassVar[str] = "tt.cache_policy"
    cache_modifier: CacheModifier
    eviction_policy: EvictionPolicy
    codecs: ClassVar[dict[str, Codec]] = {
        "cache_modifier": word(CacheModifier),
        "eviction_policy": word(EvictionPolicy),
    }


ATTRIBUTES: tuple[type[Attribute], ...] = (CachePolicyAttr,)

CACHE_POLICY = AttributeKind()
"""Any attribute in Triton; the rule of the operation restricts it."""


def _enum(enumeration: type[enum.Enum]) -> IntegerEnumKind:
    return IntegerEnumKind(enumeration, i32)


ATOMIC_RMW = _enum(RMWOp)
DESCRIPTOR_REDUCE_KIND = _enum(DescriptorReduceKind)
INPUT_PRECISION = _enum(InputPrecision)
MEM_SEMANTIC = _enum(MemSemantic)
MEM_SYNC_SCOPE = _enum(MemSyncScope)
PADDING_OPTION = _enum(PaddingOption)
PROGRAM_DIM = _enum(ProgramIDDim)
PROPAGATE_NAN = _enum(PropagateNan)
ROUNDING_MODE = _enum(RoundingMode)
SCALE_ELEMENT = _enum(ScaleDotElemType)
INT32 = IntegerKind(i32)
