"""Names that code looks up in a module at run time, as in ``import_module("tilewright.a").name`` and
``"tilewright.a:name"``, exist there.

A type checker does not see them, and the frontends' packages, which call some of these places, are not in every
environment of developers.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tests.house.tree import SOURCE, nodes, relative, trees

_TEXT = re.compile(r"(tilewright(?:\.\w+)+):(\w+)")


def test_names_that_are_looked_up_exist() -> None:
    missing = [
        f"{relative(path)}:{line}: {module}.{name}"
        for path, tree in trees("src").items()
        for line, module, name in looked_up(tree)
        if name not in defined(module)
    ]
    assert missing == []


@pytest.mark.parametrize(
    "program",
    [
        'import_module("tilewright.triton.stages").Stages()',
        'NAME = "tilewright.triton.stages:Stages"',
        'def _stages() -> Any:\n    return import_module("tilewright.triton.stages")\n_stages().Stages()',
    ],
)
def test_how_names_are_found(program: str) -> None:
    assert [found[1:] for found in looked_up(ast.parse(program))] == [("tilewright.triton.stages", "Stages")]
    assert "Stages" not in defined("tilewright.triton.stages")
    assert "KernelStages" in defined("tilewright.triton.stages")


def looked_up(tree: ast.Module) -> Iterator[tuple[int, str, str]]:
    """Yield the line, the module of tilewright and the name of each look-up, also by a function for the module
    and by a text ``module:name``.
    """
    for node in nodes(tree, ast.Constant):
        if isinstance(node.value, str) and (match := _TEXT.fullmatch(node.value)):
            yield node.lineno, match[1], match[2]
    functions = {
        function.name: module
        for function in nodes(tree, ast.FunctionDef)
        for statement in function.body
        if isinstance(statement, ast.Return) and (module := _imported(statement.value))
    }
    for node in nodes(tree, ast.Attribute):
        called = node.value.func if isinstance(node.value, ast.Call) else None
        by_function = functions.get(called.id) if isinstance(called, ast.Name) else None
        if module := by_function or _imported(node.value):
            yield node.lineno, module, node.attr


def _imported(node: ast.expr | None) -> str | None:
    """Return the module of tilewright that an expression imports by a literal name."""
    if (
        not isinstance(node, ast.Call)
        or not ast.unparse(node.func).endswith("import_module")
        or not node.args
    ):
        return None
    name = node.args[0]
    is_ours = isinstance(name, ast.Constant) and str(name.value).startswith("tilewright.")
    return str(name.value) if is_ours else None


def defined(module: str) -> set[str]:
    """Return the names that the statements of a module define, whether or not it can be imported here."""
    path = SOURCE.joinpath(*module.split("."))
    tree = trees("src")[path / "__init__.py" if path.is_dir() else path.with_suffix(".py")]
    functions = {node.name for node in nodes(tree, ast.FunctionDef, ast.ClassDef)}
    variables = {node.id for node in nodes(tree, ast.Name) if isinstance(node.ctx, ast.Store)}
    return functions | variables | {a.asname or a.name for n in nodes(tree, ast.ImportFrom) for a in n.names}
