"""The frontend of CUDA C++: `.cu` files with tile kernels, compiled to Tile IR bytecode by NVIDIA's compilers.

`compile` compiles one translation unit, with NVRTC in this process or with `nvcc`. Neither needs a GPU. Importing this
package loads neither: both are looked for by the first call (``pip install 'tilewright[cpp]'``).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tilewright.cpp.compiler import CompiledUnit, compile
    from tilewright.cpp.options import CppOptions

__all__ = ["CompiledUnit", "CppOptions", "compile"]

_HOMES = {"CompiledUnit": "compiler", "CppOptions": "options", "compile": "compiler"}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{home}"), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
