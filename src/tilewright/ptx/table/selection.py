"""Comparison, selection, logic and shifts."""

from __future__ import annotations

from tilewright.ptx.table.notation import Chapter, InstructionForm

COMPARE = Chapter("9.7.6", "comparison and selection")
HALF = Chapter("9.7.7", "half-precision comparison")
LOGIC = Chapter("9.7.8", "logic and shift")
INTEGER_ORDERS = (
    ("cmp=eq|ne", "type=b16|b32|b64"),
    ("cmp=eq|ne|lt|le|gt|ge", "type=s16|s32|s64"),
    ("cmp=eq|ne|lt|le|gt|ge|lo|ls|hi|hs", "type=u16|u32|u64"),
)
FLOAT_ORDERS = "cmp=eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan"
INTEGERS = "type=b16|b32|b64|u16|u32|u64|s16|s32|s64"
WORDS = "dtype=u32|s32|f32"


def _compare() -> list[InstructionForm]:
    form, rows = COMPARE.form, list[InstructionForm]()
    for orders, types in (*INTEGER_ORDERS, (f"{FLOAT_ORDERS} ftz?", "type=f32|f64")):
        rows.append(form("set", f"{orders} {WORDS} {types}", ">d:dtype a:type b:type"))
        rows.append(form("set", f"{orders} bool {WORDS} {types}", ">d:dtype a:type b:type !c:pred"))
        rows.append(form("setp", f"{orders} {types}", ">p:pred|q:pred a:type b:type"))
        order, *flush = orders.split()
        joined = " ".join((order, "bool", *flush, types))
        rows.append(form("setp", joined, ">p:pred|q:pred a:type b:type !c:pred"))
    return [
        *rows,
        form("selp", f"{INTEGERS}|f32|f64", ">d:type a:type b:type !c:pred"),
        form(
            "slct",
            f"ftz? {INTEGERS.replace('type', 'dtype')}|f32|f64 type=s32|f32",
            ">d:dtype a:dtype b:dtype c:type",
        ),
    ]


def _half() -> list[InstructionForm]:
    rows = list[InstructionForm]()
    for bool_, last in (("", ""), (" bool", " !c:pred")):
        for types, sm, ptx in (("f16", 53, "4.2"), ("bf16", 90, "7.8")):
            orders = f"{FLOAT_ORDERS}{bool_}" + (" ftz?" if types == "f16" else "")
            words = f"dtype=u16|s16|u32|s32|{types} type={types}"
            rows.append(
                HALF.form("set", f"{orders} {words}", f">d:dtype a:type b:type{last}", sm=sm, ptx=ptx)
            )
            packed = f"dtype={types}x2|u32|s32 type={types}x2"
            rows.append(HALF.form("set", f"{orders} {packed}", f">d:b32 a:type b:type{last}", sm=sm, ptx=ptx))
            rows.append(
                HALF.form("setp", f"{orders} type={types}", f">p:pred a:type b:type{last}", sm=sm, ptx=ptx)
            )
            pair = f">p:pred|q:pred a:type b:type{last}"
            rows.append(HALF.form("setp", f"{orders} type={types}x2", pair, sm=sm, ptx=ptx))
    return rows


def _logic() -> list[InstructionForm]:
    form, bits = LOGIC.form, "type=b16|b32|b64"
    return [
        *LOGIC.forms("and or xor", f"{bits}|pred", ">d:type a:type b:type"),
        form("not", f"{bits}|pred", ">d:type a:type"),
        form("cnot", bits, ">d:type a:type"),
        form("lop3", "type=b32", ">d:b32 a:b32 b:b32 c:b32 #table", sm=50, ptx="4.3"),
        form(
            "lop3", "bool=or|and type=b32", ">d:b32|p:pred a:b32 b:b32 c:b32 #table !q:pred", sm=70, ptx="8.2"
        ),
        form(
            "shf", "direction=l|r clamped=clamp|wrap type=b32", ">d:b32 a:b32 b:b32 c:u32", sm=32, ptx="3.1"
        ),
        form("shl", bits, ">d:type a:type b:u32"),
        form("shr", f"{bits}|u16|u32|u64|s16|s32|s64", ">d:type a:type b:u32"),
    ]


FORMS = (*_compare(), *_half(), *_logic())
