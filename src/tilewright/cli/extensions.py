"""``--load-module`` anywhere on a command line: dialects, passes and targets of a module that is not installed."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.cli import errors, main as cli_main, program as cli_program
from tilewright.driver import options as driver_options, target as driver_target
from tilewright.driver.extensions.loading import load_module


def load_extensions(arguments: Sequence[str]) -> list[str]:
    """Load the extensions that ``--load-module`` names; return the rest of the command line.

    Raises `DiagnosticError` for a failing extension, `UsageError` for a missing value.
    """
    rest, names = cli_program.without_option(arguments, cli_main.LOAD_MODULE)
    if "" in names:
        raise errors.UsageError(f"{cli_main.LOAD_MODULE} needs a value: the name of a module, or a file")
    for name in names:
        load_module(name)
    return rest


def load_targets(arguments: Sequence[str]) -> None:
    """Load the targets of other packages if ``--target`` names an unknown target, because it may add options."""
    _, names = cli_program.without_option(arguments, driver_options.TARGET.flag)
    if any(name not in driver_target.TARGETS for name in names):
        driver_target.all_targets()
