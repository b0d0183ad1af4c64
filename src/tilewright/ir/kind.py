"""The interned record behind an operation's kind: its name, declaration, traits and interfaces.

Two operations are of the same kind iff ``a.kind is b.kind``; nothing on a hot path compares names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.attribute_kind import UnitKind
from tilewright.ir.builtin_attributes import DenseArrayAttr, dense_integers
from tilewright.ir.constraint import OneOf, TypeVariable
from tilewright.ir.declaration import (
    MISSING,
    Arity,
    AttributeField,
    Field,
    OperandField,
    RegionField,
    ResultField,
    SuccessorField,
)
from tilewright.ir.traits import Terminator, Trait
from tilewright.ir.value import Value

if TYPE_CHECKING:
    from tilewright.ir.operation import Operation

_T = TypeVar("_T", bound=Trait)

OPERAND_SEGMENTS = "operandSegmentSizes"
RESULT_SEGMENTS = "resultSegmentSizes"


class OperationKind:
    """Everything that all operations of one kind share.  There is one record per op class."""

    __slots__ = (
        "attributes",
        "attributes_by_ir_name",
        "dialect",
        "interfaces",
        "is_registered",
        "is_terminator",
        "mnemonic",
        "name",
        "op_class",
        "operands",
        "regions",
        "results",
        "segmented_operands",
        "segmented_results",
        "successors",
        "summary",
        "trait_classes",
        "traits",
        "valid_attributes",
        "valid_signatures",
    )

    def __init__(
        self,
        name: str,
        op_class: type[Operation],
        fields: Sequence[Field] = (),
        traits: Sequence[Trait] = (),
        *,
        registered: bool = True,
    ) -> None:
        self.name = name
        self.dialect, _, self.mnemonic = name.partition(".")
        self.op_class = op_class
        self.is_registered = registered
        self.summary = (op_class.__doc__ or "").strip().partition("\n")[0]
        self.operands = [f for f in fields if isinstance(f, OperandField)]
        self.results = [f for f in fields if isinstance(f, ResultField)]
        self.attributes = [f for f in fields if isinstance(f, AttributeField)]
        self.regions = [f for f in fields if isinstance(f, RegionField)]
        self.successors = [f for f in fields if isinstance(f, SuccessorField)]
        self.attributes_by_ir_name = {field.ir_name: field for field in self.attributes}
        self.traits = tuple(traits)
        self.trait_classes = frozenset(base for trait in traits for base in type(trait).__mro__)
        self.is_terminator = Terminator in self.trait_classes
        self.interfaces: dict[Any, Any] = {}
        self.segmented_operands = _is_segmented(self.operands)
        self.segmented_results = _is_segmented(self.results)
        self.valid_signatures: set[tuple[Type, ...]] = set()
        """Operand and result types that passed the type rules once; those rules see nothing else."""
        self.valid_attributes: dict[str, set[Attribute]] = {f.ir_name: set() for f in self.attributes}

    def __repr__(self) -> str:
        return f"<OperationKind {self.name}>"

    def has_trait(self, trait: type[Trait]) -> bool:
        """Whether operations of this kind have a trait."""
        return trait in self.trait_classes

    def trait(self, trait: type[_T]) -> _T | None:
        """The trait object of a class, or None."""
        return next((t for t in self.traits if isinstance(t, trait)), None)

    def is_inherent(self, attribute_name: str) -> bool:
        """Whether an attribute name belongs to the declaration (printed between ``<{`` and ``}>``)."""
        return attribute_name in self.attributes_by_ir_name or attribute_name in (
            OPERAND_SEGMENTS,
            RESULT_SEGMENTS,
        )

    def operand_sizes(self, op: Operation) -> list[int]:
        """How many operands each operand field has in ``op``."""
        return _sizes(self.operands, self.segmented_operands, OPERAND_SEGMENTS, len(op.operands), op)

    def result_sizes(self, op: Operation) -> list[int]:
        """How many results each result field has in ``op``."""
        return _sizes(self.results, self.segmented_results, RESULT_SEGMENTS, len(op.results), op)

    def field_values(self, op: Operation, name: str) -> tuple[Value, ...]:
        """The values of an operand or result field."""
        for fields, values, sizes in (
            (self.operands, op.operands, self.operand_sizes),
            (self.results, op.results, self.result_sizes),
        ):
            for position, field in enumerate(fields):
                if field.name == name:
                    counts = sizes(op)
                    start = sum(counts[:position])
                    return tuple(values[start : start + counts[position]])
        raise KeyError(f"'{self.name}' has no operand or result field '{name}'")


def _is_segmented(fields: Sequence[OperandField] | Sequence[ResultField]) -> bool:
    return sum(field.arity is not Arity.ONE for field in fields) > 1


def _sizes(
    fields: Sequence[OperandField] | Sequence[ResultField],
    segmented: bool,
    name: str,
    total: int,
    op: Operation,
) -> list[int]:
    if segmented:
        segments = op.attributes.get(name)
        if isinstance(segments, DenseArrayAttr) and len(segments.values) == len(fields):
            return list(segments.values)
        return [0] * len(fields)
    rest = total - (len(fields) - 1)
    return [1 if field.arity is Arity.ONE else max(rest, 0) for field in fields]


def accessor(field: Field, kind_of: Callable[[], OperationKind]) -> property:
    """The property through which an op class shows a field."""
    match field:
        case OperandField():
            return _value_property(field, kind_of, "operands")
        case ResultField():
            return _value_property(field, kind_of, "results")
        case AttributeField():
            return _attribute_property(field)
        case RegionField():
            return _indexed_property(field, kind_of, "regions", field.variadic)
        case SuccessorField():
            return _indexed_property(field, kind_of, "successors", field.arity is Arity.VARIADIC)
        case _:
            raise TypeError(f"unknown field {field!r}")


def _value_property(
    field: OperandField | ResultField, kind_of: Callable[[], OperationKind], group: str
) -> property:
    fields: Any = getattr(kind_of(), group)
    position = fields.index(field)
    if all(f.arity is Arity.ONE for f in fields[: position + 1]):
        return property(lambda op: getattr(op, group)[position], doc=field.doc)
    if field.arity is Arity.OPTIONAL:
        return property(lambda op: next(iter(op.kind.field_values(op, field.name)), None), doc=field.doc)
    if field.arity is Arity.ONE:
        return property(lambda op: op.kind.field_values(op, field.name)[0], doc=field.doc)
    return property(lambda op: op.kind.field_values(op, field.name), doc=field.doc)


def _attribute_property(field: AttributeField) -> property:
    name, kind, default = field.ir_name, field.kind, field.default
    absent = None if default is MISSING else default

    def read(op: Operation) -> Any:
        attribute = op.attributes.get(name, absent)
        return kind.from_attribute(attribute) if attribute is not None else _absent(kind)

    def write(op: Operation, value: Any) -> None:
        if value is None or (value is False and field.optional):
            op.attributes.pop(name, None)
        else:
            op.attributes[name] = kind.to_attribute(value)

    return property(read, write, doc=field.doc)


def _absent(kind: Any) -> Any:
    return False if isinstance(kind, UnitKind) else None


def _indexed_property(
    field: Field, kind_of: Callable[[], OperationKind], group: str, variadic: bool
) -> property:
    fields: Any = getattr(kind_of(), group)
    position = fields.index(field)
    if variadic:
        return property(lambda op: getattr(op, group)[position:], doc=field.doc)
    return property(lambda op: getattr(op, group)[position], doc=field.doc)


def segments(sizes: Sequence[int]) -> DenseArrayAttr:
    """The attribute that stores segment sizes."""
    return dense_integers(sizes)


def inferred_result_types(kind: OperationKind, operands: Sequence[Value]) -> list[Type] | None:
    """Result types that follow from the declaration alone, or None.

    A result is inferable when its constraint admits a single type or is a type variable shared with an operand.
    """
    bound: dict[TypeVariable, Type] = {}
    for field, value in zip(kind.operands, operands, strict=False):
        if field.arity is not Arity.ONE:
            break
        if isinstance(field.constraint, TypeVariable):
            bound[field.constraint] = value.type
    types: list[Type] = []
    for field in kind.results:
        constraint = field.constraint
        if field.arity is not Arity.ONE:
            return None
        if isinstance(constraint, TypeVariable) and constraint in bound:
            types.append(bound[constraint])
        elif isinstance(constraint, OneOf) and len(constraint.types) == 1:
            types.append(constraint.types[0])
        else:
            return None
    return types
