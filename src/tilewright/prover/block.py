"""One tile block in terms of the solver: each element of each value as a term over the arguments of the launch, the
position of the tile block, the counters of loops, and the position in the tile.

A value that is not known, such as one that was loaded, is a variable of its own; ``unknown`` says why. Terms stand for
numbers read as signed. A result that may wrap around is its exact value plus a multiple of 2^n. Promises of the kernel
(`assume`, `overflow`, no division by zero) are taken for granted, as `--check promises` checks them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from tilewright.dialects.cuda_tile.attributes import BoundedAttr, DivByAttr
from tilewright.dialects.cuda_tile.enums import ComparisonPredicate, IntegerOverflow, RoundingMode, Signedness
from tilewright.dialects.cuda_tile.ops import control, conversion, integer, memory, tile, view
from tilewright.dialects.cuda_tile.types import PointerType, TensorViewType, TileType
from tilewright.ir.block import Block
from tilewright.ir.builtin_types import DYNAMIC, IntegerType
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value, defining_op
from tilewright.optimizer.analysis.facts import stored_bytes
from tilewright.optimizer.analysis.query import ValueFactsAnalysis
from tilewright.prover.solver import Term, ceiling, is_numeral, z3
from tilewright.prover.symbols import LaunchSymbols

Position = tuple[Term, ...]
_MOST_CASES = 64
"""The maximum number of elements of a constant that become cases."""
_EXITS = (control.ContinueOp, control.BreakOp, control.ReturnOp)


@dataclass(frozen=True, slots=True)
class Address:
    """An address: the parameter, `alloca` or global that it leads into (None: not known), and the number of
    bytes from its start.
    """

    root: Value | None
    bytes: Term


@dataclass(frozen=True, slots=True)
class TensorTerms:
    """A tensor view: the address of its first element, its extents, its strides in elements."""

    base: Address
    shape: tuple[Term, ...]
    strides: tuple[Term, ...]
    element_bytes: int


class BlockTerms:
    """The terms of a tile block, with names that end with ``suffix``.

    ``facts`` grows with terms: it has the statements that define their variables.
    """

    def __init__(self, symbols: LaunchSymbols, bounds: ValueFactsAnalysis, suffix: str = "") -> None:
        self.symbols, self._bounds, self._suffix = symbols, bounds, suffix
        self.facts: list[Term] = []
        self.unknown: dict[str, str] = {}
        self.position = tuple(z3.Int(f"block.{axis}{suffix}") for axis in "xyz")
        for at, extent in zip(self.position, symbols.grid, strict=True):
            self.facts += [at >= 0, at < extent]
        self._known: dict[tuple[int, Any], tuple[Any, Position]] = {}
        self._counters: dict[Operation, tuple[Term, Term]] = {}
        self._count = 0

    def lanes(self, shape: Sequence[int]) -> Position:
        """Return variables for a position in a tile."""
        found = tuple(z3.IntVal(0) if extent == 1 else self._new("lane") for extent in shape)
        for lane, extent in zip(found, shape, strict=True):
            self.facts += [] if extent == 1 else [lane >= 0, lane < extent]
        return found

    def scalar(self, value: Value) -> Any:
        """Return the term of a scalar."""
        return self.element(value, ())

    def element(self, value: Value, at: Position) -> Any:
        """Return the element of a value at a position: an integer, a truth (of i1), or an `Address`."""
        key = id(value), tuple(one.get_id() for one in at)
        found = self._known.get(key)
        if found is None:
            found = self._element(value, at), at
            self._known[key] = found
        return found[0]

    def runs(self, op: Operation) -> list[Term]:
        """Return the statements that hold where an operation runs: conditions of branches, and bounds of the
        counters of loops.
        """
        found: list[Term] = []
        inner: Operation = op
        while not isinstance(inner, control.EntryOp):
            block = inner.parent
            outer = block.parent_op if block is not None else None
            if block is None or outer is None:
                return found
            found += self._not_left(block, inner)
            if isinstance(outer, control.IfOp):
                condition = self.scalar(outer.condition)
                found.append(condition if block in outer.then_region.blocks else z3.Not(condition))
            elif isinstance(outer, control.ForOp):
                self.counter(outer)
            inner = outer
        return found

    def _not_left(self, block: Block, op: Operation) -> list[Term]:
        """Return the statements that no branch before an operation has left its block."""
        found: list[Term] = []
        for before in block:
            if before is op:
                return found
            if isinstance(before, control.IfOp):
                found += self._passed(before)
        return found

    def _passed(self, op: control.IfOp) -> list[Term]:
        then = op.then_region.blocks[0].last if op.then_region.blocks else None
        other = op.else_region.blocks[0].last if op.else_region.blocks else None
        if isinstance(then, _EXITS):
            return [z3.Not(self.scalar(op.condition))]
        return [self.scalar(op.condition)] if isinstance(other, _EXITS) else []

    def counter(self, loop: Operation) -> tuple[Term, Term]:
        """Return the counter of a loop and the number of its iteration, from 0, in some iteration."""
        if loop not in self._counters:
            turn = self._new("iteration")
            self.facts.append(turn >= 0)
            self._counters[loop] = turn, turn
            if isinstance(loop, control.ForOp):
                self._counters[loop] = self._for_counter(loop, turn)
        return self._counters[loop]

    def _for_counter(self, loop: control.ForOp, turn: Term) -> tuple[Term, Term]:
        low, high, step = map(self.scalar, (loop.lower_bound, loop.upper_bound, loop.step))
        counter = z3.simplify(low + turn * step)
        if not is_numeral(step):
            counter = self._new("counter")
            self.facts += [counter == low + turn * step, step >= 1]
        if loop.unsigned_cmp:
            width = _width(loop.lower_bound)
            low, high = _unsigned(low, width), _unsigned(high, width)
            self.facts += [low <= counter, counter < high, counter < 1 << (width - 1)]
        self.facts += [low <= counter, counter < high]
        return counter, turn

    def _new(self, name: str) -> Term:
        self._count += 1
        return z3.Int(f"{name}{self._suffix}.{self._count}")

    def lost(self, value: Value, because: str) -> Any:
        """Return the variable of an element that is not known, for a reason."""
        type: Any = value.type
        element = type.element_type if isinstance(type, TileType) else type
        if isinstance(element, PointerType):
            return Address(None, self.lost_number(because))
        if isinstance(element, IntegerType) and element.width == 1:
            self._count += 1
            name = f"unknown{self._suffix}.{self._count}"
            self.unknown[name] = because
            return z3.Bool(name)
        found = self.lost_number(because)
        if isinstance(element, IntegerType):
            bounds = self._bounds.bounds(value)
            if bounds is not None:
                self.facts += [found >= bounds.low, found <= bounds.high]
        return found

    def lost_number(self, because: str) -> Term:
        """Return a variable for a number that is not known, for a reason."""
        found = self._new("unknown")
        self.unknown[str(found)] = because
        return found

    def _element(self, value: Value, at: Position) -> Any:
        op = defining_op(value)
        if op is None:
            return self._argument(value, at)
        constant = self._bounds.constant(value)
        if constant is not None:
            type: Any = value.type
            return z3.BoolVal(bool(constant)) if type.element_type.width == 1 else z3.IntVal(constant)
        rule = _RULES.get(type_of(op))
        return self.lost(value, _because(op)) if rule is None else rule(self, op, value, at)

    def _argument(self, value: Value, at: Position) -> Any:
        block: Block = value.owner
        outer = block.parent_op
        if isinstance(outer, control.EntryOp):
            type: Any = value.type
            if isinstance(type.element_type, PointerType):
                return Address(value, z3.IntVal(0))
            found = self.symbols.numbers.get(value.index)
            if found is not None and type.element_type.width == 1:
                return found != 0
            return self.lost(value, f"argument {value.index} is no integer") if found is None else found
        if isinstance(outer, control.ForOp):
            if value.index == 0:
                return self.counter(outer)[0]
            return self._carried(outer, value, value.index - 1, at, self.counter(outer)[1])
        if isinstance(outer, control.LoopOp):
            return self._carried(outer, value, value.index, at, self.counter(outer)[1])
        return self.lost(value, "an element of a reduction")

    def _carried(
        self, loop: control.ForOp | control.LoopOp, value: Value, number: int, at: Position, turn: Term
    ) -> Any:
        """Return a value that a loop carries, in iteration ``turn``: it grows by the same step each time, or
        is not known.
        """
        step = self._step(loop, number)
        first = self.element(loop.init_values[number], at)
        if step is None:
            return self.lost(value, "a value that a loop changes in an irregular way")
        inner, sign = step
        if inner is None:
            return first
        by = self.element(inner, at)
        if isinstance(first, Address):
            type: Any = value.type
            size = stored_bytes(type.element_type.pointee) or 1
            return Address(first.root, first.bytes + turn * by * size)
        return self._fitted(first + sign * turn * by, value)

    def _step(self, loop: control.ForOp | control.LoopOp, number: int) -> tuple[Value | None, int] | None:
        """Return the value from outside of a loop that is added to a carried value in each iteration, or None
        in place of the value if it stays the same. None if it changes otherwise.
        """
        body = loop.body.block
        carried = body.arguments[number + isinstance(loop, control.ForOp)]
        last = body.last
        if not isinstance(last, control.ContinueOp) or _continues_elsewhere(body):
            return None
        found = last.operands[number]
        if found is carried:
            return None, 1
        op = defining_op(found)
        if isinstance(op, tile.OffsetOp) and op.ptr is carried and _is_outside(op.offset, loop):
            return op.offset, 1
        if isinstance(op, integer.AddIOp) and carried in (op.lhs, op.rhs):
            other = op.rhs if op.lhs is carried else op.lhs
            return (other, 1) if _is_outside(other, loop) else None
        if isinstance(op, integer.SubIOp) and op.lhs is carried and _is_outside(op.rhs, loop):
            return op.rhs, -1
        return None

    def _fitted(self, exact: Term, value: Value) -> Term:
        """Return a number that wraps around to the width of a value."""
        exact = z3.simplify(exact)
        width = _width(value)
        half = 1 << (width - 1)
        if is_numeral(exact) and -half <= exact.as_long() < half:
            return exact
        wrapped, turns = self._new("wrapped"), self._new("turns")
        self.facts += [wrapped == exact + turns * (2 * half), wrapped >= -half, wrapped < half]
        return wrapped

    def arithmetic(self, op: Any, at: Position, value: Value, combine: Callable[[Any, Any], Any]) -> Term:
        """Return the sum, difference or product of the operands of an operation, which wraps around unless
        the operation promises otherwise or the bounds of the operands exclude it.
        """
        a, b = self.element(op.lhs, at), self.element(op.rhs, at)
        if _width(value) == 1:
            return self.lost(value, "arithmetic of truth values")
        exact = combine(a, b)
        promises = getattr(op, "overflow", IntegerOverflow.NONE)
        if promises in (IntegerOverflow.NO_SIGNED_WRAP, IntegerOverflow.NO_WRAP) or self._fits(op, value, combine):
            return exact
        return self._fitted(exact, value)

    def _fits(self, op: Any, value: Value, combine: Callable[[int, int], int]) -> bool:
        a, b, half = self._bounds.bounds(op.lhs), self._bounds.bounds(op.rhs), 1 << (_width(value) - 1)
        if a is None or b is None:
            return False
        corners = [combine(x, y) for x, y in product((a.low, a.high), (b.low, b.high))]
        return -half <= min(corners) and max(corners) < half

    def is_nonnegative(self, value: Value) -> bool:
        """Return whether every element of a value is known not to be negative, read as signed."""
        bounds = self._bounds.bounds(value)
        return bounds is not None and bounds.low >= 0

    def unsigned(self, value: Value, at: Position) -> Term:
        """Return an element read as unsigned."""
        found = self.element(value, at)
        return found if self.is_nonnegative(value) else _unsigned(found, _width(value))

    def quotient(self, a: Term, b: Term, *, floor: bool) -> Term:
        """Return a quotient, rounded down with ``floor`` and otherwise toward zero. Nothing is known about it
        if the divisor is not positive.
        """
        if is_numeral(b) and b.as_long() > 0:
            return a / b if floor else z3.If(a >= 0, a / b, -(-a / b))
        found = self._new("quotient")
        below = z3.And(found * b <= a, a < found * b + b)
        above = z3.And(found * b >= a, a > found * b - b)
        known = below if floor else z3.If(a >= 0, below, above)
        self.facts.append(z3.Implies(b >= 1, known))
        return found

    def tensor(self, value: Value) -> TensorTerms | None:
        """Return a tensor view; None if its making is not known."""
        op = defining_op(value)
        if not isinstance(op, view.MakeTensorViewOp):
            return None
        type: Any = op.result.type
        assert isinstance(type, TensorViewType)
        extents, strides = iter(op.dynamic_shape), iter(op.dynamic_strides)
        shape = tuple(self._extent(extent, extents) for extent in type.shape)
        steps = tuple(self._extent(stride, strides) for stride in type.strides)
        return TensorTerms(self.scalar(op.base), shape, steps, stored_bytes(type.element_type) or 1)

    def _extent(self, extent: int, dynamic: Any) -> Term:
        return self.unsigned(next(dynamic), ()) if extent == DYNAMIC else z3.IntVal(extent)


def type_of(op: Operation) -> type[Operation]:
    """Return the class of an operation."""
    return type(op)


def _because(op: Operation) -> str:
    if isinstance(op, memory.LoadPtrTkoOp | memory.LoadViewTkoOp):
        return "a value that is loaded from memory"
    return f"a result of '{op.name}'"


def _width(value: Value) -> int:
    type: Any = value.type
    return type.element_type.width


def _unsigned(term: Term, width: int) -> Term:
    return z3.If(term < 0, term + (1 << width), term)


def _is_outside(value: Value, loop: Operation) -> bool:
    """Return whether a value is defined outside of a loop."""
    owner: Any = value.owner
    inner = owner.parent_op if isinstance(owner, Block) else owner
    return loop not in (inner, *inner.ancestors())


def _continues_elsewhere(body: Block) -> bool:
    """Return whether an iteration may end before the end of its block by `continue`."""
    last = body.last
    return any(isinstance(op, control.ContinueOp) and op is not last and _loop_of(op) is body for op in body.parent_op.walk()) if body.parent_op else False


def _loop_of(op: Operation) -> Block | None:
    """Return the block of the innermost loop around an operation."""
    block = op.parent
    while block is not None and not isinstance(block.parent_op, control.ForOp | control.LoopOp):
        block = block.parent_op.parent if block.parent_op is not None else None
    return block


Rule = Callable[[BlockTerms, Any, Value, Position], Any]
_RULES: dict[type[Operation], Rule] = {}


def _rule(*classes: type[Operation]) -> Callable[[Rule], Rule]:
    def register(rule: Rule) -> Rule:
        _RULES.update(dict.fromkeys(classes, rule))
        return rule

    return register


@_rule(tile.ConstantOp)
def _constant(terms: BlockTerms, op: Any, value: Value, at: Position) -> Any:
    type: Any = value.type
    patterns = op.value.patterns()
    if not isinstance(type.element_type, IntegerType) or len(patterns) > _MOST_CASES:
        return terms.lost(value, "an element of a constant")
    width, place = type.element_type.width, _flat(at, type.shape)
    is_truth = width == 1
    numbers = [one & 1 if is_truth else one - ((one >> (width - 1)) << width) for one in patterns]
    cases: list[Any] = [z3.BoolVal(bool(one)) if is_truth else z3.IntVal(one) for one in numbers]
    found = cases[-1]
    for number, case in reversed(list(enumerate(cases[:-1]))):
        found = z3.If(place == number, case, found)
    return found


@_rule(tile.IotaOp)
def _iota(terms: BlockTerms, op: Any, value: Value, at: Position) -> Any:
    return at[0]


@_rule(tile.BroadcastOp)
def _broadcast(terms: BlockTerms, op: Any, value: Value, at: Position) -> Any:
    type: Any = op.source.type
    inner = tuple(z3.IntVal(0) if extent == 1 else one for one, extent in zip(at, type.shape, strict=True))
    return terms.element(op.source, inner)


@_rule(tile.ReshapeOp)
def _reshape(terms: BlockTerms, op: Any, value: Value, at: Position) -> Any:
    source: Any = op.source.type
    result: Any = value.type
    kept = [one for one, extent in zip(at, result.shape, strict=True) if extent != 1]
    if [extent for extent in source.shape if extent != 1] == [extent for extent in result.shape if extent != 1]:
        rest = iter(kept)
        return terms.element(
            op.source, tuple(z3.IntVal(0) if extent == 1 else next(rest) for extent in source.shape)
        )
    place, inner = _flat(at, result.shape), list[Term]()
    for extent in reversed(source.shape):
        inner.insert(0, z3.simplify(place % extent))
        place = place / extent
    return terms.element(op.source, tuple(inner))


def _flat(at: Position, shape: Sequence[int]) -> Term:
    place: Term = z3.IntVal(0)
    for one, extent in zip(at, shape, strict=True):
        place = place * extent + one
    return z3.simplify(place)


@_rule(tile.PermuteOp)
def _permute(terms: BlockTerms, op: Any, value: Value, at: Position) -> Any:
    inner: list[Term] = list(at)
    for target, source in enumerate(op.permutation):
        inner[source] = at[target]
    return terms.element(op.source, tuple(inner))


@_rule(tile.CatOp)
def _cat(terms: BlockTerms, op: Any, value: Value, at: Position) -> Any:
    type: Any = op.lhs.type
    extent, dim = type.shape[op.dim], op.dim
    left = terms.element(op.lhs, at)
    right = terms.element(op.rhs, (*at[:dim], z3.simplify(at[dim] - extent), *at[dim + 1 :]))
    return _chosen(terms, value, at[dim] < extent, left, right)


@_rule(tile.ExtractOp)
def _extract(terms: BlockTerms, op: Any, value: Value, at: Position) -> Any:
    type: Any = value.type
    numbers = [terms.unsigned(index, ()) for index in op.indices]
    inner = [n * extent + one for n, extent, one in zip(numbers, type.shape, at, strict=True)]
    return terms.element(op.source, tuple(z3.simplify(one) for one in inner))


@_rule(tile.SelectOp)
def _select(terms: BlockTerms, op: Any, value: Value, at: Position) -> Any:
    type: Any = op.cond.type
    condition = terms.element(op.cond, at if type.shape else ())
    return _chosen(
        terms, value, condition, terms.element(op.val_if_true, at), terms.element(op.val_if_false, at)
    )


def _chosen(terms: BlockTerms, value: Value, condition: Term, yes: Any, no: Any) -> Any:
    if not isinstance(yes, Address):
        return z3.If(condition, yes, no)
    if yes.root is not no.root:
        return terms.lost(value, "an address that is chosen from two arrays")
    return Address(yes.root, z3.If(condition, yes.bytes, no.bytes))


@_rule(tile.OffsetOp)
def _offset(terms: BlockTerms, op: Any, value: Value, at: Position) -> Any:
    type: Any = value.type
    base, by = terms.element(op.ptr, at), terms.element(op.offset, at)
    return Address(base.root, base.bytes + by * (stored_bytes(type.element_type.pointee) or 1))


@_rule(integer.AddIOp)
def _add(terms: BlockTerms, op: Any, value: Value, at: Position) -> Any:
    return terms.arithmetic(op, at, value, lambda a, b: a + b)


@_rule(integer.SubIOp)
def _sub(terms: BlockTerms, op: Any, value: Value, at: Position) -> Any:
    return terms.arithmetic(op, at, value, lambda a, b: a - b)


@_rule(integer.MulIOp)
def _mul(terms: BlockTerms, op: Any, value: Value, at: Position) -> Any:
    return terms.arithmetic(op, at, value, lambda a, b: a * b)


@_rule(integer.NegIOp)
def _neg(terms: BlockTerms, op: Any, value: Value, at: Position) -> Any:
    return terms._fitted(-terms.element(op.source, at), value)


@_rule(integer.AbsIOp)
def _abs(terms: BlockTerms, op: Any, value: Value, at: Position) -> Any:
    found = terms.element(op.source, at)
    return found if terms.is_nonnegative(op.source) else terms._fitted(z3.If(found < 0, -found, found), value)


def _operands(terms: BlockTerms, op: Any, at: Position) -> tuple[Term, Term, bool]:
    """Return the operands of a division, and whether the first is known not to be negative."""
    if op.signedness is Signedness.UNSIGNED:
        return terms.unsigned(op.lhs, at), terms.unsigned(op.rhs, at), True
    return terms.element(op.lhs, at), terms.element(op.rhs, at), terms.is_nonnegative(op.lhs)


@_rule(integer.DivIOp)
def _div(terms: BlockTerms, op: Any, value: Value, at: Position) -> Any:
    a, b, positive = _operands(terms, op, at)
    if op.rounding is RoundingMode.POSITIVE_INF:
        return terms.quotient(a + b - 1, b, floor=True)
    return terms.quotient(a, b, floor=positive or op.rounding is RoundingMode.NEGATIVE_INF)


@_rule(integer.RemIOp)
def _rem(terms: BlockTerms, op: Any, value: Value, at: Position) -> Any:
    a, b, positive = _operands(terms, op, at)
    if positive and is_numeral(b) and b.as_long() > 0:
        return a % b
    return a - terms.quotient(a, b, floor=positive) * b


@_rule(integer.MaxIOp, integer.MinIOp)
def _extreme(terms: BlockTerms, op: Any, value: Value, at: Position) -> Any:
    a, b = terms.element(op.lhs, at), terms.element(op.rhs, at)
    less = _compared(terms, op, at, op.signedness is Signedness.UNSIGNED, lambda x, y: x <= y)
    return z3.If(less, a, b) if isinstance(op, integer.MinIOp) else z3.If(less, b, a)


_RELATIONS: dict[ComparisonPredicate, Callable[[Any, Any], Any]] = {
    ComparisonPredicate.EQUAL: lambda a, b: a == b,
    ComparisonPredicate.NOT_EQUAL: lambda a, b: a != b,
    ComparisonPredicate.LESS_THAN: lambda a, b: a < b,
    ComparisonPredicate.LESS_THAN_OR_EQUAL: lambda a, b: a <= b,
    ComparisonPredicate.GREATER_THAN: lambda a, b: a > b,
    ComparisonPredicate.GREATER_THAN_OR_EQUAL: lambda a, b: a >= b,
}


@_rule(integer.CmpIOp)
def _cmp(terms: BlockTerms, op: Any, value: Value, at: Position) -> Any:
    relation = _RELATIONS[op.comparison_predicate]
    is_order = op.comparison_predicate not in (ComparisonPredicate.EQUAL, ComparisonPredicate.NOT_EQUAL)
    if _width(op.lhs) == 1 and is_order:
        return terms.lost(value, "an order of truth values")
    return _compared(terms, op, at, is_order and op.signedness is Signedness.UNSIGNED, relation)


def _compared(
    terms: BlockTerms, op: Any, at: Position, is_unsigned: bool, relation: Callable[[Any, Any], Any]
) -> Term:
    if is_unsigned:
        return relation(terms.unsigned(op.lhs, at), terms.unsigned(op.rhs, at))
    return relation(terms.element(op.lhs, at), terms.element(op.rhs, at))


@_rule(integer.ShLIOp)
def _shl(terms: BlockTerms, op: Any, value: Value, at: Position) -> Any:
    amount = terms.element(op.rhs, at)
    if not is_numeral(amount) or not 0 <= amount.as_long() < _width(value):
        return terms.lost(value, "a shift by a number that is not constant")
    return terms._fitted(terms.element(op.lhs, at) * (1 << amount.as_long()), value)


@_rule(integer.ShRIOp)
def _shr(terms: BlockTerms, op: Any, value: Value, at: Position) -> Any:
    amount = terms.element(op.rhs, at)
    if not is_numeral(amount) or not 0 <= amount.as_long() < _width(value):
        return terms.lost(value, "a shift by a number that is not constant")
    if op.signedness is Signedness.UNSIGNED and not terms.is_nonnegative(op.lhs):
        return terms.lost(value, "an unsigned shift of a number that may be negative")
    return terms.element(op.lhs, at) / (1 << amount.as_long())


@_rule(integer.AndIOp, integer.OrIOp, integer.XOrIOp)
def _bits(terms: BlockTerms, op: Any, value: Value, at: Position) -> Any:
    a, b = terms.element(op.lhs, at), terms.element(op.rhs, at)
    if _width(value) == 1:
        combine: Any = {integer.AndIOp: z3.And, integer.OrIOp: z3.Or, integer.XOrIOp: z3.Xor}[type(op)]
        return combine(a, b)
    mask = b.as_long() if is_numeral(b) else -1
    if isinstance(op, integer.AndIOp) and mask > 0 and mask & (mask + 1) == 0:
        return a % (mask + 1)
    return terms.lost(value, "bits of a number")


@_rule(conversion.ExtIOp)
def _ext(terms: BlockTerms, op: Any, value: Value, at: Position) -> Any:
    found = terms.element(op.from_, at)
    if _width(op.from_) == 1:
        return z3.If(found, z3.IntVal(-1 if op.signedness is Signedness.SIGNED else 1), z3.IntVal(0))
    return found if op.signedness is Signedness.SIGNED else terms.unsigned(op.from_, at)


@_rule(conversion.TruncIOp)
def _trunc(terms: BlockTerms, op: Any, value: Value, at: Position) -> Any:
    found = terms.element(op.from_, at)
    if _width(value) == 1:
        return found % 2 == 1
    bounds = terms._bounds.bounds(op.from_)
    half = 1 << (_width(value) - 1)
    fits = bounds is not None and -half <= bounds.low and bounds.high < half
    return found if fits else terms._fitted(found, value)


@_rule(control.AssumeOp)
def _assume(terms: BlockTerms, op: Any, value: Value, at: Position) -> Any:
    found = terms.element(op.value, at)
    if isinstance(found, Address) or not isinstance(value.type, TileType) or _width(value) == 1:
        return found
    if isinstance(op.predicate, BoundedAttr):
        terms.facts += [] if op.predicate.lower is None else [found >= op.predicate.lower]
        terms.facts += [] if op.predicate.upper is None else [found <= op.predicate.upper]
    elif isinstance(op.predicate, DivByAttr) and not at and not is_numeral(found):
        terms.facts.append(found % op.predicate.divisor == 0)
    return found


@_rule(memory.AllocaOp, control.GetGlobalOp)
def _memory(terms: BlockTerms, op: Any, value: Value, at: Position) -> Any:
    return Address(value, z3.IntVal(0))


@_rule(control.GetTileBlockIdOp)
def _block_id(terms: BlockTerms, op: Any, value: Value, at: Position) -> Any:
    return terms.position[value.index]


@_rule(control.GetNumTileBlocksOp)
def _grid(terms: BlockTerms, op: Any, value: Value, at: Position) -> Any:
    return terms.symbols.grid[value.index]


@_rule(view.GetTensorShapeOp)
def _tensor_shape(terms: BlockTerms, op: Any, value: Value, at: Position) -> Any:
    tensor = terms.tensor(op.src)
    return terms.lost(value, "an extent of a view") if tensor is None else tensor.shape[value.index]


@_rule(view.GetIndexSpaceShapeOp)
def _index_space(terms: BlockTerms, op: Any, value: Value, at: Position) -> Any:
    from tilewright.prover.accesses import space_of

    space = space_of(terms, op.src)
    return terms.lost(value, "a number of tiles") if space is None else space[value.index]


@_rule(control.IfOp)
def _if(terms: BlockTerms, op: Any, value: Value, at: Position) -> Any:
    lasts = [region.blocks[0].last for region in op.regions if region.blocks]
    yielded = [terms.element(last.operands[value.index], at) for last in lasts if isinstance(last, control.YieldOp)]
    if len(yielded) == 1:
        return yielded[0]
    if len(yielded) != 2:
        return terms.lost(value, "a result of a branch")
    return _chosen(terms, value, terms.scalar(op.condition), *yielded)


@_rule(control.ForOp)
def _for(terms: BlockTerms, op: Any, value: Value, at: Position) -> Any:
    low, high, step = map(terms.scalar, (op.lower_bound, op.upper_bound, op.step))
    if not is_numeral(step) or op.unsigned_cmp:
        return terms.lost(value, "a result of a loop")
    turns = z3.If(high > low, ceiling(high - low, step), z3.IntVal(0))
    return terms._carried(op, value, value.index, at, turns)
