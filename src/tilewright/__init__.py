"""tilewright: the open compiler for CUDA Tile IR.

    tilewright.launch(bytecode, "kernel", (4, 1, 1), [array, 1024], target="cpu")
    tilewright.compile("kernel.mlir").asm["tileir"]
    tilewright.Module.parse(text).body.operations

Names are loaded on first use, so that importing the package costs nothing.
"""

from __future__ import annotations

from tilewright.version import __version__

TYPE_CHECKING = (
    False  # type checkers take it for true; the constant of `typing` costs as much as an empty Python
)
if TYPE_CHECKING:
    from typing import Any

    from tilewright.driver.artifact import Artifact
    from tilewright.driver.bindings import Context, Module, PassManager
    from tilewright.driver.comparison.launch import compare
    from tilewright.driver.compile import compile
    from tilewright.driver.diff.inputs import diff
    from tilewright.driver.launch import launch
    from tilewright.driver.sources import load
    from tilewright.driver.stages import CompileOptions
    from tilewright.driver.startup import context
    from tilewright.driver.target import Target
    from tilewright.ir.attribute import Attribute, Location, Type
    from tilewright.ir.block import Block, Region
    from tilewright.ir.builder import Builder, InsertionPoint
    from tilewright.ir.diagnostic import Diagnostic, DiagnosticError
    from tilewright.ir.operation import Operation
    from tilewright.ir.value import BlockArgument, OpResult, Value
    from tilewright.ir.walker import WalkOrder, WalkResult

__all__ = [
    "Artifact",
    "Attribute",
    "Block",
    "BlockArgument",
    "Builder",
    "CompileOptions",
    "Context",
    "Diagnostic",
    "DiagnosticError",
    "InsertionPoint",
    "Location",
    "Module",
    "OpResult",
    "Operation",
    "PassManager",
    "Region",
    "Target",
    "Type",
    "Value",
    "WalkOrder",
    "WalkResult",
    "__version__",
    "compare",
    "compile",
    "context",
    "diff",
    "launch",
    "load",
]

_HOMES = {
    "Artifact": "driver.artifact",
    "Attribute": "ir.attribute",
    "Block": "ir.block",
    "BlockArgument": "ir.value",
    "Builder": "ir.builder",
    "CompileOptions": "driver.stages",
    "Context": "driver.bindings",
    "Diagnostic": "ir.diagnostic",
    "DiagnosticError": "ir.diagnostic",
    "InsertionPoint": "ir.builder",
    "Location": "ir.attribute",
    "Module": "driver.bindings",
    "OpResult": "ir.value",
    "Operation": "ir.operation",
    "PassManager": "driver.bindings",
    "Region": "ir.block",
    "Target": "driver.target",
    "Type": "ir.attribute",
    "Value": "ir.value",
    "WalkOrder": "ir.walker",
    "WalkResult": "ir.walker",
    "compare": "driver.comparison.launch",
    "compile": "driver.compile",
    "context": "driver.startup",
    "diff": "driver.diff.inputs",
    "launch": "driver.launch",
    "load": "driver.sources",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'tilewright' has no attribute '{name}'")
    import importlib

    value = globals()[name] = getattr(importlib.import_module(f"tilewright.{home}"), name)
    return value


def load_ipython_extension(shell: Any) -> None:
    """IPython calls this function for ``%load_ext tilewright``: register the magic and the displays of
    `tilewright.notebook` in ``shell``, an IPython shell. Raises `DiagnosticError` if packages of the extra
    ``notebook`` are missing.
    """
    from tilewright.driver.dependencies import require

    require("notebook")
    from tilewright.notebook.magic import load

    load(shell)


def unload_ipython_extension(shell: Any) -> None:
    """IPython calls this function for ``%unload_ext tilewright``: undo `load_ipython_extension`, which
    registered the magic and the displays in ``shell``.
    """
    from tilewright.notebook.magic import unload

    unload(shell)


def __dir__() -> list[str]:
    return sorted(__all__)
