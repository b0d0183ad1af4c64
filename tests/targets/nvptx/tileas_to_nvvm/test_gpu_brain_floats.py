"""Arithmetic of bf16: by the instructions that a chip has, and bit for bit what the interpreter does; NaNs have any bits."""

from __future__ import annotations

from collections.abc import Sequence

import ml_dtypes
import numpy as np
import pytest

import tilewright
from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import compiled, kernel, load, ptx_of, store, view
from tilewright.targets.nvptx.tools import programs

COUNT = 2048
BRAIN = np.dtype(ml_dtypes.bfloat16)
TILE = f"tile<{COUNT}xbf16>"
NEAREST = " rounding<nearest_even>"
OPERATIONS = {
    "addf": f"addf %a, %b{NEAREST} : {TILE}",
    "subf": f"subf %a, %b{NEAREST} : {TILE}",
    "mulf": f"mulf %a, %b{NEAREST} : {TILE}",
    "fma": f"fma %a, %b, %c{NEAREST} : {TILE}",
    "maxf": f"maxf %a, %b : {TILE}",
    "minf": f"minf %a, %b : {TILE}",
}
LATEST = ("sm_80", "sm_89", "sm_90a", "sm_100a")
TINY, HUGE = 2.0**-133, 3.3895313892515355e38
SPECIAL = (0.0, TINY, 3 * TINY, 2.0**-126, 2.0**-67, 0.5, 1.0, 1.0078125, 3.0, 2.0**64, HUGE, np.inf, np.nan)


def program(names: Sequence[str]) -> str:
    """A kernel that writes what each operation makes of three arrays to an array of its own."""
    views = {name: view(name, (COUNT,), (COUNT,), "bf16") for name in ("x", "y", "z", *names)}
    body = "".join(text for text, _ in views.values())
    for value, name in zip("abc", "xyz", strict=True):
        body += load(value, name, views[name][1], "%zero", TILE)
    for name in names:
        body += f"%r_{name} = {OPERATIONS[name]}\n"
        body += store(f"r_{name}", name, views[name][1], "%zero", TILE)
    return kernel(", ".join(f"%{name}: tile<ptr<bf16>>" for name in views), body)


ALL = program(tuple(OPERATIONS))


def operands() -> list[np.ndarray]:
    """Every pair of special values, and bits drawn at random."""
    values = np.array([*SPECIAL, *(-value for value in SPECIAL)]).astype(BRAIN)
    drawn = np.random.default_rng(5).integers(0, 1 << 16, (3, COUNT), np.uint16).view(BRAIN)
    pairs = len(values) ** 2
    drawn[0, :pairs], drawn[1, :pairs] = np.repeat(values, len(values)), np.tile(values, len(values))
    drawn[2, :pairs] = np.resize(values[::-1], pairs)
    near = drawn[1, pairs : pairs + 512]  # numbers of like size, whose sums are rounded
    with np.errstate(over="ignore", invalid="ignore"):
        drawn[0, pairs : pairs + 512] = (near.astype(np.float32) * np.linspace(-4, 4, 512)).astype(BRAIN)
    return list(drawn)


@pytest.mark.parametrize("chip", ["sm_75", *LATEST])
def test_results_are_those_of_the_interpreter(chip: str) -> None:
    wanted, given = ([*operands(), *np.zeros((len(OPERATIONS), COUNT), BRAIN)] for _ in range(2))
    tilewright.launch(ALL, "k", (1,), wanted, target="interp")
    compiled(ALL, f"sim:{chip}").launch((1,), given, entry="k")
    for name, one, other in zip(OPERATIONS, wanted[3:], given[3:], strict=True):
        differ = (one.view(np.uint16) != other.view(np.uint16)) & ~(np.isnan(one) & np.isnan(other))
        assert not differ.any(), (name, [array[differ][:3] for array in (*given[:3], one, other)])


def test_each_chip_uses_what_it_has() -> None:
    texts = {chip: ptx_of(ALL, chip) for chip in ("sm_75", *LATEST)}
    assert ".bf16" not in texts["sm_75"]
    for chip in LATEST:
        words = ("fma.rn.bf16", "max.bf16", "min.bf16")
        assert all(word in texts[chip] for word in words)
        assert ".f32" not in texts[chip]
        for word in ("add", "sub", "mul"):
            assert (f"{word}.rn.bf16" in texts[chip]) == (chip not in ("sm_80", "sm_89"))


@pytest.mark.parametrize("name", ["addf", "subf", "mulf"])
def test_sums_and_products_are_fused_ones_on_ampere(name: str) -> None:
    text = ptx_of(program((name,)), "sm_80")
    assert text.count("fma.rn.bf16") == COUNT // 128


def test_other_modes_are_rounded_once_as_before() -> None:
    text = ALL.replace("nearest_even", "zero")
    assert "fma.rn.bf16" not in ptx_of(text, "sm_80")


@pytest.mark.skipif(not programs("ptxas"), reason="ptxas is not installed")
@pytest.mark.parametrize("chip", ["sm_80", "sm_90a"])
def test_the_assembler_takes_them(chip: str) -> None:
    assert tilewright.compile(ALL, target=chip).asm["cubin"]
