"""Integer programs as formulas of z3: what a function computes for all inputs, with poison and undefined behaviour.

A value is a bit vector and a formula that says when it is poison.  `refines` proves that one function may take the
place of another: where the first is defined and not poison, the second gives the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from tilewright.ir.builtin_types import IndexType
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

z3: Any = pytest.importorskip("z3")

INDEX_BITS = 64


class Term(NamedTuple):
    """A value: its bits, and when it is poison."""

    bits: Any
    poison: Any


class Meaning(NamedTuple):
    """What a function returns, and when its behaviour is undefined."""

    results: list[Term]
    undefined: Any


def width(value: Value) -> int:
    """Bits of a scalar."""
    return (
        INDEX_BITS if isinstance(value.type, IndexType) else value.type.width
    )  # type of the corpus: integers


def meaning(function: Operation, inputs: list[Term]) -> Meaning:
    """Evaluate a function of one block."""
    block = function.regions[0].blocks[0]
    known: dict[Value, Term] = dict(zip(block.arguments, inputs, strict=True))
    undefined: list[Any] = [z3.BoolVal(False)]
    for op in block:
        terms = [known[operand] for operand in op.operands]
        if op.name == "func.return":
            return Meaning(terms, z3.Or(undefined))
        results = _evaluate(op, terms, undefined)
        known.update(zip(op.results, results, strict=True))
    raise AssertionError("the function does not return")


def _evaluate(op: Any, terms: list[Term], undefined: list[Any]) -> list[Term]:
    poison = z3.Or([z3.BoolVal(False), *[term.poison for term in terms]])
    bits = [term.bits for term in terms]
    if op.name == "arith.constant":
        return [Term(z3.BitVecVal(op.value.value, width(op.result)), poison)]
    if op.name == "ub.poison":
        return [Term(z3.BitVecVal(0, width(op.result)), z3.BoolVal(True))]
    if op.name == "arith.select":
        condition = bits[0] == 1
        chosen = z3.If(condition, terms[1].poison, terms[2].poison)
        return [Term(z3.If(condition, bits[1], bits[2]), z3.Or(terms[0].poison, chosen))]
    if op.name in DIVISIONS:
        undefined.append(z3.Or(terms[1].poison, bits[1] == 0, _overflows(op, bits)))
    if op.name in EXTENDED:
        return [Term(part, poison) for part in EXTENDED[op.name](width(op.operands[0]), *bits)]
    return [Term(_value(op, bits), z3.Or(poison, *_broken_promises(op, bits)))]


def _overflows(op: Any, bits: list[Any]) -> Any:
    if "s" not in op.name.removeprefix("arith."):
        return z3.BoolVal(False)
    lowest = 1 << (width(op.result) - 1)
    return z3.And(bits[0] == lowest, bits[1] == -1) if op.name != "arith.remsi" else z3.BoolVal(False)


def _value(op: Any, bits: list[Any]) -> Any:
    if op.name in ("arith.cmpi",):
        return z3.If(RELATIONS[op.predicate.name](*bits), z3.BitVecVal(1, 1), z3.BitVecVal(0, 1))
    if op.name in CASTS:
        return _cast(op.name, bits[0], width(op.results[0]))
    return VALUES[op.name](*bits)


def _cast(name: str, bits: Any, to: int) -> Any:
    if to == bits.size():
        return bits
    if to < bits.size():
        return z3.Extract(to - 1, 0, bits)
    extend = z3.SignExt if name in ("arith.extsi", "arith.index_cast") else z3.ZeroExt
    return extend(to - bits.size(), bits)


def _broken_promises(op: Any, bits: list[Any]) -> list[Any]:
    broken: list[Any] = []
    if op.name in ("arith.shli", "arith.shrui", "arith.shrsi"):
        broken.append(z3.UGE(bits[1], width(op.result)))
    flags = getattr(op, "overflowFlags", None)
    if flags is None or len(bits) != 2:
        return broken
    wide = 2 * width(op.result)
    for name, extend in (("NSW", z3.SignExt), ("NUW", z3.ZeroExt)):
        if name in flags.name.split("|") and op.name in VALUES:
            exact = VALUES[op.name](*[extend(wide - b.size(), b) for b in bits])
            broken.append(exact != extend(wide // 2, VALUES[op.name](*bits)))
    return broken


def _halves(low_width: int, wide: Any) -> list[Any]:
    return [z3.Extract(low_width - 1, 0, wide), z3.Extract(2 * low_width - 1, low_width, wide)]


def _sum_and_carry(size: int, a: Any, b: Any) -> list[Any]:
    total = z3.ZeroExt(1, a) + z3.ZeroExt(1, b)
    return [z3.Extract(size - 1, 0, total), z3.Extract(size, size, total)]


def _floor_division(a: Any, b: Any) -> Any:
    quotient = a / b
    return z3.If(z3.And(z3.SRem(a, b) != 0, (a < 0) != (b < 0)), quotient - 1, quotient)


def _ceiling_division(a: Any, b: Any) -> Any:
    quotient = a / b
    return z3.If(z3.And(z3.SRem(a, b) != 0, (a < 0) == (b < 0)), quotient + 1, quotient)


VALUES: dict[str, Callable[[Any, Any], Any]] = {
    "arith.addi": lambda a, b: a + b,
    "arith.subi": lambda a, b: a - b,
    "arith.muli": lambda a, b: a * b,
    "arith.andi": lambda a, b: a & b,
    "arith.ori": lambda a, b: a | b,
    "arith.xori": lambda a, b: a ^ b,
    "arith.shli": lambda a, b: a << b,
    "arith.shrui": lambda a, b: z3.LShR(a, b),
    "arith.shrsi": lambda a, b: a >> b,
    "arith.divui": lambda a, b: z3.UDiv(a, b),
    "arith.divsi": lambda a, b: a / b,
    "arith.remui": lambda a, b: z3.URem(a, b),
    "arith.remsi": lambda a, b: z3.SRem(a, b),
    "arith.floordivsi": _floor_division,
    "arith.ceildivsi": _ceiling_division,
    "arith.ceildivui": lambda a, b: z3.If(z3.URem(a, b) != 0, z3.UDiv(a, b) + 1, z3.UDiv(a, b)),
    "arith.maxsi": lambda a, b: z3.If(a > b, a, b),
    "arith.minsi": lambda a, b: z3.If(a < b, a, b),
    "arith.maxui": lambda a, b: z3.If(z3.UGT(a, b), a, b),
    "arith.minui": lambda a, b: z3.If(z3.ULT(a, b), a, b),
}
EXTENDED: dict[str, Callable[[int, Any, Any], list[Any]]] = {
    "arith.addui_extended": _sum_and_carry,
    "arith.mulsi_extended": lambda n, a, b: _halves(n, z3.SignExt(n, a) * z3.SignExt(n, b)),
    "arith.mului_extended": lambda n, a, b: _halves(n, z3.ZeroExt(n, a) * z3.ZeroExt(n, b)),
}
DIVISIONS = {name for name in VALUES if "div" in name or "rem" in name}
CASTS = {f"arith.{name}" for name in ("extui", "extsi", "trunci", "index_cast", "index_castui", "bitcast")}
RELATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "EQ": lambda a, b: a == b,
    "NE": lambda a, b: a != b,
    "SLT": lambda a, b: a < b,
    "SLE": lambda a, b: a <= b,
    "SGT": lambda a, b: a > b,
    "SGE": lambda a, b: a >= b,
    "ULT": lambda a, b: z3.ULT(a, b),
    "ULE": lambda a, b: z3.ULE(a, b),
    "UGT": lambda a, b: z3.UGT(a, b),
    "UGE": lambda a, b: z3.UGE(a, b),
}


def counterexample(before: Operation, after: Operation) -> str | None:
    """Inputs for which ``after`` is not what ``before`` allows; None if there are none."""
    arguments = before.regions[0].blocks[0].arguments
    inputs = [Term(z3.BitVec(f"x{a.index}", width(a)), z3.BoolVal(False)) for a in arguments]
    source, target = meaning(before, inputs), meaning(after, inputs)
    differ = [
        z3.And(z3.Not(a.poison), z3.Or(b.poison, a.bits != b.bits))
        for a, b in zip(source.results, target.results, strict=True)
    ]
    solver = z3.Solver()
    solver.set("timeout", 20_000)
    solver.add(z3.Not(source.undefined), z3.Or(target.undefined, *differ))
    found = solver.check()
    assert found != z3.unknown, "the solver gave up"
    return None if found == z3.unsat else str(solver.model())
