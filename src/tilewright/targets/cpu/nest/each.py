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
    """The root of a nest without other work than the code of `body`, which is called when the code of an
    iteration is emitted.
    """

    body: Callable[[NestPoint, Coordinates], None]

    def evaluate(self, point: NestPoint, coordinates: Coordinates) -> None:
        """Compute nothing: `at` does all the work."""

    def at(self, point: NestPoint, coordinates: Coordinates) -> None:
        """Emit the code of `body` for the element at `coordinates`."""
        self.body(point, coordinates)


def each(emit: BlockCode, shape: Sequence[int], body: Callable[[NestPoint, Coordinates], None]) -> None:
    """Emit loops over the elements of `shape`, in order. `body` emits the code for the element at the
    coordinates that it gets; it is called once for a loop, not once for an element. The shape `()` has one
    element with empty coordinates.
    """
    nest = Nest(tuple(shape), rows_form(tuple(shape), 1), [BodyRoot(body)])
    NestEmitter(emit.code, nest, nest.form.masked, lambda lanes: emit.point(lanes, masked=True)).emit()
