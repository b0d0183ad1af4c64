"""`python -m conformance.ptx seeded`: kernels with one fault each, all of which the simulator must tell.

A kernel is a template with named pieces; a fault is another text for one piece.  Every kernel is right without a fault,
and with one either a diagnostic or a wrong result shows it.  Nothing but NumPy is needed.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from string import Template
from typing import Any

import ml_dtypes
import numpy as np

from tilewright.cli.batch import add_batch_options, executor_for
from tilewright.cli.progress import shown_progress
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptxsim import TensorMap, launch
from tilewright.runtime.distribution import Here, distribute

Faults = Mapping[str, tuple[str, str]]
"""For each class of faults the piece that is wrong, and its text then."""


@dataclass(frozen=True)
class Kernel:
    """A kernel with the faults that it may have; ``check`` runs a text and answers whether its results are right."""

    name: str
    template: str
    pieces: Mapping[str, str]
    faults: Faults
    check: Callable[[str], bool]

    def text(self, fault: str = "") -> str:
        """The kernel, with a fault or without."""
        pieces = dict(self.pieces)
        if fault:
            piece, wrong = self.faults[fault]
            pieces[piece] = wrong
        return Template(self.template).substitute(pieces)

    def attempt(self, fault: str = "") -> str:
        """What shows a fault: the first line of a diagnostic, or that results are wrong; empty if nothing does."""
        try:
            return "" if self.check(self.text(fault)) else "the results are wrong"
        except DiagnosticError as error:
            return str(error).partition("\n")[0]


HEAD = """.version 8.8
.target $target
.address_size 64
"""
RANDOM = np.random.default_rng(7)

# --- copies by each thread, into a buffer that is used twice

STAGED = (
    HEAD
    + """.entry k(.param .u64 in, .param .u64 out) {
    .reg .b32 %t, %s, %o, %r<3>; .reg .b64 %x, %y; .shared .align 16 .b8 tile[$bytes];
    mov.u32 %t, %tid.x; mov.u32 %s, tile; mad.lo.u32 %s, %t, $size, %s; xor.b32 %o, %t, 32; mov.u32 %r0, tile;
    mad.lo.u32 %o, %o, $size, %r0; ld.param.u64 %x, [in]; mad.wide.u32 %x, %t, $size, %x; ld.param.u64 %y, [out];
    mad.wide.u32 %y, %t, 8, %y;
    $copy $commit $wait $barrier ld.shared.b32 %r1, [%o$offset]; $again
    cp.async.ca.shared.global [%s], [%x+$bytes], $size; cp.async.commit_group; cp.async.wait_group 0; bar.sync 0;
    ld.shared.b32 %r2, [%o]; st.global.v2.b32 [%y$outside], {%r1, %r2}; ret; }
"""
)


def staged(size: int, threads: int) -> Kernel:
    """Copies of ``size`` bytes by each thread."""

    def check(text: str) -> bool:
        data = RANDOM.integers(0, 1000, (2, threads, size // 4), dtype=np.int32)
        out = np.zeros((threads, 2), np.int32)
        launch(text, "k", (1,), (threads,), [data, out])
        return bool((out == data[:, np.arange(threads) ^ 32, 0].T).all())

    pieces = {
        **{"target": "sm_80", "size": str(size), "bytes": str(size * threads), "offset": "", "outside": ""},
        "copy": f"cp.async.ca.shared.global [%s], [%x], {size};",
        **{"commit": "cp.async.commit_group;", "wait": "cp.async.wait_group 0;", "barrier": "bar.sync 0;"},
        "again": "bar.sync 0;",
    }
    faults = {
        "removed wait": ("wait", ""),
        "removed barrier": ("barrier", ""),
        "buffer reused early": ("again", ""),
        "misaligned": ("offset", "+2"),
        "out of bounds": ("outside", "+65536"),
        "wrong barrier count": ("barrier", "bar.sync 0, 32;"),
        "missing commit": ("commit", ""),
        "uninitialised": ("copy", ""),
    }
    return Kernel(f"staged {size} x {threads}", STAGED, pieces, faults, check)


# --- bulk copies in and out

BULK = (
    HEAD
    + """.entry k(.param .u64 in, .param .u64 out) {
    .reg .b32 %t, %s, %r; .reg .b64 %x, %y; .reg .pred %one, %q, %use;
    .shared .align 16 .b8 tile[$bytes]; .shared .align 8 .b64 bar;
    mov.u32 %t, %tid.x; mov.u32 %s, tile; mad.lo.u32 %s, %t, 4, %s; ld.param.u64 %x, [in]; ld.param.u64 %y, [out];
    setp.eq.u32 %one, %t, 0; setp.lt.u32 %use, %t, $words; $init bar.sync 0;
    @%one mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], $expected; $copy
    $wait @%use ld.shared.b32 %r, [%s]; @%use add.u32 %r, %r, 1; @%use st.shared.b32 [%s], %r; $fence $barrier
    @%one cp.async.bulk.global.shared::cta.bulk_group [%y$offset], [tile], $bytes; $commit $reuse
    @%one cp.async.bulk.wait_group 0; ret; }
"""
)
WAIT = "\nagain: mbarrier.try_wait.parity.shared::cta.b64 %q, [bar], PHASE; @!%q bra again;\n"
FENCE = "fence.proxy.async.shared::cta;"


def bulk(count: int) -> Kernel:
    """Bulk copies of ``count`` bytes."""

    def check(text: str) -> bool:
        data = RANDOM.integers(0, 1000, count // 4, dtype=np.int32)
        out = np.zeros_like(data)
        launch(text, "k", (1,), (256,), [data, out])
        return bool((out == data + 1).all())

    source = (
        "@%one cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [tile], [%xFAR], SIZE, [bar];"
    )
    copy = source.replace("SIZE", str(count))
    pieces = {
        **{
            "target": "sm_90a",
            "bytes": str(count),
            "words": str(count // 4),
            "expected": str(count),
            "offset": "",
        },
        "init": "@%one mbarrier.init.shared::cta.b64 [bar], 1;",
        **{"copy": copy.replace("FAR", ""), "wait": WAIT.replace("PHASE", "0"), "fence": FENCE},
        **{"barrier": "bar.sync 0;", "commit": "@%one cp.async.bulk.commit_group;", "reuse": ""},
    }
    faults = {
        "removed wait": ("wait", ""),
        "removed fence": ("fence", ""),
        "removed barrier": ("barrier", ""),
        "wrong phase": ("wait", WAIT.replace("PHASE", "1")),
        "wrong byte count": ("expected", str(count + 16)),
        "buffer reused early": ("reuse", "@%use st.shared.b32 [%s], 0;"),
        "misaligned": ("offset", "+8"),
        "out of bounds": ("copy", copy.replace("FAR", "+65536")),
        "wrong barrier count": ("init", "@%one mbarrier.init.shared::cta.b64 [bar], 2;"),
        "missing commit": ("commit", ""),
        "uninitialised": ("init", ""),
    }
    return Kernel(f"bulk {count}", BULK, pieces, faults, check)


# --- products of a group of warps, of tiles that tensor copies bring

GROUPS = (
    HEAD
    + """.entry k(.param .align 64 .b8 ma[128], .param .align 64 .b8 mb[128], .param .u64 out) {
    .reg .b32 %t, %w, %d<4>; .reg .b64 %a, %b, %x, %da, %db; .reg .pred %one, %q;
    .shared .align 1024 .b8 ta[8192]; .shared .align 1024 .b8 tb[1024]; .shared .align 8 .b64 bar;
    mov.u32 %t, %tid.x; setp.eq.u32 %one, %t, 0; mov.b64 %a, ma; cvta.param.u64 %a, %a; mov.b64 %b, mb;
    cvta.param.u64 %b, %b; ld.param.u64 %x, [out]; mad.wide.u32 %x, %t, 16, %x;
    @%one mbarrier.init.shared::cta.b64 [bar], $count; $barrier
    mov.u32 %w, ta; shr.u32 %w, %w, 4; cvt.u64.u32 %da, %w; or.b64 %da, %da, $desc_a;
    mov.u32 %w, tb; shr.u32 %w, %w, 4; cvt.u64.u32 %db, %w; or.b64 %db, %db, $desc_b;
    $load $wait_load mov.b32 %d0, 0; mov.b32 %d1, 0; mov.b32 %d2, 0; mov.b32 %d3, 0; $fence
    wgmma.mma_async.sync.aligned.m64n8k$k.$result.$kind {%d0, %d1, %d2, %d3}, %da, %db, 1$tail; $commit $touch
    $reuse $wait st.global.v4.b32 [%x], {%d0, %d1, %d2, %d3}; $end ret; }
"""
)
LOAD = (
    "@%one mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], BYTES; @%one cp.async.bulk.tensor.2d.shared::cta.global"
    ".tile.mbarrier::complete_tx::bytes [ta], [%a, {0, 0}], [bar]; @%one cp.async.bulk.tensor.2d.shared::cta.global"
    ".tile.mbarrier::complete_tx::bytes [tb], [%b, {0, 0}], [bar];"
)
TYPES: dict[str, tuple[Any, str]] = {
    "f16": (np.float16, "f16"),
    "bf16": (ml_dtypes.bfloat16, "u16"),
    "tf32": (np.float32, "f32"),
    "e4m3": (ml_dtypes.float8_e4m3fn, "u8"),
    "s8": (np.int8, "u8"),
}


def numbers(rows: int, columns: int, kind: str) -> Any:
    """Small integers, whose products are exact."""
    return RANDOM.integers(-3, 4, (rows, columns)).astype(TYPES[kind][0])


def raw(array: Any, kind: str) -> Any:
    """The same bytes as a tensor map takes them."""
    names = {"u16": np.uint16, "u8": np.uint8}
    return array.view(names.get(TYPES[kind][1], array.dtype))


def groups(kind: str, swizzle: int) -> Kernel:
    """Products of 64 x 8 elements; tiles have rows of ``swizzle`` bytes, of which 32 are multiplied."""
    width = np.dtype(TYPES[kind][0]).itemsize
    k, inner = 32 // width, swizzle // width

    def check(text: str) -> bool:
        a, b = numbers(64, inner, kind), numbers(8, inner, kind)
        element = TYPES[kind][1] if kind != "tf32" else "tf32"
        maps = [TensorMap(raw(one, kind), one.shape, swizzle=swizzle, element=element) for one in (a, b)]
        out = np.zeros((128, 4), np.int32 if kind == "s8" else np.float32)
        launch(text, "k", (1,), (128,), [*maps, out])
        expected = a[:, :k].astype(float) @ b[:, :k].astype(float).T
        thread, at = np.arange(128)[:, None], np.arange(4)[None, :]
        rows = 16 * (thread // 32) + thread % 32 // 4 + 8 * (at // 2)
        return bool((out == expected[rows, thread % 4 * 2 + at % 2]).all())

    mode = {128: 1, 64: 2, 32: 3}[swizzle]

    def descriptor(stride: int, mode: int) -> str:
        return str(1 << 16 | stride >> 4 << 32 | mode << 62)

    right = descriptor(8 * swizzle, mode)
    load = LOAD.replace("BYTES", str(72 * swizzle))
    wait = "wgmma.wait_group.sync.aligned 0;"
    pieces = {
        **{
            "target": "sm_90a",
            "count": "1",
            "barrier": "bar.sync 0;",
            "desc_a": right,
            "desc_b": right,
            "k": str(k),
        },
        **{"load": load, "wait_load": WAIT.replace("PHASE", "0"), "fence": "wgmma.fence.sync.aligned;"},
        **{
            "result": "s32" if kind == "s8" else "f32",
            "kind": f"{kind}.{kind}",
            "wait": wait,
            "touch": "",
            "reuse": "",
        },
        "tail": "" if kind == "s8" else ", 1, 1, 0, 0" if kind in ("f16", "bf16") else ", 1, 1",
        **{"commit": "wgmma.commit_group.sync.aligned;", "end": ""},
    }
    faults = {
        "removed wait": ("wait", ""),
        "removed fence": ("fence", ""),
        "removed barrier": ("barrier", ""),
        "wrong phase": ("wait_load", WAIT.replace("PHASE", "1")),
        "wrong byte count": ("load", LOAD.replace("BYTES", str(72 * swizzle - 16))),
        "wrong swizzle": ("desc_a", descriptor(8 * swizzle, mode % 3 + 1)),
        "wrong descriptor": ("desc_a", descriptor(8 * swizzle + 256, mode)),
        "buffer reused early": ("reuse", LOAD.replace("BYTES", str(72 * swizzle))),
        "accumulator in flight": ("touch", "mov.b32 %d1, 0;"),
        "wrong barrier count": ("count", "2"),
        "missing commit": ("commit", ""),
    }
    return Kernel(f"groups {kind} {swizzle}", GROUPS, pieces, faults, check)


# --- products in tensor memory

TENSORS = (
    HEAD
    + """.entry k(.param .u64 in, .param .u64 out) {
    .reg .b32 %t, %s, %m, %lane, %w, %r<8>; .reg .b64 %x, %y, %da, %db; .reg .pred %one, %warp, %p, %q;
    .shared .align 1024 .b8 tile[8192]; .shared .align 8 .b64 bar; .shared .b32 slot;
    mov.u32 %t, %tid.x; setp.eq.u32 %one, %t, 0; setp.lt.u32 %warp, %t, 32; @%one mbarrier.init.shared::cta.b64 [bar], 1;
    @%warp tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 32; mov.u32 %s, tile;
    mad.lo.u32 %s, %t, 4, %s; ld.param.u64 %x, [in]; ld.param.u64 %y, [out]; mad.wide.u32 %x, %t, 4, %x;
    mad.wide.u32 %y, %t, 32, %y; $fill $fence $barrier
    ld.shared.b32 %m, [slot]; and.b32 %lane, %t, 96; shl.b32 %lane, %lane, 16; add.u32 %lane, %lane, %m;
    mov.b64 %da, $desc_a; mov.b64 %db, $desc_b; mov.b32 %w, $idesc; setp.ne.u32 %p, %t, %t;
    @%one tcgen05.mma.cta_group::1.kind::$kind [%m$column], %da, %db, %w, %p; $commit $early $wait $after $load $wait_load
    st.global.v4.b32 [%y], {%r0, %r1, %r2, %r3}; st.global.v4.b32 [%y+16], {%r4, %r5, %r6, %r7}; bar.sync 0;
    @%warp tcgen05.dealloc.cta_group::1.sync.aligned.b32 %m, 32; ret; }
"""
)
CODES = {
    "f16": ("f16", 1, 0),
    "bf16": ("f16", 1, 1),
    "tf32": ("tf32", 1, 2),
    "e4m3": ("f8f6f4", 1, 0),
    "s8": ("i8", 2, 1),
}
"""The kind of a product, and the numbers of its result and operands in a descriptor."""


def tensors(kind: str) -> Kernel:
    """Products of 128 x 8 (integers: 16) elements, 32 bytes of each row."""
    k, n = 32 // np.dtype(TYPES[kind][0]).itemsize, 16

    def check(text: str) -> bool:
        a, b = numbers(128, k, kind), numbers(n, k, kind)
        laid = [one.view(np.uint8).reshape(len(one), 2, 16).transpose(1, 0, 2).ravel() for one in (a, b)]
        out = np.zeros((128, 8), np.int32 if kind == "s8" else np.float32)
        launch(text, "k", (1,), (128,), [np.concatenate(laid), out])
        return bool((out == a.astype(float) @ b[:8].astype(float).T).all())

    def descriptor(start: int, leading: int, stride: int) -> str:
        return str(start >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | 1 << 46)

    words, count = 128 * 8 + n * 8, -(-(128 * 8 + n * 8) // 128)
    assert words == 128 * count
    fill = "".join(
        f"ld.global.b32 %w, [%x+{512 * at}]; st.shared.b32 [%s+{512 * at}], %w;" for at in range(count)
    )
    name, result, code = CODES[kind]
    load = "tcgen05.ld.sync.aligned.32x32b.x8.b32 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [%lane];"
    pieces = {
        **{
            "target": "sm_100a",
            "fill": fill,
            "fence": FENCE,
            "barrier": "bar.sync 0;",
            "kind": name,
            "column": "",
        },
        **{"desc_a": descriptor(1024, 2048, 128), "desc_b": descriptor(1024 + 4096, 256, 128), "early": ""},
        "idesc": str(result << 4 | code << 7 | code << 10 | n >> 3 << 17 | 8 << 24),
        "commit": "@%one tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar];",
        **{"wait": WAIT.replace("PHASE", "0"), "load": load, "wait_load": "tcgen05.wait::ld.sync.aligned;"},
        "after": "tcgen05.fence::after_thread_sync;",
    }
    faults = {
        "removed wait": ("wait_load", ""),
        "removed fence": ("fence", ""),
        "removed barrier": ("barrier", ""),
        "wrong phase": ("wait", WAIT.replace("PHASE", "1")),
        "wrong descriptor": ("desc_a", descriptor(1024, 128, 256)),
        "accumulator in flight": ("early", load),
        "out of bounds": ("column", "+24"),
        "missing commit": ("commit", ""),
        "missing fence of tensor memory": ("after", ""),
        "uninitialised": ("fill", fill[: len(fill) // 2].rpartition(";")[0] + ";"),
    }
    return Kernel(f"tensors {kind}", TENSORS, pieces, faults, check)


# --- a flag between two blocks

FLAGS = (
    HEAD
    + """.entry k(.param .u64 data, .param .u64 flag, .param .u64 out) {
    .reg .b32 %t, %c, %v, %f; .reg .b64 %d, %l, %o; .reg .pred %one, %p, %first;
    mov.u32 %t, %tid.x; mov.u32 %c, %ctaid.x; ld.param.u64 %d, [data]; ld.param.u64 %l, [flag]; ld.param.u64 %o, [out];
    mad.wide.u32 %d, %t, 4, %d; mad.wide.u32 %o, %t, 4, %o; setp.eq.u32 %one, %t, 0; setp.eq.u32 %first, %c, 0;
    @!%first bra other; st.global.b32 [%d], %t; $barrier $release ret;
other: @!%one bra met;
again: $acquire setp.eq.u32 %p, %f, 0; @%p bra again;
met: $after ld.global.b32 %v, [%d]; st.global.b32 [%o], %v; ret; }
"""
)
PATTERNS = {
    "store": ("@%one st.release.gpu.global.b32 [%l], 1;", "ld.acquire.gpu.global.b32 %f, [%l];"),
    "reduction": ("@%one red.release.gpu.global.add.u32 [%l], 1;", "ld.acquire.gpu.global.b32 %f, [%l];"),
    "exchange": (
        "@%one atom.release.gpu.global.exch.b32 %f, [%l], 1;",
        "atom.acquire.gpu.global.or.b32 %f, [%l], 0;",
    ),
    "fences": (
        "fence.acq_rel.gpu; @%one st.relaxed.gpu.global.b32 [%l], 1;",
        "ld.relaxed.gpu.global.b32 %f, [%l]; fence.acq_rel.gpu;",
    ),
    "strong fences": (
        "fence.sc.gpu; @%one red.relaxed.gpu.global.add.u32 [%l], 1;",
        "atom.relaxed.gpu.global.cas.b32 %f, [%l], 2, 2; fence.sc.gpu;",
    ),
    "volatile": (
        "membar.gl; @%one st.volatile.global.b32 [%l], 1;",
        "ld.volatile.global.b32 %f, [%l]; membar.gl;",
    ),
}


def flags(name: str) -> Kernel:
    """One block leaves data for another."""

    def check(text: str) -> bool:
        data, flag, out = (np.zeros(64, np.uint32) for _ in range(3))
        launch(text, "k", (2,), (64,), [data, flag, out])
        return bool((out == np.arange(64)).all())

    release, acquire = PATTERNS[name]
    weaker = release.replace(".gpu", ".cta").replace("membar.gl", "membar.cta")
    plain = {"membar.gl; ": "", "fence.acq_rel.gpu; ": "", "fence.sc.gpu; ": "", ".release": ".relaxed"}
    unfenced = release
    for before, after in plain.items():
        unfenced = unfenced.replace(before, after)
    pieces = {
        "target": "sm_90",
        "barrier": "bar.sync 0;",
        "release": release,
        "acquire": acquire,
        "after": "bar.sync 0;",
    }
    faults = {
        "wrong scope": ("release", weaker),
        "removed fence": ("release", unfenced),
        "removed barrier": ("barrier", ""),
    }
    return Kernel(f"flags {name}", FLAGS, pieces, faults, check)


# --- memory that threads write, and asynchronous copies read

HANDED = (
    HEAD
    + """.entry k(.param .u64 in, .param .u64 room, .param .u64 out) {
    .reg .b32 %t, %s, %r; .reg .b64 %x, %y, %z, %o; .reg .pred %one, %q, %use;
    .shared .align 16 .b8 tile[$bytes]; .shared .align 8 .b64 bar;
    mov.u32 %t, %tid.x; mov.u32 %s, tile; mad.lo.u32 %s, %t, 4, %s; ld.param.u64 %x, [in]; ld.param.u64 %y, [room];
    ld.param.u64 %o, [out]; mad.wide.u32 %x, %t, 4, %x; mad.wide.u32 %z, %t, 4, %y; mad.wide.u32 %o, %t, 4, %o;
    setp.eq.u32 %one, %t, 0; setp.lt.u32 %use, %t, $words; @%one mbarrier.init.shared::cta.b64 [bar], 1;
    @%use ld.global.b32 %r, [%x]; @%use $write $fence $barrier
    @%one mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], $bytes;
    @%one cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [tile], [%y], $bytes, [bar]; $early
    $wait @%use ld.shared.b32 %r, [%s]; @%use st.global.b32 [%o], %r; ret; }
"""
)


def handed(count: int, fence: str) -> Kernel:
    """Threads write ``count`` bytes of global memory, which a bulk copy reads."""

    def check(text: str) -> bool:
        data = RANDOM.integers(1, 1000, count // 4, dtype=np.int32)
        room, out = np.zeros_like(data), np.zeros_like(data)
        launch(text, "k", (1,), (256,), [data, room, out])
        return bool((out == data).all())

    pieces = {
        **{"target": "sm_90a", "bytes": str(count), "words": str(count // 4), "fence": fence, "early": ""},
        **{"barrier": "bar.sync 0;", "wait": WAIT.replace("PHASE", "0"), "write": "st.global.b32 [%z], %r;"},
    }
    faults = {
        "missing proxy fence": ("fence", ""),
        "proxy fence of another space": ("fence", FENCE),
        "removed barrier": ("barrier", ""),
        "removed wait": ("wait", ""),
        "buffer reused early": ("early", "@%use st.global.b32 [%z], %t;"),
    }
    return Kernel(f"handed {count}", HANDED, pieces, faults, check)


# --- tensor maps that kernels make

MAPPED = (
    HEAD
    + """.entry k(.param .align 64 .b8 map[128], .param .u64 room, .param .u64 out) {
    .reg .b32 %t, %w, %v; .reg .b64 %m, %r, %o, %x, %y; .reg .pred %one, %q, %warp, %use;
    .shared .align 128 .b8 tile[$bytes]; .shared .align 128 .b8 own[128]; .shared .align 8 .b64 bar;
    mov.u32 %t, %tid.x; setp.eq.u32 %one, %t, 0; setp.lt.u32 %warp, %t, 32; setp.lt.u32 %use, %t, $words;
    mov.u64 %m, map; cvta.param.u64 %m, %m; ld.param.u64 %r, [room]; ld.param.u64 %o, [out];
    mad.wide.u32 %o, %t, 4, %o; mov.u32 %w, own; mad.lo.u32 %w, %t, 4, %w; mad.wide.u32 %x, %t, 4, %m;
    mad.wide.u32 %y, %t, 4, %r; @%one mbarrier.init.shared::cta.b64 [bar], 1;
    @%warp ld.b32 %v, [%x]; @%warp st.shared.b32 [%w], %v; bar.sync 0;
    $publish $barrier $acquire bar.sync 0;
    @%one mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], $bytes;
    @%one cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes [tile], [%r, {0}], [bar]; $early
    $wait mov.u32 %w, tile; mad.lo.u32 %w, %t, 4, %w; @%use ld.shared.b32 %v, [%w]; @%use st.global.b32 [%o], %v; ret; }
"""
)
COPIED = (
    "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%r], [own], 128;"
)
RELEASED = "fence.proxy.tensormap::generic.release.gpu;"


def mapped(count: int, publish: str, unreleased: str) -> Kernel:
    """A map is written to global memory, and copies ``count`` bytes."""

    def check(text: str) -> bool:
        data = RANDOM.integers(1, 1000, count // 4, dtype=np.int32)
        room, out = np.zeros(32, np.int32), np.zeros_like(data)
        launch(text, "k", (1,), (128,), [TensorMap(data, data.shape), room, out])
        return bool((out == data).all())

    acquire = "@%warp fence.proxy.tensormap::generic.acquire.gpu [%r], 128;"
    pieces = {
        **{
            "target": "sm_90a",
            "bytes": str(count),
            "words": str(count // 4),
            "publish": publish,
            "early": "",
        },
        **{"barrier": "bar.sync 0;", "acquire": acquire, "wait": WAIT.replace("PHASE", "0")},
    }
    faults = {
        "missing map fence": ("acquire", ""),
        "fence of another map": ("acquire", acquire.replace("[%r]", "[%o]").replace("@%warp", "@%one")),
        "map that is not released": ("publish", unreleased),
        "map written in use": ("early", "@%one st.global.b32 [%r+16], 0;"),
        "removed wait": ("wait", ""),
    }
    return Kernel(f"mapped {count}", MAPPED, pieces, faults, check)


_STORED = "@%warp st.global.b32 [%y], %v;"
_REPLACED = "@%one tensormap.replace.tile.fill_mode.global.b1024.b32 [%r], 0;"
MAPS = (
    (64, "@%warp " + COPIED, _STORED),
    (128, _STORED + RELEASED, _STORED),
    (256, _STORED + "@%warp " + RELEASED, RELEASED + _STORED),
    (
        384,
        "@%warp " + COPIED + "bar.sync 0;" + _REPLACED + RELEASED,
        "@%warp " + COPIED + "bar.sync 0;" + _REPLACED,
    ),
    (512, _STORED + "bar.sync 0; @%one " + RELEASED, _STORED + "fence.proxy.async; membar.gl;"),
)
"""Sizes, how a map is written and released, and how it is written only."""


KERNELS = (
    *(staged(size, threads) for size, threads in ((4, 64), (8, 64), (16, 64), (8, 128), (16, 128))),
    *(bulk(count) for count in (128, 256, 512, 768, 1024)),
    *(groups(kind, swizzle) for kind, swizzle in zip(TYPES, (128, 64, 32, 128, 64), strict=True)),
    *(tensors(kind) for kind in CODES),
    *(flags(name) for name in PATTERNS),
    *(
        handed(count, fence)
        for count, fence in zip(
            (128, 256, 512, 768, 1024),
            ("fence.proxy.async.global;", "fence.proxy.async;") * 2 + ("fence.proxy.async.global;",),
            strict=True,
        )
    ),
    *(mapped(*one) for one in MAPS),
)
LEAST = 5
"""Each class of faults is in at least so many kernels."""


def attempt(work: tuple[int, str]) -> str:
    """What shows a fault of a kernel, by the kernel's number; the kernel as it is has the empty fault."""
    number, fault = work
    return KERNELS[number].attempt(fault)


def survey(
    executor: Executor | Callable[[], Executor] = Here, kernels: Iterable[int] = range(len(KERNELS))
) -> Iterator[tuple[str, Kernel, str]]:
    """Each fault with its kernel and what shows it, in order; kernels without a fault have the empty name."""
    work = [(number, fault) for number in kernels for fault in ("", *KERNELS[number].faults)]
    for done in distribute(attempt, work, executor, what="kernels"):
        number, fault = done.item
        yield fault, KERNELS[number], done.result()


def main(arguments: Sequence[str]) -> int:
    """The command; answers 1 if a fault shows nowhere, or a right kernel is reported."""
    parser = argparse.ArgumentParser(prog="python -m conformance.ptx seeded", description=__doc__)
    add_batch_options(parser)
    options = parser.parse_args(arguments)
    counts: dict[str, list[int]] = {}
    wrong = 0
    with shown_progress():
        for fault, kernel, message in survey(executor_for(len(KERNELS), options.jobs, options.executor)):
            told = bool(message) == bool(fault)
            wrong += not told
            row = counts.setdefault(fault or "no fault", [0, 0])
            row[0], row[1] = row[0] + 1, row[1] + told
            if not told:
                print(f"{'silent' if fault else 'reported'}: {kernel.name}, {fault or 'no fault'}  {message}")
    print("| fault | kernels | as it should be |\n| --- | --- | --- |")
    for fault, (total, told) in sorted(counts.items()):
        print(f"| {fault} | {total} | {told} |")
    return min(wrong, 1)
