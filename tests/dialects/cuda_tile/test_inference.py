"""Result types that builders infer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.dialects.cuda_tile.scratch import Scratch, end, type_of
from tests.dialects.cuda_tile.test_verifier_aggregate import fold
from tests.dialects.cuda_tile.test_verifier_views import access
from tests.dialects.cuda_tile.views import view
from tilewright.dialects.cuda_tile.enums import ComparisonPredicate, Signedness
from tilewright.dialects.cuda_tile.ops.integer import CmpIOp
from tilewright.ir.builtin_attributes import splat
from tilewright.ir.operation import Operation

INFERRED: dict[str, tuple[dict[str, Any], Sequence[str]]] = {
    "addf": ({"lhs": "4xf32", "rhs": "4xf32", "rounding_mode": "zero"}, ["4xf32"]),
    "cmpi": (
        {"lhs": "4x8xi64", "rhs": "4x8xi64", "comparison_predicate": "equal", "signedness": "signed"},
        ["4x8xi1"],
    ),
    "constant": ({"value": splat(type_of("8xf16"), 1)}, ["8xf16"]),
    "permute": ({"source": "2x4x8xf32", "permutation": (2, 0, 1)}, ["8x2x4xf32"]),
    "cat": ({"lhs": "4x8xi8", "rhs": "4x8xi8", "dim": 0}, ["8x8xi8"]),
    "insert": ({"source": "4xi8", "destination": "8xi8", "indices": ["i32"]}, ["8xi8"]),
    "select": ({"cond": "4xi1", "val_if_true": "4xptr<f32>", "val_if_false": "4xptr<f32>"}, ["4xptr<f32>"]),
    "offset": ({"ptr": "4xptr<f16>", "offset": "4xi64"}, ["4xptr<f16>"]),
    "mmaf": ({"lhs": "4x8xf16", "rhs": "8x4xf16", "acc": "4x4xf32"}, ["4x4xf32"]),
    "mmai": (
        {
            "lhs": "4x8xi8",
            "rhs": "8x4xi8",
            "acc": "4x4xi32",
            "signedness_lhs": "signed",
            "signedness_rhs": "signed",
        },
        ["4x4xi32"],
    ),
    "pack": ({"source": "4xtf32"}, ["16xi8"]),
    "load_ptr_tko": (
        {"source": "4xptr<f16>", "memory_ordering_semantics": "weak", "mask": "4xi1"},
        ["4xf16", "token"],
    ),
    "atomic_rmw_tko": (
        {
            "pointers": "4xptr<i32>",
            "arg": "4xi32",
            "mode": "add",
            "memory_ordering_semantics": "relaxed",
            "memory_scope": "sys",
            "token": "token",
        },
        ["4xi32", "token"],
    ),
    "load_view_tko": (
        {"view": view(), "index": ["i32", "i32"], "memory_ordering_semantics": "weak"},
        ["8x4xf32", "token"],
    ),
    "store_view_tko": (access("store_view_tko", view()), ["token"]),
    "assume": ({"value": "4xi32", "predicate": None}, ["4xi32"]),
    "print_tko": ({"format": "x"}, ["token"]),
    "get_tile_block_id": ({}, ["i32", "i32", "i32"]),
    "make_token": ({}, ["token"]),
}


def _types(made: Operation) -> list[Any]:
    return list(made.result_types)


@pytest.mark.parametrize("op", [op for op in INFERRED if op != "assume"])
def test_inferred(op: str) -> None:
    given, expected = INFERRED[op]
    assert _types(Scratch().op(op, **given)) == [type_of(spec) for spec in expected]


def test_positional_builder() -> None:
    scratch = Scratch()
    a, b = scratch.value("4xi32"), scratch.value("4xi32")
    made = CmpIOp(ComparisonPredicate.EQUAL, a, b, Signedness.SIGNED)
    assert _types(made) == [type_of("4xi1")]


def test_folds() -> None:
    assert _types(fold("reduce", dim=0)(Scratch())) == [type_of("8xf32")]
    assert _types(fold("scan", dim=0)(Scratch())) == [type_of("4x8xf32")]


def _for(scratch: Scratch) -> Operation:
    body = (["i32", "f32"], lambda s, _, value: s.op("continue", operands_=[value]))
    return scratch.op(
        "for", regions=[body], lower_bound="i32", upper_bound="i32", step="i32", init_values=["f32"]
    )


def test_for_takes_its_initial_values() -> None:
    assert _types(_for(Scratch())) == [type_of("f32")]


def test_if_takes_the_branch_that_yields() -> None:
    made = Scratch().op(
        "if", regions=[((), end("return")), ((), end("yield", "f64", "token"))], condition="i1"
    )
    assert _types(made) == [type_of("f64"), type_of("token")]


def test_loop_takes_its_own_break() -> None:
    def body(scratch: Scratch, *_: Any) -> None:
        scratch.op("loop", regions=[((), end("break", "i8"))])
        scratch.op("if", regions=[((), end("break", "f16")), ((), end("yield"))], condition="i1")
        scratch.op("continue")

    assert _types(Scratch().op("loop", regions=[((), body)])) == [type_of("f16")]


@pytest.mark.parametrize(
    ("op", "given"),
    [
        ("permute", {"source": "4x8xf32", "permutation": (0, 2)}),
        ("cat", {"lhs": "4xf32", "rhs": "4xf32", "dim": 1}),
        ("pack", {"source": "4xi1"}),
        ("broadcast", {"source": "1xf32"}),
        ("iota", {}),
    ],
)
def test_what_cannot_be_inferred_is_refused(op: str, given: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"cannot infer|permute|join|bytes"):
        Scratch().op(op, **given)
