"""Arithmetic on floating-point numbers of all widths."""

from __future__ import annotations

from tilewright.ptx.table.notation import Chapter, InstructionForm

FLOAT = Chapter("9.7.3", "floating-point arithmetic")
HALF = Chapter("9.7.4", "half-precision arithmetic")
MIXED = Chapter("9.7.5", "mixed-precision arithmetic")
HALVES = "type=f16|f16x2"
BRAINS = "type=bf16|bf16x2"


def _single() -> list[InstructionForm]:
    form, forms = FLOAT.form, FLOAT.forms
    return [
        form(
            "testp",
            "op=finite|infinite|number|notanumber|normal|subnormal type=f32|f64",
            ">p:pred a:type",
            ptx="2.0",
        ),
        form("copysign", "type=f32|f64", ">d:type a:type b:type", ptx="2.0"),
        *forms("add sub mul", "rnd? ftz? sat? type=f32", ">d:type a:type b:type"),
        *forms("add sub mul", "rnd? ftz? type=f32x2", ">d:type a:type b:type", sm=100, ptx="8.6"),
        *forms("add sub mul", "rnd? type=f64", ">d:type a:type b:type"),
        form("fma", "rnd ftz? sat? type=f32", ">d:type a:type b:type c:type", sm=20, ptx="2.0"),
        form("fma", "rnd ftz? type=f32x2", ">d:type a:type b:type c:type", sm=100, ptx="8.6"),
        form("fma", "rnd type=f64", ">d:type a:type b:type c:type"),
        form("mad", "rnd? ftz? sat? type=f32", ">d:type a:type b:type c:type"),
        form("mad", "rnd type=f64", ">d:type a:type b:type c:type"),
        *forms("abs neg", "ftz? type=f32", ">d:type a:type"),
        *forms("abs neg", "type=f64", ">d:type a:type"),
        *forms("min max", "ftz? type=f32", ">d:type a:type b:type"),
        *forms("min max", "ftz? nan=NaN type=f32", ">d:type a:type b:type", sm=80, ptx="7.0"),
        *forms(
            "min max", "ftz? nan=NaN? xorsign=xorsign abs type=f32", ">d:type a:type b:type", sm=86, ptx="7.2"
        ),
        *forms("min max", "ftz? nan=NaN? abs? type=f32", ">d:type a:type b:type c:type", sm=100, ptx="8.8"),
        *forms("min max", "type=f64", ">d:type a:type b:type"),
    ]


def _quotients() -> list[InstructionForm]:
    form, forms = FLOAT.form, FLOAT.forms
    return [
        form("div", "kind=approx|full ftz? type=f32", ">d:type a:type b:type"),
        form("div", "rnd ftz? type=f32", ">d:type a:type b:type"),
        form("div", "rnd type=f64", ">d:type a:type b:type"),
        *forms("rcp sqrt", "approx ftz? type=f32", ">d:type a:type"),
        *forms("rcp sqrt", "rnd ftz? type=f32", ">d:type a:type"),
        *forms("rcp sqrt", "rnd type=f64", ">d:type a:type"),
        form("rcp", "approx ftz type=f64", ">d:type a:type", sm=20, ptx="2.1"),
        form("rsqrt", "approx ftz? type=f32", ">d:type a:type"),
        form("rsqrt", "approx ftz? type=f64", ">d:type a:type"),
        *forms("sin cos lg2 ex2", "approx ftz? type=f32", ">d:type a:type"),
        form("tanh", "approx type=f32", ">d:type a:type", sm=75, ptx="7.0"),
    ]


def _half() -> list[InstructionForm]:
    form, forms = HALF.form, HALF.forms
    return [
        *forms("add sub mul", f"rnd=rn? ftz? sat? {HALVES}", ">d:type a:type b:type", sm=53, ptx="4.2"),
        *forms("add sub mul", f"rnd=rn? {BRAINS}", ">d:type a:type b:type", sm=90, ptx="7.8"),
        form("fma", f"rnd=rn ftz? sat? {HALVES}", ">d:type a:type b:type c:type", sm=53, ptx="4.2"),
        form("fma", f"rnd=rn ftz? relu {HALVES}", ">d:type a:type b:type c:type", sm=80, ptx="7.0"),
        form("fma", f"rnd=rn relu? {BRAINS}", ">d:type a:type b:type c:type", sm=80, ptx="7.0"),
        form(
            "fma",
            "rnd=rn oob relu? type=f16|f16x2|bf16|bf16x2",
            ">d:type a:type b:type c:type",
            sm=90,
            ptx="8.1",
        ),
        *forms("abs neg", f"ftz? {HALVES}", ">d:type a:type", sm=53, ptx="6.5"),
        *forms("abs neg", BRAINS, ">d:type a:type", sm=80, ptx="7.0"),
        *forms(
            "min max",
            f"ftz? nan=NaN? xorsign=xorsign? abs? {HALVES}",
            ">d:type a:type b:type",
            sm=80,
            ptx="7.0",
        ),
        *forms(
            "min max", f"nan=NaN? xorsign=xorsign? abs? {BRAINS}", ">d:type a:type b:type", sm=80, ptx="7.0"
        ),
        *forms("tanh ex2", f"approx {HALVES}", ">d:type a:type", sm=75, ptx="7.0"),
        form("tanh", f"approx {BRAINS}", ">d:type a:type", sm=90, ptx="7.8"),
        form("ex2", f"approx ftz {BRAINS}", ">d:type a:type", sm=90, ptx="7.8"),
    ]


def _mixed() -> list[InstructionForm]:
    return [
        *MIXED.forms(
            "add sub", "rnd? sat? type=f32 atype=f16|bf16", ">d:type a:atype c:type", sm=100, ptx="8.6"
        ),
        MIXED.form(
            "fma", "rnd sat? type=f32 atype=f16|bf16", ">d:type a:atype b:atype c:type", sm=100, ptx="8.6"
        ),
    ]


FORMS = (*_single(), *_quotients(), *_half(), *_mixed())
