"""An operation on elements is declared once, and is a row of a few tables.

How it is computed stands elsewhere: in the numerics of the interpreter, and in the library of a target.  Operations with
which passes and checks compute, such as sums and comparisons, are named by those, too.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cache

import pytest

from tests.house.tree import nodes, relative, trees
from tilewright.dialects.cuda_tile.ops.conversion import IToFOp
from tilewright.dialects.cuda_tile.ops.float import OPERATIONS as FLOATS, AddFOp, CmpFOp, MulFOp, NegFOp
from tilewright.dialects.cuda_tile.ops.integer import AbsIOp
from tilewright.ir.operation import Operation

MAXIMUM_FILES = 5
"""The declaration, the folds, the rule of the interpreter, the row of the lowering, and one fact of the checks."""
MAKERS = ("/testing/", "/lowering/triton_to_cuda_tile/")
"""Generators of tests, and the conversion of what another front end makes."""
ANALYSES = ("/interp/precision/", "/driver/comparison/", "/prover/")
"""What compares and proves has a rule where it can say more than of any operation: without one, a result is its own
reference, and a number is any number of its type."""
BUILT_BY_PASSES = (CmpFOp, MulFOp, AddFOp, NegFOp)
OPERATIONS = (*(op for op in FLOATS if op not in BUILT_BY_PASSES), AbsIOp, IToFOp)


@cache
def named_in() -> dict[tuple[str, str], set[str]]:
    """By module and class, the files of the compiler that name an operation; what makes kernels does not count."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for path, tree in trees("src").items():
        if not any(place in relative(path) for place in (*MAKERS, *ANALYSES)):
            for name in references(tree):
                found[name].add(relative(path))
    return found


def references(tree: ast.Module) -> set[tuple[str, str]]:
    """Modules and names in them that a file imports, or reaches through a module that it imports."""
    found: set[tuple[str, str]] = set()
    modules: dict[str, str] = {}
    for node in nodes(tree, ast.ImportFrom):
        if node.module:
            for name in node.names:
                found.add((node.module, name.name))
                modules[name.asname or name.name] = f"{node.module}.{name.name}"
    for node in nodes(tree, ast.Attribute):
        if isinstance(node.value, ast.Name) and node.value.id in modules:
            found.add((modules[node.value.id], node.attr))
    return found


def files_of(op: type[Operation]) -> set[str]:
    """The file that declares an operation, and those that name it."""
    declared = f"src/{op.__module__.replace('.', '/')}.py"
    return {declared, *named_in()[op.__module__, op.__name__]}


@pytest.mark.parametrize("op", OPERATIONS, ids=lambda op: op.op_kind.mnemonic)
def test_few_files_name_it(op: type[Operation]) -> None:
    assert len(files_of(op)) <= MAXIMUM_FILES, sorted(files_of(op))


def test_how_names_are_found() -> None:
    program = "from a import b as c\nfrom a.d import E\nc.F\nE.G\n"
    assert references(ast.parse(program)) == {("a", "b"), ("a.d", "E"), ("a.b", "F"), ("a.d.E", "G")}


def test_there_are_operations_to_look_at() -> None:
    assert {"tanh", "exp2", "subf", "pow", "absi", "itof"} <= {op.op_kind.mnemonic for op in OPERATIONS}
