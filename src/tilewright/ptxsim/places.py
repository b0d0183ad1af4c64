"""Where the addresses of instructions lead: state spaces, windows of generic addresses, and places in storage."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from tilewright.ptxsim import codes
from tilewright.ptxsim.counts import NOTHING, Cost
from tilewright.ptxsim.faults import Fault
from tilewright.ptxsim.frame import State
from tilewright.ptxsim.layout import RANK, WINDOW, WINDOWS
from tilewright.ptxsim.program import Site
from tilewright.ptxsim.storage import Storage
from tilewright.ptxsim.values import Array, every, largest

ADDRESS = "the address"
REMEMBERED = 64
"""So many accesses to shared memory are remembered of an instruction."""


class Places:
    """Where an instruction's address leads: storage and places in it, for all threads or for some of them."""

    def __init__(
        self,
        site: Site,
        verb: str,
        size: int,
        name: str = "a",
        *,
        space: str = "space",
        align: int = 0,
        use: str = "",
        in_part: bool = False,
    ) -> None:
        """``space`` names the modifier that says the state space, or the space if it is none of the form's.

        ``in_part`` lets words of global memory exist in part.  ``use`` is ``read``, ``write``, or empty if threads do not access the bytes as such.
        """
        self.read, self.slots, found = site.address(name)
        known = any(slot.name == space for slot in site.form.slots)
        named, _, self.window = (site.modifier(space) if known or space == "space" else space).partition("::")
        if named == "param" and not site.resolver.code.function.entry:
            named = "local"  # parameters of functions lie in the local memory of their activations
        if named == "const":
            named = "global"
        if found == "const":
            found = "global"
        if named and found and named != found and (named, found) != ("param", "local"):
            raise Fault(
                codes.OUT_OF_BOUNDS, f"the {verb} names {named} memory, its variable lies in {found} memory"
            )
        self.space = found or named
        self.verb, self.size, self.align, self.use = verb, size, align, use
        self.in_part = in_part
        self.kept: Callable[[State, Storage, Array, Array | None], Array] | None = None
        """Of a plain store: which threads find their values at places already."""
        self.known: dict[tuple[bytes, bytes], tuple[Array, Cost]] = {}
        """Accesses to shared memory that were found to be legal: their places and costs, by lanes and addresses."""

    def _addresses(self, c: State) -> Array:
        c.defined(self.slots, ADDRESS)
        return c.spread(self.read(c))

    def find(self, c: State) -> Iterator[tuple[Storage, Array, Array | None]]:
        """Storage, places and the threads' numbers among those that execute (None: all of them)."""
        addresses = self._addresses(c)
        if self.space:
            yield self._in(c, self.space, addresses, None)
            return
        windows = addresses >> np.uint64(WINDOW)
        for window in np.unique(windows):
            chosen = None if every(windows == window) else np.flatnonzero(windows == window)
            some = addresses if chosen is None else addresses[chosen]
            space = next((name for name, base in WINDOWS.items() if base >> WINDOW == window), "")
            if not space:
                raise Fault(
                    codes.OUT_OF_BOUNDS,
                    f"{self.verb} at generic address {int(some[0]):#x}, which is in no window",
                )
            base = np.uint64(0 if space == "global" else WINDOWS[space])
            yield self._in(c, space, some - base, chosen)

    def _in(
        self, c: State, space: str, addresses: Array, chosen: Array | None
    ) -> tuple[Storage, Array, Array | None]:
        if space == "local":
            return self._local(c, addresses, chosen)
        storage: Storage = getattr(c.block, {"global": "global_", "const": "global_"}.get(space, space))
        if space == "shared" and (self.window == "cluster" or not self.space) and largest(addresses) >> RANK:
            storage, addresses = self._peer(c, addresses)
        lanes = c.numbers() if chosen is None else c.numbers()[chosen]
        if space != "shared":
            places = storage.check(
                addresses, self.size, self.verb, self.align, in_part=self.in_part and space == "global"
            )
            if self.use and space == "global":
                c.block.launch.counts.access(space, lanes, places, self.size, c.block.line)
                c.block.watch_global(
                    c.rows() if chosen is None else c.rows()[chosen],
                    places,
                    self.size,
                    writes=self.use == "write",
                    keeps=self._keeps(c, storage, places, chosen),
                )
            return storage, places, chosen
        places, cost = self._in_shared(c, storage, lanes, addresses)
        if self.use:
            c.block.launch.counts.add(space, cost, c.block.line)
            if storage.watch is not None:
                storage.watch.access(
                    c.rows() if chosen is None else c.rows()[chosen],
                    places,
                    self.size,
                    writes=self.use == "write",
                    by=c.block.access(self._keeps(c, storage, places, chosen)),
                )
        return storage, places, chosen

    def _keeps(
        self, c: State, storage: Storage, places: Array, chosen: Array | None
    ) -> Callable[[], Array] | None:
        """A function that tells which threads' stores would leave memory as it is; None if that excuses nothing."""
        if self.kept is None or c.block.launch.same_values:
            return None
        return partial(self.kept, c, storage, places, chosen)

    def _in_shared(self, c: State, storage: Storage, lanes: Array, addresses: Array) -> tuple[Array, Cost]:
        """Places in shared memory, and what the access costs: blocks and loops use the same ones again and again."""
        key = (lanes.tobytes(), addresses.tobytes())
        found = self.known.get(key)
        if found is None:
            places = storage.check(addresses, self.size, self.verb, self.align)
            cost = c.block.launch.counts.cost("shared", lanes, places, self.size) if self.use else NOTHING
            if len(self.known) >= REMEMBERED:
                self.known.clear()
            found = self.known[key] = places, cost
        return found

    def _local(self, c: State, addresses: Array, chosen: Array | None) -> tuple[Storage, Array, Array | None]:
        lanes = c.numbers()
        own = lanes if chosen is None else lanes[chosen]
        if (addresses + np.uint64(self.size) > np.uint64(c.block.local_bytes)).any():
            raise Fault(codes.OUT_OF_BOUNDS, f"{self.verb} at local address {int(addresses.max()):#x}")
        private = addresses + own.astype(np.uint64) * np.uint64(c.block.local_bytes)
        return c.block.local, c.block.local.check(private, self.size, self.verb, self.align), chosen

    def _peer(self, c: State, addresses: Array) -> tuple[Storage, Array]:
        """The shared memory of another block of the cluster, and addresses in it."""
        ranks = np.unique(addresses >> np.uint64(RANK))
        if len(ranks) > 1:
            raise Fault(codes.NOT_SIMULATED, f"a {self.verb} at shared memory of several blocks at once")
        rank = int(ranks[0]) - 1
        if rank >= len(c.block.peers):
            raise Fault(
                codes.OUT_OF_BOUNDS,
                f"{self.verb} at shared address {int(addresses[0]):#x}, outside of the cluster",
            )
        peer = c.block.peers[rank]
        if not peer.fragments:
            raise Fault(
                codes.OUT_OF_BOUNDS, f"{self.verb} at shared memory of block {peer.index}, which has ended"
            )
        return peer.shared, addresses & np.uint64((1 << RANK) - 1)

    def alone(self, c: State) -> tuple[Storage, Array]:
        """Storage and places of threads that may not use several state spaces at once."""
        if self.space:
            storage, places, _ = self._in(c, self.space, self._addresses(c), None)
            return storage, places
        found = list(self.find(c))
        if len(found) != 1:
            raise Fault(
                codes.NOT_SIMULATED, f"a {self.verb} of threads that use several state spaces at once"
            )
        storage, places, _ = found[0]
        return storage, places
