"""Where the threads of a block access shared memory, computed for each of them from the code.

A number that all threads agree on and that is known is an integer, one that differs by thread a tuple with one integer for each
thread of the block.  What depends on anything else (arguments of kernels, memory, counters of loops) is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from tilewright.dialects.llvm.enums import IntegerPredicate
from tilewright.dialects.llvm.ops import arithmetic as llvm
from tilewright.dialects.llvm.ops.aggregate import AddressOfOp, ConstantOp, ZeroOp
from tilewright.dialects.llvm.ops.control import BrOp, CondBrOp
from tilewright.dialects.llvm.ops.conversion import SExtOp, TruncOp, ZExtOp
from tilewright.dialects.llvm.ops.memory import GEPOp
from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.dialects.nvvm.ops.barrier import Barrier0Op
from tilewright.dialects.nvvm.ops.register import ThreadIdXOp
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.builtin_types import IntegerType
from tilewright.ir.dominance import Dominance
from tilewright.ir.operation import Operation
from tilewright.ir.value import BlockArgument, Value
from tilewright.targets.nvptx.emission.rows.memory import steps

Numbers = int | tuple[int, ...]
"""One number for all threads, or one for each."""
Function = Callable[[int, int], int]
BINARY: Mapping[type[Operation], Function] = {
    llvm.AddOp: int.__add__,
    llvm.SubOp: int.__sub__,
    llvm.MulOp: int.__mul__,
    llvm.AndOp: int.__and__,
    llvm.OrOp: int.__or__,
    llvm.XOrOp: int.__xor__,
    llvm.ShlOp: int.__lshift__,
    llvm.LShrOp: int.__rshift__,
}
"""Operations on unsigned integers; what they answer is cut to the width of the type."""
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
class Place:
    """An address in shared memory: the variable, and how many bytes behind its beginning; None where that is not known.

    ``buffer`` is the address of the buffer, the first step from the variable on, and ``begin`` its distance.
    """

    variable: str
    offset: Numbers | None
    begin: int
    buffer: Value


@dataclass(frozen=True)
class Turns:
    """Threads that take turns: each comes to a block only when a value, equal for all threads, is the number of the thread."""

    value: Value
    numbers: tuple[int, ...]


class Threads:
    """Evaluates the values of a function for all threads of a block."""

    def __init__(self, function: LLVMFuncOp, count: int) -> None:
        self.count = count
        self._numbers: dict[Value, Numbers | None] = {}
        self._places: dict[Value, Place | None] = {}
        self._active: dict[Block, tuple[bool, ...] | None] = {}
        self._above = Dominance().immediate_dominators(function.body)

    # --- numbers

    def numbers(self, value: Value) -> Numbers | None:
        """What an integer is for each thread; None if that is not known."""
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
        if isinstance(op, ThreadIdXOp):
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

    # --- places

    def place(self, pointer: Value) -> Place | None:
        """Where a pointer leads; None if not into a known variable."""
        way: list[GEPOp] = []
        value = pointer
        while value not in self._places and isinstance(value.owner, GEPOp):
            way.append(value.owner)
            value = value.owner.base
        if value not in self._places:
            owner = value.owner
            self._places[value] = (
                Place(owner.global_name, 0, 0, value) if isinstance(owner, AddressOfOp) else None
            )
        found = self._places[value]
        for op in reversed(way):
            found = self._places[op.res] = self._moved(found, op) if found is not None else None
        return found

    def _moved(self, place: Place, op: GEPOp) -> Place:
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
            return Place(place.variable, offset, known, op.res)
        return Place(place.variable, offset, place.begin, place.buffer)

    # --- threads

    def active(self, block: Block) -> tuple[bool, ...] | None:
        """Which threads come to a block, as far as known conditions say; None for all."""
        way: list[Block] = []
        at: Block | None = block
        while at is not None and at not in self._active:
            way.append(at)
            at = self._above.get(at)
        found = self._active[at] if at is not None else None
        for one in reversed(way):
            found = self._active[one] = self._narrowed(found, one)
        return found

    def turns(self, block: Block) -> Turns | None:
        """In which turns threads come to a block, by the innermost condition that compares with a number all agree on."""
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

    def _turns(self, condition: Value, block: Block) -> Turns | None:
        op = condition.owner
        if not isinstance(op, llvm.ICmpOp) or op.predicate is not IntegerPredicate.EQ:
            return None
        for one, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            numbers = self.numbers(one)
            if numbers is not None and self.numbers(other) is None and _is_agreed(other, block):
                return Turns(other, self._each(numbers))
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
    """The parts of a conjunction."""
    found, pending = list[Value](), [condition]
    while pending:
        one = pending.pop()
        if isinstance(one.owner, llvm.AndOp):
            pending += one.owner.operands
        else:
            found.append(one)
    return found


def _is_agreed(value: Value, block: Block) -> bool:
    """Whether all threads that come to a block at one time have the same value: it is computed from counters of loops."""
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
    """Whether a value counts the iterations of a loop, in each of which all threads meet before they come to a block."""
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
    """Whether there is a barrier on every way from the header of a loop to a block, and to the next iteration.

    ``further`` are the blocks from which the next iteration begins.  A way that leaves the loop and comes to it anew needs
    none: the count begins from the start for all threads.
    """
    pending, seen = [header], {header}
    while pending:
        one = pending.pop()
        if any(isinstance(op, Barrier0Op) for op in one):
            continue
        if block in one.successors or one in further:
            return False
        pending += [after for after in one.successors if after not in seen]
        seen.update(one.successors)
    return True


def mapped(function: Function, left: Numbers, right: Numbers) -> Numbers:
    """A function of two numbers, for every thread if one of them differs by thread."""
    if isinstance(left, tuple):
        if isinstance(right, tuple):
            return tuple(map(function, left, right))
        return tuple([function(one, right) for one in left])
    if isinstance(right, tuple):
        return tuple([function(left, one) for one in right])
    return function(left, right)


def _cut(numbers: Numbers, mask: int) -> Numbers:
    """The low bits of numbers; most fit already."""
    if isinstance(numbers, int):
        return numbers & mask
    fit = not numbers or (min(numbers) >= 0 and max(numbers) <= mask)
    return numbers if fit else tuple([one & mask for one in numbers])


def _signed(numbers: Numbers, mask: int) -> Numbers:
    """Unsigned numbers read as signed ones of the width of a mask; most are small."""
    sign = mask // 2 + 1
    if isinstance(numbers, int):
        return (numbers ^ sign) - sign
    fit = not numbers or max(numbers) < sign
    return numbers if fit else tuple([(one ^ sign) - sign for one in numbers])


def _needed(value: Value) -> tuple[Value, ...]:
    """The operands that a value is computed from, if there is a rule for its operation."""
    op = value.owner
    if isinstance(op, Block) or not isinstance(value.type, IntegerType):
        return ()
    if op.__class__ in BINARY or isinstance(op, llvm.ICmpOp | llvm.SelectOp | ZExtOp | SExtOp | TruncOp):
        return tuple(op.operands)
    return ()


def _mask(value: Value) -> int:
    return (1 << value.type.width) - 1 if isinstance(value.type, IntegerType) else 0
