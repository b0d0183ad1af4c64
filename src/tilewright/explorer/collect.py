"""What a page says of one kernel: its stages and passes, and what a checked run of it found."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from tilewright.driver.compile import compile
from tilewright.driver.sources import Source
from tilewright.driver.stages import CompileOptions
from tilewright.explorer.accesses import AccessMaps
from tilewright.explorer.passes import PassRecorder
from tilewright.explorer.places import Places
from tilewright.explorer.schema import Argument, ArrayMap, Cost, Finding, Kernel
from tilewright.explorer.stages import stages_of
from tilewright.interp.launch import LoadedModule
from tilewright.interp.memory.words import NamedArray
from tilewright.interp.options import InterpretOptions
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError, Severity, render

_MOST_STEPS = 200_000
"""Operations that the interpreter executes for the access maps of a kernel."""
_MOST_BYTES = 1 << 26
"""Bytes of all arrays of a launch whose accesses are mapped: the interpreter works on copies."""


@dataclass(frozen=True, slots=True)
class Launched:
    """A launch: what `tilewright.launch` is called with, and Triton's IR of the kernel, if it has one."""

    bytecode: bytes
    entry: str
    grid: tuple[int, int, int]
    arguments: Sequence[Any]
    memory: Sequence[Any] = ()
    ttir: str = ""

    def name_of(self, value: object, number: int) -> str:
        """What the program calls the array that an argument is, or else the number of the argument."""
        named = (one for one in self.memory if isinstance(one, NamedArray))
        return next((one.name for one in named if one.array is value), f"argument {number}")


@dataclass(slots=True)
class Outcome:
    """What running a kernel gave; nothing for a kernel that was not launched."""

    grid: list[int] = field(default_factory=list[int])
    arguments: list[Argument] = field(default_factory=list[Argument])
    findings: list[Finding] = field(default_factory=list[Finding])
    arrays: list[ArrayMap] = field(default_factory=list[ArrayMap])
    costs: list[Cost] = field(default_factory=list[Cost])
    milliseconds: dict[str, float] = field(default_factory=dict[str, float])
    raised: DiagnosticError | None = None


def kernel(source: Source, name: str, target: str, places: Places, outcome: Outcome) -> Kernel:
    """Everything about a kernel: what it becomes for a target, and the outcome of its run.

    ``name`` is that of the kernel, or of its file; the module may know better.
    """
    artifact = compile(source, target=target, options=CompileOptions(debug_info=True))
    recorder = PassRecorder()
    artifact.instrumentations.append(recorder)
    stages = stages_of(artifact, places)
    seconds = {step: round(1000 * took, 3) for step, took in artifact.timings.items()}
    return Kernel(
        name=artifact.entry or name,
        target=str(artifact.target),
        grid=outcome.grid,
        arguments=outcome.arguments,
        stages=stages,
        passes=recorder.runs,
        findings=[*outcome.findings, *(finding(found, places) for found in artifact.diagnostics)],
        arrays=outcome.arrays,
        costs=outcome.costs,
        milliseconds={**seconds, **outcome.milliseconds},
    )


def arguments_in_words(launched: Launched) -> list[Argument]:
    """The arguments of a launch: names where they are known, types and extents of arrays, numbers."""
    return [
        Argument(launched.name_of(value, number), _in_words(value))
        for number, value in enumerate(launched.arguments)
    ]


def _in_words(value: Any) -> str:
    array = _array(value)
    if array is None:
        return str(getattr(value, "value", value))
    return f"{array.dtype}[{', '.join(map(str, array.shape))}]"


def _array(value: object) -> npt.NDArray[Any] | None:
    """An argument if it is an array."""
    return cast("npt.NDArray[Any]", value) if isinstance(value, np.ndarray) else None


def finding(found: Diagnostic, places: Places) -> Finding:
    """A diagnostic as a page shows it."""
    code = "" if found.code is None else str(found.code)
    return Finding(code, found.severity.name.lower(), found.message, render(found), places.of(found.location))


def run(launched: Launched, places: Places, engine: Callable[[], object]) -> Outcome:
    """Run a kernel, of which ``engine`` makes the launch, and keep what the checks report and which memory it touches.

    What the launch raises is in the outcome: whoever runs the program decides what to do about it.
    """
    outcome = Outcome(list(launched.grid), arguments_in_words(launched), arrays=access_maps(launched, places))
    begin = time.perf_counter()
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            report = engine()
        except DiagnosticError as error:
            outcome.findings += [finding(found, places) for found in error.diagnostics]
            outcome.raised, report = error, None
    outcome.milliseconds["launch"] = round(1000 * (time.perf_counter() - begin), 3)
    outcome.findings += [_warning(message, places) for message in warned]
    outcome.costs += _costs(report, places)
    return outcome


def _warning(warned: warnings.WarningMessage, places: Places) -> Finding:
    text = str(warned.message)
    place = places.at(warned.filename, warned.lineno, 1)
    return Finding(warned.category.__name__, Severity.WARNING.name.lower(), text, text, place)


def _costs(report: Any, places: Places) -> list[Cost]:
    """What the simulator counted line by line; nothing for other targets."""
    return [
        Cost(places.of(line.place), line.space, line.requests, line.cost, line.least)
        for line in getattr(report, "lines", ())
    ]


def access_maps(launched: Launched, places: Places) -> list[ArrayMap]:
    """Which tile block touches which elements, by an interpreted run on copies of the arrays.

    The run ends early for a launch that takes long, and at the first thing that a kernel must not do.
    """
    arrays = {id(array): array for array in map(_array, launched.arguments) if array is not None}
    if not arrays or sum(array.nbytes for array in arrays.values()) > _MOST_BYTES:
        return []
    copies = {number: copied(array) for number, array in arrays.items()}
    named = enumerate(arrays.values())
    watched = [(launched.name_of(array, at), copies[id(array)]) for at, array in named]
    maps = AccessMaps(watched, places)
    arguments = [copies.get(id(value), value) for value in launched.arguments]
    options = InterpretOptions(memcheck=True, max_steps=_MOST_STEPS)
    module = LoadedModule(compile(launched.bytecode).module("tileir"))
    with suppress(DiagnosticError):  # the run on the target reports it, with all checks; the map ends there
        module.launch(launched.entry, launched.grid, arguments, options, stdout=_Nobody(), watchers=[maps])
    return maps.maps()


def copied(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A copy with the same strides, which kernels get as arguments of their own."""
    low, high = np.lib.array_utils.byte_bounds(array)
    data = np.empty(high - low, np.uint8)
    offset = int(array.__array_interface__["data"][0]) - low
    copy = np.ndarray(array.shape, array.dtype, data.data, offset, array.strides)
    copy[...] = array
    return copy


class _Nobody:
    """Takes what the interpreted run prints: the launch itself prints it, too."""

    def write(self, text: str, /) -> None:
        """Drop text."""
