"""Tensor memory of a block: 128 lanes of 512 columns of 32-bit cells.

Products and copies write cells when they are issued, but the cells stay in flight until a thread waits at the
mbarrier of a later `tcgen05.commit`. Loads and stores are in flight until the `tcgen05.wait` of their warp.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from tilewright.ptxsim import codes, storage as ptxsim_storage
from tilewright.ptxsim.faults import Fault
from tilewright.ptxsim.races.clocks import AFTER_SYNC, ThreadClocks
from tilewright.ptxsim.values import Array

LANES, COLUMNS = 128, 512
LEAST = 32
"""The minimum number of columns of an allocation, which is a power of two."""
UNORDERED, UNFENCED = "no synchronisation orders", "no fence of tcgen05 orders"
FENCES = (
    "execute tcgen05.fence::before_thread_sync before the threads synchronise (a commit does) and "
    "tcgen05.fence::after_thread_sync behind"
)
HINT = "wait first: tcgen05.wait for loads and stores, the mbarrier of tcgen05.commit for products and copies"


@dataclass(slots=True, eq=False)
class PendingTensorOperation:
    """A product or copy in flight: its thread, the cells that it writes, and the shared memory (`places` of
    `storage`) and the cells (`sources`) that it reads. `time` is its number among the asynchronous operations
    of the thread; `ended` is set at its end.
    """

    row: int
    """The index of its thread in the cluster."""
    time: int
    cells: Array
    storage: ptxsim_storage.Storage
    places: list[Array]
    sources: Array
    ended: bool = False


class LoadRegisters(Protocol):
    """The registers of an activation, by their indices: `values` has an array with an element for each
    thread, and `poison` a mask of the threads in which the register is undefined, None for no thread.
    """

    values: list[Any]
    poison: list[Any]


@dataclass(slots=True, eq=False)
class TensorMemoryLoad:
    """A load in flight: its registers (`slots` of `frame`) with their future values, and the cells that it
    reads. `lanes` are its threads in the block, `rows` the same threads in the cluster. `words` are the
    values and `poison` a mask of the undefined values; both are (threads, registers).
    """

    frame: LoadRegisters
    slots: list[int]
    lanes: Array
    rows: Array
    words: Array
    poison: Array
    cells: Array


@dataclass(slots=True, eq=False)
class TensorMemoryStore:
    """A store in flight: its threads, by their indices in the block (`lanes`) and in the cluster (`rows`),
    and the indices of the cells that it writes, as an array (threads, cells of a thread).
    """

    lanes: Array
    rows: Array
    cells: Array


@dataclass(slots=True)
class Allocations:
    """The allocated columns of the tensor memory of a block: `columns` maps the first column of each
    allocation to its number of columns, and `relinquished` says whether the block has given up the permit to
    allocate.
    """

    columns: dict[int, int] = field(default_factory=dict[int, int])
    relinquished: bool = False

    def add(self, count: int) -> int:
        """Allocate `count` columns and return the first. Raises `Fault` if they are not free, if `count` is
        no power of two from `LEAST` to `COLUMNS`, or if the permit was relinquished.
        """
        if self.relinquished:
            raise Fault(codes.BAD_TENSOR_MEMORY, "tcgen05.alloc after tcgen05.relinquish_alloc_permit")
        _checked(count)
        for start in range(0, COLUMNS, LEAST):
            ends = all(start + count <= one or one + size <= start for one, size in self.columns.items())
            if ends and start + count <= COLUMNS:
                self.columns[start] = count
                return start
        raise Fault(
            codes.BAD_TENSOR_MEMORY, f"{count} columns of tensor memory are not free; a block has {COLUMNS}"
        )

    def remove(self, start: int, count: int) -> None:
        """Free the `count` columns from `start`. Raises `Fault` unless they are an allocation."""
        if self.columns.get(start) != count:
            raise Fault(
                codes.BAD_TENSOR_MEMORY,
                f"tcgen05.dealloc of {count} columns from {start} on, which tcgen05.alloc did not return",
            )
        del self.columns[start]

    def holds(self, columns: Array) -> bool:
        """Return whether all of `columns` are allocated."""
        found: Any = np.zeros(COLUMNS, np.bool_)
        for start, count in self.columns.items():
            found[start : start + count] = True
        inside = (columns >= 0) & (columns < COLUMNS)
        return bool(inside.all() and found[columns].all())


def _checked(count: int) -> None:
    if count < LEAST or count > COLUMNS or count & (count - 1):
        raise Fault(
            codes.BAD_TENSOR_MEMORY, f"{count} columns: a power of two from {LEAST} to {COLUMNS} is allocated"
        )


class TensorMemory:
    """The cells, their last writers and readers, and the operations in flight. The index of a cell is lane *
    512 + column.
    """

    def __init__(self, clocks: ThreadClocks | None, *, fences: bool = True) -> None:
        """Initialise the memory. `clocks` are the clocks of the cluster, None without race detection. With
        `fences`, threads need the fences of `tcgen05` to synchronise.
        """
        count = LANES * COLUMNS
        self.clocks, self.fences = clocks, fences
        self.allocations = Allocations()
        self.group = 0
        """The number of blocks (1 or 2) that `tcgen05` instructions of the kernel name; 0 if none was
        executed.
        """
        self.words: Any = np.zeros(count, np.uint32)
        self.poison: Any = np.ones(count, np.bool_)
        self.writing: Any = np.zeros(count, np.uint16)
        """The number of products, copies and stores in flight that write each cell."""
        self.reading: Any = np.zeros(count, np.uint16)
        self.agent: Any = np.zeros(count, np.int32)
        """The clock of the last write of each cell and its time; the next arrays have the last read."""
        self.written: Any = np.zeros(count, np.int32)
        self.reader: Any = np.zeros(count, np.int32)
        self.read: Any = np.zeros(count, np.int32)
        self.using: Any = np.zeros(count, np.uint16)
        """The number of products and copies in flight that read each cell."""
        self.user: Any = np.zeros(count, np.int32)
        """For each cell, the clock of the last product or copy that read it and has ended; `used` has its
        time.
        """
        self.used: Any = np.zeros(count, np.int32)
        self.issued: dict[int, int] = {}
        """The time of the last operation of each thread of the cluster."""
        self.started: list[PendingTensorOperation] = []
        self.loads: list[TensorMemoryLoad] = []
        self.stores: list[TensorMemoryStore] = []

    def use(self, group: int) -> None:
        """Record a `tcgen05` instruction of one block (`group` 1) or of a pair (2). Raises `Fault` if an
        earlier instruction of the kernel had the other group.
        """
        if self.group not in (0, group):
            raise Fault(
                codes.BAD_TENSOR_MEMORY,
                f"an instruction of cta_group::{group} in a kernel of cta_group::{self.group}",
                "all instructions of tcgen05 of a kernel name the same group",
            )
        self.group = group

    def cells(self, lanes: Array, columns: Array) -> Array:
        """Return the indices of the cells at `lanes` and `columns`, two arrays that are broadcast together.
        Raises `Fault` for lanes that do not exist and columns that are not allocated.
        """
        if not self.allocations.holds(columns) or int(lanes.max()) >= LANES:
            raise Fault(
                codes.BAD_TENSOR_MEMORY,
                f"tensor memory from lane {int(lanes.min())}, column {int(columns.min())} to lane "
                f"{int(lanes.max())}, column {int(columns.max())}: not all of it is allocated",
            )
        return lanes * COLUMNS + columns

    # --- permission to access a cell

    def _known(
        self, rows: Array, agents: Array, times: Array, did: str, *, own: bool = False, fences: bool = True
    ) -> None:
        """Raise `Fault` unless the threads `rows` know the accesses of the clocks `agents` at `times`.

        Accesses of the same warp are known. With `own`, so are operations that the thread itself started.
        With `fences`, the accesses must also precede a fence of the thread after its synchronisation.
        `did` names the accesses in the message.
        """
        clocks = self.clocks
        if clocks is None:
            return
        mine = (agents < clocks.threads) & (agents >> 5 == rows >> 5) | (times <= 0)
        if own:
            mine |= agents == clocks.threads + rows
        self._told(mine | (clocks.known[rows, agents] >= times), rows, agents, did, UNORDERED, HINT)
        if self.fences and fences:
            fenced = clocks.matrix(AFTER_SYNC)[rows, agents] >= times
            self._told(mine | fenced, rows, agents, did, UNFENCED, FENCES)

    def _told(self, seen: Array, rows: Array, agents: Array, did: str, reason: str, hint: str) -> None:
        if seen.all():
            return
        assert self.clocks is not None
        at = np.unravel_index(int(np.argmin(seen)), seen.shape)
        row, other = (int(np.broadcast_to(one, seen.shape)[at]) for one in (rows, agents))
        who = f"thread {other}" if other < self.clocks.threads else "an asynchronous operation"
        message = (
            f"thread {row} touches a cell of tensor memory, and {reason} this after {who}, which {did} it"
        )
        raise Fault(codes.RACE, message, hint)

    def _idle(self, flags: Array, cells: Array, does: str) -> None:
        if flags[cells].any():
            at = int(np.ravel(cells)[int(np.argmax(np.ravel(flags[cells]) != 0))])
            raise Fault(
                codes.IN_FLIGHT,
                f"lane {at // COLUMNS}, column {at % COLUMNS} of tensor memory is still {does} in flight",
                HINT,
            )

    def before_read(self, rows: Array, cells: Array) -> None:
        """Raise `Fault` unless the threads `rows` of the cluster may read `cells`: nothing in flight writes
        them, and the last write is ordered before.
        """
        self._idle(self.writing, cells, "written by an operation")
        self._known(rows, self.agent[cells], self.written[cells], "wrote")

    def before_write(self, rows: Array, cells: Array, *, fences: bool = True) -> None:
        """Raise `Fault` unless the threads `rows` of the cluster may write `cells`: nothing in flight uses
        them, and earlier accesses are ordered before. Without `fences`, the fences of `tcgen05` are not
        needed for this order.
        """
        self._idle(self.writing, cells, "written by an operation")
        self._idle(self.reading + self.using, cells, "read by an operation")
        self._known(rows, self.agent[cells], self.written[cells], "wrote", fences=fences)
        self._known(rows, self.reader[cells], self.read[cells], "read", fences=fences)
        self._known(rows, self.user[cells], self.used[cells], "read", fences=fences)

    def before_operation(self, row: int, cells: Array, *, writes: bool) -> None:
        """Raise `Fault` unless a product or copy of the thread `row` may read, or with `writes` also write,
        `cells`. The operations of a thread run in order, so the cells of its own operations in flight are
        allowed.
        """
        mine = [one for one in self.started if one.row == row and not one.ended]
        others = _without(cells[self.writing[cells] != 0], [one.cells for one in mine])
        self._idle(self.writing, others, "written by an operation")
        rows = np.array(row)
        settled = cells[self.writing[cells] == 0]
        self._known(rows, self.agent[settled], self.written[settled], "wrote", own=True)
        if writes:
            others = _without(cells[self.using[cells] != 0], [one.sources for one in mine])
            self._idle(self.using, others, "read by an operation")
            self._idle(self.reading, cells, "read by an operation")
            self._known(rows, self.reader[cells], self.read[cells], "read")
            self._known(rows, self.user[cells], self.used[cells], "read", own=True)

    # --- products and copies

    def start(self, one: PendingTensorOperation, words: Array, poison: Array | None) -> None:
        """Start an operation that writes `words` to its cells; `poison` is the mask of undefined `words`, or
        `None` if all are defined. The cells are in flight until `end`.
        """
        for places in one.places:
            one.storage.begin_read(places)
        self.words[one.cells] = words
        self.poison[one.cells] = False if poison is None else poison
        self.writing[one.cells] += 1
        self.using[one.sources] += 1
        if self.clocks is not None:
            self.agent[one.cells], self.written[one.cells] = self.clocks.threads + one.row, one.time
        self.started.append(one)
        self.issued[one.row] = one.time

    def of_thread(self, row: int) -> list[PendingTensorOperation]:
        """Return the operations in flight of the thread `row` of the cluster."""
        return [one for one in self.started if one.row == row]

    def end(self, operations: list[PendingTensorOperation]) -> None:
        """Complete `operations`; completed operations are skipped."""
        for one in operations:
            if not one.ended:
                one.ended = True
                self.writing[one.cells] -= 1
                self.using[one.sources] -= 1
                if self.clocks is not None:
                    self.user[one.sources] = self.clocks.threads + one.row
                    self.used[one.sources] = one.time
                for places in one.places:
                    one.storage.end_read(places)
        self.started = [one for one in self.started if not one.ended]

    # --- loads and stores

    def load(self, one: TensorMemoryLoad) -> None:
        """Record the load `one`, whose values were read before; its cells must not be written until
        `wait_loads`.
        """
        self.reading[one.cells] += 1
        self.loads.append(one)

    def store(self, one: TensorMemoryStore, words: Array, poison: Array) -> None:
        """Start a store of `words` to the cells of `one`; `poison` is the mask of undefined words. The cells
        are in flight until `wait_stores`.
        """
        self.words[one.cells], self.poison[one.cells] = words, poison
        self.writing[one.cells] += 1
        self.stores.append(one)

    def wait_loads(self, lanes: Array) -> None:
        """Complete the loads whose threads are all among `lanes`: their registers are defined. Raises `Fault`
        if a register was written in flight.
        """
        mine = [one for one in self.loads if np.isin(one.lanes, lanes).all()]
        for one in mine:
            self.reading[one.cells] -= 1
            self._note(self.reader, self.read, one.cells, one.rows)
            for at, slot in enumerate(one.slots):
                _publish(one, slot, at)
        self.loads = [one for one in self.loads if one not in mine]

    def wait_stores(self, lanes: Array) -> None:
        """Complete the stores whose threads are all among `lanes`."""
        mine = [one for one in self.stores if np.isin(one.lanes, lanes).all()]
        for one in mine:
            self.writing[one.cells] -= 1
            self._note(self.agent, self.written, one.cells, one.rows)
        self.stores = [one for one in self.stores if one not in mine]

    def _note(self, agents: Array, times: Array, cells: Array, rows: Array) -> None:
        if self.clocks is not None:
            agents[cells] = rows[:, None]
            times[cells] = self.clocks.known[rows, rows][:, None]

    def finish(self) -> None:
        """Check the memory at the end of the block. Raises `Fault` for operations in flight and allocated
        columns.
        """
        if self.started or self.loads or self.stores:
            raise Fault(codes.IN_FLIGHT, "the block ends before operations on tensor memory have", HINT)
        if self.allocations.columns:
            raise Fault(
                codes.BAD_TENSOR_MEMORY,
                "the block ends without tcgen05.dealloc of its tensor memory",
                "the warp that allocated it frees it",
            )


def _without(cells: Array, sets: list[Array]) -> Array:
    """Return the elements of `cells` that are in none of `sets`."""
    for some in sets:
        if not len(cells):
            break
        cells = np.setdiff1d(cells, some)
    return cells


def _publish(one: TensorMemoryLoad, slot: int, at: int) -> None:
    before = one.frame.poison[slot]
    if before is None or not before[one.lanes].all():
        raise Fault(codes.IN_FLIGHT, "a register was written while tcgen05.ld into it is in flight", HINT)
    values, poison = one.frame.values[slot].copy(), before.copy()
    values[one.lanes], poison[one.lanes] = one.words[:, at], one.poison[:, at]
    one.frame.values[slot], one.frame.poison[slot] = values, poison if poison.any() else None
