"""The attributes of ``nv_tileas``: which instruction an operation becomes, and how descriptors behave."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, ClassVar, Self

from tilewright.ir.attribute import Attribute
from tilewright.ir.enum_attribute import SpelledEnum, SpelledEnumAttribute
from tilewright.ir.uniquer import InvalidParameters

if TYPE_CHECKING:
    from tilewright.ir.text.parser import AttributeParser
    from tilewright.ir.text.printer import Printer


class SwizzleMode(SpelledEnum):
    """How bytes of shared memory are permuted: the width of the repeating pattern."""

    NONE = 0
    BYTES_32 = 1, "32B"
    BYTES_64 = 2, "64B"
    BYTES_128 = 3, "128B"


class OobMode(SpelledEnum):
    """What a descriptor yields outside of its tensor."""

    ZERO = 0
    NAN = 1
    CONSTANT = 2


class SwizzleModeAttr(SpelledEnumAttribute):
    """``#nv_tileas.swizzle_mode<"128B">``."""

    name: ClassVar[str] = "nv_tileas.swizzle_mode"
    enumeration: ClassVar[type[Enum]] = SwizzleMode


class OobModeAttr(SpelledEnumAttribute):
    """``#nv_tileas.oob_mode<zero>``."""

    name: ClassVar[str] = "nv_tileas.oob_mode"
    enumeration: ClassVar[type[Enum]] = OobMode


class AtomAttr(Attribute):
    """``#nv_tileas<atom tma_load>``: the instruction that an operation becomes, by name."""

    name: ClassVar[str] = "nv_tileas.atom"
    instruction: str

    def verify_parameters(self) -> None:
        if not self.instruction.isidentifier() or not self.instruction.isascii():
            raise InvalidParameters(f"expected the name of an atom, got '{self.instruction}'")

    def print_parameters(self, printer: Printer) -> None:
        printer.write(self.instruction)

    @classmethod
    def parse_parameters(cls, parser: AttributeParser) -> Self:
        bracketed = parser.accept("<")
        instruction = parser.expect_keyword("the name of an atom")
        if bracketed:
            parser.expect(">")
        return cls(instruction)


ATTRIBUTES: tuple[type[Attribute], ...] = (AtomAttr, SwizzleModeAttr, OobModeAttr)
