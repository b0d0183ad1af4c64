"""Every product of a group of warps (`wgmma`), with each choice of types and both places of the first factor.

Widths go up from one choice of types to the next; every form has the least and the greatest.  Matrices lie in shared memory as
the descriptor without a swizzle says: eight rows of 16 bytes together.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.ptxsim.definitions.matrices import (
    SPECIAL,
    Choice,
    bits_of,
    choices,
    codes_of,
    data,
    extents,
    left,
    packed_words,
    result,
    sums,
    unpacked,
)
from tilewright.ptx.table.matrix import FORMS
from tilewright.ptx.table.notation import InstructionForm
from tilewright.ptxsim import launch

PRODUCTS = [form for form in FORMS if form.name == "wgmma.mma_async.sync.aligned"]
KERNEL = """.version 8.7 .target sm_90a .address_size 64
.entry k(.param .u64 image, .param .u64 first, .param .u64 addend, .param .u64 out) {{
    .reg .b32 %t, %w, %s, %a<4>, %r<{count}>; .reg .b64 %x, %o, %da, %db; .reg .pred %p;
    .shared .align 1024 .b8 tile[{size}];
    mov.u32 %t, %tid.x; mov.u32 %s, tile; mad.lo.u32 %s, %t, 4, %s; setp.eq.u32 %p, %t, %t;
    ld.param.u64 %x, [image]; mad.wide.u32 %x, %t, 4, %x; {copies}
    ld.param.u64 %x, [first]; mad.wide.u32 %x, %t, 16, %x; {loads}
    ld.param.u64 %x, [addend]; ld.param.u64 %o, [out]; mad.wide.u32 %x, %t, {bytes}, %x; mad.wide.u32 %o, %t, {bytes}, %o;
    {addends} fence.proxy.async.shared::cta; bar.sync 0;
    mov.u32 %w, tile; shr.u32 %w, %w, 4; cvt.u64.u32 %da, %w; add.u64 %db, %da, {second}; or.b64 %da, %da, {desc_a}; or.b64 %db, %db, {desc_b};
    wgmma.fence.sync.aligned; {product} wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;
    {stores} ret; }}
"""
FRAGMENT = "{%a0, %a1, %a2, %a3}"


def label(form: InstructionForm) -> str:
    source = "registers" if from_registers(form) else "shared"
    return form.syntax().partition(" ")[0].removeprefix("wgmma.mma_async.sync.aligned.shape.") + "-" + source


def from_registers(form: InstructionForm) -> bool:
    return any(one.name == "a" and one.count for one in form.operands)


def sound(form: InstructionForm) -> Iterator[tuple[int, Choice]]:
    """All types, each with the next width; the last ones with the greatest width, too."""
    shapes = form.slots[0].choices
    types = [words for words in choices(form) if words["shape"] == shapes[0]]
    for at, words in enumerate(types):
        yield at, {**words, "shape": shapes[at % (len(shapes) - 1)]}
    yield len(types), {**types[-1], "shape": shapes[-1]}


def laid(kind: str, matrix: Any) -> Any:
    """The bytes of a matrix of rows: pieces of 16 bytes of all rows, then the next pieces."""
    codes = codes_of(kind, matrix).astype(f"u{bits_of(kind) // 8}")
    raw = np.ascontiguousarray(codes).view(np.uint8).reshape(len(matrix), -1, 16)
    return np.ascontiguousarray(raw.transpose(1, 0, 2)).ravel()


def described(rows: int, transposed: bool) -> int:
    """Bytes from eight rows to the next eight, and to the next 16 bytes; the two change places in a transpose."""
    groups, pieces = 128, rows * 16
    leading, stride = (groups, pieces) if transposed else (pieces, groups)
    return leading >> 4 << 16 | stride >> 4 << 32


def placed(kind: str, matrix: Any, transposed: int) -> tuple[Any, int]:
    """The bytes and the descriptor of a matrix of rows and K, or of its transpose."""
    stored = matrix.T if transposed else matrix
    return laid(kind, stored), described(len(stored), bool(transposed))


def lines(template: str, count: int) -> str:
    return "".join(template.format(at=at, place=4 * at) for at in range(count))


def addend(kind: str, shape: tuple[int, int], chance: np.random.Generator) -> Any:
    if kind == "s32":
        return data("s32", shape, chance)
    found = chance.integers(-9, 9, shape).astype(np.float64)
    found[-1, -1], found[-2, -1] = np.inf, np.nan
    return found


def failure(form: InstructionForm, words: Choice, seed: int) -> str:
    chance = np.random.default_rng(seed)
    m, n, k = extents(words["shape"])
    left_type, right_type, kind = words["atype"], words["btype"], words["dtype"]
    a, b, c = data(left_type, (m, k), chance), data(right_type, (n, k), chance), addend(kind, (m, n), chance)
    for at, value in enumerate(SPECIAL.get(left_type, ())):
        a[at, at] = value
    names = {one.name for one in form.operands}
    turns = [seed % 2, seed // 2 % 2] if "ta" in names else [0, 0]
    registers = from_registers(form)
    image_a, desc_a = placed(left_type, a, turns[0] if not registers else 0)
    image_b, desc_b = placed(right_type, b, turns[1])
    signs = (1 - seed % 3 // 2 * 2, 1 - seed // 3 % 2 * 2) if "na" in names else (1, 1)
    image = np.concatenate([image_a, image_b])
    image = np.concatenate([image, np.zeros(-len(image) % 512, np.uint8)]).view(np.uint32)
    per = 32 // bits_of(left_type)
    first = packed_words(codes_of(left_type, a), left(16, per), 128, m * k // 128, bits_of(left_type))
    addends = packed_words(codes_of(kind, c), result, 128, m * n // 128, bits_of(kind))
    count = addends.shape[1]
    listed = "{" + ", ".join(f"%r{at}" for at in range(count)) + "}"
    tail = f", {signs[0]}, {signs[1]}" if "na" in names else ""
    if "ta" in names:
        tail += "".join(f", {turn}" for turn in (turns[1:] if registers else turns))
    source = FRAGMENT if registers else "%da"
    text = KERNEL.format(
        count=count,
        size=image.nbytes,
        bytes=4 * count,
        second=len(image_a) >> 4,
        desc_a=desc_a,
        desc_b=desc_b,
        copies="".join(
            f"ld.global.b32 %w, [%x+{512 * at}]; st.shared.b32 [%s+{512 * at}], %w;"
            for at in range(len(image) // 128)
        ),
        loads=lines("ld.global.b32 %a{at}, [%x+{place}];", 4),
        addends=lines("ld.global.b32 %r{at}, [%x+{place}];", count),
        product=f"{form.spelt(words)} {listed}, {source}, %db, %p{tail};",
        stores=lines("st.global.b32 [%o+{place}], %r{at};", count),
    )
    out = np.zeros((128, count), np.uint32)
    launch(text, "k", (1,), (128,), [image, first, addends, out], seed=seed % 3)
    got = unpacked(out, result, (m, n), kind)
    expected = sums(kind, signs[0] * a, (signs[1] * b).T, c, saturates="satfinite" in words)
    same = np.array_equal(got.astype(np.float64), expected.astype(np.float64), equal_nan=True)
    return "" if same else f"{form.spelt(words)} (seed {seed}): {got} is not {expected}"


@pytest.mark.parametrize("form", PRODUCTS, ids=map(label, PRODUCTS))
def test_products_are_those_of_the_definition(form: InstructionForm) -> None:
    found = [failure(form, words, seed) for seed, words in sound(form)]
    if len(found) < 4:  # all orders of the operands and signs
        _, words = next(sound(form))
        found += [failure(form, words, seed) for seed in range(len(found), 6)]
    assert found
    wrong = [one for one in found if one]
    assert not wrong, f"{len(wrong)} of {len(found)}\n" + "\n".join(wrong[:3])
