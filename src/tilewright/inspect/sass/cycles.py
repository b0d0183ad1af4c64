"""Static cycles: the time of one warp for a stretch of instructions, by the assembler's scheduling bits.

Two numbers. *Issue cycles* add up the stalls (at least one cycle for an instruction): nothing can make one warp
faster. *Replayed cycles* also wait: an instruction that waits for barriers issues when all instructions that release
them have ended: results `LATENCY` of the unit after the issue, operands that were read `READ_LATENCY` after it. The
stretch is repeated until its time is constant.

Left out: other warps, which fill the gaps; units that are busy; misses of caches and conflicts of banks; waits inside of
instructions (barriers of a block, `mbarrier`, groups of asynchronous copies, `wgmma`), which stand in no bits.  So the
numbers compare two codes of one kernel for one architecture; they predict no time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilewright.inspect.sass.model import BARRIERS, Control, SassInstruction
from tilewright.inspect.sass.units import Unit, unit_of

LATENCY: dict[Unit, int] = {Unit.GLOBAL: 263, Unit.LOCAL: 41, Unit.SHARED: 29}
"""Cycles from issue to result: a hit in L2, a hit in L1, shared memory (H800; Luo et al., arXiv:2402.13499)."""
OTHER_LATENCY = 20
"""The assumed latency of other instructions that release a barrier: special functions, conversions, double
precision, constants.
"""
READ_LATENCY = 20
"""The assumed latency of releasing a barrier after reading operands: stores, and loads with a pending
address.
"""
ROUNDS = 4
"""The number of repetitions after which the time of a stretch is constant: it waits at most one repetition back."""


@dataclass(frozen=True, slots=True)
class Cycles:
    """The static cycles of one warp for one iteration: ``issue`` adds up the stalls, ``replayed`` also waits
    for barriers, with assumed latencies.

    ``waits`` is the number of instructions that wait for a barrier.
    """

    issue: int
    replayed: int
    waits: int


def cycles_of(instructions: Sequence[SassInstruction]) -> Cycles | None:
    """Return the cycles of one iteration of `instructions` in a loop, in the order in which they are given.
    Return None if an instruction has no control bits.
    """
    steps = [(one.control, LATENCY.get(unit_of(one.opcode), OTHER_LATENCY)) for one in instructions]
    controls = [(control, latency) for control, latency in steps if control is not None]
    if len(controls) < len(steps):
        return None
    issue = sum(max(control.stall, 1) for control, _ in controls)
    waits = sum(bool(control.waits) for control, _ in controls)
    return Cycles(issue, _replayed(controls), waits)


def _replayed(controls: Sequence[tuple[Control, int]]) -> int:
    """Return the cycles of the last of `ROUNDS` iterations, given the control bits and the latency of each
    instruction.
    """
    now, start = 0, 0
    free = [0] * BARRIERS
    for _ in range(ROUNDS):
        start = now
        for control, latency in controls:
            issued = max([now, *(free[barrier] for barrier in control.waits)])
            for barrier, after in ((control.write_barrier, latency), (control.read_barrier, READ_LATENCY)):
                if barrier is not None and barrier < BARRIERS:
                    free[barrier] = max(free[barrier], issued + after)
            now = issued + max(control.stall, 1)
    return now - start
