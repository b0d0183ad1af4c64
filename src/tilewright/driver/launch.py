"""Launching kernels: the one call behind every frontend and the command line."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from tilewright.driver import codes, loading, target as driver_target
from tilewright.driver.extensions.extension import named
from tilewright.driver.launch_arguments import argument_list, normalise_grid
from tilewright.driver.options import CHECKS, TARGET, check_names
from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.runtime.keyed_cache import KeyedCache

if TYPE_CHECKING:
    from tilewright.driver.artifact import Artifact
    from tilewright.driver.sources import Source

KERNELS: KeyedCache[tuple[bytes, tuple[str, ...], driver_target.Target], loading.Outcome] = KeyedCache(128)
"""The results of loading bytecode, by its content, the names of checks, and the target."""


def launch(
    source: Source,
    entry: str | None,
    grid: int | Sequence[int],
    flat_args: Sequence[Any],
    *,
    target: str | driver_target.Target = TARGET.default,
    check: str | Iterable[str] = (),
    memory: Sequence[Any] = (),
    threads: int | None = None,
    fallback: str = "",
    compare: bool | Sequence[str] = False,
) -> Any:
    """Run a kernel over a grid of tile blocks; return the report of the target, or None if it has none.

    ``flat_args`` holds, for each parameter of the entry in order, a ctypes scalar or number, an address, or a
    NumPy array whose first element a pointer parameter is to point at; arrays are written in place. ``entry``
    may be None when the module has just one. ``check`` names run-time checks (`CHECKS`), which become part of
    the code; a module has globals of their own for each combination of them. ``memory`` lists further arrays
    that the kernel reaches through addresses in tables. ``threads`` is the maximum number of threads that run
    tile blocks, by default one per processor. With ``fallback="interp"`` a module that cannot be compiled for
    the target is interpreted, with a `FallbackWarning`. ``compare`` compares the results with exact values
    (`tilewright.compare`), on further targets if it names them, and returns the comparison; ``check``,
    ``threads`` and ``fallback`` have no effect then.

    Raises `DiagnosticError` for anything wrong with the module, the arguments or the run, and for findings of
    a comparison.
    """
    chosen = driver_target.target(target)
    if fallback not in _FALLBACKS:
        raise failure(
            codes.UNKNOWN_TARGET, f"there is no fallback '{fallback}'", hint="known fallback: interp"
        )
    if compare:
        return _compared(source, entry, grid, flat_args, chosen, compare, memory)
    checks = check_names(check) if check else ()
    flat_args, memory = argument_list(flat_args), argument_list(memory)
    try:
        kernel = kernels(source, checks, chosen).kernel(entry)
    except loading.UncompilableError as error:
        if not fallback:
            raise
        warnings.warn(f"interpreted instead: {error}", FallbackWarning, stacklevel=2)
        kernel = kernels(source, checks, driver_target.target(fallback)).kernel(entry)
    return kernel.launch(normalise_grid(grid), flat_args, threads, memory)


def _compared(
    source: Source,
    entry: str | None,
    grid: int | Sequence[int],
    flat_args: Sequence[Any],
    target: driver_target.Target,
    compare: bool | Sequence[str],
    memory: Sequence[Any],
) -> Any:
    """Make a compared launch and return the comparison. Raises `DiagnosticError` if it has findings."""
    run, report = (
        named(f"tilewright.driver.comparison.{place}") for place in ("launch:compare", "comparer:report")
    )
    also = () if compare is True else tuple(compare or ())
    found = run(source, entry, grid, flat_args, target=target.name, also=also, memory=memory)
    report(found)
    return found


class FallbackWarning(UserWarning):
    """A kernel is interpreted because it could not be compiled."""


_FALLBACKS = ("", "interp")


def kernels(
    source: Source,
    checks: tuple[str, ...] = (),
    target: driver_target.Target = driver_target.TARGETS[driver_target.DEFAULT],
) -> loading.Kernels:
    """Return the kernels of a module for a target, with the named checks. Kernels of bytecode given as
    ``bytes`` stay loaded; other sources are compiled at each call.

    Raises `DiagnosticError`: `UncompilableError` if the module is valid, but there is no code for it.
    """
    if type(source) is not bytes:
        return _compiled(source, checks, target).kernels()
    key = (source, checks, target)
    return loading.kernels_of(
        KERNELS.get(key) or KERNELS.of(key, lambda: loading.outcome(_loader(*key).kernels))
    )


def _loader(content: bytes, checks: tuple[str, ...], target: driver_target.Target) -> loading.Loader:
    from tilewright.driver.stages import CompileOptions

    options = CompileOptions(checks=checks)
    return loading.Loader(content, options, target, lambda: _compiled(content, checks, target))


def _compiled(source: Source, checks: tuple[str, ...], target: driver_target.Target) -> Artifact:
    """Return a module compiled for a target. The compiler is imported here: a launch of code from the cache does
    not need it.
    """
    from tilewright.driver.compile import compile
    from tilewright.driver.stages import CompileOptions

    return compile(source, target=target, options=CompileOptions(checks=checks))


__all__ = [
    "CHECKS",
    "DiagnosticError",
    "FallbackWarning",
    "kernels",
    "launch",
    "normalise_grid",
]
