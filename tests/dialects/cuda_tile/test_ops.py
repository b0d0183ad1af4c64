"""Every operation: builder -> generic text -> parser -> interpreter, on generated instances."""

from __future__ import annotations

import pytest

from tests.dialects.cuda_tile.roundtrip import reparsed
from tilewright.dialects.cuda_tile.base import TileOp
from tilewright.dialects.cuda_tile.dialect import OPERATIONS
from tilewright.dialects.cuda_tile.version import LATEST, VERSIONS, Version
from tilewright.ir.verifier import verify
from tilewright.testing import enclosing_module, sample_modules, sample_operations
from tilewright.testing.execution import Launchpad, Outcome, entries, observe

INSTANCES = 6
BY_NAME = {op_class.op_kind.name: op_class for op_class in OPERATIONS}
PUBLIC_OPERATIONS = 108

operations = pytest.mark.parametrize("op_class", BY_NAME.values(), ids=list(BY_NAME))


def test_all_public_operations_are_here() -> None:
    assert len(BY_NAME) == len(OPERATIONS) == PUBLIC_OPERATIONS
    assert len({op_class.opcode for op_class in OPERATIONS}) == PUBLIC_OPERATIONS


@operations
def test_builder_text_parser(op_class: type[TileOp]) -> None:
    for version in VERSIONS:
        for op in sample_operations(op_class, 2, version) if op_class.since <= version else ():
            module = enclosing_module(op)
            assert verify(module) == []
            assert verify(reparsed(module)) == []


@operations
def test_builder_text_parser_interpreter(op_class: type[TileOp]) -> None:
    outcomes: list[Outcome] = []
    for op in sample_operations(op_class, INSTANCES, LATEST):
        observe(op)
        module = enclosing_module(op)
        assert verify(module) == []
        parsed = reparsed(module)
        for entry in entries(module):
            launchpad = Launchpad(entry)
            outcomes.append(launchpad.run(module))
            assert launchpad.run(parsed) == outcomes[-1]
    assert any(outcome.problem is None for outcome in outcomes), outcomes[0].problem


@pytest.mark.parametrize("version", VERSIONS, ids=str)
def test_modules(version: Version) -> None:
    for module in sample_modules(20, version):
        assert verify(module) == []
        parsed = reparsed(module)
        for entry in entries(module):
            launchpad = Launchpad(entry)
            assert launchpad.run(parsed) == launchpad.run(module)
