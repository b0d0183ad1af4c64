"""LLVM-style command lines: long flags with one or two dashes, values after ``=``, passes in the order given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tilewright.cli.errors import UsageError
from tilewright.cpp.options import CppOptions
from tilewright.ir.support.record import Record, fresh
from tilewright.ir.support.strings import nearest

if TYPE_CHECKING:
    from tilewright.ir.diagnostic import Diagnostic
    from tilewright.ir.operation import Operation

HELP_INDENT, HELP_WIDTH = 45, 98
"""The width in characters of the column before the meaning of a flag, and of a whole line of help."""


class Flag(Record, frozen=True):
    """A flag that a command accepts. ``value`` is the placeholder of its value on the help page; empty: it
    takes none. A ``repeated`` flag may be given several times.
    """

    name: str
    help: str
    value: str = ""
    repeated: bool = False


class ParsedFlags(Record):
    """The flags, arguments and passes of a command line. ``values`` maps the name of each flag that was given
    to its values in order, where a flag without a value has ``true``. ``passes`` are pairs of a pass and the
    text of its options.
    """

    values: dict[str, list[str]] = fresh(default_factory=dict[str, list[str]])
    positional: list[str] = fresh(default_factory=list[str])
    passes: list[tuple[str, str]] = fresh(default_factory=list[tuple[str, str]])

    def has(self, name: str) -> bool:
        """Return whether a flag was given, unless its last value is ``false`` or ``0``, such as
        ``--flag=false``.
        """
        return name in self.values and self.values[name][-1] not in ("false", "0")

    def text(self, name: str, default: str = "") -> str:
        """Return the last value that was given for a flag, or ``default``."""
        return self.values[name][-1] if name in self.values else default

    def texts(self, name: str) -> list[str]:
        """Return all values of a flag that may be repeated, without empty values; comma-separated lists are
        split. The list is empty if the flag was not given.
        """
        return [item for value in self.values.get(name, []) for item in value.split(",") if item]


class UnknownFlag(UsageError):
    """An error for an unknown flag. ``close`` is the flag of the most similar name, or None."""

    def __init__(self, word: str, close: str | None) -> None:
        super().__init__(f"unknown argument '{word}'", f"did you mean '--{close}'?" if close else None)
        self.word, self.close = word, close


class MissingValue(UsageError):
    """A flag at the end of a command line has no value. ``word`` is the flag as the user wrote it."""

    def __init__(self, word: str, flag: Flag) -> None:
        super().__init__(f"--{flag.name} needs a value: {flag.value}")
        self.word = word


CPP_FLAGS = (
    Flag("I", "A folder with headers, for files with CUDA C++.", "FOLDER", repeated=True),
    Flag("D", "A macro as NAME or NAME=VALUE, for files with CUDA C++.", "MACRO", repeated=True),
    Flag(
        "instantiate",
        "An instance of a kernel template to compile, such as 'scale<float, 256>'.",
        "NAME",
        repeated=True,
    ),
)
"""The flags of the C++ compiler."""


def cpp_options_of(flags: ParsedFlags) -> CppOptions:
    """Return the options of the C++ compiler from the flags of `CPP_FLAGS` on the command line."""
    include, define, instantiate = (tuple(flags.values.get(flag.name, ())) for flag in CPP_FLAGS)
    return CppOptions(include, define, instantiate)


HINT_FLAGS = (
    Flag("Wunsupported-hints", "Warn about optimization hints without effect."),
    Flag("Werr-hints", "Warn about them, and take them for errors."),
)
"""The flags about optimization hints, as Tile IR's own tools call them."""


def warnings_of(flags: ParsedFlags, module: Operation) -> list[Diagnostic]:
    """Return the warnings about a valid module: undefined behaviour, and hints if the flags select them.

    Raises `DiagnosticError` if the flags make warnings about hints errors. Alone, ``-Werr-hints`` implies the
    other flag (in Tile IR's own tools it then does nothing).
    """
    from tilewright.driver.warnings import warnings_about

    found = warnings_about(module)
    as_errors = flags.has("Werr-hints")
    if not as_errors and not flags.has("Wunsupported-hints"):
        return found
    from tilewright.dialects.cuda_tile.rules.hints import check_hints
    from tilewright.ir.diagnostic import DiagnosticError

    hints = check_hints(module, as_errors=as_errors)
    if hints and as_errors:
        raise DiagnosticError([*found, *hints])
    return [*found, *hints]


def parse_flags(arguments: Sequence[str], flags: Sequence[Flag], passes: Mapping[str, object]) -> ParsedFlags:
    """Sort a command line into flags, passes and positional arguments, which include everything after ``--``.

    Raises `UnknownFlag` for a word with a dash that is neither flag nor pass, `MissingValue` for a flag
    without its value.
    """
    known = {flag.name: flag for flag in flags}
    parsed = ParsedFlags()
    pending = list(reversed(arguments))
    while pending:
        word = pending.pop()
        if word == "--":
            parsed.positional += reversed(pending)
            break
        if word == "-" or not word.startswith("-"):
            parsed.positional.append(word)
            continue
        name, equals, value = word.lstrip("-").partition("=")
        flag = known.get(name)
        if flag is not None:
            _store(parsed, flag, word, equals, value, pending)
        elif name in passes:
            parsed.passes.append((name, value))
        else:
            raise UnknownFlag(word, nearest(name, [*known, *passes]))
    return parsed


def _store(parsed: ParsedFlags, flag: Flag, word: str, equals: str, value: str, pending: list[str]) -> None:
    if flag.value and not equals:
        if not pending:
            raise MissingValue(word, flag)
        value = pending.pop()
    parsed.values.setdefault(flag.name, []).append(value if flag.value or equals else "true")


def help_text(usage: str, flags: Sequence[Flag], passes: Mapping[str, str]) -> str:
    """Return the help page: usage, flags, passes. ``passes`` maps the name of a pass to its line of help;
    without passes their section is left out.
    """
    lines = [usage, "", "Options (one or two dashes):"]
    for flag in flags:
        lines += _help_rows(f"--{flag.name}{'=' + flag.value if flag.value else ''}", flag.help)
    if passes:
        lines += ["", "Passes (run in the order given; options as --pass='name=value ...'):"]
        lines += [row for name, text in sorted(passes.items()) for row in _help_rows(f"--{name}", text)]
    return "\n".join(lines)


def _help_rows(head: str, text: str) -> list[str]:
    """Return the lines that explain a flag: the flag, and the text in a column of its own."""
    import textwrap  # nothing but a help page needs it

    first, *rest = textwrap.wrap(text, HELP_WIDTH - HELP_INDENT, break_on_hyphens=False) or [""]
    return [f"{'  ' + head:{HELP_INDENT - 1}} {first}", *(" " * HELP_INDENT + line for line in rest)]
