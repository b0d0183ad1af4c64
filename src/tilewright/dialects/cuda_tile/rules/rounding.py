"""The legal rounding modes and modifiers: the tables, and the checks that read them."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.cuda_tile.enums import IntegerOverflow, RoundingMode, Signedness
from tilewright.dialects.cuda_tile.types import tile_of
from tilewright.ir import builtin_types
from tilewright.ir.attribute import Type
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.support.record import Record
from tilewright.ir.value import Value

Modes = tuple[RoundingMode, ...]

IEEE: Modes = (
    RoundingMode.NEAREST_EVEN,
    RoundingMode.ZERO,
    RoundingMode.NEGATIVE_INF,
    RoundingMode.POSITIVE_INF,
)
DIVISION: Modes = (*IEEE, RoundingMode.APPROX, RoundingMode.FULL)
SQUARE_ROOT: Modes = (*IEEE, RoundingMode.APPROX)
TRANSCENDENTAL: Modes = (RoundingMode.APPROX, RoundingMode.FULL)
INTEGER_DIVISION: Modes = (RoundingMode.ZERO, RoundingMode.NEGATIVE_INF, RoundingMode.POSITIVE_INF)


def check_mode(mode: RoundingMode, allowed: Modes) -> None:
    """Raise `VerifyError` unless ``mode`` is in ``allowed``."""
    if mode not in allowed:
        listed = ", ".join(case.name.lower() for case in allowed)
        raise VerifyError(f"invalid rounding mode specified, expect one of [{listed}]")


def check_only_mode(mode: RoundingMode, allowed: RoundingMode) -> None:
    """Raise `VerifyError` unless ``mode`` is ``allowed``, the only mode of a conversion."""
    if mode is not allowed:
        raise VerifyError(f"invalid rounding mode specified. Only '{allowed.name.lower()}' is supported")


def check_f32_only(result: Value, **modifiers: bool) -> None:
    """Raise `VerifyError` if a modifier is true and the elements of ``result`` are not f32. `modifiers` maps
    names to whether they are given; the message names the first that is.
    """
    element = tile_of(result).element_type
    for name, given in modifiers.items():
        if given and element is not builtin_types.f32:
            raise VerifyError(f"{name} modifier only supported for f32 data type, but got: '{element}'")


def check_float_arithmetic(
    result: Value, mode: RoundingMode, allowed: Modes, flush_to_zero: bool, *, f32_modes: Modes = ()
) -> None:
    """Raise `VerifyError` unless ``mode`` is in ``allowed``. A mode in ``f32_modes``, and ``flush_to_zero``,
    are refused if the elements of ``result`` are not f32.
    """
    check_mode(mode, allowed)
    check_f32_only(
        result, flush_to_zero=flush_to_zero, **{case.name.lower(): mode is case for case in f32_modes}
    )


def check_integer_division(rounding: RoundingMode, signedness: Signedness) -> None:
    """Raise `VerifyError` for a rounding mode that integer division does not have, and for `negative_inf` of
    unsigned numbers.
    """
    check_mode(rounding, INTEGER_DIVISION)
    if rounding is RoundingMode.NEGATIVE_INF and signedness is Signedness.UNSIGNED:
        raise VerifyError("rounding mode 'negative_inf' is not allowed with 'unsigned' flag")


def check_negation_overflow(overflow: IntegerOverflow) -> None:
    """Raise `VerifyError` for `no_unsigned_wrap`: negation reads its operand as signed."""
    if overflow is IntegerOverflow.NO_UNSIGNED_WRAP:
        raise VerifyError("'no_unsigned_wrap' overflow flag is not supported")


def check_integer_to_float(target: Type, mode: RoundingMode) -> None:
    """Raise `VerifyError` unless the mode is nearest even, and the target is not f8E8M0FNU, which has
    exponents only.
    """
    if target is builtin_types.f8E8M0FNU:
        raise VerifyError(
            "integer to f8E8M0FNU conversion is not supported, please first convert to another float type"
        )
    check_only_mode(mode, RoundingMode.NEAREST_EVEN)


class FloatRange(Record, frozen=True):
    """The range of a float type: the largest and the smallest exponent of its normal numbers, and its
    significant bits, the implicit one included.
    """

    largest: int
    smallest: int
    precision: int


RANGES: dict[str, FloatRange] = {
    "f16": FloatRange(15, -14, 11),
    "bf16": FloatRange(127, -126, 8),
    "f32": FloatRange(127, -126, 24),
    "tf32": FloatRange(127, -126, 11),
    "f64": FloatRange(1023, -1022, 53),
    "f8E4M3FN": FloatRange(8, -6, 4),
    "f8E5M2": FloatRange(15, -14, 3),
    "f8E8M0FNU": FloatRange(127, -127, 1),
    "f4E2M1FN": FloatRange(2, 0, 2),
    "fnv8E5M3FNU": FloatRange(16, -14, 4),
}


class ConversionRule(Record, frozen=True):
    """The legal modes of a float conversion, and the end of the message for any other mode."""

    modes: Modes
    otherwise: str


LOW_PRECISION = ConversionRule(
    (RoundingMode.NEAREST_EVEN,),
    " for conversion to low-precision type. Only 'nearest_even' is supported",
)
TO_TYPE: dict[Type, ConversionRule] = {
    builtin_types.f8E8M0FNU: ConversionRule(
        (RoundingMode.ZERO, RoundingMode.POSITIVE_INF),
        " for conversion to f8E8M0FNU. Only 'zero' and 'positive_inf' are supported",
    ),
    **dict.fromkeys(
        (builtin_types.f8E4M3FN, builtin_types.f8E5M2, builtin_types.f4E2M1FN, builtin_types.fnv8E5M3FNU),
        LOW_PRECISION,
    ),
}
BETWEEN_TYPES: dict[tuple[Type, Type], ConversionRule] = {
    (builtin_types.f32, builtin_types.tf32): ConversionRule(
        (RoundingMode.NEAREST_EVEN, RoundingMode.ZERO, RoundingMode.NEAREST_AWAY),
        " for conversion from f32 to tf32. Only 'nearest_even', 'zero', and 'nearest_away' are supported",
    ),
    (builtin_types.f64, builtin_types.f32): ConversionRule(
        IEEE,
        " for conversion from f64 to f32. "
        "Only 'nearest_even', 'zero', 'negative_inf', and 'positive_inf' are supported",
    ),
}
NARROWING = ConversionRule(
    (RoundingMode.NEAREST_EVEN, RoundingMode.ZERO),
    ". Only 'nearest_even' and 'zero' are supported for narrowing conversions to standard types",
)
WIDENING = ConversionRule(
    (*IEEE, RoundingMode.NEAREST_AWAY),
    " for widening conversion. Only IEEE float rounding modes are supported: "
    "'nearest_even', 'zero', 'negative_inf', 'positive_inf', 'nearest_away'",
)


def holds_exactly(source: builtin_types.FloatType, target: builtin_types.FloatType) -> bool:
    """Return whether every number of `source` is a number of `target`: the range of normal exponents and the
    precision of `target` are at least as large.
    """
    here, there = RANGES[source.spelling], RANGES[target.spelling]
    in_range = here.largest <= there.largest and here.smallest >= there.smallest
    return in_range and here.precision <= there.precision


def conversion_rule(source: builtin_types.FloatType, target: builtin_types.FloatType) -> ConversionRule:
    """Return the legal rounding modes of a conversion between two different float types. Some target types
    and some pairs have their own modes; for others it matters whether the conversion widens.
    """
    special = TO_TYPE.get(target) or BETWEEN_TYPES.get((source, target))
    return special or (WIDENING if holds_exactly(source, target) else NARROWING)


def check_float_conversion(source: Value, target: Value, mode: RoundingMode) -> None:
    """Raise `VerifyError` unless the pair of element types supports the mode; equal types are refused."""
    start, end = tile_of(source).element_type, tile_of(target).element_type
    if start is end:
        raise VerifyError("converting tiles must not be a no-op")
    assert isinstance(start, builtin_types.FloatType)
    assert isinstance(end, builtin_types.FloatType)
    rule = conversion_rule(start, end)
    if mode not in rule.modes:
        raise VerifyError(f"invalid rounding mode specified{rule.otherwise}")


def widths(values: Sequence[Value]) -> list[int]:
    """Return the bits of one element for each of the tiles `values`, whose elements must be integers or
    floats.
    """
    return [element_width(tile_of(value).element_type) for value in values]


def element_width(element: Type) -> int:
    """Return the bits of an integer or float type. Raises `AttributeError` for other types."""
    width: int = getattr(element, "width")  # noqa: B009 (types of numbers share no class that has it)
    return width


def check_bitcast(source: Value, result: Value) -> None:
    """Raise `VerifyError` unless the elements of source and result have the same number of bits."""
    before, after = widths((source, result))
    if before != after:
        raise VerifyError(
            f"types must be equal width, cannot convert '{source.type}' of width {before} to type "
            f"'{result.type}' of width {after}"
        )
