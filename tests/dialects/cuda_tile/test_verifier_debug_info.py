"""Rules of debug information."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.dialects.cuda_tile.scratch import Scratch, type_of
from tilewright.dialects.cuda_tile.attributes import (
    DICompileUnitAttr,
    DIFileAttr,
    DILexicalBlockAttr,
    DILocation,
    DISubprogramAttr,
)
from tilewright.ir.attribute import Attribute, Location
from tilewright.ir.builtin_attributes import splat
from tilewright.ir.builtin_types import FunctionType
from tilewright.ir.diagnostic import Diagnostic
from tilewright.ir.location import UNKNOWN, CallSiteLocation, FileLineColLocation, FusedLocation, NameLocation

FILE = DIFileAttr("a.py", "/d")
UNIT = DICompileUnitAttr(FILE)
PROGRAM = DISubprogramAttr(FILE, 10, "k", "k", UNIT, 11)
OTHER = DISubprogramAttr(FILE, 20, "k", "k", UNIT, 21)
RENAMED = DISubprogramAttr(FILE, 10, "k", "zzz", UNIT, 11)
BLOCK = DILexicalBlockAttr(PROGRAM, FILE, 12, 3)

UNIT_TEXT = '<file = <"a.py" in "/d">>'
PROGRAM_TEXT = (
    '#cuda_tile.di_subprogram<file = <"a.py" in "/d">, line = 10, name = "k", linkageName = "k",'
    f" compileUnit = {UNIT_TEXT}, scopeLine = 11>"
)
OTHER_TEXT = PROGRAM_TEXT.replace("line = 10", "line = 20").replace("scopeLine = 11", "scopeLine = 21")
RENAMED_TEXT = PROGRAM_TEXT.replace('linkageName = "k"', 'linkageName = "zzz"')
BLOCK_TEXT = (
    f'#cuda_tile.di_lexical_block<scope = {PROGRAM_TEXT}, file = <"a.py" in "/d">, line = 12, column = 3>'
)


def at(scope: Attribute, line: int = 10) -> DILocation:
    """A place in a scope."""
    return DILocation(FileLineColLocation("a.py", line, 1), scope)


PLACE = at(PROGRAM)
PLACE_TEXT = f'#cuda_tile.di_loc<loc("a.py":10:1) in {PROGRAM_TEXT}>'


def check(
    function: Location, operation: Location, variable: Location = UNKNOWN
) -> tuple[Scratch, list[Diagnostic]]:
    """Verify a module with a global and a kernel that makes a token at a place."""
    scratch = Scratch()

    def body(s: Scratch, *_: Any) -> None:
        s.op("make_token", location=operation)
        s.op("return", location=UNKNOWN)

    def content(s: Scratch, *_: Any) -> None:
        s.op("global", sym_name="g", value=splat(type_of("4xi32"), 0), location=variable)
        s.op("entry", regions=[((), body)], sym_name="k", function_type=FunctionType(), location=function)

    scratch.op("module", regions=[((), content)], sym_name="m", location=UNKNOWN)
    return scratch, scratch.verify()


FUNCTION, OPERATION = "invalid function debug info scope: ", "invalid operation debug info scope: "
CALL = CallSiteLocation(PLACE, PLACE)
BROKEN: dict[str, tuple[Location, Location, Location, str, str]] = {
    "function-scope": (
        at(BLOCK),
        UNKNOWN,
        UNKNOWN,
        "entry",
        f"'cuda_tile.entry' op {FUNCTION}{BLOCK_TEXT}. Function location must have cuda_tile.di_subprogram debug info"
        " scope.",
    ),
    "function-name": (
        at(RENAMED),
        UNKNOWN,
        UNKNOWN,
        "entry",
        f"'cuda_tile.entry' op {FUNCTION}{RENAMED_TEXT}. Function name \"k\" does not match subprogram scope linkage"
        ' name "zzz".',
    ),
    "function-call-site": (
        CALL,
        UNKNOWN,
        UNKNOWN,
        "entry",
        f"'cuda_tile.entry' op invalid function debug info location: loc(callsite({PLACE_TEXT} at {PLACE_TEXT}))."
        " Function location must not be a CallSiteLoc.",
    ),
    "function-undefined": (
        UNKNOWN,
        PLACE,
        UNKNOWN,
        "make_token",
        f"'cuda_tile.make_token' op {OPERATION}{PROGRAM_TEXT}. Operation has debug info scope, but function debug info"
        " scope is undefined.",
    ),
    "other-subprogram": (
        PLACE,
        at(OTHER, 20),
        UNKNOWN,
        "make_token",
        f"{OPERATION}{OTHER_TEXT}. Operation debug info scope does not match function debug info scope:"
        f" {PROGRAM_TEXT}.",
    ),
    "inlined-into-other": (
        PLACE,
        CallSiteLocation(PLACE, at(OTHER, 20)),
        UNKNOWN,
        "make_token",
        f"{OPERATION}{OTHER_TEXT}. Operation debug info scope does not match function debug info scope:"
        f" {PROGRAM_TEXT}.",
    ),
    "global": (
        UNKNOWN,
        UNKNOWN,
        PLACE,
        "global",
        f"'cuda_tile.global' op {OPERATION}{PLACE_TEXT}. Global variables must not have scope.",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken(name: str) -> None:
    function, operation, variable, culprit, message = BROKEN[name]
    scratch, found = check(function, operation, variable)
    assert [diagnostic.message for diagnostic in found] == [message]
    assert found[0].location is scratch.last(culprit).location


LEGAL: dict[str, Callable[[], tuple[Location, Location]]] = {
    "unknown": lambda: (UNKNOWN, UNKNOWN),
    "plain": lambda: (FileLineColLocation("a.py", 1, 1), FileLineColLocation("a.py", 2, 1)),
    "scoped": lambda: (PLACE, at(PROGRAM, 12)),
    "block": lambda: (PLACE, at(BLOCK, 12)),
    "no-scope-inside": lambda: (PLACE, FileLineColLocation("a.py", 2, 1)),
    "inlined": lambda: (PLACE, CallSiteLocation(at(OTHER), at(BLOCK))),
    "named": lambda: (NameLocation("k", PLACE), FusedLocation((UNKNOWN, NameLocation("x", at(BLOCK))))),
}


@pytest.mark.parametrize("name", LEGAL)
def test_legal(name: str) -> None:
    function, operation = LEGAL[name]()
    assert check(function, operation)[1] == []
