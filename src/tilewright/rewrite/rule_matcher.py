"""Generates the matcher of a declarative rule, as `dataclasses` generates constructors, and builds its result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tilewright.ir.attribute import Attribute
from tilewright.ir.declaration.fields import MISSING
from tilewright.ir.declaration.traits import ConstantLike, VerifyError
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.ir.verifier import check_operation
from tilewright.rewrite.pattern import NoMatch
from tilewright.rewrite.rewriter import CannotCreate, Rewriter, create_operation
from tilewright.rewrite.rules import (
    AttributeVariable,
    ComputedAttribute,
    Constant,
    ErasedOperation,
    HeldAttribute,
    IdentityRule,
    OpTerm,
    Variable,
    is_number,
    is_value,
    make_constant,
    names_of,
)

Matcher = Callable[[IdentityRule, Operation, Rewriter], NoMatch | None]


def compile_rule(rule: IdentityRule) -> Matcher:
    """Compile the matcher generated for a rule, and return it: ``(rule, op, rewriter) -> NoMatch | None``."""
    names: dict[str, Any] = {
        "OpResult": OpResult,
        "ConstantLike": ConstantLike,
        "is_number": is_number,
        "REWRITE": rewrite_match,
    }
    source = "\n".join(_MatcherSource(rule, names).lines)
    exec(compile(source, f"<matcher of rule {rule.debug_name!r}>", "exec"), names)
    matcher: Matcher = names["match_and_rewrite"]
    return matcher


def matcher_source(rule: IdentityRule) -> str:
    """Return the source of the matcher generated for a rule, for display."""
    return "\n".join(_MatcherSource(rule, {}).lines)


class _MatcherSource:
    """Generates the source of a rule's matcher. It tries each order of operands; without a match it returns
    the reason of the attempt that got furthest.
    """

    def __init__(self, rule: IdentityRule, names: dict[str, Any]) -> None:
        self.rule = rule
        self.names = names
        self.lines = ["def match_and_rewrite(rule, op, rewriter):"]
        self.is_single = len(rule.orders) == 1
        self.counter = 0
        self.indent = "    "
        if not self.is_single:
            self.write("furthest, reason = -1, None")
        for term in rule.orders:
            self.attempt(term)
        if not self.is_single:
            self.write("return reason")

    def write(self, line: str) -> None:
        self.lines.append(self.indent + line)

    def new_local(self, prefix: str) -> str:
        """Return a new name for a local variable: ``prefix`` and a number."""
        self.counter += 1
        return f"{prefix}{self.counter}"

    def new_global(self, prefix: str, value: Any) -> str:
        """Return a new name, which begins with ``prefix``, for a global variable of the matcher, whose value
        is ``value``.
        """
        name = self.new_local(prefix)
        self.names[name] = value
        return name

    def attempt(self, term: OpTerm) -> None:
        self.bound: dict[Any, str] = {}
        self.checks = 0
        if not self.is_single:
            self.write("while True:")
            self.indent += "    "
        self.match_op(term, "op", is_root=True)
        values = "".join(f"{self.bound[name]}, " for name in names_of(self.rule))
        self.write(f"answer = REWRITE(rule, op, rewriter, ({values}))")
        if self.is_single:
            self.write("return answer")
            return
        self.write("if answer is None:")
        self.write("    return None")
        self.write("if furthest < 1000:")
        self.write("    furthest, reason = 1000, answer")
        self.write("break")
        self.indent = self.indent[:-4]

    def reject(self, condition: str, reason: str) -> None:
        """Write code that ends this attempt if ``condition``, a Python expression, is true, with ``reason``
        for the refusal.
        """
        name = self.new_global("NO", NoMatch(reason))
        self.write(f"if {condition}:")
        if self.is_single:
            self.write(f"    return {name}")
            return
        self.write(f"    if furthest < {self.checks}:")
        self.write(f"        furthest, reason = {self.checks}, {name}")
        self.write("    break")
        self.checks += 1

    # --- terms

    def match_op(self, term: OpTerm, op: str, *, is_root: bool = False) -> None:
        """Write checks that the operation in the local variable ``op`` matches ``term``. Its kind is checked
        here with `is_root`; for operations that define operands it was checked before.
        """
        if is_root:
            kind = self.new_global("KIND", term.op_class.op_kind)
            self.reject(f"{op}.kind is not {kind}", f"the operation is not '{term.name}'")
        operands = self.new_local("operands")
        self.write(f"{operands} = {op}.operands")
        count = len(term.operands)
        self.reject(
            f"len({operands}) != {count} or len({op}.results) != 1",
            f"'{term.name}' does not have {count} operands and one result",
        )
        for name, wanted in term.attributes.items():
            self.match_attribute(term, op, name, wanted)
        places = [(operand, f"{operands}[{index}]", index) for index, operand in enumerate(term.operands)]
        places.sort(key=lambda place: isinstance(place[0], Variable))  # stable: kinds first, then variables
        for operand, place, index in places:
            self.match_operand(operand, place, f"operand {index} of '{term.name}'")

    def match_attribute(self, term: OpTerm, op: str, name: str, wanted: HeldAttribute) -> None:
        declared = term.op_class.op_kind.attributes_by_ir_name[name]
        default = declared.default if declared.default is not MISSING else None
        read = f"{op}.held_attributes.get({name!r}, {self.new_global('DEFAULT', default)})"
        where = f"attribute '{name}' of '{term.name}'"
        if isinstance(wanted, Attribute):
            self.reject(f"{read} is not {self.new_global('WANTED', wanted)}", f"{where} is not {wanted}")
            return
        assert isinstance(wanted, AttributeVariable), "patterns with other attributes are refused"
        self.bind(wanted, read, where)
        self.reject(f"{self.bound[wanted]} is None", f"{where} is missing")

    def bind(self, term: Variable | AttributeVariable | Constant, place: str, where: str) -> None:
        """Write code that assigns the expression ``place`` to a local variable for ``term``. At a second
        occurrence, write a check that both are the same. ``where`` describes the place in the reason.
        """
        known = self.bound.get(term)
        if known is None:
            self.bound[term] = local = self.new_local("bound")
            self.write(f"{local} = {place}")
        else:
            self.reject(f"{place} is not {known}", f"{where} is not '{term.name}', which occurs twice")

    def match_operand(self, term: Variable | Constant | OpTerm, place: str, where: str) -> None:
        if isinstance(term, Variable):
            self.bind(term, place, where)
            return
        value, op = self.new_local("value"), self.new_local("op")
        self.write(f"{value} = {place}")
        expected = f"'{term.name}'" if isinstance(term, OpTerm) else term.text
        reason = f"{where} is not {expected}"
        self.reject(f"type({value}) is not OpResult", reason)
        self.write(f"{op} = {value}.owner")
        if isinstance(term, OpTerm):
            self.reject(f"{op}.kind is not {self.new_global('KIND', term.op_class.op_kind)}", reason)
            if term.consumed:
                self.reject(f"not {value}.has_one_use", f"{where} is used elsewhere, too")
                self.bound[term.consumed] = op
            self.match_op(term, op)
            return
        self.reject(f"ConstantLike not in {op}.kind.trait_classes", reason)
        if term not in self.bound:
            self.match_wanted(term, f"{op}.held_attributes.get('value')", reason)
        self.bind(term, value, where)

    def match_wanted(self, term: Constant, read: str, reason: str) -> None:
        """Write a check that the attribute in the expression ``read`` exists and fits ``term``: it equals the
        wanted attribute or number, or the wanted function returns true for it. If ``term`` has no `wanted`,
        every attribute fits. The matcher declines with ``reason`` otherwise.
        """
        local = self.new_local("constant")
        self.write(f"{local} = {read}")
        self.reject(f"{local} is None", reason)
        if isinstance(term.wanted, Attribute):
            self.reject(f"{local} is not {self.new_global('WANTED', term.wanted)}", reason)
        elif term.wanted is not None and is_value(term.wanted):
            self.reject(f"not is_number({local}, {self.new_global('NUMBER', term.wanted)})", reason)
        elif term.wanted is not None:
            self.reject(f"not {self.new_global('TEST', term.wanted)}({local})", reason)


# --- results


def rewrite_match(
    rule: IdentityRule, op: Operation, rewriter: Rewriter, values: Sequence[Any]
) -> NoMatch | None:
    """Replace ``op``, which matched a rule, with the result of the rule, and erase the operations that the
    rule consumes. ``values`` are the bindings in the order of `names_of`. Return None, or a reason, with
    nothing changed, if the result cannot be built or is of another type.
    """
    bound = dict(zip(names_of(rule), values, strict=True))
    builder = _ResultBuilder(rule, op, bound)
    try:
        value = builder.build(rewriter)
    except _Declined as declined:
        builder.discard()
        return declined.reason
    if value.type is not op.results[0].type:
        builder.discard()
        return NoMatch("the result would be of type {}, not {}", (value.type, op.results[0].type))
    for made in builder.made:
        rewriter.insert(made)
    rewriter.replace(op, value)
    for name, found in bound.items():
        if isinstance(name, ErasedOperation):
            rewriter.erase(found)
    return None


class _Declined(Exception):
    """Raised if the result of a rule cannot be built."""

    def __init__(self, reason: NoMatch) -> None:
        super().__init__(reason.reason)
        self.reason = reason


class _ResultBuilder:
    """Builds the result of a rule: its operations are made, but not inserted into a block."""

    def __init__(self, rule: IdentityRule, op: Operation, bound: dict[Any, Any]) -> None:
        self.rule = rule
        self.op = op
        self.bound = bound
        self.made: list[Operation] = []

    def build(self, rewriter: Rewriter) -> Value:
        result = self.rule.result
        if not callable(result):
            return self.value(result, is_root=True)
        names = {term.name: bound for term, bound in self.named().items()}
        answer = result(rewriter, self.op, names)
        if isinstance(answer, NoMatch):
            raise _Declined(answer)
        if isinstance(answer, Attribute):
            return self.constant(answer)
        return answer if isinstance(answer, Value) else answer.results[0]

    def named(self) -> dict[Any, Any]:
        """Return the bindings for a `ResultFunction`: a matched constant is bound to its attribute, not to
        its value.
        """
        return {
            term: bound.owner.held_attributes["value"] if isinstance(term, Constant) else bound
            for term, bound in self.bound.items()
        }

    def value(self, term: Any, *, is_root: bool = False) -> Value:
        if isinstance(term, OpTerm):
            return self.operation(term, is_root=is_root)
        if isinstance(term, Constant) and term not in self.bound:
            return self.constant(term.wanted)
        found: Value = self.bound[term]
        return found

    def operation(self, term: OpTerm, *, is_root: bool) -> Value:
        """Make the operation ``term`` with its operands, and return its result. The operations are appended
        to `made`, and not inserted. The outermost operation (`is_root`) has the type of the replaced result;
        the result types of others are inferred. Raises `_Declined` if an operation cannot be made or is not
        valid; `discard` then drops `made`.
        """
        groups = [(self.value(operand),) for operand in term.operands]
        given = {name: self.attribute(value) for name, value in term.attributes.items()}
        types = [self.op.results[0].type] if is_root else None
        try:
            made = create_operation(term.op_class.op_kind, groups, given, types, self.op.lazy_location)
        except CannotCreate as error:
            raise _Declined(NoMatch("{}", (error,))) from error
        self.made.append(made)
        try:
            check_operation(made)  # operands whose types only a match decides may not fit together
        except VerifyError as error:
            raise _Declined(NoMatch("{}", (error,))) from error
        return made.results[0]

    def attribute(self, value: HeldAttribute) -> Attribute:
        """Return an attribute of the result: a given, a bound or a computed one."""
        if isinstance(value, ComputedAttribute):
            return value.value(self.bound[source] for source in value.sources)
        found: Attribute = self.bound[value] if isinstance(value, AttributeVariable) else value
        return found

    def constant(self, wanted: Any) -> Value:
        made = make_constant(self.rule.context, wanted, self.op)
        if made is None:
            raise _Declined(
                NoMatch(
                    "'{}' cannot make the constant {} of type {}",
                    (self.op.kind.dialect, wanted, self.op.results[0].type),
                )
            )
        self.made.append(made)
        return made.results[0]

    def discard(self) -> None:
        """Drop the operations that were made for a result that is not used."""
        for made in reversed(self.made):
            made.drop_all_references()
