"""Launches as values: the arguments of a call of `tilewright.launch`, what may run it instead, and copies of its
arrays, so that it can be made again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

import numpy as np
import numpy.typing as npt

from tilewright.driver.launch import launch
from tilewright.driver.sources import Source
from tilewright.interp.memory.access_messages import NamedArray

MOST_BYTES = 1 << 26
"""The maximum size in bytes of all arrays of a launch that are copied."""


@dataclass(frozen=True, slots=True)
class LaunchedKernel:
    """The arguments of a call of `tilewright.launch`: the module, the name of its kernel `entry`, the grid,
    the arguments, and in ``memory`` further arrays that the kernel reaches through addresses, some as
    `NamedArray`. ``ttir`` is Triton's IR of the kernel, empty if there is none.
    """

    bytecode: Source
    entry: str
    grid: tuple[int, int, int]
    arguments: Sequence[Any]
    memory: Sequence[Any] = ()
    ttir: str = ""

    def name_of(self, value: object, number: int) -> str:
        """Return the name that ``memory`` gives to the array `value`, which is argument `number`, from 0.
        Without such a name, return ``argument 0`` and so on.
        """
        named = (one for one in self.memory if isinstance(one, NamedArray))
        return next((one.name for one in named if one.array is value), f"argument {number}")

    def run(self, target: str, check: Sequence[str] = (), threads: int | None = None) -> object:
        """Make the launch by `tilewright.launch`, on `target` and with the checks ``check``; return its report."""
        given = self.bytecode, self.entry, self.grid, self.arguments
        return launch(*given, target=target, check=check, memory=self.memory, threads=threads)


class LaunchEngine(Protocol):
    """Makes the launches of a program instead of `LaunchedKernel.run`, to examine them."""

    def __call__(self, launched: LaunchedKernel, target: str, check: Sequence[str] = ()) -> object:
        """Make a launch on `target`, with the names of checks in ``check``; arrays are written in place."""
        ...


class ArgumentCopies:
    """Copies of a launch's arguments, made before the launch, so that it can be repeated. A launch cannot be
    repeated if its kernel reaches arrays that are not arguments, or if its arrays have more than `MOST_BYTES`
    bytes. Then ``reason`` says so, and nothing is copied.
    """

    def __init__(self, launched: LaunchedKernel) -> None:
        self._given = list(launched.arguments)
        self._arrays = {id(array): array for array in map(array_of, self._given) if array is not None}
        self.reason = self._obstacle(launched)
        """Why the launch cannot be repeated; empty if it can."""
        kept = {} if self.reason else self._arrays
        self._kept = {number: copied(array) for number, array in kept.items()}

    def _obstacle(self, launched: LaunchedKernel) -> str:
        held = (one.array if isinstance(one, NamedArray) else one for one in launched.memory)
        if any(id(one) not in self._arrays for one in held):
            return (
                "The kernel reaches further arrays through addresses, so it is not launched again on copies."
            )
        if sum(array.nbytes for array in self._arrays.values()) > MOST_BYTES:
            return "The arrays are too large for copies."
        return ""

    def arguments(self) -> list[Any]:
        """Return the arguments with fresh copies of the arrays, which have the contents from before the
        launch. If the launch cannot be repeated, the arguments themselves are returned.
        """
        made = {number: copied(array) for number, array in self._kept.items()}
        return [made.get(id(value), value) for value in self._given]


def array_of(value: object) -> npt.NDArray[Any] | None:
    """Return `value` if it is a NumPy array, else None."""
    return cast("npt.NDArray[Any]", value) if isinstance(value, np.ndarray) else None


def copied(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a copy of an array in new memory, with equal shape and strides."""
    low, high = np.lib.array_utils.byte_bounds(array)
    data = np.empty(high - low, np.uint8)
    offset = int(array.__array_interface__["data"][0]) - low
    copy = np.ndarray(array.shape, array.dtype, data.data, offset, array.strides)
    copy[...] = array
    return copy
