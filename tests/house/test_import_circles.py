"""Files do not import each other in large circles; imports for type checkers and inside functions count, too."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from tests.house.tree import import_statements, module_name, trees
from tilewright.passes.components import components

LARGEST = 3
"""Files that may import each other: declarations of operations, their rules and their folds are three files."""
KNOWN: dict[str, int] = {"ir": 44}
"""Larger circles that there are, by package: so many files.

The parts of `ir` are one thing: attributes have locations, locations are attributes, and all of them have a text.
"""


def graph(trees: Mapping[str, ast.Module]) -> dict[str, set[str]]:
    """By module, the modules that it imports, wherever the statement stands."""
    return {
        name: {found for node, _ in import_statements(tree) for found in imported(node, trees)} - {name}
        for name, tree in trees.items()
    }


def imported(node: ast.Import | ast.ImportFrom, known: Mapping[str, object]) -> Iterator[str]:
    """The known modules that a statement imports; `from package import module` imports the module."""
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    else:
        inner = [f"{node.module}.{alias.name}" for alias in node.names]
        names = [name if name in known else str(node.module) for name in inner]
    yield from (name for name in names if name in known)


def circles(edges: Mapping[str, set[str]]) -> list[list[str]]:
    """The groups of more than `LARGEST` modules that import each other, sorted."""
    found = components(sorted(edges), lambda name: sorted(edges[name]))
    return sorted(sorted(group) for group in found if len(group) > LARGEST)


def package_of(group: list[str]) -> str:
    """The innermost package that holds all modules of a group, without the name of the project."""
    first, *_, last = (name.split(".")[1:] for name in (min(group), max(group)))
    return ".".join(one for one, other in zip(first, last, strict=False) if one == other)


def test_circles_only_shrink() -> None:
    """A larger number means a new import; hand over what is needed instead, or name it in a file below both."""
    found = circles(graph({module_name(path): tree for path, tree in trees("src").items()}))
    assert {package_of(group): len(group) for group in found} == KNOWN, found


def test_how_circles_are_found() -> None:
    programs = {
        "p.a": "from p import b",
        "p.b": "def f():\n  import p.c",
        "p.c": "if TYPE_CHECKING:\n  from p.d import D",
        "p.d": "from p.a import x",
        "p.e": "import p.a",
    }
    edges = graph({name: ast.parse(program) for name, program in programs.items()})
    assert circles(edges) == [["p.a", "p.b", "p.c", "p.d"]]
    assert package_of(circles(edges)[0]) == ""
    del edges["p.b"]
    edges["p.a"].clear()
    assert circles(edges) == []
