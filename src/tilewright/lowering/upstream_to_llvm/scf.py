"""``scf`` to ``cf``: structured control flow becomes blocks and branches.

Every rule splits the block before its operation, moves the regions in between, and replaces their terminators by
branches.  Values stay as they are: their types do not change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tilewright.dialects.arith.attributes import CmpIPredicate
from tilewright.dialects.arith.ops_conversion import IndexCastOp
from tilewright.dialects.arith.ops_integer import AddIOp, CmpIOp, ConstantOp
from tilewright.dialects.cf.ops import BranchOp, CondBranchOp, SwitchOp
from tilewright.dialects.scf import ops_loop as scf, ops_parallel as scf_parallel
from tilewright.ir import builder, builtin_attributes
from tilewright.ir.attribute import Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_types import DYNAMIC, RankedTensorType, i64, index
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.lowering.pattern import ConversionInserter, LoweringPattern, LoweringResult, convert
from tilewright.passes.pass_ import Pass, PassState
from tilewright.rewrite.conversion.driver import ConversionConfig
from tilewright.rewrite.conversion.pattern import Adaptor
from tilewright.rewrite.conversion.rewriter import ConversionRewriter
from tilewright.rewrite.conversion.target import ConversionTarget
from tilewright.rewrite.pattern_set import RewritePatternSet

Rule = Callable[[Any, ConversionRewriter], LoweringResult]


class StructurePattern(LoweringPattern[Operation]):
    """A pattern that replaces an operation with regions by blocks and branches; a function of `LOWERINGS`
    does it.
    """

    one_to_n = True  # operands are left alone, so it does not matter what stands for them

    def __init__(self, root: type[Operation], rule: Rule) -> None:
        super().__init__(root=root, debug_name=f"lower {root.op_kind.name}")
        self.rule = rule

    def lower(
        self, op: Operation, at: Adaptor, types: Sequence[Type], emit: ConversionInserter
    ) -> LoweringResult:
        return self.rule(op, emit.rewriter)


# --- blocks


def _append(rewriter: ConversionRewriter, block: Block, op: Operation) -> Operation:
    """Insert `op` at the end of `block`, and return it."""
    with rewriter.at(builder.InsertionPoint(block)):
        return rewriter.insert(op)


def _branch(
    rewriter: ConversionRewriter, block: Block, target: Block, values: Sequence[Value], like: Any
) -> None:
    """Append a branch to `target` with the operands `values` to a block, at the location of `like`."""
    _append(rewriter, block, BranchOp(destOperands=tuple(values), dest=target, location=like.location))


def _leave(rewriter: ConversionRewriter, block: Block, target: Block) -> None:
    """Replace the terminator of `block` by a branch to `target` with the yielded values as arguments."""
    terminator = block.last
    assert terminator is not None, "a structured block ends in a terminator"
    _branch(rewriter, block, target, terminator.operands, terminator)
    rewriter.erase(terminator)


def _split(rewriter: ConversionRewriter, op: Operation) -> tuple[Block, Block, Block]:
    """Split the block of an operation. Return the block before it, a new block whose arguments replace its
    results and which branches on, and the block after it. Without results there is no new block, and the
    block after it stands in its place.
    """
    before = op.parent
    assert before is not None, "the operation is in a block"
    after = rewriter.split_block(op)
    if not op.results:
        return before, after, after
    region = after.parent
    assert region is not None, "the block is in a region"
    with rewriter.at(rewriter.point):
        position = region.blocks.index(after)
        joining = rewriter.create_block(region, op.result_types, op.location, position)
    _branch(rewriter, joining, after, (), op)
    return before, joining, after


def _split_for_results(rewriter: ConversionRewriter, op: Operation) -> tuple[Block, Block]:
    """Split the block of an operation. Return the block before it, and the block that begins with it, which
    gets an argument for each of its results; the caller replaces the results and the operation.
    """
    before = op.parent
    assert before is not None, "the operation is in a block"
    after = rewriter.split_block(op)
    if not op.results:
        return before, after
    region = after.parent
    assert region is not None, "the block is in a region"
    with rewriter.at(rewriter.point):
        position = region.blocks.index(after)
        joining = rewriter.create_block(region, op.result_types, op.location, position)
    rewriter.merge_blocks(after, joining)
    return before, joining


def _move_before(rewriter: ConversionRewriter, source: Region, block: Block) -> None:
    """Move the blocks of the region `source` before `block`, in the region of `block`."""
    region = block.parent
    assert region is not None, "the block is in a region"
    rewriter.take_region(source, region, region.blocks.index(block))


# --- choice


def _lower_if(op: scf.IfOp, rewriter: ConversionRewriter) -> LoweringResult:
    before, joining, _ = _split(rewriter, op)
    targets: list[Block] = []
    for region in (op.thenRegion, *op.regions[1:]):
        if region.blocks:
            targets.append(region.blocks[0])
            _leave(rewriter, region.blocks[-1], joining)
            _move_before(rewriter, region, joining)
    targets = [*targets, joining][:2]
    branch = CondBranchOp(
        op.condition,
        trueDestOperands=(),
        falseDestOperands=(),
        branch_weights=None,
        trueDest=targets[0],
        falseDest=targets[1],
        location=op.location,
    )
    _append(rewriter, before, branch)
    return joining.arguments if op.results else ()


def _lower_execute_region(op: scf.ExecuteRegionOp, rewriter: ConversionRewriter) -> LoweringResult:
    before, joining = _split_for_results(rewriter, op)
    blocks = list(op.region.blocks)
    _branch(rewriter, before, blocks[0], (), op)
    for block in blocks:
        if isinstance(block.last, scf.YieldOp):
            _leave(rewriter, block, joining)
    _move_before(rewriter, op.region, joining)
    return joining.arguments if op.results else ()


def _lower_index_switch(op: scf.IndexSwitchOp, rewriter: ConversionRewriter) -> LoweringResult:
    """Lower an index switch to a switch over 64-bit integers, so that no case value is truncated."""
    before, joining = _split_for_results(rewriter, op)
    targets: list[Block] = []
    for region in (*op.caseRegions, op.defaultRegion):
        targets.append(region.blocks[0])
        _leave(rewriter, region.blocks[-1], joining)
        _move_before(rewriter, region, joining)
    flag = _append(rewriter, before, IndexCastOp(op.arg, result_types=[i64], location=op.location))
    values = builtin_attributes.dense(RankedTensorType((len(op.cases),), i64), op.cases) if op.cases else None
    switch = SwitchOp(
        flag.results[0],
        defaultOperands=(),
        caseOperands=(),
        case_values=values,
        case_operand_segments=(0,) * len(op.cases),
        defaultDestination=targets[-1],
        caseDestinations=tuple(targets[:-1]),
        location=op.location,
    )
    _append(rewriter, before, switch)
    return joining.arguments if op.results else ()


# --- loops


def _block_of(op: Operation) -> Block:
    assert op.parent is not None, "conversions see operations in blocks"
    return op.parent


def _lower_for(op: scf.ForOp, rewriter: ConversionRewriter) -> LoweringResult:
    """Lower a loop and return the values that replace its results: the carried values after the last
    iteration. A header block has the counter and the carried values as arguments and tests whether to run
    another iteration.
    """
    before = _block_of(op)
    after = rewriter.split_block(op)
    head = op.region.blocks[0]
    first: Any = head.first
    body = rewriter.split_block(first)
    last = op.region.blocks[-1]
    _move_before(rewriter, op.region, after)
    counter, *carried = head.arguments
    _step(rewriter, op, last, counter, head)
    _branch(rewriter, before, head, (op.lowerBound, *op.initArgs), op)
    below = CmpIPredicate.ULT if op.unsignedCmp else CmpIPredicate.SLT
    goes_on = _append(rewriter, head, CmpIOp(below, counter, op.upperBound, location=op.location))
    branch = CondBranchOp(
        goes_on.results[0],
        trueDestOperands=(),
        falseDestOperands=(),
        branch_weights=None,
        trueDest=body,
        falseDest=after,
        location=op.location,
    )
    _append(rewriter, head, branch)
    return carried


def _step(rewriter: ConversionRewriter, op: scf.ForOp, last: Block, counter: Value, head: Block) -> None:
    """End the last block of the body: add the step to the counter, and branch to the header `head` with the
    yielded values.
    """
    terminator = last.last
    assert terminator is not None, "a loop body ends in a terminator"
    stepped = _append(rewriter, last, AddIOp(counter, op.step, location=op.location))
    _branch(rewriter, last, head, (stepped.results[0], *terminator.operands), op)
    rewriter.erase(terminator)


def _lower_while(op: scf.WhileOp, rewriter: ConversionRewriter) -> LoweringResult:
    before = _block_of(op)
    after = rewriter.split_block(op)
    head, test = op.before.blocks[0], op.before.blocks[-1]
    body, last = op.after.blocks[0], op.after.blocks[-1]
    _move_before(rewriter, op.before, after)
    _move_before(rewriter, op.after, after)
    _branch(rewriter, before, head, op.inits, op)
    condition: Any = test.last
    branch = CondBranchOp(
        condition.condition,
        trueDestOperands=condition.args,
        falseDestOperands=(),
        branch_weights=None,
        trueDest=body,
        falseDest=after,
        location=condition.location,
    )
    _append(rewriter, test, branch)
    values = condition.args
    rewriter.erase(condition)
    _leave(rewriter, last, head)
    return values


# --- parallel loops, one after the other


def _loop_nest(
    rewriter: ConversionRewriter,
    op: scf_parallel.ForallOp | scf_parallel.ParallelOp,
    bounds: Sequence[tuple[Value, Value, Value]],
    carried: Sequence[Value],
) -> tuple[list[Value], Block, list[Value], Operation]:
    """Build nested ``scf.for`` loops at the current point, one for each (lower bound, upper bound, step) of
    `bounds`, which is not empty. Return the counters, the innermost block, which has no terminator yet, its
    carried values, and the outermost loop.
    """
    counters: list[Value] = []
    outermost: Operation | None = None
    types = [value.type for value in carried]
    block: Block | None = None
    for lower, upper, step in bounds:
        region = Region([Block([lower.type, *types], [op.location] * (1 + len(types)))])
        loop = scf.ForOp(
            lower,
            upper,
            step,
            initArgs=tuple(carried),
            unsignedCmp=False,
            region=region,
            result_types=types,
            location=op.location,
        )
        if block is None:
            outermost = rewriter.insert(loop)
        else:
            _append(rewriter, block, loop)
            _append(rewriter, block, scf.YieldOp(results_=loop.results, location=op.location))
        block = region.blocks[0]
        counter, *inner = block.arguments
        counters.append(counter)
        carried = inner
    assert block is not None, "a parallel loop has dimensions"
    assert outermost is not None, "a parallel loop has dimensions"
    return counters, block, list(carried), outermost


def _lower_parallel(op: scf_parallel.ParallelOp, rewriter: ConversionRewriter) -> LoweringResult:
    """Lower a parallel loop to a nest of loops that carries the reductions as iteration arguments; each
    reduction is computed at the end of an iteration.
    """
    bounds = list(zip(op.lowerBound, op.upperBound, op.step, strict=True))
    counters, innermost, carried, loop = _loop_nest(rewriter, op, bounds, op.initVals)
    body = op.region.blocks[0]
    reduce: Any = body.last
    rewriter.merge_blocks(body, innermost, counters)
    results: list[Value] = []
    for region, old, new in zip(reduce.regions, carried, reduce.operands, strict=True):
        block = region.blocks[0]
        yielded: Any = block.last
        results.append(yielded.operands[0])
        rewriter.merge_blocks(block, innermost, [old, new])
        rewriter.erase(yielded)
    rewriter.erase(reduce)
    _append(rewriter, innermost, scf.YieldOp(results_=tuple(results), location=op.location))
    return loop.results


def _lower_forall(op: scf_parallel.ForallOp, rewriter: ConversionRewriter) -> LoweringResult:
    """Lower `forall` to a nest of loops if it works on memory; decline if it works on tensors."""
    if op.outputs:
        return rewriter.no_match("tensors have to be bufferized first")
    triples = zip(
        _mixed(rewriter, op, op.staticLowerBound, op.dynamicLowerBound),
        _mixed(rewriter, op, op.staticUpperBound, op.dynamicUpperBound),
        _mixed(rewriter, op, op.staticStep, op.dynamicStep),
        strict=True,
    )
    counters, innermost, _, _ = _loop_nest(rewriter, op, list(triples), ())
    body = op.region.blocks[0]
    ending: Any = body.last
    rewriter.merge_blocks(body, innermost, counters)
    rewriter.erase(ending)
    _append(rewriter, innermost, scf.YieldOp(results_=(), location=op.location))
    return ()


def _mixed(
    rewriter: ConversionRewriter, op: scf_parallel.ForallOp, known: Sequence[int], unknown: Sequence[Value]
) -> list[Value]:
    """Return static and dynamic numbers as values: constants are inserted, dynamic ones are the operands."""
    rest = iter(unknown)
    values: list[Value] = []
    for number in known:
        if number == DYNAMIC:
            values.append(next(rest))
        else:
            made = ConstantOp(builtin_attributes.IntegerAttr(index, number), location=op.location)
            values.append(rewriter.insert(made).results[0])
    return values


LOWERINGS: dict[type[Operation], Rule] = {
    scf.ExecuteRegionOp: _lower_execute_region,
    scf.ForOp: _lower_for,
    scf_parallel.ForallOp: _lower_forall,
    scf.IfOp: _lower_if,
    scf.IndexSwitchOp: _lower_index_switch,
    scf_parallel.ParallelOp: _lower_parallel,
    scf.WhileOp: _lower_while,
}
"""The function that lowers each operation of ``scf``; all of them have to be lowered."""


def populate_scf_to_cf(patterns: RewritePatternSet) -> None:
    """Add the patterns that lower ``scf`` to ``cf``; they need no type converter."""
    patterns.add(*(StructurePattern(root, rule) for root, rule in LOWERINGS.items()))


@dataclass(frozen=True)
class ConvertSCFToCF(Pass):
    """Converts structured control flow, parallel loops included, to blocks and branches; the iterations of a
    parallel loop run one after the other. Raises an error for `scf.forall` on tensors.
    """

    name: ClassVar[str] = "convert-scf-to-cf"
    atomic: ClassVar[bool] = True
    dependent_dialects: ClassVar[tuple[str, ...]] = ("cf", "arith")

    def run(self, op: Operation, state: PassState) -> None:
        patterns = RewritePatternSet(state.context)
        populate_scf_to_cf(patterns)
        target = ConversionTarget().add_illegal(*LOWERINGS)
        target.mark_unknown_dynamically_legal(lambda _: True)
        convert(op, state, target, patterns, ConversionConfig())
