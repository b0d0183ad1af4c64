"""``--load-module`` anywhere on a command line: dialects, passes and targets of a module that is not installed."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.cli.errors import UsageError
from tilewright.cli.main import LOAD_MODULE
from tilewright.cli.program import without_option
from tilewright.driver.extensions.loading import load_module
from tilewright.driver.options import TARGET
from tilewright.driver.target import TARGETS, all_targets


def load_extensions(arguments: Sequence[str]) -> list[str]:
    """Load the extensions that ``--load-module`` names; return the rest of the command line.

    Raises `DiagnosticError` for a failing extension, `UsageError` for a missing value.
    """
    rest, names = without_option(arguments, LOAD_MODULE)
    if "" in names:
        raise UsageError(f"{LOAD_MODULE} needs a value: the name of a module, or a file")
    for name in names:
        load_module(name)
    return rest


def load_targets(arguments: Sequence[str]) -> None:
    """Load the targets of other packages if ``--target`` names an unknown target: it may have options of its
    own.
    """
    _, names = without_option(arguments, TARGET.flag)
    if any(name not in TARGETS for name in names):
        all_targets()
