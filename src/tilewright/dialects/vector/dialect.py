"""The ``vector`` dialect: values of several dimensions in registers."""

from __future__ import annotations

from tilewright.dialects.arith.dialect import materialize_constant
from tilewright.dialects.vector import (
    canonicalization,
    folds,
    ops_arithmetic,
    ops_mask,
    ops_memory,
    ops_shape,
)
from tilewright.dialects.vector.enums import ATTRIBUTES
from tilewright.ir.control_flow import InlinerInterface
from tilewright.ir.dialect import Dialect

HAND_WRITTEN_SYNTAX: tuple[str, ...] = (
    "vector.contract",
    "vector.mask",
    "vector.outerproduct",
    "vector.transfer_read",
    "vector.transfer_write",
)
"""Operations whose custom syntax is not written in the declaration."""

OPERATIONS = (
    *ops_arithmetic.OPERATIONS,
    *ops_shape.OPERATIONS,
    *ops_memory.OPERATIONS,
    *ops_mask.OPERATIONS,
)

VECTOR = Dialect(
    "vector",
    doc="The ``vector`` dialect: values of several dimensions in registers.",
    operations=OPERATIONS,
    attributes=ATTRIBUTES,
    folds=folds.FOLDS,
    materialize_constant=materialize_constant,
    canonicalization_patterns=canonicalization.patterns,
    interfaces=(InlinerInterface(),),
    depends_on=("arith",),
)
