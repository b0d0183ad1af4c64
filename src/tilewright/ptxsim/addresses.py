"""The addresses of instructions: state spaces, windows of generic addresses, and offsets in storages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from tilewright.ptxsim import codes, instruction_state, program
from tilewright.ptxsim.counts import NOTHING, Cost
from tilewright.ptxsim.faults import Fault
from tilewright.ptxsim.layout import RANK, WINDOW, WINDOWS
from tilewright.ptxsim.storage import Storage
from tilewright.ptxsim.values import Array, every, largest

ADDRESS = "the address"
REMEMBERED = 64
"""The maximum number of cached accesses to shared memory of an instruction."""


class StorageCells:
    """An address operand of an instruction: `find` and `alone` turn its addresses into a storage and offsets
    in it, and check them.
    """

    def __init__(
        self,
        site: program.InstructionSite,
        verb: str,
        size: int,
        name: str = "a",
        *,
        space: str = "space",
        align: int = 0,
        use: str = "",
        in_part: bool = False,
    ) -> None:
        """Initialise the address operand `name` of an access of `size` bytes, aligned to `align` bytes (0: to
        `size`). `space` is the name of the modifier for the state space, or the space itself if no modifier
        has this name. `verb` names the access in messages, and `in_part` allows words that exist in part.
        `use` is ``read``, ``write``, or empty if the access is not counted and checked for races. Raises
        `Fault` if the variable in the address is in another state space.
        """
        self.read, self.slots, found = site.address(name)
        known = any(slot.name == space for slot in site.form.slots)
        named, _, self.window = (site.modifier(space) if known or space == "space" else space).partition("::")
        if named == "param" and not site.resolver.code.function.entry:
            named = "local"  # parameters of functions are in the local memory of their activations
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
        self.kept: (
            Callable[[instruction_state.InstructionState, Storage, Array, Array | None], Array] | None
        ) = None
        """For a plain store: a function that returns a mask of the threads whose values are in memory
        already.
        """
        self.known: dict[tuple[bytes, bytes], tuple[Array, Cost]] = {}
        """Accesses to shared memory known to be legal: their offsets and costs, by lanes and addresses."""
        site.resolver.code.caches.append(self.known)

    def _addresses(self, c: instruction_state.InstructionState) -> Array:
        c.defined(self.slots, ADDRESS)
        return c.spread(self.read(c))

    def find(self, c: instruction_state.InstructionState) -> Iterator[tuple[Storage, Array, Array | None]]:
        """Yield a storage, offsets in it, and the indices of their threads among the executing threads
        (`None` for all). The accesses are counted and checked for races if the operand has a `use`. Raises
        `Fault` for an address that is undefined, outside of all windows, not allocated or misaligned, and for
        a race.
        """
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
                    f"{self.verb} at generic address {int(some[0]):#x}, which is in no state space",
                )
            base = np.uint64(0 if space == "global" else WINDOWS[space])
            yield self._in(c, space, some - base, chosen)

    def _in(
        self, c: instruction_state.InstructionState, space: str, addresses: Array, chosen: Array | None
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
        self, c: instruction_state.InstructionState, storage: Storage, places: Array, chosen: Array | None
    ) -> Callable[[], Array] | None:
        """Return a function that computes a mask of the threads whose stores do not change memory, for the
        race detection. `None` if the instruction is not a plain store, or the launch reports stores of equal
        values, too. `chosen` is a mask of the threads that store at `places`; None: all threads.
        """
        if self.kept is None or c.block.launch.same_values:
            return None
        return partial(self.kept, c, storage, places, chosen)

    def _in_shared(
        self, c: instruction_state.InstructionState, storage: Storage, lanes: Array, addresses: Array
    ) -> tuple[Array, Cost]:
        """Return the offsets in the shared memory `storage` and the cost of the access, which is nothing for
        an access that is not counted. Both are cached by lanes and addresses: blocks and loops repeat
        accesses. Raises `Fault` for an illegal access.
        """
        key = (lanes.tobytes(), addresses.tobytes())
        found = self.known.get(key)
        if found is None:
            places = storage.check(addresses, self.size, self.verb, self.align)
            cost = c.block.launch.counts.cost("shared", lanes, places, self.size) if self.use else NOTHING
            if len(self.known) >= REMEMBERED:
                self.known.clear()
            found = self.known[key] = places, cost
        return found

    def _local(
        self, c: instruction_state.InstructionState, addresses: Array, chosen: Array | None
    ) -> tuple[Storage, Array, Array | None]:
        lanes = c.numbers()
        own = lanes if chosen is None else lanes[chosen]
        if (addresses + np.uint64(self.size) > np.uint64(c.block.local_bytes)).any():
            raise Fault(codes.OUT_OF_BOUNDS, f"{self.verb} at local address {int(addresses.max()):#x}")
        private = addresses + own.astype(np.uint64) * np.uint64(c.block.local_bytes)
        return c.block.local, c.block.local.check(private, self.size, self.verb, self.align), chosen

    def _peer(self, c: instruction_state.InstructionState, addresses: Array) -> tuple[Storage, Array]:
        """Return the shared memory of another block of the cluster, and addresses in it. Raises `Fault` for
        several blocks at once, and for a block that does not exist or has ended.
        """
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

    def alone(self, c: instruction_state.InstructionState) -> tuple[Storage, Array]:
        """Return the storage and the offset of each executing thread. The accesses are counted and checked
        for races if the operand has a `use`. Raises `Fault` for an address that is undefined, not allocated
        or misaligned, for a race, and if the threads use several state spaces.
        """
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
