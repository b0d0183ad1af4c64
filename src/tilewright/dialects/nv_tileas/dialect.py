"""The ``nv_tileas`` dialect."""

from __future__ import annotations

from tilewright.dialects.nv_tileas.attributes import ATTRIBUTES
from tilewright.dialects.nv_tileas.types import TYPES
from tilewright.ir.dialect import Dialect

NV_TILEAS = Dialect(
    "nv_tileas",
    doc="Tile programs scheduled into asynchronous pipelines of agents.",
    types=TYPES,
    attributes=ATTRIBUTES,
    depends_on=("nv_tileaa",),
)
