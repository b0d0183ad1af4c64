"""Enumerations of tensor memory and its matrix multiplication (`tcgen05`)."""

from __future__ import annotations

from typing import ClassVar

from tilewright.ir.attribute import Attribute
from tilewright.ir.declaration.enum_attribute import SpelledEnum, SpelledEnumAttribute


class CTAGroupKind(SpelledEnum):
    """How many blocks work together: one, or a pair."""

    CTA_1 = 0
    CTA_2 = 1


class Tcgen05FenceKind(SpelledEnum):
    """Whether a fence precedes or follows a synchronization of threads."""

    BEFORE = 0
    AFTER = 1


class Tcgen05WaitKind(SpelledEnum):
    """The accesses to tensor memory that a wait is for."""

    LOAD = 0
    STORE = 1


class Tcgen05CpShape(SpelledEnum):
    """The shape of a copy to tensor memory: the number of rows and the bits of each row."""

    SHAPE_128X256B = 0
    SHAPE_4X256B = 1
    SHAPE_128X128B = 2
    SHAPE_64X128B = 3
    SHAPE_32X128B = 4


class Tcgen05CpMulticast(SpelledEnum):
    """The warps that receive the same data in a copy to tensor memory: none, the pairs 0 and 2, 1 and 3
    (`WARPX2_02_13`) or 0 and 1, 2 and 3 (`WARPX2_01_23`), or all four (`WARPX4`).
    """

    NONE = 0
    WARPX2_02_13 = 1
    WARPX2_01_23 = 2
    WARPX4 = 3


class Tcgen05CpSrcFormat(SpelledEnum):
    """The packed format from which a copy to tensor memory unpacks to bytes: 16 elements of 6 bits and 32
    bits of padding, or 16 elements of 4 bits and 64 bits of padding.
    """

    B6X16_P32 = 0
    B4X16_P64 = 1


class Tcgen05LdStShape(SpelledEnum):
    """The shape of an access to tensor memory: the number of lanes and the bits of each lane;
    `SHAPE_16X32BX2` has two such parts.
    """

    SHAPE_16X64B = 0
    SHAPE_16X128B = 1
    SHAPE_16X256B = 2
    SHAPE_32X32B = 3
    SHAPE_16X32BX2 = 4


class Tcgen05MMAKind(SpelledEnum):
    """The family of formats of the factors of a multiplication: floats of 8, 6 or 4 bits (`F8F6F4`), integers
    of 8 bits (`I8`), f16 and bf16 (`F16`), or tf32.
    """

    F8F6F4 = 2
    I8 = 3
    F16 = 0
    TF32 = 1


class Tcgen05MMABlockScale(SpelledEnum):
    """How many elements share a scale factor: 16, 32, or as the kind of the multiplication implies
    (`DEFAULT`).
    """

    DEFAULT = 0
    BLOCK16 = 1
    BLOCK32 = 2


class Tcgen05MMACollectorOp(SpelledEnum):
    """The use of the buffer that keeps a matrix for later multiplications (matrix A, or matrix B if the
    multiplication is weight-stationary): fill it, use it, use it for the last time, or discard it.
    """

    DISCARD = 0
    LASTUSE = 1
    FILL = 2
    USE = 3


class Tcgen05MMACollectorBBuffer(SpelledEnum):
    """The buffer that keeps matrix B."""

    B0 = 0
    B1 = 1
    B2 = 2
    B3 = 3


class CTAGroupKindAttr(SpelledEnumAttribute):
    """The attribute form of `CTAGroupKind`, such as ``#nvvm.cta_group<cta_1>``."""

    name: ClassVar[str] = "nvvm.cta_group"
    enumeration = CTAGroupKind


class Tcgen05FenceKindAttr(SpelledEnumAttribute):
    """The attribute form of `Tcgen05FenceKind`, such as ``#nvvm.tcgen05_fence<before>``."""

    name: ClassVar[str] = "nvvm.tcgen05_fence"
    enumeration = Tcgen05FenceKind


class Tcgen05WaitKindAttr(SpelledEnumAttribute):
    """The attribute form of `Tcgen05WaitKind`, such as ``#nvvm.tcgen05_wait<load>``."""

    name: ClassVar[str] = "nvvm.tcgen05_wait"
    enumeration = Tcgen05WaitKind


class Tcgen05CpShapeAttr(SpelledEnumAttribute):
    """The attribute form of `Tcgen05CpShape`, such as ``#nvvm.tcgen05_cp_shape<shape_128x256b>``."""

    name: ClassVar[str] = "nvvm.tcgen05_cp_shape"
    enumeration = Tcgen05CpShape


class Tcgen05CpMulticastAttr(SpelledEnumAttribute):
    """The attribute form of `Tcgen05CpMulticast`, such as ``#nvvm.tcgen05_cp_multicast<none>``."""

    name: ClassVar[str] = "nvvm.tcgen05_cp_multicast"
    enumeration = Tcgen05CpMulticast


class Tcgen05CpSrcFormatAttr(SpelledEnumAttribute):
    """The attribute form of `Tcgen05CpSrcFormat`, such as ``#nvvm.tcgen05_cp_src_fmt<b6x16_p32>``."""

    name: ClassVar[str] = "nvvm.tcgen05_cp_src_fmt"
    enumeration = Tcgen05CpSrcFormat


class Tcgen05LdStShapeAttr(SpelledEnumAttribute):
    """The attribute form of `Tcgen05LdStShape`, such as ``#nvvm.tcgen05_ldst_shape<shape_16x64b>``."""

    name: ClassVar[str] = "nvvm.tcgen05_ldst_shape"
    enumeration = Tcgen05LdStShape


class Tcgen05MMAKindAttr(SpelledEnumAttribute):
    """The attribute form of `Tcgen05MMAKind`, such as ``#nvvm.tcgen05_mma_kind<f8f6f4>``."""

    name: ClassVar[str] = "nvvm.tcgen05_mma_kind"
    enumeration = Tcgen05MMAKind


class Tcgen05MMABlockScaleAttr(SpelledEnumAttribute):
    """The attribute form of `Tcgen05MMABlockScale`, such as ``#nvvm.tcgen05_mma_block_scale<default>``."""

    name: ClassVar[str] = "nvvm.tcgen05_mma_block_scale"
    enumeration = Tcgen05MMABlockScale


class Tcgen05MMACollectorOpAttr(SpelledEnumAttribute):
    """The attribute form of `Tcgen05MMACollectorOp`, such as ``#nvvm.tcgen05_mma_collectorop<discard>``."""

    name: ClassVar[str] = "nvvm.tcgen05_mma_collectorop"
    enumeration = Tcgen05MMACollectorOp


class Tcgen05MMACollectorBBufferAttr(SpelledEnumAttribute):
    """The attribute form of `Tcgen05MMACollectorBBuffer`, such as ``#nvvm.tcgen05_mma_collectorb<b0>``."""

    name: ClassVar[str] = "nvvm.tcgen05_mma_collectorb"
    enumeration = Tcgen05MMACollectorBBuffer


ENUM_ATTRIBUTES: tuple[type[Attribute], ...] = (
    CTAGroupKindAttr,
    Tcgen05FenceKindAttr,
    Tcgen05WaitKindAttr,
    Tcgen05CpShapeAttr,
    Tcgen05CpMulticastAttr,
    Tcgen05CpSrcFormatAttr,
    Tcgen05LdStShapeAttr,
    Tcgen05MMAKindAttr,
    Tcgen05MMABlockScaleAttr,
    Tcgen05MMACollectorOpAttr,
    Tcgen05MMACollectorBBufferAttr,
)
"""The enum attributes of this module."""
