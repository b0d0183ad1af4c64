"""Bounds, divisors and runs proved with z3: for all 8-bit operands within random intervals, and for all divisors."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from tilewright.optimizer.analysis import intervals
from tilewright.optimizer.analysis.intervals import Interval

z3: Any = pytest.importorskip("z3")

WIDTH = 8
PAIRS = 12


def within(term: Any, bounds: Interval) -> Any:
    return z3.And(term >= bounds.low, term <= bounds.high)  # signed comparison of bit vectors


def fits(term: Any) -> Any:
    """The wide term is the sign extension of its low bits."""
    return z3.SignExt(WIDTH, z3.Extract(WIDTH - 1, 0, term)) == term


def wide(term: Any) -> Any:
    return z3.SignExt(WIDTH, term)


def zero(term: Any) -> Any:
    return z3.ZeroExt(WIDTH, term)


def truncated_quotient(a: Any, b: Any) -> Any:
    return a / b


def floor_quotient(a: Any, b: Any) -> Any:
    q = a / b
    return z3.If(z3.And(q * b != a, (a < 0) != (b < 0)), q - 1, q)


def ceiling_quotient(a: Any, b: Any) -> Any:
    q = a / b
    return z3.If(z3.And(q * b != a, (a < 0) == (b < 0)), q + 1, q)


def divisible(a: Any, b: Any) -> Any:
    return z3.And(b != 0, z3.Not(z3.And(a == -128, b == -1)))


def always(a: Any, b: Any) -> Any:
    return z3.BoolVal(True)


def nonzero(a: Any, b: Any) -> Any:
    return b != 0


def shift_fits(a: Any, b: Any) -> Any:
    return z3.ULT(b, WIDTH)


Concrete = Callable[[Any, Any], Any]
Abstract = Callable[[Interval, Interval], Interval]
OPERATIONS: dict[str, tuple[Concrete, Abstract, Concrete]] = {
    "addi": (lambda a, b: a + b, lambda a, b: intervals.add(a, b, 8), always),
    "addi nsw": (
        lambda a, b: a + b,
        lambda a, b: intervals.add(a, b, 8, True),
        lambda a, b: fits(wide(a) + wide(b)),
    ),
    "subi": (lambda a, b: a - b, lambda a, b: intervals.subtract(a, b, 8), always),
    "subi nsw": (
        lambda a, b: a - b,
        lambda a, b: intervals.subtract(a, b, 8, True),
        lambda a, b: fits(wide(a) - wide(b)),
    ),
    "muli": (lambda a, b: a * b, lambda a, b: intervals.multiply(a, b, 8), always),
    "muli nsw": (
        lambda a, b: a * b,
        lambda a, b: intervals.multiply(a, b, 8, True),
        lambda a, b: fits(wide(a) * wide(b)),
    ),
    "mulhii": (
        lambda a, b: z3.Extract(15, 8, zero(a) * zero(b)),
        lambda a, b: intervals.multiply_high(a, b, 8),
        always,
    ),
    "divi signed": (truncated_quotient, lambda a, b: intervals.divide(a, b, 8, True, "zero"), divisible),
    "divi floor": (floor_quotient, lambda a, b: intervals.divide(a, b, 8, True, "negative_inf"), divisible),
    "divi ceiling": (
        ceiling_quotient,
        lambda a, b: intervals.divide(a, b, 8, True, "positive_inf"),
        divisible,
    ),
    "divi unsigned": (z3.UDiv, lambda a, b: intervals.divide(a, b, 8, False, "zero"), nonzero),
    "remi signed": (z3.SRem, lambda a, b: intervals.remainder(a, b, 8, True), nonzero),
    "remi unsigned": (z3.URem, lambda a, b: intervals.remainder(a, b, 8, False), nonzero),
    "maxi signed": (lambda a, b: z3.If(a >= b, a, b), lambda a, b: intervals.maximum(a, b, 8, True), always),
    "maxi unsigned": (
        lambda a, b: z3.If(z3.UGE(a, b), a, b),
        lambda a, b: intervals.maximum(a, b, 8, False),
        always,
    ),
    "mini signed": (lambda a, b: z3.If(a <= b, a, b), lambda a, b: intervals.minimum(a, b, 8, True), always),
    "mini unsigned": (
        lambda a, b: z3.If(z3.ULE(a, b), a, b),
        lambda a, b: intervals.minimum(a, b, 8, False),
        always,
    ),
    "absi": (lambda a, b: z3.If(a < 0, -a, a), lambda a, b: intervals.magnitude(a, 8), always),
    "negi": (lambda a, b: -a, lambda a, b: intervals.negate(a, 8), always),
    "negi nsw": (lambda a, b: -a, lambda a, b: intervals.negate(a, 8, True), lambda a, b: a != -128),
    "shli": (lambda a, b: a << b, lambda a, b: intervals.shift_left(a, b, 8), shift_fits),
    "shri signed": (lambda a, b: a >> b, lambda a, b: intervals.shift_right(a, b, 8, True), shift_fits),
    "shri unsigned": (z3.LShR, lambda a, b: intervals.shift_right(a, b, 8, False), shift_fits),
    "andi": (lambda a, b: a & b, lambda a, b: intervals.bitwise_and(a, b, 8), always),
    "ori": (lambda a, b: a | b, lambda a, b: intervals.bitwise_or(a, b, 8), always),
    "xori": (lambda a, b: a ^ b, lambda a, b: intervals.bitwise_xor(a, b, 8), always),
    "exti signed": (lambda a, b: wide(a), lambda a, b: intervals.extend(a, 8, True), always),
    "exti unsigned": (lambda a, b: zero(a), lambda a, b: intervals.extend(a, 8, False), always),
    "trunci": (lambda a, b: z3.Extract(3, 0, a), lambda a, b: intervals.truncate(a, 4), always),
}


def draw_interval(source: random.Random, *, shift: bool) -> Interval:
    """Small, large, one-sided and single ones."""
    limit = 7 if shift else 127
    ends = (0, 1, limit, limit - 1, source.randrange(limit + 1)) + (
        () if shift else (-128, -127, -1, -2, source.randrange(-128, 128))
    )
    low, high = sorted((source.choice(ends), source.choice(ends)))
    return Interval(low, low if source.random() < 0.2 else high)


def counterexample(name: str, a: Interval, b: Interval) -> str:
    """Operands inside two intervals whose result is outside of the claimed one, or nothing: then there are none."""
    concrete, abstract, defined = OPERATIONS[name]
    x, y = z3.BitVecs("x y", WIDTH)
    claimed = abstract(a, b)
    solver = z3.Solver()
    solver.add(within(x, a), within(y, b), defined(x, y), z3.Not(within(concrete(x, y), claimed)))
    if solver.check() == z3.unsat:
        return ""
    return f"{name} {a} {b} claims {claimed}: {solver.model()}"


def pairs(name: str, count: int = PAIRS) -> list[tuple[Interval, Interval]]:
    source = random.Random(name)
    return [
        (draw_interval(source, shift=False), draw_interval(source, shift=name.startswith("sh")))
        for _ in range(count)
    ]


@pytest.mark.parametrize("name", OPERATIONS)
def test_bounds_hold_for_all_operands_within(name: str) -> None:
    for a, b in pairs(name):
        assert counterexample(name, a, b) == ""


def test_wrong_bounds_are_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        intervals, "wrapped", lambda exact, width, *_: intervals.signed_range(width).clipped(exact)
    )
    assert any(counterexample("addi", a, b) for a, b in pairs("addi"))


@pytest.mark.parametrize("signed", [True, False])
@pytest.mark.parametrize(
    ("predicate", "signed_relation", "unsigned_relation"),
    [
        ("equal", lambda a, b: a == b, lambda a, b: a == b),
        ("not_equal", lambda a, b: a != b, lambda a, b: a != b),
        ("less_than", lambda a, b: a < b, z3.ULT),
        ("less_than_or_equal", lambda a, b: a <= b, z3.ULE),
        ("greater_than", lambda a, b: a > b, z3.UGT),
        ("greater_than_or_equal", lambda a, b: a >= b, z3.UGE),
    ],
)
def test_decided_comparisons(
    predicate: str, signed_relation: Concrete, unsigned_relation: Concrete, signed: bool
) -> None:
    """Decided ones are right; undecided ones have operands on either side."""
    x, y = z3.BitVecs("x y", WIDTH)
    for a, b in pairs(predicate, 20):
        holds = (signed_relation if signed else unsigned_relation)(x, y)
        decided = intervals.compare(a, b, WIDTH, signed, predicate)
        solver = z3.Solver()
        solver.add(within(x, a), within(y, b))
        if decided is not None:
            assert solver.check(z3.Not(holds) if decided else holds) == z3.unsat
        elif signed:
            assert solver.check(holds) == solver.check(z3.Not(holds)) == z3.sat


def multiple(term: Any, exponent: Any) -> Any:
    """A multiple of 2^exponent, for exponents up to the width and beyond (then only zero)."""
    power = z3.If(z3.ULT(exponent, WIDTH), z3.BitVecVal(1, WIDTH) << exponent, z3.BitVecVal(0, WIDTH))
    return term & (power - 1) == 0


LESSER: Concrete = lambda i, j: z3.If(z3.ULT(i, j), i, j)  # noqa: E731
GREATER: Concrete = lambda i, j: z3.If(z3.ULT(i, j), j, i)  # noqa: E731
DIVISORS: dict[str, tuple[Concrete, Concrete]] = {
    "addi": (lambda a, b: a + b, LESSER),
    "subi": (lambda a, b: a - b, LESSER),
    "muli": (lambda a, b: a * b, lambda i, j: i + j),
    "remi unsigned": (lambda a, b: z3.If(b == 0, z3.BitVecVal(0, WIDTH), z3.URem(a, b)), LESSER),
    "remi signed": (lambda a, b: z3.If(b == 0, z3.BitVecVal(0, WIDTH), z3.SRem(a, b)), LESSER),
    "maxi": (lambda a, b: z3.If(a >= b, a, b), LESSER),
    "andi": (lambda a, b: a & b, GREATER),
    "ori": (lambda a, b: a | b, LESSER),
    "xori": (lambda a, b: a ^ b, LESSER),
    "negi": (lambda a, b: -a, lambda i, j: i),
    "absi": (lambda a, b: z3.If(a < 0, -a, a), lambda i, j: i),
}
"""What divides the result, as a function of the exponents of what divides the operands."""


@pytest.mark.parametrize("name", DIVISORS)
def test_divisors_for_all_operands(name: str) -> None:
    concrete, exponent = DIVISORS[name]
    x, y, i, j = z3.BitVecs("x y i j", WIDTH)
    solver = z3.Solver()
    solver.add(z3.ULE(i, 16), z3.ULE(j, 16), multiple(x, i), multiple(y, j))
    solver.add(z3.Not(multiple(concrete(x, y), exponent(i, j))))
    assert solver.check() == z3.unsat


def aligned_group() -> tuple[Any, Any, list[Any]]:
    """The start of a group at a multiple of its length (a power of two below 2^7), and an offset inside it."""
    start, offset, exponent = z3.BitVecs("start offset exponent", WIDTH)
    length = z3.BitVecVal(1, WIDTH) << exponent
    return (
        start,
        offset,
        [z3.ULT(exponent, WIDTH - 1), start & (length - 1) == 0, z3.ULT(offset, length), length],
    )


def test_aligned_groups_do_not_wrap_around() -> None:
    """`inside_alignment`: neither as signed nor as unsigned numbers."""
    start, offset, facts = aligned_group()
    solver = z3.Solver()
    solver.add(*facts[:3])
    assert solver.check(wide(start + offset) != wide(start) + zero(offset)) == z3.unsat
    assert solver.check(zero(start + offset) != zero(start) + zero(offset)) == z3.unsat


def test_aligned_groups_lie_on_one_side_of_aligned_limits() -> None:
    """`compared`, of either signedness."""
    start, offset, facts = aligned_group()
    limit = z3.BitVec("limit", WIDTH)
    solver = z3.Solver()
    solver.add(*facts[:3], limit & (facts[3] - 1) == 0)
    assert solver.check((start < limit) != (start + offset < limit)) == z3.unsat
    assert solver.check(z3.ULT(start, limit) != z3.ULT(start + offset, limit)) == z3.unsat
    assert solver.check((start <= limit) != (start + offset <= limit)) == z3.sat


def test_aligned_groups_have_one_floor() -> None:
    """`quotient` and `low_bits`: shifts by as many bits as the group has, or more."""
    start, offset, facts = aligned_group()
    shift = z3.BitVec("shift", WIDTH)
    solver = z3.Solver()
    solver.add(*facts[:3], z3.ULE(facts[3], z3.BitVecVal(1, WIDTH) << shift), z3.ULT(shift, WIDTH - 1))
    assert solver.check((start + offset) >> shift != start >> shift) == z3.unsat
    assert solver.check(z3.LShR(start + offset, shift) != z3.LShR(start, shift)) == z3.unsat
    mask = (z3.BitVecVal(1, WIDTH) << shift) - 1
    assert solver.check((start + offset) & mask != (start & mask) + offset) == z3.unsat
