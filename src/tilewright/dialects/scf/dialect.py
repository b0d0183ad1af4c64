"""The declaration of the ``scf`` dialect: its operations, types and attributes."""

from __future__ import annotations

from tilewright.dialects.scf import canonicalization, ops_loop, ops_parallel
from tilewright.ir.dialect import Dialect
from tilewright.ir.interfaces.control_flow import InlinerInterface

HAND_WRITTEN_SYNTAX = (
    "scf.execute_region",
    "scf.for",
    "scf.forall",
    "scf.forall.in_parallel",
    "scf.if",
    "scf.index_switch",
    "scf.parallel",
    "scf.while",
)
"""Operations whose custom syntax is not, or not only, written in the declaration (``custom<>`` directives)."""

SCF = Dialect(
    "scf",
    doc="Structured control flow.",
    operations=(*ops_loop.OPERATIONS, *ops_parallel.OPERATIONS),
    canonicalization_patterns=canonicalization.patterns,
    interfaces=(InlinerInterface(),),
    depends_on=("arith",),
)
