"""Loading: the kernels of a module in this process, whose code is compiled or found in the cache on disk."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from tilewright.driver import codes, dependencies, target as driver_target
from tilewright.driver.extensions.extension import named
from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.ir.support import collection, demangling
from tilewright.ir.support.record import Record
from tilewright.version import __version__

if TYPE_CHECKING:
    from tilewright.driver import artifact as driver_artifact, stages as driver_stages
    from tilewright.runtime.image import Image
    from tilewright.targets.stage import TargetHooks


_T = TypeVar("_T")


class Kernels:
    """The kernels of one module that are loaded into this process, by name."""

    def __init__(self, loaded: driver_target.Loaded) -> None:
        self._kernels = loaded.kernels

    def kernel(self, name: str | None) -> driver_target.LaunchableKernel:
        """Return the kernel with the symbol or the C++ name `name`; None stands for the only kernel. Raises
        `DiagnosticError` if no kernel has the name or several have it, and for None if there is not exactly
        one.
        """
        found = self._kernels.get(name) if isinstance(name, str) else None
        if found is not None:
            return found
        if name is None and len(self._kernels) == 1:
            return next(iter(self._kernels.values()))
        named = demangling.matching(name, self._kernels) if isinstance(name, str) else []
        if len(named) == 1:
            return self._kernels[named[0]]
        raise _unknown_entry(name, tuple(self._kernels))


def _unknown_entry(name: str | None, entries: tuple[str, ...]) -> DiagnosticError:
    """Return the error for a kernel that does not exist, or for a missing name if there are several kernels."""
    message = f"the module has no entry '{name}'"
    if name is None:
        message = f"the module has {len(entries)} entries; name one"
    known = ", ".join(map(demangling.source_name, entries))
    return failure(codes.UNKNOWN_ENTRY, message, hint=f"entries: {known or 'none'}")


class UncompilableError(DiagnosticError):
    """A module is valid, but there is no code for it on the target."""


Outcome = Kernels | UncompilableError
"""The result of loading a module. Caches keep failures too, so that a module is not compiled in vain twice."""


def outcome(load: Callable[[], Kernels]) -> Outcome:
    """Return the kernels that `load` returns, or the `UncompilableError` that it raises, so that either can
    be cached. Other exceptions are not caught.
    """
    try:
        return load()
    except UncompilableError as error:
        return error


def kernels_of(found: Outcome) -> Kernels:
    """Return the kernels of an outcome. Raises a new `UncompilableError` if it is an error."""
    if isinstance(found, UncompilableError):
        raise UncompilableError(found.diagnostics, str(found))
    return found


def hooks_of(target: driver_target.Target) -> TargetHooks:
    """Return the hooks of a target. Raises `DiagnosticError` for one that makes no code."""
    if target.code is None:
        raise failure(codes.UNKNOWN_TARGET, f"the target '{target}' makes no code")
    return target.code


def compiled(artifact: driver_artifact.Artifact) -> Image:
    """Compile an artifact and return its code, without the cache on disk: nothing is read from it or stored
    there. Raises `UncompilableError` if there is no code for it, and `DiagnosticError` if its target makes no
    code.
    """
    from tilewright.runtime.image import Image

    hooks = hooks_of(artifact.target)
    try:
        with collection.paused_collection():
            kernels = hooks.kernels(artifact)
            made = artifact.asm[hooks.code]
    except DiagnosticError as error:
        raise UncompilableError(error.diagnostics, str(error)) from error
    return Image(made if isinstance(made, bytes) else made.encode(), kernels)


class Loader(Record, frozen=True):
    """Loads the code of a module for ``target``, compiled with ``options``, into this process, from the cache
    on disk or by compiling it.

    ``content`` identifies the module; None: it is not cached. ``artifact`` returns the compilation, and is
    only called if the cache has no code, or if the target interprets.
    """

    content: bytes | None
    options: driver_stages.CompileOptions
    target: driver_target.Target
    artifact: Callable[[], driver_artifact.Artifact]

    def kernels(self) -> Kernels:
        """Return the kernels of the module, loaded into this process. A target that interprets loads the
        module itself, without code. Raises `DiagnosticError`: `UncompilableError` if the module is valid, but
        there is no code for it.
        """
        dependencies.require(self.target.needs)
        if self.target.interprets:
            return Kernels(self.target.load(self.artifact().module(), self.options.checks))
        return self._use(self._loaded)

    def image(self) -> Image:
        """Return the code with the data for launching it. Raises `DiagnosticError` as `kernels` does."""
        from tilewright.runtime.image import Image

        return self._use(Image.from_bytes)

    def _use(self, use: Callable[[bytes], _T]) -> _T:
        """Return ``use(image)`` for the image of the code, as bytes. The image is from the cache on disk, or
        it is made and stored there; without ``content`` it is always made and not stored. Raises
        `DiagnosticError` for code that this machine cannot run.
        """
        from tilewright.runtime.disk_cache import DiskCache

        self._check_machine()
        if self.content is None:
            return use(self._make())
        return DiskCache().of(cache_key(self.content, self.options, self.target), self._make, use)

    def _check_machine(self) -> None:
        """Raise `DiagnosticError` if the code is made for a machine that is incompatible with this one, or if
        the target makes no code.
        """
        from tilewright.driver.stages import option_values
        from tilewright.runtime.codes import NOT_LOADABLE

        reason = hooks_of(self.target).obstacle(option_values(self.target, self.options))
        if reason:
            hint = "the stages of code for other machines can be written, but only code for this one is run"
            raise failure(NOT_LOADABLE, reason, hint=hint)

    def _make(self) -> bytes:
        return compiled(self.artifact()).to_bytes()

    def _loaded(self, record: bytes) -> Kernels:
        from tilewright.runtime.image import Image

        return Kernels(self.target.load(Image.from_bytes(record)))


def kernels_in(record: bytes) -> tuple[str, ...]:
    """Return the names of the kernels in a record of the cache, which is an image or an assembled module.

    Raises `ValueError` for anything else.
    """
    from tilewright.runtime.image import Image

    assembled = _assembled(record)
    return assembled if assembled is not None else tuple(one.name for one in Image.from_bytes(record).kernels)


def _assembled(record: bytes) -> tuple[str, ...] | None:
    """Return the names of the kernels in a record of an assembled module; None for other records."""
    for name in driver_target.ASSEMBLED:
        with contextlib.suppress(ValueError):
            return named(name).from_bytes(record).names
    return None


def is_loadable(record: bytes) -> bool:
    """Return whether a record of the cache has kernels that a target can load into this process, or assembled
    kernels. Kernels are loaded to find this out.
    """
    from tilewright.runtime.image import Image

    if _assembled(record) is not None:
        return True
    for loader in driver_target.loaders():
        with contextlib.suppress(ValueError, DiagnosticError):
            named(loader)(Image.from_bytes(record))
            return True
    return False


def cache_key(content: bytes, options: driver_stages.CompileOptions, target: driver_target.Target) -> str:
    """Return the key of a record in the cache on disk, a hexadecimal digest: it depends on the module, the
    options, the target, the machine and the compiler. Raises `DiagnosticError` for a target that makes no
    code.
    """
    from tilewright.driver.stages import option_values
    from tilewright.runtime.disk_cache import key_of, program_stamp

    hooks = hooks_of(target)
    settings = (options.pipeline, options.opt_level, options.checks, options.debug_info)
    machine = (target.name, hooks.identity(option_values(target, options)))
    compiler = (__version__, program_stamp(), hooks.compiler())
    return key_of([content, *(repr(part).encode() for part in (settings, machine, compiler))])
