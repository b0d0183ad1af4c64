"""The enums of ``tt``: numbers and spellings are Triton's."""

from __future__ import annotations

from tilewright.ir.declaration.enum_attribute import SpelledEnum


class CacheModifier(SpelledEnum):
    """The cache levels of an access, as PTX names them: all levels (``ca``, for stores ``wb``), L2 only
    (``cg``), as data that is used once (``cs``), through to memory (``wt``), or no cache (``cv``); ``none``
    states nothing.
    """

    NONE = 1
    CA = 2
    CG = 3
    WB = 4
    CS = 5
    WT = 6
    CV = 7


class EvictionPolicy(SpelledEnum):
    """The priority with which the cache evicts the line of an access: lines with ``evict_first`` are evicted
    early, lines with ``evict_last`` late; ``evict_normal`` has no preference.
    """

    NORMAL = 1, "evict_normal"
    EVICT_FIRST = 2
    EVICT_LAST = 3


class MemSemantic(SpelledEnum):
    """How an atomic access is ordered against other accesses."""

    RELAXED = 1
    ACQUIRE = 2
    RELEASE = 3
    ACQUIRE_RELEASE = 4, "acq_rel"


class MemSyncScope(SpelledEnum):
    """The threads among which an atomic access is ordered: of the GPU, of the block (``cta``), or of all
    devices and the host (``sys``).
    """

    GPU = 1
    CTA = 2
    SYSTEM = 3, "sys"


class PaddingOption(SpelledEnum):
    """The elements that a load through a descriptor gives outside of the tensor."""

    PAD_ZERO = 1, "zero"
    PAD_NAN = 2, "nan"


class RMWOp(SpelledEnum):
    """The combining function of an atomic update: ``add`` adds integers, ``fadd`` floats; ``max`` and ``min``
    read integers as signed, ``umax`` and ``umin`` as unsigned; ``exch`` replaces the old value.
    """

    AND = 1
    OR = 2
    XOR = 3
    ADD = 4
    FADD = 5
    MAX = 6
    MIN = 7
    UMAX = 8
    UMIN = 9
    XCHG = 10, "exch"


class DescriptorReduceKind(SpelledEnum):
    """How a store through a descriptor combines the old element with the new one. ``inc`` and ``dec`` count
    the old element up or down, and wrap around at the new one, as in PTX.
    """

    ADD = 1
    MIN = 2
    MAX = 3
    INC = 4
    DEC = 5
    AND = 6
    OR = 7
    XOR = 8


class ProgramIDDim(SpelledEnum):
    """A dimension of the launch grid."""

    X = 0
    Y = 1
    Z = 2


class RoundingMode(SpelledEnum):
    """How a conversion to fewer bits rounds: towards zero (``rtz``), or to nearest, ties to even (``rtne``)."""

    RTZ = 0
    RTNE = 1


class PropagateNan(SpelledEnum):
    """Whether a result is NaN if an operand is NaN (``all``), or only if all operands are NaN (``none``)."""

    NONE = 0
    ALL = 0xFFFF


class InputPrecision(SpelledEnum):
    """How the factors of an f32 product are multiplied: rounded to tf32, unchanged (``ieee``), or split into
    several numbers of tf32 or bf16, whose 3 or 6 most significant products are added.
    """

    TF32 = 0
    TF32x3 = 1, "tf32x3"
    IEEE = 2
    BF16x3 = 3, "bf16x3"
    BF16x6 = 4, "bf16x6"


class ScaleDotElemType(SpelledEnum):
    """The format of the elements of a scaled matrix, where the type of the tensor does not say it."""

    E4M3 = 0
    E5M2 = 1
    E2M3 = 2
    E3M2 = 3
    E2M1 = 4
    BF16 = 5
    FP16 = 6


class PtrAddrSpace(SpelledEnum):
    """The memory that a pointer points into."""

    DESCRIPTOR = 0
    GLOBAL = 1
    CONSTANT = 4
