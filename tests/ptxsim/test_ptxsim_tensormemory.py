"""Tensor memory: loads and stores of each shape, products of each kind, and what must be waited for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptxsim import launch

HEAD = """.version 8.8
.target sm_100a
.address_size 64
.entry k(.param .u64 image, .param .u64 out)
{
    .reg .b32 %r<128>, %t, %s, %m, %w, %lane, %b; .reg .b64 %x, %o, %da, %db, %y; .reg .pred %one, %p, %q, %warp;
    .shared .align 1024 .b8 tile[16384]; .shared .align 8 .b64 bar; .shared .b32 slot;
    mov.u32 %t, %tid.x; mov.u32 %s, tile; mov.u32 %b, bar; setp.eq.u32 %one, %t, 0; setp.lt.u32 %warp, %t, 32;
    ld.param.u64 %x, [image]; ld.param.u64 %o, [out]; mad.wide.u32 %x, %t, 4, %x; mad.lo.u32 %s, %t, 4, %s;
    @%one mbarrier.init.shared::cta.b64 [%b], 1;
    ALLOC
    and.b32 %lane, %t, 96; shl.b32 %lane, %lane, 16;
    bar.sync 0; ld.shared.b32 %m, [slot]; mov.b32 %w, %m; add.u32 %lane, %lane, %m; mov.b64 %da, DESCA; mov.b64 %db, DESCB;
"""
ALLOC = "@%warp tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 256;"
FREE = "bar.sync 0; @%warp tcgen05.dealloc.cta_group::1.sync.aligned.b32 %m, 256;"
FENCE = "fence.proxy.async.shared::cta;"
WAIT_LD, WAIT_ST = "tcgen05.wait::ld.sync.aligned;", "tcgen05.wait::st.sync.aligned;"
COMMIT = "@%one tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%b];"
WAIT = "\nwait: mbarrier.try_wait.parity.shared::cta.b64 %q, [%b], 0; @!%q bra wait; tcgen05.fence::after_thread_sync;\n"
RANDOM = np.random.default_rng(5)


def listed(count: int, first: int = 0) -> str:
    return "{" + ", ".join(f"%r{at}" for at in range(first, first + count)) + "}"


def run(
    body: str, image: Any, count: int, *, alloc: str = ALLOC, free: str = FREE, permits: Sequence[str] = ()
) -> Any:
    """The first registers of 128 threads behind ``body``; ``image`` becomes the start of shared memory."""
    raw = np.zeros(-(-max(image.nbytes, 4) // 512) * 128, np.uint32)
    raw.view(np.uint8)[: image.nbytes] = np.ascontiguousarray(image).view(np.uint8).ravel()
    copies = "".join(
        f"ld.global.b32 %w, [%x+{512 * at}]; st.shared.b32 [%s+{512 * at}], %w;"
        for at in range(len(raw) // 128)
    )
    stores = f"mad.wide.u32 %o, %t, {4 * count}, %o;" + "".join(
        f"st.global.b32 [%o+{4 * at}], %r{at};" for at in range(count)
    )
    text = HEAD.replace("ALLOC", alloc).replace("DESCA", str(descriptor(1024, 128))) + copies + body
    text = text.replace("DESCB", str(descriptor(1024 + 4096, 64))) + stores + free + "ret;\n}"
    out = np.zeros((128, count), np.uint32)
    launch(text, "k", (1,), (128,), [raw, out], permits=permits)
    return out


def descriptor(start: int, rows: int) -> int:
    """Rows of 16 bytes, eight of them together; the next 16 bytes of K lie behind all rows."""
    return start >> 4 | (rows * 16) >> 4 << 16 | 128 >> 4 << 32 | 1 << 46


def laid(matrix: Any) -> Any:
    """The bytes of a matrix as `descriptor` says."""
    raw = np.ascontiguousarray(matrix).view(np.uint8).reshape(len(matrix), -1, 16)
    return np.ascontiguousarray(raw.transpose(1, 0, 2))


# --- loads and stores


def cell(shape: str, t: int, r: int) -> tuple[int, int]:
    """The lane and column of a register of a thread, from the ISA's pictures."""
    return {
        "32x32b": lambda: (t, r),
        "16x64b": lambda: (t // 4 + 8 * (t % 2), 2 * r + t // 2 % 2),
        "16x128b": lambda: (t // 4 + 8 * (r % 2), 4 * (r // 2) + t % 4),
        "16x256b": lambda: (t // 4 + 8 * (r // 2 % 2), 8 * (r // 4) + 2 * (t % 4) + r % 2),
        "16x32bx2": lambda: (t % 16, r + 20 * (t // 16)),
    }[shape]()


def numbered(count: int) -> str:
    """Fill registers with the thread's lane and a number, and store them row by row."""
    fill = "".join(f"mad.lo.u32 %r{at}, %t, 1000, {at};" for at in range(count))
    return f"{fill} tcgen05.st.sync.aligned.32x32b.x{count}.b32 [%lane], {listed(count)}; {WAIT_ST}"


@pytest.mark.parametrize(
    ("shape", "count"), [("32x32b", 1), ("16x64b", 1), ("16x128b", 2), ("16x256b", 4), ("16x32bx2", 1)]
)
@pytest.mark.parametrize("times", [1, 4])
def test_shapes_of_loads(shape: str, count: int, times: int) -> None:
    half = ", 20" if shape.endswith("x2") else ""
    registers = count * times
    body = numbered(64) + (
        f"tcgen05.ld.sync.aligned.{shape}.x{times}.b32 {listed(registers)}, [%lane]{half}; {WAIT_LD}"
    )
    found = run(body, np.zeros(1), registers)
    for thread in range(128):
        for register in range(registers):
            lane, column = cell(shape, thread % 32, register)
            assert found[thread, register] == 1000 * (thread // 32 * 32 + lane) + column


@pytest.mark.parametrize("shape", ["16x64b", "16x128b", "16x256b"])
def test_stores_are_the_reverse_of_loads(shape: str) -> None:
    count = {"16x64b": 2, "16x128b": 4, "16x256b": 8}[shape]
    fill = "".join(f"mad.lo.u32 %r{at}, %t, 1000, {at};" for at in range(count))
    body = f"{fill} tcgen05.st.sync.aligned.{shape}.x2.b32 [%lane], {listed(count)}; {WAIT_ST}"
    body += f"tcgen05.ld.sync.aligned.{shape}.x2.b32 {listed(count)}, [%lane]; {WAIT_LD}"
    assert (run(body, np.zeros(1), count) == 1000 * np.arange(128)[:, None] + np.arange(count)).all()


def test_halves_share_a_register() -> None:
    body = "mad.lo.u32 %r0, %t, 65537, 131072; mov.b32 %r1, 458757;"
    body += f"tcgen05.st.sync.aligned.32x32b.x2.unpack::16b.b32 [%lane], {listed(2)}; {WAIT_ST}"
    body += f"tcgen05.ld.sync.aligned.32x32b.x4.b32 {listed(4)}, [%lane]; {WAIT_LD}"
    body += f"tcgen05.ld.sync.aligned.32x32b.x2.pack::16b.b32 {listed(2, 4)}, [%lane]; {WAIT_LD}"
    found = run(body, np.zeros(1), 6)
    threads = np.arange(128)
    assert (found[:, :4] == np.stack([threads, threads + 2, 0 * threads + 5, 0 * threads + 7], 1)).all()
    assert (found[:, 4:] == np.stack([threads * 65537 + 131072, 0 * threads + 458757], 1)).all()


# --- products


def idesc(result: int, left: int, right: int, n: int, m: int = 128, extra: int = 0) -> int:
    return result << 4 | left << 7 | right << 10 | n >> 3 << 17 | m >> 4 << 24 | extra


def multiplied(a: Any, b: Any, kind: str, word: int, *, enable: str = "false", before: str = "") -> Any:
    """The 64 columns of tensor memory behind a product of ``a`` and ``b.T``, for each thread its lane."""
    image = np.concatenate([laid(a).ravel(), laid(b).ravel()])
    rows = len(a)
    body = f"{before} {FENCE} {SYNC} mov.b32 %w, {word}; setp.{'eq' if enable == 'true' else 'ne'}.u32 %p, %t, %t;"
    body += f"mov.b64 %da, {descriptor(1024, rows)}; mov.b64 %db, {descriptor(1024 + a.nbytes, len(b))};"
    body += f"@%one tcgen05.mma.cta_group::1.kind::{kind} [%m], %da, %db, %w, %p; {COMMIT} {WAIT}"
    body += f"tcgen05.ld.sync.aligned.32x32b.x64.b32 {listed(64)}, [%lane]; {WAIT_LD}"
    return run(body, image, 64)


def numbers(rows: int, columns: int, dtype: Any) -> Any:
    return RANDOM.integers(-4, 5, (rows, columns)).astype(dtype)


@pytest.mark.parametrize(
    ("kind", "dtype", "k", "code"),
    [
        ("f16", np.float16, 16, 0),
        ("f16", ml_dtypes.bfloat16, 16, 1),
        ("tf32", np.float32, 8, 2),
        ("f8f6f4", ml_dtypes.float8_e4m3fn, 32, 0),
        ("f8f6f4", ml_dtypes.float8_e5m2, 32, 1),
    ],
)
def test_kinds_of_products(kind: str, dtype: Any, k: int, code: int) -> None:
    a, b = numbers(128, k, dtype), numbers(64, k, dtype)
    found = multiplied(a, b, kind, idesc(1, code, code, 64)).view(np.float32)
    assert (found == a.astype(float) @ b.astype(float).T).all()


def test_integers_saturate() -> None:
    a, b = numbers(128, 32, np.int8), RANDOM.integers(0, 255, (64, 32)).astype(np.uint8)
    found = multiplied(a, b, "i8", idesc(2, 1, 0, 64, extra=8)).view(np.int32)
    assert (found == a.astype(int) @ b.astype(int).T).all()


def test_64_rows_lie_in_half_of_the_lanes() -> None:
    a, b = numbers(64, 16, np.float16), numbers(64, 16, np.float16)
    clear = "".join(f"mov.b32 %r{at}, 0;" for at in range(64))
    clear += f"tcgen05.st.sync.aligned.32x32b.x64.b32 [%lane], {listed(64)}; {WAIT_ST}"
    found = multiplied(a, b, "f16", idesc(1, 0, 0, 64, 64), before=clear).view(np.float32)
    rows = found.reshape(4, 32, 64)
    assert (rows[:, :16].reshape(64, 64) == a.astype(float) @ b.astype(float).T).all()
    assert (rows[:, 16:] == 0).all()


def test_addends_signs_and_halves() -> None:
    a, b = numbers(128, 16, np.float16), numbers(64, 16, np.float16)
    ones = "".join(f"mov.b32 %r{at}, 15360;" for at in range(64))
    ones += f"tcgen05.st.sync.aligned.32x32b.x64.b32 [%lane], {listed(64)}; {WAIT_ST}"
    found = multiplied(a, b, "f16", idesc(0, 0, 0, 64, extra=1 << 13), enable="true", before=ones)
    assert (found.astype(np.uint16).view(np.float16) == 1 - a.astype(float) @ b.astype(float).T).all()


def test_the_first_operand_may_lie_in_tensor_memory() -> None:
    a, b = numbers(128, 16, np.float16), numbers(64, 16, np.float16)
    image = np.concatenate([np.ascontiguousarray(a).view(np.uint8).ravel(), laid(b).ravel()])
    body = "mov.u32 %s, tile; mad.lo.u32 %s, %t, 32, %s; bar.sync 0;"
    body += "".join(f"ld.shared.b32 %r{at}, [%s+{4 * at}];" for at in range(8))
    body += f"tcgen05.st.sync.aligned.32x32b.x8.b32 [%lane+64], {listed(8)}; {WAIT_ST} {FENCE} {SYNC}"
    body += f"mov.b32 %w, {idesc(1, 0, 0, 64)}; setp.ne.u32 %p, %t, %t;"
    body += f"@%one tcgen05.mma.cta_group::1.kind::f16 [%m], [%m+64], %db, %w, %p; {COMMIT} {WAIT}"
    body += f"tcgen05.ld.sync.aligned.32x32b.x64.b32 {listed(64)}, [%lane]; {WAIT_LD}"
    assert (run(body, image, 64).view(np.float32) == a.astype(float) @ b.astype(float).T).all()


@pytest.mark.parametrize(
    ("kind", "vector", "blocks"), [("mxf8f6f4", "scale_vec::1X", 1), ("mxf4", "scale_vec::2X", 2)]
)
def test_scales_of_blocks(kind: str, vector: str, blocks: int) -> None:
    """Scales go to tensor memory by `tcgen05.cp`: row r of an operand has lane r % 32, column r // 32."""
    a_scales, b_scales = (RANDOM.integers(125, 130, (rows, 4)).astype(np.uint8) for rows in (128, 128))
    if kind == "mxf4":
        codes = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])
        picks = [RANDOM.integers(0, 8, (rows, 64)) for rows in (128, 64)]
        a, b = ((one[:, ::2] | one[:, 1::2] << 4).astype(np.uint8) for one in picks)
        wide_a, wide_b = (codes[one] for one in picks)
        word = idesc(0, 1, 1, 64, extra=1 << 23)
    else:
        a, b = (numbers(rows, 32, ml_dtypes.float8_e4m3fn) for rows in (128, 64))
        wide_a, wide_b = a.astype(float), b.astype(float)
        word = idesc(0, 0, 0, 64, extra=1 << 23 | 1 << 29)
    first = 1 if blocks == 1 else 0
    image = np.concatenate(
        [laid(a).ravel(), laid(b).ravel()]
        + [one.reshape(4, 32, 4).transpose(1, 0, 2).ravel() for one in (a_scales, b_scales)]
    )
    start = 1024 + a.nbytes + b.nbytes
    body = f"{FENCE} bar.sync 0; mov.b32 %w, {word}; setp.ne.u32 %p, %t, %t; mov.b64 %db, {descriptor(1024 + a.nbytes, 64)};"
    for at in range(2):
        body += f"mov.b64 %y, {descriptor(start + 512 * at, 32)}; @%one tcgen05.cp.cta_group::1.32x128b.warpx4 [%m+{128 + 4 * at}], %y;"
    body += f"@%one tcgen05.mma.cta_group::1.kind::{kind}.block_scale.{vector} [%m], %da, %db, %w, [%m+128], [%m+132], %p;"
    body += f"{COMMIT} {WAIT} tcgen05.ld.sync.aligned.32x32b.x64.b32 {listed(64)}, [%lane]; {WAIT_LD}"
    found = run(body, image, 64).view(np.float32)
    size = wide_a.shape[1] // blocks
    scaled = [
        wide * np.repeat(2.0 ** (scale[: len(wide), at : at + blocks].astype(float) - 127), size, 1)
        for wide, scale, at in ((wide_a, a_scales, first), (wide_b, b_scales, 0))
    ]
    assert (found == (scaled[0] @ scaled[1].T).astype(np.float32)).all()


WHERE = {
    "128x256b": (128, 32, lambda lane: lane),
    "128x128b": (128, 16, lambda lane: lane),
    "64x128b.warpx2::02_13": (64, 16, lambda lane: lane % 64),
    "64x128b.warpx2::01_23": (64, 16, lambda lane: lane // 64 * 32 + lane % 32),
    "32x128b.warpx4": (32, 16, lambda lane: lane % 32),
}
"""The rows and bytes of a row of copies to tensor memory, and the row in each lane."""


@pytest.mark.parametrize("shape", WHERE)
def test_shapes_of_copies(shape: str) -> None:
    rows, size, row = WHERE[shape]
    matrix = RANDOM.integers(0, 256, (rows, size)).astype(np.uint8)
    count = size // 4
    body = (
        f"{FENCE} bar.sync 0; mov.b64 %y, {descriptor(1024, rows)}; @%one tcgen05.cp.cta_group::1.{shape} [%m+16], %y;"
        f"{COMMIT} {WAIT} add.u32 %lane, %lane, 16; tcgen05.ld.sync.aligned.32x32b.x{count}.b32 {listed(count)}, [%lane]; {WAIT_LD}"
    )
    found = run(body, laid(matrix).ravel(), count)
    words = matrix.view(np.uint32)
    assert found.tolist() == [words[row(lane)].tolist() for lane in range(128)]


# --- what goes wrong

PRODUCT = f"mov.b32 %w, {idesc(1, 0, 0, 64)}; setp.ne.u32 %p, %t, %t; @%one tcgen05.mma.cta_group::1.kind::f16 [%m], %da, %db, %w, %p;"
READ = f"tcgen05.ld.sync.aligned.32x32b.x64.b32 {listed(64)}, [%lane];"
SYNC = "tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync;"
READY = FENCE + SYNC


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (READY + PRODUCT + COMMIT + WAIT + READ, "is undefined"),  # no wait for the load
        (READY + PRODUCT + COMMIT + READ + WAIT_LD, "is still written by an operation in flight"),
        (READY + PRODUCT + WAIT + READ + WAIT_LD, "waits in phase 0 for 1 arrivals"),  # no commit
        (
            READY + PRODUCT + COMMIT + "@!%one bra read;" + WAIT + "read:" + READ + WAIT_LD,
            "in flight|no synchronisation orders",
        ),
        (PRODUCT + COMMIT + WAIT + READ + WAIT_LD, "TW1265"),  # neither fence nor barrier
        ("bar.sync 0;" + PRODUCT + COMMIT + WAIT + READ + WAIT_LD, "without a proxy fence"),
        (READY + READ + WAIT_LD, "is undefined"),  # nothing was written
        (READY + PRODUCT + "st.shared.b32 [%s], 0;", "an asynchronous operation of thread 0, which read it"),
        (READY + PRODUCT.replace("[%m]", "[%m+224]"), "not all of it is allocated"),
        (READY + READ.replace("[%lane]", "[%m]") + WAIT_LD, "uses lanes 32 to 63"),
        (
            READY + PRODUCT.replace(str(idesc(1, 0, 0, 64)), str(idesc(1, 0, 0, 64, 32))),
            "the shape 32 x 64",
        ),
        (READY + PRODUCT.replace(str(idesc(1, 0, 0, 64)), str(idesc(1, 3, 0, 64))), "type 3"),
        (READY + "mov.b64 %da, 0;" + PRODUCT, "lacks its constant"),
        (numbered(8).replace(WAIT_ST, "") + READ + WAIT_LD, "is still written by an operation in flight"),
        (
            numbered(8).replace(WAIT_ST, "").replace("[%lane]", "[%lane+64]")
            + READY
            + PRODUCT.replace("%da", "[%m+64]")
            + COMMIT
            + WAIT
            + WAIT_ST,  # the left operand
            "is still written by an operation in flight",
        ),
        (numbered(8).replace(WAIT_ST, "") + FREE, "is still written by an operation in flight"),
        (
            READ.replace(".x64", ".x1").replace(listed(64), listed(1)) + "mov.b32 %r0, 1;" + WAIT_LD,
            "was written while",
        ),
        ("@%warp tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;" + ALLOC, "relinquish"),
        (ALLOC.replace("256", "48"), "a power of two"),
        (ALLOC.replace("256", "512"), "are not free"),
    ],
)
def test_faults(body: str, message: str) -> None:
    with pytest.raises(DiagnosticError, match=message):
        run(body, np.zeros(128 * 16 * 2 + 64 * 16 * 2, np.uint8), 64 if READ in body else 1)


def test_what_is_allocated_is_freed() -> None:
    with pytest.raises(DiagnosticError, match=r"without tcgen05\.dealloc"):
        run("mov.b32 %r0, 1;", np.zeros(1), 1, free="")
    relinquish = "@%warp tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;"
    run("mov.b32 %r0, 1;", np.zeros(1), 1, alloc=ALLOC + relinquish)
    run(
        "tcgen05.fence::before_thread_sync; tcgen05.fence::after_thread_sync; mov.b32 %r0, 1;", np.zeros(1), 1
    )


@pytest.mark.parametrize("column", [128, 132, 136])
def test_scales_that_are_written_while_a_product_reads_them(column: int) -> None:
    """Cells in columns 128 to 135 hold scales of the product; others may be written."""
    image = np.concatenate([laid(numbers(rows, 32, ml_dtypes.float8_e4m3fn)).ravel() for rows in (128, 64)])
    scales = np.full(1024, 127, np.uint8)
    start = 1024 + image.nbytes
    body = f"{FENCE} bar.sync 0; mov.b32 %w, {idesc(0, 0, 0, 64, extra=1 << 23 | 1 << 29)}; setp.ne.u32 %p, %t, %t; mov.b64 %db, {descriptor(1024 + 4096, 64)};"
    for at in range(2):
        body += f"mov.b64 %y, {descriptor(start + 512 * at, 32)}; @%one tcgen05.cp.cta_group::1.32x128b.warpx4 [%m+{128 + 4 * at}], %y;"
    body += f"{COMMIT} {WAIT}"
    body += "@%one tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.scale_vec::1X [%m], %da, %db, %w, [%m+128], [%m+132], %p;"
    again = WAIT.replace("wait:", "again:").replace("bra wait", "bra again").replace("[%b], 0", "[%b], 1")
    body += f"mov.b32 %r0, 5; tcgen05.st.sync.aligned.32x32b.x1.b32 [%lane+{column}], {listed(1)}; {WAIT_ST} {COMMIT} {again}"
    whole = np.concatenate([image, scales])
    if column == 136:
        assert (run(body, whole, 1) == 5).all()
        return
    with pytest.raises(DiagnosticError, match="operation in flight"):
        run(body, whole, 1)
