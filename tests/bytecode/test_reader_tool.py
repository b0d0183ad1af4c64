"""The reader against tileirdisasm: the same files are accepted, with the same operations."""

from __future__ import annotations

import pytest

from tests.bytecode.fixture_files import fixtures
from tests.bytecode.mutate import mutations
from tests.bytecode.tool_text import module_names, operation_names
from tests.support.corpora.frontend_corpus import corpus
from tests.support.real.real_tools import disassemble, require_tool
from tests.support.real.real_writer import REFUSED, op_cases, version_cases
from tilewright.bytecode import read_bytecode
from tilewright.bytecode.container import open_container
from tilewright.bytecode.cursor import ReadError
from tilewright.bytecode.reader.module import read_module, refusals
from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
from tilewright.ir.context import Context

CONTEXT = Context([CUDA_TILE])
CHUNKS = 8
MUTANTS = 400
VERIFIED = ("verification failed for deserialized", "does not conform to bytecode format")


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_corpus_has_the_same_operations(chunk: int) -> None:
    for case in (*op_cases(), *version_cases())[chunk::CHUNKS]:
        module = read_bytecode(case.bytecode, CONTEXT)
        if case.name.partition("@")[0] not in REFUSED:
            _, text, _ = disassemble(case.bytecode)
            assert module_names(module) == operation_names(text), case.name


def test_frontend_corpus_has_the_same_operations() -> None:
    for name, version, data in corpus():
        _, text, _ = disassemble(data)
        assert module_names(read_bytecode(data, CONTEXT)) == operation_names(text), (name, version)


def _outcome(data: bytes) -> str:
    """The first line of the reader's refusal; empty when the file is readable (valid or not)."""
    try:
        _, functions = read_module(open_container(data))
        for refusal in refusals(functions):
            raise refusal
    except ReadError as error:
        return error.frames[0].message
    return ""


@pytest.mark.parametrize("seed", range(100, 104))
def test_mutants_meet_the_same_fate(seed: int) -> None:
    require_tool("tileirdisasm")
    for data in mutations([case.data for case in fixtures()], MUTANTS // 4, seed):
        code, _, stderr = disassemble(data)
        if code < 0:
            continue  # the tool crashed
        readable = code == 0 or any(text in stderr for text in VERIFIED)
        outcome = _outcome(data)
        assert (not outcome) == readable or outcome in stderr, (outcome, stderr, data.hex())
        assert not outcome or outcome in stderr, (outcome, stderr, data.hex())
