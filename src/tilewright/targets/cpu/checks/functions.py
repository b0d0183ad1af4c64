"""The functions that checked accesses call, added to a module once each.

| function | checks |
|---|---|
| `find` | nothing: it returns the row of the table (`KnownMemoryOffset`) of the memory that holds some bytes, or null |
| `run` | contiguous elements |
| `row` | elements at equal distances |
| `some` | the contiguous elements whose bit is set |
| `lanes` | the elements at arbitrary addresses whose bit is set |
| `box` | the conditions of `memcheck` for all bytes between two addresses; it only returns the result |

All but `find` exist for each kind of access. Most return 0 or the result of the observer. They share the
`ThreadState` with the kernel.
"""

from __future__ import annotations

from collections.abc import Callable

from tilewright.dialects.llvm.intrinsics.integer import CountTrailingZerosOp
from tilewright.dialects.llvm.ops import arithmetic as llvm, control as llvm_control
from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.ir.builtin_types import i64
from tilewright.ir.value import Value
from tilewright.runtime.context import KnownMemoryOffset
from tilewright.targets.cpu.checks import find as checks_find, state as checks_state
from tilewright.targets.cpu.checks.run import RangeCheck, call_one, each_element
from tilewright.targets.cpu.facts.checks import AccessSummary, CheckedAccessKind
from tilewright.targets.llvm.code import POINTER, LlvmBuilder


def functions(facts: AccessSummary, vector_bytes: int) -> list[LLVMFuncOp]:
    """Return all check functions that a module needs, for the kinds of accesses in ``facts``.
    ``vector_bytes`` is the width of a vector in bytes, for vectors of cells.
    """
    lanes = vector_bytes // facts.cell_bytes
    made = [checks_find.find()]
    for kind in sorted(facts.kinds):
        made += [RangeCheck(facts, kind, lanes).function(), _row(kind), _some(kind), checks_find.box(kind)]
        made.append(_Lanes(facts, kind).function())
    return made


def _row(kind: CheckedAccessKind) -> LLVMFuncOp:
    """Return the function `row(state, address, count, distance, size, site, element)`.

    It checks `count` elements of `size` bytes, with starts `distance` bytes apart.
    """

    def write(code: LlvmBuilder) -> None:
        state, address, count, distance, size, site, element = code.entry.arguments
        zero = code.integer(0)
        bytes_ = code.value(code.multiply(count, size))
        elements = checks_state.CheckedElements(state, address, bytes_, size, site, element, zero)
        together, apart, done = code.new_block(), code.new_block(), code.new_block()
        some = code.new_block()
        code.fork(code.compare("sgt", count, 0), some, done)
        code.enter(some)
        code.fork(code.compare_integers("eq", distance, size), together, apart)
        code.enter(together)
        checks_state.check_run(code, kind, elements)
        code.jump(done)
        code.enter(apart)
        each_element(code, kind, elements, distance, count)
        code.jump(done)
        code.enter(done)
        code.effect(llvm_control.ReturnOp, zero)

    return checks_state.helper(checks_state.name_of("row", kind), (POINTER, *[i64] * 6), i64, write)


def _some(kind: CheckedAccessKind) -> LLVMFuncOp:
    """Return the function `some(state, address, bits, size, site, element)`: it checks the contiguous
    elements whose bit in `bits` is set. All elements, or a prefix of them, are checked at once; others one by
    one.
    """

    def write(code: LlvmBuilder) -> None:
        state, address, bits, size, site, element = code.entry.arguments
        zero = code.integer(0)
        following = code.value(code.add(bits, 1))
        gaps = code(llvm.AndOp, bits, following)
        first, scattered, filled = code.new_block(), code.new_block(), code.new_block()
        done = code.new_block()
        code.fork(code.compare("eq", gaps, 0), first, scattered)
        code.enter(first)
        holes = code(llvm.XOrOp, bits, code.integer(-1))
        count = code(CountTrailingZerosOp, holes, False)
        code.fork(code.compare("sgt", count, 0), filled, done)
        code.enter(filled)
        bytes_ = code.value(code.multiply(count, size))
        checks_state.check_run(
            code, kind, checks_state.CheckedElements(state, address, bytes_, size, site, element, zero)
        )
        code.jump(done)
        code.enter(scattered)
        elements = checks_state.CheckedElements(state, address, size, size, site, element, zero)
        _each_bit(code, bits, lambda lane: call_one(code, kind, elements, code.multiply(lane, size), lane))
        code.jump(done)
        code.enter(done)
        code.effect(llvm_control.ReturnOp, zero)

    return checks_state.helper(checks_state.name_of("some", kind), (POINTER, *[i64] * 5), i64, write)


class _Lanes:
    """Makes the function `lanes` for accesses of one kind: `lanes(state, addresses, bits, size, site,
    element)` checks the elements of the lanes whose bit in ``bits`` is set.

    ``addresses`` points at one 64-bit address for each lane. The row of the memory that was found last is
    read once, because most lanes lie in that memory.
    """

    def __init__(self, facts: AccessSummary, kind: CheckedAccessKind) -> None:
        self.facts = facts
        self.kind = kind
        self.run = RangeCheck(facts, kind, 1)

    def function(self) -> LLVMFuncOp:
        """Return the function `lanes`, which checks the elements at arbitrary addresses whose bits are set,
        one by one. It returns 0, or the result of the observer at the first error.
        """
        return checks_state.helper(
            checks_state.name_of("lanes", self.kind), (POINTER, POINTER, *[i64] * 4), i64, self._write
        )

    def _write(self, code: LlvmBuilder) -> None:
        state, addresses, bits, size, site, element = code.entry.arguments
        row = checks_state.load_word(code, state, checks_state.ThreadState.LAST, POINTER)
        start, end = (
            checks_state.load_word(code, row, KnownMemoryOffset.START),
            checks_state.load_word(code, row, KnownMemoryOffset.END),
        )
        most = code.value(code.subtract(code.subtract(end, start), size))
        usable = self._is_usable(code, row, most)
        known = self.run.known(code, state, row, size) if self.facts.racecheck else None
        low = code.value(code.subtract(size, 1))

        def at(number: Value) -> checks_state.CheckedElements:
            address = code.load(code.address(addresses, number, i64), i64, checks_state.WORD)
            return checks_state.CheckedElements(state, address, size, size, site, element, number)

        def lane(number: Value) -> None:
            elements = at(number)
            address = elements.address
            offset = code.value(code.subtract(address, start))
            is_odd = code.compare("ne", code(llvm.AndOp, address, low), 0)
            is_known = code.both([usable, code.compare_integers("ule", offset, most), _inverse(code, is_odd)])
            near, far, done = code.new_block(), code.new_block(), code.new_block()
            code.fork(is_known, near, far)
            code.enter(near)
            if known is not None:
                self.run.check_element(code, elements, known)
            code.jump(done)
            code.enter(far)
            checks_state.check_run(code, self.kind, elements)
            code.jump(done)
            code.enter(done)

        if known is not None:
            _each_bit(code, bits, lambda number: self.run.fetch(code, at(number), known))
        _each_bit(code, bits, lane)
        code.effect(llvm_control.ReturnOp, code.integer(0))

    def _is_usable(self, code: LlvmBuilder, row: Value, most: Value) -> Value:
        """Return whether the memory of `row`, which was found last, can hold an element, under racecheck is
        watched and, for writes, is writeable. `most` is the largest offset of an element in the memory, in
        bytes.
        """
        tests = [code.compare("sge", most, 0)]
        if self.facts.racecheck:
            tests.append(code.compare("ne", checks_state.load_word(code, row, KnownMemoryOffset.SHADOW), 0))
        if self.kind in checks_state.WRITES:
            tests.append(
                code.compare("ne", checks_state.load_word(code, row, KnownMemoryOffset.WRITEABLE), 0)
            )
        return code.both(tests)


def _inverse(code: LlvmBuilder, condition: Value) -> Value:
    return code(llvm.XOrOp, condition, code.true())


def _each_bit(code: LlvmBuilder, bits: Value, body: Callable[[Value], None]) -> None:
    """Emit a loop that runs the code of `body` for the position of each bit that is set in `bits`, lowest
    first.
    """
    head, inside, done = code.new_block([i64]), code.new_block(), code.new_block()
    code.jump(head, [bits])
    code.enter(head)
    (left,) = head.arguments
    code.fork(code.compare("ne", left, 0), inside, done)
    code.enter(inside)
    body(code(CountTrailingZerosOp, left, True))
    rest = code(llvm.AndOp, left, code.value(code.subtract(left, 1)))
    code.jump(head, [rest])
    code.enter(done)
