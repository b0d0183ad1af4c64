"""Machine code of a module: from the cache on disk if it is there, compiled otherwise."""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from tilewright.driver import codes
from tilewright.driver.dependencies import require
from tilewright.ir.collection import paused_collection
from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.ir.locks import reentrant_lock
from tilewright.version import __version__

if TYPE_CHECKING:
    from tilewright.driver.artifact import Artifact
    from tilewright.driver.launch import Source
    from tilewright.driver.stages import CompileOptions
    from tilewright.runtime.image import Image
    from tilewright.runtime.kernel import LoadedKernel
    from tilewright.targets.cpu.machine.target import CpuTarget


_T = TypeVar("_T")


class Native:
    """The kernels of an image in this process, by name."""

    def __init__(self, image: Image) -> None:
        from tilewright.runtime.kernel import LoadedImage

        self._kernels = LoadedImage(image).kernels

    def kernel(self, name: str | None) -> LoadedKernel:
        """The kernel of that name, or the only one.  Raises `DiagnosticError`."""
        found = self._kernels.get(name) if isinstance(name, str) else None
        if found is not None:
            return found
        if name is None and len(self._kernels) == 1:
            return next(iter(self._kernels.values()))
        raise unknown_entry(name, tuple(self._kernels))


def unknown_entry(name: str | None, entries: tuple[str, ...]) -> Exception:
    """The failure for a kernel that is not there, or one of several that was not named."""
    message = f"the module has no entry '{name}'"
    if name is None:
        message = f"the module has {len(entries)} entries; name one"
    return failure(codes.UNKNOWN_ENTRY, message, hint=f"entries: {', '.join(entries) or 'none'}")


class UncompilableError(DiagnosticError):
    """A module is valid, but there is no code for it on the target."""


Checks = tuple[str, ...]
"""Names of checks."""


class NativeCache:
    """The modules compiled last, by their bytes; thread-safe.  Failures are remembered like results."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._lock = reentrant_lock()
        self._made: OrderedDict[tuple[bytes, Checks], Native | UncompilableError] = OrderedDict()

    def of(self, source: Source, checks: Checks = ()) -> Native:
        """The machine code of a module, with some checks.

        Raises `DiagnosticError`: `UncompilableError` if the module is valid.
        """
        if type(source) is not bytes:
            return _native(source, checks)
        key = (source, checks)
        found = self._made.get(key)
        if found is None:
            with self._lock:  # whoever comes second waits, and finds it
                found = self._made.get(key) or self._make(*key)
        if isinstance(found, UncompilableError):
            raise UncompilableError(found.diagnostics, str(found))
        return found

    def _make(self, source: bytes, checks: Checks) -> Native | UncompilableError:
        try:
            made = _native(source, checks)
        except UncompilableError as error:
            made = error
        self._made[source, checks] = made
        while len(self._made) > self._size:
            self._made.popitem(last=False)
        return made


NATIVE = NativeCache(128)
"""What launches of bytecode share."""


def _native(source: Source, checks: Checks) -> Native:
    from tilewright.driver.compile import compile
    from tilewright.driver.stages import CompileOptions

    require("cpu")
    options = CompileOptions(checks=checks)
    if type(source) is not bytes:
        return native_kernels(compile(source, options=options))
    from tilewright.targets.cpu.machine.host import processor

    host = processor(options.cpu)
    return _cached(source, options, host, lambda: compiled(compile(source, options=options)), Native)


def native_image(artifact: Artifact) -> Image:
    """The kernels of an artifact as machine code."""
    return _of_artifact(artifact, lambda image: image)


def native_kernels(artifact: Artifact) -> Native:
    """The kernels of an artifact in this process."""
    return _of_artifact(artifact, Native)


def _of_artifact(artifact: Artifact, use: Callable[[Image], _T]) -> _T:
    _check_runs_here(artifact.processor)
    return _cached(artifact.content, artifact.options, artifact.processor, lambda: compiled(artifact), use)


def _check_runs_here(target: CpuTarget) -> None:
    """Raise `DiagnosticError` for a processor that this one cannot stand in for."""
    from tilewright.runtime.codes import NOT_LOADABLE
    from tilewright.targets.cpu.machine.host import obstacle

    reason = obstacle(target)
    if reason:
        hint = "the stages of code for other processors can be written, but only code for 'host' is run"
        raise failure(NOT_LOADABLE, f"code for {target} cannot run here: {reason}", hint=hint)


def compiled(artifact: Artifact) -> Image:
    """`native_image`, whatever is in the cache.  Raises `UncompilableError`."""
    from tilewright.driver.llvm_text import kernels_of
    from tilewright.runtime.image import Image

    try:
        with paused_collection():
            kernels = kernels_of(str(artifact.asm["llvm"]))
            made = artifact.asm["object"]
    except DiagnosticError as error:
        raise UncompilableError(error.diagnostics, str(error)) from error
    assert isinstance(made, bytes)
    return Image(made, kernels)


def _cached(
    content: bytes | None,
    options: CompileOptions,
    processor: CpuTarget,
    make: Callable[[], Image],
    use: Callable[[Image], _T],
) -> _T:
    """What ``use`` makes of the image of what ``content`` identifies: from the disk, or made and kept there."""
    from tilewright.runtime.cache import DiskCache
    from tilewright.runtime.image import Image

    if content is None:
        return use(make())
    key = cache_key(content, options, processor)
    disk = DiskCache()
    found = disk.get(key)
    if found is not None:
        with contextlib.suppress(ValueError, DiagnosticError):  # no image, or one that cannot be loaded:
            return use(Image.from_bytes(found))  # whatever was written there is replaced
    image = make()
    disk.put(key, image.to_bytes())
    return use(image)


def is_loadable(record: bytes) -> bool:
    """Whether a record of the cache holds kernels that can be loaded into this process."""
    from tilewright.runtime.image import Image

    try:
        Native(Image.from_bytes(record))
    except (ValueError, DiagnosticError):
        return False
    return True


def cache_key(content: bytes, options: CompileOptions, processor: CpuTarget) -> str:
    """What a record depends on: the module, how and for what it is compiled, and by which program."""
    from tilewright.runtime.cache import key_of, program_stamp
    from tilewright.targets.llvm.native import llvm, llvm_options

    compiler = (__version__, program_stamp(), llvm().llvm_version_info, llvm_options())
    settings = (options.pipeline, options.opt_level, options.checks, options.debug_info)
    return key_of([content, repr(settings).encode(), repr(processor).encode(), repr(compiler).encode()])
