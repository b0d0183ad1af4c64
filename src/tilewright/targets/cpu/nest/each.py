"""Nests that run a piece of code once for each element of a shape."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tilewright.targets.cpu.memory.buffer import Coordinates
from tilewright.targets.cpu.memory.point import NestPoint
from tilewright.targets.cpu.nest.block_code import BlockCode
from tilewright.targets.cpu.nest.nest import Nest, NestEmitter
from tilewright.targets.cpu.plan.form import rows_form


@dataclass(frozen=True)
class BodyRoot:
    """The root of a nest whose only work is to call `body`, which emits code, at every point."""

    body: Callable[[NestPoint, Coordinates], None]

    def evaluate(self, point: NestPoint, coordinates: Coordinates) -> None:
        """Compute nothing: `at` does all the work."""

    def at(self, point: NestPoint, coordinates: Coordinates) -> None:
        """Run the body at `point`."""
        self.body(point, coordinates)


def each(emit: BlockCode, shape: Sequence[int], body: Callable[[NestPoint, Coordinates], None]) -> None:
    """Run `body` for every element of a shape, in order; a scalar has one element with empty coordinates."""
    nest = Nest(tuple(shape), rows_form(tuple(shape), 1), [BodyRoot(body)])
    NestEmitter(emit.code, nest, nest.form.masked, lambda lanes: emit.point(lanes, masked=True)).emit()
