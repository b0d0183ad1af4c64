"""Launches of a cuTile kernel over a grid of tile blocks."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from tilewright.cutile import binding as cutile_binding, repeated, settings
from tilewright.cutile.compiler import CompiledKernel, bind_arguments, compiled
from tilewright.cutile.errors import LaunchError
from tilewright.cutile.parameters import Parameters
from tilewright.dialects.common.grid import (
    MAXIMUM_GRID_EXTENT,
    GridError,
    GridSize,
    grid_extents as extents_of,
)
from tilewright.driver import (
    debugging,
    launch_arguments,
    options as driver_options,
    target as driver_target,
)
from tilewright.driver.mistakes.error import FrontendError
from tilewright.host.arrays import is_array_like
from tilewright.interp.codes import READ_ONLY
from tilewright.interp.memory.writes import HINT, ReadOnlyError
from tilewright.ir.support.sequences import is_list

if TYPE_CHECKING:
    from tilewright.driver.repeatable import LaunchedKernel, LaunchEngine


def known_memory(
    made: CompiledKernel, parameters: Parameters, arguments: Sequence[object], binding: cutile_binding.Binding
) -> list[object]:
    """Return the arrays that a kernel may touch, each as a `NamedArray` with its name, such as ``x``,
    ``pair[1]``, or ``the table of xs`` for the table that the bridge makes for a list.
    """
    from tilewright.interp.memory.access_messages import NamedArray

    names = [name for known in zip(parameters.names, arguments, strict=True) for name in array_names(*known)]
    arrays = [view.array for view in binding.memory]
    found: list[object] = [NamedArray(*named) for named in zip(names, arrays, strict=True)]
    flat = zip(made.parameters, binding.flat, strict=True)
    tables = [(f"the table of {known.argument}", value) for known, value in flat if known.role == "table"]
    return found + [NamedArray(*named) for named in tables]


def array_names(name: str, value: object) -> Iterator[str]:
    """Yield the names of the arrays in the argument ``value`` of the parameter ``name``, in the order in
    which they are bound: ``name`` itself, or such as ``name[1]`` in a list or tuple, and ``name.field`` in a
    dataclass. An argument without arrays yields nothing.
    """
    if isinstance(value, tuple | list):
        for at, item in enumerate(cast("Sequence[Any]", value)):
            yield from array_names(f"{name}[{at}]", item)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            yield from array_names(f"{name}.{field.name}", getattr(value, field.name))
    elif is_array_like(value):
        yield name


def launch(
    grid: int | Sequence[int],
    kernel: Any,
    args: Sequence[object],
    *,
    target: str | None = None,
    check: str | Iterable[str] = (),
    stream: object = None,
    compare: bool | Sequence[str] = False,
) -> None:
    """Run a ``@cuda.tile.kernel`` on host arrays and return when it is done; arrays are written in place.

    ``grid`` counts tile blocks along up to three axes.  ``args`` holds one value per kernel parameter:
    NumPy arrays (ml_dtypes' bfloat16 and fp8 included), CPU tensors and other host objects with
    ``__dlpack__``, buffers, lists of arrays, numbers, and tuples of these.  ``target`` (``"cpu"`` if none is named)
    and ``check`` go to ``tilewright.launch``; ``stream`` is accepted and has no meaning.  While the bridge is installed,
    its target stands for one that is not named, and its checks are made, too.  ``compare`` compares the results with exact
    values, on further targets if it names them (`tilewright.cutile.compare`).  Raises LaunchError for what cannot be
    passed, and `DiagnosticError` for findings.
    """
    current = settings.current
    try:
        if compare:
            chosen = target or (current.target if current is not None else driver_target.DEFAULT)
            compared: Any = import_module("tilewright.cutile.compared")
            compared.checked(grid, kernel, args, chosen, () if compare is True else compare)
            return
        if current is None:
            run(grid, kernel, args, target=target or driver_target.DEFAULT, check=check)
            return
        checks = current.checks(check)
        current.launch(grid, kernel, args, target=target or current.target, check=checks, stream=stream)
    except FrontendError as error:
        raise error.with_traceback(None) from error.__cause__  # hide the frames between program and frontend


def run(
    grid: int | Sequence[int],
    kernel: Any,
    args: Sequence[object],
    *,
    target: str,
    check: str | Iterable[str],
    stream: object = None,
    engine: LaunchEngine | None = None,
) -> None:
    """Run a kernel on ``target`` with the checks ``check``, independently of the installed settings, and
    return when it is done; arrays are written in place. ``engine`` makes the launch; by default
    `tilewright.launch` does. ``stream`` is not used. Raises `LaunchError` for an argument that cannot be passed.
    """
    extents = grid_extents(grid)
    if not isinstance(args, tuple | list):
        args = _argument_tuple(args)
    compiles = target == "cpu" and not check and engine is None
    if compiles:
        before = repeated.find(kernel, args)
        if before is not None:
            before[0](extents, before[1])
            return
    parameters, binding = bind_arguments(kernel, args)
    made = compiled(kernel, parameters, binding.facts)
    # ``binding`` stays referenced until the call returns: it keeps arrays behind list tables alive.
    checks = driver_options.check_names(check)
    is_named = bool(checks) or engine is not None or debugging.is_attached()
    memory = (
        known_memory(made, parameters, args, binding) if is_named else [view.array for view in binding.memory]
    )
    if target == debugging.TARGET:
        debugging.tell_arguments(parameters.names, args)
    launch = usual_launch()
    try:
        if engine is not None:
            engine(_launched(made, extents, binding, memory), target, checks)
        else:
            given = made.bytecode, made.symbol, extents, binding.flat
            launch(*given, target=target, check=checks, memory=memory)
    except ReadOnlyError as error:
        raise _read_only(error, binding) from None
    if compiles and launch is import_module("tilewright").launch:
        repeated.remember(kernel, parameters, args, binding, native_kernel(made.bytecode, made.symbol))


def _argument_tuple(arguments: object) -> tuple[object, ...]:
    """Return arguments in another kind of sequence as a tuple.

    Raises `LaunchError` for an object that is not a sequence.
    """
    if is_list(arguments):
        return tuple(arguments)
    reason = f"an object of type {type(arguments).__name__} was given, and not a tuple"
    raise LaunchError("kernel arguments", reason, "pass one value per parameter, such as (x, out)")


def _read_only(error: ReadOnlyError, binding: cutile_binding.Binding) -> LaunchError:
    """Return the error for a read-only array, which names the argument of the kernel, unless the array is a
    table that the bridge made.
    """
    flat = binding.flat[error.parameter] if error.parameter is not None else None
    views = enumerate(binding.memory)
    number = error.memory if flat is None else next((at for at, view in views if view.array is flat), None)
    if number is None:  # a table that the bridge made
        return LaunchError("kernel", error.reason, HINT, code=READ_ONLY)
    origin = binding.origins[number]
    return launch_arguments.read_only(error, origin.subject, origin.parameter)


def _launched(
    made: CompiledKernel, extents: GridSize, binding: cutile_binding.Binding, memory: Sequence[object]
) -> LaunchedKernel:
    """Return the launch of a kernel for an engine."""
    from tilewright.driver.repeatable import LaunchedKernel

    return LaunchedKernel(made.bytecode, made.symbol, extents, binding.flat, memory)


def usual_launch() -> Callable[..., object]:
    """Return `tilewright.launch`, imported at the first launch."""
    return import_module("tilewright").launch


def native_kernel(bytecode: bytes, symbol: str) -> repeated.CutileKernel:
    """Return the kernel `symbol` of the bytecode compiled for the CPU, from a cache if it was compiled
    before. Raises `DiagnosticError` if it does not compile.
    """
    driver: Any = import_module("tilewright.driver.launch")
    return driver.kernels(bytecode).kernel(symbol)


def grid_extents(grid: int | Sequence[int]) -> GridSize:
    """Return a grid as three extents; extents that are left out are 1. Raises `LaunchError` for an extent
    that is not positive or too large, and for an object that is not a grid at all.
    """
    try:
        return extents_of(grid if not isinstance(grid, Sequence) or grid else 1)
    except GridError as error:
        raise launch_arguments.grid_refusal(error, _in_their_words(error)) from None


def _in_their_words(error: GridError) -> str:
    """Return the message for an invalid grid; for extents out of range it is the message of cuTile's own
    launcher.
    """
    if error.is_empty:
        return f"Grid[{error.axis}] is {error.extent}, but a grid has at least one tile block along each axis"
    if error.axis is None:
        return str(error)
    reason = f"Grid[{error.axis}] exceeds 24-bit limit: max={MAXIMUM_GRID_EXTENT}, got={error.extent}."
    return f"{reason} Use multiple kernel launches for larger workloads."
