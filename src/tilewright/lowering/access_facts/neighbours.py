"""The vector width of accesses, from facts about addresses and masks along the rows of a tile.

A group of neighbours is moved at once where its elements lie side by side in memory, begin at a multiple of the size
of the group, and either all exist or none. Assumptions (`assume div_by`) are used. If an assumption about addresses is
false, the access is misaligned, which a GPU reports. If an assumption about masks is false, a part of a group exists:
loads of the whole group do no harm if its first element exists, as the group is aligned and so lies in one page;
stores have to test the last element. Updates use no assumptions: an element that may not exist is updated by itself.

An asynchronous copy may move the first elements of a group only. So its group may end with elements that do not exist.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeGuard

from tilewright.dialects.arith import ops_integer as arith
from tilewright.dialects.arith.attributes import CmpIPredicate
from tilewright.dialects.nv_tileaa.attributes import DivByAttr
from tilewright.dialects.nv_tileaa.ops import memory as tileaa_memory, pointer as tileaa_pointer
from tilewright.dialects.nv_tileas.attributes import view_dimensions
from tilewright.dialects.nv_tileas.ops_arith import also_on_tiles, of_both
from tilewright.dialects.nv_tileas.ops_memory import LoadOp, StoreOp
from tilewright.dialects.nv_tileas.ops_tile import ConvertLayoutOp, GenerateOp, ViewOp
from tilewright.ir.block import Block
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.lowering.access_facts.pointers import TileFacts
from tilewright.optimizer.analysis import intervals, rules as analysis_rules, rules_tileas
from tilewright.optimizer.analysis.facts import ValueFacts, shape_of, step, unknown, width_of
from tilewright.optimizer.analysis.runs import MAXIMUM_DIVISOR, AxisFacts, compared

Access = LoadOp | StoreOp | tileaa_memory.AtomicRmwOp
Choice = Callable[[intervals.Interval, intervals.Interval, int, bool], intervals.Interval]
RULES = analysis_rules.FactRuleTable()
"""Rules for the operations that mask limits are computed with (minimum, maximum, choice), and for comparisons."""
LOWER = frozenset({CmpIPredicate.SLT, CmpIPredicate.ULT, CmpIPredicate.SGE, CmpIPredicate.UGE})
"""The predicates whose result is equal for a group of elements, if the left side counts up from a multiple of
the group's size and the right side is such a multiple.
"""
HIGHER = frozenset({CmpIPredicate.SGT, CmpIPredicate.UGT, CmpIPredicate.SLE, CmpIPredicate.ULE})
"""The predicates whose result is equal for a group of elements, if the right side counts up from a multiple
of the group's size and the left side is such a multiple.
"""
BELOW = frozenset({CmpIPredicate.SLT, CmpIPredicate.SLE, CmpIPredicate.ULT, CmpIPredicate.ULE})
"""The predicates that hold for the first elements of a group, if the left side counts up in it and the right side is
constant.
"""
ABOVE = frozenset({CmpIPredicate.SGT, CmpIPredicate.SGE, CmpIPredicate.UGT, CmpIPredicate.UGE})
"""The predicates that hold for the first elements of a group, if the right side counts up in it and the left side is
constant.
"""
SIGNED = frozenset({CmpIPredicate.SLT, CmpIPredicate.SLE, CmpIPredicate.SGT, CmpIPredicate.SGE})
CONJUNCTIONS, COMPARISONS = tuple(of_both(arith.AndIOp)), tuple(of_both(arith.CmpIOp))
CHOICES: Mapping[type[Operation], tuple[Choice, bool]] = also_on_tiles(
    {
        arith.MaxSIOp: (intervals.maximum, True),
        arith.MinSIOp: (intervals.minimum, True),
        arith.MaxUIOp: (intervals.maximum, False),
        arith.MinUIOp: (intervals.minimum, False),
    }
)


class Comparison(Protocol):
    """A comparison of integers, or of tiles of integers, with its ``predicate`` and its ``result``."""

    @property
    def predicate(self) -> CmpIPredicate:
        """Return the predicate of the comparison."""
        ...

    @property
    def operands(self) -> Sequence[Value]:
        """Return the operands, which are compared."""
        ...

    @property
    def result(self) -> Value:
        """Return the i1 result, or the tile of i1."""
        ...


@RULES.rule(*CHOICES, because="one of the operands: what divides both divides it")
def _choose(op: Operation, lhs: ValueFacts, rhs: ValueFacts) -> ValueFacts:
    choose, signed = CHOICES[type(op)]
    type_, width = analysis_rules.result_type(op), width_of(analysis_rules.result_type(op))
    assert width is not None, "integers"
    assert lhs.bounds is not None, "integers have bounds"
    assert rhs.bounds is not None, "integers have bounds"
    bounds = choose(lhs.bounds, rhs.bounds, width, signed)
    return ValueFacts(bounds, min(lhs.divisor, rhs.divisor), analysis_rules.steady(type_, (lhs, rhs)))


@RULES.rule(arith.SelectOp, because="one of two values: what divides both divides it")
def _select(op: Operation, _: ValueFacts, chosen: ValueFacts, other: ValueFacts) -> ValueFacts:
    return unknown(op.results[0].type).changed(divisor=min(chosen.divisor, other.divisor))


@RULES.rule(*of_both(arith.CmpIOp), because="aligned runs lie on one side of an aligned limit as a whole")
def _compare(op: Comparison, lhs: ValueFacts, rhs: ValueFacts) -> ValueFacts:
    runs: list[AxisFacts] = []
    for left, right in zip(lhs.runs, rhs.runs, strict=True):
        lengths = [min(left.constancy, right.constancy)]
        lengths += [compared(left, right)] if op.predicate in LOWER else []
        lengths += [compared(right, left)] if op.predicate in HIGHER else []
        runs.append(AxisFacts(constancy=max(lengths)))
    return unknown(op.result.type).changed(runs=tuple(runs))


def rule_here(op: Operation) -> analysis_rules.FactRule:
    """Return the rule that computes the facts about the results of `op`, which has no regions: a rule of this
    file, or else a rule of TileAS form.
    """
    return RULES.rules.get(type(op)) or rules_tileas.rule_of(op)


class RowFacts(TileFacts):
    """Facts about the values of a kernel in TileAS form, including tiles computed by `generate`. `along`
    returns how neighbouring elements of a tile differ along one dimension. With ``believes``, divisors stated
    by `assume` count as facts.
    """

    def __init__(self, *, believes: bool) -> None:
        super().__init__()
        self._rule_of = rule_here
        self.believes = believes

    def _work_out(self, value: Value) -> ValueFacts:
        found, owner = super()._work_out(value), value.owner
        if not self.believes or not isinstance(owner, tileaa_pointer.AssumeOp):
            return found
        divisor = max([found.divisor, *map(_promised, owner.predicates)])
        return found.changed(divisor=divisor, runs=tuple(run.with_divisor(divisor) for run in found.runs))

    def along(self, value: Value, dimension: int) -> AxisFacts:
        """Return the contiguity, divisibility and constancy of the elements of a tile along a dimension."""
        owner = value.owner
        if isinstance(value, OpResult) and isinstance(owner, GenerateOp):
            body = owner.body.blocks[0]
            return BodyFacts(self, body, dimension, shape_of(value.type)).run(
                body.ops[-1].operands[value.index]
            )
        return self.facts(value).runs[dimension]


def _promised(predicate: object) -> int:
    """Return the number by which an assumption says that every element is divisible; 1 for other predicates,
    and for a `div_by` of some elements only (``every``).
    """
    return predicate.divisor if isinstance(predicate, DivByAttr) and predicate.every is None else 1


@dataclass(frozen=True)
class BodyFacts:
    """Facts about values in the body of a `generate`, which computes the elements of a tile of shape
    ``shape``. ``outer`` has the facts about values from outside the body.

    The values that one SSA value takes in consecutive iterations along ``dimension`` are treated as the
    elements of a row.
    """

    outer: RowFacts
    body: Block
    dimension: int
    shape: Sequence[int]

    def run(self, value: Value) -> AxisFacts:
        """Return the contiguity, divisibility and constancy of a value in consecutive iterations along the
        dimension.
        """
        (run,) = self.facts(value).runs
        return run

    def facts(self, value: Value) -> ValueFacts:
        """Return the facts about a value, with `AxisFacts` for a single dimension: ``dimension``."""
        owner, extent = value.owner, self.shape[self.dimension]
        if owner is self.body:
            return self._place(value)
        if not isinstance(owner, Operation) or owner.parent is not self.body:
            found = self.outer.facts(value)
            return found.changed(runs=(AxisFacts(1, found.divisor, extent),))
        if owner.regions:
            return unknown(value.type).changed(runs=(AxisFacts(),))
        operands = [self.facts(operand) for operand in owner.operands]
        computed = rule_here(owner).compute(owner, *operands)
        found = computed if isinstance(computed, ValueFacts) else computed[value.index]
        if found.runs:
            return found
        constancy = min((facts.runs[0].constancy for facts in operands), default=extent)
        return found.changed(runs=(AxisFacts(1, found.divisor, constancy),))

    def _place(self, value: Value) -> ValueFacts:
        """Return the facts about a block argument: the index of the element along a dimension, or an element
        of another tile.
        """
        if value.index >= len(self.shape):
            return unknown(value.type).changed(runs=(AxisFacts(),))
        extent = self.shape[self.dimension]
        counts = value.index == self.dimension
        run = AxisFacts(extent, MAXIMUM_DIVISOR, 1) if counts else AxisFacts(1, 1, extent)
        return ValueFacts(intervals.Interval(0, self.shape[value.index] - 1), 1, (run,))


class VectorWidthAnalysis:
    """Computes the vector widths of loads, stores and `multimem` reductions through tiles of pointers
    (`moved_by`), in elements; caches facts about the values of a kernel. Assumptions of the program count as
    facts, except for the masks of atomic updates.
    """

    def __init__(self) -> None:
        self.believing, self.doubting = RowFacts(believes=True), RowFacts(believes=False)

    def moved_by(self, op: Access) -> int:
        """Return the vector width of an access through a tile of pointers, in elements: the largest power of
        two of aligned neighbours along a row that may be accessed at once. It is 1 if nothing is known, for
        tiles of one element, and for accesses with indices.
        """
        shape = shape_of(op.base.type)
        row = max((at for at, extent in enumerate(shape) if extent > 1), default=None)
        if row is None or op.indices:
            return 1
        found = _aligned(self.believing.along(op.base, row), step(op.base.type))
        if op.mask is None:
            return found
        masks = self.doubting if isinstance(op, tileaa_memory.AtomicRmwOp) else self.believing
        return min(found, masks.along(op.mask, row).constancy)

    def copied_by(self, op: LoadOp) -> int:
        """Return the vector width of asynchronous copies of a loaded tile, in elements: as `moved_by`, but in a group
        all elements behind one whose mask is false may be left out.
        """
        shape = shape_of(op.base.type)
        row = max((at for at, extent in enumerate(shape) if extent > 1), default=None)
        if row is None or op.mask is None or op.indices:
            return self.moved_by(op)
        found = _aligned(self.believing.along(op.base, row), step(op.base.type))
        return min(found, prefix(self.believing, op.mask, row))


def prefix(facts: RowFacts, mask: Value, dimension: int) -> int:
    """Return the length, a power of two, of the aligned groups along a dimension of a mask in which no
    element is true behind one that is false; 1 if nothing is known.
    """
    owner, steady = mask.owner, facts.along(mask, dimension).constancy
    if isinstance(mask, OpResult) and isinstance(owner, GenerateOp):
        body = owner.body.blocks[0]
        inside = BodyFacts(facts, body, dimension, shape_of(mask.type))
        return max(steady, _first_elements(body.ops[-1].operands[mask.index], inside.run))
    if isinstance(owner, ConvertLayoutOp):
        return prefix(facts, owner.source, dimension)
    if isinstance(owner, ViewOp):
        shape = shape_of(mask.type)
        shown = view_dimensions(owner.layout, shape, shape_of(owner.source.type)) or ()
        found = [prefix(facts, owner.source, at) for at, to in enumerate(shown) if to == dimension]
        return max([steady, *(min(one, shape[dimension]) for one in found)])
    if isinstance(owner, CONJUNCTIONS):
        return max(steady, min(prefix(facts, value, dimension) for value in owner.operands))
    return max(steady, _first_elements(mask, lambda value: facts.along(value, dimension)))


def _first_elements(mask: Value, run: Callable[[Value], AxisFacts]) -> int:
    """Return the length of `prefix` for a mask that is computed element by element; `run` has the facts of the values
    that it is computed from.
    """
    owner, steady = mask.owner, run(mask).constancy
    if isinstance(owner, CONJUNCTIONS):
        return max(steady, min(_first_elements(value, run) for value in owner.operands))
    if not _is_comparison(owner) or owner.predicate not in BELOW | ABOVE:
        return steady
    left, right = (run(value) for value in owner.operands)
    counting, limit = (left, right) if owner.predicate in BELOW else (right, left)
    length = min(counting.contiguity, limit.constancy)
    if owner.predicate not in SIGNED:  # a group that begins at a multiple of its length does not cross zero
        length = min(length, counting.divisibility)
    return max(steady, length)


def _is_comparison(owner: object) -> TypeGuard[Comparison]:
    return isinstance(owner, COMPARISONS)


def _aligned(run: AxisFacts, size: int) -> int:
    """Return the largest group of contiguous elements whose first one is a multiple of the group's size.
    `size` is the unit of `run`: 1, or the bytes of an element for pointers.
    """
    count = run.contiguity
    while count > 1 and run.start(count, size) < count * size:
        count //= 2
    return count


def plan(module: Operation) -> dict[Operation, int]:
    """Return the vector width, in elements, of each load, each store and each `multimem` reduction of a
    module.
    """
    neighbours = VectorWidthAnalysis()
    return {op: neighbours.moved_by(op) for op in module.walk() if _is_copy(op)}


def copies(module: Operation) -> dict[Operation, int]:
    """Return the vector width of asynchronous copies, in elements, of each load of a module."""
    neighbours = VectorWidthAnalysis()
    return {op: neighbours.copied_by(op) for op in module.walk() if isinstance(op, LoadOp)}


def _is_copy(op: Operation) -> TypeGuard[Access]:
    return isinstance(op, LoadOp | StoreOp) or (isinstance(op, tileaa_memory.AtomicRmwOp) and op.multicast)
