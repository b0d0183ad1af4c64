"""Reads just enough of tileirdisasm's text to compare it with a module."""

from __future__ import annotations

import re

from tilewright.ir.operation import Operation

_OPERATION = re.compile(r"\s*(?:%[^=]*= )?([a-z_0-9]+)\b")
_HIDDEN = {"yield": ("if",), "continue": ("for", "loop")}
"""Terminators that the text leaves out when they have no operands, and inside what."""


def operation_names(text: str) -> list[str]:
    """The mnemonics in a disassembly, in order."""
    names: list[str] = []
    for line in text.splitlines():
        match = _OPERATION.match(line)
        if match is not None and not line.lstrip().startswith(("}", "(", "//", "#")):
            names.append(match[1])
    return names


def module_names(module: Operation) -> list[str]:
    """The mnemonics that a disassembly of the module must show."""
    names: list[str] = []
    for op in module.walk():
        mnemonic, parent = op.kind.mnemonic, op.parent_op
        inside = parent.kind.mnemonic if parent is not None else ""
        if mnemonic == "module" or (inside in _HIDDEN.get(mnemonic, ()) and not op.operands):
            continue
        names.append("fpowf" if mnemonic == "pow" else mnemonic)
    return names
