"""Atomic accesses of every operation, order, scope, type and address space: their words in PTX, and their results."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

pytest.importorskip("numpy")

from tests.targets.nvptx.kernels import kernel, lanewise, parsed, printed, run
from tilewright.dialects.common.chips import CHIPS
from tilewright.dialects.llvm.enums import AtomicBinaryOperation, AtomicOrdering
from tilewright.dialects.llvm.rules.memory import FLOAT_ATOMICS
from tilewright.interp.numerics.element import FORMATS, decode, encode, from_bits, to_bits
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.targets.nvptx.nvvm_to_ptx import translate

pytestmark = pytest.mark.usefixtures("ptx_as_before")

# --- the words of all combinations

ORDERS = {
    "monotonic": "relaxed",
    "acquire": "acquire",
    "release": "release",
    "acq_rel": "acq_rel",
    "seq_cst": "acq_rel",
}
"""What an update of each order says; one that is ordered among all others stands behind `fence.sc`, too."""
SCOPES = {
    "": "sys",
    "device": "gpu",
    "cluster": "cluster",
    "block": "cta",
    "singlethread": "cta",
}
SPACES = {"": "", "<1>": ".global", "<3>": ".shared", "<7>": ".shared::cluster"}
WIDTHS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64, "f16": 16, "bf16": 16, "f32": 32, "f64": 64}
POINTERS = {"!llvm.ptr": 64, "!llvm.ptr<1>": 64, "!llvm.ptr<3>": 32}
BITS = WIDTHS | POINTERS
PLACES = ", ".join(f"%p{at}: !llvm.ptr{space}" for at, space in enumerate(SPACES))
"""A pointer into each of the spaces."""
NATIVE = {
    **{("add", f"i{width}"): f"add.u{width}" for width in (32, 64)},
    **{("sub", f"i{width}"): f"add.u{width}" for width in (32, 64)},
    **{(f"_{name}", f"i{width}"): f"{name}.b{width}" for name in ("and", "or", "xor") for width in (32, 64)},
    **{(name, f"i{width}"): f"{name}.s{width}" for name in ("max", "min") for width in (32, 64)},
    **{(f"u{name}", f"i{width}"): f"{name}.u{width}" for name in ("max", "min") for width in (32, 64)},
    **{("xchg", type): f"exch.b{width}" for type, width in BITS.items() if width >= 32},
    ("uinc_wrap", "i32"): "inc.u32",
    ("udec_wrap", "i32"): "dec.u32",
    ("fadd", "f16"): "add.noftz.f16",
    ("fadd", "bf16"): "add.noftz.bf16",
    ("fadd", "f32"): "add.f32",
    ("fadd", "f64"): "add.f64",
}
"""What an update is on sm_90; any other is exchanged as long as another thread comes in between."""


def scoped(scope: str) -> str:
    return f'syncscope("{scope}") ' if scope else ""


def updates() -> list[tuple[str, str]]:
    """Every operation with every type that the dialect allows."""
    floats, integers = ([type for type in WIDTHS if ("f" in type) == wanted] for wanted in (True, False))
    return [
        (kind.spelling, type)
        for kind in AtomicBinaryOperation
        for type in (
            BITS if kind is AtomicBinaryOperation.XCHG else floats if kind in FLOAT_ATOMICS else integers
        )
    ]


def words_of(text: str, is_first_look: bool = False) -> list[str]:
    """Atomic accesses and fences in the PTX of a module, without their operands; ``is_first_look`` leaves loads out."""
    ptx = translate(parsed(text), CHIPS["sm_90"])
    found = re.findall(
        r"^\s+(?:@\S+ )?((?:atom|fence|(?:ld|st)\.(?:relaxed|acquire|release))\.[^\s;]+)", ptx, re.MULTILINE
    )
    return [word for word in found if not is_first_look or not word.startswith("ld.")]


def with_fence(order: str, scope: str, word: str) -> list[str]:
    return [*([f"fence.sc.{SCOPES[scope]}"] if "seq_cst" in order else []), word]


@pytest.mark.parametrize(("kind", "type"), updates())
def test_every_order_and_scope_of_an_update(kind: str, type: str) -> None:
    """In all address spaces that threads share, for instructions and for loops of exchanges, whose first look is relaxed."""
    body, wanted = "", list[str]()
    update = NATIVE.get((kind, type), f"cas.b{max(BITS[type], 16)}")
    for at, (space, order, scope) in enumerate(product(SPACES, ORDERS, SCOPES)):
        place = f"%p{list(SPACES).index(space)}"
        body += (
            f"%x{at} = llvm.atomicrmw {kind} {place}, %v {scoped(scope)}{order} : !llvm.ptr{space}, {type}\n"
        )
        word = f"atom.{ORDERS[order]}.{SCOPES[scope]}{SPACES[space]}.{update}"
        wanted += with_fence(order, scope, word)
    assert words_of(kernel(body, f"{PLACES}, %v: {type}"), is_first_look=True) == wanted


LOADS = {"unordered": "relaxed", "monotonic": "relaxed", "acquire": "acquire", "seq_cst": "acquire"}
STORES = {"unordered": "relaxed", "monotonic": "relaxed", "release": "release", "seq_cst": "release"}
FENCES = {"acquire": "acq_rel", "release": "acq_rel", "acq_rel": "acq_rel", "seq_cst": "sc"}


@pytest.mark.parametrize("type", BITS)
def test_every_order_and_scope_of_loads_and_stores(type: str) -> None:
    body, wanted = "", list[str]()
    for at, (space, order, scope) in enumerate(product(SPACES, LOADS | STORES, SCOPES)):
        place, word = f"%p{list(SPACES).index(space)}", f"{SCOPES[scope]}{SPACES[space]}.b{BITS[type]}"
        ordered = f"atomic {scoped(scope)}{order} {{alignment = {BITS[type] // 8} : i64}} : "
        if order in LOADS:
            body += f"%x{at} = llvm.load {place} {ordered}!llvm.ptr{space} -> {type}\n"
            wanted += with_fence(order, scope, f"ld.{LOADS[order]}.{word}")
        if order in STORES:
            body += f"llvm.store %v, {place} {ordered}{type}, !llvm.ptr{space}\n"
            wanted += with_fence(order, scope, f"st.{STORES[order]}.{word}")
    assert words_of(kernel(body, f"{PLACES}, %v: {type}")) == wanted


def test_every_order_and_scope_of_a_fence() -> None:
    cases = list(product(FENCES, SCOPES))
    body = "\n".join(f"llvm.fence {scoped(scope)}{order}" for order, scope in cases)
    assert words_of(kernel(body, "")) == [f"fence.{FENCES[order]}.{SCOPES[scope]}" for order, scope in cases]


def test_all_orders_are_covered() -> None:
    known = {order.spelling for order in AtomicOrdering} - {"not_atomic"}
    assert set(LOADS | STORES | ORDERS) == known
    assert set(FENCES) == set(ORDERS) - {"monotonic"}


FAILURES = ("monotonic", "acquire", "seq_cst")
"""The orders of an exchange that finds another value."""


def of_both(success: str, failure: str) -> str:
    """The word of the weakest order that an exchange has with either outcome."""
    both = {success, failure}
    if "seq_cst" in both or (both & {"release", "acq_rel"} and "acquire" in both):
        return "acq_rel"
    return ORDERS[success] if failure == "monotonic" else ORDERS["acquire"]


@pytest.mark.parametrize("type", [type for type in BITS if "f" not in type])
def test_every_order_and_scope_of_an_exchange(type: str) -> None:
    body, wanted = "", list[str]()
    for at, (space, success, failure, scope) in enumerate(product(SPACES, ORDERS, FAILURES, SCOPES)):
        place = f"%p{list(SPACES).index(space)}"
        body += f"%x{at} = llvm.cmpxchg {place}, %v, %v {scoped(scope)}{success} {failure} : !llvm.ptr{space}, {type}\n"
        word = f"atom.{of_both(success, failure)}.{SCOPES[scope]}{SPACES[space]}.cas.b{max(BITS[type], 16)}"
        wanted += with_fence(f"{success} {failure}", scope, word)
    assert words_of(kernel(body, f"{PLACES}, %v: {type}"), is_first_look=True) == wanted


# --- results


def unsigned(update: Callable[[int, int], int], width: int) -> Callable[[int, int], int]:
    """An update of numbers without a sign, on numbers with one."""
    return lambda old, x: update(old % (1 << width), x % (1 << width))


UPDATES: dict[str, Callable[[int, int], int]] = {
    "add": lambda old, x: old + x,
    "sub": lambda old, x: old - x,
    "_and": lambda old, x: old & x,
    "_or": lambda old, x: old | x,
    "_xor": lambda old, x: old ^ x,
    "nand": lambda old, x: ~(old & x),
    "max": max,
    "min": min,
    "xchg": lambda old, x: x,
}
WITHOUT_SIGN: dict[str, Callable[[int, int], int]] = {
    "umax": max,
    "umin": min,
    "uinc_wrap": lambda old, x: 0 if old >= x else old + 1,
    "udec_wrap": lambda old, x: x if old == 0 or old > x else old - 1,
    "usub_cond": lambda old, x: old - x if old >= x else old,
    "usub_sat": lambda old, x: max(old - x, 0),
}


@pytest.mark.parametrize("width", [8, 16, 32, 64])
@pytest.mark.parametrize("kind", [*UPDATES, *WITHOUT_SIGN])
def test_updates_of_integers(kind: str, width: int) -> None:
    """Every thread updates an element of its own, next to those of others: what was there, and what is there."""
    dtype = np.dtype(f"i{width // 8}")
    cells = np.arange(-16, 16).astype(dtype)
    before, operands = cells.copy(), (np.arange(32) * 3 - 50).astype(dtype)
    operands[::5] = 0
    body = f'%r = llvm.atomicrmw {kind} %b_at, %a syncscope("device") acq_rel : !llvm.ptr<1>, i{width}'
    text = lanewise(body, f"i{width} i{width} -> i{width}").replace(
        f"%b = llvm.load %b_at : !llvm.ptr<1> -> i{width}\n", ""
    )
    out = np.zeros_like(cells)
    run(text, operands, cells, out, chip="sm_75")
    assert out.tolist() == before.tolist()
    update = UPDATES[kind] if kind in UPDATES else unsigned(WITHOUT_SIGN[kind], width)
    wanted = [update(x, y) % (1 << width) for x, y in zip(before.tolist(), operands.tolist(), strict=True)]
    assert cells.tolist() == np.array(wanted, np.uint64).astype(f"u{width // 8}").view(dtype).tolist()


@pytest.mark.parametrize("chip", ["sm_75", "sm_90"])
@pytest.mark.parametrize("kind", ["f16", "f32", "f64"])
def test_sums_of_floats_by_all_threads(kind: str, chip: str) -> None:
    body = f"%x = llvm.atomicrmw fadd %p, %one monotonic : !llvm.ptr<1>, {kind}\n%y = llvm.atomicrmw fmax %q, %f monotonic : !llvm.ptr<1>, {kind}"
    head = f"%one = llvm.mlir.constant(1.0 : {kind}) : {kind}\n%f = llvm.sitofp %t : i32 to {kind}\n"
    total, most = (np.zeros(1, {"f16": "f2", "f32": "f4", "f64": "f8"}[kind]) for _ in range(2))
    run(kernel(head + body, "%p: !llvm.ptr<1>, %q: !llvm.ptr<1>"), total, most, chip=chip)
    assert total.tolist() == [32.0]
    assert most.tolist() == [31.0]


def test_bytes_next_to_each_other_are_exchanged() -> None:
    body = """
  %old = llvm.cmpxchg %b_at, %a, %c acq_rel monotonic : !llvm.ptr<1>, i8
  %was = llvm.extractvalue %old[0] : !llvm.struct<(i8, i1)>
  %done = llvm.extractvalue %old[1] : !llvm.struct<(i8, i1)>
  %one = llvm.zext %done : i1 to i8
  %r = llvm.add %was, %one : i8
"""
    text = lanewise(body, "i8 i8 i8 -> i8").replace("%b = llvm.load %b_at : !llvm.ptr<1> -> i8\n", "")
    cells = np.arange(32, dtype=np.int8)
    expected = np.where(cells % 3 == 0, cells, 99).astype(np.int8)
    new, out, before = np.full(32, 77, np.int8), np.zeros(32, np.int8), cells.copy()
    run(text, expected, cells, new, out)
    assert cells.tolist() == np.where(before % 3 == 0, 77, before).tolist()
    assert out.tolist() == (before + (before % 3 == 0)).tolist()


@pytest.mark.parametrize("chip", ["sm_75", "sm_90"])
@pytest.mark.parametrize("type", ["f16", "bf16", "f32", "f64"])
@pytest.mark.parametrize("kind", ["fmaximum", "fminimum"])
def test_an_extremum_of_floats_is_nan_behind_a_nan(kind: str, type: str, chip: str) -> None:
    body = f"%v = llvm.sitofp %t : i32 to {type}\n%x = llvm.atomicrmw {kind} %p, %v monotonic : !llvm.ptr<1>, {type}\n"
    body += f"%y = llvm.atomicrmw {kind} %q, %v monotonic : !llvm.ptr<1>, {type}"
    format = FORMATS[type]
    number, nothing = (to_bits(encode(np.array([value]), format), format) for value in (5.0, np.nan))
    run(kernel(body, "%p: !llvm.ptr<1>, %q: !llvm.ptr<1>"), number, nothing, chip=chip)
    assert decode(from_bits(number, format), format).tolist() == [31.0 if kind == "fmaximum" else 0.0]
    assert np.isnan(decode(from_bits(nothing, format), format)).all()


# --- refusals

REFUSED = {
    "wide load": (
        "%x = llvm.load %p atomic acquire {alignment = 16 : i64} : !llvm.ptr<1> -> i128",
        "access to i128",
    ),
    "split load": (
        "%x = llvm.load %p atomic acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i64",
        "alignment of 4",
    ),
    "split store": (
        "llvm.store %t, %p atomic release {alignment = 2 : i64} : i32, !llvm.ptr<1>",
        "alignment of 2",
    ),
    "wide update": ("%x = llvm.atomicrmw xchg %p, %w acq_rel : !llvm.ptr<1>, i128", "access to i128"),
    "wide exchange": ("%x = llvm.cmpxchg %p, %w, %w acq_rel acquire : !llvm.ptr<1>, i128", "access to i128"),
    "many lanes": (
        "%x = llvm.atomicrmw fadd %p, %v acq_rel : !llvm.ptr<1>, vector<2xf32>",
        "access to vector<2xf32>",
    ),
    "two lanes": (
        "%x = llvm.atomicrmw fmax %p, %h acq_rel : !llvm.ptr<1>, vector<2xf16>",
        "the update 'fmax'",
    ),
    "constants": ("%x = llvm.atomicrmw add %c, %t acq_rel : !llvm.ptr<4>, i32", "constant memory"),
    "one thread": (
        "%x = llvm.cmpxchg %l, %t, %t acq_rel acquire : !llvm.ptr<5>, i32",
        "memory of one thread",
    ),
    "no clusters": (
        "%x = llvm.atomicrmw add %k, %t acq_rel : !llvm.ptr<7>, i32",
        "sm_80 cannot do 'llvm.atomicrmw'",
    ),
    "no scope": (
        '%x = llvm.atomicrmw add %p, %t syncscope("cluster") acq_rel : !llvm.ptr<1>, i32',
        "sm_80 cannot do",
    ),
}
"""Accesses that several would have to do, or that the chip lacks."""
GIVEN = "%p: !llvm.ptr<1>, %w: i128, %v: vector<2xf32>, %h: vector<2xf16>, %c: !llvm.ptr<4>, %l: !llvm.ptr<5>, %k: !llvm.ptr<7>"


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_one_access_is_refused(name: str) -> None:
    body, word = REFUSED[name]
    with pytest.raises(DiagnosticError) as caught:
        translate(parsed(kernel(body, GIVEN)), CHIPS["sm_80"])
    (problem,) = caught.value.diagnostics
    assert word in problem.message
    assert "llvm." in problem.message


@pytest.mark.parametrize("type", ["bf16", "vector<2xbf16>"])
def test_sums_of_bf16_are_instructions_from_sm_90_on(type: str) -> None:
    text = kernel(
        f"%x = llvm.atomicrmw fadd %p, %v acq_rel : !llvm.ptr<1>, {type}", f"%p: !llvm.ptr<1>, %v: {type}"
    )
    assert "add.noftz.bf16" in printed(text, "sm_90")
    if type == "bf16":
        assert "cas.b16" in printed(text, "sm_89")
    else:
        with pytest.raises(DiagnosticError, match=r"sm_89 cannot do 'llvm\.atomicrmw'"):
            printed(text, "sm_89")
