"""The ``builtin`` dialect.  Its types and attributes are part of `tilewright.ir`."""

from __future__ import annotations

from tilewright.dialects.builtin import ops
from tilewright.ir.dialect import Dialect
from tilewright.ir.interfaces.control_flow import InlinerInterface

HAND_WRITTEN_SYNTAX: tuple[str, ...] = ()
"""Operations whose custom syntax is not written in the declaration."""

BUILTIN = Dialect(
    "builtin",
    doc="Modules and casts between type systems.",
    operations=ops.OPERATIONS,
    interfaces=(InlinerInterface(),),
)
