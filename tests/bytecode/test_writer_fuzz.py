"""Whatever the reader takes, however broken the file, the writer writes again, or says why not."""

from __future__ import annotations

import pytest

from tests.bytecode.fixture_files import fixtures
from tests.bytecode.mutate import mutations
from tests.bytecode.writer_support import CONTEXT, as_read_back
from tilewright.bytecode import read_bytecode, read_container, write_bytecode
from tilewright.dialects.cuda_tile.ops.control import ModuleOp
from tilewright.dialects.cuda_tile.version import Version
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.equality import difference

MUTANTS = 1500
SEEDS = 4


def _read(data: bytes, *, verify: bool) -> ModuleOp | None:
    try:
        return read_bytecode(data, CONTEXT, verify=verify)
    except DiagnosticError:
        return None


def _again(module: ModuleOp, version: Version) -> bytes | None:
    try:
        return write_bytecode(module, version, verify=False)
    except DiagnosticError as error:
        return b"" if str(error) else None


@pytest.mark.parametrize("seed", range(200, 200 + SEEDS))
def test_mutants(seed: int) -> None:
    valid = 0
    for data in mutations([case.data for case in fixtures()], MUTANTS, seed):
        module = _read(data, verify=False)
        if module is None:
            continue
        version = read_container(data).version
        written = _again(module, version)
        is_valid = _read(data, verify=True) is not None
        valid += is_valid
        assert written or (written is not None and not is_valid), data.hex()
        if written:
            read = read_bytecode(written, CONTEXT, verify=False)
            assert difference(as_read_back(module, version), read) is None, data.hex()
            assert write_bytecode(read, version, verify=False) == written, data.hex()
    assert valid > MUTANTS // 20
