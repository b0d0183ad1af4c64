"""Every law of scalar algebra, proved by z3 for numbers of several widths, and every function compared with z3."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from tests.support.symbolic import z3
from tilewright.ir.arithmetic import scalar_algebra as algebra
from tilewright.ir.arithmetic.float_format import FloatFormat
from tilewright.ir.arithmetic.scalar_algebra import FloatOperation, IntegerOperation, LawResult
from tilewright.ir.builtin_types import f16

ROWS = {name: row for name, row in vars(algebra).items() if isinstance(row, IntegerOperation)}
FLOATS = {name: row for name, row in vars(algebra).items() if isinstance(row, FloatOperation)}
WIDTHS = (1, 3, 8, 32)
Formula = Callable[[Any, Any], Any]


def quotient(a: Any, b: Any, rounded: Formula) -> Any:
    """A signed quotient: the truncated one, corrected where the division is not exact."""
    inexact = a - b * (a / b) != 0
    return z3.If(z3.And(inexact, rounded(a < 0, b < 0)), unit(a), unit(a) - 1)


def floor(a: Any, b: Any) -> Any:
    return a / b - quotient(a, b, lambda left, right: left != right)


def ceiling(a: Any, b: Any) -> Any:
    return a / b + quotient(a, b, lambda left, right: left == right)


MEANINGS: dict[str, Formula] = {
    "ADD": lambda a, b: a + b,
    "SUBTRACT": lambda a, b: a - b,
    "MULTIPLY": lambda a, b: a * b,
    "MULTIPLY_HIGH": lambda a, b: high_half(a, b),
    "DIVIDE_UNSIGNED": z3.UDiv,
    "DIVIDE_SIGNED": lambda a, b: a / b,
    "DIVIDE_FLOOR": floor,
    "DIVIDE_CEILING_SIGNED": ceiling,
    "DIVIDE_CEILING_UNSIGNED": lambda a, b: z3.UDiv(a, b) + z3.If(z3.URem(a, b) != 0, unit(a), unit(a) - 1),
    "REMAINDER_UNSIGNED": z3.URem,
    "REMAINDER_SIGNED": z3.SRem,
    "SHIFT_LEFT": lambda a, b: a << b,
    "SHIFT_RIGHT_UNSIGNED": z3.LShR,
    "SHIFT_RIGHT_SIGNED": lambda a, b: a >> b,
    "AND": lambda a, b: a & b,
    "OR": lambda a, b: a | b,
    "EXCLUSIVE_OR": lambda a, b: a ^ b,
    "MAXIMUM_SIGNED": lambda a, b: z3.If(a > b, a, b),
    "MINIMUM_SIGNED": lambda a, b: z3.If(a < b, a, b),
    "MAXIMUM_UNSIGNED": lambda a, b: z3.If(z3.UGT(a, b), a, b),
    "MINIMUM_UNSIGNED": lambda a, b: z3.If(z3.ULT(a, b), a, b),
}


def unit(like: Any) -> Any:
    return z3.BitVecVal(1, like.size())


def high_half(a: Any, b: Any) -> Any:
    width = a.size()
    return z3.Extract(2 * width - 1, width, z3.ZeroExt(width, a) * z3.ZeroExt(width, b))


def is_defined(name: str, a: Any, b: Any) -> Any:
    """Whether the result is neither undefined nor poison."""
    width = a.size()
    if "SHIFT" in name:
        return z3.ULT(b, width) if width > 1 else b == 0
    if "DIVIDE" not in name and "REMAINDER" not in name:
        return z3.BoolVal(True)
    fits = z3.Not(z3.And(a == 1 << (width - 1), b == -1)) if ROWS[name].is_signed else z3.BoolVal(True)
    return z3.And(b != 0, z3.BoolVal(True) if "REMAINDER" in name else fits)


def holds(formula: Any) -> bool:
    solver = z3.Solver()
    solver.add(z3.Not(formula))
    return solver.check() == z3.unsat


def laws(name: str, width: int) -> list[Any]:
    """The laws of a row as formulas that hold for every x and y."""
    row, apply = ROWS[name], MEANINGS[name]
    x, y = z3.BitVecs("x y", width)

    def law(right: Any, result: Any) -> Any:
        return z3.Implies(is_defined(name, x, right), apply(x, right) == result)

    found = [law(z3.BitVecVal(number(width), width), z3.BitVecVal(0, width)) for number in row.vanishing]
    if row.identity is not None:
        found.append(law(z3.BitVecVal(row.identity(width), width), x))
    if row.absorbing is not None:
        number = z3.BitVecVal(row.absorbing(width), width)
        found.append(law(number, number))
    if row.of_same is not None:
        found.append(law(x, z3.BitVecVal(0, width) if row.of_same is LawResult.ZERO else x))
    if row.commutes:
        found.append(apply(x, y) == apply(y, x))
    return found


def test_every_row_has_a_meaning() -> None:
    assert ROWS.keys() == MEANINGS.keys()


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ROWS)
def test_laws_hold(name: str, width: int) -> None:
    found = laws(name, width)
    assert found
    assert all(map(holds, found))


@pytest.mark.parametrize("name", ROWS)
def test_laws_could_be_wrong(name: str) -> None:
    """No number but the identity is one, for rows that have one."""
    identity = ROWS[name].identity
    if identity is None:
        return
    x, width = z3.BitVec("x", 3), 3
    for number in set(range(8)) - {identity(width)}:
        value = z3.BitVecVal(number, width)
        defined, same = is_defined(name, x, value), MEANINGS[name](x, value) == x
        assert holds(z3.Not(defined)) or not holds(z3.Implies(defined, same))


@pytest.mark.parametrize("width", [1, 2, 3])
@pytest.mark.parametrize("name", ROWS)
def test_functions_compute_the_meaning(name: str, width: int) -> None:
    rule, mask = ROWS[name].on_patterns(width), (1 << width) - 1
    for left, right in product(range(1 << width), repeat=2):
        a, b = z3.BitVecVal(left, width), z3.BitVecVal(right, width)
        found = rule(left, right)
        expected = (
            z3.simplify(MEANINGS[name](a, b)).as_long() if z3.simplify(is_defined(name, a, b)) else None
        )
        assert (found if found is None else found & mask) == expected, (left, right)


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if row.wraps])
def test_low_bits_depend_on_low_bits(name: str) -> None:
    row = ROWS[name]
    for left, right in product(range(-8, 16), repeat=2):
        wide, narrow = row.function(left, right, 3), row.function(left & 7, right & 7, 3)
        assert wide is not None
        assert narrow is not None
        assert wide & 7 == narrow & 7


# --- floats


def numbers(format: FloatFormat) -> list[int]:
    """Every 911th pattern, and all special ones; NaN is the quiet one."""
    special = [
        format.encode(number) for number in (0.0, -0.0, 1.0, float("inf"), float("-inf"), float("nan"))
    ]
    return [*special, *(at for at in range(0, 1 << 16, 911) if not format.is_nan(at))]


@pytest.mark.parametrize("name", FLOATS)
def test_laws_of_floats(name: str) -> None:
    row, format = FLOATS[name], f16.format
    for x in numbers(format):
        if row.identity is not None:
            assert row.function(format, x, format.encode(row.identity)) == x
        if row.is_idempotent:
            assert row.function(format, x, x) == x
        if row.commutes:
            for y in numbers(format)[:9]:
                assert row.function(format, x, y) == row.function(format, y, x)


@pytest.mark.parametrize("name", ["ADD_FLOATS", "SUBTRACT_FLOATS", "MULTIPLY_FLOATS", "DIVIDE_FLOATS"])
def test_identities_of_floats_are_proved(name: str) -> None:
    sort, mode = z3.FPSort(5, 11), z3.RNE()
    apply = {
        "ADD_FLOATS": z3.fpAdd,
        "SUBTRACT_FLOATS": z3.fpSub,
        "MULTIPLY_FLOATS": z3.fpMul,
        "DIVIDE_FLOATS": z3.fpDiv,
    }[name]
    x, identity = z3.FP("x", sort), FLOATS[name].identity
    assert identity is not None
    number = z3.fpMinusZero(sort) if str(identity) == "-0.0" else z3.FPVal(identity, sort)
    assert holds(apply(mode, x, number) == x)
