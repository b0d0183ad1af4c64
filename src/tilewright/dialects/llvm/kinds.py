"""The attribute kinds of LLVM operations."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any

from tilewright.dialects.common.kinds import (
    DescribedArrayKind,
    FlagsKind,
    IntegerElementsKind,
)
from tilewright.dialects.common.short_kinds import CaseKind, ShortEnumKind, StrippedKind
from tilewright.dialects.llvm import attributes as llvm_attributes, enums as llvm_enums
from tilewright.dialects.llvm.loop_attributes import LoopAnnotationAttr
from tilewright.dialects.llvm.types import LLVMFunctionType
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.builtin_types import IntegerType, i32
from tilewright.ir.declaration import attribute_kind

if TYPE_CHECKING:
    from tilewright.ir.text import parser as text_parser, printer as text_printer


class IntegerFlagsKind(attribute_kind.AttributeKind):
    """An integer attribute of `type` whose bits are a set of flags of `enumeration`. In Python the field is a
    member of the enumeration, and in text the names of the flags in lower case, joined by ``|``.
    """

    def __init__(self, enumeration: type[enum.Flag], type: IntegerType, description: str) -> None:
        self.enumeration = enumeration
        self.type = type
        self.description = description

    def accepts(self, attribute: Attribute) -> bool:
        if not (isinstance(attribute, IntegerAttr) and attribute.type is self.type):
            return False
        every = max(flag.value for flag in self.enumeration) * 2 - 1
        return 0 <= attribute.value <= every

    def to_attribute(self, value: Any) -> Attribute:
        return IntegerAttr(self.type, value.value) if isinstance(value, enum.Flag) else value

    def from_attribute(self, attribute: Any) -> Any:
        return self.enumeration(attribute.value)

    def print_short(self, attribute: Any, printer: text_printer.Printer) -> None:
        printer.write("|".join(flag_words(self.enumeration(attribute.value))))

    def parse_short(self, parser: text_parser.AttributeParser) -> Attribute:
        flags = self.enumeration(0)
        while True:
            start = parser.position
            word = parser.expect_keyword()
            flag = self.enumeration.__members__.get(word.upper())
            if flag is None:
                raise parser.error(f"unknown flag '{word}'", start)
            flags |= flag
            if not parser.accept("|"):
                return self.to_attribute(flags)

    def starts(self, parser: text_parser.AttributeParser) -> bool:
        return (parser.peek_keyword() or "").upper() in self.enumeration.__members__


def flag_words(flags: enum.Flag) -> list[str]:
    """Return the names of a set of flags in lower case, as they are printed. A group such as ``fast``
    replaces its members; the empty set has the name of the member 0.
    """
    members = sorted(type(flags).__members__.values(), key=lambda member: -member.value.bit_count())
    words: list[str] = []
    rest = flags
    for member in members:
        if (member.value and member in rest) or not flags.value:
            words.append((member.name or "").lower())
            rest &= ~member
        if not flags.value:
            return [(members[-1].name or "").lower()]
    return words


class OverflowKind(IntegerFlagsKind):
    """Overflow flags in an attribute: a 32-bit integer, as MLIR prints them, or an
    `IntegerOverflowFlagsAttr`; both are accepted. The short form in text is ``overflow<nsw, nuw>``.
    """

    def __init__(self) -> None:
        super().__init__(llvm_enums.IntegerOverflowFlags, i32, "LLVM integer overflow flags")

    def accepts(self, attribute: Attribute) -> bool:
        return isinstance(attribute, llvm_enums.IntegerOverflowFlagsAttr) or super().accepts(attribute)

    def from_attribute(self, attribute: Any) -> Any:
        return llvm_enums.IntegerOverflowFlags(getattr(attribute.value, "value", attribute.value))

    def print_short(self, attribute: Any, printer: text_printer.Printer) -> None:
        flags: llvm_enums.IntegerOverflowFlags = self.from_attribute(attribute)
        printer.write("overflow")
        llvm_enums.IntegerOverflowFlagsAttr(flags).print_parameters(printer)

    def parse_short(self, parser: text_parser.AttributeParser) -> Attribute:
        if not parser.accept_keyword("overflow"):
            raise parser.unexpected("'overflow'")
        return self.to_attribute(llvm_enums.IntegerOverflowFlagsAttr.parse_parameters(parser).value)

    def starts(self, parser: text_parser.AttributeParser) -> bool:
        return parser.peek_keyword() == "overflow"


class BitKind(attribute_kind.BoolKind):
    """A 1-bit integer attribute, shown as a bool."""

    description = "1-bit signless integer attribute"


class FunctionTypeKind(attribute_kind.TypeKind):
    """A type attribute that holds an LLVM function type; in Python the field is that type."""

    def __init__(self, type_class: type[Type]) -> None:
        super().__init__(type_class)
        self.description = "type attribute of LLVM function type"


FAST_MATH = FlagsKind(llvm_enums.FastMathFlagsAttr, "LLVM fastmath flags")
OVERFLOW = OverflowKind()
POINTER_WRAP = IntegerFlagsKind(llvm_enums.PointerWrapFlags, i32, "::mlir::LLVM::GEPNoWrapFlags")
LINKAGE = ShortEnumKind(llvm_enums.LinkageAttr, "LLVM Linkage specification")
CALLING_CONVENTION = ShortEnumKind(llvm_enums.CConvAttr, "LLVM Calling Convention specification")
TAIL_CALL = ShortEnumKind(llvm_enums.TailCallKindAttr, "LLVM Calling Convention specification")
FRAME_POINTER = ShortEnumKind(llvm_enums.FramePointerKindAttr, "")
UNWIND_TABLE = ShortEnumKind(llvm_enums.UnwindTableKindAttr, "")
ORDERING = CaseKind(llvm_enums.AtomicOrdering, "Atomic ordering for LLVM's memory model")
ATOMIC_OPERATION = CaseKind(llvm_enums.AtomicBinaryOperation, "llvm.atomicrmw binary operations")
COMDAT = CaseKind(llvm_enums.Comdat, "LLVM Comdat Types")
FLOAT_PREDICATE = CaseKind(llvm_enums.FloatPredicate, "llvm.fcmp comparison predicate")
INTEGER_PREDICATE = CaseKind(llvm_enums.IntegerPredicate, "llvm.icmp comparison predicate")
ASM_DIALECT = CaseKind(llvm_enums.AsmDialect, "ATT (0) or Intel (1) asm dialect")
UNNAMED_ADDRESS = CaseKind(
    llvm_enums.UnnamedAddress, "LLVM GlobalValue UnnamedAddr", llvm_enums.UnnamedAddress.NONE
)
VISIBILITY = CaseKind(
    llvm_enums.LlvmVisibility, "LLVM GlobalValue Visibility", llvm_enums.LlvmVisibility.DEFAULT
)
ACCESS_GROUPS = DescribedArrayKind(
    attribute_kind.InstanceKind(llvm_attributes.AccessGroupAttr, "access group"),
    "LLVM dialect access group metadata array",
)
ALIAS_SCOPES = DescribedArrayKind(
    attribute_kind.InstanceKind(llvm_attributes.AliasScopeAttr, "alias scope"),
    "LLVM dialect alias scope array",
)
TBAA_TAGS = DescribedArrayKind(
    attribute_kind.InstanceKind(llvm_attributes.TBAATagAttr, "TBAA tag"),
    "LLVM dialect TBAA tag metadata array",
)
LOOP_ANNOTATION = StrippedKind(LoopAnnotationAttr, "loop annotation")
MEMORY_EFFECTS = StrippedKind(llvm_attributes.MemoryEffectsAttr, "memory effects")
DEREFERENCEABLE = StrippedKind(llvm_attributes.DereferenceableAttr, "LLVM dereferenceable attribute")
VSCALE_RANGE = StrippedKind(llvm_attributes.VScaleRangeAttr, "range of vscale")
TARGET_FEATURES = StrippedKind(llvm_attributes.TargetFeaturesAttr, "LLVM target features attribute")
VECTOR_TYPE_HINT = StrippedKind(llvm_attributes.VecTypeHintAttr, "Explicit vectorization compiler hint")
MODULE_FLAGS = DescribedArrayKind(
    attribute_kind.InstanceKind(llvm_attributes.ModuleFlagAttr, "module flag"), "array attribute"
)
FUNCTION_TYPE = FunctionTypeKind(LLVMFunctionType)
BIT = BitKind()
DEBUG_EXPRESSIONS = DescribedArrayKind(attribute_kind.AttributeKind(), "an array of variable expressions")
SYMBOLS = DescribedArrayKind(attribute_kind.SymbolRefKind(), "flat symbol ref array attribute")
INTEGERS = DescribedArrayKind(attribute_kind.IntegerKind(i32), "32-bit integer array attribute")
CASE_VALUES = IntegerElementsKind()
