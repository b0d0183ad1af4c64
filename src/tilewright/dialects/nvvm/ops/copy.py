"""Asynchronous copies and prefetches."""

from __future__ import annotations

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.common.traits import PredicateTrait
from tilewright.dialects.llvm.constraints import POINTER
from tilewright.dialects.llvm.kinds import BIT
from tilewright.dialects.nvvm.constraints import (
    BOOL,
    CLUSTER_POINTER,
    GENERIC_OR_CLUSTER,
    GENERIC_OR_SHARED,
    GENERIC_POINTER,
    GLOBAL_POINTER,
    INT16,
    INT32,
    INT64,
    PREFETCHABLE,
    SHARED_OR_CLUSTER,
    SHARED_POINTER,
    RequiresSM,
)
from tilewright.dialects.nvvm.enums.memory import (
    CacheEvictionPriority,
    LoadCacheModifierKind,
    PrefetchCacheLevel,
    TMALoadMode,
    TMAReduxKind,
    TMAStoreMode,
)
from tilewright.dialects.nvvm.enums.tcgen05 import CTAGroupKind
from tilewright.dialects.nvvm.kinds import (
    CACHE_EVICTION_PRIORITY,
    COUNT,
    CTA_GROUP,
    LOAD_CACHE_MODIFIER,
    PREFETCH_CACHE_LEVEL,
    TMA_LOAD_MODE,
    TMA_REDUX,
    TMA_STORE_MODE,
)
from tilewright.dialects.nvvm.rules.barrier import is_mapped
from tilewright.dialects.nvvm.rules.copy import (
    check_bulk_copy,
    check_bulk_store,
    check_copy,
    check_load_mode,
    check_prefetch,
    check_tensor_load,
    check_tensor_reduction,
    check_tensor_store,
)
from tilewright.dialects.nvvm.syntax.copy import ShortPointerOp
from tilewright.ir.builtin_types import i32
from tilewright.ir.declaration.attribute_kind import BoolKind, IntegerKind
from tilewright.ir.declaration.fields import (
    attr_def,
    flag_def,
    operand_def,
    optional_attr_def,
    optional_operand_def,
    result_def,
    variadic_operand_def,
)
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

SIZE_DOC = "How many bytes."
MODE_DOC = "How the copy walks through the tensor."
ADDR_DOC = "The address."
L2_CACHE_HINT_DOC = "The cache policy."
TMA_DESCRIPTOR_DOC = "The descriptor of the tensor."
DST_MEM_DOC = "The destination."
MBAR_DOC = "The mbarrier that counts the bytes."
SRC_MEM_DOC = "The source."
COORDINATES_DOC = "Where the box begins, innermost dimension first."
PREDICATE_DOC = "Whether the instruction is executed."
MULTICAST_MASK_DOC = "The blocks of the cluster that receive the data, one bit each."


class CpAsyncOp(StandardOp, name="nvvm.cp.async.shared.global"):
    """Starts a copy of 4, 8 or 16 bytes from global to shared memory."""

    dst: Value = operand_def(SHARED_POINTER, DST_MEM_DOC)
    src: Value = operand_def(GLOBAL_POINTER, SRC_MEM_DOC)
    size: int = attr_def(IntegerKind(i32), SIZE_DOC)
    modifier: LoadCacheModifierKind = attr_def(LOAD_CACHE_MODIFIER, "The caches that the copy goes through.")
    cpSize: Value | None = optional_operand_def(
        INT32, "How many bytes are read; the rest of the destination is filled with zeros.", default=None
    )
    assembly_format = (
        "$dst `,` $src `,` $size `,` `cache` `=` $modifier (`,` $cpSize^)? attr-dict `:` type(operands)"
    )

    def verify_(self) -> None:
        check_copy(self)


class CpAsyncCommitGroupOp(StandardOp, name="nvvm.cp.async.commit.group"):
    """Unites all copies since the last group into one."""

    assembly_format = "attr-dict"


class CpAsyncWaitGroupOp(StandardOp, name="nvvm.cp.async.wait.group"):
    """Waits until at most ``n`` groups are under way."""

    n: int = attr_def(IntegerKind(i32), "How many groups may be under way.")
    assembly_format = "$n attr-dict"


class CpAsyncMBarrierArriveOp(StandardOp, name="nvvm.cp.async.mbarrier.arrive"):
    """Makes an mbarrier count the completion of all earlier copies."""

    addr: Value = operand_def(GENERIC_OR_SHARED, ADDR_DOC)
    noinc: bool = attr_def(BIT, "Whether the expected number of arrivals stays as it is.", default=False)
    assembly_format = "$addr attr-dict `:` type(operands)"


class CpAsyncBulkGlobalToSharedClusterOp(ShortPointerOp, name="nvvm.cp.async.bulk.shared.cluster.global"):
    """Starts a bulk copy from global memory to shared memory of the cluster."""

    dstMem: Value = operand_def(SHARED_OR_CLUSTER, DST_MEM_DOC)
    srcMem: Value = operand_def(GLOBAL_POINTER, SRC_MEM_DOC)
    mbar: Value = operand_def(SHARED_POINTER, MBAR_DOC)
    size: Value = operand_def(INT32, SIZE_DOC)
    multicastMask: Value | None = optional_operand_def(INT16, MULTICAST_MASK_DOC, default=None)
    l2CacheHint: Value | None = optional_operand_def(INT64, L2_CACHE_HINT_DOC, default=None)
    assembly_format = (
        "$dstMem `,` $srcMem `,` $mbar `,` $size (`multicast_mask` `=` $multicastMask^ )? "
        "(`l2_cache_hint` `=` $l2CacheHint^ )? attr-dict `:` type($dstMem) `,` type($srcMem)"
    )

    def verify_(self) -> None:
        check_bulk_copy(self)


class CpAsyncBulkSharedCTAToGlobalOp(ShortPointerOp, name="nvvm.cp.async.bulk.global.shared.cta"):
    """Starts a bulk copy from shared to global memory."""

    dstMem: Value = operand_def(GLOBAL_POINTER, DST_MEM_DOC)
    srcMem: Value = operand_def(SHARED_POINTER, SRC_MEM_DOC)
    size: Value = operand_def(INT32, SIZE_DOC)
    l2CacheHint: Value | None = optional_operand_def(INT64, L2_CACHE_HINT_DOC, default=None)
    byteMask: Value | None = optional_operand_def(
        INT16, "The mask of the written bytes of each 16.", default=None
    )
    assembly_format = (
        "$dstMem `,` $srcMem `,` $size (`l2_cache_hint` `=` $l2CacheHint^ )? (`byte_mask` `=` "
        "$byteMask^ )? attr-dict `:` type($dstMem) `,` type($srcMem)"
    )


class CpAsyncBulkSharedCTAToSharedClusterOp(
    ShortPointerOp, name="nvvm.cp.async.bulk.shared.cluster.shared.cta"
):
    """Starts a bulk copy from shared memory to the shared memory of another block of the cluster."""

    dstMem: Value = operand_def(CLUSTER_POINTER, DST_MEM_DOC)
    srcMem: Value = operand_def(SHARED_POINTER, SRC_MEM_DOC)
    mbar: Value = operand_def(SHARED_POINTER, MBAR_DOC)
    size: Value = operand_def(INT32, SIZE_DOC)
    assembly_format = "$dstMem `,` $srcMem `,` $mbar `,` $size attr-dict `:` type($dstMem) `,` type($srcMem)"


class CpAsyncBulkPrefetchOp(ShortPointerOp, name="nvvm.cp.async.bulk.prefetch"):
    """Starts bringing global memory to the L2 cache."""

    srcMem: Value = operand_def(GLOBAL_POINTER, SRC_MEM_DOC)
    size: Value = operand_def(INT32, SIZE_DOC)
    l2CacheHint: Value | None = optional_operand_def(INT64, L2_CACHE_HINT_DOC, default=None)
    assembly_format = "$srcMem `,` $size (`l2_cache_hint` `=` $l2CacheHint^ )? attr-dict `:` type($srcMem)"


class CpAsyncBulkCommitGroupOp(StandardOp, name="nvvm.cp.async.bulk.commit.group"):
    """Unites all bulk copies since the last group into one."""

    assembly_format = "attr-dict"


class CpAsyncBulkWaitGroupOp(StandardOp, name="nvvm.cp.async.bulk.wait_group"):
    """Waits until at most ``group`` groups of bulk copies are under way."""

    group: int = attr_def(COUNT, "How many groups may be under way.")
    read: bool = flag_def("Whether it is enough that the sources have been read.", default=False)
    assembly_format = "$group attr-dict"
    traits = (RequiresSM(90),)


class CpAsyncBulkTensorGlobalToSharedClusterOp(
    StandardOp, name="nvvm.cp.async.bulk.tensor.shared.cluster.global"
):
    """Starts a copy of a box of a tensor from global to shared memory."""

    dstMem: Value = operand_def(SHARED_OR_CLUSTER, DST_MEM_DOC)
    tmaDescriptor: Value = operand_def(GENERIC_POINTER, TMA_DESCRIPTOR_DOC)
    coordinates: tuple[Value, ...] = variadic_operand_def(INT32, COORDINATES_DOC)
    mbar: Value = operand_def(SHARED_POINTER, MBAR_DOC)
    im2colOffsets: tuple[Value, ...] = variadic_operand_def(
        INT16, "The offsets of the `im2col` modes.", default=()
    )
    multicastMask: Value | None = optional_operand_def(INT16, MULTICAST_MASK_DOC, default=None)
    l2CacheHint: Value | None = optional_operand_def(INT64, L2_CACHE_HINT_DOC, default=None)
    predicate: Value | None = optional_operand_def(BOOL, PREDICATE_DOC, default=None)
    mode: TMALoadMode = attr_def(TMA_LOAD_MODE, MODE_DOC, default=TMALoadMode.TILE)
    isCTAOnly: bool = attr_def(
        BoolKind(), "Whether the destination is the shared memory of this block.", default=False
    )
    group: CTAGroupKind | None = optional_attr_def(CTA_GROUP, "How many blocks work together.", default=None)
    assembly_format = (
        "$dstMem `,` $tmaDescriptor `,` $mbar `,` `box` `[`$coordinates `]` (`im2col` `[` "
        "$im2colOffsets^ `]` )? (`multicast_mask` `=` $multicastMask^ )? (`l2_cache_hint` `=` "
        "$l2CacheHint^ )? (`predicate` `=` $predicate^)? attr-dict `:` type($dstMem) `,` "
        "type($tmaDescriptor)"
    )
    traits = (RequiresSM(90),)

    def verify_(self) -> None:
        check_tensor_load(self)


class CpAsyncBulkTensorSharedCTAToGlobalOp(
    ShortPointerOp, name="nvvm.cp.async.bulk.tensor.global.shared.cta"
):
    """Starts a copy of a box of a tensor from shared to global memory."""

    tmaDescriptor: Value = operand_def(GENERIC_POINTER, TMA_DESCRIPTOR_DOC)
    srcMem: Value = operand_def(SHARED_POINTER, SRC_MEM_DOC)
    coordinates: tuple[Value, ...] = variadic_operand_def(INT32, COORDINATES_DOC, default=())
    l2CacheHint: Value | None = optional_operand_def(INT64, L2_CACHE_HINT_DOC, default=None)
    predicate: Value | None = optional_operand_def(BOOL, PREDICATE_DOC, default=None)
    mode: TMAStoreMode = attr_def(TMA_STORE_MODE, MODE_DOC, default=TMAStoreMode.TILE)
    assembly_format = (
        "$tmaDescriptor `,` $srcMem `,` `box` `[`$coordinates `]` (`l2_cache_hint` `=` $l2CacheHint^ "
        ")? (`,` `predicate` `=` $predicate^)? attr-dict `:` type($tmaDescriptor) `,` type($srcMem)"
    )

    def verify_(self) -> None:
        check_tensor_store(self)


class CpAsyncBulkTensorPrefetchOp(StandardOp, name="nvvm.cp.async.bulk.tensor.prefetch"):
    """Starts bringing a box of a tensor to the L2 cache."""

    tmaDescriptor: Value = operand_def(GENERIC_POINTER, TMA_DESCRIPTOR_DOC)
    coordinates: tuple[Value, ...] = variadic_operand_def(INT32, COORDINATES_DOC, default=())
    im2colOffsets: tuple[Value, ...] = variadic_operand_def(
        INT16, "The offsets of the `im2col` modes.", default=()
    )
    l2CacheHint: Value | None = optional_operand_def(INT64, L2_CACHE_HINT_DOC, default=None)
    mode: TMALoadMode = attr_def(TMA_LOAD_MODE, MODE_DOC, default=TMALoadMode.TILE)
    assembly_format = (
        "$tmaDescriptor `,` `box` `[`$coordinates `]` (`im2col` `[` $im2colOffsets^ `]` )? "
        "(`l2_cache_hint` `=` $l2CacheHint^ )? attr-dict `:` type($tmaDescriptor)"
    )

    def verify_(self) -> None:
        check_load_mode(self)


class CpAsyncBulkTensorReduceOp(ShortPointerOp, name="nvvm.cp.async.bulk.tensor.reduce"):
    """Starts a reduction of a box from shared memory into a tensor in global memory."""

    tmaDescriptor: Value = operand_def(POINTER, TMA_DESCRIPTOR_DOC)
    srcMem: Value = operand_def(SHARED_POINTER, SRC_MEM_DOC)
    redKind: TMAReduxKind = attr_def(TMA_REDUX, "How the data are combined.")
    coordinates: tuple[Value, ...] = variadic_operand_def(INT32, COORDINATES_DOC, default=())
    l2CacheHint: Value | None = optional_operand_def(INT64, L2_CACHE_HINT_DOC, default=None)
    mode: TMAStoreMode = attr_def(TMA_STORE_MODE, MODE_DOC, default=TMAStoreMode.TILE)
    assembly_format = (
        "$tmaDescriptor `,` $srcMem `,` `box` `[`$coordinates `]` (`l2_cache_hint` `=` $l2CacheHint^ "
        ")? attr-dict `:` type($tmaDescriptor) `,` type($srcMem)"
    )

    def verify_(self) -> None:
        check_tensor_reduction(self)


class BulkStoreOp(StandardOp, name="nvvm.st.bulk"):
    """Fills shared memory with zeros."""

    addr: Value = operand_def(GENERIC_OR_SHARED, ADDR_DOC)
    size: Value = operand_def(INT64, SIZE_DOC)
    initVal: int = attr_def(IntegerKind(), "The value, which must be zero.", default=0)
    assembly_format = "$addr `,` `size` `=` $size (`,` `init` `=` $initVal^)? attr-dict `:` type($addr)"

    def verify_(self) -> None:
        check_bulk_store(self)


class PrefetchOp(StandardOp, name="nvvm.prefetch"):
    """Brings memory to a cache."""

    addr: Value = operand_def(PREFETCHABLE, ADDR_DOC)
    predicate: Value | None = optional_operand_def(BOOL, PREDICATE_DOC, default=None)
    cacheLevel: PrefetchCacheLevel | None = optional_attr_def(
        PREFETCH_CACHE_LEVEL, "The cache.", default=None
    )
    evictPriority: CacheEvictionPriority | None = optional_attr_def(
        CACHE_EVICTION_PRIORITY, "How soon the cache may drop the data.", default=None
    )
    tensormap: bool = flag_def("Whether the memory holds a tensor descriptor.", default=False)
    uniform: bool = flag_def("Whether the uniform cache is meant.", default=False)
    in_param_space: bool = flag_def("Whether the memory is a kernel parameter.", default=False)
    assembly_format = (
        "(`level` `=` $cacheLevel^ (`uniform` $uniform^)? `,`)? (`tensormap` $tensormap^ "
        "(`in_param_space` $in_param_space^)? `,`)? (`evict_priority` `=` $evictPriority^ `,`)? "
        "$addr (`,` `predicate` `=` $predicate^)? attr-dict `:` type(operands)"
    )

    def verify_(self) -> None:
        check_prefetch(self)


class MapaOp(StandardOp, name="nvvm.mapa"):
    """The address of the same shared variable in another block of the cluster."""

    a: Value = operand_def(GENERIC_OR_SHARED, "The address in this block.")
    b: Value = operand_def(INT32, "The rank of the other block.")
    res: Value = result_def(GENERIC_OR_CLUSTER, "The result.")
    assembly_format = "$a`,` $b attr-dict `:` type($a) `->` type($res)"
    traits = (
        PredicateTrait("Valid address-space check(or mapping) for mapa Op", is_mapped),
        RequiresSM(90),
    )


OPERATIONS: tuple[type[Operation], ...] = (
    CpAsyncOp,
    CpAsyncCommitGroupOp,
    CpAsyncWaitGroupOp,
    CpAsyncMBarrierArriveOp,
    CpAsyncBulkGlobalToSharedClusterOp,
    CpAsyncBulkSharedCTAToGlobalOp,
    CpAsyncBulkSharedCTAToSharedClusterOp,
    CpAsyncBulkPrefetchOp,
    CpAsyncBulkCommitGroupOp,
    CpAsyncBulkWaitGroupOp,
    CpAsyncBulkTensorGlobalToSharedClusterOp,
    CpAsyncBulkTensorSharedCTAToGlobalOp,
    CpAsyncBulkTensorPrefetchOp,
    CpAsyncBulkTensorReduceOp,
    BulkStoreOp,
    PrefetchOp,
    MapaOp,
)
"""The operations of this module."""
