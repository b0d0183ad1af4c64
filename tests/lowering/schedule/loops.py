"""Kernels with loops for tests of schedules, in the form of the stage 'layouts'."""

from __future__ import annotations

from typing import Any

from tilewright.driver.compile import compile
from tilewright.lowering.schedule.analysis import LoopSchedule, ScheduleAnalysis

MATRIX = "tensor_view<1024x1024xf16, strides=[1024,1]>"
VIEW = f"partition_view<tile=(64x64), {MATRIX}>"
PRODUCTS = f"""cuda_tile.module @m {{
  entry @products(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>, %steps: tile<i32>) {{
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.0> : tile<64x64xf32>
    %aligned = assume div_by<16>, %a : tile<ptr<f16>>
    %others = assume div_by<16>, %b : tile<ptr<f16>>
    %x = make_tensor_view %aligned, shape = [1024, 1024], strides = [1024, 1] : {MATRIX}
    %y = make_tensor_view %others, shape = [1024, 1024], strides = [1024, 1] : {MATRIX}
    %u = make_partition_view %x : {VIEW}
    %v = make_partition_view %y : {VIEW}
    %sum = for %i in (%zero to %steps, step %one) : tile<i32> iter_values(%s = %none) -> (tile<64x64xf32>) {{
      %p, %t = load_view_tko weak %u[%zero, %i] : {VIEW}, tile<i32> -> tile<64x64xf16>, token
      %q, %w = load_view_tko weak %v[%i, %zero] : {VIEW}, tile<i32> -> tile<64x64xf16>, token
      %r = mmaf %p, %q, %s : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      continue %r : tile<64x64xf32>
    }}
    %z = make_tensor_view %c, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %o = make_partition_view %z : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %d = store_view_tko weak %sum, %o[%zero, %zero] : tile<64x64xf32>,
        partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }}
}}
"""
"""A product of two rows and columns of tiles of 64 x 64."""
COUNTED = """cuda_tile.module @m {
  entry @counted(%out: tile<ptr<i32>>, %steps: tile<i32>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %sum = for %i in (%zero to %steps, step %one) : tile<i32> iter_values(%s = %zero) -> (tile<i32>) {
      %r = muli %s, %i : tile<i32>
      continue %r : tile<i32>
    }
    %t = store_ptr_tko weak %out, %sum : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
"""
"""A loop without tiles."""


def layouts_of(text: str, target: str = "sm_80") -> Any:
    """Return the module of the stage 'layouts' of a kernel."""
    return compile(text, target=target).module("layouts")


def schedule_of(text: str, target: str = "sm_80") -> LoopSchedule:
    """Return the schedule of the only loop of a kernel."""
    (found,) = ScheduleAnalysis(layouts_of(text, target)).loops
    return found
