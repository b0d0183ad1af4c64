"""The declaration of the ``ttg`` dialect: its operations, types and attributes."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any

from tilewright.dialects.common.base import StandardOp
from tilewright.ir import builtin_attributes, dialect
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_types import i32
from tilewright.ir.declaration import attribute_kind, fields
from tilewright.ir.interfaces.control_flow import InlinerInterface

if TYPE_CHECKING:
    from tilewright.ir.text import attribute_parser, printer as text_printer


class AddrSpace(enum.Flag):
    """The memory spaces whose accesses a barrier orders."""

    NONE = 0
    LOCAL = 1
    GLOBAL_READ = 2
    GLOBAL_WRITE = 4
    TENSOR_READ = 8
    TENSOR_WRITE = 16
    ALL = 31


class AddrSpaceKind(attribute_kind.AttributeKind):
    """A 32-bit integer whose bits are flags of `AddrSpace`; spelt ``local|global_read``."""

    description = "32-bit signless integer attribute whose bits are address spaces"

    def accepts(self, attribute: Attribute) -> bool:
        if not isinstance(attribute, builtin_attributes.IntegerAttr) or attribute.type is not i32:
            return False
        return not attribute.value & ~AddrSpace.ALL.value

    def to_attribute(self, value: Any) -> Attribute:
        return builtin_attributes.IntegerAttr(i32, value.value) if isinstance(value, AddrSpace) else value

    def from_attribute(self, attribute: Any) -> Any:
        return AddrSpace(attribute.value)

    def print_short(self, attribute: Any, printer: text_printer.Printer) -> None:
        spaces = self.from_attribute(attribute)
        named = AddrSpace.__members__.values()
        words = [space for space in named if space.value.bit_count() == 1 and space in spaces]
        if spaces in (AddrSpace.NONE, AddrSpace.ALL):
            words = [spaces]
        printer.write("|".join((space.name or "").lower() for space in words))

    def parse_short(self, parser: attribute_parser.AttributeParser) -> Attribute:
        spaces = AddrSpace.NONE
        while True:
            start = parser.position
            word = parser.expect_keyword()
            if word.upper() not in AddrSpace.__members__ or word != word.lower():
                raise parser.error(f"unknown addrSpace '{word}'", start)
            spaces |= AddrSpace[word.upper()]
            if not parser.accept("|"):
                return self.to_attribute(spaces)

    def starts(self, parser: attribute_parser.AttributeParser) -> bool:
        return parser.peek_keyword() is not None


ADDR_SPACE = AddrSpaceKind()


class BarrierOp(StandardOp, name="ttg.barrier"):
    """Waits until all threads of the program have reached the barrier, and orders their accesses to the given
    memory spaces.
    """

    addrSpace: AddrSpace = fields.attr_def(ADDR_SPACE, "The memory.")
    assembly_format = "$addrSpace attr-dict"


OPERATIONS = (BarrierOp,)


TTG = dialect.Dialect(
    "ttg",
    doc="Triton's programs on a GPU; of it no more than what front ends make.",
    operations=OPERATIONS,
    interfaces=(InlinerInterface(),),
    depends_on=("tt",),
)
