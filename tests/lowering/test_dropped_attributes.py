"""Meaning stands in inherent attributes: a pass that drops all discardable ones between stages changes no code."""

from __future__ import annotations

import functools

import pytest

import tilewright
from tests.support.corpora.frontend_corpus import corpus
from tilewright.dialects.cuda_tile.version import LATEST
from tilewright.dialects.nv_tileaa.discardable import TARGET_SPEC
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation

EXAMPLES = ("fft", "histogram", "matmul", "softmax")
VIEW = "partition_view<tile=(16), tensor_view<16xf32, strides=[1]>>"
EVERYTHING = f"""
cuda_tile.module @m {{
  entry @k(%p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {{
    %c = constant <i32: 0> : tile<i32>
    %t = make_tensor_view %p, shape = [16], strides = [1] : tile<ptr<f32>> -> tensor_view<16xf32, strides=[1]>
    %v = make_partition_view %t : {VIEW}
    %x, %t0 = load_view_tko acquire device %v[%c] : {VIEW}, tile<i32> -> tile<16xf32>, token
    %a = addf %x, %x rounding<zero> flush_to_zero : tile<16xf32>
    %b = maxf %a, %x flush_to_zero : tile<16xf32>
    %e = exp %b rounding<approx> : tile<16xf32>
    %s = sqrt %e rounding<negative_inf> : tile<16xf32>
    %r = scan %s dim=0 reverse=true identities=[0.0 : f32] : tile<16xf32> -> tile<16xf32>
    (%m: tile<f32>, %n: tile<f32>) {{
      %o = addf %m, %n rounding<nearest_even> : tile<f32>
      yield %o : tile<f32>
    }}
    %t1 = store_view_tko release device %r, %v[%c] token = %t0
      optimization_hints = <default = {{latency = 9 : i64}}> : tile<16xf32>, {VIEW}, tile<i32> -> token
    %h = ftof %x rounding<zero> : tile<16xf32> -> tile<16xbf16>
    %i = ftoi %h signed saturating : tile<16xbf16> -> tile<16xi32>
    %u = make_tensor_view %q, shape = [16], strides = [1] : tile<ptr<i32>> -> tensor_view<16xi32, strides=[1]>
    %w = make_partition_view %u : partition_view<tile=(16), tensor_view<16xi32, strides=[1]>>
    %t2 = store_view_tko weak %i, %w[%c]
      : tile<16xi32>, partition_view<tile=(16), tensor_view<16xi32, strides=[1]>>, tile<i32> -> token
    return
  }}
}}
"""
STAGES = ("tileir", "tileaa", "tileas")
"""Those behind which everything is dropped."""


@functools.cache
def examples() -> dict[str, bytes]:
    """The bytecode of one kernel of each example."""
    return {name.partition(".")[0]: content for name, _, content in corpus(str(LATEST))}


def drop_all(module: Operation, kept: str = TARGET_SPEC) -> None:
    """Drop the discardable attributes of every operation, but for what the module says about its target."""
    for op in module.walk():
        for name in [name for name in op.attributes if not op.kind.is_inherent(name) and name != kept]:
            del op.attributes[name]


def without_discardable_attributes(source: bytes | str) -> str:
    """The LLVM IR of a kernel that is compiled stage by stage."""
    given: bytes | str | Operation = source
    for stage in STAGES:
        given = tilewright.compile(given).module(stage).clone()
        drop_all(given)
    return str(tilewright.compile(given).asm["llvm"])


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_do_not_need_discardable_attributes(name: str) -> None:
    source = examples()[name]
    assert without_discardable_attributes(source) == str(tilewright.compile(source).asm["llvm"])


def test_nothing_that_changes_results_is_discardable() -> None:
    assert without_discardable_attributes(EVERYTHING) == str(tilewright.compile(EVERYTHING).asm["llvm"])


def test_a_module_that_does_not_name_its_target_is_refused() -> None:
    """What a module says about its target is the only discardable attribute that anybody needs, and is asked for."""
    module = tilewright.compile(EVERYTHING).module("tileas").clone()
    drop_all(module, kept="")
    with pytest.raises(DiagnosticError, match="Failed to get ComputeCapability"):
        tilewright.compile(module).asm["llvm"]
