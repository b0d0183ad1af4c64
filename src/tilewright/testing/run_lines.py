"""``RUN:`` lines: the little shell language at the head of a test file, run inside this process.

A file's lines ``// RUN: tilewright-opt %s --cse | FileCheck %s`` are run in order.  There are pipes, ``&&``, ``<``,
``>``, ``2>``, ``2>&1``, ``not``, and a fixed set of commands; ``%s`` is the file, ``%S`` its folder, ``%t`` a path for
scratch files, ``%T`` the folder of those.  Everything also means the same to the ``lit`` tool.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import re
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_RUN = re.compile(r"^\s*(?://|#|;)\s*RUN:\s?(.*)$", re.MULTILINE)
_SUBSTITUTION = re.compile(r"%(%|[stST])")
OPERATORS = frozenset({"|", "&&", "<", ">", ">>", "2>", "2>>", "2>&1", "&>"})


class RunLineError(Exception):
    """A RUN line cannot be understood."""


class RunFailure(Exception):
    """A command of a RUN line failed; the message is what to show."""


@dataclass(slots=True)
class Command:
    """One command of a pipeline: its words, and the files of redirected streams; with ``append``, output is
    appended to them. ``merge`` means ``2>&1``; ``swap`` means that stderr goes to the pipe and stdout to a
    file (``2>&1 > FILE``).
    """

    words: list[str] = field(default_factory=list[str])
    stdin: Path | None = None
    stdout: Path | None = None
    stderr: Path | None = None
    append: bool = False
    merge: bool = False
    """Whether stderr is redirected to stdout (``2>&1``)."""
    swap: bool = False
    """Whether stderr is redirected to the pipe and stdout to a file (``2>&1 > FILE``)."""


@dataclass(slots=True)
class CommandOutcome:
    """The outcome of a command: exit status and output."""

    status: int
    out: str
    err: str


def run_lines(text: str) -> list[str]:
    """Return the RUN lines of a file; a line that ends in a backslash continues in the next RUN line.

    Raises `RunLineError` if there is no next RUN line.
    """
    lines: list[str] = []
    continued = False
    for piece in _RUN.findall(text):
        goes_on = piece.rstrip().endswith("\\")
        body = piece.rstrip()[:-1].rstrip() if goes_on else piece.strip()
        if continued:
            lines[-1] = f"{lines[-1]} {body}"
        else:
            lines.append(body)
        continued = goes_on
    if continued:
        raise RunLineError("the last RUN line ends in a backslash")
    return lines


def substituted(line: str, file: Path, scratch: Path) -> str:
    """Return `line` with its ``%`` sequences replaced: ``%s`` is `file`, ``%t`` is `scratch`, ``%S`` and
    ``%T`` are their folders, and ``%%`` is a percent sign.
    """
    values = {"s": str(file), "S": str(file.parent), "t": str(scratch), "T": str(scratch.parent), "%": "%"}
    return _SUBSTITUTION.sub(lambda match: values[match[1]], line)


def _words(line: str) -> list[str]:
    """Return the words and operators of a line; ``2>&1`` is one operator. Raises `RunLineError` if quotes are
    not closed.
    """
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&<>")
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        raw = list(lexer)
    except ValueError as error:
        raise RunLineError(f"{error}: {line}") from error
    words: list[str] = []
    for word in raw:
        if words and word in (">", ">>", ">&") and words[-1] == "2":
            words[-1] = f"2{word}"
        elif words and words[-1] == "2>&" and word == "1":
            words[-1] = "2>&1"
        else:
            words.append(word)
    return words


def pipelines(line: str) -> list[list[Command]]:
    """Return the pipelines of a line, which ``&&`` separates, each as its commands in order. Raises
    `RunLineError` for unsupported syntax and for a missing command.
    """
    result: list[list[Command]] = [[Command()]]
    words = iter(_words(line))
    for word in words:
        current = result[-1][-1]
        if word == "|":
            result[-1].append(Command())
        elif word == "&&":
            result.append([Command()])
        elif word in OPERATORS:
            _redirect(current, word, words)
        elif set(word) <= set("|&<>"):
            raise RunLineError(f"'{word}' is not understood in a RUN line: {line}")
        else:
            current.words.append(word)
    if not all(command.words for pipeline in result for command in pipeline):
        raise RunLineError(f"a command is missing: {line}")
    return result


def _redirect(command: Command, operator: str, words: Iterator[str]) -> None:
    if operator == "2>&1":
        command.merge = True
        return
    target = next(words, None)
    if target is None:
        raise RunLineError(f"a file is missing after '{operator}'")
    command.append = operator.endswith(">>")
    if operator == "<":
        command.stdin = Path(target)
    elif operator.startswith("2"):
        command.stderr = Path(target)
    else:
        command.swap, command.merge = command.merge, operator == "&>"
        command.stdout = Path(target)


# --- commands


def _run_in_process(module: str, function: str) -> Callable[[list[str]], Any]:
    """Return a command that calls `function` of the module `module` with its arguments; the module is
    imported only when the command runs.
    """

    def run(arguments: list[str]) -> Any:
        return getattr(importlib.import_module(module), function)(arguments)

    return run


def _opt(arguments: list[str]) -> int:
    run: Any = importlib.import_module("tilewright.cli.commands.opt").run_opt
    return run(arguments, sys.stdin, sys.stdout, sys.stderr)


def _file_check(arguments: list[str]) -> int:
    """Run ``FileCheck`` of the package ``filecheck`` with `arguments`, on standard input unless they name an
    input file. Return its exit status.
    """
    from filecheck.finput import FInput
    from filecheck.matcher import Matcher
    from filecheck.options import parse_argv_options
    from filecheck.parser import Parser

    options = parse_argv_options(["FileCheck", *arguments])
    if options.input_file != "-":
        return Matcher.from_opts(options).run()
    content = FInput.canonicalize_line_ends(sys.stdin.read())
    return Matcher(options, FInput("<stdin>", content), Parser.from_opts(options)).run()


def _cat(arguments: list[str]) -> int:
    texts = [Path(name).read_text() for name in arguments] or [sys.stdin.read()]
    sys.stdout.write("".join(texts))
    return 0


def _echo(arguments: list[str]) -> int:
    print(" ".join(arguments))
    return 0


Commands = Mapping[str, Callable[[list[str]], Any]]

COMMANDS: Commands = {
    "tilewright-opt": _opt,
    "tilewright": _run_in_process("tilewright.cli.main", "main"),
    "FileCheck": _file_check,
    "filecheck": _file_check,
    "cat": _cat,
    "echo": _echo,
}
"""The commands of RUN lines; each takes its arguments and returns the exit status (None: 0)."""


def _status_of(words: Sequence[str], commands: Commands) -> int:
    """Run the command `words`, a name of `commands` with its arguments, on the current standard streams, and
    return its exit status; ``not`` before a command inverts it. Raises `RunLineError` for an unknown command,
    or for ``not`` without a command.
    """
    name, *arguments = words
    if name == "not":
        if not arguments:
            raise RunLineError("'not' needs a command")
        return int(_status_of(arguments, commands) == 0)
    if name not in commands:
        raise RunLineError(f"'{name}' is not a command of RUN lines; known: not, {', '.join(commands)}")
    try:
        return commands[name](arguments) or 0
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)


BYTES = "surrogateescape"
"""How bytes that are no text go through pipes and come out the same."""


def run_command(command: Command, given: str, commands: Commands = COMMANDS) -> CommandOutcome:
    """Run one command with ``given`` on stdin, unless that is redirected, and return its outcome without the
    output that goes to files. Raises `RunLineError` for a command that is not in `commands`.
    """
    data = command.stdin.read_bytes() if command.stdin is not None else given.encode(errors=BYTES)
    stdin = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", errors=BYTES)
    out, err = _stream(), _stream()
    saved = sys.stdin
    sys.stdin = stdin
    try:
        with (
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(out if command.merge else err),
        ):
            status = _status_of(command.words, commands)
    finally:
        sys.stdin = saved
    return _redirected(command, CommandOutcome(status, _written(out), _written(err)))


def _stream() -> io.TextIOWrapper:
    """Return a stream that takes text and, through its ``buffer``, bytes."""
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors=BYTES, newline="")


def _written(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


def _redirected(command: Command, outcome: CommandOutcome) -> CommandOutcome:
    """Write the output in `outcome` that `command` redirects to its files, and return the rest, which goes to
    the next command. With ``swap``, stdout went to a file and stderr goes to the next command as its input.
    """
    for name, path in (("out", command.stdout), ("err", command.stderr)):
        if path is not None:
            mode = "a" if command.append else "w"
            with path.open(mode, encoding="utf-8", errors=BYTES, newline="") as stream:
                stream.write(getattr(outcome, name))
            setattr(outcome, name, "")
    return CommandOutcome(outcome.status, outcome.err, "") if command.swap else outcome


def run_line(line: str, commands: Commands = COMMANDS) -> None:
    """Run a line whose substitutions are made: its pipelines in order, up to the first pipeline with a
    command that fails; the other commands of this pipeline still run. ``commands`` are the callable commands.
    Output that is not redirected is dropped. Raises `RunFailure` when a command has failed, and
    `RunLineError` for a line that cannot be understood.
    """
    for pipeline in pipelines(line):
        text, messages, failed = "", list[str](), list[str]()
        for command in pipeline:
            outcome = run_command(command, text, commands)
            text = outcome.out
            messages.append(outcome.err)
            if outcome.status:
                failed.append(f"exit status {outcome.status} of: {shlex.join(command.words)}")
        if failed:
            raise RunFailure("\n".join([f"RUN: {line}", *failed, *filter(None, [*messages, text])]))


def run_file(file: Path, scratch: Path) -> None:
    """Run all RUN lines of a file; `scratch` is the path for ``%t``. Raises `RunFailure` if a command fails,
    and `RunLineError` for a line that cannot be understood, and for a file without RUN lines.
    """
    lines = run_lines(file.read_text())
    if not lines:
        raise RunLineError(f"{file} has no RUN line")
    for line in lines:
        run_line(substituted(line, file, scratch))
