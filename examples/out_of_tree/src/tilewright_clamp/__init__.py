"""A package that extends tilewright: `EXTENSION` names what it brings, by places that are imported when needed."""

from __future__ import annotations

from tilewright.driver.extensions.extension import Extension
from tilewright.driver.target import Target

EXTENSION = Extension(
    dialects={"clamp": "tilewright_clamp.dialect:CLAMP"},
    passes={
        "lower-clamp": "tilewright_clamp.lower:LowerClamp",
        "clamp-to-tile-ir": "tilewright_clamp.pipeline:ClampToTileIR",
    },
    targets=(
        Target(
            "listing",
            "lists the operations of a kernel",
            hooks="tilewright_clamp.target:HOOKS",
            loader="tilewright_clamp.target:Listing",
        ),
    ),
)
