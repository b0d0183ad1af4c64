"""`nvvm-carry-addresses`: a loop carries addresses and distances that grow by the same step in every iteration.

Code of tiles computes the address of each element from the counter of the loop: a sum of products in 64 bits.  Invariant
arithmetic moves before the loop here.  A value that is linear in the counter is carried by the loop:
it is computed once for the first iteration, and each iteration adds a step that is computed before the loop, too.  All of that is
exact, as integers and addresses wrap around.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial, reduce
from operator import add, mul, sub
from typing import ClassVar

from tilewright.dialects.llvm.enums import PointerWrapFlags
from tilewright.dialects.llvm.intrinsics.integer import SMaxOp, SMinOp, UMaxOp, UMinOp
from tilewright.dialects.llvm.ops import arithmetic as llvm, symbol as llvm_symbol
from tilewright.dialects.llvm.ops.aggregate import ConstantOp
from tilewright.dialects.llvm.ops.conversion import SExtOp, TruncOp, ZExtOp
from tilewright.dialects.llvm.ops.memory import GEPOp
from tilewright.dialects.llvm.types import LLVMPointerType
from tilewright.dialects.nvvm.ops.register import RangedRegisterOp
from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import IntegerAttr
from tilewright.ir.builtin_types import IntegerType, i1, i8, i32, i64
from tilewright.ir.interfaces.effects import erase_dead
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.inserting import PointInserter
from tilewright.lowering.llvm_types.address_spaces import LlvmAddressSpace
from tilewright.passes.pass_ import Pass, PassState
from tilewright.targets.nvptx.addresses import DYNAMIC
from tilewright.targets.nvptx.loops import chains
from tilewright.targets.nvptx.loops.counted import CountedBlockLoop, counted_loops, number
from tilewright.targets.nvptx.shared_memory.model import defined_functions

ARITHMETIC = (
    *(
        llvm.AddOp,
        llvm.SubOp,
        llvm.MulOp,
        llvm.AndOp,
        llvm.OrOp,
        llvm.XOrOp,
        llvm.ShlOp,
        llvm.LShrOp,
        llvm.AShrOp,
        llvm.ICmpOp,
    ),
    *(SMaxOp, SMinOp, UMaxOp, UMinOp, SExtOp, ZExtOp, TruncOp, GEPOp, ConstantOp),
)
"""Operations on integers and addresses that may be computed although no iteration executes them."""
GLOBAL = LlvmAddressSpace.GLOBAL.value


def hoist(loop: CountedBlockLoop) -> int:
    """Move invariant integer and address arithmetic of a loop before the loop, and reads of special registers
    with a range: operations whose operands the loop does not compute. Return the number of moved operations.
    """
    moved = 0
    for block in loop.blocks:
        for op in block.ops:
            if isinstance(op, (*ARITHMETIC, RangedRegisterOp)) and not any(map(loop.defines, op.operands)):
                op.move_before(loop.entry)
                moved += 1
    return moved


def gather(loop: CountedBlockLoop) -> int:
    """Compute the conjunction of the conditions of a loop that do not change before it, where a conjunction in the loop
    has two or more of them and others. Return the number of rewritten conjunctions.
    """
    emit, count, made = PointInserter.before(loop.entry), 0, dict[tuple[Value, ...], Value]()
    for op in [op for block in loop.blocks for op in block.ops if isinstance(op, llvm.AndOp)]:
        conditions = list(dict.fromkeys(_conditions(op.res, loop)))
        fixed = tuple([one for one in conditions if not loop.defines(one)])
        if op.res.type is not i1 or len(fixed) < 2 or len(fixed) == len(conditions):
            continue
        if fixed not in made:
            made[fixed] = reduce(partial(emit, llvm.AndOp), fixed)
        changing = [one for one in conditions if loop.defines(one)]
        both = reduce(partial(PointInserter.before(op), llvm.AndOp), [*changing, made[fixed]])
        op.res.replace_all_uses_with(both)
        erase_dead([op.res])
        count += 1
    return count


def _conditions(value: Value, loop: CountedBlockLoop) -> Iterator[Value]:
    """Yield the operands of the conjunction that operations of `loop` compute; only `value` if it is no
    conjunction.
    """
    owner = value.owner
    if isinstance(owner, llvm.AndOp) and loop.defines(value):
        for operand in owner.operands:
            yield from _conditions(operand, loop)
    else:
        yield value


@dataclass
class CarriedValueBuilder:
    """Makes values that a loop carries.

    ``steps`` has the amount by which each value grows in an iteration (None: the value is not known to be
    linear), and ``firsts`` its value in the first iteration. Both are computed before the loop.
    """

    loop: CountedBlockLoop
    steps: dict[Value, Value | None] = field(default_factory=dict[Value, Value | None])
    firsts: dict[Value, Value] = field(default_factory=dict[Value, Value])

    def __post_init__(self) -> None:
        self.emit = PointInserter.before(self.loop.entry)
        self.is_counted_upwards = self.loop.counts_upwards()

    # --- steps

    def step_of(self, value: Value) -> Value | None:
        """Return the amount, computed before the loop, by which `value` grows in each iteration: bytes for an
        address. Return None if the amount is not known, or if the loop does not compute `value`.
        """
        if value is self.loop.counter:
            return self.loop.step
        owner = value.owner
        if isinstance(owner, Block) or not self.loop.defines(value):
            return None
        if value not in self.steps:
            self.steps[value] = self._worked_out(owner)
        return self.steps[value]

    def _constant(self, value: int, type: object) -> Value:
        assert isinstance(type, IntegerType), "counters are integers"
        return self.emit(ConstantOp, IntegerAttr(type, value), type=type)

    def _worked_out(self, op: Operation) -> Value | None:
        if isinstance(op, llvm.AddOp | llvm.SubOp):
            return self._of_sum(op)
        if isinstance(op, llvm.MulOp):
            return self._of_product(op)
        if isinstance(op, SExtOp | UMinOp):
            return self._of_counter(op)
        if isinstance(op, TruncOp) and (step := self.step_of(op.arg)) is not None:
            return self.emit(TruncOp, step, type=op.results[0].type)
        return self._of_address(op) if isinstance(op, GEPOp) else None

    def _of_sum(self, op: llvm.AddOp | llvm.SubOp) -> Value | None:
        left, right = map(self.step_of, (op.lhs, op.rhs))
        if not all(self._is_known(operand) for operand in op.operands):
            return None
        if left is not None and right is not None:
            return self.emit(op.__class__, left, right)
        if left is not None:
            return left
        if right is None:
            return None
        return (
            right
            if isinstance(op, llvm.AddOp)
            else self.emit(llvm.SubOp, self._constant(0, right.type), right)
        )

    def _of_product(self, op: llvm.MulOp) -> Value | None:
        for one, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            step = self.step_of(one)
            if step is not None and not self.loop.defines(other):
                return self._product(step, other)
        return None

    def _product(self, value: Value, other: Value) -> Value:
        """Emit a product before the loop, with one constant factor where both values have one. A product of an extended
        i32 and a constant then stays the product of a single instruction.
        """
        assert isinstance(value.type, IntegerType), "steps are integers"
        factors, constant = list[Value](), 1
        for one in (value, other):
            owner, known = one.owner, constant_value(one)
            while (
                known is None
                and isinstance(owner, llvm.MulOp)
                and (last := constant_value(owner.rhs)) is not None
            ):
                constant *= last
                one, owner = owner.lhs, owner.lhs.owner
            factors += [one] if known is None else []
            constant *= 1 if known is None else known
        limit = 1 << (value.type.width - 1)
        if not -limit <= constant < limit:
            return self.emit(llvm.MulOp, value, other)
        made = self._constant(constant, value.type)
        return reduce(
            partial(self.emit, llvm.MulOp), [*factors, *([made] if constant != 1 or not factors else [])]
        )

    def _of_counter(self, op: SExtOp | UMinOp) -> Value | None:
        """Return the step of the sign-extended counter of a loop that counts upwards, or of ``umin(x,
        limit)`` with a constant limit that never takes effect, as ``x`` is the sign-extended counter plus a
        constant. Return None for any other operand.
        """
        if not self.is_counted_upwards:
            return None
        if isinstance(op, SExtOp):
            step = self.step_of(op.arg) if op.arg is self.loop.counter else None
            return None if step is None else self.emit(SExtOp, step, type=op.results[0].type)
        ahead, limit, counter = self._ahead(op.operands[0]), number(op.operands[1]), self.loop.counter.type
        if ahead is None or limit is None:
            return None
        assert isinstance(counter, IntegerType), "counters are integers"
        return self.step_of(op.operands[0]) if limit >= (1 << (counter.width - 1)) + ahead else None

    def _ahead(self, value: Value) -> int | None:
        """Return 0 for the sign-extended counter, and the constant C, at least 0, for its sum with C; None
        for any other value.
        """
        owner, ahead = value.owner, 0
        if isinstance(owner, llvm.AddOp):
            owner, ahead = owner.lhs.owner, number(owner.rhs) or -1
        return ahead if isinstance(owner, SExtOp) and owner.arg is self.loop.counter and ahead >= 0 else None

    def _of_address(self, op: GEPOp) -> Value | None:
        """Return the number of bytes by which an address of global memory grows in each iteration, or None if
        that is not known.
        """
        if not is_global(op.results[0]) or not all(map(self._is_known, op.operands)):
            return None
        base, *indices = op.operands
        total = self.step_of(base)
        for index in indices:
            step = self.step_of(index)
            if step is None:
                continue
            size = chains.element_bytes(op)
            if size is None:
                return None
            wide = step if step.type is i64 else self.emit(SExtOp, step, type=i64)
            bytes = self._product(wide, self._constant(size, i64))
            total = bytes if total is None else self.emit(llvm.AddOp, total, bytes)
        return total

    def is_not_negative(self, value: Value) -> bool:
        """Return whether a 64-bit value is known to be at least 0 in every iteration. It has to be the
        sign-extended i32 counter of a loop that counts upwards, possibly plus a constant of at least 0 and
        limited by a `umin`, or the product of such a value and a constant in ``[0, 2**31)``.
        """
        owner = value.owner
        if isinstance(owner, llvm.MulOp):
            factors = [constant_value(owner.lhs), constant_value(owner.rhs)]
            counts = [one for one, factor in zip(owner.operands, factors, strict=True) if factor is None]
            return (
                len(counts) == 1
                and self._is_extended(counts[0])
                and 0 <= sum(filter(None, factors)) < 1 << 31
            )
        return self._is_extended(value)

    def _is_extended(self, value: Value) -> bool:
        owner = value.owner
        if isinstance(owner, UMinOp) and self.step_of(value) is not None:
            value = owner.operands[0]
        is_counter = self._ahead(value) is not None
        return is_counter and self.loop.counter.type is i32 and self.is_counted_upwards

    def _is_known(self, value: Value) -> bool:
        return not self.loop.defines(value) or self.step_of(value) is not None

    # --- the first turn

    def first_of(self, value: Value) -> Value:
        """Return the value of ``value`` in the first iteration, computed before the loop from the start of
        the counter. A value from outside the loop is returned unchanged; a value of the loop must have a step
        (`step_of`).
        """
        if value is self.loop.counter:
            return self.loop.start()
        owner = value.owner
        if not self.loop.defines(value):
            return value
        if value not in self.firsts:
            assert isinstance(owner, Operation), "arguments other than the counter are not linear"
            copy = owner.clone({operand: self.first_of(operand) for operand in owner.operands})
            self.firsts[value] = self.emit.point.insert(copy).results[0]
        return self.firsts[value]

    # --- carrying

    def carry(self, value: Value) -> Value:
        """Replace a linear value in the loop by a new argument of its header, which starts as the first value
        and grows by the step in each iteration; return the argument.
        """
        step, loop = self.step_of(value), self.loop
        assert step is not None, "the value is linear"
        first = self.first_of(value)
        argument = loop.header.add_argument(value.type, value.owner.lazy_location)
        value.replace_all_uses_with(argument)
        behind = PointInserter.before(loop.latch)
        following = (
            behind(GEPOp, argument, (DYNAMIC,), i8, (step,), PointerWrapFlags.NONE, type=argument.type)
            if isinstance(value.type, LLVMPointerType)
            else behind(llvm.AddOp, argument, step)
        )
        loop.entry.set_operands((*loop.entry.operands, first))
        loop.latch.set_operands((*loop.latch.operands, following))
        return argument


def constant_value(value: Value) -> int | None:
    """Return the number that a constant is, or that additions, subtractions and products of constants and
    sign extensions give, without wrapping around. Return None for any other value.
    """
    owner = value.owner
    if isinstance(owner, SExtOp):
        return constant_value(owner.arg)
    if not isinstance(owner, llvm.AddOp | llvm.SubOp | llvm.MulOp):
        return number(value)
    left, right = map(constant_value, owner.operands)
    if left is None or right is None:
        return None
    return EXACT[owner.__class__](left, right)


EXACT: dict[type[Operation], Callable[[int, int], int]] = {llvm.AddOp: add, llvm.SubOp: sub, llvm.MulOp: mul}


# --- the rest of an array


@dataclass(frozen=True)
class RemainingElements:
    """The number of elements of a tile within an extent: ``min(max(extent - begin, 0), most)``, truncated to
    32 bits by ``op``. ``rest`` is the value ``extent - begin``, and ``begin`` grows by the constant ``step``,
    at least 1, in each iteration.
    """

    op: TruncOp
    rest: Value
    most: int
    step: int


def rests(carrier: CarriedValueBuilder) -> Iterator[RemainingElements]:
    """Yield a `RemainingElements` for each truncation to i32 in the loop that computes such a number: the
    extent is a sign-extended i32 from outside the loop, and ``begin`` is never negative.
    """
    for block in carrier.loop.blocks:
        for op in block.ops:
            if isinstance(op, TruncOp) and op.res.type is i32 and (found := _rest(carrier, op)):
                yield found


def _rest(carrier: CarriedValueBuilder, op: TruncOp) -> RemainingElements | None:
    lesser = op.arg.owner
    greater = lesser.operands[0].owner if isinstance(lesser, SMinOp) else None
    rest = (
        greater.operands[0]
        if isinstance(greater, SMaxOp) and constant_value(greater.operands[1]) == 0
        else None
    )
    if rest is None or not isinstance(lesser, SMinOp):
        return None
    difference, most, step = rest.owner, constant_value(lesser.operands[1]), carrier.step_of(rest)
    change = None if step is None else constant_value(step)
    if most is None or change is None or not isinstance(difference, llvm.SubOp):
        return None
    extent = difference.lhs
    is_short = isinstance(extent.owner, SExtOp) and extent.owner.arg.type is i32
    is_behind = is_short and not carrier.loop.defines(extent) and carrier.is_not_negative(difference.rhs)
    fits = change < 0 and 0 <= most < 1 << 31  # a position that is not negative has a step below 1 << 31
    return RemainingElements(op, rest, most, -change) if is_behind and fits else None


def carry_rest(carrier: CarriedValueBuilder, found: RemainingElements) -> None:
    """Replace `found` by ``min(a, most)``, where the loop carries ``a = max(extent - begin, 0)`` in 32 bits.
    As ``a`` only falls, each iteration computes the next one as ``max(a - step, 0)``.
    """
    loop, emit, place = carrier.loop, carrier.emit, found.op.lazy_location
    above = emit(SMaxOp, carrier.first_of(found.rest), emit(ConstantOp, IntegerAttr(i64, 0), type=i64))
    first = emit(TruncOp, above, type=i32)
    nothing, step, most = (
        emit(ConstantOp, IntegerAttr(i32, value), type=i32) for value in (0, found.step, found.most)
    )
    argument = loop.header.add_argument(i32, place)
    inside = PointInserter.before(found.op)
    found.op.res.replace_all_uses_with(inside(SMinOp, argument, most))
    erase_dead([found.op.res])
    behind = PointInserter.before(loop.latch)
    following = behind(SMaxOp, behind(llvm.SubOp, argument, step), nothing)
    loop.entry.set_operands((*loop.entry.operands, first))
    loop.latch.set_operands((*loop.latch.operands, following))


def is_global(value: Value) -> bool:
    """Return whether the type of a value is a pointer to global memory; False for a generic pointer, wherever
    it points.
    """
    return isinstance(value.type, LLVMPointerType) and value.type.address_space == GLOBAL


def candidates(carrier: CarriedValueBuilder) -> Iterator[Value]:
    """Yield the linear values of a loop, in text order, that have a user which computes no linear value
    itself, such as an access.
    """
    for block in carrier.loop.blocks:
        for op in block.ops:
            if not isinstance(op, ARITHMETIC) or carrier.step_of(op.results[0]) is None:
                continue
            if any(_is_other(carrier, user) for user in op.results[0].uses):
                yield op.results[0]


def _is_other(carrier: CarriedValueBuilder, user: Operation) -> bool:
    """Return whether `user`, which uses a linear value of the loop of `carrier`, computes no linear value of
    that loop itself.
    """
    return not user.results or carrier.step_of(user.results[0]) is None


def costs_more_than_a_step(value: Value, loop: CountedBlockLoop) -> bool:
    """Return whether carrying a value saves instructions: an operand of its operation is computed in the
    loop, and for this operation only. A carried value takes one instruction in each iteration.
    """
    owner = value.owner
    assert isinstance(owner, Operation), "arguments are carried already"
    return any(
        isinstance(maker, Operation)
        and maker.parent in loop.blocks
        and all(user is owner for user in maker.results[0].uses)
        for maker in (operand.owner for operand in owner.operands)
    )


def carry(loop: CountedBlockLoop) -> int:
    """Let a loop carry the numbers of remaining elements (`rests`), and the linear values that cost more than
    a step; return the number of carried values.
    """
    carrier = CarriedValueBuilder(loop)
    left = list(rests(carrier))
    for rest in left:
        carry_rest(carrier, rest)
    found = [value for value in candidates(carrier) if costs_more_than_a_step(value, loop)]
    return len(left) + carry_all(carrier, found)


def carry_all(carrier: CarriedValueBuilder, values: Sequence[Value]) -> int:
    """Let a loop carry the linear `values`, except addresses that are computed from a carried address of the
    same block and step, because their distance repeats (`chains.followers`). Return the number of carried
    values.
    """
    addresses = list(_addresses(carrier, values))
    behind = chains.followers(addresses)
    made: dict[Value, Value] = {}
    for value in values:
        pair = behind.get(value)
        if pair is None:
            made[value] = carrier.carry(value)
        else:
            made[value] = chains.follow(value, made[pair.before], chains.emitted(carrier.emit, pair.distance))
        erase_dead([value])
    erase_dead([one.first for one in addresses if one.value in behind])
    return len(values) - len(behind)


def _addresses(carrier: CarriedValueBuilder, values: Sequence[Value]) -> Iterator[chains.LinearAddress]:
    for value in values:
        if isinstance(value.type, LLVMPointerType) and (step := carrier.step_of(value)) is not None:
            yield chains.LinearAddress(value, carrier.first_of(value), step)


def lighten(function: llvm_symbol.LLVMFuncOp) -> tuple[int, int]:
    """Move invariant arithmetic before the innermost counted loops of a function, and let these loops carry
    linear values; return the number of moved operations and the number of carried values.
    """
    hoisted = carried = 0
    for loop in list(counted_loops(function)):
        hoisted += hoist(loop) + gather(loop)
        carried += carry(loop)
    return hoisted, carried


@dataclass(frozen=True)
class CarryAddresses(Pass):
    """Move arithmetic that does not change out of innermost loops that count, and let these carry values that
    grow by a step in each iteration: addresses, integers, and the number of elements that are left of an
    array. A value is carried if this saves instructions.
    """

    name: ClassVar[str] = "nvvm-carry-addresses"
    dependent_dialects: ClassVar[tuple[str, ...]] = ("llvm",)

    def run(self, op: Operation, state: PassState) -> None:
        for function in defined_functions(op):
            hoisted, carried = lighten(function)
            state.count("num-hoisted", hoisted)
            state.count("num-carried", carried)
