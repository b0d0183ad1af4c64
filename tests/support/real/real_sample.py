"""One row of the real-writer corpus: what to build, for which op, from which file version on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.support.real.real_kernel import Build, Kernel, Types, Version

FIRST_VERSIONS: dict[str, Version] = {
    "atan2": (13, 2),
    **dict.fromkeys(("pack", "unpack", "alloca", "mmaf_scaled"), (13, 3)),
    **dict.fromkeys(("make_gather_scatter_view", "make_strided_view", "atomic_red_view_tko"), (13, 3)),
    **dict.fromkeys(("insert", "gdc_launch_dependents_tko", "gdc_wait_tko", "fpowi"), (13, 4)),
    "memory_fence_alias_tko": (13, 4),
    "multimem_load_reduce_view_tko": (13, 5),
    "multimem_reduce_view_tko": (13, 5),
    "multimem_store_view_tko": (13, 5),
}
"""First file version of every op younger than 13.1."""

ELEMENT_VERSIONS: dict[str, Version] = {
    "f8E8M0FNU": (13, 2),
    "f4E2M1FN": (13, 3),
    "i4": (13, 3),
    "fnv8E5M3FNU": (13, 4),
}
"""First file version of every element type younger than 13.1."""


@dataclass(frozen=True)
class Sample:
    """A module to build; ``since`` is the first file version that can hold it."""

    op: str
    name: str
    build: Build
    since: Version = (13, 1)
    arguments: Sequence[Any] = ()
    global_values: Callable[[Any, Types], None] | None = None
    hints: Mapping[str, Any] | None = None
    debug: Callable[[Any], Any] | None = None
    terminate: bool = True
    note: str = ""


def since_of(op: str, specs: Sequence[Any], since: Version | None) -> Version:
    """The first version that holds ``op`` and every element type named in the spellings."""
    found = max(since or (13, 1), FIRST_VERSIONS.get(op, (13, 1)))
    texts = [s for s in specs if isinstance(s, str)]
    for element, version in ELEMENT_VERSIONS.items():
        if any(element in text.replace("ptr", "") for text in texts):
            found = max(found, version)
    return found


def one_op(
    op: str, name: str, since: Version | None = None, arguments: Sequence[str] = (), **given: Any
) -> Sample:
    """A sample whose body is the operands and this one op."""

    def build(kernel: Kernel) -> None:
        kernel.op(op, **given)

    return Sample(op, name, build, since_of(op, [*given.values(), *arguments], since), arguments)


def each(
    op: str, parameter: str, values: Sequence[Any], since: Version | None = None, **given: Any
) -> list[Sample]:
    """One sample per value of one parameter, named ``parameter-value``."""
    return [one_op(op, f"{parameter}-{v}", since=since, **{**given, parameter: v}) for v in values]
