"""The operations of ``ttg`` that Triton's front end makes."""

from __future__ import annotations

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.ttg.enums import AddrSpace
from tilewright.dialects.ttg.kinds import ADDR_SPACE
from tilewright.ir.declaration.fields import attr_def


class BarrierOp(StandardOp, name="ttg.barrier"):
    """Waits until all threads of the program are there, and orders their accesses to some memory."""

    addrSpace: AddrSpace = attr_def(ADDR_SPACE, "The memory.")
    assembly_format = "$addrSpace attr-dict"


OPERATIONS = (BarrierOp,)
