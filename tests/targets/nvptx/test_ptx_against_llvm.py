"""Two printers: random programs become PTX by ours and by LLVM's, and both give the same numbers in the simulator."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

pytest.importorskip("numpy")

pytest.importorskip("llvmlite")

import tilewright
from tests.targets.cpu.elementwise.elementwise_functions import BY_NAME
from tests.targets.cpu.elementwise.test_elementwise_exact import FAMILIES, inputs_of
from tests.targets.cpu.elementwise.test_elementwise_functions import inputs
from tests.targets.nvptx.kernels import lanewise, parsed, printed
from tests.targets.nvptx.second_printer import by_llvm, compare, compare_elements, second_image
from tests.targets.nvptx.tileas_to_nvvm.test_gpu_masked_accesses import arguments, text_of
from tests.targets.nvptx.tileas_to_nvvm.test_gpu_matrix import PRODUCTS
from tilewright.dialects.common.chips import CHIPS
from tilewright.driver.loading import Kernels
from tilewright.driver.target import target
from tilewright.ir.builtin_types import FloatType, bf16, f16
from tilewright.ptxsim import launch

OPERATIONS = (
    "llvm.add {a}, {b}",
    "llvm.sub {a}, {b}",
    "llvm.mul {a}, {b}",
    "llvm.and {a}, {b}",
    "llvm.or {a}, {b}",
    "llvm.xor {a}, {b}",
    "llvm.intr.smax({a}, {b})",
    "llvm.intr.umin({a}, {b})",
    "llvm.intr.fshl({a}, {b}, {c})",
    "llvm.intr.sadd.sat({a}, {b})",
    "llvm.intr.usub.sat({a}, {b})",
    "llvm.intr.bitreverse({a})",
    "llvm.intr.ctpop({a})",
)
CHIP = "sm_80"
WIDTHS = ("i8", "i16", "i32", "i64")
STRIDE = 60
"""One of so many operations on elements is compared here."""
WIDE_SHIFTS = ("shli_i64_16", "shrui_i64_16")
"""Operations that LLVM does wrong unless it is kept from it."""


class Program:
    """Random operations on the integers of a type: straight code, a branch and a loop."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.type = self.random.choice(WIDTHS)
        self.number = 0
        self.lines: list[str] = []

    def name(self) -> str:
        self.number += 1
        return f"%v{self.number}"

    def operation(self, values: list[str]) -> str:
        template, target = self.random.choice(OPERATIONS), self.name()
        a, b, c = (self.random.choice(values) for _ in "abc")
        count = sum(word in template for word in ("{a}", "{b}", "{c}"))
        kinds = ", ".join([self.type] * count)
        type = f"({kinds}) -> {self.type}" if "intr" in template else self.type
        self.lines.append(f"{target} = {template.format(a=a, b=b, c=c)} : {type}")
        return target

    def straight(self, values: list[str], length: int) -> list[str]:
        found = list(values)
        for _ in range(length):
            found.append(self.operation(found))
        return found

    def body(self) -> str:
        """The whole: ``%r`` depends on everything before."""
        start = self.straight(["%a", "%b"], self.random.randrange(2, 8))
        x, y = self.random.choice(start), start[-1]
        order = self.random.choice(["slt", "ugt", "eq", "sge"])
        self.lines.append(f'%choice = llvm.icmp "{order}" {x}, {y} : {self.type}')
        self.lines.append("llvm.cond_br %choice, ^yes, ^no\n^yes:")
        yes = self.straight(start, 3)[-1]
        self.lines.append(f"llvm.br ^join({yes}, {x} : {self.type}, {self.type})\n^no:")
        no = self.straight(start, 2)[-1]
        self.lines.append(f"llvm.br ^join({y}, {no} : {self.type}, {self.type})")
        kind = self.type
        self.lines.append(f"^join(%p: {kind}, %q: {kind}):")
        self.lines.append(
            "%zero = llvm.mlir.constant(0 : i32) : i32\n%one = llvm.mlir.constant(1 : i32) : i32"
        )
        self.lines.append("%rounds = llvm.mlir.constant(3 : i32) : i32")
        self.lines.append(
            f"llvm.br ^head(%zero, %p, %q : i32, {kind}, {kind})\n^head(%i: i32, %s: {kind}, %u: {kind}):"
        )
        self.lines.append(
            '%more = llvm.icmp "slt" %i, %rounds : i32\nllvm.cond_br %more, ^round, ^done\n^round:'
        )
        inner = self.straight(["%s", "%u", "%a"], 3)
        self.lines.append("%next = llvm.add %i, %one : i32")
        self.lines.append(f"llvm.br ^head(%next, %u, {inner[-1]} : i32, {kind}, {kind})\n^done:")
        self.lines.append(f"%r = llvm.xor %s, %u : {kind}")
        return "\n".join(self.lines)


@pytest.mark.parametrize("seed", range(24))
def test_both_printers_agree(seed: int) -> None:
    program = Program(seed)
    text = lanewise(program.body(), f"{program.type} {program.type} -> {program.type}")
    dtype = np.dtype(f"i{int(program.type[1:]) // 8}")
    info = np.iinfo(dtype)
    a, b = np.random.default_rng(seed).integers(info.min, info.max, (2, 32), dtype, endpoint=True)
    results = []
    for ptx in (printed(text), by_llvm(parsed(text), CHIPS[CHIP])):
        out = np.zeros(32, dtype)
        launch(ptx, "k", (1,), (32,), [a.copy(), b.copy(), out])
        results.append(out.tolist())
    assert results[0] == results[1]


@pytest.mark.parametrize("number", [12, 20])
def test_generated_kernels_do_the_same(number: int) -> None:
    """`python -m conformance.gpu printers` runs as many as one likes, and the examples."""
    tally: Counter[str] = Counter()
    assert list(compare("gpu", number, "sm_90a", tally)) == []
    assert tally["same"] > 0, tally


def test_operations_on_elements_do_the_same() -> None:
    """`python -m conformance.gpu printers` compares all of them, and elementary functions."""
    exact = [one for make in FAMILIES.values() for one in make()]
    chosen = exact[3::STRIDE] + [one for one in exact if one.case.name in WIDE_SHIFTS]
    found = [compare_elements(one.case, one.result, inputs_of(one), CHIP) for one in chosen]
    assert found == [("same", "")] * len(chosen)
    assert len(chosen) > len(WIDE_SHIFTS)


@pytest.mark.parametrize("type", [f16, bf16], ids=str)
@pytest.mark.parametrize("name", ["exp", "rsqrt"])
def test_approximate_functions_do_the_same(name: str, type: FloatType) -> None:
    """They are called by the names that LLVM has for them."""
    case, numbers = BY_NAME[name].case(type), inputs(BY_NAME[name], type)
    assert compare_elements(case, type, [number[::STRIDE] for number in numbers], CHIP) == ("same", "")


@pytest.mark.parametrize("name", ["f16", "bytes"])
def test_products_do_the_same(name: str) -> None:
    """LLVM has an intrinsic function for each matrix instruction."""
    ((text, arrays), _) = PRODUCTS[name]
    artifact = tilewright.compile(text, target=f"sim:{CHIP}")
    ours = artifact.loader().image()
    results: list[list[bytes]] = []
    for image in (ours, second_image(ours, artifact.module("llvm"), CHIP)):
        own: list[Any] = [np.array(array) for array in arrays]
        Kernels(target(f"sim:{CHIP}").load(image)).kernel("k").launch((1, 1, 1), own, 1)
        results.append([array.tobytes() for array in own])
    assert results[0] == results[1]


@pytest.mark.parametrize("name", ["single bits", "eight halves", "two doubles"])
def test_accesses_under_a_mask_do_the_same(name: str) -> None:
    """LLVM writes branches for them."""
    artifact = tilewright.compile(text_of(name), target=f"sim:{CHIP}")
    ours = artifact.loader().image()
    theirs = second_image(ours, artifact.module("llvm"), CHIP)
    assert b"bra" not in ours.object_code
    assert b"bra" in theirs.object_code
    results: list[list[bytes]] = []
    for image in (ours, theirs):
        own = arguments(name)
        Kernels(target(f"sim:{CHIP}").load(image)).kernel("k").launch((2, 1, 1), own, 1)
        results.append([np.asarray(one).tobytes() for one in own])
    assert results[0] == results[1]
