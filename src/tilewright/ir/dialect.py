"""A dialect: a named set of operations, types and attributes, with the hooks that others call on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.declaration import discardable
from tilewright.ir.interfaces.interface import Interface, InterfaceMap

if TYPE_CHECKING:
    from tilewright.ir.declaration.kind import OperationKind
    from tilewright.ir.operation import FoldResult, Operation
    from tilewright.ir.text.parser import AttributeParser


Fold = Callable[[Any, "Sequence[Attribute | None]"], "FoldResult"]
"""``fold(op, constants)``: return values or attributes that are equal to the results of ``op``, without a
new operation.

``constants`` holds the attribute of each operand that is a constant, else None. Returns None (no fold), a
value or an attribute for a single result, or a sequence with an entry for each result. Values must exist
already; attributes become constants.
"""
FoldTable = Mapping[type["Operation"], Fold]
"""Maps classes of operations to their folds."""


class OperandFold:
    """The fold ``rule``, which applies only if an operand is a constant, or is defined by an operation of the
    classes ``definers``. Drivers call it only for such operands.
    """

    __slots__ = ("definers", "rule")

    def __init__(self, rule: Fold, definers: tuple[type[Operation], ...]) -> None:
        self.rule = rule
        self.definers = definers

    def __call__(self, op: Operation, constants: Sequence[Attribute | None]) -> FoldResult:
        """Return what ``rule`` returns for `op`: values or attributes that are equal to its results, or None.
        `constants` has the attribute of each operand that is a constant, else None.
        """
        return self.rule(op, constants)


def folds_of(rule: Fold, *definers: type[Operation]) -> OperandFold:
    """Return the fold ``rule`` as one that drivers call only if an operand is a constant, or is defined by an
    operation of the classes ``definers``.
    """
    return OperandFold(rule, definers)


def constant_folds(table: FoldTable) -> FoldTable:
    """Return `table` with its rules marked as called only if an operand is a constant."""
    return {op_class: folds_of(rule) for op_class, rule in table.items()}


class Dialect:
    """A dialect: its operations, types, attributes, folds and interfaces.

    ``types`` and ``attributes`` are classes whose ``name`` starts with the dialect's name.
    ``parse_type(parser, mnemonic)`` and ``parse_attribute(parser, mnemonic)`` parse other mnemonics of the
    dialect; they return None for a mnemonic that they do not have. ``folds`` is a table, or a function that
    returns it. ``materialize_constant(attribute, type, location)`` makes the constant operation for an
    attribute, or returns None. ``canonicalization_patterns`` returns the patterns of the canonicaliser.
    ``discardable_attributes`` is the table of the discardable attributes in the dialect's namespace; without
    one, all names are accepted. ``depends_on`` names dialects that must be loaded, or available in the
    context.
    """

    def __init__(
        self,
        name: str,
        *,
        operations: Iterable[type[Operation]] = (),
        types: Iterable[type[Type]] = (),
        attributes: Iterable[type[Attribute]] = (),
        doc: str = "",
        parse_type: Callable[[AttributeParser, str], Type | None] | None = None,
        parse_attribute: Callable[[AttributeParser, str], Attribute | None] | None = None,
        folds: FoldTable | Callable[[], FoldTable] | None = None,
        materialize_constant: Callable[[Attribute, Type, Any], Operation | None] | None = None,
        canonicalization_patterns: Callable[[], Sequence[Any]] | None = None,
        discardable_attributes: Iterable[discardable.DiscardableAttribute] | None = None,
        interfaces: Iterable[Interface] = (),
        depends_on: Iterable[str] = (),
    ) -> None:
        self.name = name
        self.doc = doc
        self.operations = tuple(operations)
        self.types = {type_class.name.partition(".")[2]: type_class for type_class in types}
        self.attributes = {cls.name.partition(".")[2]: cls for cls in attributes}
        self.parse_type = parse_type
        self.parse_attribute = parse_attribute
        self._folds = folds
        self.materialize_constant = materialize_constant
        self.canonicalization_patterns = canonicalization_patterns
        known = discardable_attributes
        self.discardable_attributes: Mapping[str, discardable.DiscardableAttribute] | None = (
            None if known is None else {attribute.name: attribute for attribute in known}
        )
        self._interfaces = tuple(interfaces)
        self.depends_on = tuple(depends_on)

    @cached_property
    def kinds(self) -> Mapping[str, OperationKind]:
        """The kinds of the operations, by name."""
        return {op_class.op_kind.name: op_class.op_kind for op_class in self.operations}

    @cached_property
    def folds(self) -> FoldTable:
        """The folds by operation class. If the dialect was given a function, it is called at the first fold."""
        given = self._folds
        return given() if callable(given) else given or {}

    @cached_property
    def interfaces(self) -> InterfaceMap:
        """The interfaces of the dialect. Their type ids are made at the first use: importing a dialect makes none."""
        return InterfaceMap(self._interfaces)

    def verify_operation_attribute(self, op: Operation, name: str, attribute: Attribute) -> None:
        """Raise `VerifyError` unless `op` may have the discardable attribute `name`, of this dialect, with
        this value. A dialect without a table accepts all.
        """
        self._verify(op, name, attribute, discardable.AttributeHolder.OPERATION)

    def verify_region_argument_attribute(self, op: Operation, name: str, attribute: Attribute) -> None:
        """Raise `VerifyError` unless an argument of the function `op` may have the attribute `name`, of this
        dialect, with this value.
        """
        self._verify(op, name, attribute, discardable.AttributeHolder.ARGUMENT)

    def verify_region_result_attribute(self, op: Operation, name: str, attribute: Attribute) -> None:
        """Raise `VerifyError` unless a result of the function `op` may have the attribute `name`, of this
        dialect, with this value.
        """
        self._verify(op, name, attribute, discardable.AttributeHolder.RESULT)

    def _verify(
        self, op: Operation, name: str, attribute: Attribute, place: discardable.AttributeHolder
    ) -> None:
        if self.discardable_attributes is not None:
            discardable.check_discardable(self.discardable_attributes, op, name, attribute, place)

    def __repr__(self) -> str:
        return f"<Dialect {self.name}: {len(self.operations)} operations>"


LOADED: dict[str, tuple[Dialect, ...]] = {}
"""The dialects that contexts of this process have loaded, by name: mostly one each. They are looked up here
if only an operation is at hand, as operations do not refer to their context.
"""


def add_loaded_dialect(dialect: Dialect) -> None:
    """Enter a dialect that a context has loaded into `LOADED`, beside other dialects of its name."""
    known = LOADED.get(dialect.name, ())
    if dialect not in known:
        LOADED[dialect.name] = (*known, dialect)
