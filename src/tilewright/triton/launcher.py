"""Launches of Triton's kernels: Triton's arguments are flattened into the arguments of the compiled kernel."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, cast

from tilewright.dialects.common.grid import GridSize
from tilewright.driver import debugging, launch as driver_launch, launch_arguments
from tilewright.driver.target import LaunchableKernel, target as find_target
from tilewright.interp.memory.access_messages import NamedArray
from tilewright.interp.memory.writes import ReadOnlyError
from tilewright.ir.support.record import Record
from tilewright.triton import arrays as triton_arrays, parameters

if TYPE_CHECKING:
    from tilewright.driver.repeatable import LaunchEngine
    from tilewright.runtime.kernel import LoadedKernel

Run = Callable[[GridSize, Sequence[Any]], object]
"""A function that runs a kernel for a grid, with the arguments that Triton passes."""


class LaunchWrapper(Protocol):
    """Makes the launches of a program that runs under `tilewright run`, around the code that runs the kernel."""

    @property
    def engine(self) -> LaunchEngine | None:
        """Makes launches instead of `tilewright.launch`; None for the default."""
        ...

    def make(self, name: str, grid: Any, arguments: Sequence[object], run: Callable[[], object]) -> None:
        """Make a launch of Triton's kernel `name` by calling ``run``, at once or, while a graph is captured,
        at each replay. `grid` and `arguments` are the grid and the arguments of Triton's call.
        """
        ...


class TritonFunction(Record, frozen=True):
    """A kernel as Triton stores it: its name, and the text of its module in Tile IR, encoded as UTF-8."""

    name: str
    content: bytes

    def kernel(self, checks: tuple[str, ...], target: str) -> LaunchableKernel:
        """Return the kernel, compiled for the target named `target` with `checks` and loaded into this
        process. Raises `DiagnosticError` if it cannot be compiled.
        """
        return driver_launch.kernels(self.content, checks, find_target(target)).kernel(self.name)


class Launcher:
    """Launches one compiled kernel, with the arguments of Triton's call. `source` is Triton's source of the
    kernel, with the signature; `metadata` is the metadata of its compilation; and ``around`` is the field of
    `CPUDriver`, None for launches without `tilewright run`.
    """

    def __init__(self, source: Any, metadata: Any, around: LaunchWrapper | None = None) -> None:
        self.name: str = metadata.name
        self._checks: tuple[str, ...] = tuple(metadata.check)
        self._target: str = metadata.run_on
        self._ttir: str = metadata.ttir
        self._around = around
        self._names = [str(name) for name in source.signature]
        self._parameters = [parameters.parameter(str(name), type) for name, type in source.signature.items()]
        self._hook_chain: type | None = getattr(sys.modules.get("triton.knobs"), "HookChain", None)
        self._run: Run | None = None

    def __call__(
        self,
        x: int,
        y: int,
        z: int,
        stream: object,
        function: TritonFunction,
        metadata: object,
        launch_metadata: Any,
        enter_hook: Any,
        exit_hook: Any,
        *arguments: Any,
    ) -> None:
        """Run all programs of a grid, and return when they have finished. A grid with an extent of 0 runs
        nothing. `enter_hook` is called before, and `exit_hook` after the launch unless it raises.

        Raises `DiagnosticError` for a grid that is invalid or too large, for arguments that do not fit, and
        for a failure of the kernel.
        """
        chain = self._hook_chain  # an empty chain means that no hook is installed
        if enter_hook is not None and (type(enter_hook) is not chain or enter_hook.calls):
            enter_hook(launch_metadata)
        if x * y * z > 0:
            run = self._run or self._prepared(function, arguments)
            grid = launch_arguments.normalise_grid((x, y, z))
            if self._around is None:
                run(grid, arguments)
            else:
                looked_at = partial(self._run_for, self._around, function, run, grid, arguments)
                self._around.make(self.name, grid, arguments, looked_at)
        elif not _is_empty((x, y, z)):
            launch_arguments.normalise_grid((x, y, z))
        if exit_hook is not None and (type(exit_hook) is not chain or exit_hook.calls):
            exit_hook(launch_metadata)

    def _prepared(self, function: TritonFunction, arguments: Sequence[Any]) -> Run:
        """Return the function that runs the kernel for this launch, and for later launches with arguments of
        the same kinds.
        """
        kernel = function.kernel(self._checks, self._target)
        if self._checks or self._target != "cpu":
            self._run = partial(self._run_on_arrays, kernel)
        else:
            self._run = self._run_on_numbers(cast("LoadedKernel", kernel), arguments)
        return self._run

    def _run_on_numbers(self, kernel: LoadedKernel, arguments: Sequence[Any]) -> Run:
        """Return a function that launches `kernel` by the fast path: addresses and numbers are stored in the
        memory of the launch directly. It is made for arguments of the kinds of `arguments`; if an argument of
        a launch is of another kind, the launch takes the slow path.
        """
        flat = parameters.flattener(self._parameters, arguments)

        def run(grid: GridSize, arguments: Sequence[Any]) -> None:
            try:
                numbers = flat(arguments)
            except parameters.LookAgainError:
                self._run_on_arrays(kernel, grid, arguments)
            else:
                kernel.launch_numbers(grid, numbers)

        return run

    def _run_on_arrays(self, kernel: LaunchableKernel, grid: GridSize, arguments: Sequence[Any]) -> None:
        """Run `kernel` on `grid` by the slow path of checks and of other targets, which passes the extent and
        the name of the array behind each pointer as well. Raises `LaunchError` for memory that the kernel
        cannot use or must not write.
        """
        self._launch_arrays(arguments, lambda flat, memory: kernel.launch(grid, flat, None, memory))

    def _launch_arrays(
        self, arguments: Sequence[Any], launch: Callable[[list[Any], list[NamedArray]], object]
    ) -> None:
        """Call `launch` with the flat arguments, arrays in place of known addresses, and with these arrays
        and their names.

        Raises `LaunchError`, which names the parameter, for a read-only array that the kernel writes.
        """
        known = self._memory(arguments)
        if self._target == debugging.TARGET:
            debugging.tell_arguments(self._names, arguments)
        memory = [one for one in known if one is not None]
        try:
            launch(self._flat(arguments, known), memory)
        except ReadOnlyError as error:
            refused = memory[error.memory] if error.memory is not None else known[error.parameter or 0]
            assert refused is not None, "memory that is refused is known"
            raise launch_arguments.read_only(error, triton_arrays.SUBJECT, refused.name) from None

    def _run_for(
        self,
        around: LaunchWrapper,
        function: TritonFunction,
        run: Run,
        grid: GridSize,
        arguments: Sequence[Any],
    ) -> None:
        """Run a kernel by the engine of `around`, or by `run` if `around` has no engine."""
        engine = around.engine
        if engine is None:
            run(grid, arguments)
            return
        from tilewright.driver.repeatable import LaunchedKernel

        def launch(flat: list[Any], memory: list[NamedArray]) -> None:
            launched = LaunchedKernel(function.content, self.name, grid, flat, memory, self._ttir)
            engine(launched, self._target, self._checks)

        self._launch_arrays(arguments, launch)

    def _flat(self, arguments: Sequence[Any], known: Sequence[NamedArray | None]) -> list[Any]:
        """Return the flat arguments of a launch. Where `known` has the memory of an argument, its array
        replaces the address.
        """
        pairs = zip(
            parameters.flat_arguments(self._parameters, arguments, parameters.any_address), known, strict=True
        )
        return [value if memory is None else memory.array for value, memory in pairs]

    def _memory(self, arguments: Sequence[Any]) -> list[NamedArray | None]:
        """Return the array that each flat argument points to, in order; None for a number, and for an address
        without a known extent. Raises `LaunchError` for memory that a kernel cannot use.
        """
        pairs = zip(self._parameters, arguments, strict=True)
        return [one for known, value in pairs for one in known.arrays(value)]


def _is_empty(grid: Sequence[Any]) -> bool:
    """Return whether a grid is valid except for an extent of zero, which Triton allows: it launches nothing."""
    return all(isinstance(extent, int) and extent >= 0 for extent in grid)
