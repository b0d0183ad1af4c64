"""Defaults of the plugin's options: the values of the project, or else the usual ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tilewright.cli.project import NUMBER, PYTEST, TEXT, TEXTS, Kind, check_how_it_runs, find
from tilewright.pytest_plugin import DEFAULTS, PREFIX

KINDS: dict[str, Kind] = {
    "target": TEXT,
    "check": TEXTS,
    "gpu": TEXT,
    "ignore": TEXTS,
    "timeout": NUMBER,
    "sarif": TEXT,
}
"""The kinds of values of the options, by their names without prefix."""


def with_defaults(given: Mapping[str, Any], folder: str) -> dict[str, Any]:
    """Return the options without prefix: from the command line, from the project around ``folder``, and the
    defaults. ``given`` has the prefixed names, and None for an option that is not on the command line. Raises
    `DiagnosticError` for wrong settings.
    """
    project = find(folder)
    settings = {} if project is None else project.settings(PYTEST, KINDS)
    for setting in settings.values():
        check_how_it_runs(setting)
    values = DEFAULTS | {key: one.text for key, one in settings.items()}
    return {
        key: value if given[PREFIX + key] is None else given[PREFIX + key] for key, value in values.items()
    }
