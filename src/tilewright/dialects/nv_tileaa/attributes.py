"""The attributes of ``nv_tileaa``: memory accesses, rounding, and the requirements of a kernel."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, ClassVar, Self

from tilewright.dialects.common.chips import CAPABILITIES, CHIPS, known_chips
from tilewright.dialects.common.parametrised import INTEGER, INTEGERS, OPEN_INTEGER, Codec, Parametrised
from tilewright.ir.attribute import Attribute, EnumAttribute
from tilewright.ir.uniquer import InvalidParameters

if TYPE_CHECKING:
    from tilewright.ir.text import parser as text_parser, printer as text_printer


class CacheModifier(Enum):
    """The cache levels of an access, with PTX's names: ``ca`` for all levels, ``cg`` for L2 only, ``cs`` for
    data that is used once, ``lu`` for a last use, ``cv`` for no cache; ``none`` leaves the choice to the
    compiler.
    """

    NONE = 0
    CA = 1
    CG = 2
    CS = 3
    LU = 4
    CV = 5


class EvictionPolicy(Enum):
    """The priority with which a cache evicts the line that is accessed: early (``first``), late (``last``) or
    as usual (``normal``); ``none`` states nothing.
    """

    NONE = 0
    FIRST = 1
    LAST = 2
    NORMAL = 3


class MemSemantic(Enum):
    """How an access is ordered against the accesses of other threads: not at all, and not atomic (``weak``),
    atomic only (``relaxed``), before all later accesses (``acquire``), after all earlier ones (``release``),
    or both.
    """

    WEAK = 0
    RELAXED = 1
    ACQUIRE = 2
    RELEASE = 3
    ACQ_REL = 4


class MemScope(Enum):
    """The threads among which an access is ordered: of the tile block (``tl_blk``), of the cluster, of the
    GPU, or of all devices and the host (``sys``).
    """

    TL_BLK = 0
    CLUSTER = 1
    GPU = 2
    SYS = 3


class RmwMode(Enum):
    """The combining function of an atomic read-modify-write. ``xchg`` replaces the old element; ``min`` and
    ``max`` read integers as signed, ``umin`` and ``umax`` as unsigned. Floats are added with ``addf``, except
    in tiled updates, which take ``add``, ``min`` and ``max`` for floats, too.
    """

    ADD = 0
    AND = 1
    OR = 2
    XOR = 3
    XCHG = 4
    MIN = 5
    MAX = 6
    UMIN = 7
    UMAX = 8
    ADDF = 9


class RoundingMode(Enum):
    """How a result is rounded: to nearest with ties to even (``nearest_even``) or away from zero
    (``nearest_away``), towards zero, down (``negative_inf``), up (``positive_inf``), or to an integer towards
    zero (``nearest_int_to_zero``). ``approx`` and ``full`` select faster computations with larger errors,
    over a part of the range or all of it.
    """

    NEAREST_EVEN = 0
    ZERO = 1
    NEGATIVE_INF = 2
    POSITIVE_INF = 3
    APPROX = 4
    FULL = 5
    NEAREST_INT_TO_ZERO = 6
    NEAREST_AWAY = 7


class PropagateNan(Enum):
    """Whether a minimum, maximum or clamp of NaN and a number is NaN (`ALL`), or the number (`NONE`)."""

    NONE = 0
    ALL = 1


class Signedness(Enum):
    """Whether the bits of an integer are read as an unsigned number, or as a signed number in two's
    complement.
    """

    UNSIGNED = 0
    SIGNED = 1


class PaddingValue(Enum):
    """The elements of a load outside of a tensor."""

    ZERO = 0
    NEG_ZERO = 1
    NAN = 2
    POS_INF = 3
    NEG_INF = 4


class ActivationLayout(Enum):
    """The order of the dimensions of the input of a convolution: batch (``N``), spatial extents (``D``,
    ``H``, ``W``) and channels (``C``).
    """

    NWC = 0
    NHWC = 1
    NDHWC = 2
    NCW = 3
    NCHW = 4
    NCDHW = 5


class CacheModifierAttr(EnumAttribute):
    """The attribute form of `CacheModifier` in `nv_tileaa`."""

    name: ClassVar[str] = "nv_tileaa.cache_modifier"
    enumeration: ClassVar[type[Enum]] = CacheModifier


class EvictionPolicyAttr(EnumAttribute):
    """The attribute form of `EvictionPolicy` in `nv_tileaa`."""

    name: ClassVar[str] = "nv_tileaa.eviction_policy"
    enumeration: ClassVar[type[Enum]] = EvictionPolicy


class MemSemanticAttr(EnumAttribute):
    """The attribute form of `MemSemantic` in `nv_tileaa`."""

    name: ClassVar[str] = "nv_tileaa.mem_semantic"
    enumeration: ClassVar[type[Enum]] = MemSemantic


class MemScopeAttr(EnumAttribute):
    """The attribute form of `MemScope` in `nv_tileaa`."""

    name: ClassVar[str] = "nv_tileaa.mem_scope"
    enumeration: ClassVar[type[Enum]] = MemScope


class RmwModeAttr(EnumAttribute):
    """The attribute form of `RmwMode` in `nv_tileaa`."""

    name: ClassVar[str] = "nv_tileaa.rmw_mode"
    enumeration: ClassVar[type[Enum]] = RmwMode


class RoundingModeAttr(EnumAttribute):
    """The attribute form of `RoundingMode` in `nv_tileaa`."""

    name: ClassVar[str] = "nv_tileaa.rounding_mode"
    enumeration: ClassVar[type[Enum]] = RoundingMode


class PropagateNanAttr(EnumAttribute):
    """The attribute form of `PropagateNan` in `nv_tileaa`."""

    name: ClassVar[str] = "nv_tileaa.propagate_nan"
    enumeration: ClassVar[type[Enum]] = PropagateNan


class SignednessAttr(EnumAttribute):
    """The attribute form of `Signedness` in `nv_tileaa`."""

    name: ClassVar[str] = "nv_tileaa.signedness"
    enumeration: ClassVar[type[Enum]] = Signedness


class PaddingValueAttr(EnumAttribute):
    """The attribute form of `PaddingValue` in `nv_tileaa`."""

    name: ClassVar[str] = "nv_tileaa.padding_value"
    enumeration: ClassVar[type[Enum]] = PaddingValue


class ActivationLayoutAttr(EnumAttribute):
    """The attribute form of `ActivationLayout` in `nv_tileaa`."""

    name: ClassVar[str] = "nv_tileaa.activation_layout"
    enumeration: ClassVar[type[Enum]] = ActivationLayout


class ComputeCapabilityAttr(Parametrised):
    """``#nv_tileaa.compute_capability<100>``: ``major * 10 + minor`` of a known chip."""

    name: ClassVar[str] = "nv_tileaa.compute_capability"
    number: int
    codecs: ClassVar[dict[str, Codec]] = {"number": INTEGER}

    def verify_parameters(self) -> None:
        if self.number not in CAPABILITIES:
            known = ", ".join(map(str, sorted(CAPABILITIES)))
            message = f"expected major * 10 + minor of a chip, got {self.number}; chips have {known}"
            raise InvalidParameters(message)

    @property
    def major(self) -> int:
        """The generation of the GPU: the first part of its number."""
        return self.number // 10

    @property
    def minor(self) -> int:
        """The variant within the generation."""
        return self.number % 10


class TargetSpecAttr(Attribute):
    """``#nv_tileaa.target_spec<"sm_100a">``: the name of the chip that code is made for, which must be known."""

    name: ClassVar[str] = "nv_tileaa.target_spec"
    chip: str

    def verify_parameters(self) -> None:
        if self.chip not in CHIPS:
            message = (
                f"expected the name of a chip such as 'sm_90a', got '{self.chip}'; chips are {known_chips()}"
            )
            raise InvalidParameters(message)

    @property
    def capability(self) -> int:
        """The compute capability, ``major * 10 + minor``."""
        return CHIPS[self.chip].number

    def print_parameters(self, printer: text_printer.Printer) -> None:
        printer.write("<")
        printer.print_string(self.chip)
        printer.write(">")

    @classmethod
    def parse_parameters(cls, parser: text_parser.AttributeParser) -> Self:
        parser.expect("<")
        chip = parser.parse_string()
        parser.expect(">")
        return cls(chip)


_COMPACT_INTEGERS = Codec(
    lambda printer, values: printer.write(f"[{','.join(map(str, values))}]"), INTEGERS.parse
)


USUAL_WARPS = 4
"""The default number of warps of a block."""


class KernelSpecAttr(Parametrised):
    """``#nv_tileaa.kernel_spec<numWarps=4, clusterDim=[2,1,1]>``: the resources of a kernel.

    ``num_ctas`` is the number of blocks that cooperate on one tile; 0 leaves ``num_warps``, ``occupancy`` (blocks per
    multiprocessor) or ``max_registers`` (per thread) open.
    """

    name: ClassVar[str] = "nv_tileaa.kernel_spec"
    num_warps: int = 0
    cluster_dim: tuple[int, ...] = (1, 1, 1)
    num_ctas: int = 1
    occupancy: int = 0
    max_registers: int = 0
    equals: ClassVar[str] = "="
    always: ClassVar[tuple[str, ...]] = ("cluster_dim",)
    spellings: ClassVar[dict[str, str]] = {
        "num_warps": "numWarps",
        "cluster_dim": "clusterDim",
        "num_ctas": "numCtas",
        "max_registers": "maxRegisters",
    }
    codecs: ClassVar[dict[str, Codec]] = {
        "num_warps": INTEGER,
        "cluster_dim": _COMPACT_INTEGERS,
        "num_ctas": INTEGER,
        "occupancy": INTEGER,
        "max_registers": INTEGER,
    }

    def verify_parameters(self) -> None:
        if len(self.cluster_dim) != 3 or min(self.cluster_dim) < 1:
            raise InvalidParameters(f"expected three positive cluster extents, got {list(self.cluster_dim)}")
        if self.num_ctas < 1 or min(self.num_warps, self.occupancy, self.max_registers) < 0:
            raise InvalidParameters("expected a positive number of warps and blocks")

    @property
    def warps(self) -> int:
        """The warps of a block: ``num_warps``, or the default, 4, if that is 0."""
        return self.num_warps or USUAL_WARPS


class ConvParamsAttr(Parametrised):
    """``#nv_tileaa.conv_params<[3, 3], [1, 1], [1, 1], [1, 1]>``: filter, stride, padding and dilation, each
    with one number for each of the 1 to 3 spatial dimensions.
    """

    name: ClassVar[str] = "nv_tileaa.conv_params"
    filter: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    dilation: tuple[int, ...]
    codecs: ClassVar[dict[str, Codec]] = dict.fromkeys(("filter", "stride", "padding", "dilation"), INTEGERS)

    def verify_parameters(self) -> None:
        if not 1 <= len(self.filter) <= 3:
            raise InvalidParameters("expects filter size must be in range 1 to 3")
        if len({len(self.filter), len(self.stride), len(self.padding), len(self.dilation)}) > 1:
            raise InvalidParameters("expects conv params size matched with each other")


class AssumptionAttr(Attribute):
    """Base of the predicates of `assume`."""


class DivByAttr(AssumptionAttr):
    """``#nv_tileaa.div_by<16>``, ``#nv_tileaa.div_by<4, every 2 along 0>``: elements are multiples of a power of two.

    With ``every`` and ``along``, dimension ``along`` is cut into groups of ``every`` elements that count up from a
    multiple of ``divisor``.
    """

    name: ClassVar[str] = "nv_tileaa.div_by"
    divisor: int
    every: int | None = None
    along: int | None = None

    def verify_parameters(self) -> None:
        if self.divisor <= 0 or self.divisor & (self.divisor - 1):
            raise InvalidParameters("divisor must be a power of 2")
        if (self.every is None) != (self.along is None):
            raise InvalidParameters("'every'/'along' must be used in combination")

    def print_parameters(self, printer: text_printer.Printer) -> None:
        group = "" if self.every is None else f", every {self.every} along {self.along}"
        printer.write(f"<{self.divisor}{group}>")

    @classmethod
    def parse_parameters(cls, parser: text_parser.AttributeParser) -> Self:
        parser.expect("<")
        divisor = parser.parse_integer()
        every = along = None
        if parser.accept(","):
            every = parser.parse_integer() if parser.accept_keyword("every") else None
            along = parser.parse_integer() if parser.accept_keyword("along") else None
        parser.expect(">")
        return cls(divisor, every, along)


class BoundedAttr(Parametrised, AssumptionAttr):
    """``#nv_tileaa.bounded<0, ?>``: a signed range with both ends in it, the lower one not above the upper
    one; an open end is None.
    """

    name: ClassVar[str] = "nv_tileaa.bounded"
    lower: int | None
    upper: int | None
    codecs: ClassVar[dict[str, Codec]] = {"lower": OPEN_INTEGER, "upper": OPEN_INTEGER}

    def verify_parameters(self) -> None:
        if self.lower is not None and self.upper is not None and self.lower > self.upper:
            raise InvalidParameters(f"expected lower <= upper, got {self.lower} and {self.upper}")


class SameElementsAttr(Parametrised, AssumptionAttr):
    """``#nv_tileaa.same_elements<[1, 4]>``: along each dimension, the length of the runs of equal elements,
    which is not negative.
    """

    name: ClassVar[str] = "nv_tileaa.same_elements"
    values: tuple[int, ...]
    codecs: ClassVar[dict[str, Codec]] = {"values": INTEGERS}

    def verify_parameters(self) -> None:
        if any(value < 0 for value in self.values):
            raise InvalidParameters(f"expected non-negative lengths, got {list(self.values)}")


def parse_attribute(parser: text_parser.AttributeParser, mnemonic: str) -> Attribute | None:
    """Parse the parameters of the older spelling ``#nv_tileaa.compute-capability<100>``, and return the
    `ComputeCapabilityAttr`. Return None for other mnemonics.
    """
    legacy = mnemonic == "compute-capability"
    return ComputeCapabilityAttr.parse_parameters(parser) if legacy else None


ATTRIBUTES: tuple[type[Attribute], ...] = (
    ComputeCapabilityAttr,
    TargetSpecAttr,
    KernelSpecAttr,
    CacheModifierAttr,
    EvictionPolicyAttr,
    MemSemanticAttr,
    MemScopeAttr,
    RmwModeAttr,
    RoundingModeAttr,
    PropagateNanAttr,
    SignednessAttr,
    PaddingValueAttr,
    ActivationLayoutAttr,
    ConvParamsAttr,
    DivByAttr,
    BoundedAttr,
    SameElementsAttr,
)
