"""The executor of a command that takes many files, and its options."""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click

from tilewright.cli.errors import UsageError

if TYPE_CHECKING:
    from concurrent.futures import Executor

    Maker = Callable[[], Executor]
    """A function that makes an executor, when the work begins."""

WORTH_PROCESSES = 8
"""The number of files from which on processes are started: fewer are compiled sooner than processes start."""
_JOBS = "Processes for several files (default: one for each processor, from {} files on)."
_EXECUTOR = "Workers of a cluster instead of processes: {}."
_ADDRESS = "dask://HOST:PORT"


def executor_address(address: str) -> Maker:
    """Return a function that connects to the scheduler at an address, such as ``dask://HOST:PORT``; the type
    of ``--executor``. Raises `DiagnosticError` for an invalid address. It does not connect yet.
    """
    from tilewright.runtime.workers.schedulers import executor_at

    return executor_at(address)


def batch_options(decorated: Callable[..., None]) -> Callable[..., None]:
    """Add the options ``--jobs`` and ``--executor`` to a command."""
    jobs = click.option("-j", "--jobs", type=click.IntRange(1), help=_JOBS.format(WORTH_PROCESSES))
    executor = click.option(
        "--executor", type=executor_address, metavar=_ADDRESS, help=_EXECUTOR.format(_ADDRESS)
    )
    return jobs(executor(decorated))


def add_batch_options(parser: ArgumentParser, jobs: int | None = None) -> None:
    """Add the options ``--jobs`` and ``--executor``, which exclude each other, to a program that parses with
    `argparse`. ``jobs`` is the default number of processes; None: one for each processor.
    """
    default = "one for each processor" if jobs is None else f"{jobs}"
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--jobs", type=int, default=jobs, help=f"processes (default: {default})")
    group.add_argument(
        "--executor", type=_parsed, metavar=_ADDRESS, help="workers of a cluster instead of processes"
    )


def _parsed(address: str) -> Maker:
    from tilewright.ir.diagnostic import DiagnosticError

    try:
        return executor_address(address)
    except DiagnosticError as error:
        raise ArgumentTypeError(str(error)) from error


def executor_for(files: int, jobs: int | None, executor: Maker | None = None) -> Maker:
    """Return the function that makes the executor for `files` files. This is `executor` if it is not None.
    Otherwise it makes a pool of processes, or `Here`, this process, for one file, if `jobs` is 1, or without
    `jobs` for fewer than `WORTH_PROCESSES` files. Raises `UsageError` for both `jobs` and `executor`.
    """
    from tilewright.runtime.distribution import Here, processes
    from tilewright.runtime.workers.threads import available_processors

    if executor is not None:
        if jobs is not None:
            raise UsageError("--jobs is for processes of this machine", "leave it out beside --executor")
        return executor
    wanted = jobs or (available_processors() if files >= WORTH_PROCESSES else 1)
    return processes(min(wanted, files)) if wanted > 1 and files > 1 else Here


def places_for(names: Iterable[str], executor: Maker | None) -> list[str]:
    """Return file names that workers can open: absolute if there is an `executor`, since workers of a cluster
    have other working directories. The name ``-`` is unchanged.
    """
    return (
        [*names] if executor is None else [name if name == "-" else os.path.abspath(name) for name in names]
    )
