"""The cuTile Python bridge: unmodified ``@cuda.tile.kernel`` functions on host arrays, without a GPU.

``launch`` runs one kernel; ``install`` and ``backend`` make ``cuda.tile.launch`` itself do so;
``compile_to_bytecode`` stops at the Tile IR bytecode.  Importing this package imports neither ``cuda.tile``
nor NumPy: both are loaded by the first call that needs them (``pip install 'tilewright[cutile]'``).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from tilewright.cutile.errors import BridgeWarning, LaunchError, LaunchOverflowError, MissingPackageError

if TYPE_CHECKING:
    from tilewright.cutile.compared import compare
    from tilewright.cutile.compiler import CompiledKernel, clear_cache, compile_to_bytecode, writable_versions
    from tilewright.cutile.installation import backend, install, uninstall
    from tilewright.cutile.launcher import launch
    from tilewright.cutile.signature import FlatParameter

__all__ = [
    "BridgeWarning",
    "CompiledKernel",
    "FlatParameter",
    "LaunchError",
    "LaunchOverflowError",
    "MissingPackageError",
    "backend",
    "clear_cache",
    "compare",
    "compile_to_bytecode",
    "install",
    "launch",
    "uninstall",
    "writable_versions",
]

_HOMES = {
    "CompiledKernel": "compiler",
    "FlatParameter": "signature",
    "backend": "installation",
    "clear_cache": "compiler",
    "compare": "compared",
    "compile_to_bytecode": "compiler",
    "install": "installation",
    "launch": "launcher",
    "uninstall": "installation",
    "writable_versions": "compiler",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{home}"), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
