"""Reads a ``pdl.pattern``: where its parts are found in the matched IR, and what must hold there.

The root is the operation that the rewrite names, else the first that no other one of the pattern takes results from.
Everything the root uses is reached downwards, through operands.  Other roots are reached upwards, through users of
values that were found before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.pdl.compiler import positions as compiler_positions
from tilewright.pdl.dialects.pdl import ops as pdl, types as pdl_types
from tilewright.pdl.failures import lowering_failure


@dataclass
class PatternPlan:
    """A pattern as the matcher sees it: the operation ``root`` at which matching starts, the positions of its
    values, and the predicates that must hold.
    """

    pattern: pdl.PatternOp
    root: pdl.OperationOp
    bound: dict[Value, compiler_positions.Position]
    """Maps the values of the pattern to their positions in the matched IR."""
    predicates: dict[compiler_positions.Predicate, Any]
    """Maps each predicate of the pattern to the result that it must have."""

    @property
    def operations(self) -> list[compiler_positions.Position]:
        """The positions of the operations, root first."""
        found = [place for value, place in self.bound.items() if isinstance(value.owner, pdl.OperationOp)]
        return list(dict.fromkeys(found))


def read_pattern(pattern: pdl.PatternOp, positions: compiler_positions.PositionPool) -> PatternPlan:
    """Return the plan of a verified pattern, with positions of the pool `positions`. Raises `DiagnosticError`
    if the pattern can never match, or has parts that are not connected to its root.
    """
    return _PatternReader(pattern, positions).read()


def is_range(value: Value) -> bool:
    """True if a handle refers to a range: several values or types."""
    return isinstance(value.type, pdl_types.RangeType)


class _PatternReader:
    def __init__(self, pattern: pdl.PatternOp, positions: compiler_positions.PositionPool) -> None:
        self.pattern = pattern
        self.positions = positions
        self.body = pattern.bodyRegion.blocks[0].ops
        self.operations = [op for op in self.body if isinstance(op, pdl.OperationOp)]
        self.bound: dict[Value, compiler_positions.Position] = {}
        self.predicates: dict[compiler_positions.Predicate, Any] = {}
        self.pending: list[tuple[Value, compiler_positions.Position]] = []
        self.loops = 0

    def read(self) -> PatternPlan:
        root = self.roots()[0]
        self.descend(root.op, self.positions.root)
        self.ascend()
        self.bind_results(self.body)
        for op in self.body:
            if isinstance(op, pdl.ApplyNativeConstraintOp):
                self.constrain(op)
        return PatternPlan(self.pattern, root, self.bound, self.predicates)

    # --- roots

    def roots(self) -> list[pdl.OperationOp]:
        """Return the operations that matching can start from: first the root that the rewrite names, then
        those whose results no other operation of the pattern uses.
        """
        used = {source for op in self.operations for source in _sources(op)}
        roots = [op for op in self.operations if op.op not in used] or self.operations[:1]
        rewrite = self.body[-1]
        assert isinstance(rewrite, pdl.RewriteOp), "the pattern was verified"
        named = rewrite.root.owner if rewrite.root is not None else None
        if isinstance(named, pdl.OperationOp):
            roots = [named, *[op for op in roots if op is not named]]
        return roots

    def ascend(self) -> None:
        """Find the operations that are not reached from the root through operands, as users of values that
        are bound already. Raises `DiagnosticError` if one is not connected to the root.
        """
        left = [op for op in (*self.roots(), *self.operations) if op.op not in self.bound]
        while left:
            self.bind_results(self.body)
            op, connector = self.connected(left)
            user = self.positions.user(connector, self.loops)
            self.loops += 1
            self.descend(op.op, user)
            left = [op for op in left if op.op not in self.bound]

    def connected(
        self, left: Sequence[pdl.OperationOp]
    ) -> tuple[pdl.OperationOp, compiler_positions.Position]:
        """Return the first operation of ``left`` that uses a bound value, and the position of that value
        nearest to the root. Raises `DiagnosticError` if there is none.
        """
        for op in left:
            known = [self.bound[value] for value in op.operandValues if value in self.bound]
            if known:
                return op, min(known, key=lambda place: (place.depth, place.number))
        raise lowering_failure(
            "this operation is not connected to the root of the pattern through operands and results",
            left[0].location,
            "let it use a value of the others, or match it with a pattern of its own",
        )

    # --- the tree below an operation

    def descend(self, value: Value, position: compiler_positions.Position) -> None:
        """Bind a value of the pattern to a position, and the values that are reached from it through
        operands, attributes and types. A value with a position already gets the condition that both positions
        hold the same value.
        """
        self.pending.append((value, position))
        while self.pending:
            value, position = self.pending.pop()
            known = self.bound.setdefault(value, position)
            if known is position:
                start = len(self.pending)
                self.visit(value, position)
                self.pending[start:] = reversed(self.pending[start:])
            else:
                self.require_equal(known, position)

    def visit(self, value: Value, position: compiler_positions.Position) -> None:
        match value.owner:
            case pdl.OperationOp() as op:
                self.visit_operation(op, position)
            case pdl.OperandOp() | pdl.OperandsOp() | pdl.AttributeOp() as op:
                self.visit_leaf(op, position)
            case pdl.ResultOp() | pdl.ResultsOp() as op:
                parent = self.positions.defining_op(position)
                self.require_equal(position, self.result_position(op, parent))
                self.pending.append((op.parent_, parent))
            case pdl.TypeOp() as op if op.constantType is not None:
                self.require(
                    position,
                    compiler_positions.Question(compiler_positions.QuestionKind.TYPE),
                    op.constantType,
                    op,
                )
            case pdl.TypesOp() as op if op.constantTypes is not None:
                self.require(
                    position,
                    compiler_positions.Question(compiler_positions.QuestionKind.TYPE),
                    tuple(op.constantTypes),
                    op,
                )
            case _:
                pass  # a type of any kind, or the result of a constraint, which is compared later

    def visit_leaf(
        self, op: pdl.OperandOp | pdl.OperandsOp | pdl.AttributeOp, position: compiler_positions.Position
    ) -> None:
        if _may_be_missing(position):
            self.require(position, compiler_positions.NOT_NULL, True, op)
        if isinstance(op, pdl.AttributeOp) and op.value is not None:
            self.require(
                position, compiler_positions.Question(compiler_positions.QuestionKind.ATTRIBUTE), op.value, op
            )
        if op.valueType is not None:
            self.pending.append((op.valueType, self.positions.type_of(position)))

    def visit_operation(self, op: pdl.OperationOp, position: compiler_positions.Position) -> None:
        if position is not self.positions.root:
            self.require(position, compiler_positions.NOT_NULL, True, op)
        if op.opName is not None:
            self.require(
                position,
                compiler_positions.Question(compiler_positions.QuestionKind.OPERATION_NAME),
                op.opName,
                op,
            )
        self.count(
            op,
            position,
            op.operandValues,
            compiler_positions.QuestionKind.OPERAND_COUNT,
            compiler_positions.QuestionKind.OPERAND_COUNT_AT_LEAST,
        )
        self.count(
            op,
            position,
            op.typeValues,
            compiler_positions.QuestionKind.RESULT_COUNT,
            compiler_positions.QuestionKind.RESULT_COUNT_AT_LEAST,
        )
        for name, attribute in zip(op.attributeValueNames, op.attributeValues, strict=True):
            self.pending.append((attribute, self.positions.attribute(position, name)))
        one, group = self.positions.operand, self.positions.operand_group
        for value, index, alone in _indexed_values(op.operandValues):
            place = one(position, index) if alone else group(position, *_group(op.operandValues, index))
            self.pending.append((value, place))
        one, group = self.positions.result, self.positions.result_group
        for type, index, alone in _indexed_values(op.typeValues):
            place = one(position, index) if alone else group(position, *_group(op.typeValues, index))
            if _may_be_missing(place):
                self.require(place, compiler_positions.NOT_NULL, True, op)
            self.pending.append((type, self.positions.type_of(place)))

    def count(
        self,
        op: Operation,
        position: compiler_positions.Position,
        values: Sequence[Value],
        exactly: compiler_positions.QuestionKind,
        at_least: compiler_positions.QuestionKind,
    ) -> None:
        """Require the number of operands or results of the operation at ``position``: by the question
        ``exactly`` the number of ``values`` or, if some of them are ranges, by the question ``at_least`` the
        number of the others. Only ranges require nothing.
        """
        fixed = sum(not is_range(value) for value in values)
        if fixed == len(values):
            self.require(position, compiler_positions.Question(exactly), fixed, op)
        elif fixed:
            self.require(position, compiler_positions.Question(at_least, fixed), True, op)

    # --- results and constraints

    def result_position(
        self, op: pdl.ResultOp | pdl.ResultsOp, parent: compiler_positions.Position
    ) -> compiler_positions.Position:
        """Return the position of the result, or group of results, `op`, below the position ``parent`` of its
        operation. Require that it exists.
        """
        if isinstance(op, pdl.ResultOp):
            place = self.positions.result(parent, op.index)
        else:
            place = self.positions.result_group(parent, op.index, is_range(op.val))
        if _may_be_missing(place):
            self.require(place, compiler_positions.NOT_NULL, True, op)
        return place

    def bind_results(self, body: Sequence[Operation]) -> None:
        """Bind the results in `body` that were not reached as operands, to positions below their operations;
        results of operations that are not bound yet stay unbound.
        """
        for op in body:
            if isinstance(op, pdl.ResultOp | pdl.ResultsOp) and op.val not in self.bound:
                parent = self.bound.get(op.parent_)
                if parent is not None:
                    self.bound[op.val] = self.result_position(op, parent)

    def constrain(self, op: pdl.ApplyNativeConstraintOp) -> None:
        arguments = tuple([self.argument(value) for value in op.args])
        constraint = compiler_positions.NativeConstraint(op.name_, arguments, op.result_types, op.isNegated)
        self.require(
            self.deepest(arguments),
            compiler_positions.Question(compiler_positions.QuestionKind.CONSTRAINT, constraint),
            True,
            op,
        )
        for index, result in enumerate(op.results):
            place = self.positions.constraint_result(constraint, index)
            known = self.bound.setdefault(result, place)
            if known is not place:
                self.require_equal(known, place)

    def argument(self, value: Value) -> compiler_positions.Position:
        """Return the position of an argument of a native constraint: where it is bound, or a literal. Raises
        `DiagnosticError` if it is neither.
        """
        known = self.bound.get(value)
        if known is None:
            match value.owner:
                case pdl.AttributeOp(value=literal) if literal is not None:
                    known = self.positions.literal(compiler_positions.PositionKind.ATTRIBUTE_LITERAL, literal)
                case pdl.TypeOp(constantType=literal) if literal is not None:
                    known = self.positions.literal(compiler_positions.PositionKind.TYPE_LITERAL, literal)
                case pdl.TypesOp(constantTypes=literal) if literal is not None:
                    known = self.positions.literal(
                        compiler_positions.PositionKind.TYPE_LITERAL, tuple(literal)
                    )
                case _:
                    raise lowering_failure(
                        "a native constraint takes a value that no operation of the pattern binds",
                        value.owner.location,
                        "use the value in a `pdl.operation` of the pattern, too",
                    )
            self.bound[value] = known
        return known

    # --- predicates

    def deepest(self, places: Sequence[compiler_positions.Position]) -> compiler_positions.Position:
        """Return the position that the matcher tests last: the deepest one, and at one depth that with the
        larger kind, then with the larger number.
        """
        return max(places, key=lambda place: (place.depth, place.place, place.number))

    def require(
        self,
        position: compiler_positions.Position,
        question: compiler_positions.Question,
        answer: Any,
        op: Operation,
    ) -> None:
        known = self.predicates.setdefault((position, question), answer)
        if known is not answer and known != answer:
            raise lowering_failure(
                f"the pattern asks for '{known}' and for '{answer}' at the same place: it can never match",
                op.location,
                "remove one of the two",
            )

    def require_equal(self, first: compiler_positions.Position, second: compiler_positions.Position) -> None:
        later = self.deepest((first, second))
        earlier = first if later is second else second
        if earlier is not later:
            self.predicates[
                later, compiler_positions.Question(compiler_positions.QuestionKind.EQUAL_TO, earlier)
            ] = True


def _sources(op: pdl.OperationOp) -> Iterator[Value]:
    """Yield the handles to the operations of the pattern whose results an operation uses."""
    for value in op.operandValues:
        if isinstance(value.owner, pdl.ResultOp | pdl.ResultsOp):
            yield value.owner.parent_


def _indexed_values(values: Sequence[Value]) -> Iterator[tuple[Value, int, bool]]:
    """Yield (value, index, is_single) for operands or result types. ``is_single``: no range is before the
    value, so that the index counts single operands or results.
    """
    alone = True
    for index, value in enumerate(values):
        alone = alone and not is_range(value)
        yield value, index, alone


def _group(values: Sequence[Value], index: int) -> tuple[int | None, bool]:
    """Return the ``detail`` of the position of a group: (index, whether it is a range). The index is None,
    for all values, if it is the only group.
    """
    return (None if len(values) == 1 else index), is_range(values[index])


def _may_be_missing(position: compiler_positions.Position) -> bool:
    """True if the object at a position may not exist. The group of all operands or results always exists,
    even if it is empty.
    """
    return position.detail != (None, True)
