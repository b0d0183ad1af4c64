"""The tool that mutates the sources: which places it finds, and that each mutant is Python."""

from __future__ import annotations

import ast
import shutil
import time
from pathlib import Path

import coverage
import pytest

from tools.mutants.__main__ import draw, equivalent, summary
from tools.mutants.executed import Executed
from tools.mutants.mutation import mutations
from tools.mutants.runner import Verdict
from tools.mutants.trial import Laboratory, siblings

SOURCE = '''"""A module: 1 + 1 is not mutated here."""

ON = True


def clamp(value, low, high, log):
    """Return the value between bounds."""
    if value < low and not log.off:
        log.add(low, value)
        return low
    while log:
        value -= 1
        break
    return high if log.full else [item for item in zip(value, low, strict=True) if item] + [min(low, high)]


class Shown:
    def __repr__(self):
        return str(1 < 2)
'''
EXPECTED = [
    "3: constant: True -> False",
    "8: comparison: value < low -> value <= low",
    "8: condition: value < low and not log.off -> ((value < low) or (not log.off))",
    "8: condition: not log.off -> bool(log.off)",
    "9: dropped statement: log.add(low, value) -> pass",
    "9: swapped arguments: low, value -> value, low",
    "11: condition: log -> (not (log))",
    "12: dropped statement: value -= 1 -> pass",
    "12: constant: 1 -> 2",
    "13: dropped statement: break -> pass",
    "14: condition: log.full -> (not (log.full))",
    "14: arithmetic: [item for item in zip(value, low, strict=True) if item] + [min(low, high)] -> "
    "([item for item in zip(value, low, strict=True) if item]) - ([min(low, high)])",
    "14: swapped arguments: value, low -> low, value",
    "14: condition: item -> (not (item))",
]


def test_places_of_a_small_module(tmp_path: Path) -> None:
    path = tmp_path / "small.py"
    path.write_text(SOURCE)
    found = mutations(path, tmp_path)
    assert sorted(str(mutation).removeprefix("small.py:") for mutation in found) == sorted(EXPECTED)
    for mutation in found:
        changed = mutation.applied(path.read_bytes())
        assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(SOURCE))
    assert found[2].key == "small.py::clamp: value < low and not log.off -> ((value < low) or (not log.off))"


def test_a_seed_draws_the_same_mutants_of_every_kind() -> None:
    drawn = draw("seven", 60, ["passes"])
    assert drawn == draw("seven", 60, ["passes"])
    assert drawn != draw("eight", 60, ["passes"])
    kinds = [mutation.kind for mutation in drawn]
    assert {kinds.count(kind) for kind in kinds} == {10}


def test_excused_mutants_stand_in_the_sources() -> None:
    root = Path(__file__).parents[2] / "src" / "tilewright"
    paths = sorted({key.partition("::")[0] for key in equivalent()})
    keys = {mutation.key for path in paths for mutation in mutations(root / path, root)}
    assert set(equivalent()) <= keys
    assert all(equivalent().values()), "each has a reason"


def test_survivors_are_counted() -> None:
    drawn = draw("seven", 6, ["passes"])
    done = dict(
        zip(
            [one.key for one in drawn],
            ["told", "told", "survived", "survived", "timed out", "told"],
            strict=True,
        )
    )
    text = summary(drawn, done, {drawn[2].key: "speed only"})
    assert drawn[3].key in text
    assert text.endswith(
        "6 mutants: 4 told, 1 equivalent, 1 survive: 80.0 % of those that change behaviour are told"
    )


def test_other_cases_of_a_function_are_tried() -> None:
    assert siblings(["a.py::f[1]", "b.py::g", "a.py::f[2]", "c.py::h[x[0]]"]) == ["a.py::f", "c.py::h"]


NEW_TEST = """from made.small import clamp

def test_low():
    assert (clamp(1), clamp(2)) == ({expected}, 2)
"""
FREEZES = "import gc\n\ndef pytest_collection_finish():\n    gc.freeze()\n"
"""Objects that a suite freezes are in no list of the collector; this project's suite does so, too."""
SMALL = "def clamp(value):\n    return 5 if value < 2 else value\n"


def laboratory(folder: Path, expected: int) -> Laboratory:
    """Return a laboratory for a package ``made`` with a test that no record names."""
    package = folder / "src" / "made"
    package.mkdir(parents=True)
    (package / "small.py").write_text(SMALL)
    (package / "__init__.py").write_text("")
    record = folder / "record"
    record.mkdir()
    coverage.CoverageData(str(record / "lines")).write()
    test = folder / "test_new.py"
    test.write_text(NEW_TEST.format(expected=expected))
    (folder / "conftest.py").write_text(FREEZES)
    executed = Executed(record, package)
    return Laboratory(folder, folder / "copy", executed, 60.0, (str(test),))


def test_tests_newer_than_the_record_tell_mutants(tmp_path: Path) -> None:
    work = laboratory(tmp_path, 5)
    work.prepare()
    root = tmp_path / "src" / "made"
    outcomes = {str(one): work.try_one(one).outcome for one in mutations(root / "small.py", root)}
    assert outcomes == {
        "small.py:2: comparison: value < 2 -> value <= 2": "told",
        "small.py:2: constant: 5 -> 6": "told",
        "small.py:2: constant: 2 -> 3": "told",
    }
    work.server.stop()
    assert (tmp_path / "copy" / "src" / "made" / "small.py").read_text() == SMALL


def test_newer_tests_must_pass_without_a_mutation(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="fail without a mutation"):
        laboratory(tmp_path, 1).prepare()


def test_tests_that_fail_without_a_mutation_tell_nothing(tmp_path: Path) -> None:
    work = laboratory(tmp_path, 1)
    (tmp_path / "copy").mkdir()
    shutil.copytree(tmp_path / "src", tmp_path / "copy" / "src")
    one, *_ = mutations(tmp_path / "src" / "made" / "small.py", tmp_path / "src" / "made")
    assert work.apart(one, [f"{work.also[0]}::test_low"], time.monotonic() + 60) == Verdict(tried=2)
    assert len(work.known.broken) == 1


TABLE = """def rows():
    found = [
        (1, 2),
        (3, 4),
    ]
    if (
        found
    ):
        found.append(5)
    return found
"""


def test_a_constant_runs_with_its_statement(tmp_path: Path) -> None:
    executed = laboratory(tmp_path, 5).executed
    (executed.sources / "small.py").write_text(TABLE)
    assert [executed.statement("small.py", line) for line in (4, 7, 9)] == [(2, 5), (6, 8), (9, 9)]
    data = coverage.CoverageData(str(executed.folder / "lines"))
    data.set_context("test_rows")
    data.add_lines({str(executed.sources / "small.py"): [2, 6, 10]})
    data.write()
    assert executed.tests("small.py", 4, 4) == executed.tests("small.py", 2, 2) == ["test_rows"]
    assert executed.tests("small.py", 9, 9) == []


CACHED = """from functools import cache

WIDE = 8 > 4

@cache
def rows():
    return 3

def row():
    return rows()
"""


def test_what_runs_once_counts_for_all_tests_of_the_file(tmp_path: Path) -> None:
    executed = laboratory(tmp_path, 5).executed
    path = executed.sources / "small.py"
    path.write_text(CACHED)
    data = coverage.CoverageData(str(executed.folder / "lines"))
    for name, lines in (("test_first", [3, 7, 10]), ("test_second", [10])):
        data.set_context(name)
        data.add_lines({str(path): lines})
    data.write()
    every = ["test_first", "test_second"]
    assert [executed.tests("small.py", line, line) for line in (3, 7, 10)] == [every] * 3
    assert [executed.runs_once("small.py", line) for line in (3, 7, 10)] == [True, True, False]


def test_a_replayed_member_for_each_way_is_tried_first(tmp_path: Path) -> None:
    work = laboratory(tmp_path, 5)
    path = str(work.executed.sources / "small.py")
    tests = {
        "tests/a.py::slow": (2.0, [2]),
        "tests/replay/test_r.py::one": (3.0, [1, 2]),
        "tests/replay/test_r.py::two": (4.0, [2]),
    }
    data = coverage.CoverageData(str(work.executed.folder / "lines"))
    for name, (_, lines) in tests.items():
        data.set_context(name)
        data.add_lines({path: lines})
    data.write()
    rows = [f'["{name}", {seconds}]' for name, (seconds, _) in tests.items()]
    (work.executed.folder / "seconds.1.jsonl").write_text("\n".join(rows))
    one, *_ = mutations(Path(path), work.executed.sources)
    assert work.ordered(one, sorted(tests)) == [*list(tests)[1:], "tests/a.py::slow"]


TYPED = """def cut(text: str, places: int) -> str:
    return text[:places]

def shown(text: str) -> str:
    return cut(text, 7)
"""


def test_the_type_checker_tells_mutants_that_no_test_tells(tmp_path: Path) -> None:
    work = laboratory(tmp_path, 5)
    root = tmp_path / "src" / "made"
    (root / "small.py").write_text(TYPED)
    (tmp_path / "pyproject.toml").write_text("[tool.pyright]\nextraPaths = ['src']\n")
    shutil.copytree(tmp_path / "src", tmp_path / "copy" / "src")
    outcomes = {str(one): work.breaks_types(one) for one in mutations(root / "small.py", root)}
    assert outcomes == {
        "small.py:5: constant: 7 -> 8": False,
        "small.py:5: swapped arguments: text, 7 -> 7, text": True,
    }
