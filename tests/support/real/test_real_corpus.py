"""The real-writer corpus is complete, deterministic, and accepted by the vendor's own disassembler."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.support.invalid.invalid_modules import VerifierCase, accepted_cases, verifier_cases
from tests.support.invalid.malformed import MalformedCase, reader_cases
from tests.support.real import real_tools
from tests.support.real.kept_answers import digest, kept
from tests.support.real.real_kernel import VERSIONS, Version
from tests.support.real.real_sample import FIRST_VERSIONS
from tests.support.real.real_tools import (
    TOOL_VERSION,
    assemble,
    disassemble,
    error_lines,
    require_tool,
    tool_version,
)
from tests.support.real.real_writer import (
    PREVIEW_ARGUMENTS,
    REFUSED,
    OpCase,
    op_cases,
    preview_cases,
    version_cases,
)

PUBLIC_OPS = 108
CHUNK = 16
MAGIC = b"\x7fTileIR\x00"
BAD_BYTECODE = 3


def _stem(case: OpCase) -> str:
    return case.name.partition("@")[0]


def _versions_by_op() -> dict[str, set[Version]]:
    found: dict[str, set[Version]] = defaultdict(set)
    for case in op_cases():
        found[case.op].add(case.version)
    return found


def test_every_public_op_has_cases() -> None:
    assert len(_versions_by_op()) == PUBLIC_OPS


def test_every_op_is_covered_in_every_version_that_has_it() -> None:
    wanted = {op: {v for v in VERSIONS if v >= FIRST_VERSIONS.get(op, (13, 1))} for op in _versions_by_op()}
    assert _versions_by_op() == wanted


def test_case_names_are_unique() -> None:
    names = [case.name for case in op_cases()]
    assert len(names) == len(set(names))


def test_headers_carry_the_version() -> None:
    for case in (*op_cases(), *version_cases()):
        assert case.bytecode.startswith(MAGIC + bytes(case.version) + b"\0\0"), case.name


def test_refused_cases_are_named_rightly() -> None:
    assert set(REFUSED) <= {_stem(case) for case in op_cases()}


@pytest.mark.parametrize("chunk", range(CHUNK))
def test_disassembler_accepts(chunk: int) -> None:
    require_tool("tileirdisasm")
    refused = {
        case.name: answer[2]
        for case in (*op_cases(), *version_cases())[chunk::CHUNK]
        if (answer := disassemble(case.bytecode))[0] != 0
    }
    assert {name.partition("@")[0] for name in refused} <= set(REFUSED), refused


def test_disassembler_accepts_preview_calls_when_asked() -> None:
    for case in preview_cases():
        assert disassemble(case.bytecode)[0] != 0, case.name
        assert disassemble(case.bytecode, arguments=PREVIEW_ARGUMENTS)[0] == 0, case.name


def test_assembler_takes_an_empty_module() -> None:
    code, _, stderr = assemble(version_cases()[-1].bytecode, "sm_120")
    assert (code, stderr) == (0, "")


def test_answers_are_kept() -> None:
    """If it fails, each run of the tests runs tools thousands of times: python -m tests.support.real.kept_answers."""
    cases = (*op_cases(), *version_cases())
    missing = [c.name for c in cases if digest("tileirdisasm", TOOL_VERSION, [], c.bytecode) not in kept()]
    assert missing == []


TOOL = """#!/bin/sh
echo "{answer}"
"""


def test_kept_answers_are_those_of_the_same_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = tmp_path / "tileirdisasm"
    tool.write_text(TOOL.format(answer="release 13.5"))
    tool.chmod(0o755)
    monkeypatch.setattr(real_tools, "find_tool", lambda name: tool)
    monkeypatch.setattr(real_tools, "asks_again", False)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    kept_ones = {digest("tileirdisasm", "13.5", ["-g"], b"module"): (0, "kept", "")}
    monkeypatch.setattr(real_tools, "kept", lambda: kept_ones)
    assert disassemble(b"module", debug=True)[1] == "kept"
    tool.write_text(TOOL.format(answer="new"))
    assert disassemble(b"module")[1] == disassemble(b"other", debug=True)[1] == "new\n"
    monkeypatch.setattr(real_tools, "asks_again", True)
    assert disassemble(b"module", debug=True)[1] == "new\n"
    monkeypatch.setattr(real_tools, "asks_again", False)
    tool_version.cache_clear()  # it names none now
    assert disassemble(b"module", debug=True)[1] == "new\n"
    tool_version.cache_clear()


def _require_recorded_release() -> None:
    found = tool_version(require_tool("tileirdisasm"))
    if found != TOOL_VERSION:
        pytest.skip(f"answers were recorded with release {TOOL_VERSION}, this is {found}")


def _changed(cases: Iterable[MalformedCase | VerifierCase]) -> list[str]:
    """The cases whose recorded answer is not what the tool says now."""
    changed: list[str] = []
    for case in cases:
        code, _, stderr = disassemble(case.bytecode)
        if (code, tuple(error_lines(stderr))) != (case.tool_exit, case.tool_lines):
            changed.append(case.name)
    return changed


def test_recorded_reader_answers_are_the_tools() -> None:
    _require_recorded_release()
    assert _changed(reader_cases()) == []


def test_recorded_verifier_answers_are_the_tools() -> None:
    _require_recorded_release()
    assert _changed((*verifier_cases(), *accepted_cases())) == []


def test_reader_messages_are_in_the_answers() -> None:
    for case in reader_cases():
        assert case.message in case.tool_message, case.name
        assert case.tool_exit in (0, BAD_BYTECODE) or not case.tool_lines, case.name


def test_verifier_fragments_are_in_the_answers() -> None:
    for case in verifier_cases():
        assert case.fragment, case.name
        assert case.fragment in case.message, case.name
        assert case.tool_exit == BAD_BYTECODE, case.name


def test_verifier_cases_name_their_op() -> None:
    for case in verifier_cases():
        named = re.match(r"'cuda_tile\.([\w$]+)' op ", case.message)
        wanted = {"pow": "fpowf"}.get(case.op, case.op)
        assert named is None or case.op == "global" or named[1] == wanted, case.name
