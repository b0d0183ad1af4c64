"""Enumerations of barriers, fences, votes and scheduling."""

from __future__ import annotations

from typing import ClassVar

from tilewright.ir.attribute import Attribute
from tilewright.ir.declaration.enum_attribute import SpelledEnum, SpelledEnumAttribute


class BarrierReduction(SpelledEnum):
    """The reduction of a barrier over the predicates of all threads: how many are true (`POPC`), whether all
    are (`AND`), or whether any is (`OR`).
    """

    POPC = 0
    AND = 1
    OR = 2


class MemScopeKind(SpelledEnum):
    """The threads among which memory accesses are ordered: of the block (`CTA`), the cluster, the GPU, or all
    devices and the host (`SYS`).
    """

    CTA = 0
    CLUSTER = 1
    GPU = 2
    SYS = 3


class MemOrderKind(SpelledEnum):
    """How a memory access is ordered against the accesses of other threads, as in PTX: weak accesses are not
    atomic, `SC` is sequentially consistent, `MMIO` is for memory of a device.
    """

    WEAK = 0
    RELAXED = 1
    ACQUIRE = 2
    RELEASE = 3
    ACQ_REL = 4
    SC = 5
    MMIO = 6
    VOLATILE = 7


class ProxyKind(SpelledEnum):
    """The path by which memory is accessed: usual loads and stores (`GENERIC`), other virtual addresses of
    the same memory (`ALIAS`), asynchronous copies (`ASYNC`, to all, to global or to shared memory), or tensor
    descriptors (`TENSORMAP`).
    """

    ALIAS = 0
    ASYNC = 1
    ASYNC_GLOBAL = 2, "async.global"
    ASYNC_SHARED = 3, "async.shared"
    TENSORMAP = 4
    GENERIC = 5


class SharedSpace(SpelledEnum):
    """The owner of shared memory: this block, or all blocks of the cluster."""

    CTA = 0
    CLUSTER = 1


class GridDepActionKind(SpelledEnum):
    """The action of a grid: wait for the grids that it depends on (`WAIT`), or let the grids that depend on
    it start (`LAUNCH_DEPENDENTS`).
    """

    WAIT = 0
    LAUNCH_DEPENDENTS = 1


class MatchSyncKind(SpelledEnum):
    """Whether ``match.sync`` looks for any threads with an equal value, or for agreement of all threads."""

    ANY = 0
    ALL = 1


class VoteSyncKind(SpelledEnum):
    """The result of a vote of a warp: whether any predicate is true, all are true, or all are equal (`UNI`),
    or a mask with the predicate of each lane (`BALLOT`).
    """

    ANY = 0
    ALL = 1
    BALLOT = 2
    UNI = 3


class ShflKind(SpelledEnum):
    """From which lane a shuffle takes the value: this lane xor a mask (`BFLY`), a lower lane (`UP`) or a
    higher lane (`DOWN`) at a distance, or the lane with a given index (`IDX`).
    """

    BFLY = 0
    UP = 1
    DOWN = 2
    IDX = 3


class ReduxKind(SpelledEnum):
    """The combining function of a reduction over a warp; ``U`` reads integers as unsigned, ``F`` compares
    floats.
    """

    ADD = 1
    AND = 2
    MAX = 3
    MIN = 4
    OR = 5
    UMAX = 6
    UMIN = 7
    XOR = 8
    FMIN = 9
    FMAX = 10


class SetMaxRegisterAction(SpelledEnum):
    """Whether the threads of a warp release registers or request more."""

    DECREASE = 1
    INCREASE = 0


class PermuteMode(SpelledEnum):
    """The rule by which ``prmt`` selects bytes: four by the digits of the selector (`DEFAULT`), four
    consecutive ones forwards or backwards (`F4E`, `B4E`), one byte or half repeated (`RC8`, `RC16`), or with
    clamped positions from the left or the right (`ECL`, `ECR`).
    """

    DEFAULT = 0
    F4E = 1
    B4E = 2
    RC8 = 3
    ECL = 4
    ECR = 5
    RC16 = 6


class ClusterLaunchControlQueryType(SpelledEnum):
    """The query about a request to cancel a launch: whether a launch was canceled, or the x, y or z index of
    the first block of the canceled cluster.
    """

    IS_CANCELED = 0
    GET_FIRST_CTA_ID_X = 1
    GET_FIRST_CTA_ID_Y = 2
    GET_FIRST_CTA_ID_Z = 3


class BarrierReductionAttr(SpelledEnumAttribute):
    """The attribute form of `BarrierReduction`, such as ``#nvvm.reduction<popc>``."""

    name: ClassVar[str] = "nvvm.reduction"
    enumeration = BarrierReduction


class MemScopeKindAttr(SpelledEnumAttribute):
    """The attribute form of `MemScopeKind`, such as ``#nvvm.mem_scope<cta>``."""

    name: ClassVar[str] = "nvvm.mem_scope"
    enumeration = MemScopeKind


class MemOrderKindAttr(SpelledEnumAttribute):
    """The attribute form of `MemOrderKind`, such as ``#nvvm.mem_order<weak>``."""

    name: ClassVar[str] = "nvvm.mem_order"
    enumeration = MemOrderKind


class ProxyKindAttr(SpelledEnumAttribute):
    """The attribute form of `ProxyKind`, such as ``#nvvm.proxy_kind<alias>``."""

    name: ClassVar[str] = "nvvm.proxy_kind"
    enumeration = ProxyKind


class SharedSpaceAttr(SpelledEnumAttribute):
    """The attribute form of `SharedSpace`, such as ``#nvvm.shared_space<cta>``."""

    name: ClassVar[str] = "nvvm.shared_space"
    enumeration = SharedSpace


class GridDepActionAttr(SpelledEnumAttribute):
    """The attribute form of `GridDepActionKind`, such as ``#nvvm<grid_dep_action wait>``."""

    name: ClassVar[str] = "nvvm.grid_dep_action"
    enumeration = GridDepActionKind
    bare: ClassVar[bool] = True


class MatchSyncKindAttr(SpelledEnumAttribute):
    """The attribute form of `MatchSyncKind`, such as ``#nvvm<match_sync_kind any>``."""

    name: ClassVar[str] = "nvvm.match_sync_kind"
    enumeration = MatchSyncKind
    bare: ClassVar[bool] = True


class VoteSyncKindAttr(SpelledEnumAttribute):
    """The attribute form of `VoteSyncKind`, such as ``#nvvm<vote_sync_kind any>``."""

    name: ClassVar[str] = "nvvm.vote_sync_kind"
    enumeration = VoteSyncKind
    bare: ClassVar[bool] = True


class ShflKindAttr(SpelledEnumAttribute):
    """The attribute form of `ShflKind`, such as ``#nvvm<shfl_kind bfly>``."""

    name: ClassVar[str] = "nvvm.shfl_kind"
    enumeration = ShflKind
    bare: ClassVar[bool] = True


class ReduxKindAttr(SpelledEnumAttribute):
    """The attribute form of `ReduxKind`, such as ``#nvvm<redux_kind add>``."""

    name: ClassVar[str] = "nvvm.redux_kind"
    enumeration = ReduxKind
    bare: ClassVar[bool] = True


class SetMaxRegisterActionAttr(SpelledEnumAttribute):
    """The attribute form of `SetMaxRegisterAction`, such as ``#nvvm<action decrease>``."""

    name: ClassVar[str] = "nvvm.action"
    enumeration = SetMaxRegisterAction
    bare: ClassVar[bool] = True


class PermuteModeAttr(SpelledEnumAttribute):
    """The attribute form of `PermuteMode`, such as ``#nvvm.permute_mode<default>``."""

    name: ClassVar[str] = "nvvm.permute_mode"
    enumeration = PermuteMode


class ClusterLaunchControlQueryTypeAttr(SpelledEnumAttribute):
    """The form of the query type: ``#nvvm<cluster_launch_control_query_type is_canceled>``."""

    name: ClassVar[str] = "nvvm.cluster_launch_control_query_type"
    enumeration = ClusterLaunchControlQueryType
    bare: ClassVar[bool] = True


ENUM_ATTRIBUTES: tuple[type[Attribute], ...] = (
    BarrierReductionAttr,
    MemScopeKindAttr,
    MemOrderKindAttr,
    ProxyKindAttr,
    SharedSpaceAttr,
    GridDepActionAttr,
    MatchSyncKindAttr,
    VoteSyncKindAttr,
    ShflKindAttr,
    ReduxKindAttr,
    SetMaxRegisterActionAttr,
    PermuteModeAttr,
    ClusterLaunchControlQueryTypeAttr,
)
"""The enum attributes of this module."""
