"""One tile block in terms of the solver: each element of each value as a term over the arguments of the launch, the
position of the tile block, the counters of loops, and the position in the tile.

A value that is not known, such as one that was loaded, is a variable of its own; ``unknown`` says why. Terms stand for
numbers read as signed. A result that may wrap around is its exact value plus a multiple of 2^n. Promises of the kernel
(`assume`, `overflow`, no division by zero) are taken for granted, as `--check promises` checks them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from tilewright.dialects.cuda_tile.enums import IntegerOverflow
from tilewright.dialects.cuda_tile.ops import control, integer, tile, view
from tilewright.dialects.cuda_tile.types import PointerType, TensorViewType, TileType
from tilewright.ir.block import Block
from tilewright.ir.builtin_types import DYNAMIC, IntegerType
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value, defining_op
from tilewright.optimizer.analysis.facts import stored_bytes
from tilewright.optimizer.analysis.query import ValueFactsAnalysis
from tilewright.prover import rules
from tilewright.prover.rules import Position
from tilewright.prover.solver import Term, is_numeral, z3
from tilewright.prover.symbols import LaunchSymbols, ReachedAddress, TensorTerms

_MOST_NESTED = 60
"""The maximum number of operations that a term is nested in: more make terms that the solver cannot use."""
_EXITS = (control.ContinueOp, control.BreakOp, control.ReturnOp)


class BlockTerms:
    """The terms of a tile block of the launches that `symbols` describe. The names of its variables end with
    ``suffix``, so that two tile blocks can be compared. `bounds` has the known intervals of values.

    ``facts`` grows with terms: it has the statements that define their variables. ``unknown`` maps the name
    of a variable for an unknown value to the reason.
    """

    def __init__(self, symbols: LaunchSymbols, bounds: ValueFactsAnalysis, suffix: str = "") -> None:
        self.symbols, self.bounds, self._suffix = symbols, bounds, suffix
        self.facts: list[Term] = []
        self.unknown: dict[str, str] = {}
        self.position = tuple(z3.Int(f"block.{axis}{suffix}") for axis in "xyz")
        for at, extent in zip(self.position, symbols.grid, strict=True):
            self.facts += [at >= 0, at < extent]
        self._known: dict[tuple[int, Any], tuple[Any, Position, int]] = {}
        self._depth = self._height = 0
        self._counters: dict[Operation, tuple[Term, Term]] = {}
        self._quotients: dict[tuple[int, int, bool], tuple[Term, Term, Term]] = {}
        self._count = 0

    def lanes(self, shape: Sequence[int]) -> Position:
        """Return an index for each dimension of a tile of shape `shape`: a new variable from 0 to below the
        extent, or the number 0 if the extent is 1.
        """
        found = tuple(z3.IntVal(0) if extent == 1 else self._new("lane") for extent in shape)
        for lane, extent in zip(found, shape, strict=True):
            self.facts += [] if extent == 1 else [lane >= 0, lane < extent]
        return found

    def scalar(self, value: Value) -> Any:
        """Return the term of a value without dimensions: an integer, a truth (of i1), or a `ReachedAddress`."""
        return self.element(value, ())

    def element(self, value: Value, at: Position) -> Any:
        """Return the element of a value at the index `at`: an integer read as signed, a truth (of i1), or a
        `ReachedAddress`. An element that is not known is a new variable, and one that more than `_MOST_NESTED`
        operations compute in a row.
        """
        key = id(value), tuple(one.get_id() for one in at)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._nested(value, at)
        self._height = max(self._height, found[2])
        return found[0]

    def _nested(self, value: Value, at: Position) -> tuple[Any, Position, int]:
        """Return the element of a value at an index, the index, and the number of operations that it is nested in."""
        outer, self._height = self._height, 0
        self._depth += 1
        made = self._element(value, at) if self._depth <= _MOST_NESTED else None
        self._depth -= 1
        height, self._height = self._height + 1, outer
        if made is None or height > _MOST_NESTED:
            return self.lost(value, f"a chain of more than {_MOST_NESTED} operations"), at, 0
        return made, at, height

    def runs(self, op: Operation) -> list[Term]:
        """Return the statements that hold if the tile block executes an operation: the conditions of the
        branches around it, and for each earlier branch in the same blocks that returns or leaves an
        iteration, that it was not taken. The bounds of the counters of loops around it are added to
        ``facts``.
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
        """Return the statements that no `if` before `op` in its block took a branch that ends with `return`,
        `continue` or `break`.
        """
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
        """Return the terms of the induction variable and of the number of the iteration, from 0, of a loop in
        an arbitrary iteration. For a loop without an induction variable both are the number of the iteration.
        """
        if loop not in self._counters:
            turn = self._new("iteration")
            self.facts.append(turn >= 0)
            self._counters[loop] = turn, turn
            if isinstance(loop, control.ForOp):
                self._counters[loop] = self._for_counter(loop, turn)
        return self._counters[loop]

    def _for_counter(self, loop: control.ForOp, turn: Term) -> tuple[Term, Term]:
        low, high, step = map(self.number, (loop.lower_bound, loop.upper_bound, loop.step))
        counter = z3.simplify(low + turn * step)
        if not is_numeral(step):
            counter = self._new("counter")
            self.facts += [counter == low + turn * step, step >= 1]
        if loop.unsigned_cmp:
            width = rules.width_of(loop.lower_bound)
            low, high = rules.as_unsigned(low, width), rules.as_unsigned(high, width)
            self.facts += [low <= counter, counter < high, counter < 1 << (width - 1)]
        self.facts += [low <= counter, counter < high]
        return counter, turn

    def _new(self, name: str) -> Term:
        self._count += 1
        return z3.Int(f"{name}{self._suffix}.{self._count}")

    def lost(self, value: Value, because: str) -> Any:
        """Return a new variable for an element of `value` that is not known: a truth, a number, or an address
        without a root. `because` is the reason in ``unknown``. The known interval of an integer is added to
        ``facts``.
        """
        type: Any = value.type
        element = type.element_type if isinstance(type, TileType) else type
        if isinstance(element, PointerType):
            return ReachedAddress(None, self.lost_number(because))
        if isinstance(element, IntegerType) and element.width == 1:
            self._count += 1
            name = f"unknown{self._suffix}.{self._count}"
            self.unknown[name] = because
            return z3.Bool(name)
        found = self.lost_number(because)
        if isinstance(element, IntegerType):
            bounds = self.bounds.bounds(value)
            if bounds is not None:
                self.facts += [found >= bounds.low, found <= bounds.high]
        return found

    def lost_number(self, because: str) -> Term:
        """Return a new variable for a number that is not known. `because` is the reason in ``unknown``."""
        found = self._new("unknown")
        self.unknown[str(found)] = because
        return found

    def _element(self, value: Value, at: Position) -> Any:
        op = defining_op(value)
        if op is None:
            return self._argument(value, at)
        constant = self.bounds.constant(value)
        if constant is not None:
            type: Any = value.type
            return z3.BoolVal(bool(constant)) if type.element_type.width == 1 else z3.IntVal(constant)
        rule = rules.RULES.get(rules.type_of(op))
        if rules.type_of(op) in rules.ARITHMETIC and rules.width_of(value) == 1:
            return self.lost(value, "arithmetic of truth values")
        return self.lost(value, rules.because(op)) if rule is None else rule(self, op, value, at)

    def _argument(self, value: Value, at: Position) -> Any:
        block: Block = value.owner
        outer = block.parent_op
        if isinstance(outer, control.EntryOp):
            type: Any = value.type
            if isinstance(type.element_type, PointerType):
                return ReachedAddress(value, z3.IntVal(0))
            found = self.symbols.numbers.get(value.index)
            if found is not None and type.element_type.width == 1:
                return found != 0
            return self.lost(value, f"argument {value.index} is no integer") if found is None else found
        if isinstance(outer, control.ForOp):
            if value.index == 0:
                return self.counter(outer)[0]
            return self.carried(outer, value, value.index - 1, at, self.counter(outer)[1])
        if isinstance(outer, control.LoopOp):
            return self.carried(outer, value, value.index, at, self.counter(outer)[1])
        return self.lost(value, "an element of a reduction")

    def carried(
        self, loop: control.ForOp | control.LoopOp, value: Value, number: int, at: Position, turn: Term
    ) -> Any:
        """Return the element at `at` of the iteration argument `number` of a loop at the start of iteration
        ``turn``: its initial value plus ``turn`` times the step, if the loop adds the same step in each
        iteration. Otherwise the element is not known. `value` gives the type.
        """
        step = self._step(loop, number)
        first = self.element(loop.init_values[number], at)
        if step is None:
            return self.lost(value, "a value that a loop changes in an irregular way")
        inner, sign = step
        if inner is None:
            return first
        by = self.element(inner, at)
        if isinstance(first, ReachedAddress):
            type: Any = value.type
            size = stored_bytes(type.element_type.pointee) or 1
            return ReachedAddress(first.root, first.bytes + turn * by * size)
        return self.fitted(first + sign * turn * by, value)

    def _step(self, loop: control.ForOp | control.LoopOp, number: int) -> tuple[Value | None, int] | None:
        """Return how a loop changes its iteration argument `number`: the value from outside of the loop that
        each iteration adds, and its sign (1 or -1), or ``(None, 1)`` if the argument stays the same. Return
        None if the argument changes otherwise, or if an iteration may end by another `continue`.
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

    def fitted(self, exact: Term, value: Value) -> Term:
        """Return the number `exact` wrapped around to the width of the elements of `value`, read as signed: a
        new variable, unless `exact` is a number that fits.
        """
        exact = z3.simplify(exact)
        width = rules.width_of(value)
        half = 1 << (width - 1)
        if is_numeral(exact) and -half <= exact.as_long() < half:
            return exact
        wrapped, turns = self._new("wrapped"), self._new("turns")
        self.facts += [wrapped == exact + turns * (2 * half), wrapped >= -half, wrapped < half]
        return wrapped

    def arithmetic(
        self, op: integer.OverflowingBinaryOp, at: Position, value: Value, combine: Callable[[Any, Any], Any]
    ) -> Term:
        """Return the element at `at` of ``combine(lhs, rhs)``: the sum, difference or product of the operands
        of `op`. It wraps around to the width of `value`, unless the operation promises that it does not as
        signed, or the bounds of the operands exclude it.
        """
        a, b = self.element(op.lhs, at), self.element(op.rhs, at)
        exact = combine(a, b)
        promises = getattr(op, "overflow", IntegerOverflow.NONE)
        if promises in (IntegerOverflow.NO_SIGNED_WRAP, IntegerOverflow.NO_WRAP) or self._fits(
            op, value, combine
        ):
            return exact
        return self.fitted(exact, value)

    def _fits(
        self, op: integer.OverflowingBinaryOp, value: Value, combine: Callable[[int, int], int]
    ) -> bool:
        a, b, half = self.bounds.bounds(op.lhs), self.bounds.bounds(op.rhs), 1 << (rules.width_of(value) - 1)
        if a is None or b is None:
            return False
        corners = [combine(x, y) for x, y in product((a.low, a.high), (b.low, b.high))]
        return -half <= min(corners) and max(corners) < half

    def is_nonnegative(self, value: Value) -> bool:
        """Return whether every element of a value is known not to be negative, read as signed."""
        bounds = self.bounds.bounds(value)
        return bounds is not None and bounds.low >= 0

    def unsigned(self, value: Value, at: Position) -> Term:
        """Return the element of a value at the index `at`, read as unsigned. A truth is 1 or 0."""
        if rules.width_of(value) == 1:
            return z3.If(self.element(value, at), z3.IntVal(1), z3.IntVal(0))
        found = self.element(value, at)
        return found if self.is_nonnegative(value) else rules.as_unsigned(found, rules.width_of(value))

    def number(self, value: Value) -> Term:
        """Return the term of a scalar integer as a number, read as signed. A truth is -1 or 0."""
        found = self.scalar(value)
        return z3.If(found, z3.IntVal(-1), z3.IntVal(0)) if rules.width_of(value) == 1 else found

    def quotient(self, a: Term, b: Term, *, floor: bool) -> Term:
        """Return the quotient of `a` and `b`, rounded down with ``floor`` and otherwise toward zero. Unless
        the divisor is a positive numeral, the quotient is a variable, about which nothing is known where the
        divisor is not positive.
        """
        if is_numeral(b) and b.as_long() > 0:
            return a / b if floor else z3.If(a >= 0, a / b, -(-a / b))
        key = a.get_id(), b.get_id(), floor
        if key not in self._quotients:
            self._quotients[key] = a, b, self._quotient(a, b, floor)
        return self._quotients[key][2]

    def _quotient(self, a: Term, b: Term, floor: bool) -> Term:
        found = self._new("quotient")
        below = z3.And(found * b <= a, a < found * b + b)
        above = z3.And(found * b >= a, a > found * b - b)
        known = below if floor else z3.If(a >= 0, below, above)
        self.facts.append(z3.Implies(b >= 1, known))
        return found

    def tensor(self, value: Value) -> TensorTerms | None:
        """Return the terms of a tensor view, or None if `value` is not the result of `make_tensor_view`."""
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


def _is_outside(value: Value, loop: Operation) -> bool:
    """Return whether a value is defined outside of a loop."""
    owner: Any = value.owner
    inner: Operation | None = owner.parent_op if isinstance(owner, Block) else owner
    return inner is not None and loop not in (inner, *inner.ancestors())


def _continues_elsewhere(body: Block) -> bool:
    """Return whether an iteration of the loop with the block `body` may end by a `continue` that is not the
    last operation of the block.
    """
    last = body.last
    return (
        any(
            isinstance(op, control.ContinueOp) and op is not last and _loop_of(op) is body
            for op in body.parent_op.walk()
        )
        if body.parent_op
        else False
    )


def _loop_of(op: Operation) -> Block | None:
    """Return the body of the innermost loop around an operation, or None if it is in no loop."""
    block = op.parent
    while block is not None and not isinstance(block.parent_op, control.ForOp | control.LoopOp):
        block = block.parent_op.parent if block.parent_op is not None else None
    return block
