"""How a nest iterates over its shape: the dimension, length and number of vectors, and the squares of
transposed tiles.
"""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.targets.cpu.machine.target import LANE, CpuTarget
from tilewright.targets.cpu.plan.model import NestForm, Vectors


def plain_form(shape: tuple[int, ...], target: CpuTarget, parts: int = 1) -> NestForm:
    """Return the form of a nest without reductions and transposes. An iteration handles ``target.unroll *
    parts`` vectors of ``target.lanes // parts`` lanes; in the version with masks, which is rarely run, one
    vector of ``target.lanes`` lanes. All of these are reduced to the length of a row.
    """
    along, lanes = vector_dimension(shape), target.lanes
    return made_form(shape, along, (lanes // parts, target.unroll * parts), (lanes, 1), is_light=parts > 1)


def rows_form(shape: tuple[int, ...], lanes: int) -> NestForm:
    """Return the form of a nest of shape `shape` whose iterations handle one vector of at most `lanes` lanes,
    with and without masks.
    """
    return made_form(shape, vector_dimension(shape), (lanes, 1), (lanes, 1))


def vector_dimension(shape: Sequence[int]) -> int:
    """Return the dimension that vectors cover: the last dimension that is longer than 1, else the last
    dimension; -1 for a scalar.
    """
    last = len(shape) - 1
    return next((at for at in range(last, -1, -1) if shape[at] > 1), last)


def made_form(
    shape: Sequence[int],
    along: int,
    plain: tuple[int, int],
    masked: tuple[int, int],
    transposed: int = -1,
    square: int = 1,
    *,
    is_light: bool = False,
) -> NestForm:
    """Return the form of a nest of shape `shape` with vectors along the dimension `along`. ``plain`` and
    ``masked`` are (lanes, number of vectors) of an iteration; both shrink to the length of a row.
    ``transposed`` is the dimension of the rows of squares (-1: no transpose), ``square`` the number of rows
    of a square, and `is_light` says that the plain vectors are parts of registers, because memory is the
    bound.
    """
    columns = shape[along] if shape else 1
    return NestForm(along, _within(columns, *plain), _within(columns, *masked), transposed, square, is_light)


def _within(columns: int, lanes: int, count: int) -> Vectors:
    """Return `count` vectors of `lanes` lanes, both reduced so that they fit into a row of `columns`
    elements; at least one vector.
    """
    lanes = min(lanes, columns)
    return Vectors(lanes, max(1, min(count, columns // lanes)))


def square_extent(lanes: int, size: int) -> int:
    """Return the number of rows, and of lanes, of a square of elements of `size` bytes, at least 2: the
    number of elements in a vector of `lanes` lanes of `LANE` bytes.
    """
    return max(2, lanes * LANE // max(size, LANE))
