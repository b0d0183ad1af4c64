"""Rules name the classes of their operations: what is left without a class, or is found by a name, may only get less."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from tests.house.tree import nodes, relative, trees
from tilewright.driver.startup import (
    CHAIN,
    FOREIGN_DIALECTS,
    INPUT_DIALECT,
    STANDARD_DIALECTS,
    dialect_object,
)

UNTYPED_OPERATIONS: dict[str, int] = {"dialects": 9, "ir": 2, "targets": 3}
"""By package: so many parameters, variables and fields that hold an operation are of the type Any."""
NAME_LOOKUPS: dict[str, int] = {}
"""By package: so many comparisons of the name of an operation with text."""
NAME_TABLES: dict[str, int] = {"dialects": 2, "pdl": 3, "targets": 2}
"""By package: so many tables are keyed by names of operations.

Data about names stay: spellings of the text form, hints that each operation takes, pages of a library.
"""
OPERATION_NAMES = frozenset({"op", "operation", "loop"})


def untyped(tree: ast.Module) -> Iterator[int]:
    """Lines where ``op: Any`` stands, as a parameter, a variable or a field."""
    for node in (*nodes(tree, ast.arg), *nodes(tree, ast.AnnAssign)):
        if isinstance(node, ast.arg):
            name, annotation = node.arg, node.annotation
        elif isinstance(node.target, ast.Name):
            name, annotation = node.target.id, node.annotation
        else:
            continue
        if name in OPERATION_NAMES and isinstance(annotation, ast.Name) and annotation.id == "Any":
            yield node.lineno


def name_lookups(tree: ast.Module) -> Iterator[int]:
    """Lines that compare ``x.name`` or ``x.kind.name`` of an operation with names of operations."""
    for node in nodes(tree, ast.Compare):
        sides = [node.left, *node.comparators]
        if any(map(_is_name, sides)) and any(map(_is_operation_name, sides)):
            yield node.lineno


def name_tables(tree: ast.Module) -> Iterator[int]:
    """Lines of tables whose keys are the names of operations."""
    for node in nodes(tree, ast.Dict):
        if any(key is not None and _names_an_operation(key) for key in node.keys):
            yield node.lineno


def _names_an_operation(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in _operation_names()


@cache
def _operation_names() -> frozenset[str]:
    names = (*STANDARD_DIALECTS, *CHAIN, INPUT_DIALECT, *FOREIGN_DIALECTS)
    return frozenset(op.op_kind.name for name in names for op in dialect_object(name).operations)


def _is_name(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "name"


def _is_operation_name(node: ast.expr) -> bool:
    """Text with a dot in it, such as `arith.addi`, or several of them."""
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return any(map(_is_operation_name, node.elts))
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and "." in node.value


def counted(find: Callable[[ast.Module], Iterator[int]]) -> dict[str, int]:
    """By package, how often something is found."""
    places = (relative(path).split("/")[2] for path, tree in trees("src").items() for _ in find(tree))
    return dict(Counter(places))


@pytest.mark.parametrize(
    ("find", "known"),
    [(untyped, UNTYPED_OPERATIONS), (name_lookups, NAME_LOOKUPS), (name_tables, NAME_TABLES)],
)
def test_counts_only_shrink(find: Callable[[ast.Module], Iterator[int]], known: dict[str, int]) -> None:
    """A higher count means a new case; after a mend, lower the number in this file."""
    assert counted(find) == known


def test_how_untyped_operations_are_found() -> None:
    program = "def f(op: Any, other: Any): pass\ndef g(op: AddIOp): pass\nclass C:\n    op: Any\n"
    assert list(untyped(ast.parse(program))) == [1, 4]


def test_how_lookups_by_name_are_found() -> None:
    program = """
op.name == "arith.addi"
op.kind.name in ("arith.addi", "arith.subi")
op.kind.mnemonic == "addi"
field.name == "body"
isinstance(op, AddIOp)
"""
    assert list(name_lookups(ast.parse(program))) == [2, 3]


def test_how_tables_by_name_are_found() -> None:
    program = """
{"arith.addi": 1}
{AddIOp: "arith.addi"}
{"llvm.noalias": "noalias"}
"""
    assert list(name_tables(ast.parse(program))) == [2]
