"""Instructions that work on each thread alone: values from their definitions in the PTX ISA, edges included."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.ptxsim.harness import run
from tilewright.ptx.table.instructions import by_name
from tilewright.ptxsim.instructions.registry import simulated

TOP = 2**31
MANY = 0xFFFFFFFF
NAN32, INF32, TINY = 0x7FFFFFFF, 0x7F800000, 1
ONE, TWO, THREE, HALF = 0x3F800000, 0x40000000, 0x40400000, 0x3F000000

# (the instruction, its types, rows of operands, results); numbers are the bits of registers
CASES: tuple[tuple[str, str, list[tuple[int, ...]], list[int]], ...] = (
    ("add.u32 %r, %a, %b;", "b32 b32 -> b32", [(1, 2), (MANY, 1)], [3, 0]),
    ("add.sat.s32 %r, %a, %b;", "b32 b32 -> b32", [(TOP - 1, 1), (TOP, MANY), (5, 6)], [TOP - 1, TOP, 11]),
    ("add.u16x2 %r, %a, %b;", "b32 b32 -> b32", [(0xFFFF0001, 0x00010002)], [3]),
    ("sub.s64 %r, %a, %b;", "b64 b64 -> b64", [(0, 1)], [2**64 - 1]),
    ("mul.hi.s32 %r, %a, %b;", "b32 b32 -> b32", [(MANY, 2), (TOP, TOP)], [MANY, 1 << 30]),
    ("mul.hi.u64 %r, %a, %b;", "b64 b64 -> b64", [(2**64 - 1, 2**64 - 1)], [2**64 - 2]),
    ("mul.hi.s64 %r, %a, %b;", "b64 b64 -> b64", [(2**64 - 1, 2), (2**63, 2**63)], [2**64 - 1, 1 << 62]),
    ("mul.wide.s16 %r, %a, %b;", "b16 b16 -> b32", [(0xFFFF, 3)], [MANY - 2]),
    ("mad.lo.s32 %r, %a, %b, %c;", "b32 b32 b32 -> b32", [(3, 4, 5)], [17]),
    ("mad.hi.sat.s32 %r, %a, %b, %c;", "b32 b32 b32 -> b32", [(TOP - 1, TOP - 1, TOP - 1)], [TOP - 1]),
    ("mul24.lo.u32 %r, %a, %b;", "b32 b32 -> b32", [(0xFF000003, 0xFF000004)], [12]),
    ("mad24.hi.s32 %r, %a, %b, %c;", "b32 b32 b32 -> b32", [(0x00FFFFFF, 1, 2)], [1]),
    (
        "fma.rn.f32 %r, %a, %b, %c;",  # rounded once: just above half-way, and subnormal
        "b32 b32 b32 -> b32",
        [(0x3F800800, 0x3F800800, 0x21800000), (0x1F800001, 0x1F800001, 1)],
        [0x3F801001, 0x00200002],
    ),
    ("sad.s32 %r, %a, %b, %c;", "b32 b32 b32 -> b32", [(MANY, 4, 10)], [15]),
    (
        "div.s32 %r, %a, %b;",
        "b32 b32 -> b32",
        [(MANY - 6, 2), (7, 2), (7, MANY - 1)],
        [MANY - 2, 3, MANY - 2],
    ),
    ("rem.s32 %r, %a, %b;", "b32 b32 -> b32", [(MANY - 6, 2), (7, MANY - 1)], [MANY, 1]),
    ("abs.s32 %r, %a;", "b32 -> b32", [(MANY,), (TOP,)], [1, TOP]),
    ("neg.s16 %r, %a;", "b16 -> b16", [(1,)], [0xFFFF]),
    ("min.s32 %r, %a, %b;", "b32 b32 -> b32", [(MANY, 1)], [MANY]),
    ("max.u32 %r, %a, %b;", "b32 b32 -> b32", [(MANY, 1)], [MANY]),
    ("max.relu.s16x2 %r, %a, %b;", "b32 b32 -> b32", [(0xFFFF0005, 0xFFFE0003)], [5]),
    ("popc.b64 %r, %a;", "b64 -> b32", [(2**64 - 1,), (0,)], [64, 0]),
    ("clz.b32 %r, %a;", "b32 -> b32", [(0,), (1,), (TOP,)], [32, 31, 0]),
    ("bfind.s32 %r, %a;", "b32 -> b32", [(0,), (MANY,), (0xFFFFFFF0,), (8,)], [MANY, MANY, 3, 3]),
    ("bfind.shiftamt.u32 %r, %a;", "b32 -> b32", [(0,), (1,)], [MANY, 31]),
    (
        "fns.b32 %r, %a, %b, %c;",
        "b32 b32 b32 -> b32",
        [(0xAAAAAAAA, 3, 1), (0xAAAAAAAA, 3, MANY), (0xAAAAAAAA, 2, 1), (0xAAAAAAAA, 2, 99), (1, 1, 0)],
        [3, 3, 3, MANY, MANY],
    ),
    ("brev.b32 %r, %a;", "b32 -> b32", [(1,), (0x00F0,)], [TOP, 0x0F000000]),
    (
        "bfe.s32 %r, %a, %b, %c;",
        "b32 b32 b32 -> b32",
        [(0xF0, 4, 4), (0x70, 4, 4), (TOP, 30, 8), (9, 0, 0)],
        [MANY, 7, MANY - 1, 0],
    ),
    ("bfe.u64 %r, %a, %b, %c;", "b64 b32 b32 -> b64", [(2**64 - 1, 60, 8), (2**63, 63, 1)], [15, 1]),
    (
        "bfi.b32 %r, %a, %b, %c, %d;",
        "b32 b32 b32 b32 -> b32",
        [(5, 0, 4, 3), (MANY, 0, 32, 4), (MANY, 0, 28, 40)],
        [0x50, 0, 0xF0000000],
    ),
    ("bmsk.clamp.b32 %r, %a, %b;", "b32 b32 -> b32", [(4, 4), (0, 40), (33, 1)], [0xF0, MANY, 0]),
    (
        "szext.clamp.s32 %r, %a, %b;",
        "b32 b32 -> b32",
        [(0xFF, 8), (0x7F, 8), (5, 0), (MANY, 40)],
        [MANY, 127, 0, MANY],
    ),
    ("dp4a.s32.u32 %r, %a, %b, %c;", "b32 b32 b32 -> b32", [(0xFF010203, 0x02010101, 10)], [14]),
    ("dp2a.lo.u32.u32 %r, %a, %b, %c;", "b32 b32 b32 -> b32", [(0x00020003, 0x0000_0504, 1)], [23]),
    ("add.cc.u32 %w0, %a, %b; addc.u32 %r, 0, 0;", "b32 b32 -> b32", [(MANY, 1), (MANY, 0)], [1, 0]),
    (
        "add.cc.u32 %w0, %a, %a; addc.cc.u32 %w1, %b, 0; addc.u32 %r, 0, 0;",
        "b32 b32 -> b32",
        [(TOP, MANY)],
        [1],
    ),
    ("sub.cc.u32 %w0, %a, %b; subc.u32 %r, 5, 0;", "b32 b32 -> b32", [(0, 1), (1, 1)], [4, 5]),
    (
        "mad.lo.cc.u32 %w0, %a, %b, 1; madc.hi.u32 %r, %a, %b, 0;",
        "b32 b32 -> b32",
        [(MANY, MANY), (MANY, 1)],
        [MANY - 1, 1],
    ),
    ("and.b32 %r, %a, %b;", "b32 b32 -> b32", [(6, 3)], [2]),
    ("or.b32 %r, %a, %b;", "b32 b32 -> b32", [(6, 3)], [7]),
    ("xor.b32 %r, %a, %b;", "b32 b32 -> b32", [(6, 3)], [5]),
    ("not.b32 %r, %a;", "b32 -> b32", [(6,)], [MANY - 6]),
    ("cnot.b32 %r, %a;", "b32 -> b32", [(0,), (7,)], [1, 0]),
    ("lop3.b32 %r, %a, %b, %c, 0xE8;", "b32 b32 b32 -> b32", [(0b1100, 0b1010, 0b0110)], [0b1110]),
    ("shl.b32 %r, %a, %b;", "b32 b32 -> b32", [(1, 31), (1, 32), (1, 33)], [TOP, 0, 0]),
    ("shr.s32 %r, %a, %b;", "b32 b32 -> b32", [(TOP, 31), (TOP, 99), (8, 1)], [MANY, MANY, 4]),
    ("shf.l.wrap.b32 %r, %a, %b, %c;", "b32 b32 b32 -> b32", [(TOP, 1, 1), (TOP, 1, 33)], [3, 3]),
    ("shf.r.clamp.b32 %r, %a, %b, %c;", "b32 b32 b32 -> b32", [(2, 1, 1), (2, 1, 40)], [TOP + 1, 1]),
    (
        "prmt.b32 %r, %a, %b, %c;",
        "b32 b32 b32 -> b32",
        [(0x03020180, 0x07060504, 0x7450), (0x80, 0, 0x8888)],
        [0x07040580, MANY],
    ),
    ("prmt.b32.b4e %r, %a, %b, %c;", "b32 b32 b32 -> b32", [(0x03020100, 0x07060504, 0)], [0x05060700]),
    ("setp.lt.s32 %p, %a, %b; selp.b32 %r, 1, 0, %p;", "b32 b32 -> b32", [(MANY, 0), (0, MANY)], [1, 0]),
    ("setp.lo.u32 %p|%q, %a, %b; selp.b32 %r, 1, 2, %q;", "b32 b32 -> b32", [(MANY, 0)], [1]),
    ("setp.ltu.f32 %p, %a, %b; selp.b32 %r, 1, 0, %p;", "b32 b32 -> b32", [(NAN32, ONE), (TWO, ONE)], [1, 0]),
    ("setp.ne.f32 %p, %a, %b; selp.b32 %r, 1, 0, %p;", "b32 b32 -> b32", [(NAN32, ONE), (TWO, ONE)], [0, 1]),
    ("setp.num.f32 %p, %a, %b; selp.b32 %r, 1, 0, %p;", "b32 b32 -> b32", [(NAN32, ONE), (TWO, ONE)], [0, 1]),
    ("set.gt.u32.s32 %r, %a, %b;", "b32 b32 -> b32", [(1, MANY), (MANY, 1)], [MANY, 0]),
    ("set.eq.f32.f32 %r, %a, %b;", "b32 b32 -> b32", [(ONE, ONE), (NAN32, NAN32)], [ONE, 0]),
    ("slct.b32.s32 %r, %a, %b, %c;", "b32 b32 b32 -> b32", [(1, 2, 0), (1, 2, MANY)], [1, 2]),
    (
        "add.f32 %r, %a, %b;",
        "b32 b32 -> b32",
        [(ONE, ONE), (INF32, INF32 | TOP), (TINY, 0)],
        [TWO, NAN32, TINY],
    ),
    ("add.ftz.f32 %r, %a, %b;", "b32 b32 -> b32", [(TINY, 0), (TINY | TOP, TOP)], [0, TOP]),
    ("add.rp.f32 %r, %a, %b;", "b32 b32 -> b32", [(ONE, TINY), (ONE, 0)], [ONE + 1, ONE]),
    ("add.rm.f32 %r, %a, %b;", "b32 b32 -> b32", [(ONE | TOP, TINY | TOP)], [(ONE | TOP) + 1]),
    ("add.sat.f32 %r, %a, %b;", "b32 b32 -> b32", [(ONE, ONE), (ONE | TOP, 0), (NAN32, 0)], [ONE, 0, 0]),
    (
        "mul.rz.f32 %r, %a, %b;",
        "b32 b32 -> b32",
        [(0x7F7FFFFF, TWO), (ONE + 1, ONE + 1)],
        [0x7F7FFFFF, ONE + 2],
    ),
    (
        "fma.rn.f32 %r, %a, %b, %c;",
        "b32 b32 b32 -> b32",
        [(ONE + 1, ONE + 1, ONE | TOP | 2), (TWO, THREE, ONE)],
        [0x28800000, 0x40E00000],
    ),
    (
        "fma.rn.f64 %r, %a, %b, %c;",
        "b64 b64 b64 -> b64",
        [(0x3FF0000000000001, 0x3FF0000000000001, 0xBFF0000000000002)],
        [0x3970000000000000],
    ),
    (
        "fma.rn.f16x2 %r, %a, %b, %c;",
        "b32 b32 b32 -> b32",
        [(0x40003C00, 0x42003C00, 0x3C003C00)],
        [0x47004000],
    ),
    ("fma.rn.bf16 %r, %a, %b, %c;", "b16 b16 b16 -> b16", [(0x4000, 0x4040, 0x3F80)], [0x40E0]),
    (
        "div.rn.f32 %r, %a, %b;",
        "b32 b32 -> b32",
        [(ONE, THREE), (ONE, 0), (0, 0)],
        [0x3EAAAAAB, INF32, NAN32],
    ),
    ("div.rz.f32 %r, %a, %b;", "b32 b32 -> b32", [(TWO, THREE)], [0x3F2AAAAA]),
    ("rcp.rn.f32 %r, %a;", "b32 -> b32", [(THREE,), (TOP,)], [0x3EAAAAAB, INF32 | TOP]),
    ("rcp.rp.f32 %r, %a;", "b32 -> b32", [(THREE,), (TWO,)], [0x3EAAAAAB, HALF]),
    ("sqrt.rn.f32 %r, %a;", "b32 -> b32", [(TWO,), (ONE | TOP,), (TOP,)], [0x3FB504F3, NAN32, TOP]),
    ("sqrt.rp.f32 %r, %a;", "b32 -> b32", [(TWO,)], [0x3FB504F4]),
    ("rsqrt.approx.f32 %r, %a;", "b32 -> b32", [(0x40800000,), (0,)], [HALF, INF32]),
    ("sin.approx.f32 %r, %a;", "b32 -> b32", [(0,), (TOP,), (INF32,)], [0, TOP, NAN32]),
    ("cos.approx.f32 %r, %a;", "b32 -> b32", [(0,)], [ONE]),
    ("lg2.approx.f32 %r, %a;", "b32 -> b32", [(TWO,), (0,), (ONE | TOP,)], [ONE, INF32 | TOP, NAN32]),
    ("ex2.approx.f32 %r, %a;", "b32 -> b32", [(ONE,), (INF32 | TOP,)], [TWO, 0]),
    ("tanh.approx.f32 %r, %a;", "b32 -> b32", [(0,), (INF32,)], [0, ONE]),
    ("min.f32 %r, %a, %b;", "b32 b32 -> b32", [(NAN32, ONE), (0, TOP)], [ONE, TOP]),
    ("max.NaN.f32 %r, %a, %b;", "b32 b32 -> b32", [(NAN32, ONE), (0, TOP)], [NAN32, 0]),
    ("testp.subnormal.f32 %p, %a; selp.b32 %r, 1, 0, %p;", "b32 -> b32", [(TINY,), (0,)], [1, 0]),
    ("copysign.f32 %r, %a, %b;", "b32 b32 -> b32", [(TOP, ONE)], [ONE | TOP]),
    ("mov.b32 %r, {%a, %b};", "b16 b16 -> b32", [(1, 2)], [0x20001]),
    ("mov.b64 {%w0, %w1}, %a; mov.b32 %r, %w1;", "b64 -> b32", [(5 << 32,)], [5]),
    ("cvt.u32.s8 %r, %a;", "b32 -> b32", [(0x80,)], [0xFFFFFF80]),
    ("cvt.sat.u8.s32 %r, %a;", "b32 -> b32", [(300,), (MANY,)], [255, 0]),
    (
        "cvt.rni.s32.f32 %r, %a;",
        "b32 -> b32",
        [(0x40200000,), (NAN32,), (INF32,), (INF32 | TOP,)],
        [2, 0, TOP - 1, TOP],
    ),
    (
        "cvt.rn.f32.u64 %r, %a;",
        "b64 -> b32",
        [(2**63 + 2**39 + 1,), (2**63 + 2**39,)],
        [0x5F000001, 0x5F000000],
    ),
    ("cvt.rz.f32.f64 %r, %a;", "b64 -> b32", [(0x3FF0000010000000,)], [ONE]),
    ("cvt.rn.f16.f32 %r, %a;", "b32 -> b16", [(0x477FF000,), (0x33000000,), (0x33000001,)], [0x7C00, 0, 1]),
    ("cvt.f32.f16 %r, %a;", "b16 -> b32", [(0x3C00,), (0x0001,)], [ONE, 0x33800000]),
    ("cvt.rn.bf16.f32 %r, %a;", "b32 -> b16", [(0x3F808000,), (0x3F818000,)], [0x3F80, 0x3F82]),
    ("cvt.rna.tf32.f32 %r, %a;", "b32 -> b32", [(0x3F801000,), (0x3F800FFF,)], [0x3F802000, ONE]),
    (
        "cvt.rn.satfinite.e4m3x2.f32 %r, %a, %b;",
        "b32 b32 -> b16",
        [(0x44000000, ONE), (NAN32, 0)],
        [0x7E38, 0x7F00],
    ),
    ("cvt.rn.f16x2.e5m2x2 %r, %a;", "b16 -> b32", [(0x7C3C,)], [0x7C003C00]),
    ("cvt.pack.sat.u8.s32.b32 %r, %a, %b, %c;", "b32 b32 b32 -> b32", [(300, MANY, 7)], [0x0007FF00]),
    ("cvta.shared.u64 %r, %a; isspacep.shared %p, %r; selp.b64 %r, 1, 0, %p;", "b64 -> b64", [(1024,)], [1]),
    (
        "nanosleep.u32 5; membar.gl; fence.acq_rel.gpu; griddepcontrol.wait; pmevent 1; setmaxnreg.dec.sync.aligned.u32 40; mov.b32 %r, %a;",
        "b32 -> b32",
        [(3,)],
        [3],
    ),
    (
        "fence.proxy.alias; fence.proxy.async.shared::cta; fence.proxy.tensormap::generic.release.gpu; fence.mbarrier_init.release.cluster; mov.b32 %r, %a;",
        "b32 -> b32",
        [(3,)],
        [3],
    ),
    (
        "prefetch.global.L2 [%x]; prefetchu.L1 [%x]; applypriority.global.L2::evict_normal [%x], 128; ldu.global.b32 %r, [%x];",
        "b32 -> b32",
        [(9,)],
        [9],
    ),
)


def operands(types: str, rows: list[tuple[int, ...]]) -> list[Any]:
    widths = [int(name[1:]) // 8 for name in types.partition(" -> ")[0].split()]
    return [
        np.array(column, f"u{width}") for width, column in zip(widths, zip(*rows, strict=True), strict=True)
    ]


@pytest.mark.parametrize(("body", "types", "rows", "results"), CASES, ids=[case[0] for case in CASES])
def test_values_of_the_isa(body: str, types: str, rows: list[tuple[int, ...]], results: list[int]) -> None:
    found = run(body, types, *operands(types, rows))
    assert [hex(value) for value in found.tolist()] == [hex(value) for value in results]


def test_every_instruction_is_tested_or_listed() -> None:
    """What has a rule is executed by a test of this folder; all else is known to the listing."""
    text = "\n".join(
        path.read_text(encoding="utf-8")
        for path in Path(__file__).parent.rglob("*")
        if path.is_file() and path.suffix in (".py", ".ptx")
    )
    done, missing = simulated()
    assert sorted((*done, *missing)) == sorted(by_name())
    untested = [name for name in done if not re.search(rf"(?<![\w.]){re.escape(name)}\b[. ;]", text)]
    assert untested == []


def test_an_undefined_predicate_does_not_spoil_what_it_does_not_choose() -> None:
    body = "setp.eq.s32 %p, %a, 0; @%p mov.b32 %w1, 5; selp.b32 %r, %w1, %a, %p;"
    assert run(body, "b32 -> b32", np.array([0, 3], np.uint32)).tolist() == [5, 3]


def test_approximations_stay_within_the_bound_and_depend_on_the_seed() -> None:
    values = np.linspace(0.1, 5, 64, dtype=np.float32)
    exact = np.exp2(values.astype(np.float64))
    found = [
        run("ex2.approx.f32 %r, %a;", "b32 -> b32", values, seed=seed).view(np.float32) for seed in (1, 1, 2)
    ]
    assert (found[0] == found[1]).all()
    assert (found[0] != found[2]).any()
    assert all((np.abs(one / exact - 1) <= 2.0**-22).all() for one in found)


@pytest.mark.parametrize("seed", [1, 2])
def test_threads_approximate_equal_values_alike(seed: int) -> None:
    """Threads that compute the same may store it to one place: a GPU has one result for each operand."""
    values = np.repeat(np.linspace(0.1, 5, 32, dtype=np.float32), 2)
    found = run("ex2.approx.f32 %r, %a;", "b32 -> b32", values, seed=seed).view(np.float32)
    assert (found[::2] == found[1::2]).all()
    assert len(np.unique(found / np.exp2(values.astype(np.float64)))) > 20
