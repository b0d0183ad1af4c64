"""The source text of kernels: lines of any file, and functions and statements of Python files."""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TypeAlias

from tilewright.ir.attribute import Location
from tilewright.ir.location import is_python
from tilewright.ir.support.record import Record
from tilewright.ir.support.strings import pattern

PythonFunction: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef"
SourcePosition: TypeAlias = "tuple[str, int, int]"
"""A file, and a line and a column that count from 1; in Python files columns count bytes."""
CallContext: TypeAlias = "tuple[SourcePosition, ...]"
"""The calls that lead to a function that is part of a kernel, the outermost call first; empty in the kernel."""


class CodePosition(Record, frozen=True):
    """The position of an operation: where it is written, and the calls that lead there."""

    position: SourcePosition
    context: CallContext = ()

    @property
    def file(self) -> str:
        """The file of the position."""
        return self.position[0]

    @property
    def line(self) -> int:
        """The line of the position, which counts from 1."""
        return self.position[1]

    @property
    def outer(self) -> Iterator[CodePosition]:
        """Yield the positions of the calls that lead here, the outermost call first."""
        for depth, position in enumerate(self.context):
            yield CodePosition(position, self.context[:depth])


def code_position(location: Location) -> CodePosition | None:
    """Return the position of an operation from its location; None if the location names no line."""
    source = location.source
    if source is None or source[1] < 1:
        return None
    callers = [caller.source for caller in location.callers]
    return CodePosition(source, tuple(one for one in reversed(callers) if one is not None))


class SourceFile:
    """A file that kernels are written in. It may not exist on this machine: then it has no lines."""

    def __init__(self, name: str) -> None:
        self.name = name

    @cached_property
    def lines(self) -> Sequence[str]:
        """The lines of the file, without line ends."""
        return [line.rstrip("\r\n") for line in linecache.getlines(self.name)]

    def line(self, number: int) -> str:
        """Return the line with a number, which counts from 1; an empty text outside of the file."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    @cached_property
    def functions(self) -> Sequence[PythonFunction]:
        """The functions of a Python file, outer functions first. Other files have none, and so have files
        that this Python cannot parse.
        """
        if not is_python(self.name):
            return ()
        try:
            tree = ast.parse("\n".join(self.lines))
        except (SyntaxError, ValueError):
            return ()
        return [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]

    def function_at(self, line: int) -> PythonFunction | None:
        """Return the innermost function whose lines, decorators included, contain a line; None outside of
        functions.
        """
        around = [one for one in self.functions if _first_line(one) <= line <= (one.end_lineno or one.lineno)]
        return max(around, key=_first_line, default=None)

    def statement_at(self, position: SourcePosition) -> ast.stmt | None:
        """Return the innermost statement of a function that contains a position. Return None outside of
        functions, and in the head of a function: its decorators, parameters and annotations.
        """
        function = self.function_at(position[1])
        if function is None:
            return None
        point = position[1], position[2] - 1
        found: ast.stmt | None = None
        body: Sequence[ast.stmt] = function.body
        while inside := next((one for one in body if _contains(one, point)), None):
            found = inside
            body = [inner for block in bodies(inside) for inner in block]
        return found


def bodies(statement: ast.stmt) -> list[list[ast.stmt]]:
    """Return the lists of statements that are parts of a compound statement: the body, the ``else`` branch
    and the ``finally`` branch, without empty ones. Exception handlers and cases of a ``match`` are left out.
    """
    fields = (getattr(statement, name, []) for name in ("body", "orelse", "finalbody"))
    return [block for block in fields if block]


def statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a body, and the statements inside them, in the order of the text, without those
    in exception handlers and in cases of a ``match``.
    """
    for one in body:
        yield one
        for block in bodies(one):
            yield from statements(block)


def node_position(file: str, node: ast.expr | ast.stmt | ast.arg) -> SourcePosition:
    """Return the position of a node of the syntax tree of ``file``: the file, the line and the column, which
    count from 1.
    """
    return file, node.lineno, node.col_offset + 1


def _first_line(function: PythonFunction) -> int:
    return min([function.lineno, *(one.lineno for one in function.decorator_list)])


def _contains(statement: ast.stmt, point: tuple[int, int]) -> bool:
    end = statement.end_lineno or statement.lineno, statement.end_col_offset or 0
    return (statement.lineno, statement.col_offset) <= point < end


class SourceFiles:
    """The files of kernels, each read once."""

    def __init__(self) -> None:
        self._files: dict[str, SourceFile] = {}

    def of(self, name: str) -> SourceFile:
        """Return the file called `name`, always the same object. The file is read when its lines are first
        used, and need not exist.
        """
        found = self._files.get(name)
        if found is None:
            found = self._files[name] = SourceFile(name)
        return found


def assignments(source: SourceFile, name: str) -> list[tuple[int, int]]:
    """Return the line and column of each expression that a file, which is not Python, assigns to a name."""
    assigned = re.compile(
        rf"\b{re.escape(name)}\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)\s*|(?:\+\+|--){re.escape(name)}\b"
    )
    return [
        (number, match.end() + 1)
        for number, line in enumerate(source.lines, 1)
        for match in assigned.finditer(line.partition("//")[0])
    ]


_DECLARED = pattern(r"\b([A-Za-z_]\w*)\s*=\s*")


def declared_at(source: SourceFile, line: int, column: int) -> str:
    """Return the name that the expression at a line and column is assigned to, if the file, which is not Python,
    assigns it once; else an empty text.
    """
    found = (match for match in _DECLARED.finditer(source.line(line)) if match.end() == column - 1)
    name = next((match[1] for match in found), "")
    return name if name and len(assignments(source, name)) == 1 else ""
