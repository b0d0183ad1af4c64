"""`wgmma`: descriptors, layouts, types, and accumulators in flight."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptxsim import TensorMap, launch

HEAD = """.version 8.7
.target sm_90a
.address_size 64
.entry k(.param .align 64 .b8 ma[128], .param .align 64 .b8 mb[128], .param .u64 out) {
    .reg .b32 %t, %w<8>; .reg .b32 %r<REGISTERS>; .reg .b32 %a<4>; .reg .b64 %x, %da, %db; .reg .pred %p, %q, %one;
    .shared .align 8 .b64 bar; .shared .align 1024 .b8 ta[8192]; .shared .align 1024 .b8 tb[8192];
    mov.u32 %t, %tid.x; setp.eq.u32 %one, %t, 0; setp.eq.u32 %p, %t, %t;
    @%one mbarrier.init.shared::cta.b64 [bar], 1; bar.sync 0;
    @%one mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], BYTES;
    LOADS
wait: mbarrier.try_wait.parity.shared::cta.b64 %q, [bar], 0; @!%q bra wait;
    mov.u32 %w0, ta; shr.u32 %w0, %w0, 4; cvt.u64.u32 %da, %w0; or.b64 %da, %da, DESCA;
    mov.u32 %w0, tb; shr.u32 %w0, %w0, 4; cvt.u64.u32 %db, %w0; or.b64 %db, %db, DESCB;
"""
LOAD = "@%one cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [{to}], [{map}, {{{x}, {y}}}], [bar];"
FENCE, COMMIT, WAIT = (
    "wgmma.fence.sync.aligned;",
    "wgmma.commit_group.sync.aligned;",
    "wgmma.wait_group.sync.aligned 0;",
)
RANDOM = np.random.default_rng(1)


def descriptor(leading: int, stride: int, swizzle: int) -> int:
    """Strides in bytes; the swizzle is that of the descriptor (1: 128 bytes, 2: 64, 3: 32)."""
    return leading >> 4 << 16 | stride >> 4 << 32 | swizzle << 62


def registers(count: int) -> str:
    return "{" + ", ".join(f"%r{at}" for at in range(count)) + "}"


def text(body: str, count: int, loads: list[str], size: int, desc_a: int, desc_b: int, width: int = 1) -> str:
    stores = "ld.param.u64 %x, [out]; mad.wide.u32 %x, %t, STEP, %x;".replace("STEP", str(4 * count))
    stores += "".join(f"st.global.b32 [%x+{4 * at}], %r{at};" for at in range(count))
    head = (
        HEAD.replace("REGISTERS", str(max(count, 2)))
        .replace("BYTES", str(size))
        .replace("LOADS", "".join(loads))
    )
    return head.replace("DESCA", str(desc_a)).replace("DESCB", str(desc_b)) + body + stores + "ret; }"


def gathered(out: Any, n: int, packed: bool = False) -> Any:
    """The matrix that the 128 threads hold, from the ISA's formula of the fragment."""
    values = out.view(np.float16) if packed else out
    result = np.zeros((64, n), values.dtype)
    for thread in range(128):
        for i in range(n // 2):
            row = 16 * (thread // 32) + thread % 32 // 4 + 8 * (i // 2 % 2)
            result[row, 8 * (i // 4) + thread % 4 * 2 + i % 2] = values[thread, i]
    return result


def multiplied(
    a: Any, b: Any, kind: str, *, major: str = "kk", swizzle: int = 128, body: str = "", **words: Any
) -> Any:
    """The product of two matrices that tensor copies bring to shared memory; ``b`` is n x k."""
    n, k = b.shape
    mode = {128: 1, 64: 2, 32: 3, 0: 0}[swizzle]
    loads, descriptors, maps = list[str](), [0, 0], list[Any]()
    size = 0
    for at, (matrix, name, order) in enumerate(((a, "a", major[0]), (b, "b", major[1]))):
        array = np.ascontiguousarray(matrix if order == "k" else matrix.T)
        element = {"e4m3": "u8", "e5m2": "u8", "bf16": "bf16", "tf32": "f32"}.get(kind, "")
        raw = array.view(np.uint8) if array.dtype.itemsize == 1 else array
        raw = raw.view(np.uint16) if kind == "bf16" else raw
        rows, columns = raw.shape
        inner = (swizzle or 16) // raw.itemsize
        maps.append(TensorMap(raw, (rows, min(inner, columns)), swizzle=swizzle, element=element))
        panel = rows * (swizzle or 16)
        for one in range(-(-columns // inner)):
            loads.append(
                f"mov.u64 %x, m{name}; cvta.param.u64 %x, %x;"
                + LOAD.format(to=f"t{name}+{one * panel}", map="%x", x=one * inner, y=0)
            )
        size += raw.nbytes
        if order == "k":
            descriptors[at] = descriptor(panel if not swizzle else 16, 8 * (swizzle or 16), mode)
        elif swizzle:
            descriptors[at] = descriptor(panel, 8 * swizzle, mode)
        else:
            descriptors[at] = descriptor(128, panel, mode)
    count = n // 2
    dtype = words.get("dtype", "f32")
    if dtype == "f16":
        count //= 2
    suffix = words.get("suffix", "")
    transposes = f", {int(major[0] == 'm')}, {int(major[1] == 'm')}" if kind in ("f16", "bf16") else ""
    scales = "" if dtype == "s32" else ", 1, 1"
    default = f"{FENCE} wgmma.mma_async.sync.aligned.m64n{n}k{k}.{dtype}.{kind}.{kind}{suffix} {registers(count)}, %da, %db, 0{scales}{transposes}; {COMMIT} {WAIT}"
    default = default.replace("%db, 0", "%db, %q").replace(FENCE, "setp.ne.u32 %q, %t, %t; " + FENCE, 1)
    out = np.zeros((128, count), np.uint32)
    launch(text(body or default, count, loads, size, *descriptors), "k", (1,), (128,), [*maps, out])
    return out


def halves(rows: int, columns: int) -> Any:
    return RANDOM.standard_normal((rows, columns)).astype(np.float16)


ORDERS = [(major, swizzle) for major in ("kk", "km", "mk", "mm") for swizzle in (32, 0)]


@pytest.mark.parametrize(("major", "swizzle"), [*ORDERS, ("mm", 64), ("mm", 128)])
def test_layouts_of_operands(major: str, swizzle: int) -> None:
    a, b = halves(64, 16), halves(64, 16)
    found = gathered(multiplied(a, b, "f16", major=major, swizzle=swizzle).view(np.float32), 64)
    assert np.abs(found - a.astype(float) @ b.astype(float).T).max() < 1e-5


@pytest.mark.parametrize("swizzle", [64, 128])
def test_steps_within_a_swizzled_row(swizzle: int) -> None:
    """The start address moves by 32 bytes for each sixteen columns."""
    a, b = halves(64, swizzle // 2), halves(8, swizzle // 2)
    steps = (ISSUE + "add.u64 %da, %da, 2; add.u64 %db, %db, 2;") * (swizzle // 32)
    found = multiplied(a, b, "f16", swizzle=swizzle, body=ZERO + FENCE + steps + COMMIT + WAIT)
    assert np.abs(gathered(found.view(np.float32), 8) - a.astype(float) @ b.astype(float).T).max() < 1e-4


@pytest.mark.parametrize("n", [8, 24, 64])
def test_widths(n: int) -> None:
    a, b = halves(64, 16), halves(n, 16)
    found = gathered(multiplied(a, b, "f16", swizzle=32).view(np.float32), n)
    assert np.abs(found - a.astype(float) @ b.astype(float).T).max() < 1e-5


@pytest.mark.parametrize("kind", ["bf16", "e4m3", "e5m2", "tf32", "s8", "u8"])
def test_types(kind: str) -> None:
    dtypes: dict[str, Any] = {
        "bf16": ml_dtypes.bfloat16,
        "e4m3": ml_dtypes.float8_e4m3fn,
        "e5m2": ml_dtypes.float8_e5m2,
        "tf32": np.float32,
        "s8": np.int8,
        "u8": np.uint8,
    }
    k = {"bf16": 16, "tf32": 8}.get(kind, 32)
    if kind in ("s8", "u8"):
        a, b = (
            RANDOM.integers(-100 if kind == "s8" else 0, 100, (64, k)).astype(dtypes[kind]) for _ in range(2)
        )
        found = gathered(multiplied(a, b, kind, swizzle=32, dtype="s32").view(np.int32), 64)
        assert (found == a.astype(int) @ b.astype(int).T).all()
        return
    a, b = (RANDOM.standard_normal((64, k)).astype(dtypes[kind]) for _ in range(2))
    if kind == "tf32":
        a, b = ((one.view(np.uint32) & 0xFFFFE000).view(np.float32) for one in (a, b))
    found = gathered(multiplied(a, b, kind, swizzle=32).view(np.float32), 64)
    assert np.abs(found - a.astype(float) @ b.astype(float).T).max() < 1e-5


def test_half_results() -> None:
    a, b = halves(64, 16), halves(32, 16)
    found = gathered(multiplied(a, b, "f16", swizzle=32, dtype="f16"), 32, packed=True)
    assert (found == (a.astype(float) @ b.astype(float).T).astype(np.float16)).all()


# --- what is in flight

ZERO = "mov.b32 %r0, 0; mov.b32 %r1, 0; mov.b32 %r2, 0; mov.b32 %r3, 0;"
ISSUE = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r0, %r1, %r2, %r3}, %da, %db, %p, 1, 1, 0, 0;"
FROM_REGISTERS = ISSUE.replace("%da,", "{%a0, %a1, %a2, %a3},").replace(", 0, 0;", ", 0;")
FILL = "mov.b32 %a0, 0x3C003C00; mov.b32 %a1, 0x3C003C00; mov.b32 %a2, 0x3C003C00; mov.b32 %a3, 0x3C003C00;"
A, B = halves(64, 16), halves(8, 16)
PRODUCT = A.astype(float) @ B.astype(float).T


def flight(body: str) -> Any:
    return gathered(multiplied(A, B, "f16", swizzle=32, body=body).view(np.float32), 8)


def refused(body: str) -> str:
    with pytest.raises(DiagnosticError) as error:
        flight(body)
    return str(error.value)


def test_products_add_up_in_flight() -> None:
    assert (
        np.abs(flight(ZERO + FENCE + ISSUE + ISSUE + COMMIT + ISSUE + COMMIT + WAIT) - 3 * PRODUCT).max()
        < 1e-4
    )


def test_signs_and_a_first_operand_in_registers() -> None:
    negative = ISSUE.replace("%p, 1, 1", "%p, -1, 1")
    assert np.abs(flight(ZERO + FENCE + negative + COMMIT + WAIT) + PRODUCT).max() < 1e-5
    sums = np.broadcast_to(B.astype(float).sum(1), (64, 8))
    assert np.abs(flight(ZERO + FILL + FENCE + FROM_REGISTERS + COMMIT + WAIT) - sums).max() < 1e-5


def test_no_fence_is_needed_behind_a_wait() -> None:
    body = ZERO + FENCE + ISSUE + COMMIT + WAIT + ISSUE + COMMIT + WAIT
    assert np.abs(flight(body) - 2 * PRODUCT).max() < 1e-4


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (ZERO + FENCE + ISSUE + COMMIT, "TW1253]"),  # no wait
        (ZERO + FENCE + ISSUE + WAIT, "TW1253]"),  # no commit
        (ZERO + FENCE + ISSUE + COMMIT + ISSUE + COMMIT + WAIT.replace("0;", "1;"), "TW1253]"),
        (
            ZERO + ISSUE + COMMIT + WAIT,
            "TW1260]: a register of wgmma was written after the last wgmma.fence",
        ),
        (
            FENCE + ZERO + "mov.b32 %r0, 1;" + ISSUE + COMMIT + WAIT,
            "TW1260]: a register of wgmma was written",
        ),
        (ZERO + FENCE + ISSUE + COMMIT + "mov.b32 %r1, 0;" + WAIT, "TW1260]: an accumulator was written"),
        (
            ZERO + FENCE + ISSUE + "mov.b32 %r1, 0;" + ISSUE + COMMIT + WAIT,
            "TW1260]: an accumulator was written",
        ),
        (
            ZERO + FILL + FENCE + FROM_REGISTERS + COMMIT + "mov.b32 %a2, 7;" + WAIT,
            "TW1260]: a register of the first operand was written in flight",
        ),
        (
            ZERO + FENCE + ISSUE + COMMIT + "st.shared.b32 [tb+16], 0;" + WAIT,
            "TW1265]: shared address 0x2810 is written by thread 0",
        ),
        (FENCE + ISSUE + COMMIT + WAIT, "TW1253]"),  # accumulators that nothing has written
        (ZERO + FENCE + "add.u64 %db, %db, 300;" + ISSUE + COMMIT + WAIT, "TW1253]"),
        (ZERO + FENCE + "or.b64 %db, %db, 0x2000000000000;" + ISSUE + COMMIT + WAIT, "TW1264]"),
        (ZERO + FENCE + "or.b64 %db, %db, 0x3000;" + ISSUE + COMMIT + WAIT, "TW1264]"),
        (ZERO + FENCE + "cvt.u64.u32 %x, %t; add.u64 %db, %db, %x;" + ISSUE + COMMIT + WAIT, "TW1264]"),
        (ZERO + "setp.lt.u32 %q, %t, 64; @%q bra skip;" + FENCE + "\nskip:", "TW1256]"),
    ],
)
def test_faults(body: str, message: str) -> None:
    assert message in refused(body)


def test_a_wrong_swizzle_gives_wrong_results() -> None:
    """Nothing is undefined, but the result is another one: the mode is not ignored."""
    body = ZERO + FENCE + "xor.b64 %db, %db, 0x8000000000000000;" + ISSUE + COMMIT + WAIT
    with pytest.raises(DiagnosticError):
        flight(body)
