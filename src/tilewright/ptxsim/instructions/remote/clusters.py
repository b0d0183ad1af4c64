"""Clusters: addresses in the shared memory of other blocks, and the barrier of the cluster."""

from __future__ import annotations

import numpy as np

from tilewright.ptxsim import code as ptxsim_code, codes, faults, instruction_state, program
from tilewright.ptxsim.instructions.rules import rule
from tilewright.ptxsim.layout import RANK

_OFFSET = (1 << RANK) - 1
_RANKS = 0xFF << RANK


@rule("mapa")
def mapa(site: program.InstructionSite, step: ptxsim_code.SimulatedStep) -> ptxsim_code.Run:
    """Return the function that computes the address of the same variable in the block of the cluster with the
    rank `b`. It raises `Fault` for a rank beyond the cluster.
    """
    name = site.modifier("type")
    (read, slots), (ranks, more), write = site.read("a", name), site.read("b", "u32"), site.write()

    def run(c: instruction_state.InstructionState) -> None:
        c.defined(more, "the rank of a block")
        rank = c.spread(ranks(c))
        if (rank >= len(c.block.peers)).any():
            raise faults.Fault(
                codes.OUT_OF_BOUNDS, f"rank {int(rank.max())} in a cluster of {len(c.block.peers)} blocks"
            )
        address = c.spread(read(c))
        kind = address.dtype.type
        write(c, (address & ~kind(_RANKS)) | (rank.astype(kind) + kind(1)) << kind(RANK), c.undefined(slots))

    return run


@rule("getctarank")
def getctarank(site: program.InstructionSite, step: ptxsim_code.SimulatedStep) -> ptxsim_code.Run:
    """Return the function that computes the rank of the block that owns a shared memory address."""
    (read, slots), write = site.read("a", site.modifier("type")), site.write()

    def run(c: instruction_state.InstructionState) -> None:
        ranks = c.spread(read(c)).astype(np.uint64) >> np.uint64(RANK) & np.uint64(0xFF)
        own = np.where(ranks == 0, np.uint64(c.block.rank + 1), ranks)
        write(c, (own - np.uint64(1)).astype(np.uint32), c.undefined(slots))

    return run


@rule("barrier.cluster.arrive")
def cluster_arrive(site: program.InstructionSite, step: ptxsim_code.SimulatedStep) -> None:
    """Let `step` arrive at the barrier of the cluster."""
    step.control = "cluster_arrive"


@rule("barrier.cluster.wait")
def cluster_wait(site: program.InstructionSite, step: ptxsim_code.SimulatedStep) -> None:
    """Let `step` wait at the barrier of the cluster."""
    step.control = "cluster_wait"
