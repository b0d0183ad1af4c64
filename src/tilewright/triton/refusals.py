"""Errors of launches of Triton's kernels: Triton's front end raises plain Python exceptions that name no
parameter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from inspect import Signature
from typing import Any

from tilewright.dialects.common.grid import GridError, grid_extents
from tilewright.driver.launch_arguments import LaunchError, grid_refusal
from tilewright.triton.arrays import obstacle

RAISED = (TypeError, KeyError, IndexError, OverflowError)
"""The exceptions that Triton's front end raises for arguments and grids that it refuses."""
SHAPE = "pass a tuple of one to three integers, or a function that makes one"


def explaining(get_item: Any, is_ours: Callable[[], bool]) -> Any:
    """Return a replacement of `get_item`, the `__getitem__` of Triton's kernels. It launches by
    ``kernel.run``, as Triton does; if that raises one of `RAISED`, the error is replaced by a `LaunchError`
    that names the refused argument and the reason. The error is raised unchanged if ``is_ours`` returns
    False, no reason is found, or the error names its parameter already.
    """

    def chosen(kernel: Any, grid: Any) -> Any:
        def launch(*arguments: Any, **named: Any) -> Any:
            try:
                return kernel.run(grid=grid, warmup=False, *arguments, **named)  # noqa: B026 (Triton's order)
            except RAISED as error:
                found = why(kernel, grid, arguments, named) if is_ours() and _is_open(error) else None
                if found is None:
                    raise
                raise found from None

        return launch

    chosen.__doc__ = get_item.__doc__
    return chosen


def _is_open(error: BaseException) -> bool:
    """Return whether `error` leaves open which parameter is wrong: it is no `LaunchError`, or names no
    parameter.
    """
    return not isinstance(error, LaunchError) or not error.parameter


def why(kernel: Any, grid: Any, arguments: Sequence[Any], named: Mapping[str, Any]) -> LaunchError | None:
    """Return the error for a launch that Triton's front end refused: a wrong number of arguments, an argument
    that kernels cannot take, or a wrong grid. None if none of these is the reason.
    """
    function = kernel
    while not hasattr(function, "params"):  # a wrapper that tunes
        if not hasattr(function, "fn"):
            return None
        function = function.fn
    signature: Signature = function.signature
    known = {name: value for name, value in named.items() if name in signature.parameters}
    try:
        bound = (signature.bind if function is kernel else signature.bind_partial)(*arguments, **known)
    except TypeError as error:
        return _wrong_count(function, signature, error)
    bound.apply_defaults()
    constants = {one.name for one in function.params if one.is_constexpr}
    for name, value in bound.arguments.items():
        found = None if name in constants else obstacle(value)
        if found is not None:
            return found.of_parameter(name)
    return grid_obstacle(grid, bound.arguments)


def _wrong_count(function: Any, signature: Signature, error: TypeError) -> LaunchError:
    hint = f"pass one value per parameter ({', '.join(signature.parameters)})"
    return LaunchError(f"kernel {function.fn.__name__}", str(error), hint)


def grid_obstacle(grid: Any, named: Mapping[str, Any]) -> LaunchError | None:
    """Return the error for a grid, or for the result of a function that computes it from the arguments
    `named`. Return None if the grid is valid or has an extent of 0, and if the function fails.
    """
    try:
        extents = grid(dict(named)) if callable(grid) else grid
    except Exception:  # the program's own function fails: Triton reports its exception
        return None
    if not hasattr(extents, "__len__"):
        return grid_refusal(
            GridError(f"a grid is a tuple of one to three integers, got {extents!r}", is_shaped=False)
        )
    try:
        grid_extents(extents)
    except GridError as error:
        return None if error.is_empty and error.extent == 0 else grid_refusal(error)
    return None


def is_ours() -> bool:
    """Return whether Triton's active driver is the CPU driver, or the driver of a simulated GPU."""
    launcher: Any = getattr(import_module("triton.runtime.driver").driver.active, "launcher_cls", None)
    return getattr(launcher, "func", None) is import_module("tilewright.triton.driver").launcher
