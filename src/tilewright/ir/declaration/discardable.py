"""Discardable attributes: each dialect has a table of those in its namespace, and all other names in it are refused.

A pass may drop a discardable attribute at any time.  What changes a result is an inherent attribute of an operation.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import Enum
from typing import TYPE_CHECKING

from tilewright.ir.attribute import Attribute
from tilewright.ir.declaration import attribute_kind, kind as declaration_kind
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.operation import UnregisteredOp
from tilewright.ir.support.record import Record
from tilewright.ir.support.strings import nearest

if TYPE_CHECKING:
    from tilewright.ir.operation import Operation


class AttributeHolder(Enum):
    """The holder of a discardable attribute."""

    OPERATION = "an operation"
    ARGUMENT = "an argument of a function"
    RESULT = "a result of a function"


class DiscardableAttribute(Record, frozen=True):
    """A discardable attribute: its full name, the kind of its values, and whether it belongs on operations,
    arguments or results (``place``).

    ``operations`` are the names of the operations that may have it, on themselves or on their arguments or
    results; empty if all operations may.
    """

    name: str
    kind: attribute_kind.AttributeKind
    doc: str
    operations: tuple[str, ...] = ()
    place: AttributeHolder = AttributeHolder.OPERATION


def check_discardable(
    table: Mapping[str, DiscardableAttribute],
    op: Operation,
    name: str,
    attribute: Attribute,
    place: AttributeHolder,
) -> None:
    """Raise `VerifyError` unless ``table``, which maps full names, has the attribute ``name`` for ``op`` and
    for a holder of the kind ``place``, and ``attribute`` is a value of its kind.
    """
    known = table.get(name)
    if known is None:
        dialect = name.partition(".")[0]
        raise VerifyError(
            f"has the unknown discardable attribute '{name}' on {place.value}",
            hint=_way_out(table, op, name, dialect),
        )
    if known.place is not place:
        raise VerifyError(
            f"has the attribute '{name}' on {place.value}, but it belongs on {known.place.value}"
        )
    if known.operations and op.kind.name not in known.operations:
        allowed = ", ".join(f"'{operation}'" for operation in known.operations)
        raise VerifyError(f"has the discardable attribute '{name}', which belongs on {allowed} only")
    if not known.kind.accepts(attribute):
        raise VerifyError(f"attribute '{name}' failed to satisfy constraint: {known.kind.description}")


def _way_out(table: Mapping[str, DiscardableAttribute], op: Operation, name: str, dialect: str) -> str:
    """Return a hint for the unknown attribute `name`: an inherent or discardable attribute with a similar
    name, or else all discardable attributes of `dialect`.
    """
    plain, prefix = name.removeprefix(f"{dialect}."), f"{dialect}."
    inherent = [field.ir_name for field in op.kind.attributes]
    near = nearest(plain, [*inherent, *(n.removeprefix(prefix) for n in table)]) or ""
    if near in inherent:
        return f"the operation has an inherent attribute '{near}': write it between '<{{' and '}}>'"
    if near:
        return f"did you mean '{prefix}{near}'?"
    return f"the discardable attributes of '{dialect}' are {', '.join(sorted(table)) or 'none'}"


class UnregisteredKind(declaration_kind.OperationKind):
    """The kind of an unknown operation: its name, and which of its attributes are properties.

    The attributes that were between ``<{`` and ``}>`` in the text are its properties, and are printed there
    again.
    """

    __slots__ = ("properties",)

    def __init__(self, name: str, properties: Collection[str] = ()) -> None:
        super().__init__(name, UnregisteredOp, registered=False)
        self.properties = frozenset(properties)

    def is_inherent(self, attribute_name: str) -> bool:
        return attribute_name in self.properties


def properties_of(kind: declaration_kind.OperationKind) -> frozenset[str]:
    """Return the names of the properties of the unknown operations of `kind`: the attributes between ``<{``
    and ``}>`` in their text. Operations with other properties have another kind. Return an empty set for a
    kind with a declaration.
    """
    return kind.properties if isinstance(kind, UnregisteredKind) else frozenset()
