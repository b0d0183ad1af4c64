"""Compiling: from a module in any form to an artifact."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from tilewright.bytecode.container import MAGIC
from tilewright.driver import codes
from tilewright.driver.artifact import Artifact
from tilewright.driver.launch import Source, check_text, load, not_a_module
from tilewright.driver.options import TARGET
from tilewright.driver.reading import decoded, file_bytes, is_path, read
from tilewright.driver.stages import CompileOptions, text_stage
from tilewright.driver.target import Target
from tilewright.driver.target import target as find_target
from tilewright.ir.diagnostic import failure
from tilewright.ir.operation import Operation

if TYPE_CHECKING:
    from tilewright.passes.instrumentation import Instrumentation


@runtime_checkable
class Compiled(Protocol):
    """A kernel that a frontend has compiled to bytecode, such as `tilewright.cutile.compile_to_bytecode` answers."""

    @property
    def bytecode(self) -> bytes:
        """The module."""
        ...

    @property
    def symbol(self) -> str:
        """The kernel in it."""
        ...


def compile(
    source: Source | Compiled,
    *,
    target: str | Target = TARGET.default,
    options: CompileOptions | None = None,
    instrumentations: Sequence[Instrumentation] = (),
) -> Artifact:
    """Compile a module: bytecode, text, a path, a module in memory (which is copied), or a kernel from a frontend.

    Text may be that of any stage, LLVM IR included, so a stage can be changed by hand and compiled from there on.

        artifact = tilewright.compile("kernel.mlir")
        print(artifact.asm["llvm"])
        artifact.launch((4, 1, 1), [array, 1024])

    Stages and code are made when they are asked for.  ``instrumentations`` see every pass that runs.  Raises `DiagnosticError` for anything wrong with the module, the target or the passes of ``options.pipeline``.
    """
    chosen, given = find_target(target), options or CompileOptions()
    start = time.perf_counter()
    module, entry, content = _module(source)
    artifact = Artifact(module, chosen, given, entry, content)
    artifact.instrumentations.extend(instrumentations)
    artifact.timings["read"] = time.perf_counter() - start
    if given.pipeline:
        artifact.run_passes(_for_passes(module), given.pipeline, "pipeline")
    return artifact


def _for_passes(module: Operation | str) -> Operation:
    """A module that passes can run on."""
    if isinstance(module, Operation):
        return module
    message = f"passes run on modules of MLIR, and this one was given as the text of '{text_stage(module)}'"
    raise failure(codes.UNKNOWN_STAGE, message, hint="leave the pipeline out, or begin with an earlier stage")


def read_any(data: bytes, name: str) -> Operation | str:
    """Read a file or stream called ``name``: a module in bytecode or text, or text of a target, which stays text."""
    if not data.startswith(MAGIC):
        text = decoded(data, name)
        if text_stage(text) is not None:
            return text
    return read(data, name)


def _module(source: Source | Compiled) -> tuple[Operation | str, str | None, bytes | None]:
    """A module that belongs to the artifact alone, the kernel that is meant, and what it was read from, if known."""
    if isinstance(source, Compiled):
        return load(source.bytecode).clone(), source.symbol, source.bytecode
    if isinstance(source, str):
        check_text(source)
    if isinstance(source, Path) or (isinstance(source, str) and is_path(source)):
        content = file_bytes(Path(source))
        return read_any(content, str(source)), None, content
    if isinstance(source, str):
        return read_any(source.encode(), "<string>"), None, source.encode()
    if isinstance(source, bytes | bytearray | memoryview):
        return load(source).clone(), None, bytes(source)
    operation: object = getattr(source, "operation", None)
    if not isinstance(operation, Operation):
        raise not_a_module(source)
    operation.verify()
    return operation.clone(), None, None
