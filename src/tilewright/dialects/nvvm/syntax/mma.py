"""The custom syntax of matrix multiplications by warps: ``A[%a, ...] B[%b, ...] C[%c, ...] {...} : (...) -> ...``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.llvm.types import LLVMStructType
from tilewright.dialects.nvvm.enums.mma import MMATypes, MMATypesAttr
from tilewright.ir import builtin_types
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.declaration.kind import OPERAND_SEGMENTS, OperationKind, segments
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import OperandUse
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.text.parser import Parser
    from tilewright.ir.text.printer import Printer

MULTIPLICANDS = ("multiplicandAPtxType", "multiplicandBPtxType")
"""Attributes that are left out where the types of the registers tell them."""


class MmaBracket(NamedTuple):
    """One bracket of the text: its word, and the fields whose values are in it.

    ``types`` are the types of the values; None for registers, whose type is at the end of the text.
    """

    word: str
    fields: tuple[str, ...]
    types: tuple[Type, ...] | None = None


REGISTERS = (MmaBracket("A", ("operandA",)), MmaBracket("B", ("operandB",)), MmaBracket("C", ("operandC",)))
SPARSITY = (
    MmaBracket("sparseMetadata", ("sparseMetadata",), (builtin_types.i32,)),
    MmaBracket("selector", ("sparsitySelector",), (builtin_types.i32,)),
)
SCALES = (
    MmaBracket(
        "scaleA",
        ("scaleAData", "byteIdA", "threadIdA"),
        (builtin_types.i32, builtin_types.i16, builtin_types.i16),
    ),
    MmaBracket(
        "scaleB",
        ("scaleBData", "byteIdB", "threadIdB"),
        (builtin_types.i32, builtin_types.i16, builtin_types.i16),
    ),
)


def element_type(type: Type, *, accumulator: bool) -> MMATypes | None:
    """Return the element type of registers of type `type`, or of a struct of such registers: F64 for f64, F16
    for f16 and pairs of f16. For an `accumulator` it is also F32 for f32 and S32 for integers. Return None
    for other types, which do not tell it.
    """
    if isinstance(type, LLVMStructType):
        return element_type(type.body[0], accumulator=accumulator) if type.body else None
    if type is builtin_types.f64:
        return MMATypes.F64
    if type is builtin_types.f16 or type is builtin_types.VectorType((2,), builtin_types.f16):
        return MMATypes.F16
    if type is builtin_types.f32 and accumulator:
        return MMATypes.F32
    return MMATypes.S32 if isinstance(type, builtin_types.IntegerType) and accumulator else None


class MultiplyOp(StandardOp):
    """The base of matrix multiplications, whose operands are printed in the brackets `parts`: one for each
    matrix, and more for metadata and scale factors.
    """

    parts: ClassVar[tuple[MmaBracket, ...]] = REGISTERS
    gap: ClassVar[str] = ""
    """The text after each bracket."""

    def print_custom(self, printer: Printer) -> None:
        print_multiply(self, printer)

    @classmethod
    def parse_custom(cls, parser: Parser) -> Operation:
        return parse_multiply(cls.op_kind, parser, cls.parts)


def print_multiply(op: MultiplyOp, printer: Printer) -> None:
    """Print the operands, attributes and types of a multiplication: ``A[%a, %b] B[%c] C[%d] {...} : (type,
    ...) -> type``.

    The text has the type of the first register of A, of B and of C. The attributes in `MULTIPLICANDS` are
    left out if the types of the registers imply them.
    """
    for part in op.parts:
        printer.write(f" {part.word}[")
        printer.print_operands([value for name in part.fields for value in op.kind.field_values(op, name)])
        printer.write(f"]{op.gap}")
    firsts = [op.kind.field_values(op, part.fields[0])[0].type for part in REGISTERS]
    told = [
        name
        for name, type in zip(MULTIPLICANDS, firsts, strict=False)
        if element_type(type, accumulator=False) is not None
    ]
    printer.print_attribute_dictionary(op.attributes, elided=(OPERAND_SEGMENTS, *told))
    printer.write(" : (")
    printer.print_types(firsts)
    printer.write(") -> ")
    printer.print_types(op.result_types)


def parse_multiply(kind: OperationKind, parser: Parser, parts: Sequence[MmaBracket]) -> Operation:
    """Parse the text of a matrix multiplication of the kind `kind` after its name, ``A[%a, %b] B[%c] C[%d]
    {...} : (type, ...) -> type``, with the brackets `parts`, and return the operation. The types are the
    types of the registers of A, B and C. Raises `ParseError` for other text, and if the element type of A or
    B is neither stated nor implied.
    """
    start = parser.position
    groups = [_parse_part(parser, part) for part in parts]
    attributes = parser.optional_attribute_dictionary()
    parser.expect(":")
    parser.expect("(")
    types = parser.parse_type_list(")")
    parser.expect("->")
    result = parser.parse_type()
    if len(types) != len(REGISTERS):
        words = f"expected one type for each operand segment but got {len(types)} types"
        raise parser.error(words, start)
    operands = _resolve(parser, parts, groups, types)
    _infer_elements(parser, attributes, types, start)
    sizes: list[int] = []
    for part, uses in zip(parts, groups, strict=True):
        sizes.extend([len(uses)] if part.types is None else [1] * len(uses))
    attributes[OPERAND_SEGMENTS] = segments(sizes)
    return Operation.from_parts(kind, operands, [result], attributes)


def _parse_part(parser: Parser, part: MmaBracket) -> list[OperandUse]:
    if not parser.accept_keyword(part.word):
        raise parser.unexpected(f"'{part.word}'")
    parser.expect("[")
    start = parser.position
    uses = parser.parse_operands()
    parser.expect("]")
    if part.types is not None and len(uses) != len(part.types):
        raise parser.error(f"expected {len(part.types)} operands in '{part.word}', got {len(uses)}", start)
    return uses


def _resolve(
    parser: Parser, parts: Sequence[MmaBracket], groups: Sequence[list[OperandUse]], types: Sequence[Type]
) -> list[Value]:
    registers = iter(types)
    operands: list[Value] = []
    for part, uses in zip(parts, groups, strict=True):
        known = list(part.types) if part.types is not None else [next(registers)] * len(uses)
        operands.extend(parser.resolve_all(uses, known))
    return operands


def _infer_elements(
    parser: Parser, attributes: dict[str, Attribute], types: Sequence[Type], start: int
) -> None:
    for name, type in zip(MULTIPLICANDS, types, strict=False):
        if name in attributes:
            continue
        found = element_type(type, accumulator=True)
        if found is None:
            message = f"attribute {name} is not provided explicitly and cannot be inferred"
            raise parser.error(message, start)
        attributes[name] = MMATypesAttr(found)
