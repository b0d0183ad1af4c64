"""`tilewright compare`: the results of a program's kernels beside exact values."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from tilewright.cli import completion, program_options
from tilewright.cli.errors import UsageError
from tilewright.cli.findings import JSON, TEXT
from tilewright.cli.program import MODULE, is_script, split_at_script

if TYPE_CHECKING:
    from tilewright.cli import verdict_shapes as shapes
    from tilewright.driver.comparison.arrays import ComparedArray
    from tilewright.driver.comparison.subject import LaunchComparison
    from tilewright.ir.diagnostic import Diagnostic
    from tilewright.runtime.findings.record import FindingRecord


class _Program(click.Command):
    """A command that parses only the words up to the program (FILE or -m MODULE); the words after it are the
    arguments of the program, in ``ctx.meta["script arguments"]``.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        args, ctx.meta["script arguments"] = split_at_script(args)
        return super().parse_args(ctx, args)


@click.command(name="compare", cls=_Program)
@click.argument("file", type=click.Path(), default="", shell_complete=completion.files)
@click.option(
    MODULE, "module", default="", metavar="MODULE", help="Compare a module that is run as a program."
)
@program_options.target_option
@click.option(
    "--also",
    multiple=True,
    metavar="TARGET",
    help="A further target to compare, such as sim:sm_90a. It may be repeated.",
    shell_complete=completion.one_of(completion.targets),
)
@click.option("--every", is_flag=True, help="Compare every launch, not only the first one of its kind.")
@program_options.gpu_option
@click.option(
    "--ignore",
    default="",
    metavar="CODE[,CODE]",
    help="Do not report findings with these codes, such as TW0414. A comment in a kernel does this for one line.",
)
@program_options.output_format_option
@click.option(
    "--json", "as_json", is_flag=True, help="The same as --output-format=json: findings and figures."
)
@click.pass_context
def command(
    ctx: click.Context,
    file: str,
    module: str,
    target: str,
    also: tuple[str, ...],
    every: bool,
    gpu: str,
    ignore: str,
    output_format: str,
    as_json: bool,
) -> None:
    """Run a Python program, and compare the results of its kernels with exact values.

    Each kernel runs on the target, in the interpreter with the exact value and an error bound beside each float, with
    its tile blocks in another order, and on the targets of --also.  For each array of floats the largest and the median
    error are printed, in units in the last place.  A finding names the first operation that loses more digits than its
    formula has to, results that depend on the order of tile blocks, and targets that are less exact than they promise.
    Factors of matrix products in narrow formats are the choice of a kernel, and warnings.

    Exit status: the program's own, 1 after an exception or a finding, 2 for wrong options.
    """
    if bool(file) is bool(module):
        raise UsageError("Missing argument 'FILE'." if not file else "-m MODULE and FILE exclude each other")
    if file and not is_script(file):
        raise UsageError(f"'{file}' is no Python program", "name a FILE.py that launches kernels")
    form = JSON if as_json else output_format
    words: Sequence[str] = ctx.meta["script arguments"]
    ctx.exit(
        _run(module or file, words, (target, gpu, ignore), also, form, every=every, is_module=bool(module))
    )


def _run(
    file: str,
    words: Sequence[str],
    settings: tuple[str, str, str],
    also: Sequence[str],
    form: str,
    *,
    every: bool,
    is_module: bool,
) -> int:
    """Run the program `file`, or the module `file` if `is_module`, with the arguments `words`, and compare
    its launches on several targets. `settings` are the target, the GPU and the ignored codes; `also` names
    further targets. With `every`, all launches are compared, otherwise the first launch of each kernel with
    arrays of the same shapes. Report the comparisons in `form`. Return the exit status of the program; if the
    status is 0 and there are findings, return 1.
    """
    from tilewright.cli.progress import shown_progress
    from tilewright.driver.comparison.comparer import Comparer
    from tilewright.gpu_programs import ProgramSettings, routed
    from tilewright.gpu_programs.script import exit_status, run_in_place
    from tilewright.runtime.findings.record import recording

    target, gpu, ignore = settings
    compared: list[LaunchComparison] = []

    def told(found: LaunchComparison) -> None:
        compared.append(found)
        if form == TEXT:
            click.echo(str(found))
            for one in found.warnings:
                _tell(one)

    comparer = Comparer(also, told, every=every)
    program = ProgramSettings.of(target, "", gpu, ignore)
    found = recording(_tell if form == TEXT else None, goes_on=True)
    with shown_progress(of_program=True), routed(program) as routing, found as record:
        routing.launches.engine = comparer.launch
        status = exit_status(lambda: run_in_place(file, words, program, record.has, is_module=is_module))
        record.gather()
    _report(file, form, record, compared)
    return status or int(bool(record.findings))


def _tell(found: Diagnostic) -> None:
    click.echo(str(found), err=True)


def _report(file: str, form: str, record: FindingRecord, compared: Sequence[LaunchComparison]) -> None:
    """Print the findings and comparisons of the program `file` to stdout, as JSON or in another form for
    programs. In form text, where they were printed before, only warn on stderr if no kernel was launched.
    """
    if form == TEXT:
        if not compared:
            click.echo("warning: no kernel was launched, so nothing was compared", err=True)
    elif form == JSON:
        click.echo(json.dumps(_object(record, compared), indent=2))
    else:
        from tilewright.cli.diagnostic_formats import shown_as

        for line in shown_as(form, file, _findings(record, compared)):
            click.echo(line)


def _findings(record: FindingRecord, compared: Sequence[LaunchComparison]) -> list[Diagnostic]:
    """Return the findings of a program, and then the warnings of its comparisons."""
    return [*record.findings, *(warning for one in compared for warning in one.warnings)]


def _object(record: FindingRecord, compared: Sequence[LaunchComparison]) -> shapes.ComparisonReport:
    from tilewright.cli.diagnostic_formats import SCHEMA_VERSION, diagnostic_object
    from tilewright.driver.verification import VerificationFinding

    return {
        "schema": SCHEMA_VERSION,
        "findings": [diagnostic_object(VerificationFinding(one)) for one in _findings(record, compared)],
        "launches": [_launch(one) for one in compared],
    }


def _launch(found: LaunchComparison) -> shapes.ComparedLaunchReport:
    """Return a comparison as a JSON object; a number that is not finite is null."""
    return {
        "kernel": found.kernel,
        "grid": list(found.grid),
        "skipped": found.skipped or None,
        "arrays": [_array(one) for one in found.arrays],
        "orders": [
            {"order": order, "array": name, "element": list(element)}
            for order, (name, element) in found.orders.items()
        ],
    }


def _array(array: ComparedArray) -> shapes.ComparedArrayReport:
    return {
        "name": array.name,
        "element": array.format.name,
        "shape": [int(extent) for extent in array.written.shape],
        "written": int(array.written.sum()),
        "targets": {
            target: {
                "units": _finite(figures.units),
                "relative": _finite(figures.relative),
                "element": list(figures.element),
                "median": _finite(figures.median),
                "beyond": figures.beyond,
            }
            for target, figures in array.targets.items()
        },
    }


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None
