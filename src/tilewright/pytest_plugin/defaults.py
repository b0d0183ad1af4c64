"""Defaults of the plugin's options: the values of the project, or else the usual ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tilewright.cli import project as cli_project
from tilewright.pytest_plugin import DEFAULTS, PREFIX

KINDS: dict[str, cli_project.Kind] = {
    "target": cli_project.TEXT,
    "check": cli_project.TEXTS,
    "gpu": cli_project.TEXT,
    "ignore": cli_project.TEXTS,
    "timeout": cli_project.NUMBER,
    "sarif": cli_project.TEXT,
}
"""The kinds of values of the options, by their names without prefix."""


def with_defaults(given: Mapping[str, Any], folder: str) -> dict[str, Any]:
    """Return the value of each option by its name without prefix: from the command line, else from the
    project around ``folder``, else the default. ``given`` has the prefixed names, and None for an option that
    is not on the command line. Raises `DiagnosticError` for wrong settings of the project.
    """
    project = cli_project.find(folder)
    settings = {} if project is None else project.settings(cli_project.PYTEST, KINDS)
    for setting in settings.values():
        cli_project.check_how_it_runs(setting)
    values = DEFAULTS | {key: one.text for key, one in settings.items()}
    return {
        key: value if given[PREFIX + key] is None else given[PREFIX + key] for key, value in values.items()
    }
