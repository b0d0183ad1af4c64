"""Every transfer rule against the interpreter: what it claims of a result is true of the result."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import islice
from typing import Any

import numpy as np
import pytest

from tests.optimizer.analysis import rule_cases
from tests.optimizer.analysis.holding import complaint, counts_along, signed
from tests.optimizer.analysis.rule_cases import Case, concrete, draw_tile
from tests.support.samples import samples
from tilewright.dialects.cuda_tile.enums import RoundingMode, Signedness
from tilewright.dialects.cuda_tile.ops import integer as ops_integer, tile as ops_tile
from tilewright.dialects.cuda_tile.types import TileType
from tilewright.ir.block import Block
from tilewright.ir.builtin_types import IntegerType, i8
from tilewright.optimizer.analysis import intervals, rules_integer, rules_tile, runs
from tilewright.optimizer.analysis.dataflow import rule_of
from tilewright.optimizer.analysis.facts import ValueFacts, join, step, unknown
from tilewright.optimizer.analysis.pointer_origins import ANYWHERE
from tilewright.optimizer.analysis.rules import FactRule
from tilewright.optimizer.analysis.rules_tile import facts_of

CASES = 4000
"""The cases in which a fault is found at the latest."""
RIGHT = samples(120, of=400)
"""The cases of each operation that are held against the interpreter."""


def known(kind: TileType, tile: Any) -> ValueFacts:
    """The strongest facts about a tile.  Those of pointers are made from what holds of their addresses as integers."""
    numbers = [int(number) for number in signed(tile).ravel()]
    found = facts_of(numbers, kind)
    if isinstance(kind.element_type, IntegerType):
        return found
    runs_ = tuple([_pointer_run(kind, tile, axis, run.constancy) for axis, run in enumerate(found.runs)])
    return ValueFacts(None, found.divisor, runs_, ANYWHERE)


def _pointer_run(kind: TileType, tile: Any, axis: int, constancy: int) -> runs.AxisFacts:
    """The longest counting run of addresses, which count in bytes and modulo 2^64."""
    length = tile.shape[axis]
    while not counts_along(tile, axis, length, step(kind)):
        length //= 2
    starts = np.take(tile, range(0, tile.shape[axis], length), axis=axis)
    low = int(np.bitwise_or.reduce(starts, axis=None))
    return runs.AxisFacts(length, runs.power_of_two_in(low), constancy)


def weakened(kind: TileType, tile: Any, source: random.Random) -> ValueFacts:
    """Facts that are true of a tile, and of others."""
    facts = known(kind, tile)
    while source.random() < 0.6:
        facts = join(facts, known(kind, draw_tile(kind, step(kind), source)), kind)
    return facts if source.random() < 0.95 else unknown(kind)


def counterexample(source: random.Random, make: Callable[[random.Random], Case]) -> str:
    """What the rule of a random operation claims wrongly of the result for random operands."""
    case = make(source)
    tiles = [draw_tile(kind, step(kind), source) for kind in case.operand_types]
    return wrong_claim(case, tiles, lambda kind, tile: weakened(kind, tile, source))


def wrong_claim(case: Case, tiles: list[Any], facts_about: Callable[[TileType, Any], ValueFacts]) -> str:
    """What the rule of an operation claims wrongly of the result for given operands."""
    result = concrete(case, tiles)
    if result is None:
        return ""
    facts = [facts_about(kind, tile) for kind, tile in zip(case.operand_types, tiles, strict=True)]
    for kind, tile, fact in zip(case.operand_types, tiles, facts, strict=True):
        assert not complaint(fact, tile, step(kind)), f"{kind} {tile} {fact}"
    claimed = rule_of(case.op).results(case.op, facts)[0]
    wrong = complaint(claimed, result, step(case.op.results[0].type))
    return f"{case.op} {wrong}: {tiles} {facts} -> {result} {claimed}" if wrong else ""


@pytest.mark.parametrize(
    "make",
    [
        rule_cases.any_case,
        *[
            lambda source, op_class=op_class: rule_cases.integer_case(op_class, source)
            for op_class in (*rule_cases.BINARY, *rule_cases.SIGNED, *rule_cases.UNARY)
        ],
        rule_cases.comparison_case,
        rule_cases.conversion_case,
        rule_cases.shape_case,
        rule_cases.slice_case,
        rule_cases.pointer_case,
    ],
)
def test_what_rules_claim_is_true(make: Callable[[random.Random], Case]) -> None:
    for source in rule_cases.seeds(RIGHT):
        assert counterexample(source, make) == ""


def keeps_everything(op: Any, *operands: ValueFacts) -> ValueFacts:
    return operands[0]


def only(op_class: Any) -> Callable[[random.Random], Case]:
    return lambda source: rule_cases.integer_case(op_class, source)


def no_wrapping(run: runs.AxisFacts, width: int) -> runs.AxisFacts:
    return run


FAULTS: list[tuple[str, Any, str, Any, Callable[[random.Random], Case]]] = [
    ("sums never wrap", intervals, "wrapped", lambda exact, *_: exact, only(ops_integer.AddIOp)),
    ("products by two corners", intervals, "_corners", lambda f, a, b: intervals.Interval(*sorted((f(a[0], b[0]), f(a[1], b[1])))), only(ops_integer.MulIOp)),
    ("unsigned read as signed", intervals, "as_unsigned", lambda value, width: value, only(ops_integer.MaxIOp)),
    ("remainders below the dividend", intervals, "remainder", lambda a, b, *_: intervals.Interval(min(a.low, 0), a.high), only(ops_integer.RemIOp)),
    ("magnitudes are positive", intervals, "magnitude", lambda a, width: intervals.Interval(0, max(abs(a.low), abs(a.high))), only(ops_integer.AbsIOp)),
    ("negation of the bounds in place", intervals, "negate", lambda a, *_: a, only(ops_integer.NegIOp)),
    ("and below the greater", intervals, "bitwise_and", lambda a, b, w: intervals.Interval(0, max(a.high, b.high, 0)), only(ops_integer.AndIOp)),
    ("or below the greater", rules_integer, "_JOINED", {ops_integer.OrIOp: lambda a, b, w: a.hull(b)}, only(ops_integer.OrIOp)),
    ("xor like or", rules_integer, "_JOINED", {ops_integer.XOrIOp: intervals.bitwise_or}, only(ops_integer.XOrIOp)),
    ("runs of sums do not wrap", rules_integer, "inside_alignment", no_wrapping, only(ops_integer.AddIOp)),
    ("both sides of a sum count", rules_integer, "added", lambda a, b: runs.added(a._replace(constancy=a.contiguity), b._replace(constancy=b.contiguity)), only(ops_integer.AddIOp)),
    ("the right side of a difference counts", rules_integer, "subtracted", runs.added, only(ops_integer.SubIOp)),
    ("products keep both divisors", rules_integer, "steady", lambda t, fs: tuple([run.with_divisor(64) for run in fs[0].runs]), only(ops_integer.MulIOp)),
    ("low bits never start over", rules_integer, "modulo_power_of_two", lambda run, m: run, only(ops_integer.RemIOp)),
    ("comparisons ignore alignment", rules_integer, "compared", lambda a, b: min(a.contiguity, b.constancy), rule_cases.comparison_case),
    ("less or equal is less", intervals, "_less", lambda a, b: True if a.high <= b.low else False if a.low >= b.high else None, rule_cases.comparison_case),
    ("zero extension is exact", intervals, "extend", lambda value, width, signed: value, rule_cases.conversion_case),
    ("truncation fits", rules_integer, "_fits", lambda bounds, width: True, rule_cases.conversion_case),
    ("offsets count pages", rules_tile, "scaled", lambda run, size: runs.scaled(run, 16 * size), rule_cases.pointer_case),
    ("pointees of all sizes alike", rules_tile, "_uncounted", lambda facts: facts.runs, rule_cases.pointer_case),
    ("reshapes keep runs", rules_tile, "reshaped", lambda facts, before, after, stride: tuple(([*facts.runs, *[runs.AxisFacts()] * 3])[: len(after)]), rule_cases.shape_case),
    ("slices keep runs", rules_tile, "_cut", lambda facts, kind: facts.runs, rule_cases.slice_case),
]  # fmt: skip
"""A name, what is replaced by what, and the operations that show it."""
LATE = {
    "both sides of a sum count": 400,
    "comparisons ignore alignment": 530,
    "runs of sums do not wrap": 1350,
    "low bits never start over": 1750,
    "slices keep runs": 1840,
}
"""The number of the case to begin with, for faults that few cases show: tests take seconds."""


@pytest.mark.parametrize(("fault", "module", "name", "wrong", "make"), FAULTS, ids=[f[0] for f in FAULTS])
def test_a_wrong_rule_is_found(
    fault: str,
    module: Any,
    name: str,
    wrong: Any,
    make: Callable[[random.Random], Case],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, name, wrong)
    sources = islice(rule_cases.seeds(CASES), LATE.get(fault, 0), None)
    assert any(counterexample(source, make) for source in sources)


def test_quotients_of_counting_numbers_start_where_the_low_bits_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """One in thousands of random cases counts from an odd number and is divided by a power of two: this one does."""
    kind = TileType((16,), i8)
    block = Block([kind, kind])
    quotient = ops_integer.DivIOp(*block.arguments, Signedness.SIGNED, rounding=RoundingMode.NEGATIVE_INF)
    case = Case(block.append(quotient), (kind, kind))
    tiles = [np.arange(25, 41, dtype=np.int8), np.full(16, 4, dtype=np.int8)]
    assert wrong_claim(case, tiles, known) == ""

    def stays_for_the_divisor(run: runs.AxisFacts, divisor: int) -> runs.AxisFacts:
        return runs.AxisFacts(1, 1, max(run.constancy, min(run.contiguity, divisor)))

    monkeypatch.setattr(rules_integer, "quotient", stays_for_the_divisor)
    assert "constancy 4" in wrong_claim(case, tiles, known)


RULE_FAULTS = [
    ("permutations keep their order", ops_tile.PermuteOp, keeps_everything),
    ("selections are the first side", ops_tile.SelectOp, lambda op, c, yes, no: yes),
    ("broadcasts count up", ops_tile.BroadcastOp, lambda op, a: a.changed(runs=tuple([runs.AxisFacts(4, 1, 1) for _ in a.runs]))),
    ("joined tiles are the first one", ops_tile.CatOp, keeps_everything),
    ("shifts multiply by two", ops_integer.ShLIOp, lambda op, a, b: a.changed(divisor=a.divisor * 2)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("op_class", "wrong"), [fault[1:] for fault in RULE_FAULTS], ids=[f[0] for f in RULE_FAULTS]
)
def test_a_wrong_entry_of_the_table_is_found(
    op_class: Any, wrong: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tilewright.optimizer.analysis import dataflow

    monkeypatch.setitem(dataflow.RULES, op_class, FactRule(wrong, "wrong"))
    make = only(op_class) if op_class is ops_integer.ShLIOp else rule_cases.shape_case
    assert any(counterexample(source, make) for source in rule_cases.seeds(CASES))
