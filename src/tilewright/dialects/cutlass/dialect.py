"""The declaration of the ``cutlass`` dialect: its operations, types and attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.dialects.common.base import StandardOp
from tilewright.dialects.cutlass.types import TYPES
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_types import i32
from tilewright.ir.declaration.attribute_kind import IntegerKind
from tilewright.ir.declaration.fields import attr_def, optional_attr_def
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.dialect import Dialect
from tilewright.ir.operation import Operation

if TYPE_CHECKING:
    from tilewright.ir.text.parser import AttributeParser

NAMED_BARRIERS = 16
"""The named barriers of a block."""
WARP = 32


class ArriveAndWaitOp(StandardOp, name="cutlass.named_barrier.arrive_and_wait"):
    """Waits at the named barrier `barrier_id`, 0 to 15, until ``threads`` threads arrive, a multiple of 32;
    all of the block by default. Orders their accesses.
    """

    barrier_id: int = attr_def(IntegerKind(i32, minimum=0), "The number of the barrier, 0 to 15.")
    threads: int | None = optional_attr_def(
        IntegerKind(i32, minimum=0), "How many threads, a multiple of 32.", default=None
    )
    assembly_format = "$barrier_id (`for` $threads^)? attr-dict"

    def verify_(self) -> None:
        if self.barrier_id >= NAMED_BARRIERS:
            raise VerifyError(f"expects a barrier from 0 to {NAMED_BARRIERS - 1}, got {self.barrier_id}")
        if self.threads is not None and (not self.threads or self.threads % WARP):
            raise VerifyError(f"expects a number of threads that is a multiple of {WARP}, got {self.threads}")


OPERATIONS: tuple[type[Operation], ...] = (ArriveAndWaitOp,)
"""The operations of this module."""


def parse_type(parser: AttributeParser, mnemonic: str) -> Type | None:
    """Raise `ParseError`: the dialect has only the types that are declared, and `mnemonic` is none of them."""
    raise parser.error(f"dialect 'cutlass' provides no type parsing hook for '{mnemonic}'")


def parse_attribute(parser: AttributeParser, mnemonic: str) -> Attribute | None:
    """Raise `ParseError`: the dialect has no attributes."""
    raise parser.error(f"dialect 'cutlass' provides no attribute parsing hook for '{mnemonic}'")


CUTLASS = Dialect(
    "cutlass",
    doc="Pipelines, sequence barriers and tile schedulers of GEMM-like kernels.",
    operations=OPERATIONS,
    types=TYPES,
    parse_type=parse_type,
    parse_attribute=parse_attribute,
    depends_on=("nv_tileaa", "nv_tileas"),
)
