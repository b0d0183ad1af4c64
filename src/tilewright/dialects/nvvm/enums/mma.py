"""Enumerations of matrix multiplication."""

from __future__ import annotations

from typing import ClassVar

from tilewright.ir.attribute import Attribute
from tilewright.ir.declaration.enum_attribute import SpelledEnum, SpelledEnumAttribute


class MMALayout(SpelledEnum):
    """Whether a matrix is stored in row-major or column-major order."""

    ROW = 0
    COL = 1


class MMATypes(SpelledEnum):
    """The types of matrix elements: floats, signed (``S``) and unsigned (``U``) integers and single bits
    (``B1``), by their numbers of bits; ``E4M3`` has 4 bits of exponent and 3 of mantissa.
    """

    F16 = 0
    F32 = 1
    TF32 = 2
    BF16 = 9
    S8 = 4
    U8 = 3
    S32 = 5
    S4 = 8
    U4 = 7
    B1 = 6
    F64 = 10
    E4M3 = 11
    E5M2 = 12
    E3M2 = 13
    E2M3 = 14
    E2M1 = 15


class MMAFrag(SpelledEnum):
    """The matrix that a fragment belongs to: a factor (`A`, `B`) or the accumulator and result (`C`)."""

    A = 0
    B = 1
    C = 2


class MMAB1Op(SpelledEnum):
    """How single bits are multiplied, by `xor` or `and`, before the true bits are counted and added; `NONE`
    for other types.
    """

    NONE = 0
    XOR_POPC = 1
    AND_POPC = 2


class MMAIntOverflow(SpelledEnum):
    """The treatment of integer sums that are out of range: replaced by the nearest bound (`SATFINITE`) or
    wrapped around.
    """

    SATFINITE = 1
    WRAPPED = 0


class MMAKind(SpelledEnum):
    """The family of formats of a multiplication: floats of 8, 6 or 4 bits."""

    F8F6F4 = 0


class MMABlockScaleKind(SpelledEnum):
    """The family of formats of a multiplication with scale factors: floats of 8, 6 or 4 bits (`MXF8F6F4`), or
    of 4 bits, with scales for 32 elements (`MXF4`) or also for 16 (`MXF4NVF4`).
    """

    MXF8F6F4 = 0
    MXF4 = 1
    MXF4NVF4 = 2


class ScaleVecSize(SpelledEnum):
    """How many scale factors a row has: one, two or four."""

    X1 = 0
    X2 = 1
    X4 = 2


class BlockScaleFormat(SpelledEnum):
    """The format of scale factors, unsigned floats of 8 bits: powers of two (`UE8M0`), or with 3 bits of
    mantissa (`UE4M3`).
    """

    UE8M0 = 0
    UE4M3 = 1


class WGMMATypes(SpelledEnum):
    """The types of matrix elements of warpgroup multiplications."""

    F16 = 0
    TF32 = 1
    U8 = 2
    S8 = 3
    B1 = 4
    BF16 = 5
    E4M3 = 6
    E5M2 = 7
    F32 = 8
    S32 = 9


class WGMMAScaleIn(SpelledEnum):
    """Whether the elements of a factor are negated (`NEG`) or unchanged (`ONE`)."""

    ONE = 1
    NEG = -1


class WGMMAScaleOut(SpelledEnum):
    """Whether the accumulator is added (`ONE`) or ignored (`ZERO`)."""

    ZERO = 0
    ONE = 1


class MMALayoutAttr(SpelledEnumAttribute):
    """The attribute form of `MMALayout`, such as ``#nvvm.mma_layout<row>``."""

    name: ClassVar[str] = "nvvm.mma_layout"
    enumeration = MMALayout


class MMATypesAttr(SpelledEnumAttribute):
    """The attribute form of `MMATypes`, such as ``#nvvm.mma_type<f16>``."""

    name: ClassVar[str] = "nvvm.mma_type"
    enumeration = MMATypes


class MMAFragAttr(SpelledEnumAttribute):
    """The attribute form of `MMAFrag`, such as ``#nvvm.mma_frag<a>``."""

    name: ClassVar[str] = "nvvm.mma_frag"
    enumeration = MMAFrag


class MMAB1OpAttr(SpelledEnumAttribute):
    """The attribute form of `MMAB1Op`, such as ``#nvvm.mma_b1op<none>``."""

    name: ClassVar[str] = "nvvm.mma_b1op"
    enumeration = MMAB1Op


class MMAIntOverflowAttr(SpelledEnumAttribute):
    """The attribute form of `MMAIntOverflow`, such as ``#nvvm.mma_int_overflow<satfinite>``."""

    name: ClassVar[str] = "nvvm.mma_int_overflow"
    enumeration = MMAIntOverflow


class MMAKindAttr(SpelledEnumAttribute):
    """The attribute form of `MMAKind`, such as ``#nvvm.mma_kind<f8f6f4>``."""

    name: ClassVar[str] = "nvvm.mma_kind"
    enumeration = MMAKind


class MMABlockScaleKindAttr(SpelledEnumAttribute):
    """The attribute form of `MMABlockScaleKind`, such as ``#nvvm.block_scale_kind<mxf8f6f4>``."""

    name: ClassVar[str] = "nvvm.block_scale_kind"
    enumeration = MMABlockScaleKind


class ScaleVecSizeAttr(SpelledEnumAttribute):
    """The attribute form of `ScaleVecSize`, such as ``#nvvm.scale_vec_size<x1>``."""

    name: ClassVar[str] = "nvvm.scale_vec_size"
    enumeration = ScaleVecSize


class BlockScaleFormatAttr(SpelledEnumAttribute):
    """The attribute form of `BlockScaleFormat`, such as ``#nvvm.block_scale_format<ue8m0>``."""

    name: ClassVar[str] = "nvvm.block_scale_format"
    enumeration = BlockScaleFormat


class WGMMATypesAttr(SpelledEnumAttribute):
    """The attribute form of `WGMMATypes`, such as ``#nvvm.wgmma_type<f16>``."""

    name: ClassVar[str] = "nvvm.wgmma_type"
    enumeration = WGMMATypes


class WGMMAScaleInAttr(SpelledEnumAttribute):
    """The attribute form of `WGMMAScaleIn`, such as ``#nvvm.wgmma_scale_in<one>``."""

    name: ClassVar[str] = "nvvm.wgmma_scale_in"
    enumeration = WGMMAScaleIn


class WGMMAScaleOutAttr(SpelledEnumAttribute):
    """The attribute form of `WGMMAScaleOut`, such as ``#nvvm.wgmma_scale_out<zero>``."""

    name: ClassVar[str] = "nvvm.wgmma_scale_out"
    enumeration = WGMMAScaleOut


ENUM_ATTRIBUTES: tuple[type[Attribute], ...] = (
    MMALayoutAttr,
    MMATypesAttr,
    MMAFragAttr,
    MMAB1OpAttr,
    MMAIntOverflowAttr,
    MMAKindAttr,
    MMABlockScaleKindAttr,
    ScaleVecSizeAttr,
    BlockScaleFormatAttr,
    WGMMATypesAttr,
    WGMMAScaleInAttr,
    WGMMAScaleOutAttr,
)
"""The enum attributes of this module."""
