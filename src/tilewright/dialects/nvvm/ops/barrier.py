"""Barriers, fences, and what threads of a warp or cluster tell each other."""

from __future__ import annotations

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.nvvm.constraints import (
    BOOL,
    BOOL_OR_INT32,
    GENERIC_POINTER,
    INT32,
    INT32_OR_BOOL,
    INT32_OR_FLOAT32,
    INT32_OR_INT64,
    INT32_OR_STRUCT,
    INT128,
    SHARED_POINTER,
    SHUFFLED,
    RequiresSM,
)
from tilewright.dialects.nvvm.enums.barriers import (
    BarrierReduction,
    ClusterLaunchControlQueryType,
    GridDepActionKind,
    MatchSyncKind,
    MemOrderKind,
    MemScopeKind,
    ProxyKind,
    ReduxKind,
    SharedSpace,
    ShflKind,
    VoteSyncKind,
)
from tilewright.dialects.nvvm.kinds import (
    BARRIER_REDUCTION,
    CLUSTER_LAUNCH_CONTROL_QUERY_TYPE,
    GRID_DEP_ACTION,
    MATCH_SYNC,
    MEM_ORDER,
    MEM_SCOPE,
    PROXY,
    REDUX,
    SHARED_SPACE,
    SHFL,
    VOTE_SYNC,
)
from tilewright.dialects.nvvm.rules.barrier import (
    check_barrier,
    check_match,
    check_one_way_fence,
    check_order,
    check_proxy_fence,
    check_query,
    check_reduction,
    check_restricted_proxy_fence,
    check_shuffle,
    check_vote,
)
from tilewright.dialects.nvvm.syntax.copy import QualifiedOp
from tilewright.ir.declaration.attribute_kind import BoolKind
from tilewright.ir.declaration.constraint import TypeVariable
from tilewright.ir.declaration.fields import (
    attr_def,
    flag_def,
    operand_def,
    optional_attr_def,
    optional_operand_def,
    optional_result_def,
    result_def,
)
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

SAME_INT32_OR_FLOAT32 = TypeVariable("T", INT32_OR_FLOAT32)
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
    """Waits at barrier 0 until all threads of the block are there."""

    assembly_format = "attr-dict"


class BarrierOp(QualifiedOp, name="nvvm.barrier"):
    """Waits at a barrier until the given number of threads, or all threads of the block, have arrived; may
    reduce a predicate.
    """

    barrierId: Value | None = optional_operand_def(
        INT32, "The number of the barrier, 0 to 15; 0 by default.", default=None
    )
    numberOfThreads: Value | None = optional_operand_def(INT32, NUMBER_OF_THREADS_DOC, default=None)
    reductionPredicate: Value | None = optional_operand_def(
        INT32, "The predicate of this thread.", default=None
    )
    reductionOp: BarrierReduction | None = optional_attr_def(
        BARRIER_REDUCTION, "The reduction of the predicates.", default=None
    )
    res: Value | None = optional_result_def(INT32, RES_DOC)
    assembly_format = (
        "(`id` `=` $barrierId^)? (`number_of_threads` `=` $numberOfThreads^)? "
        "(qualified($reductionOp)^ $reductionPredicate)? (`->` type($res)^)? attr-dict"
    )

    def verify_(self) -> None:
        check_barrier(self)


class BarrierArriveOp(StandardOp, name="nvvm.barrier.arrive"):
    """Arrives at a barrier without waiting."""

    barrierId: Value | None = optional_operand_def(INT32, "The number of the barrier, 0 to 15; 0 by default.")
    numberOfThreads: Value = operand_def(INT32, NUMBER_OF_THREADS_DOC)
    assembly_format = "(`id` `=` $barrierId^)? `number_of_threads` `=` $numberOfThreads attr-dict"


class SyncWarpOp(StandardOp, name="nvvm.bar.warp.sync"):
    """Waits until the threads of the warp in the mask are there."""

    mask: Value = operand_def(INT32, THREAD_MASK_DOC)
    assembly_format = "$mask attr-dict `:` type($mask)"


class ClusterArriveOp(StandardOp, name="nvvm.cluster.arrive"):
    """Arrives at the barrier of the cluster."""

    aligned: bool = flag_def(ALIGNED_DOC, default=False)
    assembly_format = "attr-dict"


class ClusterArriveRelaxedOp(StandardOp, name="nvvm.cluster.arrive.relaxed"):
    """Arrives at the barrier of the cluster without ordering memory."""

    aligned: bool = flag_def(ALIGNED_DOC, default=False)
    assembly_format = "attr-dict"
    traits = (RequiresSM(90),)


class ClusterWaitOp(StandardOp, name="nvvm.cluster.wait"):
    """Waits until all threads of the cluster have arrived."""

    aligned: bool = flag_def(ALIGNED_DOC, default=False)
    assembly_format = "attr-dict"
    traits = (RequiresSM(90),)


class MembarOp(StandardOp, name="nvvm.memory.barrier"):
    """Orders the memory accesses before it against those after it."""

    scope: MemScopeKind = attr_def(MEM_SCOPE, SCOPE_DOC)
    assembly_format = "$scope attr-dict"


class FenceMbarrierInitOp(StandardOp, name="nvvm.fence.mbarrier.init"):
    """Makes the initialization of mbarriers visible to the cluster."""

    assembly_format = "attr-dict"


class FenceProxyOp(StandardOp, name="nvvm.fence.proxy"):
    """Orders accesses through different paths to memory."""

    kind_: ProxyKind = attr_def(PROXY, KIND_DOC)
    space: SharedSpace | None = optional_attr_def(SHARED_SPACE, "Whose shared memory.", default=None)
    assembly_format = "attr-dict"

    def verify_(self) -> None:
        check_proxy_fence(self)


class FenceProxyAcquireOp(StandardOp, name="nvvm.fence.proxy.acquire"):
    """Makes accesses through one path see what another one released."""

    scope: MemScopeKind = attr_def(MEM_SCOPE, SCOPE_DOC)
    addr: Value = operand_def(GENERIC_POINTER, "The address.")
    size: Value = operand_def(INT32, "How many bytes.")
    fromProxy: ProxyKind = attr_def(PROXY, FROM_PROXY_DOC, default=ProxyKind.GENERIC)
    toProxy: ProxyKind = attr_def(PROXY, TO_PROXY_DOC, default=ProxyKind.TENSORMAP)
    assembly_format = (
        "$scope $addr `,` $size (`from_proxy` `=` $fromProxy^)? (`to_proxy` `=` $toProxy^)? attr-dict"
    )

    def verify_(self) -> None:
        check_one_way_fence(self)


class FenceProxyReleaseOp(StandardOp, name="nvvm.fence.proxy.release"):
    """Releases writes of one proxy to another one."""

    scope: MemScopeKind = attr_def(MEM_SCOPE, SCOPE_DOC)
    fromProxy: ProxyKind = attr_def(PROXY, FROM_PROXY_DOC, default=ProxyKind.GENERIC)
    toProxy: ProxyKind = attr_def(PROXY, TO_PROXY_DOC, default=ProxyKind.TENSORMAP)
    assembly_format = "$scope (`from_proxy` `=` $fromProxy^)? (`to_proxy` `=` $toProxy^)? attr-dict"

    def verify_(self) -> None:
        check_one_way_fence(self)


class FenceProxySyncRestrictOp(StandardOp, name="nvvm.fence.proxy.sync_restrict"):
    """Orders accesses through two paths, restricted to shared memory of the cluster and mbarriers."""

    order_: MemOrderKind = attr_def(MEM_ORDER, "How accesses are ordered.")
    fromProxy: ProxyKind = attr_def(PROXY, FROM_PROXY_DOC, default=ProxyKind.GENERIC)
    toProxy: ProxyKind = attr_def(PROXY, TO_PROXY_DOC, default=ProxyKind.ASYNC)
    assembly_format = "attr-dict"

    def verify_(self) -> None:
        check_restricted_proxy_fence(self)


class FenceScClusterOp(StandardOp, name="nvvm.fence.sc.cluster"):
    """Orders memory accesses sequentially within the cluster."""

    assembly_format = "attr-dict"


class FenceSyncRestrictOp(StandardOp, name="nvvm.fence.sync_restrict"):
    """Orders accesses to shared memory of the cluster and mbarriers."""

    order_: MemOrderKind = attr_def(MEM_ORDER, "How accesses are ordered.")
    assembly_format = "attr-dict"

    def verify_(self) -> None:
        check_order(self)


class GriddepcontrolOp(StandardOp, name="nvvm.griddepcontrol"):
    """Waits for the grids on which this one depends, or lets those that depend on it start."""

    kind_: GridDepActionKind = attr_def(GRID_DEP_ACTION, KIND_DOC)
    assembly_format = "$kind attr-dict"


class ClusterLaunchControlTryCancelOp(StandardOp, name="nvvm.clusterlaunchcontrol.try.cancel"):
    """Asks to cancel the launch of a cluster that has not started, so as to do its work."""

    smemAddress: Value = operand_def(SHARED_POINTER, "The address of the response.")
    mbarrier: Value = operand_def(SHARED_POINTER, "The mbarrier that counts the response's bytes.")
    multicast: bool = flag_def("Whether all blocks of the cluster receive the response.", default=False)
    assembly_format = "(`multicast` $multicast^ `,`)? $smemAddress `,` $mbarrier attr-dict"
    traits = (RequiresSM(100),)


class ClusterLaunchControlQueryCancelOp(StandardOp, name="nvvm.clusterlaunchcontrol.query.cancel"):
    """Asks whether the launch was canceled, and which block was first in it."""

    query_type: ClusterLaunchControlQueryType = attr_def(CLUSTER_LAUNCH_CONTROL_QUERY_TYPE, "What is asked.")
    try_cancel_response: Value = operand_def(INT128, "The response that the hardware wrote.")
    res: Value = result_def(BOOL_OR_INT32, RES_DOC)
    assembly_format = "`query` `=` $query_type `,` $try_cancel_response attr-dict `:` type($res)"
    traits = (RequiresSM(100),)

    def verify_(self) -> None:
        check_query(self)


class ElectSyncOp(StandardOp, name="nvvm.elect.sync"):
    """Elects one thread of the warp."""

    membermask: Value | None = optional_operand_def(
        INT32, "The mask of the lanes that take part; all by default.", default=None
    )
    pred: Value = result_def(BOOL, "Whether this thread is the one.")
    assembly_format = "($membermask^)? attr-dict `->` type(results)"


class MatchSyncOp(StandardOp, name="nvvm.match.sync"):
    """Computes the mask of the warp's threads with equal values."""

    thread_mask: Value = operand_def(INT32, THREAD_MASK_DOC)
    val: Value = operand_def(INT32_OR_INT64, VAL_DOC)
    kind_: MatchSyncKind = attr_def(MATCH_SYNC, KIND_DOC)
    res: Value = result_def(INT32_OR_STRUCT, RES_DOC)
    assembly_format = "$kind $thread_mask `,` $val attr-dict `:` type($val) `->` type($res)"

    def verify_(self) -> None:
        check_match(self)


class ReduxOp(StandardOp, name="nvvm.redux.sync"):
    """Reduces a value over the threads of the warp in the mask."""

    val: Value = operand_def(SAME_INT32_OR_FLOAT32, VAL_DOC)
    kind_: ReduxKind = attr_def(REDUX, KIND_DOC)
    mask_and_clamp: Value = operand_def(INT32, THREAD_MASK_DOC)
    abs: bool = attr_def(BoolKind(), "Whether absolute values are compared.", default=False)
    nan: bool = attr_def(BoolKind(), "Whether NaN wins.", default=False)
    res: Value = result_def(SAME_INT32_OR_FLOAT32, RES_DOC)
    assembly_format = "$kind $val `,` $mask_and_clamp attr-dict `:` type($val) `->` type($res)"
    traits = (RequiresSM(80),)

    def verify_(self) -> None:
        check_reduction(self)


class ShflOp(StandardOp, name="nvvm.shfl.sync"):
    """Takes the value of another lane."""

    thread_mask: Value = operand_def(INT32, THREAD_MASK_DOC)
    val: Value = operand_def(INT32_OR_FLOAT32, VAL_DOC)
    offset: Value = operand_def(INT32, "The lane, or its distance.")
    mask_and_clamp: Value = operand_def(INT32, THREAD_MASK_DOC)
    kind_: ShflKind = attr_def(SHFL, KIND_DOC)
    return_value_and_is_valid: bool = flag_def(
        "Whether the result is a struct of the value and whether its lane exists.", default=False
    )
    res: Value = result_def(SHUFFLED, RES_DOC)
    assembly_format = (
        "$kind $thread_mask `,` $val `,` $offset `,` $mask_and_clamp attr-dict `:` type($val) `->` type($res)"
    )
    traits = (RequiresSM(30),)

    def verify_(self) -> None:
        check_shuffle(self)


class VoteSyncOp(StandardOp, name="nvvm.vote.sync"):
    """Reduces a predicate over the threads of the warp in the mask."""

    mask: Value = operand_def(INT32, THREAD_MASK_DOC)
    pred: Value = operand_def(BOOL, "The predicate of this thread.")
    kind_: VoteSyncKind = attr_def(VOTE_SYNC, KIND_DOC)
    res: Value = result_def(INT32_OR_BOOL, RES_DOC)
    assembly_format = "$kind $mask `,` $pred attr-dict `->` type($res)"

    def verify_(self) -> None:
        check_vote(self)


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
