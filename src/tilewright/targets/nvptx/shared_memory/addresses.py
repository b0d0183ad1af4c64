"""The shared memory addresses of each thread of a block, computed from the code.

A known number with an equal value in all threads is an integer; a known number that differs by thread is a
tuple with an integer for each thread. Values that depend on other inputs (arguments of kernels, memory, loop
counters) are unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass

from tilewright.dialects.llvm.enums import IntegerPredicate
from tilewright.dialects.llvm.ops import arithmetic as llvm, memory as llvm_memory, symbol as llvm_symbol
from tilewright.dialects.llvm.ops.aggregate import AddressOfOp, ConstantOp, ZeroOp
from tilewright.dialects.llvm.ops.control import BrOp, CondBrOp
from tilewright.dialects.llvm.ops.conversion import SExtOp, TruncOp, ZExtOp
from tilewright.dialects.nvvm.ops import barrier as nvvm_barrier, register as nvvm_register
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.builtin_types import IntegerType
from tilewright.ir.dominance import Dominance
from tilewright.ir.operation import Operation
from tilewright.ir.value import BlockArgument, Value
from tilewright.targets.nvptx.nvvm_to_ptx.rows.memory_rows import steps

Numbers = int | tuple[int, ...]
"""A number for all threads, or a number for each thread."""
Function = Callable[[int, int], int]
WIDEST = 128
"""Shifts by this number of bits or more are undefined for integers of every width."""
BINARY: Mapping[type[Operation], Function] = {
    llvm.AddOp: int.__add__,
    llvm.SubOp: int.__sub__,
    llvm.MulOp: int.__mul__,
    llvm.AndOp: int.__and__,
    llvm.OrOp: int.__or__,
    llvm.XOrOp: int.__xor__,
    llvm.ShlOp: lambda number, count: number << count if count < WIDEST else 0,
    llvm.LShrOp: int.__rshift__,
}
"""Functions of operations on unsigned integers; results are truncated to the width of the type."""
COMPARISONS: Mapping[IntegerPredicate, Function] = {
    IntegerPredicate.EQ: int.__eq__,
    IntegerPredicate.NE: int.__ne__,
    IntegerPredicate.SLT: int.__lt__,
    IntegerPredicate.SLE: int.__le__,
    IntegerPredicate.SGT: int.__gt__,
    IntegerPredicate.SGE: int.__ge__,
    IntegerPredicate.ULT: int.__lt__,
    IntegerPredicate.ULE: int.__le__,
    IntegerPredicate.UGT: int.__gt__,
    IntegerPredicate.UGE: int.__ge__,
}
SIGNED = frozenset({IntegerPredicate.SLT, IntegerPredicate.SLE, IntegerPredicate.SGT, IntegerPredicate.SGE})


@dataclass(frozen=True)
class SharedAddress:
    """An address in shared memory: the name of the variable, and the offset in bytes from its begin, for all
    threads or for each (`None` if unknown).

    `buffer` is the address of the buffer in the variable that the address is derived from, and `begin` is the
    offset of the buffer in bytes.
    """

    variable: str
    offset: Numbers | None
    begin: int
    buffer: Value


@dataclass(frozen=True)
class ThreadIterations:
    """The iterations in which each thread executes a block. Thread ``t`` executes it when ``value``, which is
    equal in all threads, is ``numbers[t]``.
    """

    value: Value
    numbers: tuple[int, ...]


class Threads:
    """Evaluates the values of a function for all `count` threads of a block. Results are cached."""

    def __init__(self, function: llvm_symbol.LLVMFuncOp, count: int) -> None:
        self.count = count
        self._numbers: dict[Value, Numbers | None] = {}
        self._places: dict[Value, SharedAddress | None] = {}
        self._active: dict[Block, tuple[bool, ...] | None] = {}
        self._above = Dominance().immediate_dominators(function.body)

    # --- numbers

    def numbers(self, value: Value) -> Numbers | None:
        """Return the value of an integer, as an unsigned number, for all threads or for each thread, or
        `None` if it is unknown.
        """
        pending = [value]
        while pending:
            one = pending[-1]
            missing = [] if one in self._numbers else [v for v in _needed(one) if v not in self._numbers]
            if missing:
                pending.extend(missing)
                continue
            pending.pop()
            if one not in self._numbers:
                self._numbers[one] = self._computed(one)
        return self._numbers[value]

    def _computed(self, value: Value) -> Numbers | None:
        op = value.owner
        if isinstance(op, nvvm_register.ThreadIdXOp):
            return tuple(range(self.count))
        if isinstance(op, ConstantOp):
            mask = _mask(value)
            return op.value.value & mask if isinstance(op.value, IntegerAttr) and mask else None
        if isinstance(op, ZeroOp):
            return 0
        given = [self._numbers[one] for one in _needed(value)]
        known = [one for one in given if one is not None]
        if not known or len(known) < len(given):
            return None
        return self._applied(op, value, known)

    def _applied(self, op: Operation, value: Value, given: list[Numbers]) -> Numbers | None:
        mask = _mask(value)
        if isinstance(op, llvm.ICmpOp):
            return self._compared(op, given)
        if isinstance(op, llvm.SelectOp):
            return self._selected(*given)
        if isinstance(op, ZExtOp | TruncOp):
            return _cut(given[0], mask)
        if isinstance(op, SExtOp):
            return _cut(_signed(given[0], _mask(op.operands[0])), mask)
        return _cut(mapped(BINARY[op.__class__], given[0], given[1]), mask)

    def _compared(self, op: llvm.ICmpOp, given: list[Numbers]) -> Numbers:
        left, right = given
        if op.predicate in SIGNED:
            sign = _mask(op.lhs) // 2 + 1
            left, right = mapped(int.__xor__, left, sign), mapped(int.__xor__, right, sign)
        return mapped(COMPARISONS[op.predicate], left, right)

    def _selected(self, condition: Numbers, first: Numbers, second: Numbers) -> Numbers:
        if isinstance(condition, int):
            return first if condition else second
        left, right = self._each(first), self._each(second)
        return tuple([a if held else b for held, a, b in zip(condition, left, right, strict=True)])

    def _each(self, numbers: Numbers) -> tuple[int, ...]:
        return numbers if isinstance(numbers, tuple) else (numbers,) * self.count

    # --- addresses

    def address_of(self, pointer: Value) -> SharedAddress | None:
        """Return the address of a pointer in shared memory, or `None` if it is not derived from the address
        of a variable by `llvm.getelementptr` only. The offset in the result is `None` if an index is unknown.
        """
        way: list[llvm_memory.GEPOp] = []
        value = pointer
        while value not in self._places and isinstance(value.owner, llvm_memory.GEPOp):
            way.append(value.owner)
            value = value.owner.base
        if value not in self._places:
            owner = value.owner
            self._places[value] = (
                SharedAddress(owner.global_name, 0, 0, value) if isinstance(owner, AddressOfOp) else None
            )
        found = self._places[value]
        for op in reversed(way):
            found = self._places[op.res] = self._moved(found, op) if found is not None else None
        return found

    def _moved(self, place: SharedAddress, op: llvm_memory.GEPOp) -> SharedAddress:
        known, dynamic = steps(op)
        offset: Numbers | None = place.offset
        if offset is not None and known:
            offset = mapped(int.__add__, offset, known)
        for value, size in dynamic:
            number = self.numbers(value)
            if offset is None or number is None:
                offset = None
                break
            distance = mapped(int.__mul__, _signed(number, _mask(value)), size)
            offset = mapped(int.__add__, offset, distance)
        if isinstance(op.base.owner, AddressOfOp) and not dynamic:
            return SharedAddress(place.variable, offset, known, op.res)
        return SharedAddress(place.variable, offset, place.begin, place.buffer)

    # --- threads

    def active(self, block: Block) -> tuple[bool, ...] | None:
        """Return for each thread whether it reaches a block, as far as conditions that are known for each
        thread decide that; `None` if they exclude no thread.
        """
        way: list[Block] = []
        at: Block | None = block
        while at is not None and at not in self._active:
            way.append(at)
            at = self._above.get(at)
        found = self._active[at] if at is not None else None
        for one in reversed(way):
            found = self._active[one] = self._narrowed(found, one)
        return found

    def turns(self, block: Block) -> ThreadIterations | None:
        """Return the iteration in which each thread reaches a block: the innermost branch around it is taken
        if a number that is known for each thread equals a value that is unknown but equal in all threads,
        such as a loop counter. Return `None` if there is no such branch.
        """
        at: Block | None = block
        while at is not None:
            above = self._above.get(at)
            end = above.last if above is not None else None
            if isinstance(end, CondBrOp) and at.predecessors == [above] and at is end.trueDest:
                for condition in _conditions(end.condition):
                    found = self._turns(condition, at)
                    if found is not None and end.trueDest is not end.falseDest:
                        return found
            at = above
        return None

    def _turns(self, condition: Value, block: Block) -> ThreadIterations | None:
        op = condition.owner
        if not isinstance(op, llvm.ICmpOp) or op.predicate is not IntegerPredicate.EQ:
            return None
        for one, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            numbers = self.numbers(one)
            if numbers is not None and self.numbers(other) is None and _is_agreed(other, block):
                return ThreadIterations(other, self._each(numbers))
        return None

    def _narrowed(self, held: tuple[bool, ...] | None, block: Block) -> tuple[bool, ...] | None:
        above = self._above.get(block)
        end = above.last if above is not None else None
        if not isinstance(end, CondBrOp) or block.predecessors != [above] or end.trueDest is end.falseDest:
            return held
        met = block is end.trueDest
        for part in _conditions(end.condition) if met else (end.condition,):
            condition = self.numbers(part)
            if isinstance(condition, tuple):
                kept = [bool(number) is met for number in condition]
                held = tuple(kept if held is None else map(bool.__and__, held, kept))
        return held


def _conditions(condition: Value) -> Sequence[Value]:
    """Return the conditions whose conjunction is `condition`, through nested conjunctions. If `condition` is
    no conjunction, it is the only one.
    """
    found, pending = list[Value](), [condition]
    while pending:
        one = pending.pop()
        if isinstance(one.owner, llvm.AndOp):
            pending += one.owner.operands
        else:
            found.append(one)
    return found


def _is_agreed(value: Value, block: Block) -> bool:
    """Return whether a value is equal in all threads that reach a block at the same time: it is computed from
    constants and loop counters only.
    """
    pending, seen = [value], {value}
    while pending:
        one = pending.pop()
        owner, needed = one.owner, _needed(one)
        pending += [further for further in needed if further not in seen]
        seen.update(needed)
        is_known = bool(needed) or isinstance(owner, ConstantOp | ZeroOp)
        if not is_known and not (isinstance(owner, Block) and _is_counter(one, owner, block)):
            return False
    return True


def _is_counter(value: Value, header: Block, block: Block) -> bool:
    """Return whether `value` is an argument of the block `header` that counts the iterations of a loop: it
    starts at a constant and grows by a constant, and in each iteration a barrier precedes `block` and the
    next iteration.
    """
    if not isinstance(value, BlockArgument):
        return False
    further: set[Block] = set()
    for before in header.predecessors:
        end = before.last
        if not isinstance(end, BrOp):
            return False
        given = end.destOperands[value.index].owner
        parts = given.operands if isinstance(given, llvm.AddOp) else ()
        if value in parts:
            further.add(before)
        steps = [one.owner for one in parts if one is not value] if value in parts else [given]
        if not all(isinstance(step, ConstantOp | ZeroOp) for step in steps):
            return False
    return _meet_behind(header, block, further)


def _meet_behind(header: Block, block: Block, further: AbstractSet[Block]) -> bool:
    """Return whether a barrier is on every path from a loop header to a block, and to the next iteration.

    `further` are the blocks from which the next iteration begins. A path that leaves the loop and enters it
    again needs no barrier: the counter starts again in all threads.
    """
    pending, seen = [header], {header}
    while pending:
        one = pending.pop()
        if any(isinstance(op, nvvm_barrier.Barrier0Op) for op in one):
            continue
        if block in one.successors or one in further:
            return False
        pending += [after for after in one.successors if after not in seen]
        seen.update(one.successors)
    return True


def mapped(function: Function, left: Numbers, right: Numbers) -> Numbers:
    """Return `function` of `left` and `right`: a single number if both operands are single numbers, equal in
    all threads, otherwise a tuple with a number for each thread.
    """
    if isinstance(left, tuple):
        if isinstance(right, tuple):
            return tuple(map(function, left, right))
        return tuple([function(one, right) for one in left])
    if isinstance(right, tuple):
        return tuple([function(left, one) for one in right])
    return function(left, right)


def _cut(numbers: Numbers, mask: int) -> Numbers:
    """Return the bits of numbers that are set in `mask`; numbers that fit are returned unchanged."""
    if isinstance(numbers, int):
        return numbers & mask
    fit = not numbers or (min(numbers) >= 0 and max(numbers) <= mask)
    return numbers if fit else tuple([one & mask for one in numbers])


def _signed(numbers: Numbers, mask: int) -> Numbers:
    """Return unsigned numbers of N bits as signed numbers; `mask` is ``2**N - 1``."""
    sign = mask // 2 + 1
    if isinstance(numbers, int):
        return (numbers ^ sign) - sign
    fit = not numbers or max(numbers) < sign
    return numbers if fit else tuple([(one ^ sign) - sign for one in numbers])


def _needed(value: Value) -> tuple[Value, ...]:
    """Return the operands from which `Threads` computes an integer value: the operands of a supported binary
    operation, comparison, selection or integer conversion. Return `()` for any other value: a constant or
    thread index, which needs no operands, or a value that `Threads` cannot compute.
    """
    op = value.owner
    if isinstance(op, Block) or not isinstance(value.type, IntegerType):
        return ()
    if op.__class__ in BINARY or isinstance(op, llvm.ICmpOp | llvm.SelectOp | ZExtOp | SExtOp | TruncOp):
        return tuple(op.operands)
    return ()


def _mask(value: Value) -> int:
    return (1 << value.type.width) - 1 if isinstance(value.type, IntegerType) else 0
