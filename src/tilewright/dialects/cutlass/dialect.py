"""The declaration of the ``cutlass`` dialect: its operations, types and attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.dialects.cutlass.ops import OPERATIONS
from tilewright.dialects.cutlass.types import TYPES
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.dialect import Dialect

if TYPE_CHECKING:
    from tilewright.ir.text.parser import AttributeParser


def parse_type(parser: AttributeParser, mnemonic: str) -> Type | None:
    """Raise for every mnemonic that is not declared."""
    raise parser.error(f"dialect 'cutlass' provides no type parsing hook for '{mnemonic}'")


def parse_attribute(parser: AttributeParser, mnemonic: str) -> Attribute | None:
    """Raise for every mnemonic: the dialect has no attributes of its own in text."""
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
