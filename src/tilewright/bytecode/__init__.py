"""The Tile IR container: reading modules from bytes (13.1 to 13.5).

`read_bytecode` makes a module, `read_container` only looks at the frame; both raise
`tilewright.ir.diagnostic.DiagnosticError` for anything that is not well-formed.
"""

from __future__ import annotations

from tilewright.bytecode.container import BytecodeInfo, Section, SectionKind
from tilewright.bytecode.reader import read_bytecode, read_container

__all__ = ["BytecodeInfo", "Section", "SectionKind", "read_bytecode", "read_container"]
