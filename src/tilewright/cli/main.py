"""The `tilewright` command.  Everything else is imported only when it is needed: help is instant."""

from __future__ import annotations

import importlib
import os
import sys

from tilewright.cli.collector import own_process

TYPE_CHECKING = False  # as in `tilewright`
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

COMMANDS: dict[str, tuple[str, str]] = {
    "run": (
        "tilewright.cli.commands.run",
        "Run a program for GPUs, or a kernel from a file, on this machine.",
    ),
    "compare": (
        "tilewright.cli.commands.compare",
        "Compare the results of a program's kernels with exact values, and say who loses digits.",
    ),
    "nvcc": ("tilewright.cli.commands.nvcc", "Compile a CUDA C++ program that runs on this machine."),
    "translate": ("tilewright.cli.commands.translate", "Translate between bytecode and MLIR text."),
    "disasm": ("tilewright.cli.commands.disasm", "Print bytecode as tileirdisasm does."),
    "compile": ("tilewright.cli.commands.compile", "Compile a module and write one of its stages."),
    "cache": ("tilewright.cli.commands.cache", "List, remove or check the compiled kernels on disk."),
    "verify": ("tilewright.cli.commands.verify", "Verify bytecode or MLIR text of any dialect."),
    "diff": ("tilewright.cli.commands.diff", "Show what differs between the programs of two modules."),
    "reduce": (
        "tilewright.cli.commands.reduce",
        "Make a failing module small while it fails in the same way.",
    ),
    "opt": ("tilewright.cli.commands.opt", "Run passes over MLIR text, with the flags of mlir-opt."),
    "registry": ("tilewright.cli.commands.registry", "List everything that start-up registers."),
    "explain": ("tilewright.cli.commands.explain", "Explain an operation, a type or a diagnostic code."),
    "install-tileirdisasm": (
        "tilewright.cli.commands.install_tileirdisasm",
        "Install a tileirdisasm for cuTile Python.",
    ),
    "inspect": (
        "tilewright.cli.commands.inspect",
        "Find MLIR's structures in a program, or kernels in a cubin.",
    ),
    "abi": ("tilewright.cli.commands.abi", "Show byte layouts; write modules as memory images."),
    "ptx": (
        "tilewright.cli.commands.gpu.ptx",
        "Check PTX and print it; show its instructions; assemble it.",
    ),
    "sim": ("tilewright.cli.commands.gpu.sim", "Run a kernel of a PTX file in a strict simulator."),
    "layout": (
        "tilewright.cli.commands.gpu.layout",
        "Show layouts and operations on them, as tables and pictures.",
    ),
    "schedule": (
        "tilewright.cli.commands.gpu.schedule",
        "Show how iterations of loops overlap on a GPU, and what limits them.",
    ),
    "explore": (
        "tilewright.cli.commands.explore",
        "Show a kernel from its Python line to the machine, in a browser.",
    ),
    "debug": (
        "tilewright.cli.commands.debug",
        "Stop in the kernels of a program, step, and look at their values.",
    ),
    "dap": ("tilewright.cli.commands.dap", "Serve editors that debug kernels: breakpoints, steps, values."),
    "lsp": ("tilewright.cli.commands.lsp", "Serve editors: findings and shapes of kernels, MLIR text."),
    "mcp": (
        "tilewright.cli.commands.mcp",
        "Serve tools to programs that write kernels: check, run, explain.",
    ),
    "sass": ("tilewright.cli.commands.gpu.sass", "Show what the machine code of a cubin needs and executes."),
    "doctor": ("tilewright.cli.commands.doctor", "Show what this installation can do."),
}
"""Command name to the module that implements it, and its one-line help."""


LOAD_MODULE = "--load-module"
DIRECT: dict[str, str] = {
    "translate": "run_translate",
    "disasm": "run_disasm",
    "opt": "run_opt",
    "nvcc": "run_nvcc",
}
"""Commands that are functions of their arguments, by the name of the function: they start without `click`."""
TAKES_PASSES = frozenset({"opt"})
"""The commands of `DIRECT` whose arguments may name passes."""


def run_direct(name: str, arguments: Sequence[str]) -> int:
    """Run a command that parses its own arguments; return the exit status."""
    run: Callable[[list[str]], int] = getattr(importlib.import_module(COMMANDS[name][0]), DIRECT[name])
    return run(["--help" if word == "-h" else word for word in arguments])


def _run(arguments: list[str]) -> int:
    """Run a command line, whose first word is a command or a Python program. Return the exit status, or end
    by `SystemExit`; errors of the command are raised.
    """
    if any("\0" in word for word in arguments):  # from Python only: neither files nor names can have one
        from tilewright.cli.errors import UsageError

        raise UsageError("an argument contains a NUL character")
    if arguments and arguments[0] in DIRECT:
        return run_direct(arguments[0], arguments[1:])
    from tilewright.cli.program import has_settings, plain_program, run_program

    program = plain_program(arguments)
    if program is not None and not has_settings(program[0]):
        return run_program(*program)  # nothing is left to parse, so this starts without `click`, too
    if program is not None:
        arguments = ["run", program[0], *program[1]]
    from tilewright.cli.group import run

    return run(arguments)


def main(arguments: list[str] | None = None) -> None:
    """Run a command line, by default the arguments of this process, and exit. Every error is printed to
    stderr, and the exit status tells its kind.
    """
    if arguments is None:
        arguments = sys.argv[1:]
        own_process()
    from tilewright.cli.color import colored_stderr  # after the collector was told
    from tilewright.ir.support.option_spelling import COMMAND_LINE, options_spelled_for

    with colored_stderr(arguments) as rest, options_spelled_for(COMMAND_LINE):
        sys.exit(_status(rest))


def _status(arguments: list[str]) -> int:
    """Run a command. Return its exit status. An error is printed to stderr, and the status is the error's."""
    try:
        try:
            return _run(_with_extensions(arguments))
        finally:
            sys.stdout.flush()  # a broken pipe shows here at the latest
    except BrokenPipeError:
        _forget_output()
        return 1
    except (Exception, KeyboardInterrupt) as error:
        from tilewright.cli.errors import report

        return report(error)


def _with_extensions(arguments: list[str]) -> list[str]:
    """Return a command line without ``--load-module``; load the extensions that the option names."""
    if not any(word.startswith(LOAD_MODULE) for word in arguments):
        return arguments
    from tilewright.cli.extensions import load_extensions

    return load_extensions(arguments)


def _forget_output() -> None:
    """Redirect stdout, which has no reader any more, to the null device: flushing it at exit must not fail
    again.
    """
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


if __name__ == "__main__":
    main()
