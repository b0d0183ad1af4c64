"""Records: what they share with dataclasses, without compiled functions."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from tilewright.ir.support.record import NamedTuple, Record, fresh


class Point(Record, frozen=True):
    """Cannot be changed."""

    x: int
    y: int = 0


class Solid(Point, frozen=True):
    """Has the fields of its base first."""

    z: int = 1


class Notes(Record):
    """Holds something mutable."""

    title: str
    lines: list[str] = fresh(default_factory=list[str])


class Token(Record, frozen=True, eq=False):
    """Is equal to itself only."""

    text: str


class Options(Record, frozen=True, kw_only=True):
    """Takes named arguments."""

    wide: bool = False


def test_arguments_are_bound_by_position_and_by_name() -> None:
    assert (Point(1).x, Point(1).y, Point(y=3, x=2).y) == (1, 0, 3)
    assert repr(Solid(1, z=5)) == "Solid(x=1, y=0, z=5)"
    match Point(4, 5):
        case Point(x, y):
            assert (x, y) == (4, 5)


@pytest.mark.parametrize(
    ("arguments", "named", "message"),
    [
        ((), {}, "Point misses parameter 'x'"),
        ((1, 2, 3), {}, "Point takes 2 parameters, got 3"),
        ((1,), {"x": 2}, "Point got an unexpected or repeated parameter 'x'"),
        ((1,), {"z": 2}, "Point got an unexpected or repeated parameter 'z'"),
        ((1, 2), {"y": 2}, "Point got an unexpected or repeated parameter 'y'"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(
    arguments: tuple[int, ...], named: dict[str, int], message: str
) -> None:
    with pytest.raises(TypeError, match=message):
        Point(*arguments, **named)


def test_equality_is_that_of_class_and_values() -> None:
    assert Point(1, 2) == Point(1, 2) != Point(2, 1)
    assert Solid(1, 2) != Point(1, 2)
    assert len({Point(1), Point(1), Point(2)}) == 2
    assert Token("a") != Token("a")
    assert len({Token("a"), Token("a")}) == 2


def test_frozen_records_cannot_be_changed_and_others_have_no_hash() -> None:
    point: Any = Point(1)
    with pytest.raises(AttributeError, match="Point is immutable: cannot change 'x'"):
        point.x = 2
    with pytest.raises(AttributeError):
        del point.y
    with pytest.raises(AttributeError):
        point.other = 2
    with pytest.raises(TypeError, match="unhashable"):
        hash(Notes("a"))


def test_fresh_defaults_belong_to_one_record() -> None:
    first, second = Notes("a"), Notes("a")
    first.lines.append("line")
    assert (first.lines, second.lines) == (["line"], [])


def test_a_changed_record_is_another() -> None:
    assert Point(1, 2).replace(y=7) == Point(1, 7)
    with pytest.raises(TypeError):
        Point(1).replace(z=2)


def test_some_records_take_named_arguments_only() -> None:
    assert Options(wide=True).wide
    positional: Any = Options
    with pytest.raises(TypeError, match="named"):
        positional(True)


@pytest.mark.parametrize("record", [Point(1, 2), Notes("a", ["b"])])
def test_records_are_copied_and_pickled(record: Record) -> None:
    assert copy.copy(record) == copy.deepcopy(record) == pickle.loads(pickle.dumps(record)) == record


class Place(NamedTuple):
    """A tuple with names."""

    line: int
    column: int = 1

    def shown(self) -> str:
        return f"{self.line}:{self.column}"


def test_named_tuples_are_tuples_whose_items_have_names() -> None:
    place = Place(column=5, line=3)
    assert place == (3, 5) == Place(3, 5)
    assert hash(place) == hash((3, 5))
    assert (place.line, place.column, place.shown(), repr(place)) == (3, 5, "3:5", "Place(line=3, column=5)")
    line, column = Place(7)
    assert (line, column) == (7, 1)
    assert Place(1, 2) < Place(1, 3)
    match place:
        case Place(line, column):
            assert (line, column) == (3, 5)


def test_named_tuples_cannot_be_changed_and_survive_copies() -> None:
    place = Place(3, 5)
    with pytest.raises(AttributeError):
        setattr(place, "line", 4)  # noqa: B010 - type checkers know that it cannot
    with pytest.raises(AttributeError):
        setattr(place, "other", 4)  # noqa: B010
    assert type(copy.copy(place)) is type(pickle.loads(pickle.dumps(place))) is Place
    assert copy.deepcopy(place) == pickle.loads(pickle.dumps(place)) == place


@pytest.mark.parametrize(
    ("arguments", "named", "message"),
    [
        ((), {}, "Place misses parameter 'line'"),
        ((1, 2, 3), {}, "Place takes 2 parameters, got 3"),
        ((1,), {"line": 2}, "Place got an unexpected or repeated parameter 'line'"),
    ],
)
def test_named_tuples_refuse_arguments_that_do_not_fit(
    arguments: tuple[Any, ...], named: dict[str, Any], message: str
) -> None:
    make: Any = Place
    with pytest.raises(TypeError, match=message):
        make(*arguments, **named)
