"""Rules of copies and prefetches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.dialects.common.constraints import checked_type
from tilewright.dialects.nvvm import constraints as nvvm_constraints
from tilewright.dialects.nvvm.enums.memory import (
    CacheEvictionPriority,
    LoadCacheModifierKind,
    PrefetchCacheLevel,
    TMALoadMode,
    TMAStoreMode,
)
from tilewright.dialects.nvvm.rules.barrier import require

if TYPE_CHECKING:
    from tilewright.dialects.nvvm.ops import copy as nvvm_copy

MAXIMUM_RANK = 5
GATHERED_COORDINATES = 5
IM2COL_LOADS = (TMALoadMode.IM2COL, TMALoadMode.IM2COL_W, TMALoadMode.IM2COL_W_128)


def check_copy(op: nvvm_copy.CpAsyncOp) -> None:
    """Raise `VerifyError` unless an asynchronous copy has a size of 4, 8 or 16 bytes and the cache modifier
    CA, or 16 bytes and CG.
    """
    modifiers = (LoadCacheModifierKind.CG, LoadCacheModifierKind.CA)
    require(op.modifier in modifiers, "Only CG and CA cache modifiers are supported.", prefix=False)
    require(op.size in (4, 8, 16), "expected byte size to be either 4, 8 or 16.", prefix=False)
    bypasses = op.modifier is LoadCacheModifierKind.CG
    words = "CG cache modifier is only support for 16 bytes copy."
    require(not bypasses or op.size == 16, words, prefix=False)


def check_bulk_copy(op: nvvm_copy.CpAsyncBulkGlobalToSharedClusterOp) -> None:
    """Raise `VerifyError` if a bulk copy to ``shared::cta`` memory has a multicast mask."""
    local = checked_type(op.dstMem).address_space == nvvm_constraints.SHARED
    words = "Multicast is not supported with shared::cta mode."
    require(not local or op.multicastMask is None, words, prefix=False)


def check_coordinates(count: int, *, im2col: bool) -> None:
    """Raise `VerifyError` unless `count`, the number of coordinates of a tensor copy, is 1 to 5; at least 3
    if `im2col`.
    """
    words = "expects coordinates between 1 to 5 dimension"
    require(1 <= count <= MAXIMUM_RANK, words, prefix=False)
    words = "to use im2col mode, the tensor has to be at least 3-dimensional"
    require(not im2col or count >= 3, words, prefix=False)


def check_load_mode(
    op: nvvm_copy.CpAsyncBulkTensorGlobalToSharedClusterOp | nvvm_copy.CpAsyncBulkTensorPrefetchOp,
) -> None:
    """Raise `VerifyError` unless the numbers of coordinates and offsets match the mode in which a copy reads
    the tensor: 5 coordinates for a gather, else 1 to 5, at least 3 for im2col. Offsets are for im2col modes
    only: rank - 2 for ``im2col``, 2 for the others.
    """
    mode, count = op.mode, len(op.coordinates)
    if mode is TMALoadMode.TILE_GATHER4:
        words = "Gather4 mode expects 5 coordinates"
        require(count == GATHERED_COORDINATES, words, prefix=False)
    else:
        check_coordinates(count, im2col=mode in IM2COL_LOADS)
    offsets = {TMALoadMode.IM2COL: count - 2, TMALoadMode.IM2COL_W: 2, TMALoadMode.IM2COL_W_128: 2}
    wanted, given = offsets.get(mode, 0), len(op.im2colOffsets)
    require(wanted == given, f" im2col offsets expected {wanted} (provided {given})", prefix=False)


def check_tensor_load(op: nvvm_copy.CpAsyncBulkTensorGlobalToSharedClusterOp) -> None:
    """Raise `VerifyError` unless the destination is in ``shared::cta`` memory if `isCTAOnly`, else in
    ``shared::cluster`` memory. Multicast mask, predicate and group are for the latter only, a predicate for
    the modes ``tile`` and ``im2col`` only; coordinates and offsets are checked by `check_load_mode`.
    """
    space = checked_type(op.dstMem).address_space
    if not op.isCTAOnly:
        words = "Shared::cluster destination requires address-space 7."
        require(space == nvvm_constraints.SHARED_CLUSTER, words, prefix=False)
    else:
        require(
            space == nvvm_constraints.SHARED,
            "Shared::cta destination requires address-space 3.",
            prefix=False,
        )
        words = "Multicast is not supported with shared::cta mode."
        require(op.multicastMask is None, words, prefix=False)
        words = "Predicate is supported only for shared::cluster mode."
        require(op.predicate is None, words, prefix=False)
        require(op.group is None, "CTAGroup is not supported with shared::cta mode.", prefix=False)
    if op.predicate is not None:
        words = "Predicate is supported only for Tile and Im2col modes."
        require(op.mode in (TMALoadMode.TILE, TMALoadMode.IM2COL), words, prefix=False)
    check_load_mode(op)


def check_store_mode(
    op: nvvm_copy.CpAsyncBulkTensorReduceOp | nvvm_copy.CpAsyncBulkTensorSharedCTAToGlobalOp,
) -> None:
    """Raise `VerifyError` unless the number of coordinates matches the mode in which a copy writes the
    tensor: 5 for a scatter, else 1 to 5, at least 3 for im2col.
    """
    count = len(op.coordinates)
    if op.mode is TMAStoreMode.TILE_SCATTER4:
        words = "Scatter4 mode expects 5 coordinates"
        require(count == GATHERED_COORDINATES, words, prefix=False)
    else:
        check_coordinates(count, im2col=op.mode is TMAStoreMode.IM2COL)


def check_tensor_store(op: nvvm_copy.CpAsyncBulkTensorSharedCTAToGlobalOp) -> None:
    """Raise `VerifyError` unless a tensor copy to global memory that has a predicate is in tile mode without
    a cache hint, and the coordinates pass `check_store_mode`.
    """
    if op.predicate is not None:
        words = "Inline-ptx lowering supported only for Tile mode."
        require(op.mode is TMAStoreMode.TILE, words, prefix=False)
        words = "Inline-ptx lowering unsupported with L2 cache-hint."
        require(op.l2CacheHint is None, words, prefix=False)
    check_store_mode(op)


def check_tensor_reduction(op: nvvm_copy.CpAsyncBulkTensorReduceOp) -> None:
    """Raise `VerifyError` if a tensor reduction is in scatter mode, or its coordinates do not pass
    `check_store_mode`.
    """
    words = "Scatter mode unsupported for CpAsyncBulkTensorReduceOp"
    require(op.mode is not TMAStoreMode.TILE_SCATTER4, words, prefix=False)
    check_store_mode(op)


def check_bulk_store(op: nvvm_copy.BulkStoreOp) -> None:
    """Raise `VerifyError` unless ``st.bulk`` fills with zeros."""
    require(op.initVal == 0, f"only 0 is supported for initVal, got {op.initVal}")


def check_prefetch(op: nvvm_copy.PrefetchOp) -> None:
    """Raise `VerifyError` unless a prefetch has either a cache level or `tensormap`, a pointer into a space
    that it supports, and only options of its kind: a predicate with `tensormap`, an eviction priority for
    global memory to L2, `uniform` for generic pointers to L1.
    """
    level, space = op.cacheLevel, checked_type(op.addr).address_space
    words = "requires specification of either cache level or tensormap"
    require(level is not None or op.tensormap, words)
    require(level is None or not op.tensormap, "cannot specify both tensormap and cache level")
    if op.tensormap:
        words = "prefetch tensormap requires a generic or constant pointer"
        require(space in (nvvm_constraints.GENERIC, nvvm_constraints.CONSTANT), words)
        words = "prefetch tensormap does not support eviction priority"
        require(op.evictPriority is None, words)
        words = "in_param_space can only be specified for a generic pointer"
        require(not op.in_param_space or space == nvvm_constraints.GENERIC, words)
        return
    require(op.predicate is None, "predicate supported only on prefetch tensormap")
    words = "prefetch to cache level requires a generic, global, or local pointer"
    require(space in (nvvm_constraints.GENERIC, nvvm_constraints.GLOBAL, nvvm_constraints.LOCAL), words)
    if op.evictPriority is not None:
        _check_eviction(op)
    if op.uniform:
        words = "unsupported cache level, the only supported uniform cache level is L1"
        require(level is PrefetchCacheLevel.L1, words)
        require(space == nvvm_constraints.GENERIC, "prefetch to uniform cache requires a generic pointer")


def _check_eviction(op: nvvm_copy.PrefetchOp) -> None:
    space, priority = checked_type(op.addr).address_space, op.evictPriority
    known = (CacheEvictionPriority.EVICT_LAST, CacheEvictionPriority.EVICT_NORMAL)
    words = "cache eviction priority supported only for cache level L2"
    require(op.cacheLevel is PrefetchCacheLevel.L2, words)
    require(space == nvvm_constraints.GLOBAL, "cache eviction priority requires a global pointer")
    words = "unsupported cache eviction priority, only evict_last and evict_normal are supported"
    require(priority in known, words)
