"""Making operations from a kind, values and attributes, as patterns that are data do it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tilewright.ir.attribute import Attribute, Location, Type
from tilewright.ir.declaration.fields import MISSING
from tilewright.ir.declaration.kind import OPERAND_SEGMENTS, OperationKind, segments
from tilewright.ir.location import LazyLocation
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


class CannotCreate(Exception):
    """An operation cannot be made; the text is the reason."""


def create_operation(
    kind: OperationKind,
    groups: Sequence[Sequence[Value]],
    attributes: Mapping[str, Attribute],
    result_types: Sequence[Type] | None,
    location: Location | LazyLocation,
) -> Operation:
    """Return an operation that is in no block yet; raises `CannotCreate`.

    ``result_types`` None means: infer them.  Attributes that have a default get it.  Where the operand groups of a
    kind vary in size and ``groups`` has one entry for each, their sizes are stored.
    """
    operands = [value for group in groups for value in group]
    own = {**attributes}
    for field in kind.attributes:
        if field.default is not MISSING and field.default is not None:
            own.setdefault(field.ir_name, field.default)
    if kind.segmented_operands and len(groups) == len(kind.operands):
        own.setdefault(OPERAND_SEGMENTS, segments([len(group) for group in groups]))
    types = inferred_types(kind, operands, own) if result_types is None else result_types
    return Operation.from_parts(kind, operands, types, own, location=location)


def inferred_types(
    kind: OperationKind, operands: Sequence[Value], attributes: Mapping[str, Attribute]
) -> Sequence[Type]:
    """Return the result types by the inference rule of the kind; raises `CannotCreate`.

    The rules of op classes expect operands and attributes as declared; errors that they raise for others
    become the reason.
    """
    try:
        return kind.op_class.infer_result_types(operands, attributes, ())
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise CannotCreate(f"the result types of '{kind.name}' cannot be inferred: {error}") from error
