"""Asynchronous copies and prefetches."""

from __future__ import annotations

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.common.traits import PredicateTrait
from tilewright.dialects.llvm import constraints as llvm_constraints, kinds as llvm_kinds
from tilewright.dialects.nvvm import constraints as nvvm_constraints, kinds as nvvm_kinds
from tilewright.dialects.nvvm.enums import memory as memory_enums, tcgen05 as tcgen05_enums
from tilewright.dialects.nvvm.rules import barrier as barrier_rules, copy as copy_rules
from tilewright.dialects.nvvm.syntax.copy import ShortPointerOp
from tilewright.ir.builtin_types import i32
from tilewright.ir.declaration import fields
from tilewright.ir.declaration.attribute_kind import BoolKind, IntegerKind
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
    """Starts a copy of `size` bytes, 4, 8 or 16, from global to shared memory. With `cpSize` only these bytes
    are read, and the rest is filled with zeros.
    """

    dst: Value = fields.operand_def(nvvm_constraints.SHARED_POINTER, DST_MEM_DOC)
    src: Value = fields.operand_def(nvvm_constraints.GLOBAL_POINTER, SRC_MEM_DOC)
    size: int = fields.attr_def(IntegerKind(i32), SIZE_DOC)
    modifier: memory_enums.LoadCacheModifierKind = fields.attr_def(
        nvvm_kinds.LOAD_CACHE_MODIFIER, "The caches that the copy goes through."
    )
    cpSize: Value | None = fields.optional_operand_def(
        nvvm_constraints.INT32,
        "How many bytes are read; the rest of the destination is filled with zeros.",
        default=None,
    )
    assembly_format = (
        "$dst `,` $src `,` $size `,` `cache` `=` $modifier (`,` $cpSize^)? attr-dict `:` type(operands)"
    )

    def verify_(self) -> None:
        copy_rules.check_copy(self)


class CpAsyncCommitGroupOp(StandardOp, name="nvvm.cp.async.commit.group"):
    """Makes a group of the thread's asynchronous copies since the last group."""

    assembly_format = "attr-dict"


class CpAsyncWaitGroupOp(StandardOp, name="nvvm.cp.async.wait.group"):
    """Waits until at most ``n`` groups of asynchronous copies of the thread are pending."""

    n: int = fields.attr_def(IntegerKind(i32), "How many groups may be under way.")
    assembly_format = "$n attr-dict"


class CpAsyncMBarrierArriveOp(StandardOp, name="nvvm.cp.async.mbarrier.arrive"):
    """Lets an mbarrier count an arrival when all earlier asynchronous copies of the thread are complete."""

    addr: Value = fields.operand_def(nvvm_constraints.GENERIC_OR_SHARED, ADDR_DOC)
    noinc: bool = fields.attr_def(
        llvm_kinds.BIT, "Whether the expected number of arrivals stays as it is.", default=False
    )
    assembly_format = "$addr attr-dict `:` type(operands)"


class CpAsyncBulkGlobalToSharedClusterOp(ShortPointerOp, name="nvvm.cp.async.bulk.shared.cluster.global"):
    """Starts a bulk copy of `size` bytes from global memory to shared memory of the cluster; the mbarrier
    counts the bytes.
    """

    dstMem: Value = fields.operand_def(nvvm_constraints.SHARED_OR_CLUSTER, DST_MEM_DOC)
    srcMem: Value = fields.operand_def(nvvm_constraints.GLOBAL_POINTER, SRC_MEM_DOC)
    mbar: Value = fields.operand_def(nvvm_constraints.SHARED_POINTER, MBAR_DOC)
    size: Value = fields.operand_def(nvvm_constraints.INT32, SIZE_DOC)
    multicastMask: Value | None = fields.optional_operand_def(
        nvvm_constraints.INT16, MULTICAST_MASK_DOC, default=None
    )
    l2CacheHint: Value | None = fields.optional_operand_def(
        nvvm_constraints.INT64, L2_CACHE_HINT_DOC, default=None
    )
    assembly_format = (
        "$dstMem `,` $srcMem `,` $mbar `,` $size (`multicast_mask` `=` $multicastMask^ )? "
        "(`l2_cache_hint` `=` $l2CacheHint^ )? attr-dict `:` type($dstMem) `,` type($srcMem)"
    )

    def verify_(self) -> None:
        copy_rules.check_bulk_copy(self)


class CpAsyncBulkSharedCTAToGlobalOp(ShortPointerOp, name="nvvm.cp.async.bulk.global.shared.cta"):
    """Starts a bulk copy of `size` bytes from shared to global memory; with `byteMask`, of the selected bytes
    of each 16 only.
    """

    dstMem: Value = fields.operand_def(nvvm_constraints.GLOBAL_POINTER, DST_MEM_DOC)
    srcMem: Value = fields.operand_def(nvvm_constraints.SHARED_POINTER, SRC_MEM_DOC)
    size: Value = fields.operand_def(nvvm_constraints.INT32, SIZE_DOC)
    l2CacheHint: Value | None = fields.optional_operand_def(
        nvvm_constraints.INT64, L2_CACHE_HINT_DOC, default=None
    )
    byteMask: Value | None = fields.optional_operand_def(
        nvvm_constraints.INT16, "The mask of the written bytes of each 16.", default=None
    )
    assembly_format = (
        "$dstMem `,` $srcMem `,` $size (`l2_cache_hint` `=` $l2CacheHint^ )? (`byte_mask` `=` "
        "$byteMask^ )? attr-dict `:` type($dstMem) `,` type($srcMem)"
    )


class CpAsyncBulkSharedCTAToSharedClusterOp(
    ShortPointerOp, name="nvvm.cp.async.bulk.shared.cluster.shared.cta"
):
    """Starts a bulk copy of `size` bytes from shared memory to the shared memory of another block of the
    cluster; the mbarrier counts the bytes.
    """

    dstMem: Value = fields.operand_def(nvvm_constraints.CLUSTER_POINTER, DST_MEM_DOC)
    srcMem: Value = fields.operand_def(nvvm_constraints.SHARED_POINTER, SRC_MEM_DOC)
    mbar: Value = fields.operand_def(nvvm_constraints.SHARED_POINTER, MBAR_DOC)
    size: Value = fields.operand_def(nvvm_constraints.INT32, SIZE_DOC)
    assembly_format = "$dstMem `,` $srcMem `,` $mbar `,` $size attr-dict `:` type($dstMem) `,` type($srcMem)"


class CpAsyncBulkPrefetchOp(ShortPointerOp, name="nvvm.cp.async.bulk.prefetch"):
    """Starts a prefetch of `size` bytes of global memory to the L2 cache."""

    srcMem: Value = fields.operand_def(nvvm_constraints.GLOBAL_POINTER, SRC_MEM_DOC)
    size: Value = fields.operand_def(nvvm_constraints.INT32, SIZE_DOC)
    l2CacheHint: Value | None = fields.optional_operand_def(
        nvvm_constraints.INT64, L2_CACHE_HINT_DOC, default=None
    )
    assembly_format = "$srcMem `,` $size (`l2_cache_hint` `=` $l2CacheHint^ )? attr-dict `:` type($srcMem)"


class CpAsyncBulkCommitGroupOp(StandardOp, name="nvvm.cp.async.bulk.commit.group"):
    """Makes a group of the thread's bulk copies since the last group."""

    assembly_format = "attr-dict"


class CpAsyncBulkWaitGroupOp(StandardOp, name="nvvm.cp.async.bulk.wait_group"):
    """Waits until at most ``group`` groups of bulk copies of the thread are pending."""

    group: int = fields.attr_def(nvvm_kinds.COUNT, "How many groups may be under way.")
    read: bool = fields.flag_def("Whether it is enough that the sources have been read.", default=False)
    assembly_format = "$group attr-dict"
    traits = (nvvm_constraints.RequiresSM(90),)


class CpAsyncBulkTensorGlobalToSharedClusterOp(
    StandardOp, name="nvvm.cp.async.bulk.tensor.shared.cluster.global"
):
    """Starts a copy of a box of a tensor from global memory to shared memory, of this block if `isCTAOnly`,
    else of the cluster; the mbarrier counts the bytes.
    """

    dstMem: Value = fields.operand_def(nvvm_constraints.SHARED_OR_CLUSTER, DST_MEM_DOC)
    tmaDescriptor: Value = fields.operand_def(nvvm_constraints.GENERIC_POINTER, TMA_DESCRIPTOR_DOC)
    coordinates: tuple[Value, ...] = fields.variadic_operand_def(nvvm_constraints.INT32, COORDINATES_DOC)
    mbar: Value = fields.operand_def(nvvm_constraints.SHARED_POINTER, MBAR_DOC)
    im2colOffsets: tuple[Value, ...] = fields.variadic_operand_def(
        nvvm_constraints.INT16, "The offsets of the `im2col` modes.", default=()
    )
    multicastMask: Value | None = fields.optional_operand_def(
        nvvm_constraints.INT16, MULTICAST_MASK_DOC, default=None
    )
    l2CacheHint: Value | None = fields.optional_operand_def(
        nvvm_constraints.INT64, L2_CACHE_HINT_DOC, default=None
    )
    predicate: Value | None = fields.optional_operand_def(nvvm_constraints.BOOL, PREDICATE_DOC, default=None)
    mode: memory_enums.TMALoadMode = fields.attr_def(
        nvvm_kinds.TMA_LOAD_MODE, MODE_DOC, default=memory_enums.TMALoadMode.TILE
    )
    isCTAOnly: bool = fields.attr_def(
        BoolKind(), "Whether the destination is the shared memory of this block.", default=False
    )
    group: tcgen05_enums.CTAGroupKind | None = fields.optional_attr_def(
        nvvm_kinds.CTA_GROUP, "How many blocks work together.", default=None
    )
    assembly_format = (
        "$dstMem `,` $tmaDescriptor `,` $mbar `,` `box` `[`$coordinates `]` (`im2col` `[` "
        "$im2colOffsets^ `]` )? (`multicast_mask` `=` $multicastMask^ )? (`l2_cache_hint` `=` "
        "$l2CacheHint^ )? (`predicate` `=` $predicate^)? attr-dict `:` type($dstMem) `,` "
        "type($tmaDescriptor)"
    )
    traits = (nvvm_constraints.RequiresSM(90),)

    def verify_(self) -> None:
        copy_rules.check_tensor_load(self)


class CpAsyncBulkTensorSharedCTAToGlobalOp(
    ShortPointerOp, name="nvvm.cp.async.bulk.tensor.global.shared.cta"
):
    """Starts a copy from shared memory to the box of a tensor in global memory that begins at `coordinates`.
    `mode` says how the box lies in the tensor.
    """

    tmaDescriptor: Value = fields.operand_def(nvvm_constraints.GENERIC_POINTER, TMA_DESCRIPTOR_DOC)
    srcMem: Value = fields.operand_def(nvvm_constraints.SHARED_POINTER, SRC_MEM_DOC)
    coordinates: tuple[Value, ...] = fields.variadic_operand_def(
        nvvm_constraints.INT32, COORDINATES_DOC, default=()
    )
    l2CacheHint: Value | None = fields.optional_operand_def(
        nvvm_constraints.INT64, L2_CACHE_HINT_DOC, default=None
    )
    predicate: Value | None = fields.optional_operand_def(nvvm_constraints.BOOL, PREDICATE_DOC, default=None)
    mode: memory_enums.TMAStoreMode = fields.attr_def(
        nvvm_kinds.TMA_STORE_MODE, MODE_DOC, default=memory_enums.TMAStoreMode.TILE
    )
    assembly_format = (
        "$tmaDescriptor `,` $srcMem `,` `box` `[`$coordinates `]` (`l2_cache_hint` `=` $l2CacheHint^ "
        ")? (`,` `predicate` `=` $predicate^)? attr-dict `:` type($tmaDescriptor) `,` type($srcMem)"
    )

    def verify_(self) -> None:
        copy_rules.check_tensor_store(self)


class CpAsyncBulkTensorPrefetchOp(StandardOp, name="nvvm.cp.async.bulk.tensor.prefetch"):
    """Starts a prefetch to the L2 cache of the box of a tensor that begins at `coordinates`. `mode` says how
    the box lies in the tensor.
    """

    tmaDescriptor: Value = fields.operand_def(nvvm_constraints.GENERIC_POINTER, TMA_DESCRIPTOR_DOC)
    coordinates: tuple[Value, ...] = fields.variadic_operand_def(
        nvvm_constraints.INT32, COORDINATES_DOC, default=()
    )
    im2colOffsets: tuple[Value, ...] = fields.variadic_operand_def(
        nvvm_constraints.INT16, "The offsets of the `im2col` modes.", default=()
    )
    l2CacheHint: Value | None = fields.optional_operand_def(
        nvvm_constraints.INT64, L2_CACHE_HINT_DOC, default=None
    )
    mode: memory_enums.TMALoadMode = fields.attr_def(
        nvvm_kinds.TMA_LOAD_MODE, MODE_DOC, default=memory_enums.TMALoadMode.TILE
    )
    assembly_format = (
        "$tmaDescriptor `,` `box` `[`$coordinates `]` (`im2col` `[` $im2colOffsets^ `]` )? "
        "(`l2_cache_hint` `=` $l2CacheHint^ )? attr-dict `:` type($tmaDescriptor)"
    )

    def verify_(self) -> None:
        copy_rules.check_load_mode(self)


class CpAsyncBulkTensorReduceOp(ShortPointerOp, name="nvvm.cp.async.bulk.tensor.reduce"):
    """Starts a reduction that combines a box of a tensor in global memory with data in shared memory by
    `redKind`; the box receives the results.
    """

    tmaDescriptor: Value = fields.operand_def(llvm_constraints.POINTER, TMA_DESCRIPTOR_DOC)
    srcMem: Value = fields.operand_def(nvvm_constraints.SHARED_POINTER, SRC_MEM_DOC)
    redKind: memory_enums.TMAReduxKind = fields.attr_def(nvvm_kinds.TMA_REDUX, "How the data are combined.")
    coordinates: tuple[Value, ...] = fields.variadic_operand_def(
        nvvm_constraints.INT32, COORDINATES_DOC, default=()
    )
    l2CacheHint: Value | None = fields.optional_operand_def(
        nvvm_constraints.INT64, L2_CACHE_HINT_DOC, default=None
    )
    mode: memory_enums.TMAStoreMode = fields.attr_def(
        nvvm_kinds.TMA_STORE_MODE, MODE_DOC, default=memory_enums.TMAStoreMode.TILE
    )
    assembly_format = (
        "$tmaDescriptor `,` $srcMem `,` `box` `[`$coordinates `]` (`l2_cache_hint` `=` $l2CacheHint^ "
        ")? attr-dict `:` type($tmaDescriptor) `,` type($srcMem)"
    )

    def verify_(self) -> None:
        copy_rules.check_tensor_reduction(self)


class BulkStoreOp(StandardOp, name="nvvm.st.bulk"):
    """Fills `size` bytes of shared memory at `addr` with zeros; another value than 0 for `initVal` is
    refused.
    """

    addr: Value = fields.operand_def(nvvm_constraints.GENERIC_OR_SHARED, ADDR_DOC)
    size: Value = fields.operand_def(nvvm_constraints.INT64, SIZE_DOC)
    initVal: int = fields.attr_def(IntegerKind(), "The value, which must be zero.", default=0)
    assembly_format = "$addr `,` `size` `=` $size (`,` `init` `=` $initVal^)? attr-dict `:` type($addr)"

    def verify_(self) -> None:
        copy_rules.check_bulk_store(self)


class PrefetchOp(StandardOp, name="nvvm.prefetch"):
    """Brings the memory at `addr` to the cache `cacheLevel`, or, with `tensormap`, prefetches the tensor
    descriptor at `addr`. Exactly one of the two is given.
    """

    addr: Value = fields.operand_def(nvvm_constraints.PREFETCHABLE, ADDR_DOC)
    predicate: Value | None = fields.optional_operand_def(nvvm_constraints.BOOL, PREDICATE_DOC, default=None)
    cacheLevel: memory_enums.PrefetchCacheLevel | None = fields.optional_attr_def(
        nvvm_kinds.PREFETCH_CACHE_LEVEL, "The cache.", default=None
    )
    evictPriority: memory_enums.CacheEvictionPriority | None = fields.optional_attr_def(
        nvvm_kinds.CACHE_EVICTION_PRIORITY, "How soon the cache may drop the data.", default=None
    )
    tensormap: bool = fields.flag_def("Whether the memory holds a tensor descriptor.", default=False)
    uniform: bool = fields.flag_def("Whether the uniform cache is meant.", default=False)
    in_param_space: bool = fields.flag_def("Whether the memory is a kernel parameter.", default=False)
    assembly_format = (
        "(`level` `=` $cacheLevel^ (`uniform` $uniform^)? `,`)? (`tensormap` $tensormap^ "
        "(`in_param_space` $in_param_space^)? `,`)? (`evict_priority` `=` $evictPriority^ `,`)? "
        "$addr (`,` `predicate` `=` $predicate^)? attr-dict `:` type(operands)"
    )

    def verify_(self) -> None:
        copy_rules.check_prefetch(self)


class MapaOp(StandardOp, name="nvvm.mapa"):
    """Returns the address, in the block of the cluster with the rank `b`, of the shared variable that has the
    address `a` in this block.
    """

    a: Value = fields.operand_def(nvvm_constraints.GENERIC_OR_SHARED, "The address in this block.")
    b: Value = fields.operand_def(nvvm_constraints.INT32, "The rank of the other block.")
    res: Value = fields.result_def(nvvm_constraints.GENERIC_OR_CLUSTER, "The result.")
    assembly_format = "$a`,` $b attr-dict `:` type($a) `->` type($res)"
    traits = (
        PredicateTrait("Valid address-space check(or mapping) for mapa Op", barrier_rules.is_mapped),
        nvvm_constraints.RequiresSM(90),
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
