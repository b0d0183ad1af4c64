"""The output of an assembler as messages at lines of PTX, and as diagnostics."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tilewright.ir.diagnostic import Diagnostic, Severity
from tilewright.ir.location import UNKNOWN, FileLineColLocation
from tilewright.ptx.lexer import PtxSource
from tilewright.targets.nvptx import codes

_MESSAGE = re.compile(
    r"(?:ptxas\S*|nvjitlink|ERROR)?\s*(?:.*?, line (?P<line>\d+)(?:, col(?:umn)? (?P<column>\d+))?; )?\s*"
    r"(?P<severity>fatal|error|warning|info(?=\s*: \(C\d+\)))\s*: (?P<text>.+)",
    re.IGNORECASE,
)
"""The format of messages. Advice of ptxas counts as a warning if it has a number, for example that products
are serialized.
"""
_ONLY_SUMS_UP = re.compile(r"Ptx assembly aborted due to errors")
_FUNCTION = re.compile(r"function '([\w$%]+)'", re.IGNORECASE)
_QUOTED = re.compile(r"'([^']+)'")
TOO_OLD = re.compile(
    r"Unsupported \.version|is not defined for option 'gpu-name'|unsupported.*arch", re.IGNORECASE
)
"""Messages of an assembler that a newer version would not give."""

_WAYS_OUT: tuple[tuple[str, str], ...] = (
    (
        r"Unsupported \.version .*current version is '(?P<known>[\d.]+)'",
        "this assembler reads PTX up to {known}: lower `.version` if the text needs nothing newer, or "
        "`pip install -U nvidia-cuda-nvcc`",
    ),
    (
        r"option 'gpu-name'|unsupported.*arch",
        "this assembler does not know the GPU: `pip install -U nvidia-cuda-nvcc` brings a newer one",
    ),
    (
        r"specified by \.target is higher|not supported on \.target|requires \.target|cannot be compiled",
        "`--gpu` names the architecture to assemble for: it must have what `.target` and the instructions ask for",
    ),
    (r"requires PTX ISA|requires \.version", "raise `.version` at the head of the text"),
    (
        r"too much shared data",
        "declare less shared memory, or take dynamic shared memory, whose size a launch gives",
    ),
    (
        r"for instruction '(?P<instruction>[\w.]+)'",
        "`tilewright ptx --instructions {instruction}` shows every form of the instruction",
    ),
    (
        r"C75\d\d|serializ",
        "products of matrices wait for each other then: touch no accumulator between issue and wait, and keep the "
        "pipeline out of branches and calls",
    ),
    (
        r"setmaxnreg",
        "give the kernel `.reqntid` or `.maxntid` together with `.minnctapersm`, or `.maxnreg`",
    ),
)
"""Patterns of messages, and a hint for each."""
_CHECK = "`tilewright ptx --check` on the text often says more about a mistake in it"


@dataclass(frozen=True, slots=True)
class AssemblerMessage:
    """An error or a warning; ``line`` and ``column`` are 0 if unknown."""

    is_error: bool
    text: str
    line: int = 0
    column: int = 0


def messages_of(talk: str) -> tuple[AssemblerMessage, ...]:
    """Return the errors and warnings in the output of an assembler, in its order and each once. The line that
    only states that errors ended the run is left out if another message precedes it.
    """
    found: list[AssemblerMessage] = []
    for line in talk.splitlines():
        match = _MESSAGE.match(line)
        if match is not None and not (found and _ONLY_SUMS_UP.search(match["text"])):
            is_error = match["severity"].lower() in ("fatal", "error")
            found.append(
                AssemblerMessage(
                    is_error, match["text"].strip(), int(match["line"] or 0), int(match["column"] or 0)
                )
            )
    return tuple(dict.fromkeys(found))


def diagnostics_of(messages: Iterable[AssemblerMessage], source: PtxSource) -> tuple[Diagnostic, ...]:
    """Return diagnostics for messages about the text `source`, in the order of its lines, with a hint where
    one is known. Messages without a line precede the others.
    """
    return tuple(_diagnostic(message, source) for message in sorted(messages, key=lambda one: one.line))


def are_too_old(messages: Sequence[AssemblerMessage]) -> bool:
    """Return whether one of the messages is an error that a newer assembler would not give (`TOO_OLD`)."""
    return any(message.is_error and TOO_OLD.search(message.text) for message in messages)


def _diagnostic(message: AssemblerMessage, source: PtxSource) -> Diagnostic:
    severity = Severity.ERROR if message.is_error else Severity.WARNING
    code = codes.PTX_REFUSED if message.is_error else codes.ASSEMBLER_WARNS
    line = message.line or _line_of_kernel(message.text, source)
    place = (
        FileLineColLocation.at(source.file_name, line, _column(message, line, source)) if line else UNKNOWN
    )
    found = Diagnostic(severity, message.text, place, code)
    way_out = _way_out(message.text) or (_CHECK if message.is_error else "")
    return found.hint(way_out) if way_out else found


def _line_of_kernel(text: str, source: PtxSource) -> int:
    """Return the line in `source` of the head of the function that the message `text` names; 0 if it names
    none, or one that `source` lacks.
    """
    name = _FUNCTION.search(text)
    match = name and re.search(rf"\.(?:entry|func)\b[^;{{]*?{re.escape(name[1])}(?![\w$])", source.text)
    return source.place(match.end() - 1).line if match else 0


def _column(message: AssemblerMessage, line_number: int, source: PtxSource) -> int:
    """Return the 1-based column of a message: the reported column, otherwise the column of the first word
    that the message quotes if it is in the line, otherwise of the first word of the line. Return 0 if there
    is no such line and no column was reported.
    """
    line = source.line(source.file_name, line_number)
    if message.column or line is None:
        return message.column
    at = next((at for word in _QUOTED.findall(message.text) if (at := line.find(word)) >= 0), None)
    return (len(line) - len(line.lstrip()) if at is None else at) + 1


def _way_out(text: str) -> str:
    for pattern, hint in _WAYS_OUT:
        match = re.search(pattern, text, re.IGNORECASE)
        if match is not None:
            return hint.format(**match.groupdict())
    return ""
