"""Broken reductions, scans and assumptions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from tests.support.invalid.invalid_sample import Invalid, bad, built
from tests.support.real.real_kernel import Kernel
from tests.support.real.real_ops_tile import bounded, div_by, same_elements

Body = Callable[..., None]


def _sum(kernel: Kernel, *values: Any) -> None:
    kernel.op("yield", operands=[kernel.op("addf", result_type="f32", lhs=values[0], rhs=values[1])])


def _zero(kernel: Kernel) -> Any:
    return kernel.floating("f32", 0.0)


def _fold(
    op: str,
    name: str,
    fragment: str,
    body: Body = _sum,
    *,
    results: Sequence[str] | None = None,
    operands: Sequence[str] = ("4x8xf32",),
    dim: int = 1,
    arguments: Sequence[str] = ("f32", "f32"),
    identities: Sequence[Callable[[Kernel], Any]] = (_zero,),
    at: str | None = None,
) -> Invalid:
    plain = ("4xf32",) if op == "reduce" else ("4x8xf32",)
    given: dict[str, Any] = {"reverse": False} if op == "scan" else {}

    def build(kernel: Kernel) -> None:
        kernel.op(
            op,
            regions=[(arguments, body)],
            result_types=plain if results is None else results,
            operands=operands,
            dim=dim,
            identities=[i(kernel) for i in identities],
            **given,
        )

    return replace(built(op, name, fragment, build), op=at or op)


def _yield_two(kernel: Kernel, *values: Any) -> None:
    kernel.op("yield", operands=values)


def _yield_integer(kernel: Kernel, *_: Any) -> None:
    kernel.op("yield", operands=["i32"])


def _impure(kernel: Kernel, *values: Any) -> None:
    kernel.op("assert", condition="i1", message="no")
    _sum(kernel, *values)


def _assuming(kernel: Kernel, *values: Any) -> None:
    kernel.op("assume", result_type="i32", value="i32", predicate=div_by(2))
    _sum(kernel, *values)


def _return(kernel: Kernel, *_: Any) -> None:
    kernel.op("return", operands=[])


def _folds() -> list[Invalid]:
    rows: list[Invalid] = []
    for op in ("reduce", "scan"):
        rows += [
            _fold(
                op,
                "no-operands",
                "op expected 1 or more operands, but found 0",
                operands=(),
                results=(),
                identities=(),
            ),
            _fold(op, "few-results", "expect same number of operands and results", results=()),
            _fold(
                op,
                "identities",
                "expect identities to match the number of operands but got: 1 operands and 2 identities",
                identities=(_zero, _zero),
            ),
            _fold(
                op,
                "identity-type",
                "expect same type for operand at index: 0 and identity at index: 0 but got: 'f32' and 'f16'",
                identities=(lambda k: k.floating("f16", 0.0),),
            ),
            _fold(
                op,
                "identity-integer",
                "expect same type for operand at index: 0 and identity at index: 0 but got: 'f32' and 'i32'",
                identities=(lambda k: k.integer("i32", 0),),
            ),
            _fold(op, "dim", "dimension (2) is out of bound [0, 2)", dim=2),
            _fold(
                op,
                "dim-negative",
                "attribute 'dim' failed to satisfy constraint: 32-bit signless integer attribute whose"
                " value is non-negative",
                dim=0xFFFFFFFF,
            ),
            _fold(op, "few-arguments", "expect 2 block arguments but got: 1", _yield_two, arguments=("f32",)),
        ]
        rows += _bodies(op)
    rows += [
        _fold("reduce", "result-shape", "are incompatible with return type(s)", results=("8xf32",)),
        _fold("reduce", "result-element", "are incompatible with return type(s)", results=("4xf16",)),
        _fold(
            "scan",
            "result-shape",
            "expect same type for operand at index: 0 and result at index: 0",
            results=("4xf32",),
        ),
        _fold("reduce", "rank0", "is out of bound [0, 0)", operands=("f32",), results=("f32",), dim=0),
    ]
    return rows


def _bodies(op: str) -> list[Invalid]:
    effect = f"only memory-effect-free operations are allowed inside 'cuda_tile.{op}'"
    return [
        _fold(
            op,
            "argument-rank",
            "expect 0-rank tile type at index: 0 but got:",
            _yield_two,
            arguments=("2xf32", "2xf32"),
        ),
        _fold(
            op,
            "argument-pair",
            "expect same element type for block argument at index: 0 and 1 but got: 'f32' and 'f16'",
            _yield_integer,
            arguments=("f32", "f16"),
        ),
        _fold(
            op,
            "argument-element",
            "expect same type for operand at index: 0 and block argument at index: 0 but"
            " got: 'f32' and 'f16'",
            _yield_integer,
            arguments=("f16", "f16"),
        ),
        _fold(
            op,
            "yields-two",
            "expect number of terminators operands (2) to match number of operands (1)",
            _yield_two,
        ),
        _fold(
            op,
            "yields-integer",
            "expect same type for operand at index: 0 and terminator argument at index: 0"
            " but got: 'f32' and 'i32'",
            _yield_integer,
        ),
        _fold(op, "assert", effect, _impure, at="assert"),
        _fold(op, "assume", effect, _assuming, at="assume"),
        _fold(op, "returns", "expects parent op to be one of", _return, at="return"),
        _fold(
            op,
            "operand-shapes",
            "op requires the same shape for all operands",
            operands=("4x8xf32", "8x8xf32"),
            results=("4xf32", "8xf32") if op == "reduce" else ("4x8xf32", "8x8xf32"),
            identities=(_zero, _zero),
            arguments=("f32",) * 4,
            body=lambda k, *v: k.op("yield", operands=v[::2]),
        ),
    ]


def _assume(name: str, fragment: str, spec: str, predicate: Callable[[], Any]) -> Invalid:
    return bad("assume", name, fragment, result_type=spec, value=spec, predicate=lambda _: predicate())


def _on_view(every: bool) -> Callable[[Kernel], None]:
    def build(kernel: Kernel) -> None:
        view = kernel.types.tensor_view("f32", [8], [1])
        predicate = div_by(4, 2, 0) if every else bounded(0, 1)
        kernel.op("assume", result_type=view, value=kernel.tensor(view, "ptr<f32>"), predicate=predicate)

    return build


_ASSUMES_DIV, _ASSUMES_SAME, _ASSUMES_BOUND = (
    "'cuda_tile.div_by' ",
    "'cuda_tile.same_elements' ",
    "'cuda_tile.bounded' ",
)
_ASSUMES: tuple[Invalid, ...] = (
    _assume("divisor", _ASSUMES_DIV + "divisor must be a power of 2", "4xi32", lambda: div_by(12)),
    _assume("divisor-zero", _ASSUMES_DIV + "divisor must be a power of 2", "4xi32", lambda: div_by(0)),
    _assume("divisor-large", _ASSUMES_DIV + "divisor is too large", "4xi32", lambda: div_by(1 << 63)),
    _assume(
        "only-every",
        _ASSUMES_DIV + "'every'/'along' must be used in combination",
        "4xi32",
        lambda: div_by(4, 2),
    ),
    _assume(
        "only-along",
        _ASSUMES_DIV + "'every'/'along' must be used in combination",
        "4xi32",
        lambda: div_by(4, None, 0),
    ),
    _assume(
        "rank0-every",
        _ASSUMES_DIV + "'every'/'along' cannot be used if the constrained value is a 0D tile",
        "i32",
        lambda: div_by(4, 2, 0),
    ),
    _assume(
        "along",
        _ASSUMES_DIV + "every_dim (2) must be >= 0 and < tile rank (1)",
        "8xi32",
        lambda: div_by(4, 2, 2),
    ),
    _assume(
        "along-negative",
        _ASSUMES_DIV + "every_dim (-1) must be >= 0 and < tile rank (1)",
        "8xi32",
        lambda: div_by(4, 2, -1),
    ),
    _assume(
        "every",
        "expected 'cuda_tile.div_by' every_dim to be within 0 and the size of the respective dimension (8)",
        "8xi32",
        lambda: div_by(4, 16, 0),
    ),
    _assume(
        "every-negative",
        "expected 'cuda_tile.div_by' every_dim to be within 0 and the size",
        "8xi32",
        lambda: div_by(4, -1, 0),
    ),
    _assume(
        "div-float",
        _ASSUMES_DIV + "is valid only for tile of integer/pointer or tensor_view values",
        "4xf32",
        lambda: div_by(4),
    ),
    _assume(
        "div-token",
        "is valid only for tile of integer/pointer or tensor_view values",
        "token",
        lambda: div_by(4),
    ),
    built(
        "assume",
        "view-every",
        _ASSUMES_DIV + "'every'/'along' cannot be used if the constrained value is a tensor_view",
        _on_view(True),
        ("ptr<f32>",),
    ),
    built(
        "assume",
        "view-bounded",
        _ASSUMES_BOUND + "is valid only for tile of integer values",
        _on_view(False),
        ("ptr<f32>",),
    ),
    _assume(
        "same-rank",
        "expected number of values in 'cuda_tile.same_elements' (1) to match rank of constrained tile (2)",
        "4x8xi32",
        lambda: same_elements(1),
    ),
    _assume(
        "same-large",
        "expected 'cuda_tile.same_elements' value 0 to be within 0 and the size of the respective"
        " dimension (8)",
        "8xi32",
        lambda: same_elements(16),
    ),
    _assume(
        "same-negative",
        "expected 'cuda_tile.same_elements' value 0 to be within 0 and the size",
        "8xi32",
        lambda: same_elements(-1),
    ),
    _assume(
        "same-float",
        _ASSUMES_SAME + "is valid only for tile of integer/pointer values",
        "4xf32",
        lambda: same_elements(1),
    ),
    _assume(
        "bounded-low",
        _ASSUMES_BOUND + "expects lower bound to be within [-128, 127]",
        "4xi8",
        lambda: bounded(-129, None),
    ),
    _assume(
        "bounded-high",
        _ASSUMES_BOUND + "expects upper bound to be within [-128, 127]",
        "4xi8",
        lambda: bounded(None, 128),
    ),
    _assume(
        "bounded-order",
        _ASSUMES_BOUND + "expects lower bound to be less than or equal to upper bound",
        "4xi32",
        lambda: bounded(5, 4),
    ),
    _assume(
        "bounded-float",
        _ASSUMES_BOUND + "is valid only for tile of integer values",
        "4xf32",
        lambda: bounded(0, 1),
    ),
    _assume(
        "bounded-pointer",
        _ASSUMES_BOUND + "is valid only for tile of integer values",
        "4xptr<f32>",
        lambda: bounded(0, 1),
    ),
    bad(
        "assume",
        "result",
        "have same type",
        result_type="8xi32",
        value="4xi32",
        predicate=lambda _: div_by(2),
    ),
)


def rows() -> list[Invalid]:
    """Every row of this family."""
    return [*_folds(), *_ASSUMES]
