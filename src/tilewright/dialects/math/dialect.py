"""The declaration of the ``math`` dialect: its operations, types and attributes."""

from __future__ import annotations

from tilewright.dialects.arith.dialect import materialize_constant
from tilewright.dialects.math import ops
from tilewright.ir.dialect import Dialect, FoldTable
from tilewright.ir.interfaces.control_flow import InlinerInterface

HAND_WRITTEN_SYNTAX: tuple[str, ...] = ()
"""Operations whose custom syntax is not written in the declaration."""


def _folds() -> FoldTable:
    """Return the table, loaded when the first operation is to be folded."""
    from tilewright.dialects.math.folds import FOLDS

    return FOLDS


MATH = Dialect(
    "math",
    doc="Elementary functions.",
    operations=ops.OPERATIONS,
    interfaces=(InlinerInterface(),),
    folds=_folds,
    materialize_constant=materialize_constant,
    depends_on=("arith",),
)
