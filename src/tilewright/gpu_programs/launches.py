"""The launches of a program for GPUs: arguments become host memory, listeners receive a record of each
launch, and graphs capture launches.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from tilewright.gpu_programs.refusals import host_tensor
from tilewright.ir.support.record import Record

if TYPE_CHECKING:
    from tilewright.driver.repeatable import LaunchEngine  # loads NumPy, which the program may not need


class LaunchRecord(Record, frozen=True):
    """A launch of a kernel: the name of the kernel, the grid, the duration in seconds, and the exception that
    it raised, or None.
    """

    kernel: str
    grid: Any
    seconds: float
    error: BaseException | None = None


Listener = Callable[[LaunchRecord], object]


class Launches:
    """Makes the launches of a program on host memory, or adds them to the graph that is being captured, and
    calls each of `listeners` with a record of each launch that has ended. `tilewright.cutile.install` and
    Triton's driver call it.
    """

    def __init__(self) -> None:
        self.run: Callable[..., None] = _run
        """Makes a launch on host memory, with the arguments of `tilewright.cutile.launch`."""
        self.engine: LaunchEngine | None = None
        """Makes launches instead of `tilewright.launch`, to examine them."""
        self.listeners: list[Listener] = []
        self.memory: Callable[[Any], Any] | None = None
        """Returns the host array or tensor of an argument; None until PyTorch is imported."""
        self.on_host: Callable[[Any], bool] | None = None
        """Returns whether an argument is host memory that a GPU cannot access; None until PyTorch is
        imported.
        """
        self.capture: Callable[[Callable[[], object], Sequence[object]], bool] | None = None
        """Adds a launch to the graph that is being captured, and returns whether there is such a graph."""

    def launch(
        self,
        grid: int | Sequence[int],
        kernel: Any,
        args: Sequence[object],
        **options: Any,
    ) -> None:
        """Launch a kernel as `tilewright.cutile.launch` does, with its `options`, or add the launch to the
        graph that is being captured. Raises `HostTensorError` for a tensor on the host that a GPU cannot
        access.
        """
        name = kernel_name(kernel)
        self._refuse_host(
            name, args, "'{name}' gets a tensor of the host as argument {at}, which a GPU cannot read"
        )
        arguments = self.host_arguments(args)
        if self.engine is not None:
            options["engine"] = self.engine
        self._make(name, grid, arguments, partial(self.run, grid, kernel, arguments, **options))

    def make(self, name: str, grid: Any, arguments: Sequence[object], run: Callable[[], object]) -> None:
        """Launch the Triton kernel ``name`` by calling ``run``, or add ``run`` to the graph that is being
        captured. `grid` and `arguments` describe the call in the program. Raises `HostTensorError` for a
        tensor on the host.
        """
        words = "'{name}': Pointer argument (at {at}) cannot be accessed from Triton (cpu tensor?)"
        self._refuse_host(name, arguments, words)
        self._make(name, grid, arguments, run)

    def _refuse_host(self, name: str, arguments: Sequence[object], words: str) -> None:
        """Raise `HostTensorError` if one of `arguments`, or of the items of one, is a tensor on the host, as
        a GPU's driver would. `words` is the message, with ``{name}`` for the kernel and ``{at}`` for the
        number of the argument, from 0.
        """
        on_host = self.on_host
        if on_host is None:
            return
        for at, argument in enumerate(arguments):
            items = cast("Sequence[object]", argument) if isinstance(argument, (tuple, list)) else (argument,)
            if any(map(on_host, items)):
                raise host_tensor(words.format(name=name, at=at))

    def _make(self, name: str, grid: Any, arguments: Sequence[object], run: Callable[[], object]) -> None:
        def step() -> None:
            self._timed(name, grid, run)

        if self.capture is None or not self.capture(step, self.host_arguments(arguments)):
            step()

    def _timed(self, name: str, grid: Any, run: Callable[[], object]) -> None:
        begin = time.perf_counter()
        error: BaseException | None = None
        try:
            run()
        except BaseException as raised:
            error = raised
            raise
        finally:
            if self.listeners:
                record = LaunchRecord(name, grid, time.perf_counter() - begin, error)
                for listener in self.listeners:
                    listener(record)

    def host_arguments(self, arguments: Any) -> Any:
        """Return the arguments of a launch with arrays and tensors on the GPU replaced by their host memory."""
        return arguments if self.memory is None else self._host(arguments, self.memory)

    def _host(self, value: Any, memory: Callable[[Any], Any]) -> Any:
        """Return `value` with `memory` applied: to each item of a list or tuple, nested ones included, or to
        `value` itself. `memory` returns the host memory of an array or tensor on the GPU, and other values
        unchanged.
        """
        if type(value) in (tuple, list):
            items = cast("Sequence[Any]", value)
            return type(value)(self._host(item, memory) for item in items)
        return memory(value)


def _run(grid: Any, kernel: Any, arguments: Sequence[object], **options: Any) -> None:
    from tilewright.cutile.launcher import run  # loads NumPy, which the program may not need

    run(grid, kernel, arguments, **options)


def kernel_name(kernel: Any) -> str:
    """Return the name of the function of a cuTile kernel, or the name of the type of any other object."""
    function = getattr(getattr(kernel, "_annotated_function", None), "pyfunc", None)
    return str(getattr(function, "__name__", type(kernel).__name__))
