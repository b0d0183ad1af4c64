"""What instructions on floating-point numbers answer, by the words of the ISA.

Which NaN a result is stays open, as it does in the ISA, and so does the sign of a zero that saturation leaves.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from tests.ptxsim.definitions import numbers
from tests.ptxsim.definitions.answers import DEFINITIONS, Answer, Codes, Compute, Near, define
from tests.ptxsim.definitions.integers import multiply, simple
from tests.ptxsim.definitions.numbers import FORMATS, INFINITE, NAN, UNKNOWN, Format, Value

Exact = Callable[..., Value]


def is_float(type_name: str) -> bool:
    """Whether a type is of floating-point numbers, packed ones included."""
    return type_name.removesuffix("x2") in FORMATS


def format_of(type_name: str) -> Format:
    """The format of one element."""
    return FORMATS[type_name.removesuffix("x2")]


def reader(form: Format, chosen: Mapping[str, str]) -> Callable[[int], Value]:
    """Codes as values; `.ftz` takes subnormal operands as zeros."""
    if "ftz" in chosen:
        return lambda code: numbers.flushed(numbers.decoded(code, form), form)
    return lambda code: numbers.decoded(code, form)


def writer(form: Format, chosen: Mapping[str, str], mode: str = "") -> Callable[[Value], Codes]:
    """A value rounded, flushed and saturated."""
    mode = mode or chosen.get("rnd", "rn")

    def write(value: Value) -> Codes:
        if "sat" in chosen:
            return _saturated(value, form, mode, chosen)
        if "relu" in chosen and value[0] and value[1] != UNKNOWN:
            return (0, form.sign) if value[1] == 0 else 0
        code = numbers.coded(value, form, mode, finite="satfinite" in chosen)
        if "ftz" not in chosen or not numbers.is_small(value, form):
            return code
        zero = (
            value[0] * form.sign
        )  # what is rounded up to the least normal number may be flushed before or after
        return (zero, code) if code & (form.sign - 1) == 1 << form.fraction else zero

    return write


def _saturated(value: Value, form: Format, mode: str, chosen: Mapping[str, str]) -> Codes:
    if value[1] == UNKNOWN:
        return 0
    if value[0]:
        return (0, form.sign)
    one = form.bias << form.fraction
    code = min(numbers.coded(value, form, mode), one)
    if "ftz" in chosen and numbers.is_small(value, form):
        return (0, code) if code == 1 << form.fraction else 0
    return code


def exact(name: str, mode: str) -> Exact:
    """The operation on values that no rounding has touched; its mode matters for zeros only."""
    table: dict[str, Exact] = {
        "add": lambda a, b: numbers.total(a, b, mode),
        "sub": lambda a, b: numbers.total(a, numbers.negated(b), mode),
        "mul": numbers.product,
        "fma": lambda a, b, c: numbers.total(numbers.product(a, b), c, mode),
        "mad": lambda a, b, c: numbers.total(numbers.product(a, b), c, mode),
        "div": numbers.quotient,
        "rcp": lambda a: numbers.quotient((0, 1, 0), a),
        "sqrt": numbers.root,
        "abs": lambda a: (0, a[1], a[2]),
        "neg": numbers.negated,
    }
    return table[name]


def arithmetic(name: str, chosen: Mapping[str, str]) -> Compute:
    """Operations that are rounded once."""
    if name in ("min", "max"):
        return extreme(name, chosen)
    form, mode = format_of(chosen["type"]), chosen.get("rnd", "rn")
    operation, write = exact(name, mode), writer(form, chosen)
    read = reader(form, chosen)
    if "atype" in chosen:
        narrow = reader(FORMATS[chosen["atype"]], {})
        return lambda *codes: write(operation(*map(narrow, codes[:-1]), read(codes[-1])))
    return lambda *codes: write(operation(*map(read, codes)))


def _lesser(name: str, a: Value, b: Value) -> Value:
    """One of two numbers; -0 is less than +0."""
    if numbers.equal(a, b):
        first = a[0] >= b[0] if name == "min" else a[0] <= b[0]
    else:
        first = numbers.is_less(a, b) == (name == "min")
    return a if first else b


def extreme(name: str, chosen: Mapping[str, str]) -> Compute:
    """NaN loses against numbers unless `.NaN`; `.xorsign.abs` compares magnitudes and joins the signs."""
    form = format_of(chosen["type"])
    read, write = reader(form, chosen), writer(form, {})

    def two(a: Value, b: Value) -> Value:
        sign = a[0] ^ b[0]
        if "abs" in chosen:
            a, b = (0, a[1], a[2]), (0, b[1], b[2])
        unknown = (a[1] == UNKNOWN) + (b[1] == UNKNOWN)
        if unknown == 2 or (unknown and "nan" in chosen):
            return NAN
        found = (b if a[1] == UNKNOWN else a) if unknown else _lesser(name, a, b)
        return (sign, found[1], found[2]) if "xorsign" in chosen else found

    def compute(*codes: int) -> Answer:
        first, *rest = map(read, codes)
        for other in rest:
            first = two(first, other)
        return write(first)

    return compute


def _either(name: str) -> Callable[[Mapping[str, str]], Compute]:
    """The definition of a name that integers and floating-point numbers share."""

    def defined(chosen: Mapping[str, str]) -> Compute:
        if is_float(chosen["type"]):
            return arithmetic(name, chosen)
        return multiply(chosen) if name in ("mul", "mad") else simple(name, chosen)

    return defined


for _name in ("add", "sub", "mul", "mad", "abs", "neg", "min", "max"):
    DEFINITIONS[_name] = _either(_name)
_whole_quotient = DEFINITIONS.pop("div")


@define("div")
def div(chosen: Mapping[str, str]) -> Compute:
    """Quotients of integers, rounded ones, and approximate ones."""
    if not is_float(chosen["type"]):
        return _whole_quotient(chosen)
    return approximate("div", chosen) if "kind" in chosen else arithmetic("div", chosen)


@define("fma")
def fma(chosen: Mapping[str, str]) -> Compute:
    """Products and sums, rounded once."""
    return arithmetic("fma", chosen)


@define("testp")
def testp(chosen: Mapping[str, str]) -> Compute:
    """Classes; zeros count as normal."""
    form, op = format_of(chosen["type"]), chosen["op"]

    def compute(code: int) -> int:
        value = numbers.decoded(code, form)
        small, finite = numbers.is_small(value, form), value[1] >= 0
        answers = {
            "finite": finite,
            "infinite": value[1] == INFINITE,
            "number": value[1] != UNKNOWN,
            "notanumber": value[1] == UNKNOWN,
            "normal": finite and not small,
            "subnormal": small,
        }
        return int(answers[op])

    return compute


@define("copysign")
def copysign(chosen: Mapping[str, str]) -> Compute:
    """The sign of the first operand, the rest of the second."""
    sign = format_of(chosen["type"]).sign
    return lambda a, b: (a & sign) | (b & (sign - 1))


# --- approximations


_BOUNDS: dict[tuple[str, str], tuple[float, float]] = {
    ("div", "f32"): (2.0**-22, 0.0),
    ("rcp", "f32"): (2.0**-23, 0.0),
    ("rcp", "f64"): (2.0**-20, 0.0),
    ("sqrt", "f32"): (2.0**-23, 0.0),
    ("rsqrt", "f32"): (2.0**-22.9, 0.0),
    ("rsqrt", "f64"): (2.0**-20, 0.0),
    ("sin", "f32"): (0.0, 2.0**-20.5),
    ("cos", "f32"): (0.0, 2.0**-20.5),
    ("lg2", "f32"): (2.0**-22, 2.0**-22),
    ("ex2", "f32"): (2.0**-22, 0.0),
    ("ex2", "f16"): (2.0**-9.9, 0.0),
    ("ex2", "bf16"): (2.0**-7, 0.0),
    ("tanh", "f32"): (2.0**-11, 0.0),
    ("tanh", "f16"): (0.0, 2.0**-10.987),
    ("tanh", "bf16"): (0.0, 2.0**-8),
}
"""Relative and absolute errors."""


def _power(a: float) -> float:
    try:
        return 2.0**a
    except OverflowError:
        return math.inf


_FUNCTIONS: dict[str, Callable[[float], float]] = {
    "rsqrt": lambda a: math.copysign(math.inf, a) if a == 0 else math.nan if a < 0 else 1 / math.sqrt(a),
    "sin": lambda a: math.nan if math.isinf(a) else math.sin(a),
    "cos": lambda a: math.nan if math.isinf(a) else math.cos(a),
    "lg2": lambda a: -math.inf if a == 0 else math.nan if a < 0 else math.log2(a),
    "ex2": _power,
    "tanh": math.tanh,
}


def approximate(name: str, chosen: Mapping[str, str]) -> Compute:
    """Functions whose results may lie within an error; what is exact of them is so here, too."""
    element = chosen["type"].removesuffix("x2")
    form = FORMATS[element]
    if name.startswith("ex2") and element == "bf16":
        chosen = {**chosen, "ftz": "ftz"}
    read, (relative, absolute) = reader(form, chosen), _BOUNDS[name, element]

    def compute(*codes: int) -> Near | None:
        values = [read(code) for code in codes]
        if any(value[1] == UNKNOWN for value in values):
            return Near(math.nan)
        if name in _FUNCTIONS:
            value = _FUNCTIONS[name](numbers.as_float(values[0]))
        else:
            value = _algebraic(name, values)
            if "kind" in chosen and _open(values[1], chosen):
                return None
        return _limited(value, form, chosen, relative, absolute)

    return compute


def _algebraic(name: str, values: list[Value]) -> float:
    found = exact(name, "rn")(*values)
    if found[1] > 0:
        found = numbers.decoded(numbers.coded(found, FORMATS["f64"]), FORMATS["f64"])
    return numbers.as_float(found)


def _open(divisor: Value, chosen: Mapping[str, str]) -> bool:
    """`div.approx` has a bound for divisors of a middle size only."""
    size = abs(numbers.as_float(divisor))
    return chosen["kind"] == "approx" and not (2.0**-126 <= size <= 2.0**126 or size in (0, math.inf))


def _limited(
    value: float, form: Format, chosen: Mapping[str, str], relative: float, absolute: float
) -> Near | None:
    """The bound, with an ulp for subnormal results; results at the ends of the range are left open."""
    if math.isnan(value) or math.isinf(value) or value == 0:
        return Near(value, 0.0, absolute)
    least, most = 2.0 ** (1 - form.bias), numbers.as_float(numbers.decoded(form.largest, form))
    if abs(value) > most * (1 - 2 * relative - 2.0**-form.fraction):
        return None
    if abs(value) < least * (1 + 2 * relative):
        return (
            Near(0.0, 0.0, least * (1 + 4 * relative))
            if "ftz" in chosen
            else Near(value, relative, absolute + 2.0**form.last)
        )
    return Near(value, relative, absolute)


def _function(name: str) -> Callable[[Mapping[str, str]], Compute]:
    return lambda chosen: approximate(name, chosen) if "approx" in chosen else arithmetic(name, chosen)


for _name in ("rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2", "tanh"):
    DEFINITIONS[_name] = _function(_name)


# --- comparison and selection


def _ordered(order: str, a: Value, b: Value) -> bool:
    if UNKNOWN in (a[1], b[1]):
        return order == "nan" or order.removesuffix("u") not in ("", order)
    order = order.removesuffix("u")
    same = numbers.equal(a, b)
    less = not same and numbers.is_less(a, b)
    return {
        "eq": same,
        "ne": not same,
        "lt": less,
        "le": less or same,
        "gt": not less and not same,
        "ge": not less,
        "num": True,
        "nan": False,
    }[order]


_UNSIGNED = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}


def comparison(chosen: Mapping[str, str]) -> Callable[[int, int], bool]:
    """Whether two operands are in an order."""
    order, name = chosen["cmp"], chosen["type"]
    if is_float(name):
        read = reader(format_of(name), {} if name == "f64" else chosen)
        return lambda a, b: _ordered(order, read(a), read(b))
    signed, bits = name.startswith("s"), int(name[1:])
    order = _UNSIGNED.get(order, order)

    def compare(a: int, b: int) -> bool:
        first, second = ((one ^ signed << (bits - 1), 0) for one in (a, b))
        return _ordered(order, (0, *first), (0, *second))

    return compare


_BOOL: dict[str, Callable[[bool, bool], bool]] = {
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
    "xor": lambda a, b: a != b,
}


def joined(chosen: Mapping[str, str]) -> Callable[..., tuple[bool, bool]]:
    """A comparison and its opposite, each joined with a predicate."""
    compare, join = comparison(chosen), _BOOL.get(chosen.get("bool", ""))

    def compute(a: int, b: int, c: int = 0) -> tuple[bool, bool]:
        found = compare(a, b)
        return (found, not found) if join is None else (join(found, c > 0), join(not found, c > 0))

    return compute


@define("setp")
def setp(chosen: Mapping[str, str]) -> Compute:
    """Predicates: the first in bit 0, and the second of those that have one in bit 1."""
    compute = joined(chosen)
    return lambda *words: compute(*words)[0] | compute(*words)[1] << 1


@define("set")
def set_(chosen: Mapping[str, str]) -> Compute:
    """All ones, or the number 1, of one element."""
    compute, name = joined(chosen), chosen["dtype"]
    if is_float(name):
        form = format_of(name)
        true = form.bias << form.fraction
    else:
        true = (1 << (16 if chosen["type"].endswith("x2") else int(name[1:]))) - 1
    return lambda *words: true * compute(*words)[0]


@define("selp")
def selp(chosen: Mapping[str, str]) -> Compute:
    """The first operand if the predicate is true."""
    return lambda a, b, c: a if c else b


@define("slct")
def slct(chosen: Mapping[str, str]) -> Compute:
    """The first operand if the third is not less than zero; NaN is less."""
    if chosen["type"] == "s32":
        return lambda a, b, c: b if c >> 31 else a
    read = reader(FORMATS["f32"], chosen)

    def compute(a: int, b: int, c: int) -> int:
        sign, whole, _ = read(c)
        return b if whole == UNKNOWN or (sign and whole != 0) else a

    return compute
