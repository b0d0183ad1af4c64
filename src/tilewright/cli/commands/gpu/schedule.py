"""`tilewright schedule`: how the iterations of a kernel's loops could overlap on a GPU, and what binds them."""

from __future__ import annotations

import json

import click

from tilewright.cli import completion, errors
from tilewright.cli.inputs import STDIN, read_input


@click.command(name="schedule")
@click.argument("file", shell_complete=completion.files)
@click.option(
    "--target",
    default="sm_80",
    show_default=True,
    help="The GPU that the kernels are compiled for.",
    shell_complete=completion.one_of(completion.targets),
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(file: str, target: str, as_json: bool) -> None:
    """Show a schedule of each innermost loop of the kernels in FILE (*.mlir, *.tileirbc; - is stdin).

    The schedule says in which clock and pipeline stage each operation would start if iterations overlapped, how many
    clocks lie between two iterations, and which unit of the multiprocessor or which dependence limits it.  It is a model: the
    rates of the chip and the latencies of its units, for one block on a multiprocessor.  The code of the kernel is not
    changed by it.

    A lane shows one interval: a digit is the stage of the operation that has the unit.
    """
    from tilewright.driver.compile import compile
    from tilewright.driver.sources import read_any
    from tilewright.lowering.schedule.analysis import ScheduleAnalysis
    from tilewright.lowering.schedule.drawing import record, schedule_text

    artifact = compile(read_any(read_input(file), STDIN if file == "-" else file), target=target)
    found = ScheduleAnalysis(artifact.module("layouts")).loops
    if as_json:
        click.echo(json.dumps({"schema": 1, "loops": [record(one) for one in found]}))
    elif found:
        click.echo("\n\n".join(map(schedule_text, found)))
    else:
        raise errors.UsageError(
            "the kernels have no counted loop", "straight-line code has no iterations to overlap"
        )
