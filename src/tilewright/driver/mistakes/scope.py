"""The names that a line of a Python file can use."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator


def names_at(file: str, line: int) -> set[str]:
    """Return the names bound by the function around a line, and by its module; empty if the text cannot be read."""
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError):  # a cell with magics, or a file that has changed
        return set()
    return {name for scope in _scopes(tree, line) for name in _bound(scope)}


def _scopes(tree: ast.AST, line: int) -> Iterator[ast.AST]:
    """Yield the module, and the functions that a line is in."""
    yield tree
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0):
            yield node


def _bound(scope: ast.AST) -> Iterator[str]:
    """Yield the names that a scope binds itself."""
    pending = list(ast.iter_child_nodes(scope))
    while pending:
        node = pending.pop()
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.alias):
            yield node.asname or node.name.partition(".")[0]
        pending += ast.iter_child_nodes(node)
