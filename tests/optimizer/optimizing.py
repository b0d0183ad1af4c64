"""Parsing a kernel, running passes over it, and launching it before and after."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tilewright.driver.startup import context, startup
from tilewright.interp.launch import interpret
from tilewright.interp.values import InterpretOptions
from tilewright.ir.diagnostic import Diagnostic, DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import verify
from tilewright.passes.pipeline import parse_pipeline

OPTIONS = InterpretOptions(memcheck=True, max_steps=20_000)


def kernel(body: str, parameters: str = "") -> Operation:
    """A verified module with one kernel ``@k``."""
    text = f"cuda_tile.module @m {{\nentry @k({parameters}) {{\n{body}\nreturn\n}}\n}}"
    return parsed(text)


def parsed(text: str) -> Operation:
    """A verified module."""
    module = parse_module(context(), text)
    assert verify(module) == []
    return module


def run(module: Operation, pipeline: str) -> Operation:
    """The module after a pipeline, which may have changed it in place; the manager verifies after each pass."""
    parse_pipeline(pipeline, context(), startup().passes, anchor=module.name).run(module)
    return module


def warnings(module: Operation, pipeline: str) -> list[Diagnostic]:
    """What a pipeline has to say."""
    known, heard = context(), []
    manager = parse_pipeline(pipeline, known, startup().passes, anchor=module.name)
    with known.diagnostics.handler(lambda diagnostic: bool(heard.append(diagnostic)) or True):
        manager.run(module)
    return heard


def names(module: Operation) -> list[str]:
    """The operations inside the kernels, without their dialect."""
    inside = [op for entry in module.regions[0].block for op in entry.walk()][1:]
    return [op.kind.mnemonic for op in inside if op.kind.mnemonic != "return"]


def launch(module: Operation, arguments: Sequence[Any], options: InterpretOptions = OPTIONS) -> str:
    """Launch ``@k`` as one tile block, writing arrays in place; the message that ended it, if any."""
    try:
        interpret(module, "k", (1, 1, 1), list(arguments), options)
    except DiagnosticError as error:
        return error.diagnostics[0].message
    return ""


def results(
    module: Operation, arguments: Sequence[Any], options: InterpretOptions = OPTIONS
) -> tuple[list[bytes], str]:
    """The contents of arrays after a launch, which works on copies, and what ended it."""
    copies = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
    problem = launch(module, copies, options)
    return [a.tobytes() for a in copies if isinstance(a, np.ndarray)], problem
