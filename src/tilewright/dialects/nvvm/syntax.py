"""The custom syntax of copies and barriers, where it differs from what the assembly formats say in general."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.llvm.constraints import POINTER
from tilewright.dialects.llvm.types import LLVMPointerType
from tilewright.ir.constraint import OneOf
from tilewright.ir.operation import Operation
from tilewright.ir.text.assembly_format import FormatParsing, format_of
from tilewright.ir.text.format_printing import FormatPrinting
from tilewright.ir.text.format_spec import Directive, Element, Variable

if TYPE_CHECKING:
    from tilewright.ir.text.parser import Parser
    from tilewright.ir.text.printer import Printer


def _is_pointer(format: Any, directive: Directive) -> bool:
    """Whether ``type($x)`` names a value that can only be a pointer into one address space."""
    target = directive.arguments[0]
    constraint = format.field(target.name).constraint if isinstance(target, Variable) else None
    if isinstance(constraint, OneOf):
        return len(constraint.types) == 1 and isinstance(constraint.types[0], LLVMPointerType)
    return constraint is POINTER


class ShortPointerPrinting(FormatPrinting):
    """Prints ``<3>`` for ``!llvm.ptr<3>`` where the value can only be a pointer into one address space."""

    def _directive(self, directive: Directive) -> None:
        if directive.name == "type" and _is_pointer(self.format, directive):
            self._separate()
            (type,) = self._types(directive.arguments[0])
            if type.address_space:
                type.print_parameters(self.printer)
            else:  # nothing would be left of it
                self.printer.print_type(type)
            return
        super()._directive(directive)


class ShortPointerParsing(FormatParsing):
    """Parses what `ShortPointerPrinting` printed, and the full spelling."""

    def _type(self, target: Element) -> None:
        if isinstance(target, Variable) and self.parser.at("<"):
            field = self.format.field(target.name)
            self.types[self._key(field)] = [LLVMPointerType.parse_parameters(self.parser)]
            return
        super()._type(target)


class ShortPointerOp(StandardOp):
    """An operation whose syntax spells some pointer types by their address space alone."""

    def print_custom(self, printer: Printer) -> None:
        """By the format, with short pointer types."""
        ShortPointerPrinting(format_of(self.kind), self, printer).run()

    @classmethod
    def parse_custom(cls, parser: Parser) -> Generator[Any, Any, Operation]:
        """By the format, with short or full pointer types."""
        operation = yield ShortPointerParsing(format_of(cls.op_kind), parser).run()
        return operation


class QualifiedPrinting(FormatPrinting):
    """Prints attributes that the format calls ``qualified`` with their full name."""

    def _directive(self, directive: Directive) -> None:
        target = directive.arguments[0] if directive.arguments else None
        if directive.name == "qualified" and isinstance(target, Variable):
            self._separate()
            self.printer.print_attribute(self.op.attributes[self.format.field(target.name).ir_name])
            return
        super()._directive(directive)


class QualifiedParsing(FormatParsing):
    """Parses what `QualifiedPrinting` printed; attributes that may be left out begin with ``#``."""

    def _at(self, element: Element) -> bool:
        if isinstance(element, Directive) and element.name == "qualified":
            return self.parser.at("#")
        return super()._at(element)


class QualifiedOp(StandardOp):
    """An operation whose syntax spells attributes with their full name."""

    def print_custom(self, printer: Printer) -> None:
        """By the format, with full names of attributes."""
        QualifiedPrinting(format_of(self.kind), self, printer).run()

    @classmethod
    def parse_custom(cls, parser: Parser) -> Generator[Any, Any, Operation]:
        """By the format, with full names of attributes."""
        operation = yield QualifiedParsing(format_of(cls.op_kind), parser).run()
        return operation
