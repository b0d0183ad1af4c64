"""Enumerations of the ``arith`` dialect; the values are the numbers in the generic form."""

from __future__ import annotations

from enum import Enum, Flag
from typing import ClassVar

from tilewright.dialects.common.kinds import FlagsKind, IntegerEnumKind
from tilewright.ir.attribute import BitEnumAttribute
from tilewright.ir.builtin_types import i32


class FastMathFlags(Flag):
    """The assumptions about a floating-point operation, and the rewrites beyond IEEE 754 that it allows:
    reassociation (`REASSOC`), no NaN (`NNAN`), no infinities (`NINF`), the sign of zero does not matter
    (`NSZ`), division as multiplication by the reciprocal (`ARCP`), fusing (`CONTRACT`), approximate functions
    (`AFN`); `FAST` is all of them.
    """

    NONE = 0
    REASSOC = 1
    NNAN = 2
    NINF = 4
    NSZ = 8
    ARCP = 16
    CONTRACT = 32
    AFN = 64
    FAST = 127


class IntegerOverflowFlags(Flag):
    """The kinds of overflow that an operation is assumed not to have: signed (`NSW`) and unsigned (`NUW`)."""

    NONE = 0
    NSW = 1
    NUW = 2


class CmpIPredicate(Enum):
    """The relation that an integer comparison tests: ``S`` reads the operands as signed, ``U`` as unsigned."""

    EQ = 0
    NE = 1
    SLT = 2
    SLE = 3
    SGT = 4
    SGE = 5
    ULT = 6
    ULE = 7
    UGT = 8
    UGE = 9


class CmpFPredicate(Enum):
    """The relation that a float comparison tests. With a NaN operand an ordered predicate (``O...``) is
    false, an unordered one (``U...``) true.
    """

    FALSE = 0
    OEQ = 1
    OGT = 2
    OGE = 3
    OLT = 4
    OLE = 5
    ONE = 6
    ORD = 7
    UEQ = 8
    UGT = 9
    UGE = 10
    ULT = 11
    ULE = 12
    UNE = 13
    UNO = 14
    TRUE = 15


class RoundingMode(Enum):
    """How an inexact result is rounded."""

    TO_NEAREST_EVEN = 0
    DOWNWARD = 1
    UPWARD = 2
    TOWARD_ZERO = 3
    TO_NEAREST_AWAY = 4


class AtomicRMWKind(Enum):
    """The combining function of an atomic read-modify-write or a reduction; the last letter says whether it
    is for floats (``F``), signed (``S``), unsigned (``U``) or all integers (``I``). `ASSIGN` replaces the old
    value. With NaN and a number, `MAXNUMF` and `MINNUMF` give the number, `MAXIMUMF` and `MINIMUMF` NaN.
    """

    ADDF = 0
    ADDI = 1
    ANDI = 2
    ASSIGN = 3
    MAXIMUMF = 4
    MAXNUMF = 5
    MAXS = 6
    MAXU = 7
    MINIMUMF = 8
    MINNUMF = 9
    MINS = 10
    MINU = 11
    MULF = 12
    MULI = 13
    ORI = 14
    XORI = 15


class FastMathFlagsAttr(BitEnumAttribute):
    """The attribute form of `FastMathFlags`, such as ``#arith.fastmath<nnan,ninf>``."""

    name = "arith.fastmath"
    enumeration = FastMathFlags
    separator: ClassVar[str] = ","


class IntegerOverflowFlagsAttr(BitEnumAttribute):
    """The attribute form of `IntegerOverflowFlags`, such as ``#arith.overflow<nsw, nuw>``."""

    name = "arith.overflow"
    enumeration = IntegerOverflowFlags


FAST_MATH = FlagsKind(FastMathFlagsAttr, "Floating point fast math flags")
OVERFLOW = FlagsKind(IntegerOverflowFlagsAttr, "Integer overflow arith flags")
CMPI_PREDICATE = IntegerEnumKind(CmpIPredicate)
CMPF_PREDICATE = IntegerEnumKind(CmpFPredicate)
ROUNDING_MODE = IntegerEnumKind(RoundingMode, i32, "Floating point rounding mode")
ATTRIBUTES = (FastMathFlagsAttr, IntegerOverflowFlagsAttr)
