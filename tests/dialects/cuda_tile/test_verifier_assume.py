"""Rules of `assume`."""

from __future__ import annotations

from typing import Any

import pytest

from tests.dialects.cuda_tile.scratch import Broken, Legal, broken, ids, legal
from tilewright.dialects.cuda_tile.attributes import BoundedAttr, DivByAttr, SameElementsAttr
from tilewright.dialects.cuda_tile.types import TensorViewType
from tilewright.ir.builtin_types import f32

DIV, SAME, BOUND = "'cuda_tile.div_by' ", "'cuda_tile.same_elements' ", "'cuda_tile.bounded' "
VIEW = TensorViewType((8,), f32, (1,))
INTEGERS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64}


def _assume(name: str, message: str, value: Any, predicate: Any, **more: Any) -> Broken:
    return broken("assume", name, message, value=value, predicate=predicate, **more)


def _divisors() -> list[Broken]:
    where = DIV + "is valid only for tile of integer/pointer or tensor_view values"
    both = DIV + "'every'/'along' must be used in combination"
    misplaced = DIV + "'every'/'along' cannot be used if the constrained value is a "
    every = (
        "expected 'cuda_tile.div_by' every_dim to be within 0 and the size of the respective dimension (8)"
    )
    along = DIV + "every_dim ({}) must be >= 0 and < tile rank (1)"
    return [
        _assume("divisor", DIV + "divisor must be a power of 2", "4xi32", DivByAttr(12)),
        _assume("divisor-zero", DIV + "divisor must be a power of 2", "4xi32", DivByAttr(0)),
        _assume("divisor-large", DIV + "divisor is too large", "4xi32", DivByAttr(1 << 63)),
        _assume("only-every", both, "4xi32", DivByAttr(4, 2)),
        _assume("only-along", both, "4xi32", DivByAttr(4, None, 0)),
        _assume("rank0-every", misplaced + "0D tile", "i32", DivByAttr(4, 2, 0)),
        _assume("view-every", misplaced + "tensor_view", VIEW, DivByAttr(4, 2, 0)),
        _assume("along", along.format(2), "8xi32", DivByAttr(4, 2, 2)),
        _assume("along-negative", along.format(-1), "8xi32", DivByAttr(4, 2, -1)),
        _assume("every", every, "8xi32", DivByAttr(4, 16, 0)),
        _assume("every-negative", every, "8xi32", DivByAttr(4, -1, 0)),
        _assume("div-float", where, "4xf32", DivByAttr(4)),
        _assume("div-token", where, "token", DivByAttr(4)),
        _assume(
            "result",
            "failed to verify that all of {value, result} have same type",
            "4xi32",
            DivByAttr(2),
            results=["8xi32"],
        ),
    ]


def _others() -> list[Broken]:
    number = (
        "expected number of values in 'cuda_tile.same_elements' (1) to match rank of constrained tile (2)"
    )
    value = "expected 'cuda_tile.same_elements' value 0 to be within 0 and the size of the respective dimension (8)"
    same = SAME + "is valid only for tile of integer/pointer values"
    bounded = BOUND + "is valid only for tile of integer values"
    return [
        _assume("same-rank", number, "4x8xi32", SameElementsAttr((1,))),
        _assume("same-large", value, "8xi32", SameElementsAttr((16,))),
        _assume("same-negative", value, "8xi32", SameElementsAttr((-1,))),
        _assume("same-float", same, "4xf32", SameElementsAttr((1,))),
        _assume("same-view", same, VIEW, SameElementsAttr((1,))),
        _assume(
            "bounded-low", BOUND + "expects lower bound to be within [-128, 127]", "4xi8", BoundedAttr(-129)
        ),
        _assume(
            "bounded-high",
            BOUND + "expects upper bound to be within [-128, 127]",
            "4xi8",
            BoundedAttr(None, 128),
        ),
        _assume("bounded-i1", BOUND + "expects upper bound to be within [-1, 0]", "i1", BoundedAttr(None, 1)),
        _assume(
            "bounded-order",
            BOUND + "expects lower bound to be less than or equal to upper bound",
            "4xi32",
            BoundedAttr(5, 4),
        ),
        _assume("bounded-float", bounded, "4xf32", BoundedAttr(0, 1)),
        _assume("bounded-pointer", bounded, "4xptr<f32>", BoundedAttr(0, 1)),
        _assume("bounded-view", bounded, VIEW, BoundedAttr(0, 1)),
    ]


def _legal() -> list[Legal]:
    values: list[tuple[str, Any, Any]] = [
        ("div", "i32", DivByAttr(16)),
        ("div-largest", "4xi64", DivByAttr(1 << 62)),
        ("div-pointer", "4xptr<f32>", DivByAttr(16)),
        ("div-groups", "4x8xi32", DivByAttr(4, 8, 1)),
        ("div-view", VIEW, DivByAttr(16)),
        ("same", "4x8xi32", SameElementsAttr((4, 0))),
        ("same-pointer", "4xptr<f32>", SameElementsAttr((1,))),
        ("open", "4xi32", BoundedAttr()),
    ]
    for name, width in INTEGERS.items():
        values.append((f"bounded-{name}", name, BoundedAttr(-(1 << (width - 1)), (1 << (width - 1)) - 1)))
    return [legal("assume", name, value=value, predicate=predicate) for name, value, predicate in values]


BROKEN = [*_divisors(), *_others()]
LEGAL = _legal()


@pytest.mark.parametrize("row", BROKEN, ids=ids(BROKEN))
def test_broken(row: Broken) -> None:
    row.check()


@pytest.mark.parametrize("row", LEGAL, ids=ids(LEGAL))
def test_legal(row: Legal) -> None:
    row.check()
