"""The page of instructions is the table's, and each rule says what it does."""

from __future__ import annotations

from tests.golden import compare
from tests.house.tree import ROOT
from tilewright.ptx.table.instructions import by_name
from tilewright.ptxsim.documentation import page
from tilewright.ptxsim.instructions.registry import rule_of


def test_the_committed_page(bless: bool) -> None:
    compare(ROOT / "docs" / "ptx-instructions.md", page(), bless=bless)


def test_every_instruction_has_a_row_that_says_something() -> None:
    rows = {line.split("`")[1]: line for line in page().splitlines() if line.startswith("| `")}
    assert sorted(rows) == sorted(by_name())
    for name, row in rows.items():
        assert row.endswith("| no |") == (rule_of(name) is None)
        assert not row.endswith("|  |"), name
