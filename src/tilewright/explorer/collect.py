"""The data of a page about one kernel: its stages and passes, and the findings of a checked run."""

from __future__ import annotations

import time
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from tilewright.dialects.cuda_tile.attributes import function_name
from tilewright.dialects.cuda_tile.ops.control import EntryOp
from tilewright.driver.compile import compile
from tilewright.driver.launch import kernels
from tilewright.driver.options import check_names
from tilewright.driver.repeatable import MOST_BYTES, ArgumentCopies, LaunchedKernel, array_of, copied
from tilewright.driver.sources import Source
from tilewright.driver.stages import CompileOptions
from tilewright.driver.target import target as find_target
from tilewright.explorer import passes, reproducer, roofline, schema, stages as explorer_stages, timeline
from tilewright.explorer.accesses import AccessMaps
from tilewright.explorer.places import SourcePositions
from tilewright.interp import launch as interp_launch, values
from tilewright.ir.block import Block
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError, Severity, render
from tilewright.ir.text.hooks import PrintOptions
from tilewright.ptxsim import running, trace as ptxsim_trace
from tilewright.targets.nvptx.simulated import SimulatedKernel

_CHECKS = "all"
_MOST_STEPS = 200_000
"""The maximum number of operations that the interpreter executes for the access maps of a kernel."""


@dataclass(slots=True)
class KernelOutcome:
    """The outcome of running a kernel: its name, grid and arguments, its `findings`, the accesses to arrays,
    `costs`, the work of each line, times in milliseconds, the timeline, the position in the roofline, a
    program that repeats the launch (`reproducer`), and the exception that it `raised`, or None. All fields
    are empty for a kernel that was not launched.
    """

    name: str = ""
    """The name of the kernel in the program."""
    grid: list[int] = field(default_factory=list[int])
    arguments: list[schema.Argument] = field(default_factory=list[schema.Argument])
    findings: list[schema.Finding] = field(default_factory=list[schema.Finding])
    arrays: list[schema.ArrayMap] = field(default_factory=list[schema.ArrayMap])
    costs: list[schema.Cost] = field(default_factory=list[schema.Cost])
    milliseconds: dict[str, float] = field(default_factory=dict[str, float])
    raised: DiagnosticError | None = None
    work: list[schema.LineWork] = field(default_factory=list[schema.LineWork])
    timeline: schema.Timeline = field(default_factory=schema.Timeline)
    roofline: schema.Roofline = field(default_factory=schema.Roofline)
    reproducer: str = ""


def kernel(
    source: Source, name: str, target: str, places: SourcePositions, outcome: KernelOutcome
) -> schema.Kernel:
    """Return all data of a kernel: its stages and passes for a target, and the outcome of its run.

    ``name`` is the name of the kernel or of its file. It is used if neither the outcome nor the module names
    a kernel.
    """
    artifact = compile(source, target=target, options=CompileOptions(debug_info=True))
    recorder = passes.PassRecorder()
    artifact.instrumentations.append(recorder)
    stages = explorer_stages.stages_of(artifact, places)
    seconds = {step: round(1000 * took, 3) for step, took in artifact.timings.items()}
    return schema.Kernel(
        name=outcome.name or artifact.entry or name,
        target=str(artifact.target),
        grid=outcome.grid,
        arguments=outcome.arguments,
        stages=stages,
        passes=recorder.runs,
        findings=[*outcome.findings, *(finding(found, places) for found in artifact.diagnostics)],
        arrays=outcome.arrays,
        costs=outcome.costs,
        milliseconds={**seconds, **outcome.milliseconds},
        work=outcome.work,
        timeline=outcome.timeline,
        roofline=outcome.roofline,
        reproducer=outcome.reproducer,
    )


def arguments_in_words(launched: LaunchedKernel) -> list[schema.Argument]:
    """Return the arguments of a launch: names where they are known, types and extents of arrays, numbers."""
    return [
        schema.Argument(launched.name_of(value, number), _in_words(value))
        for number, value in enumerate(launched.arguments)
    ]


def _in_words(value: Any) -> str:
    array = array_of(value)
    if array is None:
        return str(getattr(value, "value", value))
    return f"{array.dtype}[{', '.join(map(str, array.shape))}]"


def finding(found: Diagnostic, places: SourcePositions) -> schema.Finding:
    """Return a diagnostic as the finding that a page shows. `places` numbers its source position, which is
    added to the page if it is new.
    """
    code = "" if found.code is None else str(found.code)
    place, hints = places.of(found.location), list(found.hints)
    return schema.Finding(code, found.severity.name.lower(), found.message, render(found), place, hints)


def run(
    launched: LaunchedKernel,
    target: str,
    places: SourcePositions,
    command: str,
    say: Callable[[str, str], object] = lambda name, step: None,
) -> KernelOutcome:
    """Run a kernel as a program launches it, under all checks, and return the outcome: findings, accesses,
    costs, times, and a program that repeats the launch, in which `command` is named.

    An exception of the launch is in the outcome: the caller, which runs the program, decides whether to raise
    it. ``say`` is called with the name of the kernel and each step.
    """
    entry = _entry(launched)
    name = function_name(entry.location, launched.entry)
    say(name, "interpreting it for the map of its accesses")
    outcome = KernelOutcome(name, list(launched.grid), arguments_in_words(launched))
    counted = interpreted(launched, places)
    outcome.arrays = counted.arrays
    before = ArgumentCopies(launched)
    outcome.reproducer = _reproducer(launched, entry, outcome.arguments, target, places, command)
    trace = ptxsim_trace.Trace()
    say(name, "running it under all checks")
    begin = time.perf_counter()
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            report = _launched(launched, target, trace)
        except DiagnosticError as error:
            outcome.findings += [finding(found, places) for found in error.diagnostics]
            outcome.raised, report = error, None
    outcome.milliseconds["launch"] = round(1000 * (time.perf_counter() - begin), 3)
    outcome.findings += [_warning(message, places) for message in warned]
    outcome.costs += _costs(report, places)
    outcome.work += timeline.work_of(report, places) if isinstance(report, running.SimulationReport) else []
    outcome.timeline = _timeline(launched, target, outcome, before, trace, places)
    outcome.roofline = counted.position(outcome.timeline)
    return outcome


def _launched(launched: LaunchedKernel, target: str, trace: ptxsim_trace.Trace) -> object:
    """Make the launch under all checks, and return the report of the target; in the simulator ``trace``
    records when each warp runs. Raises `DiagnosticError` if the launch fails.
    """
    kernel = kernels(launched.bytecode, check_names(_CHECKS), find_target(target)).kernel(launched.entry)
    arguments = launched.grid, launched.arguments
    if isinstance(kernel, SimulatedKernel):
        return kernel.traced(trace, *arguments, launched.memory)
    return kernel.launch(*arguments, None, launched.memory)


def _timeline(
    launched: LaunchedKernel,
    target: str,
    outcome: KernelOutcome,
    before: ArgumentCopies,
    trace: ptxsim_trace.Trace,
    places: SourcePositions,
) -> schema.Timeline:
    """Return the timeline of a launch: when each tile block ran. If `trace` has spans, it has the times of
    the checked launch in the simulator; on the CPU the launch is repeated without checks on the copies in
    `before`, unless it cannot be repeated or the checks stopped it (`outcome`). Otherwise the timeline says
    why there are no times.
    """
    if trace.spans:
        return timeline.of_trace(trace, places)
    reason = before.reason
    if target != "cpu":
        reason = "Times are recorded on the CPU, and in the simulator."
    if outcome.raised is not None:
        reason = "The checks stopped the launch, so it was not repeated without them."
    if reason:
        return schema.Timeline(about=reason)
    return timeline.of_cpu(launched.bytecode, launched.entry, launched.grid, before.arguments)


def _entry(launched: LaunchedKernel) -> EntryOp:
    """Return the operation of the launched kernel, ``entry``, in Tile IR."""
    module = compile(launched.bytecode).module("tileir")
    return next(op for op in module.walk() if isinstance(op, EntryOp) and op.sym_name == launched.entry)


def _reproducer(
    launched: LaunchedKernel,
    entry: EntryOp,
    arguments: Sequence[schema.Argument],
    target: str,
    places: SourcePositions,
    command: str,
) -> str:
    """Return a program that repeats the launch, with the Tile IR of its kernel `entry`, `arguments` as
    descriptions of the arguments, and `command` in a comment. Return an empty text if the launch cannot be
    repeated: some of its memory is unknown, or its arrays are too large for copies.
    """
    if ArgumentCopies(launched).reason:
        return ""
    source = places.text_around(entry.location)
    kernel = launched.entry, launched.grid
    written = PrintOptions(debug_info=True, names_from_locations=True)
    assert entry.parent_op is not None, "entries are in modules"
    return reproducer.text_of(
        entry.parent_op.print(written),
        kernel,
        launched.arguments,
        arguments,
        target=target,
        command=command,
        source=source,
    )


def _warning(warned: warnings.WarningMessage, places: SourcePositions) -> schema.Finding:
    text = str(warned.message)
    place = places.at(warned.filename, warned.lineno, 1)
    return schema.Finding(warned.category.__name__, Severity.WARNING.name.lower(), text, text, place)


def _costs(report: Any, places: SourcePositions) -> list[schema.Cost]:
    """Return the simulator's counts of accesses for each line; an empty list for other targets."""
    return [
        schema.Cost(places.of(line.place), line.space, line.requests, line.cost, line.least)
        for line in getattr(report, "lines", ())
    ]


@dataclass(frozen=True, slots=True)
class InterpretedFigures:
    """Figures of an interpreted run: the accesses to arrays, operations on numbers, and bytes that must be
    moved, which are the elements that are read plus the elements that are written. Unless ``is_whole``, the
    figures cover a part of the run.
    """

    arrays: list[schema.ArrayMap] = field(default_factory=list[schema.ArrayMap])
    operations: int = 0
    bytes: int = 0
    is_whole: bool = False
    """Whether the run came to its end."""

    def position(self, timeline: schema.Timeline) -> schema.Roofline:
        """Return the position of the launch in the roofline of the machine; only a reason if the interpreted
        run did not come to its end.
        """
        if not self.is_whole:
            return schema.Roofline(
                about="Operations were not counted: the interpreted run did not come to its end."
            )
        return roofline.of_launch(self.operations, self.bytes, timeline)


def interpreted(launched: LaunchedKernel, places: SourcePositions) -> InterpretedFigures:
    """Return the elements that each tile block touches, and the amount of computation, of an interpreted run.

    The run is made on copies of the arrays. It ends early for a launch that takes long, and at the first
    error of the kernel. A launch without arrays, or with more than `MOST_BYTES` bytes of them, is not run,
    and its figures are empty.
    """
    arrays = {id(array): array for array in map(array_of, launched.arguments) if array is not None}
    if not arrays or sum(array.nbytes for array in arrays.values()) > MOST_BYTES:
        return InterpretedFigures()
    copies = {number: copied(array) for number, array in arrays.items()}
    named = enumerate(arrays.values())
    watched = [(launched.name_of(array, at), copies[id(array)]) for at, array in named]
    maps = AccessMaps(watched, places)
    arguments = [copies.get(id(value), value) for value in launched.arguments]
    options = values.InterpretOptions(memcheck=True, max_steps=_MOST_STEPS, accesses_only=True)
    module = interp_launch.LoadedModule(compile(launched.bytecode).module("tileir"))
    entered: Counter[Block] = Counter()
    whole = False
    with suppress(DiagnosticError):  # the run on the target reports it, with all checks; the map ends there
        module.begin(
            *(launched.entry, launched.grid, arguments, options),
            stdout=interp_launch.SilentSink(),
            watchers=[maps],
            entered=entered,
        ).run()
        whole = True
    return InterpretedFigures(
        maps.maps(is_whole=whole), roofline.operations(entered), maps.least_bytes, whole
    )
