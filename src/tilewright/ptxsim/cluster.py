"""Blocks that run together: their barrier, and whose turn it is."""

from __future__ import annotations

from typing import Any

from tilewright.ptxsim import codes
from tilewright.ptxsim.block import Block, Surroundings
from tilewright.ptxsim.faults import Fault
from tilewright.ptxsim.races.clocks import Clocks, Knowledge

EXPIRIES = 3
"""So often waits that may give up do so for each fragment before nothing can be expected to change."""


class Cluster:
    """The blocks of a cluster, in the order of their ranks."""

    def __init__(self, launch: Surroundings, indices: list[tuple[int, int, int]], number: int = 0) -> None:
        self.blocks: list[Block] = []
        clocks = Clocks(launch.threads * len(indices), number) if launch.strict else None
        for rank, index in enumerate(indices):
            self.blocks.append(Block(launch, index, self.blocks, rank, clocks))
        self.current = self.blocks[0]
        self.expired: Any = None
        self.count = 0

    @property
    def runs(self) -> bool:
        """Whether a thread has not ended."""
        return any(block.fragments for block in self.blocks)

    def run(self, quantum: int) -> int:
        """Execute up to about so many instructions; answers how many are left."""
        while quantum > 0 and self.runs:
            before = quantum
            for block in self.blocks:
                if block.fragments:
                    self.current = block
                    quantum = block.run(quantum)
            self._cross_barrier()
            if quantum == before and not any(block.ready() for block in self.blocks):
                self._give_up()
        return quantum

    def _cross_barrier(self) -> None:
        """End the phase of the cluster's barrier if all threads have come or ended."""
        waiting = [block.cluster_barrier for block in self.blocks]
        there = sum(one.arrived for one in waiting) + sum(block.ended for block in self.blocks)
        if there == sum(block.threads for block in self.blocks) and any(one.arrived for one in waiting):
            total = Knowledge(sum(block.threads for block in self.blocks))
            for one in waiting:
                total.add(one.knowledge)
            for block in self.blocks:
                block.cluster_barrier.published = total
                block.cluster_barrier.knowledge = Knowledge(total.threads)
                block.cluster_barrier.arrived, block.events = 0, block.events + 1
                block.cluster_barrier.phase += 1

    def _give_up(self) -> None:
        """Let waits that are allowed to do so end without success.  Raises `Fault` if nothing changes by that."""
        events = [block.events for block in self.blocks]
        self.count = self.count + 1 if events == self.expired else 0
        self.expired = events
        if self.count <= EXPIRIES * sum(len(block.fragments) for block in self.blocks):
            for block in self.blocks:
                if block.expire():
                    return
        self.current = next(block for block in self.blocks if block.fragments)
        raise self.current.deadlock()

    def finish(self) -> None:
        """End.  Raises `Fault` for asynchronous operations that nobody waited for.

        Blocks know each other; they forget it here, so that their registers and memory go at once, and not when garbage
        is collected, which counts objects and not their bytes.
        """
        for block in self.blocks:
            self.current = block
            block.finish()
        self.blocks.clear()


def ranked(cluster: tuple[int, int, int], base: tuple[int, int, int]) -> list[tuple[int, int, int]]:
    """The indices of the blocks of the cluster whose first block this is."""
    (nx, ny, nz), (x, y, z) = cluster, base
    return [(x + i, y + j, z + k) for k in range(nz) for j in range(ny) for i in range(nx)]


def checked(cluster: tuple[int, int, int], grid: tuple[int, int, int]) -> None:
    """Raise `Fault` unless a GPU takes clusters of this shape."""
    size = cluster[0] * cluster[1] * cluster[2]
    if size > 16:
        raise Fault(codes.BAD_LAUNCH, f"a cluster of {size} blocks; a GPU takes 16")
    if any(extent % one for extent, one in zip(grid, cluster, strict=True)):
        raise Fault(codes.BAD_LAUNCH, f"the grid {grid} is no multiple of the cluster {cluster}")
