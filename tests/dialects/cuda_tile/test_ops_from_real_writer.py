"""Every operation as the package ``cuda-tile`` writes it: bytecode -> verifier -> text -> interpreter."""

from __future__ import annotations

from functools import cache

import pytest

from tests.dialects.cuda_tile.roundtrip import CONTEXT, reparsed
from tests.support.real.real_writer import OpCase, op_cases
from tilewright.bytecode.reader.module import read_bytecode
from tilewright.dialects.cuda_tile.dialect import OPERATIONS
from tilewright.ir.verifier import verify
from tilewright.testing.execution import Launchpad, entries

NAMES = [op_class.op_kind.mnemonic for op_class in OPERATIONS]
ENDLESS = "more than"
WILD_POINTER = "at 0x1 by element"
NO_TILE = "lies outside argument 0"
VIEW_ACCESSES = (
    "load_view_tko",
    "store_view_tko",
    "atomic_red_view_tko",
    "multimem_load_reduce_view_tko",
    "multimem_reduce_view_tko",
    "multimem_store_view_tko",
)
STOPPED = {
    **dict.fromkeys(VIEW_ACCESSES, NO_TILE),
    "load_ptr_tko": WILD_POINTER,
    "store_ptr_tko": WILD_POINTER,
    "atomic_cas_tko": WILD_POINTER,
    "atomic_rmw_tko": WILD_POINTER,
    "for": "the step is -1; it must be positive",
    "loop": ENDLESS,
    "continue": ENDLESS,
}
"""Programs of the corpus that cannot run to their end: they access address 1 or a tile that is not there, or never end."""


@cache
def _cases() -> dict[str, list[OpCase]]:
    by_op: dict[str, list[OpCase]] = {name: [] for name in NAMES}
    for case in op_cases():
        by_op.setdefault(case.op, []).append(case)
    return by_op


@pytest.mark.parametrize("name", NAMES)
def test_bytecode_text_interpreter(name: str) -> None:
    cases = _cases()[name]
    assert cases, f"the corpus has no case for {name}"
    for case in cases:
        module = read_bytecode(case.bytecode, CONTEXT)
        assert verify(module) == [], case.name
        found = {op.kind.mnemonic for op in module.walk()}
        assert name in found, case.name
        parsed = reparsed(module)
        for entry in entries(module):
            launchpad = Launchpad(entry)
            outcome = launchpad.run(module)
            assert launchpad.run(parsed) == outcome, case.name
            if outcome.problem is not None:
                assert name in STOPPED, f"{case.name}: {outcome.problem}"
                assert STOPPED[name] in outcome.problem, case.name


def test_every_case_belongs_to_a_known_operation() -> None:
    assert set(_cases()) == set(NAMES)
