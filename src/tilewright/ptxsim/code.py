"""Functions in the form that is executed: numbered registers and steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tilewright.ptx.model import LocDirective, PtxFunction, PtxInstruction

Run = Callable[[Any], None]
"""The function of an instruction; it changes a `frame.State`."""


@dataclass(slots=True)
class SimulatedStep:
    """An instruction and its function. `control` names an operation that only the block executes, with
    parameters in `detail`.
    """

    instruction: PtxInstruction
    line: LocDirective | None
    guard: int | None = None
    negated: bool = False
    run: Run | None = None
    control: str = ""
    detail: Any = None
    number: int = 0
    """Its number among the steps of a launch, from 1."""
    threads: int = 0
    """The number of threads that have executed it, summed over all executions."""
    whole: Run | None = None
    """The function of a control that waits for other threads only, for when all threads of the block are
    there.
    """
    joinable: Any = None
    """Parameters for computing it together with neighbouring products, or `None`."""


@dataclass(slots=True)
class FunctionCode:
    """A function: the width of each register in bits, its steps, and the size of an activation's local memory
    in bytes.
    """

    function: PtxFunction
    registers: list[int] = field(default_factory=list[int])
    steps: list[SimulatedStep] = field(default_factory=list[SimulatedStep])
    local_bytes: int = 0
    locals: dict[int, int] = field(default_factory=dict[int, int])
    """The offsets of `.local` and `.param` variables in an activation's local memory, by identity."""
    named: dict[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])
    """The registers of parameters and results that are in registers."""
    caches: list[dict[Any, Any]] = field(default_factory=list[dict[Any, Any]])
    """The caches of its instructions, which are cleared after a launch."""
