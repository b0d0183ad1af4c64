"""Integer operations: every pair of i8 and i1 values, and wide values, against Python's integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings, strategies as st

from tilewright.interp.numerics import integers
from tilewright.interp.numerics.element import FORMATS

Tile = npt.NDArray[Any]
Oracle = Callable[[int, int, int], int]


def _signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def _unsigned(value: int, bits: int) -> int:
    return value & ((1 << bits) - 1)


def _truncated(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _divide(a: int, b: int, rounding: str) -> int:
    if b == 0:
        return -1
    return {"zero": _truncated(a, b), "positive_inf": -(-a // b), "negative_inf": a // b}[rounding]


def _remainder(a: int, b: int) -> int:
    return a - _truncated(a, b) * b if b else a


# Oracles take both operands as signed and the width; the result is read modulo 2**width.
ORACLES: dict[str, tuple[Callable[[Tile, Tile], Tile], Oracle]] = {
    "addi": (integers.addi, lambda a, b, n: a + b),
    "subi": (integers.subi, lambda a, b, n: a - b),
    "muli": (integers.muli, lambda a, b, n: a * b),
    "mulhii": (integers.mulhii, lambda a, b, n: _unsigned(a, n) * _unsigned(b, n) >> n),
    "andi": (integers.andi, lambda a, b, n: a & b),
    "ori": (integers.ori, lambda a, b, n: a | b),
    "xori": (integers.xori, lambda a, b, n: a ^ b),
    "shli": (integers.shli, lambda a, b, n: a << min(_unsigned(b, n), n)),
    "shri signed": (lambda x, y: integers.shri(x, y, True), lambda a, b, n: a >> min(_unsigned(b, n), n)),
    "shri unsigned": (
        lambda x, y: integers.shri(x, y, False),
        lambda a, b, n: _unsigned(a, n) >> min(_unsigned(b, n), n),
    ),
    "divi signed": (lambda x, y: integers.divi(x, y, True), lambda a, b, n: _divide(a, b, "zero")),
    "divi ceiling": (
        lambda x, y: integers.divi(x, y, True, "positive_inf"),
        lambda a, b, n: _divide(a, b, "positive_inf"),
    ),
    "divi floor": (
        lambda x, y: integers.divi(x, y, True, "negative_inf"),
        lambda a, b, n: _divide(a, b, "negative_inf"),
    ),
    "divi unsigned": (
        lambda x, y: integers.divi(x, y, False),
        lambda a, b, n: _divide(_unsigned(a, n), _unsigned(b, n), "zero"),
    ),
    "divi unsigned ceiling": (
        lambda x, y: integers.divi(x, y, False, "positive_inf"),
        lambda a, b, n: _divide(_unsigned(a, n), _unsigned(b, n), "positive_inf"),
    ),
    "remi signed": (lambda x, y: integers.remi(x, y, True), lambda a, b, n: _remainder(a, b)),
    "remi unsigned": (
        lambda x, y: integers.remi(x, y, False),
        lambda a, b, n: _remainder(_unsigned(a, n), _unsigned(b, n)),
    ),
    "maxi signed": (lambda x, y: integers.maxi(x, y, True), lambda a, b, n: max(a, b)),
    "maxi unsigned": (
        lambda x, y: integers.maxi(x, y, False),
        lambda a, b, n: max(_unsigned(a, n), _unsigned(b, n)),
    ),
    "mini signed": (lambda x, y: integers.mini(x, y, True), lambda a, b, n: min(a, b)),
    "mini unsigned": (
        lambda x, y: integers.mini(x, y, False),
        lambda a, b, n: min(_unsigned(a, n), _unsigned(b, n)),
    ),
}

PROMISE_ORACLES: dict[str, Oracle] = {
    "addi": lambda a, b, n: a + b,
    "subi": lambda a, b, n: a - b,
    "muli": lambda a, b, n: a * b,
    "shli": lambda a, b, n: a << min(_unsigned(b, n), 200),
}


def _tile(values: list[int], bits: int) -> Tile:
    return integers.wrap(np.array([_unsigned(value, 64) for value in values], np.uint64), FORMATS[f"i{bits}"])


def _all_pairs(bits: int) -> tuple[list[int], list[int]]:
    span = range(-(1 << (bits - 1)), 1 << (bits - 1))
    return [a for a in span for _ in span], [b for _ in span for b in span]


def _check(name: str, left: list[int], right: list[int], bits: int) -> None:
    operation, oracle = ORACLES[name]
    expected = [_signed(oracle(a, b, bits), bits) for a, b in zip(left, right, strict=True)]
    out = operation(_tile(left, bits), _tile(right, bits))
    assert out.dtype == FORMATS[f"i{bits}"].array_dtype
    np.testing.assert_array_equal(integers.signed_view(out), np.array(expected, np.int64))


@pytest.mark.parametrize("name", list(ORACLES))
def test_every_pair_of_narrow_values(name: str) -> None:
    for bits in (1, 8):
        _check(name, *_all_pairs(bits), bits)


def _wide(bits: int) -> st.SearchStrategy[int]:
    edges = [0, 1, -1, 2, 7, bits - 1, bits, bits + 1, -(1 << (bits - 1)), (1 << (bits - 1)) - 1]
    return st.sampled_from(edges) | st.integers(-(1 << (bits - 1)), (1 << (bits - 1)) - 1)


@pytest.mark.parametrize("bits", [16, 32, 64])
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_wide_values(bits: int, data: st.DataObject) -> None:
    left = data.draw(st.lists(_wide(bits), min_size=1, max_size=8))
    right = [data.draw(_wide(bits)) for _ in left]
    for name in ORACLES:
        _check(name, left, right, bits)


def _breaks(exact: int, promise: str, bits: int) -> bool:
    low, high = (-(1 << (bits - 1)), 1 << (bits - 1)) if promise == "no_signed_wrap" else (0, 1 << bits)
    return not low <= exact < high


def _check_promise(name: str, left: list[int], right: list[int], bits: int, promise: str) -> None:
    signed = promise == "no_signed_wrap"
    read = _signed if signed else _unsigned
    exact = [
        PROMISE_ORACLES[name](read(a, bits), read(b, bits), bits) for a, b in zip(left, right, strict=True)
    ]
    mask = integers.broken_overflow_promise(name, _tile(left, bits), _tile(right, bits), promise)
    assert mask.tolist() == [_breaks(value, promise, bits) for value in exact]


@pytest.mark.parametrize("name", list(PROMISE_ORACLES))
@pytest.mark.parametrize("promise", ["no_signed_wrap", "no_unsigned_wrap"])
def test_broken_promises_of_every_narrow_pair(name: str, promise: str) -> None:
    for bits in (1, 8):
        _check_promise(name, *_all_pairs(bits), bits, promise)


@pytest.mark.parametrize("bits", [16, 32, 64])
@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_broken_promises_of_wide_values(bits: int, data: st.DataObject) -> None:
    left, right = [data.draw(_wide(bits))], [data.draw(_wide(bits))]
    for name in PROMISE_ORACLES:
        for promise in ("no_signed_wrap", "no_unsigned_wrap"):
            _check_promise(name, left, right, bits, promise)


def test_combined_promises() -> None:
    lhs, rhs = np.array([127, -1, 1, -128], np.int8), np.array([1, 1, 1, -1], np.int8)
    assert integers.broken_overflow_promise("addi", lhs, rhs, "no_wrap").tolist() == [True, True, False, True]
    assert not integers.broken_overflow_promise("addi", lhs, rhs, "none").any()
    with pytest.raises(ValueError, match="unknown overflow behaviour"):
        integers.broken_overflow_promise("addi", lhs, rhs, "wrap")


@pytest.mark.parametrize("bits", [1, 8, 16, 32, 64])
def test_negation_and_magnitude(bits: int) -> None:
    lowest = -(1 << (bits - 1))
    tile = _tile([lowest, 0, -1], bits)
    assert integers.signed_view(integers.negi(tile)).tolist() == [lowest, 0, _signed(1, bits)]
    assert integers.unsigned_view(integers.absi(tile)).tolist() == [-lowest, 0, 1]
    broken = integers.broken_negation_promise(tile, "no_signed_wrap").tolist()
    assert broken == [True, False, bits == 1]
    assert not integers.broken_negation_promise(tile, "none").any()


def test_undefined_elements() -> None:
    lhs, rhs = np.array([-(2**31), 1, -(2**31), 5], np.int32), np.array([-1, 0, 1, -1], np.int32)
    assert integers.undefined_division(lhs, rhs, True).tolist() == [True, True, False, False]
    assert integers.undefined_division(lhs, rhs, False).tolist() == [False, True, False, False]
    assert integers.undefined_remainder(rhs).tolist() == [False, True, False, False]
    assert integers.oversized_shift(np.array([7, 8, -1], np.int8)).tolist() == [False, True, True]


def test_comparisons_depend_on_signedness() -> None:
    lhs, rhs = np.array([-1, 1, 3], np.int8), np.array([1, -1, 3], np.int8)
    expected = {
        "equal": ([False, False, True], [False, False, True]),
        "not_equal": ([True, True, False], [True, True, False]),
        "less_than": ([True, False, False], [False, True, False]),
        "less_than_or_equal": ([True, False, True], [False, True, True]),
        "greater_than": ([False, True, False], [True, False, False]),
        "greater_than_or_equal": ([False, True, True], [True, False, True]),
    }
    for predicate, (signed, unsigned) in expected.items():
        assert integers.cmpi(lhs, rhs, predicate, True).tolist() == signed
        assert integers.cmpi(lhs, rhs, predicate, False).tolist() == unsigned
    assert integers.cmpi(np.array([True]), np.array([False]), "less_than", True).tolist() == [True]
    with pytest.raises(ValueError, match="unknown comparison predicate"):
        integers.cmpi(lhs, rhs, "about", True)


def test_unknown_division_rounding_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown rounding mode 'nearest_even'"):
        integers.divi(np.array([1], np.int8), np.array([1], np.int8), True, "nearest_even")


@pytest.mark.parametrize("name", list(ORACLES))
def test_scalar_tiles_stay_arrays(name: str) -> None:
    for bits in (1, 8, 64):
        x = np.asarray(_tile([1], bits)[0])
        out = ORACLES[name][0](x, x)
        assert isinstance(out, np.ndarray)
        assert out.shape == ()
        assert out.dtype == x.dtype
