"""The declaration of the ``pdl_interp`` dialect."""

from __future__ import annotations

from tilewright.ir.dialect import Dialect
from tilewright.pdl.dialects.pdl_interp import accessors, actions, predicates

HAND_WRITTEN_SYNTAX = (
    "pdl_interp.create_operation",
    "pdl_interp.create_range",
    "pdl_interp.foreach",
    "pdl_interp.func",
)
"""Operations whose custom syntax is not, or not only, written in the declaration (``custom<>`` directives)."""

PDL_INTERP = Dialect(
    "pdl_interp",
    doc="The steps that rewrite patterns are turned into.",
    operations=(*predicates.OPERATIONS, *actions.OPERATIONS, *accessors.OPERATIONS),
    depends_on=("pdl",),
)
