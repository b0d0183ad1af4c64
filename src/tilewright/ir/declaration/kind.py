"""The interned record behind an operation's kind: its name, declaration and traits.

Two operations are of the same kind iff ``a.kind is b.kind``; nothing on a hot path compares names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import DenseArrayAttr, dense_integers
from tilewright.ir.declaration.attribute_kind import UnitKind
from tilewright.ir.declaration.constraint import OneOf, TypeVariable
from tilewright.ir.declaration.fields import (
    MISSING,
    Arity,
    AttributeField,
    OperandField,
    OpField,
    RegionField,
    ResultField,
    SuccessorField,
)
from tilewright.ir.declaration.traits import (
    SameVariadicOperandSize,
    SameVariadicResultSize,
    Terminator,
    Trait,
)
from tilewright.ir.support.record import Record
from tilewright.ir.support.strings import first_paragraph
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.operation import Operation

_T = TypeVar("_T", bound=Trait)

OPERAND_SEGMENTS = "operandSegmentSizes"
RESULT_SEGMENTS = "resultSegmentSizes"
_MAXIMUM_SHARES = 1 << 10
"""The maximum number of divisions of values among fields remembered for a kind."""

_DERIVED = (
    "_operand_shares",
    "_result_shares",
    "attributes",
    "attributes_by_ir_name",
    "operand_arities",
    "operands",
    "places",
    "positional",
    "regions",
    "result_sources",
    "results",
    "segmented_operands",
    "segmented_results",
    "successors",
    "summary",
    "valid_attributes",
)
"""The attributes of kinds that are computed from declarations; `DeclaredKind` computes them at the first use
of one.
"""


class OperationKind:
    """The shared properties of all operations of one kind: name, op class, declared fields, traits, and
    properties derived from these. There is one record for each op class, and for each name of unregistered
    operations.
    """

    __slots__ = (
        *_DERIVED,
        "declared_fields",
        "dialect",
        "has_derived_inference",
        "is_registered",
        "is_terminator",
        "mnemonic",
        "name",
        "op_class",
        "trait_classes",
        "traits",
        "valid_signatures",
        "verification",
    )

    def __init__(
        self,
        name: str,
        op_class: type[Operation],
        fields: Sequence[OpField] = (),
        traits: Sequence[Trait] = (),
        *,
        registered: bool = True,
    ) -> None:
        self.name = name
        self.dialect, _, self.mnemonic = name.partition(".")
        self.op_class = op_class
        self.is_registered = registered
        self.declared_fields = tuple(fields)
        self.traits = tuple(traits)
        self.trait_classes = frozenset(base for trait in traits for base in type(trait).__mro__)
        self.is_terminator = Terminator in self.trait_classes
        self.has_derived_inference = False
        """Whether constructors infer result types from ``result_sources``, and the class has no rule of its own."""
        self.valid_signatures: set[tuple[Type, ...]] = set()
        """Operand and result types that have passed the type rules. They need no second check, as type rules
        depend on nothing else.
        """
        self.verification: Any = None
        """The `_VerificationPlan` of this kind, which the verifier sets at its first operation."""

        self._derive()

    def _derive(self) -> None:
        """Set the attributes that follow from the declared fields and traits: the fields of each sort, their
        division among operands and results, and the sources of result types.
        """
        fields = self.declared_fields
        self.summary = first_paragraph(self.op_class.__doc__)
        self.operands = [f for f in fields if isinstance(f, OperandField)]
        self.results = [f for f in fields if isinstance(f, ResultField)]
        self.attributes = [f for f in fields if isinstance(f, AttributeField)]
        self.regions = [f for f in fields if isinstance(f, RegionField)]
        self.successors = [f for f in fields if isinstance(f, SuccessorField)]
        self.attributes_by_ir_name = {field.ir_name: field for field in self.attributes}
        traits = self.trait_classes
        self.segmented_operands = _is_segmented(self.operands) and SameVariadicOperandSize not in traits
        self.segmented_results = _is_segmented(self.results) and SameVariadicResultSize not in traits
        self._operand_shares = _Shares(self.operands, OPERAND_SEGMENTS if self.segmented_operands else None)
        self._result_shares = _Shares(self.results, RESULT_SEGMENTS if self.segmented_results else None)
        self.operand_arities = {
            name: field.arity for field in self.operands for name in (field.python_name, field.name)
        }
        """The arity of each operand field, by its Python name and by its name in the IR."""
        self.places = _places(self.results, False) | _places(self.operands, True)
        self.positional: list[OperandField | AttributeField] = [
            f for f in fields if isinstance(f, OperandField | AttributeField) and not f.kw_only
        ]
        """The fields that a constructor takes by position."""
        self.result_sources = _result_sources(self)
        self.valid_attributes: dict[str, set[Attribute]] = {f.ir_name: set() for f in self.attributes}

    def __repr__(self) -> str:
        return f"<OperationKind {self.name}>"

    def has_trait(self, trait: type[Trait]) -> bool:
        """Return whether operations of this kind have a trait of the class `trait`, or of a class derived
        from it.
        """
        return trait in self.trait_classes

    def trait(self, trait: type[_T]) -> _T | None:
        """Return the trait object of the class `trait` or a class derived from it; None if the kind has none."""
        return next((t for t in self.traits if isinstance(t, trait)), None)

    def is_inherent(self, attribute_name: str) -> bool:
        """Return whether an attribute name belongs to the declaration (printed between ``<{`` and ``}>``);
        the attributes with segment sizes always do.
        """
        return attribute_name in self.attributes_by_ir_name or attribute_name in (
            OPERAND_SEGMENTS,
            RESULT_SEGMENTS,
        )

    def operand_sizes(self, op: Operation) -> Sequence[int]:
        """Return the number of operands of each operand field in ``op``, in the order of the declaration;
        zeros if ``op`` lacks a valid attribute of segment sizes that the kind stores.
        """
        return self._operand_shares.of(op, len(op.operands)).sizes

    def result_sizes(self, op: Operation) -> Sequence[int]:
        """Return the number of results of each result field in ``op``, in the order of the declaration; zeros
        if ``op`` lacks a valid attribute of segment sizes that the kind stores.
        """
        return self._result_shares.of(op, len(op.results)).sizes

    def operand_parts(self, op: Operation) -> Mapping[str, slice]:
        """Return, for each operand field, the slice of the operands of ``op`` that it has; the keys are both
        names of each field.
        """
        return self._operand_shares.of(op, len(op.operands)).parts

    def field_values(self, op: Operation, name: str) -> tuple[Value, ...]:
        """Return the values of an operand or result field of ``op``; empty if an optional one is absent.
        Raises `KeyError` for an unknown field.
        """
        place = self.places.get(name)
        if place is not None:
            is_operand, part = place
            return op.operands[part] if is_operand else op.results[part]
        part = self._operand_shares.of(op, len(op.operands)).parts.get(name)
        if part is not None:
            return op.operands[part]
        part = self._result_shares.of(op, len(op.results)).parts.get(name)
        if part is not None:
            return op.results[part]
        raise KeyError(f"'{self.name}' has no operand or result field '{name}'")


class DeclaredKind(OperationKind):
    """A kind whose derived attributes have not been computed yet: programs use few of all kinds.

    At the first use of a derived attribute it becomes an `OperationKind`, which reads them directly.
    """

    __slots__ = ()

    def _derive(self) -> None:
        """Do nothing: derived attributes are computed at the first use."""

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            """Compute the derived attributes at the first use of one of them."""
            if name not in _DERIVED:
                raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
            OperationKind._derive(self)
            self.__class__ = OperationKind
            return getattr(self, name)


def _places(fields: Sequence[OperandField | ResultField], is_operand: bool) -> dict[str, tuple[bool, slice]]:
    """Return, by the name of a field, whether it is an operand field, and its slice of the operands or
    results.

    Empty if more than one field is optional or variadic: the slices then differ between operations.
    """
    variable = [at for at, field in enumerate(fields) if field.arity is not Arity.ONE]
    if len(variable) > 1:
        return {}
    places: dict[str, tuple[bool, slice]] = {}
    for at, field in enumerate(fields):
        from_end = at - len(fields)
        start = from_end if variable and at > variable[0] else at
        stop = at + 1 if not variable or at < variable[0] else from_end + 1 or None
        places[field.name] = is_operand, slice(start, stop)
    return places


def _is_segmented(fields: Sequence[OperandField] | Sequence[ResultField]) -> bool:
    return sum(field.arity is not Arity.ONE for field in fields) > 1


class _Share(Record, frozen=True):
    """A division of operands or results among fields: the number of values of each field, and the slice of
    values by each name of a field.
    """

    sizes: tuple[int, ...]
    parts: dict[str, slice]


class _Shares:
    """Assigns the operands or results of operations of a kind to its fields.

    The assignment depends on their number, or on the attribute with the sizes of segments; each is computed
    once.
    """

    __slots__ = ("_fields", "_known", "_segments", "_variable")

    def __init__(self, fields: Sequence[OperandField | ResultField], segments: str | None) -> None:
        self._fields = fields
        self._segments = segments
        self._variable = sum(field.arity is not Arity.ONE for field in fields)
        self._known: dict[Any, _Share] = {}

    def of(self, op: Operation, total: int) -> _Share:
        """Return the division of the ``total`` operands (or results) of ``op`` among the fields."""
        key = total if self._segments is None else op.held_attributes.get(self._segments)
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= _MAXIMUM_SHARES:
                self._known.clear()
            found = self._known[key] = self._share(key)
        return found

    def _share(self, key: Any) -> _Share:
        sizes = self._sizes(key)
        parts: dict[str, slice] = {}
        end = 0
        for field, size in zip(self._fields, sizes, strict=True):
            start, end = end, end + size
            for name in (field.python_name, field.name):
                parts.setdefault(name, slice(start, end))
        return _Share(sizes, parts)

    def _sizes(self, key: Any) -> tuple[int, ...]:
        """Return the number of values of each field. ``key`` is the number of all values, or the attribute of
        segment sizes if the kind has one; an attribute that does not fit gives zeros.
        """
        if self._segments is not None:
            fits = isinstance(key, DenseArrayAttr) and len(key.values) == len(self._fields)
            return key.values if fits else (0,) * len(self._fields)
        rest = (key - (len(self._fields) - self._variable)) // max(self._variable, 1)
        return tuple([1 if field.arity is Arity.ONE else max(rest, 0) for field in self._fields])


class Accessor:
    """The placeholder for the property of a field in an op class; the property replaces it at the first use
    of the field.
    """

    __slots__ = ("_field", "_kind")

    def __init__(self, field: OpField, kind: OperationKind) -> None:
        self._field = field
        self._kind = kind

    def __get__(self, op: Operation | None, owner: type[Operation] | None = None) -> Any:
        found = self._settled()
        return found if op is None else found.__get__(op, owner)

    def __set__(self, op: Operation, value: Any) -> None:
        self._settled().__set__(op, value)

    def _settled(self) -> property:
        found = _property(self._field, self._kind)
        setattr(self._kind.op_class, self._field.python_name, found)
        return found


def _property(field: OpField, kind: OperationKind) -> property:
    """Return the property through which an op class shows a field: attributes can be set, all other fields
    only read.
    """
    match field:
        case OperandField():
            return _value_property(field, kind, "operands")
        case ResultField():
            return _value_property(field, kind, "results")
        case AttributeField():
            return _attribute_property(field)
        case RegionField():
            return _indexed_property(field, kind, "regions", field.variadic)
        case SuccessorField():
            return _indexed_property(field, kind, "successors", field.arity is Arity.VARIADIC)
        case _:
            raise TypeError(f"unknown field {field!r}")


def _value_property(field: OperandField | ResultField, kind: OperationKind, group: str) -> property:
    fields: Any = getattr(kind, group)
    position = fields.index(field)
    if all(f.arity is Arity.ONE for f in fields[: position + 1]):
        if isinstance(field, OperandField):
            return property(lambda op: op.operands[position], doc=field.doc)
        return property(lambda op: op.results[position], doc=field.doc)
    if field.arity is Arity.OPTIONAL:
        return property(lambda op: next(iter(op.kind.field_values(op, field.name)), None), doc=field.doc)
    if field.arity is Arity.ONE:
        return property(lambda op: op.kind.field_values(op, field.name)[0], doc=field.doc)
    place = kind.places.get(field.name)
    if place is None:
        return property(lambda op: op.kind.field_values(op, field.name), doc=field.doc)
    is_operand, part = place
    if is_operand:
        return property(lambda op: op.operands[part], doc=field.doc)
    return property(lambda op: op.results[part], doc=field.doc)


def _attribute_property(field: AttributeField) -> property:
    name, kind, default = field.ir_name, field.kind, field.default
    absent = None if default is MISSING else default
    without = False if isinstance(kind, UnitKind) else None
    shown = kind.from_attribute

    def read(op: Operation) -> Any:
        attribute = op.held_attributes.get(name, absent)
        return shown(attribute) if attribute is not None else without

    def write(op: Operation, value: Any) -> None:
        if value is None or (value is without and field.optional):
            op.attributes.pop(name, None)
        else:
            op.attributes[name] = kind.to_attribute(value)

    return property(read, write, doc=field.doc)


def _indexed_property(field: OpField, kind: OperationKind, group: str, variadic: bool) -> property:
    fields: Any = getattr(kind, group)
    position = fields.index(field)
    if variadic:
        return property(lambda op: getattr(op, group)[position:], doc=field.doc)
    return property(lambda op: getattr(op, group)[position], doc=field.doc)


def segments(sizes: Sequence[int]) -> DenseArrayAttr:
    """Return the attribute that stores segment sizes: the number of values of each field."""
    return dense_integers(sizes)


def _result_sources(kind: OperationKind) -> list[int | Type] | None:
    """Return for every result its type, or the position of an operand of the same type; None if one of them
    is not known.

    A result can be inferred if its constraint admits a single type, or is a type variable shared with an
    operand before all optional and variadic operands.
    """
    bound: dict[TypeVariable, int] = {}
    for position, field in enumerate(kind.operands):
        if field.arity is not Arity.ONE:
            break
        if isinstance(field.constraint, TypeVariable):
            bound[field.constraint] = position
    sources: list[int | Type] = []
    for field in kind.results:
        constraint = field.constraint
        if field.arity is not Arity.ONE:
            return None
        if isinstance(constraint, TypeVariable) and constraint in bound:
            sources.append(bound[constraint])
        elif isinstance(constraint, OneOf) and len(constraint.types) == 1:
            sources.append(constraint.types[0])
        else:
            return None
    return sources


def inferred_result_types(kind: OperationKind, operands: Sequence[Value]) -> list[Type] | None:
    """Return the result types that follow from the declaration alone; None if they do not, or if operands are
    missing.
    """
    sources = kind.result_sources
    if sources is None or any(isinstance(s, int) and s >= len(operands) for s in sources):
        return None
    return [operands[source].type if isinstance(source, int) else source for source in sources]
