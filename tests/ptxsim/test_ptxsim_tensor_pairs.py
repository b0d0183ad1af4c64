"""Tensor memory of pairs of blocks, products with stationary weights, and shifted rows, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.ptxsim.test_ptxsim_tensormemory import (
    COMMIT,
    READ,
    READY,
    WAIT,
    WAIT_LD,
    WAIT_ST,
    descriptor,
    idesc,
    laid,
    listed,
    numbered,
    numbers,
    run,
)
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptxsim import launch

SYNC = """tcgen05.fence::before_thread_sync; barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
    tcgen05.fence::after_thread_sync;"""
PAIR = """.version 8.8
.target sm_100a
.address_size 64
.entry k(.param .u64 image, .param .u64 out)
{
    .reg .b32 %r<64>, %t, %c, %s, %m, %w, %lane, %b, %a; .reg .b64 %x, %o, %da, %db, %y; .reg .pred %one, %p, %q, %warp;
    .reg .b16 %both;
    .shared .align 1024 .b8 tile[16384]; .shared .align 8 .b64 bar; .shared .b32 slot;
    mov.u32 %t, %tid.x; mov.u32 %c, %cluster_ctarank; mov.u32 %b, bar; mov.u32 %s, tile; mov.b16 %both, 3;
    setp.eq.u32 %one, %t, 0; setp.lt.u32 %warp, %t, 32; ld.param.u64 %x, [image]; ld.param.u64 %o, [out];
    mad.wide.u32 %x, %c, 16384, %x; mad.wide.u32 %x, %t, 4, %x; mad.lo.u32 %s, %t, 4, %s; mov.u32 %w, 0;
copy: ld.global.b32 %a, [%x]; st.shared.b32 [%s], %a; add.u64 %x, %x, 512; add.u32 %s, %s, 512; add.u32 %w, %w, 1;
    setp.lt.u32 %p, %w, 32; @%p bra copy;
    @%one mbarrier.init.shared::cta.b64 [%b], 1;
    @%warp tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [slot], 64;
    fence.proxy.async.shared::cta; bar.sync 0; ld.shared.b32 %m, [slot];
    SYNC
    setp.eq.u32 %p, %c, 0; and.pred %one, %one, %p; mov.b64 %da, DESCA; mov.b64 %db, DESCB; mov.b32 %w, WORD;
    setp.ne.u32 %p, %t, %t;
    BODY
    @%one tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%b], %both;
wait: mbarrier.try_wait.parity.shared::cta.b64 %q, [%b], 0; @!%q bra wait;
    tcgen05.fence::after_thread_sync;
    and.b32 %lane, %t, 96; shl.b32 %lane, %lane, 16; add.u32 %lane, %lane, %m;
    tcgen05.ld.sync.aligned.32x32b.x64.b32 {REGISTERS}, [%lane]; tcgen05.wait::ld.sync.aligned;
    mad.lo.u32 %t, %c, 128, %t; mad.wide.u32 %o, %t, 256, %o;
    STORES
    SYNC
    @%warp tcgen05.dealloc.cta_group::2.sync.aligned.b32 %m, 64;
    ret;
}
"""
PRODUCT = "@%one tcgen05.mma.cta_group::2.kind::f16 [%m], %da, %db, %w, %p;"


def paired(a: Any, b: Any, body: str = PRODUCT, *, seed: int = 0, schedule: int = 0, **changes: str) -> Any:
    """The 128 lanes of both blocks behind a product, of which each block has half of the rows of each factor."""
    rows, columns = len(a) // 2, len(b) // 2
    image = np.zeros((2, 16384), np.uint8)
    for at in range(2):
        left, right = laid(a[at * rows :][:rows]).ravel(), laid(b[at * columns :][:columns]).ravel()
        image[at, : len(left)], image[at, 8192 : 8192 + len(right)] = left, right
    text = PAIR.replace("BODY", body).replace("SYNC", SYNC).replace("DESCA", str(descriptor(1024, rows)))
    text = text.replace("DESCB", str(descriptor(1024 + 8192, columns)))
    text = text.replace("WORD", str(idesc(1, 0, 0, len(b), len(a)))).replace("REGISTERS", listed(64)[1:-1])
    text = text.replace("STORES", " ".join(f"st.global.b32 [%o+{4 * at}], %r{at};" for at in range(64)))
    for before, after in changes.items():
        text = text.replace(CHANGES[before], after)
    out = np.zeros((2, 128, 64), np.float32)
    launch(text, "k", (2,), (128,), [image, out], cluster=(2,), seed=seed, schedule=schedule)
    return out


CHANGES = {
    "multicast": ".multicast::cluster.b64 [%b], %both",
    "sync": "    " + SYNC + "\n    setp.eq",
    "alloc": "tcgen05.alloc.cta_group::2",
}


@pytest.mark.parametrize(("seed", "schedule"), [(0, 0), (1, 4)])
def test_256_rows_of_a_pair(seed: int, schedule: int) -> None:
    a, b = numbers(256, 16, np.float16), numbers(64, 16, np.float16)
    found = paired(a, b, seed=seed, schedule=schedule)
    assert (found.reshape(256, 64) == a.astype(float) @ b.astype(float).T).all()


def test_128_rows_of_a_pair_split_their_columns() -> None:
    """Layout B: lanes 64 to 127 have the second half of the columns."""
    a, b = numbers(128, 16, np.float16), numbers(128, 16, np.float16)
    found = paired(a, b)
    expected = a.astype(float) @ b.astype(float).T
    for block in range(2):
        rows = expected[64 * block : 64 * block + 64]
        assert (found[block, :64] == rows[:, :64]).all()
        assert (found[block, 64:] == rows[:, 64:]).all()


def test_lanes_of_a_pair_are_disabled() -> None:
    a, b = numbers(256, 16, np.float16), numbers(64, 16, np.float16)
    masks = "{" + ", ".join(["%r0"] * 7 + ["%r1"]) + "}"
    clear = "".join(f"mov.b32 %r{at}, 0;" for at in range(64))
    body = f"and.b32 %lane, %t, 96; shl.b32 %lane, %lane, 16; add.u32 %lane, %lane, %m; {clear}"
    body += f"tcgen05.st.sync.aligned.32x32b.x64.b32 [%lane], {listed(64)}; {WAIT_ST} {SYNC} mov.b32 %r1, -1;"
    body += PRODUCT.replace("%w, %p", f"%w, {masks}, %p")
    found = paired(a, b, body).reshape(256, 64)
    expected = a.astype(float) @ b.astype(float).T
    expected[224:] = 0
    assert (found == expected).all()


def test_copies_of_a_pair_are_of_each_block() -> None:
    a, b = numbers(256, 16, np.float16), numbers(64, 16, np.float16)
    found = paired(a, b, f"{PRODUCT} @%one tcgen05.cp.cta_group::2.128x256b [%m+8], %da;")
    expected = np.stack([np.ascontiguousarray(one).view(np.float32) for one in (a[:128], a[128:])])
    assert (found[:, :, 8:16].view(np.uint32) == expected.view(np.uint32)).all()


@pytest.mark.parametrize(
    ("body", "changes", "message"),
    [
        (PRODUCT, {"multicast": ".b64 [%b]"}, "no thread can continue"),  # the other block waits
        (PRODUCT, {"sync": "setp.eq"}, r"TW1265|TW1266|TW1253"),
        (PRODUCT, {"alloc": "tcgen05.alloc.cta_group::1"}, "a kernel of cta_group::1"),
        ("@%one tcgen05.cp.cta_group::1.128x256b [%m], %da;", {}, "a kernel of cta_group::2"),
    ],
)
def test_faults_of_pairs(body: str, changes: dict[str, str], message: str) -> None:
    a, b = numbers(256, 16, np.float16), numbers(64, 16, np.float16)
    with pytest.raises(DiagnosticError, match=message):
        paired(a, b, body, **changes)


def test_a_pair_needs_a_cluster() -> None:
    with pytest.raises(DiagnosticError, match="a pair of blocks in a cluster of 1"):
        run(
            "mov.b32 %r0, 1;",
            np.zeros(1),
            1,
            alloc="@%warp tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [slot], 256;",
        )


# --- stationary weights


def stationary(a: Any, b: Any, zeros: int | None = None) -> Any:
    """The columns of tensor memory behind a product with stationary weights."""
    image = np.concatenate([laid(a).ravel(), laid(b).ravel()])
    mask = "" if zeros is None else f"mov.b64 %y, {zeros};"
    body = f"{READY} mov.b32 %w, {idesc(1, 0, 0, len(b), len(a))}; setp.ne.u32 %p, %t, %t; {mask}"
    body += f"mov.b64 %da, {descriptor(1024, len(a))}; mov.b64 %db, {descriptor(1024 + a.nbytes, len(b))};"
    body += f"@%one tcgen05.mma.ws.cta_group::1.kind::f16 [%m], %da, %db, %w, %p{'' if zeros is None else ', %y'};"
    return run(f"{body} {COMMIT} {WAIT} {READ} {WAIT_LD}", image, 64).view(np.float32)


@pytest.mark.parametrize(("m", "n"), [(128, 64), (64, 128), (32, 256)])
def test_rows_of_stationary_weights_split_their_columns(m: int, n: int) -> None:
    """Layouts D, E and G: each 64 columns have lanes of their own."""
    a, b = numbers(m, 16, np.float16), numbers(n, 16, np.float16)
    expected = a.astype(float) @ b.astype(float).T
    parts = np.concatenate(np.split(expected, 128 // m, axis=1))
    assert (stationary(a, b) == parts).all()


def mask_of(zeros: int, used: int, starts: tuple[int, ...], firsts: tuple[int, ...], on: int = 1) -> int:
    """A zero-column mask descriptor."""
    word = on << 39 | zeros - 1 << 40 | used - 1 << 48
    for at, (start, first) in enumerate(zip(starts, firsts, strict=True)):
        word |= start << 8 * at | first << 32 + at
    return word


@pytest.mark.parametrize(
    ("m", "n", "starts", "firsts", "patterns"),
    [
        (128, 64, (0,), (0,), ("0000111",)),
        (64, 128, (0, 0), (1, 0), ("1110000", "0000111")),
        (32, 256, (0, 1, 2, 1), (1, 1, 0, 0), ("1110000", "1100001", "0011100", "0001110")),
    ],
)
def test_columns_of_zeros(m: int, n: int, starts: Any, firsts: Any, patterns: tuple[str, ...]) -> None:
    """The examples of the ISA, 9.7.16.4.3, each mask from its first column on."""
    a, b = numbers(m, 16, np.float16), numbers(n, 16, np.float16)
    width = n * m // 128
    flags = np.concatenate([np.resize([one == "1" for one in pattern], width) for pattern in patterns])
    expected = a.astype(float) @ np.where(flags[:, None], 0, b.astype(float)).T
    parts = np.concatenate(np.split(expected, 128 // m, axis=1))
    assert (stationary(a, b, mask_of(3, 4, starts, firsts)) == parts).all()
    whole = np.concatenate(np.split(a.astype(float) @ b.astype(float).T, 128 // m, axis=1))
    assert (stationary(a, b, mask_of(3, 4, starts, firsts, on=0)) == whole).all()


@pytest.mark.parametrize(
    ("m", "n", "zeros", "message"),
    [
        (128, 64, 1 << 36, "reserved bits"),
        (128, 64, mask_of(3, 4, (4,), (0,)), "leaves the first span"),
        (128, 64, 1 << 56, "with a shift"),
        (64, 32, None, "the shape 64 x 32"),
    ],
)
def test_faults_of_stationary_weights(m: int, n: int, zeros: int | None, message: str) -> None:
    with pytest.raises(DiagnosticError, match=message):
        stationary(numbers(m, 16, np.float16), numbers(n, 16, np.float16), zeros)


# --- shifted rows


def test_rows_of_each_warp_are_shifted() -> None:
    body = (
        numbered(64)
        + f"{READY} @%one tcgen05.shift.cta_group::1.down [%m+8]; {COMMIT} {WAIT} {READ} {WAIT_LD}"
    )
    found = run(body, np.zeros(1), 64)
    lanes, columns = np.arange(128), np.arange(64)
    expected = 1000 * lanes[:, None] + columns
    expected[:, 8:16] = 1000 * np.minimum(lanes + 1, lanes | 31)[:, None] + columns[8:16]
    assert (found == expected).all()


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("@%one tcgen05.shift.cta_group::1.down [%m+8];" + READ, "still written by an operation in flight"),
        ("@%one tcgen05.shift.cta_group::1.down [%m+250];", "not all of it is allocated"),
        ("add.u32 %m, %m, 2097152; @%one tcgen05.shift.cta_group::1.down [%m];", "another lane than 0"),
    ],
)
def test_faults_of_shifts(body: str, message: str) -> None:
    with pytest.raises(DiagnosticError, match=message):
        run(numbered(64) + READY + body, np.zeros(1), 64)
