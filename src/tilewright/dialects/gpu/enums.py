"""The enumerations of the ``gpu`` dialect and the attributes that hold them."""

from __future__ import annotations

from enum import Enum
from typing import ClassVar

from tilewright.ir.attribute import Attribute
from tilewright.ir.declaration.enum_attribute import SpelledEnumAttribute


class Dimension(Enum):
    """One of the three dimensions of grids, clusters and blocks."""

    X = 0
    Y = 1
    Z = 2


class AllReduceOperation(Enum):
    """The combining function of a reduction. ``UI`` and ``SI`` read integers as unsigned or signed. With NaN
    and a number, ``MINNUMF`` and ``MAXNUMF`` give the number, ``MINIMUMF`` and ``MAXIMUMF`` NaN.
    """

    ADD = 0
    MUL = 1
    MINUI = 2
    MINSI = 3
    MINNUMF = 4
    MAXUI = 5
    MAXSI = 6
    MAXNUMF = 7
    AND = 8
    OR = 9
    XOR = 10
    MINIMUMF = 11
    MAXIMUMF = 12


class BroadcastType(Enum):
    """The lane whose value `gpu.subgroup_broadcast` returns in all lanes: the first active lane, or, for
    `SPECIFIC_LANE`, the lane with the number `lane`.
    """

    FIRST_ACTIVE_LANE = 0
    SPECIFIC_LANE = 1


class ShuffleMode(Enum):
    """How a shuffle computes the lane that the value is taken from: this lane xor the offset, plus it
    (``DOWN``) or minus it (``UP``), or the lane whose index is the offset (``IDX``).
    """

    XOR = 0
    DOWN = 1
    UP = 2
    IDX = 3


class MMAElementwise(Enum):
    """The elementwise operation on matrices: on floats (``F``), on integers (``I``), or on signed (``S``) or
    unsigned (``U``) integers; ``EXTF`` extends floats to a wider format.
    """

    ADDF = 0
    MULF = 1
    SUBF = 2
    MAXF = 3
    MINF = 4
    DIVF = 5
    ADDI = 6
    MULI = 7
    SUBI = 8
    DIVS = 9
    DIVU = 10
    NEGATEF = 11
    NEGATES = 12
    EXTF = 13


class AddressSpace(Enum):
    """The threads that share memory: the whole device, a block, a thread."""

    GLOBAL = 1
    WORKGROUP = 2
    PRIVATE = 3


class MappingId(Enum):
    """The processor dimension to which a loop dimension is mapped: x, y or z, or a dimension of the
    linearised processors.
    """

    X = 0
    Y = 1
    Z = 2
    LINEAR_DIM_0 = 3
    LINEAR_DIM_1 = 4
    LINEAR_DIM_2 = 5
    LINEAR_DIM_3 = 6
    LINEAR_DIM_4 = 7
    LINEAR_DIM_5 = 8
    LINEAR_DIM_6 = 9
    LINEAR_DIM_7 = 10
    LINEAR_DIM_8 = 11
    LINEAR_DIM_9 = 12


class DimensionAttr(SpelledEnumAttribute):
    """The attribute form of `Dimension`, such as ``#gpu<dim x>``."""

    name: ClassVar[str] = "gpu.dim"
    enumeration = Dimension
    bare: ClassVar[bool] = True


class AllReduceOperationAttr(SpelledEnumAttribute):
    """The attribute form of `AllReduceOperation`, such as ``#gpu<all_reduce_op add>``."""

    name: ClassVar[str] = "gpu.all_reduce_op"
    enumeration = AllReduceOperation
    bare: ClassVar[bool] = True


class BroadcastTypeAttr(SpelledEnumAttribute):
    """The attribute form of `BroadcastType`, such as ``#gpu<broadcast specific_lane>``."""

    name: ClassVar[str] = "gpu.broadcast"
    enumeration = BroadcastType
    bare: ClassVar[bool] = True


class ShuffleModeAttr(SpelledEnumAttribute):
    """The attribute form of `ShuffleMode`, such as ``#gpu<shuffle_mode xor>``."""

    name: ClassVar[str] = "gpu.shuffle_mode"
    enumeration = ShuffleMode
    bare: ClassVar[bool] = True


class MMAElementwiseAttr(SpelledEnumAttribute):
    """The attribute form of `MMAElementwise`, such as ``#gpu<mma_element_wise addf>``."""

    name: ClassVar[str] = "gpu.mma_element_wise"
    enumeration = MMAElementwise
    bare: ClassVar[bool] = True


class AddressSpaceAttr(SpelledEnumAttribute):
    """The attribute form of `AddressSpace`, such as ``#gpu.address_space<workgroup>``."""

    name: ClassVar[str] = "gpu.address_space"
    enumeration = AddressSpace


class BlockMappingAttr(SpelledEnumAttribute):
    """``#gpu.block<x>``: maps a parallel loop to the blocks of a grid, in one dimension."""

    name: ClassVar[str] = "gpu.block"
    enumeration = MappingId


class WarpgroupMappingAttr(SpelledEnumAttribute):
    """``#gpu.warpgroup<x>``: maps a parallel loop to the warpgroups of a block, in one dimension."""

    name: ClassVar[str] = "gpu.warpgroup"
    enumeration = MappingId


class WarpMappingAttr(SpelledEnumAttribute):
    """``#gpu.warp<x>``: maps a parallel loop to the warps of a block, in one dimension."""

    name: ClassVar[str] = "gpu.warp"
    enumeration = MappingId


class ThreadMappingAttr(SpelledEnumAttribute):
    """``#gpu.thread<x>``: maps a parallel loop to the threads of a block, in one dimension."""

    name: ClassVar[str] = "gpu.thread"
    enumeration = MappingId


class LaneMappingAttr(SpelledEnumAttribute):
    """``#gpu.lane<x>``: maps a parallel loop to the lanes of a warp, in one dimension."""

    name: ClassVar[str] = "gpu.lane"
    enumeration = MappingId


class MemorySpaceMappingAttr(SpelledEnumAttribute):
    """``#gpu.memory_space<workgroup>``: the memory that a promoted buffer is allocated in."""

    name: ClassVar[str] = "gpu.memory_space"
    enumeration = AddressSpace


ATTRIBUTES: tuple[type[Attribute], ...] = (
    DimensionAttr,
    AllReduceOperationAttr,
    BroadcastTypeAttr,
    ShuffleModeAttr,
    MMAElementwiseAttr,
    AddressSpaceAttr,
    BlockMappingAttr,
    WarpgroupMappingAttr,
    WarpMappingAttr,
    ThreadMappingAttr,
    LaneMappingAttr,
    MemorySpaceMappingAttr,
)
"""All attributes of the dialect."""
