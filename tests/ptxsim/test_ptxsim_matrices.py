"""Matrix instructions of a warp: fragments and products from their definitions in the PTX ISA."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.ptxsim.harness import run_lanes
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptxsim import launch

LANES = range(32)
Where = Callable[[int, int], tuple[int, int]]
"""Row and column of a lane's element, as the ISA's formulas have them: from groupID, threadID_in_group and i."""


def words(matrix: Any, where: Where, count: int, per: int) -> Any:
    """Registers of each lane that hold a matrix of codes; ``count`` elements a lane, ``per`` in a word."""
    bits = 32 // per
    found = np.zeros((32, count // per), np.uint64)
    for lane in LANES:
        for i in range(count):
            found[lane, i // per] |= np.uint64(int(matrix[where(lane, i)]) << bits * (i % per))
    return found.astype(np.uint32)


def matrix(registers: Any, where: Where, shape: tuple[int, int], count: int, per: int = 1) -> Any:
    found = np.zeros(shape, np.uint32)
    for lane in LANES:
        for i in range(count):
            found[where(lane, i)] = registers[lane, i // per] >> (32 // per * (i % per)) & (
                2 ** (32 // per) - 1
            )
    return found


def result(lane: int, i: int) -> tuple[int, int]:
    return lane // 4 + 8 * (i // 2), lane % 4 * 2 + i % 2


def a_16(lane: int, i: int) -> tuple[int, int]:
    row = lane // 4 if i < 2 or 4 <= i < 6 else lane // 4 + 8
    return row, lane % 4 * 2 + (i & 1) + (8 if i >= 4 else 0)


def b_16(lane: int, i: int) -> tuple[int, int]:
    return lane % 4 * 2 + (i & 1) + (8 if i >= 2 else 0), lane // 4


def a_8(lane: int, i: int) -> tuple[int, int]:
    row = lane // 4 if i < 4 or 8 <= i < 12 else lane // 4 + 8
    return row, lane % 4 * 4 + (i & 3) + (16 if i >= 8 else 0)


def b_8(lane: int, i: int) -> tuple[int, int]:
    return lane % 4 * 4 + (i & 3) + (16 if i >= 4 else 0), lane // 4


def a_4(lane: int, i: int) -> tuple[int, int]:
    row = lane // 4 if i < 8 or 16 <= i < 24 else lane // 4 + 8
    return row, lane % 4 * 8 + (i & 7) + (32 if i >= 16 else 0)


def b_4(lane: int, i: int) -> tuple[int, int]:
    return lane % 4 * 8 + (i & 7) + (32 if i >= 8 else 0), lane // 4


def a_tf32(lane: int, i: int) -> tuple[int, int]:
    return lane // 4 + (8 if i in (1, 3) else 0), lane % 4 + (4 if i >= 2 else 0)


def b_tf32(lane: int, i: int) -> tuple[int, int]:
    return lane % 4 + 4 * i, lane // 4


def a_1(lane: int, i: int) -> tuple[int, int]:
    row = lane // 4 if i < 32 or 64 <= i < 96 else lane // 4 + 8
    return row, lane % 4 * 32 + (i & 31) + (128 if i >= 64 else 0)


def b_1(lane: int, i: int) -> tuple[int, int]:
    return lane % 4 * 32 + (i & 31) + (128 if i >= 32 else 0), lane // 4


def floats(kind: Any) -> Callable[[Any], Any]:
    return lambda codes: codes.astype(np.uint8).view(kind).astype(np.float64)


def halves(kind: Any) -> Callable[[Any], Any]:
    return lambda codes: codes.astype(np.uint16).view(kind).astype(np.float64)


def singles(codes: Any) -> Any:
    return (codes & np.uint32(0xFFFFE000)).astype(np.uint32).view(np.float32).astype(np.float64)


SMALL = {
    "e4m3": floats(ml_dtypes.float8_e4m3fn),
    "e5m2": floats(ml_dtypes.float8_e5m2),
    "e2m3": floats(ml_dtypes.float6_e2m3fn),
    "e3m2": floats(ml_dtypes.float6_e3m2fn),
    "e2m1": floats(ml_dtypes.float4_e2m1fn),
}
RANDOM = np.random.default_rng(5)


def half_codes(kind: Any) -> Callable[[tuple[int, int]], Any]:
    return lambda shape: RANDOM.standard_normal(shape).astype(kind).view(np.uint16)


def integers(bits: int) -> Callable[[tuple[int, int]], Any]:
    return lambda shape: RANDOM.integers(0, 2**bits, shape, dtype=np.uint32)


def tf32_codes(shape: tuple[int, int]) -> Any:
    return RANDOM.standard_normal(shape).astype(np.float32).view(np.uint32)


def signed(bits: int) -> Callable[[Any], Any]:
    return lambda codes: np.where(codes >= 2 ** (bits - 1), codes.astype(np.int64) - 2**bits, codes).astype(
        float
    )


def plain(codes: Any) -> Any:
    return codes.astype(float)


# (name of the form, k, elements of a word, elements of a lane in a and b, their places, codes, values of a and of b)
FLOAT_CASES = (
    ("m16n8k16", "f16", 2, 8, 4, a_16, b_16, half_codes(np.float16), halves(np.float16)),
    ("m16n8k8", "f16", 2, 4, 2, a_16, b_16, half_codes(np.float16), halves(np.float16)),
    ("m16n8k16", "bf16", 2, 8, 4, a_16, b_16, half_codes(ml_dtypes.bfloat16), halves(ml_dtypes.bfloat16)),
    ("m16n8k8", "bf16", 2, 4, 2, a_16, b_16, half_codes(ml_dtypes.bfloat16), halves(ml_dtypes.bfloat16)),
    ("m16n8k8", "tf32", 1, 4, 2, a_tf32, b_tf32, tf32_codes, singles),
    ("m16n8k4", "tf32", 1, 2, 1, a_tf32, b_tf32, tf32_codes, singles),
)


def depth(shape: str) -> int:
    return int(shape.rpartition("k")[2])


@pytest.mark.parametrize("case", FLOAT_CASES, ids=[f"{case[0]}-{case[1]}" for case in FLOAT_CASES])
@pytest.mark.parametrize("seed", [0, 3])
def test_products_of_floats(case: Any, seed: int) -> None:
    shape, kind, per, count_a, count_b, at_a, at_b, codes, value = case
    a, b, c = (
        codes((16, depth(shape))),
        codes((depth(shape), 8)),
        RANDOM.standard_normal((16, 8)).astype(np.float32),
    )
    found = run_lanes(
        f"mma.sync.aligned.{shape}.row.col.f32.{kind}.{kind}.f32 {{r}}, {{a}}, {{b}}, {{c}};",
        {
            "a": words(a, at_a, count_a, per),
            "b": words(b, at_b, count_b, per),
            "c": words(c.view(np.uint32), result, 4, 1),
        },
        4,
        seed=seed,
    )
    expected = value(a) @ value(b) + c
    got = matrix(found, result, (16, 8), 4).view(np.float32)
    bound = 2.0**-24 if seed == 0 else 2.0**-20
    assert np.abs(got - expected).max() <= bound * (np.abs(value(a)) @ np.abs(value(b)) + np.abs(c)).max()


INTEGER_CASES = (
    ("m16n8k32", "s8", 4, 16, 8, a_8, b_8, signed(8)),
    ("m16n8k32", "u8", 4, 16, 8, a_8, b_8, plain),
    ("m16n8k16", "s8", 4, 8, 4, a_8, b_8, signed(8)),
    ("m16n8k64", "s4", 8, 32, 16, a_4, b_4, signed(4)),
    ("m16n8k64", "u4", 8, 32, 16, a_4, b_4, plain),
    ("m16n8k32", "s4", 8, 16, 8, a_4, b_4, signed(4)),
)


@pytest.mark.parametrize("case", INTEGER_CASES, ids=[f"{case[0]}-{case[1]}" for case in INTEGER_CASES])
def test_products_of_integers_wrap_or_saturate(case: Any) -> None:
    shape, kind, per, count_a, count_b, at_a, at_b, value = case
    bits, k = 32 // per, depth(shape)
    a, b = integers(bits)((16, k)), integers(bits)((k, 8))
    c = RANDOM.integers(-(2**31), 2**31, (16, 8)).astype(np.int32)
    c[0] = 2**31 - 1
    inputs = {
        "a": words(a, at_a, count_a, per),
        "b": words(b, at_b, count_b, per),
        "c": words(c.view(np.uint32), result, 4, 1),
    }
    exact = value(a) @ value(b) + c
    for suffix, expected in (
        ("", (exact.astype(np.int64) & 0xFFFFFFFF).astype(np.uint32)),
        (".satfinite", np.clip(exact, -(2**31), 2**31 - 1).astype(np.int64).astype(np.int32).view(np.uint32)),
    ):
        found = run_lanes(
            f"mma.sync.aligned.{shape}.row.col{suffix}.s32.{kind}.{kind}.s32 {{r}}, {{a}}, {{b}}, {{c}};",
            inputs,
            4,
        )
        assert (matrix(found, result, (16, 8), 4) == expected).all()


@pytest.mark.parametrize("op", ["and", "xor"])
def test_products_of_bits(op: str) -> None:
    a, b = integers(1)((16, 256)), integers(1)((256, 8))
    inputs = {
        "a": words(a, a_1, 128, 32),
        "b": words(b, b_1, 64, 32),
        "c": np.full((32, 4), 5, np.uint32),
    }
    text = f"mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.{op}.popc {{r}}, {{a}}, {{b}}, {{c}};"
    combined = a[:, :, None] & b[None] if op == "and" else a[:, :, None] ^ b[None]
    assert (matrix(run_lanes(text, inputs, 4), result, (16, 8), 4) == combined.sum(1) + 5).all()


def test_products_of_one_byte_rows() -> None:
    a, b = integers(8)((8, 16)), integers(8)((16, 8))
    inputs = {
        "a": words(a, lambda lane, i: (lane // 4, lane % 4 * 4 + i), 4, 4),
        "b": words(b, b_8, 4, 4),
        "c": np.zeros((32, 2), np.uint32),
    }
    found = run_lanes("mma.sync.aligned.m8n8k16.row.col.s32.u8.u8.s32 {r}, {a}, {b}, {c};", inputs, 2)
    assert (matrix(found, result, (8, 8), 2) == a @ b).all()


@pytest.mark.parametrize("kind", ["e4m3", "e2m3", "e3m2", "e2m1"])
def test_products_of_small_floats(kind: str) -> None:
    bits = {"e4m3": 8, "e2m1": 4}.get(kind, 6)
    a, b = integers(bits)((16, 32)) & 0x77, integers(bits)((32, 8)) & 0x77
    shift = 2 if kind == "e2m1" else 0
    inputs = {
        "a": words(a << shift, a_8, 16, 4),
        "b": words(b << shift, b_8, 8, 4),
        "c": np.zeros((32, 4), np.uint32),
    }
    text = f"mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.{kind}.{kind}.f32 {{r}}, {{a}}, {{b}}, {{c}};"
    expected = (SMALL[kind](a) @ SMALL[kind](b)).astype(np.float32)
    assert (matrix(run_lanes(text, inputs, 4), result, (16, 8), 4).view(np.float32) == expected).all()


def test_products_of_doubles() -> None:
    a, b, c = (RANDOM.standard_normal(shape) for shape in ((8, 4), (4, 8), (8, 8)))
    inputs = {
        "a": np.array([[a[lane // 4, lane % 4]] for lane in LANES]).view(np.uint64),
        "b": np.array([[b[lane % 4, lane // 4]] for lane in LANES]).view(np.uint64),
        "c": np.array([[c[result(lane, i)] for i in range(2)] for lane in LANES]).view(np.uint64),
    }
    text = "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {r}, {a}, {b}, {c};"
    found = run_lanes(text, inputs, 2, width=64).view(np.float64)
    got = np.array([[found[(row * 4 + column // 2), column % 2] for column in range(8)] for row in range(8)])
    assert np.abs(got - (a @ b + c)).max() < 1e-14


@pytest.mark.parametrize("orders", ["row.col", "col.row", "row.row", "col.col"])
def test_four_products_of_quads(orders: str) -> None:
    a = RANDOM.integers(-8, 8, (4, 8, 4)).astype(np.float16)
    b = RANDOM.integers(-8, 8, (4, 4, 8)).astype(np.float16)
    left, right = orders.split(".")
    first, second = np.zeros((32, 4), np.float16), np.zeros((32, 4), np.float16)
    for lane in LANES:
        four = 4 if lane >= 16 else 0
        for i in range(4):
            row, column = (lane % 4 + four, i) if left == "row" else (i + four, lane % 4)
            first[lane, i] = a[lane // 4 % 4, row, column]
            row, column = (lane % 4, i + four) if right == "row" else (i, lane % 4 + four)
            second[lane, i] = b[lane // 4 % 4, row, column]
    inputs = {"a": first.view(np.uint32), "b": second.view(np.uint32), "c": np.zeros((32, 8), np.uint32)}
    text = f"mma.sync.aligned.m8n8k4.{orders}.f32.f16.f16.f32 {{r}}, {{a}}, {{b}}, {{c}};"
    found = run_lanes(text, inputs, 8).view(np.float32)
    exact = a.astype(float) @ b.astype(float)
    for lane in LANES:
        for i in range(8):
            row = (lane & 1) + (i & 2) + (4 if lane >= 16 else 0)
            assert found[lane, i] == exact[lane // 4 % 4, row, (i & 4) + (lane & 2) + (i & 1)]


def test_half_results_are_packed() -> None:
    a, b = half_codes(np.float16)((16, 16)), half_codes(np.float16)((16, 8))
    inputs = {"a": words(a, a_16, 8, 2), "b": words(b, b_16, 4, 2), "c": np.zeros((32, 2), np.uint32)}
    text = "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {r}, {a}, {b}, {c};"
    got = matrix(run_lanes(text, inputs, 2), result, (16, 8), 4, 2).astype(np.uint16).view(np.float16)
    assert (got == (halves(np.float16)(a) @ halves(np.float16)(b)).astype(np.float16)).all()


# --- matrices whose layout is open


WMMA = """.reg .b32 %u<8>, %v<8>; .reg .b64 %ga, %gb; ld.param.b64 %ga, [a_in]; ld.param.b64 %gb, [b_in];
    .shared .align 16 .b8 room[2048]; mov.u32 %w0, room;
"""


@pytest.mark.parametrize(("al", "bl"), [("row", "col"), ("col", "row")])
def test_wmma_of_halves(al: str, bl: str) -> None:
    a, b = (RANDOM.standard_normal((16, 16)).astype(np.float16) for _ in range(2))
    inputs = {"a": a.reshape(32, 8).view(np.uint32), "b": b.reshape(32, 8).view(np.uint32)}
    text = (
        WMMA
        + f"""
    wmma.load.a.sync.aligned.{al}.m16n16k16.global.f16 {{u}}, [%ga], 16; wmma.load.b.sync.aligned.{bl}.m16n16k16.global.f16 {{v}}, [%gb], 16;
    mov.b32 %r0, 0; mov.b32 %r1, 0; mov.b32 %r2, 0; mov.b32 %r3, 0; mov.b32 %r4, 0; mov.b32 %r5, 0; mov.b32 %r6, 0; mov.b32 %r7, 0;
    wmma.mma.sync.aligned.{al}.{bl}.m16n16k16.f32.f32 {{r}}, {{u}}, {{v}}, {{r}};
    wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 [%w0], {{r}}, 20; bar.sync 0; shr.u32 %w1, %t, 1; mul.lo.u32 %w1, %w1, 80;
    and.b32 %w2, %t, 1; mad.lo.u32 %w1, %w2, 32, %w1; add.u32 %w0, %w0, %w1; ld.shared.v4.b32 {{%r0, %r1, %r2, %r3}}, [%w0]; ld.shared.v4.b32 {{%r4, %r5, %r6, %r7}}, [%w0+16];"""
    )
    for name in "uv":
        text = text.replace(f"{{{name}}}", "{" + ", ".join(f"%{name}{at}" for at in range(8)) + "}")
    found = run_lanes(text, inputs, 8).view(np.float32).reshape(16, 16)
    left, right = (
        a.astype(float) if al == "row" else a.astype(float).T,
        b.astype(float).T if bl == "col" else b.astype(float),
    )
    assert np.abs(found - left @ right).max() < 1e-5


def test_wmma_of_bytes() -> None:
    a, b = (
        RANDOM.integers(0, 255, (32, 16)).astype(np.uint8),
        RANDOM.integers(0, 255, (8, 16)).astype(np.uint8),
    )
    inputs = {
        "a": a.reshape(32, 16).view(np.uint32),
        "b": np.concatenate([b.reshape(8, 16)] * 4).view(np.uint32),
    }
    text = (
        WMMA
        + """
    wmma.load.a.sync.aligned.row.m32n8k16.global.u8 {%u0, %u1, %u2, %u3}, [%ga]; wmma.load.b.sync.aligned.col.m32n8k16.global.u8 {%v0}, [%gb];
    wmma.load.c.sync.aligned.row.m32n8k16.global.s32 {r}, [%ga], 0; mov.b32 %w2, 7; mov.b32 %w3, 7; mov.b32 %w4, 7; mov.b32 %w5, 7; mov.b32 %w6, 7; mov.b32 %w7, 7; mov.b32 %u7, 7; mov.b32 %u6, 7;
    wmma.mma.sync.aligned.row.col.m32n8k16.s32.u8.u8.s32 {r}, {%u0, %u1, %u2, %u3}, {%v0}, {%w2, %w3, %w4, %w5, %w6, %w7, %u6, %u7};"""
    )
    found = run_lanes(text, inputs, 8).view(np.int32).reshape(32, 8)
    assert (found == a.astype(int) @ b.astype(int).T + 7).all()


# --- sparse and scaled


@pytest.mark.parametrize("selector", [0, 1])
def test_sparse_products(selector: int) -> None:
    """m16n8k32 with f16: lanes 2f and 2f+1 of a quad have the metadata of columns 0 to 15 and 16 to 31."""
    stored, b = half_codes(np.float16)((16, 16)), half_codes(np.float16)((32, 8))
    choices = np.array([0b0100, 0b1000, 0b1100, 0b1001, 0b1101, 0b1110])[RANDOM.integers(0, 6, (16, 8))]
    whole = np.zeros((16, 32), np.uint16)
    for row in range(16):
        for chunk in range(8):
            for at in range(2):
                whole[row, 4 * chunk + (choices[row, chunk] >> 2 * at & 3)] = stored[row, 2 * chunk + at]
    meta = np.zeros((32, 1), np.uint32)
    for lane in LANES:
        half = lane % 4 - 2 * selector
        if half in (0, 1):
            for chunk in range(4):
                meta[lane] |= np.uint32(choices[lane // 4, 4 * half + chunk] << 4 * chunk)
                meta[lane] |= np.uint32(choices[lane // 4 + 8, 4 * half + chunk] << 16 + 4 * chunk)
    inputs = {
        "a": words(stored, a_16, 8, 2),
        "b": words(b, lambda lane, i: (lane % 4 * 2 + (i & 1) + 8 * (i // 2), lane // 4), 8, 2),
        "c": np.zeros((32, 4), np.uint32),
        "e": meta,
    }
    for name in ("mma.sp.sync", "mma.sp::ordered_metadata.sync"):
        text = f"{name}.aligned.m16n8k32.row.col.f32.f16.f16.f32 {{r}}, {{a}}, {{b}}, {{c}}, %e0, {selector};"
        got = matrix(run_lanes(text, inputs, 4), result, (16, 8), 4).view(np.float32)
        assert np.abs(got - halves(np.float16)(whole) @ halves(np.float16)(b)).max() < 1e-5


def test_scaled_products() -> None:
    """mxf8f6f4: a scale for each row of a (lanes 0 and 1 of a quad) and column of b."""
    a, b = integers(8)((16, 32)) & 0x77, integers(8)((32, 8)) & 0x77
    rows, columns = RANDOM.integers(120, 134, 16), RANDOM.integers(120, 134, 8)
    scales = np.zeros((32, 2), np.uint32)
    for lane in LANES:
        scales[lane, 0] = (rows[lane // 4 + 8 * (lane % 2)] if lane % 4 < 2 else 0) << 8
        scales[lane, 1] = (columns[lane // 4] if lane % 4 == 3 else 0) << 16
    inputs = {
        "a": words(a, a_8, 16, 4),
        "b": words(b, b_8, 8, 4),
        "c": np.zeros((32, 4), np.uint32),
        "s": scales,
    }
    text = (
        "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0 "
        "{r}, {a}, {b}, {c}, {%s0}, {1, 0}, {%s1}, {2, 3};"
    )
    expected = (SMALL["e4m3"](a) * np.ldexp(1.0, rows - 127)[:, None]) @ (
        SMALL["e4m3"](b) * np.ldexp(1.0, columns - 127)
    )
    got = matrix(run_lanes(text, inputs, 4), result, (16, 8), 4).view(np.float32)
    assert np.allclose(got, expected, rtol=2.0**-23)


# --- what is undefined


def test_an_undefined_element_spoils_its_row_and_column_only() -> None:
    a, b = half_codes(np.float16)((16, 16)), half_codes(np.float16)((16, 8))
    inputs = {
        "a": words(a, a_16, 8, 2),
        "b": words(b, b_16, 4, 2),
        "c": np.zeros((32, 4), np.uint32),
    }
    text = """.reg .b32 %u; setp.eq.u32 %p, %t, 4; mov.b32 %u, %a0; {spoil}
    mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {r}, {%u, %a1, %a2, %a3}, {b}, {c};
    setp.ge.u32 %q, %t, 4; setp.lt.and.u32 %q, %t, 8, %q; @%q mov.b32 %r0, 0; @%q mov.b32 %r1, 0;"""
    spoil = ".reg .b32 %none; @%p mov.b32 %u, %none;"
    run_lanes(text.replace("{spoil}", spoil), inputs, 4)
    with pytest.raises(DiagnosticError, match="TW1253"):
        run_lanes(text.replace("{spoil}", spoil).replace("@%q mov.b32 %r1, 0;", ""), inputs, 4)


def test_a_part_of_a_warp_may_not_multiply() -> None:
    inputs = {"a": np.zeros((16, 2), np.uint32)}
    text = "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {r}, {%a0, %a0}, {%a0}, {%a0, %a0, %a0, %a0};"
    with pytest.raises(DiagnosticError, match="TW1261"):
        run_lanes(text, inputs, 4)


# --- matrices in shared memory


TILES = """.shared .align 16 .b8 tile[512];
    mov.u64 %x, tile; mad.wide.u32 %x, %t, 16, %x; st.shared.v4.b32 [%x], {%a0, %a1, %a2, %a3}; bar.sync 0;
"""


@pytest.mark.parametrize("count", [1, 2, 4])
@pytest.mark.parametrize("trans", ["", ".trans"])
def test_ldmatrix(count: int, trans: str) -> None:
    tiles = RANDOM.integers(0, 2**16, (4, 8, 8), dtype=np.uint16)
    data = tiles.reshape(32, 8).view(np.uint32)
    text = TILES + f"ldmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 {{r}}, [%x];"
    found = run_lanes(text, {"a": data}, count)
    for lane in LANES:
        for at in range(count):
            one = tiles[at].T if trans else tiles[at]
            pair = one[lane // 4, lane % 4 * 2 : lane % 4 * 2 + 2].astype(np.uint32)
            assert found[lane, at] == pair[0] | pair[1] << 16


@pytest.mark.parametrize("trans", ["", ".trans"])
def test_stmatrix_is_the_mirror(trans: str) -> None:
    data = RANDOM.integers(0, 2**32, (32, 4), dtype=np.uint32)
    text = TILES + (
        f"ldmatrix.sync.aligned.m8n8.x4{trans}.shared.b16 {{r}}, [%x]; bar.sync 0; st.shared.v4.b32 [%x], {{%w0, %w0, %w0, %w0}};"
        f"bar.sync 0; stmatrix.sync.aligned.m8n8.x4{trans}.shared.b16 [%x], {{r}}; bar.sync 0; ld.shared.v4.b32 {{r}}, [%x];"
    )
    assert (run_lanes(text, {"a": data}, 4) == data).all()


def test_movmatrix() -> None:
    tile = RANDOM.integers(0, 2**16, (8, 8), dtype=np.uint16)
    found = run_lanes(
        "movmatrix.sync.aligned.m8n8.trans.b16 %r0, %a0;", {"a": tile.reshape(32, 2).view(np.uint32)}, 1
    )
    assert (found.view(np.uint16).reshape(8, 8) == tile.T).all()


def test_rows_must_be_aligned_and_there() -> None:
    data = np.zeros((32, 4), np.uint32)
    with pytest.raises(DiagnosticError, match="TW1255"):
        run_lanes(TILES + "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {r}, [%x+8];", {"a": data}, 1)
    with pytest.raises(DiagnosticError, match="TW1254"):
        run_lanes(TILES + "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {r}, [%x+4096];", {"a": data}, 4)
    with pytest.raises(DiagnosticError, match="TW1253"):
        run_lanes(
            TILES.replace("st.shared", "@%p st.shared").replace("mov.u64", "setp.lt.u32 %p, %t, 31; mov.u64")
            + "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {r}, [%x];",
            {"a": data},
            4,
        )


ONE_PRODUCT = (
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {a}, {b}, {%f0, %f1, %f2, %f3};"
)
TWO_PRODUCTS = ONE_PRODUCT + ONE_PRODUCT.replace("%f0", "%g0").replace("%f1", "%g1").replace(
    "%f2", "%g2"
).replace("%f3", "%g3")


@pytest.mark.parametrize(
    ("between", "first", "second"),
    [("", 1, 1), ("again: ", 1, 2), (ONE_PRODUCT, 2, 1)],
    ids=["together", "a jump to the second", "one that needs the first"],
)
def test_products_that_follow_each_other(between: str, first: int, second: int) -> None:
    """Products are computed together only where that changes nothing."""
    left, right = TWO_PRODUCTS.split(";")[:2]
    loop = "add.u32 %w0, %w0, 1; setp.lt.u32 %p, %w0, 2; @%p bra again;" if ":" in between else ""
    names = [f"%{row}{at}" for row in "fg" for at in range(4)]
    head = (
        f".reg .f32 %f<4>, %g<4>; mov.u32 %w0, 0; {''.join(f'mov.f32 {one}, 0f00000000;' for one in names)}"
    )
    body = f"{head}{left}; {between}{right}; {loop}" + "".join(
        f"mov.b32 %r{at}, {one};" for at, one in enumerate(names)
    )
    halves = np.random.default_rng(3).integers(-3, 4, (32, 12)).astype(np.float16).view(np.uint32)
    found = run_lanes(body, {"a": halves[:, :4], "b": halves[:, 4:]}, 8).view(np.float32)
    alone = run_lanes(
        f"{head}{left};" + "".join(f"mov.b32 %r{at}, %f{at};" for at in range(4)),
        {"a": halves[:, :4], "b": halves[:, 4:]},
        4,
    ).view(np.float32)
    assert alone.any()
    assert (found == np.concatenate([first * alone, second * alone], 1)).all()


GRIDS = {
    "row by row": [(i, j) for i in range(3) for j in range(4)],
    "column by column": [(i, j) for j in range(4) for i in range(3)],
    "with holes": [(i, j) for i in range(3) for j in range(4) if (i + j) % 3],
    "along the diagonal": [(i, i) for i in range(3)],
}


@pytest.mark.parametrize("order", GRIDS.values(), ids=list(GRIDS))
@pytest.mark.parametrize(
    ("kind", "rows", "result"), [("f16", 4, "f32"), ("f16", 2, "f16"), ("bf16", 4, "f32")]
)
def test_a_grid_of_products_gives_what_each_gives_alone(
    order: list[tuple[int, int]], kind: str, rows: int, result: str
) -> None:
    """Fragments of three rows and four columns; a label before each product keeps them apart."""
    columns = {"a": 3 * 4, "b": 4 * 2, "c": 12 * rows}
    chance = np.random.default_rng(7)
    args = [chance.integers(0, 2**32, (count, 64), dtype=np.uint32) for count in columns.values()]
    products = [
        f"mma.sync.aligned.m16n8k16.row.col.{result}.{kind}.{kind}.{result} {_named('c', rows, 4 * i + j)}, "
        f"{_named('a', 4, i)}, {_named('b', 2, j)}, {_named('c', rows, 4 * i + j)};"
        for i, j in order
    ]
    loads = "".join(
        f"ld.param.u64 %p, [p{name}]; add.s64 %p, %p, %o;"
        + "".join(f"ld.global.u32 %{name}{at}, [%p+{256 * at}];" for at in range(count))
        for name, count in columns.items()
    )
    stores = "".join(f"st.global.u32 [%p+{256 * at}], %c{at};" for at in range(columns["c"]))

    def found(body: str) -> Any:
        """The results of two warps."""
        arrays = [one.copy() for one in args]
        launch(
            f".version 8.4 .target sm_90 .address_size 64 .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pc) {{"
            f".reg .b32 %a<12>, %b<8>, %c<48>, %t; .reg .b64 %p, %o; mov.u32 %t, %tid.x; mul.wide.u32 %o, %t, 4;"
            f"{loads}{body}{stores} ret; }}",
            "k",
            (1,),
            (64,),
            arrays,
        )
        return arrays[2]

    alone = found("".join(f"at{at}: {line}" for at, line in enumerate(products)))
    assert (alone != args[2]).any()
    assert (found("".join(products)) == alone).all()


def _named(name: str, count: int, at: int) -> str:
    """The registers of a fragment."""
    return "{" + ", ".join(f"%{name}{count * at + one}" for one in range(count)) + "}"
