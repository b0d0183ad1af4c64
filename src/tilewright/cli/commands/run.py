"""`tilewright run`: run a kernel from a file on arrays from .npy files, or a Python program for GPUs."""

from __future__ import annotations

import os
import re
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

import click
from click.core import ParameterSource

from tilewright.cli import completion, cpp_flags, program_options, progress
from tilewright.cli.errors import UsageError, check_output
from tilewright.cli.findings import JSON, TEXT, Wanted, kept, show
from tilewright.cli.program import is_executable, is_script, run_executable, run_program, split_at_script
from tilewright.cpp.options import CppOptions, is_cpp
from tilewright.driver.options import TARGET, check_names
from tilewright.ir.support.option_spelling import VARIABLE as TRACEBACK

_ZEROS = re.compile(r"(zeros|ones)\(([\d,\s]*),\s*(\w+)\)")


@dataclass(slots=True)
class CommandArgument:
    """One ``--arg`` or ``--array``: the values for the kernel, and the array in them; None if the value is a
    number. ``destination`` is the file that the array is written to after the run; None: no file.
    """

    values: list[Any]
    array: Any = None
    destination: Path | None = None


def _split_destination(text: str) -> tuple[str, Path | None]:
    source, colon, destination = text.rpartition(":")
    return (source, Path(destination)) if colon else (text, None)


def _load_array(source: str) -> Any:
    import numpy as np

    made = _ZEROS.fullmatch(source.strip())
    if made:
        return _make_array(source, np.zeros if made[1] == "zeros" else np.ones, made[2], made[3])
    if not source.endswith(".npy"):
        raise click.BadParameter(f"'{source}' is neither a .npy file nor zeros(SHAPE, TYPE)")
    try:
        array = np.load(source)
    except EOFError:
        raise click.BadParameter(f"cannot load '{source}': the file is empty or cut off") from None
    except (OSError, ValueError, OverflowError, MemoryError) as error:
        raise click.BadParameter(f"cannot load '{source}': {error}") from error
    if not isinstance(array, np.ndarray) or not array.itemsize:
        raise click.BadParameter(f"cannot load '{source}': it is no array of elements")
    return cast(Any, array)


def _make_array(source: str, make: Any, extents: str, element: str) -> Any:
    try:
        shape = tuple(int(extent) for extent in extents.split(",")) if extents.strip() else ()
    except ValueError:
        raise click.BadParameter(f"'{source}' has no shape; write zeros(4, 8, f32)") from None
    try:
        return make(shape, _element_dtype(element))
    except (ValueError, OverflowError, MemoryError) as error:
        raise click.BadParameter(f"cannot make '{source}': {error}") from error


def _element_dtype(name: str) -> Any:
    from tilewright.interp.numerics.element import FORMATS

    if name not in FORMATS:
        raise click.BadParameter(f"unknown element type '{name}'; known: {', '.join(FORMATS)}")
    return FORMATS[name].array_dtype


def _parse_scalar(text: str) -> Any:
    lowered = text.lower()
    if lowered in ("true", "false"):
        return lowered == "true"
    try:
        return int(text, 0)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        raise click.BadParameter(f"'{text}' is neither a number nor an array") from None


def parse_argument(text: str) -> CommandArgument:
    """Parse an ``--arg``: a number, ``true`` or ``false``; an array ``FILE.npy[:OUT.npy]``; or a new array
    such as ``zeros(4, 8, f32)[:OUT.npy]`` or ``ones(…)``. ``OUT.npy`` is the destination of the array. Raises
    `click.BadParameter` for any other text, or an array that cannot be loaded or made.
    """
    if ".npy" not in text and "(" not in text:
        return CommandArgument([_parse_scalar(text)])
    source, destination = _split_destination(text)
    array = _load_array(source)
    return CommandArgument([array], array, destination)


def parse_array(text: str) -> CommandArgument:
    """Parse an ``--array``: an array as in `parse_argument`, whose values for the kernel are the array, its
    lengths, and its strides in elements. Raises `click.BadParameter` for a number, and for an array that
    cannot be loaded or made.
    """
    argument = parse_argument(text)
    array = argument.array
    if array is None:
        raise click.BadParameter(f"'{text}' is not an array")
    strides = [stride // array.itemsize for stride in array.strides]
    argument.values = [array, *array.shape, *strides]
    return argument


def parse_grid(ctx: click.Context, parameter: click.Parameter, text: str) -> tuple[int, ...]:
    """Parse the extents of a grid or block, integers separated by commas such as `4,2,1`; their number and
    their signs are not checked. Raises `click.BadParameter` for any other text.
    """
    try:
        return tuple(int(extent) for extent in text.split(","))
    except ValueError:
        raise click.BadParameter(f"'{text}' is not a grid; write 4 or 4,2,1") from None


class OrderedCommand(click.Command):
    """A command that records the order of ``--arg`` and ``--array`` on the command line, and leaves the words
    after a script to the script.
    """

    def split(self, args: list[str]) -> tuple[list[str], list[str]]:
        """Return the words that this command parses, up to the program, and the words after it, which are the
        program's arguments.
        """
        return split_at_script(args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        args, ctx.meta["script arguments"] = self.split(args)
        order: list[str] = []
        for word in args:
            name = word.split("=", 1)[0]
            if name in ("--arg", "--array"):
                order.append(name)
        ctx.meta["argument order"] = order
        return super().parse_args(ctx, args)


def refuse_kernel_options(ctx: click.Context) -> None:
    """Raise `UsageError` if the command line has an option about the kernel of a file, which has no meaning
    for a Python program.
    """
    names = ("entry", "grid", "args", "arrays", "threads", "fallback")
    for parameter in ctx.command.params:
        if (
            parameter.name in names
            and ctx.get_parameter_source(parameter.name) is ParameterSource.COMMANDLINE
        ):
            raise UsageError(f"{parameter.opts[0]} is for files with a kernel, not for programs")


@click.command(name="run", cls=OrderedCommand)
@click.argument("file", type=click.Path(), default="")
@click.option(
    "-m", "module", default="", metavar="MODULE", help="Run a module as a program, as python -m does."
)
@click.option("--entry", help="The kernel to run. Needed only if the module has several.")
@click.option("--grid", default="1", callback=parse_grid, help="Tile blocks in x,y,z, such as 4 or 4,2,1.")
@click.option(
    "--arg",
    "args",
    multiple=True,
    help="A number, FILE.npy[:OUT.npy] or zeros(SHAPE, TYPE)[:OUT.npy].",
    shell_complete=completion.files,
)
@click.option(
    "--array",
    "arrays",
    multiple=True,
    help="Like --arg, followed by the lengths and strides.",
    shell_complete=completion.files,
)
@program_options.target_option
@click.option(
    "--threads",
    type=int,
    help="The maximum number of threads that run tile blocks (default: one per processor).",
)
@click.option(
    "--fallback",
    default="",
    help="interp: interpret what cannot be compiled, with a warning.",
    shell_complete=completion.one_of(lambda: ("interp",)),
)
@click.option(
    "--check",
    default="",
    help="memcheck,initcheck,racecheck,fpcheck,promises or all; compiled into the code, or made by the interpreter.",
    shell_complete=completion.some_of(completion.checks),
)
@click.option(
    "--ignore",
    default="",
    metavar="CODE[,CODE]",
    help="Do not report findings with these codes, such as TW0411. A comment in a kernel does this for one line.",
)
@program_options.gpu_option
@program_options.output_format_option
@click.option(
    "--json", "as_json", is_flag=True, help="The same as --output-format=json: findings, times, results."
)
@click.option("--sarif", default="", metavar="FILE", help="Also write findings to FILE as SARIF.")
@click.option(
    "--traceback", is_flag=True, help="Show tracebacks whole, with the frames of tilewright and of frontends."
)
@cpp_flags.cpp_options
@click.option(
    "--pdb", is_flag=True, help="Enter the debugger at findings and at breakpoint(), in the interpreter."
)
@click.option("--stop-at-first", is_flag=True, help="Let the first finding of --check end a Python program.")
@click.pass_context
def command(
    ctx: click.Context,
    file: str,
    module: str,
    entry: str | None,
    grid: tuple[int, ...],
    args: tuple[str, ...],
    arrays: tuple[str, ...],
    target: str,
    threads: int | None,
    fallback: str,
    check: str,
    ignore: str,
    gpu: str,
    output_format: str,
    as_json: bool,
    sarif: str,
    traceback: bool,
    pdb: bool,
    stop_at_first: bool,
    cpp: CppOptions,
) -> None:
    """Run a kernel of FILE (bytecode, MLIR text or CUDA C++), or a program: in Python with kernels of cuTile or Triton,
    or an executable that `tilewright nvcc` has made.

    A Python program, a FILE.py or with -m a module, runs as it stands, with CUDA tensors in the memory of this machine.
    Its arguments follow its name.  With --check the program continues after a finding, and all findings are reported.  --entry, --grid, --arg,
    --array, --threads and --fallback are for files with a kernel:

    Give one --arg per parameter of the entry, in order; --array stands for an address with its lengths and strides,
    the way cuTile passes arrays.  FILE.npy:OUT.npy writes the array to OUT.npy after the run.  With --json, a report
    follows what the kernel prints.
    """
    if bool(file) is bool(module):
        raise UsageError("Missing argument 'FILE'." if not file else "-m MODULE and FILE exclude each other")
    wanted = Wanted(JSON if as_json else output_format, sarif, stop_at_first)
    if sarif:
        check_output(sarif)
    if traceback:
        _show_tracebacks(ctx)
    if pdb:
        target = _enter_debugger(ctx, file)
    if is_executable(file) or module or is_script(file):
        refuse_kernel_options(ctx)
        words = ctx.meta["script arguments"]
        start = run_executable if is_executable(file) else partial(run_program, is_module=bool(module))
        ctx.exit(start(module or file, words, target, check, gpu, wanted, ignore=ignore))
    from tilewright.driver.dependencies import require
    from tilewright.driver.launch import launch
    from tilewright.driver.reading import file_bytes
    from tilewright.ir.support.ignores import ignoring
    from tilewright.runtime.findings.ignores import codes_to_ignore

    ignored = codes_to_ignore(ignore)
    require("interp")  # arrays are read from and written to .npy files
    clock = _Clock()
    arguments = kernel_arguments(ctx.meta["argument order"], args, arrays)
    values = [value for argument in arguments for value in argument.values]
    clock.lap("arguments")

    def run() -> None:
        with progress.shown_progress(), ignoring(ignored), kept(file, target, check_names(check)):
            launch(
                file_bytes(file, cpp) if is_cpp(file) else Path(file),
                entry,
                grid,
                values,
                target=target,
                check=check,
                threads=threads,
                fallback=fallback,
            )
        clock.lap("launch")
        save(arguments)
        clock.lap("results")

    if wanted.form == TEXT and not sarif:
        run()
    else:
        ctx.exit(_reported(file, run, arguments, clock, wanted))


def kernel_arguments(
    order: list[str], args: tuple[str, ...], arrays: tuple[str, ...]
) -> list[CommandArgument]:
    """Return the arguments of the kernel in their order on the command line; ``order`` has the option of
    each, ``--arg`` or ``--array``. Raises `click.BadParameter` for a text that is no argument, and
    `UsageError` for a destination that cannot be written.
    """
    singles, expanded = iter(args), iter(arrays)
    found = [
        parse_argument(next(singles)) if name == "--arg" else parse_array(next(expanded)) for name in order
    ]
    for argument in found:
        if argument.destination is not None:
            check_output(npy(argument.destination))
    return found


def _enter_debugger(ctx: click.Context, file: str) -> str:
    """Let the debugger stop at findings until the command ends; return the target that it needs. Raises
    `UsageError` for a program that it cannot follow.
    """
    from tilewright.debugger.console import at_findings
    from tilewright.driver import debugging

    chosen = ctx.get_parameter_source("target") is ParameterSource.COMMANDLINE
    if chosen and ctx.params["target"] != debugging.TARGET:
        raise UsageError("--pdb stops in the interpreter", f"leave out {TARGET.flag}")
    if is_executable(file):
        raise UsageError("--pdb is for Python programs and for files with a kernel, not for executables")
    ctx.with_resource(debugging.attached(at_findings()))
    return debugging.TARGET


class _Clock:
    """The durations of the parts of the command, in seconds: ``seconds`` has them by the name of the part.
    The first part begins when the object is created.
    """

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, name: str) -> None:
        """Record the seconds since the last call as the duration of the part called `name`."""
        now = time.perf_counter()
        self.seconds[name] = now - self._last
        self._last = now


def _show_tracebacks(ctx: click.Context) -> None:
    """Set the environment variable that requests whole tracebacks, until the command ends."""
    before = os.environ.get(TRACEBACK, "")
    ctx.call_on_close(lambda: os.environ.__setitem__(TRACEBACK, before))
    os.environ[TRACEBACK] = "1"


def _reported(
    file: str, run: Callable[[], None], arguments: list[CommandArgument], clock: _Clock, wanted: Wanted
) -> int:
    """Run the kernel by ``run``, and write its findings, its results and the times of ``clock`` by `show`, in
    the form that ``wanted`` selects; in form text, the findings go to stderr first. Return 1 if there are
    findings, else 0.
    """
    from tilewright.ir.diagnostic import Diagnostic, DiagnosticError

    findings: list[Diagnostic] = []
    try:
        run()
    except DiagnosticError as error:
        findings = error.diagnostics
        if wanted.form == TEXT:
            click.echo(str(error), err=True)
    results = [
        {"file": str(one.destination), "shape": list(one.array.shape), "dtype": str(one.array.dtype)}
        for one in arguments
        if one.destination is not None and not findings
    ]
    show(file, findings, wanted, clock.seconds, results)
    return int(bool(findings))


def npy(destination: Path) -> Path:
    """Return the file that NumPy writes to: with the suffix `.npy`."""
    return destination if destination.name.endswith(".npy") else Path(f"{destination}.npy")


def save(arguments: list[CommandArgument]) -> None:
    """Write the arrays that have a destination; an array that cannot be written there goes to a temporary
    file. Exits with status 1 if an array could not be written to its destination.
    """
    lost = [argument for argument in arguments if argument.destination is not None and not _written(argument)]
    if lost:
        sys.exit(1)


def _written(argument: CommandArgument) -> bool:
    """Write one result to its file. Return False if that failed: the result is then in a temporary file,
    which a message on stderr names.
    """
    import numpy as np

    assert argument.destination is not None
    try:
        np.save(argument.destination, argument.array)
    except OSError as error:
        problem = f"cannot write '{argument.destination}': {error.strerror or error}"
        with tempfile.NamedTemporaryFile(suffix=".npy", delete=False) as kept:
            np.save(kept, argument.array)
        click.echo(str(UsageError(problem, f"the array is in '{kept.name}'")), err=True)
        return False
    return True
