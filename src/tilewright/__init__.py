"""tilewright: the open compiler for CUDA Tile IR.

    tilewright.launch(bytecode, "kernel", (4, 1, 1), [array, 1024], target="cpu")

Names are loaded on first use, so that importing the package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilewright.version import __version__

if TYPE_CHECKING:
    from tilewright.driver.launch import launch, load
    from tilewright.driver.startup import context
    from tilewright.driver.target import Target
    from tilewright.ir.diagnostic import Diagnostic, DiagnosticError

__all__ = ["Diagnostic", "DiagnosticError", "Target", "__version__", "context", "launch", "load"]

_HOMES = {
    "launch": "tilewright.driver.launch",
    "load": "tilewright.driver.launch",
    "context": "tilewright.driver.startup",
    "Target": "tilewright.driver.target",
    "Diagnostic": "tilewright.ir.diagnostic",
    "DiagnosticError": "tilewright.ir.diagnostic",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'tilewright' has no attribute '{name}'")
    import importlib

    value = globals()[name] = getattr(importlib.import_module(home), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
