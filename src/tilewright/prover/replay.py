"""Arguments from solutions of the solver, and their trial in the interpreter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from tilewright.dialects.cuda_tile.ops.control import EntryOp
from tilewright.dialects.cuda_tile.types import TileType
from tilewright.interp import values
from tilewright.interp.launch import LoadedModule
from tilewright.interp.memory.access_messages import NamedArray
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError
from tilewright.prover.solver import SolverEffort, Term, example, names_in, z3
from tilewright.prover.symbols import LaunchSymbols, array_of

_MOST_STEPS = 10_000
"""The maximum number of operations of a trial."""
_MOST_BYTES = 1 << 26
"""The maximum number of bytes of the arrays of a trial."""
_MOST_BLOCKS = 4096
_EFFORT_OF_STEP = 4
"""The effort of an operation on a small tile in a trial, in z3's unit."""
_ELEMENTS_OF_EFFORT, _BYTES_OF_EFFORT = 200, 10_000
"""The elements of a tile that take an effort of 1 in an operation, and the bytes of an array in its making."""


@dataclass(frozen=True, slots=True)
class LaunchAttempt:
    """A launch that is expected to fail. ``memory`` names the arrays of ``arguments``; ``words`` are the
    grid, the arrays and the numbers as texts for messages.
    """

    grid: tuple[int, int, int]
    arguments: list[Any]
    memory: list[NamedArray]
    words: tuple[str, ...]


class Silence:
    """A sink for what kernels print in trials."""

    def write(self, text: str) -> None:
        """Discard the text that a kernel prints in a trial."""


def attempts(
    symbols: LaunchSymbols, statements: Sequence[Term], effort: SolverEffort
) -> Iterator[LaunchAttempt]:
    """Yield up to three launches that meet `statements`: with arguments up to about the largest observed
    ones, with the arguments of the first launch, and with arguments up to about four times the largest ones.
    Numbers may wrap around in the second launch only. Launches that the solver does not find, and launches
    that are too large to be tried, are left out. ``effort`` is the budget of the solver.
    """
    turns = [z3.Int(name) == 0 for name in sorted(names_in(statements)) if name.startswith("turns")]
    as_launched = [symbols.terms[name] == values[0] for name, values in symbols.observed.items()]
    for limits in (
        [*turns, *_limits(symbols, 1)],
        as_launched,
        [*turns, *_limits(symbols, 4)],
    ):
        model = None if effort.is_spent else example([*statements, *limits], effort)
        found = None if model is None else _attempt(symbols, model)
        if found is not None:
            yield found


def _limits(symbols: LaunchSymbols, factor: int) -> list[Term]:
    """Return the statements that each variable is at most about `factor` times its largest value in the
    launches.
    """
    return [
        symbols.terms[name] <= factor * max(1, *observed) + factor - 1
        for name, observed in symbols.observed.items()
    ]


def _attempt(symbols: LaunchSymbols, model: Any) -> LaunchAttempt | None:
    def number(term: Term) -> int:
        return model.eval(term, model_completion=True).as_long()

    launch = symbols.launches[0]
    x, y, z = (number(extent) for extent in symbols.grid)
    if x * y * z > _MOST_BLOCKS:
        return None
    arguments = [_copy(value) for value in launch.arguments]
    for at, term in symbols.numbers.items():
        arguments[at] = number(term)
    named: list[NamedArray] = []
    words = [f"grid ({x}, {y}, {z})"]
    for at, array in symbols.arrays.items():
        shape, strides = [number(one) for one in array.shape], [number(one) for one in array.strides]
        made = _array(array_of(launch.arguments[at]), shape, strides)
        if made is None:
            return None
        arguments[at] = made
        named.append(NamedArray(array.name, made))
        words.append(f"{array.name}: {made.dtype}[{', '.join(map(str, shape))}]")
    plain = [term for at, term in symbols.numbers.items() if at not in symbols.described]
    words += [f"{term} = {number(term)}" for term in plain]
    return LaunchAttempt((x, y, z), arguments, named, tuple(words))


def _copy(value: Any) -> Any:
    array = array_of(value)
    return value if array is None else array.copy()


def _array(like: Any, shape: Sequence[int], strides: Sequence[int]) -> Any:
    """Return an array with the extents `shape` and `strides` in elements, filled with the elements of `like`,
    repeated. Return None if it is larger than `_MOST_BYTES`, empty, or has a negative stride.
    """
    span = 1 + sum((extent - 1) * stride for extent, stride in zip(shape, strides, strict=True))
    if span * like.itemsize > _MOST_BYTES or min(shape, default=1) < 1 or min(strides, default=1) < 0:
        return None
    memory = np.resize(np.asarray(like).ravel(), span)
    steps = [stride * like.itemsize for stride in strides]
    return np.lib.stride_tricks.as_strided(memory, tuple(shape), steps)


def run(
    entry: EntryOp, loaded: LoadedModule, attempt: LaunchAttempt, effort: SolverEffort, *, races: bool
) -> list[Diagnostic]:
    """Return the diagnostics that end a launch of the kernel `entry` in the interpreter under memcheck, and with
    ``races`` under racecheck; an empty list if the launch ends without one. Values that decide neither an access
    nor control flow are not computed. A launch of more operations than `_MOST_STEPS`, or than ``effort`` allows,
    ends with a diagnostic, too.
    """
    cost = _effort_of_step(entry)
    effort.spend(sum(one.array.nbytes for one in attempt.memory) // _BYTES_OF_EFFORT)
    most = min(_MOST_STEPS, max(0, effort.left // cost))
    options = values.InterpretOptions(memcheck=True, racecheck=races, max_steps=most, accesses_only=True)
    launch = loaded.begin(entry.sym_name, attempt.grid, attempt.arguments, options, Silence(), attempt.memory)
    try:
        launch.run()
    except DiagnosticError as error:
        return list(error.diagnostics)
    finally:
        effort.spend(launch.steps * cost)
    return []


def _effort_of_step(entry: EntryOp) -> int:
    """Return the effort of an operation of a kernel in a trial, in z3's unit; it grows with the largest
    tile.
    """
    shapes = (one.type.shape for op in entry.walk() for one in op.results if isinstance(one.type, TileType))
    return _EFFORT_OF_STEP + max(map(prod, shapes), default=0) // _ELEMENTS_OF_EFFORT
