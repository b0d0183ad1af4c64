"""Products of 64 bits of extended words: one instruction, the same number."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from tests.targets.nvptx.tileas_to_nvvm.gpu_programs import kernel, load, ptx_of, same, store, view


def products(extension: str, right: str) -> str:
    """A kernel that multiplies words that are extended to 64 bits with the number, or with words that are extended alike."""
    (x, words), (y, _) = (view(name, (128,), (128,), "i32") for name in "xy")
    z, wide = view("z", (128,), (128,), "i64")
    body = x + y + z
    for name, value in (("x", "a"), ("y", "b")):
        body += load(value, name, words, "%zero", "tile<128xi32>")
        body += f"%{value}_w = exti %{value} {extension} : tile<128xi32> -> tile<128xi64>\n"
    factor = "%b_w"
    if right:
        body += f"%c = constant <i64: {right}> : tile<128xi64>\n"
        factor = "%c"
    body += f"%p = muli %a_w, {factor} : tile<128xi64>\n" + store("p", "z", wide, "%zero", "tile<128xi64>")
    return kernel("%x: tile<ptr<i32>>, %y: tile<ptr<i32>>, %z: tile<ptr<i64>>", body)


@pytest.mark.parametrize(
    ("extension", "right", "spelling"),
    [
        ("signed", "", "mul.wide.s32"),
        ("unsigned", "", "mul.wide.u32"),
        ("signed", "7", "mul.wide.s32"),
        ("unsigned", "2147483647", "mul.wide.u32"),
        ("unsigned", "2147483648", "mul.lo.s64"),
        ("signed", "-3", "mul.lo.s64"),
    ],
)
def test_the_product_of_words(extension: str, right: str, spelling: str) -> None:
    text = products(extension, right)
    assert spelling in set(re.findall(r"mul\.[a-z0-9.]+", ptx_of(text)))
    chance = np.random.default_rng(3)
    arrays: list[Any] = [chance.integers(-(2**31), 2**31, 128, dtype=np.int64).astype(np.int32) for _ in "xy"]
    arrays[0][:4] = arrays[1][:4] = [-(2**31), 2**31 - 1, 0, -1]
    same(text, (1,), [*arrays, np.zeros(128, np.int64)], "sm_80")
