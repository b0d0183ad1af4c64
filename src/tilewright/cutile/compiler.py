"""Compilation of cuTile kernels to Tile IR bytecode."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from tilewright.cutile import facts as cutile_facts, mistakes
from tilewright.cutile.binding import Binding, bind
from tilewright.cutile.errors import LaunchError, MissingPackageError
from tilewright.cutile.frontend import Frontend, frontend
from tilewright.cutile.known import CompiledKernel, clear_cache, known
from tilewright.cutile.parameters import Parameters
from tilewright.cutile.signature import flat_parameters, kernel_signature

READABLE_VERSIONS = ("13.1", "13.2", "13.3", "13.4", "13.5")
"""The bytecode versions that tilewright reads."""

PORTABLE_SINCE = "13.3"
"""The first version whose bytecode needs no GPU architecture (it carries hints per architecture)."""

WARPS = (4, 8)
"""The numbers of worker warps that all bytecode versions with the hint `num_worker_warps` can store."""

WARPS_SINCE = "13.5"
"""The first bytecode version that can store other numbers of worker warps; cuTile 1.7 has it as a development
version.
"""

DEFAULT_ARCHITECTURE = "sm_100"
"""The architecture that older bytecode names: it has every element type of those versions, and hints change
no result.
"""


def compile_to_bytecode(
    kernel: Any,
    arguments: Any,
    *,
    version: str | None = None,
    architecture: str | None = None,
) -> CompiledKernel:
    """Compile a ``@cuda.tile.kernel`` for launch arguments, or for a ``KernelSignature``.

    ``version`` is a bytecode version such as ``"13.3"``; by default the newest released one that both the
    installed cuda-tile writes and tilewright reads, or 13.5 for a kernel whose ``num_worker_warps`` needs it.
    ``architecture`` (``"sm_100"``) checks element types for that GPU and keeps only its hints. Raises
    `FrontendError` for mistakes that the frontend reports; the error is also a ``cuda.tile.TileTypeError`` or
    the like. Raises `LaunchError` for an object that is not a kernel and an argument that cannot be passed,
    and `ValueError` for a version that cuda-tile does not write.
    """
    front = frontend()
    parameters = _parameters_of(front, kernel)
    if isinstance(arguments, front.compilation.KernelSignature):
        return _compile(front, kernel, parameters, arguments, version or version_for(kernel), architecture)
    binding = bind(parameters, arguments, convention_3=front.convention_3)
    return compiled(kernel, parameters, binding.facts, version=version, architecture=architecture)


def bind_arguments(kernel: Any, arguments: Sequence[object]) -> tuple[Parameters, Binding]:
    """Return the parameters of a kernel with their annotations, and the launch arguments bound to them.
    Raises `LaunchError` for an object that is not a kernel, and for an argument that cannot be passed.
    """
    front = frontend()
    parameters = _parameters_of(front, kernel)
    return parameters, bind(parameters, arguments, convention_3=front.convention_3)


def compiled(
    kernel: Any,
    parameters: Parameters,
    facts: tuple[cutile_facts.Facts, ...],
    *,
    version: str | None = None,
    architecture: str | None = None,
) -> CompiledKernel:
    """Return the kernel compiled for arguments with these facts; each combination is compiled once, then
    cached. ``version`` is a bytecode version, None the result of `version_for`; ``architecture`` is a GPU
    whose element types are checked, None no GPU in particular. Raises `FrontendError` for mistakes that the
    frontend reports.
    """
    version = version or version_for(kernel)

    def make() -> CompiledKernel:
        front = frontend()
        signature = kernel_signature(front, facts, parameters.function_name)
        return _compile(front, kernel, parameters, signature, version, architecture)

    # Hints may hold unhashable per-target tables, so the options enter by their text.
    return known(kernel).bytecode.of((facts, repr(kernel._compiler_options), version, architecture), make)


@cache
def default_version() -> str:
    """Return the newest released bytecode version that the installed cuda-tile writes and tilewright reads.

    Raises `MissingPackageError` if there is no such version.
    """
    versions = writable_versions()
    if not versions:
        raise MissingPackageError("cuda-tile", f"it writes none of the bytecode versions {READABLE_VERSIONS}")
    return versions[-1]


def version_for(kernel: Any) -> str:
    """Return the bytecode version that a kernel is compiled to by default. A kernel with other numbers of
    worker warps than 4 and 8 needs a newer version, which is returned if the installed cuda-tile writes it.
    """
    usual = default_version()
    if _number(usual) >= _number(WARPS_SINCE) or _warps(kernel._compiler_options).issubset(WARPS):
        return usual
    return WARPS_SINCE if WARPS_SINCE in writable_versions(development=True) else usual


def _warps(options: Any) -> set[int]:
    """Return the numbers of worker warps that a kernel requests for any GPU; empty without such a request."""
    asked = getattr(options, "num_worker_warps", None)
    if asked is None:
        return set()
    by_target = options.hints_by_target().values()
    return {count for hints in by_target if (count := hints.get("num_worker_warps")) is not None}


def writable_versions(*, development: bool = False) -> tuple[str, ...]:
    """Return the bytecode versions that the installed cuda-tile writes and tilewright reads, oldest first,
    such as ``("13.1", "13.2")``. With ``development``, versions that cuda-tile writes only as development
    features are included.
    """
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
    return known(kernel).parameters


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
    number = front.version(version)
    with mistakes.reported(front):
        result = front.compiler.compile_tile(
            kernel._annotated_function,
            [signature],
            sm_arch=architecture,
            compiler_options=kernel._compiler_options,
            bytecode_version=number,
            return_bytecode=True,
            return_cubin=False,
        )
    (final,) = result.kernel_signatures
    layout = flat_parameters(final, parameters.names)
    return CompiledKernel(bytes(result.bytecode), final.symbol, final, layout, version)


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


__all__ = [
    "CompiledKernel",
    "bind_arguments",
    "clear_cache",
    "compile_to_bytecode",
    "compiled",
    "default_version",
    "writable_versions",
]
