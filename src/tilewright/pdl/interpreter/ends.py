"""Closures for the terminators of ``pdl_interp``: questions, loops, matches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tilewright.ir.block import Block
from tilewright.ir.builtin_attributes import ArrayAttr, DenseElementsAttr, TypeAttr
from tilewright.ir.operation import Operation
from tilewright.pdl.dialects.pdl_interp import actions, predicates
from tilewright.pdl.failures import lowering_failure
from tilewright.pdl.interpreter import code as interpreter_code
from tilewright.pdl.interpreter.resolver import NativeResolver
from tilewright.pdl.interpreter.steps import Slots, checked_results, native_constraint
from tilewright.rewrite.pattern import NoMatch

Blocks = Mapping[Block, interpreter_code.PdlBlock]
EndMaker = Callable[[Any, Slots, Blocks, NativeResolver], interpreter_code.End]
Test = Callable[[Any], bool]


def _question(test_of: Callable[[Any, NativeResolver], Test]) -> EndMaker:
    """Return the maker of terminators that test one handle, which may be null, and branch to the first
    successor if the test holds, else to the second. ``test_of(op, resolver)`` returns the test of the
    operation `op`.
    """

    def make(
        op: predicates.PredicateOp, slots: Slots, blocks: Blocks, resolver: NativeResolver
    ) -> interpreter_code.End:
        source, test = slots[op.operands[0]], test_of(op, resolver)
        yes, no = blocks[op.trueDest], blocks[op.falseDest]
        return lambda frame: yes if test(frame[source]) else no

    return make


def _presence(
    op: predicates.IsNotNullOp, slots: Slots, blocks: Blocks, resolver: NativeResolver
) -> interpreter_code.End:
    """Return the terminator that tests whether a handle is not null.

    Half of all questions are this test, so it is written out for speed.
    """
    source, yes, no = slots[op.value], blocks[op.trueDest], blocks[op.falseDest]
    return lambda frame: yes if frame[source] is not None else no


def _name(op: predicates.CheckOperationNameOp, resolver: NativeResolver) -> Test:
    kind = resolver.kind(op.name_, op.location)
    if kind.is_registered:
        return lambda held: held is not None and held.kind is kind
    return lambda held: held is not None and held.name == kind.name


def _operand_count(op: predicates.CheckOperandCountOp, resolver: NativeResolver) -> Test:
    count = op.count
    if op.compareAtLeast:
        return lambda held: held is not None and len(held.operands) >= count
    return lambda held: held is not None and len(held.operands) == count


def _result_count(op: predicates.CheckResultCountOp, resolver: NativeResolver) -> Test:
    count = op.count
    if op.compareAtLeast:
        return lambda held: held is not None and len(held.results) >= count
    return lambda held: held is not None and len(held.results) == count


def _attribute(op: predicates.CheckAttributeOp, resolver: NativeResolver) -> Test:
    value = op.constantValue
    resolver.attribute(value, op.location)
    return lambda held: held is value


def _type(op: predicates.CheckTypeOp, resolver: NativeResolver) -> Test:
    value = op.type
    resolver.attribute(value, op.location)
    return lambda held: held is value


def _types(op: predicates.CheckTypesOp, resolver: NativeResolver) -> Test:
    values = tuple(op.types)
    for value in values:
        resolver.attribute(value, op.location)
    return lambda held: held == values


def _equal(
    op: predicates.AreEqualOp, slots: Slots, blocks: Blocks, resolver: NativeResolver
) -> interpreter_code.End:
    left, right = slots[op.lhs], slots[op.rhs]
    yes, no = blocks[op.trueDest], blocks[op.falseDest]
    return lambda frame: yes if frame[left] == frame[right] else no


def _branch(
    op: predicates.BranchOp, slots: Slots, blocks: Blocks, resolver: NativeResolver
) -> interpreter_code.End:
    target = blocks[op.dest]
    return lambda frame: target


def _constraint(
    op: predicates.ApplyConstraintOp, slots: Slots, blocks: Blocks, resolver: NativeResolver
) -> interpreter_code.End:
    function = native_constraint(op, resolver)
    sources, targets = [slots[value] for value in op.args], [slots[value] for value in op.results]
    yes, no = blocks[op.trueDest], blocks[op.falseDest]
    types, negated = op.result_types, op.isNegated

    def end(frame: interpreter_code.Frame) -> interpreter_code.PdlBlock:
        run: interpreter_code.FunctionRun = frame[interpreter_code.RUN]
        answer: Any = function(run.rewriter, *[frame[source] for source in sources])
        holds = not isinstance(answer, NoMatch) and (isinstance(answer, list | tuple) or bool(answer))
        if holds and targets:
            for target, value in zip(targets, checked_results(run, op, answer, types), strict=True):
                frame[target] = value
        return yes if holds is not negated else no

    return end


# --- switches


def _switch(key: Callable[[Any], Any], values_of: Callable[[Any, NativeResolver], Sequence[Any]]) -> EndMaker:
    """Return the maker of terminators that branch by ``key(handle)`` to the block of the equal case value,
    else to the default block. ``values_of(op, resolver)`` returns the case values of the operation `op`, in
    order; of equal values the first one counts. Null goes to the default block.
    """

    def make(
        op: predicates.SwitchOp, slots: Slots, blocks: Blocks, resolver: NativeResolver
    ) -> interpreter_code.End:
        source, default = slots[op.operands[0]], blocks[op.defaultDest]
        targets: dict[Any, interpreter_code.PdlBlock] = {}
        for value, target in zip(values_of(op, resolver), op.cases, strict=True):
            targets.setdefault(value, blocks[target])

        def end(frame: interpreter_code.Frame) -> interpreter_code.PdlBlock:
            held = frame[source]
            return targets.get(key(held), default) if held is not None else default

        return end

    return make


def _counts(
    op: predicates.SwitchOperandCountOp | predicates.SwitchResultCountOp, resolver: NativeResolver
) -> Sequence[Any]:
    values: DenseElementsAttr = op.caseValues
    patterns = values.patterns()
    return patterns * values.count if values.is_splat else patterns


def _names(op: predicates.SwitchOperationNameOp, resolver: NativeResolver) -> Sequence[Any]:
    return [resolver.kind(name, op.location).name for name in op.caseValues]


def _attributes(
    op: predicates.SwitchAttributeOp | predicates.SwitchTypeOp, resolver: NativeResolver
) -> Sequence[Any]:
    for value in op.caseValues:
        resolver.attribute(value, op.location)
    return op.caseValues


def _type_lists(op: predicates.SwitchTypesOp, resolver: NativeResolver) -> Sequence[Any]:
    listed = op.held_attributes["caseValues"]
    assert isinstance(listed, ArrayAttr), "the module was verified"
    resolver.attribute(listed, op.location)
    lists: list[tuple[Any, ...]] = []
    for entry in listed:
        assert isinstance(entry, ArrayAttr), "the module was verified"
        lists.append(tuple([element.type for element in entry if isinstance(element, TypeAttr)]))
    return lists


# --- loops, matches, ends


def _foreach(
    op: actions.ForEachOp, slots: Slots, blocks: Blocks, resolver: NativeResolver
) -> interpreter_code.End:
    source, (entry, *_) = slots[op.values], op.region.blocks
    slot, body, after = slots[entry.arguments[0]], blocks[entry], blocks[op.successor]

    def end(frame: interpreter_code.Frame) -> interpreter_code.PdlBlock:
        frame[interpreter_code.RUN].loops.append(
            interpreter_code.RunningLoop(iter(frame[source] or ()), slot, body, after)
        )
        return interpreter_code.next_iteration(frame)

    return end


def _continue(op: Operation, slots: Slots, blocks: Blocks, resolver: NativeResolver) -> interpreter_code.End:
    return interpreter_code.next_iteration


def _finalize(op: Operation, slots: Slots, blocks: Blocks, resolver: NativeResolver) -> interpreter_code.End:
    return lambda frame: None


def _record(
    op: actions.RecordMatchOp, slots: Slots, blocks: Blocks, resolver: NativeResolver
) -> interpreter_code.End:
    inputs, matched = [slots[value] for value in op.inputs], [slots[value] for value in op.matchedOps]
    benefit, target = op.benefit, blocks[op.dest]
    if not op.rewriter.nested:
        raise lowering_failure(
            f"'@{op.rewriter.root}' does not name a function inside of a module",
            op.location,
            "rewriters stand in the module '@rewriters'",
        )
    name = op.rewriter.leaf

    def end(frame: interpreter_code.Frame) -> interpreter_code.PdlBlock:
        values = tuple([frame[source] for source in inputs])
        operations = tuple([frame[source] for source in matched])
        frame[interpreter_code.RUN].matches.append(interpreter_code.Match(benefit, name, values, operations))
        return target

    return end


ENDS: dict[str, EndMaker] = {
    "pdl_interp.apply_constraint": _constraint,
    "pdl_interp.are_equal": _equal,
    "pdl_interp.branch": _branch,
    "pdl_interp.check_attribute": _question(_attribute),
    "pdl_interp.check_operand_count": _question(_operand_count),
    "pdl_interp.check_operation_name": _question(_name),
    "pdl_interp.check_result_count": _question(_result_count),
    "pdl_interp.check_type": _question(_type),
    "pdl_interp.check_types": _question(_types),
    "pdl_interp.is_not_null": _presence,
    "pdl_interp.switch_attribute": _switch(lambda held: held, _attributes),
    "pdl_interp.switch_operand_count": _switch(lambda held: len(held.operands), _counts),
    "pdl_interp.switch_operation_name": _switch(lambda held: held.name, _names),
    "pdl_interp.switch_result_count": _switch(lambda held: len(held.results), _counts),
    "pdl_interp.switch_type": _switch(lambda held: held, _attributes),
    "pdl_interp.switch_types": _switch(lambda held: held, _type_lists),
    "pdl_interp.foreach": _foreach,
    "pdl_interp.continue": _continue,
    "pdl_interp.finalize": _finalize,
    "pdl_interp.record_match": _record,
}
"""For each terminator, the function that makes its closure, which returns the next block."""
