"""The values of a stop as an editor shows them: variables that open into rows and elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from tilewright.debugger import tiles
from tilewright.debugger.stop import KernelStop, NamedValue
from tilewright.interp.memory.address_space import LaunchMemory

Item = dict[str, Any]
"""A variable of the Debug Adapter Protocol."""
_MOST_ITEMS = 1000
"""The maximum number of items that are returned if the editor asks for no number."""


class Contents:
    """The contents that an editor may ask for at one stop, by number. The numbers begin with 1; 0 is the
    number of a value without contents.
    """

    def __init__(self) -> None:
        self._makers: list[Callable[[int, int], list[Item]]] = []

    def items(self, number: int, first: int, count: int | None) -> list[Item]:
        """Return at most `count` items of the contents with the number `number`, from item `first` on, which
        counts from 0. None or 0 as `count` means `_MOST_ITEMS`. Raises `IndexError` for an unknown number.
        """
        if not 1 <= number <= len(self._makers):
            raise IndexError(f"there are no contents with the number {number}")
        return self._makers[number - 1](first, first + (count or _MOST_ITEMS))

    def _add(self, make: Callable[[int, int], list[Item]]) -> int:
        self._makers.append(make)
        return len(self._makers)

    def of_variables(self, variables: Sequence[NamedValue], memory: LaunchMemory) -> int:
        """Register contents whose items are `variables`, and return their number. `memory` names the arrays
        that pointers point into.
        """
        return self._add(lambda first, end: [self._variable(one, memory) for one in variables[first:end]])

    def of_launch(self, stop: KernelStop) -> int:
        """Register contents that describe the tile block of `stop`, and return their number. The items are
        its position, the grid, and the iteration of each loop that it is in.
        """
        told: list[tuple[str, Any]] = [("tile_block", stop.block.position), ("grid", stop.block.launch.grid)]
        told += [(f"iteration of loop {at}", one.iterations) for at, one in enumerate(stop.loops, 1)]
        items = [_item(name, str(value)) for name, value in told]
        return self._add(lambda first, end: items[first:end])

    def of_value(self, value: Any) -> int:
        """Register the contents of a value, and return their number: the rows of an array, or the items of a
        tuple. Return 0 for a scalar, an empty array or tuple, and any other value.
        """
        if tiles.is_array(value) and value.ndim and value.size:
            return self._add(
                lambda first, end: [self._row(value, at) for at in _range(first, end, len(value))]
            )
        if isinstance(value, tuple) and value:
            items = cast("tuple[Any, ...]", value)
            return self._add(
                lambda first, end: [
                    {
                        **_item(f"[{at}]", tiles.summary(items[at])),
                        "variablesReference": self.of_value(items[at]),
                    }
                    for at in _range(first, end, len(items))
                ]
            )
        return 0

    def _variable(self, one: NamedValue, memory: LaunchMemory) -> Item:
        if one.lost:
            return {**_item(one.name, one.lost), "presentationHint": {"attributes": ["readOnly"]}}
        item = _item(one.name, tiles.summary(one.value, one.type, memory))
        return {**item, **_size(one.value), "variablesReference": self.of_value(one.value)}

    def _row(self, array: Any, index: int) -> Item:
        value = array[index]
        if not np.ndim(value):
            return _item(f"[{index}]", tiles.elements(np.ma.asarray(value)))
        item = _item(f"[{index}]", " ".join(tiles.elements(value).split()).replace("[ ", "["))
        return {**item, **_size(value), "variablesReference": self.of_value(value)}


def _item(name: str, value: str) -> Item:
    return {"name": name, "value": value, "variablesReference": 0}


def _size(value: Any) -> Item:
    return {"indexedVariables": len(value)} if tiles.is_array(value) and value.ndim else {}


def _range(first: int, end: int, size: int) -> range:
    return range(min(first, size), min(end, size))
