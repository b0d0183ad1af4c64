"""Writes declarative rules as PDL, so that other tools for PDL can read, store and run them.

Every order of operands becomes a pattern. PDL cannot say that an operation is a constant, that an attribute is a
number of any type, or how to make a constant; the native functions of `NATIVE` do. Rules that hold Python functions
are declined with a reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from tilewright.ir import block as ir_block, builtin_types, context as ir_context
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_attributes import FloatAttr, IntegerAttr, float_attribute, integer64
from tilewright.ir.declaration.traits import ConstantLike
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.pdl.compiler import compile as compiler_compile, rewriters as compiler_rewriters
from tilewright.pdl.dialects.pdl import ops as pdl, types as pdl_types
from tilewright.pdl.interpreter.resolver import Native
from tilewright.rewrite import rewriter as rewrite_rewriter, rules as rewrite_rules

IS_CONSTANT = "tilewright.is_constant"
IS_NUMBER = "tilewright.is_number"
HAS_ONE_USE = "tilewright.has_one_use"
CAN_MAKE = "tilewright.can_make_constant"
MAKE = "tilewright.make_constant"
CAN_MAKE_NUMBER = "tilewright.can_make_number"
MAKE_NUMBER = "tilewright.make_number"


@dataclass(frozen=True)
class Exported:
    """Rules as PDL: a ``module`` of ``pdl.pattern``, the ``native`` functions that it calls, by name, and the
    rules that are not in it (`declined`), each with the reason.
    """

    module: Operation
    native: dict[str, Native]
    declined: tuple[tuple[rewrite_rules.IdentityRule, str], ...]


def export_to_pdl(rules: Iterable[rewrite_rules.IdentityRule], context: ir_context.Context) -> Exported:
    """Return the rules as PDL, one pattern for each order of the operands of a rule; rules that PDL cannot
    express are listed as declined. ``context`` has the dialects that make constants when the patterns run.
    """
    patterns: list[Operation] = []
    declined: list[tuple[rewrite_rules.IdentityRule, str]] = []
    names: set[str] = set()
    for rule in rules:
        reason = reason_against(rule)
        if reason is None:
            for term in rule.orders:
                patterns.append(_PatternWriter(rule, _unique(rule.debug_name, names)).write(term))
        else:
            declined.append((rule, reason))
    return Exported(compiler_compile.module_of(context, patterns), native_functions(context), tuple(declined))


def reason_against(rule: rewrite_rules.IdentityRule) -> str | None:
    """Return why a rule cannot be written as PDL, a clause such as ``the result is a Python function``; None
    if it can.
    """
    if not isinstance(rule.result, rewrite_rules.Variable | rewrite_rules.Constant | rewrite_rules.OpTerm):
        return "the result is a Python function"
    for term in (*rewrite_rules.terms(rule.pattern), *rewrite_rules.terms(rule.result)):
        if isinstance(term, rewrite_rules.Constant) and callable(term.wanted):
            return f"the constant '{term.name}' is tested by a Python function"
        if (
            isinstance(term, rewrite_rules.Constant)
            and isinstance(term.wanted, int)
            and not -(1 << 63) <= term.wanted < 1 << 63
        ):
            return f"the number {term.wanted} does not fit in 64 bits"
    for term in rewrite_rules.terms(rule.result):
        if isinstance(term, rewrite_rules.ComputedAttribute):
            return "an attribute of the result is computed by a Python function"
        if (
            isinstance(term, rewrite_rules.OpTerm)
            and term is not rule.result
            and not compiler_rewriters.can_infer(term.op_class.op_kind)
        ):
            return f"the result type of the inner operation '{term.name}' cannot be inferred"
    return None


def _unique(name: str, taken: set[str]) -> str:
    """Return ``name`` as a symbol name that is not in ``taken``, with a number if needed, and add it to
    ``taken``.
    """
    found, counter = name, 2
    while found in taken:
        found, counter = f"{name} ({counter})", counter + 1
    taken.add(found)
    return found


class _PatternWriter:
    """Writes one order of the operands of a rule as a ``pdl.pattern``: the operations to match, then native
    constraints, then the rewrite.
    """

    def __init__(self, rule: rewrite_rules.IdentityRule, name: str) -> None:
        self.rule = rule
        self.name = name
        self.block = ir_block.Block()
        self.handles: dict[Any, Value] = {}
        self.checks: list[Operation] = []
        self.consumed: list[Value] = []
        """Handles to operations that are erased with the root."""
        self.type = self.any_type()

    def write(self, pattern: rewrite_rules.OpTerm) -> Operation:
        matcher, rewrite = self.block, ir_block.Block()
        root = self.match_operation(pattern, self.type)
        for check in self.checks:
            matcher.append(check)
        for term in rewrite_rules.terms(self.rule.result):
            if isinstance(term, rewrite_rules.Constant) and term not in self.handles:
                function, literal = self.constant_maker(term, CAN_MAKE, CAN_MAKE_NUMBER)
                matcher.append(_constraint(function, root, self.add(literal)))
        self.block = rewrite
        value = self.build(self.rule.result, root)
        rewrite.append(pdl.ReplaceOp(root, None, (value,)))
        for op in self.consumed:
            rewrite.append(pdl.EraseOp(op))
        end = pdl.RewriteOp(root, name_=None, externalArgs=(), bodyRegion=ir_block.Region([rewrite]))
        matcher.append(end)
        return pdl.PatternOp(self.rule.benefit, sym_name=self.name, bodyRegion=ir_block.Region([matcher]))

    def add(self, op: Operation) -> Value:
        """Append an operation to the current block, of the matcher or of the rewrite, and return its first
        result.
        """
        return self.block.append(op).results[0]

    def any_type(self) -> Value:
        """Append a ``pdl.type`` without a constant, and return its result: a handle to any type."""
        return self.add(pdl.TypeOp(constantType=None, result_types=[pdl_types.TypeType()]))

    def operation(
        self,
        name: str | None,
        operands: Sequence[Value],
        attributes: dict[str, Value],
        types: Sequence[Value],
    ) -> Value:
        """Append a ``pdl.operation`` and return its handle. ``name`` None stands for any operation;
        ``attributes`` maps names to handles of attributes, and ``types`` are handles to the result types.
        """
        made = pdl.OperationOp(
            opName=name,
            operandValues=tuple(operands),
            attributeValues=tuple(attributes.values()),
            attributeValueNames=tuple(attributes),
            typeValues=tuple(types),
            result_types=[pdl_types.OperationType()],
        )
        return self.add(made)

    def only_result(self, op: Value) -> Value:
        """Append a ``pdl.result`` for result 0 of the operation with the handle `op`, and return the handle
        to this result.
        """
        return self.add(pdl.ResultOp(op, 0, result_types=[pdl_types.ValueType()]))

    def attribute(self, value: rewrite_rules.HeldAttribute) -> Value:
        """Return a handle to the attribute `value`, or to any attribute if it is a variable; a variable has
        one handle in the pattern.
        """
        if isinstance(value, Attribute):
            return self.add(_attribute(value))
        assert isinstance(value, rewrite_rules.AttributeVariable), (
            "rules that compute attributes are declined"
        )
        if value not in self.handles:
            self.handles[value] = self.add(_attribute(None))
        return self.handles[value]

    # --- matching

    def match_operation(self, term: rewrite_rules.OpTerm, type: Value) -> Value:
        operands = [self.match_operand(operand) for operand in term.operands]
        attributes = {name: self.attribute(value) for name, value in term.attributes.items()}
        return self.operation(term.name, operands, attributes, [type])

    def match_operand(
        self, term: rewrite_rules.Variable | rewrite_rules.Constant | rewrite_rules.OpTerm
    ) -> Value:
        if isinstance(term, rewrite_rules.OpTerm):
            op = self.match_operation(term, self.any_type())
            if term.consumed:
                self.checks.append(_constraint(HAS_ONE_USE, op))
                self.consumed.append(op)
            return self.only_result(op)
        found = self.handles.get(term)
        if found is None:
            is_result = term is self.rule.result
            if isinstance(term, rewrite_rules.Variable):
                type = self.type if is_result else None
                found = self.add(pdl.OperandOp(type, result_types=[pdl_types.ValueType()]))
            else:
                found = self.match_constant(term, self.type if is_result else self.any_type())
            self.handles[term] = found
        return found

    def match_constant(self, term: rewrite_rules.Constant, type: Value) -> Value:
        """Match any operation without operands that has an attribute ``value``, and add native constraints:
        it is a constant, and its value is the number that `term` asks for, if any. Return a handle to its
        result.
        """
        wanted = term.wanted
        value = self.attribute(wanted) if isinstance(wanted, Attribute) else self.add(_attribute(None))
        op = self.operation(None, (), {"value": value}, [type])
        self.checks.append(_constraint(IS_CONSTANT, op))
        if isinstance(wanted, int | float):
            self.checks.append(_constraint(IS_NUMBER, value, self.add(_attribute(_number(wanted)))))
        return self.only_result(op)

    # --- building

    def build(self, term: Any, root: Value) -> Value:
        if isinstance(term, rewrite_rules.OpTerm):
            operands = [self.build(operand, root) for operand in term.operands]
            attributes = {name: self.attribute(value) for name, value in term.attributes.items()}
            types = [self.type] if term is self.rule.result else []
            return self.only_result(self.operation(term.name, operands, attributes, types))
        if term in self.handles:
            return self.handles[term]
        function, literal = self.constant_maker(term, MAKE, MAKE_NUMBER)
        arguments = root, self.add(literal)
        return self.add(pdl.ApplyNativeRewriteOp(function, arguments, result_types=[pdl_types.ValueType()]))

    def constant_maker(
        self, term: rewrite_rules.Constant, of_attribute: str, of_number: str
    ) -> tuple[str, Operation]:
        """Return the name of the native function for the constant `term` (`of_attribute` if it is given as an
        attribute, `of_number` if as a number), and the ``pdl.attribute`` that makes its argument, which is
        not inserted.
        """
        wanted = term.wanted
        if isinstance(wanted, Attribute):
            return of_attribute, _attribute(wanted)
        assert isinstance(wanted, int | float), "the rule was checked"
        return of_number, _attribute(_number(wanted))


def _attribute(value: Attribute | None) -> Operation:
    return pdl.AttributeOp(None, value=value, result_types=[pdl_types.AttributeType()])


def _constraint(name: str, *arguments: Value) -> Operation:
    return pdl.ApplyNativeConstraintOp(name, arguments, isNegated=False, result_types=[])


# --- native functions


def _number(number: float) -> Attribute:
    """Return a number as an attribute: i64 for an int, f64 for a float."""
    return integer64(number) if isinstance(number, int) else float_attribute(number, builtin_types.f64)


def _number_of(attribute: Attribute) -> float:
    """Return the number in an attribute that `_number` made."""
    assert isinstance(attribute, IntegerAttr | FloatAttr), "written by the exporter"
    return attribute.value


def native_functions(context: ir_context.Context) -> dict[str, Native]:
    """Return the native functions that exported rules call, by name. ``context`` has the dialects that make
    constants.
    """

    def is_constant(rewriter: rewrite_rewriter.Rewriter, op: Operation) -> bool:
        return ConstantLike in op.kind.trait_classes

    def has_number(rewriter: rewrite_rewriter.Rewriter, value: Attribute, number: Attribute) -> bool:
        return rewrite_rules.is_number(value, _number_of(number))

    def has_one_use(rewriter: rewrite_rewriter.Rewriter, op: Operation) -> bool:
        return op.results[0].has_one_use

    def can_make(rewriter: rewrite_rewriter.Rewriter, op: Operation, value: Attribute) -> bool:
        return rewrite_rules.make_constant(context, value, op) is not None

    def can_make_number(rewriter: rewrite_rewriter.Rewriter, op: Operation, number: Attribute) -> bool:
        return rewrite_rules.make_constant(context, _number_of(number), op) is not None

    def make(rewriter: rewrite_rewriter.Rewriter, op: Operation, value: Attribute) -> Value | None:
        return _inserted(rewriter, rewrite_rules.make_constant(context, value, op))

    def make_number(rewriter: rewrite_rewriter.Rewriter, op: Operation, number: Attribute) -> Value | None:
        return _inserted(rewriter, rewrite_rules.make_constant(context, _number_of(number), op))

    return {
        IS_CONSTANT: is_constant,
        IS_NUMBER: has_number,
        HAS_ONE_USE: has_one_use,
        CAN_MAKE: can_make,
        MAKE: make,
        CAN_MAKE_NUMBER: can_make_number,
        MAKE_NUMBER: make_number,
    }


def _inserted(rewriter: rewrite_rewriter.Rewriter, made: Operation | None) -> Value | None:
    return rewriter.insert(made).results[0] if made is not None else None
