"""The results of a launch on several targets beside their exact values, array by array."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from tilewright.interp.numerics.element import ElementFormat
from tilewright.interp.precision import reference as precision_reference
from tilewright.interp.precision.memory import StoredReferences
from tilewright.interp.precision.reference import Reference
from tilewright.interp.precision.watch import SLACK

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class ErrorFigures:
    """The errors of an array that a target wrote. `units` is the largest error in units in the last place,
    `relative` its size relative to the exact value, and `element` the index of its element; `median` is the
    median in units, and `beyond` the share of elements whose error is over its bound, from 0 to 1.
    """

    units: float
    relative: float
    element: tuple[int, ...]
    median: float
    beyond: float


@dataclass(slots=True)
class ComparedArray:
    """An array of floats that a launch wrote: its exact values and bounds, a mask of the elements that were
    written, and the elements that each target left in it.
    """

    name: str
    references: Reference
    written: Array
    stored: StoredReferences
    values: dict[str, Array] = field(default_factory=dict[str, Array])

    @property
    def format(self) -> ElementFormat:
        """Return the format of the elements."""
        return self.stored.format

    @property
    def exact(self) -> Reference:
        """Return the exact values and bounds of the written elements, as one-dimensional arrays in row-major
        order.
        """
        return Reference(*(part[self.written] for part in self.references))

    def errors(self, target: str) -> Array:
        """Return the absolute distances of the written elements of `target` from their exact values, as a
        one-dimensional array in row-major order. An infinite or NaN element has an infinite distance from a
        finite exact value, and every element the distance 0 from any other exact value.
        """
        given = elements(self.values[target], self.format)[self.written]
        return precision_reference.error(given, self.format, self.exact.exact)

    def beyond(self, target: str) -> Array:
        """Return a mask of the written elements of `target`, one-dimensional in row-major order: True if the
        distance (`errors`) from the exact value exceeds the promised bound times ``1 + SLACK``. It is False
        where the bound is infinite or NaN, and where the exact value is.
        """
        with np.errstate(all="ignore"):
            return np.asarray(self.errors(target) > self.exact.promised * (1 + SLACK))

    def index(self, position: int) -> tuple[int, ...]:
        """Return the index in the array of the written element with the number `position`, counted in
        row-major order from 0.
        """
        return tuple(int(i) for i in np.argwhere(self.written)[position])

    @property
    def targets(self) -> Mapping[str, ErrorFigures]:
        """Return the figures of each target, by the name of the target."""
        return {target: self.figures(target) for target in self.values}

    def figures(self, target: str) -> ErrorFigures:
        """Return the figures of the errors that `target` made in the written elements. At least one element
        must be written.
        """
        wrong, exact = self.errors(target), self.exact.exact
        with np.errstate(all="ignore"):
            units = np.asarray(wrong / precision_reference.unit(exact, self.format))
            units = np.where(wrong == 0, 0.0, units)
            relative = np.where(wrong == 0, 0.0, np.asarray(wrong / np.abs(exact).astype(np.float64)))
        worst = int(np.argmax(units))
        share = float(np.mean(self.beyond(target)))
        return ErrorFigures(
            float(units[worst]), float(relative[worst]), self.index(worst), float(np.median(units)), share
        )


def elements(array: Array, format: ElementFormat) -> Array:
    """Return the elements of an array as the type that NumPy has for `format`: a view of the same memory, or
    the array itself if it has this type. Elements of both types have the same size.
    """
    return array if array.dtype == format.array_dtype else array.view(format.array_dtype)
