"""Data races (``--check racecheck``).

Order comes from tokens and data flow inside a tile block, and from release/acquire pairs on the same address
between tile blocks; program order and the order in which this interpreter happens to run tile blocks count for
nothing.  Two accesses race when they touch the same byte, at least one writes, they are not both atomic (at a scope
that covers both), and neither is ordered after the other.

Deliberate limits: control dependences order nothing; a release stays visible to every later acquire of the
address, also when a relaxed store came between (races may be missed); memory that the launch learned of only by
address is not tracked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from tilewright.interp.codes import DATA_RACE
from tilewright.interp.memory.access_messages import place_words
from tilewright.interp.memory.address_space import LaneAccess, Reached
from tilewright.interp.memory.allocation import Allocation
from tilewright.interp.numerics.element import BoolArray, NumpyArray
from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.ir.operation import Operation
from tilewright.ir.support.ignores import is_ignored

History: TypeAlias = "dict[int, int] | None"
"""The accesses that precede an access or value in memory order: for each tile block number, a bit set of
access numbers; None for no accesses.
"""


def join(first: History, second: History) -> History:
    """Return the union of two histories, which are not changed; None stands for a history without accesses."""
    if not second or first is second:
        return first
    if not first:
        return second
    joined = dict(first)
    for block, accesses in second.items():
        joined[block] = joined.get(block, 0) | accesses
    return joined


def is_uniform(numbers: NumpyArray) -> bool:
    """Return whether an array of one dimension has elements, all of them equal."""
    return bool(numbers.size) and bool((numbers == numbers[0]).all())


@dataclass(frozen=True, slots=True)
class AccessRecord:
    """One access to memory by the operation ``op``. ``block`` is the number of its tile block, ``sequence``
    the number of the access in it, both from 0; ``kernel``, ``block_name`` and ``verb`` are words for
    messages. ``strong`` means atomic, ``wide`` that the scope is the device or the system.
    """

    block: int
    sequence: int
    kernel: str
    block_name: str
    op: Operation
    verb: str
    writes: bool
    strong: bool
    wide: bool

    def conflicts(self, other: AccessRecord) -> bool:
        """Return whether the two accesses must be ordered: at least one writes, and they are not both atomic
        at a scope that covers both, which is any scope in one tile block, else device scope.
        """
        if not (self.writes or other.writes):
            return False
        covered = self.block == other.block or (self.wide and other.wide)
        return not (self.strong and other.strong and covered)

    def precedes(self, history: History) -> bool:
        """Return whether `history` contains this access."""
        return bool(history and history.get(self.block, 0) >> self.sequence & 1)


_WEAK_WRITES, _STRONG_WRITES, _WEAK_READS, _STRONG_READS = range(4)
_ROWS = 4


class RaceTracker:
    """Finds data races: for each byte of registered memory, it stores the accesses that later accesses may
    race with. Each pair of operations is given to `report` once.

    Each byte has the number of a chain; a chain is an access followed by a shorter chain (0 is empty). Bytes
    share chains, so the work per access depends on the number of different chains, not on the number of
    bytes.
    """

    def __init__(self, report: Callable[[DiagnosticError], None]) -> None:
        self.history: History = None
        """The history of the operation being executed; each of its accesses extends it."""
        self._report = report
        self._records: list[AccessRecord] = []
        self._chains: list[tuple[int, int]] = [(0, -1)]
        self._chain_numbers: dict[tuple[int, int], int] = {}
        self._sequences: dict[int, int] = {}
        self._released: dict[int, History] = {}
        self._reported: set[tuple[Operation, Operation]] = set()

    def record(self, access: LaneAccess, reached: Reached) -> None:
        """Report each race between `access` and earlier accesses to the registered allocations of `reached`,
        and between two elements of a store that is not atomic; halves of a byte, in packed formats, are not
        compared. Then record the access, and add it to `history`; an access that acquires or releases
        exchanges histories with other tile blocks. `reached` has the allocations that the access touches,
        each with a mask of the lanes (None: all).
        """
        number = len(self._records)
        record = self._record(access)
        for allocation, lanes in reached:
            if allocation.registered:
                self._touch(record, number, allocation, self._bytes(access, allocation, lanes))
        if access.writes and not access.order.strong and access.nibbles is None:
            self._check_lanes(access, record, reached)
        self._synchronise(access, record)

    def _record(self, access: LaneAccess) -> AccessRecord:
        block, op = access.block, access.op
        sequence = self._sequences.get(block.number, 0)
        self._sequences[block.number] = sequence + 1
        record = AccessRecord(
            block.number,
            sequence,
            block.kernel,
            str(block),
            op,
            access.verb,
            access.writes,
            access.order.strong,
            access.order.wide,
        )
        self._records.append(record)
        return record

    @staticmethod
    def _bytes(access: LaneAccess, allocation: Allocation, lanes: BoolArray | None) -> NumpyArray:
        addresses = access.addresses if lanes is None else access.addresses[lanes]
        starts = addresses.reshape(-1, 1) - allocation.base
        return (starts + np.arange(access.format.storage_bytes)).reshape(-1)

    def _touch(self, record: AccessRecord, number: int, allocation: Allocation, touched: NumpyArray) -> None:
        if allocation.tracks is None:
            allocation.tracks = np.zeros((_ROWS, allocation.end - allocation.base), np.int32)
        tracks: NumpyArray = allocation.tracks
        for row in self._rows_to_check(record):
            self._check(record, allocation, tracks[row], touched)
        if record.writes and not record.strong:
            tracks[:, touched] = 0
        if record.writes:
            row = _STRONG_WRITES if record.strong else _WEAK_WRITES
        else:
            row = _STRONG_READS if record.strong else _WEAK_READS
        met = tracks[row, touched]
        if is_uniform(met):
            tracks[row, touched] = self._chain(int(met[0]), number)
        elif met.size:
            chains, position = np.unique(met, return_inverse=True)
            tracks[row, touched] = np.array([self._chain(int(c), number) for c in chains], np.int32)[position]

    @staticmethod
    def _rows_to_check(record: AccessRecord) -> tuple[int, ...]:
        """Return the numbers of the tables of earlier accesses (weak or strong, reads or writes) that the
        access `record` may race with: a read only with writes, and a write with both. An atomic access at
        device scope is not compared with atomic accesses, whose tables are long.
        """
        weak = (_WEAK_WRITES, _WEAK_READS) if record.writes else (_WEAK_WRITES,)
        if record.strong and record.wide:
            return weak
        return (*weak, _STRONG_WRITES, _STRONG_READS) if record.writes else (*weak, _STRONG_WRITES)

    def _chain(self, rest: int, record: int) -> int:
        key = rest, record
        found = self._chain_numbers.get(key)
        if found is None:
            found = self._chain_numbers[key] = len(self._chains)
            self._chains.append(key)
        return found

    def _members(self, chain: int) -> Iterator[AccessRecord]:
        while chain:
            chain, number = self._chains[chain]
            yield self._records[number]

    def _check(
        self, record: AccessRecord, allocation: Allocation, track: NumpyArray, touched: NumpyArray
    ) -> None:
        met = track[touched]
        if not met.any():
            return
        for chain in met[:1] if is_uniform(met) else np.unique(met):
            for earlier in self._members(int(chain)):
                if earlier.conflicts(record) and not earlier.precedes(self.history):
                    offset = int(touched[np.flatnonzero(met == chain)[0]])
                    self._found(earlier, record, place_words(allocation, allocation.base + offset))

    def _check_lanes(self, access: LaneAccess, record: AccessRecord, reached: Reached) -> None:
        if (np.diff(access.addresses.reshape(-1)) > 0).all():
            return
        addresses, counts = np.unique(access.addresses, return_counts=True)
        if addresses.size < access.addresses.size:
            address = int(addresses[counts > 1][0])
            where = next((a for a, _ in reached if a.base <= address < a.end), None)
            self._found(record, record, place_words(where, address) if where else hex(address))

    def _found(self, earlier: AccessRecord, record: AccessRecord, where: str) -> None:
        pair = earlier.op, record.op
        if pair in self._reported:
            return
        self._reported.add(pair)
        if is_ignored(DATA_RACE, record.op.location, earlier.op.location):
            return
        message = f"{record.kernel} in {record.block_name}: {record.verb} of {where} races with "
        if earlier is record:
            message += "itself: two elements share the address"
        else:
            message += f"the {earlier.verb} in {earlier.block_name}"
        if earlier is record:
            hint = "let each element have an address of its own, or use atomics"
            self._report(failure(DATA_RACE, message, record.op.location, hint=hint))
            return
        same = earlier.block == record.block
        hint = (
            "pass the token of the earlier operation to the later one"
            if same
            else "let each tile block write its own elements, use atomics, or order them by release and acquire"
        )
        notes = [("the other access is here", earlier.op.location)]
        self._report(failure(DATA_RACE, message, record.op.location, hint=hint, notes=notes))

    def _synchronise(self, access: LaneAccess, record: AccessRecord) -> None:
        """Add an access to the history of the tile block.

        An access that acquires also adds the histories that were released at its addresses. An access that
        releases publishes the history there.
        """
        history = join(self.history, {record.block: 1 << record.sequence})
        cells: list[Any] = (
            np.unique(access.addresses).tolist() if access.order.acquires or access.order.releases else []
        )
        if access.order.acquires:
            for cell in cells:
                history = join(history, self._released.get(cell))
        if access.order.releases:
            for cell in cells:
                self._released[cell] = join(self._released.get(cell), history)
        self.history = history
