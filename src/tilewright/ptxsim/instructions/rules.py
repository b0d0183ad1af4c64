"""The registration of rules, and the rule of instructions that work on each thread alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tilewright.ptx.table.instructions import by_name
from tilewright.ptxsim import codes, faults, instruction_state, program
from tilewright.ptxsim.code import Run, SimulatedStep
from tilewright.ptxsim.values import Array, Compute

Rule = Callable[[program.InstructionSite, SimulatedStep], Run | None]
"""A function that returns the function of an instruction. `None` means that the rule has set a control of the
block in the step.
"""
RULES: dict[str, Rule] = {}
"""Every rule by the name of its instruction."""


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Return a decorator that registers a rule for the instructions `names` in `RULES`. Each name must be in
    the table of instructions, and have no rule yet.
    """

    def register(function: Rule) -> Rule:
        for name in names:
            assert name in by_name(), name
            assert name not in RULES, name
            RULES[name] = function
        return function

    return register


def refuse(site: program.InstructionSite, reason: str = "") -> faults.Fault:
    """Return (do not raise) the fault of a form that a rule does not support, with the reason."""
    return faults.Fault(
        codes.NOT_SIMULATED,
        f"'{site.instruction.spelling}' is not simulated" + (f": {reason}" if reason else ""),
    )


def aligned(site: program.InstructionSite, step: SimulatedStep, run: Run, warps: int = 1) -> None:
    """Set the control of `step` so that it calls `run` once all threads of a warp, or of `warps` warps, have
    arrived: the instruction is `.aligned`. If only a part of them executes it, the step raises `Fault`.
    """

    def complete(c: instruction_state.InstructionState) -> None:
        if c.lanes is None and not c.block.threads % (32 * warps):
            run(c)
            return
        numbers = c.numbers()
        first = numbers[:: 32 * warps]
        if len(numbers) % (32 * warps) or (numbers != (first[:, None] + np.arange(32 * warps)).ravel()).any():
            raise faults.Fault(
                codes.NOT_ALIGNED, f"'{site.instruction.spelling}' is executed by a part of {_WARPS[warps]}"
            )
        run(c)

    step.control, step.detail, step.whole = "sync", (complete, _everybody, warps), complete


def _everybody(c: instruction_state.InstructionState) -> Any:
    """Return the mask of all lanes."""
    return np.uint32(0xFFFFFFFF)


_WARPS = {1: "a warp", 4: "a group of four warps"}


def each(
    site: program.InstructionSite, function: Compute | Callable[..., Array], *sources: str, to: str = "d"
) -> Run:
    """Return the function of an instruction that works on each thread alone: it writes `function` of the
    operands `sources` to the operand `to`. Optional operands that are left out are not passed. The result is
    undefined where an operand is.
    """
    compute: Any = function
    reads = [site.read(name) for name in sources if site.operand(name) is not None]
    slots = tuple(slot for _, used in reads for slot in used)
    write = site.write(to)
    if len(reads) == 1:
        ((only, _),) = reads
        return lambda c: write(c, compute(only(c)), c.undefined(slots))
    if len(reads) == 2:
        (left, _), (right, _) = reads
        return lambda c: write(c, compute(left(c), right(c)), c.undefined(slots))

    def run(c: instruction_state.InstructionState) -> None:
        values: list[Any] = [read(c) for read, _ in reads]
        write(c, compute(*values), c.undefined(slots))

    return run
