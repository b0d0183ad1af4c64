"""The declaration of the ``cf`` dialect: its operations, types and attributes."""

from __future__ import annotations

from tilewright.dialects.cf import canonicalization, ops
from tilewright.dialects.cf.inlining import BranchInliner
from tilewright.ir.dialect import Dialect

HAND_WRITTEN_SYNTAX = ("cf.switch",)
"""Operations whose custom syntax is not, or not only, written in the declaration (``custom<>`` directives)."""

CF = Dialect(
    "cf",
    doc="Branches between blocks.",
    operations=ops.OPERATIONS,
    interfaces=(BranchInliner(),),
    canonicalization_patterns=canonicalization.patterns,
    depends_on=("arith",),
)
