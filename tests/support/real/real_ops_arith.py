"""Real-writer samples of the element-wise, conversion and comparison ops."""

from __future__ import annotations

from itertools import product
from typing import Any

from tests.support.real.real_sample import Sample, each, one_op

BASE_FLOATS = ("f32", "f16", "bf16", "f64")
INTEGERS = ("i32", "i1", "i8", "i16", "i64")
FLOATS = (*BASE_FLOATS, "tf32", "f8E4M3FN", "f8E5M2", "f8E8M0FNU", "f4E2M1FN", "fnv8E5M3FNU")
SIGNS = ("signed", "unsigned")
IEEE = ("nearest_even", "zero", "negative_inf", "positive_inf")
OVERFLOWS = ("none", "no_signed_wrap", "no_unsigned_wrap", "no_wrap")
PREDICATES = (
    "equal",
    "not_equal",
    "less_than",
    "less_than_or_equal",
    "greater_than",
    "greater_than_or_equal",
)

UNARY_FLOAT = ("absf", "negf", "ceil", "floor", "cos", "cosh", "sin", "sinh", "tan", "log", "log2")
BINARY_FLOAT = {"pow": ("source", "exponent"), "atan2": ("x", "y"), "remf": ("lhs", "rhs")}
ROUNDED_FLOAT = {
    "addf": IEEE,
    "subf": IEEE,
    "mulf": IEEE,
    "fma": IEEE,
    "divf": (*IEEE, "approx", "full"),
    "sqrt": (*IEEE, "approx"),
}
BINARY_INTEGER = ("andi", "ori", "xori", "mulhii")
SIGNED_INTEGER = ("maxi", "mini", "remi", "shri")
WRAPPING_INTEGER = ("addi", "subi", "muli", "shli")

NARROW = ("f8E4M3FN", "f8E5M2", "f4E2M1FN", "fnv8E5M3FNU")
WIDENING = (*IEEE, "nearest_away")


def same(spec: str, *operands: str) -> dict[str, Any]:
    """Result and the named operands all of one type."""
    return {"result_type": spec, **dict.fromkeys(operands, spec)}


def _rounded_operands(op: str) -> tuple[str, ...]:
    return {"fma": ("lhs", "rhs", "acc"), "sqrt": ("source",)}.get(op, ("lhs", "rhs"))


def _unary() -> list[Sample]:
    samples = [one_op(op, t, **same(f"4x{t}", "source")) for op in UNARY_FLOAT for t in BASE_FLOATS]
    samples += [one_op(op, "rank0", **same("f32", "source")) for op in UNARY_FLOAT]
    samples += [one_op("absi", t, **same(f"2x8x{t}", "source")) for t in INTEGERS]
    samples += [one_op("negi", t, **same(f"16x{t}", "source")) for t in INTEGERS]
    samples += each("negi", "overflow", OVERFLOWS[:2], since=(13, 2), **same("4xi32", "source"))
    return samples


def _flushing() -> list[Sample]:
    samples: list[Sample] = []
    for op in ("exp2", "rsqrt"):
        samples += [one_op(op, t, **same(f"4x{t}", "source")) for t in BASE_FLOATS]
        samples.append(one_op(op, "ftz", flush_to_zero=True, **same("4xf32", "source")))
    for op, since in (("exp", (13, 3)), ("tanh", (13, 2))):
        samples += [one_op(op, t, rounding_mode="full", **same(f"4x{t}", "source")) for t in BASE_FLOATS]
        samples.append(one_op(op, "approx", since=since, rounding_mode="approx", **same("4xf32", "source")))
    for op in ("maxf", "minf"):
        samples += [one_op(op, t, **same(f"4x{t}", "lhs", "rhs")) for t in BASE_FLOATS]
        for nan, ftz in ((True, False), (False, True), (True, True)):
            name = "-".join(["nan"] * nan + ["ftz"] * ftz)
            samples.append(
                one_op(op, name, propagate_nan=nan, flush_to_zero=ftz, **same("4xf32", "lhs", "rhs"))
            )
    return samples


def _rounded() -> list[Sample]:
    samples: list[Sample] = []
    for op, modes in ROUNDED_FLOAT.items():
        names = _rounded_operands(op)
        for mode, ftz in product(modes, (False, True)):
            name = f"f32-{mode}" + "-ftz" * ftz
            samples.append(one_op(op, name, rounding_mode=mode, flush_to_zero=ftz, **same("4xf32", *names)))
        for t, mode in product(BASE_FLOATS[1:], IEEE):
            samples.append(one_op(op, f"{t}-{mode}", rounding_mode=mode, **same(f"2x4x{t}", *names)))
    return samples


def _binary() -> list[Sample]:
    samples = [
        one_op(op, t, **same(f"4x{t}", *names)) for op, names in BINARY_FLOAT.items() for t in BASE_FLOATS
    ]
    samples += [
        one_op("fpowi", f"{t}-{i}", **same(f"4x{t}", "source"), exponent=f"4x{i}")
        for t, i in product(BASE_FLOATS, ("i32", "i1", "i8", "i16"))
    ]
    for op in BINARY_INTEGER:
        names = ("x", "y") if op == "mulhii" else ("lhs", "rhs")
        samples += [one_op(op, t, **same(f"4x{t}", *names)) for t in INTEGERS]
    for op, t, sign in product(SIGNED_INTEGER, INTEGERS, SIGNS):
        samples.append(one_op(op, f"{t}-{sign}", signedness=sign, **same(f"4x{t}", "lhs", "rhs")))
    for op, t, overflow in product(WRAPPING_INTEGER, INTEGERS, OVERFLOWS):
        samples.append(one_op(op, f"{t}-{overflow}", overflow=overflow, **same(f"4x{t}", "lhs", "rhs")))
    for t, (sign, mode) in product(
        INTEGERS,
        (
            ("signed", "zero"),
            ("signed", "negative_inf"),
            ("signed", "positive_inf"),
            ("unsigned", "zero"),
            ("unsigned", "positive_inf"),
        ),
    ):
        name = f"{t}-{sign}-{mode}"
        samples.append(one_op("divi", name, signedness=sign, rounding=mode, **same(f"4x{t}", "lhs", "rhs")))
    return samples


def _compares() -> list[Sample]:
    samples: list[Sample] = []
    for predicate, ordering in product(PREDICATES, ("ordered", "unordered")):
        operands: dict[str, Any] = {"result_type": "4xi1", "lhs": "4xf32", "rhs": "4xf32"}
        samples.append(
            one_op(
                "cmpf",
                f"f32-{predicate}-{ordering}",
                comparison_predicate=predicate,
                comparison_ordering=ordering,
                **operands,
            )
        )
    for predicate, sign in product(PREDICATES, SIGNS):
        operands = {"result_type": "4xi1", "lhs": "4xi32", "rhs": "4xi32"}
        samples.append(
            one_op(
                "cmpi", f"i32-{predicate}-{sign}", comparison_predicate=predicate, signedness=sign, **operands
            )
        )
    extras: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
        "cmpf": (BASE_FLOATS[1:], {"comparison_ordering": "ordered"}),
        "cmpi": (INTEGERS[1:], {"signedness": "signed"}),
    }
    for op, (kinds, extra) in extras.items():
        for t in kinds:
            operands = {"result_type": "2x4xi1", "lhs": f"2x4x{t}", "rhs": f"2x4x{t}"}
            samples.append(one_op(op, t, comparison_predicate="less_than", **extra, **operands))
    return samples


def _integer_conversions() -> list[Sample]:
    order = ("i1", "i4", "i8", "i16", "i32", "i64")
    samples: list[Sample] = []
    for low, high in ((a, b) for i, a in enumerate(order) for b in order[i + 1 :]):
        for sign in SIGNS:
            samples.append(
                one_op("exti", f"{low}-{high}-{sign}", to_type=f"8x{high}", from_=f"8x{low}", signedness=sign)
            )
        samples.append(one_op("trunci", f"{high}-{low}", to_type=f"8x{low}", from_=f"8x{high}"))
    samples += each("trunci", "overflow", OVERFLOWS, to_type="4xi8", from_="4xi32")
    exact = [t for t in FLOATS if t != "f8E8M0FNU"]
    for integer, number, sign in product(INTEGERS, exact, SIGNS):
        samples.append(
            one_op(
                "itof",
                f"{integer}-{number}-{sign}",
                to_type=f"4x{number}",
                from_=f"4x{integer}",
                signedness=sign,
            )
        )
    for number, integer, sign in product(FLOATS, INTEGERS, SIGNS):
        name, types = f"{number}-{integer}-{sign}", {"to_type": f"4x{integer}", "from_": f"4x{number}"}
        common: dict[str, Any] = {**types, "signedness": sign, "rounding_mode": "nearest_int_to_zero"}
        samples.append(one_op("ftoi", name, **common))
        samples.append(one_op("ftoi", f"{name}-sat", since=(13, 4), saturating=True, **common))
    order_first = {"exti": "i32-i64-signed", "trunci": "i32-i8"}
    return sorted(samples, key=lambda s: s.name != order_first.get(s.op, s.name))


def rounding_modes(source: str, target: str) -> tuple[str, ...]:
    """The rounding modes ``ftof`` may carry between two different float types."""
    bits = {"f64": 64, "f32": 32, "tf32": 19, "f16": 16, "bf16": 16}
    if target == "f8E8M0FNU":
        return ("zero", "positive_inf")
    if target in NARROW:
        return ("nearest_even",)
    if (source, target) == ("f32", "tf32"):
        return ("nearest_even", "zero", "nearest_away")
    if (source, target) == ("f64", "f32"):
        return IEEE
    # An exponent-only or five-bit-exponent unsigned source does not fit the smaller standard types.
    special = (source == "f8E8M0FNU" and target != "f64") or (source, target) == ("fnv8E5M3FNU", "f16")
    if special or bits.get(source, 8) >= bits[target]:
        return ("nearest_even", "zero")
    return WIDENING


def _float_conversions() -> list[Sample]:
    samples: list[Sample] = []
    for source, target in product(FLOATS, FLOATS):
        for mode in rounding_modes(source, target) if source != target else ():
            since = (13, 4) if mode == "nearest_away" else None
            samples.append(
                one_op(
                    "ftof",
                    f"{source}-{target}-{mode}",
                    since=since,
                    to_type=f"4x{target}",
                    from_=f"4x{source}",
                    rounding_mode=mode,
                )
            )
    return samples


def _bit_conversions() -> list[Sample]:
    widths = {
        "i8": 8,
        "f8E4M3FN": 8,
        "f8E5M2": 8,
        "f8E8M0FNU": 8,
        "fnv8E5M3FNU": 8,
        "i16": 16,
        "f16": 16,
        "bf16": 16,
        "i32": 32,
        "f32": 32,
        "i64": 64,
        "f64": 64,
    }
    samples = [
        one_op("bitcast", f"{a}-{b}", result_type=f"4x{b}", source=f"4x{a}")
        for a, b in product(reversed(widths), widths)
        if a != b and widths[a] == widths[b]
    ]
    for spec in ("ptr<f32>", "4xptr<i8>"):
        integers = spec.replace("ptr<f32>", "i64").replace("ptr<i8>", "i64")
        samples.append(one_op("int_to_ptr", spec, result_type=spec, source=integers))
        samples.append(one_op("ptr_to_int", spec, result_type=integers, source=spec))
    for a, b in (("f32", "i32"), ("i8", "f64"), ("bf16", "i1")):
        samples.append(one_op("ptr_to_ptr", f"{a}-{b}", result_type=f"4xptr<{b}>", source=f"4xptr<{a}>"))
    # Eight-bit elements are left out: both sides must differ in width.
    bits = {
        "i32": 32,
        "i1": 1,
        "i4": 4,
        "i16": 16,
        "i64": 64,
        "f16": 16,
        "bf16": 16,
        "f32": 32,
        "tf32": 32,
        "f64": 64,
        "f4E2M1FN": 4,
    }
    for t, width in bits.items():
        packed = f"{64 * width // 8}xi8"
        samples.append(one_op("pack", t, result_type=packed, source=f"64x{t}"))
        samples.append(one_op("unpack", t, result_type=f"64x{t}", source=packed))
    return samples


def samples() -> list[Sample]:
    """Every sample of this family; the first of an op is its plainest."""
    families = (
        _unary,
        _flushing,
        _rounded,
        _binary,
        _compares,
        _integer_conversions,
        _float_conversions,
        _bit_conversions,
    )
    return [sample for family in families for sample in family()]
