"""Real-writer samples of constants, shapes, matrix multiplies, reductions and assumptions."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from tests.support.real.real_kernel import Kernel, one, vendor
from tests.support.real.real_ops_arith import BASE_FLOATS, FLOATS, INTEGERS, SIGNS
from tests.support.real.real_sample import Sample, one_op, since_of


def _constant(name: str, spec: str, data: bytes) -> Sample:
    return one_op("constant", name, result_type=spec, value=data)


def _words(code: str, *values: float) -> bytes:
    return struct.pack(f"<{len(values)}{code}", *values)


def _constants() -> list[Sample]:
    samples = [_constant(f"splat-{t}", f"4x{t}", one(t)) for t in (*INTEGERS, *FLOATS)]
    samples += [_constant(f"rank0-{t}", t, one(t)) for t in (*INTEGERS, *FLOATS) if t != "f4E2M1FN"]
    samples += [
        _constant("list-i32", "4xi32", _words("i", 1, -2, 3, -(2**31))),
        _constant("nested-i32", "2x2x2xi32", _words("i", *range(8))),
        _constant("list-i8", "4xi8", bytes([0, 127, 128, 255])),
        _constant("list-i64", "2xi64", _words("q", -(2**63), 2**63 - 1)),
        _constant("list-i1", "4xi1", b"\x05"),
        _constant("list-i1-16", "16xi1", b"\x05\xa0"),
        _constant("splat-i1-16", "16xi1", b"\x01"),
        _constant("list-f32", "4xf32", _words("f", 0.5, -1.0, 1e20, 1234567.0)),
        _constant("special-f32", "4xf32", _words("f", float("inf"), float("-inf"), float("nan"), -0.0)),
        _constant("list-f64", "2xf64", _words("d", 0.1, -3.5)),
        _constant("list-f16", "2xf16", bytes.fromhex("003c00fc")),
        _constant("list-bf16", "2xbf16", bytes.fromhex("803fc0ff")),
        _constant("list-tf32", "2xtf32", bytes.fromhex("00fc0100fc05")),
        _constant("list-f8E4M3FN", "4xf8E4M3FN", bytes.fromhex("387fb8fe")),
        _constant("list-f8E5M2", "4xf8E5M2", bytes.fromhex("3c7cfc7f")),
        _constant("list-f8E8M0FNU", "4xf8E8M0FNU", bytes.fromhex("007ffeff")),
        _constant("list-f4E2M1FN", "4xf4E2M1FN", bytes.fromhex("0002070f")),
        _constant("list-fnv8E5M3FNU", "4xfnv8E5M3FNU", bytes.fromhex("00780140")),
        _constant("long-i32", "128xi32", _words("i", *range(128))),
        _constant("long-f32", "128xf32", _words("f", *range(128))),
        _constant("list-64-i8", "64xi8", bytes(range(64))),
        _constant("negative-splat", "8xi32", _words("i", -1)),
        _constant("inf-splat", "8xf32", _words("f", float("inf"))),
        _constant("nan-splat", "8xf32", _words("f", float("nan"))),
        _constant("fraction-splat", "8xf32", _words("f", 0.1)),
        _constant("large-splat", "8xf32", _words("f", 9.99999998e18)),
    ]
    samples += [one_op("iota", t, result_type=f"{2 if t == 'i1' else 64}x{t}") for t in INTEGERS]
    samples.append(one_op("iota", "largest-i8", result_type="256xi8"))
    return samples


def _shapes() -> list[Sample]:
    every = (*INTEGERS, *(t for t in FLOATS if t != "f4E2M1FN"))
    samples = [one_op("broadcast", t, result_type=f"4x8x{t}", source=f"1x8x{t}") for t in every]
    samples += [one_op("reshape", t, result_type=f"4x8x{t}", source=f"32x{t}") for t in every]
    samples += [
        one_op("broadcast", "ptr", arguments=("ptr<f32>",), result_type="8xptr<f32>", source="1xptr<f32>"),
        one_op("broadcast", "rank0", result_type="i32", source="i32"),
        one_op("broadcast", "two-dims", result_type="2x4x8xf32", source="1x4x1xf32"),
        one_op("reshape", "scalar", result_type="1x1xf32", source="f32"),
        one_op("reshape", "f4", result_type="4x8xf4E2M1FN", source="32xf4E2M1FN"),
        one_op("reshape", "ptr", arguments=("ptr<f32>",), result_type="1xptr<f32>", source="ptr<f32>"),
        one_op("permute", "2d", result_type="8x4xf32", source="4x8xf32", permutation=[1, 0]),
        one_op("permute", "identity", result_type="4x8xi8", source="4x8xi8", permutation=[0, 1]),
        one_op("permute", "3d", result_type="8x2x4xf16", source="2x4x8xf16", permutation=[2, 0, 1]),
        one_op("permute", "ptr", result_type="8x4xptr<f32>", source="4x8xptr<f32>", permutation=[1, 0]),
        one_op("cat", "dim1", result_type="4x16xf32", lhs="4x8xf32", rhs="4x8xf32", dim=1),
        one_op("cat", "dim0", result_type="8xi32", lhs="4xi32", rhs="4xi32", dim=0),
        one_op("cat", "ptr", result_type="8xptr<f32>", lhs="4xptr<f32>", rhs="4xptr<f32>", dim=0),
        one_op("extract", "1d", result_type="4xf32", source="8xf32", indices=["i32"]),
        one_op("extract", "2d", result_type="2x8xi8", source="4x16xi8", indices=["i32", "i32"]),
        one_op("extract", "rank0", result_type="f32", source="f32", indices=[]),
        one_op("extract", "ptr", result_type="1xptr<f32>", source="4xptr<f32>", indices=["i32"]),
        one_op("insert", "1d", result_type="8xf32", source="4xf32", destination="8xf32", indices=["i32"]),
        one_op(
            "insert",
            "2d",
            result_type="4x8xi8",
            source="2x8xi8",
            destination="4x8xi8",
            indices=["i32", "i32"],
        ),
        one_op("insert", "rank0", result_type="f32", source="f32", destination="f32", indices=[]),
        one_op("offset", "i32", result_type="4xptr<f32>", ptr="4xptr<f32>", offset="4xi32"),
        one_op(
            "offset", "i64", result_type="ptr<f16>", ptr="ptr<f16>", offset="i64", arguments=("ptr<f16>",)
        ),
        one_op("offset", "i1", result_type="4xptr<f32>", ptr="4xptr<f32>", offset="4xi1"),
        one_op("offset", "i8", result_type="4xptr<i1>", ptr="4xptr<i1>", offset="4xi8"),
    ]
    for t in (*every, "ptr<f32>"):
        spec = f"4x{t}"
        samples.append(
            one_op("select", t, result_type=spec, cond="4xi1", val_if_true=spec, val_if_false=spec)
        )
    return samples


def _mma(name: str, lhs: str, acc: str, batch: str = "", **more: Any) -> Sample:
    shapes = {"lhs": f"{batch}16x32x{lhs}", "rhs": f"{batch}32x8x{lhs}", "acc": f"{batch}16x8x{acc}"}
    return one_op("mmaf", name, result_type=shapes["acc"], **shapes, **more)


def _mma_scaled(element: str, scale: str, block: int, batch: str = "") -> Sample:
    return one_op(
        "mmaf_scaled",
        f"{element}-{scale}-{block}" + "-batch" * bool(batch),
        result_type=f"{batch}16x8xf32",
        lhs=f"{batch}16x64x{element}",
        rhs=f"{batch}64x8x{element}",
        acc=f"{batch}16x8xf32",
        lhs_scale=f"{batch}16x{64 // block}x{scale}",
        rhs_scale=f"{batch}{64 // block}x8x{scale}",
    )


def _multiplies() -> list[Sample]:
    pairs = [("f16", "f32"), ("f16", "f16"), ("bf16", "f32"), ("f32", "f32"), ("tf32", "f32"), ("f64", "f64")]
    pairs += [(f8, acc) for f8 in ("f8E4M3FN", "f8E5M2") for acc in ("f32", "f16")]
    samples = [_mma(f"{a}-{b}", a, b) for a, b in pairs]
    samples += [_mma(f"{a}-{b}-batch", a, b, "4x") for a, b in pairs]
    samples += [
        _mma(f"{a}-{b}-fast", a, b, fast_acc=True, since=(13, 3)) for a, b in pairs if a.startswith("f8")
    ]
    for batch, left, right in product(("", "2x"), SIGNS, SIGNS):
        samples.append(
            one_op(
                "mmai",
                f"{left}-{right}" + "-batch" * bool(batch),
                result_type=f"{batch}4x4xi32",
                lhs=f"{batch}4x8xi8",
                rhs=f"{batch}8x4xi8",
                acc=f"{batch}4x4xi32",
                signedness_lhs=left,
                signedness_rhs=right,
            )
        )
    for batch in ("", "2x"):
        samples += [_mma_scaled(f8, "f8E8M0FNU", 32, batch) for f8 in ("f8E4M3FN", "f8E5M2")]
        samples += [_mma_scaled("f4E2M1FN", "f8E8M0FNU", v, batch) for v in (16, 32)]
        samples.append(_mma_scaled("f4E2M1FN", "f8E4M3FN", 16, batch))
        samples.append(_mma_scaled("f4E2M1FN", "fnv8E5M3FNU", 16, batch))
    return samples


Identity = Callable[[Kernel], Any]


def _identity(element: str, value: float | None = None) -> Identity:
    if element.startswith("i"):
        return lambda kernel: kernel.integer(element, int(value or 0))
    return lambda kernel: kernel.floating(element, value or 0.0)


def _combine(op: str, elements: Sequence[str]) -> Callable[..., None]:
    def body(kernel: Kernel, *values: Any) -> None:
        sums: list[Any] = []
        for index, element in enumerate(elements):
            lhs, rhs = values[2 * index : 2 * index + 2]
            name = ("andi" if element == "i1" else "addi") if element.startswith("i") else op
            sums.append(kernel.op(name, result_type=element, lhs=lhs, rhs=rhs))
        kernel.op("yield", operands=sums)

    return body


def fold(
    op: str,
    name: str,
    shape: str,
    dim: int,
    elements: Sequence[str],
    *,
    combine: str = "addf",
    identities: Sequence[Identity] = (),
    reverse: bool | None = None,
) -> Sample:
    """A reduce or scan of one tile per element type, with that many identities."""
    sizes = shape.split("x")
    left = [s for i, s in enumerate(sizes) if i != dim] if op == "reduce" else sizes
    results = ["x".join([*left, t]) for t in elements]
    given: dict[str, Any] = {} if reverse is None else {"reverse": reverse}
    made = list(identities) or [_identity(t) for t in elements]

    def build(kernel: Kernel) -> None:
        kernel.op(
            op,
            regions=[([t for t in elements for _ in range(2)], _combine(combine, elements))],
            result_types=results,
            operands=[f"{shape}x{t}" for t in elements],
            dim=dim,
            identities=[identity(kernel) for identity in made],
            **given,
        )

    return Sample(op, name, build, since_of(op, list(elements), None))


def _folds() -> list[Sample]:
    samples: list[Sample] = []
    for op, reverse in (("reduce", None), ("scan", False)):
        samples += [fold(op, t, "4x8", 1, [t], reverse=reverse) for t in (*BASE_FLOATS, *INTEGERS)]
        samples += [
            fold(op, "dim0", "4x8", 0, ["f32"], reverse=reverse),
            fold(op, "rank1", "8", 0, ["f32"], reverse=reverse),
            fold(
                op,
                "max",
                "4x8",
                1,
                ["f32"],
                combine="maxf",
                identities=[_identity("f32", float("-inf"))],
                reverse=reverse,
            ),
            fold(
                op,
                "identity-minus-one",
                "4x8",
                1,
                ["i32"],
                identities=[_identity("i32", -1)],
                reverse=reverse,
            ),
            fold(
                op, "identity-one-i64", "4x8", 1, ["i64"], identities=[_identity("i64", -1)], reverse=reverse
            ),
            fold(
                op,
                "identity-bf16-for-f16",
                "4x8",
                1,
                ["f16"],
                identities=[_identity("bf16", 1.0)],
                reverse=reverse,
            ),
            fold(op, "two", "4x8", 1, ["f32", "i32"], reverse=reverse),
            fold(op, "three", "8", 0, ["f32", "i32", "f16"], reverse=reverse),
        ]
    lost = (
        "the package writes the pattern of a negative f64 in 65 bits; tileirdisasm reads it without its sign"
    )
    for op, reverse in (("reduce", None), ("scan", False)):
        negative = fold(
            op,
            "identity-negative-f64",
            "4x8",
            1,
            ["f64"],
            identities=[_identity("f64", -2.0)],
            reverse=reverse,
        )
        samples.append(replace(negative, note=lost))
    samples.append(fold("scan", "reverse", "4x8", 1, ["f32"], reverse=True))
    return samples


def _same_elements(values: Sequence[int]) -> Any:
    """The predicate the vendor's package declares but has no encoder for."""
    attribute = vendor("attribute")

    class Spelled(attribute.SameElements):
        def encode_tagged(self, string_table: Any, buf: bytearray) -> None:
            buf.append(9)
            vendor("basic").encode_int_list(self.values, 8, buf)

    return Spelled(list(values))


def assume(name: str, spec: str, predicate: Callable[[], Any], arguments: Sequence[str] = ()) -> Sample:
    """An assume of one predicate on an operand of the spelled type."""
    return one_op(
        "assume", name, arguments=arguments, result_type=spec, value=spec, predicate=lambda _: predicate()
    )


def div_by(divisor: int, every: int | None = None, along: int | None = None) -> Any:
    """A div_by predicate."""
    return vendor("attribute").DivBy(divisor, every, along)


def bounded(low: int | None, high: int | None) -> Any:
    """A bounded predicate; None is an open end."""
    return vendor("attribute").Bounded(low, high)


def same_elements(*values: int) -> Any:
    """A same_elements predicate."""
    return _same_elements(values)


def _on_tensor_view(kernel: Kernel) -> None:
    view = kernel.types.tensor_view("f32", [8], [1])
    kernel.op("assume", result_type=view, value=kernel.tensor(view, "ptr<f32>"), predicate=div_by(16))


def _assumes() -> list[Sample]:
    samples = [assume("div_by", "i32", lambda: div_by(16))]
    samples += [
        assume(f"div_by-{t}", f"8x{t}", lambda: div_by(4, 2, 0))
        for t in ("i8", "i16", "i32", "i64", "ptr<f32>")
    ]
    samples += [
        assume("div_by-ptr-argument", "ptr<f32>", lambda: div_by(16), ("ptr<f32>",)),
        assume("div_by-largest", "i64", lambda: div_by(1 << 62)),
        assume("div_by-second-dim", "4x8xi32", lambda: div_by(1, 8, 1)),
        assume("bounded-both", "i32", lambda: bounded(0, 7)),
        assume("bounded-low", "4xi32", lambda: bounded(-5, None)),
        assume("bounded-high", "i64", lambda: bounded(None, 2**63 - 1)),
        assume("bounded-open", "i8", lambda: bounded(None, None)),
        assume("bounded-extreme", "i8", lambda: bounded(-128, 127)),
        assume("same_elements", "8x16xi32", lambda: same_elements(1, 4)),
        assume("same_elements-rank0", "i32", lambda: same_elements()),
        assume("same_elements-ptr", "8xptr<f32>", lambda: same_elements(8)),
        Sample("assume", "div_by-tensor_view", _on_tensor_view, arguments=("ptr<f32>",)),
    ]
    return samples


def samples() -> list[Sample]:
    """Every sample of this family; the first of an op is its plainest."""
    return [s for family in (_constants, _shapes, _multiplies, _folds, _assumes) for s in family()]
