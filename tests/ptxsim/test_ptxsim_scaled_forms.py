"""Every product in tensor memory whose blocks have scales, for each kind, size of blocks and place of the first factor."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.ptxsim.definitions.matrices import Choice, bits_of, choices, codes_of, data, sums
from tests.ptxsim.test_ptxsim_tensor_forms import FREE, HEAD, WAIT_LD, WAIT_ST, listed, named
from tilewright.ptx.table.notation import InstructionForm
from tilewright.ptxsim import launch

PRODUCTS = named("tcgen05.mma", lambda form: any(one.name == "sa" for one in form.operands))
M, N, ROW = 128, 16, 16
"""The extents of the result, and the words of a thread: eight of the first factor, and twice four scales."""
VECTORS = {
    "kind::mxf8f6f4": {"": 32, "scale_vec::1X": 32, "block32": 32},
    "kind::mxf4": {"": 32, "scale_vec::2X": 32, "block32": 32},
    "kind::mxf4nvf4": {"scale_vec::2X": 32, "block32": 32, "scale_vec::4X": 16, "block16": 16},
}
"""The elements of a block by the modifier that says so, for each kind."""
BODY = f"""mad.wide.u32 %y, %t, {4 * ROW}, %x; {"".join(f"ld.global.b32 %r{at}, [%y+{4 * at}];" for at in range(ROW))}
    tcgen05.st.sync.aligned.32x32b.x16.b32 [%lane+64], {listed(ROW)}; {WAIT_ST}
    mov.u32 %s, tile; shr.u32 %w, %s, 4; cvt.u64.u32 %da, %w; add.u64 %db, %da, {M * 32 >> 4}; mad.lo.u32 %s, %t, 4, %s;
    mad.wide.u32 %y, %t, 4, %x; {"".join(f"ld.global.b32 %w, [%y+{4 * M * ROW + 512 * at}]; st.shared.b32 [%s+{512 * at}], %w;" for at in range(9))}
    or.b64 %da, %da, {M << 16 | 8 << 32 | 1 << 46}; or.b64 %db, %db, {N << 16 | 8 << 32 | 1 << 46};
    fence.proxy.async.shared::cta; tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync; mov.b32 %w, WORD; setp.ne.u32 %p, %t, %t;
    @%one PRODUCT [%m], FIRST, %db, %w, [%m+72], [%m+76], %p;
    @%one tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%b];
wait: mbarrier.try_wait.parity.shared::cta.b64 %q, [%b], 0; @!%q bra wait; tcgen05.fence::after_thread_sync;
    tcgen05.ld.sync.aligned.32x32b.x{N}.b32 {listed(N)}, [%lane]; {WAIT_LD}
    mad.wide.u32 %o, %t, {4 * N}, %o; {"".join(f"st.global.b32 [%o+{4 * at}], %r{at};" for at in range(N))}
"""


def sound(form: InstructionForm) -> Iterator[tuple[Choice, int, str, str]]:
    """The modifiers, the elements of a block, and the types of elements and scales."""
    for words in choices(form):
        sizes, vector = VECTORS[words["kind"]], words.get("vector", "")
        if words["cg"] == "cta_group::2" or vector not in sizes:
            continue  # scales of pairs of blocks are refused
        elements = ("e4m3", "e5m2") if words["kind"] == "kind::mxf8f6f4" else ("e2m1",)
        small = ("ue8m0", "ue4m3") if sizes[vector] == 16 else ("ue8m0",)
        yield from ((words, sizes[vector], one, scale) for one in elements for scale in small)


def rows_of(kind: str, matrix: Any) -> Any:
    """The 32 bytes of each row."""
    codes = codes_of(kind, matrix, packed=True).astype(np.uint8)
    return codes if bits_of(kind, packed=kind == "e2m1") == 8 else codes[:, ::2] | codes[:, 1::2] << 4


def laid(raw: Any) -> Any:
    return np.ascontiguousarray(raw.reshape(len(raw), 2, 16).transpose(1, 0, 2)).ravel()


def scales(kind: str, rows: int, chance: np.random.Generator) -> tuple[Any, Any]:
    """Four codes for each row, and their values: powers of two."""
    powers = chance.integers(-3, 4, (rows, 4))
    return (powers + 127 if kind == "ue8m0" else powers + 7 << 3).astype(np.uint8), 2.0**powers


def failure(form: InstructionForm, words: Choice, size: int, kind: str, scale: str, seed: int) -> str:
    chance = np.random.default_rng(seed)
    k = 64 if kind == "e2m1" else 32
    blocks = k // size
    a, b = data(kind, (M, k), chance), data(kind, (N, k), chance)
    (codes_a, by_row), (codes_b, by_column) = (scales(scale, M, chance) for _ in range(2))
    first, second = (seed % (4 // blocks) * blocks, (seed + 1) % (4 // blocks) * blocks)
    type_code = {"e4m3": 0, "e5m2": 1, "e2m1": 1}[kind]
    word = N >> 3 << 17 | M >> 4 << 24 | type_code << 7 | type_code << 10 | first << 29 | second << 4
    word |= (scale == "ue8m0") << 23
    per_lane = [
        np.tile(one.reshape(4, 32, 4).transpose(1, 0, 2).reshape(32, 16), (4, 1))
        for one in (codes_a, codes_b)
    ]
    own = np.concatenate([rows_of(kind, a), *per_lane], 1)
    image = np.concatenate([own.ravel(), laid(rows_of(kind, a)), laid(rows_of(kind, b))]).view(np.uint32)
    in_tensor_memory = next(one for one in form.operands if one.name == "a").sort == "address"
    source = "[%m+64]" if in_tensor_memory else "%da"
    body = BODY.replace("WORD", str(word)).replace("PRODUCT", form.spelt(words)).replace("FIRST", source)
    out = np.zeros((128, N), np.uint32)
    launch(HEAD + body + FREE, "k", (1,), (128,), [image, out], seed=seed % 3)
    wide_a = a * np.repeat(by_row[:, first : first + blocks], size, 1)
    wide_b = b * np.repeat(by_column[:N, second : second + blocks], size, 1)
    same = np.array_equal(out.view(np.float32).astype(float), sums("f32", wide_a, wide_b.T, 0.0))
    return "" if same else f"{form.spelt(words)} of {kind} with {scale}"


@pytest.mark.parametrize("form", PRODUCTS, ids=["shared", "tensor memory"])
def test_scaled_products_are_those_of_the_definition(form: InstructionForm) -> None:
    """The use of the collector buffer changes nothing: every fifth choice has one of each."""
    picks = [one for at, one in enumerate(sound(form)) if "buffer" not in one[0] or at % 5 == 0]
    wrong = [failure(form, *one, seed) for seed, one in enumerate(picks)]
    assert picks
    assert not [one for one in wrong if one]
