"""Lines that repeat earlier ones are parsed as if there had been no earlier ones, whatever is wrong with them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

from tests.bytecode.fixture_files import Fixture, fixtures
from tests.ir.text.repeating_program import BY_HAND, CONSTANTS, LOOPS, PROGRAM
from tilewright.bytecode import read_bytecode
from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
from tilewright.driver import startup
from tilewright.ir.block import Block
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import PrintOptions
from tilewright.ir.text.parser import Parser, parse_module

TILE = Context([CUDA_TILE])
STANDARD = startup.context()
EVERYTHING = PrintOptions(generic=True, debug_info=True)

LINES = PROGRAM.splitlines(keepends=True)
PIECES = (
    "%a",
    "%9",
    "%16",
    " : i32",
    "\n",
    ' loc("x":1:1)',
    "loc(#place)",
    ", ",
    "#1",
    '"',
    "}",
    "// ",
    "{",
    "index",
)


def outcome(context: Context, text: str) -> str:
    """The module that a text holds with all locations, or all that is wrong with it."""
    try:
        return parse_module(context, text, "test.mlir").print(EVERYTHING)
    except DiagnosticError as error:
        return "\n".join(f"{found.location}: {found}" for found in error.diagnostics)


def one_by_one(context: Context, text: str) -> str:
    """As `outcome`, where no line is known from an earlier one."""

    def leave(parser: Parser, block: Block) -> None:
        """Leave all lines to the parser of operations."""

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Parser, "repeated_operations", leave)
        return outcome(context, text)


def taken(text: str) -> int:
    """How many operations are read from what is known of earlier lines."""
    count = 0

    def counted(parser: Parser, block: Block) -> None:
        nonlocal count
        before = block.last
        known(parser, block)
        op: Operation | None = before.next if before is not None else block.first
        while op is not None:
            count, op = count + 1, op.next

    known = Parser.repeated_operations
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Parser, "repeated_operations", counted)
        parse_module(STANDARD, text)
    return count


def headers_taken(text: str) -> int:
    """How many operations with a region are read from what is known of earlier lines."""
    known, found = Parser.repeated_operations, list[Any]()

    def counted(parser: Parser, block: Block) -> Any:
        found.append(known(parser, block))
        return found[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Parser, "repeated_operations", counted)
        parse_module(STANDARD, text)
    return sum(header is not None for header in found)


def test_lines_before_regions_are_known() -> None:
    assert outcome(STANDARD, LOOPS) == one_by_one(STANDARD, LOOPS)
    assert headers_taken(LOOPS) == 5  # all but the first one of either shape, whatever stands behind it


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("scf.for %j = %b to %a", "scf.for %z = %b to %a"),  # defined before
        ("scf.for %j = %b to %b", "scf.for %j = %b to %x"),  # of another type
        ("scf.for %j = %b to %b", "scf.for %j = %b to %late"),
        ("iter_args(%y = %r)", "iter_args(%i = %r)"),  # defined twice
        ("iter_args(%y = %r2)", "iter_args(%y = %z)"),  # not visible
        ("%r3 = ", ""),
        ("%r3 = ", "%r3:2 = "),
        ("%r2 = ", "%r = "),
        ("    } {hello = 1 : i32}", "    } {hello = }"),
        ("    } {hello = 1 : i32}", "    // nothing closes it"),
        ("    } {hello = 1 : i32}", '    "memref.alloca"() : () -> memref<-1x?x!llvm.ptr>\n    }'),
        ('    } loc("here":3:4)', '    }\n      loc("here":3:4)'),
        ('    } loc("here":3:4)', '    } loc("here'),
        ('    } loc("here":3:4)', "    } else {\n    }"),
    ],
)
def test_unusual_loops(old: str, new: str) -> None:
    assert old in LOOPS
    text = LOOPS.replace(old, new)
    assert outcome(STANDARD, text) == one_by_one(STANDARD, text)


def test_a_location_on_the_line_behind_a_generic_operation() -> None:
    line = '"arith.constant"() <{value = 7 : i32}> : () -> i32'
    texts = [
        f'module {{\n%a = {line}\n%b = {line}{between}loc("there":1:2)\n%c = {line}\n}}'
        for between in (" ", "\n  ", "\n// a remark\n")
    ]
    found = [parse_module(STANDARD, text).regions[0].block.ops[1].location for text in texts]
    assert [str(location) for location in found] == ['loc("there":1:2)'] * 3


def test_repeated_lines_are_known() -> None:
    assert outcome(STANDARD, PROGRAM) == one_by_one(STANDARD, PROGRAM)
    assert taken(PROGRAM) >= 7


def test_repeated_lines_of_hand_written_forms_are_known() -> None:
    assert outcome(STANDARD, BY_HAND) == one_by_one(STANDARD, BY_HAND)
    assert taken(BY_HAND) == 3  # all but the first one of each shape, and one whose follower is new


def test_lines_that_differ_in_a_number_are_known() -> None:
    assert outcome(STANDARD, CONSTANTS) == one_by_one(STANDARD, CONSTANTS)
    assert taken(CONSTANTS) == 4  # but for the first of each type and form, and those whose follower is new


@pytest.mark.parametrize(
    "constant",
    [
        "arith.constant 128 : i8",
        "arith.constant -129 : i8",
        "arith.constant 1.5 : i8",
        "arith.constant 5 : f32",
        "arith.constant 1.0e999 : f32",
        "arith.constant 0x7FC00000 : f32",
        "arith.constant - 5 : i8",
        "arith.constant 5 : i8 // 6 : i8",
        "arith.constant 5 : !word",
        'arith.constant {a = "5 : i8"} 6 : i8',
        "arith.constant {value = 5 : i8}",
        "llvm.mlir.constant(5 : i32) : i64",
        "llvm.mlir.constant(4294967296 : i32) : i32",
    ],
)
def test_unusual_constants(constant: str) -> None:
    lines = CONSTANTS.splitlines(keepends=True)
    text = "".join([*lines[:-3], f"  %x = {constant}\n", f"  %y = {constant}\n", *lines[-3:]])
    assert outcome(STANDARD, text) == one_by_one(STANDARD, text)


@pytest.mark.parametrize("case", fixtures(), ids=lambda case: case.name)
def test_kernels_are_the_same(case: Fixture) -> None:
    module = read_bytecode(case.data, TILE)
    for options in (PrintOptions(), PrintOptions(debug_info=True)):
        text = module.print(options)
        assert outcome(TILE, text) == one_by_one(TILE, text)


@pytest.mark.parametrize(
    "line",
    [
        "%0 = arith.addi %a, %b : i32",  # defined twice
        "%x = arith.addi %a, %nothing : i32",
        "%x = arith.addi %a, %late : i32\n  %late = arith.addi %a, %b : i32",
        "%x = arith.addi %a, %i : i32",
        "arith.addi %a, %b : i32",
        "%x:2 = arith.addi %a, %b : i32",
        "%x, %y = arith.addi %a, %b : i32",
        "%x, %x = arith.mulsi_extended %a, %b : i32",
        '%x = arith.addi %a, %b : i32\n  loc("next line":1:1)',
        '%x = arith.addi %a, %b : i32 loc("half',
        "%x = arith.addi %a, %b : i32 // loc(#place)",
        "%x = arith.addi %a , %b : i32",
        "%x = arith.addi %a, %pair #1 : i32",
        'cf.assert %c, "never %1, never // %8"',
        "memref.store %8, %m[%i] : memref<8xf32>\n  {nontemporal = true}",
        "return %a : i32 %x = arith.addi %a, %b : i32",
    ],
)
def test_unusual_lines(line: str) -> None:
    text = "".join([*LINES[:-6], f"  {line}\n", *LINES[-6:]])
    assert outcome(STANDARD, text) == one_by_one(STANDARD, text)


@pytest.mark.parametrize(
    "program", [PROGRAM, LOOPS, BY_HAND, CONSTANTS], ids=["lines", "loops", "by hand", "constants"]
)
@given(st.data())
def test_any_damage_is_found_alike(program: str, data: st.DataObject) -> None:
    lines = program.splitlines(keepends=True)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(2, len(lines) - 1))
        line = lines[at]
        column = data.draw(st.integers(0, len(line)))
        piece = data.draw(st.sampled_from((*PIECES, *LINES[3:12])))
        lines[at] = line[:column] + piece + line[column + data.draw(st.integers(0, 3)) :]
    text = "".join(lines)
    assert outcome(STANDARD, text) == one_by_one(STANDARD, text)
