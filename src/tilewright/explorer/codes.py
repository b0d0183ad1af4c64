"""Diagnostic codes of the explorer (TW16xx)."""

from __future__ import annotations

from tilewright.ir.codes import code

NOT_BUILT = code(
    1600,
    "the explorer's page has not been built",
    "The browser's side of `tilewright explore` is built from `src/tilewright/explorer/web` by npm. Wheels bring what was "
    "built; in a checkout `make explorer` builds it.",
)
NOTHING_TO_EXPLORE = code(
    1601,
    "nothing to explore",
    "`tilewright explore` takes a Python program, a module of Tile IR (bytecode or text) or a file of PTX that exists and "
    "can be read.",
)
