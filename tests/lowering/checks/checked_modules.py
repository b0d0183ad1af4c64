"""Kernels with checks in them, and what they say when they are interpreted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.driver.startup import context
from tilewright.instrument.insert import InsertChecks
from tilewright.interp.launch import interpret
from tilewright.interp.values import InterpretOptions
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import verify
from tilewright.passes.manager import PassManager

CODES = {"fpcheck": "TW0411", "initcheck": "TW0405", "promises": "TW0408"}
"""The codes with which the interpreter says what the checks of a name find."""
ASSERTION = "TW0407"
MAXIMUM_STEPS = 20_000


def parsed(text: str) -> Operation:
    """A module of Tile IR."""
    return parse_module(context(), text)


def checked(module: Operation, *checks: str) -> Operation:
    """A copy of a module with checks in its kernels, which is valid and reads back."""
    copy = module.clone()
    manager = PassManager(context(), copy.name)
    manager.nest("cuda_tile.entry").add(InsertChecks(checks))
    manager.run(copy)
    assert verify(copy) == []
    text = str(copy)
    assert str(parsed(text)) == text
    return copy


class _Nowhere:
    def write(self, text: str, /) -> None:
        """Prints are not looked at."""


def said(
    module: Operation, name: str, arguments: Sequence[Any], steps: int = MAXIMUM_STEPS, **checks: bool
) -> list[Diagnostic]:
    """What the interpreter says of a kernel."""
    options = InterpretOptions(memcheck=True, max_steps=steps, **checks)
    try:
        interpret(module, name, (1, 1, 1), arguments, options, _Nowhere())
    except DiagnosticError as error:
        return list(error.diagnostics)
    return []


def found_by_assertion(diagnostic: Diagnostic) -> str | None:
    """The operation that an assertion of a check is about; None for a diagnostic of something else."""
    name, colon, _ = diagnostic.message.partition("assertion '")[2].partition(": ")
    return name if colon and str(diagnostic.code) == ASSERTION else None


def operation_named(diagnostic: Diagnostic) -> str:
    """The operation that a diagnostic of the interpreter is about: its words follow those of kernel and tile block."""
    return diagnostic.message.partition("): ")[2].partition(": ")[0]
