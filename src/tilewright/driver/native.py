"""Code of a module for a target: from the cache on disk if it is there, compiled otherwise."""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from tilewright.driver import codes
from tilewright.driver.dependencies import require
from tilewright.driver.target import DEFAULT, TARGETS, Kernel, Target
from tilewright.ir.collection import paused_collection
from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.ir.locks import reentrant_lock
from tilewright.version import __version__

if TYPE_CHECKING:
    from tilewright.driver.artifact import Artifact
    from tilewright.driver.launch import Source
    from tilewright.driver.stages import CompileOptions
    from tilewright.runtime.image import Image
    from tilewright.targets.stage import TargetHooks


_T = TypeVar("_T")


class Native:
    """The kernels of an image in this process, by name."""

    def __init__(self, image: Image, target: Target) -> None:
        self._kernels = target.load(image).kernels

    def kernel(self, name: str | None) -> Kernel:
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

Key = tuple[bytes, Checks, Target]
"""What code in the process depends on: the bytes of a module, names of checks and the target."""


class NativeCache:
    """The modules compiled last, by their bytes; thread-safe.  Failures are remembered like results."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._lock = reentrant_lock()
        self._made: OrderedDict[Key, Native | UncompilableError] = OrderedDict()

    def of(self, source: Source, checks: Checks = (), target: Target = TARGETS[DEFAULT]) -> Native:
        """The code of a module for a target, with some checks.

        Raises `DiagnosticError`: `UncompilableError` if the module is valid.
        """
        if type(source) is not bytes:
            return _native(source, checks, target)
        key = (source, checks, target)
        found = self._made.get(key)
        if found is None:
            with self._lock:  # whoever comes second waits, and finds it
                found = self._made.get(key) or self._make(*key)
        if isinstance(found, UncompilableError):
            raise UncompilableError(found.diagnostics, str(found))
        return found

    def _make(self, source: bytes, checks: Checks, target: Target) -> Native | UncompilableError:
        try:
            made = _native(source, checks, target)
        except UncompilableError as error:
            made = error
        self._made[source, checks, target] = made
        while len(self._made) > self._size:
            self._made.popitem(last=False)
        return made


NATIVE = NativeCache(128)
"""What launches of bytecode share."""


def _native(source: Source, checks: Checks, target: Target) -> Native:
    from tilewright.driver.compile import compile
    from tilewright.driver.stages import CompileOptions

    require(target.needs)
    options = CompileOptions(checks=checks)
    if type(source) is not bytes:
        return native_kernels(compile(source, target=target, options=options))
    found = _CodeOf(source, options, target)
    return found.use(lambda: compiled(compile(source, target=target, options=options)), found.native)


def native_image(artifact: Artifact) -> Image:
    """The kernels of an artifact as machine code."""
    return _of_artifact(artifact).use(lambda: compiled(artifact), lambda image: image)


def native_kernels(artifact: Artifact) -> Native:
    """The kernels of an artifact in this process."""
    found = _of_artifact(artifact)
    return found.use(lambda: compiled(artifact), found.native)


def _of_artifact(artifact: Artifact) -> _CodeOf:
    """The code of an artifact.  Raises `DiagnosticError` if it is for a machine that this one cannot stand in for."""
    from tilewright.runtime.codes import NOT_LOADABLE

    reason = hooks_of(artifact.target).obstacle(artifact.target_options)
    if reason:
        hint = "the stages of code for other machines can be written, but only code for this one is run"
        raise failure(NOT_LOADABLE, reason, hint=hint)
    return _CodeOf(artifact.content, artifact.options, artifact.target)


def hooks_of(target: Target) -> TargetHooks:
    """What a target adds to the compiler.  Raises `DiagnosticError` for one that makes no code."""
    if target.code is None:
        raise failure(codes.UNKNOWN_TARGET, f"the target '{target}' makes no code")
    return target.code


def compiled(artifact: Artifact) -> Image:
    """`native_image`, whatever is in the cache.  Raises `UncompilableError`."""
    from tilewright.runtime.image import Image

    hooks = hooks_of(artifact.target)
    try:
        with paused_collection():
            kernels = hooks.kernels(artifact)
            made = artifact.asm[hooks.code]
    except DiagnosticError as error:
        raise UncompilableError(error.diagnostics, str(error)) from error
    return Image(made if isinstance(made, bytes) else made.encode(), kernels)


@dataclass(frozen=True, slots=True)
class _CodeOf:
    """The code of the module that ``content`` identifies (None: nothing does), and all that it depends on."""

    content: bytes | None
    options: CompileOptions
    target: Target

    def use(self, make: Callable[[], Image], use: Callable[[Image], _T]) -> _T:
        """What ``use`` makes of the image: of that on the disk, or of one that is made and kept there."""
        from tilewright.runtime.cache import DiskCache
        from tilewright.runtime.image import Image

        if self.content is None:
            return use(make())
        key = cache_key(self.content, self.options, self.target)
        disk = DiskCache()
        found = disk.get(key)
        if found is not None:
            with contextlib.suppress(ValueError, DiagnosticError):  # no image, or one that cannot be loaded:
                return use(Image.from_bytes(found))  # whatever was written there is replaced
        image = make()
        disk.put(key, image.to_bytes())
        return use(image)

    def native(self, image: Image) -> Native:
        """The kernels of an image in this process."""
        return Native(image, self.target)


def is_loadable(record: bytes) -> bool:
    """Whether a record of the cache holds kernels that some target can load into this process."""
    from tilewright.runtime.image import Image

    for target in TARGETS.values():
        if not target.interprets:
            with contextlib.suppress(ValueError, DiagnosticError):
                Native(Image.from_bytes(record), target)
                return True
    return False


def cache_key(content: bytes, options: CompileOptions, target: Target) -> str:
    """What a record depends on: the module, how and for what it is compiled, and by which program."""
    from tilewright.driver.stages import option_values
    from tilewright.runtime.cache import key_of, program_stamp

    hooks = hooks_of(target)
    settings = (options.pipeline, options.opt_level, options.checks, options.debug_info)
    machine = (target.name, hooks.identity(option_values(target, options)))
    compiler = (__version__, program_stamp(), hooks.compiler())
    return key_of([content, *(repr(part).encode() for part in (settings, machine, compiler))])
