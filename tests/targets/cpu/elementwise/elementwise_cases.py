"""Every operation on elements with every type: how it is made, and what the interpreter says it means."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from tests.targets.cpu.elementwise.elementwise_harness import Case, format_of
from tilewright.dialects.arith import ops_conversion as casts, ops_float as arith_floats, ops_integer as arith
from tilewright.dialects.arith.attributes import CmpFPredicate, CmpIPredicate
from tilewright.dialects.math import dialect as math
from tilewright.dialects.nv_tileaa.attributes import RoundingMode
from tilewright.dialects.nv_tileaa.ops import math as aa, pointer as pointers
from tilewright.dialects.nv_tileaa.types import PtrType
from tilewright.interp.numerics import arithmetic, convert, integers
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import (
    IntegerType,
    bf16,
    f4E2M1FN,
    f8E4M3FN,
    f8E5M2,
    f8E8M0FNU,
    f16,
    f32,
    f64,
    fnv8E5M3FNU,
    i1,
    i8,
    i16,
    i32,
    i64,
    tf32,
)

FLOATS = (f16, bf16, f32, f64)
INTEGERS = (i1, i8, i16, i32, i64)
i4 = IntegerType(4)
FORMATS = (f64, f32, tf32, f16, bf16, f8E4M3FN, f8E5M2, f8E8M0FNU, f4E2M1FN, fnv8E5M3FNU)
DIRECTED = ("zero", "negative_inf", "positive_inf")
POINTER = PtrType(f32, 1)


@dataclass(frozen=True)
class Exact:
    """A case whose results are those of the interpreter, bit for bit."""

    case: Case
    result: Type
    reference: Callable[..., Any]


def _mode(name: str) -> RoundingMode:
    return RoundingMode[name.upper()]


def _exact(
    name: str, types: tuple[Any, ...], result: Any, make: Any, reference: Any, lanes: int = 16
) -> Exact:
    return Exact(Case(f"{name}_{lanes}", types, make, lanes), result, reference)


# --- floats

ROUNDED: dict[str, tuple[type[Any], Any, int]] = {
    "add": (aa.AddFOp, arithmetic.addf, 2),
    "sub": (aa.SubFOp, arithmetic.subf, 2),
    "mul": (aa.MulFOp, arithmetic.mulf, 2),
    "div": (aa.DivFOp, arithmetic.divf, 2),
    "fma": (aa.FmaOp, arithmetic.fma, 3),
    "sqrt": (aa.SqrtOp, arithmetic.sqrt, 1),
}


def float_arithmetic() -> Iterator[Exact]:
    for name, (op, reference, arity) in ROUNDED.items():
        for type in FLOATS:
            for mode in ("nearest_even", *DIRECTED):
                yield _exact(
                    f"{name}_{type}_{mode}",
                    (type,) * arity,
                    type,
                    partial(op, rounding_mode=_mode(mode)),
                    partial(reference, rounding=mode),
                    8 if type is f64 else 16,
                )
        for mode in ("nearest_even", "zero"):
            yield _exact(
                f"{name}_ftz_{mode}",
                (f32,) * arity,
                f32,
                partial(op, rounding_mode=_mode(mode), flush_to_zero=True),
                partial(reference, rounding=mode, flush_to_zero=True),
            )
    for mode in ("approx", "full"):
        make = partial(aa.DivFOp, rounding_mode=_mode(mode))
        yield _exact(f"div_{mode}", (f32, f32), f32, make, partial(arithmetic.divf, rounding=mode))


def with_sign_of(magnitude: Any, sign: Any) -> Any:
    """The bits of one number with the sign of another, also of NaN."""
    unsigned = np.dtype(f"u{magnitude.dtype.itemsize}")
    top = unsigned.type(1 << 8 * unsigned.itemsize - 1)
    bits = magnitude.view(unsigned) & ~top | sign.view(unsigned) & top
    return bits.view(magnitude.dtype)


def clamped(number: Any, low: Any, high: Any) -> Any:
    """NaN where one of three numbers is."""
    raised = arithmetic.maxf(number, low, propagate_nan=True)
    return arithmetic.minf(raised, high, propagate_nan=True)


BIT_OPS: dict[str, tuple[type[Any], Any, int]] = {
    "negf": (arith_floats.NegFOp, arithmetic.negf, 1),
    "absf": (math.AbsFOp, arithmetic.absf, 1),
    "ceil": (math.CeilOp, arithmetic.ceil, 1),
    "floor": (math.FloorOp, arithmetic.floor, 1),
    "remf": (arith_floats.RemFOp, arithmetic.remf, 2),
    "addf": (arith_floats.AddFOp, arithmetic.addf, 2),
    "subf": (arith_floats.SubFOp, arithmetic.subf, 2),
    "mulf": (arith_floats.MulFOp, arithmetic.mulf, 2),
    "divf": (arith_floats.DivFOp, arithmetic.divf, 2),
    "maxnumf": (arith_floats.MaxNumFOp, arithmetic.maxf, 2),
    "minnumf": (arith_floats.MinNumFOp, arithmetic.minf, 2),
    "maximumf": (arith_floats.MaximumFOp, partial(arithmetic.maxf, propagate_nan=True), 2),
    "minimumf": (arith_floats.MinimumFOp, partial(arithmetic.minf, propagate_nan=True), 2),
    "copysign": (math.CopySignOp, with_sign_of, 2),
    "clampf": (math.ClampFOp, clamped, 3),
}
RELATIONS = {
    "EQ": "equal",
    "NE": "not_equal",
    "LT": "less_than",
    "LE": "less_than_or_equal",
    "GT": "greater_than",
    "GE": "greater_than_or_equal",
}


def float_functions() -> Iterator[Exact]:
    for name, (op, reference, arity) in BIT_OPS.items():
        for type in FLOATS:
            yield _exact(f"{name}_{type}", (type,) * arity, type, op, reference)
    for op, flushed in ((aa.MaxNumFOp, arithmetic.maxf), (aa.MinNumFOp, arithmetic.minf)):
        name, make = op.op_kind.mnemonic, partial(op, flush_to_zero=True)
        yield _exact(f"{name}_ftz", (f32, f32), f32, make, partial(flushed, flush_to_zero=True))
    for letter, ordering in (("O", "ordered"), ("U", "unordered")):
        for code, relation in RELATIONS.items():
            types = FLOATS if code == "LT" else (f32,)
            for type in types:
                make = partial(arith_floats.CmpFOp, CmpFPredicate[letter + code])
                reference = partial(arithmetic.cmpf, predicate=relation, ordering=ordering)
                yield _exact(f"cmpf_{letter}{code}_{type}", (type, type), i1, make, reference)


# --- integers

INTEGER_OPS: dict[str, tuple[type[Any], Any]] = {
    "addi": (arith.AddIOp, integers.addi),
    "subi": (arith.SubIOp, integers.subi),
    "muli": (arith.MulIOp, integers.muli),
    "mulhi": (aa.MulhiUIOp, integers.mulhii),
    "divsi": (arith.DivSIOp, partial(integers.divi, signed=True)),
    "divui": (arith.DivUIOp, partial(integers.divi, signed=False)),
    "ceildivsi": (arith.CeilDivSIOp, partial(integers.divi, signed=True, rounding="positive_inf")),
    "ceildivui": (arith.CeilDivUIOp, partial(integers.divi, signed=False, rounding="positive_inf")),
    "floordivsi": (arith.FloorDivSIOp, partial(integers.divi, signed=True, rounding="negative_inf")),
    "remsi": (arith.RemSIOp, partial(integers.remi, signed=True)),
    "remui": (arith.RemUIOp, partial(integers.remi, signed=False)),
    "maxsi": (arith.MaxSIOp, partial(integers.maxi, signed=True)),
    "maxui": (arith.MaxUIOp, partial(integers.maxi, signed=False)),
    "minsi": (arith.MinSIOp, partial(integers.mini, signed=True)),
    "minui": (arith.MinUIOp, partial(integers.mini, signed=False)),
    "andi": (arith.AndIOp, integers.andi),
    "ori": (arith.OrIOp, integers.ori),
    "xori": (arith.XOrIOp, integers.xori),
    "shli": (arith.ShLIOp, integers.shli),
    "shrsi": (arith.ShRSIOp, partial(integers.shri, signed=True)),
    "shrui": (arith.ShRUIOp, partial(integers.shri, signed=False)),
}


def integer_arithmetic() -> Iterator[Exact]:
    for name, (op, reference) in INTEGER_OPS.items():
        for type in INTEGERS:
            yield _exact(f"{name}_{type}", (type, type), type, op, reference)
        if "div" in name or "rem" in name:
            yield _exact(f"{name}_i32", (i32, i32), i32, op, reference, lanes=1)
    for type in INTEGERS:
        yield _exact(f"absi_{type}", (type,), type, math.AbsIOp, integers.absi)
        for code, relation in RELATIONS.items():
            signs = ("",) if code in ("EQ", "NE") else ("S", "U")
            for sign in signs:
                make = partial(arith.CmpIOp, CmpIPredicate[sign + code])
                reference = partial(integers.cmpi, predicate=relation, signed=sign != "U")
                if type in (i32, i1) or code == "LT":
                    yield _exact(f"cmpi_{sign}{code}_{type}", (type, type), i1, make, reference)


# --- conversions


def float_conversions() -> Iterator[Exact]:
    for source in FORMATS:
        for target in FORMATS:
            if source is target:
                continue
            is_f32_to_tf32 = source is f32 and target is tf32
            for mode in ("nearest_even", *DIRECTED, *(("nearest_away",) if is_f32_to_tf32 else ())):
                rounds = format_of(target).precision < format_of(source).precision or mode == "nearest_even"
                if not rounds:
                    continue
                reference = partial(
                    convert.ftof, source=format_of(source), target=format_of(target), rounding=mode
                )
                make = partial(aa.FpToFpOp, rounding_mode=_mode(mode), result_types=[target])
                yield _exact(f"ftof_{source}_{target}_{mode}", (source,), target, make, reference)


def integer_conversions() -> Iterator[Exact]:
    for integer in (i1, i4, i8, i16, i32, i64):
        for form in FORMATS:
            if form is f8E8M0FNU or (integer is i4 and form is not f32):
                continue
            for signed, op in ((True, casts.SIToFPOp), (False, casts.UIToFPOp)):
                if integer is i4:
                    continue
                reference = partial(convert.itof, target=format_of(form), signed=signed)
                make = partial(op, result_types=[form])
                yield _exact(f"itof_{integer}_{form}_{signed}", (integer,), form, make, reference)
            for signed, op in ((True, casts.FPToSIOp), (False, casts.FPToUIOp)):
                reference = partial(
                    convert.ftoi, source=format_of(form), target=format_of(integer), signed=signed
                )
                make = partial(op, result_types=[integer])
                yield _exact(f"ftoi_{form}_{integer}_{signed}", (form,), integer, make, reference)
        for other in (i1, i4, i8, i16, i32, i64):
            yield from _resizes(integer, other)


def _resizes(source: Any, target: Any) -> Iterator[Exact]:
    if source.width < target.width:
        for signed, op in ((True, casts.ExtSIOp), (False, casts.ExtUIOp)):
            reference = partial(
                convert.exti, source=format_of(source), target=format_of(target), signed=signed
            )
            make = partial(op, result_types=[target])
            yield _exact(f"exti_{source}_{target}_{signed}", (source,), target, make, reference)
    if source.width > target.width:
        reference = partial(convert.trunci, target=format_of(target))
        make = partial(casts.TruncIOp, result_types=[target])
        yield _exact(f"trunci_{source}_{target}", (source,), target, make, reference)


BY_WIDTH: dict[int, tuple[Any, ...]] = {
    4: (i4, f4E2M1FN),
    8: (i8, f8E4M3FN, f8E5M2, f8E8M0FNU),
    16: (i16, f16, bf16),
    32: (i32, f32),
    64: (i64, f64),
}


def bitcasts() -> Iterator[Exact]:
    for types in BY_WIDTH.values():
        for source in types:
            for target in types:
                if source is not target:
                    reference = partial(convert.bitcast, source=format_of(source), target=format_of(target))
                    make = partial(pointers.BitcastOp, result_types=[target])
                    yield _exact(f"bitcast_{source}_{target}", (source,), target, make, reference)
    same = partial(pointers.PtrToIntOp, result_types=[i64])
    yield _exact("ptr_to_int", (POINTER,), i64, same, lambda x: x)
    yield _exact(
        "int_to_ptr", (i64,), POINTER, partial(pointers.IntToPtrOp, result_types=[POINTER]), lambda x: x
    )
    yield _exact("addptr", (POINTER, i32), POINTER, pointers.AddPtrOp, lambda x, y: x + 4 * y.astype("i8"))
    yield _exact("select", (i1, f8E4M3FN, f8E4M3FN), f8E4M3FN, arith.SelectOp, np.where)
