"""Operations by their names, as MLIR's Python bindings create them: `tilewright.Operation.create`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from tilewright.ir.attribute import Attribute, Location, Type
from tilewright.ir.block import Block, Region
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.construction.constructor import as_value
from tilewright.ir.context import Context
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.location import UNKNOWN
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


def create(
    name: str,
    results: Sequence[Type] | None,
    operands: Sequence[Value | Operation] | None,
    attributes: Mapping[str, Attribute] | None,
    successors: Sequence[Block] | None,
    regions: int,
    loc: Location | None,
    ip: InsertionPoint | Literal[False] | None,
    infer_type: bool,
) -> Operation:
    """Create an operation by name; the implementation of `Operation.create`.

    Raises `ValueError` for both results and `infer_type`.
    """
    kind = _kind(name)
    values = [as_value(operand) for operand in operands or ()]
    own = dict(attributes or {})
    inner = [Region() for _ in range(regions)]
    if infer_type and results is not None:
        raise ValueError("give either results or infer_type, not both")
    types = kind.op_class.infer_result_types(values, own, inner) if infer_type else results or ()
    place = loc or Location.current or UNKNOWN
    made = Operation.from_parts(kind, values, tuple(types), own, inner, successors or (), place)
    point = InsertionPoint.current if ip is None else ip
    return point.insert(made) if point else made


def _kind(name: str) -> OperationKind:
    context = Context.current
    if context is None:
        raise ValueError(f"'{name}' is looked up in a context: enter one, `with tilewright.Context():`")
    kind = context.kind(name)
    if kind is None and context.allow_unregistered:
        return context.unregistered_kind(name)
    if kind is None:
        close = context.suggestion(name)
        hint = f"; did you mean '{close}'?" if close else ""
        raise ValueError(f"the context has no operation '{name}'{hint}")
    return kind
