"""Compiling: from a module in any form to an artifact."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tilewright.driver import codes, options as driver_options, warnings as driver_warnings
from tilewright.driver.artifact import Artifact
from tilewright.driver.sources import FrontendKernel, Source, compilation_input
from tilewright.driver.stages import CompileOptions, text_stage
from tilewright.driver.target import Target, target as find_target
from tilewright.ir.diagnostic import failure
from tilewright.ir.operation import Operation

if TYPE_CHECKING:
    from tilewright.passes.pass_ import Instrumentation


def compile(
    source: Source | FrontendKernel,
    *,
    target: str | Target = driver_options.TARGET.default,
    options: CompileOptions | None = None,
    instrumentations: Sequence[Instrumentation] = (),
) -> Artifact:
    """Compile a module: bytecode, text, a path, a module in memory (which is copied), or a kernel from a frontend.

    Text may be of any stage, LLVM IR included, so a stage can be changed by hand and compiled from there on.

        artifact = tilewright.compile("kernel.mlir")
        print(artifact.asm["llvm"])
        artifact.launch((4, 1, 1), [array, 1024])

    Stages and code are made on demand. ``instrumentations`` see every pass that runs. Raises `DiagnosticError` for
    errors in the module, the target or the passes of ``options.pipeline``.
    """
    chosen, chosen_options = find_target(target), options or CompileOptions()
    start = time.perf_counter()
    found = compilation_input(source)
    artifact = Artifact(found, chosen, chosen_options)
    artifact.instrumentations.extend(instrumentations)
    if isinstance(found.module, Operation):
        artifact.diagnostics += driver_warnings.warnings_about(found.module)
    artifact.timings["read"] = time.perf_counter() - start
    if chosen_options.pipeline:
        artifact.run_passes(_for_passes(found.module), chosen_options.pipeline, "pipeline", verify_each=True)
    return artifact


def _for_passes(module: Operation | str) -> Operation:
    """Return a module for the passes of a pipeline.

    Raises `DiagnosticError` for text of a target, which has no module.
    """
    if isinstance(module, Operation):
        return module
    message = f"passes run on modules of MLIR, and this one was given as the text of '{text_stage(module)}'"
    raise failure(codes.UNKNOWN_STAGE, message, hint="leave the pipeline out, or begin with an earlier stage")
