"""`tilewright sim`: run a kernel of a PTX file in the strict simulator."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tilewright.cli import completion, errors, progress
from tilewright.cli.commands.run import npy, parse_argument, parse_grid, save
from tilewright.ptxsim.codes import PERMITS

if TYPE_CHECKING:
    from tilewright.ptx.model import Module
    from tilewright.ptxsim.running import SimulationReport


def _extents(context: click.Context, option: click.Parameter, text: str) -> tuple[int, ...] | None:
    return parse_grid(context, option, text) if text else None


@click.command(name="sim")
@click.argument("file", required=False, shell_complete=completion.files)
@click.option("--entry", help="The kernel to run. Needed only if the module has several.")
@click.option("--grid", default="1", callback=parse_grid, help="Blocks in x,y,z, such as 4 or 4,2,1.")
@click.option(
    "--block",
    default="",
    callback=_extents,
    help="Threads of a block in x,y,z (default: the kernel's own, or 32).",
)
@click.option(
    "--cluster",
    default="",
    callback=_extents,
    help="Blocks of a cluster in x,y,z (default: the kernel's own, or 1).",
)
@click.option("--shared", default=0, type=click.IntRange(0), help="Bytes of dynamic shared memory.")
@click.option(
    "--arg",
    "args",
    multiple=True,
    help="A number, FILE.npy[:OUT.npy] or zeros(SHAPE, TYPE)[:OUT.npy].",
    shell_complete=completion.files,
)
@click.option(
    "--seed",
    default=0,
    type=int,
    help="Seed of approximate results and of the time when copies arrive; 0: the best results, the latest time.",
)
@click.option(
    "--schedule",
    default=0,
    type=int,
    help="Seed of the order of warps and blocks; 0: the order of their numbers.",
)
@click.option("--trace", type=click.Path(dir_okay=False), help="Write a trace of the warps for Perfetto.")
@click.option(
    "--check",
    "checks",
    type=click.Choice(("all", "none")),
    default="all",
    help="none: do not check undefined values.",
)
@click.option("--checks", "old_checks", type=click.Choice(("all", "none")), hidden=True)
@click.option(
    "--same-values",
    is_flag=True,
    help="Also report threads that store equal values to one address with one instruction.",
)
@click.option(
    "--permit",
    "permits",
    multiple=True,
    type=click.Choice(tuple(PERMITS)),
    help="Let a finding pass that others' compilers rely on; the rest of the kernel is checked.",
)
@click.option(
    "--max-instructions",
    default=None,
    type=click.IntRange(1),
    help="The maximum number of instructions of blocks; the simulator refuses to run more.",
)
@click.option(
    "--report", type=click.Choice(("text", "json")), default="text", help="How to print the counts."
)
@click.option("--json", "as_json", is_flag=True, help="The same as --report=json.")
@click.option(
    "--instructions",
    is_flag=True,
    help="List the instructions that the simulator can run, and those it cannot.",
)
def command(
    file: str | None,
    entry: str | None,
    grid: tuple[int, ...],
    block: tuple[int, ...] | None,
    cluster: tuple[int, ...] | None,
    shared: int,
    args: tuple[str, ...],
    seed: int,
    schedule: int,
    trace: str | None,
    checks: str,
    same_values: bool,
    permits: tuple[str, ...],
    max_instructions: int | None,
    old_checks: str | None,
    report: str,
    as_json: bool,
    instructions: bool,
) -> None:
    """Run a kernel of the PTX file FILE, with one --arg per parameter, in order.

    The first violation ends the run: a result that depends on an undefined value, an access outside of memory, a
    misaligned access, or threads that wait for ever.  Without a violation, the counts of the run are printed.
    """
    from tilewright.driver.dependencies import require

    require("interp")
    if old_checks is not None:
        click.echo("note: --checks is called --check now, as in other commands", err=True)
        checks = old_checks
    if instructions:
        _list()
        return
    if file is None:
        raise errors.UsageError("there is no file to run", "give a .ptx file, or --instructions")
    from tilewright.ptx.checks import read
    from tilewright.ptxsim import launch
    from tilewright.ptxsim.running import MAXIMUM_STEPS, TIMES

    limit = MAXIMUM_STEPS if max_instructions is None else max_instructions
    module = read(Path(file))
    kernels = [name for name, one in module.functions().items() if one.entry]
    if entry is None and len(kernels) != 1:
        raise errors.UsageError(
            "the file has not just one kernel", f"--entry names one of: {', '.join(kernels) or 'none'}"
        )
    name = entry or kernels[0]
    arguments = [parse_argument(text) for text in args]
    for argument in arguments:
        if argument.destination is not None:
            errors.check_output(npy(argument.destination))
    values = [value for argument in arguments for value in argument.values]
    path = None if trace is None else Path(trace)
    if path is not None:
        errors.check_output(path)
    with progress.shown_progress():
        found = launch(
            module,
            name,
            grid,
            block or _wanted(module, name, "reqntid", 32),
            values,
            shared=shared,
            cluster=cluster or _wanted(module, name, "reqnctapercluster", 1),
            checks=checks,
            seed=seed,
            schedule=schedule,
            limit=limit,
            allows=f"--max-instructions {limit * TIMES}",
            same_values=same_values,
            permits=permits,
            trace=path,
        )
    save(arguments)
    if as_json or report == "json":
        click.echo(json.dumps({"schema": 1, **counts_of(found)}, indent=2))
    else:
        _print_counts(found)


def _print_counts(found: SimulationReport) -> None:
    """Print the counts of a run to stderr, and the instructions of each unit."""
    counts = {name: value for name, value in counts_of(found).items() if isinstance(value, int)}
    for row in (counts, found.units):
        click.echo(", ".join(f"{value:,} {name.replace('_', ' ')}" for name, value in row.items()), err=True)


def _wanted(module: Module, entry: str, directive: str, otherwise: int) -> tuple[int, ...]:
    """Return the three extents that `directive` of a kernel requires, such as ``.reqntid``; `otherwise` and
    1s without it.
    """
    kernel = module.functions().get(entry)
    found = kernel.directive(directive) if kernel is not None else None
    return (*(found or (otherwise,)), 1, 1)[:3]


def counts_of(found: SimulationReport) -> dict[str, Any]:
    """Return the counts of a launch as a JSON object: the fields of `found`, where the rows of ``lines`` and
    ``work`` have a file and a line number instead of a position; an unknown position is ``""`` and 0.
    """
    lines: list[dict[str, Any]] = []
    for one in found.lines:
        file, line, _ = one.place.source or ("", 0, 0)
        costs = {"space": one.space, "requests": one.requests, "cost": one.cost, "least": one.least}
        lines.append({"file": file, "line": line, **costs})
    work: list[dict[str, Any]] = []
    for one in found.work:
        file, line, _ = one.place.source or ("", 0, 0)
        did = {"thread_instructions": one.thread_instructions, "waits": one.waits, "waited": one.waited}
        work.append({"file": file, "line": line, **did})
    return {**asdict(replace(found, lines=(), work=())), "lines": lines, "work": work}


def _list() -> None:
    from tilewright.ptxsim.instructions.registry import simulated

    done, missing = simulated()
    click.echo(f"simulated: {' '.join(done)}\n\nnot simulated: {' '.join(missing)}")
