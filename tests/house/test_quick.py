"""The quick loop: which tests belong to a change, and that its smoke tests exist."""

from __future__ import annotations

from pathlib import Path

from tests.house.tree import ROOT
from tools.quick import BATCH, SMOKE, batches, commands, related_tests

TESTS = sorted(path.relative_to(ROOT) for path in (ROOT / "tests").rglob("test_*.py"))


def test_the_smoke_tests_exist() -> None:
    assert {Path(name) for name in SMOKE} <= {*TESTS}


def test_a_changed_module_brings_the_tests_that_import_it() -> None:
    found = related_tests([Path("src/tilewright/rewrite/rules.py")], TESTS)
    assert Path("tests/rewrite/test_rules.py") in found
    assert Path("tests/layouts/test_trees.py") not in found


def test_a_changed_test_brings_itself_first() -> None:
    test = Path("tests/layouts/test_trees.py")
    assert related_tests([test, Path("src/tilewright/ir/block.py")], TESTS)[0] == test


def test_a_module_brings_the_tests_of_its_folder() -> None:
    found = related_tests([Path("src/tilewright/explorer/html.py"), Path("src/tilewright/version.py")], TESTS)
    assert {test.parts[1] for test in found} >= {"explorer"}


def test_commands_and_batches() -> None:
    assert commands([]) == []
    lint, layout, types = commands([Path("src/tilewright/version.py"), Path("tools/quick.py")])
    assert lint[-2:] == layout[-2:] == ["src/tilewright/version.py", "tools/quick.py"]
    assert types[-1] == "src/tilewright/version.py"
    first, *others = batches([Path("src/tilewright/ir/context.py")])
    assert first == [*SMOKE]
    assert max(map(len, others)) == BATCH
