"""`tilewright compile`: one or more stages of a module."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from tilewright.cli.errors import UsageError
from tilewright.cli.verify import STDIN, parse_version, read_input


@click.command(name="compile")
@click.argument("file", type=click.Path(allow_dash=True))
@click.option(
    "--emit", default="tileir", metavar="STAGE[,STAGE]", help="tileir (text, the default) or bytecode."
)
@click.option("-o", "--output", type=click.Path(), help="Where to write; of several stages, without suffix.")
@click.option("--target", default="cpu", help="cpu or interp.")
@click.option("--pipeline", default="", help="Passes to run first, such as canonicalize,cse.")
@click.option(
    "--bytecode-version", metavar="M.N", help="Version of the bytecode (default: the oldest possible)."
)
@click.option("-g", "--debug-info", is_flag=True, help="Show locations in text.")
@click.option("--timings", is_flag=True, help="Say on stderr what took how long.")
def command(
    file: str,
    emit: str,
    output: str | None,
    target: str,
    pipeline: str,
    bytecode_version: str | None,
    debug_info: bool,
    timings: bool,
) -> None:
    """Compile FILE (bytecode or MLIR text; - is stdin) and write stages of it."""
    from tilewright.driver.artifact import find_stage
    from tilewright.driver.compile import compile
    from tilewright.driver.launch import read
    from tilewright.driver.stages import CompileOptions

    stages = [find_stage(name) for name in dict.fromkeys(filter(None, emit.split(",")))]
    try:
        if not stages:
            raise UsageError("--emit names no stage", "leave it out for text")
        version = parse_version(bytecode_version)
        module = read(read_input(file), STDIN if file == "-" else file)
        options = CompileOptions(pipeline, version, debug_info)
        artifact = compile(module, target=target, options=options)
        for stage in stages:
            _write(artifact.asm[stage.name], _destination(output, stage.suffix, len(stages)))
    except UsageError as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    for diagnostic in artifact.diagnostics:
        click.echo(str(diagnostic), err=True)
    for name, seconds in artifact.timings.items() if timings else ():
        click.echo(f"{seconds * 1e3:10.3f} ms  {name}", err=True)


def _destination(output: str | None, suffix: str, stages: int) -> str | None:
    """The file of a stage; None is stdout, which takes only one."""
    if stages == 1:
        return None if output == "-" else output
    if output is None or output == "-":
        raise UsageError("several stages need a place for their files", "name it with -o, without suffix")
    return output + suffix


def _write(written: str | bytes, destination: str | None) -> None:
    data = written.encode() if isinstance(written, str) else written
    if destination is None:
        click.echo(data, nl=False)
        return
    try:
        Path(destination).write_bytes(data)
    except OSError as error:
        raise UsageError(f"cannot write '{destination}': {error.strerror}") from error
