"""The options of commands for files with CUDA C++."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import click

from tilewright.cpp.options import CppOptions

INCLUDE = "A folder with headers, for files with CUDA C++."
DEFINE = "A macro as NAME or NAME=VALUE, for files with CUDA C++."
INSTANTIATE = "An instance of a kernel template to compile, such as 'scale<float, 256>'."


def cpp_options(decorated: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of the C++ compiler to a command, which receives them as the parameter ``cpp``."""

    @functools.wraps(decorated)
    def command(
        *args: Any,
        include: tuple[str, ...],
        define: tuple[str, ...],
        instantiate: tuple[str, ...],
        **rest: Any,
    ) -> Any:
        return decorated(*args, cpp=CppOptions(include, define, instantiate), **rest)

    command = click.option("--instantiate", multiple=True, metavar="NAME", help=INSTANTIATE)(command)
    command = click.option("-D", "--define", multiple=True, metavar="MACRO", help=DEFINE)(command)
    return click.option("-I", "--include", multiple=True, metavar="FOLDER", help=INCLUDE)(command)
