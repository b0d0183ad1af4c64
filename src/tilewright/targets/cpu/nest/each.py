"""Work that is done element by element."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tilewright.targets.cpu.kernel.block_code import BlockCode
from tilewright.targets.cpu.memory.buffer import Coordinates
from tilewright.targets.cpu.nest.nest import Nest, NestEmitter
from tilewright.targets.cpu.nest.point import Point
from tilewright.targets.cpu.plan.form import rows_form


@dataclass(frozen=True)
class Each:
    """Does something at every point of a nest."""

    body: Callable[[Point, Coordinates], None]

    def evaluate(self, point: Point, coordinates: Coordinates) -> None:
        """Everything is done in `at`."""

    def at(self, point: Point, coordinates: Coordinates) -> None:
        """Do it."""
        self.body(point, coordinates)


def each(emit: BlockCode, shape: Sequence[int], body: Callable[[Point, Coordinates], None]) -> None:
    """Do something for every element of a shape, in order; once, at no coordinates, for a scalar."""
    nest = Nest(tuple(shape), rows_form(tuple(shape), 1), [Each(body)])
    NestEmitter(emit.code, nest, nest.form.masked, lambda lanes: emit.point(lanes, masked=True)).emit()
