"""Writes what patterns do with a match: one function of ``pdl_interp`` for each ``pdl.rewrite``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tilewright.ir import block as ir_block, context as ir_context
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.pdl.compiler import matcher as compiler_matcher, reader
from tilewright.pdl.dialects.pdl import ops as pdl, types as pdl_types
from tilewright.pdl.dialects.pdl_interp import accessors, actions
from tilewright.pdl.failures import lowering_failure


def can_infer(kind: OperationKind) -> bool:
    """True if operations of this kind can infer their result types: the class has a rule of its own, or the
    declaration says from which operands they follow.
    """
    rule = getattr(kind.op_class.infer_result_types, "__func__", None)
    derived = vars(Operation)["infer_result_types"].__func__
    return rule is not derived or kind.result_sources is not None


class RewriterWriter:
    """Writes the function of ``pdl_interp`` that rewrites the matches of a pattern."""

    def __init__(self, context: ir_context.Context, plan: reader.PatternPlan, name: str) -> None:
        self.context = context
        self.plan = plan
        self.name = name
        self.block = ir_block.Block()
        self.handles: dict[Value, Value] = {}
        """Maps values of the pattern to values of the function."""
        self.arguments: list[Value] = []
        self.generated: dict[str, None] = {}
        self.rewrite = self._rewrite()

    def _rewrite(self) -> pdl.RewriteOp:
        last = self.plan.pattern.bodyRegion.blocks[0].last
        assert isinstance(last, pdl.RewriteOp), "the pattern was verified"
        return last

    def write(self) -> tuple[actions.FuncOp, compiler_matcher.RewriterUse]:
        """Write the function: a call of the native function that the rewrite names, or else the operations of
        its region. Return the function, and the use of it by the matcher. Raises `DiagnosticError` for a
        value that the pattern does not bind.
        """
        if self.rewrite.name_ is not None:
            self.write_external(self.rewrite.name_)
        else:
            for op in self.rewrite.bodyRegion.blocks[0]:
                WRITERS[op.name](self, op)
        self.add(actions.FinalizeOp(), self.rewrite)
        inputs = tuple([argument.type for argument in self.block.arguments])
        region = ir_block.Region([self.block])
        function = compiler_matcher.function_op(self.name, inputs, region, self.plan.pattern.location)
        return function, compiler_matcher.RewriterUse(self.name, tuple(self.arguments), tuple(self.generated))

    def add(self, made: Operation, source: Operation) -> Operation:
        """Append ``made`` to the function, with the location of the operation ``source`` of the pattern, and
        return it.
        """
        made.location = source.location
        return self.block.append(made)

    def define(self, made: Operation, source: Operation) -> None:
        """Append ``made``, and map the results of the operation ``source`` of the pattern to its results."""
        self.handles.update(zip(source.results, self.add(made, source).results, strict=True))

    # --- handles

    def handle(self, value: Value) -> Value:
        """Return the value of the function for a value of the pattern. A literal is created at its first use;
        other values that the function does not define become arguments.
        """
        found = self.handles.get(value)
        if found is None:
            literal = _literal(value)
            made = self.add(literal, value.owner).results[0] if literal is not None else None
            found = self.handles[value] = made or self.argument(value)
        return found

    def argument(self, value: Value) -> Value:
        """Return a new argument of the function for a matched value.

        Raises `DiagnosticError` for a value that the pattern does not bind.
        """
        if value not in self.plan.bound:
            raise lowering_failure(
                "the rewrite uses a value that no operation of the pattern binds",
                value.owner.location,
                "use the value in a `pdl.operation` of the pattern, too",
            )
        self.arguments.append(value)
        return self.block.add_argument(value.type, value.owner.location)

    def handle_list(self, values: Sequence[Value]) -> tuple[Value, ...]:
        """Return the values of the function for several values of the pattern."""
        return tuple([self.handle(value) for value in values])

    # --- operations

    def write_external(self, name: str) -> None:
        """Write a rewrite that calls the native function ``name`` with the root, if the rewrite has one, and
        with its external arguments.
        """
        given = (*([self.rewrite.root] if self.rewrite.root is not None else ()), *self.rewrite.externalArgs)
        self.add(actions.ApplyRewriteOp(name, self.handle_list(given), result_types=[]), self.rewrite)

    def write_native(self, op: pdl.ApplyNativeRewriteOp) -> None:
        call = actions.ApplyRewriteOp(op.name_, self.handle_list(op.args), result_types=op.result_types)
        self.define(call, op)

    def write_literal(self, op: Operation) -> None:
        made = _literal(op.results[0])
        if made is None:
            raise lowering_failure(
                f"'{op.name}' in a rewrite has no definition",
                op.location,
                "write the type, or use one that the pattern binds",
            )
        self.define(made, op)

    def write_erase(self, op: pdl.EraseOp) -> None:
        self.add(actions.EraseOp(self.handle(op.opValue)), op)

    def write_operation(self, op: pdl.OperationOp) -> None:
        assert op.opName is not None, "the pattern was verified"
        self.generated[op.opName] = None
        operands, attributes = self.handle_list(op.operandValues), self.handle_list(op.attributeValues)
        types, inferred = self.result_types(op)
        made = actions.CreateOperationOp(
            op.opName,
            operands,
            attributes,
            types,
            inputAttributeNames=op.attributeValueNames,
            inferredResultTypes=inferred,
            result_types=[pdl_types.OperationType()],
        )
        self.define(made, op)

    def result_types(self, op: pdl.OperationOp) -> tuple[tuple[Value, ...], bool]:
        """Return handles to the result types of a new operation, and whether the types are inferred instead.
        They are given, or inferred, or taken from the operation that the new one replaces. If none of these
        applies, the operation has no results.
        """
        if op.typeValues:
            return self.handle_list(op.typeValues), False
        kind = self.context.kind(op.opName or "")
        if kind is not None and can_infer(kind):
            return (), True
        replaced = self.replaced_by(op)
        if replaced is not None:
            operation = self.handle(replaced)
            results = compiler_matcher.all_results(operation)
            values = self.add(results, op).results[0]
            return (self.add(accessors.GetValueTypeOp(values), op).results[0],), False
        return (), False

    def replaced_by(self, op: pdl.OperationOp) -> Value | None:
        """Return the handle to the operation that `op` replaces, if this operation is matched or is made
        before `op`; else None.
        """
        for user in op.op.uses:
            if isinstance(user, pdl.ReplaceOp) and user.replOperation is op.op:
                made_here = user.opValue.owner.parent is op.parent
                if not made_here or user.opValue.owner.is_before_in_block(op):
                    return user.opValue
        return None

    def write_range(self, op: pdl.RangeOp) -> None:
        made = actions.CreateRangeOp(self.handle_list(op.arguments), result_types=[op.result.type])
        self.define(made, op)

    def write_result(self, op: pdl.ResultOp) -> None:
        made = accessors.GetResultOp(self.handle(op.parent_), op.index, result_types=[pdl_types.ValueType()])
        self.define(made, op)

    def write_results(self, op: pdl.ResultsOp) -> None:
        made = accessors.GetResultsOp(self.handle(op.parent_), index=op.index, result_types=[op.val.type])
        self.define(made, op)

    def write_replace(self, op: pdl.ReplaceOp) -> None:
        """Write the replacement of an operation. If it is known to have no results, write its erasure."""
        values: tuple[Value, ...] = ()
        if op.replOperation is None:
            values = self.handle_list(op.replValues)
        elif getattr(op.opValue.owner, "typeValues", True):
            made = self.handle(op.replOperation)
            results = compiler_matcher.all_results(made)
            values = (self.add(results, op).results[0],)
        target = self.handle(op.opValue)
        self.add(actions.ReplaceOp(target, values) if values else actions.EraseOp(target), op)


def _literal(value: Value) -> Operation | None:
    """Return the operation that makes an attribute or types that the pattern spells out; None for other
    values.
    """
    match value.owner:
        case pdl.AttributeOp(value=literal) if literal is not None:
            return actions.CreateAttributeOp(literal, result_types=[pdl_types.AttributeType()])
        case pdl.TypeOp(constantType=literal) if literal is not None:
            return actions.CreateTypeOp(literal, result_types=[pdl_types.TypeType()])
        case pdl.TypesOp(constantTypes=literal) if literal is not None:
            return actions.CreateTypesOp(literal, result_types=[pdl_types.RangeType(pdl_types.TypeType())])
        case _:
            return None


WRITERS: dict[str, Callable[[RewriterWriter, Any], None]] = {
    "pdl.apply_native_rewrite": RewriterWriter.write_native,
    "pdl.attribute": RewriterWriter.write_literal,
    "pdl.type": RewriterWriter.write_literal,
    "pdl.types": RewriterWriter.write_literal,
    "pdl.erase": RewriterWriter.write_erase,
    "pdl.operation": RewriterWriter.write_operation,
    "pdl.range": RewriterWriter.write_range,
    "pdl.result": RewriterWriter.write_result,
    "pdl.results": RewriterWriter.write_results,
    "pdl.replace": RewriterWriter.write_replace,
}
"""For each operation of a ``pdl.rewrite``, the method that writes it."""
