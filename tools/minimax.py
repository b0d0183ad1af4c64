"""Polynomials that come as near to a function as any of their degree: writes the tables of the CPU's vector math.

``python -m tools.minimax > src/tilewright/targets/cpu/math/coefficients.py``

Remez' exchange algorithm in decimal arithmetic of 45 digits; no other package is needed.  Leading terms can be fixed,
so that what rounds the result last is a fused multiply-add with an exact number.  The error that is made small is
relative to the function.  Where the interval contains 0 and leading terms are fixed, the sought terms vanish there, and
errors need not alternate: near 0 it is the error of the sought terms divided by their lowest power that is made small.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, ROUND_HALF_EVEN, Decimal, getcontext

getcontext().prec = 45
Function = Callable[[Decimal], Decimal]
GRID = 600
ROUNDS = 12
TINY = Decimal(10) ** -44


@dataclass(frozen=True)
class Task:
    """A function on an interval, the terms that are given, and the powers whose coefficients are sought."""

    name: str
    doc: str
    function: Function
    interval: tuple[Decimal, Decimal]
    powers: Sequence[int]
    fixed: Sequence[tuple[int, Decimal]] = ()


# --- functions


def series(x: Decimal, first: Decimal, start: int, sign: int) -> Decimal:
    """A power series of every second term over factorials: sine, cosine, hyperbolic sine."""
    total, term, n = Decimal(0), first, start
    while abs(term) > TINY:
        total += term
        term = sign * term * x * x / ((n + 1) * (n + 2))
        n += 2
    return total


def arc_tangent(x: Decimal) -> Decimal:
    """Halves the argument until the series converges fast."""
    halvings = 0
    while abs(x) > Decimal("0.05"):
        x = x / (1 + (1 + x * x).sqrt())
        halvings += 1
    total, power, n = Decimal(0), x, 1
    while abs(power) > TINY:
        total += power / n
        power = -power * x * x
        n += 2
    return total * 2**halvings


def sine_series(x: Decimal) -> Decimal:
    """The sine."""
    return series(x, x, 1, -1)


def cosine_series(x: Decimal) -> Decimal:
    """The cosine."""
    return series(x, ONE, 0, -1)


def tangent(x: Decimal) -> Decimal:
    """The tangent."""
    return sine_series(x) / cosine_series(x)


def hyperbolic_tangent(x: Decimal) -> Decimal:
    """tanh(x)."""
    power = (2 * x).exp()
    return (power - 1) / (power + 1)


def power_of_two(x: Decimal) -> Decimal:
    """``2**x``."""
    return (x * LN2).exp()


def exponential_less_one(x: Decimal) -> Decimal:
    """``e**x - 1`` without cancellation."""
    total, term, n = Decimal(0), x, 1
    while abs(term) > TINY:
        total, n = total + term, n + 1
        term = term * x / n
    return total


LN2 = Decimal(2).ln()
ONE = Decimal(1)


def logarithm_of_ratio(s: Decimal) -> Decimal:
    """``log((1 + s) / (1 - s))``."""
    return ((1 + s) / (1 - s)).ln()


# --- the exchange algorithm


def solve(rows: list[list[Decimal]]) -> list[Decimal]:
    """Gauss' elimination with pivots; rows end with the right-hand side."""
    size = len(rows)
    for at in range(size):
        best = max(range(at, size), key=lambda row: abs(rows[row][at]))
        rows[at], rows[best] = rows[best], rows[at]
        for other in range(size):
            if other != at:
                factor = rows[other][at] / rows[at][at]
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[at], strict=True)]
    return [rows[at][size] / rows[at][at] for at in range(size)]


def measure_of(task: Task) -> Function:
    """What the error is divided by."""
    low, high = task.interval
    power = task.powers[0]
    near = (high - low) / 8
    if not low < 0 < high:
        return task.function

    def measure(x: Decimal) -> Decimal:
        at = near if abs(x) < near else x
        return x**power * abs(task.function(at) / at**power)

    return measure


def error_function(task: Task, coefficients: Sequence[Decimal], measure: Function) -> Function:
    """The error divided by a measure."""
    terms = [*task.fixed, *zip(task.powers, coefficients, strict=True)]

    def error(x: Decimal) -> Decimal:
        return (sum((c * x**p for p, c in terms), Decimal(0)) - task.function(x)) / measure(x)

    return error


def nodes(task: Task, count: int) -> list[Decimal]:
    """Points that crowd at the ends, none of them at 0."""
    from math import cos, pi

    low, high = task.interval
    middle, half = (low + high) / 2, (high - low) / 2
    points = [middle - half * Decimal(cos(pi * (k + 0.5) / count)) for k in range(count)]
    return [x if abs(x) > Decimal("1e-6") else Decimal("1e-6") for x in points]


def alternation(error: Function, grid: Sequence[Decimal], count: int) -> list[Decimal]:
    """The points of largest error of alternating sign."""
    values = [(error(x), x) for x in grid]
    found: list[tuple[Decimal, Decimal]] = []
    for value, x in values:
        if found and (value > 0) == (found[-1][0] > 0):
            found[-1] = max(found[-1], (value, x), key=lambda pair: abs(pair[0]))
        else:
            found.append((value, x))
    while len(found) > count:
        found.pop(0 if abs(found[0][0]) < abs(found[-1][0]) else -1)
    return [x for _, x in found]


def minimax(task: Task) -> tuple[list[Decimal], Decimal]:
    """The coefficients, and the largest relative error."""
    count = len(task.powers) + 1
    points = nodes(task, count)
    grid = nodes(task, GRID)
    measure = measure_of(task)
    best: tuple[list[Decimal], Decimal] | None = None
    for _ in range(ROUNDS):
        rows: list[list[Decimal]] = []
        for k, x in enumerate(points):
            rest = task.function(x) - sum((c * x**p for p, c in task.fixed), Decimal(0))
            rows.append([*(x**p for p in task.powers), (-1) ** k * measure(x), rest])
        coefficients = solve(rows)[:-1]
        error = error_function(task, coefficients, measure)
        worst = max(abs(error(x)) for x in grid)
        if best is None or worst < best[1]:
            best = (coefficients, worst)
        points = alternation(error, grid, count)
        if len(points) < count:
            break
    assert best is not None
    relative = error_function(task, best[0], task.function)
    return best[0], max(abs(relative(x)) for x in grid)


# --- what is sought


def powers(first: int, last: int, step: int = 1) -> list[int]:
    """The powers from one to another."""
    return list(range(first, last + 1, step))


def interval(low: str | Decimal, high: str | Decimal) -> tuple[Decimal, Decimal]:
    """Two ends."""
    return Decimal(low), Decimal(high)


HALF_LN2 = Decimal("0.34667")
EIGHTH_TURN = Decimal("0.78540")
MANTISSA = interval("-0.29291", "0.41423")
"""Numbers from half a binade below 1 to half a binade above, less one."""


def exponentials(suffix: str, last: int, half: int, what: str) -> list[Task]:
    """The tables of exponentials for a precision: up to a power on the whole interval, to another on half of it."""
    whole = interval("-0.6935", "0.6935")
    middle = (-HALF_LN2, HALF_LN2)
    units, thirds = interval("-1.0005", "1.0005"), interval("-0.50005", "0.50005")
    return [
        Task(f"EXP{suffix}", f"e**x{what}", Decimal.exp, whole, powers(2, last), ((0, ONE), (1, ONE))),
        Task(f"EXP2{suffix}", f"2**x{what}", power_of_two, units, powers(1, last), ((0, ONE),)),
        Task(f"EXPM1{suffix}", f"e**x - 1{what}", exponential_less_one, middle, powers(2, half), ((1, ONE),)),
        Task(f"EXP2_HALF{suffix}", f"2**x{what}", power_of_two, thirds, powers(1, half), ((0, ONE),)),
    ]


def logarithms(suffix: str, last: int, what: str) -> list[Task]:
    """The tables of logarithms for a precision, up to a power."""
    wanted = powers(2, last)
    slope = 1 / LN2
    return [
        Task(f"LOG1P{suffix}", f"log(1 + x){what}", lambda x: (1 + x).ln(), MANTISSA, wanted, ((1, ONE),)),
        Task(
            f"LOG2_1P{suffix}",
            f"log2(1 + x){what}",
            lambda x: (1 + x).ln() / LN2,
            MANTISSA,
            wanted,
            ((1, slope),),
        ),
    ]


def odd(name: str, doc: str, function: Function, ends: tuple[Decimal, Decimal], last: int) -> Task:
    """A task for an odd function with slope 1: powers from 3 on."""
    return Task(name, doc, function, ends, powers(3, last, 2), ((1, ONE),))


def odd_functions(suffix: str, sine: int, cosine: int, arc: int, hyperbolic: int, what: str) -> list[Task]:
    """The tables of functions of angles for a precision, up to powers."""
    eighth, unit = interval("0.0001", EIGHTH_TURN), interval("0.0001", "1")
    squares = ((0, ONE), (2, Decimal("-0.5")))
    return [
        odd(f"SIN{suffix}", f"sin(x){what}", sine_series, eighth, sine),
        Task(
            f"COS{suffix}",
            f"cos(x){what}",
            cosine_series,
            interval("0.001", EIGHTH_TURN),
            powers(4, cosine, 2),
            squares,
        ),
        odd(f"ATAN{suffix}", f"atan(x){what}", arc_tangent, unit, arc),
        odd(f"SINH{suffix}", f"sinh(x){what}", lambda x: series(x, x, 1, 1), unit, hyperbolic),
    ]


DOUBLE = ", to the precision of f64"
TASKS = (
    *exponentials("", 7, 6, ""),
    *logarithms("", 11, ""),
    *odd_functions("", 9, 8, 21, 9, ""),
    odd("TAN", "tan(x)", tangent, interval("0.0001", EIGHTH_TURN), 15),
    odd("TANH", "tanh(x)", hyperbolic_tangent, interval("0.0001", "0.55"), 9),
    Task("LOG2_WIDE", "log2(1 + x), for f64", lambda x: (1 + x).ln() / LN2, MANTISSA, powers(1, 15)),
    Task(
        "EXP2_WIDE", "2**x, for f64", power_of_two, interval("-0.5001", "0.5001"), powers(1, 8), ((0, ONE),)
    ),
    *exponentials("_DOUBLE", 14, 12, DOUBLE),
    *logarithms("_DOUBLE", 22, DOUBLE),
    *odd_functions("_DOUBLE", 15, 14, 43, 15, DOUBLE),
    Task(
        "LOG_RATIO_DOUBLE",
        "log((1 + x) / (1 - x)), beyond the precision of f64",
        logarithm_of_ratio,
        interval("0.0001", "0.2001"),
        powers(5, 19, 2),
        ((1, Decimal(2)), (3, Decimal(2) / 3)),
    ),
)


PI = 16 * arc_tangent(ONE / 5) - 4 * arc_tangent(ONE / 239)


def pieces(number: Decimal, bits: int, count: int) -> list[float]:
    """Numbers of so many bits whose sum is nearer to a number with each of them."""
    found: list[float] = []
    for _ in range(count):
        scale = Decimal(2) ** (bits - 1 - int((abs(number).ln() / LN2).to_integral_value(ROUND_FLOOR)))
        piece = (number * scale).to_integral_value(ROUND_HALF_EVEN) / scale
        found.append(float(piece))
        number -= piece
    return found


CONSTANTS = (
    ("LN2", "log(2); the first part times a small integer is exact", LN2, 15, 24),
    (
        "LN2_DOUBLE",
        "log(2) to the precision of f64; the first part times a small integer is exact",
        LN2,
        42,
        53,
    ),
    ("LN2_WHOLE_DOUBLE", "log(2), beyond the precision of f64", LN2, 53, 53),
    ("LOG2_E", "log2(e), to be multiplied by fused operations", 1 / LN2, 24, 24),
    ("LOG2_E_DOUBLE", "log2(e), beyond the precision of f64", 1 / LN2, 53, 53),
    ("HALF_PI", "pi / 2, to be multiplied by fused operations", PI / 2, 24, 24),
    ("HALF_PI_DOUBLE", "pi / 2, beyond the precision of f64", PI / 2, 53, 53),
    ("THIRD_DOUBLE", "1 / 3, beyond the precision of f64", ONE / 3, 53, 53),
)
TURN_BITS = 1161
"""The exponent of the largest f64, the bits of an angle that count, and those that its multiplication loses."""


def inverse_tangent_of_inverse(n: int, bits: int) -> int:
    """``atan(1 / n) * 2**bits``, cut off."""
    term = (1 << bits) // n
    total, k = 0, 1
    while term:
        total += term // k if k % 4 == 1 else -(term // k)
        term //= n * n
        k += 2
    return total


def two_over_pi(bits: int) -> int:
    """``2 / pi * 2**bits``, cut off: by Machin's formula with more bits."""
    wide = bits + 64
    pi = 16 * inverse_tangent_of_inverse(5, wide) - 4 * inverse_tangent_of_inverse(239, wide)
    return (2 << (wide + bits)) // pi


def print_turns() -> None:
    """Print 2 / pi, in lines."""
    digits = f"{two_over_pi(TURN_BITS):x}"
    lines = [digits[at : at + 96] for at in range(0, len(digits), 96)]
    print(f"TURN_BITS = {TURN_BITS}")
    print("TWO_OVER_PI = int(")
    for line in lines:
        print(f'    "{line}"')
    print(f'    , 16)\n"""``2 / pi * 2**{TURN_BITS}``, cut off."""')


def print_constants() -> None:
    """Print numbers in parts."""
    for name, doc, number, first, following in CONSTANTS:
        head = pieces(number, first, 1)
        rest = pieces(number - Decimal(head[0]), following, 2)
        print(f"{name} = {(*head, *rest)}")
        print(f'"""{doc}: the sum of numbers of {first} and {following} bits."""')


def main() -> None:
    """Print the tables."""
    print(
        '"""Coefficients of polynomials, made by `tools/minimax.py`: lowest power first, with the error they leave."""'
    )
    print("\nfrom __future__ import annotations\n")
    print_constants()
    print_turns()
    for task in TASKS:
        coefficients, worst = minimax(task)
        low, high = task.interval
        listed = ", ".join(repr(float(c)) for c in coefficients)
        print(f"{task.name} = ({listed})")
        print(
            f'"""``{task.doc}`` from {low:.4f} to {high:.4f}: powers {task.powers[0]} to {task.powers[-1]}, '
            f'relative error {float(worst):.1e}."""'
        )


if __name__ == "__main__":
    main()
