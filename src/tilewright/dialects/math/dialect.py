"""The ``math`` dialect."""

from __future__ import annotations

from tilewright.dialects.arith.dialect import materialize_constant
from tilewright.dialects.math import folds, ops
from tilewright.ir.control_flow import InlinerInterface
from tilewright.ir.dialect import Dialect

HAND_WRITTEN_SYNTAX: tuple[str, ...] = ()
"""Operations whose custom syntax is not written in the declaration."""

MATH = Dialect(
    "math",
    doc="Elementary functions.",
    operations=ops.OPERATIONS,
    interfaces=(InlinerInterface(),),
    folds=folds.FOLDS,
    materialize_constant=materialize_constant,
    depends_on=("arith",),
)
