"""Functions in the form that is executed: numbered registers and steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tilewright.ptx.model import LocDirective, PtxFunction, PtxInstruction

Run = Callable[[Any], None]
"""The function of an instruction; it changes an `InstructionState`."""


@dataclass(slots=True)
class SimulatedStep:
    """An instruction with the function `run` that executes it. Instead of a function, a step may have the
    name `control` of an operation that the block executes (`SimulatedBlock._do_bra` for ``bra``), with
    parameters in `detail`; ``whole`` then replaces it if all threads of the block are here.

    `guard` is the index of the predicate register, None without a guard; with `negated` the threads execute
    in which the predicate is false. `line` is the last `.loc` before the instruction. ``number`` counts the
    steps of a kernel from 1, ``threads`` the threads that have executed this one.
    """

    instruction: PtxInstruction
    line: LocDirective | None
    guard: int | None = None
    negated: bool = False
    run: Run | None = None
    control: str = ""
    detail: Any = None
    number: int = 0
    """The number of this step in its kernel, from 1."""
    threads: int = 0
    """The number of threads that have executed the instruction, summed over all executions."""
    whole: Run | None = None
    """A function that is called instead of `control` if all threads of the block are at the instruction; only
    for controls that wait for other threads and do nothing else.
    """
    joinable: Any = None
    """The data of a matrix product that may be computed together with neighbouring products
    (`JoinableProduct`), or `None`.
    """


@dataclass(slots=True)
class FunctionCode:
    """A function: the width of each register in bits, its steps, and the size of an activation's local memory
    in bytes. ``locals`` has the offsets of variables in this memory by their identity (`id`), ``named`` the
    indices of the registers of parameters and results by name.
    """

    function: PtxFunction
    registers: list[int] = field(default_factory=list[int])
    steps: list[SimulatedStep] = field(default_factory=list[SimulatedStep])
    local_bytes: int = 0
    locals: dict[int, int] = field(default_factory=dict[int, int])
    """The offsets of `.local` and `.param` variables in an activation's local memory, by identity."""
    named: dict[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])
    """The indices of the registers of each parameter and result that is in registers, by name."""
    caches: list[dict[Any, Any]] = field(default_factory=list[dict[Any, Any]])
    """The caches of its instructions, which are cleared after a launch."""
