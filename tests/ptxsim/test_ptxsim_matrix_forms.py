"""Every matrix product of a warp in the table, with each choice of shape and types: as the ISA defines it.

Numbers are small, so that all sums are exact in any order; integers wrap and saturate; infinities and NaN go through.
What the ISA leaves open (subnormal numbers, rounding, payloads of NaN) is not asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.ptxsim.definitions.matrices import (
    SPECIAL,
    Choice,
    Where,
    bits_of,
    choices,
    codes_of,
    data,
    extents,
    left,
    metadata,
    packed_words,
    result,
    right,
    sparse,
    sums,
    unpacked,
)
from tests.ptxsim.harness import run_lanes
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.layouts.fragments import FACTORS, mma_fragment
from tilewright.ptx.table.matrix import FORMS
from tilewright.ptx.table.notation import InstructionForm
from tilewright.ptxsim.instructions.registry import simulated

PRODUCTS = [form for form in FORMS if form.name.startswith("mma.")]


def label(form: InstructionForm) -> str:
    return form.syntax().partition(" ")[0] + "-" + "|".join(form.slots[2].choices)


def is_sound(words: Choice) -> bool:
    """Whether the ISA has this combination of what a row of the table allows one by one."""
    if words["dtype"] != words["ctype"]:
        return words["shape"] == "m8n8k4" and words["dtype"] == "f32"
    if "satfinite" in words and words["dtype"] != "s32":
        return False
    if words.get("kind") == "kind::mxf4nvf4":
        vector = words.get("vector")
        return vector == "scale_vec::4X" or (vector == "scale_vec::2X" and words["stype"] == "ue8m0")
    return True


def sound(form: InstructionForm) -> Iterator[tuple[int, Choice]]:
    return enumerate(words for words in choices(form) if is_sound(words))


def mismatch(got: Any, expected: Any, text: str) -> str:
    """What is wrong, or nothing."""
    same = np.array_equal(got.astype(np.float64), expected.astype(np.float64), equal_nan=True)
    return "" if same else f"{text}: {got} is not {expected}"


def addend(kind: str, shape: tuple[int, int], chance: np.random.Generator) -> Any:
    found = data("s32", shape, chance) if kind == "s32" else chance.integers(-9, 9, shape).astype(np.float64)
    if kind != "s32":
        found[-1, -1], found[-2, -1] = np.inf, -np.inf
    return found


def factors(words: Choice, chance: np.random.Generator, stored: int) -> tuple[Any, Any]:
    """``a`` with so many columns and ``b``, with values in them that are no numbers."""
    m, n, k = extents(words["shape"])
    a, b = data(words["atype"], (m, stored), chance), data(words["btype"], (k, n), chance)
    for at, value in enumerate(SPECIAL.get(words["atype"], ())):
        a[at, at] = value
    for at, value in enumerate(SPECIAL.get(words["btype"], ())):
        b[at, at] = value
    return a, b


def held(kind: str, values: Any, where: Where, *, packed: bool = False) -> Any:
    """The registers of 32 lanes that hold a matrix of a type."""
    count = values.size // 32
    return packed_words(codes_of(kind, values, packed=packed), where, 32, count, bits_of(kind, packed=packed))


def per_register(kind: str, *, packed: bool = False) -> int:
    return max(32 // bits_of(kind, packed=packed), 1)


def computed(form: InstructionForm, words: Choice, inputs: dict[str, Any], more: str, seed: int) -> Any:
    """The matrix of results."""
    m, n, _ = extents(words["shape"])
    kind = words["dtype"]
    width = 64 if kind == "f64" else 32
    text = f"{form.spelt(words)} {{r}}, {{a}}, {{b}}, {{c}}{more};"
    found = run_lanes(text, inputs, m * n * bits_of(kind) // (32 * width), width=width, seed=seed)
    return unpacked(found, result, (m, n), kind)


def bitwise(words: Choice, a: Any, b: Any, c: Any) -> Any:
    pairs = a[..., None] & b[None] if words["op"] == "and" else a[..., None] ^ b[None]
    return (pairs.sum(1) + c + 2**31) % 2**32 - 2**31


def dense(form: InstructionForm, words: Choice, seed: int) -> str:
    chance = np.random.default_rng(seed)
    m, n, k = extents(words["shape"])
    a, b = factors(words, chance, k)
    c = addend(words["ctype"], (m, n), chance)
    inputs = {
        "a": held(words["atype"], a, left(m, per_register(words["atype"]))),
        "b": held(words["btype"], b, right(per_register(words["btype"]))),
        "c": held(words["ctype"], c, result),
    }
    got = computed(form, words, inputs, "", seed % 3)
    if "op" in words:
        return mismatch(got, bitwise(words, a, b, c), form.spelt(words))
    return mismatch(got, sums(words["dtype"], a, b, c, saturates="satfinite" in words), form.spelt(words))


# --- four products of quarters of a warp


def quarter_left(order: str) -> Where:
    """``a`` of m8n8k4: the four products lie one below the other."""

    def where(lane: Any, i: Any) -> tuple[Any, Any]:
        four, base = 4 * (lane // 16), lane // 4 % 4 * 8
        return (base + lane % 4 + four, i) if order == "row" else (base + i + four, lane % 4)

    return where


def quarter_right(order: str) -> Where:
    """``b`` of m8n8k4: the four products lie one below the other."""

    def where(lane: Any, i: Any) -> tuple[Any, Any]:
        four, base = 4 * (lane // 16), lane // 4 % 4 * 4
        return (base + lane % 4, i + four) if order == "row" else (base + i, lane % 4 + four)

    return where


def quarter_result(kind: str) -> Where:
    """``c`` and ``d`` of m8n8k4."""

    def where(lane: Any, i: Any) -> tuple[Any, Any]:
        four, base = 4 * (lane // 16), lane // 4 % 4 * 8
        if kind == "f16":
            return base + lane % 4 + four, i
        return base + (lane & 1) + (i & 2) + four, (i & 4) + (lane & 2) + (i & 1)

    return where


def quarters(form: InstructionForm, words: Choice, seed: int) -> str:
    chance = np.random.default_rng(seed)
    a, b = data("f16", (32, 4), chance), data("f16", (16, 8), chance)
    a[1, 1], a[9, 2], b[0, 3] = np.inf, np.nan, -np.inf
    c = addend(words["ctype"], (32, 8), chance)
    inputs = {
        "a": held("f16", a, quarter_left(words["al"])),
        "b": held("f16", b, quarter_right(words["bl"])),
        "c": held(words["ctype"], c, quarter_result(words["ctype"])),
    }
    text = f"{form.spelt(words)} {{r}}, {{a}}, {{b}}, {{c}};"
    found = run_lanes(text, inputs, 8 * bits_of(words["dtype"]) // 32, seed=seed % 3)
    got = unpacked(found, quarter_result(words["dtype"]), (32, 8), words["dtype"])
    expected = [
        sums("f32", a[8 * q : 8 * q + 8], b[4 * q : 4 * q + 4], c[8 * q : 8 * q + 8]) for q in range(4)
    ]
    return mismatch(got, np.concatenate(expected), form.spelt(words))


# --- scaled and sparse products


def scales(kind: str, lines: int, blocks: int, chance: np.random.Generator) -> tuple[Any, Any]:
    """The codes of scales of lines and blocks, powers of two, and their values."""
    powers = chance.integers(-3, 4, (lines, blocks))
    return (powers + 127 if kind == "ue8m0" else powers + 7 << 3), 2.0**powers


def scaled(form: InstructionForm, words: Choice, seed: int) -> str:
    chance = np.random.default_rng(seed)
    _, _, k = extents(words["shape"])
    packed = k == 64
    blocks = int(words.get("vector", "scale_vec::2X" if packed else "scale_vec::1X")[-2])
    a, b = factors(words, chance, k)
    c = addend("f32", (16, 8), chance)
    (rows, by_row), (columns, by_column) = (
        scales(words["stype"], lines, blocks, chance) for lines in (16, 8)
    )
    first, pair, third = 4 - blocks, seed % 2, seed % 4
    words_a, words_b = np.zeros((32, 1), np.uint32), np.zeros((32, 1), np.uint32)
    for lane, at in ((lane, at) for lane in range(32) for at in range(blocks)):
        if lane % 4 // 2 == pair:
            words_a[lane] |= np.uint32(int(rows[lane // 4 + 8 * (lane % 2), at]) << 8 * (first + at))
        if lane % 4 == third:
            words_b[lane] |= np.uint32(int(columns[lane // 4, at]) << 8 * at)
    per = 8 if packed else 4
    inputs = {
        "a": held(words["atype"], a, left(16, per), packed=packed),
        "b": held(words["btype"], b, right(per), packed=packed),
        "c": held("f32", c, result),
        "s": words_a,
        "v": words_b,
    }
    got = computed(form, words, inputs, f", {{s}}, {{{first}, {pair}}}, {{v}}, {{0, {third}}}", seed % 3)
    wide = np.repeat(by_row, k // blocks, 1), np.repeat(by_column, k // blocks, 1)
    return mismatch(got, sums("f32", a * wide[0], b * wide[1].T, c), form.spelt(words))


def halved(form: InstructionForm, words: Choice, seed: int) -> str:
    chance = np.random.default_rng(seed)
    m, n, k = extents(words["shape"])
    kind = words["atype"]
    stored, b = factors(words, chance, k // 2)
    c = addend(words["ctype"], (m, n), chance)
    whole, bits = sparse(kind, k, stored, "ordered" in form.name, chance)
    selector = seed % (16 // bits.shape[1])
    inputs = {
        "a": held(kind, stored, left(m, per_register(kind))),
        "b": held(words["btype"], b, right(per_register(words["btype"]))),
        "c": held(words["ctype"], c, result),
        "e": metadata(kind, bits, selector),
    }
    got = computed(form, words, inputs, f", %e0, {selector}", seed % 3)
    expected = sums(words["dtype"], whole, b, c, saturates="satfinite" in words)
    return mismatch(got, expected, form.spelt(words))


@pytest.mark.parametrize("form", PRODUCTS, ids=map(label, PRODUCTS))
def test_products_are_those_of_the_definition(form: InstructionForm) -> None:
    found: list[str] = []
    for seed, words in sound(form):
        if words["shape"] == "m8n8k4" and words["atype"] == "f16":
            check = quarters
        elif form.name.startswith("mma.sp"):
            check = halved
        else:
            check = scaled if "block_scale" in words else dense
        found.append(check(form, words, seed))
    assert found
    wrong = [one for one in found if one]
    assert not wrong, f"{len(wrong)} of {len(found)}\n" + "\n".join(wrong[:3])


@pytest.mark.parametrize("kind", FACTORS)
def test_fragments_are_those_of_the_public_table(kind: str) -> None:
    """`tilewright.layouts` has a table of its own: both agree."""
    bits, shapes, _ = FACTORS[kind]
    for m, n, k in shapes:
        per = max(32 // bits, 1)
        for operand, where, columns, rows in (
            ("A", left(m, per), k, m),
            ("B", right(per), k, n),
        ):
            layout = mma_fragment((m, n, k), operand, kind)
            for lane, i in ((lane, i) for lane in range(32) for i in range(rows * columns // 32)):
                place = where(lane, i)
                assert layout.coordinates(layout.element(i, lane)) == (
                    place if operand == "A" else place[::-1]
                )


def test_the_result_is_no_narrower_than_the_addend() -> None:
    text = "mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f32 {r}, {%a0, %a0}, {%a0, %a0}, {%a0, %a0, %a0, %a0, %a0, %a0, %a0, %a0};"
    with pytest.raises(DiagnosticError, match="narrower than its addend"):
        run_lanes(text, {"a": np.zeros((32, 1), np.uint32)}, 4)


WALKED = frozenset(
    {
        *(form.name for form in PRODUCTS),
        "wgmma.mma_async.sync.aligned",  # test_ptxsim_group_forms
        *("tcgen05.ld.sync.aligned", "tcgen05.st.sync.aligned", "tcgen05.commit"),  # test_ptxsim_tensor_forms
        "tcgen05.mma",  # test_ptxsim_scaled_forms, and without scales test_ptxsim_tensormemory
    }
)
ELSEWHERE = frozenset(
    {
        *("ldmatrix.sync.aligned", "stmatrix.sync.aligned", "movmatrix.sync.aligned"),  # test_ptxsim_matrices
        *("wmma.load", "wmma.store", "wmma.mma"),  # test_ptxsim_matrices
        *(f"wgmma.{name}.sync.aligned" for name in ("fence", "commit_group", "wait_group")),
        *("tcgen05.alloc", "tcgen05.dealloc", "tcgen05.relinquish_alloc_permit", "tcgen05.cp"),
        *("tcgen05.mma.ws", "tcgen05.shift"),  # test_ptxsim_tensor_pairs
        "tcgen05.mma.sp",  # test_ptxsim_sparse_tensor_products
        *("tcgen05.wait::ld", "tcgen05.wait::st"),
        *("tcgen05.fence::before_thread_sync", "tcgen05.fence::after_thread_sync"),
    }
)


def test_no_matrix_instruction_is_left_out() -> None:
    assert {form.name for form in FORMS} == WALKED | ELSEWHERE
    assert not set(simulated()[1]) & {form.name for form in FORMS}


EIGHT_BITS = [
    form for form in FORMS if form.name[:8] in ("ldmatrix", "stmatrix") and form.slots[-1].choices != ("b16",)
]


@pytest.mark.parametrize("form", EIGHT_BITS, ids=map(label, EIGHT_BITS))
def test_matrices_of_smaller_elements_are_refused_by_name(form: InstructionForm) -> None:
    for words in choices(form):
        count = int(words["num"][1:]) * (2 if words["shape"] == "m16n16" else 1)
        registers = "{" + ", ".join(["%r0", "%w0", "%w1", "%w2", "%w3", "%w4", "%w5", "%w6"][:count]) + "}"
        operands = f"[%x], {registers}" if form.name.startswith("st") else f"{registers}, [%x]"
        text = f"mov.b64 %x, 0; mov.b32 %r0, 0; {form.spelt(words)} {operands};"
        with pytest.raises(DiagnosticError, match=r"is not simulated.*16 bits"):
            run_lanes(text, {"a": np.zeros((32, 1), np.uint32)}, 1)
