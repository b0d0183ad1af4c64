"""The `tilewright` command.  Subcommands are imported only when they run, so that help is instant."""

from __future__ import annotations

import difflib
import importlib
import sys
from typing import Any

import click

from tilewright.version import __version__

COMMANDS: dict[str, tuple[str, str]] = {
    "run": ("tilewright.cli.run", "Run a kernel from a bytecode or text file on this machine."),
    "translate": ("tilewright.cli.translate", "Translate between bytecode and MLIR text."),
    "disasm": ("tilewright.cli.disasm", "Print bytecode as tileirdisasm does."),
    "opt": ("tilewright.cli.opt", "Run passes over MLIR text, with the flags of mlir-opt."),
    "registry": ("tilewright.cli.registry", "List everything that start-up registers."),
    "explain": ("tilewright.cli.explain", "Explain an operation, a type or a diagnostic code."),
    "doctor": ("tilewright.cli.doctor", "Show what this installation can do."),
}
"""Command name to the module that implements it, and its one-line help."""


class LazyGroup(click.Group):
    """A group whose commands are imported when needed and whose misspelt commands are corrected."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(COMMANDS[cmd_name][0]).command
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        name = args[0] if args else ""
        if name and name not in COMMANDS and not name.startswith("-"):
            close = difflib.get_close_matches(name, COMMANDS, n=1)
            hint = f"did you mean '{close[0]}'?" if close else f"commands: {', '.join(COMMANDS)}"
            ctx.fail(f"no such command '{name}'\nhint: {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="tilewright")
def cli() -> None:
    """The open compiler for CUDA Tile IR: run, read and explain tile kernels anywhere.

    Exit status: 0 success, 1 diagnostics were reported, 2 wrong usage.
    """


def main(arguments: list[str] | None = None) -> None:
    """Entry point: diagnostics go to stderr and give exit status 1."""
    from tilewright.ir.diagnostic import DiagnosticError

    try:
        cli.main(arguments, prog_name="tilewright", standalone_mode=True)
    except DiagnosticError as error:
        print(error, file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)


if __name__ == "__main__":
    main()
