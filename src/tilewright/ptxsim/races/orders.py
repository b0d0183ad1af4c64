"""What accesses with an order pass on: releases and acquires, by accesses themselves or by fences, with their scopes.

A store with `.release` leaves what its thread knows at the place that it writes; so does a relaxed store behind a fence,
with what the thread knew at the fence.  A load with `.acquire` takes it from there, a relaxed load lets a later fence take
it.  Either happens only if the scopes of both sides include the other thread.  Atomic operations go on with what they
find, other stores begin anew.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tilewright.ptxsim.races.clocks import Clocks, Foreign

LEVELS = {"cta": 1, "cluster": 2, "gpu": 3, "gl": 3, "sys": 3, "": 3}
"""How far a scope reaches; 0 stands for accesses without an order."""


@dataclass(frozen=True, slots=True)
class Order:
    """The order of an instruction's accesses: how far they reach, and what they do."""

    level: int
    acquires: bool = False
    releases: bool = False
    reads: bool = False
    writes: bool = False


@dataclass(frozen=True, slots=True)
class Party:
    """A thread as synchronisation sees it: the clocks of its cluster, the rank of its block, and its number in them."""

    clocks: Clocks
    rank: int
    row: int


@dataclass(slots=True)
class Release:
    """What a thread knew: its cluster and block, the clocks by cluster and kind, and how far it is visible."""

    cluster: int
    rank: int
    level: int
    vectors: Foreign

    def visible(self, to: Party, level: int) -> bool:
        """Whether an access of that level by another thread takes it."""
        reach = min(self.level, level)
        own = to.clocks.number == self.cluster
        return reach >= 3 or (own and (reach == 2 or to.rank == self.rank))


@dataclass(slots=True)
class Waiting:
    """What fences of a thread left for its later stores, and what its loads left for later fences."""

    out: Release | None = None
    found: list[tuple[Release, int]] = field(default_factory=list[tuple[Release, int]])


class Orders:
    """All places that threads of a launch synchronise by."""

    def __init__(self) -> None:
        self.places: dict[tuple[int, int], list[Release]] = {}
        self.waiting: dict[tuple[int, int], Waiting] = {}
        """By cluster and thread."""

    def access(self, party: Party, key: tuple[int, int], order: Order) -> None:
        """An access of a thread to a place."""
        if order.reads:
            self._read(party, key, order)
        if order.writes:
            self._write(party, key, order)

    def idle(self, order: Order) -> bool:
        """Whether accesses of this order find nothing and leave nothing."""
        return not (order.releases or self.places or self.waiting)

    def _read(self, party: Party, key: tuple[int, int], order: Order) -> None:
        for one in self.places.get(key, ()):
            if order.acquires:
                if one.visible(party, order.level):
                    party.clocks.take(party.row, one.vectors)
            else:
                self._waiting(party).found.append((one, order.level))

    def _write(self, party: Party, key: tuple[int, int], order: Order) -> None:
        if not order.reads:
            self.places.pop(key, None)
        if order.releases:
            self.places.setdefault(key, []).append(_snapshot(party, order.level))
            party.clocks.tick(np.array([party.row]))
            return
        waiting = self.waiting.get((party.clocks.number, party.row))
        if waiting is not None and waiting.out is not None:
            out = waiting.out
            level = min(out.level, order.level)
            found = Release(out.cluster, out.rank, level, out.vectors)
            self.places.setdefault(key, []).append(found)

    def fence(self, party: Party, level: int, *, acquires: bool, releases: bool) -> None:
        """A fence of a thread."""
        waiting = self._waiting(party)
        if acquires:
            for one, reach in waiting.found:
                if one.visible(party, min(level, reach)):
                    party.clocks.take(party.row, one.vectors)
        if releases:
            waiting.out = _snapshot(party, level)
            party.clocks.tick(np.array([party.row]))

    def _waiting(self, party: Party) -> Waiting:
        return self.waiting.setdefault((party.clocks.number, party.row), Waiting())


def _snapshot(party: Party, level: int) -> Release:
    return Release(party.clocks.number, party.rank, level, party.clocks.left(party.row))
