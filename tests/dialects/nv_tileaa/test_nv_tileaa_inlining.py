"""Functions of tiles are inlined where they are called, by the pass and on the way to code."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright
from tilewright.driver.startup import context
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.passes.manager import PassManager
from tilewright.passes.transforms.inline import Inline

KERNEL_SPEC = "kernel_spec = #nv_tileaa.kernel_spec<numWarps=4, clusterDim=[1,1,1]>"
STORE = (
    "<{cache_modifier = #nv_tileaa.cache_modifier<none>, eviction_policy = #nv_tileaa.eviction_policy<none>, "
    "mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}>"
)
PROGRAM = f"""
module {{
  "nv_tileaa.func"() <{{function_type = (!nv_tileaa.ptr<i32, 1>, i32) -> (), {KERNEL_SPEC}, sym_name = "k"}}> ({{
  ^bb0(%p: !nv_tileaa.ptr<i32, 1>, %n: i32):
    %r = "nv_tileaa.call"(%n) <{{callee = @twice}}> : (i32) -> i32
    %tile = "nv_tileaa.splat"(%r) : (i32) -> tensor<8xi32>
    %zero = arith.constant 0 : i32
    %eight = arith.constant 8 : i32
    %range = "nv_tileaa.make_range"(%zero, %eight) : (i32, i32) -> tensor<8xi32>
    %base = "nv_tileaa.splat"(%p) : (!nv_tileaa.ptr<i32, 1>) -> tensor<8x!nv_tileaa.ptr<i32, 1>>
    %at = "nv_tileaa.addptr"(%base, %range) : (tensor<8x!nv_tileaa.ptr<i32, 1>>, tensor<8xi32>) -> tensor<8x!nv_tileaa.ptr<i32, 1>>
    %start = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
    %done = "nv_tileaa.store"(%at, %tile, %start) {STORE} : (tensor<8x!nv_tileaa.ptr<i32, 1>>, tensor<8xi32>, !nv_tileaa.mem_token) -> !nv_tileaa.mem_token
    "nv_tileaa.return"() : () -> ()
  }}) : () -> ()
  "nv_tileaa.func"() <{{function_type = (i32) -> i32, sym_name = "twice", sym_visibility = "private"}}> ({{
  ^bb0(%n: i32):
    %s = arith.addi %n, %n : i32
    "nv_tileaa.return"(%s) : (i32) -> ()
  }}) : () -> ()
}}
"""


def names(module: Operation) -> list[str]:
    return [op.name for op in module.walk()]


def test_a_call_becomes_the_body() -> None:
    known = context()
    module = parse_module(known, PROGRAM)
    PassManager(known).add(Inline()).run(module)
    assert "nv_tileaa.call" not in names(module)
    assert names(module).count("nv_tileaa.func") == 1
    assert "arith.addi" in names(module)


def test_kernels_are_not_inlined() -> None:
    known = context()
    spec = f'sym_name = "twice", {KERNEL_SPEC}'
    calls_a_kernel = (
        PROGRAM.replace('sym_name = "twice", sym_visibility = "private"', spec)
        .replace("(i32) -> i32", "(i32) -> ()")
        .replace("%r = ", "")
        .replace('"nv_tileaa.return"(%s) : (i32)', '"nv_tileaa.return"() : ()')
        .replace('"nv_tileaa.splat"(%r)', '"nv_tileaa.splat"(%n)')
    )
    module = parse_module(known, calls_a_kernel)
    PassManager(known).add(Inline()).run(module)
    assert "nv_tileaa.call" in names(module)


def test_a_kernel_that_calls_is_compiled() -> None:
    pytest.importorskip("llvmlite")
    out = np.zeros(8, np.int32)
    tilewright.compile(PROGRAM).launch((1, 1, 1), [out, 21])
    assert out.tolist() == [42] * 8
