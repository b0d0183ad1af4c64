"""Writes the decision tree as a function of ``pdl_interp``: one block for each node, loops for users of values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tilewright.ir import builtin_attributes, location as ir_location
from tilewright.ir.attribute import Location, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builtin_types import FunctionType, VectorType, i32
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.pdl.compiler.positions import (
    NativeConstraint,
    Position,
    PositionKind,
    PositionPool,
    QuestionKind,
)
from tilewright.pdl.compiler.reader import PatternPlan
from tilewright.pdl.compiler.tree import Success, TreeBranch, TreeSlot
from tilewright.pdl.dialects.pdl.types import AttributeType, OperationType, RangeType, TypeType, ValueType
from tilewright.pdl.dialects.pdl_interp import accessors, actions, predicates

MATCHER = "matcher"
REWRITERS = "rewriters"


class RewriterUse(NamedTuple):
    """The use of a function that rewrites matches: the name of the function, the values that are passed to
    it, and the names of the operations that it creates, as `pdl_interp.record_match` needs them.
    """

    name: str
    arguments: tuple[Value, ...]
    """The values of the pattern that are passed to the function."""
    generated: tuple[str, ...]


def function_op(name: str, inputs: tuple[Type, ...], body: Region, location: Location) -> actions.FuncOp:
    """Return a ``pdl_interp.func`` called `name` with arguments of the types `inputs`, without results, and
    with the region `body`; it is not inserted.
    """
    type = FunctionType(inputs, ())
    return actions.FuncOp(name, type, arg_attrs=None, res_attrs=None, body=body, location=location)


def all_results(op: Value) -> accessors.GetResultsOp:
    """Return a new ``pdl_interp.get_results`` for all results of the operation with the handle `op`; it is
    not inserted.
    """
    return accessors.GetResultsOp(op, index=None, result_types=[RangeType(ValueType())])


class _InsertionPoint(NamedTuple):
    """A position for code: the ``block`` to which it is appended, the ``region`` of this block, the block
    ``exit`` to branch to if nothing else can match, and the handles that are defined there, by position
    (``known``).
    """

    block: Block
    region: Region
    exit: Block
    """The block to branch to if nothing else can match here."""
    known: dict[Position, Value]


class MatcherWriter:
    """Writes the function ``@matcher`` from the decision tree; ``use_of`` returns the rewriter of a
    pattern.
    """

    def __init__(self, positions: PositionPool, use_of: Callable[[PatternPlan], RewriterUse]) -> None:
        self.positions = positions
        self.use_of = use_of
        self.pending: list[tuple[TreeSlot, _InsertionPoint]] = []
        self.location: Location = ir_location.UNKNOWN

    def write(self, tree: TreeSlot, location: Location) -> actions.FuncOp:
        """Write the function that walks the decision tree in `tree` for an operation, its argument, and
        records every match; return it. ``location`` is the location of its operations.
        """
        self.location = location
        entry = Block([OperationType()])
        region = Region([entry])
        finish = region.append(Block())
        finish.append(actions.FinalizeOp(location=location))
        start = _InsertionPoint(entry, region, finish, {self.positions.root: entry.arguments[0]})
        self.pending.append((tree, start))
        while self.pending:
            slot, place = self.pending.pop()
            self.write_node(slot, place)
        return function_op(MATCHER, (OperationType(),), region, location)

    def write_node(self, slot: TreeSlot, place: _InsertionPoint) -> None:
        """Write the test of the node in ``slot`` at ``place``, or the match that it records. The subtrees are
        put on the list of pending ones. An empty slot becomes a branch to the exit.
        """
        node = slot.node
        if node is None:  # a module without patterns
            place.block.append(predicates.BranchOp(dest=place.exit, location=self.location))
            return
        # The rest shares the handles: all that are found in this block dominate it.
        after = self.subtree_block(node.after, place, place.known)
        place = place._replace(exit=after)
        if isinstance(node, Success):
            self.record(node.plan, place)
        else:
            self.ask(node, place)

    def subtree_block(
        self, slot: TreeSlot, place: _InsertionPoint, known: dict[Position, Value] | None = None
    ) -> Block:
        """Return a new block into which a subtree will be written, or the exit if the subtree is empty.
        ``known`` are the handles that it can use, by default a copy of those at ``place``.
        """
        if slot.node is None:
            return place.exit
        block = place.region.append(Block())
        known = dict(place.known) if known is None else known
        self.pending.append((slot, place._replace(block=block, known=known)))
        return block

    # --- questions

    def ask(self, node: TreeBranch, place: _InsertionPoint) -> None:
        value, place = self.value(node.position, place)
        detail = node.question.detail
        if isinstance(detail, Position):
            other, place = self.value(detail, place)
            self.end_with(predicates.AreEqualOp, (value, other), node, place)
        elif isinstance(detail, NativeConstraint):
            self.ask_constraint(detail, node, place)
        elif len(node.children) > 1:
            self.end_with_switch(value, node, place)
        else:
            op_class, has_answer = QUESTIONS[node.question.ask]
            if node.question.ask is QuestionKind.TYPE and node.position.is_range:
                op_class = predicates.CheckTypesOp
            (answer,) = node.children
            fixed: dict[str, Any] = {"compareAtLeast": True} if detail is not None else {}
            given = (detail,) if detail is not None else (answer,) if has_answer else ()
            self.end_with(op_class, (value, *given), node, place, **fixed)

    def end_with(
        self,
        op_class: Any,
        arguments: tuple[Any, ...],
        node: TreeBranch,
        place: _InsertionPoint,
        known: dict[Position, Value] | None = None,
        **named: Any,
    ) -> Operation:
        """End the block with the test ``op_class(*arguments, **named)``, and return it: it branches to the
        only subtree of ``node`` if it holds, else to the exit. ``known`` are the handles that the subtree can
        use; if it is None, a copy of the handles at ``place``, or these themselves if no other code follows.
        """
        (child,) = node.children.values()
        if known is None and node.after.node is None:
            known = place.known  # there is no other continuation
        op: Operation = op_class(
            *arguments,
            trueDest=self.subtree_block(child, place, known),
            falseDest=place.exit,
            location=self.location,
            **named,
        )
        place.block.append(op)
        return op

    def end_with_switch(self, value: Value, node: TreeBranch, place: _InsertionPoint) -> None:
        """End the block with a switch from ``value`` to the subtrees of ``node``, by their expected values.
        Any other value goes to the exit.
        """
        answers: Any = list(node.children)
        targets = [self.subtree_block(child, place) for child in node.children.values()]
        op_class: Any = SWITCHES[node.question.ask]
        if node.question.ask is QuestionKind.TYPE and node.position.is_range:
            op_class = predicates.SwitchTypesOp
        if node.question.ask in (QuestionKind.OPERAND_COUNT, QuestionKind.RESULT_COUNT):
            answers = builtin_attributes.dense(VectorType((len(answers),), i32), answers)
        place.block.append(
            op_class(value, answers, cases=targets, defaultDest=place.exit, location=self.location)
        )

    def ask_constraint(self, constraint: NativeConstraint, node: TreeBranch, place: _InsertionPoint) -> None:
        arguments: list[Value] = []
        for argument in constraint.arguments:
            value, place = self.value(argument, place)
            arguments.append(value)
        fixed: dict[str, Any] = {"isNegated": constraint.is_negated, "result_types": constraint.result_types}
        known = dict(place.known)  # with the results, if the constraint holds
        op = self.end_with(
            predicates.ApplyConstraintOp, (constraint.name, arguments), node, place, known, **fixed
        )
        for index, result in enumerate(op.results):
            known[self.positions.constraint_result(constraint, index)] = result

    def record(self, plan: PatternPlan, place: _InsertionPoint) -> None:
        """End the block with an operation that records the match of the pattern of `plan`, and goes on at the
        exit.
        """
        use = self.use_of(plan)
        inputs: list[Value] = []
        for value in use.arguments:
            found, place = self.value(plan.bound[value], place)
            inputs.append(found)
        matched: list[Value] = []
        for position in plan.operations:
            found, place = self.value(position, place)
            matched.append(found)
        place.block.append(
            actions.RecordMatchOp(
                tuple(inputs),
                tuple(matched),
                rewriter=builtin_attributes.SymbolRefAttr(REWRITERS, (use.name,)),
                rootKind=plan.root.opName,
                generatedOps=use.generated or None,
                benefit=plan.pattern.benefit,
                dest=place.exit,
                location=plan.pattern.location,
            )
        )

    # --- positions

    def value(self, position: Position, place: _InsertionPoint) -> tuple[Value, _InsertionPoint]:
        """Return the handle of a position, and the insertion point after the code that gets it; no code is
        written for a known handle. The code may open a loop over users, and the insertion point is then in
        the body.
        """
        missing: list[Position] = []
        current: Position | None = position
        while current is not None and current not in place.known:
            missing.append(current)
            current = current.parent
        for step in reversed(missing):
            if step.place is PositionKind.FOR_EACH:
                place = self.open_loop(step, place)
            elif (
                step.place is PositionKind.OPERATION and step.parent in place.known and _is_loop(step.parent)
            ):
                place.known[step] = place.known[step.parent]
            else:
                place.known[step] = self.access(step, place)
        return place.known[position], place

    def open_loop(self, step: Position, place: _InsertionPoint) -> _InsertionPoint:
        """End the block with a loop over the users of a value; return an insertion point in its body. After
        the last iteration it branches to the exit.
        """
        assert step.parent is not None
        entry = Block([OperationType()])
        body = Region([entry])
        again = body.append(Block())
        again.append(actions.ContinueOp(location=self.location))
        users = place.known[step.parent]
        place.block.append(
            actions.ForEachOp(users, region=body, successor=place.exit, location=self.location)
        )
        return _InsertionPoint(entry, body, again, {**place.known, step: entry.arguments[0]})

    def access(self, step: Position, place: _InsertionPoint) -> Value:
        """Append the operation that gets the handle of ``step`` from the handle of its parent; return the new
        handle.
        """
        source = place.known[step.parent] if step.parent is not None else None
        op = ACCESS[step.place](step, source, place.block)
        op.location = self.location
        return place.block.append(op).results[0]


def _is_loop(position: Position | None) -> bool:
    return position is not None and position.place is PositionKind.FOR_EACH


def _values(is_range: bool) -> Type:
    return RangeType(ValueType()) if is_range else ValueType()


def _defining_op(step: Position, source: Any, block: Block) -> Operation:
    return accessors.GetDefiningOpOp(source, result_types=[OperationType()])


def _operands(step: Position, source: Any, block: Block) -> Operation:
    index, is_range = step.detail
    return accessors.GetOperandsOp(source, index=index, result_types=[_values(is_range)])


def _results(step: Position, source: Any, block: Block) -> Operation:
    index, is_range = step.detail
    return accessors.GetResultsOp(source, index=index, result_types=[_values(is_range)])


def _type(step: Position, source: Any, block: Block) -> Operation:
    if source.type is AttributeType():
        return accessors.GetAttributeTypeOp(source, result_types=[TypeType()])
    return accessors.GetValueTypeOp(source)


def _users(step: Position, source: Any, block: Block) -> Operation:
    if isinstance(source.type, RangeType):  # one of the values is enough to find all candidates
        source = block.append(accessors.ExtractOp(source, 0)).results[0]
    return accessors.GetUsersOp(source, result_types=[RangeType(OperationType())])


def _literal_type(step: Position, source: Any, block: Block) -> Operation:
    if step.is_range:
        return actions.CreateTypesOp(step.detail, result_types=[RangeType(TypeType())])
    return actions.CreateTypeOp(step.detail, result_types=[TypeType()])


ACCESS: dict[PositionKind, Callable[[Position, Any, Block], Operation]] = {
    PositionKind.OPERATION: _defining_op,
    PositionKind.OPERAND: lambda step, source, _: accessors.GetOperandOp(
        source, step.detail, result_types=[ValueType()]
    ),
    PositionKind.OPERAND_GROUP: _operands,
    PositionKind.ATTRIBUTE: lambda step, source, _: accessors.GetAttributeOp(
        source, step.detail, result_types=[AttributeType()]
    ),
    PositionKind.RESULT: lambda step, source, _: accessors.GetResultOp(
        source, step.detail, result_types=[ValueType()]
    ),
    PositionKind.RESULT_GROUP: _results,
    PositionKind.TYPE: _type,
    PositionKind.ATTRIBUTE_LITERAL: lambda step, source, _: actions.CreateAttributeOp(
        step.detail, result_types=[AttributeType()]
    ),
    PositionKind.TYPE_LITERAL: _literal_type,
    PositionKind.USERS: _users,
}
"""For each kind of position, the function that makes the operation that gets it from its parent."""

QUESTIONS: dict[QuestionKind, tuple[Any, bool]] = {
    QuestionKind.IS_NOT_NULL: (predicates.IsNotNullOp, False),
    QuestionKind.OPERATION_NAME: (predicates.CheckOperationNameOp, True),
    QuestionKind.TYPE: (predicates.CheckTypeOp, True),
    QuestionKind.ATTRIBUTE: (predicates.CheckAttributeOp, True),
    QuestionKind.OPERAND_COUNT_AT_LEAST: (predicates.CheckOperandCountOp, False),
    QuestionKind.OPERAND_COUNT: (predicates.CheckOperandCountOp, True),
    QuestionKind.RESULT_COUNT_AT_LEAST: (predicates.CheckResultCountOp, False),
    QuestionKind.RESULT_COUNT: (predicates.CheckResultCountOp, True),
}
"""The test operation for each question, and whether it takes the expected value as an attribute."""

SWITCHES: dict[QuestionKind, Any] = {
    QuestionKind.OPERATION_NAME: predicates.SwitchOperationNameOp,
    QuestionKind.TYPE: predicates.SwitchTypeOp,
    QuestionKind.ATTRIBUTE: predicates.SwitchAttributeOp,
    QuestionKind.OPERAND_COUNT: predicates.SwitchOperandCountOp,
    QuestionKind.RESULT_COUNT: predicates.SwitchResultCountOp,
}
"""The switch operation for each question that can have several expected values."""
