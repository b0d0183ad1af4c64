"""Messages of NVIDIA's C++ compilers as diagnostics.

The compilers write blocks that an empty line ends:

    scale.cu(7): error: no operator "+" matches these operands
                operand types are: unsigned int + tile<int, ...>
          auto column = ct::bid().x + ct::iota<...>();
                                    ^
    cuda_tile.h(2492): note #3322-D: ...
              detected during instantiation of "void scale<T,N>(...) [with T=float, N=256]" at line 13

The source line is indented by two more columns than in the file. Notes on candidates are left out; instantiations
become notes of the diagnostic.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from tilewright.cpp import codes
from tilewright.ir.diagnostic import Diagnostic, DiagnosticCode, DiagnosticError, Severity, render
from tilewright.ir.location import UNKNOWN, FileLineColLocation, Location
from tilewright.ir.support import option_spelling, strings
from tilewright.ir.support.record import Record

_HEAD = re.compile(
    r"(?:(?P<file>[^\n()]+)\((?P<line>\d+)\): )?(?P<kind>catastrophic error|internal error|error|warning|note)"
    r"(?: #(?P<number>[\w-]+))?: (?P<text>.*)"
)
_INSTANTIATION = re.compile(
    r'\s+(?:detected during )?instantiation of "(?P<name>.+)" at line (?P<line>\d+)(?: of (?P<file>.+))?'
)
_CARET = re.compile(r"\s*\^\s*$")
_SHIFT = 2
"""The columns by which the compilers indent a source line."""
_INLINE_NAMESPACE = "__1::"
"""The inline namespace of `cuda_tile.h`, which is left out in diagnostics: programs do not write it."""
_WORD = re.compile(r"[A-Za-z_]\w{2,}")


class Rule(Record, frozen=True):
    """The code and the hint of messages that match the regular expression ``pattern``. If its group ``name``
    matches a misspelt name, the nearest known name is the hint instead.
    """

    pattern: str
    code: DiagnosticCode
    hint: str


RULES = (
    Rule(
        r'could not open source file "(?P<header>[^"]+)"|cannot open source file "(?P<other>[^"]+)"',
        codes.NO_HEADER,
        "add the folder of the header with -I FOLDER; headers of the host need nvcc and g++",
    ),
    Rule(
        r'(?:has no member|identifier|name followed by "::" must be a class or namespace name) ?"(?P<name>\w+)"',
        codes.C_PLUS_PLUS_NAME,
        "check the spelling and the namespace, or include the header that declares it",
    ),
    Rule(
        r"no operator \".+\" matches these operands",
        codes.CPP_ERROR,
        "give both operands one element type: ct::element_cast<T>(tile), or static_cast<T>(number)",
    ),
    Rule(
        r"no instance of (?:overloaded )?function",
        codes.CPP_ERROR,
        "compare the argument types with the declarations in cuda_tile.h",
    ),
    Rule(
        "",
        codes.CPP_ERROR,
        "`tilewright explain {code}` says how to see everything that the compiler printed",
    ),
)
"""The rows of messages; the first that matches counts."""


def diagnostics(
    log: str, files: Callable[[str], str], names: Callable[[], Iterable[str]]
) -> list[Diagnostic]:
    """Return the errors and warnings in the output of a compiler, in order, without errors that only follow
    from earlier ones. ``files`` maps a file as the compiler names it to its path, and ``names`` returns the
    names that a misspelt name may have been meant to be.
    """
    return [_diagnostic(block, files, names) for block in _blocks(log) if not _follows(block)]


def refusal(log: str, files: Callable[[str], str], names: Callable[[], Iterable[str]]) -> DiagnosticError:
    """Return the exception for a file that a compiler refused: it has the errors in the output ``log``, or
    all of the output as one error if none is found, and no warnings. ``files`` maps a file as the compiler
    names it to its path, and ``names`` returns the names that a misspelt name may have been meant to be.
    """
    found = [one for one in diagnostics(log, files, names) if one.severity is Severity.ERROR]
    if not found:
        text = " ".join(log.split()) or "the compiler gave no reason"
        found = [Diagnostic(Severity.ERROR, text, code=codes.CPP_ERROR)]
    told = "\n".join(map(render, found)) + (f"\n{log}" if option_spelling.wants_traceback() else "")
    return DiagnosticError(found, told)


def _blocks(log: str) -> Iterator[list[str]]:
    """Yield each error and warning in the output of a compiler as a list of lines, with its notes and source
    lines.
    """
    block: list[str] = []
    for line in log.splitlines():
        head = _HEAD.match(line)
        if head is not None and head["kind"] != "note":
            if block:
                yield block
            block = [line]
        elif block and line.strip():
            block.append(line)
        elif block:
            yield block
            block = []
    if block:
        yield block


def _follows(block: Sequence[str]) -> bool:
    """Return whether an error is caused by an earlier one: it mentions an expression whose type is
    ``<error-type>``.
    """
    return any("<error-type>" in line for line in block[:2])


def _diagnostic(
    block: Sequence[str], files: Callable[[str], str], names: Callable[[], Iterable[str]]
) -> Diagnostic:
    head = _HEAD.match(block[0])
    assert head is not None
    end = next((at for at, line in enumerate(block) if _CARET.match(line)), len(block))
    text = " ".join([head["text"], *(line.strip() for line in block[1 : max(end - 1, 1)])])
    text = text.replace(_INLINE_NAMESPACE, "")
    place = _place(head, block, end, files)
    if head["kind"] == "warning":
        return Diagnostic(Severity.WARNING, text, place, codes.CPP_WARNING)
    rule, match = next(
        (rule, match) for rule in RULES if (match := re.search(rule.pattern, text)) is not None
    )
    found = Diagnostic(Severity.ERROR, text, place, rule.code)
    for line in block[end:]:
        _note_instantiation(found, line, place, files)
    return found.hint(_hint(rule, match, names))


def _place(head: re.Match[str], block: Sequence[str], end: int, files: Callable[[str], str]) -> Location:
    if head["file"] is None:
        return UNKNOWN
    column = block[end].index("^") - _SHIFT + 1 if end < len(block) else 0
    return FileLineColLocation.at(files(head["file"]), int(head["line"]), max(column, 0))


def _note_instantiation(
    diagnostic: Diagnostic, line: str, place: Location, files: Callable[[str], str]
) -> None:
    match = _INSTANTIATION.match(line)
    if match is None:
        return
    file = place.file if isinstance(place, FileLineColLocation) else ""
    at = FileLineColLocation.at(
        files(match["file"].strip('"')) if match["file"] else file, int(match["line"]), 1
    )
    diagnostic.note(f"in the instantiation of {match['name']}", at)


def _hint(rule: Rule, match: re.Match[str], names: Callable[[], Iterable[str]]) -> str:
    name = match.groupdict().get("name")
    meant = None if name is None else strings.nearest(name, set(names()) - {name})
    return rule.hint.format(code=rule.code) if meant is None else f"did you mean '{meant}'?"


def words(text: str) -> set[str]:
    """Return the identifiers of at least three characters in a C++ text."""
    return set(_WORD.findall(text))
