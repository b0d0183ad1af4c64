"""The attribute kinds of NVVM operations, described in MLIR's words."""

from __future__ import annotations

from tilewright.dialects.common.short_kinds import ShortEnumKind, StrippedKind
from tilewright.dialects.llvm.attributes import ConstantRangeAttr
from tilewright.dialects.nvvm.attributes import LdStMatrixShapeAttr, MMAShapeAttr
from tilewright.dialects.nvvm.enums import (
    barriers as barriers_enums,
    convert as convert_enums,
    memory as memory_enums,
    mma as mma_enums,
    tcgen05 as tcgen05_enums,
)
from tilewright.ir.builtin_types import i32
from tilewright.ir.declaration.attribute_kind import IntegerKind


class CountKind(IntegerKind):
    """A 32-bit integer attribute that is not negative; shown as an int."""

    def __init__(self) -> None:
        super().__init__(i32, minimum=0)
        self.description = "32-bit signless integer attribute whose minimum value is 0"


COUNT = CountKind()
BARRIER_REDUCTION = ShortEnumKind(barriers_enums.BarrierReductionAttr, "NVVM barrier reduction operation")
MEM_SCOPE = ShortEnumKind(barriers_enums.MemScopeKindAttr, "NVVM Memory Scope kind")
MEM_ORDER = ShortEnumKind(barriers_enums.MemOrderKindAttr, "NVVM Memory Ordering kind")
PROXY = ShortEnumKind(barriers_enums.ProxyKindAttr, "Proxy kind")
SHARED_SPACE = ShortEnumKind(barriers_enums.SharedSpaceAttr, "Shared memory space")
GRID_DEP_ACTION = ShortEnumKind(barriers_enums.GridDepActionAttr, "Action kind for grid dependency control")
MATCH_SYNC = ShortEnumKind(barriers_enums.MatchSyncKindAttr, "NVVM match sync kind")
VOTE_SYNC = ShortEnumKind(barriers_enums.VoteSyncKindAttr, "NVVM vote sync kind")
SHFL = ShortEnumKind(barriers_enums.ShflKindAttr, "NVVM shuffle kind")
REDUX = ShortEnumKind(barriers_enums.ReduxKindAttr, "NVVM redux kind")
SET_MAX_REGISTER_ACTION = ShortEnumKind(
    barriers_enums.SetMaxRegisterActionAttr, "NVVM set max register action"
)
PERMUTE_MODE = ShortEnumKind(barriers_enums.PermuteModeAttr, "NVVM permute mode")
CLUSTER_LAUNCH_CONTROL_QUERY_TYPE = ShortEnumKind(
    barriers_enums.ClusterLaunchControlQueryTypeAttr, "NVVM ClusterLaunchControlQueryType"
)
LOAD_CACHE_MODIFIER = ShortEnumKind(memory_enums.LoadCacheModifierAttr, "NVVM load cache modifier kind")
PREFETCH_CACHE_LEVEL = ShortEnumKind(memory_enums.PrefetchCacheLevelAttr, "NVVM Prefetch Cache Level")
CACHE_EVICTION_PRIORITY = ShortEnumKind(
    memory_enums.CacheEvictionPriorityAttr, "NVVM Cache Eviction Priority"
)
TMA_LOAD_MODE = ShortEnumKind(memory_enums.TMALoadModeAttr, "List of Load-Modes supported for TMA Tensor Ops")
TMA_STORE_MODE = ShortEnumKind(memory_enums.TMAStoreModeAttr, "NVVM TMA Store Mode")
TMA_REDUX = ShortEnumKind(memory_enums.TMAReduxKindAttr, "NVVM TMA redux kind")
LD_ST_MATRIX_ELT_TYPE = ShortEnumKind(
    memory_enums.LdStMatrixEltTypeAttr, "Element type for ldmatrix and stmatrix"
)
FP_ROUNDING_MODE = ShortEnumKind(convert_enums.FPRoundingModeAttr, "NVVM FPRoundingMode kind")
SATURATION_MODE = ShortEnumKind(convert_enums.SaturationModeAttr, "NVVM SaturationMode kind")
DOT_ACCUMULATE_TYPE = ShortEnumKind(convert_enums.DotAccumulateTypeAttr, "NVVM DotAccumulateType")
MMA_LAYOUT = ShortEnumKind(mma_enums.MMALayoutAttr, "NVVM MMA layout")
MMA_TYPES = ShortEnumKind(mma_enums.MMATypesAttr, "NVVM MMA types")
MMA_FRAG = ShortEnumKind(mma_enums.MMAFragAttr, "NVVM MMA frag type")
MMAB1_OP = ShortEnumKind(mma_enums.MMAB1OpAttr, "MMA binary operations")
MMA_INT_OVERFLOW = ShortEnumKind(mma_enums.MMAIntOverflowAttr, "MMA overflow options")
MMA_KIND = ShortEnumKind(mma_enums.MMAKindAttr, "MMA operation kind")
MMA_BLOCK_SCALE_KIND = ShortEnumKind(mma_enums.MMABlockScaleKindAttr, "Block Scale Kind")
SCALE_VEC_SIZE = ShortEnumKind(mma_enums.ScaleVecSizeAttr, "MMA Scale Vector Sizes")
BLOCK_SCALE_FORMAT = ShortEnumKind(mma_enums.BlockScaleFormatAttr, "MMA Block Scale Format")
WGMMA_TYPES = ShortEnumKind(mma_enums.WGMMATypesAttr, "NVVM WGMMA types")
WGMMA_SCALE_IN = ShortEnumKind(mma_enums.WGMMAScaleInAttr, "WGMMA overflow options")
WGMMA_SCALE_OUT = ShortEnumKind(mma_enums.WGMMAScaleOutAttr, "WGMMA input predicate")
CTA_GROUP = ShortEnumKind(tcgen05_enums.CTAGroupKindAttr, "NVVM CTA group kind")
TCGEN05_FENCE = ShortEnumKind(tcgen05_enums.Tcgen05FenceKindAttr, "NVVM Tcgen05 fence kind")
TCGEN05_WAIT = ShortEnumKind(tcgen05_enums.Tcgen05WaitKindAttr, "NVVM Tcgen05 wait kind")
TCGEN05_CP_SHAPE = ShortEnumKind(tcgen05_enums.Tcgen05CpShapeAttr, "tcgen05 cp shapes")
TCGEN05_CP_MULTICAST = ShortEnumKind(tcgen05_enums.Tcgen05CpMulticastAttr, "tcgen05 cp multicast")
TCGEN05_CP_SRC_FORMAT = ShortEnumKind(tcgen05_enums.Tcgen05CpSrcFormatAttr, "tcgen05 cp source format")
TCGEN05_LD_ST_SHAPE = ShortEnumKind(
    tcgen05_enums.Tcgen05LdStShapeAttr, "allowed 32-bit signless integer cases: 0, 1, 2, 3, 4"
)
MMA5_KIND = ShortEnumKind(tcgen05_enums.Tcgen05MMAKindAttr, "tcgen05 MMA Supported Types")
MMA5_BLOCK_SCALE = ShortEnumKind(tcgen05_enums.Tcgen05MMABlockScaleAttr, "tcgen05.mma block scale attribute")
MMA5_COLLECTOR_OP = ShortEnumKind(
    tcgen05_enums.Tcgen05MMACollectorOpAttr, "tcgen05.mma Collector Buffer Operation"
)
MMA5_COLLECTOR_B_BUFFER = ShortEnumKind(
    tcgen05_enums.Tcgen05MMACollectorBBufferAttr, "tcgen05 MMA Collector Buffer B Attribute"
)
MMA_SHAPE = StrippedKind(MMAShapeAttr, "Attribute for MMA operation shape.")
MATRIX_SHAPE = StrippedKind(LdStMatrixShapeAttr, "Matrix shape for ldmatrix and stmatrix")
RANGE = StrippedKind(ConstantRangeAttr, "A range of two integers, corresponding to LLVM's ConstantRange")
