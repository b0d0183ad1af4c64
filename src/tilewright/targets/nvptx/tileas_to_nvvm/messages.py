"""Output of a running kernel by `vprintf`, and failed assertions by `__assertfail`.

The first thread of the block prints. Text and scalars are printed by one call. The elements of a tile are
read by this thread from shared memory, in pieces if there are too many, and printed one after the other in a
loop, each with the brackets after it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import prod

from tilewright.dialects.func.ops import FuncOp
from tilewright.dialects.llvm.enums import Linkage
from tilewright.dialects.llvm.ops import arithmetic as llvm
from tilewright.dialects.llvm.ops.aggregate import AddressOfOp
from tilewright.dialects.llvm.ops.control import CallOp
from tilewright.dialects.llvm.ops.conversion import AddrSpaceCastOp, SExtOp, TruncOp, ZExtOp
from tilewright.dialects.llvm.ops.memory import AllocaOp, StoreOp
from tilewright.dialects.llvm.ops.symbol import GlobalOp, LLVMFuncOp
from tilewright.dialects.llvm.types import LLVMArrayType, LLVMFunctionType, LLVMPointerType, LLVMVoidType
from tilewright.dialects.nv_tileaa.check_messages import with_values
from tilewright.dialects.nv_tileaa.ops.program import AssertOp, CheckOp, PrintOp
from tilewright.ir.attribute import Type
from tilewright.ir.block import Region
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.builtin_attributes import DenseElementsAttr
from tilewright.ir.builtin_types import FloatType, IntegerType, VectorType, f64, i1, i8, i32, i64
from tilewright.ir.diagnostic import failure
from tilewright.ir.operation import Operation
from tilewright.ir.support.print_conversions import (
    FLOAT,
    PRINTABLE,
    SIGNED,
    Conversion,
    parse_format,
)
from tilewright.ir.value import Value
from tilewright.lowering.llvm_types.converter import LLVMTypeConverter
from tilewright.lowering.upstream_to_llvm.patterns import (
    add_symbol,
    declare_function,
    enclosing_table,
    free_name,
)
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.targets.elements.convert import as_double
from tilewright.targets.elements.element_types import element_of, is_tile, shape_of
from tilewright.targets.llvm.code import POINTER
from tilewright.targets.nvptx import codes
from tilewright.targets.nvptx.tileas_to_nvvm.accesses import EVERYWHERE, finish, guarded, is_first_holder
from tilewright.targets.nvptx.tileas_to_nvvm.code import PatternCode, held_type
from tilewright.targets.nvptx.tileas_to_nvvm.exchange import each_piece, read_element
from tilewright.targets.nvptx.tileas_to_nvvm.pattern import Registers, ThreadPattern, distribution
from tilewright.targets.nvptx.tileas_to_nvvm.program import GLOBAL

PRINTER = "vprintf"
FAILURE = "__assertfail"
"""The functions that the driver adds to every module."""
MOST_VALUES = 32
"""The maximum number of values of one call of `vprintf`."""
DOUBLE_WORD = 8
_WHOLE = Conversion("", 0, None, "d", "ll")
MINIMUM = 32
"""The width in bits of the narrowest integer that a variadic function takes."""


# --- text


def text_address(code: PatternCode, op: Operation, text: str) -> Value:
    """Return the generic address of a NUL-terminated text in constant memory of the module."""
    data = text.encode("utf-8", "surrogateescape") + b"\0"
    numbers = DenseElementsAttr(VectorType((len(data),), i8), data)
    table = enclosing_table(op)
    name = _name_of(table, numbers)
    if name is None:
        name = free_name(table, "text")
        add_symbol(
            code.rewriter,
            table,
            lambda: GlobalOp(
                LLVMArrayType(i8, len(data)),
                name,
                Linkage.INTERNAL,
                constant=True,
                value=numbers,
                addr_space=GLOBAL,
                alignment=1,
                initializer=Region(),
            ),
        )
    place = code(AddressOfOp, name, type=LLVMPointerType(GLOBAL))
    return code(AddrSpaceCastOp, place, type=POINTER)


def _name_of(table: Operation, numbers: DenseElementsAttr) -> str | None:
    """Return the symbol of an equal text in the module; None if there is none."""
    known = (op for op in table.regions[0].blocks[0] if isinstance(op, GlobalOp))
    return next((op.sym_name for op in known if op.constant and op.value is numbers), None)


# --- numbers


def passed_type(conversion: Conversion, element: Type, op: Operation) -> IntegerType | FloatType:
    """Return the type in which a variadic function takes elements of a type.

    Raises:
        DiagnosticError: the conversion does not fit the type.
    """
    if conversion.letter in FLOAT:
        return f64
    if isinstance(element, FloatType):
        message = f"'%{conversion.letter}' prints integers, but the elements are {element}"
        hint = "use %f, %e, %g or %a, or convert the tile first"
        raise failure(codes.NO_GPU_FORM, message, op.location, hint=hint)
    is_long = conversion.letter == "p" or not isinstance(element, IntegerType) or element.width > MINIMUM
    return i64 if is_long and conversion.letter != "c" else i32


def spelling(conversion: Conversion, passed: Type) -> str:
    """Return a conversion in C's syntax."""
    length = "ll" if passed is i64 and conversion.letter != "p" else ""
    return f"{conversion.printf}{length}{conversion.letter}"


def passed(
    code: PatternCode,
    conversion: Conversion,
    value: Value,
    element: Type,
    wanted: IntegerType | FloatType,
) -> Value:
    """Return an element converted from its register type to the type of a variadic argument."""
    if isinstance(wanted, FloatType):
        return as_double(code, value, element)
    bits = code.bits(value)
    assert isinstance(bits.type, IntegerType), "registers hold bits"
    if bits.type.width == wanted.width:
        return bits
    if bits.type.width > wanted.width:
        return code(TruncOp, bits, type=wanted)
    is_signed = conversion.letter in SIGNED and element is not i1
    return code(SExtOp if is_signed else ZExtOp, bits, type=wanted)


# --- output


class Print(ThreadPattern[PrintOp]):
    """Lower `print` (see the module's docstring).

    Raises:
        DiagnosticError: the format fits no tile.
    """

    def lower(self, op: PrintOp, at: Adaptor, code: PatternCode) -> Sequence[Registers] | NoMatch:
        printer = PrintLowering(code, op)
        values = zip(op.arguments, at.arguments, strict=True)
        for piece in _pieces(op):
            if isinstance(piece, str):
                printer.add_text(piece)
                continue
            value, registers = next(values)
            if is_tile(value.type):
                printer.print_tile(piece, registers, value.type)
            else:
                printer.add_number(piece, registers[0], value.type)
        printer.flush()
        return finish(code, op.done)


def _pieces(op: PrintOp) -> Sequence[str | Conversion]:
    try:
        return parse_format(op.format)
    except ValueError as error:
        raise failure(codes.NO_GPU_FORM, str(error), op.location, hint=PRINTABLE) from error


class PrintLowering:
    """Emit the prints of an operation; pending text and numbers are printed by one call."""

    def __init__(self, code: PatternCode, op: PrintOp | CheckOp) -> None:
        self.code = code
        self.op = op
        self._text = ""
        self._numbers: list[tuple[Conversion, Value, Type]] = []
        self._room: Value | None = None

    def add_text(self, text: str) -> None:
        """Append `text`, with each ``%`` doubled."""
        self._text += text.replace("%", "%%")

    def add_number(self, conversion: Conversion, value: Value, element: Type) -> None:
        """Append a scalar, which `conversion` formats. Print the pending text first if it is full."""
        if len(self._numbers) == MOST_VALUES:
            self.flush()
        self._text += spelling(conversion, passed_type(conversion, element, self.op))
        self._numbers.append((conversion, value, element))

    def hand_over(self, values: Sequence[Value]) -> None:
        """Print the empty text, with integers of 64 bits."""
        self._call(text_address(self.code, self.op, ""), [(_WHOLE, value, i64) for value in values])

    def flush(self) -> None:
        """Let the first thread print the pending text."""
        text, numbers = self._text, self._numbers
        self._text, self._numbers = "", []
        if text:
            self._by_first(lambda: self._call(text_address(self.code, self.op, text), numbers))

    def print_tile(self, conversion: Conversion, values: Registers, type: Type) -> None:
        """Print the elements of a tile as nested lists."""
        code, element, shape = self.code, element_of(type), shape_of(type)
        self.add_text("[" * len(shape))
        self.flush()
        registers = [code.in_form(value, held_type(element)) for value in values]
        for base, numbers in each_piece(code, self.op, distribution(type), registers, element):
            self._by_first(partial(self._print_elements, conversion, base, numbers, shape, element))
        self.add_text("]" * len(shape))

    def _print_elements(
        self, conversion: Conversion, base: Value, numbers: range, shape: Sequence[int], element: Type
    ) -> None:
        """Print the elements of a piece from shared memory, each with the separator after it."""
        code = self.code
        shown = text_address(code, self.op, spelling(conversion, passed_type(conversion, element, self.op)))
        last = code.integer(prod(shape) - 1, i32)

        end = code.integer(numbers[-1], i32)

        def one(number: Value) -> tuple[Value, Value]:
            read = read_element(code, base, code.plus(number, -numbers[0]), 0, element)
            self._call(shown, [(conversion, read, element)])
            following = code.plus(number, 1)
            is_last = code.compare_integers("eq", number, last)
            self._call(self._separator(following, is_last, shape), [])
            return following, code.compare_integers("eq", number, end)

        code.until(code.integer(numbers[0], i32), one)

    def _separator(self, number: Value, is_last: Value, shape: Sequence[int]) -> Value:
        """Return the text before an element that is not the first: it may begin rows, rows of rows and so on."""
        code, found = self.code, text_address(self.code, self.op, ", ")
        for depth in range(1, len(shape)):
            extent = prod(shape[-depth:])
            begins = code.compare_integers("eq", code.bit_field(number, 0, extent), code.integer(0, i32))
            brackets = text_address(code, self.op, "]" * depth + ", " + "[" * depth)
            found = code(llvm.SelectOp, begins, brackets, found, type=POINTER)
        return code(llvm.SelectOp, is_last, text_address(code, self.op, ""), found, type=POINTER)

    def _by_first(self, say: Callable[[], None]) -> None:
        """Let the first thread of the block run `say`."""

        def body() -> Sequence[Value]:
            say()
            return []

        guarded(self.code, is_first_holder(self.code, EVERYWHERE.threads), [], body)

    def _call(self, format: Value, numbers: Sequence[tuple[Conversion, Value, Type]]) -> None:
        """Call the print function; the numbers are consecutive in memory of the thread."""
        code, room, at = self.code, self._room_of(), 0
        for conversion, value, element in numbers:
            wanted = passed_type(conversion, element, self.op)
            size = wanted.width // 8
            at = -(-at // size) * size
            code.effect(
                StoreOp,
                passed(code, conversion, code.in_form(value, held_type(element)), element, wanted),
                code.pointer(room, at, i8),
                alignment=size,
            )
            at += size
        type = LLVMFunctionType(i32, (POINTER, POINTER))
        name = declare_function(code.rewriter, self.op, PRINTER, type)
        code(CallOp, (), (format, room), callee=name, type=i32)

    def _room_of(self) -> Value:
        """Return memory of the thread for the numbers of a call."""
        if self._room is None:
            function = next(op for op in self.op.ancestors() if isinstance(op, FuncOp | LLVMFuncOp))
            with self.code.rewriter.at(InsertionPoint.at_start(function.regions[0].blocks[0])):
                size = self.code.integer(DOUBLE_WORD * MOST_VALUES, i64)
                self._room = self.code(AllocaOp, size, i8, alignment=DOUBLE_WORD, type=POINTER)
        return self._room


# --- assertions


def _stop_unless(code: PatternCode, condition: Registers, report: Callable[[], None]) -> Sequence[Registers]:
    """Let threads for whose elements a condition is false run `report`, which stops the kernel."""
    holds = code.both([code.in_form(value, i1) for value in condition])

    def body() -> Sequence[Value]:
        report()
        return []

    guarded(code, code(llvm.XOrOp, holds, code.true()), [], body)
    return []


class Assert(ThreadPattern[AssertOp]):
    """Lower an assertion of the program."""

    def lower(self, op: AssertOp, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        return _stop_unless(code, at.condition, lambda: report_failure(code, op, op.message))


class Check(ThreadPattern[CheckOp]):
    """Lower a check that instrumentation inserted.

    The message of a failure is a constant. A print of the empty text hands the values to the simulator, which
    puts them into the message; a GPU prints nothing.
    """

    def lower(self, op: CheckOp, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        values = [registers[0] for registers in at.values]

        def report() -> None:
            if values:
                PrintLowering(code, op).hand_over(values)
            report_failure(code, op, with_values(op.message))

        return _stop_unless(code, at.condition, report)


def report_failure(code: PatternCode, op: Operation, message: str) -> None:
    """Stop the kernel and report the failure of an operation."""
    file, line, _ = op.location.source or ("", 0, 0)
    function = next(one for one in op.ancestors() if isinstance(one, FuncOp | LLVMFuncOp))
    texts = [text_address(code, op, text) for text in (message, file, function.sym_name)]
    type = LLVMFunctionType(LLVMVoidType(), (POINTER, POINTER, i32, POINTER, i64))
    name = declare_function(code.rewriter, op, FAILURE, type)
    arguments = (*texts[:2], code.integer(line, i32), texts[2], code.integer(1, i64))
    code.effect(CallOp, (), arguments, callee=name, result_types=[])


def populate_messages(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
    """Add the patterns of this file."""
    patterns.add(Print(converter), Assert(converter), Check(converter))
