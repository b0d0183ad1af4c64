"""Conversions of floats of eight bits: by instructions, where chips have them, and bit for bit what the interpreter does."""

from __future__ import annotations

import numpy as np
import pytest

from tests.targets.nvptx.body.gpu_programs import kernel, load, ptx_of, same, store, view

COUNT = 256
WORDS = {"f8E4M3FN": "e4m3x2", "f8E5M2": "e5m2x2"}
TYPES = {"f16": np.float16, "f32": np.float32, "f64": np.float64}


def conversion(source: str, target: str) -> str:
    (x, given), (y, made) = (
        view(name, (COUNT,), (COUNT,), kind) for name, kind in (("x", source), ("y", target))
    )
    tiles = f"tile<{COUNT}x{source}>", f"tile<{COUNT}x{target}>"
    body = x + y + load("a", "x", given, "%zero", tiles[0])
    body += f"%b = ftof %a : {tiles[0]} -> {tiles[1]}\n" + store("b", "y", made, "%zero", tiles[1])
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
    if wide == "f16":  # GPUs have another NaN of f16 than the interpreter
        codes[codes & 0x7F > 0x7C] = 0
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
