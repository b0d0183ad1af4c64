"""Barriers, fences, and what threads of a warp or cluster tell each other."""

from __future__ import annotations

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.nvvm import constraints as nvvm_constraints, kinds as nvvm_kinds
from tilewright.dialects.nvvm.enums import barriers as barriers_enums
from tilewright.dialects.nvvm.rules import barrier as barrier_rules
from tilewright.dialects.nvvm.syntax.copy import QualifiedOp
from tilewright.ir.declaration import constraint as declaration_constraint, fields
from tilewright.ir.declaration.attribute_kind import BoolKind
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

SAME_INT32_OR_FLOAT32 = declaration_constraint.TypeVariable("T", nvvm_constraints.INT32_OR_FLOAT32)
SCOPE_DOC = "Among which threads memory is ordered."
NUMBER_OF_THREADS_DOC = "How many threads; all of the block by default."
TO_PROXY_DOC = "The path of the reads."
FROM_PROXY_DOC = "The path of the writes."
RES_DOC = "The result."
VAL_DOC = "The value."
ALIGNED_DOC = "Whether all threads of the warp execute the same instruction."
THREAD_MASK_DOC = "The mask of the lanes that take part."
KIND_DOC = "The kind of the instruction."


class Barrier0Op(StandardOp, name="nvvm.barrier0"):
    """Waits at barrier 0 until all threads of the block have arrived."""

    assembly_format = "attr-dict"


class BarrierOp(QualifiedOp, name="nvvm.barrier"):
    """Waits at a barrier until the given number of threads, or all threads of the block, have arrived. A
    barrier without an id, which is barrier 0, may reduce a predicate over the threads; the result is the
    reduced value.
    """

    barrierId: Value | None = fields.optional_operand_def(
        nvvm_constraints.INT32, "The number of the barrier, 0 to 15; 0 by default.", default=None
    )
    numberOfThreads: Value | None = fields.optional_operand_def(
        nvvm_constraints.INT32, NUMBER_OF_THREADS_DOC, default=None
    )
    reductionPredicate: Value | None = fields.optional_operand_def(
        nvvm_constraints.INT32, "The predicate of this thread.", default=None
    )
    reductionOp: barriers_enums.BarrierReduction | None = fields.optional_attr_def(
        nvvm_kinds.BARRIER_REDUCTION, "The reduction of the predicates.", default=None
    )
    res: Value | None = fields.optional_result_def(nvvm_constraints.INT32, RES_DOC)
    assembly_format = (
        "(`id` `=` $barrierId^)? (`number_of_threads` `=` $numberOfThreads^)? "
        "(qualified($reductionOp)^ $reductionPredicate)? (`->` type($res)^)? attr-dict"
    )

    def verify_(self) -> None:
        barrier_rules.check_barrier(self)


class BarrierArriveOp(StandardOp, name="nvvm.barrier.arrive"):
    """Arrives at a barrier, which waits for `numberOfThreads` threads, without waiting."""

    barrierId: Value | None = fields.optional_operand_def(
        nvvm_constraints.INT32, "The number of the barrier, 0 to 15; 0 by default."
    )
    numberOfThreads: Value = fields.operand_def(
        nvvm_constraints.INT32, "The number of threads that the barrier waits for."
    )
    assembly_format = "(`id` `=` $barrierId^)? `number_of_threads` `=` $numberOfThreads attr-dict"


class SyncWarpOp(StandardOp, name="nvvm.bar.warp.sync"):
    """Waits until all threads of the warp in the mask have arrived."""

    mask: Value = fields.operand_def(nvvm_constraints.INT32, THREAD_MASK_DOC)
    assembly_format = "$mask attr-dict `:` type($mask)"


class ClusterArriveOp(StandardOp, name="nvvm.cluster.arrive"):
    """Arrives at the barrier of the cluster without waiting; the memory accesses before it are ordered before
    the end of `cluster.wait`.
    """

    aligned: bool = fields.flag_def(ALIGNED_DOC, default=False)
    assembly_format = "attr-dict"


class ClusterArriveRelaxedOp(StandardOp, name="nvvm.cluster.arrive.relaxed"):
    """Arrives at the barrier of the cluster without ordering memory."""

    aligned: bool = fields.flag_def(ALIGNED_DOC, default=False)
    assembly_format = "attr-dict"
    traits = (nvvm_constraints.RequiresSM(90),)


class ClusterWaitOp(StandardOp, name="nvvm.cluster.wait"):
    """Waits until all threads of the cluster have arrived."""

    aligned: bool = fields.flag_def(ALIGNED_DOC, default=False)
    assembly_format = "attr-dict"
    traits = (nvvm_constraints.RequiresSM(90),)


class MembarOp(StandardOp, name="nvvm.memory.barrier"):
    """Orders the memory accesses of this thread before it against those after it, as the threads in `scope`
    observe them.
    """

    scope: barriers_enums.MemScopeKind = fields.attr_def(nvvm_kinds.MEM_SCOPE, SCOPE_DOC)
    assembly_format = "$scope attr-dict"


class FenceMbarrierInitOp(StandardOp, name="nvvm.fence.mbarrier.init"):
    """Makes earlier initializations of mbarriers by this thread visible to the other threads of the cluster."""

    assembly_format = "attr-dict"


class FenceProxyOp(StandardOp, name="nvvm.fence.proxy"):
    """Orders the memory accesses of this thread through the generic proxy against its accesses through the
    proxy `kind`. `space` says whose shared memory is meant if the proxy is for shared memory.
    """

    kind_: barriers_enums.ProxyKind = fields.attr_def(nvvm_kinds.PROXY, KIND_DOC)
    space: barriers_enums.SharedSpace | None = fields.optional_attr_def(
        nvvm_kinds.SHARED_SPACE, "Whose shared memory.", default=None
    )
    assembly_format = "attr-dict"

    def verify_(self) -> None:
        barrier_rules.check_proxy_fence(self)


class FenceProxyAcquireOp(StandardOp, name="nvvm.fence.proxy.acquire"):
    """Makes writes through the proxy `fromProxy` to `size` bytes at `addr`, which were released by another
    thread, visible to later accesses through the proxy `toProxy`. Only the generic proxy and the proxy of
    tensor maps are supported, in this order.
    """

    scope: barriers_enums.MemScopeKind = fields.attr_def(nvvm_kinds.MEM_SCOPE, SCOPE_DOC)
    addr: Value = fields.operand_def(nvvm_constraints.GENERIC_POINTER, "The address.")
    size: Value = fields.operand_def(nvvm_constraints.INT32, "How many bytes.")
    fromProxy: barriers_enums.ProxyKind = fields.attr_def(
        nvvm_kinds.PROXY, FROM_PROXY_DOC, default=barriers_enums.ProxyKind.GENERIC
    )
    toProxy: barriers_enums.ProxyKind = fields.attr_def(
        nvvm_kinds.PROXY, TO_PROXY_DOC, default=barriers_enums.ProxyKind.TENSORMAP
    )
    assembly_format = (
        "$scope $addr `,` $size (`from_proxy` `=` $fromProxy^)? (`to_proxy` `=` $toProxy^)? attr-dict"
    )

    def verify_(self) -> None:
        barrier_rules.check_one_way_fence(self)


class FenceProxyReleaseOp(StandardOp, name="nvvm.fence.proxy.release"):
    """Releases writes through the proxy `fromProxy`, so that `fence.proxy.acquire` in another thread makes
    them visible to accesses through `toProxy`.
    """

    scope: barriers_enums.MemScopeKind = fields.attr_def(nvvm_kinds.MEM_SCOPE, SCOPE_DOC)
    fromProxy: barriers_enums.ProxyKind = fields.attr_def(
        nvvm_kinds.PROXY, FROM_PROXY_DOC, default=barriers_enums.ProxyKind.GENERIC
    )
    toProxy: barriers_enums.ProxyKind = fields.attr_def(
        nvvm_kinds.PROXY, TO_PROXY_DOC, default=barriers_enums.ProxyKind.TENSORMAP
    )
    assembly_format = "$scope (`from_proxy` `=` $fromProxy^)? (`to_proxy` `=` $toProxy^)? attr-dict"

    def verify_(self) -> None:
        barrier_rules.check_one_way_fence(self)


class FenceProxySyncRestrictOp(StandardOp, name="nvvm.fence.proxy.sync_restrict"):
    """Orders accesses through the generic proxy and accesses through the asynchronous proxy, by an acquire or
    release; restricted to mbarriers and to shared memory of the cluster.
    """

    order_: barriers_enums.MemOrderKind = fields.attr_def(nvvm_kinds.MEM_ORDER, "How accesses are ordered.")
    fromProxy: barriers_enums.ProxyKind = fields.attr_def(
        nvvm_kinds.PROXY, FROM_PROXY_DOC, default=barriers_enums.ProxyKind.GENERIC
    )
    toProxy: barriers_enums.ProxyKind = fields.attr_def(
        nvvm_kinds.PROXY, TO_PROXY_DOC, default=barriers_enums.ProxyKind.ASYNC
    )
    assembly_format = "attr-dict"

    def verify_(self) -> None:
        barrier_rules.check_restricted_proxy_fence(self)


class FenceScClusterOp(StandardOp, name="nvvm.fence.sc.cluster"):
    """Orders memory accesses sequentially within the cluster."""

    assembly_format = "attr-dict"


class FenceSyncRestrictOp(StandardOp, name="nvvm.fence.sync_restrict"):
    """Orders accesses to mbarriers and to shared memory of the cluster, with the order ``acquire`` or
    ``release``; accesses to other memory are not ordered.
    """

    order_: barriers_enums.MemOrderKind = fields.attr_def(nvvm_kinds.MEM_ORDER, "How accesses are ordered.")
    assembly_format = "attr-dict"

    def verify_(self) -> None:
        barrier_rules.check_order(self)


class GriddepcontrolOp(StandardOp, name="nvvm.griddepcontrol"):
    """Waits for the grids that this grid depends on (kind `wait`), or lets grids that depend on this grid
    start (kind `launch_dependents`).
    """

    kind_: barriers_enums.GridDepActionKind = fields.attr_def(nvvm_kinds.GRID_DEP_ACTION, KIND_DOC)
    assembly_format = "$kind attr-dict"


class ClusterLaunchControlTryCancelOp(StandardOp, name="nvvm.clusterlaunchcontrol.try.cancel"):
    """Requests that the launch of a cluster that has not started is canceled, so that this cluster can do its
    work.
    """

    smemAddress: Value = fields.operand_def(nvvm_constraints.SHARED_POINTER, "The address of the response.")
    mbarrier: Value = fields.operand_def(
        nvvm_constraints.SHARED_POINTER, "The mbarrier that counts the response's bytes."
    )
    multicast: bool = fields.flag_def(
        "Whether all blocks of the cluster receive the response.", default=False
    )
    assembly_format = "(`multicast` $multicast^ `,`)? $smemAddress `,` $mbarrier attr-dict"
    traits = (nvvm_constraints.RequiresSM(100),)


class ClusterLaunchControlQueryCancelOp(StandardOp, name="nvvm.clusterlaunchcontrol.query.cancel"):
    """Returns whether a request canceled a launch, or the index of the first block of the canceled cluster."""

    query_type: barriers_enums.ClusterLaunchControlQueryType = fields.attr_def(
        nvvm_kinds.CLUSTER_LAUNCH_CONTROL_QUERY_TYPE, "What is asked."
    )
    try_cancel_response: Value = fields.operand_def(
        nvvm_constraints.INT128, "The response that the hardware wrote."
    )
    res: Value = fields.result_def(nvvm_constraints.BOOL_OR_INT32, RES_DOC)
    assembly_format = "`query` `=` $query_type `,` $try_cancel_response attr-dict `:` type($res)"
    traits = (nvvm_constraints.RequiresSM(100),)

    def verify_(self) -> None:
        barrier_rules.check_query(self)


class ElectSyncOp(StandardOp, name="nvvm.elect.sync"):
    """Elects one thread of the warp, among the lanes in `membermask` or, without it, among all lanes; the
    result is true in this thread only.
    """

    membermask: Value | None = fields.optional_operand_def(
        nvvm_constraints.INT32, "The mask of the lanes that take part; all by default.", default=None
    )
    pred: Value = fields.result_def(nvvm_constraints.BOOL, "Whether this thread is the one.")
    assembly_format = "($membermask^)? attr-dict `->` type(results)"


class MatchSyncOp(StandardOp, name="nvvm.match.sync"):
    """Computes the mask of the threads of the warp whose value equals the value of this thread (kind
    ``any``), or a struct of a mask and whether the values of all threads are equal (kind ``all``).
    """

    thread_mask: Value = fields.operand_def(nvvm_constraints.INT32, THREAD_MASK_DOC)
    val: Value = fields.operand_def(nvvm_constraints.INT32_OR_INT64, VAL_DOC)
    kind_: barriers_enums.MatchSyncKind = fields.attr_def(nvvm_kinds.MATCH_SYNC, KIND_DOC)
    res: Value = fields.result_def(nvvm_constraints.INT32_OR_STRUCT, RES_DOC)
    assembly_format = "$kind $thread_mask `,` $val attr-dict `:` type($val) `->` type($res)"

    def verify_(self) -> None:
        barrier_rules.check_match(self)


class ReduxOp(StandardOp, name="nvvm.redux.sync"):
    """Reduces a value over the threads of the warp in the mask by the function `kind`; all these threads get
    the result.
    """

    val: Value = fields.operand_def(SAME_INT32_OR_FLOAT32, VAL_DOC)
    kind_: barriers_enums.ReduxKind = fields.attr_def(nvvm_kinds.REDUX, KIND_DOC)
    mask_and_clamp: Value = fields.operand_def(nvvm_constraints.INT32, THREAD_MASK_DOC)
    abs: bool = fields.attr_def(BoolKind(), "Whether absolute values are compared.", default=False)
    nan: bool = fields.attr_def(BoolKind(), "Whether NaN wins.", default=False)
    res: Value = fields.result_def(SAME_INT32_OR_FLOAT32, RES_DOC)
    assembly_format = "$kind $val `,` $mask_and_clamp attr-dict `:` type($val) `->` type($res)"
    traits = (nvvm_constraints.RequiresSM(80),)

    def verify_(self) -> None:
        barrier_rules.check_reduction(self)


class ShflOp(StandardOp, name="nvvm.shfl.sync"):
    """Returns the value of another lane of the warp; with `return_value_and_is_valid`, a struct of the value
    and of whether the source lane is in range.
    """

    thread_mask: Value = fields.operand_def(nvvm_constraints.INT32, THREAD_MASK_DOC)
    val: Value = fields.operand_def(nvvm_constraints.INT32_OR_FLOAT32, VAL_DOC)
    offset: Value = fields.operand_def(nvvm_constraints.INT32, "The lane, or its distance.")
    mask_and_clamp: Value = fields.operand_def(
        nvvm_constraints.INT32,
        "The limit of source lanes in bits 0 to 4, and the mask that divides the warp in bits 8 to 12.",
    )
    kind_: barriers_enums.ShflKind = fields.attr_def(nvvm_kinds.SHFL, KIND_DOC)
    return_value_and_is_valid: bool = fields.flag_def(
        "Whether the result is a struct of the value and whether its lane exists.", default=False
    )
    res: Value = fields.result_def(nvvm_constraints.SHUFFLED, RES_DOC)
    assembly_format = (
        "$kind $thread_mask `,` $val `,` $offset `,` $mask_and_clamp attr-dict `:` type($val) `->` type($res)"
    )
    traits = (nvvm_constraints.RequiresSM(30),)

    def verify_(self) -> None:
        barrier_rules.check_shuffle(self)


class VoteSyncOp(StandardOp, name="nvvm.vote.sync"):
    """Reduces a predicate over the threads of the warp in the mask. The result is an i1, or for ``ballot`` a
    mask with the predicates of all threads.
    """

    mask: Value = fields.operand_def(nvvm_constraints.INT32, THREAD_MASK_DOC)
    pred: Value = fields.operand_def(nvvm_constraints.BOOL, "The predicate of this thread.")
    kind_: barriers_enums.VoteSyncKind = fields.attr_def(nvvm_kinds.VOTE_SYNC, KIND_DOC)
    res: Value = fields.result_def(nvvm_constraints.INT32_OR_BOOL, RES_DOC)
    assembly_format = "$kind $mask `,` $pred attr-dict `->` type($res)"

    def verify_(self) -> None:
        barrier_rules.check_vote(self)


OPERATIONS: tuple[type[Operation], ...] = (
    Barrier0Op,
    BarrierOp,
    BarrierArriveOp,
    SyncWarpOp,
    ClusterArriveOp,
    ClusterArriveRelaxedOp,
    ClusterWaitOp,
    MembarOp,
    FenceMbarrierInitOp,
    FenceProxyOp,
    FenceProxyAcquireOp,
    FenceProxyReleaseOp,
    FenceProxySyncRestrictOp,
    FenceScClusterOp,
    FenceSyncRestrictOp,
    GriddepcontrolOp,
    ClusterLaunchControlTryCancelOp,
    ClusterLaunchControlQueryCancelOp,
    ElectSyncOp,
    MatchSyncOp,
    ReduxOp,
    ShflOp,
    VoteSyncOp,
)
"""The operations of this module."""
