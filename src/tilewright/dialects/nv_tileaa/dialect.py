"""The ``nv_tileaa`` dialect."""

from __future__ import annotations

from tilewright.dialects.nv_tileaa.attributes import ATTRIBUTES, parse_attribute
from tilewright.dialects.nv_tileaa.types import TYPES
from tilewright.ir.dialect import Dialect

NV_TILEAA = Dialect(
    "nv_tileaa",
    doc="Tile programs with explicit memory objects and alias information.",
    types=TYPES,
    attributes=ATTRIBUTES,
    parse_attribute=parse_attribute,
)
