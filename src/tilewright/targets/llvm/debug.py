"""Debug metadata: line tables, from the locations of operations.

LLVM's verifier requires a location for every call in a function with debug information, so every instruction
has one; line 0 means an unknown location.
"""

from __future__ import annotations

import os
from typing import Any

from tilewright.dialects.llvm.ops.symbol import LLVMFuncOp
from tilewright.ir.operation import Operation
from tilewright.targets.llvm.identifiers import escaped
from tilewright.targets.llvm.metadata import Metadata

DWARF_VERSION, DEBUG_METADATA_VERSION = 5, 3
NOWHERE = ("tilewright", 0, 0)
FIELD = 0xFFFF
"""The maximum column in LLVM's debug locations."""


class LineTables:
    """The metadata nodes of files, functions and locations of a module."""

    __slots__ = ("_nodes", "_unit")

    def __init__(self, nodes: Metadata, module: Operation) -> None:
        self._nodes = nodes
        place = next((op.location.source for op in module.walk() if op.location.source), NOWHERE)
        words = f"language: DW_LANG_C, file: {self._file(place[0])}, emissionKind: LineTablesOnly"
        self._unit = nodes.add(
            f'!DICompileUnit({words}, producer: "tilewright", isOptimized: true)', distinct=True
        )

    def named_nodes(self) -> list[str]:
        """Add the nodes that declare debug information to LLVM, and return the lines of named metadata with
        the names of these nodes, such as ``!llvm.dbg.cu = !{!0}``.
        """
        dwarf = self._nodes.add(f'!{{i32 7, !"Dwarf Version", i32 {DWARF_VERSION}}}')
        version = self._nodes.add(f'!{{i32 2, !"Debug Info Version", i32 {DEBUG_METADATA_VERSION}}}')
        return [f"!llvm.dbg.cu = !{{{self._unit}}}", f"!llvm.module.flags = !{{{dwarf}, {version}}}"]

    def function(self, op: LLVMFuncOp) -> FunctionLines:
        """Add the metadata node of the function `op`, and return the object that spells the debug locations
        in it. The line of a function is the first line of an operation in it.
        """
        inside = (inner.location.source for inner in op.walk())
        file, line, _ = next((source for source in inside if source), NOWHERE)
        node, name = self._file(file), escaped(op.sym_name)
        kind = self._nodes.add(f"!DISubroutineType(types: {self._nodes.add('!{null}')})")
        words = f'name: "{name}", scope: {node}, file: {node}, line: {line}, type: {kind}, scopeLine: {line}'
        flags = "spFlags: DISPFlagDefinition | DISPFlagOptimized"
        program = self._nodes.add(f"!DISubprogram({words}, {flags}, unit: {self._unit})", distinct=True)
        return FunctionLines(self._nodes, program, file, self._file)

    def _file(self, name: str) -> str:
        folder, base = os.path.split(name)
        return self._nodes.add(f'!DIFile(filename: "{escaped(base)}", directory: "{escaped(folder)}")')


class FunctionLines:
    """The debug locations of a function. ``program`` is the metadata node of its `DISubprogram`, and ``file``
    the name of its source file; ``file_of`` returns the node of another file by its name. `at` returns the
    suffix of an instruction, with line 0 for an unknown location.
    """

    __slots__ = ("_file", "_file_of", "_nodes", "program")

    def __init__(self, nodes: Metadata, program: str, file: str, file_of: Any) -> None:
        self._nodes = nodes
        self.program = program
        self._file = file
        self._file_of = file_of

    def at(self, op: Operation | None = None) -> str:
        """Return the suffix ``, !dbg !N`` of an instruction, with the location of `op`; line 0 if `op` is
        None or has no location in a file.
        """
        file, line, column = (op.location.source if op is not None else None) or (self._file, 0, 0)
        scope = self.program
        if file != self._file:
            words = f"scope: {self.program}, file: {self._file_of(file)}, discriminator: 0"
            scope = self._nodes.add(f"!DILexicalBlockFile({words})")
        column = column if 0 < column <= FIELD else 0
        return f", !dbg {self._nodes.add(f'!DILocation(line: {max(line, 0)}, column: {column}, scope: {scope})')}"
