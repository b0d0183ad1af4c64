"""The group of all commands, for `click`.  Commands that are plain functions need it for the list of commands only."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import add_completion_class

from tilewright.cli import color, completion, program as cli_program
from tilewright.cli.errors import STATUSES
from tilewright.cli.main import COMMANDS, DIRECT, LOAD_MODULE, TAKES_PASSES, run_direct
from tilewright.ir.support.strings import nearest
from tilewright.version import __version__

if TYPE_CHECKING:
    from tilewright.cli.flags import Flag


TARGET = "--target"
HELP = ["-h", "--help"]
LOAD_MODULE_HELP = "Load dialects, passes and targets of this Python module or file.py. It may stand anywhere, and be repeated."


add_completion_class(completion.Bash)


class LazyGroup(click.Group):
    """A group of commands that imports the module of a command when the command is needed. An unknown command
    name is an error, whose hint is the most similar name, or the list of the commands if none is similar.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        if cmd_name in DIRECT:
            return _passed_on(cmd_name)
        command: click.Command = importlib.import_module(COMMANDS[cmd_name][0]).command
        command.context_settings.setdefault("help_option_names", HELP)  # also for whoever runs it alone
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        name = args[0] if args else ""
        if name and name not in COMMANDS and not name.startswith("-"):
            close = nearest(name, COMMANDS)
            hint = f"did you mean '{close}'?" if close else f"commands: {', '.join(COMMANDS)}"
            ctx.fail(f"no such command '{name}'\nhint: {hint}")
        if any(word.startswith(TARGET) for word in args):
            from tilewright.cli.extensions import load_targets

            load_targets(args)
        found, command, rest = super().resolve_command(ctx, args)
        if (
            found is not None
            and command is not None
            and not ctx.resilient_parsing
            and not _asks_for_help(rest)
        ):
            from tilewright.cli.defaults import defaults

            ctx.default_map = {found: defaults(found, command, rest)}
        return found, command, rest

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


def _asks_for_help(words: Sequence[str]) -> bool:
    return not set(HELP).isdisjoint(cli_program.split_at_script(words)[0])


def run(arguments: list[str]) -> int:
    """Run a command line through `click`. Return the exit status. Raises the exceptions of the command."""
    try:
        found = cli.main(arguments, prog_name="tilewright", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort as error:  # click raises it for an interrupt, and for the end of an input
        raise error.__cause__ or error from None
    return found if isinstance(found, int) else 0


def _passed_on(name: str) -> click.Command:
    """Return the `click` command for a command that parses its arguments itself (see `DIRECT`)."""
    settings = {"ignore_unknown_options": True, "allow_extra_args": True}

    def flags() -> Sequence[Flag]:
        return importlib.import_module(COMMANDS[name][0]).FLAGS

    @click.command(
        name=name,
        cls=completion.FlagCommand,
        flags=flags,
        passes=completion.passes if name in TAKES_PASSES else dict,
        add_help_option=False,
        context_settings=settings,
    )
    @click.argument("arguments", nargs=-1, type=click.UNPROCESSED, shell_complete=completion.files)
    def command(arguments: tuple[str, ...]) -> None:
        sys.exit(run_direct(name, arguments))

    return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": HELP})
@click.version_option(__version__, prog_name="tilewright")
@click.option(
    color.OPTION,
    type=click.Choice(color.WHEN),
    expose_value=False,
    help=f"{color.HELP} It may stand anywhere on the command line.",
)
@click.option(LOAD_MODULE, metavar="MODULE", multiple=True, expose_value=False, help=LOAD_MODULE_HELP)
def cli() -> None:
    """The open compiler for CUDA Tile IR: run, read and explain tile kernels anywhere."""


cli.help = (
    f"{cli.help}\n\nExit status: {'; '.join(f'{status} {words}' for status, words in STATUSES.items())}."
)
