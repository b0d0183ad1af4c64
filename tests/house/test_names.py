"""A class name or type alias stands once in the sources; the exceptions are listed with their reasons.

Operation classes of dialects are not counted: each has the name of its operation, which dialects share.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

from tests.house.tree import ROOT, nodes, relative, trees

EXCEPTIONS = ROOT / "tests" / "house" / "data" / "repeated_names.txt"
MOST_EXCEPTIONS = 40


def test_every_name_is_defined_once() -> None:
    """Add a file to a message of this test only with a new name: `Place` says less than `SharedAddress`."""
    unlisted = {name: files for name, files in repeated_names().items() if name not in exceptions()}
    assert unlisted == {}


def test_exceptions_are_repeated_and_have_reasons() -> None:
    assert sorted(exceptions().keys() - repeated_names().keys()) == []
    assert [name for name, reason in exceptions().items() if not reason] == []


def test_exceptions_are_few() -> None:
    assert len(exceptions()) <= MOST_EXCEPTIONS


def test_how_names_are_found() -> None:
    program = "class A: pass\nB: TypeAlias = int\nC = int\ndef f():\n    class D: pass\n"
    assert defined_names(ast.parse(program)) == ["A", "D", "B"]


def test_operations_of_dialects_are_recognised() -> None:
    assert is_operation("src/tilewright/dialects/arith/ops.py", "AddIOp")
    assert not is_operation("src/tilewright/rewrite/pattern.py", "AddIOp")
    assert not is_operation("src/tilewright/dialects/arith/ops.py", "RoundingMode")


def repeated_names() -> dict[str, list[str]]:
    """Return the files of every name that several classes or aliases have."""
    found: dict[str, list[str]] = defaultdict(list)
    for path, tree in trees("src").items():
        for name in defined_names(tree):
            if not is_operation(relative(path), name):
                found[name].append(relative(path))
    return {name: files for name, files in sorted(found.items()) if len(files) > 1}


def defined_names(tree: ast.Module) -> list[str]:
    """Return the names of all classes of a module, then those of its type aliases."""
    aliases = [
        node.target.id
        for node in nodes(tree, ast.AnnAssign)
        if isinstance(node.target, ast.Name) and ast.unparse(node.annotation).endswith("TypeAlias")
    ]
    return [node.name for node in nodes(tree, ast.ClassDef)] + aliases


def is_operation(file: str, name: str) -> bool:
    """Return whether a class is an operation of a dialect."""
    return "dialects" in Path(file).parts and name.endswith("Op")


def exceptions() -> dict[str, str]:
    """Return the reason of each exception by its name."""
    lines = EXCEPTIONS.read_text(encoding="utf-8").splitlines()
    rows = (line.partition(" ") for line in lines if line and not line.startswith("#"))
    return {name: reason.strip() for name, _, reason in rows}
