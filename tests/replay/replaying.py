"""Replays a member of the corpus: the text of each of its stages, the text behind passes, or what its launches do.

    python -m tests.replay.replaying NAME > now.txt

prints all texts of a member.  The same command in a checkout of another state shows the difference.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import sys
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from unittest import mock

import numpy as np

import tilewright
from tests.replay.corpus import Launch, launches, modules, pipelines
from tilewright.cli.commands.opt import run_opt
from tilewright.driver.artifact import Artifact
from tilewright.driver.options import check_names
from tilewright.driver.stages import CompileOptions
from tilewright.interp.launch import interpret
from tilewright.interp.values import InterpretOptions
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.targets.cpu.machine.host import VARIABLE

SHARED = ("tileaa", "tileas")
"""Stages that the targets have in common."""
GPU = ("layouts", "cute", "llvm", "ptx")
CHIPS = ("sm_80", "sm_90a", "sm_100a", "sm_120a")
LIMIT = 100_000
"""Most operations, or instructions, of a launch: what takes more is a finding."""


@dataclass(frozen=True)
class Setting:
    """How a module is compiled, and the stages whose texts are compared, in their order."""

    target: str
    stages: Sequence[str]
    cpu: str = ""
    level: int = 3
    checks: str = ""
    debug: bool = False

    @property
    def name(self) -> str:
        """A name in one word."""
        words = [self.target, self.cpu, f"O{self.level}", self.checks, "g" if self.debug else ""]
        return ",".join(filter(None, words))

    def compiled(self, content: bytes) -> Artifact:
        """Return a module compiled like this."""
        options: dict[str, Any] = {"cpu": self.cpu} if self.cpu else {}
        checks = check_names(self.checks) if self.checks else ()
        chosen = CompileOptions(checks=checks, opt_level=self.level, debug_info=self.debug, **options)
        return tilewright.compile(content, target=self.target, options=chosen)


ALWAYS = Setting("cpu", (*SHARED, "plan-json", "llvm"), cpu="x86-64-v3")
OF_CHIPS = tuple(
    Setting(chip, (*GPU,) if chip in ("sm_80", "sm_90a") else ("layouts", "ptx")) for chip in CHIPS
)
OTHERS = (
    Setting("cpu", ("plan", "llvm"), cpu="x86-64-v4", debug=True),
    Setting("cpu", (*SHARED, "llvm"), cpu="x86-64-v3", level=0),
    Setting("cpu", (*SHARED, "plan", "llvm"), cpu="x86-64-v3", checks="all"),
    Setting("sm_90a", ("tileaa", "ptx"), level=0, debug=True),
    Setting("sim:sm_100a", ("tileas", "ptx"), checks="all"),
)
"""The processors are named, so that the texts are the same on every machine."""


def settings(content: bytes) -> tuple[Setting, ...]:
    """Return how a module is compiled: to save time, for two chips and with two of the other settings."""
    number = sum(content)
    chip, other = number % len(OF_CHIPS), number % len(OTHERS)
    return (ALWAYS, OF_CHIPS[chip], OF_CHIPS[chip - 1], OTHERS[other], OTHERS[other - 2])


def stages(content: bytes, left_out: Container[str] = ()) -> Iterator[tuple[str, str]]:
    """Yield names and texts of stages of a module; the text of a refusal is its diagnostics.

    Settings whose names are in `left_out` are not tried.
    """
    for setting in settings(content):
        if setting.name in left_out:
            continue
        try:
            made = setting.compiled(content)
        except DiagnosticError as error:
            yield setting.name, told(error)
            continue
        for stage in setting.stages:
            yield f"{setting.name}:{stage}", _text(made, stage)


def _text(made: Artifact, stage: str) -> str:
    try:
        return str(made.asm[stage])
    except DiagnosticError as error:
        return told(error)


def told(error: DiagnosticError) -> str:
    """Return the diagnostics of an error."""
    return "\n".join(str(diagnostic) for diagnostic in error.diagnostics)


PASSES = (
    "--run-reproducer",
    "--allow-unregistered-dialect",
    "--mlir-pass-statistics",
    "--mlir-print-debuginfo",
)
"""Flags of ``tilewright opt``: the counts of passes are compared, too, and locations."""
SECONDS = re.compile(r" +\d+\.\d+ s\b")
"""How long patterns took, beside their counts."""


def passed(reproducer: bytes) -> Iterator[tuple[str, str]]:
    """Yield the text behind the passes of a reproducer, and what was counted and said; one name for each.

    Passes of the CPU target take the processor of the environment: it is named, too.
    """
    text, talk = io.StringIO(), io.StringIO()
    with mock.patch.dict(os.environ, {VARIABLE: ALWAYS.cpu}):
        status = run_opt(PASSES, io.StringIO(reproducer.decode()), text, talk)
    yield "text", f"{status}\n{text.getvalue()}"
    yield "talk", SECONDS.sub("", talk.getvalue())


def runners(launch: Launch) -> dict[str, Callable[[Launch], str]]:
    """Return what runs a launch: the simulator of PTX, or the interpreter and a simulated GPU."""
    if launch.is_ptx:
        return {"ptxsim": _simulated}
    chip = CHIPS[sum(launch.source) % len(CHIPS)]  # each launch on one of them, to save time
    return {"interp": _interpreted, f"sim:{chip}": partial(_launched, chip=chip)}


def runs(launch: Launch, left_out: Container[str] = ()) -> Iterator[tuple[str, str]]:
    """Yield names and texts of the runs of a launch: results, counts and findings.

    Runs whose names are in `left_out` are not done.
    """
    for name, run in runners(launch).items():
        if name not in left_out:
            yield name, run(launch)


def _simulated(launch: Launch) -> str:
    from tilewright.ptxsim import launch as simulate
    from tilewright.ptxsim.trace import Trace

    arguments, trace = launch.made(), Trace()
    text = launch.source.decode()
    report = _outcome(
        lambda: simulate(
            text,
            launch.entry,
            launch.grid,
            launch.block,
            arguments,
            limit=LIMIT,
            trace=trace,
            **launch.options,
        )
    )
    spans = [(*span[:6], span.name, span.state) for span in trace.spans]
    return "\n".join([*_shown(arguments), *report, *map(str, spans)])


def _interpreted(launch: Launch) -> str:
    from tilewright.driver.sources import load

    arguments, printed = launch.made(), io.StringIO()
    options = InterpretOptions(**{**launch.options, "max_steps": LIMIT})
    grid = (*launch.grid, 1, 1)[:3]
    module = load(launch.source)
    report = _outcome(lambda: interpret(module, launch.entry, grid, arguments, options, printed))
    return "\n".join([*_shown(arguments), *report, printed.getvalue()])


def _launched(launch: Launch, chip: str) -> str:
    arguments = launch.made()

    def run() -> Any:
        options = CompileOptions(max_instructions=str(LIMIT))
        made = tilewright.compile(launch.source, target=f"sim:{chip}", options=options)
        return made.launch(tuple(launch.grid), arguments, entry=launch.entry)

    report = _outcome(run)
    return "\n".join([*_shown(arguments), *report])


def _outcome(run: Any) -> list[str]:
    """Return the text of a report, or the diagnostics of what is refused."""
    try:
        return [str(run())]
    except DiagnosticError as error:
        return [told(error)]


def _shown(arguments: Sequence[Any]) -> Iterator[str]:
    """Yield a line for each array: its bytes."""
    for one in arguments:
        array = getattr(one, "array", one)
        if isinstance(array, np.ndarray):
            yield f"{array.dtype}{list(array.shape)} {array.tobytes().hex()}"


def digest(text: str) -> str:
    """Return a short digest of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def texts(name: str) -> Iterator[tuple[str, str]]:
    """Yield names and texts of a member of the corpus."""
    if name in modules():
        return stages(modules()[name])
    return passed(pipelines()[name]) if name in pipelines() else runs(launches()[name])


if __name__ == "__main__":
    for label, text in texts(sys.argv[1]):
        print(f"=== {label}\n{text}")
