"""The declaration of the ``cute`` dialect: its operations, types and attributes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tilewright.dialects.cute.ops import OPERATIONS
from tilewright.dialects.cute.types import TYPES
from tilewright.dialects.cute_nvgpu.types import ConstrainedIntType
from tilewright.ir.attribute import Type
from tilewright.ir.dialect import Dialect

if TYPE_CHECKING:
    from tilewright.ir.text.parser import AttributeParser

_INTEGER = re.compile(r"i(\d{1,4})", re.ASCII)


def parse_type(parser: AttributeParser, mnemonic: str) -> Type | None:
    """``!cute.i32<divby 4>`` is the integer type that belongs to ``cute_nvgpu``."""
    found = _INTEGER.fullmatch(mnemonic)
    return ConstrainedIntType.parse_with_width(parser, int(found[1])) if found else None


CUTE = Dialect(
    "cute",
    doc="Layouts, coordinates and tensors over them.",
    operations=OPERATIONS,
    types=TYPES,
    parse_type=parse_type,
    depends_on=("nv_tileaa", "nv_tileas", "cutlass", "cute_nvgpu"),
)
