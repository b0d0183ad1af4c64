"""Ten thousand broken files: each is read or refused with a diagnostic, never anything else.

``fuzz/atheris_reader.py`` does the same for hours.
"""

from __future__ import annotations

import pytest

from tests.bytecode.fixture_files import fixtures
from tests.bytecode.mutate import mutations
from tilewright.bytecode import read_bytecode, read_container
from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import DiagnosticError

CONTEXT = Context([CUDA_TILE])
CASES = 10_000
CHUNKS = 10


def _refused(error: DiagnosticError) -> bool:
    first = error.diagnostics[0]
    assert first.message
    assert first.code is not None
    assert str(error)
    return False


def _check(data: bytes) -> bool:
    """Read a file in every way; answers whether it was accepted."""
    try:
        module = read_bytecode(data, CONTEXT)
    except DiagnosticError as error:
        return _refused(error)
    assert module.sym_name == "kernels"
    assert read_container(data).sections
    return True


@pytest.mark.parametrize("seed", range(CHUNKS))
def test_mutated_files(seed: int) -> None:
    files = [case.data for case in fixtures()]
    accepted = sum(_check(data) for data in mutations(files, CASES // CHUNKS, seed))
    assert 0 < accepted < CASES // CHUNKS


@pytest.mark.parametrize(
    "name", ["for.nested@13.5", "entry.debug-info@13.5", "load_view_tko.everything@13.5"]
)
def test_every_truncation(name: str) -> None:
    data = next(case.data for case in fixtures() if case.name == name)
    assert not any(_check(data[:length]) for length in range(len(data)))


@pytest.mark.parametrize("name", ["reduce.three@13.1", "global.private-constant-aligned@13.3"])
def test_every_byte(name: str) -> None:
    data = next(case.data for case in fixtures() if case.name == name)
    for position in range(len(data)):
        for value in (0, 1, 0x7F, 0x80, 0xFF):
            _check(data[:position] + bytes([value]) + data[position + 1 :])
