"""Broken files: every line and offset of tileirdisasm 13.5's answer, and what it accepts is accepted."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest

from tests.bytecode.extra_cases import extra_cases
from tests.support.invalid.malformed import MalformedCase, reader_cases
from tilewright.bytecode import read_bytecode
from tilewright.bytecode.container import open_container
from tilewright.bytecode.cursor import ReadError
from tilewright.bytecode.reader.module import UNVERIFIED, read_module, refusals
from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import DiagnosticError

CONTEXT = Context([CUDA_TILE])
FINAL = "failed to read provided Tile IR bytecode"
NONCONFORMING = "deserialized module does not conform to bytecode format invariants"
NULL_READER = {"provided type is null"}
"""The tool counts the offset of these lines in an empty buffer."""
CASES = [*reader_cases(), *extra_cases()]
READER_CASES = [c for c in CASES if c.tool_exit > 0 and not {UNVERIFIED, NONCONFORMING} & set(c.tool_lines)]
VERIFIER_CASES = [c for c in CASES if {UNVERIFIED, NONCONFORMING} & set(c.tool_lines)]
CRASHING_CASES = [c for c in CASES if c.tool_exit < 0]
UNKNOWN_NAME = "function/attributes-named"
"""An argument has an attribute that `cuda_tile` does not know.  The tool does not look; a misspelt name would be lost."""
ACCEPTED_CASES = [c for c in CASES if c.tool_exit == 0 and c.name != UNKNOWN_NAME]


class Line(NamedTuple):
    """A line of a diagnostic with its offset in the part of the file that is being read."""

    text: str
    offset: int | None


def _wanted(case: MalformedCase) -> list[Line]:
    matches = [
        re.fullmatch(r"error at offset (\d+): (.*)", line) for line in case.tool_lines if line != FINAL
    ]
    texts = [line for line in case.tool_lines if line != FINAL]
    return [Line(m[2], int(m[1])) if m else Line(text, None) for m, text in zip(matches, texts, strict=True)]


def _found(data: bytes) -> list[Line]:
    try:
        _, functions = read_module(open_container(data))
        for refusal in refusals(functions):
            raise refusal
    except ReadError as error:
        return [Line(f.message, None if f.offset is None else f.offset - f.origin) for f in error.frames]
    return []


def _ids(case: MalformedCase) -> str:
    return case.name


@pytest.mark.parametrize("case", READER_CASES, ids=_ids)
def test_reader_says_what_the_tool_says(case: MalformedCase) -> None:
    wanted, found = _wanted(case), _found(case.bytecode)
    assert [line.text for line in found] == [line.text for line in wanted]
    for mine, tools in zip(found, wanted, strict=True):
        # Lines about the file as a whole stand at its end in the tool, at the entry at fault here.
        at_file_end = tools.offset in (None, len(case.bytecode))
        assert at_file_end or tools.text in NULL_READER or mine.offset == tools.offset, mine


@pytest.mark.parametrize("case", READER_CASES, ids=_ids)
def test_reader_raises_one_diagnostic(case: MalformedCase) -> None:
    with pytest.raises(DiagnosticError) as caught:
        read_bytecode(case.bytecode, CONTEXT, name="broken.tileirbc")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.message == _wanted(case)[0].text
    assert case.message in " / ".join([diagnostic.message, *(n.message for n in diagnostic.notes), FINAL])
    assert diagnostic.code is not None
    assert 300 <= diagnostic.code.number < 400
    assert diagnostic.offset is not None
    assert 0 <= diagnostic.offset <= len(case.bytecode)
    assert str(caught.value).startswith(
        f"broken.tileirbc: error[{diagnostic.code}] at offset {diagnostic.offset}: "
    )


@pytest.mark.parametrize("case", VERIFIER_CASES, ids=_ids)
def test_reader_leaves_rules_to_the_verifier(case: MalformedCase) -> None:
    """The texts of the rules are tested with the operations; here it counts that the file is refused."""
    with pytest.raises(DiagnosticError) as caught:
        read_bytecode(case.bytecode, CONTEXT)
    assert UNVERIFIED in [note.message for note in caught.value.diagnostics[0].notes]


@pytest.mark.parametrize("case", CRASHING_CASES, ids=_ids)
def test_what_crashes_the_tool_is_refused(case: MalformedCase) -> None:
    with pytest.raises(DiagnosticError):
        read_bytecode(case.bytecode, CONTEXT)


@pytest.mark.parametrize("case", ACCEPTED_CASES, ids=_ids)
def test_what_the_tool_accepts_is_accepted(case: MalformedCase) -> None:
    assert read_bytecode(case.bytecode, CONTEXT).sym_name == "kernels"


def test_an_unknown_attribute_of_an_argument_is_refused_unlike_by_the_tool() -> None:
    case = next(case for case in CASES if case.name == UNKNOWN_NAME)
    assert case.tool_exit == 0
    with pytest.raises(DiagnosticError, match=r"unknown discardable attribute 'cuda_tile\.a'"):
        read_bytecode(case.bytecode, CONTEXT)
