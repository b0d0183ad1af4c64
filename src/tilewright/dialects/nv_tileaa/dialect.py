"""The declaration of the ``nv_tileaa`` dialect: its operations, types and attributes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.arith.dialect import materialize_constant as materialize_scalar
from tilewright.dialects.nv_tileaa import discardable as tileaa_discardable, types as tileaa_types
from tilewright.dialects.nv_tileaa.attributes import ATTRIBUTES, parse_attribute
from tilewright.dialects.nv_tileaa.ops import math, memory, pointer, program, queue, shape, structure
from tilewright.dialects.nv_tileaa.ops.program import ReturnOp
from tilewright.ir import builtin_attributes, dialect
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.interfaces.control_flow import InlinerInterface
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value


class TileInliner(InlinerInterface):
    """Allows every operation of the dialect to be inlined; the operands of `nv_tileaa.return` become the
    results of the call.
    """

    def returned(self, op: Operation) -> Sequence[Value] | None:
        return op.operands if isinstance(op, ReturnOp) else None


OPERATIONS: tuple[type[Operation], ...] = (
    *structure.OPERATIONS,
    *pointer.OPERATIONS,
    *shape.OPERATIONS,
    *math.OPERATIONS,
    *memory.OPERATIONS,
    *program.OPERATIONS,
    *queue.OPERATIONS,
)


def materialize_constant(value: Attribute, type: Type, location: Any) -> Operation | None:
    """Return a ``nv_tileaa.constant_tensor`` for dense elements of the type `type`, or an ``arith.constant``
    for a scalar; None for other attributes.
    """
    if not isinstance(value, builtin_attributes.DenseElementsAttr) or value.type is not type:
        return materialize_scalar(value, type, location)
    kind = structure.ConstantTensorOp.op_kind
    return Operation.from_parts(kind, (), [type], {"value": value}, location=location)


def _folds() -> dialect.FoldTable:
    """Return the dialect's table of folds, which is imported on first use."""
    from tilewright.dialects.nv_tileaa.folds import FOLDS

    return FOLDS


def _patterns() -> Sequence[Any]:
    """Return the dialect's canonicalization patterns in order; they are imported on first use."""
    from tilewright.dialects.nv_tileaa.canonicalization import patterns

    return patterns()


NV_TILEAA = dialect.Dialect(
    "nv_tileaa",
    doc="Tile programs with explicit memory objects and alias information.",
    operations=OPERATIONS,
    types=tileaa_types.TYPES,
    attributes=ATTRIBUTES,
    parse_attribute=parse_attribute,
    folds=_folds,
    materialize_constant=materialize_constant,
    canonicalization_patterns=_patterns,
    interfaces=(TileInliner(),),
    discardable_attributes=tileaa_discardable.DISCARDABLE_ATTRIBUTES,
)
