"""`tilewright compile`: one or more stages of a module."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tilewright.cli import batch, completion, cpp_flags, program_options, progress
from tilewright.cli.commands.verify import parse_version
from tilewright.cli.errors import UsageError, refuse_terminal
from tilewright.cli.inputs import STDIN, files_of, read_input
from tilewright.cpp.options import CppOptions
from tilewright.driver.options import OPT_LEVEL, Option
from tilewright.driver.target import target_options

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from tilewright.driver.batch.compilation import CompileJob, JobResult
    from tilewright.driver.stages import CompileOptions
    from tilewright.targets.stage import Stage


def target_flags(decorated: Callable[..., None]) -> Callable[..., None]:
    """Add a flag for each option that any target has to a command."""
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
    help="tileir (the default), bytecode, tileaa, tileas; of the CPU plan, plan-json, llvm, asm or object; "
    "of GPUs layouts, cute, llvm, ptx, cubin or sass.",
    shell_complete=completion.some_of(completion.stages),
)
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    help="The file to write; for several stages its name without suffix; for several files a directory.",
)
@click.option("--save-temps", is_flag=True, help="Also write every earlier stage, beside the output or FILE.")
@program_options.target_option
@target_flags
@click.option("-O", OPT_LEVEL.flag, type=click.IntRange(0, 3), default=OPT_LEVEL.default, help=OPT_LEVEL.page)
@click.option("--verify-each", is_flag=True, help="Verify after each pass, not only after each stage.")
@click.option(
    "--pipeline",
    default="",
    help="Passes to run first, such as canonicalize,cse.",
    shell_complete=completion.pipeline,
)
@click.option(
    "--print-pipeline",
    is_flag=True,
    help="Print the passes that lead to the stage, as `opt --pass-pipeline` takes them, and no stage.",
)
@click.option(
    "--bytecode-version",
    metavar="M.N",
    help="Version of the bytecode (default: the oldest possible).",
    shell_complete=completion.one_of(completion.versions),
)
@click.option("-g", "--debug-info", is_flag=True, help="Show locations in text; line tables in code.")
@click.option("--timings", is_flag=True, help="Print the time of each stage to stderr.")
@click.option("--mlir-print-ir-after-all", is_flag=True, help="Print the IR after every pass to stderr.")
@click.option("--mlir-timing", is_flag=True, help="Print the time of each pass to stderr.")
@cpp_flags.cpp_options
@batch.batch_options
@click.option(
    "--results",
    type=click.Path(path_type=Path),
    help="Record finished files here, so that a run that was interrupted can be continued.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result of each file as JSON.")
def command(
    files: tuple[str, ...],
    emit: str,
    output: str | None,
    save_temps: bool,
    target: str,
    opt_level: int,
    verify_each: bool,
    pipeline: str,
    print_pipeline: bool,
    bytecode_version: str | None,
    debug_info: bool,
    timings: bool,
    mlir_print_ir_after_all: bool,
    mlir_timing: bool,
    jobs: int | None,
    executor: batch.Maker | None,
    results: Path | None,
    as_json: bool,
    cpp: CppOptions,
    **of_target: str | bool,
) -> None:
    """Compile FILES (bytecode, MLIR text of any stage, LLVM IR, PTX or CUDA C++; - is stdin) and write stages of them.

    Of several files, or of directories with *.mlir and *.tileirbc, each stage goes into a file named like its input, in
    the directory -o (at the same place below it), or beside the input.  A file with an error does not stop the others.

    Exit status: 0 all files are compiled, 1 a file has an error, 2 a file cannot be read or written or the command line
    is wrong.
    """
    from tilewright.driver.artifact import find_stage
    from tilewright.driver.batch.compilation import CompileJob
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
        instruments = _Instruments(mlir_print_ir_after_all, mlir_timing)
        first, *more = files
        if not more and not os.path.isdir(first):
            if results or as_json or executor:
                raise UsageError("--results, --json and --executor are for several files or directories")
            if print_pipeline:
                module = read_input(first, cpp)
                click.echo(_pipeline_to(module, first, stages, target, options))
                return
            _compile_one(
                read_input(first, cpp),
                first,
                output,
                stages,
                target,
                options,
                instruments,
                save_temps,
                timings,
            )
            return
        work = [
            CompileJob(
                file, place, [stage.name for stage in stages], target, options, keeps_all=save_temps, cpp=cpp
            )
            for file, place in _work(files, output, stages, executor)
        ]
        made = batch.executor_for(len(work), jobs, executor)
        if print_pipeline:
            raise UsageError("--print-pipeline is for one file", "name one file")
        if instruments.clients:
            raise UsageError("--mlir-print-ir-after-all and --mlir-timing are for one file")
        sys.exit(_compile_all(work, made, results, timings, as_json))
    except UsageError as error:
        click.echo(str(error), err=True)
        sys.exit(2)


def _compile_one(
    content: bytes,
    file: str,
    output: str | None,
    stages: list[Stage],
    target: str,
    options: CompileOptions,
    instruments: _Instruments,
    save_temps: bool,
    timings: bool,
) -> None:
    from tilewright.driver.batch.compilation import on_the_way
    from tilewright.driver.compile import compile
    from tilewright.driver.sources import read_any

    module = read_any(content, STDIN if file == "-" else file)
    artifact = compile(module, target=target, options=options, instrumentations=instruments.clients)
    for stage in stages:
        _write(artifact.asm[stage.name], _destination(output, stage.suffix, len(stages)))
    if save_temps:
        stem = _stem(output, file)
        for row in on_the_way(artifact, stages):
            _write(artifact.asm[row.name], stem + row.suffix)
    _tell([str(diagnostic) for diagnostic in artifact.diagnostics], artifact.timings if timings else {})
    instruments.report()


def _pipeline_to(content: bytes, file: str, stages: list[Stage], target: str, options: CompileOptions) -> str:
    """Compile a module up to ``stages``, and return the passes that ran, as a textual pipeline."""
    from tilewright.driver.compile import compile
    from tilewright.driver.sources import read_any

    artifact = compile(read_any(content, STDIN if file == "-" else file), target=target, options=options)
    for stage in stages:
        artifact.asm[stage.name]
    return artifact.pipeline


def _compile_all(
    work: list[CompileJob],
    executor: Callable[[], Executor],
    results: Path | None,
    timings: bool,
    as_json: bool,
) -> int:
    """Compile several files and print the messages of each to stderr, and after several files a summary; with
    ``as_json``, print the results to stdout instead. ``results`` is the file that records finished files, if
    any; ``timings`` also prints the time of each stage. Return the highest exit status of a file.
    """
    from tilewright.driver.batch.compilation import compile_files

    found: list[JobResult] = []
    with progress.shown_progress():
        for done in compile_files(work, executor, results):
            compiled = done.result()
            found.append(compiled)
            if not as_json:
                _tell(compiled.messages, compiled.seconds if timings else {})
    if as_json:
        click.echo(json.dumps({"schema": 1, "files": [asdict(one) for one in found]}, indent=2))
    elif len(found) > 1:
        click.echo(_summary(found), err=True)
    return max(one.status for one in found)


def _summary(found: list[JobResult]) -> str:
    """Return a line such as "compiled 2 of 3 files, but not a.mlir": the names of the files that were not
    compiled are listed.
    """
    failed = sorted(one.file for one in found if one.status)
    words = f"compiled {len(found) - len(failed)} of {len(found)} files"
    return f"{words}, but not {', '.join(failed)}" if failed else words


def _places(names: tuple[str, ...], output: str | None, stages: list[Stage]) -> list[tuple[str, str]]:
    """Return the input files, each with the path of its outputs without suffix. Creates the directories of
    the outputs. Raises `UsageError` for stdin or stdout, for two files with the same outputs, and for an
    output that would overwrite an input.
    """
    if "-" in names or output == "-":
        raise UsageError(
            "several files do not go through stdin or stdout", "name files, and a directory with -o"
        )
    places: dict[str, str] = {}
    for name in names:
        for file in files_of([name]):
            inner = os.path.relpath(file, name) if os.path.isdir(name) else os.path.basename(file)
            folder = os.path.join(output, os.path.dirname(inner)) if output else os.path.dirname(file)
            places[file] = os.path.join(folder, Path(inner).stem)
    twice, times = Counter(places.values()).most_common(1)[0]
    if times > 1:
        raise UsageError(f"two of the files would be written to '{twice}'", "compile them one by one")
    clash = next(
        (file for file, place in places.items() for s in stages if _is_same(file, place + s.suffix)), None
    )
    if clash is not None:
        raise UsageError(f"the input '{clash}' would be overwritten", "name another directory with -o")
    for folder in dict.fromkeys(os.path.dirname(place) for place in places.values()):
        _make_directory(folder or ".")
    return list(places.items())


def _work(
    names: tuple[str, ...], output: str | None, stages: list[Stage], executor: batch.Maker | None
) -> list[tuple[str, str]]:
    """Return the pairs of `_places`, with paths that the workers of the executor can open."""
    files, places = zip(*_places(names, output, stages), strict=True)
    return [*zip(batch.places_for(files, executor), batch.places_for(places, executor), strict=True)]


def _make_directory(folder: str) -> None:
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot make the directory '{folder}': {error.strerror}") from error


def _is_same(one: str, other: str) -> bool:
    return Path(one).resolve() == Path(other).resolve()


def _tell(messages: Iterable[str], seconds: Mapping[str, float]) -> None:
    for message in messages:
        click.echo(message, err=True)
    for name, taken in seconds.items():
        click.echo(f"{taken * 1e3:10.3f} ms  {name}", err=True)


class _Instruments:
    """Instrumentations of the passes: printing after each pass, and timing."""

    def __init__(self, print_after_all: bool, timing: bool) -> None:
        from tilewright.passes.ir_printing import IRPrinting, PrintingOptions
        from tilewright.passes.timing import Timing

        printing = [IRPrinting(PrintingOptions(after_all=True), sys.stderr.write)] if print_after_all else []
        self._timings = [Timing()] if timing else []
        self.clients = [*printing, *self._timings]

    def report(self) -> None:
        """Print the times of the passes to stderr, if they were measured."""
        for timing in self._timings:
            click.echo(timing.report(), err=True)


def _destination(output: str | None, suffix: str, stages: int) -> str | None:
    """Return the file for a stage; None is stdout, which takes only one stage.

    Of several ``stages`` each file is `output` with its suffix. Raises `UsageError` if `output` is missing
    then.
    """
    if stages == 1:
        return None if output == "-" else output
    if output is None or output == "-":
        raise UsageError("several stages need a place for their files", "name it with -o, without suffix")
    return output + suffix


def _stem(output: str | None, file: str) -> str:
    """Return the path, without suffix, of the files of ``--save-temps``: beside the output, or else the
    input.

    Raises `UsageError` if both are streams.
    """
    place = output if output not in (None, "-") else file
    if place == "-":
        raise UsageError("--save-temps needs a place for the files", "name it with -o")
    assert place is not None
    return str(Path(place).with_suffix(""))


def _write(written: str | bytes, destination: str | None) -> None:
    data = written.encode() if isinstance(written, str) else written
    if destination is None:
        if isinstance(written, bytes):
            refuse_terminal()
        click.echo(data, nl=False)
        return
    try:
        Path(destination).write_bytes(data)
    except OSError as error:
        raise UsageError(f"cannot write '{destination}': {error.strerror}") from error
