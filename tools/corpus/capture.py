"""A plugin of pytest that keeps what tests compile, simulate and interpret.

``python -m pytest -p tools.corpus.capture TESTS`` with the folder in the environment variable ``CAPTURED``: modules go
into its folder ``modules``, launches into ``launches``, in the form of `tests.replay.corpus`.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tilewright.driver.compile as compiling
from tests.replay.corpus import array_row
from tilewright.bytecode.writer.module import write_bytecode
from tilewright.dialects.cuda_tile.ops.control import ModuleOp
from tilewright.driver import sources
from tilewright.driver.startup import startup
from tilewright.interp.launch import LoadedModule
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import PrintOptions
from tilewright.passes.ir_printing import HEADER
from tilewright.passes.manager import PassManager
from tilewright.ptx.model import Module
from tilewright.ptx.printer import print_module
from tilewright.ptxsim import running

LONGEST = 1 << 14
"""Most bytes of a source, and of the arguments of a launch."""
DIGITS = 5
"""Digits of names that stand for a test function."""
MOST = 150
"""Most operations of a module that passes run over."""
PTX, BYTECODE = ".ptx", ".tileirbc"
SIMULATED = ("shared", "cluster", "checks", "seed", "schedule", "same_values")
"""Options of simulated launches that are kept."""
LISTED = ("box", "swizzle", "element", "nan", "element_strides", "interleave", "atomicity")
"""What is kept of a tensor map beside its array."""


class Captured:
    """The folder of what was captured; names begin with a digest of the test function."""

    def __init__(self, folder: Path) -> None:
        self.modules, self.launches = folder / "modules", folder / "launches"
        self.pipelines = folder / "pipelines"
        self.test = ""
        for one in (self.modules, self.launches, self.pipelines):
            one.mkdir(parents=True, exist_ok=True)

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Note which function is tested."""
        self.test = item.nodeid.partition("[")[0]

    def name(self, content: bytes) -> str:
        """Return a name for what the test uses."""
        return f"{function_digest(self.test)}{_digest(content)[:7]}"

    def module(self, module: Operation) -> None:
        """Keep a module in bytecode, or as text if bytecode cannot hold it."""
        content, ending = encoded(module)
        if len(content) <= LONGEST:
            (self.modules / f"{self.name(content)}{ending}").write_bytes(content)

    def passes(self, manager: PassManager, op: Operation) -> None:
        """Keep a run of registered passes as a reproducer."""
        registered, passes = startup().passes, list(manager.passes())
        named = all(registered.get(type(one).name) is type(one) for one in passes)
        if not passes or not named or sum(1 for _ in op.walk()) > MOST:
            return
        text = op.print(PrintOptions(generic=True, debug_info=True))
        content = f"{HEADER}--pass-pipeline='{manager}'\n{text}\n".encode()
        if len(content) <= LONGEST:
            (self.pipelines / f"{self.name(content)}.mlir").write_bytes(content)

    def launch(
        self,
        source: bytes,
        ending: str,
        entry: str,
        extents: Sequence[Sequence[int]],
        arguments: Sequence[Any],
        options: Mapping[str, Any],
    ) -> None:
        """Keep a launch, unless its arguments are other than numbers and small arrays."""
        rows = [_row(one) for one in arguments]
        if None in rows or len(source) > LONGEST:
            return
        grid, block = ([int(extent) for extent in one] for one in extents)
        kept = {"entry": entry, "grid": grid, "block": block, "options": dict(options), "arguments": rows}
        text = json.dumps(kept)
        if len(text) <= LONGEST:
            name = self.name(source + text.encode())
            (self.launches / f"{name}{ending}").write_bytes(source)
            (self.launches / f"{name}.json").write_text(text)


def encoded(module: Operation) -> tuple[bytes, str]:
    """Return a module as bytes, and how files of that kind end."""
    if isinstance(module, ModuleOp):
        return write_bytecode(module), BYTECODE
    return str(module).encode(), ".mlir"


def function_digest(test: str) -> str:
    """Return what names of a test function's members begin with."""
    return _digest(test.encode())[:DIGITS]


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _row(value: Any) -> dict[str, Any] | None:
    if isinstance(value, np.ndarray) and value.dtype != object:
        return array_row(value)
    if isinstance(value, bool | int | float | np.number):
        return {"number": value.item() if isinstance(value, np.number) else value}
    if isinstance(getattr(value, "array", None), np.ndarray) and isinstance(value.box, tuple | list):
        return {**array_row(value.array), "map": {name: getattr(value, name) for name in LISTED}}
    return None


def pytest_configure(config: pytest.Config) -> None:
    """Watch the doors, before tests import them."""
    captured = Captured(Path(os.environ["CAPTURED"]))
    config.pluginmanager.register(captured, "captured")
    _watch_compiler(captured)
    _watch_passes(captured)
    _watch_simulator(captured)
    _watch_interpreter(captured)


def _watch_compiler(captured: Captured) -> None:
    read = sources.compilation_input

    def watched(source: Any) -> sources.CompilationInput:
        found = read(source)
        if isinstance(found.module, Operation):
            captured.module(found.module)
        return found

    sources.compilation_input = compiling.compilation_input = watched


def _watch_passes(captured: Captured) -> None:
    run = PassManager.run

    def watched(self: PassManager, op: Operation) -> None:
        captured.passes(self, op)
        run(self, op)

    PassManager.run = watched


def _watch_simulator(captured: Captured) -> None:
    launch = running.launch

    def watched(ptx: Any, entry: str, grid: Any, block: Any, args: Sequence[Any], **named: Any) -> Any:
        text = print_module(ptx) if isinstance(ptx, Module) else str(ptx)
        if "\n" in text and "limit" not in named:
            options = {name: named[name] for name in SIMULATED if name in named}
            captured.launch(text.encode(), PTX, entry, (grid, block), args, options)
        return launch(ptx, entry, grid, block, args, **named)

    running.launch = watched


def _watch_interpreter(captured: Captured) -> None:
    begin = LoadedModule.begin

    def watched(
        self: LoadedModule,
        entry_name: str,
        grid: Any,
        flat_args: Any,
        options: Any = None,
        *rest: Any,
        **more: Any,
    ) -> Any:
        content, ending = encoded(self.module)
        if ending == BYTECODE:
            checks = {name: getattr(options, name) for name in options.__slots__} if options else {}
            captured.launch(content, ending, entry_name, (grid, ()), flat_args, checks)
        return begin(self, entry_name, grid, flat_args, options, *rest, **more)

    LoadedModule.begin = watched
