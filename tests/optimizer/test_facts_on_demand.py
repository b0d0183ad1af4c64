"""Facts that are worked out when they are asked for: chains are followed so far and no farther, however often it is asked."""

from __future__ import annotations

import pytest

from tests.optimizer.optimizing import kernel
from tilewright.dialects.cuda_tile.ops.memory import StorePtrTkoOp
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.optimizer.analysis.dataflow import rule_of
from tilewright.optimizer.analysis.query import DEEPEST, FactsOnDemand


def chains(length: int, count: int) -> list[Value]:
    """The ends of chains of multiplications by two."""
    lines = ["%two = constant <i32: 2> : tile<i32>"]
    for chain in range(count):
        lines += [
            f"%v{chain}_{at} = muli {f'%v{chain}_{at - 1}' if at else '%n'}, %two : tile<i32>"
            for at in range(length)
        ]
        lines.append(
            f"%t{chain} = store_ptr_tko weak %out, %v{chain}_{length - 1} : tile<ptr<i32>>, tile<i32> -> token"
        )
    module: Operation = kernel("\n".join(lines), "%n: tile<i32>, %out: tile<ptr<i32>>")
    return [op.value for op in module.walk() if isinstance(op, StorePtrTkoOp)]


@pytest.mark.parametrize(("length", "divisor"), [(1, 2), (3, 8), (DEEPEST - 1, 1 << 30)])
def test_chains_are_followed(length: int, divisor: int) -> None:
    (end,) = chains(length, 1)
    assert FactsOnDemand(rule_of).facts(end).divisor >= divisor


def test_questions_before_change_nothing() -> None:
    asked = FactsOnDemand(rule_of)
    assert {asked.facts(end).divisor for end in chains(2, 2 * DEEPEST)} == {4}
