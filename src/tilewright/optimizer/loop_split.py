"""`loop-split`: splits a `for` whose body compares the counter with an outer value into two without the comparison.

The first loop runs the iterations before the result of the comparison changes, the second loop the rest. The results of the
first are the initial values of the second, so that order and number of iterations stay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from tilewright.dialects.common.constant_folding import defined_by
from tilewright.dialects.cuda_tile.dialect import LOOP_SPLIT
from tilewright.dialects.cuda_tile.enums import ComparisonPredicate, Signedness
from tilewright.dialects.cuda_tile.interfaces import scalar_constant
from tilewright.dialects.cuda_tile.ops import integer as integer_ops, memory as memory_ops, tile as tile_ops
from tilewright.dialects.cuda_tile.ops.control import EntryOp, ForOp, IfOp, LoopOp, YieldOp
from tilewright.dialects.cuda_tile.types import TileType
from tilewright.ir.block import Block, Region
from tilewright.ir.builder import Builder, InsertionPoint
from tilewright.ir.builtin_attributes import IntegerAttr, dense
from tilewright.ir.builtin_types import i1
from tilewright.ir.diagnostic import Diagnostic, Severity
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.optimizer import codes, split_points as optimizer_split_points
from tilewright.passes.pass_ import Pass, PassState

HEAVY = (
    memory_ops.LoadPtrTkoOp,
    memory_ops.LoadViewTkoOp,
    memory_ops.StorePtrTkoOp,
    memory_ops.StoreViewTkoOp,
    tile_ops.MmaFOp,
    tile_ops.MmaIOp,
    tile_ops.MmaFScaledOp,
    tile_ops.ReduceOp,
    tile_ops.ScanOp,
    IfOp,
    ForOp,
    LoopOp,
)
"""Operations that make a branch worth a split, however short it is."""

_P = ComparisonPredicate
MIRRORED = {
    _P.LESS_THAN: _P.GREATER_THAN,
    _P.LESS_THAN_OR_EQUAL: _P.GREATER_THAN_OR_EQUAL,
    _P.GREATER_THAN: _P.LESS_THAN,
    _P.GREATER_THAN_OR_EQUAL: _P.LESS_THAN_OR_EQUAL,
}
"""The predicates that split a range in two; for each, the equivalent predicate for swapped operands."""
TRUE_LATER = (_P.GREATER_THAN, _P.GREATER_THAN_OR_EQUAL)
CHANGES_AFTER = (_P.GREATER_THAN, _P.LESS_THAN_OR_EQUAL)
"""The predicates whose result for the counter changes after the bound, not at the bound."""

WarningSink = Callable[[Diagnostic], object]


@dataclass(frozen=True)
class Split:
    """A `for` and the comparison that splits it. ``predicate`` and ``bound`` are the comparison as ``counter
    predicate bound``, with the counter on the left side.
    """

    loop: ForOp
    comparison: integer_ops.CmpIOp
    predicate: ComparisonPredicate
    bound: Value

    @property
    def true_later(self) -> bool:
        """Whether the comparison is false in the first loop and true in the second."""
        return self.predicate in TRUE_LATER


def split_loops(root: Operation, threshold: int, warn: WarningSink) -> int:
    """Split the loops inside `root`, inner ones first and each at most once; return the number of split
    loops. ``threshold`` holds where no hint replaces it (see `LoopSplit`). ``warn`` is called with a warning
    for each hint that is not an integer.
    """
    for op in (*root.ancestors(), *root.walk()):
        hint = op.held_attributes.get(LOOP_SPLIT)
        if hint is not None and not isinstance(hint, IntegerAttr):
            message = f"'{LOOP_SPLIT}' must be an integer, got {hint}; it is ignored"
            warn(Diagnostic(Severity.WARNING, message, op.location, codes.BAD_LOOP_SPLIT_HINT))
    loops = [op for op in _post_order(root) if isinstance(op, ForOp)]
    return sum(_split_once(loop, root, threshold) for loop in loops)


def _split_once(loop: ForOp, root: Operation, threshold: int) -> bool:
    for op in _post_order(loop):
        if isinstance(op, IfOp):
            split = _split_at(loop, op)
            if split is not None and _is_wanted(split, _threshold(op, loop, root, threshold)):
                _perform(split)
                return True
    return False


def _post_order(root: Operation) -> list[Operation]:
    """Return the operations nested in `root`, each after its nested operations; `root` itself is left out."""
    return list(root.walk(reverse=True))[:0:-1]


# --- whether ---------------------------------------------------------------------------------------------------------


def _threshold(branch: IfOp, loop: ForOp, root: Operation, default: int) -> int:
    """Return the threshold for a branch: its own hint, else the loop's, else the kernel's, else ``default``.
    Without a kernel around the loop, `root` is asked instead.
    """
    kernel = next((op for op in loop.ancestors() if isinstance(op, EntryOp)), root)
    for op in (branch, loop, kernel):
        hint = op.held_attributes.get(LOOP_SPLIT)
        if isinstance(hint, IntegerAttr):
            return hint.value
    return default


def _split_at(loop: ForOp, branch: IfOp) -> Split | None:
    """Return the split of a loop by a branch, whose condition must compare the counter with a value from
    outside of the loop, in the loop's signedness and by an ordering predicate; None for any other branch.
    """
    comparison = defined_by(branch.condition, integer_ops.CmpIOp)
    if comparison is None or (comparison.signedness is Signedness.UNSIGNED) != loop.unsigned_cmp:
        return None
    counter, predicate = loop.body.block.arguments[0], comparison.comparison_predicate
    if predicate not in MIRRORED:
        return None
    if comparison.lhs is counter and _is_outside(comparison.rhs, loop):
        return Split(loop, comparison, predicate, comparison.rhs)
    if comparison.rhs is counter and _is_outside(comparison.lhs, loop):
        return Split(loop, comparison, MIRRORED[predicate], comparison.lhs)
    return None


def _is_outside(value: Value, loop: ForOp) -> bool:
    """Return whether a value is defined outside a loop."""
    home = value.parent_region
    return home is None or not loop.body.is_ancestor_of(home)


def _is_wanted(split: Split, threshold: int) -> bool:
    """Return whether a split is legal, and a branch on the comparison has at least ``threshold`` operations
    in one of its bodies, without the terminator, or an operation of `HEAVY`. A threshold of 1 accepts any
    branch, 0 none.
    """
    if threshold == 0 or not _is_legal(split):
        return False
    branches = [op for op in split.comparison.result.uses if isinstance(op, IfOp)]
    return threshold == 1 or any(_is_worth_it(branch, threshold) for branch in branches)


def _is_legal(split: Split) -> bool:
    """Return whether a loop may be split: False if its step is known not to be positive, or if the second
    half would start after the largest number of its type.
    """
    signed = not split.loop.unsigned_cmp
    step = scalar_constant(split.loop.step, signed=signed)
    largest = _largest(split.loop.step.type, signed=signed)
    at_the_end = scalar_constant(split.bound, signed=signed) == largest
    return (step is None or step > 0) and not (at_the_end and split.predicate in CHANGES_AFTER)


def _largest(tile: object, *, signed: bool) -> int:
    """Return the largest number of an integer tile's element type, read as signed or unsigned."""
    assert isinstance(tile, TileType)
    width: int = getattr(tile.element_type, "width")  # noqa: B009 (types of numbers share no class that has it)
    return (1 << (width - signed)) - 1


def _is_worth_it(branch: IfOp, threshold: int) -> bool:
    bodies = [[op for op in block if not op.kind.is_terminator] for block in _blocks(branch)]
    return any(len(ops) >= threshold or any(isinstance(op, HEAVY) for op in ops) for ops in bodies)


def _blocks(branch: IfOp) -> Iterator[Block]:
    for region in branch.regions:
        yield from region.blocks


# --- how -------------------------------------------------------------------------------------------------------------


def _perform(split: Split) -> None:
    loop = split.loop
    builder = Builder(InsertionPoint.before(loop))
    after = split.predicate in CHANGES_AFTER
    end, start = optimizer_split_points.split_points(builder, loop, split.bound, after=after)
    first = _part(builder, split, (loop.lower_bound, end), loop.init_values, holds=not split.true_later)
    second = _part(builder, split, (start, loop.upper_bound), first.results, holds=split.true_later)
    loop.replace_all_uses_with(second.results)
    loop.erase()


def _part(
    builder: Builder, split: Split, bounds: tuple[Value, Value], carried: tuple[Value, ...], *, holds: bool
) -> ForOp:
    """Insert a copy of the loop with other ``bounds`` and initial values (``carried``), and return it. In the
    copy the comparison is the constant ``holds``, and branches on it directly in the loop are replaced with
    their taken side.
    """
    mapping: dict[Value, Value] = {}
    part = builder.insert(split.loop.clone(mapping))
    part.set_operands((*bounds, split.loop.step, *carried))
    answer = mapping[split.comparison.result]
    comparison: Operation = answer.owner
    branches = [op for op in part.body.block if isinstance(op, IfOp) and op.condition is answer]
    for branch in branches:
        if branch.parent is not None:  # it was not behind one that leaves the iteration
            _take(branch, branch.then_region if holds else branch.else_region)
    if answer.has_uses:
        known = tile_ops.ConstantOp(dense(TileType((), i1), [holds]), location=comparison.location)
        InsertionPoint.before(comparison).insert(known)
        answer.replace_all_uses_with(known.result)
    comparison.erase()
    return part


def _take(branch: IfOp, taken: Region) -> None:
    """Replace an `if` with the operations of its region `taken`. If they leave the iteration, the `if` and
    all that follows in its block is erased.
    """
    values: tuple[Value, ...] = ()
    for op in [inner for block in taken.blocks for inner in block]:
        if isinstance(op, YieldOp):
            values = op.operands
            break
        op.move_before(branch)
        if op.kind.is_terminator:
            _drop_from(branch)
            return
    branch.replace_all_uses_with(values)
    branch.erase()


def _drop_from(op: Operation) -> None:
    """Erase an operation and all that follow it in its block, users first."""
    doomed: list[Operation] = []
    current: Operation | None = op
    while current is not None:
        doomed.append(current)
        current = current.next
    for unreachable in reversed(doomed):
        unreachable.erase()


@dataclass(frozen=True)
class LoopSplit(Pass):
    """Splits a `for` in two where an `if` in it compares the counter to a value from outside.

    ``split-threshold`` is the number of operations that a branch must have to be worth it; a branch with a load, a
    store, a matrix product, a reduction or control flow always is.  1 takes any branch, 0 none.  The attribute
    `cuda_tile.loop_split` of an `if`, `for` or `entry` replaces the number for its contents.  A loop is split once
    in a run; the condition becomes a constant in each half, and branches on it directly in the loop are gone.
    """

    name: ClassVar[str] = "loop-split"
    split_threshold: int = 1

    def run(self, op: Operation, state: PassState) -> None:
        state.report("num-split", split_loops(op, self.split_threshold, state.emit))
