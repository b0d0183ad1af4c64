"""Mutations of a Python source: a comparison, constant or condition changed, a statement dropped, two arguments swapped.

A mutation replaces one span of the source text, so everything around it stays as it is.  Text is never mutated:
docstrings, annotations, messages of exceptions, and names that modules import.  Neither are assertions.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.In: "not in",
    ast.NotIn: "in",
}
SUMS: dict[type[ast.operator], str] = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "+",
    ast.FloorDiv: "*",
    ast.Mod: "//",
}
SILENT_METHODS = frozenset({"__repr__", "__str__", "describe"})
"""Functions whose results are read by people only: nothing in them is mutated."""

SYMMETRIC = frozenset({"min", "max"})
"""Functions whose arguments may change places."""


@dataclass(frozen=True)
class Mutation:
    """Text that replaces the bytes from ``start`` to ``end`` of the file at ``path`` (below the root of the sources).

    ``line`` is the first line of the replaced span, counted from 1; ``function`` is the qualified name of the function
    around it, empty at the level of the module.
    """

    path: str
    line: int
    start: int
    end: int
    kind: str
    function: str
    before: str
    after: str

    def applied(self, source: bytes) -> bytes:
        """Return the source with the span replaced."""
        return source[: self.start] + self.after.encode() + source[self.end :]

    @property
    def key(self) -> str:
        """A name that survives edits elsewhere in the file: its path, function and text instead of its line."""
        return f"{self.path}::{self.function}: {_folded(self.before)} -> {_folded(self.after)}"

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.kind}: {_folded(self.before)} -> {_folded(self.after)}"


def _folded(text: str) -> str:
    return " ".join(text.split())


def mutations(path: Path, root: Path) -> list[Mutation]:
    """Return every mutation of a file, in the order of its text."""
    finder = _Finder(str(path.relative_to(root)), path.read_bytes())
    finder.visit(ast.parse(finder.source))
    return sorted(finder.found, key=lambda one: (one.start, one.end, one.kind, one.after))


class _Finder(ast.NodeVisitor):
    """Collects mutations while it visits a module; ``scope`` holds the names of the classes and functions around."""

    def __init__(self, path: str, source: bytes) -> None:
        self.path = path
        self.source = source
        self.found: list[Mutation] = []
        self.scope: list[str] = []
        self.functions = 0
        starts = [0]
        for line in source.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        self.starts = starts

    # Positions

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """Return the offsets, in bytes, of the first byte of a node and of the byte behind it."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.starts[node.lineno - 1] + node.col_offset, self.starts[
            node.end_lineno - 1
        ] + node.end_col_offset

    def text(self, node: ast.expr | ast.stmt) -> str:
        start, end = self.span(node)
        return self.source[start:end].decode()

    def add(self, kind: str, node: ast.expr | ast.stmt, after: str) -> None:
        """Record that the text of ``node`` may be replaced by ``after``."""
        start, end = self.span(node)
        before = self.source[start:end].decode()
        function = ".".join(self.scope)
        self.found.append(Mutation(self.path, node.lineno, start, end, kind, function, before, after))

    # What is passed over

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.inside(node.name, node.body)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if node.name in SILENT_METHODS:
            return
        self.functions += 1
        self.inside(node.name, node.body)
        self.functions -= 1

    def inside(self, name: str, body: Sequence[ast.stmt]) -> None:
        self.scope.append(name)
        for statement in body:
            self.visit(statement)
        self.scope.pop()

    def visit_Raise(self, node: ast.Raise) -> None:
        """Leave messages alone; that the exception is raised at all is a mutation of the statement around it."""

    def visit_Assert(self, node: ast.Assert) -> None:
        """Leave assertions alone: they are true."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Leave text alone."""

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if self.functions:
            self.generic_visit(node)  # at the level of a module and a class it is mostly an alias of a type

    # Mutations of expressions

    def visit_Compare(self, node: ast.Compare) -> None:
        if len(node.ops) == 1:
            left, right = self.text(node.left), self.text(node.comparators[0])
            self.add("comparison", node, f"{left} {COMPARISONS[type(node.ops[0])]} {right}")
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        other = SUMS.get(type(node.op))
        if other is not None and not isinstance(
            node.left, ast.Constant | ast.JoinedStr | ast.List | ast.Tuple
        ):
            self.add("arithmetic", node, f"({self.text(node.left)}) {other} ({self.text(node.right)})")
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        word = " or " if isinstance(node.op, ast.And) else " and "
        self.add("condition", node, f"({word.join(f'({self.text(value)})' for value in node.values)})")
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self.add("condition", node, f"bool({self.text(node.operand)})")
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.negate(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self.negate(test)
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self.add("constant", node, str(not node.value))
        elif isinstance(node.value, int) and self.functions:
            self.add("constant", node, str(node.value + 1))

    def visit_keyword(self, node: ast.keyword) -> None:
        """Leave ``strict`` of ``zip`` alone: it is an assertion."""
        if node.arg != "strict":
            self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Name) and node.func.id in SYMMETRIC:
            self.generic_visit(node)
            return
        for first, second in zip(node.args, node.args[1:], strict=False):
            if self.functions and not isinstance(first, ast.Starred) and not isinstance(second, ast.Starred):
                self.swap(first, second)
        self.generic_visit(node)

    def swap(self, first: ast.expr, second: ast.expr) -> None:
        """Record that two neighbouring arguments may change places."""
        (start, first_end), (second_start, end) = self.span(first), self.span(second)
        between = self.source[first_end:second_start].decode()
        before, after = self.text(first), self.text(second)
        if before != after:
            swapped = f"{after}{between}{before}"
            text = self.source[start:end].decode()
            scope = ".".join(self.scope)
            self.found.append(
                Mutation(self.path, first.lineno, start, end, "swapped arguments", scope, text, swapped)
            )

    # Mutations of statements

    def visit_If(self, node: ast.If) -> None:
        self.negate(node.test)
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        self.negate(node.test)
        self.generic_visit(node)

    def negate(self, test: ast.expr) -> None:
        """Record that a condition may be negated; comparisons and ``not`` have mutations of their own."""
        plain = not isinstance(test, ast.Compare | ast.BoolOp | ast.Constant)
        if self.functions and plain and not (isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)):
            self.add("condition", test, f"(not ({self.text(test)}))")

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call) and self.functions:
            self.add("dropped statement", node, "pass")
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if self.functions:
            self.add("dropped statement", node, "pass")
        self.generic_visit(node)

    def visit_Continue(self, node: ast.Continue) -> None:
        self.add("dropped statement", node, "pass")

    def visit_Break(self, node: ast.Break) -> None:
        self.add("dropped statement", node, "pass")


def files(root: Path, packages: Sequence[str]) -> Iterator[Path]:
    """Yield the sources of packages below ``root``, sorted."""
    for package in packages:
        yield from sorted((root / package).rglob("*.py"))


def every_mutation(root: Path, packages: Sequence[str]) -> list[Mutation]:
    """Return the mutations of all files of packages, in the order of packages, files and text."""
    return [mutation for path in files(root, packages) for mutation in mutations(path, root)]
