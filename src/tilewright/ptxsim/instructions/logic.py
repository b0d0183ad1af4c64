"""Comparison, selection, logic, shifts and permutations of bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tilewright.ptx.model import IntegerConstant, Pair
from tilewright.ptxsim.code import Run, SimulatedStep
from tilewright.ptxsim.instruction_state import InstructionState
from tilewright.ptxsim.instructions.floating import wide
from tilewright.ptxsim.instructions.rules import each, refuse, rule
from tilewright.ptxsim.program import InstructionSite
from tilewright.ptxsim.values import UNSIGNED, Array, Compute, split

_ORDERS: dict[str, Callable[[Array, Array], Array]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}
_UNSIGNED_ORDERS = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}
_BOOL: dict[str, Callable[[Array, Array], Array]] = {
    "and": np.logical_and,
    "or": np.logical_or,
    "xor": np.logical_xor,
}


def _order(site: InstructionSite) -> Callable[[Array, Array], Array]:
    """Return the function that compares two operands as the instruction says. For floats, unordered
    comparisons (``equ`` ...) are true if an operand is NaN; ordered comparisons, `ne` included, are false.
    """
    name, type_name = site.modifier("cmp"), site.modifier("type").removesuffix("x2")
    if name in _UNSIGNED_ORDERS:
        return _ORDERS[_UNSIGNED_ORDERS[name]]
    is_float = type_name in ("f16", "bf16", "f32", "f64")
    if not is_float:
        return _ORDERS[name]
    before = wide(site, type_name)
    return lambda a, b: _floats(name, before(a), before(b))


def _floats(name: str, a: Array, b: Array) -> Array:
    unordered = np.isnan(a) | np.isnan(b)
    if name in ("num", "nan"):
        return unordered if name == "nan" else ~unordered
    if name.endswith("u") and name not in _ORDERS:
        return _ORDERS[name[:-1]](a, b) | unordered
    return _ORDERS[name](a, b) & ~unordered


def _packed_order(site: InstructionSite) -> Callable[[Array, Array], tuple[Array, Array]]:
    """Return the function that compares the lower and the upper halves of packed operands."""
    order, element = _order(site), site.modifier("type").removesuffix("x2")

    def halves(word: Array) -> list[Array]:
        return [part.view(np.float16) if element == "f16" else part for part in split(word, 2)]

    def both(a: Array, b: Array) -> tuple[Array, Array]:
        low, high = (order(*pair) for pair in zip(halves(a), halves(b), strict=True))
        return low, high

    return both


def _twofold(site: InstructionSite) -> Callable[[Array, Array], tuple[Array, Array]]:
    """Return a function of two results: the comparison and its complement, or the comparisons of both halves
    of packed operands.
    """
    if site.modifier("type").endswith("x2"):
        return _packed_order(site)
    order = _order(site)
    return lambda a, b: (found := order(a, b), ~found)


def _compared(
    site: InstructionSite,
) -> tuple[Callable[[InstructionState], tuple[Array, Array]], tuple[int, ...]]:
    """Return the function that computes the two results of a comparison, combined with a predicate if there
    is one, and the registers that it reads.
    """
    order, (left, used), (right, more) = _twofold(site), site.read("a"), site.read("b")
    if not site.has("bool"):
        return lambda c: order(left(c), right(c)), (*used, *more)
    join, (third, last) = _BOOL[site.modifier("bool")], site.read("c", "pred")

    def compute(c: InstructionState) -> tuple[Array, Array]:
        (first, second), other = order(left(c), right(c)), third(c)
        return join(first, other), join(second, other)

    return compute, (*used, *more, *last)


@rule("setp")
def setp(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that compares operands and writes the result to a predicate, and its complement to
    a second one; for packed operands these are the results of both halves.
    """
    compute, slots = _compared(site)
    write, pair = site.write("p", "pred"), isinstance(site.operand("p"), Pair)
    if pair:
        return lambda c: write(c, compute(c), c.undefined(slots))
    return lambda c: write(c, compute(c)[0], c.undefined(slots))


@rule("set")
def set_(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that compares operands and writes a number: all ones or 1.0 if true, otherwise 0.
    For packed operands each half of the result is such a number.
    """
    if site.modifier("type").endswith("x2"):
        return _set_halves(site)
    name = site.modifier("dtype")
    ones = {"f32": (np.uint32, 0x3F800000), "f16": (np.uint16, 0x3C00), "bf16": (np.uint16, 0x3F80)}
    kind, bits = ones.get(name) or (UNSIGNED[int(name[1:])], (1 << int(name[1:])) - 1)
    compute, slots = _compared(site)
    write = site.write()
    return lambda c: write(c, np.where(compute(c)[0], kind(bits), kind(0)), c.undefined(slots))


def _set_halves(site: InstructionSite) -> Run:
    true = {"f16x2": np.uint32(0x3C00), "bf16x2": np.uint32(0x3F80)}.get(
        site.modifier("dtype"), np.uint32(0xFFFF)
    )
    compute, slots = _compared(site)
    write = site.write()

    def run(c: InstructionState) -> None:
        low, high = (found.astype(np.uint32) * true for found in compute(c))
        write(c, high << np.uint32(16) | low, c.undefined(slots))

    return run


@rule("selp")
def selp(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that selects one of two values; the value that is not selected may be undefined."""
    (left, used), (right, more), (flag, last), write = (
        site.read("a"),
        site.read("b"),
        site.read("c"),
        site.write(),
    )

    def run(c: InstructionState) -> None:
        chosen = flag(c)
        first, second, unknown = c.undefined(used), c.undefined(more), c.undefined(last)
        poison = unknown
        if first is not None or second is not None:
            nothing = np.zeros(1, np.bool_)
            part = np.where(
                chosen, nothing if first is None else first, nothing if second is None else second
            )
            poison = part if poison is None else poison | part
            poison = poison if poison.any() else None
        write(c, np.where(chosen, left(c), right(c)), poison)

    return run


@rule("slct")
def slct(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that selects the first of two values if a third is at least zero, else the second."""
    if site.modifier("type") == "s32":
        return each(site, lambda a, b, c: np.where(c >= 0, a, b), "a", "b", "c")
    before = wide(site, "f32")
    return each(site, lambda a, b, c: np.where(before(c) >= 0, a, b), "a", "b", "c")


_LOGIC: dict[str, Compute] = {
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "not": lambda a: ~a,
    "cnot": lambda a: (a == 0).astype(a.dtype),
}


@rule(*_LOGIC)
def logic(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that computes bitwise logic of one or two operands; `cnot` is 1 for zero and 0 for
    other values.
    """
    return each(site, _LOGIC[site.form.name], "a", "b")


@rule("lop3")
def lop3(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that computes any function of three bits by its 8-bit truth table, and optionally
    whether a bit of the result is set, combined with a predicate. Raises `Fault` unless the table is a
    constant.
    """
    table = site.operand("table")
    if not isinstance(table, IntegerConstant):
        raise refuse(site)
    rows = [at for at in range(8) if table.value >> at & 1]

    def compute(a: Array, b: Array, c: Array) -> Array:
        result = np.uint32(0) & a
        for at in rows:
            result = result | ((a if at & 4 else ~a) & (b if at & 2 else ~b) & (c if at & 1 else ~c))
        return result

    if not site.has("bool"):
        return each(site, compute, "a", "b", "c")
    join, paired = _BOOL[site.modifier("bool")], isinstance(site.operand("d"), Pair)

    def with_flag(a: Array, b: Array, c: Array, q: Array) -> Any:
        word = compute(a, b, c)
        return (word, join(word != 0, q)) if paired else word

    return each(site, with_flag, "a", "b", "c", "q")


def shifted_left(a: Array, b: Array) -> Array:
    """Shift left; counts of at least the width give zeros."""
    bits, kind = a.dtype.itemsize * 8, a.dtype.type
    return np.where(b >= bits, kind(0), a << np.minimum(b, bits - 1).astype(kind)).astype(a.dtype)


def shifted_right(a: Array, b: Array) -> Array:
    """Shift right; counts of at least the width give copies of the sign for signed integers, and zeros for
    unsigned integers.
    """
    bits, kind = a.dtype.itemsize * 8, a.dtype.type
    moved = a >> np.minimum(b, bits - 1).astype(kind)
    return moved if a.dtype.kind == "i" else np.where(b >= bits, kind(0), moved).astype(a.dtype)


@rule("shl")
def shl(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that shifts words to the left."""
    return each(site, shifted_left, "a", "b")


@rule("shr")
def shr(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that shifts words to the right, filling with the sign of signed types and with
    zeros otherwise.
    """
    return each(site, shifted_right, "a", "b")


@rule("shf")
def shf(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that computes a funnel shift of two words; the count is clamped to 32 with
    `.clamp`, or taken modulo 32 with `.wrap`.
    """
    left, wrap = site.modifier("direction") == "l", site.modifier("clamped") == "wrap"

    def compute(a: Array, b: Array, c: Array) -> Array:
        count = (c & np.uint32(31) if wrap else np.minimum(c, 32)).astype(np.uint64)
        both = b.astype(np.uint64) << np.uint64(32) | a.astype(np.uint64)
        moved = both << count >> np.uint64(32) if left else both >> count
        return moved.astype(np.uint32)

    return each(site, compute, "a", "b", "c")


@rule("prmt")
def prmt(site: InstructionSite, step: SimulatedStep) -> Run:
    """Return the function that selects four bytes of two words; a selector may ask for copies of the byte's
    sign instead.
    """
    mode = site.modifier("selection")

    def selectors(control: Array) -> list[Array]:
        if not mode:
            return [control >> np.uint32(4 * at) & np.uint32(15) for at in range(4)]
        n = control & np.uint32(3)
        rows: dict[str, Callable[[int], Array]] = {
            "f4e": lambda at: n + np.uint32(at),
            "b4e": lambda at: (n - np.uint32(at)) & np.uint32(7),
            "rc8": lambda at: n,
            "ecl": lambda at: np.maximum(n, np.uint32(at)),
            "ecr": lambda at: np.minimum(n, np.uint32(at)),
            "rc16": lambda at: (n & np.uint32(1)) * np.uint32(2) + np.uint32(at & 1),
        }
        return [rows[mode](at) for at in range(4)]

    def compute(a: Array, b: Array, c: Array) -> Array:
        both, result = b.astype(np.uint64) << np.uint64(32) | a.astype(np.uint64), np.uint64(0)
        for at, selector in enumerate(selectors(c)):
            byte = both >> ((selector & np.uint32(7)).astype(np.uint64) * np.uint64(8)) & np.uint64(255)
            sign = (byte >> np.uint64(7)) * np.uint64(255)
            byte = np.where(selector & np.uint32(8), sign, byte)
            result = result | byte << np.uint64(8 * at)
        return np.asarray(result).astype(np.uint32)

    return each(site, compute, "a", "b", "c")
