"""Vectors of which two elements share a register: they are put together once, and taken apart once."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy")

from tests.targets.nvptx.kernels import lanewise, printed

pytestmark = pytest.mark.usefixtures("ptx_as_before")

FIRST, SECOND = "%zero = llvm.mlir.constant(0 : i32) : i32\n", "%one = llvm.mlir.constant(1 : i32) : i32\n"


def count(text: str, instruction: str) -> int:
    return sum(line.strip().startswith(instruction) for line in text.splitlines())


def test_elements_are_packed_when_all_are_there() -> None:
    body = f"""{FIRST}{SECOND}%none = llvm.mlir.poison : vector<2xf16>
    %low = llvm.insertelement %a, %none[%zero : i32] : vector<2xf16>
    %r = llvm.insertelement %b, %low[%one : i32] : vector<2xf16>"""
    assert count(printed(lanewise(body, "f16 f16 -> vector<2xf16>")), "mov.b32") == 1


def test_elements_that_are_put_together_again_stay_where_they_are() -> None:
    body = f"""{FIRST}{SECOND}%low = llvm.extractelement %a[%zero : i32] : vector<2xf16>
    %high = llvm.extractelement %a[%one : i32] : vector<2xf16>
    %none = llvm.mlir.poison : vector<2xf16>
    %half = llvm.insertelement %low, %none[%zero : i32] : vector<2xf16>
    %r = llvm.insertelement %high, %half[%one : i32] : vector<2xf16>"""
    text = printed(lanewise(body, "vector<2xf16> -> vector<2xf16>"))
    assert count(text, "mov.b32") == 1  # the elements are taken apart, and nobody needs them


def test_what_was_taken_apart_in_another_block_is_taken_apart_again() -> None:
    body = f"""{FIRST}%low = llvm.extractelement %a[%zero : i32] : vector<2xf16>
    %test = llvm.icmp "eq" %t, %zero : i32
    llvm.cond_br %test, ^left, ^right(%low : f16)
    ^left:
    %again = llvm.extractelement %a[%zero : i32] : vector<2xf16>
    llvm.br ^right(%again : f16)
    ^right(%r: f16):"""
    assert count(printed(lanewise(body, "vector<2xf16> -> f16")), "mov.b32 {") == 2


PARTS = f"""{FIRST}{SECOND}%low = llvm.extractelement %a[%zero : i32] : vector<2xf16>
    %high = llvm.extractelement %a[%one : i32] : vector<2xf16>
    %test = llvm.icmp "eq" %t, %zero : i32
"""
JOINED = """%none = llvm.mlir.poison : vector<2xf16>
    %half = llvm.insertelement %low, %none[%zero : i32] : vector<2xf16>
    %r = llvm.insertelement %high, %half[%one : i32] : vector<2xf16>"""


def test_elements_that_are_put_together_again_in_another_block_stay_where_they_are() -> None:
    body = f"{PARTS}llvm.cond_br %test, ^left, ^right\n^left:\nllvm.br ^right\n^right:\n{JOINED}"
    assert count(printed(lanewise(body, "vector<2xf16> -> vector<2xf16>")), "mov.b32 %") == 0


def test_elements_of_a_register_that_a_branch_changes_are_put_together_again() -> None:
    """The vector that the loop carries has changed when the elements of the last iteration are joined."""
    body = f"""{FIRST}{SECOND}%four = llvm.mlir.constant(4 : i32) : i32
    llvm.br ^again(%zero, %a : i32, vector<2xf16>)
    ^again(%n: i32, %v: vector<2xf16>):
    %low = llvm.extractelement %v[%zero : i32] : vector<2xf16>
    %high = llvm.extractelement %v[%one : i32] : vector<2xf16>
    %sum = llvm.fadd %v, %v : vector<2xf16>
    %m = llvm.add %n, %one : i32
    %more = llvm.icmp "slt" %m, %four : i32
    llvm.cond_br %more, ^back, ^done
    ^back:
    llvm.br ^again(%m, %sum : i32, vector<2xf16>)
    ^done:
    {JOINED}"""
    text = printed(lanewise(body, "vector<2xf16> -> vector<2xf16>"))
    joined = [line for line in text.splitlines() if line.strip().startswith("mov.b32 %") and "{" in line]
    assert len(joined) == 1
