"""Rules of `reduce` and `scan`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.dialects.cuda_tile.scratch import Body, Broken, Legal, Scratch, built, element, end, ids
from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_attributes import DictionaryAttr, FloatAttr, IntegerAttr
from tilewright.ir.builtin_types import FloatType

FOLDS = ("reduce", "scan")


def zero(name: str) -> Attribute:
    """The number 0 in an element type."""
    kind = element(name)
    return FloatAttr(kind, 0) if isinstance(kind, FloatType) else IntegerAttr(kind, 0)


def keep(scratch: Scratch, *arguments: Any) -> None:
    """A body that yields the elements."""
    scratch.op("yield", operands_=arguments[::2])


def fold(
    op: str,
    body: Body = keep,
    *,
    operands: Sequence[str] = ("4x8xf32",),
    arguments: Sequence[str] = ("f32", "f32"),
    identities: Sequence[Any] = ("f32",),
    dim: int = 1,
    results: Sequence[str] | None = None,
) -> Any:
    """Builds one fold."""
    given: dict[str, Any] = {"reverse": True} if op == "scan" else {}
    neutral = [zero(i) if isinstance(i, str) else i for i in identities]
    return lambda scratch: scratch.op(
        op,
        regions=[(arguments, body)],
        results=results,
        operands_=operands,
        dim=dim,
        identities=neutral,
        **given,
    )


def _with(mnemonic: str, **given: Any) -> Body:
    def body(scratch: Scratch, *arguments: Any) -> None:
        scratch.op(mnemonic, **given)
        keep(scratch, *arguments)

    return body


def _counting(scratch: Scratch, *arguments: Any) -> None:
    scratch.op("for", regions=[(("i32",), end("continue"))], lower_bound="i32", upper_bound="i32", step="i32")
    keep(scratch, *arguments)


def _branching(mnemonic: str) -> Body:
    def body(scratch: Scratch, *arguments: Any) -> None:
        scratch.op("if", regions=[((), end(mnemonic)), ((), end("yield"))], condition="i1")
        keep(scratch, *arguments)

    return body


def _headers(op: str) -> list[Broken]:
    identity = "expect same type for operand at index: 0 and identity at index: 0 but got: 'f32' and '{}'"
    natural = "attribute 'dim' failed to satisfy constraint: 32-bit signless integer attribute whose value is"
    natural += " non-negative"
    return [
        built(
            op,
            "no-operands",
            "expected 1 or more operands, but found 0",
            fold(op, end("yield"), operands=(), arguments=(), identities=(), results=()),
        ),
        built(op, "few-results", "expect same number of operands and results", fold(op, results=())),
        built(
            op,
            "identities",
            "expect identities to match the number of operands but got: 1 operands and 2 identities",
            fold(op, identities=("f32", "f32")),
        ),
        built(op, "identity-f16", identity.format("f16"), fold(op, identities=("f16",))),
        built(op, "identity-i32", identity.format("i32"), fold(op, identities=("i32",))),
        built(
            op,
            "identity-dictionary",
            "expect identity at index: 0 to be a number but got: {}",
            fold(op, identities=(DictionaryAttr(),)),
        ),
        built(op, "dim", "dimension (2) is out of bound [0, 2)", fold(op, dim=2)),
        built(op, "dim-negative", natural, fold(op, dim=-1)),
        built(
            op,
            "shapes",
            "requires the same shape for all operands",
            fold(op, operands=("4x8xf32", "8x8xf32"), arguments=("f32",) * 4, identities=("f32", "f32")),
        ),
        built(
            op,
            "token",
            "operand #0 must be variadic of Tile type, but got '!cuda_tile.token'",
            fold(op, operands=("token",), results=("f32",)),
        ),
    ]


def _bodies(op: str) -> list[Broken]:
    effect = f"only memory-effect-free operations are allowed inside 'cuda_tile.{op}'"
    pair = "expect same element type for block argument at index: 0 and 1 but got: 'f32' and 'f16'"
    one = "expect same type for operand at index: 0 and {} argument at index: 0 but got: 'f32' and '{}'"
    parents = "expects parent op to be one of 'cuda_tile.entry, cuda_tile.preview$func, cuda_tile.if, cuda_tile.loop'"
    chain = "can only be nested within a ancestor chain of 'cuda_tile.loop', 'cuda_tile.if' operations"
    return [
        built(op, "few-arguments", "expect 2 block arguments but got: 1", fold(op, arguments=("f32",))),
        built(
            op,
            "argument-rank",
            "expect 0-rank tile type at index: 0 but got: '!cuda_tile.tile<2xf32>'",
            fold(op, arguments=("2xf32", "2xf32")),
        ),
        built(op, "argument-pair", pair, fold(op, arguments=("f32", "f16"))),
        built(op, "argument-element", one.format("block", "f16"), fold(op, arguments=("f16", "f16"))),
        built(
            op,
            "yields-two",
            "expect number of terminators operands (2) to match number of operands (1)",
            fold(op, lambda s, *a: s.op("yield", operands_=a)),
        ),
        built(op, "yields-integer", one.format("terminator", "i32"), fold(op, end("yield", "i32"))),
        built(op, "assert", effect, fold(op, _with("assert", condition="i1", message="no")), "assert"),
        built(
            op,
            "alloca",
            effect,
            fold(op, _with("alloca", num_elem=4, alignment=4, results=["ptr<f32>"])),
            "alloca",
        ),
        built(op, "print", effect, fold(op, _with("print_tko", format="x")), "print_tko"),
        built(op, "for", effect, fold(op, _counting), "for"),
        built(op, "returns", parents, fold(op, end("return")), "return"),
        built(
            op,
            "return-in-if",
            "must be used within a cuda_tile.entry, cuda_tile.if, or cuda_tile.loop operation",
            fold(op, _branching("return")),
            "return",
        ),
        built(op, "break-in-if", chain, fold(op, _branching("break")), "break"),
    ]


def _results() -> list[Broken]:
    inferred = "inferred type(s) '!cuda_tile.tile<4xf32>' are incompatible with return type(s) of operation "
    return [
        built(
            "reduce",
            "result-shape",
            inferred + "'!cuda_tile.tile<8xf32>'",
            fold("reduce", results=("8xf32",)),
        ),
        built(
            "reduce",
            "result-element",
            inferred + "'!cuda_tile.tile<4xf16>'",
            fold("reduce", results=("4xf16",)),
        ),
        built(
            "reduce",
            "rank0",
            "dimension (0) is out of bound [0, 0)",
            fold("reduce", operands=("f32",), results=("f32",), dim=0),
        ),
        built(
            "scan",
            "result-shape",
            "expect same type for operand at index: 0 and result at index: 0",
            fold("scan", results=("4xf32",)),
        ),
        built(
            "reduce",
            "f4-scalar",
            "failed to infer returned types: F4E2M1FN tiles must have an even number of elements",
            fold(
                "reduce",
                end("yield", "2xf4E2M1FN"),
                operands=("2xf4E2M1FN",),
                dim=0,
                identities=("f4E2M1FN",),
                results=("2xf4E2M1FN",),
                arguments=(),
            ),
        ),
    ]


def _legal() -> list[Legal]:
    rows: list[Legal] = []
    two: dict[str, Any] = {
        "operands": ("4x8xf32", "4x8xi32"),
        "arguments": ("f32", "f32", "i32", "i32"),
        "identities": ("f32", "i32"),
    }
    for op in FOLDS:
        rows += [
            Legal(op, "plain", fold(op)),
            Legal(op, "dim0", fold(op, dim=0)),
            Legal(op, "two", fold(op, **two)),
            Legal(
                op,
                "half-identity",
                fold(op, operands=("8xbf16",), arguments=("bf16", "bf16"), identities=("f16",), dim=0),
            ),
            Legal(op, "if", fold(op, _branching("yield"))),
            Legal(op, "divi", fold(op, _with("divi", lhs="i32", rhs="i32", signedness="signed"))),
            Legal(op, "token", fold(op, _with("make_token"))),
            Legal(op, "nested", fold(op, lambda s, *a: (fold("reduce")(s), keep(s, *a)))),
        ]
    return rows


BROKEN = [row for op in FOLDS for row in (*_headers(op), *_bodies(op))] + _results()
LEGAL = _legal()


@pytest.mark.parametrize("row", BROKEN, ids=ids(BROKEN))
def test_broken(row: Broken) -> None:
    row.check()


@pytest.mark.parametrize("row", LEGAL, ids=ids(LEGAL))
def test_legal(row: Legal) -> None:
    row.check()
