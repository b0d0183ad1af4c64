"""Barriers in shared memory: arrivals and bytes of each phase."""

from __future__ import annotations

from collections.abc import Callable

from tilewright.ptxsim import codes
from tilewright.ptxsim.asynchronous.arrivals import Arrival, Arrivals
from tilewright.ptxsim.faults import Fault
from tilewright.ptxsim.races.clocks import BarrierClock

LIMIT = (1 << 20) - 1
"""The maximum count of arrivals, and of outstanding bytes."""


class Mbarrier:
    """An mbarrier: a phase ends when no arrivals and bytes are pending any more.

    `operations` are the asynchronous operations that arrive here; they end when a thread waits. `notify` is
    called when a phase ends.
    """

    def __init__(self, address: int, count: int, notify: Callable[[], None], threads: int = 0) -> None:
        """Initialise the mbarrier at `address` for `count` arrivals. `notify` is called at the end of each
        phase. `threads` is the number of vector clocks of the cluster, 0 without race detection. The clocks
        that arrivals publish are visible to threads that wait once the phase has ended. Raises `Fault` for a
        `count` out of range.
        """
        if not 1 <= count <= LIMIT:
            raise Fault(codes.BAD_MBARRIER, f"an mbarrier of {count} arrivals: counts go from 1 to {LIMIT}")
        self.address = address
        self.notify = notify
        self.arriving, self.arrived = BarrierClock(threads), BarrierClock(threads)
        self.expected = self.pending = count
        self.bytes = 0
        self.phase = 0
        self.operations: list[Arrival] = []
        self.used: dict[int, int] = {}
        """The time of the last use by each thread of the cluster."""
        self.postponed = 0
        """The number of consecutive waits that found operations unfinished."""

    def token(self) -> int:
        """Return the state that `mbarrier.arrive` returns: the phase in the upper 32 bits, and the number of
        pending arrivals.
        """
        return (self.phase & 0xFFFFFFFF) << 32 | self.pending

    def arrive(self, count: int, *, drop: bool = False, completes: bool = True) -> int:
        """Subtract `count` from the pending arrivals, and with `drop` from the arrivals of later phases too.
        Return the state before. The phase ends if nothing is pending; without `completes` that raises
        `Fault`, as does a `count` that is 0 or too large.
        """
        before = self.token()
        if not 1 <= count <= self.pending:
            raise Fault(
                codes.BAD_MBARRIER,
                f"{count} arrivals at {self}, whose phase waits for {self.pending}",
                "the count of mbarrier.init is the number of all arrivals of a phase",
            )
        self.pending -= count
        if drop:
            self.expected -= count
        if not completes and not self.pending:
            raise Fault(codes.BAD_MBARRIER, f"an arrival with .noComplete ends the phase of {self}")
        self._advance()
        return before

    def promise(self) -> None:
        """Add a pending arrival to the current phase only."""
        self.pending += 1

    def expect(self, count: int) -> None:
        """Add `count` to the bytes that the phase waits for; a negative count completes bytes, and may end
        the phase. Raises `Fault` if more than `LIMIT` bytes are outstanding.
        """
        self.bytes += count
        if abs(self.bytes) > LIMIT:
            raise Fault(codes.BAD_MBARRIER, f"{abs(self.bytes)} bytes are outstanding at {self}")
        if count < 0:
            self._advance()

    def _advance(self) -> None:
        if self.pending == 0 and self.bytes == 0:
            self.phase += 1
            self.pending = self.expected
            self.arrived = self.arriving.copy()
            self.notify()

    def complete_pending(self, arrivals: Arrivals) -> None:
        """Complete the operations that arrive here, since a thread waits; `arrivals` may postpone the
        operations whose data have not arrived to a later wait.
        """
        if not self.operations:
            return
        postpones = arrivals.postpones(self.postponed)
        left = [one for one in self.operations if postpones and not one.arrived]
        ended = [one for one in self.operations if not postpones or one.arrived]
        self.operations, self.postponed = left, self.postponed + 1 if left else 0
        for one in ended:
            one.end()

    def unfinished(self) -> bool:
        """Return whether an operation that arrives here is left that has not ended by another wait
        (``over``).
        """
        return any(not one.over() for one in self.operations)

    def passed(self, token: int) -> bool:
        """Return whether the phase of the state `token` has ended. Raises `Fault` for a phase other than the
        current and the previous one.
        """
        distance = (self.phase - (token >> 32)) & 0xFFFFFFFF
        if distance > 1:
            raise Fault(
                codes.BAD_MBARRIER,
                f"a wait for phase {token >> 32} of {self}, which is in phase {self.phase}",
                "only the current phase and the one before can be told",
            )
        return distance == 1

    def passed_parity(self, parity: int) -> bool:
        """Return whether the previous phase has the parity `parity`, so that the phase of this parity has
        ended.
        """
        return self.phase & 1 != parity

    def __str__(self) -> str:
        return f"the mbarrier at shared address {self.address:#x}"

    def missing(self) -> str:
        """Return a clause, for a message about a deadlock, with the phase, and the arrivals and bytes that it
        waits for; or with the bytes that are too many, if the phase has got more than it expects.
        """
        bytes_ = f" and {self.bytes} bytes" if self.bytes >= 0 else f"; {-self.bytes} bytes too many came"
        return f"{self} waits in phase {self.phase} for {self.pending} arrivals{bytes_}"
