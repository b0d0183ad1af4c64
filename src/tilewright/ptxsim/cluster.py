"""Clusters: blocks that run together, their barrier and their scheduling."""

from __future__ import annotations

from typing import Any

from tilewright.ptxsim import codes, faults
from tilewright.ptxsim.block import POLLS, SimulatedBlock
from tilewright.ptxsim.block_state import SharedLaunchState
from tilewright.ptxsim.races.clocks import BarrierClock, ThreadClocks

EXPIRIES = 3
"""The number of times that waits with a time limit give up for each fragment before the launch counts as
deadlocked.
"""


class Cluster:
    """The blocks of a cluster, in the order of their ranks, which `run` executes in turn; `indices` are their
    indices in the grid. `number` identifies the cluster in the race detection; `current` is the block that
    ran last.
    """

    def __init__(
        self, launch: SharedLaunchState, indices: list[tuple[int, int, int]], number: int = 0
    ) -> None:
        self.blocks: list[SimulatedBlock] = []
        clocks = ThreadClocks(launch.threads * len(indices), number) if launch.strict else None
        for rank, index in enumerate(indices):
            self.blocks.append(SimulatedBlock(launch, index, self.blocks, rank, clocks))
        self.current = self.blocks[0]
        self.expired: Any = None
        self.count = 0

    @property
    def runs(self) -> bool:
        """Return whether any thread of the cluster has not ended."""
        return any(block.fragments for block in self.blocks)

    def run(self, quantum: int) -> int:
        """Execute about `quantum` instructions. Return the number that is left, which may be below 0. It is
        positive only if all threads have ended, or if a block has executed `POLLS` ordered loads, so that it
        may be waiting for another cluster. Raises `Fault` for a deadlock.
        """
        while quantum > 0 and self.runs:
            before = quantum
            for block in self.blocks:
                if block.fragments:
                    self.current = block
                    quantum = block.run(quantum)
            self._cross_barrier()
            if quantum == before and not any(block.ready() for block in self.blocks):
                self._give_up()
            if any(block.polls >= POLLS for block in self.blocks if block.fragments):
                break
        return quantum

    def _cross_barrier(self) -> None:
        """End the phase of the cluster's barrier if all threads have arrived or ended."""
        waiting = [block.cluster_barrier for block in self.blocks]
        there = sum(one.arrived for one in waiting) + sum(block.ended for block in self.blocks)
        if there == sum(block.threads for block in self.blocks) and any(one.arrived for one in waiting):
            total = BarrierClock(sum(block.threads for block in self.blocks))
            for one in waiting:
                total.add(one.clock)
            for block in self.blocks:
                block.cluster_barrier.published = total
                block.cluster_barrier.clock = BarrierClock(total.threads)
                block.cluster_barrier.arrived, block.events = 0, block.events + 1
                block.cluster_barrier.phase += 1

    def _give_up(self) -> None:
        """End a wait with a time limit without success: the first such wait of the first block that has one.
        Raises `Fault` for a deadlock if there is none, or if ended waits have changed nothing `EXPIRIES`
        times for each fragment.
        """
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
        """End the cluster. Raises `Fault` if asynchronous operations still use the memory of a block.

        Blocks reference each other. The references are dropped here so that registers and memory are freed at
        once: the garbage collector counts objects, not their bytes.
        """
        for block in self.blocks:
            self.current = block
            block.finish()
        self.blocks.clear()


def ranked(cluster: tuple[int, int, int], base: tuple[int, int, int]) -> list[tuple[int, int, int]]:
    """Return the indices (x, y, z) of the blocks of the cluster with the extents `cluster` whose first block
    is `base`, by rank; x varies fastest.
    """
    (nx, ny, nz), (x, y, z) = cluster, base
    return [(x + i, y + j, z + k) for k in range(nz) for j in range(ny) for i in range(nx)]


def checked(cluster: tuple[int, int, int], grid: tuple[int, int, int]) -> None:
    """Raise `Fault` for a cluster of more than 16 blocks, and for a `grid` whose extents are no multiples of
    the cluster's.
    """
    size = cluster[0] * cluster[1] * cluster[2]
    if size > 16:
        raise faults.Fault(codes.BAD_LAUNCH, f"a cluster of {size} blocks; a GPU takes 16")
    if any(extent % one for extent, one in zip(grid, cluster, strict=True)):
        raise faults.Fault(codes.BAD_LAUNCH, f"the grid {grid} is no multiple of the cluster {cluster}")
