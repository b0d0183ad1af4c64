"""The declaration of the ``ttg`` dialect: its operations, types and attributes."""

from __future__ import annotations

from tilewright.dialects.ttg import ops
from tilewright.ir.dialect import Dialect
from tilewright.ir.interfaces.control_flow import InlinerInterface

TTG = Dialect(
    "ttg",
    doc="Triton's programs on a GPU; of it no more than what front ends make.",
    operations=ops.OPERATIONS,
    interfaces=(InlinerInterface(),),
    depends_on=("tt",),
)
