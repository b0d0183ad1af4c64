"""Settings of the project as defaults of a command's options, for `click`: they are parsed and checked like options."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import click

from tilewright.cli import program as cli_program, project as cli_project
from tilewright.driver.codes import BAD_SETTINGS
from tilewright.ir.diagnostic import failure

NOT_SETTINGS = frozenset({"help", "json", "arg", "array"})
"""Options without a setting: `--help`, `--json` (`output-format` is its setting), and the arguments of a
kernel.
"""
LISTS = frozenset({"check", "emit", "ignore", "pipeline"})
"""Options that take several names with commas between them: settings may be lists."""
EITHER = {"jobs": "executor", "executor": "jobs"}
"""Options that exclude each other: on the command line one of them takes the other's setting back."""


def defaults(name: str, command: click.Command, words: Sequence[str]) -> dict[str, Any]:
    """Return the project's defaults for a command, by the names of parameters; ``words`` are the words after
    the command. The result is empty without a project, and for a group of commands. Raises `DiagnosticError`
    for wrong settings.
    """
    project = cli_project.find(folder_of(words))
    if project is None or isinstance(command, click.Group):
        return {}
    options = {_key(one): one for one in command.params if isinstance(one, click.Option)}
    known = {key: _kind(key, one) for key, one in options.items() if key and key not in NOT_SETTINGS}
    found = project.settings(name, known)
    context = click.Context(command)
    return {
        str(options[key].name): _value(setting, options[key], context)
        for key, setting in found.items()
        if not _is_given(EITHER.get(key), words)
    }


def folder_of(words: Sequence[str]) -> str:
    """Return the folder of the Python program that a command line runs; without one, the working directory."""
    before, _ = cli_program.split_at_script(words)
    is_file = before and before[-1].endswith(".py") and cli_program.MODULE not in before
    return os.path.dirname(os.path.abspath(before[-1])) if is_file else os.getcwd()


def _key(option: click.Option) -> str:
    """Return the key of an option: its long name without dashes; an empty text for an option without a long
    name.
    """
    return next((name[2:] for name in option.opts if name.startswith("--")), "")


def _kind(key: str, option: click.Option) -> cli_project.Kind:
    if option.is_flag:
        return cli_project.FLAG
    if isinstance(option.type, click.types.IntParamType):
        return cli_project.WHOLE
    if isinstance(option.type, click.types.FloatParamType):
        return cli_project.NUMBER
    return cli_project.TEXTS if option.multiple or key in LISTS else cli_project.TEXT


def _value(setting: cli_project.Setting, option: click.Option, context: click.Context) -> Any:
    """Return a setting of the project as the default of an option: a list for an option that may be repeated,
    otherwise its value, where a list becomes one text with commas. Raises `DiagnosticError` if the option
    refuses it.
    """
    cli_project.check_how_it_runs(setting)
    value = setting.value if option.multiple else setting.text
    if option.multiple and isinstance(value, str):
        value = [value]
    try:
        setting.read(lambda _: option.type_cast_value(context, value))
    except click.BadParameter as error:
        raise failure(BAD_SETTINGS, f"'{setting.key}': {error.message}", setting.location) from None
    return value


def _is_given(key: str | None, words: Sequence[str]) -> bool:
    return key is not None and any(word.partition("=")[0] == f"--{key}" for word in words)
