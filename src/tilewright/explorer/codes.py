"""Diagnostic codes of the explorer (TW16xx)."""

from __future__ import annotations

from tilewright.ir.codes import code

NOT_INSTALLED = code(
    1600,
    "the explorer's page is not installed",
    "Every installation has the browser's side of `tilewright explore`, in `tilewright/explorer/assets`: wheels, source "
    "distributions and checkouts bring it. A file of it is missing here or cannot be read; installing again brings it "
    "back, and in a checkout `git checkout src/tilewright/explorer/assets` does.",
)
NOTHING_TO_EXPLORE = code(
    1601,
    "nothing to explore",
    "`tilewright explore` takes a Python program, a module of Tile IR (bytecode or text) or a file of PTX that exists and "
    "can be read.",
)
