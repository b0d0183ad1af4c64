"""Explains the messages of frontends about mistakes: rows of patterns, codes and hints."""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from tilewright.driver import codes
from tilewright.ir.diagnostic import Diagnostic, DiagnosticCode
from tilewright.ir.support import option_spelling, strings
from tilewright.ir.support.record import Record

Known = Callable[[str, "re.Match[str]"], Iterable[str]]
"""A function that returns the existing names for a misspelt one. It takes the set to search, `SCOPE`,
`MODULE` or `TYPE` (the row's ``among``), and the match of the row's pattern.
"""
SCOPE, MODULE, TYPE = "scope", "module", "type"
"""The sets of names in which a misspelt name is searched: names at the line, of a module, of a type."""


class MistakeRow(Record, frozen=True):
    """A code and a hint for the messages of a frontend that contain ``pattern``, a regular expression.
    ``hint`` may refer to groups of the pattern, as ``{name}``. If ``among`` is not empty, the group ``name``
    may be misspelt: similar names are searched in this set of names (`SCOPE`, `MODULE` or `TYPE`).
    """

    pattern: str
    code: DiagnosticCode
    hint: str
    among: str = ""


EXPLAIN = "`tilewright explain {code}` says what kernels may do; {traceback} shows the frontend's frames"
COMMON = (
    MistakeRow(
        r"power of (two|2)",
        codes.SHAPES_IN_KERNEL,
        "take the next power of two, and let the mask or the padding cut off the rest",
    ),
    MistakeRow(
        r"not broadcastable|make_shape_compatible|incompatible (dimensions|shapes)|[Cc]annot broadcast",
        codes.SHAPES_IN_KERNEL,
        "give the operands equal extents, or extents of 1; reshape or expand one of them first",
    ),
    MistakeRow(
        r"could not get source|source code not available|[Cc]ould not find function def",
        codes.NO_SOURCE,
        "write the kernel into a file or a cell of a notebook",
    ),
)
"""The rows for messages that several frontends share."""
LAST = MistakeRow("", codes.KERNEL_REFUSED, EXPLAIN)


def guide(found: Diagnostic, rows: Sequence[MistakeRow], known: Known) -> Diagnostic:
    """Add a code and a hint to `found`, a diagnostic with the message of a frontend, and return it. Both are
    from the first of `rows` whose pattern occurs in the message, or from `LAST`. If the row has a set of
    names ``among``, ``known(among, match)`` returns the names that a misspelt name may mean: if one is
    similar, the hint only asks whether it was meant, and a fix writes it.
    """
    row, match = next(
        (row, match) for row in (*rows, LAST) if (match := re.search(row.pattern, found.message)) is not None
    )
    found.code = row.code
    meant = strings.nearest(match["name"], known(row.among, match)) if row.among else None
    if meant is not None:
        return found.hint(f"did you mean '{meant}'?").fix(match["name"], meant)
    traceback = option_spelling.option("traceback", 1)
    return found.hint(row.hint.format(code=row.code, traceback=traceback, **match.groupdict()))


def names_at(file: str, line: int) -> set[str]:
    """Return the names bound by the functions around a line of a Python file, and by its module; empty if the
    text cannot be read or parsed.
    """
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError):  # a cell with magics, or a file that has changed
        return set()
    return {name for scope in _scopes(tree, line) for name in _bound(scope)}


def _scopes(tree: ast.AST, line: int) -> Iterator[ast.AST]:
    """Yield the module `tree`, and the functions in it that contain line number `line`."""
    yield tree
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0):
            yield node


def _bound(scope: ast.AST) -> Iterator[str]:
    """Yield the names that a scope binds: by assignments, parameters, imports, functions and classes. Names
    inside nested functions and classes are left out.
    """
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
