"""The stages of a Triton kernel: its first IR is converted to Tile IR, which is compiled for the CPU."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from typing import Any

from tilewright.dialects.builtin.dialect import ModuleOp
from tilewright.driver import launch as driver_launch, options as driver_options, sources
from tilewright.driver.artifact import Artifact
from tilewright.driver.bindings import Context, Module
from tilewright.driver.loading import kernels_of, outcome
from tilewright.driver.stages import CompileOptions
from tilewright.driver.target import target as find_target
from tilewright.gpu_programs import ProgramSettings, active
from tilewright.gpu_programs.codes import NO_ANSWER
from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.ir.operation import Operation
from tilewright.ir.support.strings import BREAKPOINT
from tilewright.lowering.triton_to_cuda_tile.conversion import convert_triton_module
from tilewright.lowering.triton_to_cuda_tile.source_columns import in_our_columns
from tilewright.runtime.disk_cache import program_stamp
from tilewright.triton.options import Options
from tilewright.version import __version__

STAGES: Mapping[str, str] = {"tileaa": "tileaa", "tileas": "tileas", "llir": "llvm", "asm": "asm"}
"""The texts of a compiled kernel after Tile IR: Triton's key, and the name of our stage."""


def identity() -> str:
    """Return the version of the compiler and a stamp of its files; the keys of Triton's cache on disk contain
    it.
    """
    return f"tilewright-{__version__}-{program_stamp()}"


def settings() -> ProgramSettings:
    """Return the default settings of launches: the settings of `tilewright run`, or of the environment.

    Raises `DiagnosticError` for a wrong environment variable.
    """
    routing = active()
    return ProgramSettings.from_environment() if routing is None else routing.settings


def checks(given: str | Iterable[str] | None) -> tuple[str, ...]:
    """Return the names of the given checks, or, if `given` is None, of the checks in the settings.

    Raises `DiagnosticError` for an unknown name.
    """
    return settings().checks if given is None else driver_options.check_names(given)


class KernelStages:
    """The stages of one kernel, each made from the stage before. Triton calls them in order and stores their
    results.

    Raises `DiagnosticError` for a kernel in Gluon.
    """

    def __init__(self, options: Options, language: Any) -> None:
        if getattr(language, "name", "TRITON") != "TRITON":
            raise _gluon()
        self._options = options
        self._target = find_target(settings().target)
        self._artifact: Artifact | None = None
        rows = {stage.name for stage in self._target.stages} | {"tileaa", "tileas"}
        self.texts: Mapping[str, str] = (
            {} if self._target.interprets else {key: name for key, name in STAGES.items() if name in rows}
        )

    def ttir(self, module: Any, metadata: dict[str, Any]) -> Any:
        """Run Triton's own optimisation passes on its IR in place, and return it; they also inline the
        functions that a kernel calls.
        """
        run_ttir_passes(module)
        return module

    def tile_ir(self, module: Any, metadata: dict[str, Any]) -> str:
        """Return the kernel as text of Tile IR, and add the data for launches to `metadata`. Raises
        `DiagnosticError` for a kernel that cannot be converted.
        """
        text = str(module)
        metadata |= {
            "ttir": text,  # for engines that examine a launch
            "name": module.get_entry_func_name(),
            "shared": 1,  # bytes of shared memory, by which programs divide
            "run_on": self._target.name,
            "ignored": self._options.ignored,
        }
        tile_module = tile_module_of(text, by_pointer="racecheck" in self._options.check)
        self._artifact = artifact_of(tile_module, metadata["name"], self._target, self._options.check)
        return self.text("tileir", module, metadata)

    def text(self, stage: str, before: Any, metadata: dict[str, Any]) -> str:
        """Return the stage `stage` of the compilation as text; `tile_ir` has to be called before. The other
        parameters are not used.
        """
        assert self._artifact is not None, "Tile IR is made before"
        written = self._artifact.asm[stage]
        return written if isinstance(written, str) else written.decode()

    def binary(self, before: Any, metadata: dict[str, Any]) -> bytes:
        """Return the result that a launch loads: Tile IR with its locations; `tile_ir` has to be called
        before. The parameters are not used.

        The machine code is in our cache, and in this process. Raises `UncompilableError` if the kernel cannot
        be compiled.
        """
        artifact = self._artifact
        assert artifact is not None, "Tile IR is made before"
        content = artifact.given.content
        assert content is not None, "so it was given"
        key = (content, artifact.options.checks, artifact.target)
        kernels_of(driver_launch.KERNELS.of(key, lambda: outcome(artifact.loader().kernels)))
        return content


@cache
def accept_breakpoints() -> None:
    """Let kernels call `breakpoint`, which becomes a print that the interpreter stops at."""
    language: Any = import_module("triton.language.core")

    @language.builtin
    def stop(_semantic: Any = None) -> Any:
        return language.device_print(BREAKPOINT.rstrip("\n"), _semantic=_semantic)

    generator: Any = import_module("triton.compiler.code_generator")
    generator.CodeGenerator.builtin_namespace["breakpoint"] = stop


def run_ttir_passes(module: Any) -> None:
    """Run Triton's passes on a module of Triton's own library."""
    library: Any = import_module("triton._C.libtriton")
    passes = library.passes
    manager = library.ir.pass_manager(module.context)
    manager.enable_debug()
    passes.common.add_inliner(manager)
    passes.common.add_canonicalizer(manager)
    passes.ttir.add_combine(manager)
    passes.common.add_cse(manager)
    passes.common.add_symbol_dce(manager)
    passes.ttir.add_loop_unroll(manager)
    manager.run(module, "make_ttir")


def tile_module_of(text: str, *, by_pointer: bool = False) -> Operation:
    """Return the Tile IR module that a Triton module, given as text, is converted to.

    Accesses are in the order of the program; with ``by_pointer`` only accesses through the same parameter
    are, so that racecheck finds conflicts between others. Raises `DiagnosticError` for an operation that
    cannot be converted.
    """
    context = Context()
    parsed = Module.parse(text, context, name="<ttir>").operation
    assert isinstance(parsed, ModuleOp), "Triton writes modules"
    for op in parsed.walk():
        op.location = in_our_columns(op.location)
    return convert_triton_module(parsed, context, memory_order="pointers" if by_pointer else "program")


def artifact_of(module: Operation, entry: str, target: Any, check: tuple[str, ...]) -> Artifact:
    """Return the compilation of a Tile IR module for `target`, with the checks `check`, for launches of its
    kernel `entry`; the module's text with all locations is the key.
    """
    content = module.get_asm(enable_debug_info=True).encode()
    return Artifact(sources.CompilationInput(module, entry, content), target, CompileOptions(checks=check))


def _gluon() -> DiagnosticError:
    """Return the error for a kernel in Gluon, which cannot run on the CPU."""
    message = "a kernel in Gluon is laid out for a GPU by hand, and there is no code for it on the CPU"
    return failure(NO_ANSWER, message, hint="write the kernel with @triton.jit")


__all__ = ["KernelStages", "checks", "identity", "settings", "tile_module_of"]
