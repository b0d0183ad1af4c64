"""Python programs on a command line: which word names one, which words are its own, and running it."""

from __future__ import annotations

import os
from collections.abc import Sequence

TYPE_CHECKING = False  # as in `tilewright`
if TYPE_CHECKING:
    from tilewright.cli.findings import Wanted


def is_script(word: str) -> bool:
    """Return whether a word of a command line names a Python program: it ends with ``.py`` and is no option.
    The file need not exist.
    """
    return word.endswith(".py") and not word.startswith("-")


_ELF = b"\x7fELF"


def is_executable(word: str) -> bool:
    """Return whether a word of a command line names an executable ELF file with its directory, such as
    ``./main``.
    """
    if os.sep not in word or not os.path.isfile(word) or not os.access(word, os.X_OK):
        return False
    with open(word, "rb") as file:
        return file.read(len(_ELF)) == _ELF


MODULE = "-m"
"""The option before the name of a module that is run as a program."""


def begins_program(word: str) -> bool:
    """Return whether a word of a command line begins a program: ``-m``, a script or an executable. Later
    words may be the program's arguments.
    """
    return word == MODULE or is_script(word) or is_executable(word)


def without_option(arguments: Sequence[str], option: str) -> tuple[list[str], list[str]]:
    """Return a command line without an option that may stand anywhere, and the values of the option. A value
    that is missing is an empty text. Words after ``--`` or after a program are left alone.
    """
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
    """Return a command line up to its first program, which is included, and the words after it: the arguments
    of the program. A program is a Python file, ``-m`` with the name of a module, or an executable. Without a
    program, the first list has all words.
    """
    at = next((at for at, word in enumerate(words) if begins_program(word)), len(words))
    at += at < len(words) and words[at] == MODULE  # the name of the module
    return list(words[: at + 1]), list(words[at + 1 :])


def plain_program(words: Sequence[str]) -> tuple[str, list[str]] | None:
    """Return the program and its arguments of ``[run] PROGRAM ARGUMENTS``, where the program is a Python
    file; None for any other command line.
    """
    rest = words[1:] if words and words[0] == "run" else words
    return (rest[0], list(rest[1:])) if rest and is_script(rest[0]) else None


def has_settings(program: str) -> bool:
    """Return whether there are settings for a Python program: a ``pyproject.toml`` with the table of
    tilewright in its folder or above, or the file that the environment names (`project.find`). Raises
    `DiagnosticError` for an invalid settings file.
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
    """Run a Python program that launches kernels, a file or with ``is_module`` a module, and report their
    findings in the form of ``wanted`` (None: as text). The texts ``target``, ``check``, ``gpu`` and
    ``ignore`` are read by `ProgramSettings.of`, which takes an empty text for the default. Return the exit
    status of the program. A status of 0 becomes 1 if launches had findings, even if the program caught the
    exceptions.
    """
    from tilewright.cli.collector import is_own_process, usual_collection
    from tilewright.cli.findings import TEXT, Wanted, reported
    from tilewright.cli.kept_runs import ProgramCommand
    from tilewright.cli.progress import shown_progress
    from tilewright.gpu_programs import ProgramSettings, run_script
    from tilewright.gpu_programs.script import exit_status
    from tilewright.ir.diagnostic import DiagnosticError

    usual_collection()
    settings, lasting = ProgramSettings.of(target, check, gpu, ignore), is_own_process()
    wanted = wanted or Wanted()
    plain = wanted.form == TEXT and not wanted.sarif
    shown = reported(ProgramCommand(file, arguments, is_module), settings, wanted, lasting=lasting)
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


def run_executable(
    file: str,
    arguments: Sequence[str],
    target: str = "",
    check: str = "",
    gpu: str = "",
    wanted: Wanted | None = None,
    *,
    ignore: str = "",
) -> int:
    """Run an executable that `tilewright nvcc` or nvcc has made, with the stand-in for the CUDA runtime, and
    report the findings of its launches in the form of ``wanted`` (None: as text). Return the exit status of
    the program, or 128 plus the number of a signal that ended it. A status of 0 becomes 1 if a finding is an
    error.
    """
    import subprocess

    from tilewright.cli.findings import Wanted, reported
    from tilewright.cli.kept_runs import ProgramCommand
    from tilewright.cuda_programs.standin import LIBRARY, standin
    from tilewright.gpu_programs import ProgramSettings
    from tilewright.ir.diagnostic import Severity

    settings = ProgramSettings.of(target, check, gpu, ignore)
    library = str(standin() / LIBRARY)  # preloaded: it precedes a library that the program was built with
    with reported(ProgramCommand(file, arguments), settings, wanted or Wanted()) as record:
        environment = {**os.environ, **settings.environment(), "LD_PRELOAD": library}
        status = subprocess.run([file, *arguments], env=environment, check=False).returncode
    errors = [one for one in record.findings if one.severity is Severity.ERROR]
    return (128 - status if status < 0 else status) or int(bool(errors))
