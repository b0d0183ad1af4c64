"""Integer arithmetic, and arithmetic on integers of several words."""

from __future__ import annotations

from tilewright.ptx.table.notation import Chapter, InstructionForm

INTEGER = Chapter("9.7.1", "integer arithmetic")
EXTENDED = Chapter("9.7.2", "extended-precision integer arithmetic")
ALL = "type=u16|u32|u64|s16|s32|s64"
WIDE = (("u16", "u32"), ("u32", "u64"), ("s16", "s32"), ("s32", "s64"))
"""Types of factors, and types of full products."""


def _sums() -> list[InstructionForm]:
    form = INTEGER.form
    return [
        *INTEGER.forms("add sub", ALL, ">d:type a:type b:type"),
        *INTEGER.forms("add sub", "sat type=s32", ">d:type a:type b:type"),
        form("add", "type=u16x2|s16x2", ">d:type a:type b:type", sm=90, ptx="8.0"),
        *INTEGER.forms("div rem", ALL, ">d:type a:type b:type"),
        *INTEGER.forms("abs neg", "type=s16|s32|s64", ">d:type a:type"),
        *INTEGER.forms("min max", ALL, ">d:type a:type b:type"),
        *INTEGER.forms("min max", "type=u16x2|s16x2", ">d:type a:type b:type", sm=90, ptx="8.0"),
        *INTEGER.forms("min max", "relu type=s16x2|s32", ">d:type a:type b:type", sm=90, ptx="8.0"),
        form("sad", ALL, ">d:type a:type b:type c:type"),
    ]


def _products() -> list[InstructionForm]:
    rows = [
        *INTEGER.forms("mul", f"mode {ALL}", ">d:type a:type b:type"),
        *INTEGER.forms("mad", f"mode {ALL}", ">d:type a:type b:type c:type"),
        *INTEGER.forms("mad", "hi sat type=s32", ">d:type a:type b:type c:type"),
        *INTEGER.forms("mul24", "mode type=u32|s32", ">d:type a:type b:type"),
        *INTEGER.forms("mad24", "mode type=u32|s32", ">d:type a:type b:type c:type"),
        *INTEGER.forms("mad24", "hi sat type=s32", ">d:type a:type b:type c:type"),
        INTEGER.form("dp4a", "atype=u32|s32 btype=u32|s32", ">d:b32 a:b32 b:b32 c:b32", sm=61, ptx="5.0"),
        INTEGER.form(
            "dp2a", "mode atype=u32|s32 btype=u32|s32", ">d:b32 a:b32 b:b32 c:b32", sm=61, ptx="5.0"
        ),
    ]
    for narrow, wide in WIDE:
        rows.append(INTEGER.form("mul", f"wide type={narrow}", f">d:{wide} a:type b:type"))
        rows.append(INTEGER.form("mad", f"wide type={narrow}", f">d:{wide} a:type b:type c:{wide}"))
    return rows


def _bits() -> list[InstructionForm]:
    form = INTEGER.form
    return [
        *INTEGER.forms("popc clz", "type=b32|b64", ">d:u32 a:type", sm=20, ptx="2.0"),
        form("bfind", "shiftamt? type=u32|u64|s32|s64", ">d:u32 a:type", sm=20, ptx="2.0"),
        form("fns", "type=b32", ">d:b32 mask:b32 base:b32 offset:s32", sm=30, ptx="6.0"),
        form("brev", "type=b32|b64", ">d:type a:type", sm=20, ptx="2.0"),
        form("bfe", "type=u32|u64|s32|s64", ">d:type a:type b:u32 c:u32", sm=20, ptx="2.0"),
        form("bfi", "type=b32|b64", ">f:type a:type b:type c:u32 d:u32", sm=20, ptx="2.0"),
        form("bmsk", "clamped=clamp|wrap type=b32", ">d:type a:u32 b:u32", sm=70, ptx="7.6"),
        form("szext", "clamped=clamp|wrap type=u32|s32", ">d:type a:type b:u32", sm=70, ptx="7.6"),
    ]


def _extended() -> list[InstructionForm]:
    words = "type=u32|s32|u64|s64"
    return [
        *EXTENDED.forms("add sub", f"cc {words}", ">d:type a:type b:type"),
        *EXTENDED.forms("addc subc", f"cc? {words}", ">d:type a:type b:type"),
        EXTENDED.form("mad", f"mode cc {words}", ">d:type a:type b:type c:type", sm=20, ptx="3.0"),
        EXTENDED.form("madc", f"mode cc? {words}", ">d:type a:type b:type c:type", sm=20, ptx="3.0"),
    ]


FORMS = (*_sums(), *_products(), *_bits(), *_extended())
