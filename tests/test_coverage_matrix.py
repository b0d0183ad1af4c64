"""The coverage matrix: no silent gap, and the committed page says the same."""

from __future__ import annotations

import pytest

import tilewright
from tests.golden import compare
from tests.house.tree import ROOT
from tilewright.dialects.cuda_tile.dialect import OPERATIONS
from tilewright.driver.target import TARGETS
from tilewright.interp.rules.rule_set import STRUCTURAL
from tilewright.ir.diagnostic import failure
from tilewright.lowering.codes import NOT_LOWERED_FOR_TARGET
from tools import coverage_page as coverage
from tools.coverage_page import (
    CHIPS,
    FOLDED,
    PARTS,
    Cell,
    Status,
    coverage_page,
    gaps,
    gpu_status,
    matrix,
    stale_exceptions,
)
from tools.live_examples import live_example


def test_every_operation_is_supported_or_listed() -> None:
    assert gaps() == [], "implement these, or list them in EXCEPTIONS with the reason"


def test_no_exception_is_stale() -> None:
    assert stale_exceptions() == []


def test_every_operation_is_in_every_column() -> None:
    names = [op_class.op_kind.mnemonic for op_class in OPERATIONS]
    assert set(matrix()) == {Cell(name, part) for name in names for part in PARTS}


def test_every_target_has_a_column() -> None:
    """The default target first of all."""
    columns = {"interp": "interpreter"}
    assert {columns.get(name, name) for name in TARGETS} <= set(PARTS)


def test_an_operation_that_is_not_compiled_is_a_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coverage, "_lowered", lambda: frozenset[object]())
    assert Cell("addf", "cpu") in gaps()


@pytest.mark.parametrize("chip", CHIPS)
def test_an_operation_that_a_gpu_refuses_is_a_gap(chip: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise failure(NOT_LOWERED_FOR_TARGET, "no")

    monkeypatch.setattr(tilewright, "compile", refuse)
    addf = next(op_class for op_class in OPERATIONS if op_class.op_kind.mnemonic == "addf")
    assert gpu_status(chip, addf) is Status.MISSING


def test_live_examples_keep_their_operations() -> None:
    """Neither folded nor dead: code for the operations is really made, but for those that the page names."""
    kept: set[str] = set()
    for op_class in set(OPERATIONS) - set(STRUCTURAL):
        module = tilewright.Module.parse(live_example(op_class.op_kind))
        tilewright.PassManager.parse("cuda_tile.module(canonicalize,cse)").run(module)
        kept |= {op.name for op in module.operation.walk()}
    names = {op_class.op_kind.mnemonic for op_class in OPERATIONS if op_class.op_kind.name not in kept}
    assert names == set(FOLDED)


def test_only_structure_is_not_executed() -> None:
    found = matrix()
    structure = {cell.operation for cell, status in found.items() if status is Status.STRUCTURE}
    assert structure == {op_class.op_kind.mnemonic for op_class in STRUCTURAL}


def test_the_page(bless: bool) -> None:
    compare(ROOT / "docs" / "coverage.md", coverage_page(), bless=bless)
