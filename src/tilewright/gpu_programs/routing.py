"""Routing: while it is active, programs of this process find a GPU; its kernels run on the processor."""

from __future__ import annotations

import contextlib
from collections.abc import Generator
from importlib import import_module
from types import ModuleType
from typing import Any

from tilewright.gpu_programs import import_hooks, launches as gpu_programs_launches
from tilewright.gpu_programs.patches import Patches
from tilewright.gpu_programs.refusals import NoDriverError
from tilewright.gpu_programs.settings import ProgramSettings
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.support.ignores import ignoring
from tilewright.runtime.elsewhere import handle_interrupts, leave_interrupts


class Routing:
    """The replacements for the GPU in this process, from `start` to `stop`. ``launches`` are the launches of
    the program, and ``settings`` its target, checks and GPU. Each replacement is created when the module that
    it patches is imported.
    """

    def __init__(self, settings: ProgramSettings) -> None:
        self.settings = settings
        self.launches = gpu_programs_launches.Launches()
        self._patches = Patches()
        self._modules: dict[str, ModuleType] = {}
        self._ignoring = contextlib.ExitStack()
        self._begins = False
        changes = {
            "torch": self._change_torch,
            "cuda.tile": self._change_frontend,
            "triton.runtime.driver": self._change_triton,
            "torch.utils.cpp_extension": self._change_extensions,
            "cuda.bindings._internal.driver": self._change_driver,
            "cuda.bindings._internal.runtime": self._change_runtime,
        }
        self._hooks = import_hooks.Hooks(changes, ("cupy", "cupyx"), self._cupy)

    def start(self) -> None:
        """Make programs of this process find a GPU until `stop`: patch `torch`, `cuda.tile`, the driver of
        Triton and `cuda.bindings`, now if they are imported and otherwise when they are, and provide modules
        in place of CuPy.
        Ignore findings of the codes in ``settings.ignored``, and let Ctrl-C stop the launches of all threads.
        """
        self._begins = True
        try:
            self._hooks.install()
        finally:
            self._begins = False
        self._ignoring.enter_context(ignoring(self.settings.ignored))
        handle_interrupts()

    def stop(self) -> None:
        """Restore every changed module, and the modules of CuPy that ours hid; no longer ignore the codes in
        ``settings.ignored``, and give Ctrl-C back to Python.
        """
        leave_interrupts()
        self._ignoring.close()
        self._hooks.remove()
        self._patches.undo()

    def _cupy(self, name: str) -> ModuleType | None:
        """Return a module of CuPy; None for an unknown name."""
        if not self._modules:
            make: Any = import_module("tilewright.gpu_programs.cupy_module").make
            self._modules = make(self.settings.chip, self.launches.host_arguments, self._stand_in)
        return self._modules.get(name)

    def _change_frontend(self, module: ModuleType) -> None:
        answers: Any = import_module("tilewright.gpu_programs.frontend_answers")
        answers.install(self.settings, self.launches, self._patches)

    def _change_torch(self, module: ModuleType) -> None:
        answers: Any = import_module("tilewright.gpu_programs.pytorch.answers")
        answers.install(module, self.settings, self.launches, self._patches)

    def _change_triton(self, module: ModuleType) -> None:
        answers: Any = import_module("tilewright.gpu_programs.pytorch.triton_driver")
        answers.install_driver(module, self.settings.chip, self.launches, self._patches)

    def _change_extensions(self, module: ModuleType) -> None:
        libraries: Any = import_module("tilewright.gpu_programs.pytorch.libraries")
        libraries.refuse_cuda_sources(module, self._patches)

    def _stand_in(self) -> Any:
        """Return the stand-in for the driver of CUDA in this process; the first call loads it. Raises
        `NoDriverError` if it cannot be built.
        """
        programs: Any = import_module("tilewright.cuda_programs.python_programs")
        try:
            return programs.stand_in(self.settings)
        except DiagnosticError as error:
            raise NoDriverError(error.diagnostics) from None

    def _change_driver(self, module: ModuleType) -> None:
        """Load the stand-in for CUDA's driver. Nothing is loaded if tilewright's C++ frontend imports the
        module, as a part of NVRTC's: then no program calls the driver. Raises `NoDriverError` if the stand-in
        cannot be built, unless the module was imported before the program began.
        """
        if not import_hooks.runs_within("tilewright.cpp."):
            with self._unless_imported_before():
                self._stand_in()

    def _change_runtime(self, module: ModuleType) -> None:
        programs: Any = import_module("tilewright.cuda_programs.python_programs")
        with self._unless_imported_before():
            programs.replace_runtime(module, self._stand_in().library)

    def _unless_imported_before(self) -> contextlib.AbstractContextManager[None]:
        """Return a context manager that suppresses `NoDriverError` for modules that were imported before the
        program began, which may call none of their functions; without effect for other modules.
        """
        return contextlib.suppress(NoDriverError) if self._begins else contextlib.nullcontext()


_active: Routing | None = None


def active() -> Routing | None:
    """Return the routing of this process, or None."""
    return _active


def start(settings: ProgramSettings) -> Routing:
    """Start a routing that lasts until `stop` or the end of the process. It replaces an earlier routing."""
    global _active
    stop()
    _active = Routing(settings)
    _active.start()
    return _active


def stop() -> None:
    """Stop the routing of this process, if there is one, and restore every module that it changed."""
    global _active
    if _active is not None:
        _active.stop()
        _active = None


@contextlib.contextmanager
def routed(settings: ProgramSettings) -> Generator[Routing]:
    """Start a routing for the length of a ``with`` block, which gets it. An outer routing is stopped
    meanwhile; afterwards a new one with its settings is started.
    """
    before = _active
    try:
        yield start(settings)
    finally:
        stop()
        if before is not None:
            start(before.settings)
