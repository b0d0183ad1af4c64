"""The attribute kinds of NVVM operations, described in MLIR's words."""

from __future__ import annotations

from tilewright.dialects.common.short_kinds import ShortEnumKind, StrippedKind
from tilewright.dialects.llvm.attributes import ConstantRangeAttr
from tilewright.dialects.nvvm.attributes import LdStMatrixShapeAttr, MMAShapeAttr
from tilewright.dialects.nvvm.enums.barriers import (
    BarrierReductionAttr,
    ClusterLaunchControlQueryTypeAttr,
    GridDepActionAttr,
    MatchSyncKindAttr,
    MemOrderKindAttr,
    MemScopeKindAttr,
    PermuteModeAttr,
    ProxyKindAttr,
    ReduxKindAttr,
    SetMaxRegisterActionAttr,
    SharedSpaceAttr,
    ShflKindAttr,
    VoteSyncKindAttr,
)
from tilewright.dialects.nvvm.enums.convert import (
    DotAccumulateTypeAttr,
    FPRoundingModeAttr,
    SaturationModeAttr,
)
from tilewright.dialects.nvvm.enums.memory import (
    CacheEvictionPriorityAttr,
    LdStMatrixEltTypeAttr,
    LoadCacheModifierAttr,
    PrefetchCacheLevelAttr,
    TMALoadModeAttr,
    TMAReduxKindAttr,
    TMAStoreModeAttr,
)
from tilewright.dialects.nvvm.enums.mma import (
    BlockScaleFormatAttr,
    MMAB1OpAttr,
    MMABlockScaleKindAttr,
    MMAFragAttr,
    MMAIntOverflowAttr,
    MMAKindAttr,
    MMALayoutAttr,
    MMATypesAttr,
    ScaleVecSizeAttr,
    WGMMAScaleInAttr,
    WGMMAScaleOutAttr,
    WGMMATypesAttr,
)
from tilewright.dialects.nvvm.enums.tcgen05 import (
    CTAGroupKindAttr,
    Tcgen05CpMulticastAttr,
    Tcgen05CpShapeAttr,
    Tcgen05CpSrcFormatAttr,
    Tcgen05FenceKindAttr,
    Tcgen05LdStShapeAttr,
    Tcgen05MMABlockScaleAttr,
    Tcgen05MMACollectorBBufferAttr,
    Tcgen05MMACollectorOpAttr,
    Tcgen05MMAKindAttr,
    Tcgen05WaitKindAttr,
)
from tilewright.ir.builtin_types import i32
from tilewright.ir.declaration.attribute_kind import IntegerKind


class CountKind(IntegerKind):
    """A 32-bit integer attribute that is not negative; shown as an int."""

    def __init__(self) -> None:
        super().__init__(i32, minimum=0)
        self.description = "32-bit signless integer attribute whose minimum value is 0"


COUNT = CountKind()
BARRIER_REDUCTION = ShortEnumKind(BarrierReductionAttr, "NVVM barrier reduction operation")
MEM_SCOPE = ShortEnumKind(MemScopeKindAttr, "NVVM Memory Scope kind")
MEM_ORDER = ShortEnumKind(MemOrderKindAttr, "NVVM Memory Ordering kind")
PROXY = ShortEnumKind(ProxyKindAttr, "Proxy kind")
SHARED_SPACE = ShortEnumKind(SharedSpaceAttr, "Shared memory space")
GRID_DEP_ACTION = ShortEnumKind(GridDepActionAttr, "Action kind for grid dependency control")
MATCH_SYNC = ShortEnumKind(MatchSyncKindAttr, "NVVM match sync kind")
VOTE_SYNC = ShortEnumKind(VoteSyncKindAttr, "NVVM vote sync kind")
SHFL = ShortEnumKind(ShflKindAttr, "NVVM shuffle kind")
REDUX = ShortEnumKind(ReduxKindAttr, "NVVM redux kind")
SET_MAX_REGISTER_ACTION = ShortEnumKind(SetMaxRegisterActionAttr, "NVVM set max register action")
PERMUTE_MODE = ShortEnumKind(PermuteModeAttr, "NVVM permute mode")
CLUSTER_LAUNCH_CONTROL_QUERY_TYPE = ShortEnumKind(
    ClusterLaunchControlQueryTypeAttr, "NVVM ClusterLaunchControlQueryType"
)
LOAD_CACHE_MODIFIER = ShortEnumKind(LoadCacheModifierAttr, "NVVM load cache modifier kind")
PREFETCH_CACHE_LEVEL = ShortEnumKind(PrefetchCacheLevelAttr, "NVVM Prefetch Cache Level")
CACHE_EVICTION_PRIORITY = ShortEnumKind(CacheEvictionPriorityAttr, "NVVM Cache Eviction Priority")
TMA_LOAD_MODE = ShortEnumKind(TMALoadModeAttr, "List of Load-Modes supported for TMA Tensor Ops")
TMA_STORE_MODE = ShortEnumKind(TMAStoreModeAttr, "NVVM TMA Store Mode")
TMA_REDUX = ShortEnumKind(TMAReduxKindAttr, "NVVM TMA redux kind")
LD_ST_MATRIX_ELT_TYPE = ShortEnumKind(LdStMatrixEltTypeAttr, "Element type for ldmatrix and stmatrix")
FP_ROUNDING_MODE = ShortEnumKind(FPRoundingModeAttr, "NVVM FPRoundingMode kind")
SATURATION_MODE = ShortEnumKind(SaturationModeAttr, "NVVM SaturationMode kind")
DOT_ACCUMULATE_TYPE = ShortEnumKind(DotAccumulateTypeAttr, "NVVM DotAccumulateType")
MMA_LAYOUT = ShortEnumKind(MMALayoutAttr, "NVVM MMA layout")
MMA_TYPES = ShortEnumKind(MMATypesAttr, "NVVM MMA types")
MMA_FRAG = ShortEnumKind(MMAFragAttr, "NVVM MMA frag type")
MMAB1_OP = ShortEnumKind(MMAB1OpAttr, "MMA binary operations")
MMA_INT_OVERFLOW = ShortEnumKind(MMAIntOverflowAttr, "MMA overflow options")
MMA_KIND = ShortEnumKind(MMAKindAttr, "MMA operation kind")
MMA_BLOCK_SCALE_KIND = ShortEnumKind(MMABlockScaleKindAttr, "Block Scale Kind")
SCALE_VEC_SIZE = ShortEnumKind(ScaleVecSizeAttr, "MMA Scale Vector Sizes")
BLOCK_SCALE_FORMAT = ShortEnumKind(BlockScaleFormatAttr, "MMA Block Scale Format")
WGMMA_TYPES = ShortEnumKind(WGMMATypesAttr, "NVVM WGMMA types")
WGMMA_SCALE_IN = ShortEnumKind(WGMMAScaleInAttr, "WGMMA overflow options")
WGMMA_SCALE_OUT = ShortEnumKind(WGMMAScaleOutAttr, "WGMMA input predicate")
CTA_GROUP = ShortEnumKind(CTAGroupKindAttr, "NVVM CTA group kind")
TCGEN05_FENCE = ShortEnumKind(Tcgen05FenceKindAttr, "NVVM Tcgen05 fence kind")
TCGEN05_WAIT = ShortEnumKind(Tcgen05WaitKindAttr, "NVVM Tcgen05 wait kind")
TCGEN05_CP_SHAPE = ShortEnumKind(Tcgen05CpShapeAttr, "tcgen05 cp shapes")
TCGEN05_CP_MULTICAST = ShortEnumKind(Tcgen05CpMulticastAttr, "tcgen05 cp multicast")
TCGEN05_CP_SRC_FORMAT = ShortEnumKind(Tcgen05CpSrcFormatAttr, "tcgen05 cp source format")
TCGEN05_LD_ST_SHAPE = ShortEnumKind(
    Tcgen05LdStShapeAttr, "allowed 32-bit signless integer cases: 0, 1, 2, 3, 4"
)
MMA5_KIND = ShortEnumKind(Tcgen05MMAKindAttr, "tcgen05 MMA Supported Types")
MMA5_BLOCK_SCALE = ShortEnumKind(Tcgen05MMABlockScaleAttr, "tcgen05.mma block scale attribute")
MMA5_COLLECTOR_OP = ShortEnumKind(Tcgen05MMACollectorOpAttr, "tcgen05.mma Collector Buffer Operation")
MMA5_COLLECTOR_B_BUFFER = ShortEnumKind(
    Tcgen05MMACollectorBBufferAttr, "tcgen05 MMA Collector Buffer B Attribute"
)
MMA_SHAPE = StrippedKind(MMAShapeAttr, "Attribute for MMA operation shape.")
MATRIX_SHAPE = StrippedKind(LdStMatrixShapeAttr, "Matrix shape for ldmatrix and stmatrix")
RANGE = StrippedKind(ConstantRangeAttr, "A range of two integers, corresponding to LLVM's ConstantRange")
