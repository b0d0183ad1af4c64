"""The Tile IR container: reading modules from bytes and writing them (13.1 to 13.5).

`read_bytecode` makes a module, `write_bytecode` bytes, `read_container` only looks at the frame; all raise
`tilewright.ir.diagnostic.DiagnosticError` for anything that is not well-formed.  Names are loaded on first use.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from tilewright.bytecode.magic import MAGIC

if TYPE_CHECKING:
    from tilewright.bytecode.container import BytecodeInfo, BytecodeSection, SectionKind
    from tilewright.bytecode.reader.module import read_bytecode, read_container
    from tilewright.bytecode.writer.module import write_bytecode

__all__ = [
    "MAGIC",
    "BytecodeInfo",
    "BytecodeSection",
    "SectionKind",
    "read_bytecode",
    "read_container",
    "write_bytecode",
]

_HOMES = {
    "read_bytecode": "reader.module",
    "read_container": "reader.module",
    "write_bytecode": "writer.module",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'tilewright.bytecode' has no attribute '{name}'")
    home = importlib.import_module(f"{__name__}.{_HOMES.get(name, 'container')}")
    value = globals()[name] = getattr(home, name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
