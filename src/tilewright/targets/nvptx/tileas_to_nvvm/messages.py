"""Output of a running kernel by `vprintf`, and failed assertions by `__assertfail`.

The first thread of the block prints. Text and scalars are printed by one call. The elements of a tile are
read by this thread from shared memory, in pieces if there are too many, and printed one after the other in a
loop, each with the brackets after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import prod

from tilewright.dialects.func.ops import FuncOp
from tilewright.dialects.llvm.enums import Linkage
from tilewright.dialects.llvm.ops import aggregate as llvm_aggregate, arithmetic as llvm
from tilewright.dialects.llvm.ops.control import CallOp
from tilewright.dialects.llvm.ops.conversion import AddrSpaceCastOp, SExtOp, TruncOp, ZExtOp
from tilewright.dialects.llvm.ops.memory import AllocaOp, StoreOp
from tilewright.dialects.llvm.ops.symbol import GlobalOp, LLVMFuncOp
from tilewright.dialects.llvm.types import LLVMArrayType, LLVMFunctionType, LLVMPointerType, LLVMVoidType
from tilewright.dialects.nv_tileaa.attributes import Signedness
from tilewright.dialects.nv_tileaa.check_messages import with_values
from tilewright.dialects.nv_tileaa.ops.program import AssertOp, CheckOp, PrintOp
from tilewright.ir import block as ir_block, builder, builtin_types, diagnostic
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_attributes import DenseElementsAttr
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
from tilewright.lowering.upstream_to_llvm import patterns as upstream_to_llvm_patterns
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.pattern_set import RewritePatternSet
from tilewright.targets.elements import convert as elements_convert, element_types
from tilewright.targets.llvm.code import POINTER
from tilewright.targets.nvptx import codes
from tilewright.targets.nvptx.tileas_to_nvvm import exchange, program as tileas_to_nvvm_program
from tilewright.targets.nvptx.tileas_to_nvvm.accesses import (
    EVERYWHERE,
    finish_access,
    guarded,
    is_first_holder,
)
from tilewright.targets.nvptx.tileas_to_nvvm.code import PatternCode, held_type
from tilewright.targets.nvptx.tileas_to_nvvm.pattern import Registers, ThreadPattern, distribution

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
    """Return the generic address of a NUL-terminated text in a constant global variable of the module; equal
    texts share one variable.
    """
    data = text.encode("utf-8", "surrogateescape") + b"\0"
    numbers = DenseElementsAttr(builtin_types.VectorType((len(data),), builtin_types.i8), data)
    table = upstream_to_llvm_patterns.enclosing_table(op)
    name = _name_of(table, numbers)
    if name is None:
        name = upstream_to_llvm_patterns.free_name(table, "text")
        upstream_to_llvm_patterns.add_symbol(
            code.rewriter,
            table,
            lambda: GlobalOp(
                LLVMArrayType(builtin_types.i8, len(data)),
                name,
                Linkage.INTERNAL,
                constant=True,
                value=numbers,
                addr_space=tileas_to_nvvm_program.GLOBAL,
                alignment=1,
                initializer=ir_block.Region(),
            ),
        )
    place = code(llvm_aggregate.AddressOfOp, name, type=LLVMPointerType(tileas_to_nvvm_program.GLOBAL))
    return code(AddrSpaceCastOp, place, type=POINTER)


def _name_of(table: Operation, numbers: DenseElementsAttr) -> str | None:
    """Return the name of a constant global in `table`, a module, that has the contents `numbers`; None if
    there is none.
    """
    known = (op for op in table.regions[0].blocks[0] if isinstance(op, GlobalOp))
    return next((op.sym_name for op in known if op.constant and op.value is numbers), None)


# --- numbers


def passed_type(
    conversion: Conversion, element: Type, op: Operation
) -> builtin_types.IntegerType | builtin_types.FloatType:
    """Return the type in which a variadic function takes elements of a type: f64 for a conversion of floats;
    i64 for ``%p``, and for elements of more than 32 bits unless the conversion is ``%c``; otherwise i32.

    Raises:
        DiagnosticError: the conversion is for integers, but the elements are floats.
    """
    if conversion.letter in FLOAT:
        return builtin_types.f64
    if isinstance(element, builtin_types.FloatType):
        message = f"'%{conversion.letter}' prints integers, but the elements are {element}"
        hint = "use %f, %e, %g or %a, or convert the tile first"
        raise diagnostic.failure(codes.NO_GPU_FORM, message, op.location, hint=hint)
    is_long = (
        conversion.letter == "p"
        or not isinstance(element, builtin_types.IntegerType)
        or element.width > MINIMUM
    )
    return builtin_types.i64 if is_long and conversion.letter != "c" else builtin_types.i32


def spelling(conversion: Conversion, passed: Type) -> str:
    """Return `conversion` in C's syntax, such as ``%5lld``, for an argument of the type `passed`."""
    length = "ll" if passed is builtin_types.i64 and conversion.letter != "p" else ""
    return f"{conversion.printf}{length}{conversion.letter}"


def passed(
    code: PatternCode,
    conversion: Conversion,
    value: Value,
    element: Type,
    wanted: builtin_types.IntegerType | builtin_types.FloatType,
) -> Value:
    """Return an element converted from its register type to `wanted`, the type of a variadic argument for the
    conversion.
    """
    if isinstance(wanted, builtin_types.FloatType):
        return elements_convert.as_double(code, value, element)
    bits = code.bits(value)
    assert isinstance(bits.type, builtin_types.IntegerType), "registers hold bits"
    if bits.type.width == wanted.width:
        return bits
    if bits.type.width > wanted.width:
        return code(TruncOp, bits, type=wanted)
    is_signed = conversion.letter in SIGNED and element is not builtin_types.i1
    return code(SExtOp if is_signed else ZExtOp, bits, type=wanted)


# --- output


class Print(ThreadPattern[PrintOp]):
    """Lower `print` to calls of `vprintf` by the first thread of the block: one call for text and scalars,
    and a loop of calls for the elements of a tile, which it reads from shared memory. Raises
    `DiagnosticError` for a format that cannot be parsed, and for an integer conversion of floats.
    """

    def lower(self, op: PrintOp, at: Adaptor, code: PatternCode) -> Sequence[Registers] | NoMatch:
        printer = PrintLowering(code, op)
        values = zip(op.arguments, at.arguments, strict=True)
        for piece in _pieces(op):
            if isinstance(piece, str):
                printer.add_text(piece)
                continue
            value, registers = next(values)
            if element_types.is_tile(value.type):
                printer.print_tile(piece, registers, value.type)
            else:
                printer.add_number(piece, registers[0], value.type)
        printer.flush()
        return finish_access(code, op.done)


def _pieces(op: PrintOp) -> Sequence[str | Conversion]:
    try:
        return parse_format(op.format)
    except ValueError as error:
        raise diagnostic.failure(codes.NO_GPU_FORM, str(error), op.location, hint=PRINTABLE) from error


class PrintLowering:
    """Emits the prints of an operation by the first thread of the block. Text and scalars are collected, and
    `flush` prints them by one call.
    """

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
        """Append a scalar, which `conversion` formats, to the pending text. Print the pending text first if
        it already has `MOST_VALUES` scalars.
        """
        if len(self._numbers) == MOST_VALUES:
            self.flush()
        self._text += spelling(conversion, passed_type(conversion, element, self.op))
        self._numbers.append((conversion, value, element))

    def pass_to_simulator(self, values: Sequence[Value]) -> None:
        """Print the empty text with 64-bit integers as further arguments: the simulator reads these, and a
        GPU prints nothing.
        """
        self._call(
            text_address(self.code, self.op, ""), [(_WHOLE, value, builtin_types.i64) for value in values]
        )

    def flush(self) -> None:
        """Emit the print of the pending text by the first thread, if there is any."""
        text, numbers = self._text, self._numbers
        self._text, self._numbers = "", []
        if text:
            self._by_first(lambda: self._call(text_address(self.code, self.op, text), numbers))

    def print_tile(self, conversion: Conversion, values: Registers, type: Type) -> None:
        """Print the elements of a tile, each by `conversion`, as nested lists, after the pending text; the
        brackets at the end are pending afterwards. The elements pass through shared memory.
        """
        code, element, shape = self.code, element_types.element_of(type), element_types.shape_of(type)
        self.add_text("[" * len(shape))
        self.flush()
        registers = [code.in_form(value, held_type(element)) for value in values]
        for base, numbers in exchange.each_piece(code, self.op, distribution(type), registers, element):
            self._by_first(partial(self._print_elements, conversion, base, numbers, shape, element))
        self.add_text("]" * len(shape))

    def _print_elements(
        self, conversion: Conversion, base: Value, numbers: range, shape: Sequence[int], element: Type
    ) -> None:
        """Print the elements with `numbers` of a tile of the extents `shape`, which are in shared memory at
        `base`, and after each element its separator.
        """
        code = self.code
        shown = text_address(code, self.op, spelling(conversion, passed_type(conversion, element, self.op)))
        last = code.integer(prod(shape) - 1, builtin_types.i32)

        end = code.integer(numbers[-1], builtin_types.i32)

        def one(number: Value) -> tuple[Value, Value]:
            read = exchange.read_element(code, base, code.plus(number, -numbers[0]), 0, element)
            self._call(shown, [(conversion, read, element)])
            following = code.plus(number, 1)
            is_last = code.compare_integers("eq", number, last)
            self._call(self._separator(following, is_last, shape), [])
            return following, code.compare_integers("eq", number, end)

        code.until(code.integer(numbers[0], builtin_types.i32), one)

    def _separator(self, number: Value, is_last: Value, shape: Sequence[int]) -> Value:
        """Return the address of the text before element `number`: ``, `` in a row, ``], [`` at the start of a
        row, ``]], [[`` at the start of a matrix and so on; the empty text if the element before it `is_last`.
        """
        code, found = self.code, text_address(self.code, self.op, ", ")
        for depth in range(1, len(shape)):
            extent = prod(shape[-depth:])
            begins = code.compare_integers(
                "eq", code.bit_field(number, 0, extent), code.integer(0, builtin_types.i32)
            )
            brackets = text_address(code, self.op, "]" * depth + ", " + "[" * depth)
            found = code(llvm.SelectOp, begins, brackets, found, type=POINTER)
        return code(llvm.SelectOp, is_last, text_address(code, self.op, ""), found, type=POINTER)

    def _by_first(self, say: Callable[[], None]) -> None:
        """Emit the code that `say` emits in a branch that only the first thread of the block takes."""

        def body() -> Sequence[Value]:
            say()
            return []

        guarded(self.code, is_first_holder(self.code, EVERYWHERE.threads), [], body)

    def _call(self, format: Value, numbers: Sequence[tuple[Conversion, Value, Type]]) -> None:
        """Emit a call of `vprintf` with the text at `format`. Each of `numbers`, a conversion with a value
        and its element type, is stored to local memory first, aligned to its size.
        """
        code, room, at = self.code, self._room_of(), 0
        for conversion, value, element in numbers:
            wanted = passed_type(conversion, element, self.op)
            size = wanted.width // 8
            at = -(-at // size) * size
            code.effect(
                StoreOp,
                passed(code, conversion, code.in_form(value, held_type(element)), element, wanted),
                code.pointer(room, at, builtin_types.i8),
                alignment=size,
            )
            at += size
        type = LLVMFunctionType(builtin_types.i32, (POINTER, POINTER))
        name = upstream_to_llvm_patterns.declare_function(code.rewriter, self.op, PRINTER, type)
        code(CallOp, (), (format, room), callee=name, type=builtin_types.i32)

    def _room_of(self) -> Value:
        """Return the address of an array in local memory for the arguments of a call."""
        if self._room is None:
            function = next(op for op in self.op.ancestors() if isinstance(op, FuncOp | LLVMFuncOp))
            with self.code.rewriter.at(builder.InsertionPoint.at_start(function.regions[0].blocks[0])):
                size = self.code.integer(DOUBLE_WORD * MOST_VALUES, builtin_types.i64)
                self._room = self.code(AllocaOp, size, builtin_types.i8, alignment=DOUBLE_WORD, type=POINTER)
        return self._room


# --- assertions


def _stop_unless(code: PatternCode, condition: Registers, report: Callable[[], None]) -> Sequence[Registers]:
    """Emit a branch to `report`, which emits code that stops the kernel, in threads for whose elements
    `condition` is false. Return an empty list: the operation has no results.
    """
    holds = code.both([code.in_form(value, builtin_types.i1) for value in condition])

    def body() -> Sequence[Value]:
        report()
        return []

    guarded(code, code(llvm.XOrOp, holds, code.true()), [], body)
    return []


class Assert(ThreadPattern[AssertOp]):
    """Lower an assertion of the program: the kernel stops with its message if the condition is false for an
    element.
    """

    def lower(self, op: AssertOp, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        return _stop_unless(code, at.condition, lambda: report_failure(code, op, op.message))


class Check(ThreadPattern[CheckOp]):
    """Lowers a check that instrumentation inserted: the kernel stops if the condition is false for an
    element.

    The message of a failure is a constant. A print of the empty text passes the column of the operation, the
    number of the element and the values to the simulator, which puts them into the message; a GPU prints
    nothing.
    """

    def lower(self, op: CheckOp, at: Adaptor, code: PatternCode) -> Sequence[Registers]:
        def report() -> None:
            _, _, column = op.location.source or ("", 0, 0)
            details = (code.integer(column), *_details(code, op, at))
            PrintLowering(code, op).pass_to_simulator(details)
            report_failure(code, op, with_values(op.message))

        return _stop_unless(code, at.condition, report)


def _details(code: PatternCode, op: CheckOp, at: Adaptor) -> Iterator[Value]:
    """Yield the row-major number of the first element of this thread whose condition is false, and its
    values, in 64 bits each.
    """
    conditions = [code.in_form(value, builtin_types.i1) for value in at.condition]
    yield _first_number(code, op.condition.type, conditions)
    for value, registers in zip(op.values, at.values, strict=True):
        element = element_types.element_of(value.type)
        held = [code.in_form(register, held_type(element)) for register in registers]
        found = _where_first_false(code, conditions if len(held) > 1 else conditions[:1], held)
        yield elements_convert.as_word(code, found, element, signed=op.signedness is Signedness.SIGNED)


def _first_number(code: PatternCode, type: Type, conditions: Registers) -> Value:
    """Return the row-major number, in 64 bits, of the first element of this thread whose condition is false;
    0 for a scalar. `conditions` has a register for each element of the tile type `type` in this thread, at
    least one of them false.
    """
    if not element_types.is_tile(type):
        return code.integer(0)
    held = distribution(type)
    offsets = [code.integer(offset, builtin_types.i32) for offset in held.offsets]
    first = code.in_form(code.offset(held.threads, code.thread()), builtin_types.i32)
    return code.in_form(code.sum(first, _where_first_false(code, conditions, offsets)), builtin_types.i64)


def _where_first_false(code: PatternCode, conditions: Registers, values: Registers) -> Value:
    """Return the value of `values` at the first condition that is false, or the last value if no earlier
    condition is.
    """
    *others, found = values
    for condition, value in zip(conditions[-2::-1], others[::-1], strict=True):
        if value is not found:
            found = code(llvm.SelectOp, condition, found, value, type=value.type)
    return found


def report_failure(code: PatternCode, op: Operation, message: str) -> None:
    """Emit a call that stops the kernel and reports `message` for the operation `op`, with its line and the
    name of the kernel.
    """
    file, line, _ = op.location.source or ("", 0, 0)
    function = next(one for one in op.ancestors() if isinstance(one, FuncOp | LLVMFuncOp))
    texts = [text_address(code, op, text) for text in (message, file, function.sym_name)]
    type = LLVMFunctionType(LLVMVoidType(), (POINTER, POINTER, builtin_types.i32, POINTER, builtin_types.i64))
    name = upstream_to_llvm_patterns.declare_function(code.rewriter, op, FAILURE, type)
    arguments = (
        *texts[:2],
        code.integer(line, builtin_types.i32),
        texts[2],
        code.integer(1, builtin_types.i64),
    )
    code.effect(CallOp, (), arguments, callee=name, result_types=[])


def populate_messages(patterns: RewritePatternSet, converter: LLVMTypeConverter) -> None:
    """Add the patterns of this file."""
    patterns.add(Print(converter), Assert(converter), Check(converter))
