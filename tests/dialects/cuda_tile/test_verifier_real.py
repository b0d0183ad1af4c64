"""The vendor's disassembler as oracle: the same decision about every invalid module, in the same words."""

from __future__ import annotations

import re

import pytest

from tests.support.invalid.invalid_modules import VerifierCase, verifier_cases
from tilewright.bytecode.reader.module import read_bytecode
from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import DiagnosticError

CHUNKS = 16
PREFIXES = re.compile(r"^(error at offset \d+: |(?:loc\(.*\)|#cuda_tile\.di_loc<.*>): error: )")
WORDED_OTHERWISE = (
    "type/tile-of-",  # the tool also lists a kind of element type that is not public
)


def _wording(text: str) -> str:
    return PREFIXES.sub("", text).replace("'cuda_tile.fpowf'", "'cuda_tile.pow'")


def _ours(case: VerifierCase) -> str:
    try:
        read_bytecode(case.bytecode, Context([CUDA_TILE]))
    except DiagnosticError as error:
        return error.diagnostics[0].message
    return ""


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_same_words(chunk: int) -> None:
    differences: dict[str, tuple[str, str]] = {}
    for case in verifier_cases()[chunk::CHUNKS]:
        ours, theirs = _ours(case), _wording(case.message) if case.tool_exit else ""
        if "\n" in ours:  # the message shows a whole operation
            lines = [line.strip() for line in ours.splitlines()]
            ours, theirs = "\n".join(lines), "\n".join(case.tool_lines[: len(lines)])
        if case.name.startswith(WORDED_OTHERWISE):
            ours, theirs = str(bool(ours)), str(bool(theirs))
        if _wording(ours) != theirs:
            differences[case.name] = (theirs, ours)
    assert differences == {}
