"""The attribute kinds of NVVM operations, described in MLIR's words."""

from __future__ import annotations

from tilewright.dialects.llvm.attributes import ConstantRangeAttr
from tilewright.dialects.nvvm.attributes import LdStMatrixShapeAttr, MMAShapeAttr
from tilewright.dialects.nvvm.enums_barriers import (
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
from tilewright.dialects.nvvm.enums_convert import (
    DotAccumulateTypeAttr,
    FPRoundingModeAttr,
    SaturationModeAttr,
)
from tilewright.dialects.nvvm.enums_memory import (
    CacheEvictionPriorityAttr,
    LdStMatrixEltTypeAttr,
    LoadCacheModifierAttr,
    NVVMMemorySpaceAttr,
    PrefetchCacheLevelAttr,
    TMALoadModeAttr,
    TMAReduxKindAttr,
    TMAStoreModeAttr,
)
from tilewright.dialects.nvvm.enums_mma import (
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
from tilewright.dialects.nvvm.enums_tcgen05 import (
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
from tilewright.ir.attribute_kind import InstanceKind, IntegerKind
from tilewright.ir.builtin_types import i32
from tilewright.ir.enum_attribute import SpelledEnumKind


class CountKind(IntegerKind):
    """A 32-bit integer attribute that is not negative; shown as an int."""

    def __init__(self) -> None:
        super().__init__(i32, minimum=0)
        self.description = "32-bit signless integer attribute whose minimum value is 0"


COUNT = CountKind()
BARRIER_REDUCTION = SpelledEnumKind(BarrierReductionAttr, "NVVM barrier reduction operation")
MEM_SCOPE = SpelledEnumKind(MemScopeKindAttr, "NVVM Memory Scope kind")
MEM_ORDER = SpelledEnumKind(MemOrderKindAttr, "NVVM Memory Ordering kind")
PROXY = SpelledEnumKind(ProxyKindAttr, "Proxy kind")
SHARED_SPACE = SpelledEnumKind(SharedSpaceAttr, "Shared memory space")
GRID_DEP_ACTION = SpelledEnumKind(GridDepActionAttr, "Action kind for grid dependency control")
MATCH_SYNC = SpelledEnumKind(MatchSyncKindAttr, "NVVM match sync kind")
VOTE_SYNC = SpelledEnumKind(VoteSyncKindAttr, "NVVM vote sync kind")
SHFL = SpelledEnumKind(ShflKindAttr, "NVVM shuffle kind")
REDUX = SpelledEnumKind(ReduxKindAttr, "NVVM redux kind")
SET_MAX_REGISTER_ACTION = SpelledEnumKind(SetMaxRegisterActionAttr, "NVVM set max register action")
PERMUTE_MODE = SpelledEnumKind(PermuteModeAttr, "NVVM permute mode")
CLUSTER_LAUNCH_CONTROL_QUERY_TYPE = SpelledEnumKind(
    ClusterLaunchControlQueryTypeAttr, "NVVM ClusterLaunchControlQueryType"
)
LOAD_CACHE_MODIFIER = SpelledEnumKind(LoadCacheModifierAttr, "NVVM load cache modifier kind")
PREFETCH_CACHE_LEVEL = SpelledEnumKind(PrefetchCacheLevelAttr, "NVVM Prefetch Cache Level")
CACHE_EVICTION_PRIORITY = SpelledEnumKind(CacheEvictionPriorityAttr, "NVVM Cache Eviction Priority")
TMA_LOAD_MODE = SpelledEnumKind(TMALoadModeAttr, "List of Load-Modes supported for TMA Tensor Ops")
TMA_STORE_MODE = SpelledEnumKind(TMAStoreModeAttr, "NVVM TMA Store Mode")
TMA_REDUX = SpelledEnumKind(TMAReduxKindAttr, "NVVM TMA redux kind")
MEMORY_SPACE = SpelledEnumKind(NVVMMemorySpaceAttr, "NVVM Memory Space")
LD_ST_MATRIX_ELT_TYPE = SpelledEnumKind(LdStMatrixEltTypeAttr, "Element type for ldmatrix and stmatrix")
FP_ROUNDING_MODE = SpelledEnumKind(FPRoundingModeAttr, "NVVM FPRoundingMode kind")
SATURATION_MODE = SpelledEnumKind(SaturationModeAttr, "NVVM SaturationMode kind")
DOT_ACCUMULATE_TYPE = SpelledEnumKind(DotAccumulateTypeAttr, "NVVM DotAccumulateType")
MMA_LAYOUT = SpelledEnumKind(MMALayoutAttr, "NVVM MMA layout")
MMA_TYPES = SpelledEnumKind(MMATypesAttr, "NVVM MMA types")
MMA_FRAG = SpelledEnumKind(MMAFragAttr, "NVVM MMA frag type")
MMAB1_OP = SpelledEnumKind(MMAB1OpAttr, "MMA binary operations")
MMA_INT_OVERFLOW = SpelledEnumKind(MMAIntOverflowAttr, "MMA overflow options")
MMA_KIND = SpelledEnumKind(MMAKindAttr, "MMA operation kind")
MMA_BLOCK_SCALE_KIND = SpelledEnumKind(MMABlockScaleKindAttr, "Block Scale Kind")
SCALE_VEC_SIZE = SpelledEnumKind(ScaleVecSizeAttr, "MMA Scale Vector Sizes")
BLOCK_SCALE_FORMAT = SpelledEnumKind(BlockScaleFormatAttr, "MMA Block Scale Format")
WGMMA_TYPES = SpelledEnumKind(WGMMATypesAttr, "NVVM WGMMA types")
WGMMA_SCALE_IN = SpelledEnumKind(WGMMAScaleInAttr, "WGMMA overflow options")
WGMMA_SCALE_OUT = SpelledEnumKind(WGMMAScaleOutAttr, "WGMMA input predicate")
CTA_GROUP = SpelledEnumKind(CTAGroupKindAttr, "NVVM CTA group kind")
TCGEN05_FENCE = SpelledEnumKind(Tcgen05FenceKindAttr, "NVVM Tcgen05 fence kind")
TCGEN05_WAIT = SpelledEnumKind(Tcgen05WaitKindAttr, "NVVM Tcgen05 wait kind")
TCGEN05_CP_SHAPE = SpelledEnumKind(Tcgen05CpShapeAttr, "tcgen05 cp shapes")
TCGEN05_CP_MULTICAST = SpelledEnumKind(Tcgen05CpMulticastAttr, "tcgen05 cp multicast")
TCGEN05_CP_SRC_FORMAT = SpelledEnumKind(Tcgen05CpSrcFormatAttr, "tcgen05 cp source format")
TCGEN05_LD_ST_SHAPE = SpelledEnumKind(
    Tcgen05LdStShapeAttr, "allowed 32-bit signless integer cases: 0, 1, 2, 3, 4"
)
MMA5_KIND = SpelledEnumKind(Tcgen05MMAKindAttr, "tcgen05 MMA Supported Types")
MMA5_BLOCK_SCALE = SpelledEnumKind(Tcgen05MMABlockScaleAttr, "tcgen05.mma block scale attribute")
MMA5_COLLECTOR_OP = SpelledEnumKind(Tcgen05MMACollectorOpAttr, "tcgen05.mma Collector Buffer Operation")
MMA5_COLLECTOR_B_BUFFER = SpelledEnumKind(
    Tcgen05MMACollectorBBufferAttr, "tcgen05 MMA Collector Buffer B Attribute"
)
MMA_SHAPE = InstanceKind(MMAShapeAttr, "Attribute for MMA operation shape.")
MATRIX_SHAPE = InstanceKind(LdStMatrixShapeAttr, "Matrix shape for ldmatrix and stmatrix")
RANGE = InstanceKind(ConstantRangeAttr, "A range of two integers, corresponding to LLVM's ConstantRange")
