"""Thread-instructions a second of the PTX simulator: ``python -m benchmarks.ptxsim``.

Prints a table: a product of matrices with ``ldmatrix``, ``mma`` and ``cp.async``, and element-wise code, each with all
checks and with none.  The time is processor time of this process, the best of some rounds; reading the text is not in it.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from tilewright.ptx.checks import read
from tilewright.ptxsim import launch

TILE, DEPTH, WARPS = 128, 32, 8
"""Rows and columns that a block of the product computes, elements of a step of its loop, and its warps."""
ROW = 80
"""Bytes from one row to the next in shared memory: 64 of numbers, and 16 that keep rows in different banks."""
GOALS = {"matmul": 5.0, "element-wise": 20.0}
"""Million thread-instructions a second with all checks."""


def registers(name: str, count: int, first: int = 0) -> str:
    """A list of registers."""
    return "{" + ", ".join(f"%{name}{at}" for at in range(first, first + count)) + "}"


STAGE = 2 * TILE * ROW
"""Bytes of a tile of A and one of B."""

HEAD = f"""
.version 8.0
.target sm_80
.address_size 64
.entry matmul(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u32 steps, .param .u32 pwidth)
{{
    .reg .b32 %t, %w, %l, %into, %left, %right, %steps, %width, %depth, %x<8>, %a<16>, %b<8>;
    .reg .f32 %c<64>; .reg .b64 %from<2>, %far<2>, %out, %out<4>, %y<2>; .reg .pred %p;
    .shared .align 16 .b8 tiles[{2 * STAGE}];
    mov.u32 %t, %tid.x; shr.u32 %w, %t, 5; and.b32 %l, %t, 31; ld.param.u32 %steps, [steps];
    ld.param.u32 %width, [pwidth]; mul.lo.u32 %depth, %steps, {2 * DEPTH};
    shr.u32 %x0, %t, 2; and.b32 %x1, %t, 3; shl.b32 %x1, %x1, 4;
    mov.u32 %into, tiles; mad.lo.u32 %into, %x0, {ROW}, %into; add.u32 %into, %into, %x1;
    cvt.u64.u32 %y0, %x1;
    mov.u32 %x2, %ctaid.x; mad.lo.u32 %x2, %x2, {TILE}, %x0; ld.param.u64 %from0, [pa];
    mad.wide.u32 %from0, %x2, %depth, %from0; add.s64 %from0, %from0, %y0; mad.wide.u32 %far0, %depth, 64, %from0;
    mov.u32 %x2, %ctaid.y; mad.lo.u32 %x2, %x2, {TILE}, %x0; ld.param.u64 %from1, [pb];
    mad.wide.u32 %from1, %x2, %depth, %from1; add.s64 %from1, %from1, %y0; mad.wide.u32 %far1, %depth, 64, %from1;
    and.b32 %x3, %w, 1; shr.u32 %x4, %w, 1; and.b32 %x5, %l, 15; shr.u32 %x6, %l, 4; shl.b32 %x6, %x6, 4;
    mad.lo.u32 %x7, %x3, 64, %x5; mov.u32 %left, tiles; mad.lo.u32 %left, %x7, {ROW}, %left; add.u32 %left, %left, %x6;
    mad.lo.u32 %x7, %x4, 32, %x5; mov.u32 %right, tiles; mad.lo.u32 %right, %x7, {ROW}, %right;
    add.u32 %right, %right, %x6; add.u32 %right, %right, {TILE * ROW};
    mov.u32 %x2, %ctaid.x; mad.lo.u32 %x2, %x2, 2, %x3; shr.u32 %x5, %l, 2; mad.lo.u32 %x2, %x2, 64, %x5;
    mov.u32 %x6, %ctaid.y; mad.lo.u32 %x6, %x6, 4, %x4; and.b32 %x5, %l, 3; shl.b32 %x5, %x5, 1;
    mad.lo.u32 %x6, %x6, 32, %x5; mad.lo.u32 %x2, %x2, %width, %x6; ld.param.u64 %out, [pc];
    mad.wide.u32 %out, %x2, 4, %out; mov.u32 %x0, {STAGE};
"""
"""The beginning of the kernel: where each thread reads and writes."""


def _fetch() -> list[str]:
    """Copies of the next tiles."""
    copies = [
        f"cp.async.cg.shared.global [%into+{matrix * TILE * ROW + half * 64 * ROW}], [%from{matrix}+HALF{half}], 16;"
        for matrix in (0, 1)
        for half in (0, 1)
    ]
    fetch = [line.replace("+HALF0", "").replace("%from0+HALF1", "%far0") for line in copies]
    fetch = [line.replace("%from1+HALF1", "%far1") for line in fetch]
    fetch += [f"add.s64 %{name}, %{name}, {2 * DEPTH};" for name in ("from0", "from1", "far0", "far1")]
    return fetch


def _compute() -> list[str]:
    """The products of a tile."""
    compute = list[str]()
    for k in (0, 32):
        compute += [
            f"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {registers('a', 4, 4 * at)}, [%left+{at * 16 * ROW + k}];"
            for at in range(4)
        ]
        compute += [
            f"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {registers('b', 4, 4 * at)}, [%right+{at * 16 * ROW + k}];"
            for at in range(2)
        ]
        compute += [
            f"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {registers('c', 4, 4 * (4 * i + j))}, "
            f"{registers('a', 4, 4 * i)}, {{%b{4 * (j // 2) + j % 2}, %b{4 * (j // 2) + 2 + j % 2}}}, "
            f"{registers('c', 4, 4 * (4 * i + j))};"
            for i in range(4)
            for j in range(4)
        ]
    return compute


def _stores() -> list[str]:
    """The results of a warp."""
    stores = [
        f"st.global.v2.f32 [%out{i}+{32 * j + 0}], {{%c{4 * (4 * i + j) + 2 * half}, %c{4 * (4 * i + j) + 2 * half + 1}}};"
        for i in range(4)
        for half in (0, 1)
        for j in range(4)
    ]
    placed = list[str]()
    for at, line in enumerate(stores):
        if at % 4 == 0:
            placed.append(
                f"mad.wide.u32 %out{at // 8}, %width, {4 * (at // 8 * 16 + at // 4 % 2 * 8)}, %out;"
            )
        placed.append(line)
    return placed


def matmul_text() -> str:
    """``C = A @ B.T`` of halves: two tiles in shared memory, one of which copies fill while the other is used.

    A warp computes 64 x 32 elements: four fragments of A times four of B, two steps of 16 for each tile.
    """
    zeros = [f"mov.f32 %c{at}, 0f00000000;" for at in range(64)]
    loop = [
        "again:",
        "cp.async.wait_group 0; bar.sync 0; sub.u32 %steps, %steps, 1; setp.ne.u32 %p, %steps, 0; @!%p bra last;",
        "add.u32 %into, %into, %x0;",
        *_fetch(),
        "cp.async.commit_group;",
        "last:",
        *_compute(),
        "add.u32 %left, %left, %x0; add.u32 %right, %right, %x0; neg.s32 %x0, %x0;",
        "@%p bra again;",
    ]
    return "\n".join([HEAD, *zeros, *_fetch(), "cp.async.commit_group;", *loop, *_stores(), "ret;\n}"])


def matmul(checks: str) -> int:
    """Two by two blocks; answers the thread-instructions.  Raises `AssertionError` for a wrong result."""
    size, depth = 2 * TILE, 32 * DEPTH
    chance = np.random.default_rng(1)
    a, b = (chance.integers(-4, 5, (size, depth)).astype(np.float16) for _ in range(2))
    c = np.zeros((size, size), np.float32)
    report = launch(MATMUL, "matmul", (2, 2), (32 * WARPS,), [a, b, c, depth // DEPTH, size], checks=checks)
    assert (c == a.astype(np.float32) @ b.astype(np.float32).T).all()
    return report.thread_instructions


ELEMENTWISE_TEXT = """
.version 8.0
.target sm_80
.address_size 64
.entry smooth(.param .u64 px, .param .u64 py, .param .u32 rounds)
{
    .reg .b32 %t, %b, %n; .reg .b64 %x, %y; .reg .f32 %f<8>; .reg .pred %p;
    mov.u32 %t, %tid.x; mov.u32 %b, %ctaid.x; shl.b32 %b, %b, 8; add.u32 %t, %t, %b;
    ld.param.u64 %x, [px]; ld.param.u64 %y, [py]; ld.param.u32 %n, [rounds];
    mad.wide.u32 %x, %t, 4, %x; mad.wide.u32 %y, %t, 4, %y; ld.global.f32 %f0, [%x]; mov.f32 %f1, 0f00000000;
again:
    fma.rn.f32 %f2, %f0, %f0, %f1; mul.f32 %f3, %f2, 0f3F000000; add.f32 %f4, %f3, %f0; max.f32 %f5, %f4, %f1;
    neg.f32 %f6, %f5; min.f32 %f7, %f6, %f0; abs.f32 %f7, %f7; mul.f32 %f1, %f7, 0f3E800000;
    sub.u32 %n, %n, 1; setp.ne.u32 %p, %n, 0; @%p bra again;
    st.global.f32 [%y], %f1;
    ret;
}
"""


def elementwise(checks: str) -> int:
    """Eight blocks of 256 threads, a loop of eleven instructions; answers the thread-instructions."""
    x, y = np.linspace(-1, 1, 2048, dtype=np.float32), np.zeros(2048, np.float32)
    report = launch(ELEMENTWISE, "smooth", (8,), (256,), [x, y, 200], checks=checks)
    return report.thread_instructions


MATMUL, ELEMENTWISE = read(matmul_text()), read(ELEMENTWISE_TEXT)
CASES: dict[str, Callable[[str], int]] = {"matmul": matmul, "element-wise": elementwise}


def speed(case: Callable[[str], int], checks: str, rounds: int) -> float:
    """Million thread-instructions in a second of processor time: the best of some rounds."""
    best = 0.0
    for _ in range(rounds):
        start = time.process_time()
        count = case(checks)
        best = max(best, count / (time.process_time() - start) / 1e6)
    return best


def main(arguments: Any = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ptxsim", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args(arguments).rounds
    print("| kernel | all checks | goal | no checks |\n| --- | --- | --- | --- |")
    for name, case in CASES.items():
        strict, plain = (speed(case, checks, rounds) for checks in ("all", "none"))
        print(f"| {name} | {strict:.1f} M/s | {GOALS[name]:.0f} M/s | {plain:.1f} M/s |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
