"""The launches of a program for GPUs: arguments become memory of the host, listeners hear of each, graphs take them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, cast

from tilewright.gpu_programs.refusals import host_tensor
from tilewright.ir.support.record import Record


class LaunchRecord(Record, frozen=True):
    """One launch of a kernel: how long it took, and what it raised, if anything."""

    kernel: str
    grid: Any
    seconds: float
    error: BaseException | None = None


Listener = Callable[[LaunchRecord], object]


class Launches:
    """What `tilewright.cutile.install` and Triton's driver call for each launch of the program."""

    def __init__(self) -> None:
        self.run: Callable[..., None] = _run
        """Makes a launch on memory of the host, with the arguments of `tilewright.cutile.launch`."""
        self.engine: Callable[..., object] | None = None
        """Runs Tile IR in the place of `tilewright.launch`, with its arguments, for somebody who looks at every launch.

        Of kernels of Triton it gets ``ttir`` as well: the text of the IR that the Tile IR was made from.
        """
        self.listeners: list[Listener] = []
        self.memory: Callable[[Any], Any] | None = None
        """From an argument to the host array or tensor that it stands for, once PyTorch is there."""
        self.on_host: Callable[[Any], bool] | None = None
        """Whether an argument is memory of the host that a GPU cannot reach, once PyTorch is there."""
        self.capture: Callable[[Callable[[], object], Sequence[object]], bool] | None = None
        """Takes a launch into the graph that is being captured; answers whether there is one."""

    def launch(
        self,
        grid: int | Sequence[int],
        kernel: Any,
        args: Sequence[object],
        **options: Any,
    ) -> None:
        """As `tilewright.cutile.launch`, which gets the options."""
        name = kernel_name(kernel)
        self._refuse_host(
            name, args, "'{name}' gets a tensor of the host as argument {at}, which a GPU cannot read"
        )
        arguments = self.host_arguments(args)
        if self.engine is not None:
            options["engine"] = self.engine
        self._make(name, grid, arguments, partial(self.run, grid, kernel, arguments, **options))

    def make(self, name: str, grid: Any, arguments: Sequence[object], run: Callable[[], object]) -> None:
        """Make the launch that ``run`` is, of Triton's kernel called ``name``, or let a graph take it."""
        words = "'{name}': Pointer argument (at {at}) cannot be accessed from Triton (cpu tensor?)"
        self._refuse_host(name, arguments, words)
        self._make(name, grid, arguments, run)

    def _refuse_host(self, name: str, arguments: Sequence[object], words: str) -> None:
        """Raise `HostTensorError` if a tensor of the host is among the arguments, as a GPU's driver would."""
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
        """Arguments of a launch as arrays and tensors of the host."""
        return arguments if self.memory is None else self._host(arguments, self.memory)

    def _host(self, value: Any, memory: Callable[[Any], Any]) -> Any:
        """An argument, or arguments within lists and tuples, as host memory."""
        if type(value) in (tuple, list):
            items = cast("Sequence[Any]", value)
            return type(value)(self._host(item, memory) for item in items)
        return memory(value)


def _run(grid: Any, kernel: Any, arguments: Sequence[object], **options: Any) -> None:
    from tilewright.cutile.launcher import run  # loads NumPy, which the program may not need

    run(grid, kernel, arguments, **options)


def kernel_name(kernel: Any) -> str:
    """The name of a kernel's function; of anything else that of its type."""
    function = getattr(getattr(kernel, "_annotated_function", None), "pyfunc", None)
    return str(getattr(function, "__name__", type(kernel).__name__))
