"""The types of the ``gpu`` dialect: tokens of asynchronous operations, matrices spread over a warp."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self

from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import ShapedType, f16, f32, f64, i32
from tilewright.ir.uniquer import InvalidParameters

if TYPE_CHECKING:
    from tilewright.ir.text import parser as text_parser, printer as text_printer

MATRIX_OPERANDS = ("AOp", "BOp", "COp")
"""The operands of a multiplication that a matrix can be."""
MATRIX_INTEGERS = ("si8", "ui8")


class AsyncTokenType(Type):
    """``!gpu.async.token``: represents the completion of an asynchronous operation."""

    name: ClassVar[str] = "gpu.async.token"


class MMAMatrixType(ShapedType):
    """``!gpu.mma_matrix<16x16xf16, "AOp">``: a matrix whose elements are spread over the threads of a warp.
    Elements are si8, ui8, i32, f16, f32 or f64. `operand` says which operand of a multiplication it is:
    ``AOp``, ``BOp`` or ``COp``.
    """

    name: ClassVar[str] = "gpu.mma_matrix"
    shape: tuple[int, ...]
    element_type: Type
    operand: str

    def verify_parameters(self) -> None:
        if self.operand not in MATRIX_OPERANDS:
            raise InvalidParameters("operand expected to be one of AOp, BOp or COp")
        if len(self.shape) != 2:
            raise InvalidParameters("MMAMatrixType must have exactly two dimensions")
        spelling = getattr(self.element_type, "spelling", "")
        if self.element_type not in (f16, f32, f64, i32) and spelling not in MATRIX_INTEGERS:
            raise InvalidParameters("MMAMatrixType elements must be SI8, UI8, I32, F16, F32, or F64")

    def print_parameters(self, printer: text_printer.Printer) -> None:
        printer.write("<")
        printer.print_dimension_list(self.shape)
        printer.print_type(self.element_type)
        printer.write(", ")
        printer.print_string(self.operand)
        printer.write(">")

    @classmethod
    def parse_parameters(cls, parser: text_parser.AttributeParser) -> Self:
        parser.expect("<")
        shape = parser.parse_dimension_list()
        element_type = parser.parse_type()
        parser.expect(",")
        operand = parser.parse_string()
        parser.expect(">")
        return cls(tuple(shape), element_type, operand)


TYPES: tuple[type[Type], ...] = (AsyncTokenType, MMAMatrixType)
"""All types of the dialect."""
TOKEN = AsyncTokenType()
