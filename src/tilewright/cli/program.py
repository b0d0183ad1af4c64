"""Python programs on a command line: which word names one, which words are its own, and running it."""

from __future__ import annotations

import os
from collections.abc import Sequence

TYPE_CHECKING = False  # as in `tilewright`
if TYPE_CHECKING:
    from tilewright.cli.findings import Wanted


def is_script(word: str) -> bool:
    """Return whether a word of a command line names a Python program."""
    return word.endswith(".py") and not word.startswith("-")


MODULE = "-m"
"""Stands before the name of a module that is run as a program."""


def begins_program(word: str) -> bool:
    """Return whether a word of a command line begins a Python program, so that later words may be the
    program's arguments.
    """
    return word == MODULE or is_script(word)


def without_option(arguments: Sequence[str], option: str) -> tuple[list[str], list[str]]:
    """Return a command line without an option that may stand anywhere, and the values of the option."""
    rest: list[str] = []
    values: list[str] = []
    words = iter(arguments)
    for word in words:
        if word == "--" or begins_program(word):  # the words after a Python program belong to it
            rest += [word, *words]
        elif word.partition("=")[0] == option:
            values.append(word.partition("=")[2] if "=" in word else next(words, ""))
        else:
            rest.append(word)
    return rest, values


def split_at_script(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return a command line up to its first Python program, and the arguments of the program."""
    at = next((at for at, word in enumerate(words) if begins_program(word)), len(words))
    at += at < len(words) and words[at] == MODULE  # the name of the module
    return list(words[: at + 1]), list(words[at + 1 :])


def plain_program(words: Sequence[str]) -> tuple[str, list[str]] | None:
    """Return the program and its arguments of ``[run] PROGRAM ARGUMENTS``; None for any other command line."""
    rest = words[1:] if words and words[0] == "run" else words
    return (rest[0], list(rest[1:])) if rest and is_script(rest[0]) else None


def has_settings(program: str) -> bool:
    """Return whether a project has settings for a Python program.

    Raises `DiagnosticError` for an invalid settings file.
    """
    from tilewright.cli.project import find

    return find(os.path.dirname(os.path.abspath(program))) is not None


def run_program(
    file: str,
    arguments: Sequence[str],
    target: str = "",
    check: str = "",
    gpu: str = "",
    wanted: Wanted | None = None,
    *,
    ignore: str = "",
    is_module: bool = False,
) -> int:
    """Run a Python program that launches kernels, and report their findings in the form of ``wanted``.

    Return the exit status of the program. A status of 0 becomes 1 if launches had findings, even if the
    program caught the exceptions.
    """
    from tilewright.cli.collector import is_own_process, usual_collection
    from tilewright.cli.findings import TEXT, Wanted, reported
    from tilewright.cli.progress import shown_progress
    from tilewright.gpu_programs import ProgramSettings, run_script
    from tilewright.gpu_programs.script import exit_status
    from tilewright.ir.diagnostic import DiagnosticError

    usual_collection()
    settings, lasting = ProgramSettings.of(target, check, gpu, ignore), is_own_process()
    wanted = wanted or Wanted()
    plain = wanted.form == TEXT and not wanted.sarif
    shown = reported(file, settings, wanted, lasting=lasting)
    with shown_progress(of_program=True), shown as record:

        def was_told(error: BaseException) -> bool:
            if isinstance(error, DiagnosticError) and not record.has(error) and not plain:
                for diagnostic in error.diagnostics:  # the error that ends the program is part of the report
                    record.add(diagnostic)
            return record.has(error)

        status = exit_status(
            lambda: run_script(file, arguments, settings, was_told, is_module=is_module, lasting=lasting)
        )
    return status or int(bool(record.findings))
