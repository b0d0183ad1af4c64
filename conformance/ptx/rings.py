"""Kernels with rings of buffers, written here: what compilers make of a pipelined product, in a few lines each.

They are right, and each of their waits, commits, fences, arrivals and barriers may be taken out by
`conformance.ptx.removals`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tilewright.ptxsim import launch


@dataclass(frozen=True)
class Ring:
    """A kernel with its text; `run` launches a text and returns its results, and `right` compares them with NumPy."""

    name: str
    text: str
    run: Callable[..., Any]
    right: Callable[[Any], bool]
    permits: tuple[str, ...] = field(default=())


TURNS, STAGES = 5, 2

# --- sm_80: copies of each thread, into a ring that all threads read

COPIES = """.version 8.0
.target sm_80
.address_size 64
.entry ring(.param .u64 in, .param .u64 out)
{
    .reg .b32 %t, %s, %o, %i, %w, %sum, %stage; .reg .b64 %x, %y; .reg .pred %p, %more;
    .shared .align 16 .b8 tile[2048];
    mov.u32 %t, %tid.x;
    mov.u32 %s, tile;
    mad.lo.u32 %s, %t, 16, %s;
    xor.b32 %o, %t, 63;
    mov.u32 %w, tile;
    mad.lo.u32 %o, %o, 16, %w;
    ld.param.u64 %x, [in];
    mad.wide.u32 %x, %t, 16, %x;
    ld.param.u64 %y, [out];
    mad.wide.u32 %y, %t, 4, %y;
    cp.async.cg.shared.global [%s], [%x], 16;
    cp.async.commit_group;
    mov.b32 %i, 0;
    mov.b32 %sum, 0;
turn:
    add.u32 %stage, %i, 1;
    setp.lt.u32 %more, %stage, TURNS;
    and.b32 %stage, %stage, 1;
    shl.b32 %stage, %stage, 10;
    add.u32 %stage, %stage, %s;
    add.u64 %x, %x, 1024;
    @%more cp.async.cg.shared.global [%stage], [%x], 16;
    cp.async.commit_group;
    cp.async.wait_group 1;
    bar.sync 0;
    and.b32 %stage, %i, 1;
    shl.b32 %stage, %stage, 10;
    add.u32 %stage, %stage, %o;
    ld.shared.b32 %w, [%stage+4];
    add.u32 %sum, %sum, %w;
    bar.sync 0;
    add.u32 %i, %i, 1;
    setp.lt.u32 %p, %i, TURNS;
    @%p bra turn;
    st.global.b32 [%y], %sum;
    ret;
}
""".replace("TURNS", str(TURNS))


def _copies() -> Ring:
    data = np.random.default_rng(1).integers(0, 1000, (TURNS, 64, 4), dtype=np.int32)

    def run(text: str, **options: Any) -> Any:
        out = np.zeros(64, np.int32)
        launch(text, "ring", (1,), (64,), [data, out], **options)
        return out

    return Ring("copies", COPIES, run, lambda out: bool((out == data[:, ::-1, 1].sum(0)).all()))


# --- sm_90: a warp that copies, and a warp group that multiplies

GROUP = """.version 8.0
.target sm_90a
.address_size 64
.entry ring(.param .u64 a, .param .u64 b, .param .u64 out)
{
    .reg .b32 %t, %i, %s, %phase, %bar, %at, %r<4>; .reg .b64 %x, %y, %o, %da, %db;
    .reg .pred %p, %q, %first, %copies, %leads;
    .shared .align 1024 .b8 tile[4608];
    .shared .align 8 .b64 full[2];
    .shared .align 8 .b64 empty[2];
    mov.u32 %t, %tid.x;
    setp.eq.u32 %first, %t, 0;
    mov.u32 %at, full;
    @%first mbarrier.init.shared::cta.b64 [%at], 1;
    @%first mbarrier.init.shared::cta.b64 [%at+8], 1;
    mov.u32 %at, empty;
    @%first mbarrier.init.shared::cta.b64 [%at], 128;
    @%first mbarrier.init.shared::cta.b64 [%at+8], 128;
    bar.sync 0;
    ld.param.u64 %x, [a];
    ld.param.u64 %y, [b];
    ld.param.u64 %o, [out];
    mov.b32 %i, 0;
    setp.lt.u32 %p, %t, 128;
    @%p bra multiply;
    setp.ne.u32 %copies, %t, 128;
    @%copies bra done;
copy:
    and.b32 %s, %i, 1;
    shr.u32 %phase, %i, 1;
    and.b32 %phase, %phase, 1;
    xor.b32 %phase, %phase, 1;
    mov.u32 %bar, empty;
    mad.lo.u32 %bar, %s, 8, %bar;
free:
    mbarrier.try_wait.parity.shared::cta.b64 %q, [%bar], %phase;
    @!%q bra free;
    mov.u32 %bar, full;
    mad.lo.u32 %bar, %s, 8, %bar;
    mov.u32 %at, tile;
    mad.lo.u32 %at, %s, 2304, %at;
    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], 2304;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%at], [%x], 2048, [%bar];
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%at+2048], [%y], 256, [%bar];
    add.u64 %x, %x, 2048;
    add.u64 %y, %y, 256;
    add.u32 %i, %i, 1;
    setp.lt.u32 %p, %i, TURNS;
    @%p bra copy;
    bra done;
multiply:
    mov.b32 %r0, 0;
    mov.b32 %r1, 0;
    mov.b32 %r2, 0;
    mov.b32 %r3, 0;
turn:
    and.b32 %s, %i, 1;
    shr.u32 %phase, %i, 1;
    and.b32 %phase, %phase, 1;
    mov.u32 %bar, full;
    mad.lo.u32 %bar, %s, 8, %bar;
here:
    mbarrier.try_wait.parity.shared::cta.b64 %q, [%bar], %phase;
    @!%q bra here;
    mul.lo.u32 %at, %s, 144;
    cvt.u64.u32 %da, %at;
    add.u64 %db, %da, DESCB;
    add.u64 %da, %da, DESCA;
    setp.eq.u32 %p, %t, %t;
    wgmma.fence.sync.aligned;
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r0, %r1, %r2, %r3}, %da, %db, %p, 1, 1, 0, 0;
    wgmma.commit_group.sync.aligned;
    wgmma.wait_group.sync.aligned 0;
    mov.u32 %bar, empty;
    mad.lo.u32 %bar, %s, 8, %bar;
    mbarrier.arrive.shared::cta.b64 _, [%bar];
    add.u32 %i, %i, 1;
    setp.lt.u32 %p, %i, TURNS;
    @%p bra turn;
    mad.wide.u32 %o, %t, 16, %o;
    st.global.v4.b32 [%o], {%r0, %r1, %r2, %r3};
done:
    bar.sync 1, 160;
    mov.u32 %at, full;
    @%first mbarrier.inval.shared::cta.b64 [%at];
    @%first mbarrier.inval.shared::cta.b64 [%at+8];
    ret;
}
"""


def _descriptor(start: int, rows: int) -> int:
    """Rows of 16 bytes, eight of them together; the next 16 bytes of K lie behind all rows."""
    return start >> 4 | (rows * 16) >> 4 << 16 | 128 >> 4 << 32


def laid(matrix: Any) -> Any:
    """The bytes of a matrix, or of several, in pieces of 16 bytes of K."""
    raw = np.ascontiguousarray(matrix).view(np.uint8)
    pieces = raw.reshape(*matrix.shape[:-1], -1, 16)
    return np.ascontiguousarray(np.moveaxis(pieces, -2, -3))


def _factors(rows: int, columns: int, seed: int) -> tuple[Any, Any]:
    chance = np.random.default_rng(seed)
    return tuple(chance.integers(-4, 5, (TURNS, extent, 16)).astype(np.float16) for extent in (rows, columns))


def _sum(a: Any, b: Any) -> Any:
    return np.einsum("tmk,tnk->mn", a.astype(np.float32), b.astype(np.float32))


def _group() -> Ring:
    a, b = _factors(64, 8, 2)
    text = GROUP.replace("DESCA", str(_descriptor(1024, 64))).replace("DESCB", str(_descriptor(3072, 8)))

    def run(text: str, **options: Any) -> Any:
        out = np.zeros((128, 4), np.float32)
        launch(text, "ring", (1,), (160,), [laid(a), laid(b), out], **options)
        return out

    def right(out: Any) -> bool:
        threads = np.arange(128)[:, None]
        register = np.arange(4)[None, :]
        row = threads // 32 * 16 + threads % 32 // 4 + register // 2 * 8
        return bool((out == _sum(a, b)[row, threads % 4 * 2 + register % 2]).all())

    return Ring("warp group", text.replace("TURNS", str(TURNS)), run, right)


# --- sm_100: a thread that copies, a thread that multiplies, and a warp group for the results

TENSOR = """.version 8.8
.target sm_100a
.address_size 64
.entry ring(.param .u64 a, .param .u64 b, .param .u64 out)
{
    .reg .b32 %t, %i, %s, %phase, %bar, %at, %m, %lane, %word, %r<64>; .reg .b64 %x, %y, %o, %da, %db;
    .reg .pred %p, %q, %more, %first, %warp;
    .shared .align 1024 .b8 tile[12288];
    .shared .align 8 .b64 full[2];
    .shared .align 8 .b64 empty[2];
    .shared .align 8 .b64 end;
    .shared .b32 slot;
    mov.u32 %t, %tid.x;
    setp.eq.u32 %first, %t, 0;
    setp.lt.u32 %warp, %t, 32;
    mov.u32 %at, full;
    @%first mbarrier.init.shared::cta.b64 [%at], 1;
    @%first mbarrier.init.shared::cta.b64 [%at+8], 1;
    mov.u32 %at, empty;
    @%first mbarrier.init.shared::cta.b64 [%at], 1;
    @%first mbarrier.init.shared::cta.b64 [%at+8], 1;
    mov.u32 %at, end;
    @%first mbarrier.init.shared::cta.b64 [%at], 1;
    @%warp tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 64;
    bar.sync 0;
    ld.shared.b32 %m, [slot];
    ld.param.u64 %x, [a];
    ld.param.u64 %y, [b];
    ld.param.u64 %o, [out];
    mov.b32 %i, 0;
    setp.eq.u32 %p, %t, 128;
    @%p bra copy;
    setp.eq.u32 %p, %t, 160;
    @%p bra multiply;
    setp.lt.u32 %p, %t, 128;
    @%p bra results;
    bra done;
copy:
    and.b32 %s, %i, 1;
    shr.u32 %phase, %i, 1;
    and.b32 %phase, %phase, 1;
    xor.b32 %phase, %phase, 1;
    mov.u32 %bar, empty;
    mad.lo.u32 %bar, %s, 8, %bar;
free:
    mbarrier.try_wait.parity.shared::cta.b64 %q, [%bar], %phase;
    @!%q bra free;
    mov.u32 %bar, full;
    mad.lo.u32 %bar, %s, 8, %bar;
    mov.u32 %at, tile;
    mad.lo.u32 %at, %s, 6144, %at;
    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], 6144;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%at], [%x], 4096, [%bar];
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%at+4096], [%y], 2048, [%bar];
    add.u64 %x, %x, 4096;
    add.u64 %y, %y, 2048;
    add.u32 %i, %i, 1;
    setp.lt.u32 %p, %i, TURNS;
    @%p bra copy;
    bra done;
multiply:
    mov.b32 %word, WORD;
turn:
    and.b32 %s, %i, 1;
    shr.u32 %phase, %i, 1;
    and.b32 %phase, %phase, 1;
    mov.u32 %bar, full;
    mad.lo.u32 %bar, %s, 8, %bar;
here:
    mbarrier.try_wait.parity.shared::cta.b64 %q, [%bar], %phase;
    @!%q bra here;
    mul.lo.u32 %at, %s, 384;
    cvt.u64.u32 %da, %at;
    add.u64 %db, %da, DESCB;
    add.u64 %da, %da, DESCA;
    setp.ne.u32 %more, %i, 0;
    tcgen05.mma.cta_group::1.kind::f16 [%m], %da, %db, %word, %more;
    mov.u32 %bar, empty;
    mad.lo.u32 %bar, %s, 8, %bar;
    tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%bar];
    add.u32 %i, %i, 1;
    setp.lt.u32 %p, %i, TURNS;
    @%p bra turn;
    mov.u32 %bar, end;
    tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%bar];
    bra done;
results:
    mov.u32 %bar, end;
over:
    mbarrier.try_wait.parity.shared::cta.b64 %q, [%bar], 0;
    @!%q bra over;
    tcgen05.fence::after_thread_sync;
    and.b32 %lane, %t, 96;
    shl.b32 %lane, %lane, 16;
    add.u32 %lane, %lane, %m;
    tcgen05.ld.sync.aligned.32x32b.x64.b32 {REGISTERS}, [%lane];
    tcgen05.wait::ld.sync.aligned;
    mad.wide.u32 %o, %t, 256, %o;
    STORES
done:
    bar.sync 0;
    mov.u32 %at, empty;
    @%first mbarrier.inval.shared::cta.b64 [%at];
    @%first mbarrier.inval.shared::cta.b64 [%at+8];
    @%warp tcgen05.dealloc.cta_group::1.sync.aligned.b32 %m, 64;
    ret;
}
"""
_CONSTANT = 1 << 46
"""The bit that every descriptor of `tcgen05` has."""


def _tensor() -> Ring:
    a, b = _factors(128, 64, 3)
    word = 1 << 4 | 64 >> 3 << 17 | 128 >> 4 << 24
    text = TENSOR.replace("REGISTERS", ", ".join(f"%r{at}" for at in range(64))).replace("WORD", str(word))
    text = text.replace("STORES", "\n    ".join(f"st.global.b32 [%o+{4 * at}], %r{at};" for at in range(64)))
    text = text.replace("DESCA", str(_descriptor(1024, 128) | _CONSTANT))
    text = text.replace("DESCB", str(_descriptor(1024 + 4096, 64) | _CONSTANT))

    def run(text: str, **options: Any) -> Any:
        out = np.zeros((128, 64), np.float32)
        launch(text, "ring", (1,), (192,), [laid(a), laid(b), out], **options)
        return out

    return Ring(
        "tensor memory", text.replace("TURNS", str(TURNS)), run, lambda out: bool((out == _sum(a, b)).all())
    )


RINGS = (_copies(), _group(), _tensor())
"""Every kernel of this file."""
