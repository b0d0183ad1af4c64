"""Faults planted into the compiler on purpose, to see that the campaign of generated programs finds each of them.

Each is a context manager that patches the compiler while it is entered.  Nothing is kept in the cache on disk meanwhile,
nor taken from it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any
from unittest.mock import patch

from tilewright.ir.builtin_types import bf16
from tilewright.lowering.access_facts import views
from tilewright.lowering.access_facts.positions import Position, PositionFacts
from tilewright.runtime.context import COUNTER
from tilewright.runtime.disk_cache import SIZE_VARIABLE
from tilewright.runtime.kernel import GridSize, LaunchFrame, LoadedKernel
from tilewright.targets.cpu.memory import access
from tilewright.targets.elements import floats, rounding
from tilewright.targets.elements.expression import Expression

Fault = Callable[[], AbstractContextManager[None]]
"""Plants a fault for as long as it is entered."""


@contextmanager
def replaced(owner: Any, name: str, fault: Any) -> Generator[None]:
    """Put a faulty function into the place of a right one; the cache on disk is off."""
    with patch.dict(os.environ, {SIZE_VARIABLE: "0"}), patch.object(owner, name, fault):
        yield


def mask_dropped() -> AbstractContextManager[None]:
    """Accesses at the edges of views touch elements that do not exist."""
    return replaced(access, "_mask", lambda point, tile, coordinates: None)


def wrong_edge() -> AbstractContextManager[None]:
    """One element more than there are exists at the edge of a view."""
    right = views._limits

    def limits(positions: PositionFacts, sizes: Sequence[Position], *more: Any) -> tuple[Position, ...]:
        return right(positions, [positions.add(size, 1) for size in sizes], *more)

    return replaced(views, "_limits", limits)


def stale_context() -> AbstractContextManager[None]:
    """A launch gets a context from which somebody has taken a tile block already."""
    right = LoadedKernel.filled

    def filled(kernel: LoadedKernel, grid: GridSize, *more: Any) -> LaunchFrame:
        frame = right(kernel, grid, *more)
        frame.words[COUNTER // 8] = 1 if max(grid) > 1 else 0
        return frame

    return replaced(LoadedKernel, "filled", filled)


@contextmanager
def flushed_subnormal() -> Generator[None]:
    """Subnormal numbers of bf16 become zeros when they are widened, as instructions of AVX512-BF16 take them."""
    right = rounding.WIDENINGS[bf16]

    def widened(x: Expression) -> Expression:
        return floats.flushed(right(x))

    with patch.dict(os.environ, {SIZE_VARIABLE: "0"}), patch.dict(rounding.WIDENINGS, {bf16: widened}):
        yield


FAULTS: dict[str, Fault] = {
    "mask dropped": mask_dropped,
    "wrong edge": wrong_edge,
    "stale context": stale_context,
    "flushed subnormal": flushed_subnormal,
}
"""A seeded fault per class of defect, by name."""
