"""cuTile kernels to Tile IR bytecode, with a cache per kernel."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

from tilewright.cutile import repeated
from tilewright.cutile.binding import Binding, bind
from tilewright.cutile.errors import LaunchError, MissingPackageError
from tilewright.cutile.facts import Facts
from tilewright.cutile.frontend import Frontend, frontend
from tilewright.cutile.parameters import Parameters, parameters_of
from tilewright.cutile.signature import FlatParameter, flat_parameters, kernel_signature
from tilewright.ir.locks import reentrant_lock

READABLE_VERSIONS = ("13.1", "13.2", "13.3", "13.4", "13.5")
"""The bytecode versions that tilewright reads."""

PORTABLE_SINCE = "13.3"
"""The first version whose bytecode needs no GPU architecture (it carries hints per architecture)."""

DEFAULT_ARCHITECTURE = "sm_100"
"""Named in older bytecode: it has every element type of those versions, and hints change no result."""


@dataclass(frozen=True, slots=True)
class CompiledKernel:
    """Tile IR bytecode of one kernel for one signature.

    ``symbol`` is the entry in ``bytecode``, ``signature`` the ``cuda.tile.compilation.KernelSignature`` and
    ``parameters`` the entry's parameters in order.
    """

    bytecode: bytes = field(repr=False)
    symbol: str
    signature: Any
    parameters: tuple[FlatParameter, ...]
    version: str


_cache: WeakKeyDictionary[Any, dict[Hashable, CompiledKernel]] = WeakKeyDictionary()
_cache_lock = reentrant_lock()
_compile_lock = reentrant_lock()


def compile_to_bytecode(
    kernel: Any,
    arguments: Any,
    *,
    version: str | None = None,
    architecture: str | None = None,
) -> CompiledKernel:
    """Compile a ``@cuda.tile.kernel`` for launch arguments, or for a ``KernelSignature``.

    ``version`` is a bytecode version such as ``"13.3"``; by default the newest released one that both the
    installed cuda-tile writes and tilewright reads.  ``architecture`` (``"sm_100"``) checks element types
    for that GPU and keeps only its hints.  Errors of the frontend (``cuda.tile.TileTypeError``, ...) pass
    through.
    """
    front = frontend()
    parameters = _parameters_of(front, kernel)
    if isinstance(arguments, front.compilation.KernelSignature):
        return _compile(front, kernel, parameters, arguments, version or default_version(), architecture)
    binding = bind(parameters, arguments, convention_3=front.convention_3)
    return compiled(kernel, parameters, binding.facts, version=version, architecture=architecture)


def bind_arguments(kernel: Any, arguments: Sequence[object]) -> tuple[Parameters, Binding]:
    """Bind launch arguments to the parameters of a kernel."""
    front = frontend()
    parameters = _parameters_of(front, kernel)
    return parameters, bind(parameters, arguments, convention_3=front.convention_3)


def compiled(
    kernel: Any,
    parameters: Parameters,
    facts: tuple[Facts, ...],
    *,
    version: str | None = None,
    architecture: str | None = None,
) -> CompiledKernel:
    """The compiled form for these facts, from the cache when it has been compiled before."""
    version = version or default_version()
    # Hints may hold unhashable per-target tables, so the options enter by their text.
    key = (facts, repr(kernel._compiler_options), version, architecture)
    found = _lookup(kernel, key)
    if found is not None:
        return found
    with _compile_lock:
        return _lookup(kernel, key) or _compile_and_store(kernel, parameters, key)


def _lookup(kernel: Any, key: Hashable) -> CompiledKernel | None:
    with _cache_lock:
        return _cache.get(kernel, {}).get(key)


def _compile_and_store(
    kernel: Any, parameters: Parameters, key: tuple[tuple[Facts, ...], str, str, str | None]
) -> CompiledKernel:
    facts, _, version, architecture = key
    front = frontend()
    signature = kernel_signature(front, facts, parameters.function_name)
    made = _compile(front, kernel, parameters, signature, version, architecture)
    with _cache_lock:
        _cache.setdefault(kernel, {})[key] = made
    return made


def clear_cache() -> None:
    """Forget every compiled kernel (after a global that a kernel reads has changed, for example)."""
    with _cache_lock:
        _cache.clear()
    repeated.forget_all()


@cache
def default_version() -> str:
    """The newest released bytecode version that the installed cuda-tile writes and tilewright reads."""
    versions = writable_versions()
    if not versions:
        raise MissingPackageError("cuda-tile", f"it writes none of the bytecode versions {READABLE_VERSIONS}")
    return versions[-1]


def writable_versions(*, development: bool = False) -> tuple[str, ...]:
    """Bytecode versions that the installed cuda-tile writes and tilewright reads, oldest first."""
    front = frontend()
    written = front.all_versions() if development else front.released_versions()
    return tuple(version for version in written if version in READABLE_VERSIONS)


def _parameters_of(front: Frontend, kernel: Any) -> Parameters:
    if not front.is_kernel(kernel):
        raise LaunchError(
            "kernel",
            f"an object of type {type(kernel).__name__} is not a cuTile kernel",
            "decorate the function with @cuda.tile.kernel",
        )
    return parameters_of(kernel)


def _compile(
    front: Frontend,
    kernel: Any,
    parameters: Parameters,
    signature: Any,
    version: str,
    architecture: str | None,
) -> CompiledKernel:
    if architecture is None and _number(version) < _number(PORTABLE_SINCE):
        architecture = DEFAULT_ARCHITECTURE
    result = front.compiler.compile_tile(
        kernel._annotated_function,
        [signature],
        sm_arch=architecture,
        compiler_options=kernel._compiler_options,
        bytecode_version=front.version(version),
        return_bytecode=True,
        return_cubin=False,
    )
    (final,) = result.kernel_signatures
    layout = flat_parameters(final, parameters.names)
    return CompiledKernel(bytes(result.bytecode), final.symbol, final, layout, version)


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
