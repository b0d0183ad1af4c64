"""The enumerations of Tile IR: Python enums whose values are the numbers on the wire, and their attributes."""

from __future__ import annotations

from enum import Enum
from typing import ClassVar

from tilewright.dialects.cuda_tile.version import V13_4, V13_5, Version
from tilewright.ir.attribute import EnumAttribute


class Signedness(Enum):
    """Whether integers are read as signed."""

    UNSIGNED = 0
    SIGNED = 1


class IntegerOverflow(Enum):
    """The overflows that the program states not to happen: none, overflow of signed integers, of
    unsigned integers, or both (``NO_WRAP``).
    """

    NONE = 0
    NO_SIGNED_WRAP = 1
    NO_UNSIGNED_WRAP = 2
    NO_WRAP = 3


class RoundingMode(Enum):
    """How a result is rounded: to nearest with ties to even (``NEAREST_EVEN``) or away from zero
    (``NEAREST_AWAY``), towards zero, down (``NEGATIVE_INF``), up (``POSITIVE_INF``), or to an integer towards
    zero (``NEAREST_INT_TO_ZERO``). ``APPROX`` and ``FULL`` select faster computations with larger errors,
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


class ComparisonOrdering(Enum):
    """The result of a float comparison with a NaN: true (unordered) or false (ordered)."""

    UNORDERED = 0
    ORDERED = 1


class ComparisonPredicate(Enum):
    """The relation that a comparison tests."""

    EQUAL = 0
    NOT_EQUAL = 1
    LESS_THAN = 2
    LESS_THAN_OR_EQUAL = 3
    GREATER_THAN = 4
    GREATER_THAN_OR_EQUAL = 5


class AtomicRMWMode(Enum):
    """The combining function of an atomic read-modify-write. ``ADDF`` adds floats; ``MAX`` and ``MIN``
    compare signed integers, ``UMAX`` and ``UMIN`` unsigned integers; ``XCHG`` replaces the value.
    """

    AND = 0
    OR = 1
    XOR = 2
    ADD = 3
    ADDF = 4
    MAX = 5
    MIN = 6
    UMAX = 7
    UMIN = 8
    XCHG = 9


class MemoryOrderingSemantics(Enum):
    """The memory ordering of an access, as in PTX's memory model. A ``WEAK`` access does not synchronise and
    must not race with others; a ``RELAXED`` access may race, but orders no other accesses.
    """

    WEAK = 0
    RELAXED = 1
    ACQUIRE = 2
    RELEASE = 3
    ACQ_REL = 4


class MemoryScope(Enum):
    """The threads among which a memory operation is ordered: tile block, device, system."""

    TL_BLK = 0
    DEVICE = 1
    SYS = 2


class PaddingValue(Enum):
    """The value of the elements that a load reads outside of the tensor: 0, -0, NaN, infinity or minus
    infinity.
    """

    ZERO = 0
    NEG_ZERO = 1
    NAN = 2
    POS_INF = 3
    NEG_INF = 4


class SymbolVisibility(Enum):
    """Whether the host sees a symbol."""

    PUBLIC = 0
    PRIVATE = 1


class PtrAttr(Enum):
    """The kind of memory mapping that a pointer refers to: the memory of a single device (``UNICAST``), or
    memory of several devices under a single address (``MULTICAST``). ``NONE`` states no kind.
    """

    NONE = 0
    UNICAST = 1
    MULTICAST = 2


class MultimemReductionKind(Enum):
    """The reduction of a multimem operation. ``UMIN`` and ``UMAX`` read integers as unsigned, ``MIN`` and
    ``MAX`` as signed.
    """

    ADD = 0
    MIN = 1
    MAX = 2
    AND = 3
    OR = 4
    XOR = 5
    UMIN = 6
    UMAX = 7


class VersionedEnumAttribute(EnumAttribute):
    """The base of the enum attributes of Tile IR. ``case_since`` has the bytecode version of each case that
    is newer than its enum.
    """

    case_since: ClassVar[dict[Enum, Version]] = {}


class SignednessAttr(VersionedEnumAttribute):
    """The attribute form of `Signedness`, such as ``#cuda_tile.signedness<signed>``."""

    name = "cuda_tile.signedness"
    enumeration = Signedness


class IntegerOverflowAttr(VersionedEnumAttribute):
    """The attribute form of `IntegerOverflow`, such as ``#cuda_tile.overflow<no_wrap>``."""

    name = "cuda_tile.overflow"
    enumeration = IntegerOverflow


class RoundingModeAttr(VersionedEnumAttribute):
    """The attribute form of `RoundingMode`, such as ``#cuda_tile.rounding<zero>``."""

    name = "cuda_tile.rounding"
    enumeration = RoundingMode
    case_since: ClassVar[dict[Enum, Version]] = {RoundingMode.NEAREST_AWAY: V13_4}


class ComparisonOrderingAttr(VersionedEnumAttribute):
    """The attribute form of `ComparisonOrdering`, such as ``#cuda_tile.comparison_ordering<ordered>``."""

    name = "cuda_tile.comparison_ordering"
    enumeration = ComparisonOrdering


class ComparisonPredicateAttr(VersionedEnumAttribute):
    """The attribute form of `ComparisonPredicate`, such as ``#cuda_tile.comparison_predicate<less_than>``."""

    name = "cuda_tile.comparison_predicate"
    enumeration = ComparisonPredicate


class AtomicRMWModeAttr(VersionedEnumAttribute):
    """The attribute form of `AtomicRMWMode`, such as ``#cuda_tile.atomic_rmw_mode<addf>``."""

    name = "cuda_tile.atomic_rmw_mode"
    enumeration = AtomicRMWMode
    is_number = True


class MemoryOrderingSemanticsAttr(VersionedEnumAttribute):
    """The attribute form of `MemoryOrderingSemantics`, such as ``#cuda_tile.memory_ordering_semantics<weak>``."""

    name = "cuda_tile.memory_ordering_semantics"
    enumeration = MemoryOrderingSemantics
    is_number = True


class MemoryScopeAttr(VersionedEnumAttribute):
    """The attribute form of `MemoryScope`, such as ``#cuda_tile.memory_scope<device>``."""

    name = "cuda_tile.memory_scope"
    enumeration = MemoryScope
    is_number = True


class PaddingValueAttr(VersionedEnumAttribute):
    """The attribute form of `PaddingValue`, such as ``#cuda_tile.padding_value<nan>``."""

    name = "cuda_tile.padding_value"
    enumeration = PaddingValue


class SymbolVisibilityAttr(VersionedEnumAttribute):
    """The attribute form of `SymbolVisibility`, such as ``#cuda_tile.symbol_visibility<private>``."""

    name = "cuda_tile.symbol_visibility"
    enumeration = SymbolVisibility


class PtrAttrAttr(VersionedEnumAttribute):
    """The attribute form of `PtrAttr`, such as ``#cuda_tile.ptr_attr<multicast>``."""

    name = "cuda_tile.ptr_attr"
    enumeration = PtrAttr
    case_since: ClassVar[dict[Enum, Version]] = {PtrAttr.UNICAST: V13_5, PtrAttr.MULTICAST: V13_5}


class MultimemReductionKindAttr(VersionedEnumAttribute):
    """The attribute form of `MultimemReductionKind`, such as ``#cuda_tile.multimem_reduction_kind<min>``."""

    name = "cuda_tile.multimem_reduction_kind"
    enumeration = MultimemReductionKind


ENUM_ATTRIBUTES: tuple[type[VersionedEnumAttribute], ...] = (
    SignednessAttr,
    IntegerOverflowAttr,
    RoundingModeAttr,
    ComparisonOrderingAttr,
    ComparisonPredicateAttr,
    AtomicRMWModeAttr,
    MemoryOrderingSemanticsAttr,
    MemoryScopeAttr,
    PaddingValueAttr,
    SymbolVisibilityAttr,
    PtrAttrAttr,
    MultimemReductionKindAttr,
)
