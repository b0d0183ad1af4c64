"""Kernels that load a tile in one layout and store it in another one."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.targets.nvptx.kernels import printed
from tilewright import Module, PassManager
from tilewright.layouts.linear import LinearLayout
from tilewright.layouts.linear_text import linear_text
from tilewright.ptxsim import launch
from tilewright.targets.nvptx.stages import CODE

TYPES: dict[str, Any] = {"i8": np.int8, "f16": np.float16, "i32": np.int32, "i64": np.int64}
"""Elements of 1, 2, 4 and 8 bytes."""
MATERIALISE = "nv-tileas-materialise-conversions"
KERNEL = """
module attributes {{nv_tileaa.compute_capability = #nv_tileaa.compute_capability<80>,
    nv_tileaa.target_spec = #nv_tileaa.target_spec<"sm_80">}} {{
  "nv_tileaa.func"() <{{function_type = (!nv_tileaa.ptr<{element}, 1>, !nv_tileaa.ptr<{element}, 1>) -> (),
      kernel_spec = #nv_tileaa.kernel_spec<clusterDim=[1,1,1], numWarps={warps}>, sym_name = "k"}}> ({{
  ^bb0(%x: !nv_tileaa.ptr<{element}, 1>, %y: !nv_tileaa.ptr<{element}, 1>):
    %t = "nv_tileaa.create_mem_token"() : () -> !nv_tileaa.mem_token
    %p = "nv_tileas.generate"() ({{
    ^bb0(%i: index):
      %j = arith.index_cast %i : index to i64
      %e = "nv_tileaa.addptr"(%x, %j) : (!nv_tileaa.ptr<{element}, 1>, i64) -> !nv_tileaa.ptr<{element}, 1>
      "nv_tileas.yield"(%e) : (!nv_tileaa.ptr<{element}, 1>) -> ()
    }}) : () -> tensor<{count}x!nv_tileaa.ptr<{element}, 1>, {source}>
    %v, %u = "nv_tileas.load"(%p, %t) <{{cache_modifier = #nv_tileaa.cache_modifier<none>,
        eviction_policy = #nv_tileaa.eviction_policy<none>, mem_semantic = #nv_tileaa.mem_semantic<weak>,
        operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}}>
      : (tensor<{count}x!nv_tileaa.ptr<{element}, 1>, {source}>, !nv_tileaa.mem_token)
      -> (tensor<{count}x{element}, {source}>, !nv_tileaa.mem_token)
    %w = "nv_tileas.convert_layout"(%v) <{{{transfer}}}> : (tensor<{count}x{element}, {source}>)
      -> tensor<{count}x{element}, {target}>
    %q = "nv_tileas.generate"() ({{
    ^bb0(%i: index):
      %j = arith.index_cast %i : index to i64
      %e = "nv_tileaa.addptr"(%y, %j) : (!nv_tileaa.ptr<{element}, 1>, i64) -> !nv_tileaa.ptr<{element}, 1>
      "nv_tileas.yield"(%e) : (!nv_tileaa.ptr<{element}, 1>) -> ()
    }}) : () -> tensor<{count}x!nv_tileaa.ptr<{element}, 1>, {target}>
    %s = "nv_tileas.store"(%q, %w, %t) <{{cache_modifier = #nv_tileaa.cache_modifier<none>,
        eviction_policy = #nv_tileaa.eviction_policy<none>, mem_semantic = #nv_tileaa.mem_semantic<weak>,
        operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}}>
      : (tensor<{count}x!nv_tileaa.ptr<{element}, 1>, {target}>, tensor<{count}x{element}, {target}>,
      !nv_tileaa.mem_token) -> !nv_tileaa.mem_token
    "nv_tileaa.return"() : () -> ()
  }}) : () -> ()
}}
"""


def conversion(element: str, source: LinearLayout, target: LinearLayout, transfer: str = "") -> str:
    """A kernel that copies an array: loaded in one layout, stored in another one; ``transfer`` may say how the tile gets there."""
    source_text, target_text = (f'#nv_tileas.linear_layout<"{linear_text(one)}">' for one in (source, target))
    return KERNEL.format(
        element=element,
        count=source.size,
        warps=1 << len(source.warp),
        source=source_text,
        target=target_text,
        transfer=f"transfer = #nv_tileas.transfer<{transfer}>" if transfer else "",
    )


def ptx_of_conversion(text: str) -> str:
    """The PTX of such a kernel; if it does not say how the tile gets there, by the cheapest way."""
    module = Module.parse(text)
    passes = CODE if "transfer =" in text else f"{MATERIALISE},{CODE}"
    PassManager.parse(f"builtin.module({passes})").run(module)
    return printed(str(module), "sm_80")


def copied(
    element: str, source: LinearLayout, target: LinearLayout, transfer: str = ""
) -> tuple[Any, Any, Any]:
    """What the kernel has in its array, what it makes of it in the simulator, and what the launch says."""
    made = ptx_of_conversion(conversion(element, source, target, transfer))
    given = np.arange(source.size).astype(TYPES[element])
    found = np.zeros_like(given)
    report = launch(made, "k", (1,), (32 << len(source.warp),), [given, found])
    return given, found, report
