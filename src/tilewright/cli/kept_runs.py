"""Keeping runs of programs for editors: `tilewright lsp` shows the last one."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tilewright.cli.collector import is_own_process
from tilewright.ir.support.record import Record


class ProgramCommand(Record, frozen=True):
    """A program of a command line: its file, or with ``is_module`` the name of its module, and its arguments.
    For a kernel of a file the arguments are the words of the command, without its name.
    """

    name: str
    arguments: Sequence[str] = ()
    is_module: bool = False

    @property
    def place(self) -> str:
        """The absolute path of the file, or the name of the module."""
        return self.name if self.is_module else os.path.abspath(self.name)


def keep(
    kind: str,
    program: ProgramCommand,
    seconds: float,
    report: Callable[[], Mapping[str, Any]],
    target: str,
    checks: Sequence[str] = (),
) -> None:
    """Keep a run of a program on `target` with `checks` that took ``seconds``, in place of the last one of
    the same `kind`. ``report`` is called for its report, whose findings are under ``findings``; also kept are
    the modules that this process has launched, and the program's files. Only a process that runs one command
    does so.
    """
    if not is_own_process():
        return
    from tilewright.driver.launch import KERNELS
    from tilewright.runtime import last_runs

    made, began = report(), last_runs.now() - seconds
    modules = list(dict.fromkeys(content for content, _, _ in KERNELS.every_key()))
    named = [one["file"] for one in made["findings"] if one["file"]]
    files = [*([] if program.is_module else [program.name]), *named, *last_runs.files_in(modules)]
    last_runs.store(
        last_runs.LastRun(
            kind=kind,
            program=program.place,
            is_module=program.is_module,
            arguments=program.arguments,
            directory=os.getcwd(),
            began=began,
            target=target,
            checks=checks,
            report=made,
            modules=modules,
            sources=last_runs.texts_of(files, began),
        )
    )
