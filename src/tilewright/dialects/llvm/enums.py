"""The enumerations of LLVM IR and the attributes that hold them.

Enums without an attribute class are stored as 64-bit integers (`tilewright.dialects.common.kinds.IntegerEnumKind`).
"""

from __future__ import annotations

from enum import Flag
from typing import ClassVar

from tilewright.ir.attribute import Attribute, BitEnumAttribute
from tilewright.ir.declaration.enum_attribute import SpelledEnum, SpelledEnumAttribute


class AsmDialect(SpelledEnum):
    """The syntax of inline assembly: AT&T or Intel."""

    ATT = 0
    INTEL = 1


class AtomicBinaryOperation(SpelledEnum):
    """The combining function of an atomic read-modify-write, as in LLVM: `XCHG` replaces the old value; names
    with ``F`` are for floats, with ``U`` for unsigned integers. `UINC_WRAP` and `UDEC_WRAP` count the old
    value up or down and wrap around at the operand; `USUB_COND` subtracts only if the result is not negative,
    `USUB_SAT` gives 0 otherwise. With NaN and a number `FMAX` and `FMIN` give the number, `FMAXIMUM` and
    `FMINIMUM` NaN.
    """

    XCHG = 0
    ADD = 1
    SUB = 2
    AND = 3, "_and"
    NAND = 4
    OR = 5, "_or"
    XOR = 6, "_xor"
    MAX = 7
    MIN = 8
    UMAX = 9
    UMIN = 10
    FADD = 11
    FSUB = 12
    FMAX = 13
    FMIN = 14
    UINC_WRAP = 15
    UDEC_WRAP = 16
    USUB_COND = 17
    USUB_SAT = 18
    FMAXIMUM = 19
    FMINIMUM = 20


class AtomicOrdering(SpelledEnum):
    """The ordering of an atomic memory access, as in LLVM's memory model."""

    NOT_ATOMIC = 0
    UNORDERED = 1
    MONOTONIC = 2
    ACQUIRE = 4
    RELEASE = 5
    ACQ_REL = 6
    SEQ_CST = 7


class Comdat(SpelledEnum):
    """How the linker selects one of several COMDAT sections with the same name: any of them, any if all have
    equal contents or equal sizes, the largest, or it keeps all (`NODEDUPLICATE`).
    """

    ANY = 0
    EXACTMATCH = 1
    LARGEST = 2
    NODEDUPLICATE = 3
    SAMESIZE = 4


class FloatPredicate(SpelledEnum):
    """The predicate of a float comparison: ``o...`` is false if an operand is NaN, ``u...`` is true. ``ord``
    and ``uno`` only test for NaN; ``_false`` and ``_true`` do not depend on the operands.
    """

    FALSE = 0, "_false"
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
    TRUE = 15, "_true"


class IntegerPredicate(SpelledEnum):
    """The relation that an integer comparison tests: ``s`` signed, ``u`` unsigned."""

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


class RoundingMode(SpelledEnum):
    """The rounding mode of a constrained floating-point operation."""

    TOWARDZERO = 0
    TONEAREST = 1
    UPWARD = 2
    DOWNWARD = 3
    TONEARESTAWAY = 4
    DYNAMIC = 7
    INVALID = -1


class UnnamedAddress(SpelledEnum):
    """Whether the address of a global is significant (`NONE`), not significant in this module, or not
    significant anywhere, so that it may be merged with equal globals.
    """

    NONE = 0, ""
    LOCAL_UNNAMED_ADDR = 1
    UNNAMED_ADDR = 2


class LlvmVisibility(SpelledEnum):
    """The visibility of a global for other linked objects: visible, visible in the same object only
    (`HIDDEN`), or visible, but not replaceable by others (`PROTECTED`).
    """

    DEFAULT = 0, ""
    HIDDEN = 1
    PROTECTED = 2


class CallingConvention(SpelledEnum):
    """The calling convention of functions and calls: how arguments and results are passed."""

    CCC = 0
    FASTCC = 8
    COLDCC = 9
    CC_10 = 10
    CC_11 = 11
    ANYREGCC = 13
    PRESERVE_MOSTCC = 14
    PRESERVE_ALLCC = 15
    SWIFTCC = 16
    CXX_FAST_TLSCC = 17
    TAILCC = 18
    CFGUARD_CHECKCC = 19
    SWIFTTAILCC = 20
    X86_STDCALLCC = 64
    X86_FASTCALLCC = 65
    ARM_APCSCC = 66
    ARM_AAPCSCC = 67
    ARM_AAPCS_VFPCC = 68
    MSP430_INTRCC = 69
    X86_THISCALLCC = 70
    PTX_KERNELCC = 71
    PTX_DEVICECC = 72
    SPIR_FUNCCC = 75
    SPIR_KERNELCC = 76
    INTEL_OCL_BICC = 77
    X86_64_SYSVCC = 78
    WIN64CC = 79
    X86_VECTORCALLCC = 80
    HHVMCC = 81
    HHVM_CCC = 82
    X86_INTRCC = 83
    AVR_INTRCC = 84
    AVR_BUILTINCC = 86
    AMDGPU_VSCC = 87
    AMDGPU_GSCC = 88
    AMDGPU_CSCC = 90
    AMDGPU_KERNELCC = 91
    X86_REGCALLCC = 92
    AMDGPU_HSCC = 93
    MSP430_BUILTINCC = 94
    AMDGPU_LSCC = 95
    AMDGPU_ESCC = 96
    AARCH64_VECTORCALLCC = 97
    AARCH64_SVE_VECTORCALLCC = 98
    WASM_EMSCRIPTEN_INVOKECC = 99
    AMDGPU_GFXCC = 100
    M68K_INTRCC = 101


class FramePointerKind(SpelledEnum):
    """The functions that keep a frame pointer: none, those that call others (`NON_LEAF`), or all. With
    `RESERVED`, and without ``NO_RESERVE``, the register is not used for anything else.
    """

    NONE = 0
    NON_LEAF = 1, "non-leaf"
    ALL = 2
    RESERVED = 3
    NON_LEAF_NO_RESERVE = 4, "non-leaf-no-reserve"


class Linkage(SpelledEnum):
    """The linkage of a symbol: whether other modules see it, and how the linker treats symbols with the same
    name.
    """

    EXTERNAL = 0
    AVAILABLE_EXTERNALLY = 1
    LINKONCE = 2
    LINKONCE_ODR = 3
    WEAK = 4
    WEAK_ODR = 5
    APPENDING = 6
    INTERNAL = 7
    PRIVATE = 8
    EXTERN_WEAK = 9
    COMMON = 10


class ModRefInfo(SpelledEnum):
    """Whether a kind of memory is read or written."""

    NONE = 0
    READ = 1
    WRITE = 2
    READWRITE = 3


class TailCallKind(SpelledEnum):
    """Whether a call may (`TAIL`), must (`MUSTTAIL`) or must not (`NOTAIL`) reuse the stack frame of its
    caller; `NONE` leaves it to LLVM.
    """

    NONE = 0
    NOTAIL = 3
    MUSTTAIL = 2
    TAIL = 1


class UnwindTableKind(SpelledEnum):
    """The kind of unwind table that is emitted for a function: none, one that is right at calls (`SYNC`), or
    one that is right at every instruction (`ASYNC`).
    """

    NONE = 0
    SYNC = 1
    ASYNC = 2


class ModuleFlagBehavior(SpelledEnum):
    """The linker's handling of flags that differ between modules: an error, a warning, a required other flag,
    one value that overrides the others, appended lists (`APPEND_UNIQUE`: without repetitions), or the largest
    or smallest value.
    """

    ERROR = 1
    WARNING = 2
    REQUIRE = 3
    OVERRIDE = 4
    APPEND = 5
    APPEND_UNIQUE = 6
    MAX = 7
    MIN = 8


class FastMathFlags(Flag):
    """The fast-math flags of a floating-point operation: no NaN (`NNAN`), no infinities (`NINF`), the sign of
    zero does not matter (`NSZ`), division as multiplication by the reciprocal (`ARCP`), fusing (`CONTRACT`),
    approximate functions (`AFN`), reassociation (`REASSOC`); `FAST` is all of them.
    """

    NONE = 0
    NNAN = 1
    NINF = 2
    NSZ = 4
    ARCP = 8
    CONTRACT = 16
    AFN = 32
    REASSOC = 64
    FAST = 127


class IntegerOverflowFlags(Flag):
    """The overflows that the program states not to happen: ``nsw`` signed, ``nuw`` unsigned."""

    NONE = 0
    NSW = 1
    NUW = 2


class PointerWrapFlags(Flag):
    """The program's assumptions about the address that a ``getelementptr`` computes: it is inside of the
    object of the base address (`INBOUNDS`, which includes `NUSW`), offsets do not wrap around as signed
    numbers (`NUSW`) or the sum as an unsigned number (`NUW`). `INBOUNDS_FLAG`, the bit of `INBOUNDS` without
    `NUSW`, is not valid alone.
    """

    NONE = 0
    INBOUNDS_FLAG = 1
    NUSW = 2
    INBOUNDS = 3
    NUW = 4


class FastMathFlagsAttr(BitEnumAttribute):
    """The attribute form of `FastMathFlags`, such as ``#llvm.fastmath<nnan, contract>``."""

    name: ClassVar[str] = "llvm.fastmath"
    enumeration = FastMathFlags


class IntegerOverflowFlagsAttr(BitEnumAttribute):
    """The attribute form of `IntegerOverflowFlags`, such as ``#llvm.overflow<nsw, nuw>``."""

    name: ClassVar[str] = "llvm.overflow"
    enumeration = IntegerOverflowFlags


class CConvAttr(SpelledEnumAttribute):
    """The attribute form of `CallingConvention`, such as ``#llvm.cconv<ccc>``."""

    name: ClassVar[str] = "llvm.cconv"
    enumeration = CallingConvention


class FramePointerKindAttr(SpelledEnumAttribute):
    """The attribute form of `FramePointerKind`, such as ``#llvm.framePointerKind<all>``."""

    name: ClassVar[str] = "llvm.framePointerKind"
    enumeration = FramePointerKind


class LinkageAttr(SpelledEnumAttribute):
    """The attribute form of `Linkage`, such as ``#llvm.linkage<internal>``."""

    name: ClassVar[str] = "llvm.linkage"
    enumeration = Linkage


class TailCallKindAttr(SpelledEnumAttribute):
    """The attribute form of `TailCallKind`, such as ``#llvm.tailcallkind<musttail>``."""

    name: ClassVar[str] = "llvm.tailcallkind"
    enumeration = TailCallKind


class UnwindTableKindAttr(SpelledEnumAttribute):
    """The attribute form of `UnwindTableKind`, such as ``#llvm.uwtableKind<sync>``."""

    name: ClassVar[str] = "llvm.uwtableKind"
    enumeration = UnwindTableKind


ENUM_ATTRIBUTES: tuple[type[Attribute], ...] = (
    FastMathFlagsAttr,
    IntegerOverflowFlagsAttr,
    CConvAttr,
    FramePointerKindAttr,
    LinkageAttr,
    TailCallKindAttr,
    UnwindTableKindAttr,
)
"""All enum attributes of the dialect."""
