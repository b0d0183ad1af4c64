"""Elementary functions of f16 and bf16 on GPUs: within 0.502 units in the last place, for every number of the format."""

from __future__ import annotations

import re
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import tilewright
from tests.support.samples import samples
from tests.targets.cpu.elementwise.elementwise_functions import BY_NAME, exact_results
from tests.targets.cpu.elementwise.test_elementwise_functions import errors
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import compiled, kernel, load, ptx_of, store, view
from tilewright.ir.builtin_types import bf16, f16, f32
from tilewright.ptxsim import launch as simulate

ROWS, COLUMNS, THREADS = 32, 2048, 128
BOUND = 0.502
ARRAYS: dict[Any, Any] = {f16: np.dtype(np.float16), bf16: np.dtype(ml_dtypes.bfloat16)}
NAMES = {"exp": "exp", "exp2": "exp2", "rsqrt": "rsqrt", "tanh": "tanh"}


def program(type: str) -> str:
    """A kernel of which each block applies all functions to a row of numbers, and writes a row of each result."""
    tile = f"tile<1x{COLUMNS}x{type}>"
    views = {
        name: view(name, (ROWS, COLUMNS), (1, COLUMNS), type)
        for name in ("x", *(f"y_{name}" for name in NAMES))
    }
    body = "".join(text for text, _ in views.values())
    body += load("a", "x", views["x"][1], "%i, %zero", tile).replace(
        "tile<i32> ->", "tile<i32>, tile<i32> ->"
    )
    for name, word in NAMES.items():
        body += f"%r_{name} = {word} %a : {tile}\n"
        text = store(f"r_{name}", f"y_{name}", views[f"y_{name}"][1], "%i, %zero", tile)
        body += text.replace("tile<i32> ->", "tile<i32>, tile<i32> ->")
    return kernel(", ".join(f"%{name}: tile<ptr<{type}>>" for name in views), body)


@pytest.mark.parametrize(("type", "chip"), [(f16, "sm_90a"), (bf16, "sm_80")], ids=str)
def test_every_number_of_a_format(type: Any, chip: str) -> None:
    dtype, text = ARRAYS[type], program(type.spelling)
    numbers = np.arange(1 << 16, dtype=np.uint16).view(dtype).reshape(ROWS, COLUMNS)
    arrays = [numbers, *np.zeros((len(NAMES), ROWS, COLUMNS), dtype)]
    compiled(text, f"sim:{chip}").launch((ROWS,), arrays, entry="k")
    for name, got in zip(NAMES, arrays[1:], strict=True):
        with np.errstate(all="ignore"):
            assert errors(BY_NAME[name], type, [numbers.ravel()], got.ravel()).max() <= BOUND, name
            exact = exact_results(BY_NAME[name], type, [numbers.ravel()]).reshape(numbers.shape)
        assert (np.isnan(got) == np.isnan(exact)).all(), name
        assert (np.signbit(got) == np.signbit(exact))[~np.isnan(exact)].all(), name


def test_one_instruction_takes_the_place_of_a_function() -> None:
    text = ptx_of(program("f16"), "sm_80")
    elements = COLUMNS // 128
    assert "call" not in text
    assert text.count("ex2.approx.ftz.f32") == 3 * elements
    assert text.count("rcp.approx.ftz.f32") == text.count("rsqrt.approx.ftz.f32") == elements
    assert text.count("mul.rn.f32") == 4 * elements
    assert text.count("cvt.rn.f16x2.f32") == 4 * elements // 2
    assert "cvt.rn.f16x2.f32" not in ptx_of(program("f16"), "sm_75")


def singles() -> Any:
    """Numbers of every sign and exponent of f32, with the same and with other significands."""
    chance = np.random.default_rng(0)
    heads = np.arange(1 << 9, dtype=np.uint32) << 23
    tails = chance.integers(0, 1 << 23, (1 << 9, COLUMNS * ROWS >> 9), dtype=np.uint32)
    tails[:, :3] = 0, 1, (1 << 23) - 1
    return (heads[:, None] | tails).view(np.float32).reshape(ROWS, COLUMNS)


ULPS = {"exp": 5.3, "exp2": 4.5, "rsqrt": 2.7, "tanh": 4.0}
"""What the relative errors of `narrow_functions` come to at most, with half a unit for subnormal results."""


@pytest.mark.parametrize("seed", range(samples(1, of=2)))
def test_singles_are_within_their_bounds(seed: int) -> None:
    """With a seed the simulator puts the results of approximate instructions anywhere within what PTX says."""
    numbers = singles()
    arrays = [numbers, *np.zeros((len(NAMES), ROWS, COLUMNS), np.float32)]
    simulate(ptx_of(program("f32"), "sm_80"), "k", (ROWS,), (THREADS,), arrays, seed=seed)
    for name, got in zip(NAMES, arrays[1:], strict=True):
        with np.errstate(all="ignore"):
            missed = errors(BY_NAME[name], f32, [numbers.ravel()], got.ravel())
            exact = exact_results(BY_NAME[name], f32, [numbers.ravel()]).reshape(numbers.shape)
        assert missed.max() <= ULPS[name], name
        assert (np.isnan(got) == np.isnan(exact)).all(), name


def test_singles_are_instructions_and_no_calls() -> None:
    text = ptx_of(program("f32"), "sm_80")
    assert "call" not in text
    elements = COLUMNS // 128
    assert 2 * text.count("ex2.approx.f32") == text.count("ex2.approx.ftz.f32") == 2 * elements
    assert text.count("rsqrt.approx.f32") == text.count("rcp.approx.ftz.f32") == elements


def quotients() -> str:
    """A kernel of which each block divides a row of f16 by another."""
    views = {name: view(name, (ROWS, COLUMNS), (1, COLUMNS), "f16") for name in "xyz"}
    tile = f"tile<1x{COLUMNS}xf16>"
    body = "".join(text for text, _ in views.values())
    for name, value in (("x", "a"), ("y", "b")):
        text = load(value, name, views[name][1], "%i, %zero", tile)
        body += text.replace("tile<i32> ->", "tile<i32>, tile<i32> ->")
    body += f"%q = divf %a, %b : {tile}\n"
    text = store("q", "z", views["z"][1], "%i, %zero", tile)
    body += text.replace("tile<i32> ->", "tile<i32>, tile<i32> ->")
    return kernel(", ".join(f"%{name}: tile<ptr<f16>>" for name in "xyz"), body)


@pytest.mark.parametrize("seed", range(samples(1, of=3)))
def test_quotients_of_halves_are_rounded_once(seed: int) -> None:
    """Every number, and a number that is near it, by others; infinities, NaN and zeros of both signs by each other."""
    chance = np.random.default_rng(seed)
    left, right = (chance.permutation(1 << 16).astype(np.uint16) for _ in "ab")
    special = np.array([0, 0x8000, 1, 0x8001, 0x3C00, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00], np.uint16)
    left[:100], right[:100] = np.repeat(special, 10), np.tile(special, 10)
    left[100:20000] = right[100:20000] + chance.integers(-1, 2, 19900).astype(np.uint16)
    a, b = (bits.view(np.float16).reshape(ROWS, COLUMNS) for bits in (left, right))
    out = np.zeros_like(a)
    simulate(ptx_of(quotients(), "sm_80"), "k", (ROWS,), (THREADS,), [a, b, out], seed=seed)
    with np.errstate(all="ignore"):
        wanted = (a.astype(np.float64) / b.astype(np.float64)).astype(np.float16)
    assert (np.isnan(out) == np.isnan(wanted)).all()
    kept = ~np.isnan(wanted)
    assert (out.view(np.uint16)[kept] == wanted.view(np.uint16)[kept]).all()


def test_quotients_of_halves_take_no_division() -> None:
    text = ptx_of(quotients(), "sm_80")
    assert "div." not in text
    assert text.count("rcp.approx.ftz.f32") == COLUMNS // 128


USED = {
    ("f16", "exp"): {"ex2.approx.ftz.f32", "mul.rn.f32"},
    ("f16", "exp2"): {"ex2.approx.ftz.f32"},
    ("f16", "rsqrt"): {"rsqrt.approx.ftz.f32"},
    ("f16", "tanh"): {"ex2.approx.ftz.f32", "fma.rn.f32", "mul.rn.f32"},
    ("bf16", "exp"): {"ex2.approx.f32", "mul.rn.f32"},
    ("bf16", "exp2"): {"ex2.approx.f32"},
    ("bf16", "rsqrt"): {"rsqrt.approx.f32"},
    ("bf16", "tanh"): {"ex2.approx.ftz.f32", "fma.rn.f32", "mul.rn.f32"},
}
"""Instructions of functions of narrow floats: brain floats have subnormal numbers of f32, which must not be flushed."""


@pytest.mark.parametrize(("type", "name"), USED)
def test_instructions_of_functions_of_narrow_floats(type: str, name: str) -> None:
    pointers, tile = f"tile<64xptr<{type}>>", f"tile<64x{type}>"
    text = f"""cuda_tile.module @m {{
  entry @k(%x: tile<ptr<{type}>>) {{
    %n = iota : tile<64xi32>
    %x1 = reshape %x : tile<ptr<{type}>> -> tile<1xptr<{type}>>
    %x64 = broadcast %x1 : tile<1xptr<{type}>> -> {pointers}
    %xs = offset %x64, %n : {pointers}, tile<64xi32> -> {pointers}
    %v, %t0 = load_ptr_tko weak %xs : {pointers} -> {tile}, token
    %w = {name} %v : {tile}
    %t = store_ptr_tko weak %xs, %w token=%t0 : {pointers}, {tile} -> token
    return
  }}
}}"""
    ptx = str(tilewright.compile(text, target="sm_90a").asm["ptx"])
    assert set(re.findall(r"(?:ex2|tanh|rsqrt|mul|fma)\.\S+", ptx)) == USED[type, name]
