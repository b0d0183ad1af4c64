"""The `tilewright` command.  Everything else is imported only when it is needed: help is instant."""

from __future__ import annotations

import gc
import importlib
import sys
from collections.abc import Callable, Sequence

from tilewright.cli.color import colored_stderr

COMMANDS: dict[str, tuple[str, str]] = {
    "run": ("tilewright.cli.run", "Run a kernel from a bytecode or text file on this machine."),
    "translate": ("tilewright.cli.translate", "Translate between bytecode and MLIR text."),
    "disasm": ("tilewright.cli.disasm", "Print bytecode as tileirdisasm does."),
    "compile": ("tilewright.cli.compile", "Compile a module and write one of its stages."),
    "cache": ("tilewright.cli.cache", "Look after the compiled kernels on disk."),
    "verify": ("tilewright.cli.verify", "Verify bytecode or MLIR text of any dialect."),
    "diff": ("tilewright.cli.diff", "Show what differs between the programs of two modules."),
    "opt": ("tilewright.cli.opt", "Run passes over MLIR text, with the flags of mlir-opt."),
    "registry": ("tilewright.cli.registry", "List everything that start-up registers."),
    "explain": ("tilewright.cli.explain", "Explain an operation, a type or a diagnostic code."),
    "install-tileirdisasm": (
        "tilewright.cli.install_tileirdisasm",
        "Put a tileirdisasm where another program looks for one.",
    ),
    "inspect": ("tilewright.cli.inspect", "Find MLIR's structures in a program, or kernels in a cubin."),
    "abi": ("tilewright.cli.abi", "Show byte layouts; write modules as memory images."),
    "doctor": ("tilewright.cli.doctor", "Show what this installation can do."),
}
"""Command name to the module that implements it, and its one-line help."""


DIRECT: dict[str, str] = {"translate": "run_translate", "disasm": "run_disasm"}
"""Commands that are functions of their arguments, by the name of the function: they start without `click`."""


def run_direct(name: str, arguments: Sequence[str]) -> int:
    """Run one of these commands: returns the exit status."""
    collecting = gc.isenabled()
    gc.disable()  # such commands end before garbage matters
    try:
        run: Callable[[list[str]], int] = getattr(importlib.import_module(COMMANDS[name][0]), DIRECT[name])
        return run(["--help" if word == "-h" else word for word in arguments])
    finally:
        if collecting:
            gc.enable()


def _run(arguments: list[str]) -> None:
    """Run a command line; ends by `SystemExit`."""
    if arguments and arguments[0] in DIRECT:
        sys.exit(run_direct(arguments[0], arguments[1:]))
    from tilewright.cli.group import cli

    cli.main(arguments, prog_name="tilewright", standalone_mode=True)


def main(arguments: list[str] | None = None) -> None:
    """Entry point: diagnostics go to stderr and give exit status 1."""
    with colored_stderr(sys.argv[1:] if arguments is None else arguments) as rest:
        _reporting(rest)


def _reporting(arguments: list[str]) -> None:
    from tilewright.ir.diagnostic import DiagnosticError

    try:
        _run(arguments)
    except DiagnosticError as error:
        print(error, file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)


if __name__ == "__main__":
    main()
