"""The ``custom<>`` parts of GPU assembly formats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from tilewright.dialects.common.signatures import TypeList
from tilewright.dialects.gpu import enums as gpu_enums, types as gpu_types
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import index
from tilewright.ir.declaration.enum_attribute import parse_case
from tilewright.ir.text import hooks
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.text import parser as text_parser, printer as text_printer

TOKEN = gpu_types.AsyncTokenType()


class Asynchronous(Protocol):
    """The fields of operations that depend on tokens, `asyncDependencies`, and may return a token,
    `asyncToken`.
    """

    asyncDependencies: tuple[Value, ...]
    asyncToken: Value | None


def print_dependencies(printer: text_printer.Printer, op: Asynchronous) -> None:
    """Print ``async [%token]``: the keyword if the operation returns a token, and the tokens that it depends
    on, if any.
    """
    printer.write("async" if op.asyncToken is not None else "")
    if op.asyncDependencies:
        printer.write(" [" if op.asyncToken is not None else "[")
        printer.print_operands(op.asyncDependencies)
        printer.write("]")


def parse_dependencies(parser: text_parser.Parser) -> tuple[bool, list[hooks.OperandUse]]:
    """Parse the text that `print_dependencies` prints. Return whether it has the keyword ``async``, and the
    uses of tokens, which may be none. Raises `ParseError` for ``async`` without a named result.
    """
    start = parser.position
    is_async = parser.accept_keyword("async")
    if is_async and not parser.result_count:
        raise parser.error("needs to be named when marked 'async'", start)
    uses: list[hooks.OperandUse] = []
    if parser.accept("["):
        uses = parser.parse_operands()
        parser.expect("]")
    return is_async, uses


class AsyncDependencies:
    """``custom<AsyncDependencies>(type($asyncToken), $asyncDependencies)``: ``async [%token]``, the keyword
    if the operation returns a token, and the tokens that it depends on.
    """

    def at(self, parser: Any) -> bool:
        """Return True: the text may be empty, so the next token does not decide."""
        return True

    def print(self, printing: Any, token: Any, dependencies: Any) -> None:
        """Print the keyword and the tokens."""
        print_dependencies(printing.printer, printing.op)

    def parse(self, parsing: Any, token: Any, dependencies: Any) -> None:
        """Parse ``async [%token]``; either part may be missing. Raises `ParseError` for ``async`` without a
        named result.
        """
        is_async, uses = parse_dependencies(parsing.parser)
        parsing.uses["asyncDependencies"] = uses
        parsing.types["asyncDependencies"] = [TOKEN] * len(uses)
        parsing.types["result asyncToken"] = [TOKEN] * is_async


class LaunchDimensionType:
    """``: i64``: the type of all extents of a launch; left out for ``index``."""

    def at(self, parser: Any) -> bool:
        """Return whether the text of the directive begins here: a colon."""
        return parser.at(":")

    def print(self, printing: Any, *arguments: Any) -> None:
        """Print the type of the launch dimensions, unless it is `index`."""
        type = printing.op.gridSizeX.type
        if type is not index:
            printing.printer.write(": ")
            printing.printer.print_type(type)

    def parse(self, parsing: Any, *arguments: Any) -> None:
        """Parse the type of the launch dimensions after a colon; it is ``index`` if there is no colon."""
        type = parsing.parser.parse_type() if parsing.parser.accept(":") else index
        for part in ("gridSize", "blockSize", "clusterSize"):
            for name in (f"{part}{axis}" for axis in "XYZ"):
                parsing.types[name] = [type] * len(parsing.uses.get(name, ()))


class LaunchOperands:
    """``args(%x : f32, %m : memref<?xf32>)``: the arguments of a launched kernel, with their types."""

    def at(self, parser: Any) -> bool:
        """Return whether the text of the directive begins here: its keyword."""
        return parser.peek_keyword() == "args"

    def print(self, printing: Any, *arguments: Any) -> None:
        """Print the arguments of the kernel, each with its type."""
        printer = printing.printer
        for number, value in enumerate(printing.op.kernelOperands):
            printer.write(", " if number else "args(")
            printer.print_value(value)
            printer.write(" : ")
            printer.print_type(value.type)
        printer.write(")" if printing.op.kernelOperands else "")

    def parse(self, parsing: Any, *arguments: Any) -> None:
        """Parse ``args(%x : f32)``, if the keyword is next; without it the kernel has no arguments."""
        parser: text_parser.Parser = parsing.parser
        uses: list[hooks.OperandUse] = []
        types: list[Type] = []
        if parser.accept_keyword("args"):
            parser.expect("(")
            while not parser.accept(")"):
                if uses:
                    parser.expect(",")
                uses.append(parser.parse_operand())
                types.append(parser.parse_colon_type())
        parsing.uses["kernelOperands"], parsing.types["kernelOperands"] = uses, types


class ReductionWord:
    """``custom<AllReduceOperation>($op)``: the combining function, if no region computes it."""

    def at(self, parser: Any) -> bool:
        """Return whether the text of the directive begins here: a keyword."""
        return parser.peek_keyword() is not None

    def print(self, printing: Any, operation: Any) -> None:
        """Print the combining function after a blank: `` add``; nothing if the region computes it."""
        attribute = printing.op.attributes.get("op")
        if attribute is not None:
            printing.printer.write(f" {attribute.text}")

    def parse(self, parsing: Any, operation: Any) -> None:
        """Parse the combining function, such as ``add``, if a keyword is next. Raises `ParseError` for an
        unknown one.
        """
        if parsing.parser.peek_keyword() is not None:
            case = parse_case(parsing.parser, gpu_enums.AllReduceOperation, "a reduction")
            parsing.attributes["op"] = gpu_enums.AllReduceOperationAttr(case)


DIRECTIVES: dict[str, Any] = {
    "AsyncDependencies": AsyncDependencies(),
    "LaunchDimType": LaunchDimensionType(),
    "LaunchFuncOperands": LaunchOperands(),
    "AllReduceOperation": ReductionWord(),
}
"""The directives by the names that assembly formats have for them."""


def parse_attributions(parser: text_parser.Parser, word: str) -> TypeList:
    """Parse the buffers of a kernel, ``workgroup(%buffer : memref<32xf32, 3> {a})``, after the keyword
    `word`. Return their types, attributes and region arguments, all empty if `word` is not next.
    """
    found = TypeList()
    if not parser.accept_keyword(word):
        return found
    parser.expect("(")
    while not parser.accept(")"):
        if found.arguments:
            parser.expect(",")
        use = parser.parse_operand()
        type = parser.parse_colon_type()
        found.types.append(type)
        found.attributes.append(parser.optional_attribute_dictionary())
        found.arguments.append(hooks.RegionArgument(use, type, parser.optional_location()))
    return found
