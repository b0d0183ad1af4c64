"""Polynomials that come as near to a function as any of their degree: writes the tables of the CPU's vector math.

``python -m tools.minimax > src/tilewright/targets/cpu/math/coefficients.py``

Remez' exchange algorithm in decimal arithmetic of 45 digits; no other package is needed.  The error that is made small
is relative to the function.  Leading terms can be fixed, so that what rounds the result last is a fused multiply-add
with an exact number.
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


def hyperbolic_tangent(x: Decimal) -> Decimal:
    """By exponentials."""
    square = (2 * x).exp()
    return (square - 1) / (square + 1)


LN2 = Decimal(2).ln()
ONE = Decimal(1)


def binary_logarithm_of_ratio(s: Decimal) -> Decimal:
    """``log2((1 + s) / (1 - s))``."""
    return ((1 + s) / (1 - s)).ln() / LN2


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


def error_function(task: Task, coefficients: Sequence[Decimal]) -> Function:
    """The relative error."""
    terms = [*task.fixed, *zip(task.powers, coefficients, strict=True)]

    def error(x: Decimal) -> Decimal:
        return (sum((c * x**p for p, c in terms), Decimal(0)) - task.function(x)) / task.function(x)

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
    best: tuple[list[Decimal], Decimal] | None = None
    for _ in range(ROUNDS):
        rows: list[list[Decimal]] = []
        for k, x in enumerate(points):
            value = task.function(x)
            rest = value - sum((c * x**p for p, c in task.fixed), Decimal(0))
            rows.append([*(x**p for p in task.powers), (-1) ** k * value, rest])
        coefficients = solve(rows)[:-1]
        error = error_function(task, coefficients)
        worst = max(abs(error(x)) for x in grid)
        if best is None or worst < best[1]:
            best = (coefficients, worst)
        points = alternation(error, grid, count)
        if len(points) < count:
            break
    assert best is not None
    return best


# --- what is sought


def powers(first: int, last: int, step: int = 1) -> list[int]:
    """The powers from one to another."""
    return list(range(first, last + 1, step))


def interval(low: str | Decimal, high: str | Decimal) -> tuple[Decimal, Decimal]:
    """Two ends."""
    return Decimal(low), Decimal(high)


THIRD = Decimal("0.33334")
EIGHTH_TURN = Decimal("0.78540")
TASKS = (
    Task("EXP", "e**x", Decimal.exp, interval("-0.6935", "0.6935"), powers(2, 7), ((0, ONE), (1, ONE))),
    Task("EXP2", "2**x", lambda x: (x * LN2).exp(), interval("-1.0005", "1.0005"), powers(1, 7), ((0, ONE),)),
    Task("LOG1P", "log(1 + x)", lambda x: (1 + x).ln(), (-THIRD, THIRD), powers(2, 11), ((1, ONE),)),
    Task(
        "LOG2_1P",
        "log2(1 + x)",
        lambda x: (1 + x).ln() / LN2,
        (-THIRD, THIRD),
        powers(2, 11),
        ((1, 1 / LN2),),
    ),
    Task(
        "SIN",
        "sin(x)",
        lambda x: series(x, x, 1, -1),
        interval("0.0001", EIGHTH_TURN),
        powers(3, 9, 2),
        ((1, ONE),),
    ),
    Task(
        "COS",
        "cos(x)",
        lambda x: series(x, ONE, 0, -1),
        interval("0.001", EIGHTH_TURN),
        powers(4, 8, 2),
        ((0, ONE), (2, Decimal("-0.5"))),
    ),
    Task(
        "TAN",
        "tan(x)",
        lambda x: series(x, x, 1, -1) / series(x, ONE, 0, -1),
        interval("0.0001", EIGHTH_TURN),
        powers(3, 15, 2),
        ((1, ONE),),
    ),
    Task("ATAN", "atan(x)", arc_tangent, interval("0.0001", "1"), powers(3, 21, 2), ((1, ONE),)),
    Task(
        "SINH", "sinh(x)", lambda x: series(x, x, 1, 1), interval("0.0001", "1"), powers(3, 9, 2), ((1, ONE),)
    ),
    Task("TANH", "tanh(x)", hyperbolic_tangent, interval("0.0001", "0.6"), powers(3, 13, 2), ((1, ONE),)),
    Task(
        "LOG2_RATIO",
        "log2((1 + x) / (1 - x))",
        binary_logarithm_of_ratio,
        interval("0.0001", "0.2001"),
        powers(1, 13, 2),
    ),
    Task(
        "EXP2_WIDE",
        "2**x, for f64",
        lambda x: (x * LN2).exp(),
        interval("-0.5001", "0.5001"),
        powers(1, 8),
        ((0, ONE),),
    ),
    Task(
        "EXP_DOUBLE",
        "e**x, to the precision of f64",
        Decimal.exp,
        interval("-0.6935", "0.6935"),
        powers(2, 14),
        ((0, ONE), (1, ONE)),
    ),
    Task(
        "EXP2_DOUBLE",
        "2**x, to the precision of f64",
        lambda x: (x * LN2).exp(),
        interval("-1.0005", "1.0005"),
        powers(1, 14),
        ((0, ONE),),
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
    ("LN2_DOUBLE", "log(2) to the precision of f64", LN2, 40, 53),
    ("LOG2_E", "log2(e), to be multiplied by fused operations", 1 / LN2, 24, 24),
    ("HALF_PI", "pi / 2, to be multiplied by fused operations", PI / 2, 24, 24),
)


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
