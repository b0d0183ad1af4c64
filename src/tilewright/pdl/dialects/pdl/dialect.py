"""The declaration of the ``pdl`` dialect."""

from __future__ import annotations

from tilewright.ir.dialect import Dialect
from tilewright.pdl.dialects.pdl import ops, types as pdl_types

HAND_WRITTEN_SYNTAX = ("pdl.operation", "pdl.range", "pdl.results")
"""Operations whose custom syntax is not, or not only, written in the declaration (``custom<>`` directives)."""

PDL = Dialect("pdl", doc="Rewrite patterns as data.", operations=ops.OPERATIONS, types=pdl_types.TYPES)
