"""Undefined values on their way through instructions that move words between lanes, matrices and memories.

A kernel stores the results of some lanes to global memory, where an undefined value is told: which lanes may store is
how the tests see what is undefined.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptxsim import launch

HEAD = ".version 8.7\n.target sm_90a\n.address_size 64\n"
THREADS = 32
DECLARED = """
    .reg .b32 %t, %s, %none, %u, %l, %r<16>, %z<8>; .reg .b64 %o, %x, %y, %n; .reg .f32 %f<8>; .reg .pred %p, %q;
    .shared .align 16 .b8 tile[2048]; .local .align 16 .b8 mine[64];
    mov.u32 %t, %tid.x; mov.u32 %s, tile; mad.lo.u32 %l, %t, 4, %s;
"""
SPOIL = "mov.b32 %u, %t; setp.eq.u32 %p, %t, 5; @%p mov.b32 %u, %none;"
"""Lane 5 of ``%u`` is undefined, the others are the number of the lane."""


def is_stored(body: str, lanes: Iterable[int], word: int = 0, more: str = "") -> bool:
    """Whether some lanes can store a register."""
    mask = sum(1 << lane for lane in lanes)
    text = (
        f"{HEAD}{more}.entry k(.param .u64 out)\n{{{DECLARED}{body}\n"
        f"mov.b32 %z0, {mask:#x}; shr.u32 %z0, %z0, %t; and.b32 %z0, %z0, 1; setp.ne.u32 %q, %z0, 0;\n"
        f"ld.param.u64 %o, [out]; mad.wide.u32 %o, %t, 4, %o; @%q st.global.b32 [%o], %r{word};\nret;\n}}\n"
    )
    try:
        launch(text, "k", (1,), (THREADS,), [np.zeros(THREADS, np.uint32)])
    except DiagnosticError as error:
        if "TW1253" not in str(error):
            raise
        return False
    return True


def holds(body: str, wanted: dict[int, set[int]], more: str = "") -> None:
    """Check for registers which lanes are undefined: all others store at once, and each of these fails alone."""
    for word, lanes in wanted.items():
        assert is_stored(body, set(range(THREADS)) - lanes, word, more)
        for lane in lanes:
            assert not is_stored(body, [lane], word, more)


STORED = f"{SPOIL} mov.b32 %r0, %t; stmatrix.sync.aligned.m8n8.x1{{trans}}.shared.b16 [%y], {{{{%u}}}};"
ROW = "mad.lo.u32 %z1, %t, 16, %s; cvt.u64.u32 %y, %z1;"


@pytest.mark.parametrize(("trans", "lanes"), [("", {5}), (".trans", {8, 12})])
def test_matrices_that_are_stored(trans: str, lanes: set[int]) -> None:
    """Lane 5 holds the elements (1, 2) and (1, 3): two words, if the matrix is transposed."""
    store = STORED.format(trans=trans)
    holds(f"{ROW}{store} bar.sync 0; ld.shared.b32 %r0, [%l];", {0: lanes})


@pytest.mark.parametrize(("trans", "lanes"), [("", {5}), (".trans", {8, 12})])
def test_matrices_that_are_loaded(trans: str, lanes: set[int]) -> None:
    body = f"{SPOIL} st.shared.b32 [%l], %u; bar.sync 0; {ROW} ldmatrix.sync.aligned.m8n8.x1{trans}.shared.b16 {{%r0}}, [%y];"
    holds(body, {0: lanes})


def test_matrices_of_several_registers() -> None:
    """Only the second of four registers is undefined."""
    store = "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%y], {%t, %u, %t, %t};"
    load = "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0, %r1, %r2, %r3}, [%y];"
    holds(f"{SPOIL}{ROW}{store} bar.sync 0; {load}", {0: set(), 1: {5}, 2: set(), 3: set()})


def test_matrices_that_are_transposed() -> None:
    holds(f"{SPOIL} movmatrix.sync.aligned.m8n8.trans.b16 %r0, %u;", {0: {8, 12}})


HALF = "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [%x];"
FILL = "cvt.u64.u32 %x, %s; " + "".join(
    f"add.u32 %z2, %t, {32 * at}; st.shared.b32 [%l+{128 * at}], %{'u' if at == 1 else 'z2'};"
    for at in range(4)
)
"""A matrix of 16 x 16 halves; its word 37, with the elements (4, 10) and (4, 11), is undefined."""


def test_matrices_of_registers_without_a_known_place() -> None:
    """A lane has eight elements of a row, and its registers twice."""
    body = f"{SPOIL}{FILL} bar.sync 0; {HALF}"
    holds(body, {at: {9} if at % 4 == 1 else set() for at in range(8)})


def test_products_of_registers_without_a_known_place() -> None:
    """An undefined element of A spoils a row of the product: 8 elements in each of two lanes."""
    zeros = "{%z4, %z4, %z4, %z4, %z4, %z4, %z4, %z4}"
    sums = "{%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}"
    body = (
        f"{SPOIL}{FILL} mov.b32 %z4, 0; bar.sync 0; {HALF}"
        f"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {sums}, {sums}, {zeros}, {zeros};"
    )
    holds(body, {0: {8, 9}, 7: {8, 9}})


def test_products_of_single_bits() -> None:
    """A has four lanes for a row of 128 bits, B one lane for four rows of 8 bits."""
    chance = np.random.default_rng(3)
    a, b, c = (chance.integers(0, 1 << 32, 32, np.uint32) for _ in range(3))
    c = (c % 1000).astype(np.uint32)
    left = np.unpackbits(a.view(np.uint8), bitorder="little").reshape(8, 128)
    right = np.unpackbits(b.view(np.uint8), bitorder="little").reshape(128, 8)
    for op, ufunc in (("xor", np.bitwise_xor), ("and", np.bitwise_and)):
        text = (
            f"{HEAD}.entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 out)\n{{{DECLARED}\n"
            + "".join(
                f"ld.param.u64 %x, [{name}]; mad.wide.u32 %x, %t, 4, %x; ld.global.b32 %r{at}, [%x];"
                for at, name in enumerate("abc")
            )
            + f"wmma.mma.{op}.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 {{%r4, %r5}}, {{%r0}}, {{%r1}}, {{%r2, %r2}};\n"
            "ld.param.u64 %o, [out]; mad.wide.u32 %o, %t, 8, %o; st.global.v2.b32 [%o], {%r4, %r5};\nret;\n}\n"
        )
        out = np.zeros((8, 8), np.uint32)
        launch(text, "k", (1,), (THREADS,), [a, b, c, out])
        counts = ufunc(left[:, :, None], right[None]).sum(1)
        assert out.tolist() == (counts + np.repeat(c.reshape(8, 4), 2, 1)).tolist()


PRODUCT = "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {{%f{0}, %f{1}, %f{2}, %f{3}}}, {{%{a}, %{a}}}, {{%z4}}, {{%f{0}, %f{1}, %f{2}, %f{3}}};"


def test_products_that_are_computed_together() -> None:
    """Of two products at once, one has an undefined row."""
    zero = "mov.b32 %z4, 0; " + "".join(f"mov.b32 %f{at}, 0;" for at in range(8))
    products = PRODUCT.format(0, 1, 2, 3, a="z4") + PRODUCT.format(4, 5, 6, 7, a="u")
    moved = "mov.b32 %r0, %f0; mov.b32 %r1, %f4;"
    holds(f"{SPOIL}{zero}{products}{moved}", {0: set(), 1: {4, 5, 6, 7}})


GENERIC = """
    cvta.shared.u64 %x, 0; mov.u64 %y, tile; cvta.shared.u64 %x, %y; mad.wide.u32 %x, %t, 4, %x;
    mov.u64 %n, mine; cvta.local.u64 %n, %n; and.b32 %z3, %t, 1; setp.eq.u32 %q, %z3, 1;
    selp.b64 %x, %n, %x, %q;
"""
"""Odd lanes have an address in their local memory, even ones in shared memory."""


def test_addresses_in_several_memories() -> None:
    """Lanes of one load and one store reach different memories, and keep what is undefined to themselves."""
    holds(f"{SPOIL}{GENERIC} st.b32 [%x], %u; ld.b32 %r0, [%x];", {0: {5}})
    spoil = SPOIL.replace("%t, 5", "%t, 6")
    holds(f"{spoil}{GENERIC} st.b32 [%x], %u; ld.b32 %r0, [%x];", {0: {6}})


def test_values_in_several_memories() -> None:
    text = (
        f"{HEAD}.entry k(.param .u64 out)\n{{{DECLARED}{GENERIC} mul.lo.u32 %r0, %t, 3; add.u32 %r1, %t, 100;\n"
        "st.v2.b32 [%x+0], {%r0, %r1}; ld.v2.b32 {%r2, %r3}, [%x];\n".replace("%t, 4, %x", "%t, 8, %x")
        + "ld.param.u64 %o, [out]; mad.wide.u32 %o, %t, 8, %o; st.global.v2.b32 [%o], {%r2, %r3};\nret;\n}\n"
    ).replace("mad.wide.u32 %x, %t, 4, %x;", "mad.wide.u32 %x, %t, 8, %x;")
    out = np.zeros((THREADS, 2), np.uint32)
    launch(text, "k", (1,), (THREADS,), [out])
    assert out.tolist() == [[3 * lane, lane + 100] for lane in range(THREADS)]


@pytest.mark.parametrize(
    ("first", "second"), [("st.relaxed.gpu", "ld.relaxed.gpu"), ("st.release.gpu", "ld.acquire.gpu")]
)
def test_ordered_accesses_to_several_memories(first: str, second: str) -> None:
    """Local memory is ordered with nothing."""
    holds(f"{GENERIC} {first}.b32 [%x], %t; {second}.b32 %r0, [%x];", {0: set()})


FUNCTION = """
.func (.param .b32 given) twice(.param .b32 taken)
{ .reg .b32 %a, %b; ld.param.b32 %a, [taken]; shl.b32 %b, %a, 1; st.param.b32 [given], %b; ret; }
.func (.param .b32 given) first(.param .b32 taken, .param .b32 other)
{ .reg .b32 %a; ld.param.b32 %a, [taken]; st.param.b32 [given], %a; ret; }
"""


def test_arguments_of_calls() -> None:
    """Arguments may be registers; a result may have no place."""
    holds(f"{SPOIL} call (%r0), twice, (%u);", {0: {5}}, FUNCTION)
    holds(f"{SPOIL} call (%r0), first, (%t, %u);", {0: set()}, FUNCTION)
    holds(f"{SPOIL} mov.b32 %r0, 7; call (_), twice, (%u);", {0: set()}, FUNCTION)


def test_numbers_of_registers_with_a_distance() -> None:
    out = np.zeros(THREADS, np.uint32)
    text = (
        f"{HEAD}.entry k(.param .u64 out)\n{{{DECLARED} ld.param.u64 %o, [out]; mad.wide.u32 %o, %t, 4, %o;\n"
        "mov.u64 %x, tile+8; mov.u64 %y, tile; sub.u64 %x, %x, %y; cvt.u32.u64 %r0, %x; st.global.b32 [%o], %r0;\nret;\n}\n"
    )
    launch(text, "k", (1,), (THREADS,), [out])
    assert out.tolist() == [8] * THREADS


def test_bulk_stores_of_nothing() -> None:
    body = "mov.b32 %r0, 9; st.shared.b32 [%l], %t; bar.sync 0; st.bulk.weak.shared::cta [%s], 0, 0; bar.sync 0; ld.shared.b32 %r0, [%l];"
    text = f"{HEAD.replace('sm_90a', 'sm_100a')}.entry k(.param .u64 out)\n{{{DECLARED}{body}\nld.param.u64 %o, [out]; mad.wide.u32 %o, %t, 4, %o; st.global.b32 [%o], %r0;\nret;\n}}\n"
    out = np.zeros(THREADS, np.uint32)
    launch(text, "k", (1,), (THREADS,), [out])
    assert out.tolist() == list(range(THREADS))


VARIABLES = """
.global .align 8 .f32 singles[4] = {1.5, 0f40000000, 0d4008000000000000, -0.25};
.global .align 8 .f64 doubles[3] = {1.5, 0f40000000, 0d4008000000000000};
.global .align 8 .b8 target[8] = {1, 2, 3, 4, 5, 6, 7, 8};
.global .align 8 .b8 pieces[8] = {0xFF(target), 0xFF00(target), 0xFF0000(target), 0xFF000000(target), 0xFF00000000(target), 0xFF0000000000(target), 0xFF000000000000(target), 0xFF00000000000000(target)};
.global .align 8 .u64 places[2] = {target+3, generic(target)};
"""


def test_initial_values_of_variables() -> None:
    """Floats of either width; addresses whole, with a distance, and byte by byte."""
    copies = "".join(
        f"ld.global.b64 %x, [{name}+{8 * at}]; st.global.b64 [%o+{8 * (first + at)}], %x;"
        for name, first, count in (("singles", 0, 2), ("doubles", 2, 3), ("pieces", 5, 1), ("places", 6, 2))
        for at in range(count)
    )
    text = f"{HEAD}{VARIABLES}.entry k(.param .u64 out)\n{{{DECLARED} ld.param.u64 %o, [out];{copies} mov.u64 %x, target; st.global.b64 [%o+64], %x;\nret;\n}}\n"
    out = np.zeros(9, np.uint64)
    launch(text, "k", (1,), (1,), [out])
    assert out[:2].view(np.float32).tolist() == [1.5, 2.0, 3.0, -0.25]
    assert out[2:5].view(np.float64).tolist() == [1.5, 2.0, 3.0]
    assert out[5] == out[8] == out[7] == out[6] - 3


@pytest.mark.parametrize("threads", [33, 40, 63, 64])
def test_threads_of_the_last_warp_that_meet(threads: int) -> None:
    """A mask names the lanes of both ways, and may name lanes that the last warp does not have."""
    body = (
        "and.b32 %z1, %t, 1; setp.eq.u32 %p, %z1, 1; mov.b32 %r1, %t; @%p bra other; add.u32 %r1, %t, 100;\n"
        "bra done; other: add.u32 %r1, %r1, 1; add.u32 %r1, %r1, 199; bra done;\n"
        "done: shfl.sync.idx.b32 %r0, %r1, 0, 31, -1;"
    )
    text = f"{HEAD}.entry k(.param .u64 out)\n{{{DECLARED}{body} ld.param.u64 %o, [out]; mad.wide.u32 %o, %t, 4, %o; st.global.b32 [%o], %r0;\nret;\n}}\n"
    out = np.zeros(threads, np.uint32)
    launch(text, "k", (1,), (threads,), [out])
    assert out.tolist() == [lane // 32 * 32 + 100 for lane in range(threads)]


HEAP = ".extern .func (.param .b64 place) malloc (.param .b64 size);\n"
TAKE = "{ .param .b64 a; .param .b64 b; st.param.b64 [a], 30000; call.uni (b), malloc, (a); ld.param.b64 %n, [b]; }"
DISCARD = "ld.param.u64 %x, [data]; setp.eq.u32 %p, %t, 0; @%p discard.global.L2 [%x], 128; bar.sync 0;"


def heap(body: str) -> list[int]:
    """The 64 words that a kernel with memory from the heap leaves in an array that it discards half of."""
    data = np.arange(1000, 1064, dtype=np.uint32)
    text = (
        f"{HEAD}{HEAP}.entry k(.param .u64 data)\n{{{DECLARED}{DISCARD}{TAKE}"
        f"mad.wide.u32 %y, %t, 4, %x; mad.wide.u32 %n, %t, 4, %n;\n{body}\nret;\n}}\n"
    )
    launch(text, "k", (1,), (THREADS,), [data])
    return data.tolist()


def test_memory_from_the_heap_is_apart() -> None:
    """What threads store there changes nothing of an array, and what is undefined of it stays so."""
    kept = "ld.global.b32 %r0, [%y+128]; st.global.b32 [%y], %r0;"
    assert heap(kept) == [*range(1032, 1064), *range(1032, 1064)]
    taken = "mad.lo.u32 %r1, %t, 7, 5; st.b32 [%n], %r1; ld.b32 %r0, [%n]; st.global.b32 [%y], %r0;"
    assert heap(taken) == [*(7 * lane + 5 for lane in range(32)), *range(1032, 1064)]
    with pytest.raises(DiagnosticError, match="TW1253"):
        heap("ld.global.b32 %r0, [%y]; st.global.b32 [%y], %r0;")


PRINTED = """
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 v);
.global .align 1 .b8 format[24] = {FORMAT};
.global .align 1 .b8 word[8] = {104, 101, 108, 108, 111, 33, 0, 0};
.entry k(.param .u64 out)
{
  .local .align 8 .b8 room[32]; .reg .b32 %r<4>; .reg .b64 %rd<6>;
  mov.u64 %rd0, format; cvta.global.u64 %rd0, %rd0; mov.u64 %rd2, word; cvta.global.u64 %rd2, %rd2;
  st.local.u32 [room], 7; st.local.u64 [room+8], %rd2; st.local.u32 [room+16], -3; st.local.f64 [room+24], 0d4004000000000000;
  mov.u64 %rd1, room; cvta.local.u64 %rd1, %rd1;
  { .param .b64 a; .param .b64 b; .param .b32 c; st.param.b64 [a], %rd0; st.param.b64 [b], %rd1;
    call.uni (c), vprintf, (a, b); ld.param.b32 %r1, [c]; }
  ld.param.u64 %rd3, [out]; st.global.b32 [%rd3], %r1;
  ret;
}
"""


@pytest.mark.parametrize(
    ("format", "shown", "count"),
    [
        ("%d %s|%d %f\n", "7 hello!|-3 2.500000\n", 4),
        ("%3d %8s|%+d\n", "  7   hello!|-3\n", 3),
        ("%-3d|%-8s|%u\n", "7  |hello!  |4294967293\n", 3),
        ("%u%.2s%%%x\n", "7he%fffffffd\n", 3),
        ("none\n", "none\n", 0),
    ],
)
def test_texts_that_are_printed(
    format: str, shown: str, count: int, capsys: pytest.CaptureFixture[str]
) -> None:
    out = np.zeros(1, np.int32)
    data = [*format.encode(), *[0] * (24 - len(format))]
    launch(HEAD + PRINTED.replace("FORMAT", ", ".join(map(str, data))), "k", (1,), (1,), [out])
    assert capsys.readouterr().out == shown
    assert out.tolist() == [count]
