"""The stages of a kernel of Triton: its first IR becomes Tile IR, and that becomes code of the CPU."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any

from tilewright.dialects.builtin.ops import ModuleOp
from tilewright.driver.artifact import Artifact
from tilewright.driver.bindings import Context, Module
from tilewright.driver.checks import check_names
from tilewright.driver.launch import KERNELS
from tilewright.driver.loading import kernels_of, outcome
from tilewright.driver.sources import Given
from tilewright.driver.stages import CompileOptions
from tilewright.driver.target import target as find_target
from tilewright.gpu_programs import ProgramSettings, active
from tilewright.gpu_programs.codes import NO_ANSWER
from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.ir.operation import Operation
from tilewright.lowering.triton_to_cuda_tile.conversion import convert_triton_module
from tilewright.lowering.triton_to_cuda_tile.places import in_our_columns
from tilewright.runtime.disk_cache import program_stamp
from tilewright.triton.options import Options
from tilewright.version import __version__

STAGES: Mapping[str, str] = {"tileaa": "tileaa", "tileas": "tileas", "llir": "llvm", "asm": "asm"}
"""Texts that a compiled kernel has after Tile IR: Triton's key, and the name of our stage."""


def identity() -> str:
    """Which compiler this is: kernels that Triton keeps on the disk depend on it."""
    return f"tilewright-{__version__}-{program_stamp()}"


def settings() -> ProgramSettings:
    """How kernels run if a launch does not say it: as the program is run, or as the environment says."""
    routing = active()
    return ProgramSettings.from_environment() if routing is None else routing.settings


def checks(given: str | Iterable[str] | None) -> tuple[str, ...]:
    """The names of checks that are given, or else of those of the settings.  Raises `DiagnosticError`."""
    return settings().checks if given is None else check_names(given)


class KernelStages:
    """The stages of one kernel, each made from the one before; Triton calls them in order and keeps what they answer."""

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
        """Triton's own passes that make its IR smaller; the functions that a kernel calls are put in their places."""
        run_ttir_passes(module)
        return module

    def tile_ir(self, module: Any, metadata: dict[str, Any]) -> str:
        """Tile IR.  Raises `DiagnosticError` for a kernel that has none."""
        text = str(module)
        metadata |= {
            "ttir": text,  # for those who look at a launch
            "name": module.get_entry_func_name(),
            "shared": 1,  # bytes of shared memory, by which programs divide
            "run_on": self._target.name,
            "ignored": self._options.ignored,
        }
        tile_module = tile_module_of(text, by_pointer="racecheck" in self._options.check)
        self._artifact = artifact_of(tile_module, metadata["name"], self._target, self._options.check)
        return self.text("tileir", module, metadata)

    def text(self, stage: str, before: Any, metadata: dict[str, Any]) -> str:
        """A stage of the compilation as text."""
        assert self._artifact is not None, "Tile IR is made before"
        written = self._artifact.asm[stage]
        return written if isinstance(written, str) else written.decode()

    def binary(self, before: Any, metadata: dict[str, Any]) -> bytes:
        """What a launch begins with: Tile IR with its places.  The code is in our cache, and in this process.

        Raises `UncompilableError` if there is no code for the kernel.
        """
        artifact = self._artifact
        assert artifact is not None, "Tile IR is made before"
        content = artifact.given.content
        assert content is not None, "so it was given"
        key = (content, artifact.options.checks, artifact.target)
        kernels_of(KERNELS.of(key, lambda: outcome(artifact.loader().kernels)))
        return content


def run_ttir_passes(module: Any) -> None:
    """Run Triton's passes on a module of its own library."""
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
    """A module of Triton, as text, as a module of Tile IR.

    Accesses are in the order of the program; with ``by_pointer`` only those through the same parameter are, so that
    racecheck sees others that meet.  Raises `DiagnosticError` with what cannot be converted.
    """
    context = Context()
    parsed = Module.parse(text, context, name="<ttir>").operation
    assert isinstance(parsed, ModuleOp), "Triton writes modules"
    for op in parsed.walk():
        op.location = in_our_columns(op.location)
    return convert_triton_module(parsed, context, memory_order="pointers" if by_pointer else "program")


def artifact_of(module: Operation, entry: str, target: Any, check: tuple[str, ...]) -> Artifact:
    """The compilation of a module of Tile IR, which its text with all places identifies."""
    content = module.get_asm(enable_debug_info=True).encode()
    return Artifact(Given(module, entry, content), target, CompileOptions(checks=check))


def _gluon() -> DiagnosticError:
    """Why a kernel in Gluon has no code for the CPU."""
    message = "a kernel in Gluon is laid out for a GPU by hand, and there is no code for it on the CPU"
    return failure(NO_ANSWER, message, hint="write the kernel with @triton.jit")


__all__ = ["KernelStages", "checks", "identity", "settings", "tile_module_of"]
