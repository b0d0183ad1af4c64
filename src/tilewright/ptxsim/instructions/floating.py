"""Floating-point arithmetic.

Results are computed in double precision, with the last bit odd where they are inexact, and rounded once. NaN
results are the canonical NaN. Approximate instructions return the correctly rounded value; with a seed other
than 0, a value within the error that the ISA allows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tilewright.doubles import angles, exponentials, logarithms
from tilewright.ptxsim import code as ptxsim_code, instruction_state, program, rounding as ptxsim_rounding
from tilewright.ptxsim.instructions.rules import each, rule
from tilewright.ptxsim.values import Array, Compute, some

FLOATING = frozenset({"bf16", "bf16x2", "f16x2", "f32x2"})
"""Packed types and 16-bit formats without a NumPy type; their registers hold words."""


_LEAST = {"f16": 2.0**-14, "bf16": 2.0**-126, "f32": 2.0**-126, "f64": 2.0**-1022}
"""The smallest normal number of each type that has `.ftz`."""


def _flushed(value: Array, type_name: str) -> Array:
    """Replace doubles that are subnormal in `type_name` with zeros of their sign."""
    return np.where(np.abs(value) < _LEAST[type_name], np.copysign(0.0, value), value)


def _flushes(site: program.InstructionSite, type_name: str) -> bool:
    """Return whether the instruction flushes subnormal numbers of `type_name` to zero: it has `.ftz`, which
    in conversions concerns f32 only.
    """
    return site.has("ftz") and (type_name == "f32" or site.form.name != "cvt")


def above_zero(value: Array) -> Array:
    """`.relu`: return `value` with negative elements, -0 included, replaced by zero; NaN stays."""
    return np.where(np.signbit(value) & ~np.isnan(value), 0.0, value)


def wide(site: program.InstructionSite, type_name: str) -> Callable[[Array], Array]:
    """Return a function from values of `type_name` to doubles; subnormal numbers become zero if the
    instruction flushes them. Values of bf16 are words.
    """
    if type_name == "bf16":
        return lambda a: ptxsim_rounding.decoded(a, ptxsim_rounding.FORMATS["bf16"])
    if _flushes(site, type_name):
        return lambda a: _flushed(a.astype(np.float64), type_name)
    return lambda a: a.astype(np.float64)


def narrow(site: program.InstructionSite, type_name: str, mode: str) -> Callable[[Array], Array]:
    """Return a function from doubles to words of `type_name`: rounded in the mode `mode` (``rn`` ...), then
    clamped to [0, 1] by `.sat`, clamped at 0 by `.relu`, and with subnormals flushed by `.ftz`, as the
    instruction says. NaN becomes 0 with `.sat`, otherwise the canonical NaN.
    """
    row = ptxsim_rounding.FORMATS[type_name]
    sat, relu, ftz = site.has("sat"), site.has("relu"), _flushes(site, type_name)

    def convert(value: Array) -> Array:
        if mode == "rn" and type_name == "f32":
            result = value.astype(np.float32).astype(np.float64)
        else:
            result = ptxsim_rounding.rounded(value, row, mode)
        if sat:
            result = np.where(np.isnan(result), 0.0, np.clip(result, 0.0, 1.0))
        if relu:
            result = above_zero(result)
        if ftz:
            result = _flushed(result, type_name)
        if type_name == "f32":
            words = result.astype(np.float32).view(np.uint32)
            return np.where(np.isnan(result), np.uint32(0x7FFFFFFF), words)
        return ptxsim_rounding.encoded(result, row)

    return convert


def _double(value: Array) -> Array:
    """Return the words of doubles, with the canonical NaN."""
    return np.where(np.isnan(value), np.uint64(0x7FFFFFFFFFFFFFFF), value.view(np.uint64))


def _extreme(site: program.InstructionSite) -> Callable[..., Array]:
    """Return the function that computes a minimum or maximum of doubles: the number if the other operand is
    NaN, unless `.NaN`; -0 is less than +0. With `.abs`, magnitudes are compared; with `.xorsign`, the result
    has the product of the signs.
    """
    sign = 1.0 if site.form.name == "min" else -1.0
    keeps, magnitude, xor = site.has("nan"), site.has("abs"), site.has("xorsign")

    def two(a: Array, b: Array) -> Array:
        flip = np.signbit(a) ^ np.signbit(b)
        if magnitude:
            a, b = np.abs(a), np.abs(b)
        left = (a * sign < b * sign) | ((a == b) & (np.signbit(a) if sign > 0 else ~np.signbit(a)))
        result = np.where(left, a, b)
        result = np.where(np.isnan(a), b, np.where(np.isnan(b), a, result))
        if keeps:
            result = np.where(np.isnan(a) | np.isnan(b), np.nan, result)
        return np.where(flip, -np.abs(result), np.abs(result)) if xor else result

    def all_of(first: Array, *rest: Array) -> Array:
        for other in rest:
            first = two(first, other)
        return first

    return all_of


_OPERATIONS: dict[str, Compute] = {
    "add": ptxsim_rounding.odd_sum,
    "sub": lambda a, b: ptxsim_rounding.odd_sum(a, -b),
    "mul": lambda a, b: a * b,
    "fma": ptxsim_rounding.odd_fma,
    "mad": ptxsim_rounding.odd_fma,
    "div": ptxsim_rounding.odd_quotient,
    "rcp": lambda a: ptxsim_rounding.odd_quotient(np.ones_like(a), a),
    "sqrt": ptxsim_rounding.odd_root,
    "abs": np.abs,
    "neg": lambda a: -a,
}
_DOWNWARDS: dict[str, Compute] = {
    "add": ptxsim_rounding.odd_sum_downwards,
    "sub": lambda a, b: ptxsim_rounding.odd_sum_downwards(a, -b),
    "fma": lambda a, b, c: ptxsim_rounding.odd_sum_downwards(a * b, c),
    "mad": lambda a, b, c: ptxsim_rounding.odd_sum_downwards(a * b, c),
}
"""Operations whose zero has another sign when they round downwards."""
_DOUBLES: dict[str, Compute] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "fma": lambda a, b, c: ptxsim_rounding.exact_fma(*map(np.atleast_1d, (a, b, c))),
    "mad": lambda a, b, c: ptxsim_rounding.exact_fma(*map(np.atleast_1d, (a, b, c))),
    "div": lambda a, b: a / b,
    "rcp": lambda a: 1.0 / a,
    "sqrt": np.sqrt,
    "abs": np.abs,
    "neg": lambda a: -a,
}
_EXACT: dict[str, ptxsim_rounding.Exact] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "fma": lambda a, b, c: a * b + c,
    "mad": lambda a, b, c: a * b + c,
    "div": lambda a, b: a / b if b else None,
    "rcp": lambda a: 1 / a if a else None,
    "sqrt": ptxsim_rounding.long_root,
}
"""The exact results of operations on doubles, before rounding; `None` if there is no number."""
_APPROXIMATE: dict[str, tuple[Compute, float]] = {
    "div": (lambda a, b: a / b, 2.0**-22),
    "rcp": (lambda a: 1.0 / a, 2.0**-23),
    "sqrt": (np.sqrt, 2.0**-23),
    "rsqrt": (lambda a: 1.0 / np.sqrt(a), 2.0**-22.9),
    "sin": (angles.sin, 2.0**-20.5),
    "cos": (angles.cos, 2.0**-20.5),
    "lg2": (logarithms.log2, 2.0**-22),
    "ex2": (exponentials.exp2, 2.0**-22),
    "tanh": (exponentials.tanh, 2.0**-11),
}
"""Approximate instructions with their maximum error: absolute for `sin`, `cos` and `lg2`, otherwise relative.
"""
_RECIPROCALS = 2.0**126


def _by_reciprocal(a: Array, b: Array) -> Array:
    """`div.approx`: multiply by the reciprocal, which is zero for divisors above 2**126; infinity becomes NaN
    there.
    """
    large = np.isfinite(b) & (np.abs(b) > _RECIPROCALS)
    return np.where(large, a * np.copysign(0.0, b), a / b)


_ABSOLUTE = frozenset({"sin", "cos", "lg2"})
_OF_HALVES: dict[tuple[str, str], tuple[float, bool]] = {
    ("ex2", "f16"): (2.0**-9.9, False),
    ("ex2", "bf16"): (2.0**-7, False),
    ("tanh", "f16"): (2.0**-10.987, True),
    ("tanh", "bf16"): (2.0**-8, True),
}
"""The maximum errors for 16-bit numbers, and whether they are absolute."""


def _error(name: str, element: str) -> tuple[float, bool]:
    """Return the maximum error of the approximate instruction `name` before its result is rounded to
    `element`, and whether it is absolute; otherwise it is relative, a fraction of the result.
    """
    error, absolute = _OF_HALVES.get((name, element), (_APPROXIMATE[name][1], name in _ABSOLUTE))
    rounding = (
        2.0 ** -(ptxsim_rounding.FORMATS[element].mantissa + 1)
        if element in ptxsim_rounding.FORMATS
        else 2.0**-53
    )
    return max(error - rounding, 0.0), absolute


def _operation(site: program.InstructionSite, mode: str) -> Any:
    """Return the function that computes an operation on doubles, for types narrower than f64. In the mode
    ``rm`` sums that are zero get the sign of rounding downwards.
    """
    name = site.form.name
    if name in ("min", "max"):
        return _extreme(site)
    return _DOWNWARDS.get(name, _OPERATIONS[name]) if mode == "rm" else _OPERATIONS[name]


def _of_doubles(site: program.InstructionSite, mode: str) -> Any:
    """Return the function that computes an operation on f64 and rounds it in the mode `mode`."""
    name = site.form.name
    nearest: Any = _extreme(site) if name in ("min", "max") else _DOUBLES[name]
    if mode == "rn":
        return nearest

    def rounded_so(*values: Array) -> Array:
        plain: Array = nearest(*values)
        if mode == "rm" and name in _DOWNWARDS:
            downwards: Any = _DOWNWARDS[name]
            plain = np.where(plain == 0, np.copysign(plain, downwards(*values)), plain)
        return ptxsim_rounding.directed(_EXACT[name], plain, mode, *values)

    return rounded_so


def float_rule(site: program.InstructionSite) -> ptxsim_code.Run:
    """Return the function of an arithmetic instruction on floating-point numbers, packed and approximate ones
    included.
    """
    if site.modifier("kind") or site.has("approx"):
        return _approximate(site)
    if site.has("atype"):
        return _mixed(site)
    name, sources = site.modifier("type"), ("a", "b", "c")
    mode = site.modifier("rnd") or "rn"
    if name == "f64":
        whole = _of_doubles(site, mode)

        def double(*values: Array) -> Array:
            return _double(whole(*values))

        return each(site, double, *sources)
    element = name.removesuffix("x2")
    compute, before, after = _operation(site, mode), wide(site, element), narrow(site, element, mode)

    def one(*values: Array) -> Array:
        return after(compute(*map(before, values)))

    if (
        name == "f32"
        and mode == "rn"
        and site.form.name in _FAST
        and not any(map(site.has, ("sat", "ftz", "nan", "abs", "xorsign")))
        and (site.operand("c") is None or site.form.name in ("fma", "mad"))
    ):
        return each(site, _single(_FAST[site.form.name]), *sources)
    return each(site, _packed(one, element) if name.endswith("x2") else one, *sources)


_FAST: dict[str, Compute] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "sqrt": np.sqrt,
    "abs": np.abs,
    "neg": np.negative,
    "min": lambda a, b: _signed_zero(np.fmin(a, b), a, b, np.bitwise_or),
    "max": lambda a, b: _signed_zero(np.fmax(a, b), a, b, np.bitwise_and),
    "fma": lambda a, b, c: _fused(a, b, c),
    "mad": lambda a, b, c: _fused(a, b, c),
}
"""Operations that single precision computes correctly rounded to nearest."""


def _signed_zero(result: Array, a: Array, b: Array, choose: Any) -> Array:
    """Return `result`, the minimum or maximum of `a` and `b`, with the right sign of zero: where the operands
    are equal, `choose` combines their words.
    """
    equal = a == b
    if not some(equal):
        return result
    kind = np.uint32
    return np.where(equal, choose(a.view(kind), b.view(kind)), result.view(kind)).view(np.float32)


def _fused(a: Array, b: Array, c: Array) -> Array:
    """Return ``a * b + c`` rounded once: in double precision, unless that sum is half-way between two numbers
    or subnormal.
    """
    total = np.asarray(a.astype(np.float64) * b + c)
    half = total.view(np.uint64) & np.uint64(0x1FFFFFFF) == np.uint64(0x10000000)
    small = np.abs(total) < 2.0**-125
    if some(half) or (some(small) and some(small & (total != 0))):
        total = ptxsim_rounding.odd_fma(*(one.astype(np.float64) for one in (a, b, c)))
    return total.astype(np.float32)


def _single(compute: Any) -> Callable[..., Array]:
    def run(*values: Array) -> Array:
        result = np.asarray(compute(*values))
        unknown = result != result
        words = result.view(np.uint32)
        return np.where(unknown, np.uint32(0x7FFFFFFF), words) if some(unknown) else words

    return run


def _packed(one: Callable[..., Array], element: str) -> Callable[..., Array]:
    """Return a function that applies `one` to each element of packed words."""
    kind: Any = {"f16": np.float16, "bf16": np.uint16, "f32": np.float32}[element]
    whole: Any = np.uint64 if element == "f32" else np.uint32
    part: Any = np.uint32 if element == "f32" else np.uint16

    def run(*values: Array) -> Array:
        parts = [np.ascontiguousarray(np.atleast_1d(value)).view(kind).reshape(-1, 2) for value in values]
        results = [one(*(value[:, at] for value in parts)) for at in range(2)]
        return np.ascontiguousarray(np.stack(results, 1).astype(part)).view(whole).reshape(-1)

    return run


def _mixed(site: program.InstructionSite) -> ptxsim_code.Run:
    """Return the function of a sum or `fma` in f32 whose operands, except for the last one, have 16 bits."""
    mode = site.modifier("rnd") or "rn"
    narrow_, after = wide(site, site.modifier("atype")), narrow(site, "f32", mode)
    compute: Any = _operation(site, mode)

    def run(*values: Array) -> Array:
        return after(compute(*map(narrow_, values[:-1]), values[-1].astype(np.float64)))

    return each(site, run, "a", "b", "c")


def _approximate(site: program.InstructionSite) -> ptxsim_code.Run:
    """Return the function of an instruction whose result may differ from the exact result by an error: with a
    seed it does (`_blurred`).
    """
    name, element = site.form.name, site.modifier("type").removesuffix("x2")
    compute: Any
    compute = _by_reciprocal if site.modifier("kind") == "approx" else _APPROXIMATE[name][0]
    error, absolute = _error(name, element)
    before = wide(site, element)
    after = narrow(site, element, "rn") if element != "f64" else _narrow_double(site)
    reads = [site.read(one) for one in ("a", "b") if site.operand(one) is not None]
    slots, write = tuple(slot for _, used in reads for slot in used), site.write()
    packed = site.modifier("type").endswith("x2")

    def run(c: instruction_state.InstructionState) -> None:
        def one(*values: Array) -> Array:
            return after(_blurred(c, compute(*map(before, values)), error, absolute))

        values = [c.spread(read(c)) for read, _ in reads]
        write(c, (_packed(one, element) if packed else one)(*values), c.undefined(slots))

    return run


def _narrow_double(site: program.InstructionSite) -> Callable[[Array], Array]:
    """Return a function from approximate doubles to words; with `.ftz` subnormal numbers become zero."""
    return lambda value: _double(_flushed(value, "f64") if site.has("ftz") else value)


def _blurred(c: instruction_state.InstructionState, value: Array, error: float, absolute: bool) -> Array:
    """Return `value` moved by a pseudo-random part of ``error``, which depends on the seed; seed 0 keeps the
    value. The error is a fraction of the value unless ``absolute``. Whole numbers, infinities and NaN stay.
    Equal values are moved equally, as on a GPU.
    """
    if not c.block.launch.seed:
        return value
    scale = error * _noise(value, c.block.launch.seed)
    inexact = np.isfinite(value) & (value != np.rint(value))
    return np.where(inexact, value + (scale if absolute else value * scale), value)


def _noise(value: Array, seed: int) -> Array:
    """Return a number from -1 to 1 for each double, by its bits and the seed: the bits are mixed as in SplitMix64."""
    bits = np.ascontiguousarray(value, np.float64).view(np.uint64) + np.uint64(seed * MIXERS[0] & MASK)
    for shift, factor in ((30, MIXERS[1]), (27, MIXERS[2])):
        bits = (bits ^ bits >> np.uint64(shift)) * np.uint64(factor)
    return (bits ^ bits >> np.uint64(31)).astype(np.float64) * 2.0**-63 - 1


MASK = (1 << 64) - 1
MIXERS = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
"""The constants of SplitMix64."""


@rule("rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2", "tanh")
def functions(site: program.InstructionSite, step: ptxsim_code.SimulatedStep) -> ptxsim_code.Run:
    """Return the function that computes a reciprocal, a root or an elementary function."""
    return float_rule(site)


@rule("testp")
def testp(site: program.InstructionSite, step: ptxsim_code.SimulatedStep) -> ptxsim_code.Run:
    """Return the function that tests the class of a number; zeros are normal."""
    least = 2.0**-126 if site.modifier("type") == "f32" else 2.0**-1022
    tests: dict[str, Compute] = {
        "finite": np.isfinite,
        "infinite": np.isinf,
        "number": lambda a: ~np.isnan(a),
        "notanumber": np.isnan,
        "normal": lambda a: np.isfinite(a) & ((np.abs(a) >= least) | (a == 0)),
        "subnormal": lambda a: (a != 0) & (np.abs(a) < least),
    }
    return each(site, tests[site.modifier("op")], "a", to="p")


@rule("copysign")
def copysign(site: program.InstructionSite, step: ptxsim_code.SimulatedStep) -> ptxsim_code.Run:
    """Return the function that gives the magnitude of `b` the sign of `a`."""
    return each(site, lambda a, b: np.copysign(b, a), "a", "b")
