"""Lines that products prefetch: all of a walk, each of them once, whatever the number of stretches."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from tilewright.dialects.llvm.ops import arithmetic as llvm
from tilewright.ir.builtin_types import f16, f32, f64
from tilewright.targets.cpu.machine.target import LINE
from tilewright.targets.cpu.products.ahead import NEAR, CacheLineWalk, lines_of, power_of_two_over
from tilewright.targets.elements.element_types import size_of


@dataclass(frozen=True)
class Known:
    """A value of the code whose number is known."""

    number: int


@dataclass
class Computing:
    """Computes what code would, and keeps the addresses that it prefetches."""

    prefetched: list[int] = field(default_factory=list[int])

    def __call__(self, op: Any, left: Any, right: Any) -> Any:
        one, other = number(left), number(right)
        return Known({llvm.LShrOp: one >> other, llvm.AndOp: one & other}[op])

    def integer(self, value: int) -> Any:
        return Known(value)

    def add(self, left: Any, right: Any) -> Any:
        return Known(number(left) + number(right))

    def multiply(self, left: Any, right: Any) -> Any:
        return Known(number(left) * number(right))

    def address(self, base: Any, offset: Any, element: Any) -> Any:
        return Known(number(base) + number(offset) * size_of(element))

    def effect(self, op: Any, address: Any, *hints: int) -> None:
        assert hints == (0, NEAR, 1)
        self.prefetched.append(number(address))


def number(value: Any) -> int:
    return value if isinstance(value, int) else value.number


@pytest.mark.parametrize("stretches", [1, 2, 4, 8, 16, 32])
@pytest.mark.parametrize(("rows", "lines"), [(8, 4), (1, 32), (32, 1)])
@pytest.mark.parametrize("element", [f16, f32, f64], ids=str)
@pytest.mark.parametrize("is_known", [True, False])
def test_every_line_is_prefetched_once(
    is_known: bool, element: Any, rows: int, lines: int, stretches: int
) -> None:
    code: Any = Computing()
    stride, start = 1000, 1 << 20
    begin: Any = Known(start)
    walk = CacheLineWalk(begin, stride, rows, lines, element, NEAR)
    for stretch in range(stretches):
        given: Any = stretch if is_known else Known(stretch)
        walk.prefetch(code, given, stretches)
    wanted = [
        start + row * stride * size_of(element) + line * LINE for row in range(rows) for line in range(lines)
    ]
    assert sorted(code.prefetched) == wanted


@pytest.mark.parametrize("stretches", [16, 64])
def test_a_walk_that_is_shorter_than_its_stretches_stays_inside(stretches: int) -> None:
    code: Any = Computing()
    begin: Any = Known(0)
    for stretch in range(stretches):
        number: Any = Known(stretch)
        CacheLineWalk(begin, 1000, 2, 4, f32, NEAR).prefetch(code, number, stretches)
    assert set(code.prefetched) == {4000 * row + LINE * line for row in range(2) for line in range(4)}


def test_numbers_of_lines() -> None:
    assert [power_of_two_over(count) for count in (1, 2, 3, 4, 5, 8, 9)] == [1, 2, 4, 4, 8, 8, 16]
    assert [lines_of(f32, count) for count in (1, 15, 16, 31, 32)] == [1, 1, 1, 1, 2]
