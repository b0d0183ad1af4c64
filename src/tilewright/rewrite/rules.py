"""Rewrite patterns that are declared as identities between terms, such as ``x + 0 == x``.

    x, y = variables("x y")
    rule("x + 0 == x", op_pattern(AddIOp, x, constant(0)), x)
    rule("x - x == 0", op_pattern(SubIOp, x, x), constant(0))
    rule("x + x == 2 * x", op_pattern(AddIOp, x, x), op_pattern(MulIOp, x, constant(2)))

The operands of a commutative operation match in both orders, unless the term is `ordered`. A variable that
occurs twice matches the same value twice. The replacement has the type of the replaced value. The matcher of
a rule is generated as Python code when the rule is first tried; its cheapest tests come first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any

from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import (
    DenseElementsAttr,
    FloatAttr,
    IntegerAttr,
    float_attribute,
    splat,
)
from tilewright.ir.builtin_types import FloatType, IndexType, IntegerType, RankedTensorType, VectorType
from tilewright.ir.declaration.attribute_kind import AttributeKind
from tilewright.ir.declaration.traits import Commutative, ConstantLike
from tilewright.ir.operation import Operation
from tilewright.ir.support.strings import nearest
from tilewright.ir.value import Value
from tilewright.rewrite.folding import constant_hook
from tilewright.rewrite.pattern import DefinedBy, NoMatch, RewritePattern
from tilewright.rewrite.rewriter import Rewriter

if TYPE_CHECKING:
    from tilewright.ir.context import Context

MAXIMUM_ORDERS = 16
"""The maximum number of orders of operands that a rule may have; its matcher has code for each."""

Number = int | float
Bindings = Mapping[str, Any]
"""Maps the names in a rule to their matches: variables to values, constants and attribute variables to
attributes, and consumed operations to operations.
"""


@dataclass(frozen=True, eq=False)
class Variable:
    """Matches any value. A variable that occurs twice matches only if both values are the same."""

    name: str


@dataclass(frozen=True, eq=False)
class AttributeVariable:
    """Matches any attribute. A variable that occurs twice matches only if both attributes are the same."""

    name: str


@dataclass(frozen=True, eq=False)
class ComputedAttribute:
    """An attribute of a rule's result, computed by ``function`` from the matched attributes ``sources``,
    which are of the same kind.

    ``function`` takes and returns Python values, such as int or an enum case, as the fields of op classes do.
    """

    function: Callable[..., Any]
    sources: tuple[AttributeVariable, ...]
    kind: AttributeKind | None = None
    """The kind of the field that gets the attribute; `op_pattern` sets it."""

    def value(self, sources: Iterable[Attribute]) -> Attribute:
        """Compute the attribute from ``sources``, the matched attributes."""
        assert self.kind is not None, "it stands in an `op_pattern`"
        return self.kind.to_attribute(self.function(*map(self.kind.from_attribute, sources)))


HeldAttribute = Attribute | AttributeVariable | ComputedAttribute
"""An attribute of an operation in a rule: a fixed one, any one that is bound to a variable, or a computed
one.
"""


@dataclass(frozen=True, eq=False)
class Constant:
    """Matches a value that a constant operation defines, or makes a constant in a result. ``wanted``
    restricts its attribute: a number (in the type of the value), an attribute, a predicate on the attribute,
    or None for any. ``name`` is its name in `Bindings`.
    """

    wanted: Number | Attribute | Callable[[Attribute], bool] | None
    name: str

    @property
    def text(self) -> str:
        """A description for the reason of a refusal: "the constant 0"."""
        if self.wanted is None:
            return "a constant"
        return f"a constant {self.name}" if callable(self.wanted) else f"the constant {self.wanted}"


@dataclass(frozen=True, eq=False)
class ErasedOperation:
    """The name, in `Bindings`, of an operation of the pattern that is erased together with the root. The
    pattern matches only if no other operation uses it.
    """

    name: str


@dataclass(frozen=True, eq=False)
class OpTerm:
    """Matches an operation with one result by its class, operands and attributes, or makes such an operation
    in a result. With ``is_ordered``, operands of a commutative operation match in the given order only;
    ``consumed`` marks an operation that is erased with the root.
    """

    op_class: type[Operation]
    operands: tuple[Term, ...]
    attributes: Mapping[str, HeldAttribute]
    """The attributes by their names in the IR; attributes that are not listed are ignored by a match."""
    is_ordered: bool = False
    consumed: ErasedOperation | None = None

    @property
    def name(self) -> str:
        """The name of the operation."""
        return self.op_class.op_kind.name


Term = Variable | Constant | OpTerm
ResultFunction = Callable[[Rewriter, Any, Bindings], Value | Operation | Attribute | NoMatch]
"""A function that computes the result of a rule from the rewriter, the matched operation and the bindings.

It returns the value, the operation or (for a constant) the attribute that replaces the matched operation. If
it returns `NoMatch`, it must not have changed anything.
"""


def variables(names: str) -> tuple[Variable, ...]:
    """Return variables with the given names: ``x, y = variables("x y")``."""
    return tuple([Variable(name) for name in names.split()])


def attribute(name: str) -> AttributeVariable:
    """Return a variable called `name` that matches any attribute."""
    return AttributeVariable(name)


def computed(function: Callable[..., Any], *sources: AttributeVariable) -> ComputedAttribute:
    """Return an attribute for the result of a rule: ``function`` computes it from matched attributes of the
    same kind.
    """
    return ComputedAttribute(function, sources)


def constant(
    wanted: Number | Attribute | Callable[[Attribute], bool] | None = None, name: str = ""
) -> Constant:
    """Return a term for a constant. In a pattern it matches a constant whose attribute fulfils ``wanted``. If
    the term occurs in the result only, it makes a constant of the value ``wanted``. ``name`` is the name in
    `Bindings` (default: the name of a predicate, or "constant").
    """
    return Constant(wanted, name or getattr(wanted, "__name__", "constant"))


def op_pattern(op_class: type[Operation], *operands: Term, **attributes: Any) -> OpTerm:
    """Return a term for an operation with ``operands`` and ``attributes``, which are named as in the op
    class. Raises `ValueError` for an attribute that the class does not declare.

    An attribute may be an `Attribute`, a Python value of its field, an `attribute` variable, or, in a result,
    `computed` from variables.
    """
    given = dict(_attributes(op_class, attributes))
    return OpTerm(op_class, operands, given)


def _attributes(op_class: type[Operation], given: Mapping[str, Any]) -> Iterator[tuple[str, HeldAttribute]]:
    fields = {field.python_name: field for field in op_class.op_kind.attributes}
    for name, value in given.items():
        declared = fields.get(name)
        if declared is None:
            near = nearest(name, fields)
            hint = f"; did you mean '{near}'?" if near else ""
            raise ValueError(f"'{op_class.op_kind.name}' has no attribute '{name}'{hint}")
        if isinstance(value, ComputedAttribute):
            yield declared.ir_name, replace(value, kind=declared.kind)
        else:
            ready = isinstance(value, Attribute | AttributeVariable)
            yield declared.ir_name, value if ready else declared.kind.to_attribute(value)


def ordered(term: OpTerm) -> OpTerm:
    """Return ``term`` with its operands matched in the given order only, even if the operation is
    commutative.
    """
    return replace(term, is_ordered=True)


def consumed(name: str, term: OpTerm) -> OpTerm:
    """Return ``term`` as an operation that has no user but the matched operations, and is erased with the
    root. A `ResultFunction` finds it in its bindings under `name`.
    """
    return replace(term, consumed=ErasedOperation(name))


def rule(name: str, pattern: OpTerm, result: Term | ResultFunction, *, benefit: int = 1) -> IdentityRule:
    """Return a rule that replaces operations matching ``pattern`` with ``result``, a term or a function that
    computes it. ``name`` is its debug name; rules with a larger ``benefit`` are tried first. Raises
    `ValueError` for an inconsistent rule.
    """
    return IdentityRule(name, pattern, result, benefit=benefit)


class IdentityRule(RewritePattern[Any]):
    """A rewrite pattern that replaces operations matching the term ``pattern`` with ``result``: a term, or a
    function that gets the rewriter, the operation and the bindings. The function returns the replacement (a
    value, an operation, or an attribute for a constant) or a `NoMatch`.

    ``name`` is the debug name of the pattern. The two operands of a commutative operation match in either
    order unless its term is ordered.
    """

    def __init__(
        self, name: str, pattern: OpTerm, result: Term | ResultFunction, *, benefit: int = 1
    ) -> None:
        built = [term for term in terms(result) if isinstance(term, OpTerm)]
        names = list(dict.fromkeys(term.name for term in built))
        super().__init__(root=pattern.op_class, benefit=benefit, debug_name=name, generated_ops=names)
        self.pattern = pattern
        self.result = result
        self.orders = tuple(orders(pattern))
        self.defined_by = _definers(self.orders)
        _check(self)

    def match_and_rewrite(self, op: Operation, rewriter: Rewriter) -> NoMatch | None:
        return self.compiled(self, op, rewriter)

    @cached_property
    def compiled(self) -> Callable[[IdentityRule, Operation, Rewriter], NoMatch | None]:
        """The generated matcher: ``(rule, op, rewriter) -> NoMatch | None``. It is compiled at the first
        use.
        """
        from tilewright.rewrite.rule_matcher import compile_rule

        return compile_rule(self)


def terms(result: Any) -> Iterator[Any]:
    """Yield ``result`` and all terms nested in it (operands, attributes, sources of computed attributes),
    outer ones first.
    """
    pending = [result]
    while pending:
        term = pending.pop()
        yield term
        if isinstance(term, OpTerm):
            pending.extend(reversed(tuple(term.attributes.values())))
            pending.extend(reversed(term.operands))
        elif isinstance(term, ComputedAttribute):
            pending.extend(reversed(term.sources))


def orders(term: Any) -> Iterator[Any]:
    """Yield ``term`` in every order of the operands of its commutative operations, the given order first."""
    if not isinstance(term, OpTerm):
        yield term
        return
    for operands in product(*[tuple(orders(operand)) for operand in term.operands]):
        yield replace(term, operands=operands)
        if _commutes(term) and operands[0] is not operands[1]:
            yield replace(term, operands=(operands[1], operands[0]))


def _definers(orders: Sequence[OpTerm]) -> tuple[DefinedBy, ...]:
    """Return, for each order, the op class or trait that must define each operand of the root. Returns an
    empty tuple if some order has only variables as operands.
    """
    ways = [
        {
            at: operand.op_class if isinstance(operand, OpTerm) else ConstantLike
            for at, operand in enumerate(term.operands)
            if not isinstance(operand, Variable)
        }
        for term in orders
    ]
    return tuple(ways) if all(ways) else ()


def _commutes(term: OpTerm) -> bool:
    commutative = Commutative in term.op_class.op_kind.trait_classes
    return commutative and not term.is_ordered and len(term.operands) == 2


def _check(rule: IdentityRule) -> None:
    """Raise `ValueError` if the rule has too many orders of operands or two terms of one name, if its pattern
    has a computed attribute or consumes the root, or if its result uses a term that the pattern does not
    bind, or a constant without a value.
    """
    if len(rule.orders) > MAXIMUM_ORDERS:
        raise ValueError(
            f"rule '{rule.debug_name}' has {len(rule.orders)} orders of operands to try, at most {MAXIMUM_ORDERS} "
            "are supported; use ordered(...)"
        )
    matched = set(terms(rule.pattern))
    names: dict[str, Any] = {}
    for term in matched:
        if isinstance(term, ComputedAttribute):
            raise ValueError(f"the pattern of rule '{rule.debug_name}' has an attribute that is computed")
    if rule.pattern.consumed:
        raise ValueError(f"the root of rule '{rule.debug_name}' is replaced anyway")
    for term in names_of(rule):
        if (
            isinstance(term, Variable | AttributeVariable | ErasedOperation)
            and names.setdefault(term.name, term) is not term
        ):
            raise ValueError(f"rule '{rule.debug_name}' has two things of the name '{term.name}'")
    for term in terms(rule.result):
        if isinstance(term, Variable | AttributeVariable) and term not in matched:
            raise ValueError(
                f"the result of rule '{rule.debug_name}' uses '{term.name}', which is not matched"
            )
        if isinstance(term, Constant) and term not in matched and not is_value(term.wanted):
            raise ValueError(f"the result of rule '{rule.debug_name}' makes a constant of unknown value")


def is_value(wanted: Any) -> bool:
    """True if `wanted` of a constant is a number or an attribute, not a predicate or None."""
    return isinstance(wanted, int | float | Attribute)


# --- constants ------------------------------------------------------------------------------------------------------


def number_attribute(number: Number, type: Type) -> Attribute | None:
    """Return ``number`` as an attribute of ``type``; for a vector or tensor, a splat. None if the type is
    dynamic or has no numbers, or if ``number`` is a fraction and the type one of integers.
    """
    match type:
        case IntegerType() | IndexType():
            is_whole = isinstance(number, int) or number.is_integer()
            return IntegerAttr(type, int(number)) if is_whole else None
        case FloatType():
            return float_attribute(float(number), type)
        case (VectorType() | RankedTensorType()) as shaped if all(extent >= 0 for extent in shaped.shape):
            scalar = number_attribute(number, shaped.element_type)
            return splat(shaped, number) if isinstance(scalar, IntegerAttr | FloatAttr) else None
        case _:
            return None


def is_number(attribute: Attribute | None, number: Number) -> bool:
    """True if `attribute` is ``number`` in its own type, or a dense attribute whose elements all are."""
    if isinstance(attribute, DenseElementsAttr):
        wanted = number_attribute(number, attribute.type)
        return isinstance(wanted, DenseElementsAttr) and set(attribute.patterns()) == set(wanted.patterns())
    if isinstance(attribute, IntegerAttr | FloatAttr):
        return attribute is number_attribute(number, attribute.type)
    return False


def make_constant(context: Context | None, wanted: Number | Attribute, op: Operation) -> Operation | None:
    """Return a new constant operation, not inserted, with the type of the first result of ``op``, made by the
    dialect of ``op``. None without a context, or if the dialect or the type has no such constant. Raises
    `DiagnosticError` if the dialect has no `materialize_constant`.
    """
    type = op.results[0].type
    value = wanted if isinstance(wanted, Attribute) else number_attribute(wanted, type)
    if context is None or value is None:
        return None
    return constant_hook(context, op)(value, type, op.location)


def names_of(rule: IdentityRule) -> Sequence[Any]:
    """Return the terms that a match binds, in the order of the matcher's values: variables, attribute
    variables, constants, and the names of consumed operations.
    """
    found = [term.consumed if isinstance(term, OpTerm) else term for term in terms(rule.pattern)]
    return list(dict.fromkeys(term for term in found if term and not isinstance(term, Attribute)))
