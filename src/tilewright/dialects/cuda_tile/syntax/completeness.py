"""Tests whether the custom syntax loses nothing of an operation; other operations are printed in generic
form.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.ir.declaration.attribute_kind import UnitKind
from tilewright.ir.declaration.constraint import OneOf, TypeVariable
from tilewright.ir.declaration.fields import MISSING, Arity
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.operation import Operation


def is_complete(op: Operation, argument_types: Sequence[Any] | None = None) -> bool:
    """Return whether an operation has the attributes, operands, results and blocks that its declaration
    demands, and the types that the text does not repeat, so that the custom form loses nothing.
    ``argument_types`` are the types that the arguments of all blocks must have, if the text spells them
    elsewhere; None allows any.
    """
    kind = op.kind
    return (
        _has_attributes(op, kind)
        and _fits(kind.operands, kind.operand_sizes(op), len(op.operands))
        and _fits(kind.results, kind.result_sizes(op), len(op.results))
        and _agrees((*kind.operands, *kind.results), (*op.operands, *op.results))
        and len(op.regions) == len(kind.regions)
        and (not op.regions or _has_blocks(op, argument_types))
    )


def _has_attributes(op: Operation, kind: OperationKind) -> bool:
    for field in kind.attributes:
        attribute = op.held_attributes.get(field.ir_name)
        if attribute is not None:
            if not field.kind.accepts(attribute):
                return False
        elif not field.optional and field.default is MISSING and not isinstance(field.kind, UnitKind):
            return False
    return True


def _fits(fields: Sequence[Any], sizes: Sequence[int], total: int) -> bool:
    if sum(sizes) != total:
        return False
    return all(
        size == 1 or field.arity is Arity.VARIADIC or (size == 0 and field.arity is Arity.OPTIONAL)
        for field, size in zip(fields, sizes, strict=True)
    )


def _agrees(fields: Sequence[Any], values: Sequence[Any]) -> bool:
    """Return whether operands and results have equal types where the declaration has one type variable, and
    the type that a field allows if it allows only one: the text does not spell these types again. True
    without a test if a field is optional or variadic.
    """
    if any(field.arity is not Arity.ONE for field in fields):
        return True
    types: dict[Any, Any] = {}
    for field, value in zip(fields, values, strict=True):
        constraint = field.constraint
        if (
            isinstance(constraint, TypeVariable)
            and types.setdefault(constraint, value.type) is not value.type
        ):
            return False
        if (
            isinstance(constraint, OneOf)
            and len(constraint.types) == 1
            and value.type is not constraint.types[0]
        ):
            return False
    return True


def _has_blocks(op: Operation, argument_types: Sequence[Any] | None) -> bool:
    for field, region in zip(op.kind.regions, op.regions, strict=True):
        if len(region.blocks) != 1 and (region.blocks or not field.optional):
            return False
        for block in region.blocks if argument_types is not None else ():
            if [argument.type for argument in block.arguments] != list(argument_types or ()):
                return False
    return True
