"""Conversions of floats of eight bits: by instructions, where chips have them, and bit for bit what the interpreter does."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import kernel, load, ptx_of, same, store, view
from tilewright.targets.nvptx.tools import programs

COUNT = 256
WORDS = {"f8E4M3FN": "e4m3x2", "f8E5M2": "e5m2x2"}
TYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64}


def conversion(source: str, target: str, mode: str = "") -> str:
    (x, given), (y, made) = (
        view(name, (COUNT,), (COUNT,), kind) for name, kind in (("x", source), ("y", target))
    )
    tiles = f"tile<{COUNT}x{source}>", f"tile<{COUNT}x{target}>"
    body = x + y + load("a", "x", given, "%zero", tiles[0])
    body += f"%b = ftof %a {mode} : {tiles[0]} -> {tiles[1]}\n" + store("b", "y", made, "%zero", tiles[1])
    return kernel(f"%x: tile<ptr<{source}>>, %y: tile<ptr<{target}>>", body)


def numbers(type: str) -> np.ndarray:
    """All sorts of numbers: of both signs, too large, too small, halfway between neighbours, infinite, and none."""
    steps = np.arange(COUNT - 8) - (COUNT - 8) // 2
    found = np.sign(steps) * 1.0625 ** np.abs(steps) * 2.0**-6
    special = [0.0, -0.0, np.inf, -np.inf, np.nan, 2.0**-10, 464.0, 2.0**-17]
    with np.errstate(over="ignore"):
        return np.concatenate([found, special]).astype(TYPES[type])


@pytest.mark.parametrize("wide", TYPES)
@pytest.mark.parametrize("narrow", WORDS)
def test_numbers_are_rounded_by_an_instruction(narrow: str, wide: str) -> None:
    text = conversion(wide, narrow)
    arrays = [numbers(wide), np.zeros(COUNT, np.uint8)]
    assert len(np.unique(same(text, (1,), arrays, "sm_89")[1])) > 64
    assert f"cvt.rn.satfinite.{WORDS[narrow]}.f32" in ptx_of(text, "sm_89")
    assert WORDS[narrow] not in ptx_of(text, "sm_80")


@pytest.mark.parametrize("wide", TYPES)
@pytest.mark.parametrize("narrow", WORDS)
def test_all_numbers_are_widened_by_an_instruction(narrow: str, wide: str) -> None:
    text = conversion(narrow, wide)
    codes = np.arange(COUNT, dtype=np.uint8)
    arrays = [codes, np.zeros(COUNT, TYPES[wide])]
    assert same(text, (1,), arrays, "sm_89")[1].any()
    assert f"cvt.rn.f16x2.{WORDS[narrow]}" in ptx_of(text, "sm_89")
    assert WORDS[narrow] not in ptx_of(text, "sm_80")


def test_both_sides_may_be_narrow() -> None:
    text = conversion("f8E5M2", "f8E4M3FN")
    same(text, (1,), [np.arange(COUNT, dtype=np.uint8), np.zeros(COUNT, np.uint8)], "sm_89")
    words = ptx_of(text, "sm_89")
    assert "cvt.rn.f16x2.e5m2x2" in words
    assert "cvt.rn.satfinite.e4m3x2.f32" in words


@pytest.mark.parametrize("narrow", ["f16", "bf16"])
def test_numbers_are_rounded_to_16_bits_in_pairs(narrow: str) -> None:
    text, given = conversion("f32", narrow), numbers("f32")
    given[np.isnan(given)] = 0.0
    assert len(np.unique(same(text, (1,), [given, np.zeros(COUNT, np.uint16)], "sm_80")[1])) > 64
    assert f"cvt.rn.{narrow}x2.f32" in ptx_of(text, "sm_80")
    assert f"{narrow}x2" not in ptx_of(text, "sm_75")


# --- scales and floats of four bits: in code for one chip or family from sm_100 on

SPECIFIC, GENERAL = "sm_100a", "sm_100"
SCALE, FOUR = "f8E8M0FNU", "f4E2M1FN"
MODES = {"zero": "rz", "positive_inf": "rp"}


@pytest.mark.parametrize("wide", TYPES)
@pytest.mark.parametrize("mode", MODES)
def test_scales_are_rounded_by_an_instruction(mode: str, wide: str) -> None:
    text = conversion(wide, SCALE, f"rounding<{mode}>")
    given = numbers(wide)
    with np.errstate(over="ignore"):
        given[: COUNT // 2] = (2.0 ** np.linspace(-150, 150, COUNT // 2)).astype(TYPES[wide])
    assert len(np.unique(same(text, (1,), [given, np.zeros(COUNT, np.uint8)], SPECIFIC)[1])) > 16
    words = f"cvt.{MODES[mode]}.satfinite.ue8m0x2.f32"
    assert words in ptx_of(text, SPECIFIC)
    assert words not in ptx_of(text, GENERAL)


@pytest.mark.parametrize("wide", TYPES)
def test_all_scales_are_widened_by_an_instruction(wide: str) -> None:
    text = conversion(SCALE, wide)
    codes = np.arange(COUNT, dtype=np.uint8)
    same(text, (1,), [codes, np.zeros(COUNT, TYPES[wide])], SPECIFIC)
    assert "cvt.rn.bf16x2.ue8m0x2" in ptx_of(text, SPECIFIC)
    assert "ue8m0x2" not in ptx_of(text, GENERAL)


def bytes_of_four(wide: str, narrows: bool) -> str:
    """Numbers as pairs of floats of four bits in bytes, or back."""
    tile, packed, four = f"tile<{COUNT}x{wide}>", f"tile<{COUNT // 2}xi8>", f"tile<{COUNT}x{FOUR}>"
    (x, given), (y, made) = view("x", (COUNT,), (COUNT,), wide), view("y", (COUNT // 2,), (COUNT // 2,), "i8")
    if narrows:
        body = load("a", "x", given, "%zero", tile) + f"%f = ftof %a : {tile} -> {four}\n"
        body += f"%b = pack %f : {four} -> {packed}\n" + store("b", "y", made, "%zero", packed)
    else:
        body = load("b", "y", made, "%zero", packed) + f"%f = unpack %b : {packed} -> {four}\n"
        body += f"%a = ftof %f : {four} -> {tile}\n" + store("a", "x", given, "%zero", tile)
    return kernel(f"%x: tile<ptr<{wide}>>, %y: tile<ptr<i8>>", x + y + body)


@pytest.mark.parametrize("wide", TYPES)
@pytest.mark.parametrize("narrows", [True, False], ids=["rounded", "widened"])
def test_floats_of_four_bits_are_converted_by_an_instruction(wide: str, narrows: bool) -> None:
    text = bytes_of_four(wide, narrows)
    array = numbers(wide) if narrows else np.zeros(COUNT, TYPES[wide])
    codes = np.zeros(COUNT // 2, np.uint8) if narrows else np.arange(0, 256, 2, dtype=np.uint8) + 1
    same(text, (1,), [array, codes], SPECIFIC)
    words = "cvt.rn.satfinite.e2m1x2.f32" if narrows else "cvt.rn.f16x2.e2m1x2"
    assert words in ptx_of(text, SPECIFIC)
    assert words not in ptx_of(text, GENERAL)


@pytest.mark.skipif(not programs("ptxas"), reason="ptxas is not installed")
def test_the_assembler_takes_all() -> None:
    for text in (bytes_of_four("f32", True), bytes_of_four("f16", False), conversion(SCALE, "f32")):
        assert tilewright.compile(text, target=SPECIFIC).asm["cubin"]


def rounded_to_tf32() -> str:
    """A kernel that rounds numbers to tf32, and multiplies them by one."""
    cuts = {name: view(name, (32, 32), (32, 32), "f32") for name in "xy"}
    body = "".join(text for text, _ in cuts.values())
    whole, short = "tile<32x32xf32>", "tile<32x32xtf32>"
    body += (
        f"%a, %a_t = load_view_tko weak %x_v[%zero, %zero] : {cuts['x'][1]}, tile<i32> -> {whole}, token\n"
    )
    body += f"%r = ftof %a : {whole} -> {short}\n"
    body += f"%w = ftof %r : {short} -> {whole}\n"
    body += f"%s = store_view_tko weak %w, %y_v[%zero, %zero] : {whole}, {cuts['y'][1]}, tile<i32> -> token\n"
    return kernel("%x: tile<ptr<f32>>, %y: tile<ptr<f32>>", body)


@pytest.mark.parametrize(("chip", "count"), [("sm_80", 0), ("sm_90a", 8)])
def test_tf32_is_rounded_to_the_nearest_even_number(chip: str, count: int) -> None:
    """Ties, the largest numbers, subnormal ones, and NaN whose upper bits are those of an infinity."""
    heads = np.arange(512, dtype=np.uint32)[:, None] << 23
    bits = heads | np.array([[0x1000, 0x3001]], np.uint32)
    given = [bits.view(np.float32).reshape(32, 32), np.zeros((32, 32), np.float32)]
    text = rounded_to_tf32()
    same(text, (1,), given, chip)
    assert ptx_of(text, chip).count("cvt.rn.tf32.f32") == count
