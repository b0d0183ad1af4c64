"""`tilewright compile`: one or more stages of a module."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tilewright.cli import completion
from tilewright.cli.commands.verify import parse_version
from tilewright.cli.errors import UsageError
from tilewright.cli.inputs import STDIN, read_input
from tilewright.driver.options import OPT_LEVEL, TARGET, Option
from tilewright.driver.target import target_options

if TYPE_CHECKING:
    from tilewright.driver.artifact import Artifact
    from tilewright.driver.stages import CompileOptions
    from tilewright.targets.stage import Stage


def target_flags(decorated: Callable[..., None]) -> Callable[..., None]:
    """A flag for each option of a target."""
    for option in reversed(target_options().values()):
        known = Option(option.name.replace("_", "-"), option.default, option.help)
        complete = completion.one_of(option.choices) if option.choices is not None else None
        is_flag = isinstance(option.default, bool)
        add = click.option(
            known.flag,
            option.name,
            default=option.default,
            is_flag=is_flag,
            help=known.page,
            shell_complete=complete,
        )
        decorated = add(decorated)
    return decorated


@click.command(name="compile")
@click.argument("files", nargs=-1, required=True, type=click.Path(allow_dash=True))
@click.option(
    "--emit",
    default="tileir",
    metavar="STAGE[,STAGE]",
    help="tileir (the default), bytecode, tileaa, tileas; of the CPU plan, plan-json, llvm, asm or object.",
    shell_complete=completion.some_of(completion.stages),
)
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    help="Where to write; of several stages, without suffix; of several files, a directory.",
)
@click.option("--save-temps", is_flag=True, help="Write every stage on the way, beside the output or FILE.")
@click.option(
    TARGET.flag,
    default=TARGET.default,
    help=TARGET.page,
    shell_complete=completion.one_of(completion.targets),
)
@target_flags
@click.option("-O", OPT_LEVEL.flag, type=click.IntRange(0, 3), default=OPT_LEVEL.default, help=OPT_LEVEL.page)
@click.option("--verify-each", is_flag=True, help="Verify after each pass, not only after each stage.")
@click.option(
    "--pipeline",
    default="",
    help="Passes to run first, such as canonicalize,cse.",
    shell_complete=completion.some_of(completion.passes),
)
@click.option(
    "--bytecode-version",
    metavar="M.N",
    help="Version of the bytecode (default: the oldest possible).",
    shell_complete=completion.one_of(completion.versions),
)
@click.option("-g", "--debug-info", is_flag=True, help="Show locations in text; line tables in code.")
@click.option("--timings", is_flag=True, help="Say on stderr what took how long.")
@click.option("--mlir-print-ir-after-all", is_flag=True, help="Print the IR after every pass to stderr.")
@click.option("--mlir-timing", is_flag=True, help="Report on stderr how long passes took.")
def command(
    files: tuple[str, ...],
    emit: str,
    output: str | None,
    save_temps: bool,
    target: str,
    opt_level: int,
    verify_each: bool,
    pipeline: str,
    bytecode_version: str | None,
    debug_info: bool,
    timings: bool,
    mlir_print_ir_after_all: bool,
    mlir_timing: bool,
    **of_target: str | bool,
) -> None:
    """Compile FILES (bytecode, MLIR text of any stage, or LLVM IR; - is stdin) and write stages of them.

    Of several files each stage goes into a file named like its input, in the directory -o, or beside the input.
    """
    from tilewright.driver.artifact import find_stage
    from tilewright.driver.stages import CompileOptions
    from tilewright.driver.target import target as find_target

    chosen = find_target(target)
    stages = [find_stage(name, chosen) for name in dict.fromkeys(filter(None, emit.split(",")))]
    try:
        if not stages:
            raise UsageError("--emit names no stage", "leave it out for text")
        version = parse_version(bytecode_version)
        options = CompileOptions(
            pipeline, version, debug_info, opt_level, verify_each=verify_each, of_target=of_target
        )
        places = _places(files, output, stages)
        instruments = _Instruments(mlir_print_ir_after_all, mlir_timing)
        for file, place in zip(files, places, strict=True):
            artifact = _compiled(file, target, options, instruments)
            _write_stages(artifact, stages, place, len(files) > 1)
            if save_temps:
                _save_all(artifact, stages, _stem(place, file))
            _tell(artifact, timings)
    except UsageError as error:
        click.echo(str(error), err=True)
        sys.exit(2)
    instruments.report()


def _compiled(file: str, target: str, options: CompileOptions, instruments: _Instruments) -> Artifact:
    from tilewright.driver.compile import compile
    from tilewright.driver.sources import read_any

    module = read_any(read_input(file), STDIN if file == "-" else file)
    return compile(module, target=target, options=options, instrumentations=instruments.clients)


def _places(files: tuple[str, ...], output: str | None, stages: list[Stage]) -> list[str | None]:
    """For each file what ``-o`` would be if it were alone; of several files, names without suffix."""
    if len(files) == 1:
        return [output]
    if "-" in files or output == "-":
        raise UsageError(
            "several files do not go through stdin or stdout", "name files, and a directory with -o"
        )
    places = [str((Path(output) if output else Path(file).parent) / Path(file).stem) for file in files]
    twice = next((place for place in places if places.count(place) > 1), None)
    if twice is not None:
        raise UsageError(f"two of the files would be written to '{twice}'", "compile them one by one")
    clash = next(
        (
            file
            for file, place in zip(files, places, strict=True)
            for s in stages
            if _is_same(file, place + s.suffix)
        ),
        None,
    )
    if clash is not None:
        raise UsageError(f"the input '{clash}' would be overwritten", "name another directory with -o")
    if output:
        try:
            Path(output).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"cannot make the directory '{output}': {error.strerror}") from error
    return [*places]


def _is_same(one: str, other: str) -> bool:
    return Path(one).resolve() == Path(other).resolve()


def _write_stages(artifact: Artifact, stages: list[Stage], place: str | None, named: bool) -> None:
    for stage in stages:
        destination = f"{place}{stage.suffix}" if named else _destination(place, stage.suffix, len(stages))
        _write(artifact.asm[stage.name], destination)


def _tell(artifact: Artifact, timings: bool) -> None:
    for diagnostic in artifact.diagnostics:
        click.echo(str(diagnostic), err=True)
    for name, seconds in artifact.timings.items() if timings else ():
        click.echo(f"{seconds * 1e3:10.3f} ms  {name}", err=True)


class _Instruments:
    """What looks at passes as they run."""

    def __init__(self, print_after_all: bool, timing: bool) -> None:
        from tilewright.passes.ir_printing import IRPrinting, PrintingOptions
        from tilewright.passes.timing import Timing

        printing = [IRPrinting(PrintingOptions(after_all=True), sys.stderr.write)] if print_after_all else []
        self._timings = [Timing()] if timing else []
        self.clients = [*printing, *self._timings]

    def report(self) -> None:
        """Print what was measured."""
        for timing in self._timings:
            click.echo(timing.report(), err=True)


def _destination(output: str | None, suffix: str, stages: int) -> str | None:
    """The file of a stage; None is stdout, which takes only one."""
    if stages == 1:
        return None if output == "-" else output
    if output is None or output == "-":
        raise UsageError("several stages need a place for their files", "name it with -o, without suffix")
    return output + suffix


def _stem(output: str | None, file: str) -> str:
    """Where the files of --save-temps go, without suffix."""
    place = output if output not in (None, "-") else file
    if place == "-":
        raise UsageError("--save-temps needs a place for the files", "name it with -o")
    assert place is not None
    return str(Path(place).with_suffix(""))


def _save_all(artifact: Artifact, stages: list[Stage], stem: str) -> None:
    """Write the stages from the input to those asked for; existing input files are not overwritten."""
    wanted = {artifact.input}
    for stage in stages:
        current: Stage | None = stage
        while current is not None and current.name not in wanted:
            wanted.add(current.name)
            current = artifact.rows[current.source] if current.source is not None else None
    for name in wanted - {artifact.input}:
        _write(artifact.asm[name], stem + artifact.rows[name].suffix)


def _write(written: str | bytes, destination: str | None) -> None:
    data = written.encode() if isinstance(written, str) else written
    if destination is None:
        click.echo(data, nl=False)
        return
    try:
        Path(destination).write_bytes(data)
    except OSError as error:
        raise UsageError(f"cannot write '{destination}': {error.strerror}") from error
