"""Names of a launch's memory in diagnostics, made of the names of the kernel's parameters."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any, cast

from tilewright.cutile.binding import Binding
from tilewright.cutile.compiler import CompiledKernel
from tilewright.cutile.parameters import Parameters
from tilewright.host.arrays import is_array_like


def known_memory(
    made: CompiledKernel, parameters: Parameters, arguments: Sequence[object], binding: Binding
) -> list[object]:
    """Return the arrays that a kernel may touch with their names, such as ``x``, ``pair[1]``, and the table
    of a list.
    """
    from tilewright.interp.memory.access_messages import NamedArray

    names = [name for known in zip(parameters.names, arguments, strict=True) for name in array_names(*known)]
    arrays = [view.array for view in binding.memory]
    found: list[object] = [NamedArray(*named) for named in zip(names, arrays, strict=True)]
    flat = zip(made.parameters, binding.flat, strict=True)
    tables = [(f"the table of {known.argument}", value) for known, value in flat if known.role == "table"]
    return found + [NamedArray(*named) for named in tables]


def array_names(name: str, value: object) -> Iterator[str]:
    """Yield the names of the arrays in an argument, in the order in which they are bound."""
    if isinstance(value, tuple | list):
        for at, item in enumerate(cast("Sequence[Any]", value)):
            yield from array_names(f"{name}[{at}]", item)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            yield from array_names(f"{name}.{field.name}", getattr(value, field.name))
    elif is_array_like(value):
        yield name
