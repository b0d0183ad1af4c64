"""Generated decoders read what the checked ones read, and leave to them what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.bytecode.fixture_files import fixtures
from tests.bytecode.mutate import mutations
from tilewright.bytecode import read_bytecode, write_bytecode
from tilewright.bytecode.reader import generated_decoders
from tilewright.bytecode.wire import layouts
from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
from tilewright.dialects.cuda_tile.version import VERSIONS, Version
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.text.hooks import PrintOptions
from tilewright.ir.verifier import verify_or_raise

CONTEXT = Context([CUDA_TILE])
NEVER = 1 << 60
FILES = [case.data for case in fixtures()]
Reads = Callable[[bytes], Any]


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> tuple[Reads, Reads]:
    """What comes of a file by generated decoders from the first operation on, and without them."""

    def by(often: int) -> Reads:
        known = {version: generated_decoders.GeneratedDecoders(version) for version in VERSIONS}

        def read(data: bytes) -> Any:
            monkeypatch.setattr(generated_decoders, "OFTEN", often)
            monkeypatch.setattr("tilewright.bytecode.reader.operations.generated_decoders", known.__getitem__)
            return _outcome(data)

        return read

    return by(1), by(NEVER)


def _outcome(data: bytes) -> Any:
    """The text of a file with all locations, or everything said about it."""
    try:
        return read_bytecode(data, CONTEXT).print(PrintOptions(generic=True, debug_info=True))
    except DiagnosticError as error:
        return [
            (found.code, found.message, found.offset, [note.message for note in found.notes])
            for found in error.diagnostics
        ]


def test_both_read_the_same_modules(reads: tuple[Reads, Reads]) -> None:
    generated, checked = reads
    for data in FILES:
        text = checked(data)
        assert isinstance(text, str)
        assert generated(data) == text


@pytest.mark.parametrize("seed", range(4))
def test_both_say_the_same_of_broken_files(reads: tuple[Reads, Reads], seed: int) -> None:
    generated, checked = reads
    for data in mutations(FILES, 500, 1000 + seed):
        assert generated(data) == checked(data)


def test_use_lists_and_blocks_are_in_order(reads: tuple[Reads, Reads]) -> None:
    generated, _ = reads
    for data in FILES:
        generated(data)
        module = read_bytecode(data, CONTEXT)
        verify_or_raise(module)
        for op in module.walk():
            assert all(op in operand.uses for operand in op.operands)
            assert all(result.owner is op and not set(result.uses) & {op} for result in op.results)


@pytest.mark.parametrize("version", VERSIONS, ids=str)
def test_every_operation_without_regions_has_a_decoder(
    version: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generated_decoders, "OFTEN", 1)
    known = generated_decoders.GeneratedDecoders(version)
    for opcode, layout in layouts(version).items():
        assert (known[opcode] is generated_decoders.unread) == bool(layout.regions)


def test_changing_attributes_of_one_operation_leaves_the_others(reads: tuple[Reads, Reads]) -> None:
    generated, _ = reads
    data = next(case.data for case in fixtures() if case.name.startswith("kernel.fft"))
    before = generated(data)
    module = read_bytecode(data, CONTEXT)
    for op in module.walk():
        op.attributes.clear()
    assert generated(data) == before
    again = read_bytecode(data, CONTEXT)
    assert write_bytecode(again) == write_bytecode(read_bytecode(data, CONTEXT))
