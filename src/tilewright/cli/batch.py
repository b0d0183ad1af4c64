"""The executor of a command that takes many files, and its option."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from concurrent.futures import Executor

WORTH_PROCESSES = 8
"""Fewer files than this are done before other processes would have begun."""

jobs_option: Callable[[Any], Any] = click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1),
    help=f"Processes for several files (default: one for each processor, from {WORTH_PROCESSES} files on).",
)


def executor_for(files: int, jobs: int | None) -> Callable[[], Executor]:
    """Makes the executor for so many files: this process if it is told to be, or if there are few."""
    from tilewright.runtime.distribution import Here, processes
    from tilewright.runtime.workers.threads import available_processors

    wanted = jobs or (available_processors() if files >= WORTH_PROCESSES else 1)
    return processes(min(wanted, files)) if wanted > 1 and files > 1 else Here
