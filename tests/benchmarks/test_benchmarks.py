"""The benchmarks run (at tiny sizes; nothing here looks at a time)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks import measure, rewriting, substrate, tables
from benchmarks.programs import FAMILIES
from benchmarks.rewriting_subjects import TilewrightRewriting
from benchmarks.subjects import Tilewright, available


@pytest.mark.parametrize("family", sorted(FAMILIES))
@pytest.mark.parametrize("size", [1, 40])
def test_every_action_works_on_every_program(family: str, size: int) -> None:
    subject = Tilewright()
    text = FAMILIES[family](size)
    module = subject.parse(text)
    subject.verify(module)
    assert subject.print(subject.clone(module)) == subject.print(module)
    assert subject.walk(module) == len(re.findall(r'^ *(?:%\w+ = )?"', text, re.MULTILINE))
    assert len(subject.build(size).ops) == max(1, size - size % 2 + 1)


def test_all_subjects_agree_on_the_number_of_operations() -> None:
    for program in FAMILIES.values():
        text = program(60)
        assert len({subject.walk(subject.parse(text)) for subject in available()}) == 1


@pytest.mark.usefixtures("young_heap")
def test_the_tables_have_a_row_for_every_action() -> None:
    subjects = available()
    rows = substrate.speed_rows(subjects, {20: 1})
    assert {row.action for row in rows} == set(substrate.GOALS)
    assert len(tables.speed_table(rows, [subject.name for subject in subjects])) == len(rows) + 2
    assert all(len(line.split("|")) == 8 for line in tables.goal_table(rows, substrate.GOALS))
    assert len(substrate.linear_table(subjects[0], (20,), 1)) == len(substrate.GOALS) + 2
    assert len(substrate.memory_table(subjects, 20)) == len(FAMILIES) + 2


def test_reports_are_printed_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tables.publish(iter(["a\n", "b\n"]), tmp_path / "results" / "x.md")
    tables.publish(["c\n"], None)
    assert capsys.readouterr().out == "a\nb\nc\n"
    assert (tmp_path / "results" / "x.md").read_text(encoding="utf-8") == "a\nb\n"


def test_a_ratio_is_taken_within_rounds() -> None:
    assert measure.ratio([1.0, 2.0, 10.0], [2.0, 6.0, 40.0]) == 3.0
    assert "met" in tables.distance(12, 12)
    assert "2.00x more" in tables.distance(6, 12)


def test_rewriting_does_what_is_measured() -> None:
    subject = TilewrightRewriting(Tilewright())
    module = subject.subject.parse(FAMILIES["fold"](20))
    folded, converted = module.clone(), module.clone()
    subject.canonicalize(folded)
    subject.convert(converted)
    assert [op.name for op in folded.walk()] == ["builtin.module", "func.func", "func.return"]
    names = {op.name for op in converted.walk()}
    assert names - {"builtin.module", "func.func", "func.return"} == {"llvm.add", "llvm.mlir.constant"}


@pytest.mark.usefixtures("young_heap")
def test_every_subject_rewrites_every_program() -> None:
    subjects = rewriting.rewriting(available())
    rows = rewriting.speed_rows(subjects, {20: 1})
    assert {(row.family, row.action) for row in rows} == {
        (family, action) for family, actions in rewriting.ACTIONS.items() for action in actions
    }
    assert len(rewriting.linear_table(subjects[0], (20,), 1)) == len(rewriting.ACTIONS["fold"]) + 2


@pytest.mark.usefixtures("young_heap")
def test_patterns_that_never_apply_change_nothing() -> None:
    subject = TilewrightRewriting(Tilewright())
    few, many = (subject.subject.parse(FAMILIES["mixed"](40)) for _ in range(2))
    subject.driver_with(0)(few)
    subject.driver_with(100)(many)
    assert str(few) == str(many)
    assert len(rewriting.pattern_table(subject, 20, 1)) == len(rewriting.ACTIONS) + 2
