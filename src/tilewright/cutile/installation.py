"""Replacement of ``cuda.tile.launch`` by a function that runs kernels through tilewright.

The function is replaced under every name where it is found: in ``cuda.tile``, and as a global of any other
loaded module (``from cuda.tile import launch`` was executed before), which a BridgeWarning reports.
References inside closures, default values, classes and containers cannot be found and keep the original. The
replacement tests at each call whether the bridge is installed, so a module that imported it keeps working
after ``uninstall``.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from tilewright.cutile import errors as cutile_errors, frontend as cutile_frontend, launcher, settings
from tilewright.driver.options import check_names
from tilewright.ir.support.locks import reentrant_lock


@dataclass(frozen=True, slots=True)
class _Replaced:
    """An attribute `name` of `module` that was replaced: its `original` value, and its replacement
    `stand_in`. The original is restored only if the attribute still is `stand_in`.
    """

    module: Any
    name: str
    original: Any
    stand_in: Any


_lock = reentrant_lock()
_replaced: list[_Replaced] = []
_originals: dict[str, Callable[..., Any]] = {}


def install(
    target: str = "cpu", *, check: str | Iterable[str] = (), launch: Callable[..., None] = launcher.run
) -> None:
    """Make ``cuda.tile.launch(stream, grid, kernel, args)`` run on ``target``, in the whole process.

    `tilewright.cutile.launch` also uses this target if it gets none, and makes these checks as well. All
    launches are made by the function ``launch``, which gets the arguments of `tilewright.cutile.launch`.
    Timing runs of ``cuda.tile.tune`` use this target, too, without their time limit. Another call changes the
    target.

    Warns (`BridgeWarning`) if other modules had imported ``launch`` by name. Raises `DiagnosticError` for an
    unknown check.
    """
    checks = check_names(check)
    front = cutile_frontend.frontend()
    with _lock:
        _originals.setdefault("launch", front.extension.launch)
        settings.current = settings.LaunchSettings(target, checks, launch)
        _replace(front.tile, "launch", _launch)
        _replace(front.extension, "launch", _launch)
        _replace_tuning(front.extension)
        holders = _replace_elsewhere()
    if holders:
        warnings.warn(
            f"cuda.tile.launch had been imported by name before; replaced it in {', '.join(holders)} too",
            cutile_errors.BridgeWarning,
            stacklevel=2,
        )


def uninstall() -> None:
    """Restore the original functions wherever the replacement is still in place; do nothing if the bridge is
    not installed.
    """
    with _lock:
        settings.current = None
        for entry in reversed(_replaced):
            if getattr(entry.module, entry.name, None) is entry.stand_in:
                setattr(entry.module, entry.name, entry.original)
        _replaced.clear()


@contextmanager
def backend(target: str = "cpu", *, check: str | Iterable[str] = ()) -> Generator[None]:
    """Install the bridge during a ``with`` block, for the whole process, not only for this thread.

    At the end the earlier settings are restored.
    """
    with _lock:
        before = settings.current
    install(target, check=check)
    try:
        yield
    finally:
        with _lock:
            if before is None:
                uninstall()
            else:
                settings.current = before


def _launch(
    stream: object,
    grid: Sequence[int],
    kernel: Any,
    kernel_args: tuple[Any, ...],
    /,
    *,
    programmatic_dependent_launch: bool = False,
) -> None:
    """launch(stream, grid, kernel, kernel_args, /, *, programmatic_dependent_launch=False)

    Run a kernel over a grid of tile blocks. While the bridge is installed, it runs on the installed target,
    and ``programmatic_dependent_launch`` has no effect; otherwise cuTile's own ``launch`` runs it.
    """
    if settings.current is None:
        _originals["launch"](
            stream, grid, kernel, kernel_args, programmatic_dependent_launch=programmatic_dependent_launch
        )
    else:
        launcher.launch(grid, kernel, kernel_args, stream=stream)


def _benchmark(
    stream: object, grid: Sequence[int], kernel: Any, arguments: tuple[Any, ...], _flush_l2: bool = True, /
) -> float:
    """Run a kernel once as `_launch` does, and return the microseconds that it took.

    Replaces a function of ``cuda.tile.tune``.
    """
    start = time.perf_counter()
    _launch(stream, grid, kernel, arguments)
    return (time.perf_counter() - start) * 1e6


def _no_payload(*_: Any) -> None:
    """Return None: ``cuda.tile.tune`` then times runs in this process instead of another."""


def _replace(module: Any, name: str, stand_in: Callable[..., Any]) -> None:
    original = getattr(module, name, None)
    if original is not None and original is not stand_in:
        _replaced.append(_Replaced(module, name, original, stand_in))
        setattr(module, name, stand_in)


def _replace_tuning(extension: Any) -> None:
    try:
        modules = [import_module(f"cuda.tile.tune.{name}") for name in ("_tune", "_tune_utils")]
    except ImportError:  # a cuda-tile without tuning
        modules = []
    for module in (extension, *modules):
        _replace(module, "_benchmark", _benchmark)
        _replace(module, "_export_ipc_benchmark_payload", _no_payload)


def _replace_elsewhere() -> list[str]:
    """Replace the original ``launch`` of cuTile by `_launch` under every name that a loaded module has for
    it. Return these names, sorted, as ``module.name``.
    """
    original = _originals["launch"]
    holders: list[str] = []
    for module_name, module in list(sys.modules.items()):
        names = [k for k, v in list(getattr(module, "__dict__", {}).items()) if v is original]
        for name in names:
            _replace(module, name, _launch)
            holders.append(f"{module_name}.{name}")
    return sorted(holders)
