"""The subjects of reference pages: dialects with their operations, types and attributes, element types, codes."""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path

import tilewright.dialects
import tilewright.pdl.dialects
from tilewright.dialects.cuda_tile.types import ELEMENTS
from tilewright.ir import codes as ir_codes, diagnostic
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, IntegerType
from tilewright.ir.dialect import Dialect

PUBLISHED = ("cuda_tile", "tt")
"""Dialects whose pages are written to the documentation; `tilewright explain` has pages for all others as well."""

CODE_MODULES = (
    "tilewright.ir.codes",
    "tilewright.bytecode.codes",
    "tilewright.cpp.codes",
    "tilewright.interp.codes",
    "tilewright.driver.codes",
    "tilewright.passes.codes",
    "tilewright.rewrite.codes",
    "tilewright.lowering.codes",
    "tilewright.optimizer.codes",
    "tilewright.targets.codes",
    "tilewright.targets.nvptx.codes",
    "tilewright.runtime.codes",
    "tilewright.abi.codes",
    "tilewright.inspect.codes",
    "tilewright.gpu_programs.codes",
    "tilewright.cuda_programs.codes",
    "tilewright.layouts.codes",
    "tilewright.ptx.codes",
    "tilewright.ptxsim.codes",
    "tilewright.explorer.codes",
    "tilewright.tool_server.codes",
    "tilewright.prover.codes",
)
"""The modules that declare diagnostic codes.

They are imported by name, since upper layers must not be imported here.
"""


@cache
def dialect_names() -> tuple[str, ...]:
    """Return the name of every dialect that the installation brings: published dialects first, then the
    others, each group in alphabetical order.
    """
    return tuple(sorted(sorted(_dialect_packages()), key=lambda name: name not in PUBLISHED))


@cache
def _dialect_packages() -> dict[str, str]:
    """Return the import path of the package of each dialect, by the dialect's name."""
    return {
        file.parent.name: f"{package.__name__}.{file.parent.name}"
        for package in (tilewright.dialects, tilewright.pdl.dialects)
        for folder in package.__path__
        for file in sorted(Path(folder).glob("*/dialect.py"))
    }


@cache
def dialect(name: str) -> Dialect:
    """Return a dialect by name. Raises `KeyError` if the installation has no such dialect."""
    module = importlib.import_module(f"{_dialect_packages()[name]}.dialect")
    found: Dialect = getattr(module, name.upper())
    return found


@cache
def codes() -> dict[str, diagnostic.DiagnosticCode]:
    """Return every diagnostic code by its text (``TW0101``), in order of the numbers."""
    for module in CODE_MODULES:
        importlib.import_module(module)
    return {str(code): code for _, code in sorted(ir_codes.CATALOGUE.items())}


def element_types() -> dict[str, Type]:
    """Return the scalar types of Tile IR by spelling."""
    return {element_name(element): element for element in ELEMENTS}


def element_name(element: Type) -> str:
    """Return the spelling of a scalar type, such as ``f32``."""
    return element.spelling if isinstance(element, IntegerType | FloatType) else str(element)
