"""The custom syntax of copies and barriers, where it differs from what the assembly formats say in general."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.llvm.constraints import POINTER
from tilewright.dialects.llvm.types import LLVMPointerType
from tilewright.ir.attribute import Type
from tilewright.ir.declaration.constraint import OneOf
from tilewright.ir.text.format.parsing import ParseSteps, Test
from tilewright.ir.text.format.printing import FormatPrinting, PrintSteps, Step
from tilewright.ir.text.format.spec import Directive, FieldElement, FormatElement

if TYPE_CHECKING:
    from tilewright.ir.text.parser import Parser


def _is_pointer(format: Any, directive: Directive) -> bool:
    """Return whether the value `x` of a directive ``type($x)`` can only be a pointer into one address space,
    by the constraint of the field in `format`. False if the argument of the directive is no field.
    """
    target = directive.arguments[0]
    constraint = format.field(target.name).constraint if isinstance(target, FieldElement) else None
    if isinstance(constraint, OneOf):
        return len(constraint.types) == 1 and isinstance(constraint.types[0], LLVMPointerType)
    return constraint is POINTER


class ShortPointerPrinting(PrintSteps):
    """Prints ``<3>`` for ``!llvm.ptr<3>`` if the value can only be a pointer into one address space. A
    pointer into address space 0 is printed in full.
    """

    def directive(self, directive: Directive) -> Step:
        if directive.name != "type" or not _is_pointer(self.format, directive):
            return super().directive(directive)
        types_of = self.types(directive.arguments[0])

        def run(printing: FormatPrinting) -> None:
            printing.separate()
            type: Any = types_of(printing.op)[0]
            if type.address_space:
                type.print_parameters(printing.printer)
            else:  # nothing would be left of it
                printing.printer.print_type(type)

        return run


class ShortPointerParsing(ParseSteps):
    """Parses types as `ShortPointerPrinting` prints them: a pointer type may begin with ``<``; the full
    spelling is accepted, too.
    """

    def type_parser(self) -> Callable[[Parser], Type]:
        full = super().type_parser()
        return lambda parser: LLVMPointerType.parse_parameters(parser) if parser.at("<") else full(parser)

    def optional_type_parser(self) -> Callable[[Parser], Type | None]:
        full = super().optional_type_parser()
        return lambda parser: LLVMPointerType.parse_parameters(parser) if parser.at("<") else full(parser)


class ShortPointerOp(StandardOp):
    """The base of operations whose text spells a type that can only be a pointer into one address space by
    this space alone, as ``<3>``.
    """

    format_parsing: ClassVar[type[ParseSteps]] = ShortPointerParsing
    format_printing: ClassVar[type[PrintSteps]] = ShortPointerPrinting


class QualifiedPrinting(PrintSteps):
    """Prints attributes that the format calls ``qualified`` with their full name."""

    def directive(self, directive: Directive) -> Step:
        target = directive.arguments[0] if directive.arguments else None
        if directive.name != "qualified" or not isinstance(target, FieldElement):
            return super().directive(directive)
        name: str = self.format.field(target.name).ir_name

        def run(printing: FormatPrinting) -> None:
            printing.separate()
            printing.printer.print_attribute(printing.op.held_attributes[name])

        return run


class QualifiedParsing(ParseSteps):
    """Parses the text of `QualifiedPrinting`: an optional group that begins with a ``qualified`` attribute is
    there if the next character is ``#``.
    """

    def test(self, element: FormatElement) -> Test:
        if isinstance(element, Directive) and element.name == "qualified":
            return lambda parser: parser.at("#")
        return super().test(element)


class QualifiedOp(StandardOp):
    """The base of operations whose text spells the attributes that the format calls ``qualified`` with their
    full name.
    """

    format_parsing: ClassVar[type[ParseSteps]] = QualifiedParsing
    format_printing: ClassVar[type[PrintSteps]] = QualifiedPrinting
