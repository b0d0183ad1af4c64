"""Findings tell the element and the operands of an operation, in the same words at every door and on every target."""

from __future__ import annotations

from typing import Any

import cuda.tile as ct
import ml_dtypes
import numpy as np
import pytest

import tilewright
from tilewright import cutile
from tilewright.ir.diagnostic import DiagnosticError

TARGETS = ("interp", "cpu", "sim:sm_80")
ON_EACH_TARGET = pytest.mark.parametrize("target", TARGETS)
OF_FLOATS = "finite operands gave a NaN or an infinity"
OF_QUOTIENTS = "division by zero, or of the smallest number by -1"


@ct.kernel
def quotient(x, y, out):
    i = ct.bid(0)
    ct.store(out, (i,), ct.load(x, (i,), shape=(1024,)) / ct.load(y, (i,), shape=(1024,)))


@ct.kernel
def halves(x, out):
    ct.store(out, (0,), ct.astype(ct.load(x, (0,), shape=(4,)), ct.float16))


@ct.kernel
def scaled(a, b, out):
    """The quotient is computed in the layout of the product."""
    zero = ct.full((64, 64), 0, ct.float32)
    product = ct.mma(ct.load(a, (0, 0), shape=(64, 64)), ct.load(b, (0, 0), shape=(64, 64)), zero)
    ct.store(out, (0, 0), 1.0 / product)


@ct.kernel
def of_sums(x, y, out):
    a, b = ct.sum(ct.load(x, (0,), shape=(4,))), ct.sum(ct.load(y, (0,), shape=(4,)))
    ct.store(out, (0,), ct.full((4,), a / b, ct.float32))


@ct.kernel
def whole_quotient(x, y, out):
    ct.store(out, (0,), ct.cdiv(ct.load(x, (0,), shape=(4,)), ct.load(y, (0,), shape=(4,))))


def floats(count: int, **others: float) -> Any:
    """Ones, and other numbers: `_7=0.0` is a zero at index 7."""
    made = np.ones(count, np.float32)
    for at, number in others.items():
        made[int(at[1:])] = number
    return made


def product_of(row: int, column: int) -> Any:
    """Factors, the second one with a column that makes elements of the product zero from `row` on."""
    a, b = np.zeros((64, 64), np.float16), np.zeros((64, 64), np.float16)
    a[:, 0] = 1
    b[0] = 1
    a[row, 1], b[1, column] = -1, 1
    return a, b


CASES: dict[str, tuple[Any, int, Any, str]] = {
    "floats": (
        quotient,
        2,
        (floats(2048), floats(2048, _1030=0.0), floats(2048)),
        f"division: {OF_FLOATS} at element [6], from 1.0 and 0.0",
    ),
    "far elements of a thread": (
        quotient,
        1,
        (floats(1024, _1000=0.5), floats(1024, _1000=0.0), floats(1024)),
        f"division: {OF_FLOATS} at element [1000], from 0.5 and 0.0",
    ),
    "one operand": (
        halves,
        1,
        (floats(4, _3=65536.0), np.zeros(4, np.float16)),
        f"conversion of a float: {OF_FLOATS} at element [3], from 65536.0",
    ),
    "narrow floats": (
        quotient,
        1,
        tuple(one.astype(ml_dtypes.bfloat16) for one in (floats(1024), floats(1024, _5=0.0), floats(1024))),
        f"division: {OF_FLOATS} at element [5], from 1.0 and 0.0",
    ),
    "unsigned integers": (
        halves,
        1,
        (np.array([1, 2, 3, 2**64 - 1], np.uint64), np.zeros(4, np.float16)),
        f"conversion to a float: {OF_FLOATS} at element [3], from {2**64 - 1}",
    ),
    "signed integers": (
        halves,
        1,
        (np.array([1, 2, -70000, 4], np.int32), np.zeros(4, np.float16)),
        f"conversion to a float: {OF_FLOATS} at element [2], from -70000",
    ),
    "the layout of a product": (
        scaled,
        1,
        (*product_of(37, 41), np.zeros((64, 64), np.float32)),
        f"division: {OF_FLOATS} at element [37, 41], from 1.0 and 0.0",
    ),
    "scalars": (
        of_sums,
        1,
        (floats(4), np.zeros(4, np.float32), floats(4)),
        f"division: {OF_FLOATS}, from 4.0 and 0.0",
    ),
    "promises": (
        whole_quotient,
        1,
        (np.array([1, 2, 7, -7], np.int32), np.array([1, 2, 7, 0], np.int32), np.ones(4, np.int32)),
        f"integer division: {OF_QUOTIENTS} at element [3], from -7 and 0",
    ),
}


@ON_EACH_TARGET
@pytest.mark.parametrize("name", CASES)
def test_a_finding_tells_element_and_operands(name: str, target: str) -> None:
    kernel, blocks, arguments, words = CASES[name]
    given = [one.copy() for one in arguments]
    with pytest.raises(DiagnosticError) as caught:
        cutile.launch(blocks, kernel, given, check="fpcheck,promises", target=target)
    assert caught.value.diagnostics[0].message.partition("): ")[2] == words


DIVISION = """
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %x: tile<f32>, %y: tile<f32>) {
    %q = divf %x, %y : tile<f32>
    %t = store_ptr_tko weak %p, %q : tile<ptr<f32>>, tile<f32> -> token
    return
  }
}
"""


@ON_EACH_TARGET
def test_a_launch_of_a_module_tells_operands(target: str) -> None:
    out = np.zeros(1, np.float32)
    given = [out, np.float32(-2), np.float32(0)]
    with pytest.raises(DiagnosticError) as caught:
        tilewright.launch(DIVISION, "k", 1, given, target=target, check="fpcheck")
    assert caught.value.diagnostics[0].message.endswith(f"division: {OF_FLOATS}, from -2.0 and 0.0")


TWO_ON_A_LINE = """
cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>, %x: tile<f32>, %y: tile<f64>, %z: tile<f64>) {
    %a = divf %x, %x : tile<f32> %b = divf %y, %z : tile<f64>
    return
  }
}
"""


@ON_EACH_TARGET
def test_two_operations_on_a_line_are_told_apart(target: str) -> None:
    given = [np.zeros(1, np.float32), np.float32(1), np.float64(3), np.float64(0)]
    with pytest.raises(DiagnosticError) as caught:
        tilewright.launch(TWO_ON_A_LINE, "k", 1, given, target=target, check="fpcheck")
    (found,) = caught.value.diagnostics
    assert found.message.endswith("from 3.0 and 0.0")
    assert found.location.source is not None
    assert found.location.source[2] == TWO_ON_A_LINE.splitlines()[3].index("divf %y") + 1


def test_a_check_that_cannot_fail_is_no_code_for_its_operands() -> None:
    text = DIVISION.replace("divf %x, %y", "divf %c, %c").replace(
        "    %q", "    %c = constant <f32: 2.0> : tile<f32>\n    %q"
    )
    made = tilewright.compile(text.encode(), options=tilewright.CompileOptions(checks=("fpcheck",)))
    assert "with_operands" not in str(made.module("tileaa"))
    assert "nv_tileaa.check" not in str(made.module("tileaa"))
