"""Custom syntax of ``tt`` that assembly formats cannot say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilewright.dialects.tt.types import PtrType, TensorDescType
from tilewright.ir.attribute import Type

if TYPE_CHECKING:
    from tilewright.ir.text.format.parsing import FormatParsing
    from tilewright.ir.text.format.printing import FormatPrinting


class BareType:
    """``custom<Name>(type($field))``: a type of one class by its parameters alone, ``<f16>``; all of it is read, too."""

    def __init__(self, type_class: type[Type]) -> None:
        self.type_class = type_class

    def at(self, parser: Any) -> bool:
        """Return whether a type may begin here."""
        return parser.at("<") or parser.at("!")

    def print(self, printing: FormatPrinting, target: Any) -> None:
        """Print the type of a field."""
        (value,) = printing.values(target.arguments[0].name)
        if isinstance(value.type, self.type_class):
            value.type.print_parameters(printing.printer)
        else:
            printing.printer.print_type(value.type)

    def parse(self, parsing: FormatParsing, target: Any) -> None:
        """Parse the text that `print` prints."""
        parser, field = parsing.parser, parsing.format.field(target.arguments[0].name)
        bare = parser.at("<")
        found = self.type_class.parse_parameters(parser) if bare else parser.parse_type()
        is_result = field in parsing.format.kind.results
        parsing.types[f"result {field.name}" if is_result else field.name] = [found]


BARE_TYPES = {"PointerType": BareType(PtrType), "DescriptorType": BareType(TensorDescType)}
"""The directives by the names that assembly formats have for them."""
