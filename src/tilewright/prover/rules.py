"""The terms of the results of operations: a row for each operation that the prover follows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tilewright.dialects.cuda_tile.attributes import BoundedAttr, DivByAttr
from tilewright.dialects.cuda_tile.enums import ComparisonPredicate, RoundingMode, Signedness
from tilewright.dialects.cuda_tile.ops import control, conversion, integer, memory, tile, view
from tilewright.dialects.cuda_tile.types import GatherScatterViewType, TileType
from tilewright.interp.memory.addressing import dimension_map, steps
from tilewright.ir.builtin_types import IntegerType
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value, defining_op
from tilewright.optimizer.analysis.facts import stored_bytes
from tilewright.prover.solver import Term, ceiling, is_numeral, z3
from tilewright.prover.symbols import ReachedAddress, TensorTerms

if TYPE_CHECKING:
    from tilewright.prover.block import BlockTerms

Position = tuple[Term, ...]
_MOST_CASES = 64
"""The maximum number of elements of a constant that become cases."""


def type_of(op: Operation) -> type[Operation]:
    """Return the class of an operation."""
    return type(op)


def because(op: Operation) -> str:
    """Return the reason, for messages, why a result of `op`, an operation without a rule, is not known: ``a
    value that is loaded from memory``, or ``a result of`` and the name of the operation.
    """
    if isinstance(op, memory.LoadPtrTkoOp | memory.LoadViewTkoOp):
        return "a value that is loaded from memory"
    return f"a result of '{op.name}'"


def width_of(value: Value) -> int:
    """Return the bits of an element of an integer tile."""
    type: Any = value.type
    return type.element_type.width


def as_unsigned(term: Term, width: int) -> Term:
    """Return the number `term`, of `width` bits read as signed, read as unsigned: negative numbers grow by
    ``2**width``.
    """
    return z3.If(term < 0, term + (1 << width), term)


def tensor_of(terms: BlockTerms, value: Value) -> TensorTerms | None:
    """Return the terms of the tensor that `value`, a view of tiles, divides. Return None if the operation
    that makes the view or its tensor is not known, as for an argument of a loop.
    """
    made = defining_op(value)
    if not isinstance(made, view.MakePartitionViewOp | view.MakeStridedViewOp | view.MakeGatherScatterViewOp):
        return None
    return terms.tensor(made.tensor_view)


def space_of(terms: BlockTerms, value: Value) -> list[Term] | None:
    """Return the number of tiles of a view in each dimension of its tile. Return None if its tensor is not
    known, or for a gather-scatter view.
    """
    tensor = tensor_of(terms, value)
    type: Any = value.type
    if tensor is None or isinstance(type, GatherScatterViewType):
        return None
    extents = [tensor.shape[dimension] for dimension in dimension_map(type)]
    return [ceiling(extent, step) for extent, step in zip(extents, steps(type), strict=True)]


ARITHMETIC = frozenset[type[Operation]](
    {
        *(integer.AddIOp, integer.SubIOp, integer.MulIOp, integer.NegIOp, integer.AbsIOp, integer.DivIOp),
        *(integer.RemIOp, integer.MaxIOp, integer.MinIOp, integer.ShLIOp, integer.ShRIOp),
    }
)
"""Operations whose rules are for numbers, not for truth values."""
Rule = Callable[["BlockTerms", Any, Value, Position], Any]
"""A function from an operation, one of its results and a position to the term of the element there."""
RULES: dict[type[Operation], Rule] = {}
"""The rules by the class of the operation."""


def _rule(*classes: type[Operation]) -> Callable[[Rule], Rule]:
    def register(rule: Rule) -> Rule:
        RULES.update(dict.fromkeys(classes, rule))
        return rule

    return register


@_rule(tile.ConstantOp)
def _constant(terms: BlockTerms, op: tile.ConstantOp, value: Value, at: Position) -> Any:
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
def _iota(terms: BlockTerms, op: tile.IotaOp, value: Value, at: Position) -> Any:
    return at[0]


@_rule(tile.BroadcastOp)
def _broadcast(terms: BlockTerms, op: tile.BroadcastOp, value: Value, at: Position) -> Any:
    type: Any = op.source.type
    inner = tuple(z3.IntVal(0) if extent == 1 else one for one, extent in zip(at, type.shape, strict=True))
    return terms.element(op.source, inner)


@_rule(tile.ReshapeOp)
def _reshape(terms: BlockTerms, op: tile.ReshapeOp, value: Value, at: Position) -> Any:
    source: Any = op.source.type
    result: Any = value.type
    kept = [one for one, extent in zip(at, result.shape, strict=True) if extent != 1]
    if [extent for extent in source.shape if extent != 1] == [
        extent for extent in result.shape if extent != 1
    ]:
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
def _permute(terms: BlockTerms, op: tile.PermuteOp, value: Value, at: Position) -> Any:
    inner: list[Term] = list(at)
    for target, source in enumerate(op.permutation):
        inner[source] = at[target]
    return terms.element(op.source, tuple(inner))


@_rule(tile.CatOp)
def _cat(terms: BlockTerms, op: tile.CatOp, value: Value, at: Position) -> Any:
    type: Any = op.lhs.type
    extent, dim = type.shape[op.dim], op.dim
    left = terms.element(op.lhs, at)
    right = terms.element(op.rhs, (*at[:dim], z3.simplify(at[dim] - extent), *at[dim + 1 :]))
    return _chosen(terms, value, at[dim] < extent, left, right)


@_rule(tile.ExtractOp)
def _extract(terms: BlockTerms, op: tile.ExtractOp, value: Value, at: Position) -> Any:
    type: Any = value.type
    numbers = [terms.unsigned(index, ()) for index in op.indices]
    inner = [n * extent + one for n, extent, one in zip(numbers, type.shape, at, strict=True)]
    return terms.element(op.source, tuple(z3.simplify(one) for one in inner))


@_rule(tile.SelectOp)
def _select(terms: BlockTerms, op: tile.SelectOp, value: Value, at: Position) -> Any:
    type: Any = op.cond.type
    condition = terms.element(op.cond, at if type.shape else ())
    return _chosen(
        terms, value, condition, terms.element(op.val_if_true, at), terms.element(op.val_if_false, at)
    )


def _chosen(terms: BlockTerms, value: Value, condition: Term, yes: Any, no: Any) -> Any:
    if not isinstance(yes, ReachedAddress):
        return z3.If(condition, yes, no)
    if yes.root is not no.root:
        return terms.lost(value, "an address that is chosen from two arrays")
    return ReachedAddress(yes.root, z3.If(condition, yes.bytes, no.bytes))


@_rule(tile.OffsetOp)
def _offset(terms: BlockTerms, op: tile.OffsetOp, value: Value, at: Position) -> Any:
    type: Any = value.type
    base, by = terms.element(op.ptr, at), terms.element(op.offset, at)
    return ReachedAddress(base.root, base.bytes + by * (stored_bytes(type.element_type.pointee) or 1))


@_rule(integer.AddIOp)
def _add(terms: BlockTerms, op: integer.AddIOp, value: Value, at: Position) -> Any:
    return terms.arithmetic(op, at, value, lambda a, b: a + b)


@_rule(integer.SubIOp)
def _sub(terms: BlockTerms, op: integer.SubIOp, value: Value, at: Position) -> Any:
    return terms.arithmetic(op, at, value, lambda a, b: a - b)


@_rule(integer.MulIOp)
def _mul(terms: BlockTerms, op: integer.MulIOp, value: Value, at: Position) -> Any:
    return terms.arithmetic(op, at, value, lambda a, b: a * b)


@_rule(integer.NegIOp)
def _neg(terms: BlockTerms, op: integer.NegIOp, value: Value, at: Position) -> Any:
    return terms.fitted(-terms.element(op.source, at), value)


@_rule(integer.AbsIOp)
def _abs(terms: BlockTerms, op: integer.AbsIOp, value: Value, at: Position) -> Any:
    found = terms.element(op.source, at)
    return found if terms.is_nonnegative(op.source) else terms.fitted(z3.If(found < 0, -found, found), value)


def _operands(
    terms: BlockTerms, op: integer.DivIOp | integer.RemIOp, at: Position
) -> tuple[Term, Term, bool]:
    """Return the operands of a division or remainder at the index `at`, and whether the first is known not to
    be negative. Operands of an unsigned operation are read as unsigned.
    """
    if op.signedness is Signedness.UNSIGNED:
        return terms.unsigned(op.lhs, at), terms.unsigned(op.rhs, at), True
    return terms.element(op.lhs, at), terms.element(op.rhs, at), terms.is_nonnegative(op.lhs)


@_rule(integer.DivIOp)
def _div(terms: BlockTerms, op: integer.DivIOp, value: Value, at: Position) -> Any:
    a, b, positive = _operands(terms, op, at)
    if op.rounding is RoundingMode.POSITIVE_INF:
        return terms.quotient(a + b - 1, b, floor=True)
    return terms.quotient(a, b, floor=positive or op.rounding is RoundingMode.NEGATIVE_INF)


@_rule(integer.RemIOp)
def _rem(terms: BlockTerms, op: integer.RemIOp, value: Value, at: Position) -> Any:
    a, b, positive = _operands(terms, op, at)
    if positive and is_numeral(b) and b.as_long() > 0:
        return a % b
    return a - terms.quotient(a, b, floor=positive) * b


@_rule(integer.MaxIOp, integer.MinIOp)
def _extreme(terms: BlockTerms, op: integer.MaxIOp | integer.MinIOp, value: Value, at: Position) -> Any:
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
def _cmp(terms: BlockTerms, op: integer.CmpIOp, value: Value, at: Position) -> Any:
    relation = _RELATIONS[op.comparison_predicate]
    is_order = op.comparison_predicate not in (ComparisonPredicate.EQUAL, ComparisonPredicate.NOT_EQUAL)
    if width_of(op.lhs) == 1 and is_order:
        return terms.lost(value, "an order of truth values")
    return _compared(terms, op, at, is_order and op.signedness is Signedness.UNSIGNED, relation)


def _compared(
    terms: BlockTerms,
    op: integer.CmpIOp | integer.MaxIOp | integer.MinIOp,
    at: Position,
    is_unsigned: bool,
    relation: Callable[[Any, Any], Any],
) -> Term:
    if is_unsigned:
        return relation(terms.unsigned(op.lhs, at), terms.unsigned(op.rhs, at))
    return relation(terms.element(op.lhs, at), terms.element(op.rhs, at))


@_rule(integer.ShLIOp)
def _shl(terms: BlockTerms, op: integer.ShLIOp, value: Value, at: Position) -> Any:
    amount = terms.element(op.rhs, at)
    if not is_numeral(amount) or not 0 <= amount.as_long() < width_of(value):
        return terms.lost(value, "a shift by a number that is not constant")
    return terms.fitted(terms.element(op.lhs, at) * (1 << amount.as_long()), value)


@_rule(integer.ShRIOp)
def _shr(terms: BlockTerms, op: integer.ShRIOp, value: Value, at: Position) -> Any:
    amount = terms.element(op.rhs, at)
    if not is_numeral(amount) or not 0 <= amount.as_long() < width_of(value):
        return terms.lost(value, "a shift by a number that is not constant")
    if op.signedness is Signedness.UNSIGNED and not terms.is_nonnegative(op.lhs):
        return terms.lost(value, "an unsigned shift of a number that may be negative")
    return terms.element(op.lhs, at) / (1 << amount.as_long())


@_rule(integer.AndIOp, integer.OrIOp, integer.XOrIOp)
def _bits(
    terms: BlockTerms, op: integer.AndIOp | integer.OrIOp | integer.XOrIOp, value: Value, at: Position
) -> Any:
    a, b = terms.element(op.lhs, at), terms.element(op.rhs, at)
    if width_of(value) == 1:
        combine: Any = {integer.AndIOp: z3.And, integer.OrIOp: z3.Or, integer.XOrIOp: z3.Xor}[type(op)]
        return combine(a, b)
    mask = b.as_long() if is_numeral(b) else -1
    if isinstance(op, integer.AndIOp) and mask > 0 and mask & (mask + 1) == 0:
        return a % (mask + 1)
    return terms.lost(value, "bits of a number")


@_rule(conversion.ExtIOp)
def _ext(terms: BlockTerms, op: conversion.ExtIOp, value: Value, at: Position) -> Any:
    found = terms.element(op.from_, at)
    if width_of(op.from_) == 1:
        return z3.If(found, z3.IntVal(-1 if op.signedness is Signedness.SIGNED else 1), z3.IntVal(0))
    return found if op.signedness is Signedness.SIGNED else terms.unsigned(op.from_, at)


@_rule(conversion.TruncIOp)
def _trunc(terms: BlockTerms, op: conversion.TruncIOp, value: Value, at: Position) -> Any:
    found = terms.element(op.from_, at)
    if width_of(value) == 1:
        return found % 2 == 1
    bounds = terms.bounds.bounds(op.from_)
    half = 1 << (width_of(value) - 1)
    fits = bounds is not None and -half <= bounds.low and bounds.high < half
    return found if fits else terms.fitted(found, value)


@_rule(control.AssumeOp)
def _assume(terms: BlockTerms, op: control.AssumeOp, value: Value, at: Position) -> Any:
    found = terms.element(op.value, at)
    if isinstance(found, ReachedAddress) or not isinstance(value.type, TileType) or width_of(value) == 1:
        return found
    if isinstance(op.predicate, BoundedAttr):
        terms.facts += [] if op.predicate.lower is None else [found >= op.predicate.lower]
        terms.facts += [] if op.predicate.upper is None else [found <= op.predicate.upper]
    elif isinstance(op.predicate, DivByAttr) and not at and not is_numeral(found):
        terms.facts.append(found % op.predicate.divisor == 0)
    return found


@_rule(memory.AllocaOp, control.GetGlobalOp)
def _memory(terms: BlockTerms, op: memory.AllocaOp | control.GetGlobalOp, value: Value, at: Position) -> Any:
    return ReachedAddress(value, z3.IntVal(0))


@_rule(control.GetTileBlockIdOp)
def _block_id(terms: BlockTerms, op: control.GetTileBlockIdOp, value: Value, at: Position) -> Any:
    return terms.position[value.index]


@_rule(control.GetNumTileBlocksOp)
def _grid(terms: BlockTerms, op: control.GetNumTileBlocksOp, value: Value, at: Position) -> Any:
    return terms.symbols.grid[value.index]


@_rule(view.GetTensorShapeOp)
def _tensor_shape(terms: BlockTerms, op: view.GetTensorShapeOp, value: Value, at: Position) -> Any:
    tensor = terms.tensor(op.src)
    return terms.lost(value, "an extent of a view") if tensor is None else tensor.shape[value.index]


@_rule(view.GetIndexSpaceShapeOp)
def _index_space(terms: BlockTerms, op: view.GetIndexSpaceShapeOp, value: Value, at: Position) -> Any:
    space = space_of(terms, op.src)
    return terms.lost(value, "a number of tiles") if space is None else space[value.index]


@_rule(control.IfOp)
def _if(terms: BlockTerms, op: control.IfOp, value: Value, at: Position) -> Any:
    lasts = [region.blocks[0].last for region in op.regions if region.blocks]
    yielded = [
        terms.element(last.operands[value.index], at) for last in lasts if isinstance(last, control.YieldOp)
    ]
    if len(yielded) == 1:
        return yielded[0]
    if len(yielded) != 2:
        return terms.lost(value, "a result of a branch")
    return _chosen(terms, value, terms.scalar(op.condition), *yielded)


@_rule(control.ForOp)
def _for(terms: BlockTerms, op: control.ForOp, value: Value, at: Position) -> Any:
    low, high, step = map(terms.number, (op.lower_bound, op.upper_bound, op.step))
    if not is_numeral(step) or op.unsigned_cmp:
        return terms.lost(value, "a result of a loop")
    turns = z3.If(high > low, ceiling(high - low, step), z3.IntVal(0))
    return terms.carried(op, value, value.index, at, turns)
