"""Enumerations of copies, prefetches and address spaces."""

from __future__ import annotations

from typing import ClassVar

from tilewright.ir.attribute import Attribute
from tilewright.ir.declaration.enum_attribute import SpelledEnum, SpelledEnumAttribute


class LoadCacheModifierKind(SpelledEnum):
    """The caches that a copy goes through, as in PTX: all levels (`CA`), L2 only (`CG`), as data that is read
    once (`CS`) or for the last time (`LU`), or none (`CV`).
    """

    CA = 0
    CG = 1
    CS = 2
    LU = 3
    CV = 4


class PrefetchCacheLevel(SpelledEnum):
    """The cache that data is brought to."""

    L1 = 0, "L1"
    L2 = 1, "L2"


class CacheEvictionPriority(SpelledEnum):
    """When the cache evicts data: in the normal order, first, last, or as before (`EVICT_UNCHANGED`);
    `NO_ALLOCATE` does not put it into the cache.
    """

    EVICT_NORMAL = 0
    EVICT_FIRST = 1
    EVICT_LAST = 2
    EVICT_UNCHANGED = 3
    NO_ALLOCATE = 4


class TMALoadMode(SpelledEnum):
    """How a tensor copy walks through global memory when it reads: a box (`TILE`), the `im2col` modes of
    convolutions, or four rows with indices of their own (`TILE_GATHER4`).
    """

    TILE = 0
    IM2COL = 1
    IM2COL_W = 2
    IM2COL_W_128 = 3
    TILE_GATHER4 = 4


class TMAStoreMode(SpelledEnum):
    """How a tensor copy walks through global memory when it writes: a box (`TILE`), the `im2col` mode of
    convolutions, or four rows with indices of their own (`TILE_SCATTER4`).
    """

    TILE = 0
    IM2COL = 1
    TILE_SCATTER4 = 2


class TMAReduxKind(SpelledEnum):
    """How a tensor copy combines written elements with the elements in memory. `INC` and `DEC` count the
    element in memory up or down, and wrap around at the written one.
    """

    ADD = 0
    MAX = 2
    MIN = 1
    INC = 3
    DEC = 4
    AND = 5
    OR = 6
    XOR = 7


class NVVMMemorySpace(SpelledEnum):
    """The memory spaces of NVIDIA GPUs, with their address space numbers in LLVM: `LOCAL` is the private
    memory of a thread, `SHARED` the shared memory of its own block, `SHARED_CLUSTER` of all blocks of the
    cluster, `TENSOR` the tensor memory.
    """

    GENERIC = 0
    GLOBAL = 1
    SHARED = 3
    CONSTANT = 4
    LOCAL = 5
    TENSOR = 6
    SHARED_CLUSTER = 7


class LdStMatrixEltType(SpelledEnum):
    """The type of the elements of a matrix in shared memory: 16 bits, 8 bits, or 6 or 4 bits in a padded
    format, which a load unpacks to 8 bits.
    """

    B16 = 0
    B8 = 1
    B8X16_B6X16_P32 = 2, "b8x16.b6x16_p32"
    B8X16_B4X16_P64 = 3, "b8x16.b4x16_p64"


class LoadCacheModifierAttr(SpelledEnumAttribute):
    """The attribute form of `LoadCacheModifierKind`, such as ``#nvvm<load_cache_modifier ca>``."""

    name: ClassVar[str] = "nvvm.load_cache_modifier"
    enumeration = LoadCacheModifierKind
    bare: ClassVar[bool] = True


class PrefetchCacheLevelAttr(SpelledEnumAttribute):
    """The attribute form of `PrefetchCacheLevel`, such as ``#nvvm<prefetch_cache_level L1>``."""

    name: ClassVar[str] = "nvvm.prefetch_cache_level"
    enumeration = PrefetchCacheLevel
    bare: ClassVar[bool] = True


class CacheEvictionPriorityAttr(SpelledEnumAttribute):
    """The attribute form of `CacheEvictionPriority`, such as ``#nvvm<cache_eviction_priority evict_normal>``."""

    name: ClassVar[str] = "nvvm.cache_eviction_priority"
    enumeration = CacheEvictionPriority
    bare: ClassVar[bool] = True


class TMALoadModeAttr(SpelledEnumAttribute):
    """The attribute form of `TMALoadMode`, such as ``#nvvm.tma_load_mode<tile>``."""

    name: ClassVar[str] = "nvvm.tma_load_mode"
    enumeration = TMALoadMode


class TMAStoreModeAttr(SpelledEnumAttribute):
    """The attribute form of `TMAStoreMode`, such as ``#nvvm.tma_store_mode<tile>``."""

    name: ClassVar[str] = "nvvm.tma_store_mode"
    enumeration = TMAStoreMode


class TMAReduxKindAttr(SpelledEnumAttribute):
    """The attribute form of `TMAReduxKind`, such as ``#nvvm.tma_redux_kind<add>``."""

    name: ClassVar[str] = "nvvm.tma_redux_kind"
    enumeration = TMAReduxKind


class NVVMMemorySpaceAttr(SpelledEnumAttribute):
    """The attribute form of `NVVMMemorySpace`, such as ``#nvvm.memory_space<generic>``."""

    name: ClassVar[str] = "nvvm.memory_space"
    enumeration = NVVMMemorySpace


class LdStMatrixEltTypeAttr(SpelledEnumAttribute):
    """The attribute form of `LdStMatrixEltType`, such as ``#nvvm.ld_st_matrix_elt_type<b16>``."""

    name: ClassVar[str] = "nvvm.ld_st_matrix_elt_type"
    enumeration = LdStMatrixEltType


ENUM_ATTRIBUTES: tuple[type[Attribute], ...] = (
    LoadCacheModifierAttr,
    PrefetchCacheLevelAttr,
    CacheEvictionPriorityAttr,
    TMALoadModeAttr,
    TMAStoreModeAttr,
    TMAReduxKindAttr,
    NVVMMemorySpaceAttr,
    LdStMatrixEltTypeAttr,
)
"""The enum attributes of this module."""
