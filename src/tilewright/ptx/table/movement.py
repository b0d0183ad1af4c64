"""Moves, loads and stores, exchanges within a warp, and conversions."""

from __future__ import annotations

from tilewright.ptx.table.notation import Chapter, InstructionForm
from tilewright.ptx.value_types import STORED

MOVE = Chapter("9.7.9", "data movement and conversion")
BITS = "b16|b32|b64"
PLAIN = "b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64"
MEMORY = f"type={'|'.join(name for name in STORED if name != 'f16')}"
INTEGERS, FLOATS = "u8|u16|u32|u64|s8|s16|s32|s64", "f16|f32|f64"
WIDER_INTEGERS = "u16|u32|u64|s16|s32|s64"


def _moves() -> list[InstructionForm]:
    form = MOVE.form
    vectors = "b16|b32|b64|u8|s8|b8|u16|s16|u32|s32|u64|s64|f32|f64"
    return [
        form("mov", f"type={PLAIN}|pred|b128", ">d:type a:type"),
        form("mov", f"vec type={vectors}", ">d:type*vec a:type*vec", wider=True),
        form("mov", "type=b16|b32|b64|b128", ">d:type a:type*pieces"),
        form("mov", "type=b16|b32|b64|b128", ">d:type*pieces a:type"),
        form(
            "prmt",
            "type=b32 selection=f4e|b4e|rc8|ecl|ecr|rc16?",
            ">d:b32 a:b32 b:b32 c:b32",
            sm=20,
            ptx="2.0",
        ),
        form("isspacep", "space", ">p:pred a:b64", sm=20, ptx="2.0", wider=True),
        form("cvta", "to? space type=u32|u64", ">p:type a:type", sm=20, ptx="2.0"),
        form("mapa", "space=shared::cluster? type=u32|u64", ">d:type a:type b:u32", sm=90, ptx="7.8"),
        form("getctarank", "space=shared::cluster? type=u32|u64", ">d:u32 a:type", sm=90, ptx="7.8"),
        form("shfl", "kind=up|down|bfly|idx type=b32", ">d:b32|p:pred a:b32 b:u32 c:u32"),
        form(
            "shfl.sync",
            "kind=up|down|bfly|idx type=b32",
            ">d:b32|p:pred a:b32 b:u32 c:u32 mask:b32",
            sm=30,
            ptx="6.0",
        ),
    ]


SHARED = "shared|shared::cta|shared::cluster"
CACHED = "l1? l2? hint?"


def _loads() -> list[InstructionForm]:
    """Return the forms of `ld`, for scalars and vectors: weak, with cache hints, read-only (`.nc`), volatile,
    and with a memory order.
    """
    rows, cop = list[InstructionForm](), "cop=ca|cg|cs|lu|cv?"
    for words in (
        f"weak? space? {cop} unified?",
        f"weak? space=global? {cop} {CACHED} prefetch? unified?",
        f"weak? space=global {cop} nc {CACHED} prefetch?",
        f"sem=volatile space=global|{SHARED}? prefetch?",
        f"sem=relaxed|acquire scope space=global|{SHARED}? {CACHED} prefetch?",
        "mmio sem=relaxed scope=sys space=global?",
    ):
        rows.append(MOVE.form("ld", f"{words} {MEMORY}", ">d:type [a] policy:b64?", wider=True))
        rows.append(MOVE.form("ld", f"{words} vec {MEMORY}", ">d:type*vec [a] policy:b64?", wider=True))
    return rows


def _stores() -> list[InstructionForm]:
    """Return the forms of `st`, for scalars and vectors: weak, with cache hints, volatile, and with a memory
    order.
    """
    rows, cop = list[InstructionForm](), "cop=wb|cg|cs|wt?"
    for words in (
        f"weak? space=global|local|param|param::func|{SHARED}? {cop}",
        f"weak? space=global? {cop} {CACHED}",
        f"sem=volatile space=global|{SHARED}?",
        f"sem=relaxed|release scope space=global|{SHARED}? {CACHED}",
        "mmio sem=relaxed scope=sys space=global?",
    ):
        rows.append(MOVE.form("st", f"{words} {MEMORY}", "[a] b:type policy:b64?", wider=True))
        rows.append(MOVE.form("st", f"{words} vec {MEMORY}", "[a] b:type*vec policy:b64?", wider=True))
    return rows


def _numbers() -> list[InstructionForm]:
    """Return the forms of `cvt` between scalar types, grouped by the rounding modifiers that they take."""
    kinds = (
        ("sat?", INTEGERS, INTEGERS),
        ("irnd ftz? sat?", INTEGERS, FLOATS),
        ("irnd sat?", WIDER_INTEGERS, "bf16"),
        ("rnd ftz? sat?", FLOATS, INTEGERS),
        ("rnd sat?", "bf16", WIDER_INTEGERS),
        ("rnd ftz? sat?", "f16", "f32|f64"),
        ("rnd ftz? sat?", "f32", "f64"),
        ("rnd ftz? sat?", "bf16", "f32|f64"),
        ("ftz? sat?", "f32|f64", "f16"),
        ("ftz? sat?", "f64", "f32"),
        *(("irnd? ftz? sat?", one, one) for one in ("f16", "bf16", "f32", "f64")),
        ("rnd? ftz? sat?", "f16|f32|f64", "bf16"),
        ("rnd? ftz? sat?", "bf16", "f16"),
    )
    return [
        MOVE.form("cvt", f"{words} dtype={to} atype={source}", ">d:dtype a:atype", wider=True)
        for words, to, source in kinds
    ]


def _accesses() -> list[InstructionForm]:
    form = MOVE.form
    return [
        *_loads(),
        form("ldu", f"space=global? {MEMORY}", ">d:type [a]", wider=True),
        form("ldu", f"space=global? vec {MEMORY}", ">d:type*vec [a]", wider=True),
        *_stores(),
        form("prefetch", "space=global|local? level=L1|L2", "[a]", sm=20, ptx="2.0"),
        form("prefetch", "space=global level=L2::evict_last|L2::evict_normal", "[a]", sm=80, ptx="7.4"),
        form("prefetch", "space=const|param? tensormap", "[a]", sm=90, ptx="8.0"),
        form("prefetchu", "level=L1", "[a]", sm=20, ptx="2.0"),
        form("applypriority", "space=global? level=L2::evict_normal", "[a] #size", sm=80, ptx="7.4"),
        form("discard", "space=global? level=L2", "[a] #size", sm=80, ptx="7.4"),
        form(
            "createpolicy.fractional",
            "primary=L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged "
            "secondary=L2::evict_first|L2::evict_unchanged? type=b64",
            ">d:b64 fraction:f32?",
            sm=80,
            ptx="7.4",
        ),
        form(
            "createpolicy.range",
            "space=global? primary=L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged "
            "secondary=L2::evict_first|L2::evict_unchanged? type=b64",
            ">d:b64 [a] size:b32 total:b32",
            sm=80,
            ptx="7.4",
        ),
        form("createpolicy.cvt", "L2 type=b64", ">d:b64 a:b64", sm=80, ptx="7.4"),
        form("stacksave", "type=u32|u64", ">d:type", sm=52, ptx="7.3"),
        form("stackrestore", "type=u32|u64", "a:type", sm=52, ptx="7.3"),
        form("alloca", "type=u32|u64", ">p:type size:type #align?", sm=52, ptx="7.3"),
    ]


def _packs() -> list[InstructionForm]:
    form = MOVE.form
    return [
        form("cvt.pack", "sat dtype=u16|s16 atype=s32", ">d:b32 a:s32 b:s32", sm=72, ptx="6.5"),
        form("cvt.pack", "sat dtype=u8|s8 atype=s32 ctype=b32", ">d:b32 a:s32 b:s32 c:b32", sm=72, ptx="6.5"),
        form(
            "cvt.pack",
            "sat dtype=u4|s4|u2|s2 atype=s32 ctype=b32",
            ">d:b32 a:s32 b:s32 c:b32",
            sm=75,
            ptx="6.5",
        ),
    ]


def _conversions() -> list[InstructionForm]:
    form = MOVE.form
    eighths, sixths = "e4m3x2|e5m2x2", "e2m3x2|e3m2x2"
    return [
        *_numbers(),
        form(
            "cvt", "rnd=rn|rz relu? satfinite? dtype=f16|bf16 atype=f32", ">d:dtype a:f32", sm=80, ptx="7.0"
        ),
        form(
            "cvt",
            "rnd=rn|rz relu? satfinite? dtype=f16x2|bf16x2 atype=f32",
            ">d:b32 a:f32 b:f32",
            sm=80,
            ptx="7.0",
        ),
        form(
            "cvt",
            "rnd=rs relu? satfinite? dtype=f16x2|bf16x2 atype=f32",
            ">d:b32 a:f32 b:f32 bits:b32",
            sm=100,
            ptx="8.7",
            only="random",
        ),
        form("cvt", "rnd=rna satfinite? dtype=tf32 atype=f32", ">d:b32 a:f32", sm=80, ptx="7.0"),
        form("cvt", "rnd=rn|rz satfinite? relu? dtype=tf32 atype=f32", ">d:b32 a:f32", sm=90, ptx="7.8"),
        form(
            "cvt", f"rnd=rn satfinite relu? dtype={eighths} atype=f32", ">d:b16 a:f32 b:f32", sm=89, ptx="8.1"
        ),
        form("cvt", f"rnd=rn satfinite relu? dtype={eighths} atype=f16x2", ">d:b16 a:b32", sm=89, ptx="8.1"),
        form("cvt", f"rnd=rn relu? dtype=f16x2 atype={eighths}", ">d:b32 a:b16", sm=89, ptx="8.1"),
        form(
            "cvt",
            f"rnd=rn satfinite relu? dtype={sixths} atype=f32",
            ">d:b16 a:f32 b:f32",
            sm=100,
            ptx="8.6",
            only="blackwell",
        ),
        form(
            "cvt",
            "rnd=rn satfinite relu? dtype=e2m1x2 atype=f32",
            ">d:b8 a:f32 b:f32",
            sm=100,
            ptx="8.6",
            only="blackwell",
        ),
        form(
            "cvt",
            f"rnd=rn relu? dtype=f16x2 atype={sixths}",
            ">d:b32 a:b16",
            sm=100,
            ptx="8.6",
            only="blackwell",
        ),
        form(
            "cvt", "rnd=rn relu? dtype=f16x2 atype=e2m1x2", ">d:b32 a:b8", sm=100, ptx="8.6", only="blackwell"
        ),
        form(
            "cvt",
            "rnd=rz|rp satfinite? dtype=ue8m0x2 atype=f32",
            ">d:b16 a:f32 b:f32",
            sm=100,
            ptx="8.6",
            only="blackwell",
        ),
        form(
            "cvt",
            "rnd=rz|rp satfinite? dtype=ue8m0x2 atype=bf16x2",
            ">d:b16 a:b32",
            sm=100,
            ptx="8.6",
            only="blackwell",
        ),
        form("cvt", "rnd=rn dtype=bf16x2 atype=ue8m0x2", ">d:b32 a:b16", sm=100, ptx="8.6", only="blackwell"),
        *_packs(),
    ]


FORMS = (*_moves(), *_accesses(), *_conversions())
