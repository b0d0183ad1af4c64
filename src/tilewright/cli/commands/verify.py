"""`tilewright verify`: whether files hold valid modules, and everything that is wrong with them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from tilewright.cli import batch, completion, cpp_flags, errors, inputs, progress
from tilewright.cpp.options import CppOptions
from tilewright.driver.options import TARGET

if TYPE_CHECKING:
    from tilewright.dialects.cuda_tile.version import Version
    from tilewright.driver.verification import VerificationReport


@dataclass(frozen=True, slots=True)
class Verified:
    """The result of verifying an input: whether it has an error (``is_wrong``), and the objects to show in
    the form that the user chose: lines of text, or JSON objects.
    """

    is_wrong: bool
    shown: list[Any]


@dataclass(frozen=True, slots=True)
class Verifier:
    """A verifier of inputs, which are given by name. ``form`` is the form of the shown objects: text, json,
    sarif or github. ``version`` is a bytecode version that the modules must fit; None: none. With ``split``,
    pieces of text between ``// -----`` lines are modules of their own. With ``allow_unregistered``,
    operations of unknown dialects are accepted. The data of the input ``-`` is ``stdin``, unless that is
    None. ``cpp`` has the options for compiling C++ files.
    """

    form: str
    version: Version | None
    split: bool
    allow_unregistered: bool
    stdin: bytes | None = None
    cpp: CppOptions | None = None

    def __call__(self, name: str) -> Verified:
        """Return the result of verifying the input ``name``; ``-`` is stdin. Errors of the C++ compiler are
        findings, too. Raises `UsageError` if the input cannot be read.
        """
        from tilewright.driver.verification import VerificationFinding, VerificationReport, check
        from tilewright.ir.diagnostic import DiagnosticError

        try:
            data = self.stdin if name == "-" and self.stdin is not None else inputs.read_input(name, self.cpp)
        except DiagnosticError as error:  # the C++ compiler's
            report = VerificationReport(
                name, is_bytecode=False, findings=[VerificationFinding(one) for one in error.diagnostics]
            )
        else:
            report = check(
                data,
                inputs.STDIN if name == "-" else name,
                version=self.version,
                split=self.split,
                allow_unregistered=self.allow_unregistered,
            )
        return Verified(bool(report.errors), list(self._shown(report)))

    def _shown(self, report: VerificationReport) -> Iterable[Any]:
        from tilewright.cli.diagnostic_formats import github_command, report_object, sarif_result
        from tilewright.ir.diagnostic import render

        if self.form == "json":
            return [report_object(report)]
        if self.form == "sarif":
            return (sarif_result(found, report.name) for found in report.findings)
        if self.form == "github":
            return (github_command(found, report) for found in report.findings)
        is_stdin = self.stdin is not None and report.name == inputs.STDIN
        lines = _stdin_lines(self.stdin) if is_stdin and self.stdin is not None else None
        return (render(found.diagnostic, lines) for found in report.findings)


@click.command(name="verify")
@click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True))
@click.option(
    "--output-format",
    type=click.Choice(("text", "json", "sarif", "github")),
    default="text",
    help="text (to stderr), json, sarif, or github (annotations in GitHub workflows).",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --output-format=json.")
@click.option(
    "--bytecode-version",
    metavar="M.N",
    help="Also check that this bytecode version can hold the module.",
    shell_complete=completion.one_of(completion.versions),
)
@click.option(
    "--split-input-file",
    is_flag=True,
    help="Check each piece between '// -----' lines as a module of its own.",
)
@click.option("--allow-unregistered-dialect", is_flag=True, help="Accept operations of unknown dialects.")
@click.option(
    "--prove",
    is_flag=True,
    help="Run FILE.py, and prove for all sizes that its kernels access memory inside of arrays and without races.",
)
@click.option(
    TARGET.flag,
    default=TARGET.default,
    help="Where --prove runs the program (default: cpu).",
    shell_complete=completion.one_of(completion.targets),
)
@cpp_flags.cpp_options
@batch.batch_options
def command(
    files: tuple[str, ...],
    output_format: str,
    as_json: bool,
    bytecode_version: str | None,
    split_input_file: bool,
    allow_unregistered_dialect: bool,
    prove: bool,
    target: str,
    cpp: CppOptions,
    jobs: int | None,
    executor: batch.Maker | None,
) -> None:
    """Verify FILES: Tile IR bytecode, MLIR text of any dialect, or CUDA C++ with tile kernels; - is stdin.

    For a directory, verify the files *.mlir and *.tileirbc below it.  With --prove, FILES are a Python program that launches
    kernels, and its arguments.

    Exit status: 0 all files are valid, 1 a file has an error, 2 a file cannot be read or the command line is wrong.
    """
    form = "json" if as_json else output_format
    if prove:
        from tilewright.cli.proofs import prove_program

        sys.exit(prove_program(files, form, target))
    try:
        version = parse_version(bytecode_version)
        names = batch.places_for(inputs.files_of(files), executor)
        stdin = inputs.read_input("-") if "-" in names else None
        verifier = Verifier(form, version, split_input_file, allow_unregistered_dialect, stdin, cpp)
        with progress.shown_progress():
            verified = _verified(verifier, names, batch.executor_for(len(names), jobs, executor))
    except errors.UsageError as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    _show([shown for one in verified for shown in one.shown], form)
    sys.exit(int(any(one.is_wrong for one in verified)))


def _verified(verifier: Verifier, names: list[str], executor: batch.Maker) -> list[Verified]:
    from tilewright.runtime.distribution import distribute

    return [done.result() for done in distribute(verifier, names, executor, what="files verified")]


def parse_version(text: str | None) -> Version | None:
    """Return the bytecode version of an option's text; None without a text. Raises `UsageError` for an
    unknown version.
    """
    from tilewright.dialects.cuda_tile.version import Version

    if text is None:
        return None
    try:
        return Version.parse(text)
    except ValueError as error:
        raise errors.UsageError(str(error)) from error


def _show(shown: list[Any], form: str) -> None:
    from tilewright.cli.diagnostic_formats import reports_object, sarif_log

    if form in ("json", "sarif"):
        click.echo(json.dumps(reports_object(shown) if form == "json" else sarif_log(shown), indent=2))
        return
    for line in shown:
        click.echo(line, err=form == "text")


def _stdin_lines(data: bytes) -> Callable[[str, int], str | None]:
    """Return a function that maps the name of stdin and the number of a line, from 1, to the text of the
    line, for source frames; it returns None for other files and lines.
    """
    lines = data.decode(errors="replace").split("\n")

    def read(file: str, number: int) -> str | None:
        return lines[number - 1] if file == inputs.STDIN and 0 < number <= len(lines) else None

    return read
