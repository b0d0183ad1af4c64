"""Canonicalization patterns of structured control flow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.arith.folds_integer import constant_of, known_truth
from tilewright.dialects.arith.ops_integer import AndIOp, ConstantOp, SelectOp
from tilewright.dialects.common.constant_folding import bit_width, splat_pattern
from tilewright.dialects.scf import ops_loop as scf
from tilewright.ir import builder, builtin_attributes, walker
from tilewright.ir.arithmetic.twos_complement import to_signed
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.rewrite.pattern import NoMatch, RewritePattern, pattern
from tilewright.rewrite.rewriter import Rewriter

AnyPattern = RewritePattern[Any]


def run_once(op: Operation, block: Block, arguments: Sequence[Value], rewriter: Rewriter) -> None:
    """Replace `op` by the operations of `block`, a block of one of its regions, with the block's arguments
    replaced by `arguments`. The values that the terminator yields replace the results; the condition of
    `scf.condition` is left out.
    """
    terminator = block.last
    assert terminator is not None
    rewriter.inline_block(block, op, arguments)
    values = terminator.operands[1:] if isinstance(terminator, scf.ConditionOp) else terminator.operands
    rewriter.erase(terminator)
    rewriter.replace(op, values)


def rebuilt(op: Operation, rewriter: Rewriter, operands: Sequence[Value], types: Sequence[Type]) -> Operation:
    """Insert and return an operation with the kind, attributes, location and regions of `op`, but other
    operands and result types. The regions are moved: `op` is left with empty ones, and its results are not
    replaced.
    """
    regions = [Region() for _ in op.regions]
    new = Operation.from_parts(op.kind, operands, types, dict(op.attributes), regions, (), op.lazy_location)
    for old_region, region in zip(op.regions, new.regions, strict=True):
        rewriter.take_region(old_region, region)
    return rewriter.insert(new)


def replace_kept(
    op: Operation, new: Operation, kept: Sequence[int], others: dict[int, Value], rewriter: Rewriter
) -> None:
    """Replace each result of `op` whose index is in `kept` by a result of `new`, in order, and each result
    whose index is a key of `others` by its value; then erase `op`.
    """
    for position, index in enumerate(kept):
        rewriter.replace_all_uses(op.results[index], new.results[position])
    for index, value in others.items():
        rewriter.replace_all_uses(op.results[index], value)
    rewriter.erase(op)


def keep_operands(op: Operation, kept: Sequence[int], rewriter: Rewriter) -> None:
    """Replace the operands of `op`, usually a terminator, by its operands at the positions `kept`, in this
    order.
    """
    rewriter.set_operands(op, [op.operands[index] for index in kept])


# --- for


def trip_count(op: scf.ForOp) -> int | None:
    """Return the number of iterations of a loop; None if it is not known.

    It is known if both bounds are the same value or are constants without an iteration between them (0), and
    if bounds and step are constants and the step is positive.
    """
    if op.lowerBound is op.upperBound:
        return 0
    bounds = [splat_pattern(constant_of(value)) for value in op.operands[:3]]
    if bounds[0] is None or bounds[1] is None:
        return None
    width = bit_width(op.lowerBound.type)
    low, high = (p if op.unsignedCmp else to_signed(p, width) for p in (bounds[0], bounds[1]))
    if low >= high:
        return 0
    if bounds[2] is None or to_signed(bounds[2], width) <= 0:
        return None
    return -(-(high - low) // bounds[2])


@pattern(scf.ForOp, name="SimplifyTrivialLoops")
def trivial_loop(op: scf.ForOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace a loop that is known to have no iteration by its initial values, and a loop with one iteration
    by its region.
    """
    count = trip_count(op)
    if count is None or count > 1:
        return rewriter.no_match("the loop may run more than once")
    if count == 0:
        rewriter.replace(op, op.initArgs)
    else:
        run_once(op, op.region.block, [op.lowerBound, *op.initArgs], rewriter)
    return None


@pattern(scf.ForOp, name="ForOpIterArgsFolder")
def fold_carried(op: scf.ForOp, rewriter: Rewriter) -> NoMatch | None:
    """Drop carried values that each iteration yields unchanged or as the initial value, and values whose
    argument and result are unused; the initial values replace them.
    """
    block: Block = op.region.block
    yielded = block.last
    assert yielded is not None
    fixed: dict[int, Value] = {}
    for index, (init, argument, value, result) in enumerate(
        zip(op.initArgs, block.arguments[1:], yielded.operands, op.results, strict=True)
    ):
        unused = not argument.has_uses and not result.has_uses
        if value is argument or value is init or unused:
            fixed[index] = init
    if not fixed:
        return rewriter.no_match("every carried value changes and is used")
    kept = [index for index in range(len(op.results)) if index not in fixed]
    for index, value in fixed.items():
        rewriter.replace_all_uses(block.arguments[1 + index], value)
    keep_operands(yielded, kept, rewriter)
    for index in sorted(fixed, reverse=True):
        block.erase_argument(1 + index)
    operands = [*op.operands[:3], *(op.initArgs[index] for index in kept)]
    new = rebuilt(op, rewriter, operands, [op.results[index].type for index in kept])
    replace_kept(op, new, kept, fixed, rewriter)
    return None


# --- if


@pattern(scf.IfOp, name="RemoveStaticCondition", defined_by=({0: ConstantOp},))
def static_condition(op: scf.IfOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace an `if` with a constant condition by the operations of the chosen region; erase it if this
    region is missing.
    """
    truth = known_truth(constant_of(op.condition))
    if truth is None:
        return rewriter.no_match("the condition is not a constant")
    region: Region = op.thenRegion if truth else op.elseRegion
    if region.blocks:
        run_once(op, region.block, (), rewriter)
    else:
        rewriter.erase(op)
    return None


@pattern(scf.IfOp, name="RemoveUnusedResults")
def unused_results(op: scf.IfOp, rewriter: Rewriter) -> NoMatch | None:
    """Remove the unused results of an `if`."""
    kept = [result.index for result in op.results if result.has_uses]
    if len(kept) == len(op.results):
        return rewriter.no_match("every result is used")
    for region in op.regions:
        end = region.block.last
        assert end is not None, "a region with results yields them"
        keep_operands(end, kept, rewriter)
    new = rebuilt(op, rewriter, op.operands, [op.results[index].type for index in kept])
    replace_kept(op, new, kept, {}, rewriter)
    return None


@pattern(scf.IfOp, name="RemoveEmptyElseBranch")
def empty_else(op: scf.IfOp, rewriter: Rewriter) -> NoMatch | None:
    """Remove the else region of an `if` without results, if the region has only its terminator."""
    region: Region = op.elseRegion
    if op.results or not region.blocks or region.block.first is not region.block.last:
        return rewriter.no_match("the second region yields or does something, or is not there")
    with rewriter.modify(op):
        rewriter.erase_block(region.block)
    return None


@pattern(scf.IfOp, name="ConvertTrivialIfToSelect")
def to_select(op: scf.IfOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace the results of an `if` whose two yielded values are defined outside of both regions: by a
    select, or by the value itself if the two are equal.
    """
    if not op.results:
        return rewriter.no_match("there are no results")
    yields = [end for region in op.regions if (end := region.block.last) is not None]
    pairs = list(zip(yields[0].operands, yields[1].operands, strict=True))
    outside = [index for index, pair in enumerate(pairs) if not any(_is_inside(op, v) for v in pair)]
    if not outside:
        return rewriter.no_match("every result is computed inside")
    chosen = {index: _selected(op, *pairs[index], rewriter) for index in outside}
    kept = [index for index in range(len(pairs)) if index not in chosen]
    for terminator in yields:
        keep_operands(terminator, kept, rewriter)
    new = rebuilt(op, rewriter, op.operands, [op.results[index].type for index in kept])
    replace_kept(op, new, kept, chosen, rewriter)
    return None


def _is_inside(op: Operation, value: Value) -> bool:
    return value.parent_region in op.regions


def _selected(op: scf.IfOp, first: Value, second: Value, rewriter: Rewriter) -> Value:
    if first is second:
        return first
    return rewriter.insert(SelectOp(op.condition, first, second, location=op.location)).result


@pattern(scf.IfOp, name="ConditionPropagation")
def propagate_condition(op: scf.IfOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace uses of a condition that is no constant by true in the first region of its `if`, and by false
    in the second, nested operations included.
    """
    if constant_of(op.condition) is not None:
        return rewriter.no_match("the condition is a constant")
    inside = _users_inside(op, op.condition)
    if not inside:
        return rewriter.no_match("the condition is not used inside")
    for number, truth in enumerate((True, False)):
        here = [user for user, region in inside if region is op.regions[number]]
        if not here:
            continue
        known = rewriter.insert(ConstantOp(builtin_attributes.boolean(truth), location=op.location)).result
        for user in here:
            values = [known if operand is op.condition else operand for operand in user.operands]
            rewriter.set_operands(user, values)
    return None


def _users_inside(op: Operation, value: Value) -> list[tuple[Operation, Region]]:
    """Return the operations nested in `op` at any depth that use `value`, each with the region of `op` that
    contains it.
    """

    def is_right_inside(inner: Operation) -> bool:
        return inner.parent_op is op

    with walker.unchanging_ancestors():
        found = [
            (user, user if is_right_inside(user) else walker.innermost_ancestor(user, is_right_inside))
            for user in value.uses
        ]
    regions = [(user, inner.parent.parent) for user, inner in found if inner is not None and inner.parent]
    return [(user, region) for user, region in regions if region is not None]


@pattern(scf.IfOp, name="CombineNestedIfs")
def combine_nested(op: scf.IfOp, rewriter: Rewriter) -> NoMatch | None:
    """Merge an `if` without results and else region that contains only another such `if`, whose condition
    comes from outside; the conditions are combined by `and`.
    """
    if op.results or op.elseRegion.blocks:
        return rewriter.no_match("there are results or a second region")
    block: Block = op.thenRegion.block
    inner: Any = block.first
    if not isinstance(inner, scf.IfOp) or inner.next is not block.last:
        return rewriter.no_match("the region does not hold exactly one `if`")
    if inner.results or inner.elseRegion.blocks or _is_inside(op, inner.condition):
        return rewriter.no_match("the inner `if` has results or a second region")
    both = rewriter.insert(AndIOp(op.condition, inner.condition, location=op.location)).result
    body: Block = inner.thenRegion.block
    last = body.last
    assert last is not None
    rewriter.inline_block(body, inner)
    rewriter.erase(last)
    rewriter.erase(inner)
    rewriter.set_operands(op, [both])
    return None


# --- while


@pattern(scf.WhileOp, name="WhileConditionTruth")
def condition_truth(op: scf.WhileOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace an argument of the second region by true if the value passed for it is the condition itself."""
    condition: Any = op.before.block.last
    after: Block = op.after.block
    known = [
        argument
        for value, argument in zip(condition.args, after.arguments, strict=True)
        if value is condition.condition and argument.has_uses
    ]
    if not known:
        return rewriter.no_match("the condition is not passed on")
    with rewriter.at(builder.InsertionPoint.at_start(after)):
        true = rewriter.insert(ConstantOp(builtin_attributes.boolean(True), location=op.location)).result
    for argument in known:
        rewriter.replace_all_uses(argument, true)
    return None


@pattern(scf.WhileOp, name="WhileUnusedResult")
def unused_while_results(op: scf.WhileOp, rewriter: Rewriter) -> NoMatch | None:
    """Remove values passed by `scf.condition` that are used neither in the second region nor as results."""
    condition: Any = op.before.block.last
    after: Block = op.after.block
    kept = [i for i, result in enumerate(op.results) if result.has_uses or after.arguments[i].has_uses]
    if len(kept) == len(op.results):
        return rewriter.no_match("every value is used")
    for index in reversed(range(len(op.results))):
        if index not in kept:
            after.erase_argument(index)
    rewriter.set_operands(condition, [condition.condition, *(condition.args[index] for index in kept)])
    new = rebuilt(op, rewriter, op.operands, [op.results[index].type for index in kept])
    replace_kept(op, new, kept, {}, rewriter)
    return None


@pattern(scf.WhileOp, name="RemoveLoopInvariantArgsFromBeforeBlock")
def invariant_arguments(op: scf.WhileOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace carried values that each iteration passes on unchanged, or as the initial value, by their
    initial values.
    """
    before: Block = op.before.block
    after: Block = op.after.block
    condition: Any = before.last
    back = after.last
    assert back is not None
    passed: dict[Value, Value] = dict(zip(after.arguments, condition.args, strict=True))
    fixed = [
        index
        for index, (init, argument, value) in enumerate(
            zip(op.inits, before.arguments, back.operands, strict=True)
        )
        if value is init or passed.get(value) is argument
    ]
    if not fixed:
        return rewriter.no_match("every carried value changes")
    kept = [index for index in range(len(op.inits)) if index not in fixed]
    keep_operands(back, kept, rewriter)
    for index in reversed(fixed):
        rewriter.replace_all_uses(before.arguments[index], op.inits[index])
        before.erase_argument(index)
    keep_operands(op, kept, rewriter)
    return None


@pattern(scf.WhileOp, name="RemoveLoopInvariantValueYielded")
def invariant_values(op: scf.WhileOp, rewriter: Rewriter) -> NoMatch | None:
    """Remove values passed by `scf.condition` that are defined outside of the loop; their users use them
    directly.
    """
    condition: Any = op.before.block.last
    after: Block = op.after.block
    outside = {i: v for i, v in enumerate(condition.args) if not _is_inside(op, v)}
    if not outside:
        return rewriter.no_match("every value that is passed on comes from inside")
    kept = [index for index in range(len(op.results)) if index not in outside]
    for index, value in outside.items():
        rewriter.replace_all_uses(after.arguments[index], value)
    for index in reversed(list(outside)):
        after.erase_argument(index)
    rewriter.set_operands(condition, [condition.condition, *(condition.args[index] for index in kept)])
    new = rebuilt(op, rewriter, op.operands, [op.results[index].type for index in kept])
    replace_kept(op, new, kept, outside, rewriter)
    return None


@pattern(scf.WhileOp, name="WhileNeverGoesOn")
def never_goes_on(op: scf.WhileOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace a `while` whose condition is always false by its first region, which runs once. (MLIR keeps
    such loops.)
    """
    end = op.before.block.last
    if not isinstance(end, scf.ConditionOp) or known_truth(constant_of(end.condition)) is not False:
        return rewriter.no_match("the condition is not known to be false")
    run_once(op, op.before.block, op.inits, rewriter)
    return None


# --- others


@pattern(scf.ExecuteRegionOp, name="SingleBlockExecuteInliner")
def inline_single_block(op: scf.ExecuteRegionOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace an `execute_region` by the operations of its block, if there is only one, it ends in
    `scf.yield`, and the operation is not `no_inline`.
    """
    if op.no_inline or len(op.region.blocks) != 1 or not isinstance(op.region.block.last, scf.YieldOp):
        return rewriter.no_match("there are several blocks, or they must stay together")
    run_once(op, op.region.block, (), rewriter)
    return None


@pattern(scf.IndexSwitchOp, name="FoldConstantCase", defined_by=({0: ConstantOp},))
def constant_case(op: scf.IndexSwitchOp, rewriter: Rewriter) -> NoMatch | None:
    """Replace a switch on a constant by the operations of the region for this value, or of the default
    region.
    """
    value = splat_pattern(constant_of(op.arg))
    if value is None:
        return rewriter.no_match("the operand is not a constant")
    cases = [case & ((1 << 64) - 1) for case in op.cases]
    region: Region = op.caseRegions[cases.index(value)] if value in cases else op.defaultRegion
    run_once(op, region.block, (), rewriter)
    return None


def patterns() -> Sequence[AnyPattern]:
    """Return the canonicalization patterns of the dialect."""
    return [
        trivial_loop,
        fold_carried,
        static_condition,
        unused_results,
        empty_else,
        propagate_condition,
        to_select,
        combine_nested,
        condition_truth,
        unused_while_results,
        invariant_arguments,
        invariant_values,
        never_goes_on,
        inline_single_block,
        constant_case,
    ]
