"""Special registers: indices of threads and blocks, counters and timers."""

from __future__ import annotations

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.llvm.attributes import ConstantRangeAttr
from tilewright.dialects.llvm.constraints import LLVM_TYPE
from tilewright.dialects.nvvm.constraints import RequiresSM
from tilewright.dialects.nvvm.kinds import RANGE
from tilewright.ir.declaration.fields import optional_attr_def, result_def
from tilewright.ir.declaration.traits import Pure
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

RES_DOC = "The result."


class RangedRegisterOp(StandardOp):
    """The base of reads of special registers that are treated as constant while a thread runs; `range` bounds
    the value.
    """

    range: ConstantRangeAttr | None = optional_attr_def(RANGE, "Bounds of the value.", default=None)
    res: Value = result_def(LLVM_TYPE, RES_DOC)
    assembly_format = "(`range` $range^)? attr-dict `:` type($res)"
    traits = (Pure(),)


class ThreadIdXOp(RangedRegisterOp, name="nvvm.read.ptx.sreg.tid.x"):
    """The position of the thread in its block, first dimension."""


class ThreadIdYOp(RangedRegisterOp, name="nvvm.read.ptx.sreg.tid.y"):
    """The position of the thread in its block, second dimension."""


class ThreadIdZOp(RangedRegisterOp, name="nvvm.read.ptx.sreg.tid.z"):
    """The position of the thread in its block, third dimension."""


class BlockDimXOp(RangedRegisterOp, name="nvvm.read.ptx.sreg.ntid.x"):
    """The number of threads of a block, first dimension."""


class BlockDimYOp(RangedRegisterOp, name="nvvm.read.ptx.sreg.ntid.y"):
    """The number of threads of a block, second dimension."""


class BlockDimZOp(RangedRegisterOp, name="nvvm.read.ptx.sreg.ntid.z"):
    """The number of threads of a block, third dimension."""


class BlockIdXOp(RangedRegisterOp, name="nvvm.read.ptx.sreg.ctaid.x"):
    """The position of the block in the grid, first dimension."""


class BlockIdYOp(RangedRegisterOp, name="nvvm.read.ptx.sreg.ctaid.y"):
    """The position of the block in the grid, second dimension."""


class BlockIdZOp(RangedRegisterOp, name="nvvm.read.ptx.sreg.ctaid.z"):
    """The position of the block in the grid, third dimension."""


class GridDimXOp(RangedRegisterOp, name="nvvm.read.ptx.sreg.nctaid.x"):
    """The number of blocks of the grid, first dimension."""


class GridDimYOp(RangedRegisterOp, name="nvvm.read.ptx.sreg.nctaid.y"):
    """The number of blocks of the grid, second dimension."""


class GridDimZOp(RangedRegisterOp, name="nvvm.read.ptx.sreg.nctaid.z"):
    """The number of blocks of the grid, third dimension."""


class LaneIdOp(RangedRegisterOp, name="nvvm.read.ptx.sreg.laneid"):
    """The position of the thread in its warp."""


class WarpIdOp(RangedRegisterOp, name="nvvm.read.ptx.sreg.warpid"):
    """The position of the warp in its block; may change while the thread runs."""


class WarpDimOp(RangedRegisterOp, name="nvvm.read.ptx.sreg.nwarpid"):
    """The maximum number of warps of a block."""


class WarpSizeOp(RangedRegisterOp, name="nvvm.read.ptx.sreg.warpsize"):
    """The number of threads of a warp."""


class SmIdOp(RangedRegisterOp, name="nvvm.read.ptx.sreg.smid"):
    """The number of the multiprocessor that executes the thread; may change while the thread runs."""


class SmDimOp(RangedRegisterOp, name="nvvm.read.ptx.sreg.nsmid"):
    """The maximum number of multiprocessors."""


class GridIdOp(RangedRegisterOp, name="nvvm.read.ptx.sreg.gridid"):
    """The number of the launch."""


class PlainRegisterOp(StandardOp):
    """The base of reads of special registers that do not change while a thread runs."""

    res: Value = result_def(LLVM_TYPE, RES_DOC)
    assembly_format = "attr-dict `:` type($res)"
    traits = (Pure(),)


class LaneMaskEqOp(PlainRegisterOp, name="nvvm.read.ptx.sreg.lanemask.eq"):
    """A mask with the bit of this lane."""


class LaneMaskLeOp(PlainRegisterOp, name="nvvm.read.ptx.sreg.lanemask.le"):
    """A mask with the bits of the lanes up to and including this one."""


class LaneMaskLtOp(PlainRegisterOp, name="nvvm.read.ptx.sreg.lanemask.lt"):
    """A mask with the bits of the lanes before this one."""


class LaneMaskGeOp(PlainRegisterOp, name="nvvm.read.ptx.sreg.lanemask.ge"):
    """A mask with the bits of the lanes from this one on."""


class LaneMaskGtOp(PlainRegisterOp, name="nvvm.read.ptx.sreg.lanemask.gt"):
    """A mask with the bits of the lanes after this one."""


class ClusterIdXOp(RangedRegisterOp, name="nvvm.read.ptx.sreg.clusterid.x"):
    """The position of the cluster in the grid, first dimension."""

    traits = (
        Pure(),
        RequiresSM(90),
    )


class ClusterIdYOp(RangedRegisterOp, name="nvvm.read.ptx.sreg.clusterid.y"):
    """The position of the cluster in the grid, second dimension."""


class ClusterIdZOp(RangedRegisterOp, name="nvvm.read.ptx.sreg.clusterid.z"):
    """The position of the cluster in the grid, third dimension."""


class ClusterDimXOp(RangedRegisterOp, name="nvvm.read.ptx.sreg.nclusterid.x"):
    """The number of clusters of the grid, first dimension."""


class ClusterDimYOp(RangedRegisterOp, name="nvvm.read.ptx.sreg.nclusterid.y"):
    """The number of clusters of the grid, second dimension."""


class ClusterDimZOp(RangedRegisterOp, name="nvvm.read.ptx.sreg.nclusterid.z"):
    """The number of clusters of the grid, third dimension."""


class BlockInClusterIdXOp(RangedRegisterOp, name="nvvm.read.ptx.sreg.cluster.ctaid.x"):
    """The position of the block in its cluster, first dimension."""

    traits = (
        Pure(),
        RequiresSM(90),
    )


class BlockInClusterIdYOp(RangedRegisterOp, name="nvvm.read.ptx.sreg.cluster.ctaid.y"):
    """The position of the block in its cluster, second dimension."""

    traits = (
        Pure(),
        RequiresSM(90),
    )


class BlockInClusterIdZOp(RangedRegisterOp, name="nvvm.read.ptx.sreg.cluster.ctaid.z"):
    """The position of the block in its cluster, third dimension."""

    traits = (
        Pure(),
        RequiresSM(90),
    )


class ClusterDimBlocksXOp(RangedRegisterOp, name="nvvm.read.ptx.sreg.cluster.nctaid.x"):
    """The number of blocks of a cluster, first dimension."""

    traits = (
        Pure(),
        RequiresSM(90),
    )


class ClusterDimBlocksYOp(RangedRegisterOp, name="nvvm.read.ptx.sreg.cluster.nctaid.y"):
    """The number of blocks of a cluster, second dimension."""

    traits = (
        Pure(),
        RequiresSM(90),
    )


class ClusterDimBlocksZOp(RangedRegisterOp, name="nvvm.read.ptx.sreg.cluster.nctaid.z"):
    """The number of blocks of a cluster, third dimension."""


class ClusterIdOp(RangedRegisterOp, name="nvvm.read.ptx.sreg.cluster.ctarank"):
    """The rank of the block in its cluster."""

    traits = (
        Pure(),
        RequiresSM(90),
    )


class ClusterDimOp(RangedRegisterOp, name="nvvm.read.ptx.sreg.cluster.nctarank"):
    """The number of blocks of the cluster."""


class CounterOp(StandardOp):
    """The base of reads of 32-bit counters that increase while the thread runs."""

    res: Value = result_def(LLVM_TYPE, RES_DOC)
    assembly_format = "attr-dict `:` type($res)"


class ClockOp(CounterOp, name="nvvm.read.ptx.sreg.clock"):
    """The clock of the multiprocessor, in cycles, low 32 bits."""


class WideCounterOp(StandardOp):
    """The base of reads of 64-bit counters that increase while the thread runs."""

    res: Value = result_def(LLVM_TYPE, RES_DOC)
    assembly_format = "attr-dict `:` type($res)"


class Clock64Op(WideCounterOp, name="nvvm.read.ptx.sreg.clock64"):
    """The clock of the multiprocessor, in cycles."""


class GlobalTimerOp(WideCounterOp, name="nvvm.read.ptx.sreg.globaltimer"):
    """Reads the global timer, in nanoseconds."""


class GlobalTimerLoOp(CounterOp, name="nvvm.read.ptx.sreg.globaltimer.lo"):
    """Reads the low half of the global timer, in nanoseconds."""


class DynamicSmemSizeOp(PlainRegisterOp, name="nvvm.read.ptx.sreg.dynamic.smem.size"):
    """The dynamic shared memory that the launch requested, in bytes."""


class TotalSmemSizeOp(PlainRegisterOp, name="nvvm.read.ptx.sreg.total.smem.size"):
    """The shared memory of the block in bytes, without the bytes that are reserved for the system."""


class AggrSmemSizeOp(PlainRegisterOp, name="nvvm.read.ptx.sreg.aggr.smem.size"):
    """The shared memory of the block in bytes, with the bytes that are reserved for the system."""

    traits = (
        Pure(),
        RequiresSM(90),
    )


OPERATIONS: tuple[type[Operation], ...] = (
    ThreadIdXOp,
    ThreadIdYOp,
    ThreadIdZOp,
    BlockDimXOp,
    BlockDimYOp,
    BlockDimZOp,
    BlockIdXOp,
    BlockIdYOp,
    BlockIdZOp,
    GridDimXOp,
    GridDimYOp,
    GridDimZOp,
    LaneIdOp,
    WarpIdOp,
    WarpDimOp,
    WarpSizeOp,
    SmIdOp,
    SmDimOp,
    GridIdOp,
    LaneMaskEqOp,
    LaneMaskLeOp,
    LaneMaskLtOp,
    LaneMaskGeOp,
    LaneMaskGtOp,
    ClusterIdXOp,
    ClusterIdYOp,
    ClusterIdZOp,
    ClusterDimXOp,
    ClusterDimYOp,
    ClusterDimZOp,
    BlockInClusterIdXOp,
    BlockInClusterIdYOp,
    BlockInClusterIdZOp,
    ClusterDimBlocksXOp,
    ClusterDimBlocksYOp,
    ClusterDimBlocksZOp,
    ClusterIdOp,
    ClusterDimOp,
    ClockOp,
    Clock64Op,
    GlobalTimerOp,
    GlobalTimerLoOp,
    DynamicSmemSizeOp,
    TotalSmemSizeOp,
    AggrSmemSizeOp,
)
"""The operations of this module."""
