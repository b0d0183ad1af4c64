"""The function `run`: it checks the memory of contiguous elements first, then their cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tilewright.dialects.llvm.intrinsics.memory import PrefetchOp
from tilewright.dialects.llvm.ops import arithmetic as llvm, symbol as llvm_symbol
from tilewright.dialects.llvm.ops.control import CallOp, ReturnOp
from tilewright.dialects.llvm.ops.conversion import IntToPtrOp, PtrToIntOp, TruncOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import i32, i64
from tilewright.ir.value import Value
from tilewright.runtime.context import CheckEvent, KnownMemoryOffset
from tilewright.targets.cpu.checks import state as checks_state
from tilewright.targets.cpu.checks.cells import AccessCells, CellWriter, DuplicateStoreReporter, RaceReporter
from tilewright.targets.cpu.facts.checks import STAMPS, AccessSummary, CheckedAccessKind
from tilewright.targets.llvm.code import POINTER, Index, LlvmBuilder, LoopBody


@dataclass(frozen=True, slots=True)
class CheckValues:
    """The values that the checks of several elements share; values without an explanation here are described
    in `AccessCells`.

    ``origin`` is the first address of the memory, ``shadow`` the address of its cells. ``reach`` is the
    distance from the first byte of all elements to the last, in bytes.
    """

    origin: Value
    shadow: Value
    plane: Value
    reach: Value
    mine: Value
    several: Value
    least: Value
    clock: Value
    stamp: Value


Emit = Callable[[CellWriter, AccessCells, RaceReporter, DuplicateStoreReporter], None]
"""A method of `CellWriter` that emits the check of cells: `CellWriter.emit` or `CellWriter.check_one_element`."""


class RangeCheck:
    """Makes the function `run` for one kind of access, which checks contiguous elements (`CheckedElements`):
    that one known memory holds them, their alignment, that written memory is writeable, and races by cells.
    `lanes` is the number of cells of a vector (see `CellWriter`).
    """

    def __init__(self, facts: AccessSummary, kind: CheckedAccessKind, lanes: int) -> None:
        self.facts = facts
        self.kind = kind
        self.lanes = lanes

    def function(self) -> llvm_symbol.LLVMFuncOp:
        """Return the function ``run(state, address, bytes, size, site, element, skipped)``, which checks
        contiguous elements (see `CheckedElements`). It returns 0 if there is no error, else the result of the
        observer.
        """
        return checks_state.helper(
            checks_state.name_of("run", self.kind), checks_state.ELEMENTS, i64, self._write
        )

    def _write(self, code: LlvmBuilder) -> None:
        elements = checks_state.CheckedElements(*code.entry.arguments)
        end = code.value(code.add(elements.address, elements.bytes))
        row = self._row(code, elements, end)
        if self.facts.memcheck:
            self._check_access(code, elements, row)
        if self.facts.racecheck:
            self._check_cells(code, elements, row)
        code.effect(ReturnOp, code.integer(0))

    def _row(self, code: LlvmBuilder, elements: checks_state.CheckedElements, end: Value) -> Value:
        """Return the row of the memory that holds all elements. The generated code returns if there is no
        such memory.
        """
        state, start = elements.state, elements.address
        known, lost, fresh = code.new_block([POINTER]), code.new_block(), code.new_block()
        search = code.new_block()
        last = checks_state.load_word(code, state, checks_state.ThreadState.LAST, POINTER)
        code.fork(checks_state.is_inside(code, last, start, end), known, search, [last])
        code.enter(search)
        found = code(CallOp, (), (state, start, end), callee=checks_state.name_of("find"), type=POINTER)
        missing = code.compare_integers("eq", code(PtrToIntOp, found, type=i64), code.integer(0))
        code.fork(missing, lost, fresh)
        code.enter(lost)
        self._outside(code, elements)
        code.enter(fresh)
        code.store(found, code.address(state, checks_state.ThreadState.LAST), checks_state.WORD)
        code.jump(known, [found])
        code.enter(known)
        return known.arguments[0]

    def _outside(self, code: LlvmBuilder, elements: checks_state.CheckedElements) -> None:
        """Emit the code for elements that no single memory holds. With memcheck each element is checked, and
        an element that lies in no memory is reported; without memcheck such elements are not checked. The
        generated code returns in both cases.
        """
        if not self.facts.memcheck:
            code.effect(ReturnOp, code.integer(0))
            return
        one, several = code.new_block(), code.new_block()
        code.fork(code.compare_integers("ule", elements.bytes, elements.size), one, several)
        code.enter(one)
        checks_state.report_address(code, CheckEvent.OUTSIDE, elements, elements.address, elements.skipped)
        code.enter(several)
        count = code(llvm.UDivOp, elements.bytes, elements.size)
        each_element(code, self.kind, elements, elements.size, count)
        code.effect(ReturnOp, code.integer(0))

    def _check_access(self, code: LlvmBuilder, elements: checks_state.CheckedElements, row: Value) -> None:
        """Emit tests of the alignment of the elements and, for writes, of the memory of `row` being
        writeable. The generated code reports an error to the observer, and returns the observer's result.
        """
        low = code(llvm.AndOp, elements.address, code.value(code.subtract(elements.size, 1)))
        checks_state.report_if(code, code.compare("ne", low, 0), CheckEvent.MISALIGNED, elements)
        if self.kind in checks_state.WRITES:
            writeable = checks_state.load_word(code, row, KnownMemoryOffset.WRITEABLE)
            checks_state.report_if(code, code.compare("eq", writeable, 0), CheckEvent.READ_ONLY, elements)

    def _check_cells(self, code: LlvmBuilder, elements: checks_state.CheckedElements, row: Value) -> None:
        watched, unwatched = code.new_block(), code.new_block()
        code.fork(
            code.compare("ne", checks_state.load_word(code, row, KnownMemoryOffset.SHADOW), 0),
            watched,
            unwatched,
        )
        code.enter(unwatched)
        code.effect(ReturnOp, code.integer(0))
        code.enter(watched)
        known = self.known(code, elements.state, row, elements.bytes)
        self._each_way(code, elements, known, CellWriter.emit)

    def check_element(
        self, code: LlvmBuilder, elements: checks_state.CheckedElements, known: CheckValues
    ) -> None:
        """Check one element of memory that is watched; the generated code returns if there is an error."""
        self._each_way(code, elements, known, CellWriter.check_one_element)

    def fetch(self, code: LlvmBuilder, elements: checks_state.CheckedElements, known: CheckValues) -> None:
        """Prefetch the cells of an element, so that the cells of many elements arrive concurrently."""
        cells, _ = self._cells(code, elements, known)
        stamps = (STAMPS,) if self.kind is CheckedAccessKind.WEAK_WRITE else ()
        for plane in dict.fromkeys((self.kind, *self.facts.conflicts(self.kind), *stamps)):
            place = code.address(cells.first, code.multiply(cells.plane, int(plane)))
            code.effect(PrefetchOp, place, int(plane in (self.kind, STAMPS)), 3, 1)

    def _each_way(
        self, code: LlvmBuilder, elements: checks_state.CheckedElements, known: CheckValues, emit: Emit
    ) -> None:
        """Emit the check of the cells of the elements, by `emit`.

        The code of a weak write has two branches: without a number of the store (``STAMP`` is 0) nothing
        shows that an address is written twice, so only races are checked.
        """
        cells, first = self._cells(code, elements, known)
        report = CellReports(code, self.facts, elements, known.origin, first)

        def go_through(stamped: bool) -> Sequence[Value]:
            writer = CellWriter(code, self.facts, self.kind, self.lanes, stamped=stamped)
            emit(writer, cells, report.race, report.twice)
            return ()

        if self.kind is not CheckedAccessKind.WEAK_WRITE:
            go_through(False)
            return
        plain = code.compare_integers("eq", cells.stamp, code.integer(0, cells.stamp.type))
        code.either(plain, lambda: go_through(False), lambda: go_through(True))

    def known(self, code: LlvmBuilder, state: Value, row: Value, size: Value) -> CheckValues:
        """Load the values that do not depend on the address of the elements: from the thread's state and from
        `row`, for elements of `size` bytes in all.
        """
        held = i64 if self.facts.clocks else i32
        shadow = checks_state.load_word(code, row, KnownMemoryOffset.SHADOW)
        return CheckValues(
            checks_state.load_word(code, row, KnownMemoryOffset.ORIGIN),
            code(IntToPtrOp, shadow, type=POINTER),
            checks_state.load_word(code, row, KnownMemoryOffset.PLANE),
            code.value(code.subtract(size, 1)),
            checks_state.load_word(code, state, checks_state.ThreadState.CELL),
            _cut(code, checks_state.load_word(code, state, checks_state.ThreadState.SEVERAL), held),
            code(TruncOp, checks_state.load_word(code, state, checks_state.ThreadState.LEAST), type=i32),
            checks_state.load_word(code, state, checks_state.ThreadState.CLOCK, POINTER),
            _cut(code, checks_state.load_word(code, state, checks_state.ThreadState.STAMP), held),
        )

    def _cells(
        self, code: LlvmBuilder, elements: checks_state.CheckedElements, known: CheckValues
    ) -> tuple[AccessCells, Value]:
        """Return the cells of the elements, and the index of the first of them among the cells of the memory."""
        bits = code.integer(self.facts.granule.bit_length() - 1)
        offset = code.value(code.subtract(elements.address, known.origin))
        first = code(llvm.LShrOp, offset, bits)
        last = code(llvm.LShrOp, code.value(code.add(offset, known.reach)), bits)
        count = code.value(code.add(code.subtract(last, first), 1))
        held = i64 if self.facts.clocks else i32
        mine = _cut(code, code(llvm.OrOp, known.mine, elements.site), held)
        cells = AccessCells(
            code.address(known.shadow, first, held),
            known.plane,
            count,
            mine,
            known.several,
            known.least,
            known.clock,
            known.stamp,
        )
        return cells, first


def _cut(code: LlvmBuilder, value: Value, type: Type) -> Value:
    return value if value.type is type else code(TruncOp, value, type=type)


@dataclass(frozen=True, slots=True)
class CellReports:
    """Emits the reports of errors that the cells of the elements ``elements`` show: races, and addresses that
    one store writes twice.

    ``origin`` is the first address of the memory. ``first`` is the index in the memory's cells of the first
    cell that the access touches; the parameters ``at`` of the methods count from it.
    """

    code: LlvmBuilder
    facts: AccessSummary
    elements: checks_state.CheckedElements
    origin: Value
    first: Value

    def race(self, at: Value, held: Value) -> None:
        """Emit the report of a race to the observer, and a return of the observer's result: another tile
        block accessed the memory of the cell with the index `at`, whose value is ``held``.
        """
        address, skipped = self._place(at)
        wide = held if held.type is i64 else self.code.index(held, signed=False)
        checks_state.report_address(self.code, CheckEvent.RACE, self.elements, address, skipped, wide)

    def twice(self, at: Value) -> None:
        """Emit the report to the observer that the same store wrote the memory of the cell with the index
        `at` already, and a return of the observer's result.
        """
        checks_state.report_address(self.code, CheckEvent.TWICE, self.elements, *self._place(at))

    def _place(self, at: Value) -> tuple[Value, Value]:
        """Return the address of the first byte that the access touches in the cell with the index `at`, and
        the number of elements of the row before it.
        """
        code, elements = self.code, self.elements
        offset = code.multiply(code.add(self.first, at), self.facts.granule)
        address = code.value(code.maximum(elements.address, code.add(self.origin, offset)))
        distance = code.value(code.subtract(address, elements.address))
        before = code(llvm.UDivOp, distance, elements.size)
        return address, code.value(code.add(elements.skipped, before))


def each_element(
    code: LlvmBuilder,
    kind: CheckedAccessKind,
    elements: checks_state.CheckedElements,
    distance: Value,
    count: Value,
) -> None:
    """Check each of `count` elements, `distance` bytes apart; the generated code returns at the first error."""

    def one(loop: LoopBody) -> Sequence[Value]:
        call_one(code, kind, elements, code.multiply(loop.index, distance), loop.index)
        return ()

    code.loop(0, count, 1, (), one, may_be_empty=True)


def call_one(
    code: LlvmBuilder,
    kind: CheckedAccessKind,
    elements: checks_state.CheckedElements,
    offset: Index,
    number: Index,
) -> None:
    """Check the element `offset` bytes after the first element, with the number `number` counted from it; the
    generated code returns if there is an error.
    """
    checks_state.check_run(
        code,
        kind,
        checks_state.CheckedElements(
            elements.state,
            code.value(code.add(elements.address, offset)),
            elements.size,
            elements.size,
            elements.site,
            elements.element,
            code.value(code.add(elements.skipped, number)),
        ),
    )
