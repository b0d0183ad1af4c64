"""The memory of a launch: arguments, globals, memory of tile blocks."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilewright.interp.numerics.element import NumpyArray


class _Window:
    """An object through which NumPy reads and writes memory: `count` unsigned words of `size` bytes from
    `address` on. It does not keep the memory alive.
    """

    __slots__ = ("__array_interface__",)

    def __init__(self, address: int, count: int, size: int) -> None:
        self.__array_interface__ = {
            "data": (address, False),
            "shape": (count,),
            "typestr": f"|u{size}" if size == 1 else f"<u{size}",
            "version": 3,
        }


class Allocation:
    """A range of memory: ``size`` bytes at address ``base``, which programs may write if ``writeable``;
    ``owner`` keeps them alive, ``name`` is for diagnostics.

    ``registered`` is false for memory of the process that no argument names. ``tracks`` belongs to the race
    tracker.
    """

    __slots__ = (
        "_words",
        "array",
        "base",
        "end",
        "is_named",
        "name",
        "owner",
        "parameter",
        "parts",
        "registered",
        "tracks",
        "writeable",
    )

    def __init__(
        self, base: int, size: int, name: str, *, writeable: bool = True, owner: object = None
    ) -> None:
        self.array: Any = None
        """The array whose memory this is; None for memory without an array."""
        self.is_named = False
        """Whether the name is a variable of the user's program."""
        self.parameter: int | None = None
        """The number of the parameter that it was passed for."""
        self.parts: tuple[Allocation, ...] = (self,)
        """The overlapping allocations that were merged into this one."""
        self.base = base
        self.end = base + size
        self.name = name
        self.writeable = writeable
        self.owner = owner
        self.registered = True
        self.tracks: Any = None
        self._words: dict[int, tuple[int, NumpyArray]] = {}

    def aligned_words(self, size: int) -> tuple[int, NumpyArray]:
        """Return the address of the first word, and the memory as unsigned words of ``size`` bytes (a power
        of two) at multiples of ``size``. Writing to the words changes the memory.

        The first and the last word may extend beyond the allocation; no access touches such bytes, since
        every access is checked against the bounds.
        """
        found = self._words.get(size)
        if found is None:
            first = self.base & -size
            count = -(-(self.end - first) // size)
            found = self._words[size] = first, np.asarray(_Window(first, count, size))
        return found

    def __str__(self) -> str:
        return f"{self.name} ({self.end - self.base} bytes)"
