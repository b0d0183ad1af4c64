"""Every fold of constants gives the bits that the interpreter computes, for every element type; what is undefined stays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from tests.dialects.cuda_tile.fold_samples import (
    Row,
    assert_same_bits,
    edges,
    fold,
    operands_of,
    pairs,
    tile_value,
    triples,
)
from tilewright.dialects.cuda_tile.enums import (
    ComparisonOrdering,
    ComparisonPredicate,
    IntegerOverflow,
    RoundingMode,
    Signedness,
)
from tilewright.dialects.cuda_tile.ops import conversion, float as floats, integer as integers
from tilewright.dialects.cuda_tile.rules.rounding import IEEE, conversion_rule
from tilewright.dialects.cuda_tile.types import BASE_FLOATS, FLOATS, INTEGERS, TileType, tile_of
from tilewright.interp.checks.promises import GUARDS
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, IntegerType, f8E8M0FNU, f32, i1, i4
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

Make = Callable[..., Operation]
SIGNS = tuple(Signedness)


def undefined(op: Operation) -> np.ndarray[Any, Any]:
    """Elements that the interpreter's checks complain about."""
    make = GUARDS.get(type(op))
    guard = make(op) if make is not None else None
    count = tile_of(op.results[0]).shape[0]
    if guard is None:
        return np.zeros(count, np.bool_)
    return np.broadcast_to(guard(*map(tile_value, op.operands))[0], (count,))


def check(make: Make, elements: Sequence[Type], rows: Sequence[Row]) -> None:
    """Defined rows fold to the interpreter's bits, all at once; every undefined one alone does not fold."""
    defined, broken = list(rows), list[Row]()
    while defined and (bad := undefined(make(*operands_of(elements, defined)))[: len(defined)]).any():
        broken += [row for row, is_bad in zip(defined, bad, strict=True) if is_bad]
        defined = [row for row, is_bad in zip(defined, bad, strict=True) if not is_bad]
    if defined:
        assert_same_bits(make(*operands_of(elements, defined)))
    for row in broken[:20]:
        folded = fold(make(*operands_of(elements, [row])))
        assert folded is None or isinstance(folded, Value)  # an operand: no computed number


# --- integers


@pytest.mark.parametrize("element", INTEGERS, ids=str)
@pytest.mark.parametrize("overflow", list(IntegerOverflow))
@pytest.mark.parametrize("op", [integers.AddIOp, integers.SubIOp, integers.MulIOp, integers.ShLIOp])
def test_wrapping_operations(op: Make, overflow: IntegerOverflow, element: Type) -> None:
    check(lambda a, b: op(a, b, overflow=overflow), [element] * 2, pairs(element))


@pytest.mark.parametrize("element", INTEGERS, ids=str)
@pytest.mark.parametrize("op", [integers.AndIOp, integers.OrIOp, integers.XOrIOp, integers.MulhiIOp])
def test_operations_without_flags(op: Make, element: Type) -> None:
    check(op, [element] * 2, pairs(element))


@pytest.mark.parametrize("element", INTEGERS, ids=str)
@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("op", [integers.RemIOp, integers.MaxIOp, integers.MinIOp, integers.ShRIOp])
def test_operations_with_a_sign(op: Make, sign: Signedness, element: Type) -> None:
    check(lambda a, b: op(a, b, signedness=sign), [element] * 2, pairs(element))


@pytest.mark.parametrize("element", INTEGERS, ids=str)
@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("mode", [RoundingMode.ZERO, RoundingMode.NEGATIVE_INF, RoundingMode.POSITIVE_INF])
def test_division(mode: RoundingMode, sign: Signedness, element: Type) -> None:
    if (mode, sign) == (RoundingMode.NEGATIVE_INF, Signedness.UNSIGNED):
        pytest.skip("not a legal pair")
    check(lambda a, b: integers.DivIOp(a, b, signedness=sign, rounding=mode), [element] * 2, pairs(element))


@pytest.mark.parametrize("element", INTEGERS, ids=str)
def test_magnitude_and_negation(element: Type) -> None:
    rows = [(pattern,) for pattern in edges(element)]
    check(integers.AbsIOp, [element], rows)
    for overflow in (IntegerOverflow.NONE, IntegerOverflow.NO_SIGNED_WRAP, IntegerOverflow.NO_WRAP):
        check(lambda a, o=overflow: integers.NegIOp(a, overflow=o), [element], rows)


@pytest.mark.parametrize("element", INTEGERS, ids=str)
@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("predicate", list(ComparisonPredicate))
def test_integer_comparison(predicate: ComparisonPredicate, sign: Signedness, element: Type) -> None:
    check(lambda a, b: integers.CmpIOp(predicate, a, b, sign), [element] * 2, pairs(element))


# --- floats


def flushes(element: Type) -> tuple[bool, ...]:
    """The settings of `flush_to_zero` that a type has."""
    return (False, True) if element is f32 else (False,)


@pytest.mark.parametrize("element", BASE_FLOATS, ids=str)
@pytest.mark.parametrize("mode", IEEE)
@pytest.mark.parametrize("op", [floats.AddFOp, floats.SubFOp, floats.MulFOp, floats.DivFOp])
def test_rounded_arithmetic(op: Make, mode: RoundingMode, element: Type) -> None:
    for flush in flushes(element):
        check(lambda a, b, f=flush: op(a, b, mode, flush_to_zero=f), [element] * 2, pairs(element))


@pytest.mark.parametrize("element", BASE_FLOATS, ids=str)
@pytest.mark.parametrize("mode", IEEE)
def test_fused_arithmetic_and_roots(mode: RoundingMode, element: Type) -> None:
    for flush in flushes(element):
        check(
            lambda a, b, c, f=flush: floats.FmaOp(a, b, c, mode, flush_to_zero=f),
            [element] * 3,
            triples(element),
        )
        rows = [(pattern,) for pattern in edges(element)]
        check(lambda a, f=flush: floats.SqrtOp(a, mode, flush_to_zero=f), [element], rows)


@pytest.mark.parametrize("element", BASE_FLOATS, ids=str)
@pytest.mark.parametrize("propagate", [False, True])
@pytest.mark.parametrize("op", [floats.MaxFOp, floats.MinFOp])
def test_float_extrema(op: Make, propagate: bool, element: Type) -> None:
    for flush in flushes(element):
        check(
            lambda a, b, f=flush: op(a, b, propagate_nan=propagate, flush_to_zero=f),
            [element] * 2,
            pairs(element),
        )


@pytest.mark.parametrize("element", BASE_FLOATS, ids=str)
def test_exact_float_operations(element: Type) -> None:
    rows = [(pattern,) for pattern in edges(element)]
    for op in (floats.AbsFOp, floats.NegFOp, floats.CeilOp, floats.FloorOp):
        check(op, [element], rows)
    check(floats.RemFOp, [element] * 2, pairs(element))


@pytest.mark.parametrize("element", BASE_FLOATS, ids=str)
@pytest.mark.parametrize("ordering", list(ComparisonOrdering))
@pytest.mark.parametrize("predicate", list(ComparisonPredicate))
def test_float_comparison(
    predicate: ComparisonPredicate, ordering: ComparisonOrdering, element: Type
) -> None:
    check(lambda a, b: floats.CmpFOp(predicate, ordering, a, b), [element] * 2, pairs(element))


ELEMENTARY: tuple[Make, ...] = (
    floats.ExpOp,
    floats.Exp2Op,
    floats.LogOp,
    floats.Log2Op,
    floats.SinOp,
    floats.CosOp,
    floats.TanOp,
    floats.SinHOp,
    floats.CosHOp,
    floats.TanHOp,
    floats.RsqrtOp,
    lambda a: floats.SqrtOp(a, RoundingMode.APPROX),
)


@pytest.mark.parametrize("element", BASE_FLOATS, ids=str)
@pytest.mark.parametrize("op", ELEMENTARY)
def test_elementary_functions_where_they_fold(op: Make, element: Type) -> None:
    """Some do (at least NaN), and most arguments do not."""
    folded = 0
    for pattern in edges(element):
        made = op(*operands_of([element], [(pattern,)]))
        if fold(made) is not None:
            assert_same_bits(made)
            folded += 1
    assert 0 < folded < len(edges(element))


@pytest.mark.parametrize("element", BASE_FLOATS, ids=str)
def test_powers_and_angles_where_they_fold(element: Type) -> None:
    folded = 0
    for op in (floats.PowOp, floats.Atan2Op):
        for row in pairs(element):
            made = op(*operands_of([element] * 2, [row]))
            if fold(made) is not None:
                assert_same_bits(made)
                folded += 1
    assert folded
    for exponent in (0, 1, 2):
        for pattern in edges(element):
            made = floats.FPowIOp(*operands_of([element, INTEGERS[3]], [(pattern, exponent)]))
            if fold(made) is not None:
                assert_same_bits(made)


@pytest.mark.parametrize("mode", [RoundingMode.APPROX, RoundingMode.FULL])
def test_approximate_division_stays(mode: RoundingMode) -> None:
    one = f32.format.encode(1.0)
    assert fold(floats.DivFOp(*operands_of([f32] * 2, [(one, one)]), mode)) is None


# --- conversions


def check_some(
    make: Make, elements: Sequence[Type], rows: Sequence[Row], keeps: Callable[[Row], bool]
) -> None:
    """Rows fold to the interpreter's bits, except for those that Tile IR does not define: these stay."""
    defined = [row for row in rows if keeps(row)]
    if defined:
        assert_same_bits(make(*operands_of(elements, defined)))
    for row in rows:
        if not keeps(row):
            assert fold(make(*operands_of(elements, [row]))) is None, row


def rows_of(element: Type) -> list[Row]:
    """Each edge, as an only operand."""
    return [(pattern,) for pattern in edges(element)]


def to(op: Any, element: Type, **flags: Any) -> Make:
    """Makers of a conversion to an element type."""
    return lambda a: op(a, result_types=[TileType(a.type.shape, element)], **flags)


@pytest.mark.parametrize("element", [*INTEGERS, i4], ids=str)
def test_integer_conversions(element: IntegerType) -> None:
    for other in (*INTEGERS, i4):
        for sign in SIGNS if other.width > element.width else ():
            check(to(conversion.ExtIOp, other, signedness=sign), [element], rows_of(element))
        for overflow in IntegerOverflow if other.width < element.width else ():
            check(to(conversion.TruncIOp, other, overflow=overflow), [element], rows_of(element))


def _fits(source: FloatType, target: FloatType) -> Callable[[Row], bool]:
    """Whether Tile IR says what a number becomes: always in formats of more than 8 bits."""
    largest, smallest = target.format.decode(target.format.largest_pattern), target.format.decode(0)

    def fits(row: Row) -> bool:
        if source.format.is_nan(row[0]):
            return target.format.nan_pattern is not None
        if target.width > 8:
            return True
        value = source.format.decode(row[0])
        negative = bool(row[0] & source.format.sign_mask)
        if not target.format.signed and negative:
            return False
        return (target.format.has_zero or value >= smallest) and abs(value) <= largest

    return fits


@pytest.mark.parametrize("source", FLOATS, ids=str)
@pytest.mark.parametrize("target", FLOATS, ids=str)
def test_float_conversions(source: FloatType, target: FloatType) -> None:
    if source is target:
        pytest.skip("not a conversion")
    for mode in conversion_rule(source, target).modes:
        check_some(
            to(conversion.FToFOp, target, rounding_mode=mode),
            [source],
            rows_of(source),
            _fits(source, target),
        )


@pytest.mark.parametrize("source", INTEGERS, ids=str)
@pytest.mark.parametrize("sign", SIGNS)
def test_integer_to_float(sign: Signedness, source: IntegerType) -> None:
    for target in FLOATS:
        if target is f8E8M0FNU:
            continue

        def keeps(row: Row, format: Any = target.format) -> bool:
            half = 1 << (source.width - 1)
            negative = sign is Signedness.SIGNED and row[0] >= half
            number = row[0] - 2 * half if negative else row[0]
            if negative and not format.signed:
                return False
            return format.nan_pattern is not None or abs(number) <= format.decode(format.largest_pattern)

        make = to(conversion.IToFOp, target, signedness=sign, rounding_mode=RoundingMode.NEAREST_EVEN)
        check_some(make, [source], rows_of(source), keeps)


@pytest.mark.parametrize("source", FLOATS, ids=str)
@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("saturating", [False, True])
def test_float_to_integer(saturating: bool, sign: Signedness, source: FloatType) -> None:
    for target in INTEGERS[1:]:
        make = to(
            conversion.FToIOp,
            target,
            signedness=sign,
            rounding_mode=RoundingMode.NEAREST_INT_TO_ZERO,
            saturating=saturating,
        )
        check(make, [source], rows_of(source))


@pytest.mark.parametrize("source", FLOATS, ids=str)
def test_float_to_boolean(source: FloatType) -> None:
    """What is not zero is true; NaN, infinity and saturation are left to the target."""
    make = to(
        conversion.FToIOp,
        i1,
        signedness=Signedness.UNSIGNED,
        rounding_mode=RoundingMode.NEAREST_INT_TO_ZERO,
    )

    def keeps(row: Row) -> bool:
        return not (source.format.is_nan(row[0]) or source.format.is_infinite(row[0]))

    check_some(make, [source], rows_of(source), keeps)


@pytest.mark.parametrize("source", [*INTEGERS, *FLOATS], ids=str)
def test_bitcast(source: Any) -> None:
    for target in (*INTEGERS, *FLOATS):
        if target.width == source.width:
            check(to(conversion.BitcastOp, target), [source], rows_of(source))


@pytest.mark.parametrize("source", [*INTEGERS, *FLOATS, i4], ids=str)
def test_pack_and_unpack(source: Any) -> None:
    value = operands_of([source], [(pattern,) for pattern in (edges(source) * 16)[:32]])[0]
    count = tile_of(value).shape[0]
    bits = 32 if source.width == 19 else source.width
    if source.width == 8:
        pytest.skip("the same width")
    packed = conversion.PackOp(value, result_types=[TileType((count * bits // 8,), INTEGERS[1])])
    assert_same_bits(packed)
    attribute: Any = fold(packed)
    data = [pattern & 0xFF for pattern in attribute.patterns()]
    whole = data * (count * bits // 8) if attribute.is_splat else data
    unpacked = conversion.UnpackOp(
        operands_of([INTEGERS[1]], [(byte,) for byte in whole])[0], result_types=[value.type]
    )
    if fold(unpacked) is not None:
        assert_same_bits(unpacked)
