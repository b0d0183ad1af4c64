"""Find comments that ignore findings (``# tilewright: ignore``) and suppressed none, in kernels launched with
checks.
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator, Sequence
from typing import Any

from tilewright.ir.diagnostic import Diagnostic, Severity, failure
from tilewright.ir.support.ignores import Ignore, ignores_in
from tilewright.ir.support.record import Record, fresh
from tilewright.runtime.codes import UNKNOWN_CODE, UNUSED_IGNORE

Places = frozenset[tuple[str, int]]
"""Lines of programs, as (file name, line number)."""


class LaunchedLines(Record, frozen=True):
    """The source lines of a launched kernel, as pairs of file and line, and the codes of the diagnostics that
    its checks can report.
    """

    places: Places
    codes: frozenset[str]


class Ignores(Record):
    """The comments that suppressed findings (`used`), and the kernels whose comments could have (`launched`).

    ``stopped`` has the file and the line at which launches ended with a finding.
    """

    launched: set[LaunchedLines] = fresh(default_factory=set[LaunchedLines])
    used: set[Ignore] = fresh(default_factory=set[Ignore])
    stopped: set[tuple[str, int]] = fresh(default_factory=set[tuple[str, int]])

    def take(self, entry: LaunchedLines | Ignore) -> bool:
        """Add the lines of a launched kernel, or a comment that suppressed a finding; return whether it was
        new.
        """
        if isinstance(entry, LaunchedLines):
            is_new = entry not in self.launched
            self.launched.add(entry)
        else:
            is_new = entry not in self.used
            self.used.add(entry)
        return is_new

    def as_data(self) -> list[Any]:
        """Return all of it as sorted lists of texts and numbers, which `join` reads."""
        launched = [[[*map(list, sorted(one.places))], sorted(one.codes)] for one in self.launched]
        used = [[one.file, one.line, one.column, one.code] for one in self.used]
        return [sorted(launched), sorted(used), [*map(list, sorted(self.stopped))]]

    def join(self, data: Sequence[Any]) -> None:
        """Add the data of another process, from `as_data`. An empty list adds nothing."""
        launched, used, stopped = data or ((), (), ())
        for places, codes in launched:
            self.launched.add(
                LaunchedLines(frozenset((file, line) for file, line in places), frozenset(codes))
            )
        self.used.update(Ignore(*row) for row in used)
        self.stopped.update((file, line) for file, line in stopped)

    def unused(self) -> list[Ignore]:
        """Return the comments that suppressed nothing, sorted by file and line, with those that name no code.
        Comments are left out if no check that can report their code ran, or if a launch ended in their
        function: the rest of the function may not have run.
        """
        found = {
            one
            for launch in self.launched
            for one in _ignores_of(launch.places, frozenset(self.stopped))
            if one.code in launch.codes or not _is_code(one.code)
        }
        return sorted(found - self.used, key=lambda one: (one.file, one.line, one.column, one.code))


def warning(ignore: Ignore) -> Diagnostic:
    """Return the warning about an ignore that names no code, or that suppressed no finding; in the second
    case, with a fix that removes the code from the comment.
    """
    if not _is_code(ignore.code):
        text = f"the ignore names '{ignore.code}', which is no code"
        found = Diagnostic(Severity.WARNING, text, ignore.location, UNUSED_IGNORE)
        return found.hint("write the code of the finding: # tilewright: ignore[TW0406]")
    text = f"nothing was found here that is ignored as {ignore.code}"
    found = Diagnostic(Severity.WARNING, text, ignore.location, UNUSED_IGNORE)
    for replaced, text in _without(ignore):
        found.fix(replaced, text)
    return found.hint(f"take {ignore.code} out of the comment")


def _without(ignore: Ignore) -> Iterator[tuple[str, str]]:
    """Yield the comment of an ignore, and the comment without its code, which is empty if it has no other
    code. Nothing is yielded for a file that cannot be read.
    """
    lines = linecache.getlines(ignore.file)
    rest = lines[ignore.line - 1][ignore.column - 1 :].rstrip("\n") if ignore.line <= len(lines) else ""
    head, opened, inner = rest.partition("[")
    names, closed, reason = inner.partition("]")
    others = [name.strip() for name in names.split(",") if name.strip().upper() != ignore.code]
    if closed:
        yield rest, f"{head}{opened}{', '.join(others)}{closed}{reason}" if others else ""


def codes_to_ignore(text: str) -> tuple[str, ...]:
    """Return the codes of a text such as ``TW0406,tw0411`` in upper case, each once and sorted; none for an
    empty text. Raises `DiagnosticError` for a name that is no code.
    """
    names = sorted({name.strip().upper() for name in text.split(",")} - {""})
    wrong = next((name for name in names if not _is_code(name)), None)
    if wrong is not None:
        hint = "write codes with commas between them: TW0406,TW0411"
        raise failure(UNKNOWN_CODE, f"'{wrong}' is no code of a finding", hint=hint)
    return tuple(names)


def _is_code(name: str) -> bool:
    from tilewright.reference.subjects import codes  # an import that few runs need

    return name in codes()


def _ignores_of(places: Places, stopped: Places) -> Iterator[Ignore]:
    """Yield the comments that ignore findings in the functions with a line of `places`, but no line of
    ``stopped``.
    """
    for file in {file for file, _ in places}:
        lines = linecache.getlines(file)
        spans = _functions(lines) if any("tilewright" in line for line in lines) else []
        for first, last in _around(spans, places, file) - _around(spans, stopped, file):
            numbered = zip(range(first, last + 1), lines[first - 1 : last], strict=False)
            yield from ignores_in(file, numbered)


def _functions(lines: list[str]) -> list[tuple[int, int]]:
    """Return the first and the last line of each function, with its decorators, of a file of Python; none if
    the file cannot be parsed.
    """
    try:
        tree = ast.parse("".join(lines))
    except (SyntaxError, ValueError):
        return []
    return [
        (min([node.lineno, *(one.lineno for one in node.decorator_list)]), node.end_lineno or node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    ]


def _around(spans: list[tuple[int, int]], places: Places, file: str) -> set[tuple[int, int]]:
    """Return the first and last line of the innermost function of `file` around each line of `places`."""
    lines = (line for name, line in places if name == file)
    found = ([span for span in spans if span[0] <= line <= span[1]] for line in lines)
    return {max(some) for some in found if some}
