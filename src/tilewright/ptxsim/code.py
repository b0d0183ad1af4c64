"""Functions as they run: numbered registers and steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tilewright.ptx.model import Function, Instruction, Location

Run = Callable[[Any], None]
"""What an instruction does to a `frame.State`."""


@dataclass(slots=True)
class Step:
    """An instruction with what it does; ``control`` names what only the block can do, with its particulars in ``detail``."""

    instruction: Instruction
    line: Location | None
    guard: int | None = None
    negated: bool = False
    run: Run | None = None
    control: str = ""
    detail: Any = None
    number: int = 0
    """Its number among the steps of a launch, from 1."""
    threads: int = 0
    """How often threads have executed it."""
    whole: Run | None = None
    """What a control does that only waits for other threads, if all of the block are there."""
    together: Any = None
    """How it may be computed with its neighbours."""


@dataclass(slots=True)
class Code:
    """A function: the widths of its registers, its steps, and the local memory of an activation."""

    function: Function
    registers: list[int] = field(default_factory=list[int])
    steps: list[Step] = field(default_factory=list[Step])
    local_bytes: int = 0
    locals: dict[int, int] = field(default_factory=dict[int, int])
    """Places of ``.local`` and ``.param`` variables within an activation's local memory, by identity."""
    named: dict[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])
    """Numbers of parameters and results that are registers."""
