"""The exact functions of NVIDIA's library: integers, bits, rounded arithmetic and conversions, all of a type in one kernel.

Each has a twin in Python that computes with integers or fractions and rounds once.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.lowering.triton_to_cuda_tile.library_calls import ARRAYS, SUFFIX, each_applied
from tilewright.lowering.triton_to_cuda_tile.elementwise import libdevice

Exact = Callable[..., Any]
ROUNDINGS = ("rn", "rz", "rd", "ru")
WIDTHS = {"i32": 32, "i64": 64}
LETTERS = {"f32": ("f", "float", "fmaf"), "f64": ("d", "double", "fma")}


def wrapped(number: int, width: int) -> int:
    """Return a number as a signed one of a width."""
    low = number & ((1 << width) - 1)
    return low - (1 << width) if low >> (width - 1) else low


def unsigned(number: int, width: int) -> int:
    """Return the number that the bits of a signed one are without a sign."""
    return number & ((1 << width) - 1)


def rounded(exact: Fraction, kind: str, mode: str) -> Any:
    """Return an exact number as the float of a format that a rounding chooses."""
    type = ARRAYS[kind]
    with np.errstate(over="ignore"):
        near = type(float(exact))
    around = [near, np.nextafter(near, type(np.inf)), np.nextafter(near, type(-np.inf))]
    apart = {value: Fraction(float(value)) - exact for value in around if np.isfinite(value)}
    if mode == "rn":
        bits = f"u{type().itemsize}"
        return min(apart, key=lambda value: (abs(apart[value]), np.array(value).view(bits) & 1))
    below = mode == "rd" or (mode == "rz" and exact > 0)
    allowed = [value for value in apart if (apart[value] <= 0 if below else apart[value] >= 0)]
    return max(allowed) if below else min(allowed)


def root(number: Fraction) -> Fraction:
    """Return a square root, exact where it is a number of 40 digits."""
    digits = Context(prec=60)
    exact = digits.divide(Decimal(number.numerator), Decimal(number.denominator))
    return Fraction(digits.sqrt(exact))


# --- integers

UNARY: dict[str, tuple[str, Callable[[int, int], int]]] = {
    "abs": ("i32", lambda x, _: abs(x)),
    "popc": ("i32", lambda x, width: unsigned(x, width).bit_count()),
    "clz": ("i32", lambda x, width: width - unsigned(x, width).bit_length()),
    "ffs": ("i32", lambda x, _: (x & -x).bit_length()),
    "brev": ("", lambda x, width: int(f"{unsigned(x, width):0{width}b}"[::-1], 2)),
}
"""The type of the result, the same for all widths if it is named, and the twin."""
BINARY: dict[str, Callable[[int, int], int]] = {
    "mulhi": lambda x, y: x * y >> 32,
    "umulhi": lambda x, y: unsigned(x, 32) * unsigned(y, 32) >> 32,
    "mul24": lambda x, y: wrapped(x, 24) * wrapped(y, 24),
    "umul24": lambda x, y: unsigned(x, 24) * unsigned(y, 24),
    "hadd": lambda x, y: (x + y) >> 1,
    "uhadd": lambda x, y: (unsigned(x, 32) + unsigned(y, 32)) >> 1,
    "rhadd": lambda x, y: (x + y + 1) >> 1,
    "urhadd": lambda x, y: (unsigned(x, 32) + unsigned(y, 32) + 1) >> 1,
}
WIDE: dict[str, Callable[[int, int], int]] = {
    "mul64hi": lambda x, y: x * y >> 64,
    "umul64hi": lambda x, y: unsigned(x, 64) * unsigned(y, 64) >> 64,
}
TERNARY: dict[str, Callable[[int, int, int], int]] = {
    "sad": lambda x, y, z: abs(x - y) + z,
    "usad": lambda x, y, z: abs(unsigned(x, 32) - unsigned(y, 32)) + z,
}


def words(width: int, count: int, seed: int) -> list[int]:
    """Return integers of a width: all ends, and others of any length."""
    draw = random.Random(seed)
    ends = [0, 1, -1, 2, -2, (1 << width - 1) - 1, -(1 << width - 1), 1 << width - 2, 0xFF00, 6]
    rest = [
        wrapped(draw.getrandbits(draw.randint(1, width)), width) * draw.choice((1, -1)) for _ in range(count)
    ]
    return draw.sample([*ends, *(wrapped(one, width) for one in rest)], count)


@pytest.mark.parametrize("kind", WIDTHS)
def test_functions_of_an_integer(kind: str) -> None:
    width, suffix = WIDTHS[kind], "" if kind == "i32" else "ll"
    rows = {("llabs" if suffix and name == "abs" else name + suffix): row for name, row in UNARY.items()}
    results = {name: result if name != "llabs" and result else kind for name, (result, _) in rows.items()}
    given = words(width, 64, 1)
    found = each_applied(results, [kind], given)
    for name, (_, twin) in rows.items():
        wanted = [wrapped(twin(x, width), WIDTHS[results[name]]) for x in given]
        assert found[name].tolist() == wanted, name


@pytest.mark.parametrize(
    ("kind", "table", "operands"), [("i32", BINARY, 2), ("i64", WIDE, 2), ("i32", TERNARY, 3)]
)
def test_functions_of_integers(kind: str, table: Mapping[str, Exact], operands: int) -> None:
    given = [words(WIDTHS[kind], 64, seed) for seed in range(operands)]
    found = each_applied(dict.fromkeys(table, kind), [kind] * operands, *given)
    for name, twin in table.items():
        wanted = [wrapped(twin(*each), WIDTHS[kind]) for each in zip(*given, strict=True)]
        assert found[name].tolist() == wanted, name


def test_every_function_of_integers_is_here_or_has_a_test_of_its_own() -> None:
    here = {*UNARY, *(f"{name}ll" for name in UNARY), "llabs", *BINARY, *WIDE, *TERNARY} - {"absll"}
    assert set(libdevice.INTEGERS) == {*here, "byte_perm"}


# --- predicates and bits


def numbers(kind: str) -> np.ndarray:
    """Return numbers with both signs, all ends of a format, infinity and NaN."""
    info = np.finfo(ARRAYS[kind])
    size = [0, info.smallest_subnormal, info.tiny, 0.1, 1, 1.5, 2.5, 3.49, 1e9, 3e9, 5e18, info.max, np.inf]
    return np.array([*size, *(-np.array(size)), np.nan], ARRAYS[kind])


@pytest.mark.parametrize(("kind", "letter"), [("f32", "f"), ("f64", "d")])
def test_questions_about_a_number(kind: str, letter: str) -> None:
    twins = {f"isnan{letter}": np.isnan, f"isinf{letter}": np.isinf, f"signbit{letter}": np.signbit}
    twins |= {"finitef" if letter == "f" else "isfinited": np.isfinite}
    given = numbers(kind)
    found = each_applied(dict.fromkeys(twins, "i32"), [kind], given)
    for name, twin in twins.items():
        assert found[name].tolist() == twin(given).astype(int).tolist(), name


def test_bits_of_numbers() -> None:
    singles, doubles = numbers("f32"), numbers("f64")
    found = each_applied({"float_as_int": "i32", "float_as_uint": "i32"}, ["f32"], singles)
    assert all(one.tolist() == singles.view(np.int32).tolist() for one in found.values())
    bits = singles.view(np.int32)
    found = each_applied({"int_as_float": "f32", "uint_as_float": "f32"}, ["i32"], bits)
    assert all(one.view(np.int32).tolist() == bits.tolist() for one in found.values())
    longs = doubles.view(np.int64)
    results = {"double_as_longlong": "i64", "double2hiint": "i32", "double2loint": "i32"}
    found = each_applied(results, ["f64"], np.array([*doubles, 1 / 3, math.pi, -math.e]))
    longs = np.array([*doubles, 1 / 3, math.pi, -math.e]).view(np.int64)
    assert found["double_as_longlong"].tolist() == longs.tolist()
    assert found["double2hiint"].tolist() == (longs >> 32).tolist()
    assert found["double2loint"].tolist() == longs.astype(np.int32).tolist()
    assert each_applied({"longlong_as_double": "f64"}, ["i64"], longs)["longlong_as_double"].view(
        np.int64
    ).tolist() == (longs.tolist())
    made = each_applied(
        {"hiloint2double": "f64"}, ["i32", "i32"], found["double2hiint"], found["double2loint"]
    )
    assert made["hiloint2double"].view(np.int64).tolist() == longs.tolist()


# --- rounded once


def fractions(kind: str, count: int, seed: int) -> list[float]:
    """Return positive and negative numbers of a format near 1."""
    draw = random.Random(seed)
    return [
        float(ARRAYS[kind](draw.uniform(0.1, 9.0) * draw.choice((1, -1)) * 2 ** draw.randint(-3, 3)))
        for _ in range(count)
    ]


def arithmetic(kind: str) -> Iterator[tuple[str, int, Exact]]:
    """Yield the name of each function with a rounding, its number of operands and the exact twin."""
    letter, _, fma = LETTERS[kind]
    for mode in ROUNDINGS:
        yield f"{letter}add_{mode}", 2, lambda x, y: x + y
        yield f"{letter}sub_{mode}", 2, lambda x, y: x - y
        yield f"{letter}mul_{mode}", 2, lambda x, y: x * y
        yield f"{letter}div_{mode}", 2, lambda x, y: x / y
        yield f"{letter}rcp_{mode}", 1, lambda x: 1 / x
        yield f"{letter}sqrt_{mode}", 1, lambda x: root(abs(x))
        yield f"{fma}_{mode}", 3, lambda x, y, z: x * y + z


@pytest.mark.parametrize("operands", [1, 2, 3])
@pytest.mark.parametrize("kind", SUFFIX)
def test_arithmetic_is_rounded_once_as_its_name_says(kind: str, operands: int) -> None:
    given = [fractions(kind, 32, seed) for seed in range(operands)]
    rows = {name: twin for name, count, twin in arithmetic(kind) if count == operands}
    roots = {name: twin for name, twin in rows.items() if "sqrt" in name}
    found = each_applied(dict.fromkeys(rows.keys() - roots.keys(), kind), [kind] * operands, *given)
    if roots:
        found |= each_applied(dict.fromkeys(roots, kind), [kind], np.abs(given[0]))
    for name, twin in rows.items():
        exact = [twin(*map(Fraction, each)) for each in zip(*given, strict=True)]
        assert found[name].tolist() == [float(rounded(one, kind, name[-2:])) for one in exact], name


def whole(exact: Fraction, mode: str) -> int:
    """Return the integer that a rounding makes of a number."""
    ways: Mapping[str, Callable[[Fraction], int]] = {
        "rn": round,
        "rz": math.trunc,
        "rd": math.floor,
        "ru": math.ceil,
    }
    return ways[mode](exact)


def saturated(exact: int, width: int, *, signed: bool) -> int:
    """Return an integer within the range of a type, as its bits with a sign."""
    low, high = (-(1 << width - 1), (1 << width - 1) - 1) if signed else (0, (1 << width) - 1)
    return wrapped(min(max(exact, low), high), width)


@pytest.mark.parametrize("mode", ROUNDINGS)
@pytest.mark.parametrize("kind", SUFFIX)
def test_numbers_become_integers_as_the_name_says(kind: str, mode: str) -> None:
    source = LETTERS[kind][1]
    targets = {"int": ("i32", True), "uint": ("i32", False), "ll": ("i64", True), "ull": ("i64", False)}
    given = [x for x in numbers(kind).tolist() if math.isfinite(x)] + [0.5, -0.5, -1.5, 3.7, -3.7]
    results = {f"{source}2{target}_{mode}": result for target, (result, _) in targets.items()}
    found = each_applied(results, [kind], given)
    for target, (result, signed) in targets.items():
        exact = [whole(Fraction(x), mode) for x in ARRAYS[kind](given).tolist()]
        wanted = [saturated(one, WIDTHS[result], signed=signed) for one in exact]
        assert found[f"{source}2{target}_{mode}"].tolist() == wanted, target


@pytest.mark.parametrize("kind", SUFFIX)
def test_numbers_become_the_nearest_integers(kind: str) -> None:
    given = [0.5, -0.5, 1.5, 2.5, -2.5, -1.5, 3.49, -7.51, 1e9, -3e9]
    names = [f"ll{name}{SUFFIX[kind]}" for name in ("rint", "round")]
    found = each_applied(dict.fromkeys(names, "i64"), [kind], given)
    exact = ARRAYS[kind](given).tolist()
    assert found[names[0]].tolist() == [round(x) for x in exact]
    assert found[names[1]].tolist() == [int(math.copysign(math.floor(abs(x) + 0.5), x)) for x in exact]


def test_integers_become_numbers_as_the_name_says() -> None:
    given = words(32, 32, 4)
    names = [f"{source}2float_{mode}" for source in ("int", "uint") for mode in ROUNDINGS]
    found = each_applied(
        {**dict.fromkeys(names, "f32"), "int2double_rn": "f64", "uint2double_rn": "f64"}, ["i32"], given
    )
    for name, values in found.items():
        exact = [Fraction(unsigned(x, 32) if name.startswith("u") else x) for x in given]
        kind = "f32" if "float" in name else "f64"
        assert values.tolist() == [float(rounded(one, kind, name[-2:])) for one in exact], name


def test_doubles_become_singles_as_the_name_says() -> None:
    given = [1 / 3, -1 / 3, 1.0, 2.0**-30 + 1, math.pi, -math.e, 1e-40, 16777217.0]
    names = [f"double2float_{mode}" for mode in ROUNDINGS]
    for name, values in each_applied(dict.fromkeys(names, "f32"), ["f64"], given).items():
        assert values.tolist() == [float(rounded(Fraction(x), "f32", name[-2:])) for x in given], name


# --- powers and lengths


@pytest.mark.parametrize("kind", SUFFIX)
def test_exponents_are_added_even_where_the_power_alone_is_out_of_range(kind: str) -> None:
    info = np.finfo(ARRAYS[kind])
    given = [1.5, -1.25, float(info.tiny), float(info.max), 0.0, 3.0, float(info.smallest_subnormal), 1.0]
    given = [*given, math.inf, -math.inf, 1.0, 1.0, 1.75, -1.0]
    powers = [3, -4, 2 * info.maxexp, -2 * info.maxexp, 9, 1 << 30, info.maxexp, -(1 << 31)]
    powers = [*powers, -5, 5, info.maxexp - 1, info.minexp, info.minexp - 3, 0]
    names = [f"{name}{SUFFIX[kind]}" for name in ("ldexp", "scalbn")]
    wanted = [min(max(power, -5000), 5000) for power in powers]
    with np.errstate(all="ignore"):
        exact = np.ldexp(np.array(given, ARRAYS[kind]), wanted).tolist()
    for name, values in each_applied(dict.fromkeys(names, kind), [kind, "i32"], given, powers).items():
        assert values.tolist() == exact, name


@pytest.mark.parametrize("count", [3, 4])
@pytest.mark.parametrize("kind", SUFFIX)
def test_lengths_of_vectors(kind: str, count: int) -> None:
    given = [fractions(kind, 16, seed) for seed in range(count)]
    names = [f"{name}{count}d{SUFFIX[kind]}" for name in ("norm", "rnorm")]
    length, inverse = each_applied(dict.fromkeys(names, kind), [kind] * count, *given).values()
    exact = np.array([math.hypot(*each) for each in zip(*given, strict=True)])
    near = 1e-6 if kind == "f32" else 1e-14
    assert np.allclose(length, exact, rtol=near)
    assert np.allclose(inverse, 1 / exact, rtol=near)


@pytest.mark.parametrize("kind", SUFFIX)
def test_powers_and_products(kind: str) -> None:
    x, y, z = ([abs(one) for one in fractions(kind, 16, seed)] for seed in range(3))
    near = 1e-5 if kind == "f32" else 1e-13
    y = [one % 4 for one in y]
    power = each_applied({f"pow{SUFFIX[kind]}": kind}, [kind, kind], x, y)
    assert np.allclose(*power.values(), np.power(x, y), rtol=near)
    whole = [0, 1, -1, 2, -3, 5, 7, -8] * 2
    power = each_applied({f"powi{SUFFIX[kind]}": kind}, [kind, "i32"], x, whole)
    assert np.allclose(*power.values(), np.power(x, np.array(whole, float)), rtol=near)
    product = each_applied({f"fma{SUFFIX[kind]}": kind}, [kind] * 3, x, y, z)
    exact = [Fraction(a) * Fraction(b) + Fraction(c) for a, b, c in zip(x, y, z, strict=True)]
    assert next(iter(product.values())).tolist() == [float(rounded(one, kind, "rn")) for one in exact]


FAST: dict[str, tuple[Callable[..., float], int]] = {
    "fast_cosf": (math.cos, 1),
    "fast_exp10f": (lambda x: 10.0**x, 1),
    "fast_expf": (math.exp, 1),
    "fast_fdividef": (lambda x, y: x / y, 2),
    "fast_log10f": (math.log10, 1),
    "fast_log2f": (math.log2, 1),
    "fast_logf": (math.log, 1),
    "fast_powf": (math.pow, 2),
    "fast_sinf": (math.sin, 1),
    "fast_tanf": (math.tan, 1),
    "fast_tanhf": (math.tanh, 1),
}


@pytest.mark.parametrize("operands", [1, 2])
def test_fast_functions(operands: int) -> None:
    assert FAST.keys() == libdevice.FAST.keys()
    given: list[Sequence[float]] = [[0.25, 0.5, 1.25, 3.0], [2.0, 0.5, 1.5, -1.0]][:operands]
    rows = {name: twin for name, (twin, count) in FAST.items() if count == operands}
    for name, values in each_applied(dict.fromkeys(rows, "f32"), ["f32"] * operands, *given).items():
        assert np.allclose(values, [rows[name](*each) for each in zip(*given, strict=True)], rtol=2e-6), name


def test_the_inverse_root_is_that_of_the_rounded_root() -> None:
    x = np.array([0.3, 2.0, 7.5, 1e-5], np.float32)
    found = each_applied({"frsqrt_rn": "f32"}, ["f32"], x)["frsqrt_rn"]
    assert found.tolist() == (np.float32(1) / np.sqrt(x)).tolist()
