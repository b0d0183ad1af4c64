"""Rules of barriers, fences, and of what threads tell each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.dialects.common.constraints import checked_type
from tilewright.dialects.llvm.types import LLVMPointerType, LLVMStructType
from tilewright.dialects.nvvm.constraints import GENERIC, SHARED, SHARED_CLUSTER
from tilewright.dialects.nvvm.enums import barriers as barriers_enums
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import f32, i1, i32
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.operation import Operation

if TYPE_CHECKING:
    from tilewright.dialects.nvvm.ops import barrier as nvvm_barrier, mbarrier as nvvm_mbarrier

MAPPED_SPACES = {GENERIC: GENERIC, SHARED: SHARED_CLUSTER}
"""The address space of a variable in another block of the cluster, by its address space in this block."""
MATCHED = LLVMStructType((i32, i1))
FLOAT_REDUCTIONS = (barriers_enums.ReduxKind.FMIN, barriers_enums.ReduxKind.FMAX)
SCOPES = (barriers_enums.MemScopeKind.CTA, barriers_enums.MemScopeKind.CLUSTER)


def require(condition: bool, message: str, *, prefix: bool = True) -> None:
    """Raise `VerifyError` with `message` unless `condition` holds. `prefix` says whether the name of the
    operation precedes the message.
    """
    if not condition:
        raise VerifyError(message, prefix=prefix)


def is_mapped(op: Operation) -> bool:
    """Return whether the result of ``mapa`` is a pointer into the space that belongs to the space of its
    operand: generic for generic, ``shared::cluster`` for shared. False for other spaces and types.
    """
    source, result = op.operands[0].type, op.results[0].type
    if not (isinstance(source, LLVMPointerType) and isinstance(result, LLVMPointerType)):
        return False
    return MAPPED_SPACES.get(source.address_space) == result.address_space


def check_barrier(op: nvvm_barrier.BarrierOp) -> None:
    """Raise `VerifyError` unless a barrier that gives the number of threads has an id. A reduction must have
    a predicate, a predicate a reduction, and the barrier then no id.
    """
    require(
        op.barrierId is not None or op.numberOfThreads is None,
        "barrier id is missing, it should be set between 0 to 15",
    )
    reduces = op.reductionOp is not None
    require(op.barrierId is None or not reduces, "reduction are only available when id is 0")
    require(
        reduces == (op.reductionPredicate is not None),
        "reduction predicate and reduction operation must be specified together",
    )


def check_proxy_fence(op: nvvm_barrier.FenceProxyOp) -> None:
    """Raise `VerifyError` unless the proxy of a fence is another one than ``tensormap`` and ``generic``, and
    the fence has a space exactly if the proxy is ``async.shared``.
    """
    kind, space = op.kind_, op.space
    require(kind is not barriers_enums.ProxyKind.TENSORMAP, "tensormap proxy is not a supported proxy kind")
    require(kind is not barriers_enums.ProxyKind.GENERIC, "generic proxy not a supported proxy kind")
    shared = kind is barriers_enums.ProxyKind.ASYNC_SHARED
    require(not shared or space is not None, "async_shared fence requires space attribute")
    require(shared or space is None, "only async_shared fence can have space attribute")


def check_one_way_fence(op: nvvm_barrier.FenceProxyAcquireOp | nvvm_barrier.FenceProxyReleaseOp) -> None:
    """Raise `VerifyError` unless a one-way fence leads from the generic proxy to the proxy of tensor maps."""
    words = "uni-directional proxies only support {} for {} attribute"
    require(op.fromProxy is barriers_enums.ProxyKind.GENERIC, words.format("generic", "from_proxy"))
    require(op.toProxy is barriers_enums.ProxyKind.TENSORMAP, words.format("tensormap", "to_proxy"))


def check_order(op: nvvm_barrier.FenceProxySyncRestrictOp | nvvm_barrier.FenceSyncRestrictOp) -> None:
    """Raise `VerifyError` unless the order of a restricted fence is ``acquire`` or ``release``."""
    orders = (barriers_enums.MemOrderKind.ACQUIRE, barriers_enums.MemOrderKind.RELEASE)
    require(op.order_ in orders, "only acquire and release semantics are supported")


def check_restricted_proxy_fence(op: nvvm_barrier.FenceProxySyncRestrictOp) -> None:
    """Raise `VerifyError` unless a restricted proxy fence leads from the generic to the asynchronous proxy,
    and its order is ``acquire`` or ``release``.
    """
    check_order(op)
    require(
        op.fromProxy is barriers_enums.ProxyKind.GENERIC, "only generic is support for from_proxy attribute"
    )
    require(op.toProxy is barriers_enums.ProxyKind.ASYNC, "only async is supported for to_proxy attribute")


def check_query(op: nvvm_barrier.ClusterLaunchControlQueryCancelOp) -> None:
    """Raise `VerifyError` unless a query about a canceled launch returns an i1 for ``is_canceled``, and an
    i32 for the index of a block.
    """
    if op.query_type is barriers_enums.ClusterLaunchControlQueryType.IS_CANCELED:
        require(op.res.type is i1, "is_canceled query type returns an i1")
    else:
        words = "get_first_cta_id_x, get_first_cta_id_y, get_first_cta_id_z query types return an i32"
        require(op.res.type is i32, words)


def check_match(op: nvvm_barrier.MatchSyncOp) -> None:
    """Raise `VerifyError` unless ``match.sync`` returns an i32 for the kind ``any``, and a struct of an i32
    and an i1 for ``all``.
    """
    if op.kind_ is barriers_enums.MatchSyncKind.ALL:
        words = "returns a two element struct with first element as i32 and second element as i1"
        require(op.res.type is MATCHED, f"match.sync 'all' {words}")
    else:
        require(op.res.type is i32, "match.sync 'any' returns an i32")


def check_vote(op: nvvm_barrier.VoteSyncOp) -> None:
    """Raise `VerifyError` unless a vote returns an i32 for the kind ``ballot``, and an i1 for the other
    kinds.
    """
    if op.kind_ is barriers_enums.VoteSyncKind.BALLOT:
        require(op.res.type is i32, "vote.sync 'ballot' returns an i32")
    else:
        require(op.res.type is i1, "vote.sync 'any', 'all' and 'uni' returns an i1")


def check_reduction(op: nvvm_barrier.ReduxOp) -> None:
    """Raise `VerifyError` unless the value of a reduction over a warp is f32 for ``fmin`` and ``fmax``, and
    i32 for the other kinds. `abs` and `nan` are allowed for f32 only.
    """
    kind, value = op.kind_, op.val.type
    floating = value is f32
    require(floating or not op.abs, "abs attribute is supported only for f32 type")
    require(floating or not op.nan, "nan attribute is supported only for f32 type")
    wanted = f32 if kind in FLOAT_REDUCTIONS else i32
    require(
        value is wanted,
        f"'{kind.spelling}' redux kind unsupported with '{value}' type. Only supported type is '{wanted}'.",
    )


def check_shuffle(op: nvvm_barrier.ShflOp) -> None:
    """Raise `VerifyError` unless a shuffle returns the type of its value or, with
    `return_value_and_is_valid`, a struct of this type and i1.
    """
    result: Type = op.res.type
    if op.return_value_and_is_valid:
        body = result.body if isinstance(result, LLVMStructType) else None
        if body is None or len(body) != 2:
            raise VerifyError("expected return type to be a two-element struct")
        value, valid = body
        words = "expected second element in the returned struct to be of type 'i1' but got"
        require(valid is i1, f"{words} '{valid}' instead")
    else:
        value = result
    wanted = op.val.type
    require(value is wanted, f"expected return type to be of type '{wanted}' but got '{value}' instead")


def check_mbarrier_scope(scope: barriers_enums.MemScopeKind) -> None:
    """Raise `VerifyError` unless the scope of an mbarrier is the block or the cluster."""
    require(scope in SCOPES, "mbarrier scope must be either CTA or Cluster", prefix=False)


def check_mbarrier_arrival(
    op: nvvm_mbarrier.MBarrierArriveDropExpectTxOp
    | nvvm_mbarrier.MBarrierArriveDropOp
    | nvvm_mbarrier.MBarrierArriveExpectTxOp
    | nvvm_mbarrier.MBarrierArriveOp,
) -> None:
    """Raise `VerifyError` unless the scope of an arrival is the block or the cluster, and an arrival at an
    mbarrier in ``shared::cluster`` memory has no result.
    """
    check_mbarrier_scope(op.scope)
    remote = checked_type(op.addr).address_space == SHARED_CLUSTER
    words = "mbarrier in shared_cluster space cannot return any value"
    require(not remote or not op.results, words, prefix=False)


def check_mbarrier_predicated_arrival(op: nvvm_mbarrier.MBarrierArriveExpectTxOp) -> None:
    """Raise `VerifyError` unless an arrival with a predicate has the scope of the block, no result, an
    mbarrier in this block, and is not relaxed. An arrival without a predicate is checked by
    `check_mbarrier_arrival`.
    """
    if op.predicate is None:
        check_mbarrier_arrival(op)
        return
    suffix = "when using predicate"
    require(op.scope is barriers_enums.MemScopeKind.CTA, f"mbarrier scope must be CTA {suffix}", prefix=False)
    require(not op.results, f"return-value is not supported {suffix}", prefix=False)
    remote = checked_type(op.addr).address_space == SHARED_CLUSTER
    require(not remote, f"mbarrier in shared_cluster space is not supported {suffix}", prefix=False)
    words = f"mbarrier with relaxed semantics is not supported {suffix}"
    require(not op.relaxed, words, prefix=False)
