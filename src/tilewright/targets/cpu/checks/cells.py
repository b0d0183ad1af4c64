"""Code that racecheck runs for the cells of an access: read the earlier access, and record this access.

A cell describes the last access of a kind (see `CheckedAccessKind`): the number of the site in its low bits, and the
number of the tile block above them. Numbers increase from launch to launch, so cells of earlier launches are
recognised as old and need not be cleared. Without order between tile blocks, two accesses of different tile
blocks conflict whenever they happen. A cell of one kind therefore holds either one tile block or a special
number for several tile blocks.

Where tile blocks release and acquire, cells have 64 bits: the upper half is the epoch of the access. An epoch
that the clock of this tile block covers happens before. Of several readers only the last reader is kept. A
race with another reader may be missed, but no race is reported wrongly.

Several threads read and write cells without order. A record may be lost, and a report with it, but every
record that is read was written by an access. Single cells of writes are exchanged atomically.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tilewright.dialects.llvm.enums import AtomicBinaryOperation, AtomicOrdering
from tilewright.dialects.llvm.ops import arithmetic as llvm
from tilewright.dialects.llvm.ops.conversion import BitcastOp, TruncOp, ZExtOp
from tilewright.dialects.llvm.ops.memory import AtomicRMWOp
from tilewright.ir.block import Block
from tilewright.ir.builtin_types import IntegerType, VectorType, i1, i32, i64
from tilewright.ir.value import Value
from tilewright.targets.cpu.facts.checks import STAMPS, AccessSummary, CheckedAccessKind
from tilewright.targets.llvm.code import LlvmBuilder


@dataclass(frozen=True, slots=True)
class AccessCells:
    """The cells of the memory that an access touches, and the values that its check compares and writes.

    - ``first``: the address of the first cell; ``count``: the number of cells; ``plane``: the distance in
      bytes from a cell to the cell of the next kind of access for the same memory.
    - ``mine``: the value that this access writes; ``several``: the value for several tile blocks. Values
      below ``least`` are from earlier launches.
    - ``clock``: the address of the clock of the tile block; ``stamp``: the number of the store, or 0 if the
      store cannot write an address twice.
    """

    first: Value
    plane: Value
    count: Value
    mine: Value
    several: Value
    least: Value
    clock: Value
    stamp: Value


RaceReporter = Callable[[Value, Value], None]
"""A function that emits a return because of a race, from the index and the value of the cell."""
DuplicateStoreReporter = Callable[[Value], None]
"""A function that emits a return because a store writes an address twice, from the index of the cell."""


class CellWriter:
    """Emit the code that processes the cells of accesses of one kind.

    ``lanes`` is the number of cells of a vector. With 1, cells belong to scattered elements and are not
    exchanged atomically, because an exchange for each of many elements is too slow. ``stamped`` stores write
    the number of the store beside each cell: a number that is already there shows that an address is written
    twice.
    """

    def __init__(
        self,
        code: LlvmBuilder,
        facts: AccessSummary,
        kind: CheckedAccessKind,
        lanes: int,
        *,
        stamped: bool = False,
    ) -> None:
        self.code = code
        self.facts = facts
        self.kind = kind
        self.lanes = lanes
        self.stamped = stamped
        self.type = i64 if facts.clocks else i32
        self.conflicts = facts.conflicts(kind)
        self.keeps_one = facts.clocks or kind in self.conflicts

    def emit(self, cells: AccessCells, race: RaceReporter, twice: DuplicateStoreReporter) -> None:
        """Emit the check of all cells: by vectors as long as no other tile block accessed the cells, then one
        by one. ``race`` and ``twice`` emit the returns for a race and for an address that is written twice.
        """
        code = self.code
        vectors, singles, done = code.new_block([i64]), code.new_block([i64]), code.new_block()
        code.jump(vectors, [code.integer(0)])
        code.enter(vectors)
        self._vector(cells, vectors, singles)
        self._singles(cells, singles, done, race, twice)

    def check_one_element(
        self, cells: AccessCells, race: RaceReporter, twice: DuplicateStoreReporter
    ) -> None:
        """Emit the check of the cells of one element, without vectors. ``race`` and ``twice`` emit the
        returns for a race and for an address that is written twice.
        """
        code = self.code
        singles, done = code.new_block([i64]), code.new_block()
        code.jump(singles, [code.integer(0)])
        self._singles(cells, singles, done, race, twice)

    def _singles(
        self, cells: AccessCells, head: Block, done: Block, race: RaceReporter, twice: DuplicateStoreReporter
    ) -> None:
        code = self.code
        code.enter(head)
        (at,) = head.arguments
        body = code.new_block()
        code.fork(code.compare("slt", at, cells.count), body, done)
        code.enter(body)
        self._single(cells, at, race, twice)
        code.jump(head, [code.value(code.add(at, 1))])
        code.enter(done)

    # --- vectors

    def _vector(self, cells: AccessCells, head: Block, singles: Block) -> None:
        """Process the vector of cells at the index in the argument of `head`, and branch to `head` again.
        Branch to `singles` if fewer cells than a vector remain, if a cell may be a race, or, for `stamped`
        stores, if a cell already has the number of this store.
        """
        code, (at,) = self.code, head.arguments
        body, good = code.new_block(), code.new_block()
        after = code.value(code.add(at, self.lanes))
        code.fork(code.compare("sle", after, cells.count), body, singles, (), [at])
        code.enter(body)
        mine = code.broadcast(cells.mine, self.lanes)
        held = {plane: self._load(cells, plane, at) for plane in dict.fromkeys((self.kind, *self.conflicts))}
        least = code.broadcast(cells.least, self.lanes)
        free = {plane: self._is_free(value, mine, least) for plane, value in held.items()}
        alarms = [self._not(free[plane]) for plane in self.conflicts]
        if self.stamped:
            stamp = code.broadcast(cells.stamp, self.lanes)
            alarms.append(code.compare_integers("eq", self._load(cells, STAMPS, at), stamp))
        code.fork(self._any(alarms), singles, good, [at])
        code.enter(good)
        self._store_record(cells, at, held[self.kind], free[self.kind], mine)
        code.jump(head, [after])

    def _store_record(self, cells: AccessCells, at: Value, held: Value, free: Value, mine: Value) -> None:
        """Store the record of this access (``mine``) to the vector of cells from index `at` on, whose values
        are ``held``, unless no cell changes. Unless `keeps_one`, a cell that is not ``free`` gets the record
        of several tile blocks. A `stamped` store also stores its number beside the cells.

        Without a store, unchanged cache lines stay in the caches of all threads.
        """
        code = self.code
        note = mine
        if not self.keeps_one:
            several = code.broadcast(cells.several, self.lanes)
            note = code(llvm.SelectOp, free, mine, several, type=held.type)

        def write() -> Sequence[Value]:
            code.store(note, self._place(cells, self.kind, at), self._size)
            return ()

        code.either(self._any([code.compare_integers("ne", note, held)]), write, lambda: ())
        if self.stamped:
            stamps = code.broadcast(cells.stamp, self.lanes)
            code.store(stamps, self._place(cells, STAMPS, at), self._size)

    # --- single cells

    def _single(
        self, cells: AccessCells, at: Value, race: RaceReporter, twice: DuplicateStoreReporter
    ) -> None:
        """Emit the check of the cell with the index `at`: write the record of this access, then read the
        cells of conflicting kinds. In this order at least one of two racing threads sees the record of the
        other.
        """
        code = self.code
        old = self._exchange(cells, at)
        for plane in self.conflicts:
            held = old if plane is self.kind else self._load_one(cells, plane, at)
            self._end_if(self._is_race(held, cells), lambda held=held: race(at, held))
        if not self.stamped:
            return
        place = self._place(cells, STAMPS, at)
        known = code.load(place, self.type, self._size)
        code.store(cells.stamp, place, self._size)
        is_same = code.compare_integers("eq", known, cells.stamp)
        self._end_if(code(llvm.AndOp, is_same, self._is_mine(old, cells.mine)), lambda: twice(at))

    def _end_if(self, condition: Value, end: Callable[[], None]) -> None:
        code = self.code
        bad, good = code.new_block(), code.new_block()
        code.fork(condition, bad, good)
        code.enter(bad)
        end()
        code.enter(good)

    def _exchange(self, cells: AccessCells, at: Value) -> Value:
        """Write the record of this access to the cell `at` of its kind, and return the earlier value of the
        cell. The exchange is atomic if `keeps_one` is set and `lanes` is more than 1, so that no two threads
        get the same old value; otherwise it is a load and a store. Unless `keeps_one`, a cell that another
        tile block wrote in this launch gets `cells.several`.
        """
        code = self.code
        place = self._place(cells, self.kind, at)
        if self.keeps_one and self.lanes > 1:
            exchange = AtomicBinaryOperation.XCHG
            return code(
                AtomicRMWOp, exchange, place, cells.mine, AtomicOrdering.MONOTONIC, alignment=self._size
            )
        old = code.load(place, self.type, self._size)
        note = cells.mine
        if not self.keeps_one:
            free = self._is_free(old, cells.mine, cells.least)
            note = code(llvm.SelectOp, free, cells.mine, cells.several, type=self.type)
        code.store(note, place, self._size)
        return old

    def _is_race(self, held: Value, cells: AccessCells) -> Value:
        """Return whether the cell value `held` is a race: another tile block made the access in this launch,
        and no release and acquire order it before this access.
        """
        code = self.code
        free = self._is_free(held, cells.mine, cells.least)
        if not self.facts.clocks:
            return self._not(free)
        site_bits = code.integer(self.facts.site_bits, i32)
        numbers = [code(llvm.LShrOp, word, site_bits) for word in (self._low(held), cells.least)]
        number = code.subtract(*[code(ZExtOp, word, type=i64) for word in numbers])
        number = code(llvm.SelectOp, free, code.integer(0), code.value(number), type=i64)
        seen = code.load(code.address(cells.clock, number, i32), i32, 4)
        epoch = code(TruncOp, code(llvm.LShrOp, held, code.integer(32)), type=i32)
        return code(llvm.AndOp, self._not(free), code.compare_integers("ugt", epoch, seen))

    # --- cells and vectors of them

    @property
    def _size(self) -> int:
        return self.facts.cell_bytes

    def _place(self, cells: AccessCells, plane: int, at: Value) -> Value:
        code = self.code
        start = code.address(cells.first, code.multiply(cells.plane, int(plane)))
        return code.address(start, at, self.type)

    def _load(self, cells: AccessCells, plane: int, at: Value) -> Value:
        kind = VectorType((self.lanes,), self.type)
        return self.code.load(self._place(cells, plane, at), kind, self._size)

    def _load_one(self, cells: AccessCells, plane: int, at: Value) -> Value:
        place = self._place(cells, plane, at)
        return self.code.load(place, self.type, self._size, ordering=AtomicOrdering.MONOTONIC)

    def _is_free(self, held: Value, mine: Value, least: Value) -> Value:
        """Return whether the cell value `held` is from an earlier launch (below `least`), or from this tile
        block.
        """
        old = self.code.compare_integers("ult", self._low(held), least)
        return self.code(llvm.OrOp, self._is_mine(held, mine), old)

    def _is_mine(self, held: Value, mine: Value) -> Value:
        """Return whether the cell value `held` is from this tile block."""
        differs = self._low(self.code(llvm.XOrOp, held, mine))
        sites = self.code.integer(1 << self.facts.site_bits, differs.type)
        return self.code.compare_integers("ult", differs, sites)

    def _low(self, held: Value) -> Value:
        """Return the low 32 bits of a cell value: tile block and site, without the epoch."""
        if not self.facts.clocks:
            return held
        narrow = VectorType((self.lanes,), i32) if isinstance(held.type, VectorType) else i32
        return self.code(TruncOp, held, type=narrow)

    def _not(self, condition: Value) -> Value:
        ones = self.code.integer(-1, condition.type)
        return self.code(llvm.XOrOp, condition, ones)

    def _any(self, conditions: Sequence[Value]) -> Value:
        """Return whether any lane of any of `conditions` is true; a false constant if there are no
        conditions.
        """
        code = self.code
        if not conditions:
            return code.integer(0, i1)
        found = conditions[0]
        for condition in conditions[1:]:
            found = code(llvm.OrOp, found, condition)
        bits = IntegerType(self.lanes)
        return code.compare_integers("ne", code(BitcastOp, found, type=bits), code.integer(0, bits))
